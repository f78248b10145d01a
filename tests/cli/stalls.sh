#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# stalls.sh BUILD_DIR: every SM cycle of a run is issue, one cause of a stall or without a CTA, by kernel and by SM;
# statistics.csv says what run.json says; the plot is a picture.
. tests/kit/shell.sh

must "$tandem" run sgemv:m=200,n=700 -c small --out "$work/run"
"$tandem" stalls "$work/run" --json --plot "$work/plot.svg" >"$work/stalls.json" || fail "stalls fails"
"$tandem" stalls "$work/run" --plot "$work/plot.png" >"$work/table" || fail "stalls --plot fails"
jq -e '
  def classes: .issue + .memory + .shared + .dma + .barrier + .data + .units + .masked + ."no warp" + ."bank conflict" + .return + ."no CTA";
  all(.kernels[], .sms[]; classes == .sm_cycles and .sm_cycles > 0) and ([.kernels[] | classes] | add) == ([.sms[] | classes] | add) and
  (.kernels | length > 0)' "$work/stalls.json" >/dev/null || fail_showing "$work/stalls.json" "cycles are lost"
jq -e '
  def slots: .slots_active + .slots_memory + .slots_compute + .slots_dependence + .slots_idle;
  all(.kernels[], .sms[]; slots > 0 and slots % (.sm_cycles - ."no CTA") == 0) and ([.kernels[] | slots] | add) == ([.sms[] | slots] | add)' \
  "$work/stalls.json" >/dev/null || fail_showing "$work/stalls.json" "issue slots are lost"
[ "$(grep -c '^sgemv ' "$work/table")" = 2 ] && grep -q '^schedulers .*issue slots .* dependence' "$work/table" || fail "the table lacks the issue slots"
grep -q '^sgemv ' "$work/table" && grep -q '^sm1 ' "$work/table" || fail "the table lacks the kernel or an SM"
grep -q '<svg' "$work/plot.svg" && grep -q 'sgemv' "$work/plot.svg" && grep -q 'sm1' "$work/plot.svg" || fail "the SVG lacks a bar"
head -c 8 "$work/plot.png" | grep -q PNG || fail "the PNG is none"

# the CSV: as many counters as run.json, the same values, the SMs' sum is the total's
csv=$work/run/statistics.csv
[ "$(head -1 "$csv")" = scope,index,kernel,counter,unit,value ] || fail "the CSV's heading is another"
sed -n 's/^launch,0,"sgemv",\([a-zA-Z0-9_]*\),.*,\([0-9]*\)$/\1 \2/p' "$csv" | sort >"$work/csv"
sed -n '/"launches"/,/^    ]/s/^ *"\([a-zA-Z0-9_]*\)": \([0-9]*\),\{0,1\}$/\1 \2/p' "$work/run/run.json" | sort >"$work/json"
[ -s "$work/csv" ] && cmp "$work/csv" "$work/json" || fail "statistics.csv and run.json differ"
awk -F, '$1 == "sm" { sum[$4] += $6 } $1 == "total" { total[$4] = $6 } END { for (c in sum) if (sum[c] != total[c]) { print c; exit 1 } }' "$csv" ||
  fail "the SMs do not sum to the total"

refused "there is no" "$tandem" stalls "$work/nothing"
refused ".svg or .png" "$tandem" stalls "$work/run" --plot "$work/plot.pdf"
refused "cannot write" "$tandem" stalls "$work/run" --plot "$work/nothing/plot.svg"
mkdir "$work/broken" && echo '{"statistics": ' >"$work/broken/run.json"
refused "run.json:" "$tandem" stalls "$work/broken"
echo '{}' >"$work/broken/run.json"
refused "no statistics" "$tandem" stalls "$work/broken"
! ls "$work"/*.part "$work/run"/*.part 2>/dev/null || fail "a half-written file is left"
