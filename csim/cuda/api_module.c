/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: modules, functions, launches. */
#include "api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Without a system an extension call is an unknown external function, as on a real driver. */
static const struct ptx_extension no_extensions[] = {{0}};

static CUresult load(struct cuda_driver *d, const char *file, const char *text, size_t length, CUmodule *module) {
  const struct system_ops *system = d->sim->session.system;
  struct err e = {0};
  CUmodule m = calloc(1, sizeof *m);
  if (!m) return CUDA_ERROR_OUT_OF_MEMORY;
  if (ptx_module_load(file, text, length, system && system->extensions ? system->extensions : no_extensions,
                      &d->sim->memory, &m->ptx, &e)) {
    free(m);
    simulator_note(d->sim, RUN_INPUT, e.text);
    return cuda_complain(CUDA_ERROR_INVALID_PTX, &e);
  }
  m->next = d->modules;
  d->modules = m;
  *module = m;
  return CUDA_SUCCESS;
}

/* The link that holds `module`, or NULL: handles come from the program, so they are looked up and not believed. */
static CUmodule *find_module(struct cuda_driver *d, CUmodule module) {
  for (CUmodule *link = &d->modules; *link; link = &(*link)->next)
    if (*link == module) return link;
  return NULL;
}

static const struct ptx_kernel *find_kernel(const struct cuda_driver *d, CUfunction function) {
  for (const struct CUmod_st *m = d->modules; m; m = m->next)
    for (uint32_t i = 0; i < ptx_module_n_kernels(m->ptx); i++)
      if ((CUfunction)(uintptr_t)ptx_module_kernel_at(m->ptx, i) == function) return ptx_module_kernel_at(m->ptx, i);
  return NULL;
}

static void unload(struct cuda_driver *d, CUmodule *link) {
  CUmodule m = *link;
  cuda_drop_module_textures(d, m);
  *link = m->next;
  ptx_module_free(m->ptx);
  free(m);
}

void cuda_unload_all(struct cuda_driver *d) {
  while (d->modules) unload(d, &d->modules);
}

CUDA_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  static const unsigned char elf[] = {0x7f, 'E', 'L', 'F'}, fatbin[] = {0x50, 0xed, 0x55, 0xba};
  CUDA_CALL(true);
  if (!module || !image) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!memcmp(image, elf, sizeof elf) || !memcmp(image, fatbin, sizeof fatbin)) {
    struct err e = {0};
    err_set(&e, ERR_UNSUPPORTED, "the module is a binary (cubin or fatbin); load PTX text (clang -S or nvcc --ptx)");
    return cuda_leave(cuda_complain(CUDA_ERROR_INVALID_IMAGE, &e));
  }
  return cuda_leave(load(d, "module.ptx", image, strlen(image), module));
}

CUDA_API CUresult cuModuleLoad(CUmodule *module, const char *file) {
  CUDA_CALL(true);
  if (!module || !file) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  FILE *f = fopen(file, "rb");
  struct err e = {0};
  if (!f) {
    err_set(&e, ERR_FILE, "cannot read %s: %s", file, strerror(errno));
    return cuda_leave(cuda_complain(CUDA_ERROR_FILE_NOT_FOUND, &e));
  }
  char *text = NULL;
  size_t size = 0;
  ssize_t length = getdelim(&text, &size, EOF, f);
  fclose(f);
  CUresult result = length < 0 ? CUDA_ERROR_INVALID_IMAGE : load(d, file, text, (size_t)length, module);
  free(text);
  return cuda_leave(result);
}

CUDA_API CUresult cuModuleUnload(CUmodule module) {
  CUDA_CALL(true);
  CUmodule *link = find_module(d, module);
  if (!link) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  unload(d, link);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  CUDA_CALL(true);
  if (!function || !name) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!find_module(d, module)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  const struct ptx_kernel *kernel = ptx_module_kernel(module->ptx, name);
  *function = (CUfunction)(uintptr_t)kernel; /* a function is the kernel itself: nothing to free */
  return cuda_leave(kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUDA_API CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  CUDA_CALL(true);
  if (!name) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!find_module(d, module)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  uint64_t size = 0, at = ptx_module_global(module->ptx, name, &size);
  if (at && address) *address = at;
  if (at && bytes) *bytes = (size_t)size;
  return cuda_leave(at ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUDA_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  CUDA_CALL(true);
  const struct ptx_kernel *kernel = find_kernel(d, function);
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!kernel) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = kernel->max_threads ? (int)kernel->max_threads : 1024; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)kernel->shared_bytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)kernel->local_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)kernel->live_registers; break;
    default: return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  }
  return cuda_leave(CUDA_SUCCESS);
}

/* Collects the parameters of either style into `bytes` (kernel->param_bytes). */
static CUresult gather_params(const struct ptx_kernel *kernel, void **params, void **extra, uint8_t *bytes) {
  if (params && extra) return CUDA_ERROR_INVALID_VALUE; /* one style or the other */
  if (!kernel->n_params) return CUDA_SUCCESS;
  if (params) {
    for (uint32_t i = 0; i < kernel->n_params; i++) {
      if (!params[i]) return CUDA_ERROR_INVALID_VALUE;
      memcpy(bytes + kernel->param_offset[i], params[i], kernel->param_size[i]);
    }
    return CUDA_SUCCESS;
  }
  const void *buffer = NULL;
  size_t size = 0;
  for (void **x = extra; x && *x != CU_LAUNCH_PARAM_END; x += 2) {
    if (*x == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = x[1];
    else if (*x == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *(size_t *)x[1];
    else return CUDA_ERROR_INVALID_VALUE;
  }
  if (!buffer || size < kernel->param_bytes) return CUDA_ERROR_INVALID_VALUE;
  memcpy(bytes, buffer, kernel->param_bytes);
  return CUDA_SUCCESS;
}

static CUresult result_of(int status, const struct err *e) {
  switch (status) {
    case 0: return CUDA_SUCCESS;
    case ERR_VALUE: return CUDA_ERROR_INVALID_VALUE;
    case ERR_LIMIT: return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case ERR_INTERNAL: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case ERR_FAULT: /* the fault's own words are the only place that says of which kind it is */
      if (strstr(e->text, "misaligned")) return CUDA_ERROR_MISALIGNED_ADDRESS;
      return strstr(e->text, "illegal") ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_LAUNCH_FAILED;
    default: return CUDA_ERROR_LAUNCH_FAILED;
  }
}

/* After these the context is lost: every later call answers the same. */
static bool is_sticky(int status) { return status == ERR_FAULT || status == ERR_CHECK || status == ERR_INTERNAL; }

CUDA_API CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                 unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                 unsigned int shared_bytes, CUstream stream, void **params, void **extra) {
  (void)stream;
  const uint32_t grid[3] = {grid_x, grid_y, grid_z}, block[3] = {block_x, block_y, block_z};
  CUDA_CALL(true);
  const struct ptx_kernel *kernel = find_kernel(d, function);
  if (!kernel) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  uint64_t threads = (uint64_t)block_x * block_y * block_z;
  if (!threads || threads > 1024 || !grid_x || !grid_y || !grid_z || grid_y > 65535 || grid_z > 65535 || block_z > 64)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  uint8_t *bytes = calloc(1, kernel->param_bytes + 8U);
  if (!bytes) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  CUresult result = gather_params(kernel, params, extra, bytes);
  if (!result) {
    struct err e = {0};
    int status = simulator_launch(d->sim, kernel, grid, block, shared_bytes, bytes, &e);
    result = result_of(status, &e);
    if (status && status != ERR_CHECK) cuda_complain(result, &e);
    if (is_sticky(status)) d->sticky = result;
  }
  free(bytes);
  return cuda_leave(result);
}

CUDA_ALIAS(cuModuleGetGlobal_v2, "cuModuleGetGlobal");
