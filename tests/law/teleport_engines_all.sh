#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: teleport
# label: nightly
# teleport_engines_all.sh BUILD_DIR: teleport_engines.sh with every one of its runs four ways.
exec bash tests/law/teleport_engines.sh "$1" all
