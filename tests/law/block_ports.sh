#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# block_ports.sh BUILD_DIR BLOCK: manifest and RTL agree on ports, widths and registers for every swept parameter set.
# The generated socket connects every port and reads every register by name at the manifest's width, so Verilator's
# PINMISSING, PINNOTFOUND and WIDTH messages are the comparison.
set -eu
build=$1 block=$2
generated=$build/generated
family=$(sed -n "s/^set(${block}_FAMILY \(.*\))$/\1/p" "$generated/blocks.cmake")
sets=$(sed -n "s/^set(${block}_SETS \(.*\))$/\1/p" "$generated/blocks.cmake")
check() { # check RTL_FILE SET
  verilator --lint-only -Wno-lint -Wno-style -Wwarn-PINMISSING -Wwarn-PINNOCONNECT -Wwarn-WIDTH -Wno-WIDTHCONCAT -Wwarn-SELRANGE \
    --no-timing --top-module "${block}_socket" $(echo "$2" | tr ',' '\n' | sed 's/^/-G/') \
    -Irtl/include -y "rtl/$family" -y rtl/prim "$generated/${block}_socket.sv" "$1" 2>&1
}
for set in $sets; do
  check "rtl/$family/$block.v" "$set" || { echo "$block $set: manifest and RTL disagree"; exit 1; }
  echo "$block $set: ports and registers agree"
done
# The check can fail: an RTL port that is a bit wider, and one that is missing in the manifest.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed '0,/output logic  *\(\[[^,]*\] *\)\?\([a-z_]*_o\)/s//output logic [499:0] \2/' "rtl/$family/$block.v" >"$work/$block.v"
cmp -s "$work/$block.v" "rtl/$family/$block.v" && { echo "the planted port change did not apply"; exit 1; }
if check "$work/$block.v" "${sets%% *}" >/dev/null; then echo "a wider output was not noticed"; exit 1; fi
sed '0,/^ *input  *logic /s//input logic extra_i,\n&/' "rtl/$family/$block.v" >"$work/$block.v"
if check "$work/$block.v" "${sets%% *}" >/dev/null; then echo "an unlisted port was not noticed"; exit 1; fi
