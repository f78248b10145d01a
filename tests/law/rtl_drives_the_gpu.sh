#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rtl_drives_the_gpu.sh BUILD_DIR: under the engine rtl the Verilog computes, and nothing else does. A bug planted in the
# RTL only changes the statistics or the result under rtl, changes nothing under c, and stops a lockstep run with a page
# that names the block. Evaluation counts say the same: C evaluations 0 under rtl, RTL evaluations 0 under c.
. tests/kit/shell.sh
workload=saxpy:n=20000,ctas=8
statistics() { sed -n '/^  "statistics"/,/^  }/p' "$1/run.json"; }
run() { # run NAME ENGINE [BUG]: exit status in $status
  status=0
  TANDEM_BUG=${3:-} "$tandem" run "$workload" --system d2ma --engine "sm*.d2ma.*=$2" --out "$work/$1" >"$work/$1.log" 2>&1 || status=$?
}

run clean_c c; [ $status = 0 ] || fail_showing "$work/clean_c.log" "exit $status under c"
run clean_rtl rtl; [ $status = 0 ] || fail_showing "$work/clean_rtl.log" "exit $status under rtl"
cmp <(statistics "$work/clean_c") <(statistics "$work/clean_rtl") || fail "statistics differ between c and rtl"
# evaluation counts of the run: "c_evals" and "rtl_evals" of every instance
count() { sed -n '/^  "engines"/,/^  []}]/p' "$work/$1/run.json" | tr -d ' ",' | awk -F: -v key="$2" '$1 == key { n += $2 } END { print n + 0 }'; }
[ "$(count clean_rtl c_evals)" = 0 ] || fail "the C model was evaluated under rtl"
[ "$(count clean_rtl rtl_evals)" -gt 0 ] || fail "no RTL evaluation under rtl"
[ "$(count clean_c rtl_evals)" = 0 ] || fail "RTL was evaluated under c"
[ "$(count clean_c c_evals)" -gt 0 ] || fail "no C evaluation under c"

changed=0 stopped=0 bugs=0
# of the controllers those that this workload shows
for block in d2ma_agen d2ma_raw_check d2ma_ctrl_array; do
  some=$("$tandem" list blocks "$block" --bugs all)
  [ "$block" != d2ma_ctrl_array ] || some='full_without_all done_with_a_reply_out arrivals_of_the_last_generation'
  for bug in $some; do
    bugs=$((bugs + 1))
    run bug_c c "$block:$bug"
    [ $status = 0 ] && cmp -s <(statistics "$work/clean_c") <(statistics "$work/bug_c") ||
      fail "$block:$bug changes the engine c"
    run bug_rtl rtl "$block:$bug"
    if [ $status != 0 ] || ! cmp -s <(statistics "$work/clean_c") <(statistics "$work/bug_rtl"); then changed=$((changed + 1)); fi
    run bug_lockstep lockstep "$block:$bug"
    if [ $status = 1 ]; then
      stopped=$((stopped + 1))
      grep -q "(block $block)" "$work/bug_lockstep/divergence.txt" || fail "$block:$bug: the page names another block"
      [ "$(wc -l <"$work/bug_lockstep/divergence.txt")" -le 100 ] || fail "the page is longer than 100 lines"
      for file in stimulus.csv wave.fst wave.gtkw divergence.json; do
        [ -s "$work/bug_lockstep/$file" ] || fail "$block:$bug: no $file beside the page"
      done
      replayed=0
      "$tandem" replay "$work/bug_lockstep" >"$work/replay.log" 2>&1 || replayed=$?
      [ $replayed = 1 ] || fail_showing "$work/replay.log" "$block:$bug: the replay does not diverge (exit $replayed)"
      # the replay compares every register in every cycle: it may see the bug earlier, never later or elsewhere
      for page in "$work/bug_lockstep/divergence.txt" "$work/replay.log"; do
        sed -n 's/^DIVERGENCE in \(.*\), cycle \([0-9]*\)$/\1;\2/p' "$page"
      done >"$work/places"
      awk -F';' 'NR == 1 { place = $1; cycle = $2 } NR == 2 { ok = $1 == place && $2 <= cycle } END { exit !ok }' "$work/places" ||
        fail_showing "$work/places" "$block:$bug: the replay diverges elsewhere"
    fi
    echo "$block:$bug: rtl changed so far $changed, lockstep stopped so far $stopped of $bugs"
    rm -rf "$work"/bug_*
  done
done
[ $changed -ge 5 ] || fail "planted RTL bugs do not show under rtl"
[ $stopped -ge 3 ] || fail "planted RTL bugs do not stop lockstep"
