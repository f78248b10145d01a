#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# diff_waves.sh BUILD_DIR: tandem diff of two waves and of two stimuli finds the cycle that was changed by hand, shows signals that
# follow from each other in that order, and leaves a wave of both whose views name signals that it has. Every wave has a view for Surfer.
. tests/kit/shell.sh
. tests/kit/schema.sh
cd "$work"
is_schema() { # is_schema NAME: standard output of the last command is what that schema says
  (cd "$root" && differences "$work/stdout" "$1") >wrong
  [ ! -s wrong ] || fail_showing wrong "not what configs/schemas/$1.json says"
}
row=20 # of the stimulus, counted from 0; a cycle is two units of time

# the same stimulus twice, with one request changed
must "$tandem" check rr_arb --cycles 40 --seed 5 --record a.csv
header=$(grep -n '^cycle,' a.csv | cut -d: -f1)
awk -F, -v OFS=, -v line=$((header + 1 + row)) 'NR == line { $3 = ($3 == "" || $3 % 2) ? 254 : 255; was = 1 } { print } END { exit !was }' a.csv >b.csv
for k in a b; do must "$tandem" replay $k.csv --out $k; done
ends_with 1 "$tandem" diff a.csv b.csv
grep -q "^first difference in row $row " stdout && grep -q '^  req ' stdout || fail_showing stdout "the row that was changed"
ends_with 0 "$tandem" diff a.csv a.csv
head -n $((header + 11)) a.csv >short.csv
ends_with 1 "$tandem" diff a.csv short.csv
grep -q 'the same for 11 cycles of rr_arb; then short.csv ends' stdout || fail_showing stdout "the end of the shorter one"

ends_with 1 "$tandem" diff a/wave.fst b/wave.fst --out d
grep -q "^first difference at time $((2 * row)) " stdout || fail_showing stdout "the time of the row that was changed"
sed -n '/^first/{n;p}' stdout | grep -q '^  input .*dut.req_i ' || fail_showing stdout "the input is not first"
ends_with 0 "$tandem" diff a/wave.fst a/wave.fst
fst2vcd -f a/wave.fst -o a.vcd
ends_with 0 "$tandem" diff a.vcd a/wave.fst

# what follows from each other, in that order: two bugs, which differ in the logic of the first cycle
for bug in wraps_early stays_on_winner; do ends_with 1 "$tandem" check rr_arb --bug $bug --out $bug; done
ends_with 1 "$tandem" diff wraps_early/wave.fst stays_on_winner/wave.fst --out flow
grep -oE 'dut\.(after|successor|ptr_d) ' stdout | tr -d '\n' >order
[ "$(cat order)" = "dut.after dut.successor dut.ptr_d " ] || fail_showing stdout "not in the order of data flow"

# the wave of both: its views name signals that are in it, side by side, and it has the difference
signals d/diff.fst both
sed 's/ .*//' both | sort -u >names
for view in d/diff.gtkw d/diff.sucl; do
  grep -oE '\b[AB]\.[^ ]+' $view | sort -u >wanted
  [ "$(wc -l <wanted)" -ge 2 ] && [ -z "$(comm -23 <(sed 's/\[[0-9]*:0\]$//' wanted | sort -u) <(sed 's/\[[0-9]*:0\]$//' names | sort -u))" ] || fail_showing wanted "$view names other signals"
done
grep -A1 '^A\..*dut.req_i' d/diff.gtkw | tail -1 | grep -q '^B\..*dut.req_i' || fail_showing d/diff.gtkw "not side by side"
ends_with 1 "$tandem" diff a/wave.fst b/wave.fst --out d --json
is_schema wave-diff
ends_with 1 "$tandem" diff a.csv b.csv --json
is_schema stimulus-diff

# each wave has a view for Surfer with the signals of that for GTKWave
grep -E '^[A-Za-z].*\.' a/wave.gtkw | sed 's/\[[0-9]*:0\]$//' | sort -u >gtkw
sed -n 's/^variable_add //p' a/wave.sucl | sort -u >sucl
cmp -s gtkw sucl || fail_showing sucl "wave.sucl names other signals than wave.gtkw"

# bad input
refused 'name two folders of runs, two waves (.fst, .vcd) or two stimuli (.csv)' "$tandem" diff a.csv a/wave.fst
refused 'cannot read none.fst' "$tandem" diff none.fst a/wave.fst
head -c 300 a.vcd >cut.vcd
refused 'cut.vcd:[0-9]*: the file ends within its declarations' "$tandem" diff cut.vcd a.vcd
refused 'cut.fst' "$tandem" diff cut.fst a/wave.fst
sed 's/rr_arb/other/' a.vcd >other.vcd
refused 'no signal of the same name' "$tandem" diff a.vcd other.vcd
