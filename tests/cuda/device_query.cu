// SPDX-License-Identifier: Apache-2.0
// What the device says of itself; properties and attributes must agree.
#include "check.h"
#include <cstring>

static int wrong;

__global__ void architecture(int *is) {
#ifdef __CUDA_ARCH__
  *is = __CUDA_ARCH__ / 10;
#endif
}

// What the kernel was compiled for, not what the device is: templates of libraries choose their kernels by it.
static void compiled_for() {
  cudaFuncAttributes a;
  int *is;
  CHECK(cudaMallocManaged(&is, sizeof *is));
  architecture<<<1, 1>>>(is);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFuncGetAttributes(&a, architecture));
  if (a.ptxVersion != *is || a.binaryVersion < *is)
    fprintf(stderr, "compiled for %d, attributes %d and %d\n", *is, a.ptxVersion, a.binaryVersion), wrong++;
  CHECK(cudaFree(is));
}

static void same(const char *what, long property, cudaDeviceAttr attribute) {
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
  if (value != property) fprintf(stderr, "%s: property %ld, attribute %d\n", what, property, value), wrong++;
}

int main() {
  int count, driver, runtime, device = -1;
  size_t free_bytes, total_bytes;
  cudaDeviceProp p;
  memset(&p, 0xa5, sizeof p);
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&p, 0));
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  printf("%s, compute capability %d.%d, %d SMs, %zu bytes, %zu of constants, bus %d, L2 %d\n", p.name, p.major, p.minor,
         p.multiProcessorCount, p.totalGlobalMem, p.totalConstMem, p.memoryBusWidth, p.l2CacheSize);
  same("SMs", p.multiProcessorCount, cudaDevAttrMultiProcessorCount);
  same("capability", p.major, cudaDevAttrComputeCapabilityMajor);
  same("bus", p.memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  same("threads of a CTA", p.maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
  same("threads of an SM", p.maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
  same("shared memory", p.sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
  same("CTAs", p.maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
  same("grid", p.maxGridSize[1], cudaDevAttrMaxGridDimY);
  same("warp", p.warpSize, cudaDevAttrWarpSize);
  wrong += count != 1 || device != 0 || driver < runtime || runtime != CUDART_VERSION / 1000 * 1000;
  wrong += total_bytes != p.totalGlobalMem || free_bytes > total_bytes || p.reserved[0] != 0;
  FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1));
  compiled_for();
  return verdict(wrong);
}
