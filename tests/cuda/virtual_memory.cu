/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and memory apart: two pieces of memory in one range, memory that keeps its bytes while it is mapped nowhere, and misuse. */
#include "check.h"
#include <cuda.h>
#include <vector>

static void is(CUresult got, CUresult wanted, const char *call) {
  if (got == wanted) return;
  fprintf(stderr, "%s gives %d instead of %d\n", call, got, wanted);
  exit(1);
}
#define OK(call) is(call, CUDA_SUCCESS, #call)
#define INVALID(call) is(call, CUDA_ERROR_INVALID_VALUE, #call)

__global__ void count(int *out, int n, int first) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = first + i;
}

static int read_at(CUdeviceptr p, size_t index) {
  int value;
  OK(cuMemcpyDtoH(&value, p + index * sizeof value, sizeof value));
  return value;
}

int main() {
  CHECK(cudaFree(0));
  int supported;
  OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CUmemAllocationProp property = {};
  property.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  property.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t piece;
  OK(cuMemGetAllocationGranularity(&piece, &property, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range, other;
  CUmemGenericAllocationHandle low, high, again;
  OK(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  OK(cuMemAddressReserve(&other, piece, 0, 0, 0));
  OK(cuMemCreate(&low, piece, &property, 0));
  OK(cuMemCreate(&high, piece, &property, 0));
  INVALID(cuMemCreate(&again, piece / 2, &property, 0));
  OK(cuMemMap(range, piece, 0, low, 0));
  OK(cuMemMap(range + piece, piece, 0, high, 0));
  INVALID(cuMemMap(range, piece, 0, low, 0));
  is(cuMemMap(other, piece, 0, low, 0), CUDA_ERROR_NOT_SUPPORTED, "the same memory at a second address");
  INVALID(cuMemMap(range + 256, piece, 0, low, 0));
  int value;
  INVALID(cuMemcpyDtoH(&value, range, sizeof value)); /* nobody may access it yet */
  CUmemAccessDesc access = {property.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(range, 2 * piece, &access, 1));
  unsigned long long flags;
  OK(cuMemGetAccess(&flags, &property.location, range));

  int n = 2 * piece / sizeof(int), wrong = !supported || flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  count<<<4, 256>>>((int *)range, n, 5);
  CHECK(cudaDeviceSynchronize());
  wrong |= read_at(range, 0) != 5 || read_at(range, n - 1) != n + 4;

  OK(cuMemUnmap(range + piece, piece)); /* its bytes stay, and come back elsewhere */
  INVALID(cuMemcpyDtoH(&value, range + piece, sizeof value));
  INVALID(cuMemcpyDtoH(&value, range + piece - 2, sizeof value));
  OK(cuMemMap(other, piece, 0, high, 0));
  OK(cuMemSetAccess(other, piece, &access, 1));
  wrong |= read_at(other, 0) != 5 + n / 2 || read_at(range, 1) != 6;

  OK(cuMemRetainAllocationHandle(&again, (void *)other));
  OK(cuMemRelease(high));
  OK(cuMemRelease(again));
  INVALID(cuMemRelease(again));
  wrong |= read_at(other, 1) != 6 + n / 2; /* mapped memory outlives its handles */
  INVALID(cuMemAddressFree(other, piece)); /* something is mapped there */
  INVALID(cuMemFree(other));
  OK(cuMemUnmap(other, piece));
  OK(cuMemAddressFree(other, piece));
  OK(cuMemUnmap(range, piece));
  OK(cuMemRelease(low));
  OK(cuMemAddressFree(range, 2 * piece));
  return verdict(wrong);
}
