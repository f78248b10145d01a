#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# foreign_stimulus.sh BUILD_DIR: stimuli from elsewhere and to elsewhere. drive reads standard input; a recorded stimulus becomes a test bench
# that Icarus runs; the wave that it dumps there comes back, as VCD and as FST, and is the stimulus that it was made of, cycle for cycle;
# outputs in the wave are compared.
. tests/kit/shell.sh
bench() { # bench BLOCK FAMILY NAME: Icarus builds and runs $work/NAME.v; its output is $work/log
  iverilog -g2012 -Irtl/include -y rtl/prim -y "rtl/$2" -s "$1_tb" -o "$work/$3.vvp" "$work/$3.v" "rtl/$2/$1.v" "${@:4}" &&
    (cd "$work" && vvp -N "$3.vvp" >"$work/log" 2>&1)
}

# standard input
printf 'req,accept\n3,1\n,\n0,\n' >"$work/small.csv"
must "$tandem" drive rr_arb "$work/small.csv"
cp "$work/log" "$work/file.out"
"$tandem" drive rr_arb - <"$work/small.csv" | cmp - "$work/file.out" || fail "standard input gives something else than the file"
printf 'req,akzept\n3,1\n' | refused "standard input:1: column 'akzept'" "$tandem" drive rr_arb -

# a test bench of each kind of block: with a parameter, wide, with resets at random cycles, with registers in rows
for block in "rr_arb prim N=5" "pipe_buffer prim" "bkconf_history_cache elastic" "islip_alloc alloc"; do
  read -r name family param <<<"$block"
  params=()
  [ -z "$param" ] || params=(--param "$param")
  must "$tandem" check "$name" "${params[@]}" --cycles 400 --seed 3 --record "$work/$name.csv"
  must "$tandem" drive "$name" "$work/$name.csv" --testbench "$work/$name.v"
  bench "$name" "$family" "$name" || fail_showing "$work/log" "Icarus does not run the test bench of $name"
  grep -q 'replayed 400 cycles' "$work/log" || fail_showing "$work/log" "$name: not 400 cycles"
done
# it can fail: one bit of the expected outputs of one row
sed '/rows\[200\]/s/\(.\);$/X\1;/; /rows\[200\]/{s/X[02468ace];/1;/; s/X[13579bdf];/0;/}' "$work/rr_arb.v" >"$work/wrong.v"
planted "$work/rr_arb.v" "$work/wrong.v" "a bit of an output"
! bench rr_arb prim wrong || grep -q 'cycle 200 port' "$work/log" || fail_showing "$work/log" "a wrong expected output is not noticed"
must "$tandem" drive rr_arb "$work/small.csv" --testbench "$work/short.v"
bench rr_arb prim short && grep -q 'replayed 5 cycles' "$work/log" || fail_showing "$work/log" "a stimulus without resets is not led by two of them"

# its wave, as VCD and as FST, comes back
cat >"$work/dump.v" <<'V'
module dump;
  initial begin $dumpfile("wave.vcd"); $dumpvars(0, rr_arb_tb); end
endmodule
V
bench rr_arb prim rr_arb -s dump "$work/dump.v" || fail_showing "$work/log" "no wave"
cat >"$work/map.yaml" <<'Y'
clock: rr_arb_tb.clk
reset: rr_arb_tb.dut.rst_ni
inputs:
  req: [ "rr_arb_tb.dut.req_i[4:3]", "rr_arb_tb.dut.req_i[2:0]" ]
  accept: rr_arb_tb.dut.accept_i
outputs:
  grant: rr_arb_tb.grant
  busy: rr_arb_tb.dut.busy_o
Y
# the bench's own reset tick comes first
wanted() { "$tandem" drive rr_arb "$work/rr_arb.csv" --param N=5 | cut -d, -f2-; }
back() { "$tandem" drive rr_arb "$1" --map "$work/map.yaml" --param N=5 | cut -d, -f2-; }
wanted | sed 1d >"$work/wanted"
back "$work/wave.vcd" | sed 1,2d >"$work/back"
[ "$(wc -l <"$work/wanted")" = 400 ] && cmp "$work/wanted" "$work/back" || fail "the wave is not the stimulus that it was made of"
vcd2fst -v "$work/wave.vcd" -f "$work/wave.fst" >/dev/null 2>&1 || fail "vcd2fst fails"
back "$work/wave.fst" | sed 1,2d | cmp - "$work/back" || fail "the FST is another stimulus than the VCD"
check() { "$tandem" check rr_arb --wave "$work/wave.vcd" --map "$work/map.yaml" --param N=5 --out "$work/out" "$@"; }
check >"$work/log" 2>&1 || fail_showing "$work/log" "check finds a difference in Icarus' wave"
grep -q '401 cycles.*agree.*outputs with them' "$work/log" || fail_showing "$work/log" "another sentence"
# a wave whose output is wrong in one cycle; the other edge samples when the inputs have changed already
id=$(awk '$1 == "$var" && $5 == "grant" { print $4; exit }' "$work/wave.vcd")
awk -v id="$id" '$0 ~ "^b[01]+ " id "$" && ++n == 90 { sub(/[01] /, "x&"); sub(/x0 /, "Y "); sub(/x1 /, "0 "); sub(/Y /, "1 ") } { print }' "$work/wave.vcd" >"$work/wrong.vcd"
planted "$work/wave.vcd" "$work/wrong.vcd" "a bit of grant"
ends_with 1 "$tandem" check rr_arb --wave "$work/wrong.vcd" --map "$work/map.yaml" --param N=5 --out "$work/out"
grep -q 'differs from the C model in cycle .* at port grant' "$work/stderr" || fail_showing "$work/stderr" "the wrong output is not named"
ends_with 1 "$tandem" drive rr_arb "$work/wrong.vcd" --map "$work/map.yaml" --param N=5

bad() { # bad PATTERN SED: the map changed by this edit is refused
  sed "$2" "$work/map.yaml" >"$work/bad.yaml"
  planted "$work/map.yaml" "$work/bad.yaml" "$2"
  refused "$1" "$tandem" drive rr_arb "$work/wave.vcd" --map "$work/bad.yaml" --param N=5
}
bad 'bad.yaml:5: .*has no signal rr_arb_tb.dut.accept; did you mean rr_arb_tb.dut.accept' 's/accept_i/accept/'
bad 'bad.yaml:4: port req has 5 bits, what is mapped to it has 4' 's/4:3/4:4/'
bad 'the signal has bits 4 to 0' 's/4:3/5:3/'
bad 'has no port reg among its inputs' 's/  req/  reg/'
bad 'the input accept of rr_arb is not mapped' '/accept/d'
bad 'no clock' '/clock/d'
bad 'clock: rr_arb_tb.grant has 5 bits' 's/rr_arb_tb.clk/rr_arb_tb.grant/'
bad 'did you mean' 's/^reset/resets/'
refused 'write --map FILE' "$tandem" drive rr_arb "$work/wave.vcd"
refused 'is no wave' "$tandem" drive rr_arb "$work/small.csv" --map "$work/map.yaml"
refused 'cannot read' "$tandem" drive rr_arb "$work/none.vcd" --map "$work/map.yaml"
head -c 150 "$work/wave.vcd" >"$work/cut.vcd"
refused 'it is no whole VCD' "$tandem" drive rr_arb "$work/cut.vcd" --map "$work/map.yaml"
sed '0,/^#[1-9]/s//nonsense\n&/' "$work/wave.vcd" >"$work/cut.vcd"
refused 'cut.vcd:[0-9]*: "nonsense" is no change' "$tandem" drive rr_arb "$work/cut.vcd" --map "$work/map.yaml" --param N=5
