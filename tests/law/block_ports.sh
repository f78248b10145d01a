#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# block_ports.sh BUILD_DIR BLOCK: manifest and RTL agree on ports, widths and registers for every swept parameter set.
# The generated socket connects every port and reads every register by name at the manifest's width, so Verilator's
# PINMISSING, PINNOTFOUND and WIDTH messages are the comparison.
. tests/kit/shell.sh
. tests/kit/elaborate.sh
block=$2
family=$(of_block "$block" FAMILY)
sets=$(of_block "$block" SETS)
socket=$build/generated/${block}_socket.sv
check() { # check RTL_FILE SET
  "$verilator" --lint-only -Wno-lint -Wno-style -Wwarn-PINMISSING -Wwarn-PINNOCONNECT -Wwarn-WIDTH -Wno-WIDTHCONCAT -Wwarn-SELRANGE \
    --no-timing --top-module "${block}_socket" $(echo "$2" | tr ',' '\n' | sed 's/^/-G/') \
    -Irtl/include -y "rtl/$family" -y rtl/prim "$socket" "$1" 2>&1
}
for set in $sets; do
  check "rtl/$family/$block.v" "$set" || fail "$block $set: manifest and RTL disagree"
  echo "$block $set: ports and registers agree"
done
# The check can fail: an output that the manifest has one bit wider, and an input that it does not have. Both are planted in the socket, so
# that the style of the RTL does not matter.
cp "$socket" "$work/socket.sv"
socket=$work/socket.sv
sed '0,/\.\([a-z_0-9]*\)_o(\([a-z_0-9]*\))/s//.\1_o({unused, \2})/; s/^  bit \[WO-1:0\] out_v;/&\n  wire unused;/' "$build/generated/${block}_socket.sv" >"$socket"
planted "$build/generated/${block}_socket.sv" "$socket" "a wider output"
! check "rtl/$family/$block.v" "${sets%% *}" >/dev/null || fail "a wider output was not noticed"
sed '0,/^ *\.[a-z_0-9]*i(.*),$/s///' "$build/generated/${block}_socket.sv" >"$socket"
planted "$build/generated/${block}_socket.sv" "$socket" "an input less"
! check "rtl/$family/$block.v" "${sets%% *}" >/dev/null || fail "an unlisted port was not noticed"
