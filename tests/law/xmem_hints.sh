#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# xmem_hints.sh BUILD_DIR [all]: hints never change a result. Every workload with atoms gives its host the same bytes, copy by copy,
# with atoms, with none (xmem.hints=off), with random wrong ones, and without XMem (the version itself, or xmem_plain where
# kernels have XMem's instructions). With `all` at every test size; else at the second, the first being trivial, and some of
# these runs for one workload in four only.
. tests/kit/shell.sh
. tests/kit/copies.sh
which=${2:-}

same_bytes() { # same_bytes NAME WHAT
  cmp -s "$work/on" "$work/$1" || fail "$spec: the result is another one $2"
}
count=0 moved=0 wrong=0
for ptx in "$build"/ptx/*/xmem.ptx; do
  [ -f "$ptx" ] || fail "no workload has atoms"
  workload=$(basename "$(dirname "$ptx")")
  read -ra sizes < <(of_workload "$workload" TESTS)
  [ "$which" ] || [ ${#sizes[@]} = 1 ] || sizes=("${sizes[1]}")
  for args in "${sizes[@]}"; do
    spec=$workload:version=xmem,$args
    copies on "$spec" --system xmem
    for seed in 1 2; do
      copies random "$spec" --system xmem --set xmem.hints=random --set mmu.seed=$seed
      same_bytes random "with random atoms (mmu.seed=$seed)"
      cmp -s "$work/on.time" "$work/random.time" || wrong=$((wrong + 1))
      [ "$which" ] || break
    done
    count=$((count + 1))
    # in short: those with instructions, of the others one in four
    [ "$which" ] || [ $((count % 4)) = 1 ] || grep -q 'extern .func' "$ptx" || continue
    copies off "$spec" --system xmem --set xmem.hints=off
    same_bytes off "with xmem.hints=off"
    cmp -s "$work/on.time" "$work/off.time" || moved=$((moved + 1))
    if ! grep -q 'extern .func' "$ptx"; then copies without "$spec"
    elif [ -f "${ptx%.ptx}_plain.ptx" ]; then copies without "$workload:version=xmem_plain,$args"
    else fail "$workload: its kernels have instructions of the system; give it a version xmem_plain"; fi
    same_bytes without "without the system"
  done
done
echo "$count runs of workloads with atoms: the same results with them, without them, with wrong ones;" \
  "other times in $moved without them, in $wrong with wrong ones"
# The hints reach what they are for, or all this shows nothing.
[ $((moved + wrong)) -gt 0 ] || fail "hints change no time either"

# The check can fail: another seed of the input.
copies other "$spec,seed=99" --system xmem
! cmp -s "$work/on" "$work/other" || fail "other data gives the same sums"
