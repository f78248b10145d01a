#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# label: nightly
# caba_round_trip_whole.sh BUILD_DIR: caba_round_trip.sh for more sizes, up to the GPU's lines of 128 bytes.
exec bash tests/law/caba_round_trip.sh "$1" '16,16,0 16,16,1 32,28,1 64,48,1 128,96,0 128,96,1'
