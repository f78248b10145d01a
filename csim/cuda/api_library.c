/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: calls about modules and libraries. A library is a module of its own; it is
 * loaded at once, whatever its options say. */
#include "api.h"

#include "base/in_file.h"

#include <stdlib.h>

static CUresult load_image(CUmodule *module, const void *image, unsigned int n, CUjit_option *options, void **values) {
  CUDA_CALL(true);
  struct cuda_jit j;
  if (!module || !image) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_jit_options(&j, n, options, values);
  return cuda_leave(result ? result : cuda_jit_load(d, NULL, image, SIZE_MAX, &j, module));
}

static CUresult load_file(struct cuda_driver *d, CUmodule *module, const char *file, struct cuda_jit *j) {
  struct err e = {0};
  size_t bytes;
  char *image = in_file_read(file, &bytes, &e);
  if (!image) {
    simulator_note(d->sim, RUN_INPUT, e.text);
    return cuda_complain(CUDA_ERROR_FILE_NOT_FOUND, &e);
  }
  CUresult result = cuda_jit_load(d, file, image, bytes, j, module);
  free(image);
  return result;
}

CUDA_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return load_image(module, image, 0, NULL, NULL);
}

CUDA_API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *options,
                                     void **values) {
  return load_image(module, image, n, options, values);
}

CUDA_API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return load_image(module, image, 0, NULL, NULL);
}

CUDA_API CUresult cuModuleLoad(CUmodule *module, const char *file) {
  CUDA_CALL(true);
  struct cuda_jit j;
  if (!module || !file) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_jit_options(&j, 0, NULL, NULL);
  return cuda_leave(result ? result : load_file(d, module, file, &j));
}

/* Begins a call about a module. */
#define MODULE_CALL(module) \
  CUDA_CALL(true);          \
  if (!cuda_module_link(d, module)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE)

CUDA_API CUresult cuModuleUnload(CUmodule module) {
  MODULE_CALL(module);
  if (module->library) return cuda_leave(CUDA_ERROR_NOT_PERMITTED); /* it is unloaded with its library */
  cuda_module_unload(d, cuda_module_link(d, module));
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  MODULE_CALL(module);
  if (!function || !name) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUfunction f = cuda_module_function(module, name);
  if (f) *function = f;
  return cuda_leave(f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUDA_API CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module) {
  MODULE_CALL(module);
  if (!count) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *count = ptx_module_n_kernels(module->ptx);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int n, CUmodule module) {
  MODULE_CALL(module);
  if (!functions || !n) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (uint32_t i = 0; i < n && i < ptx_module_n_kernels(module->ptx); i++) functions[i] = &module->functions[i];
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult find_global(CUmodule module, CUdeviceptr *address, size_t *bytes, const char *name) {
  if (!name || (!address && !bytes)) return CUDA_ERROR_INVALID_VALUE;
  uint64_t size = 0, at = ptx_module_global(module->ptx, name, &size);
  if (at && address) *address = at;
  if (at && bytes) *bytes = (size_t)size;
  return at ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUDA_API CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  MODULE_CALL(module);
  return cuda_leave(find_global(module, address, bytes, name));
}

CUDA_API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  CUDA_CALL(false);
  if (!mode) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *mode = CU_MODULE_EAGER_LOADING;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- libraries ---- */

static CUresult make_library(struct cuda_driver *d, CUlibrary *library, CUmodule m) {
  CUlibrary l = cuda_object_new(d, CUDA_LIBRARY, sizeof *l, m->context);
  if (!l) {
    cuda_module_unload(d, cuda_module_link(d, m));
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  l->module = m;
  m->library = l;
  *library = l;
  return CUDA_SUCCESS;
}

/* assumption: a library belongs to the context that is current now; NVIDIA's driver loads it into each context at its first use. */
static CUresult load_library(CUlibrary *library, const char *file, const void *image, unsigned int n,
                             CUjit_option *options, void **values, unsigned int n_library, const CUlibraryOption *of) {
  CUDA_CALL(true);
  struct cuda_jit j;
  CUmodule m = NULL;
  if (!library || (!file && !image) || (n_library && !of)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (unsigned int i = 0; i < n_library; i++)
    if ((unsigned)of[i] >= CU_LIBRARY_NUM_OPTIONS) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_jit_options(&j, n, options, values);
  if (!result) result = file ? load_file(d, &m, file, &j) : cuda_jit_load(d, NULL, image, SIZE_MAX, &j, &m);
  return cuda_leave(m ? make_library(d, library, m) : result);
}

CUDA_API CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values,
                                    unsigned int n, CUlibraryOption *of, void **of_values, unsigned int n_library) {
  (void)of_values;
  return load_library(library, NULL, image, n, options, values, n_library, of);
}

CUDA_API CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options, void **values,
                                        unsigned int n, CUlibraryOption *of, void **of_values, unsigned int n_library) {
  (void)of_values;
  return load_library(library, file, NULL, n, options, values, n_library, of);
}

#define LIBRARY_CALL(library) \
  CUDA_CALL(true);            \
  if (!cuda_object(d, CUDA_LIBRARY, library)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE)

CUDA_API CUresult cuLibraryUnload(CUlibrary library) {
  LIBRARY_CALL(library);
  cuda_module_unload(d, cuda_module_link(d, library->module));
  cuda_object_free(d, CUDA_LIBRARY, library);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  LIBRARY_CALL(library);
  if (!kernel || !name) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUfunction f = cuda_module_function(library->module, name);
  if (f) *kernel = (CUkernel)(void *)f;
  return cuda_leave(f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUDA_API CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
  LIBRARY_CALL(library);
  if (!count) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *count = ptx_module_n_kernels(library->module->ptx);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int n, CUlibrary library) {
  LIBRARY_CALL(library);
  if (!kernels || !n) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (uint32_t i = 0; i < n && i < ptx_module_n_kernels(library->module->ptx); i++)
    kernels[i] = (CUkernel)(void *)&library->module->functions[i];
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  LIBRARY_CALL(library);
  if (!module) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *module = library->module;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  LIBRARY_CALL(library);
  return cuda_leave(find_global(library->module, address, bytes, name));
}

/* No library has .managed variables: they are refused when it is loaded. */
CUDA_API CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  LIBRARY_CALL(library);
  (void)bytes;
  return cuda_leave(address && name ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE);
}

CUDA_ALIAS(cuModuleGetGlobal_v2, "cuModuleGetGlobal");
