#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# ldesc_plain.sh BUILD_DIR: without a descriptor the Locality Descriptor changes nothing. With it and without a table, its own counters
# aside, the statistics are those of the same run without it, to the byte: its L1 is LRU, its dispatcher round robin, its decoder that
# of the memory system. And with it the working set is what an address trace of the same run has.
. tests/kit/shell.sh

without_own() { # without_own NAME: its statistics without counters of the Locality Descriptor
  grep -v '"ldesc_' "$work/$1.statistics" | sed 's/,$//' >"$work/$1.plain"
  [ "$(wc -l <"$work/$1.plain")" -gt 50 ] || fail "$1: few statistics"
}
count=0
compare() { # compare ARGUMENT...: tandem run with and without the proposal
  simulate without "$@"
  simulate with "$@" --system ldesc
  without_own without
  without_own with
  cmp "$work/without.plain" "$work/with.plain" || fail "without a descriptor: tandem run $*"
  [ "$(counter ldesc_lines with)" -gt 0 ] || fail "no working set: tandem run $*"
  [ "$(counter ldesc_clustered with)" = 0 ] || fail "clusters: tandem run $*"
  count=$((count + 1))
}
while read -r spec; do
  for gpu in ldesc_chip gtx480; do compare "$spec" -c $gpu; done
done <<'RUNS'
vecadd:n=8192
transpose:version=padded,rows=128,columns=128
jacobi:rows=64,columns=64,iterations=2
bfs:nodes=1024
histogram:n=8192
RUNS
modules=(-c ldesc_modules --set sm.count=8 --set dram.channels=8 --set l2.bytes=1048576 --set memory.mib=256)
for placement in xor first_touch interleave; do
  compare transpose:version=padded,rows=64,columns=64 "${modules[@]}" --set numa.placement=$placement
done
compare transpose:version=padded,rows=64,columns=64 -c ldesc_chip --set l1.prefetch=mthwp
echo "$count runs, each with and without the proposal: the same statistics"

# the working set: different lines of each SM's reads in the trace of L1
simulate traced vecadd:n=8192 -c ldesc_chip --set sm.count=3 --system ldesc --trace all
lines=0
for file in "$work"/traced/accesses.sm*.csv; do
  lines=$((lines + $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["cache"] == "l1" && $at["kind"] == "R" { print $at["address"] }' "$file" | sort -u | wc -l)))
done
[ "$lines" -gt 100 ] && [ "$(counter ldesc_lines traced)" = "$lines" ] || fail "working set: $(counter ldesc_lines traced) lines, $lines in the trace"

# The check can fail: a random table is seen.
simulate without jacobi:rows=64,columns=64,iterations=2 -c ldesc_chip
simulate with jacobi:rows=64,columns=64,iterations=2 -c ldesc_chip --system ldesc --set ldesc.hints=random
without_own without
without_own with
! cmp -s "$work/without.plain" "$work/with.plain" || fail "random descriptors change no statistics"

# what cannot be is a sentence
no() { refused "$1" "$tandem" run vecadd:n=256 -c ldesc_chip --system ldesc "${@:2}" --out "$work/refused"; }
no 'ldesc.unpin_period = 1000: must be a multiple of 256' --set ldesc.unpin_period=1000
no 'l1.bytes = 65536: the Locality Descriptor keeps priorities of 2, 4, .. 64 sets, and there are 128' --set l1.bytes=65536
no 'l1.ways = 16' --set l1.ways=16
no 'sm.ctas = 16' --set sm.ctas=16
no 'sm.count = 17 of numa.modules = 1' --set sm.count=17
no 'dispatch.policy: --system ldesc brings a CTA dispatch of its own' --set dispatch.policy=bcs
