/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: functions, which are also the kernels of libraries, and how many of their CTAs fit. */
#include "api.h"

#include <string.h>

enum { BLOCK_MAX = 1024 };

/* Begins a call about the function `f`. */
#define FUNCTION_CALL(handle)              \
  CUDA_CALL(true);                         \
  CUfunction f = cuda_function(d, handle); \
  if (!f) return cuda_leave(CUDA_ERROR_INVALID_HANDLE)

/* Threads of a CTA that the kernel and the GPU configuration allow. */
static uint32_t threads_max(const struct cuda_driver *d, const struct ptx_kernel *k) {
  const struct gpu_config *m = &d->sim->session.config;
  uint32_t threads = m->sm_threads < BLOCK_MAX ? (uint32_t)m->sm_threads : BLOCK_MAX;
  if (k->max_threads && k->max_threads < threads) threads = k->max_threads;
  while (threads > WARP_LANES && !sm_occupancy(m, k, threads, 0, &(struct err){0})) threads -= WARP_LANES;
  return threads;
}

static CUresult attribute_of(const struct cuda_driver *d, const struct CUfunc_st *f, CUfunction_attribute attribute,
                             int *value) {
  const struct ptx_kernel *k = f->kernel;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)threads_max(d, k); break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)k->shared_bytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)k->local_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)sm_thread_registers(&d->sim->session.config, k); break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = (int)ptx_module_target(k->module); break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = (int)d->sim->session.config.compute_capability; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = f->max_dynamic_shared - (int)k->shared_bytes;
      if (*value < 0) *value = 0;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = f->carveout; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: /* constants lie in global memory here */
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

static CUresult set_attribute(const struct cuda_driver *d, CUfunction f, CUfunction_attribute attribute, int value) {
  int64_t room = d->sim->session.config.sm_shared_bytes - (int64_t)f->kernel->shared_bytes;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > room) return CUDA_ERROR_INVALID_VALUE;
      f->max_dynamic_shared = value + (int)f->kernel->shared_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: /* stored, without effect: the GPU configuration fixes the split */
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      f->carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: return value ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

CUDA_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  FUNCTION_CALL(function);
  int got;
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = attribute_of(d, f, attribute, &got);
  if (!result) *value = got;
  return cuda_leave(result);
}

CUDA_API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  FUNCTION_CALL(function);
  return cuda_leave(set_attribute(d, f, attribute, value));
}

CUDA_API CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  FUNCTION_CALL(function);
  return cuda_leave((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUDA_API CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  FUNCTION_CALL(function);
  bool good = (unsigned)config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
  return cuda_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  FUNCTION_CALL(function);
  if (!module) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *module = f->module;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuFuncGetName(const char **name, CUfunction function) {
  FUNCTION_CALL(function);
  if (!name) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *name = f->kernel->name;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuFuncGetParamInfo(CUfunction function, size_t i, size_t *offset, size_t *bytes) {
  FUNCTION_CALL(function);
  if (!offset || i >= f->kernel->n_params) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *offset = f->kernel->param_offset[i];
  if (bytes) *bytes = f->kernel->param_size[i];
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  FUNCTION_CALL(function);
  if (!state) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuFuncLoad(CUfunction function) {
  FUNCTION_CALL(function);
  (void)f;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- kernels of libraries: their handles are functions' ---- */

CUDA_API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  FUNCTION_CALL(kernel);
  if (!function) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *function = f;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  FUNCTION_CALL(kernel);
  if (!library) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!f->module->library) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  *library = f->module->library;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return cuFuncGetName(name, (CUfunction)(void *)kernel);
}

CUDA_API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, attribute, (CUfunction)(void *)kernel);
}

CUDA_API CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute((CUfunction)(void *)kernel, attribute, value);
}

CUDA_API CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig((CUfunction)(void *)kernel, config);
}

CUDA_API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t i, size_t *offset, size_t *bytes) {
  return cuFuncGetParamInfo((CUfunction)(void *)kernel, i, offset, bytes);
}

/* ---- occupancy, of the simulated SM ---- */

static uint32_t blocks_of(const struct cuda_driver *d, const struct CUfunc_st *f, uint32_t threads, size_t shared) {
  bool possible = threads && threads <= threads_max(d, f->kernel) && shared <= UINT32_MAX / 2;
  return possible ? sm_occupancy(&d->sim->session.config, f->kernel, threads, (uint32_t)shared, &(struct err){0}) : 0;
}

CUDA_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                                       size_t shared, unsigned int flags) {
  FUNCTION_CALL(function);
  if (!blocks || threads < 1 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *blocks = (int)blocks_of(d, f, (uint32_t)threads, shared);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                              size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

/* The CTA size with the most resident threads; of equals the largest. The program's callback runs under the lock: it only computes
 * a size and calls no driver function. */
CUDA_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                                            CUoccupancyB2DSize shared_of, size_t shared, int limit,
                                                            unsigned int flags) {
  FUNCTION_CALL(function);
  if (!grid || !block || limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  uint32_t most = 0, best = 0, best_blocks = 0, max = threads_max(d, f->kernel);
  if (limit && (uint32_t)limit < max) max = (uint32_t)limit;
  for (uint32_t threads = max; threads;) {
    uint32_t blocks = blocks_of(d, f, threads, shared_of ? shared_of((int)threads) : shared);
    if (blocks * threads > most) most = blocks * threads, best = threads, best_blocks = blocks;
    threads = (threads - 1) / WARP_LANES * WARP_LANES;
  }
  *block = (int)best;
  *grid = (int)(best_blocks * (uint32_t)d->sim->session.config.sm_count);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t shared, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, limit, 0);
}

CUDA_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction function, int blocks,
                                                          int threads) {
  FUNCTION_CALL(function);
  if (!shared || blocks < 1 || threads < 1) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  int64_t low = -1, high = d->sim->session.config.sm_shared_bytes; /* fits; may not */
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (blocks_of(d, f, (uint32_t)threads, (size_t)middle) >= (uint32_t)blocks) low = middle;
    else high = middle - 1;
  }
  if (low < 0) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *shared = (size_t)low;
  return cuda_leave(CUDA_SUCCESS);
}
