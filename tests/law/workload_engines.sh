#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# workload_engines.sh BUILD_DIR WORKLOAD "VERSION ..." "ARGS ..." [WHICH]: engine invariance, determinism, exact skipping. Every version
# computes the right result at every test size on gtx480, and at the last size on four SMs of every GPU configuration of
# configs/gpu. Statistics are byte-identical without skipping (in lockstep too, where the version has a proposal) at every size;
# with two threads, under rtl, and without skipping on every configuration, at the last size. Some versions are ordinary kernels,
# of which less is checked: d2ma_plain, that the result is right on gtx480; those with hints (xmem, ldesc) or marks (caba), the same with their
# proposal, where there is one, and lockstep at the last size.
. tests/kit/shell.sh
workload=$2
# zorua_kepler and zorua_maxwell are zorua_fermi but for the sizes of an SM (machines.cli); workload_defaults.sh has them, too
configurations=$(gpu_configurations | grep -vx 'gtx480\|zorua_kepler\|zorua_maxwell')
# In the gate a workload runs on every eighth of them, from number WHICH on: WHICH differs from workload to workload, so that
# each configuration has many workloads. Nightly rows leave WHICH out, and run all.
[ $# -lt 5 ] || configurations=$(awk -v which="$5" 'NR % 8 == which % 8' <<<"$configurations")
[ -n "$configurations" ] || fail "no GPU configuration but gtx480"
passes() { # passes NAME OPTION...: simulates, and the workload says that its result is right
  simulate "$@"
  grep -q " version=$version PASS" "$work/$1.log" || fail_showing "$work/$1.log" "no verdict: tandem run ${*:2}"
}
# A GPU may be too small for a proposal's tables or have another pipeline, which is an input error; not gtx480 and small, which
# the proposals are made for.
unfit() { # unfit CONFIGURATION [--system NAME]
  local status=0
  [ $# -gt 1 ] && [ "$1" != small ] || return 1
  "$tandem" run saxpy:n=1 -c "$@" --out "$work/unfit" >"$work/log" 2>&1 || status=$?
  [ $status = 2 ] && grep -q 'lower\|is for sm.pipeline' "$work/log"
}
plain() { # plain: an ordinary kernel; loads by a call take more registers than a large CTA has, which is refused
  local status=0
  "$tandem" run "$spec" -c gtx480 --out "$work/plain" >"$work/log" 2>&1 || status=$?
  if [ $status != 0 ]; then
    grep -q 'launch smaller blocks' "$work/log" || fail_showing "$work/log" "failed: tandem run $spec"
  else
    grep -q " version=$version PASS" "$work/log" || fail_showing "$work/log" "no verdict: tandem run $spec"
  fi
}
for version in $3; do
  system=() lockstep=() hints=
  [ "$version" != d2ma ] || lockstep=(--engine 'sm*.d2ma.*=lockstep')
  [ "$version" != xmem ] || hints=1 lockstep=(--engine 'xmem_amu=lockstep')
  [ "$version" != ldesc ] || hints=1 lockstep=(--engine '*ldesc*=lockstep')
  [ "$version" != caba ] || hints=1 lockstep=(--engine 'sm*.caba_*=lockstep')
  [ ${#lockstep[@]} = 0 ] || mapfile -t system < <(system_of "$version")
  [ "$version" != caba ] || system+=(--set caba.design=caba_program)
  for args in $4; do
    spec="$workload:version=$version,$args" last=
    [ "$args" != "${4##* }" ] || last=1
    if [ "$version" = d2ma_plain ]; then plain; continue; fi
    passes c "$spec" -c gtx480 "${system[@]}"
    [ "$hints" ] && { [ ${#system[@]} = 0 ] || [ ! "$last" ]; } && continue
    passes noskip "$spec" -c gtx480 "${system[@]}" --no-skip "${lockstep[@]}"
    same c noskip "$spec without skipping${lockstep:+, in lockstep}"
    echo "$spec: the same without skipping${lockstep:+, in lockstep} ($(wc -c <"$work/c.statistics") bytes)"
    [ "$last" ] && [ ! "$hints" ] || continue
    passes threads "$spec" -c gtx480 "${system[@]}" --threads 2
    same c threads "$spec with two threads"
    if [ "$version" = d2ma ]; then
      passes rtl "$spec" -c gtx480 "${system[@]}" --engine 'sm*.d2ma.*=rtl'
      same c rtl "$spec under rtl"
    fi
    for configuration in $configurations; do
      unfit "$configuration" "${system[@]}" && continue
      passes other "$spec" -c "$configuration" --set sm.count=4 "${system[@]}"
      passes noskip "$spec" -c "$configuration" --set sm.count=4 "${system[@]}" --no-skip "${lockstep[@]}"
      same other noskip "$spec without skipping${lockstep:+, in lockstep} on $configuration"
    done
  done
done
