#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# workload_engines.sh BUILD_DIR WORKLOAD "VERSION ..." "ARGS ...": engine invariance, determinism, exact skipping. Every version
# computes the right result at every test size on gtx480, and at the last size on every machine of configs/gpu, four SMs of it.
# Statistics are byte-identical without skipping (where the version has a system, in lockstep too) at every size; with two
# threads, under rtl, and without skipping on every machine, at the last one. Of the version d2ma_plain only the result is
# checked, on gtx480; of the version xmem, an ordinary kernel but for its labels, likewise, with the system where there is one,
# and in lockstep at the last size.
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
same() { # same NAME OTHER WHAT: the statistics of two runs
  cmp "$work/$1.statistics" "$work/$2.statistics" && return
  echo "$workload:version=$version,$args: statistics differ: $3"
  exit 1
}
for version in $3; do
  system=() lockstep=()
  [ "$version" = d2ma ] && system=(--system d2ma) lockstep=(--engine 'sm*.d2ma.*=lockstep')
  if [ "$version" = xmem ] && "$build/bin/tandem" list systems | grep -q '^xmem '; then
    system=(--system xmem) lockstep=(--engine 'xmem_amu=lockstep')
  fi
  for args in $4; do
    spec="$workload:version=$version,$args" last=
    [ "$args" = "${4##* }" ] && last=1
    # loads by a call take more registers than a large CTA has
    [ "$version" = d2ma_plain ] && "$build/bin/tandem" run "$spec" -c gtx480 2>&1 | grep -q 'launch smaller blocks' && continue
    statistics c "$spec" -c gtx480 "${system[@]}"
    [ -s "$work/c.statistics" ] || { echo "no statistics"; exit 1; }
    [ "$version" = d2ma_plain ] && continue # an ordinary kernel; that it computes the right result is all
    [ "$version" = xmem ] && { [ ${#system[@]} = 0 ] || [ "$args" != "${4##* }" ]; } && continue
    statistics noskip "$spec" -c gtx480 "${system[@]}" --no-skip "${lockstep[@]}"
    same c noskip "without skipping${lockstep:+, in lockstep}"
    echo "$spec: the same without skipping${lockstep:+, in lockstep} ($(wc -c <"$work/c.statistics") bytes)"
    [ -n "$last" ] && [ "$version" != xmem ] || continue
    statistics threads "$spec" -c gtx480 "${system[@]}" --threads 2
    same c threads "two threads"
    if [ "$version" = d2ma ]; then
      statistics rtl "$spec" -c gtx480 "${system[@]}" --engine 'sm*.d2ma.*=rtl'
      same c rtl "rtl"
    fi
    for machine in $machines; do
      refused "$machine" "${system[@]}" && continue
      statistics machine "$spec" -c "$machine" --set sm.count=4 "${system[@]}"
      statistics machine.noskip "$spec" -c "$machine" --set sm.count=4 "${system[@]}" --no-skip "${lockstep[@]}"
      same machine machine.noskip "without skipping${lockstep:+, in lockstep} on $machine"
    done
  done
done
