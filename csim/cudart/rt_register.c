/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: fat binaries, kernels and variables as constructors of compiled programs register them. A module is loaded when the
 * first kernel or variable of it is needed, so that a program whose module is refused still runs as far as it does not use it. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* As nvcc's header fatbinary_section.h publishes it. */
enum { WRAPPER_MAGIC = 0x466243b1, WRAPPER_LINKED = 2, FATBIN_MAGIC = 0xba55ed50 };
struct wrapper {
  uint32_t magic, version;
  const void *fatbin;
  const void *const *linked; /* of version 2: fat binaries with relocatable code, up to a NULL */
};

enum { SLOTS = 1024 };
static struct rt_binary *binaries;
static struct rt_symbol *symbols[SLOTS]; /* by address of the host */

static struct rt_symbol **slot_of(const void *host) {
  return &symbols[((uintptr_t)host >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static struct rt_symbol *find(const void *host) {
  struct rt_symbol *s = *slot_of(host);
  while (s && s->host != host) s = s->next;
  return s;
}

/* ---- relocatable code ---- */

static size_t fatbin_bytes(const uint8_t *fatbin) {
  uint16_t header;
  uint64_t bytes;
  memcpy(&header, fatbin + 6, sizeof header);
  memcpy(&bytes, fatbin + 8, sizeof bytes);
  return header + bytes;
}

static CUresult link_objects(const struct wrapper *w, CUlinkState *link) {
  CUresult result = cuLinkCreate(0, NULL, NULL, link);
  for (const void *const *part = w->linked; part && *part && !result; part++) {
    uint32_t magic;
    memcpy(&magic, *part, sizeof magic);
    result = magic != FATBIN_MAGIC ? CUDA_ERROR_INVALID_IMAGE
                                   : cuLinkAddData(*link, CU_JIT_INPUT_FATBINARY, (void *)(uintptr_t)*part,
                                                   fatbin_bytes(*part), "object", 0, NULL, NULL);
  }
  return result;
}

/* Kernels that launch kernels are always relocatable code, of which the linker takes only what it can serve. */
static void check_objects(void) {
  rt_lock();
  for (struct rt_binary *b = binaries; b; b = b->next) {
    const struct wrapper *w = b->wrapper;
    CUlinkState link = NULL;
    if (w->magic != WRAPPER_MAGIC || w->version != WRAPPER_LINKED || b->module || b->refused) continue;
    b->refused = (cudaError_t)link_objects(w, &link);
    if (link) cuLinkDestroy(link);
  }
  rt_unlock();
}

/* ---- what constructors call; they have no error to return ---- */

RT_API void **__cudaRegisterFatBinary(void *wrapper) {
  struct rt_binary *b = calloc(1, sizeof *b);
  if (!b) {
    rt_complain(cudaErrorMemoryAllocation, __func__, "out of memory");
    abort();
  }
  rt_at_first_context(check_objects);
  rt_lock();
  *b = (struct rt_binary){.next = binaries, .wrapper = wrapper};
  binaries = b;
  rt_unlock();
  return (void **)b;
}

RT_API void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

static void add(void **handle, const void *host, const char *name, size_t bytes, int kind) {
  struct rt_symbol *s = calloc(1, sizeof *s);
  if (!s) {
    rt_complain(cudaErrorMemoryAllocation, name, "out of memory for its registration");
    abort();
  }
  rt_lock();
  struct rt_symbol **slot = slot_of(host);
  *s = (struct rt_symbol){.next = *slot, .host = host, .name = name, .binary = (struct rt_binary *)handle};
  s->bytes = bytes;
  s->kind = kind;
  *slot = s;
  rt_unlock();
}

RT_API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int thread_limit,
                                   void *tid, void *bid, dim3 *block, dim3 *grid, int *warp) {
  (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  add(handle, host, name, 0, RT_KERNEL);
}

RT_API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t bytes,
                              int constant, int global) {
  (void)device, (void)ext, (void)constant, (void)global;
  add(handle, host, name, bytes, RT_VARIABLE);
}

/* `host` is a pointer of the program that gets the variable's address. */
RT_API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext, size_t bytes,
                                     int constant, int global) {
  (void)device, (void)ext, (void)constant, (void)global;
  add(handle, host, name, bytes, RT_MANAGED);
}

RT_API void __cudaUnregisterFatBinary(void **handle) {
  rt_lock();
  for (size_t i = 0; i < SLOTS; i++)
    for (struct rt_symbol **link = &symbols[i], *s; (s = *link);) {
      if (s->binary != (struct rt_binary *)handle) {
        link = &s->next;
        continue;
      }
      *link = s->next;
      free(s);
    }
  for (struct rt_binary **link = &binaries, *b; (b = *link); link = &b->next) {
    if (b != (struct rt_binary *)handle) continue;
    *link = b->next;
    if (b->module) cuModuleUnload(b->module); /* an error means that the driver has ended before */
    free(b);
    break;
  }
  rt_unlock();
}

/* ---- modules ---- */

/* Relocatable device code: the objects' PTX is linked here, as the driver's linker does it. */
static CUresult load_linked(const struct wrapper *w, CUmodule *module) {
  CUlinkState link = NULL;
  void *image;
  CUresult result = link_objects(w, &link);
  if (!result) result = cuLinkComplete(link, &image, NULL);
  if (!result) result = cuModuleLoadData(module, image);
  if (link) cuLinkDestroy(link);
  return result;
}

static CUresult load(const struct rt_binary *b, CUmodule *module) {
  const struct wrapper *w = b->wrapper;
  if (w->magic != WRAPPER_MAGIC) return CUDA_ERROR_INVALID_IMAGE;
  return w->version == WRAPPER_LINKED ? load_linked(w, module) : cuModuleLoadFatBinary(module, w);
}

/* The pointers through which the host reaches managed variables. */
static CUresult place_managed(struct rt_binary *b) {
  for (size_t i = 0; i < SLOTS; i++)
    for (struct rt_symbol *s = symbols[i]; s; s = s->next) {
      if (s->binary != b || s->kind != RT_MANAGED) continue;
      CUresult result = cuModuleGetGlobal(&s->address, &s->bytes, b->module, s->name);
      if (result) return result;
      *(void **)(uintptr_t)s->host = (void *)(uintptr_t)s->address;
    }
  return CUDA_SUCCESS;
}

/* With the lock. */
static cudaError_t need(struct rt_binary *b) {
  if (b->module) return cudaSuccess;
  if (!b->refused) b->refused = (cudaError_t)load(b, &b->module);
  if (!b->refused) b->refused = (cudaError_t)place_managed(b);
  return b->refused;
}

void rt_forget_modules(void) {
  rt_lock();
  for (struct rt_binary *b = binaries; b; b = b->next) b->module = NULL, b->refused = cudaSuccess;
  for (size_t i = 0; i < SLOTS; i++)
    for (struct rt_symbol *s = symbols[i]; s; s = s->next) s->function = NULL, s->address = 0;
  rt_unlock();
}

/* Called before the host's first access to a managed variable of the binary. */
RT_API char __cudaInitModule(void **handle) {
  if (rt_begin()) return 0;
  rt_lock();
  cudaError_t error = need((struct rt_binary *)handle);
  rt_unlock();
  return !rt_fail(error);
}

/* ---- look-ups ---- */

static cudaError_t find_function(struct rt_symbol *s) {
  if (s->function) return cudaSuccess;
  cudaError_t error = need(s->binary);
  if (!error && cuModuleGetFunction(&s->function, s->binary->module, s->name)) error = cudaErrorInvalidDeviceFunction;
  return error;
}

cudaError_t rt_function(const void *kernel, CUfunction *function) {
  rt_lock();
  struct rt_symbol *s = find(kernel);
  cudaError_t error = !s                     ? cudaErrorInvalidDeviceFunction
                      : s->kind == RT_KERNEL ? find_function(s)
                                             : cudaErrorInvalidDeviceFunction;
  if (!error) *function = s->function;
  rt_unlock();
  if (s || !kernel) return error;
  return cuKernelGetFunction(function, (CUkernel)(uintptr_t)kernel) ? error : cudaSuccess; /* a handle of the driver */
}

static cudaError_t find_variable(struct rt_symbol *s) {
  if (s->address) return cudaSuccess;
  cudaError_t error = need(s->binary);
  if (!error && cuModuleGetGlobal(&s->address, &s->bytes, s->binary->module, s->name)) error = cudaErrorInvalidSymbol;
  return error;
}

cudaError_t rt_variable(const void *symbol, CUdeviceptr *address, size_t *bytes) {
  rt_lock();
  struct rt_symbol *s = find(symbol);
  cudaError_t error = s && s->kind != RT_KERNEL ? find_variable(s) : cudaErrorInvalidSymbol;
  if (!error) *address = s->address, *bytes = s->bytes;
  rt_unlock();
  return error;
}

RT_API cudaError_t cudaGetFuncBySymbol(CUfunction *function, const void *kernel) {
  RT_BEGIN();
  return rt_fail(function ? rt_function(kernel, function) : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *kernel) {
  CUfunction function;
  RT_BEGIN();
  if (!handle) return rt_fail(cudaErrorInvalidValue);
  cudaError_t error = rt_function(kernel, &function);
  if (!error) *handle = (cudaKernel_t)(void *)function; /* in the driver both are the same */
  return rt_fail(error);
}

/* What a compiled launch keeps for good. A function would be lost with a reset of the device, so it is the stub's address. */
RT_API cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *kernel) {
  *handle = (cudaKernel_t)(uintptr_t)kernel;
  return cudaSuccess;
}

RT_API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  CUdeviceptr at;
  size_t bytes;
  RT_BEGIN();
  if (!address) return rt_fail(cudaErrorInvalidValue);
  cudaError_t error = rt_variable(symbol, &at, &bytes);
  if (!error) *address = (void *)(uintptr_t)at;
  return rt_fail(error);
}

RT_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  CUdeviceptr at;
  RT_BEGIN();
  return rt_fail(bytes ? rt_variable(symbol, &at, bytes) : cudaErrorInvalidValue);
}
