#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# own_proofs.sh BUILD_DIR: proofs, the state list and synthesis of blocks outside of the tree. SystemVerilog that this Yosys cannot read
# is refused by name, with what to install; where TANDEM_YOSYS names that, it is proved and synthesised, too.
. tests/kit/shell.sh
export TANDEM_BUILD=$build
cp -r tests/examples/foreign tests/examples/plain "$work"
prove() { bash scripts/prove --manifest "$work/plain/blocks.yaml" token_bucket --out "$work/out" "$@"; }

must prove
[ "$(grep -c proved "$work/log")" = 3 ] || fail_showing "$work/log" "not three proofs"
[ ! -e "$work/out" ] || fail "a proof that holds leaves a trace"
must prove --bug overflows
must prove --state
# a late input may not reach an output within its cycle
must prove --late
grep -q 'has no late input' "$work/log" || fail_showing "$work/log" "a late input where there is none"
sed -i.kept 's/\(\[earn, in, 1, .*\), enable\]/\1, late]/' "$work/plain/blocks.yaml"
must prove --late
grep -q 'earn_i reaches no output' "$work/log" || fail_showing "$work/log" "the late input is not looked at"
sed -i 's/\(\[ask, in, 1, .*\), enable\]/\1, late]/' "$work/plain/blocks.yaml"
ends_with 1 prove --late
grep -q 'late input ask_i reaches .*grant_o' "$work/stdout" || fail_showing "$work/stdout" "the path is not named"
mv "$work/plain/blocks.yaml.kept" "$work/plain/blocks.yaml"
refused "token_bucket is of $work/plain/blocks.yaml" prove --equal
must "$tandem" synth token_bucket --manifest "$work/plain/blocks.yaml" --no-band
grep -q '^token_bucket  *osu018' "$work/log" || fail_showing "$work/log" "no figures"

# a proof that fails leaves a trace, and a stimulus in which lockstep finds the bug
sed -i.kept "s/after != FULL/1'b1/" "$work/plain/token_bucket.v"
ends_with 1 prove
grep -q "replay it: tandem drive token_bucket $work/out/stimulus.csv --manifest" "$work/stdout" || fail_showing "$work/stdout" "no replay line"
grep -q '^\$var.*left_q' "$work/out/trace.vcd" || fail "the trace lacks a register"
ends_with 1 "$tandem" drive token_bucket "$work/out/stimulus.csv" --manifest "$work/plain/blocks.yaml" --engine lockstep
mv "$work/plain/token_bucket.v.kept" "$work/plain/token_bucket.v"

# registers that are not listed, and bits too many, are named one by one
sed -i.kept 's/  always_comb left_d/  logic [1:0] more_q;\n  always_ff @(posedge clk_i) more_q <= {more_q[0], earn_i ^ more_q[1]};\n  assign busy_o = more_q[1];\n&/; s/^  assign busy_o = 1.b0;//' "$work/plain/token_bucket.v"
ends_with 1 prove --state
grep -q 'more_q: 2 bits in the RTL, not listed' "$work/stdout" || fail_showing "$work/stdout" "the register is not named"
mv "$work/plain/token_bucket.v.kept" "$work/plain/token_bucket.v"
sed -i.kept 's/width: bits(N+1), c: left/width: bits(N+1)+1, c: left/' "$work/plain/blocks.yaml"
ends_with 1 prove --state
grep -q 'blocks.yaml:[0-9]*: token_bucket: state left_q: left_q: 4 bits in the RTL, 5 listed' "$work/stdout" || fail_showing "$work/stdout" "the row is not named"
mv "$work/plain/blocks.yaml.kept" "$work/plain/blocks.yaml"
sed -i.kept 's/^  props:.*//' "$work/plain/blocks.yaml"
refused "no key 'props'" prove
mv "$work/plain/blocks.yaml.kept" "$work/plain/blocks.yaml"

# SystemVerilog
ring=(ring --manifest "$work/foreign/blocks.yaml")
named="$work/foreign/rtl/ring_pkg.sv:[0-9]*: .*a current Yosys with slang can: run 'npm install node@24 @yowasp/yosys"
for command in "bash scripts/prove" "bash scripts/prove --state" "$tandem synth"; do
  refused "$named" env -u TANDEM_YOSYS TANDEM_CACHE="$work/cache" $command "${ring[@]}"
done
refused 'has no node_modules/@yowasp/yosys' env TANDEM_YOSYS="$work" bash scripts/prove "${ring[@]}"
[ "${TANDEM_YOSYS:-}" ] || { echo "TANDEM_YOSYS names no folder: the foreign block is not proved and synthesised here"; exit 0; }
must bash scripts/prove "${ring[@]}"
grep -q 'bmc .*proved' "$work/log" || fail_showing "$work/log" "no proof"
cp "$work/foreign/model/ring_props.svh" "$work/props"
sed -i 's/      assert (!(full_o && empty_o));/&\n      assert (u_dut.i_read.at < DEPTH);/' "$work/foreign/model/ring_props.svh"
must bash scripts/prove "${ring[@]}" # a register of an inner module
sed -i 's/i_read.at < DEPTH/i_read.at >= DEPTH/' "$work/foreign/model/ring_props.svh"
ends_with 1 bash scripts/prove "${ring[@]}" --out "$work/ring"
grep -q '^0,0,' "$work/ring/stimulus.csv" || fail_showing "$work/ring/stimulus.csv" "the stimulus does not begin in reset"
sed -i 's/i_read.at >= DEPTH/i_read.att < DEPTH/' "$work/foreign/model/ring_props.svh"
refused "ring_props.svh:[0-9]*:[0-9]*: error: could not resolve hierarchical path name 'att'" bash scripts/prove "${ring[@]}"
cp "$work/props" "$work/foreign/model/ring_props.svh"
must bash scripts/prove "${ring[@]}" --bug adds_without_carry
must bash scripts/prove --state "${ring[@]}"
must "$tandem" synth "${ring[@]}" --no-band
