#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# diff.sh BUILD_DIR: tandem diff finds every key, counter and event that jq and sort find, and nothing else; its exit code says so.
. tests/kit/shell.sh
simulate a saxpy:n=8192,ctas=2 -c small --system d2ma --events
simulate b saxpy:n=8192,ctas=2 -c small --system d2ma --events --no-skip --engine '*=lockstep'
simulate c saxpy:n=8192,ctas=2 -c small --system d2ma --events --set dram.tCL=30
compare() { # compare STATUS OTHER OPTION...: of run a and OTHER, with that exit code; the result is $work/diff
  ends_with "$1" "$tandem" diff "$work/a" "$work/$2" "${@:3}"
  cp "$work/stdout" "$work/diff"
}
compare 0 a
grep -q 'events: the same' "$work/diff" || fail_showing "$work/diff" "the events of one run differ"
compare 1 b # the engine is another, nothing else
grep -q 'engine_rules\[0\]' "$work/diff" || fail_showing "$work/diff" "the engine is not named"
compare 0 b --results

# another latency: the statistics that jq finds, and no others
compare 1 c --json
flat() { jq -c '.statistics | [paths(scalars) as $p | {p: ($p | map(if type == "number" then "[\(.)]" else ".\(.)" end) | add | .[1:]), v: getpath($p)}] | .[]' "$1" | sort; }
flat "$work/a/run.json" >"$work/a.flat"
flat "$work/c/run.json" >"$work/c.flat"
comm -13 "$work/a.flat" "$work/c.flat" | jq -r '"\(.p) \(.v)"' | sort >"$work/wanted"
jq -r '(.statistics + .launches + .sms)[] | "\(.name) \(.b)"' "$work/diff" | sort >"$work/found"
[ "$(wc -l <"$work/wanted")" -ge 30 ] || fail_showing "$work/wanted" "the latency changes next to nothing"
cmp "$work/wanted" "$work/found" || fail "other statistics differ than jq finds"
jq -e '(.configuration | map([.name, .a, .b, .change])) == [["parameters.dram.tCL", 12, 30, 18]] and
  ([.statistics[] | select(.a != 0) | .relative * .a - .change | fabs] | max < 0.001) and
  ([.statistics[] | select(.relative != null) | .relative | fabs] | . == (sort | reverse)) and
  ([.statistics[] | .b - .a - .change] | all(. == 0))' "$work/diff" >/dev/null || fail_showing "$work/diff" "wrong values or order"
compare 1 c --json --sort change
jq -e '[.statistics[].change | fabs] | . == (sort | reverse)' "$work/diff" >/dev/null || fail_showing "$work/diff" "--sort change does not sort"

# the first event: the earliest cycle in which one list has a begin or an end that the other has not; here by awk over both files
compare 1 c --json
moments() { awk -F, 'NR > 1 { print $7, $5, $3, $6, "begins"; if ($8 != "") print $8, $5, $3, $6, "agen"; print $9, $5, $3, $6, "ends" }' "$work/$1/events.csv" | sort; }
wanted=$(comm -3 <(moments a) <(moments c) | awk '{ print $1 }' | sort -n | head -1)
[ "$(jq .first_event.cycle "$work/diff")" = "$wanted" ] || fail_showing "$work/diff" "the first event is in cycle $wanted"
# planted: the end of one event in the middle, a line that is missing, a counter
plant() { # plant FILE SED: a copy of run a in which one file is changed
  rm -rf "$work/d"
  cp -r "$work/a" "$work/d"
  sed "$2" "$work/a/$1" >"$work/d/$1"
  planted "$work/a/$1" "$work/d/$1" "$2"
}
end=$(sed -n 's/^.*,\([0-9]*\)$/\1/p' "$work/a/events.csv" | sed -n 9p)
plant events.csv "10s/,$end\$/,$((end + 7))/"
compare 1 d --results --json
jq -e ".first_event | .cycle == $end and .a.line == 10 and .b.line == 10 and .b.end == $((end + 7))" "$work/diff" >/dev/null || fail_showing "$work/diff" "not the planted event"
plant events.csv 12d
compare 1 d --results
grep -q 'B: no such event' "$work/diff" || fail_showing "$work/diff" "the missing event is not found"
plant run.json 's/"l2_hits": \([0-9]*\)/"l2_hits": 9\1/'
compare 1 d --results --top 1
grep -q '^  memory.l2_hits .* 9' "$work/diff" || fail_showing "$work/diff" "the planted counter is not named"
plant run.json 's/"result": "pass"/"result": "fail"/'
compare 1 d --results
rm "$work/d/events.csv"
compare 1 d
grep -q 'both runs need --events' "$work/diff" || fail_showing "$work/diff" "missing events pass for the same"

refused "there is no" "$tandem" diff "$work/a" "$work/nothing"
refused "relative, change or name" "$tandem" diff "$work/a" "$work/c" --sort size
plant run.json 's/"statistics"/"figures"/'
refused "no statistics of a run" "$tandem" diff "$work/a" "$work/d"
plant events.csv '3s/,[a-z]*,/,nothing,/'
refused "events.csv:3" "$tandem" diff "$work/a" "$work/d"
head -c 300 "$work/a/run.json" >"$work/d/run.json"
refused "run.json:" "$tandem" diff "$work/a" "$work/d"
echo "$(wc -l <"$work/found") statistics compared with jq"
