#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verilated_traits.sh OBJ CLASS: what verilator_shim.cpp may rely on in the model that Verilator has just written to OBJ, as options of
# the compiler. Names and forms differ between versions of Verilator; where they are others, the shim goes the longer way.
obj=$1 class=$2 root=$obj/${2}___024root.h
was=$(grep -oE '__Vtrig[a-z]*prev[a-z_]*_TOP__clk[_0-9]*' "$root" | head -n 1)
# all of the model is one object: no file but those of the top, its symbols, its calls of C and that object
[ "$(ls "$obj"/*.h | wc -l)" -ne 4 ] || echo -DSHIM_FLAT
# nothing is triggered but by the rising clk, smp, lat, and by what shows the C side in waves: no gated clock, no other reset
others=$(grep -oE '__Vtrig[a-z]*prev[A-Za-z_0-9]*' "$root" | sort -u | grep -vcE '_TOP__(clk|smp|lat)[_0-9]*$|_socket__DOT__shown[_0-9]*$')
[ -n "$was" ] && [ "$others" = 0 ] && ! cat "$obj"/*.cpp | grep -q '@(negedge' || exit 0
echo "-DSHIM_CLK_WAS=$was" # so that the falling edge needs no evaluation
# ... and by which trigger the rising clk does all: one evaluation of that is enough
trigger=$(cat "$obj"/*.cpp | tr -s '\n ' ' ' |
  grep -oE "__VactTriggered\.at\([0-9]+U\) = \(\(IData\)\(vlSelf->clk\) & \(~ \(IData\)\(vlSelf->$was\)\)\);")
if [ "$(echo "$trigger" | wc -l)" = 1 ] && [ -n "$trigger" ] && grep -qE 'VlTriggerVec<[0-9]+> __VnbaTriggered;' "$root" &&
  cat "$obj"/*.cpp | grep -q "^void ${class}___024root___eval_nba(.*{"; then
  echo "-DSHIM_CLK_TRIGGER=$(echo "$trigger" | sed 's/^[^(]*(\([0-9]*\)U.*/\1/')"
fi
