#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: d2ma
# timeline.sh BUILD_DIR: events.csv is the same whatever the engine, threads and skipping, and says what the counters say;
# tandem timeline draws it; without events there is a sentence.
. tests/kit/shell.sh
run() { # run OUT OPTION...
  local out=$1
  shift
  "$tandem" run saxpy:n=8192,ctas=2 "$@" --events --out "$work/$out" >"$work/log" 2>&1 || fail_showing "$work/log" "the run fails: $*"
}
run d2ma --system d2ma --set sm.count=1
run lockstep --system d2ma --set sm.count=1 --engine '*=lockstep'
run all --system d2ma --set sm.count=1 --no-skip
for other in lockstep all; do cmp "$work/d2ma/events.csv" "$work/$other/events.csv" || fail "events differ: $other"; done
run one --system d2ma
run threads --system d2ma --threads 2
cmp "$work/one/events.csv" "$work/threads/events.csv" || fail "events differ with threads"
"$tandem" run saxpy:n=8192,ctas=2,version=baseline --set sm.count=1 --events --out "$work/base" >/dev/null 2>&1 || fail "the baseline fails"

for version in base d2ma; do
  "$tandem" timeline "$work/$version" --json --plot "$work/$version.svg" >"$work/$version.json" || fail "timeline $version fails"
  jq -e --slurpfile run "$work/$version/run.json" '. as $t | $run[0].statistics.sm |
    .tile_copies == $t.copies and .tile_agen_cycles == $t.agen_cycles and .tile_mem_cycles == $t.mem_cycles and
    .ctas == ($t.ctas | length)' "$work/$version.json" >/dev/null || fail "$version: the timeline is not what the counters say"
  jq -e '(.ctas | map(.compute_phases)) == [8, 8]' "$work/$version.json" >/dev/null || fail "$version: not 8 tiles computed by each CTA"
  grep -q '<svg' "$work/$version.svg" && grep -q 'compute 1' "$work/$version.svg" && grep -q AGEN "$work/$version.svg" || fail "$version: no picture"
done
jq -e '.overlap_cycles * 2 > .copying_cycles' "$work/d2ma.json" >/dev/null || fail "D2MA's buffers do not overlap"
"$tandem" timeline "$work/d2ma" --to 1000 --plot "$work/part.png" | awk 'NR > 2 && $3 >= 1000 { exit 1 }' || fail "--to is no bound"
head -c 8 "$work/part.png" | grep -q PNG || fail "the PNG is none"

"$tandem" run saxpy:n=64 --out "$work/plain" >/dev/null 2>&1
refused "with --events" "$tandem" timeline "$work/plain"
refused "no events of launch 0 and SM 5" "$tandem" timeline "$work/d2ma" --sm 5
refused "svg or .png" "$tandem" timeline "$work/d2ma" --plot "$work/x.pdf"
sed '3s/,[a-z]*,/,nothing,/' "$work/d2ma/events.csv" >"$work/plain/events.csv"
refused "events.csv:3" "$tandem" timeline "$work/plain"
"$tandem" run saxpy:n=64 --out "$work/d2ma" >/dev/null 2>&1
refused "with --events" "$tandem" timeline "$work/d2ma" # an older run's events do not stay
