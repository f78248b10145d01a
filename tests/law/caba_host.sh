#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_host.sh BUILD_DIR: a program of the driver API beside assist warps. What the host writes to parts of compressed lines, what it frees and
# allocates again, and what launches after each other write, comes out as the host computes it, and no line of an SM differs from memory. A
# launch that ends with a fault while assist warps run ends with its message, and after a reset of the device the next one works.
. tests/kit/shell.sh
cd "$work"

cat >kernels.cu <<'C'
#include "tandem_device.h"
extern "C" __global__ void mix(unsigned *x, const unsigned *y, unsigned n, unsigned rounds) {
  for (unsigned r = 0; r < rounds; r++) {
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    for (; i < n; i += blockDim.x * gridDim.x) x[i] = (x[i] & 0xffff) + (y[n - 1 - i] & 0xff) + r;
  }
}
extern "C" __global__ void fault(unsigned *x, unsigned n, unsigned at) {
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  for (unsigned k = i; k < n; k += blockDim.x * gridDim.x) {
    x[k] = x[k] + 1;
    if (k == at) x[1u << 30] = 0;
  }
}
C
to_ptx kernels.cu kernels.ptx || fail_showing log "the kernels do not compile"
cat >program.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8192, ROUNDS = 2 };

static void check(CUresult r, int line) {
  if (r == CUDA_SUCCESS) return;
  fprintf(stderr, "line %d: error %d\n", line, (int)r);
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, __LINE__)

static unsigned x[N], y[N], back[N];
static CUdeviceptr dx, dy;
static CUfunction mix, fault;

static void launch(void) {
  unsigned n = N, rounds = ROUNDS;
  void *args[] = {&dx, &dy, &n, &rounds};
  CHECK(cuLaunchKernel(mix, 8, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
  for (unsigned r = 0; r < ROUNDS; r++)
    for (unsigned i = 0; i < N; i++) x[i] = (x[i] & 0xffff) + (y[N - 1 - i] & 0xff) + r;
}

static int same(const char *when) {
  CHECK(cuMemcpyDtoH(back, dx, sizeof back));
  for (unsigned i = 0; i < N; i++)
    if (back[i] != x[i]) return printf("%s: word %u is %u, not %u\n", when, i, back[i], x[i]), 0;
  return 1;
}

/* Parts of lines, in several ways. */
static int parts(void) {
  unsigned char bytes[999], part[333];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 37);
  CHECK(cuMemcpyHtoD(dx + 4 * 100 + 3, bytes, 13));
  memcpy((char *)x + 4 * 100 + 3, bytes, 13);
  CHECK(cuMemcpyHtoD(dx + 5001, bytes, sizeof bytes));
  memcpy((char *)x + 5001, bytes, sizeof bytes);
  CHECK(cuMemsetD8(dx + 9999, 0xa5, 77));
  memset((char *)x + 9999, 0xa5, 77);
  CHECK(cuMemcpyDtoD(dx + 20001, dx + 5003, sizeof part));
  memcpy(part, (char *)x + 5003, sizeof part);
  memcpy((char *)x + 20001, part, sizeof part);
  CHECK(cuMemcpyDtoH(part, dx + 5001, sizeof part));
  return !memcmp(part, (char *)x + 5001, sizeof part);
}

static void begin(void) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, "kernels.ptx"));
  CHECK(cuModuleGetFunction(&mix, module, "mix"));
  CHECK(cuModuleGetFunction(&fault, module, "fault"));
  CHECK(cuMemAlloc(&dx, sizeof x));
  CHECK(cuMemAlloc(&dy, sizeof y));
  for (unsigned i = 0; i < N; i++) x[i] = i / 8, y[i] = 1000 + i % 50;
  CHECK(cuMemcpyHtoD(dx, x, sizeof x));
  CHECK(cuMemcpyHtoD(dy, y, sizeof y));
}

/* A launch that faults at word `at`; the device works again after a reset. */
static int fault_at(unsigned at) {
  unsigned words = N;
  void *args[] = {&dx, &words, &at};
  CUresult r = cuLaunchKernel(fault, 8, 1, 1, 256, 1, 1, 0, NULL, args, NULL);
  if (!r) r = cuCtxSynchronize();
  printf("fault: %d, then %d\n", (int)r, (int)cuMemcpyDtoH(back, dx, sizeof back));
  CHECK(cuDevicePrimaryCtxReset(0));
  begin();
  launch();
  return same("launch after the fault") ? 0 : 3;
}

int main(int n, char **argument) {
  begin();
  if (n > 1) return fault_at((unsigned)atoi(argument[1]));
  launch();
  if (!same("first launch") || !parts() || !same("parts")) return 1;
  launch();
  launch();
  if (!same("launch after launch")) return 1;
  /* memory that was compressed is another array's now, with lines that no code can hold */
  CHECK(cuMemFree(dy));
  CHECK(cuMemAlloc(&dy, sizeof y));
  for (unsigned i = 0, v = 1; i < N; i++) y[i] = v = v * 1664525u + 1013904223u;
  CHECK(cuMemcpyHtoD(dy, y, sizeof y));
  launch();
  if (!same("memory that was freed") || !parts()) return 1;
  launch();
  if (!same("last launch")) return 1;
  puts("Result = PASS");
  return 0;
}
C
[ -f "$headers/cuda.h" ] || fail "no cuda.h"
must cc -O1 -I"$headers" program.c -L"$build/lib" -lcuda -o program

caba=(-c caba --set sm.count=2 --set memory.mib=64 --system caba)
for design in caba_bdi caba_best hw_bdi; do
  for more in "" "--set caba.stores=0" "--set caba.stores=4 --set l2.bytes=49152"; do
    [ $design != hw_bdi ] || [ -z "$more" ] || continue
    # shellcheck disable=SC2086
    ends_with 0 "$tandem" run "${caba[@]}" --set caba.design=$design $more --out out -- ./program
    grep -qx 'Result = PASS' stdout || fail_showing stdout "$design $more: another result than the host's"
    [ "$(jq '[.statistics.memory.caba_images_differ] | add' out/run.json)" = 0 ] || fail "$design $more: lines differ from memory"
    rm -r out
  done
done

# a fault at the first word, and later, when lines are on their way and assist warps run
for at in 0 700 3000 6000; do
  for more in "" "--engine sm*.caba_*=lockstep"; do
    # shellcheck disable=SC2086
    status=0
    "$tandem" run "${caba[@]}" --set caba.design=caba_bdi $more --out out -- ./program $at >stdout 2>stderr || status=$?
    [ "$status" -lt 126 ] || fail_showing stderr "fault at word $at $more: ended by a signal ($status)"
    cat stdout >>stderr
    grep -qx 'fault: 700, then 700' stdout || fail_showing stderr "fault at word $at $more: other errors"
    grep -q 'illegal global address' stderr || fail_showing stderr "fault at word $at $more: no word about the address"
    ! grep -qE 'deadlock|launch after the fault' stderr || fail_showing stderr "fault at word $at $more: the next launch does not work"
    rm -rf out
  done
done
echo "a program beside assist warps, and faults"
