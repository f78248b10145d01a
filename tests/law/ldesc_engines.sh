#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# ldesc_engines.sh BUILD_DIR: on the whole GPU with the Locality Descriptor the statistics are the same to the byte whoever computes its
# blocks, with and without skipping, in one host thread and in two; under random tables and clusters, on one module and on several.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"

descriptors() { # descriptors NAME ARGUMENT...
  simulate "$@" --system ldesc --set ldesc.hints=random
}
few=(-c ldesc_chip --set sm.count=4)
modules=(-c ldesc_modules --set sm.count=8 --set dram.channels=8 --set l2.bytes=1048576 --set memory.mib=256)

four_ways descriptors chip '*ldesc*' jacobi:rows=64,columns=64,iterations=2 "${few[@]}"
four_ways descriptors graph '*ldesc*' bfs:nodes=512 "${few[@]}" --set mmu.seed=3 --set ldesc.steal=1 --set ldesc.trigger=merge
four_ways descriptors modules '*ldesc*' transpose:rows=64,columns=64 "${modules[@]}" --set mmu.seed=7 --set numa.placement=interleave \
  --set numa.bit=9
# other parameters of the block: RTL and model are compared by `tandem check --sweep`; here skipping and threads
descriptors small jacobi:rows=64,columns=64,iterations=2 "${few[@]}" --set ldesc.unpin_period=256 --set ldesc.rows=3 --set ldesc.prefetch_queue=2
descriptors small_noskip jacobi:rows=64,columns=64,iterations=2 "${few[@]}" --set ldesc.unpin_period=256 --set ldesc.rows=3 \
  --set ldesc.prefetch_queue=2 --no-skip --threads 2
same small small_noskip "a short timer without skipping"

# what the runs are for has happened
for name in ldesc_soft ldesc_hard ldesc_bypass ldesc_lines l1_prefetches ldesc_clustered; do
  sum=0
  for run in chip graph modules small; do sum=$((sum + $(counter $name $run))); done
  [ $sum -gt 0 ] || fail "$name is 0 in every run"
done
[ "$(counter ldesc_unpins small)" -gt 0 ] || fail "a timer of 256 cycles never ends"
for block in ldesc_l1 cta_cluster_dispatch numa_decode; do # of the run on several modules
  jq -e --arg block $block '[.engines[] | select(.block == $block).rtl_evals] | add > 0' "$work/rtl/run.json" >/dev/null || fail "$block was not used"
done
echo "three runs, four ways each, and a short timer: the same bytes"
