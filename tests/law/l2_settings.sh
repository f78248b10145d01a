#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# l2_settings.sh BUILD_DIR: what the L2 replaces and prefetches changes when things happen, never what comes out: every workload
# still checks its result (tandem run fails otherwise) and executes the same instructions; and statistics do not depend on
# threads or skipping under any setting. A setting that a machine cannot carry out is refused.
set -eu
build=$(cd "$1" && pwd)
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run NAME ARGUMENTS...: leaves its statistics in NAME.json
  local name=$1
  shift
  "$tandem" run "$@" --out "$work/$name" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  jq -S .statistics "$work/$name/run.json" >"$work/$name.json"
}
settings=("l2.replacement=lru l2.prefetch=none" "l2.replacement=drrip l2.prefetch=none" "l2.replacement=lru l2.prefetch=stride"
  "l2.replacement=drrip l2.prefetch=stride l2.prefetch_degree=16 l2.prefetch_streams=2 l2.prefetch_region=4096")
for workload in spmv:rows=256,columns=4096 histogram:n=16384 transpose:rows=128,columns=96; do
  line=$workload
  for i in "${!settings[@]}"; do
    machine=(-c gtx480 --set l2.bytes=65536 --set l2.ways=4)
    for setting in ${settings[i]}; do machine+=(--set "$setting"); done
    run "$i" "$workload" "${machine[@]}"
    [ "$(jq .sm.thread_instructions "$work/$i.json")" = "$(jq .sm.thread_instructions "$work/0.json")" ] ||
      { echo "$workload: other instructions with ${settings[i]}"; exit 1; }
    line+=" $(jq .core_cycles "$work/$i.json")"
    [ "$i" = 3 ] || continue
    run threads "$workload" "${machine[@]}" --threads 2
    run all "$workload" "${machine[@]}" --no-skip
    cmp "$work/$i.json" "$work/threads.json" || { echo "$workload: threads change the statistics"; exit 1; }
    cmp "$work/$i.json" "$work/all.json" || { echo "$workload: skipping changes the statistics"; exit 1; }
  done
  for i in 2 3; do
    [ "$(jq .memory.l2_prefetches "$work/$i.json")" -gt 0 ] || { echo "$workload: nothing prefetched with ${settings[i]}"; exit 1; }
  done
  for i in 0 1; do [ "$(jq .memory.l2_prefetches "$work/$i.json")" = 0 ] || { echo "$workload: prefetched"; exit 1; }; done
  echo "$line core cycles"
done
refused() { # refused KEY ARGUMENTS...
  local key=$1
  shift
  if "$tandem" run vecadd:n=256 "$@" --out "$work/refused" >"$work/log" 2>&1; then echo "$key: accepted"; exit 1; fi
  grep -q "$key" "$work/log" || { cat "$work/log"; exit 1; }
}
refused l2.bytes -c gt200 --set l2.prefetch=stride
refused l2.prefetch_region -c gtx480 --set l2.prefetch_region=5000
