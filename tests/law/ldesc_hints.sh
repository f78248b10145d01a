#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# ldesc_hints.sh BUILD_DIR: descriptors never change a result. Workloads give their host the same bytes, copy by copy, without the
# Locality Descriptor, with it, and with random tables of random rows and clusters (ldesc.hints=random), which change their time.
. tests/kit/shell.sh
. tests/kit/copies.sh
few=(-c ldesc_chip --set sm.count=4)
moved=0
while read -r spec; do
  copies plain "$spec" "${few[@]}"
  for seed in 1 2 3; do
    copies random "$spec" "${few[@]}" --system ldesc --set ldesc.hints=random --set mmu.seed=$seed
    cmp "$work/plain" "$work/random" || fail "$spec: the result is another one under random descriptors of seed $seed"
    cmp -s "$work/plain.time" "$work/random.time" || moved=$((moved + 1))
  done
done <<'RUNS'
vecadd:n=8192
transpose:rows=64,columns=64
jacobi:rows=64,columns=64,iterations=2
bfs:nodes=512
histogram:n=8192
scalar_product:vectors=16
RUNS
echo "18 runs under random descriptors: the same results; other times in $moved"
[ $moved -ge 6 ] || fail "random descriptors change no time either"

# The check can fail: other data.
copies other vecadd:n=8192,seed=99 "${few[@]}"
copies plain vecadd:n=8192 "${few[@]}"
! cmp -s "$work/plain" "$work/other" || fail "other data gives the same sums"
