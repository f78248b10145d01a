#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tree.sh BUILD_DIR: every top folder has a README, and scripts/setup names each package once.
. tests/kit/shell.sh
bad=0
for folder in configs rtl csim dpi testbench waves tests scripts; do
  [ -s $folder/README.md ] || { echo "$folder has no README.md"; bad=1; }
done
twice=$(sed -n "/^packages='/,/^'/p" scripts/setup | awk 'NF > 1 { print $1 }' | sort | uniq -d)
[ -z "$twice" ] || { echo "scripts/setup names $twice twice"; bad=1; }
exit $bad
