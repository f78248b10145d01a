#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# prove_notices.sh BUILD_DIR: scripts/prove fails where a proof would be empty: a law that does not hold, a cover that cannot
# happen, a law about a name that does not exist (Yosys only warns), laws that are not read at all, an induction without
# its base, a prove line that cannot be read.
. tests/kit/shell.sh
mkdir -p "$work/tree/scripts/gen" "$work/tree/configs" "$work/tree/rtl/include"
cp scripts/prove "$work/tree/scripts"
cp scripts/gen/*.py "$work/tree/scripts/gen"
cp rtl/include/* "$work/tree/rtl/include"
cp configs/blocks.yaml "$work/tree/configs"
props=$work/tree/testbench/prim/rr_arb_props.svh
fresh() {
  mkdir -p "$work/tree/rtl/prim" "$work/tree/testbench/prim"
  cp rtl/prim/*.v "$work/tree/rtl/prim"
  cp testbench/prim/rr_arb_props.svh "$props"
}
expect() { # expect NAME STATUS TEXT
  ends_with "$2" bash "$work/tree/scripts/prove" rr_arb
  grep -q "$3" "$work/stdout" "$work/stderr" || fail_showing "$work/stdout" "$1: no '$3'"
}
laws() { # laws PROVE_LINE STATEMENT: a props file of one law
  printf '// SPDX-License-Identifier: Apache-2.0\n// prove: %s\n  always @(posedge clk_i) begin\n    %s\n  end\n' "$1" "$2" >"$props"
}
fresh
laws 'bmc=4 induct=2 cover=4 N=3' 'if (rst_ni) begin assert (!busy_o); cover (grant_o == 3'"'"'b100); end'
expect "a law that holds" 0 proved
laws 'bmc=4 N=3' 'if (rst_ni) assert (grant_o == 0);'
expect "a law that does not hold" 1 FAILED
laws 'bmc=4 cover=4 N=3' 'begin assert (!busy_o); cover (busy_o); end'
expect "a cover that cannot happen" 1 FAILED
laws 'bmc=4 N=3' 'assert (!u_part.busy_q);'
expect "a name that does not exist" 2 'implicitly declared\|has no driver'
laws 'bmc=4 N=3' 'if (rst_ni) cover (grant_o == 1);'
expect "no law at all" 2 'no assert reaches'
laws 'bmc=1 induct=3 N=3' 'assert (!busy_o);'
expect "an induction without its base" 2 'needs bmc=3'
laws 'bmc=4 depth=3' 'assert (!busy_o);'
expect "a word that is none" 2 "'depth=3' in a prove line"
printf '// no line\n' >"$props"
expect "no prove line" 1 'has no line'
fresh
sed -i 's/^`ifdef FORMAL/`ifdef NEVER/' "$work/tree/rtl/prim/rr_arb.v"
expect "laws that are not read" 2 'no assert reaches'
