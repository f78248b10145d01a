#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# decoupled.sh BUILD_DIR: RTL that follows finds what RTL that runs in each cycle finds. Of a run on the GPU: statistics; of a planted bug,
# which shows in several SMs: the whole page, in any number of threads. Of a block alone: every planted bug (direct calls of the RTL and
# DPI are held against each other there, too, since pages show the RTL's values). (Of more blocks: decoupled_all.sh.)
. tests/kit/shell.sh
. tests/kit/decoupled_pages.sh
lockstep=(--system d2ma --engine 'sm*.d2ma.*=lockstep')
ways=("--check-threads 0" "--check-threads 1" "--check-threads 3 --threads 2")

# the same statistics; RTL and C model were evaluated, and at rest they were not
simulate coupled saxpy:n=8192 -c small "${lockstep[@]}" --coupled
for way in "${ways[@]}"; do
  # shellcheck disable=SC2086
  simulate follows saxpy:n=8192 -c small "${lockstep[@]}" $way
  same coupled follows "with $way"
  jq -e '[.engines[] | select(.rtl_evals + .rtl_still != .cycles or .c_evals > .cycles)] == [] and (.engines | map(.rtl_still) | add) > 100 and
    (.engines | map(.rtl_evals) | add) > 100 and (.engines | map(.c_evals) | add) > 100 and
    (.engines | map(.cycles - .c_evals) | add) > 100' "$work/follows/run.json" >/dev/null || fail "with $way: cycles that the RTL has not followed"
done

# a divergence: the page, down to the operations of the SM, and nothing counted beyond it
diverge() { # diverge DIR OPTION...
  ends_with 1 env TANDEM_BUG=d2ma_agen:request_not_held "$tandem" run saxpy:n=8192 -c small "${lockstep[@]}" --snapshot 40 --sample 50 \
    --out "$work/diverged" "${@:2}"
  rm -rf "${work:?}/$1"
  mv "$work/diverged" "$work/$1"
  grep -q 'registers as in the run' "$work/stderr" || fail_showing "$work/stderr" "no wave of the GPU with ${*:2}"
  jq -e 'has("statistics") | not' "$work/$1/run.json" >/dev/null || fail "statistics of a run that diverged"
  for file in statistics.csv samples.csv; do [ ! -e "$work/$1/$file" ] || fail "$file of a run that diverged"; done
}
diverge coupled --coupled
grep -q 'last operations of the SM' "$work/coupled/divergence.txt" || fail "the page names no operation"
for way in "${ways[@]}"; do
  # shellcheck disable=SC2086
  diverge follows $way
  same_pages coupled follows "with $way"
  [ "$(fst2vcd "$work/follows/gpu/wave.fst" | grep -c '^#')" = "$(fst2vcd "$work/coupled/gpu/wave.fst" | grep -c '^#')" ] ||
    fail "with $way: another window of the GPU"
done

# a divergence whose cause lies several hand-overs before it: the page names the operations at the cause
late() { # late DIR OPTION...
  ends_with 1 env TANDEM_BUG=d2ma_raw_check:end_loses_carry "$tandem" run saxpy:n=131072 "${lockstep[@]}" --snapshot 0 --out "$work/late" "${@:2}"
  rm -rf "${work:?}/$1"
  mv "$work/late" "$work/$1"
}
late late_coupled --coupled
[ "$(jq .cycle "$work/late_coupled/divergence.json")" -gt 2500 ] || fail "the late divergence is early"
grep -q 'last operations of the SM' "$work/late_coupled/divergence.txt" || fail "the page of the late divergence names no operation"
for way in "${ways[@]}"; do
  # shellcheck disable=SC2086
  late late_follows $way
  same_pages late_coupled late_follows "late, with $way"
done

pages_of rr_arb
# found by the comparison of registers in a cycle in which the recording may begin anew, many comparisons after it began
pages_of_bug teleport_pend counter_of_8_bits
refused '--check-threads' "$tandem" run saxpy -c small "${lockstep[@]}" --check-threads 65
refused 'TANDEM_CHECK_THREADS=x: not a number' env TANDEM_CHECK_THREADS=x "$build/lib/tandem/workloads/saxpy" n=1024
