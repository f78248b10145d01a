#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# bench.sh BUILD_DIR: the bench runs and prints every figure that the README quotes; growth is a table and a picture. Times are not
# judged: they are the host's.
. tests/kit/shell.sh
"$tandem" bench --quick --json >"$work/bench.json"
jq -e '.figures | length >= 10' "$work/bench.json" >/dev/null || fail "fewer than 10 figures"
jq -e '[.runs[] | select(.base == "SAXPY, D2MA, c")] | length == 4' "$work/bench.json" >/dev/null || fail "not four ways beside C"
jq -e 'all(.runs[]; .wall_s.low <= .wall_s.median and .wall_s.median <= .wall_s.high and .processor_s.low > 0)' "$work/bench.json" >/dev/null ||
  fail "a spread that is none"
for figure in "start: outside" "vector add: thread" "lockstep, a checker thread" "alone under check" "idle"; do
  grep -q "$figure" "$work/bench.json" || fail "no figure '$figure'"
done
must "$tandem" bench --growth "$work/growth" --quick --rounds 1
[ "$(cut -d, -f1 "$work/growth/growth.csv" | LC_ALL=C sort | uniq -c | awk '{ printf "%s %s ", $2, $1 }')" = "SMs 5 elements 3 instances 6 series 1 " ] ||
  fail_showing "$work/growth/growth.csv" "not the points of growth"
! command -v gnuplot >/dev/null || grep -q '</svg>' "$work/growth/growth.svg" || fail "no picture of growth"
