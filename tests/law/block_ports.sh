#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# block_ports.sh BUILD_DIR BLOCK: manifest and RTL agree on ports, widths and registers for every swept parameter set.
# The generated socket connects every port and reads every register by name at the manifest's width, so Verilator's
# PINMISSING, PINNOTFOUND and WIDTH messages are the comparison.
. tests/kit/shell.sh
block=$2
family=$(of_block "$block" FAMILY)
sets=$(of_block "$block" SETS)
check() { # check RTL_FILE SET
  verilator --lint-only -Wno-lint -Wno-style -Wwarn-PINMISSING -Wwarn-PINNOCONNECT -Wwarn-WIDTH -Wno-WIDTHCONCAT -Wwarn-SELRANGE \
    --no-timing --top-module "${block}_socket" $(echo "$2" | tr ',' '\n' | sed 's/^/-G/') \
    -Irtl/include -y "rtl/$family" -y rtl/prim "$build/generated/${block}_socket.sv" "$1" 2>&1
}
for set in $sets; do
  check "rtl/$family/$block.v" "$set" || fail "$block $set: manifest and RTL disagree"
  echo "$block $set: ports and registers agree"
done
# The check can fail: an RTL port that is a bit wider, and one that is missing in the manifest.
sed '0,/output logic  *\(\[[^,]*\] *\)\?\([a-z_]*_o\)/s//output logic [499:0] \2/' "rtl/$family/$block.v" >"$work/$block.v"
planted "rtl/$family/$block.v" "$work/$block.v" "a wider output"
! check "$work/$block.v" "${sets%% *}" >/dev/null || fail "a wider output was not noticed"
sed '0,/^ *input  *logic /s//input logic extra_i,\n&/' "rtl/$family/$block.v" >"$work/$block.v"
! check "$work/$block.v" "${sets%% *}" >/dev/null || fail "an unlisted port was not noticed"
