/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: contexts. Each host thread has its stack of contexts, the top one current. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_PRIORITY_LEAST = 0, STREAM_PRIORITY_GREATEST = -5, API_VERSION_OLD = 3020 };

static CUresult push(CUcontext context) {
  struct cuda_thread *t = cuda_thread();
  if (t->depth == CUDA_THREAD_CONTEXTS) return CUDA_ERROR_OUT_OF_MEMORY;
  t->stack[t->depth++] = context;
  return CUDA_SUCCESS;
}

/* The context if the handle is one that is not destroyed, else NULL. */
static CUcontext find(struct cuda_driver *d, CUcontext handle) {
  CUcontext c = cuda_object(d, CUDA_CONTEXT, handle);
  return c && c->alive ? c : NULL;
}

/* assumption: limits of a GPU of compute capability 7.5; only printf and malloc in kernels would use them. */
static void set_defaults(struct cuda_driver *d, CUcontext c, unsigned int flags, unsigned int version) {
  *c = (struct CUctx_st){
    .object = c->object, .alive = true, .primary = c->primary, .id = ++d->ids, .flags = flags, .api_version = version};
  cuda_runtime_begin(d, c);
  c->limits[CU_LIMIT_STACK_SIZE] = 1024;
  c->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
  c->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
  c->limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
  c->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  c->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
}

void cuda_context_clear(struct cuda_driver *d, CUcontext context) {
  cuda_unload_all(d, context);
  cuda_memory_clear(d, context);
  cuda_objects_free(d, context);
  cuda_proposal_forget(d, context);
}

static void end(struct cuda_driver *d, CUcontext c) {
  cuda_flush_prints(c);
  cuda_runtime_end(c);
  cuda_context_clear(d, c);
  c->alive = false;
  c->retained = 0;
}

static CUresult create(CUcontext *context, unsigned int flags, CUdevice device, unsigned int version) {
  CUDA_CALL(false);
  if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (cuda_thread()->depth == CUDA_THREAD_CONTEXTS) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  CUcontext c = cuda_object_new(d, CUDA_CONTEXT, sizeof *c, NULL);
  if (!c) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  set_defaults(d, c, flags, version);
  *context = c;
  return cuda_leave(push(c));
}

CUDA_API CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  return create(context, flags, device, API_VERSION_OLD);
}

CUDA_API CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params, int n, unsigned int flags,
                                 CUdevice device) {
  if (n < 0 || (n && !params)) return CUDA_ERROR_INVALID_VALUE;
  return n ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : create(context, flags, device, 3030);
}

CUDA_API CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device) {
  if (params && params->numExecAffinityParams) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  if (params && params->cigParams) return CUDA_ERROR_NOT_SUPPORTED;
  return create(context, flags, device, 3040);
}

CUDA_API CUresult cuCtxDestroy(CUcontext context) {
  CUDA_CALL(false);
  CUcontext c = find(d, context);
  if (!c || c->primary) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (cuda_current() == c) cuda_thread()->depth--;
  end(d, c);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxPushCurrent(CUcontext context) {
  CUDA_CALL(false);
  CUcontext c = find(d, context);
  return cuda_leave(c ? push(c) : CUDA_ERROR_INVALID_CONTEXT);
}

CUDA_API CUresult cuCtxPopCurrent(CUcontext *context) {
  CUDA_CALL(false);
  CUcontext c = cuda_current();
  if (!c) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  cuda_thread()->depth--;
  if (context) *context = c;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSetCurrent(CUcontext context) {
  CUDA_CALL(false);
  CUcontext c = find(d, context);
  if (context && !c) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (cuda_thread()->depth) cuda_thread()->depth--;
  return cuda_leave(c ? push(c) : CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetCurrent(CUcontext *context) {
  CUDA_CALL(false);
  if (!context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *context = cuda_current();
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetDevice(CUdevice *device) {
  CUDA_CALL(true);
  if (!device) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *device = 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
  if (!context) return cuCtxGetDevice(device);
  CUDA_CALL(false);
  if (!device) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!find(d, context)) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  *device = 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetFlags(unsigned int *flags) {
  CUDA_CALL(true);
  if (!flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = cuda_current()->flags;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSetFlags(unsigned int flags) {
  CUDA_CALL(true);
  if (flags & ~(unsigned)CU_CTX_FLAGS_MASK) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_current()->flags = flags;
  return cuda_leave(CUDA_SUCCESS);
}

/* In calls that take a context, 0 is the current one. */
static CUcontext named(struct cuda_driver *d, CUcontext context) { return context ? find(d, context) : cuda_current(); }

CUDA_API CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  CUDA_CALL(!context);
  CUcontext c = named(d, context);
  if (!id) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!c) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  *id = c->id;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
  CUDA_CALL(!context);
  CUcontext c = named(d, context);
  if (!version) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!c) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  *version = c->api_version;
  return cuda_leave(CUDA_SUCCESS);
}

CUresult cuda_wait(void) {
  CUDA_CALL(true);
  cuda_flush_prints(cuda_current());
  return cuda_leave(CUDA_SUCCESS); /* launches run to their end in cuLaunchKernel */
}

CUDA_API CUresult cuCtxSynchronize(void) {
  CUDA_CALL(true);
  CUresult held = cuda_capture_forbids_waiting(d);
  if (held) return cuda_leave(held);
  cuda_flush_prints(cuda_current());
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSynchronize_v2(CUcontext context) {
  CUDA_CALL(!context);
  CUcontext c = named(d, context);
  cuda_flush_prints(c);
  return cuda_leave(c ? c->sticky : CUDA_ERROR_INVALID_CONTEXT);
}

CUDA_API CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  CUDA_CALL(true);
  if ((unsigned)limit >= CUDA_LIMITS) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return cuda_leave(CUDA_ERROR_UNSUPPORTED_LIMIT);
  if (limit == CU_LIMIT_MALLOC_HEAP_SIZE && cuda_current()->heap.base)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE); /* a kernel has used the heap */
  cuda_current()->limits[limit] = value;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  CUDA_CALL(true);
  if (!value || (unsigned)limit >= CUDA_LIMITS) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return cuda_leave(CUDA_ERROR_UNSUPPORTED_LIMIT);
  *value = cuda_current()->limits[limit];
  return cuda_leave(CUDA_SUCCESS);
}

/* The sizes of L1 and shared memory are fixed by the GPU configuration: a preference is stored, without effect. */
CUDA_API CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  CUDA_CALL(true);
  if (!config) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *config = cuda_current()->cache;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  CUDA_CALL(true);
  if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_current()->cache = config;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  CUDA_CALL(true);
  if (!config) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  CUDA_CALL(true);
  if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_current()->banks = config;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  CUDA_CALL(true);
  if (least) *least = STREAM_PRIORITY_LEAST;
  if (greatest) *greatest = STREAM_PRIORITY_GREATEST;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxResetPersistingL2Cache(void) { return cuda_wait(); }

CUDA_API CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type) {
  CUDA_CALL(true);
  (void)type;
  return cuda_leave(affinity ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuCtxAttach(CUcontext *context, unsigned int flags) {
  CUDA_CALL(true);
  if (!context || flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *context = cuda_current();
  (*context)->retained++;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxDetach(CUcontext context) {
  CUDA_CALL(false);
  CUcontext c = find(d, context);
  if (!c || c != cuda_current() || c->primary) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (c->retained) {
    c->retained--;
    return cuda_leave(CUDA_SUCCESS);
  }
  cuda_thread()->depth--;
  end(d, c);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  CUDA_CALL(true);
  if (flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  return cuda_leave(find(d, peer) ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT);
}

CUDA_API CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  CUDA_CALL(true);
  return cuda_leave(find(d, peer) ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT);
}

/* ---- the primary context ---- */

static CUresult make_primary(struct cuda_driver *d) {
  if (d->primary) return CUDA_SUCCESS;
  d->primary = cuda_object_new(d, CUDA_CONTEXT, sizeof *d->primary, NULL);
  if (!d->primary) return CUDA_ERROR_OUT_OF_MEMORY;
  d->primary->primary = true;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = make_primary(d);
  if (result) return cuda_leave(result);
  CUcontext c = d->primary;
  if (!c->alive) set_defaults(d, c, c->flags, API_VERSION_OLD);
  c->retained++;
  *context = c;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!d->primary || !d->primary->retained) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!--d->primary->retained) end(d, d->primary);
  return cuda_leave(CUDA_SUCCESS);
}

/* Empties the context; handles of it stay valid. */
CUDA_API CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!d->primary || !d->primary->alive) return cuda_leave(CUDA_SUCCESS);
  uint32_t retained = d->primary->retained;
  end(d, d->primary);
  set_defaults(d, d->primary, d->primary->flags, API_VERSION_OLD);
  d->primary->retained = retained;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (flags & ~(unsigned)CU_CTX_FLAGS_MASK) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = make_primary(d);
  if (!result) d->primary->flags = flags;
  return cuda_leave(result);
}

CUDA_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!flags || !active) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = d->primary ? d->primary->flags : 0;
  *active = d->primary && d->primary->alive;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_ALIAS(cuCtxCreate_v2, "cuCtxCreate");
CUDA_ALIAS(cuCtxDestroy_v2, "cuCtxDestroy");
CUDA_ALIAS(cuCtxPushCurrent_v2, "cuCtxPushCurrent");
CUDA_ALIAS(cuCtxPopCurrent_v2, "cuCtxPopCurrent");
CUDA_ALIAS(cuDevicePrimaryCtxRelease_v2, "cuDevicePrimaryCtxRelease");
CUDA_ALIAS(cuDevicePrimaryCtxReset_v2, "cuDevicePrimaryCtxReset");
CUDA_ALIAS(cuDevicePrimaryCtxSetFlags_v2, "cuDevicePrimaryCtxSetFlags");
