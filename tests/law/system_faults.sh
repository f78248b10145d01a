#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# system_faults.sh BUILD_DIR: under every proposal a launch that faults while the proposal is at work ends soon, with the error of an illegal
# address and its place, and after a reset of the device the next launch gives the host's results.
. tests/kit/shell.sh
cd "$work"

cat >kernels.cu <<'C'
#include "tandem_device.h"
// 28 values that live across barriers: registers that Zorua swaps
extern "C" __global__ void work(unsigned *x, unsigned n, unsigned at) {
  unsigned v[28], i = blockDim.x * blockIdx.x + threadIdx.x;
  for (unsigned k = 0; k < 28; k++) v[k] = x[(i + 32 * k) % n];
  __syncthreads();
  for (unsigned r = 0; r < 3; r++) {
#pragma unroll
    for (unsigned k = 0; k < 28; k++) v[k] = v[k] * 3 + v[(k + 1) % 28];
    if (i == at && r == 2) x[1u << 30] = 0;
    __syncthreads();
  }
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 28; k++) sum ^= v[k];
  x[n + i] = sum;
}
C
to_ptx kernels.cu kernels.ptx || fail_showing log "the kernel does not compile"
cat >program.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 512, CTAS = 8, N = THREADS * CTAS };

static void check(CUresult r, int line) {
  if (r == CUDA_SUCCESS) return;
  fprintf(stderr, "line %d: error %d\n", line, (int)r);
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, __LINE__)

static unsigned x[2 * N], back[2 * N];
static CUdeviceptr dx;
static CUfunction work;

static void begin(void) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, "kernels.ptx"));
  CHECK(cuModuleGetFunction(&work, module, "work"));
  CHECK(cuMemAlloc(&dx, sizeof x));
  for (unsigned i = 0; i < N; i++) x[i] = i * i % 977;
  CHECK(cuMemcpyHtoD(dx, x, sizeof x));
}

static CUresult launch(unsigned at) {
  unsigned n = N;
  void *args[] = {&dx, &n, &at};
  CUresult r = cuLaunchKernel(work, CTAS, 1, 1, THREADS, 1, 1, 0, NULL, args, NULL);
  return r ? r : cuCtxSynchronize();
}

static unsigned expected(unsigned i) {
  unsigned v[28], sum = 0;
  for (unsigned k = 0; k < 28; k++) v[k] = x[(i + 32 * k) % N];
  for (unsigned r = 0; r < 3; r++)
    for (unsigned k = 0; k < 28; k++) v[k] = v[k] * 3 + v[(k + 1) % 28];
  for (unsigned k = 0; k < 28; k++) sum ^= v[k];
  return sum;
}

int main(int n, char **argument) {
  begin();
  if (n > 1) {
    printf("fault: %d\n", (int)launch((unsigned)atoi(argument[1])));
    CHECK(cuDevicePrimaryCtxReset(0));
    begin();
  }
  CHECK(launch(~0u));
  CHECK(cuMemcpyDtoH(back, dx, sizeof back));
  for (unsigned i = 0; i < N; i++)
    if (back[N + i] != expected(i)) return printf("thread %u: %u, not %u\n", i, back[N + i], expected(i)), 1;
  puts("Result = PASS");
  return 0;
}
C
must cc -O1 -I"$headers" program.c -L"$build/lib" -lcuda -o program

while read -r name options; do
  # shellcheck disable=SC2086
  ends_with 0 "$tandem" run $options --set memory.mib=64 --out out -- ./program
  whole=$(cat stdout stderr | grep -o '^  [0-9]* core cycles' | tr -dc 0-9)
  rm -rf out
  for at in 0 1500; do
    status=0
    # shellcheck disable=SC2086
    "$tandem" run $options --set memory.mib=64 --out out -- ./program $at >stdout 2>stderr || status=$?
    cat stdout >>stderr
    [ "$status" -lt 126 ] || fail_showing stderr "$name, thread $at: ended by a signal ($status)"
    grep -qx 'fault: 700' stdout || fail_showing stderr "$name, thread $at: another error than that of an illegal address"
    grep -q 'illegal global address' stderr || fail_showing stderr "$name, thread $at: no word about the address"
    grep -qx 'Result = PASS' stdout || fail_showing stderr "$name, thread $at: the next launch does not give the host's results"
    ! grep -q deadlock stderr || fail_showing stderr "$name, thread $at: a deadlock"
    cycles=$(grep -o '^  [0-9]* core cycles' stderr | head -1 | tr -dc 0-9)
    [ "$cycles" -le $((2 * whole + 10000)) ] || fail "$name, thread $at: $cycles cycles with a launch that faults, $whole without"
    rm -rf out
  done
done <<'RUNS'
none -c gtx480 --set sm.count=2
d2ma -c gtx480 --set sm.count=2 --system d2ma
elastic -c elastic16 --set sm.count=2 --set sm.pipeline=elastic --system elastic
xmem -c xmem --set sm.count=2 --system xmem
teleport -c teleport --set sm.count=2 --system teleport
ldesc -c ldesc_modules --set sm.count=4 --system ldesc
wlm -c gtx480 --set sm.count=2 --set ptx.registers=allocated --set zorua.mechanism=wlm --system zorua
zorua -c gtx480 --set sm.count=2 --set ptx.registers=allocated --set zorua.mechanism=zorua --system zorua
zorua_values -c gtx480 --set sm.count=2 --set ptx.registers=allocated --set zorua.mechanism=zorua --set zorua.values=1 --system zorua
zorua_rtl -c gtx480 --set sm.count=2 --set ptx.registers=allocated --set zorua.mechanism=zorua --system zorua --engine sm*.zorua=lockstep
caba_bdi -c caba --set sm.count=2 --set caba.design=caba_bdi --system caba
hw_bdi -c caba --set sm.count=2 --set caba.design=hw_bdi --system caba
RUNS
echo "faults under every proposal"
