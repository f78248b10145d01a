#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint_notices.sh BUILD_DIR: scripts/lint notices what it is for. One planted fault for each tool, and for each the name of
# the tool that must say so.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rtl() { # rtl NAME TOOL SED_EXPRESSION
  sed "$3" rtl/prim/rr_arb.v >"$work/rr_arb.v"
  cmp -s "$work/rr_arb.v" rtl/prim/rr_arb.v && { echo "$1: the planted fault did not apply"; exit 1; }
  local status=0
  scripts/lint rtl rr_arb "$work/rr_arb.v" >"$work/log" 2>&1 || status=$?
  [ $status = 1 ] && grep -q "^lint: $2: rr_arb" "$work/log" || { cat "$work/log"; echo "$1: $2 did not notice (exit $status)"; exit 1; }
}
rtl "an unused signal" verilator 's/^  assign busy_o = /  logic stray;\n  assign stray = accept_i;\n&/'
rtl "two drivers" iverilog 's/^  assign busy_o = .*/&\n  assign busy_o = accept_i;/'
rtl "ones without a width" yosys "s/^  assign busy_o = .*/  localparam logic [N-1:0] ALL = '1;\n  assign busy_o = req_i == ALL;/"
rtl "a combinational loop" yosys 's/^  assign busy_o = .*/  logic loop;\n  assign loop = !loop;\n  assign busy_o = loop;/'

status=0
TANDEM_BUILD=$build scripts/lint c csim/base/err.c >"$work/log" 2>&1 || status=$?
[ $status = 0 ] || { cat "$work/log"; echo "csim/base/err.c is not clean"; exit 1; }
printf '/* SPDX-License-Identifier: Apache-2.0 */\nint twice(int   x) { return 2 * x; }\n' >"$work/space.c"
printf '/* SPDX-License-Identifier: Apache-2.0 */\nint broken(int x) {\n  int *p = 0;\n  if (x) return *p;\n  return x;\n}\n' >"$work/null.c"
c() { # c FILE TOOL FINDING
  local status=0
  TANDEM_BUILD=$build scripts/lint c "$work/$1" >"$work/log" 2>&1 || status=$?
  [ $status = 1 ] && grep -q "^lint: $2" "$work/log" && grep -q "$3" "$work/log" || { cat "$work/log"; echo "$1: $2 did not notice (exit $status)"; exit 1; }
}
c space.c clang-format clang-format-violations
c null.c clang-tidy clang-analyzer-core.NullDereference
