/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: launches, attributes of kernels, occupancy. */
#include "runtime.h"

#include <stdio.h>

/* ---- the configuration between <<<>>> and the stub of the kernel ---- */

struct configuration {
  dim3 grid, block;
  size_t shared;
  CUstream stream;
};
enum { PENDING_MAX = 32 }; /* nested in the arguments of launches */
static _Thread_local struct configuration pending[PENDING_MAX];
static _Thread_local unsigned n_pending;

RT_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream) {
  if (n_pending == PENDING_MAX)
    return (unsigned)rt_complain(cudaErrorInvalidConfiguration, __func__, "launches are nested too deeply");
  pending[n_pending++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

RT_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (!n_pending) return rt_fail(cudaErrorMissingConfiguration);
  const struct configuration *c = &pending[--n_pending];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *(CUstream *)stream = c->stream;
  return cudaSuccess;
}

/* ---- launches ---- */

static bool is_shape(dim3 grid, dim3 block) {
  return grid.x && grid.y && grid.z && block.x && block.y && block.z && grid.x <= INT32_MAX && grid.y <= 65535 &&
         grid.z <= 65535 && block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
         (uint64_t)block.x * block.y * block.z <= 1024;
}

static cudaError_t launch(const void *kernel, const cudaLaunchConfig_t *c, void **arguments) {
  CUfunction function;
  RT_BEGIN();
  cudaError_t error = rt_function(kernel, &function);
  if (error == cudaErrorInvalidDeviceFunction)
    return rt_complain(
      error, "launch",
      "the kernel is not registered with this runtime; its object was not linked with nvcc, or with another runtime library");
  if (error) return rt_fail(error);
  dim3 g = c->gridDim, b = c->blockDim;
  if (!is_shape(g, b)) return rt_fail(cudaErrorInvalidConfiguration);
  if (c->dynamicSmemBytes > UINT32_MAX || (c->numAttrs && !c->attrs)) return rt_fail(cudaErrorInvalidValue);
  const CUlaunchConfig told = {g.x,       g.y,      g.z,        b.x, b.y, b.z, (unsigned)c->dynamicSmemBytes,
                               c->stream, c->attrs, c->numAttrs};
  return rt_note(cuLaunchKernelEx(&told, function, arguments, NULL));
}

RT_API cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                    CUstream stream) {
  const cudaLaunchConfig_t c = {grid, block, shared, stream, NULL, 0};
  return launch(kernel, &c, arguments);
}

RT_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                      CUstream stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

RT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *kernel, void **arguments) {
  return c ? launch(kernel, c, arguments) : rt_fail(cudaErrorInvalidValue);
}

RT_API cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared, CUstream stream) {
  CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
  const cudaLaunchConfig_t c = {grid, block, shared, stream, &cooperative, 1};
  return launch(kernel, &c, arguments);
}

RT_API cudaError_t cudaLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  RT_DRIVER(cuLaunchHostFunc(stream, function, data));
}

RT_OWN(cudaLaunchKernel, _ptsz,
       (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, CUstream stream),
       (kernel, grid, block, arguments, shared, stream))
RT_OWN(__cudaLaunchKernel, _ptsz,
       (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, CUstream stream),
       (kernel, grid, block, arguments, shared, stream))
RT_OWN(cudaLaunchKernelExC, _ptsz, (const cudaLaunchConfig_t *c, const void *kernel, void **arguments),
       (c, kernel, arguments))
RT_OWN(cudaLaunchCooperativeKernel, _ptsz,
       (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, CUstream stream),
       (kernel, grid, block, arguments, shared, stream))
RT_OWN(cudaLaunchHostFunc, _ptsz, (CUstream stream, CUhostFn function, void *data), (stream, function, data))

/* ---- attributes ---- */

/* A call about the kernel that is one call of the driver about `function`. */
#define KERNEL_CALL(kernel, call)                       \
  do {                                                  \
    CUfunction function;                                \
    RT_BEGIN();                                         \
    cudaError_t error = rt_function(kernel, &function); \
    return error ? rt_fail(error) : rt_note(call);      \
  } while (0)

static CUresult attributes_of(struct cudaFuncAttributes *a, CUfunction f) {
  int shared = 0, constant = 0, local = 0;
  const struct {
    int *to;
    CUfunction_attribute attribute;
  } fields[] = {
    {&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
    {&constant, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES},
    {&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
    {&a->maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    {&a->numRegs, CU_FUNC_ATTRIBUTE_NUM_REGS},
    {&a->ptxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION},
    {&a->binaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION},
    {&a->cacheModeCA, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA},
    {&a->maxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
    {&a->preferredShmemCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT},
    {&a->clusterDimMustBeSet, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET},
    {&a->requiredClusterWidth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH},
    {&a->requiredClusterHeight, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT},
    {&a->requiredClusterDepth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH},
    {&a->clusterSchedulingPolicyPreference, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE},
    {&a->nonPortableClusterSizeAllowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED},
  };
  CUresult result = CUDA_SUCCESS;
  *a = (struct cudaFuncAttributes){0};
  for (size_t i = 0; i < sizeof fields / sizeof *fields && !result; i++)
    result = cuFuncGetAttribute(fields[i].to, fields[i].attribute, f);
  a->sharedSizeBytes = (size_t)shared;
  a->constSizeBytes = (size_t)constant;
  a->localSizeBytes = (size_t)local;
  return result;
}

RT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel) {
  if (!a) return rt_fail(cudaErrorInvalidValue);
  KERNEL_CALL(kernel, attributes_of(a, function));
}
RT_API cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value) {
  KERNEL_CALL(kernel, cuFuncSetAttribute(function, (CUfunction_attribute)attribute, value));
}
RT_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute, int value, int device) {
  if (device) return rt_fail(cudaErrorInvalidDevice);
  return cudaFuncSetAttribute(kernel, attribute, value);
}
RT_API cudaError_t cudaFuncSetCacheConfig(const void *kernel, int config) {
  KERNEL_CALL(kernel, cuFuncSetCacheConfig(function, (CUfunc_cache)config));
}
RT_API cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, int config) {
  KERNEL_CALL(kernel, cuFuncSetSharedMemConfig(function, (CUsharedconfig)config));
}
RT_API cudaError_t cudaFuncGetName(const char **name, const void *kernel) {
  KERNEL_CALL(kernel, cuFuncGetName(name, function));
}
RT_API cudaError_t cudaFuncGetParamInfo(const void *kernel, size_t i, size_t *offset, size_t *bytes) {
  KERNEL_CALL(kernel, cuFuncGetParamInfo(function, i, offset, bytes));
}

/* ---- occupancy ---- */

RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads,
                                                                 size_t shared) {
  KERNEL_CALL(kernel, cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared));
}
RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                                          size_t shared, unsigned int flags) {
  KERNEL_CALL(kernel, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags));
}
RT_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *kernel, int blocks,
                                                             int threads) {
  KERNEL_CALL(kernel, cuOccupancyAvailableDynamicSMemPerBlock(shared, function, blocks, threads));
}
