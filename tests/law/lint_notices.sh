#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint_notices.sh BUILD_DIR: scripts/lint notices what it is for. One planted fault for each tool, and for each the name of
# the tool that must say so.
. tests/kit/shell.sh

rtl() { # rtl NAME TOOL SED_EXPRESSION
  sed "$3" rtl/prim/rr_arb.v >"$work/rr_arb.v"
  planted rtl/prim/rr_arb.v "$work/rr_arb.v" "$1"
  ends_with 1 scripts/lint rtl rr_arb "$work/rr_arb.v"
  grep -q "^lint: $2: rr_arb" "$work/stdout" || fail_showing "$work/stdout" "$1: $2 did not notice"
}
rtl "an unused signal" verilator 's/^  assign busy_o = /  logic stray;\n  assign stray = accept_i;\n&/'
rtl "two drivers" iverilog 's/^  assign busy_o = .*/&\n  assign busy_o = accept_i;/'
rtl "ones without a width" yosys "s/^  assign busy_o = .*/  localparam logic [N-1:0] ALL = '1;\n  assign busy_o = req_i == ALL;/"
rtl "a combinational loop" yosys 's/^  assign busy_o = .*/  logic loop;\n  assign loop = !loop;\n  assign busy_o = loop;/'

export TANDEM_BUILD=$build
must scripts/lint c csim/base/err.c
printf '/* SPDX-License-Identifier: Apache-2.0 */\nint twice(int   x) { return 2 * x; }\n' >"$work/space.c"
printf '/* SPDX-License-Identifier: Apache-2.0 */\nint broken(int x) {\n  int *p = 0;\n  if (x) return *p;\n  return x;\n}\n' >"$work/null.c"
c() { # c FILE TOOL FINDING
  ends_with 1 scripts/lint c --quick "$work/$1"
  grep -q "^lint: $2" "$work/stdout" && grep -q "$3" "$work/stdout" || fail_showing "$work/stdout" "$1: $2 did not notice"
}
c space.c clang-format clang-format-violations
c null.c clang-tidy clang-analyzer-core.NullDereference
