/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: initialisation, device, context, errors. */
#include "api.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The driver API has no handle for itself: one device a process, as the API wants it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_driver driver;

struct cuda_driver *cuda_enter(void) {
  pthread_mutex_lock(&lock);
  return &driver;
}

CUresult cuda_leave(CUresult result) {
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult cuda_ready(const struct cuda_driver *d, bool context) {
  if (!d->sim) return CUDA_ERROR_NOT_INITIALIZED;
  if (d->sticky) return d->sticky;
  return context && !d->current ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuda_complain(CUresult result, const struct err *e) {
  fprintf(stderr, "tandem: %s\n", e->text);
  return result;
}

static void at_exit(void) {
  struct cuda_driver *d = cuda_enter();
  struct err e = {0};
  if (d->sim && d->owner == getpid()) {
    cuda_drop_textures(d);
    cuda_unload_all(d); /* modules live in the simulator's memory */
    if (simulator_finish(d->sim, &e)) fprintf(stderr, "tandem: %s\n", e.text);
  }
  d->sim = NULL;
  cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuInit(unsigned int flags) {
  struct cuda_driver *d = cuda_enter();
  struct err e = {0};
  if (flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (d->sim) return cuda_leave(CUDA_SUCCESS);
  if (simulator_create(&d->sim, &e)) return cuda_leave(cuda_complain(CUDA_ERROR_INVALID_VALUE, &e));
  d->owner = getpid();
  atexit(at_exit); /* last, so that it runs before the destructors of libraries that the simulator loaded */
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDriverGetVersion(int *version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuDeviceGetCount(int *count) {
  CUDA_CALL(false);
  if (!count) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *count = 1;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CUDA_CALL(false);
  if (!device) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (ordinal) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  *device = 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!name || size < 1) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  snprintf(name, (size_t)size, "Tandem %s", d->sim->session.machine_name);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *bytes = (size_t)d->sim->session.machine.memory_mib << 20;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult attribute_of(const struct machine *m, CUdevice_attribute attribute, int64_t *value) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = m->sm_threads < 1024 ? m->sm_threads : 1024; break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *value = 64; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = INT32_MAX; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = 65535; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = m->sm_shared_bytes; break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = WARP_LANES; break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: *value = m->sm_registers; break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = m->core_khz; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = m->sm_count; break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = m->dram_khz; break;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      *value = m->dram_channels * m->dram_bytes_per_clock * 8 / 4;
      break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = m->l2_bytes; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = m->sm_threads; break;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: *value = 1; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 7; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: *value = 256; break; /* api_texture.h */
    case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT: *value = 32; break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  int64_t v = 0;
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  CUresult result = value ? attribute_of(&d->sim->session.machine, attribute, &v) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *value = (int)v;
  return cuda_leave(result);
}

CUDA_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return result ? result : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUDA_API CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  (void)flags;
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  d->current = true;
  *context = &d->context;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxDestroy(CUcontext context) {
  CUDA_CALL(false);
  if (context != &d->context) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  d->current = false;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSetCurrent(CUcontext context) {
  CUDA_CALL(false);
  if (context && context != &d->context) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  d->current = context != NULL;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxGetCurrent(CUcontext *context) {
  CUDA_CALL(false);
  if (!context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *context = d->current ? &d->context : NULL;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuCtxSynchronize(void) {
  CUDA_CALL(true);
  return cuda_leave(CUDA_SUCCESS); /* launches run to their end in cuLaunchKernel */
}

CUDA_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *context = &d->context;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  CUDA_CALL(false);
  return cuda_leave(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}

CUDA_API CUresult cuGetErrorName(CUresult result, const char **name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define X(code, value, sentence) \
  case code: *name = #code; return CUDA_SUCCESS;
    TANDEM_CUDA_ERRORS(X)
#undef X
  }
  *name = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUDA_API CUresult cuGetErrorString(CUresult result, const char **text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define X(code, value, sentence) \
  case code: *text = sentence; return CUDA_SUCCESS;
    TANDEM_CUDA_ERRORS(X)
#undef X
  }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUDA_ALIAS(cuCtxCreate_v2, "cuCtxCreate");
CUDA_ALIAS(cuCtxDestroy_v2, "cuCtxDestroy");
CUDA_ALIAS(cuDevicePrimaryCtxRelease_v2, "cuDevicePrimaryCtxRelease");
CUDA_ALIAS(cuDeviceTotalMem_v2, "cuDeviceTotalMem");
