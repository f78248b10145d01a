#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# l2_settings.sh BUILD_DIR: what the L2 replaces and prefetches changes when things happen, never what comes out. Every workload
# still checks its result (tandem run fails otherwise) and executes the same instructions; statistics do not depend on
# threads or skipping under any setting; and a setting that a GPU configuration cannot carry out is refused.
. tests/kit/shell.sh
settings=("l2.replacement=lru l2.prefetch=none" "l2.replacement=drrip l2.prefetch=none" "l2.replacement=lru l2.prefetch=stride"
  "l2.replacement=drrip l2.prefetch=stride l2.prefetch_degree=16 l2.prefetch_streams=2 l2.prefetch_region=4096")
for workload in spmv:rows=256,columns=4096 histogram:n=16384 transpose:rows=128,columns=96; do
  line=$workload
  for i in "${!settings[@]}"; do
    options=(-c gtx480 --set l2.bytes=65536 --set l2.ways=4)
    for setting in ${settings[i]}; do options+=(--set "$setting"); done
    simulate "$i" "$workload" "${options[@]}"
    [ "$(statistic "$i" sm.thread_instructions)" = "$(statistic 0 sm.thread_instructions)" ] ||
      fail "$workload: other instructions with ${settings[i]}"
    line+=" $(statistic "$i" core_cycles)"
    [ "$i" = 3 ] || continue
    simulate threads "$workload" "${options[@]}" --threads 2
    simulate all "$workload" "${options[@]}" --no-skip
    same "$i" threads "$workload with two threads"
    same "$i" all "$workload without skipping"
  done
  for i in 2 3; do [ "$(statistic "$i" memory.l2_prefetches)" -gt 0 ] || fail "$workload: nothing prefetched with ${settings[i]}"; done
  for i in 0 1; do [ "$(statistic "$i" memory.l2_prefetches)" = 0 ] || fail "$workload: prefetched"; done
  echo "$line core cycles"
done
refused l2.bytes "$tandem" run vecadd:n=256 -c gt200 --set l2.prefetch=stride --out "$work/refused"
refused l2.prefetch_region "$tandem" run vecadd:n=256 -c gtx480 --set l2.prefetch_region=5000 --out "$work/refused"
