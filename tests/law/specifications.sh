#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# specifications.sh BUILD_DIR: programs whose resources are arguments (version sized, registers=) compute their results whatever the
# specification is, and an SM of gtx480 holds as many CTAs as the sums of threads, shared memory and registers allow. Others
# refuse arguments that they do not take.
. tests/kit/shell.sh

least() { local n=$1 m; for m in "${@:2}"; do n=$((m < n ? m : n)); done; echo "$n"; }
# The size of a grid is no limit here: CTAs that fit into an SM of 48 warps, 8 CTAs, 32768 registers, 48 KB of shared memory.
fitting() { # fitting THREADS SHARED REGISTERS
  least 8 $((48 / ($1 / 32))) $(($2 ? 49152 / (($2 + 127) / 128 * 128) : 8)) $((32768 / ($1 * $3)))
}
expect() { # expect THREADS SHARED KERNEL WORKLOAD REGISTERS
  local name=${4%%:*} registers
  simulate run "$4,version=sized,threads=$1,registers=$5" --set ptx.registers=allocated
  grep -q "^$name: .* PASS" "$work/run.log" || fail_showing "$work/run.log" "no verdict: $4"
  registers=$("$tandem" list phases "$build/ptx/$name/sized.ptx" "$3" --registers $(($5 ? $5 : 255)) --json | jq '.[0].of_kernel.registers')
  [ "$5" = 0 ] || [ "$registers" -le "$5" ] || fail "$4: $registers registers of $5"
  jq -e --argjson threads "$1" --argjson ctas "$(fitting "$1" "$2" "$registers")" --arg kernel "$3" \
    '[.statistics.launches[] | select(.kernel == $kernel)] | length > 0 and
     all(.ctas_per_sm == $ctas and .block[0] * .block[1] * .block[2] == $threads)' "$work/run/run.json" >/dev/null ||
    fail_showing <(jq -c '.statistics.launches[] | {kernel, block, ctas_per_sm}' "$work/run/run.json") "$4: $(fitting "$1" "$2" "$registers") CTAs of $1 threads with $2 bytes and $registers registers expected"
  kinds+=" $(fitting "$1" "$2" "$registers")"
  count=$((count + 1))
}

count=0 kinds=
while read -r threads registers block; do
  expect $threads $((32 * threads)) dct8x8 dct8x8:rows=40,columns=72 $registers
  expect $threads $((33 * threads)) dct8x8_gap dct8x8:rows=40,columns=72,gap=1 $registers
  expect $threads $((4 * threads)) reduction_sized reduction:n=9000,each=3 $registers
  expect $threads $((4 * block)) scan_sized scan:n=3000,block=$block $registers
  expect $threads $((4 * block)) scalar_product_sized scalar_product:vectors=3,elements=700,ctas=2,accumulators=$block $registers
  more=$((registers ? registers + 12 : 0))
  expect $threads $((8 * block)) mst_lightest mst:nodes=300,chunk=$block $more
  expect $threads $((4 * block + 8)) sssp_relax sssp:nodes=200,slots=$block $more
  expect $threads $((2 * block)) cutcp cutcp:bins=1,cutoff=2,stage=$((block / 64)) $more
  expect $threads $((3 * block + 84 * 5)) tpacf tpacf:points=40,sets=1,tile=$((block / 4)),copies=5 $more
  expect $threads $((8 * threads + 13 * 13 + 81)) heartwall_track heartwall:size=64,points=21,frames=1,side=9,search=2 $more
  expect $threads $((threads / 32 * 8 * 24)) bh_force barnes_hut:bodies=50,depth=24 $more
done <<'SPECIFICATIONS'
32 0 128
96 16 4096
256 0 2048
512 12 2048
1024 8 256
SPECIFICATIONS
for threads in 32 64 96 128 160 192 224 256 288; do
  expect $threads $((164 * threads)) nqueens_$threads nqueens:n=8,host_rows=4 $((threads % 96 / 4))
done
[ "$(tr ' ' '\n' <<<"$kinds" | sort -u | wc -l)" -gt 5 ] || fail "the specifications hardly differ:$kinds"
echo "$count specifications"

refused "version=strided has it fixed; take version=sized" "$tandem" run reduction:threads=512 -c small --out "$work/none"
refused "threads=100: a multiple of 32 is wanted" "$tandem" run dct8x8:version=sized,threads=100 -c small --out "$work/none"
refused "block=1000: a power of two is wanted" "$tandem" run scan:version=sized,block=1000 -c small --out "$work/none"
refused "accumulators=100: a power of two is wanted" "$tandem" run scalar_product:version=sized,accumulators=100 -c small --out "$work/none"
refused "CU_JIT_MAX_REGISTERS 3) and this instruction alone needs" "$tandem" run nqueens:registers=3 -c small --set ptx.registers=allocated --out "$work/none"
