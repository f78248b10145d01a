#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# modules.sh BUILD_DIR: a GPU of several modules (numa.modules). One module is what it was, whatever the other keys say; statistics do not
# depend on threads or skipping; local and remote accesses are where the placement says; what cannot be is a sentence.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"

# one module: the other keys change nothing
for gpu in gtx480 ldesc_chip; do
  simulate plain vecadd:n=8192 -c $gpu
  simulate keys vecadd:n=8192 -c $gpu --set numa.placement=first_touch --set numa.hop=99 --set numa.topology=all_to_all \
    --set dispatch.policy=parts
  same plain keys "$gpu: keys of several modules changed one"
  [ "$(counter numa_local plain)" = 0 ] || fail "$gpu: one module counts local accesses"
done
simulate small vecadd:n=8192 -c gtx480
simulate large vecadd:n=8192 -c gtx480 --set mmu.page_bytes=65536
for name in small large; do counter l2_misses $name; done | uniq | wc -l | grep -qx 1 || fail "large pages: other misses"

share() { # share COUNTER NAME: in percent of all accesses of SMs
  local all=$(($(counter numa_local "$2") + $(counter numa_remote "$2")))
  echo $((($(counter "$1" "$2") * 1000 / all + 5) / 10))
}

# several modules: threads, each with a part of the modules' memories, and skipping; and how much is local
run=(transpose:rows=256,columns=256 -c ldesc_modules)
for placement in xor first_touch; do
  options=(--set numa.placement=$placement --set numa.modules=4)
  [ $placement = xor ] || options+=(--set dispatch.policy=parts)
  simulate $placement "${run[@]}" "${options[@]}" --histograms
  for threads in 2 3; do
    simulate threads "${run[@]}" "${options[@]}" --histograms --threads $threads
    same $placement threads "$placement: $threads threads"
    cmp "$work/$placement/histograms.csv" "$work/threads/histograms.csv" || fail "$placement: $threads threads count other latencies"
  done
  simulate all "${run[@]}" "${options[@]}" --no-skip
  same $placement all "$placement: without skipping"
done
for zone in 0 1 2 3; do
  [ "$(share numa_zone$zone xor)" -ge 24 ] && [ "$(share numa_zone$zone xor)" -le 26 ] ||
    fail "xor: zone $zone has $(share numa_zone$zone xor) %"
done
simulate stream stream:n=262144 -c ldesc_modules --set numa.placement=first_touch --set dispatch.policy=parts
[ "$(share numa_local stream)" -ge 95 ] || fail "a stream in parts: $(share numa_local stream) % local"
[ "$(share numa_local xor)" -le 26 ] || fail "xor: $(share numa_local xor) % local"
echo "local accesses: xor $(share numa_local xor) %, first touch in parts $(share numa_local first_touch) %, of a stream $(share numa_local stream) %"

# two consecutive CTAs an SM, and parts, change who runs what, not what is computed
for policy in round_robin bcs parts; do
  simulate $policy transpose:rows=192,columns=192 -c ldesc_modules --set dispatch.policy=$policy
  [ "$(statistic $policy sm.thread_instructions)" = "$(statistic round_robin sm.thread_instructions)" ] || fail "$policy"
done
differ round_robin bcs "two consecutive CTAs an SM"
differ round_robin parts "parts of the grid"

# sentences
no() { refused "$1" "$tandem" run vecadd:n=8192 -c ldesc_modules "${@:2}" --out "$work/refused"; }
no 'numa.modules = 3: must be 1, 2 or 4' --set numa.modules=3
no 'sm.count = 62 must be a multiple of it' --set sm.count=62
no 'dram.channels = 30, with their L2 slices, must be a multiple of it' --set dram.channels=30 --set l2.bytes=3932160
no 'must be a multiple of' --set dram.channels=30
no "numa.modules = 4: the proposal's agent" --system xmem --set mmu.page_bytes=4096
no "numa.modules = 4: the proposal's CTA dispatch" --system teleport
no 'mmu.frames: of several modules' --set mmu.frames=random
no 'dispatch.policy: --system teleport' --system teleport --set numa.modules=1 --set mmu.page_bytes=4096 --set dispatch.policy=bcs
refused "mmu.page_bytes = 65536: the proposal knows pages of 4096" "$tandem" run vecadd:n=256 -c xmem --system xmem \
  --set mmu.page_bytes=65536 --out "$work/refused"
# one CTA, on module 0, touches 2 MB, and a zone has 1 MB
refused 'zone 0 of numa.modules = 4 is full' "$tandem" run scalar_product:vectors=64,ctas=1 -c ldesc_modules --set memory.mib=4 \
  --set numa.placement=first_touch --out "$work/refused"
