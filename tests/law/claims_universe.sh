#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# claims_universe.sh BUILD_DIR: verdicts over open choices. Each value alone and the random combinations are measured, with the
# arguments that they mean; a claim that a choice turns over is undetermined by that choice; the seed determines the combinations;
# a command that was killed goes on where it was; a combination that fails is named.
. tests/kit/shell.sh
export TANDEM_CONFIG_DIR=$work/configs
cp -r configs "$work/configs"
rm "$work"/configs/claims/*

file() { # file CHOICE VALUES...
  cat >"$work/configs/claims/try.yaml" <<END
system: try
source: made up here
about: A test.
notes: [A reason.]
lists:
  size:
    a: {full: n=2048, quick: n=512, universe: n=1024}
    b: {full: n=4096, quick: n=768, universe: n=1536}
runs:
  "{size}_base": "saxpy:{size.size},version=baseline -c small"
  "{size}_slow": "saxpy:{size.size},version=baseline -c small --set dram.tCL=30"
  "{size}_fast": "saxpy:{size.size},version=d2ma -c small --system d2ma"
open:
  - id: memory
    text: whether memory is slow
    silent: "here"
    values:
      - {value: as it is, why: the default}
      - {value: slow, why: a reason, set: "dram.tCL=30"}
  - id: clock
    text: a choice without effect
    silent: "here"
    values:
      - {value: one, why: the default}
      - {value: two, why: a reason, replace: {"version=baseline": "version=baseline"}}
  - id: baseline
    text: what is compared
    silent: "here"
    values:
      - {value: base, why: the default}
      - {value: slow, why: a reason, measure: {"_base.": "_slow."}}
$*
claims:
  - {id: always, text: a count, place: here, unit: runs, published: 2, neutral: 0, measure: "count(size: {size}_base.core_cycles > 0)"}
  - {id: cycles, text: a counter, place: here, unit: cycles, published: "< $(cat "$work/limit")", threshold: paper, measure: "mean(size: {size}_base.core_cycles)"}
  - {id: ours, text: a bound of ours, place: here, unit: cycles, published: "> 1", threshold: ours, measure: a_base.core_cycles}
  - {id: input, text: an input, place: here, unit: cycles, published: 1, neutral: none, parameter: a test, measure: a_base.core_cycles}
  - {id: policy, text: a policy, place: here, unit: cycles, published: 1, neutral: none, not_tested: a test, measure: a_base.core_cycles}
END
}
claims() { "$tandem" claims try --runs "$work/out" "$@" || fail "tandem claims try $* fails"; }
row() { jq -r --arg id "$1" ".[0].claims[] | select(.id == \$id) | $2" "$work/json"; }
expect() { # expect ID FILTER VALUE
  [ "$(row "$1" "$2")" = "$3" ] || fail_showing "$work/json" "$1: $2 is '$(row "$1" "$2")', wanted '$3'"
}

# the limit lies between both memories, in the sizes of the combinations and in full size
echo 1 >"$work/limit"
file
claims --universe 0 --json >"$work/json"
low=$(row cycles '.universe.values[0]') high=$(row cycles '.universe.values[1]') full=$(row cycles .ours.value)
awk -v low="$low" -v high="$high" -v full="$full" 'BEGIN { exit !(low < high && full > high) }' || fail "cycles: $low $high $full"
expect cycles '.universe.values | length' 4      # the default, and three values alone
expect cycles '.universe.values[2]' "$low"       # no effect
expect cycles '.universe.values[3]' "$high"      # the other runs have the same setting
expect cycles .verdict "not reproduced"
expect always .verdict_text reproduced
expect always '.universe.hold' 4
expect ours .rank "threshold is ours"
expect input .verdict parameter
expect policy .verdict "not tested"
[ "$(jq '.[0].primary' "$work/json")" = 2 ] || fail "primary rows are not two"

# the default's sizes and those of the combinations differ in the outcome
awk -v low="$low" -v full="$full" 'BEGIN { print (low + full) / 2 }' >"$work/limit"
file
claims --universe 0 --json >"$work/json"
expect cycles .verdict_text "undetermined: the sizes decide"

# in quick form both have the same sizes: a choice decides
claims --quick --universe 0 --json >"$work/json"
awk -v a="$(row cycles '.universe.values[0]')" -v b="$(row cycles '.universe.values[1]')" 'BEGIN { print (a + b) / 2 }' >"$work/limit"
file
claims --quick --universe 12 --seed 7 --json >"$work/json"
expect cycles '.universe.values | length' 16
# a naive count over the names of the combinations: it holds where the memory that is measured is not slow
wanted=$(jq '[.[0].combinations[] | select(test("slow") | not)] | length' "$work/json")
expect cycles .universe.hold "$wanted"
case $(row cycles .verdict_text) in
  "undetermined: memory decides" | "undetermined: baseline decides") ;;
  *) fail "cycles: $(row cycles .verdict_text)" ;;
esac
expect cycles '.universe.moved_most_by.choice' memory
# a choice that changes nothing of a claim never decides, however the draw falls
for seed in 1 2 3 4 5 6; do
  claims --quick --universe 3 --seed $seed --json >"$work/draw"
  jq -e '.[0].claims | all(.universe.decides != "clock")' "$work/draw" >/dev/null || fail "seed $seed: a choice without effect decides"
done
claims --quick --universe 12 --seed 7 --json >"$work/again"
cmp "$work/json" "$work/again" || fail "the same seed gives other bytes"
[ "$(claims --quick --universe 12 --seed 8 --json | jq -c '.[0].combinations')" != "$(jq -c '.[0].combinations' "$work/json")" ] ||
  fail "another seed gives the same combinations"

# without an item, a mean is that of the others; and the row names the item that weighs most
claims --quick --json >"$work/json"
alone=$(row ours .ours.value)
[ "$(row cycles .heaviest)" = a ] || [ "$(row cycles .heaviest)" = b ] || fail_showing "$work/json" "no item is the heaviest"
claims --quick --drop b --json >"$work/json"
expect cycles .ours.value "$alone"

# a value that needs a run which the quick form has not is measured nowhere there
cp "$work/configs/claims/try.yaml" "$work/kept.yaml"
sed -i 's/^  "{size}_slow": \(.*\)$/  "{size}_slow": {full: \1}/' "$work/configs/claims/try.yaml"
claims --quick --universe 0 --json >"$work/json"
expect cycles '.universe.outcomes[3]' none
expect cycles .universe.measured 3
cp "$work/kept.yaml" "$work/configs/claims/try.yaml"

# table, page and strips
claims --quick --universe 12 --seed 7 --page "$work/page.md" --html "$work/page.html" >"$work/table"
grep -q "combinations of open choices: 16" "$work/table" || fail_showing "$work/table" "the number of combinations is not said"
for text in "A test." "A reason." "| \`cycles\`" "| \`memory\`" "](page.svg)" "2 primary rows"; do
  grep -qF -- "$text" "$work/page.md" || fail_showing "$work/page.md" "the page lacks $text"
done
xmllint --noout "$work/page.svg" 2>/dev/null || ! command -v xmllint >/dev/null || fail "the strips are no SVG"
[ "$(grep -o 'fill-opacity' "$work/page.svg" | wc -l)" = 32 ] || fail "not one dot for each combination and row"

# killed half-way: finished runs are kept, and the next call makes the rest. A run is finished when its verdict says pass: the run in
# progress, which the signal does not reach, has written "clean" perhaps, and writes its verdict after the signal.
finished_runs() { find "$work/out" -name run.json -exec grep -l '"result": *"pass"' {} + 2>/dev/null; }
rm -rf "$work/out"
"$tandem" claims try --runs "$work/out" --universe 4 --jobs 1 >/dev/null 2>&1 &
job=$!
until [ "$(finished_runs | wc -l)" -ge 3 ]; do kill -0 $job || fail "it ended too early"; sleep 0.01; done
kill -KILL $job 2>/dev/null || true # on a fast host it may have ended
wait $job 2>/dev/null || true
finished_runs | xargs stat -c '%n %i' | sort | head -2 >"$work/kept"
[ "$(wc -l <"$work/kept")" = 2 ] || fail "no finished runs after the signal"
claims --universe 4 >/dev/null
while read -r path inode; do [ "$(stat -c %i "$path")" = "$inode" ] || fail "$path was made again"; done <"$work/kept"
# a result that is no run is made again
damaged=$(find "$work/out" -name run.json | head -1)
echo '{' >"$damaged"
claims --universe 4 >/dev/null
jq -e .verdict "$damaged" >/dev/null || fail "a damaged result stays"

# bad input
bad() { refused "$1" "$tandem" claims try --runs "$work/out" --universe 1; }
extra() { # extra LINE: one more choice with a second value of that text
  file "  - {id: more, text: t, silent: s, values: [{value: a, why: w}, {value: b, why: w, $1}]}"
}
extra 'set: "dram.tCLx=3"'; bad 'try.yaml:[0-9]*: open choice more: .*dram.tCLx'
extra 'set: "dram.tCL=100000"'; bad 'try.yaml:[0-9]*: open choice more: .*dram.tCL'
extra 'replace: {"n=77": "n=78"}'; bad 'try.yaml:[0-9]*: open choice more: no run, command or design has "n=77"'
extra 'replace: {"saxpy:": "no_such:"}'
refused 'no workload .no_such.*' "$tandem" claims try --runs "$work/out" --universe 0
grep -q 'combination 5 (more=b); finished runs are kept' "$work/stderr" || fail_showing "$work/stderr" "the combination is not named"
refused "universe" "$tandem" claims try --universe -3
refused "jobs" "$tandem" claims try --jobs 0
echo "verdicts over open choices"
