#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tree.sh BUILD_DIR: scripts/setup names each package once.
. tests/kit/shell.sh
twice=$(sed -n "/^packages='/,/^'/p" scripts/setup | awk 'NF > 1 { print $1 }' | sort | uniq -d)
[ -z "$twice" ] || { echo "scripts/setup names $twice twice"; exit 1; }
