/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: libraries that a program loads itself, and the driver's entry points. */
#include "runtime.h"

RT_API cudaError_t cudaLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values,
                                       unsigned int n, CUlibraryOption *of, void **of_values, unsigned int n_library) {
  RT_DRIVER(cuLibraryLoadData(library, image, options, values, n, of, of_values, n_library));
}
RT_API cudaError_t cudaLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options, void **values,
                                           unsigned int n, CUlibraryOption *of, void **of_values,
                                           unsigned int n_library) {
  RT_DRIVER(cuLibraryLoadFromFile(library, file, options, values, n, of, of_values, n_library));
}
RT_API cudaError_t cudaLibraryUnload(CUlibrary library) { RT_DRIVER(cuLibraryUnload(library)); }
RT_API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, CUlibrary library, const char *name) {
  RT_DRIVER(cuLibraryGetKernel(kernel, library, name));
}
RT_API cudaError_t cudaLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
  RT_DRIVER(cuLibraryGetKernelCount(count, library));
}
RT_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int n, CUlibrary library) {
  RT_DRIVER(cuLibraryEnumerateKernels(kernels, n, library));
}

static cudaError_t give(void **to, CUresult result, CUdeviceptr address) {
  if (!result && to) *to = (void *)(uintptr_t)address;
  return rt_note(result);
}
RT_API cudaError_t cudaLibraryGetGlobal(void **at, size_t *bytes, CUlibrary library, const char *name) {
  CUdeviceptr address = 0;
  RT_BEGIN();
  CUresult result = cuLibraryGetGlobal(&address, bytes, library, name);
  return give(at, result, address);
}
RT_API cudaError_t cudaLibraryGetManaged(void **at, size_t *bytes, CUlibrary library, const char *name) {
  CUdeviceptr address = 0;
  RT_BEGIN();
  CUresult result = cuLibraryGetManaged(&address, bytes, library, name);
  return give(at, result, address);
}

/* ---- the driver's entry points ---- */

/* A name that is not there is no error of the call: `status` says it. */
RT_API cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                                    unsigned long long flags, int *status) {
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  cudaError_t error = rt_begin_device();
  if (error) return error;
  if (!symbol || !function) return rt_fail(cudaErrorInvalidValue);
  CUresult result = cuGetProcAddress(symbol, function, (int)version, flags, &found);
  if (status) *status = (int)found;
  return result == CUDA_ERROR_NOT_FOUND && status ? cudaSuccess : rt_note(result);
}
RT_API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, status);
}
RT_OWN(cudaGetDriverEntryPointByVersion, _ptsz,
       (const char *symbol, void **function, unsigned int version, unsigned long long flags, int *status),
       (symbol, function, version, flags, status))
RT_OWN(cudaGetDriverEntryPoint, _ptsz, (const char *symbol, void **function, unsigned long long flags, int *status),
       (symbol, function, flags, status))

RT_API cudaError_t cudaGetExportTable(const void **table, const CUuuid *id) {
  return rt_note(cuGetExportTable(table, id));
}
