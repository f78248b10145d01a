#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# functional.sh BUILD_DIR: a launch without time gives the results and the instruction counts of the detailed mode, moves no clock and
# no counter of it, and what is simulated in detail is what --detail, or the program between cuProfilerStart and cuProfilerStop, says.
. tests/kit/shell.sh
. tests/kit/kernels.sh
counts() { # counts PATH NAME: warp instructions, thread instructions, CTAs
  jq -ce ".statistics.$1 | [.warp_instructions, .thread_instructions, .ctas]" "$work/$2/run.json"
}
# barriers, atomics, divergence, textures, shared memory, calls; each workload checks its results
n=0
for workload in saxpy:n=8192 histogram:n=16384 bfs:nodes=500 scan:n=10000 reduction:n=65536 nqueens:n=6 sgemv:m=240; do
  simulate detail "$workload" -c small
  simulate functional "$workload" -c small --functional
  [ "$(counts functional functional)" = "$(counts sm detail)" ] || fail "$workload: other counts: $(counts functional functional), $(counts sm detail)"
  jq -e '.statistics | .core_cycles == 0 and ([.sm[], .memory[]] | add) == 0 and .functional.launches == (.launches | length)' "$work/functional/run.json" >/dev/null ||
    fail "$workload: the detailed mode counted something"
  n=$((n + 1))
done

# one launch in detail: the first is the first of the whole run to the byte, whatever skipping and threads; a later one counts the same
# instructions; the others add nothing
launch() { jq -S "del(.statistics.launches[$2].functional) | .statistics.launches[$2]" "$work/$1/run.json"; }
simulate all bfs:nodes=500 -c small
simulate first bfs:nodes=500 -c small --detail=bfs_expand:0
[ "$(launch first 0)" = "$(launch all 0)" ] || fail "the first launch depends on how later ones are simulated"
simulate later bfs:nodes=500 -c small --detail='bfs_adv*:1'
simulate noskip bfs:nodes=500 -c small --detail='bfs_adv*:1' --no-skip
simulate threads bfs:nodes=500 -c small --detail='bfs_adv*:1' --threads 2
same later noskip "a detailed launch without skipping"
same later threads "a detailed launch on two host threads"
jq -e '[.statistics.launches | to_entries[] | select(.value.functional | not) | .key] == [3]' "$work/later/run.json" >/dev/null || fail "not launch 1 of bfs_advance in detail"
jq -e '.statistics | .core_cycles == .launches[3].core_cycles and .core_cycles > 0 and .sm.warp_instructions == .launches[3].sm.warp_instructions' "$work/later/run.json" >/dev/null ||
  fail "the totals are not those of the launch in detail"
[ "$(jq '.statistics.launches[3].sm.warp_instructions' "$work/later/run.json")" = "$(jq '.statistics.launches[3].sm.warp_instructions' "$work/all/run.json")" ] ||
  fail "the launch finds other values in memory"
[ "$(grep -c '^functional,' "$work/later/statistics.csv")" = $((3 * $(jq .statistics.functional.launches "$work/later/run.json"))) ] || fail "statistics.csv does not say what was functional"
grep -q "functional: $(jq .statistics.functional.launches "$work/later/run.json") of " "$work/later.log" || fail_showing "$work/later.log" "the summary does not say what was functional"

# the program's own region; a fault and a barrier that never opens are found without time, too
cd "$work"
cat >program.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call) do { if (call) return fprintf(stderr, "%s\n", #call), 1; } while (0)
int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction function; CUdeviceptr memory;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, "kernel.ptx"));
  CHECK(cuModuleGetFunction(&function, module, argc > 1 ? argv[1] : "add"));
  CHECK(cuMemAlloc(&memory, 256));
  CHECK(cuMemsetD32(memory, 0, 64));
  for (int i = 0; i < 4; i++) {
    if (i == 2) CHECK(cuProfilerStart());
    CHECK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, (void *[]){&memory}, 0));
    if (i == 2) CHECK(cuProfilerStop());
  }
  unsigned words[64];
  CHECK(cuMemcpyDtoH(words, memory, sizeof words));
  for (int i = 0; i < 64; i++) if (words[i] != 4) return puts("wrong"), 1;
}
C
cat >kernel.ptx <<'P'
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry wild(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  mov.u64 %rd1, 64;
  ld.global.u32 %r1, [%rd1];
  ret;
}
.visible .entry forever(.param .u64 out)
{
again:
  bra again;
}
P
stuck_ptx >>kernel.ptx
host_program program.c program
must "$tandem" run ./program -c small --detail=profiler --out region
jq -e '[.statistics.launches[] | has("functional")] == [true, true, false, true]' region/run.json >/dev/null || fail "not the launch between start and stop in detail"
ends_with 1 "$tandem" run ./program -c small --functional --out wild -- wild
grep -qF "kernel.ptx:22: kernel 'wild', 'ld.global.u32 %r1, [%rd1];': thread (0,0,0) of CTA (0,0,0) illegal global address" "$work/stderr" || fail_showing "$work/stderr" "another sentence of a fault"
ends_with 3 "$tandem" run ./program -c small --functional --out stuck -- stuck
grep -q "kernel 'stuck': CTA (0,0,0) waits at a barrier" "$work/stderr" || fail_showing "$work/stderr" "another sentence of a deadlock"
ends_with 3 "$tandem" run ./program -c small --functional --set launch.limit=100000 --out forever -- forever
grep -q "'forever' has not ended after .* launch.limit" "$work/stderr" || fail_showing "$work/stderr" "another sentence of a limit"
refused 'KERNEL:N, N from 0' "$tandem" run saxpy --detail=saxpy:x
refused 'contradict each other' "$tandem" run saxpy --functional --detail=saxpy
refused 'instruction of a proposal.*--detail=' "$tandem" run saxpy:n=4096,ctas=2 --system d2ma --functional
echo "$n workloads"
