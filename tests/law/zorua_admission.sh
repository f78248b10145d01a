#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_admission.sh BUILD_DIR: with zorua.mechanism=baseline a run takes the cycles that it takes without the proposal. With wlm warps get
# registers one by one: as many are there at a time as registers allow, also where a whole CTA does not fit; results are right, and the
# statistics are the same with and without skipping, and in two host threads.
. tests/kit/shell.sh
on() { # on NAME ARGUMENT...
  local name=$1
  shift
  simulate "$name" "$@" --set sm.count=2 --set sm.thread_registers=40
}
check() { # check WORKLOAD WARPS: with 40 registers a thread, so many warps at a time on one SM at the most
  local spec=$1 peak=$2
  on plain "$spec"
  on baseline "$spec" --system zorua
  [ "$(statistic plain core_cycles)" = "$(statistic baseline core_cycles)" ] || fail "$spec: the baseline takes other cycles with the proposal"
  on wlm "$spec" --system zorua --set zorua.mechanism=wlm
  on noskip "$spec" --system zorua --set zorua.mechanism=wlm --no-skip
  on threads "$spec" --system zorua --set zorua.mechanism=wlm --threads 2
  same wlm noskip "$spec: without skipping"
  same wlm threads "$spec: in two host threads"
  [ "$(statistic wlm core_cycles)" != "$(statistic baseline core_cycles)" ] || fail "$spec: admission by warps changes nothing"
  [ "$(counter zorua_warps_peak wlm)" = "$peak" ] || fail "$spec: $(counter zorua_warps_peak wlm) warps at a time on two SMs, not $peak"
  [ "$(counter zorua_warps_late wlm)" -ge "$(counter zorua_ctas_parted wlm)" ] && [ "$(counter zorua_ctas_parted wlm)" -gt 0 ] ||
    fail "$spec: no CTA starts without all of its warps"
  [ "$(counter thread_instructions wlm)" = "$(counter thread_instructions plain)" ] || fail "$spec: other instructions under wlm"
}
# 32768 registers: 25 warps of 32 threads with 40 registers each; CTAs of 8 warps fit 3 times, 24 warps
check vecadd:n=65536 50
check reduction:n=65536 50
check scan 50

# what epochs touch (figure 28) is counted without an effect on the run, the same with and without skipping and in two host threads; more
# in a longer epoch, but no more than in its halves together, than there is, and than what lives in it needs
counted() { # counted NAME ARGUMENT...
  simulate "$@" dct8x8:version=sized,rows=64,columns=256,threads=128 -c zorua_fermi --set sm.count=2 --system zorua --set ptx.registers=allocated
}
counted untouched
counted touched --set zorua.touch=250
counted touched_noskip --set zorua.touch=250 --no-skip
counted touched_threads --set zorua.touch=250 --threads 2
same touched touched_noskip "what epochs touch: without skipping"
same touched touched_threads "what epochs touch: in two host threads"
[ "$(statistic touched core_cycles)" = "$(statistic untouched core_cycles)" ] || fail "counting what epochs touch takes time"
jq -e '.statistics.sm | .zorua_touch_epochs_1 == 0 and .zorua_live_registers == 0' "$work/untouched/run.json" >"$work/jq" || fail "counted without being asked"
jq -e '.statistics.sm | . as $n | .cycles as $cycles |
  def of($what; $length): $n["zorua_touch_\($what)_\($length)"];
  all((["registers", 1024], ["scratch", 12288]) as [$what, $most] | (1, 2, 4) as $k |
    of($what; $k) > 0 and of($what; $k) <= $most * of("epochs"; $k) and
    of($what; 2 * $k) > of($what; $k) / 2 - $most and of($what; 2 * $k) <= of($what; $k); .) and
  of("epochs"; 1) >= 2 * of("epochs"; 2) and of("epochs"; 8) > 0 and
  .zorua_live_registers > 0 and .zorua_live_registers <= 1024 * $cycles and
  .zorua_live_scratch > 0 and .zorua_live_scratch <= 12288 * $cycles' "$work/touched/run.json" >"$work/jq" || fail "figures of epochs: $(jq -c '.statistics.sm | with_entries(select(.key | test("touch|live")))' "$work/touched/run.json")"
refused_with 2 "zorua.touch" "zorua.mechanism" -- "$tandem" run vecadd --system zorua --set zorua.mechanism=wlm --set zorua.touch=500 --out "$work/out"
refused_with 2 "zorua.touch" "ptx.registers" -- "$tandem" run vecadd --system zorua --set zorua.touch=500 --out "$work/out"

refused_with 2 "zorua.mechanism = wlm" -- "$tandem" run transpose -c elastic16 --system zorua --set zorua.mechanism=wlm --out "$work/out"
refused_with 2 "zorua.mechanism" -- "$tandem" run vecadd --system zorua --set zorua.mechanism=x --out "$work/out"
echo "admission by warps: 25 of 24 + 1 warps at a time"
