#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: d2ma
# d2ma_misuse.sh BUILD_DIR: a kernel that misuses a D2MA intrinsic ends its run with exit code 1 and a sentence that names
# the kernel, the PTX line, the warp and the rule; with d2ma.errors=count nothing is transferred and the run goes on, the
# same under every engine. Re-ignition as the paper has it corrupts data where safe re-ignition does not.
. tests/kit/shell.sh
cd "$work"

cat >program.c <<'C'
/* Launches $KERNEL(words, out) with 2 CTAs of 96 threads; prints out[0..3]. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 1; } } while (0)
int main(void) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction function; CUdeviceptr in, out;
  static unsigned words[16384], result[192];
  for (unsigned i = 0; i < 16384; i++) words[i] = i + 1;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, "kernel.ptx"));
  CHECK(cuModuleGetFunction(&function, module, getenv("KERNEL")));
  CHECK(cuMemAlloc(&in, sizeof words));
  CHECK(cuMemAlloc(&out, sizeof result));
  CHECK(cuMemcpyHtoD(in, words, sizeof words));
  CHECK(cuMemsetD32(out, 7, 192));
  CHECK(cuLaunchKernel(function, 2, 1, 1, 96, 1, 1, 0, 0, (void *[]){&in, &out}, 0));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(result, out, sizeof result));
  printf("%u %u %u %u\n", result[0], result[1], result[2], result[3]);
  return 0;
}
C
cat >kernel.cu <<'C'
#include "tandem_device.h"
#define KERNEL(name, ...)                                                       \
  extern "C" __global__ void name(const unsigned *in, unsigned *out) {          \
    __shared__ unsigned tile[1024];                                             \
    tile[threadIdx.x] = 9;                                                      \
    __syncthreads();                                                            \
    dma_set_datatype_int(0);                                                    \
    __VA_ARGS__;                                                                \
    out[blockIdx.x * 96 + threadIdx.x] = tile[threadIdx.x];                     \
  }
KERNEL(right, dma_configure_flat_unit_stride(tile, in, 96, 0))
KERNEL(unconfigured, dma_execute(tile, in, 2))
KERNEL(no_buffer, dma_configure_flat_unit_stride(tile, in, 96, 4))
KERNEL(too_long, dma_configure_flat_unit_stride(tile, in, 1025, 0))
KERNEL(wide_halo, dma_set_halo(1, 9, 9, 0, 0); dma_configure_2d(tile, in + 100, 8, 8, 32, 0))
KERNEL(divergent, if (threadIdx.x >= 32) { dma_configure_flat_unit_stride(tile, in, 96, 0); dma_execute(tile, in + 96, 0); } __syncthreads())
KERNEL(in_flight, dma_configure_flat_unit_stride(tile, in, 96, 0); dma_set_datatype_int(0); dma_configure_flat_unit_stride(tile, in, threadIdx.x < 64 ? 64 : 32, 0))
KERNEL(elsewhere, dma_configure_flat_unit_stride(tile, in + (1 << 29), 96, 0))
C
sed -n 's/^KERNEL(\([a-z_]*\),.*/\1/p' kernel.cu >kernels
to_ptx kernel.cu kernel.ptx -O2 || fail_showing log "the kernels do not compile"
host_program program.c program

run() { # run KERNEL OPTION...: status, log
  export KERNEL=$1
  shift
  status=0
  "$tandem" run ./program -c small --system d2ma --out out "$@" >log 2>&1 || status=$?
}
# broken KERNEL RULE: the sentence names all four, whatever the engine
broken() {
  run "$1"
  [ $status = 1 ] || fail_showing log "$1: exit $status instead of 1"
  grep -qE "^tandem: .*kernel[.]ptx:[0-9]+: kernel '$1', .*: warp [0-2] of CTA \([01],0,0\): $2" log || fail_showing log "$1: no sentence with '$2'"
  line=$(sed -n 's/^tandem: .*kernel[.]ptx:\([0-9]*\): kernel.*/\1/p' log)
  sed -n "$((line)),$((line + 8))p" kernel.ptx | grep -q 'call\|dma_' || fail "$1: line $line of the PTX calls nothing"
  jq -e '.verdict.result == "fault"' out/run.json >/dev/null || fail "$1: the verdict of run.json is not fault"
  grep '^tandem: ' log >want
  run "$1" --engine '*=rtl'
  grep '^tandem: ' log | cmp -s - want || { cat want log; fail "$1: the RTL ends otherwise"; }
  # counted only: refused, and everything else goes on
  run "$1" --set d2ma.errors=count
  [ $status = 0 ] || fail_showing log "$1: exit $status with d2ma.errors=count"
  jq -e '.statistics.sm.d2ma_program_errors > 0' out/run.json >/dev/null || fail "$1: nothing counted"
  [ -z "${3-}" ] || grep -qx "$3" log || fail_showing log "$1: not '$3'"
  jq -S .statistics out/run.json >c.json
  run "$1" --set d2ma.errors=count --engine '*=lockstep'
  jq -S .statistics out/run.json | cmp -s - c.json || fail "$1: lockstep counts otherwise"
}
run right
[ $status = 0 ] && grep -qx '1 2 3 4' log || fail_showing log "the right kernel fails"
broken unconfigured "buffer 2 is executed before it was configured" "9 9 9 9"
broken no_buffer "there is no buffer 4" "9 9 9 9"
broken too_long "the buffer, halo and pads included, ends beyond" "9 9 9 9"
broken wide_halo "the halo is wider than the tile" "9 9 9 9"
broken divergent "not every warp of the CTA executes"
broken in_flight "operands differ from those with which line"
broken elsewhere "the transfer reads 0x"
[ "$(wc -l <kernels)" = 8 ] || fail "a kernel was added and not run"

# the kernel of the paper's figure 8; warps without rows run ahead, and the first of them refills the vector's buffer while
# others still read it
must "$tandem" run sgemv:m=300,n=2048 --system d2ma --out out
status=0
"$tandem" run sgemv:m=300,n=2048 --system d2ma --set d2ma.reignition=literal --out out >log 2>&1 || status=$?
[ $status = 1 ] && grep -q 'wrong elements' log || fail_showing log "early re-ignition went unnoticed (exit $status)"
jq -e '.verdict.result == "fail" and .statistics.sm.d2ma_program_errors == 0' out/run.json >/dev/null || fail "the verdict is not fail"
echo "misuse ends the run, early re-ignition corrupts data"
