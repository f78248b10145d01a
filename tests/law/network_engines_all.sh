#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# label: nightly
# network_engines_all.sh BUILD_DIR: network_engines.sh with every policy and every router.
exec bash tests/law/network_engines.sh "$1" all
