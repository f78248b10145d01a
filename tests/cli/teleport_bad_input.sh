#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: teleport
# teleport_bad_input.sh BUILD_DIR: what TELEPORT cannot work with is refused with a sentence that names the parameter and the mend; a
# kernel that faults with lines in flight ends as without TELEPORT, and the GPU can be used again.
. tests/kit/shell.sh
cd "$work"

on() { "$tandem" run matrix_add:rows=32,columns=32 -c teleport --system teleport --out out "$@"; }
no() { # no WORDS OPTION...: refused with these words
  local words=$1
  shift
  rm -rf out
  refused "$words" on "$@"
  [ ! -e out ] || fail "files are left: $*"
}
no 'teleport.ways = 1: ' --set teleport.ways=1
no 'line_bytes = 64: TELEPORT' --set line_bytes=64 --set d2ma.segment=64
no 'teleport.dedup = 1 ' --set teleport.dedup=1 --set teleport.model=s
no 'l2.slices = 2: a node of a mesh' --set noc.topology=mesh
no 'noc.topology: the proposal' --set noc.topology=mesh --set l2.slices=1 --set noc.columns=7 --set noc.switching=flit
no 'ideal.memory = perfect' --set ideal.memory=perfect
no 'sm.pipeline=scoreboard' --set sm.pipeline=unified --set sm.schedulers=1
no 'teleport.rows' --set teleport.rows=257
no "teleport.model" --set teleport.model=x
no 'dram.prefer' --set dram.prefer=preload --set dram.scheduler=fifo

# without an L2 the lines come from DRAM, and nothing is wrong
for around in 0 1; do must on --set l2.bytes=0 --set teleport.around_l2=$around; done

# ---- a kernel that faults in its first CTAs while the lines of later ones are on their way ----
cat >fault.cu <<'C'
#include "tandem_device.h"
extern "C" __global__ void sums(const float *a, float *out, long fault) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + (blockIdx.x == 0 ? fault : 0)] = a[i] + a[i + 4096];
}
C
to_ptx fault.cu fault.ptx || fail_showing log "fault.cu does not compile"
cat >host.c <<'C'
#include <cuda.h>
#include <stdio.h>
#define N (64 * 256)
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 2; } } while (0)
int main(void) {
  static float a[N + 4096], out[N];
  CUdevice device; CUcontext context; CUmodule module; CUfunction f;
  CUdeviceptr da, dout;
  long fault = 1l << 40, none = 0;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, "fault.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "sums"));
  CHECK(cuMemAlloc(&da, sizeof a));
  CHECK(cuMemAlloc(&dout, sizeof out));
  for (int i = 0; i < N + 4096; i++) a[i] = (float)i;
  CHECK(cuMemcpyHtoD(da, a, sizeof a));
  CUresult r = cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, 0, (void *[]){&da, &dout, &fault}, 0);
  if (!r) r = cuCtxSynchronize();
  if (!r) return puts("no fault"), 1;
  cuCtxDestroy(context); /* as after any fault */
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, "fault.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "sums"));
  CHECK(cuMemAlloc(&da, sizeof a));
  CHECK(cuMemAlloc(&dout, sizeof out));
  CHECK(cuMemcpyHtoD(da, a, sizeof a));
  CHECK(cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, 0, (void *[]){&da, &dout, &none}, 0));
  CHECK(cuMemcpyDtoH(out, dout, sizeof out));
  for (int i = 0; i < N; i++) if (out[i] != a[i] + a[i + 4096]) return printf("wrong at %d\n", i), 1;
  puts("right after the fault");
  return 0;
}
C
host_program host.c program
for system in "" teleport; do
  status=0
  # shellcheck disable=SC2086
  "$tandem" run ./program -c teleport --set sm.count=2 ${system:+--system $system} --out out >$system.log 2>&1 || status=$?
  # the program expects its fault, so its own exit code stands; the verdict names the fault
  [ $status = 0 ] || fail_showing $system.log "exit $status instead of the program's 0: $system"
  grep -q ': fault$' $system.log || fail_showing $system.log "the verdict is not the fault: $system"
  grep -q 'right after the fault' $system.log || fail_showing $system.log "$system: the GPU cannot be used after the fault"
  grep -q "kernel 'sums'" $system.log || fail_showing $system.log "$system: the fault is not named"
done
echo "refused configurations, a fault with lines in flight"
