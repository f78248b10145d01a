#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# workload_engines.sh BUILD_DIR WORKLOAD "VERSION ..." "ARGS ...": engine invariance, determinism, exact skipping. Every version at
# every test size computes the right result on every machine of configs/gpu, and on gtx480 the statistics are byte-identical under
# c, rtl and lockstep, with two threads, and without skipping; engines and skipping also on every machine at the last size. Of the
# version d2ma_plain only the result is checked, on gtx480.
set -eu
build=$1 workload=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machines=$("$build/bin/tandem" list machines | sed -n 's/^\([^ ]*\).*/\1/p' | grep -vx gtx480)
[ -n "$machines" ] || { echo "no machine but gtx480"; exit 1; }
statistics() { # statistics NAME OPTION...: runs and extracts the statistics
  local name=$1
  shift
  "$build/bin/tandem" run "$@" --out "$work/$name" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; echo "failed: tandem run $*"; exit 1; }
  grep -q " version=$version PASS" "$work/$name.log" || { cat "$work/$name.log"; echo "no verdict: tandem run $*"; exit 1; }
  sed -n '/^  "statistics"/,/^  }/p' "$work/$name/run.json" >"$work/$name.statistics"
}
# A system may not fit a machine, by its tables or its pipeline, which is an input error; not for gtx480 and small, the systems' own.
refused() { # refused MACHINE [--system NAME]
  local status=0
  [ $# -gt 1 ] && [ "$1" != small ] || return 1
  "$build/bin/tandem" run saxpy:n=1 -c "$@" --out "$work/refused" >"$work/refused.log" 2>&1 || status=$?
  [ $status = 2 ] && grep -q 'lower\|is for sm.pipeline' "$work/refused.log"
}
for version in $3; do
  system=()
  [ "$version" = d2ma ] && system=(--system d2ma)
  for args in $4; do
    base=("$workload:version=$version,$args" -c gtx480 "${system[@]}")
    statistics c "${base[@]}"
    [ "$version" = d2ma_plain ] && continue # an ordinary kernel; that it computes the right result is all
    runs=(threads noskip)
    statistics threads "${base[@]}" --threads 2
    statistics noskip "${base[@]}" --no-skip
    for machine in $machines; do
      refused "$machine" "${system[@]}" && continue
      statistics "$machine" "$workload:version=$version,$args" -c "$machine" "${system[@]}"
      [ "$args" = "${4##* }" ] || continue
      statistics "$machine.noskip" "$workload:version=$version,$args" -c "$machine" "${system[@]}" --no-skip
      cmp "$work/$machine.statistics" "$work/$machine.noskip.statistics" ||
        { echo "$workload:$version,$args: statistics on $machine differ without skipping"; exit 1; }
      [ "$version" = d2ma ] || continue
      for engine in rtl lockstep; do
        statistics "$machine.$engine" "$workload:version=$version,$args" -c "$machine" "${system[@]}" --engine "sm*.d2ma.*=$engine"
        cmp "$work/$machine.statistics" "$work/$machine.$engine.statistics" ||
          { echo "$workload:$version,$args: statistics on $machine differ under $engine"; exit 1; }
      done
    done
    if [ "$version" = d2ma ]; then
      statistics rtl "${base[@]}" --engine 'sm*.d2ma.*=rtl'
      statistics lockstep "${base[@]}" --engine 'sm*.d2ma.*=lockstep' --threads 2
      runs+=(rtl lockstep)
    fi
    for run in "${runs[@]}"; do
      cmp "$work/c.statistics" "$work/$run.statistics" || { echo "$workload:$version,$args: statistics differ under $run"; exit 1; }
    done
    [ -s "$work/c.statistics" ] || { echo "no statistics"; exit 1; }
    echo "$workload:$version,$args: c ${runs[*]} agree ($(wc -c <"$work/c.statistics") bytes)"
  done
done
