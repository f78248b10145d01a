#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# driver_programs.sh BUILD_DIR: programs as people write them against the driver API (vector addition, matrix product with
# dynamic shared memory, a log of the PTX compiler, an occupancy query, two threads), compiled by plain gcc against NVIDIA's
# cuda.h where it is installed, else ours, run by LD_LIBRARY_PATH with no change.
. tests/kit/shell.sh
include=${CUDA_HOME:-/usr/local/cuda}/include
[ -f "$include/cuda.h" ] || include=$headers
cd "$work"

cat >kernels.cu <<'C'
#include "tandem_device.h"
extern "C" __global__ void VecAdd_kernel(const float *A, const float *B, float *C, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
extern __shared__ float tiles[];
extern "C" __global__ void matrixMul(float *C, const float *A, const float *B, int side, int wA, int wB) {
  float *As = tiles, *Bs = tiles + side * side, sum = 0.f;
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * side + ty, column = blockIdx.x * side + tx;
  for (int t = 0; t < wA; t += side) {
    As[ty * side + tx] = A[row * wA + t + tx];
    Bs[ty * side + tx] = B[(t + ty) * wB + column];
    __syncthreads();
    for (int k = 0; k < side; k++) sum += As[ty * side + k] * Bs[k * side + tx];
    __syncthreads();
  }
  C[row * wB + column] = sum;
}
C
to_ptx kernels.cu kernels.ptx || fail_showing log "the kernels do not compile"

cat >check.h <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void check(CUresult r, const char *what, int line) {
  const char *name = "?", *text = "?";
  if (r == CUDA_SUCCESS) return;
  cuGetErrorName(r, &name);
  cuGetErrorString(r, &text);
  fprintf(stderr, "line %d: %s: %s (%s)\n", line, what, name, text);
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, #call, __LINE__)
static CUcontext open_context(CUdevice device) {
  CUcontext context;
#if CUDA_VERSION >= 13000
  CHECK(cuCtxCreate(&context, NULL, 0, device));
#else
  CHECK(cuCtxCreate(&context, 0, device));
#endif
  return context;
}
C
cat >vectorAddDrv.c <<'C'
#include "check.h"
int main(void) {
  int count, major, minor, N = 5000;
  size_t size = (size_t)N * sizeof(float), memory;
  char name[100];
  CUdevice device; CUmodule module; CUfunction f; CUdeviceptr dA, dB, dC;
  CHECK(cuInit(0));
  CHECK(cuDeviceGetCount(&count));
  if (!count) return 1;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  CHECK(cuDeviceTotalMem(&memory, device));
  printf("%s, %d.%d, %zu MiB\n", name, major, minor, memory >> 20);
  CUcontext context = open_context(device);
  CHECK(cuModuleLoad(&module, "kernels.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "VecAdd_kernel"));
  float *A = malloc(size), *B = malloc(size), *C = malloc(size);
  for (int i = 0; i < N; i++) A[i] = (float)rand() / RAND_MAX, B[i] = (float)rand() / RAND_MAX;
  CHECK(cuMemAlloc(&dA, size));
  CHECK(cuMemAlloc(&dB, size));
  CHECK(cuMemAlloc(&dC, size));
  CHECK(cuMemcpyHtoD(dA, A, size));
  CHECK(cuMemcpyHtoD(dB, B, size));
  void *args[] = {&dA, &dB, &dC, &N};
  CHECK(cuLaunchKernel(f, (N + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(C, dC, size));
  for (int i = 0; i < N; i++) if (C[i] != A[i] + B[i]) return puts("Result = FAIL"), 1;
  CHECK(cuMemFree(dA));
  CHECK(cuMemFree(dB));
  CHECK(cuMemFree(dC));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
  free(A), free(B), free(C);
  puts("Result = PASS");
  return 0;
}
C
cat >matrixMulDrv.c <<'C'
#include "check.h"
#define ALIGN_UP(offset, alignment) (offset) = ((offset) + (alignment)-1) & ~((size_t)(alignment)-1)
int main(void) {
  int side = 16, hA = 48, wA = 64, wB = 32;
  CUdevice device; CUmodule module; CUfunction f; CUdeviceptr dA, dB, dC; CUevent start, stop; CUstream stream;
  float A[48 * 64], B[64 * 32], C[48 * 32], ms;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  open_context(device);
  CHECK(cuModuleLoad(&module, "kernels.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "matrixMul"));
  for (int i = 0; i < hA * wA; i++) A[i] = (float)(i % 7 - 3);
  for (int i = 0; i < wA * wB; i++) B[i] = (float)(i % 5 - 2);
  CHECK(cuMemAlloc(&dA, sizeof A));
  CHECK(cuMemAlloc(&dB, sizeof B));
  CHECK(cuMemAlloc(&dC, sizeof C));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemcpyHtoDAsync(dA, A, sizeof A, stream));
  CHECK(cuMemcpyHtoDAsync(dB, B, sizeof B, stream));
  CHECK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2 * 16 * 16 * 4));
  char buffer[256];
  size_t offset = 0;
#define ADD(value) ALIGN_UP(offset, __alignof(value)), memcpy(buffer + offset, &(value), sizeof(value)), offset += sizeof(value)
  ADD(dC); ADD(dA); ADD(dB); ADD(side); ADD(wA); ADD(wB);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &offset, CU_LAUNCH_PARAM_END};
  CHECK(cuEventCreate(&start, CU_EVENT_BLOCKING_SYNC));
  CHECK(cuEventCreate(&stop, CU_EVENT_BLOCKING_SYNC));
  CHECK(cuEventRecord(start, stream));
  CHECK(cuLaunchKernel(f, wB / side, hA / side, 1, side, side, 1, 2 * side * side * 4, stream, NULL, extra));
  CHECK(cuEventRecord(stop, stream));
  CHECK(cuEventSynchronize(stop));
  CHECK(cuEventElapsedTime(&ms, start, stop));
  CHECK(cuMemcpyDtoHAsync(C, dC, sizeof C, stream));
  CHECK(cuStreamSynchronize(stream));
  for (int y = 0; y < hA; y++)
    for (int x = 0; x < wB; x++) {
      float sum = 0;
      for (int k = 0; k < wA; k++) sum += A[y * wA + k] * B[k * wB + x];
      if (C[y * wB + x] != sum) return printf("C[%d][%d] is %g, not %g\n", y, x, C[y * wB + x], sum), 1;
    }
  if (!(ms > 0 && ms < 1)) return printf("%g ms\n", ms), 1;
  printf("Result = PASS, %g ms\n", ms);
  return 0;
}
C
cat >jitLog.c <<'C'
#include "check.h"
static CUresult build(const char *ptx, CUmodule *module, char *error, char *info, size_t size) {
  CUjit_option options[] = {CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE, CU_JIT_TARGET_FROM_CUCONTEXT};
  void *values[] = {0, info, (void *)size, error, (void *)size, (void *)1, 0};
  return cuModuleLoadDataEx(module, ptx, 7, options, values);
}
int main(void) {
  CUdevice device; CUmodule module; CUlinkState link; CUfunction f; void *cubin; size_t size;
  char error[4096] = "", info[4096] = "", *ptx = malloc(1 << 20);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  open_context(device);
  FILE *file = fopen("kernels.ptx", "r");
  ptx[fread(ptx, 1, (1 << 20) - 1, file)] = 0;
  fclose(file);
  char *bad = strdup(ptx);
  memcpy(strstr(bad, "ld.param"), "frobnica", 8);
  if (build(bad, &module, error, info, sizeof error) != CUDA_ERROR_INVALID_PTX) return puts("bad PTX passes"), 1;
  printf("error log: %s", error);
  if (!strstr(error, "frobnica")) return 1;
  CHECK(build(ptx, &module, error, info, sizeof error));
  printf("info log:\n%s", info);
  if (!strstr(info, "matrixMul")) return 1;
  CHECK(cuModuleUnload(module));
  CHECK(cuLinkCreate(0, NULL, NULL, &link));
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, ptx, strlen(ptx) + 1, "kernels", 0, NULL, NULL));
  CHECK(cuLinkComplete(link, &cubin, &size));
  CHECK(cuModuleLoadData(&module, cubin));
  CHECK(cuLinkDestroy(link));
  CHECK(cuModuleGetFunction(&f, module, "VecAdd_kernel"));
  free(bad), free(ptx);
  puts("Result = PASS");
  return 0;
}
C
cat >occupancy.c <<'C'
#include "check.h"
static size_t two_tiles(int threads) { return 2u * 4u * (size_t)threads; }
int main(void) {
  CUdevice device; CUmodule module; CUfunction f; int sms, threads, warp, blocks, grid, block; size_t shared;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  open_context(device);
  CHECK(cuModuleLoad(&module, "kernels.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "VecAdd_kernel"));
  CHECK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device));
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 192, 0));
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
  printf("192 threads: %d blocks, %d of %d warps; best block %d, grid %d\n", blocks, blocks * 192 / warp, threads / warp, block, grid);
  if (blocks != 8 || grid % sms || block * (grid / sms) != threads) return 1;
  CHECK(cuModuleGetFunction(&f, module, "matrixMul"));
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, two_tiles, 0, 256));
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&shared, f, 2, 256));
  if (block < 32 || block > 256 || shared != 24576) return printf("block %d, shared %zu\n", block, shared), 1;
  puts("Result = PASS");
  return 0;
}
C
cat >twoThreads.c <<'C'
#include "check.h"
#include <pthread.h>
static CUdevice device;
static void *work(void *argument) {
  float *wanted = argument, host[1000];
  int N = 1000;
  CUmodule module; CUfunction f; CUdeviceptr d; CUstream stream; CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CHECK(cuModuleLoad(&module, "kernels.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "VecAdd_kernel"));
  CHECK(cuMemAlloc(&d, sizeof host));
  for (int i = 0; i < N; i++) host[i] = *wanted;
  CHECK(cuMemcpyHtoDAsync(d, host, sizeof host, stream));
  for (int round = 0; round < 8; round++)
    CHECK(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, stream, (void *[]){&d, &d, &d, &N}, NULL));
  CHECK(cuMemcpyDtoHAsync(host, d, sizeof host, stream));
  CHECK(cuStreamSynchronize(stream));
  for (int i = 0; i < N; i++) if (host[i] != 256 * *wanted) return argument;
  CHECK(cuMemFree(d));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  return NULL;
}
int main(void) {
  pthread_t a, b;
  float one = 1, three = 3;
  void *wrong_a, *wrong_b;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &three);
  pthread_join(a, &wrong_a);
  pthread_join(b, &wrong_b);
  puts(wrong_a || wrong_b ? "Result = FAIL" : "Result = PASS");
  return wrong_a || wrong_b ? 1 : 0;
}
C
export ASAN_OPTIONS=detect_leaks=0 # programs as people write them
for program in vectorAddDrv matrixMulDrv jitLog occupancy twoThreads; do
  host_program $program.c $program -w -pthread -I"$include"
  LD_LIBRARY_PATH=$build/lib/tandem ./$program >log 2>&1 || fail_showing log "$program fails"
  grep -q "Result = PASS" log || fail_showing log "$program says nothing"
done

# the library found by its name and its entry points by theirs, as programs do that must start without a GPU
cat >loaded.c <<'C'
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  CUresult (*init)(unsigned) = library ? (CUresult (*)(unsigned))dlsym(library, "cuInit") : 0;
  CUresult (*count)(int *) = library ? (CUresult (*)(int *))dlsym(library, "cuDeviceGetCount") : 0;
  int n = 0;
  return !(init && count && !init(0) && !count(&n) && n == 1);
}
C
host_program loaded.c loaded -w -I"$include" -Wl,--as-needed -ldl
LD_LIBRARY_PATH=$build/lib/tandem ./loaded || fail "the library cannot be loaded by its name"

# progress: forced, one line after another, erased at the end; none in a pipe; one on a terminal
cat >slow.ptx <<'P'
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin() {
  .reg .b32 %r<3>;
  .reg .pred %p<2>;
  mov.u32 %r1, 0;
again:
  add.s32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 40000;
  @%p1 bra again;
  ret;
}
P
cat >slow.c <<'C'
#include "check.h"
int main(void) {
  CUdevice device; CUmodule module; CUfunction f;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  open_context(device);
  CHECK(cuModuleLoad(&module, "slow.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "spin"));
  CHECK(cuLaunchKernel(f, 32, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL));
  return 0;
}
C
host_program slow.c slow -w -I"$include"
export TANDEM_MACHINE=small
LD_LIBRARY_PATH=$build/lib/tandem ./slow 2>silent
[ ! -s silent ] || { cat -v silent; fail "progress in a pipe"; }
LD_LIBRARY_PATH=$build/lib/tandem TANDEM_PROGRESS=1 ./slow 2>shown
tr '\r' '\n' <shown | grep -qE 'spin: [0-9]+/32 CTAs, [0-9]+ cycles, [0-9]+ cycles/s, .*left' || { cat -v shown; fail "no progress"; }
[ "$(tail -c 4 shown | od -An -tx1 | tr -d ' \n')" = 0d1b5b4b ] || { cat -v shown; fail "the line is not erased at the end"; }
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # a container may have no pseudo-terminals
  LD_LIBRARY_PATH=$build/lib/tandem script -qec ./slow terminal >/dev/null </dev/null
  grep -q 'CTAs' terminal || { cat -v terminal; fail "no progress on a terminal"; }
  LD_LIBRARY_PATH=$build/lib/tandem TANDEM_PROGRESS=0 script -qec ./slow terminal >/dev/null </dev/null
  ! grep -q 'CTAs' terminal || fail "progress that was switched off"
fi
echo "vectorAddDrv matrixMulDrv jitLog occupancy twoThreads, by name, progress"
