#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# texture_types.sh BUILD_DIR: tex1Dfetch<T>, tex1D<T> and tex2D<T> of clang's device header return the elements that the host
# stored, for every T.
. tests/kit/shell.sh
cd "$work"

cat >types.h <<'C'
TYPE(float, FLOAT, 1, 4) TYPE(float2, FLOAT, 2, 8) TYPE(float4, FLOAT, 4, 16)
TYPE(int, SIGNED_INT32, 1, 4) TYPE(int2, SIGNED_INT32, 2, 8) TYPE(int4, SIGNED_INT32, 4, 16)
TYPE(uint, UNSIGNED_INT32, 1, 4) TYPE(uint2, UNSIGNED_INT32, 2, 8) TYPE(uint4, UNSIGNED_INT32, 4, 16)
TYPE(char, SIGNED_INT8, 1, 1) TYPE(schar, SIGNED_INT8, 1, 1) TYPE(short, SIGNED_INT16, 1, 2)
TYPE(uchar, UNSIGNED_INT8, 1, 1) TYPE(uchar2, UNSIGNED_INT8, 2, 2) TYPE(uchar4, UNSIGNED_INT8, 4, 4)
TYPE(ushort, UNSIGNED_INT16, 1, 2) TYPE(ushort2, UNSIGNED_INT16, 2, 4) TYPE(ushort4, UNSIGNED_INT16, 4, 8)
C
cat >kernel.cu <<'C'
#include "tandem_device.h"
typedef unsigned uint;
typedef unsigned char uchar;
typedef signed char schar;
typedef unsigned short ushort;
#define TYPE(T, format, channels, bytes)                                                                          \
  extern "C" __global__ void fetch_##T(cudaTextureObject_t linear, cudaTextureObject_t line, cudaTextureObject_t plane, \
                                       T *out) {                                                                  \
    int i = threadIdx.x;                                                                                          \
    out[i] = tex1Dfetch<T>(linear, i);                                                                            \
    out[64 + i] = tex1D<T>(line, (float)i + 0.5f);                                                                \
    out[128 + i] = tex2D<T>(plane, (float)(i % 8) + 0.5f, (float)(i / 8) + 0.5f);                                 \
  }
#include "types.h"
C
cat >program.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <string.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 1; } } while (0)
static int fetch(CUmodule module, const char *name, CUarray_format format, unsigned channels, unsigned bytes) {
  unsigned char elements[64 * 16], got[3 * 64 * 16];
  CUDA_ARRAY_DESCRIPTOR line = {64, 0, format, channels}, plane = {8, 8, format, channels};
  CUDA_RESOURCE_DESC resource[3];
  CUDA_TEXTURE_DESC t;
  CUtexObject object[3];
  CUdeviceptr linear, out;
  CUfunction function;
  for (unsigned i = 0; i < sizeof elements; i++) elements[i] = (unsigned char)(i * 167 + 13 * bytes + (i >> 3));
  memset(resource, 0, sizeof resource);
  memset(&t, 0, sizeof t);
  t.flags = CU_TRSF_READ_AS_INTEGER;
  CHECK(cuMemAlloc(&linear, 64 * bytes));
  CHECK(cuMemAlloc(&out, 3 * 64 * bytes));
  CHECK(cuMemcpyHtoD(linear, elements, 64 * bytes));
  resource[0].resType = CU_RESOURCE_TYPE_LINEAR;
  resource[0].res.linear.devPtr = linear, resource[0].res.linear.format = format;
  resource[0].res.linear.numChannels = channels, resource[0].res.linear.sizeInBytes = 64 * bytes;
  CHECK(cuArrayCreate(&resource[1].res.array.hArray, &line));
  CHECK(cuArrayCreate(&resource[2].res.array.hArray, &plane));
  CHECK(cuMemcpyHtoA(resource[1].res.array.hArray, 0, elements, 64 * bytes));
  CHECK(cuMemcpyHtoA(resource[2].res.array.hArray, 0, elements, 64 * bytes));
  for (int i = 0; i < 3; i++) CHECK(cuTexObjectCreate(&object[i], &resource[i], &t, NULL));
  CHECK(cuModuleGetFunction(&function, module, name));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, (void *[]){&object[0], &object[1], &object[2], &out}, 0));
  CHECK(cuMemcpyDtoH(got, out, 3 * 64 * bytes));
  for (unsigned i = 0; i < 3; i++)
    if (memcmp(got + i * 64 * bytes, elements, 64 * bytes)) return fprintf(stderr, "%s: fetch %u is wrong\n", name, i), 1;
  return 0;
}
int main(void) {
  CUcontext context;
  CUmodule module;
  int n = 0;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, 0, 0));
  CHECK(cuModuleLoad(&module, "kernel.ptx"));
#define TYPE(T, format, channels, bytes) \
  if (fetch(module, "fetch_" #T, CU_AD_FORMAT_##format, channels, bytes)) return 1; n++;
#include "types.h"
  printf("%d types\n", n);
  return 0;
}
C
to_ptx kernel.cu kernel.ptx || fail_showing log "the kernels do not compile"
host_program program.c program
must "$tandem" run ./program -c small
grep -qx "18 types" log || fail_showing log "not 18 types"
echo "texture fetches of 18 types equal what the host stored"
