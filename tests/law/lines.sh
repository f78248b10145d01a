#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# lines.sh BUILD_DIR: cycles by line of PTX are the same without skipping, with two threads, and whatever computes the blocks; they change no
# statistic. The lines add up to the stall counters and to the instructions of the run, in every pipeline. Cycles count where they must: those
# that wait for a load at its user.
. tests/kit/shell.sh
adds_up() { # adds_up RUN
  local name sum
  "$tandem" stalls "$work/$1" --lines --json >"$work/lines.json" || fail "tandem stalls --lines fails"
  # by columns of the file itself, whose names are those of counters
  awk -F, 'NR == 1 { n = NF - 1; for (i = 4; i <= n; i++) name[i] = $i; next }
    { for (i = 4; i <= n; i++) sum[i] += $i } END { for (i = 4; i <= n; i++) print name[i], sum[i] }' "$work/$1/lines.csv" | sort >"$work/found"
  while read -r name sum; do
    [ "$(statistic "$1" "sm.$name" || true)" = "$sum" ] || fail "$1: the lines have $sum of sm.$name, not $(statistic "$1" "sm.$name")"
  done <"$work/found"
  [ "$(wc -l <"$work/found")" -ge 9 ] || fail_showing "$work/found" "too few counters"
  [ "$(jq '[.[].sm_cycles] | add' "$work/lines.json")" = "$(statistic "$1" sm.cycles)" ] || fail "$1: the lines have not all SM cycles"
  jq -e '[.[].sm_cycles] | . == (sort | reverse)' "$work/lines.json" >/dev/null || fail "$1: the lines are not sorted"
}
check() { # check NAME ENGINE_PATTERN ARGUMENT...
  local name=$1 engine=$2
  shift 2
  simulate "$name" "$@" --lines
  simulate plain "$@"
  same "$name" plain "$*: counting changes something"
  simulate other "$@" --lines --no-skip --engine "$engine=lockstep"
  cmp "$work/$name/lines.csv" "$work/other/lines.csv" || fail "$*: other lines without skipping, in lockstep"
  simulate other "$@" --lines --threads 2 --engine "$engine=rtl"
  cmp "$work/$name/lines.csv" "$work/other/lines.csv" || fail "$*: other lines with two threads, under rtl"
  adds_up "$name"
  echo "$*: $(wc -l <"$work/$name/lines.csv") lines"
}
check d2ma 'sm*.d2ma.*' saxpy:n=8192 --system d2ma
check small 'sm*.d2ma.*' sgemv:m=480 -c small --system d2ma
check steps 'l2.*.amu' jacobi2d:rows=32,columns=64,steps=4,tile=16 -c xmem --system xmem
check elastic '*' transpose:rows=64,columns=64 -c elastic16 --set sm.count=4 --system elastic
check unified '*' transpose:rows=64,columns=64 -c elastic16 --set sm.count=4 --set sm.pipeline=unified

# an instruction that waits for memory uses what a load has written
simulate where sgemv:m=480 -c small --lines
adds_up where
jq -r '.[] | select(.memory * 2 > .sm_cycles and .memory > 100) | .text' "$work/lines.json" >"$work/waiting"
[ -s "$work/waiting" ] || fail "no line waits for memory"
awk -F'"' '$6 ~ /^ld\./ { match($6, /%[a-z]+[0-9]+/); print substr($6, RSTART, RLENGTH) }' "$work/where/lines.csv" | sort -u >"$work/loaded"
while read -r text; do
  grep -o '%[a-z]*[0-9]*' <<<"$text" | grep -qxFf "$work/loaded" || fail "'$text' waits for memory and uses nothing loaded"
done <"$work/waiting"

# the table, and what is refused
"$tandem" stalls "$work/where" --lines --top 2 >"$work/table"
[ "$(wc -l <"$work/table")" = 4 ] && grep -q 'more lines' "$work/table" || fail_showing "$work/table" "not two lines and the count of the others"
refused "run the workload with --lines" "$tandem" stalls "$work/plain" --lines
refused "not lines" "$tandem" stalls "$work/where" --lines --plot "$work/x.svg"
must "$tandem" report "$work/where" --out "$work/page.html"
grep -q 'Lines of PTX' "$work/page.html" || fail "the page lacks the lines"
