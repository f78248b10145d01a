/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: entry points by name, for programs that load the library themselves. */
#include "api.h"

#include <string.h>

struct entry {
  const char *name;
  void (*function)(void);
};

/* `name` is written out because the header maps the identifier to its newest version. */
#define ENTRY(name, function) \
  { name, (void (*)(void))(function) }

static const struct entry entries[] = {
  ENTRY("cuInit", cuInit),
  ENTRY("cuDriverGetVersion", cuDriverGetVersion),
  ENTRY("cuGetErrorName", cuGetErrorName),
  ENTRY("cuGetErrorString", cuGetErrorString),
  ENTRY("cuGetProcAddress", cuGetProcAddress),
  ENTRY("cuDeviceGet", cuDeviceGet),
  ENTRY("cuDeviceGetCount", cuDeviceGetCount),
  ENTRY("cuDeviceGetName", cuDeviceGetName),
  ENTRY("cuDeviceTotalMem", cuDeviceTotalMem),
  ENTRY("cuDeviceGetAttribute", cuDeviceGetAttribute),
  ENTRY("cuDeviceComputeCapability", cuDeviceComputeCapability),
  ENTRY("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain),
  ENTRY("cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease),
  ENTRY("cuCtxCreate", cuCtxCreate),
  ENTRY("cuCtxDestroy", cuCtxDestroy),
  ENTRY("cuCtxSetCurrent", cuCtxSetCurrent),
  ENTRY("cuCtxGetCurrent", cuCtxGetCurrent),
  ENTRY("cuCtxSynchronize", cuCtxSynchronize),
  ENTRY("cuModuleLoad", cuModuleLoad),
  ENTRY("cuModuleLoadData", cuModuleLoadData),
  ENTRY("cuModuleUnload", cuModuleUnload),
  ENTRY("cuModuleGetFunction", cuModuleGetFunction),
  ENTRY("cuModuleGetGlobal", cuModuleGetGlobal),
  ENTRY("cuFuncGetAttribute", cuFuncGetAttribute),
  ENTRY("cuMemAlloc", cuMemAlloc),
  ENTRY("cuMemFree", cuMemFree),
  ENTRY("cuMemGetInfo", cuMemGetInfo),
  ENTRY("cuMemAllocHost", cuMemAllocHost),
  ENTRY("cuMemFreeHost", cuMemFreeHost),
  ENTRY("cuMemcpyHtoD", cuMemcpyHtoD),
  ENTRY("cuMemcpyDtoH", cuMemcpyDtoH),
  ENTRY("cuMemcpyDtoD", cuMemcpyDtoD),
  ENTRY("cuMemcpyHtoDAsync", cuMemcpyHtoDAsync),
  ENTRY("cuMemcpyDtoHAsync", cuMemcpyDtoHAsync),
  ENTRY("cuMemcpyDtoDAsync", cuMemcpyDtoDAsync),
  ENTRY("cuMemsetD8", cuMemsetD8),
  ENTRY("cuMemsetD32", cuMemsetD32),
  ENTRY("cuStreamCreate", cuStreamCreate),
  ENTRY("cuStreamDestroy", cuStreamDestroy),
  ENTRY("cuStreamSynchronize", cuStreamSynchronize),
  ENTRY("cuStreamQuery", cuStreamQuery),
  ENTRY("cuStreamWaitEvent", cuStreamWaitEvent),
  ENTRY("cuEventCreate", cuEventCreate),
  ENTRY("cuEventDestroy", cuEventDestroy),
  ENTRY("cuEventRecord", cuEventRecord),
  ENTRY("cuEventSynchronize", cuEventSynchronize),
  ENTRY("cuEventQuery", cuEventQuery),
  ENTRY("cuEventElapsedTime", cuEventElapsedTime),
  ENTRY("cuLaunchKernel", cuLaunchKernel),
  ENTRY("cuArrayCreate", cuArrayCreate),
  ENTRY("cuArrayGetDescriptor", cuArrayGetDescriptor),
  ENTRY("cuArray3DCreate", cuArray3DCreate),
  ENTRY("cuArray3DGetDescriptor", cuArray3DGetDescriptor),
  ENTRY("cuArrayDestroy", cuArrayDestroy),
  ENTRY("cuMemcpyHtoA", cuMemcpyHtoA),
  ENTRY("cuMemcpyAtoH", cuMemcpyAtoH),
  ENTRY("cuMemcpyDtoA", cuMemcpyDtoA),
  ENTRY("cuMemcpyAtoD", cuMemcpyAtoD),
  ENTRY("cuMemcpyAtoA", cuMemcpyAtoA),
  ENTRY("cuMemcpyHtoAAsync", cuMemcpyHtoAAsync),
  ENTRY("cuMemcpyAtoHAsync", cuMemcpyAtoHAsync),
  ENTRY("cuMemcpy2D", cuMemcpy2D),
  ENTRY("cuMemcpy2DUnaligned", cuMemcpy2DUnaligned),
  ENTRY("cuMemcpy2DAsync", cuMemcpy2DAsync),
  ENTRY("cuTexObjectCreate", cuTexObjectCreate),
  ENTRY("cuTexObjectDestroy", cuTexObjectDestroy),
  ENTRY("cuTexObjectGetResourceDesc", cuTexObjectGetResourceDesc),
  ENTRY("cuTexObjectGetTextureDesc", cuTexObjectGetTextureDesc),
  ENTRY("cuModuleGetTexRef", cuModuleGetTexRef),
  ENTRY("cuTexRefCreate", cuTexRefCreate),
  ENTRY("cuTexRefDestroy", cuTexRefDestroy),
  ENTRY("cuTexRefSetArray", cuTexRefSetArray),
  ENTRY("cuTexRefSetAddress", cuTexRefSetAddress),
  ENTRY("cuTexRefSetAddress2D", cuTexRefSetAddress2D),
  ENTRY("cuTexRefSetFormat", cuTexRefSetFormat),
  ENTRY("cuTexRefSetAddressMode", cuTexRefSetAddressMode),
  ENTRY("cuTexRefSetFilterMode", cuTexRefSetFilterMode),
  ENTRY("cuTexRefSetFlags", cuTexRefSetFlags),
};

CUDA_API CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                                   CUdriverProcAddressQueryResult *status) {
  (void)version;
  (void)flags;
  if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
  *function = NULL;
  for (size_t i = 0; i < sizeof entries / sizeof *entries && !*function; i++)
    if (!strcmp(entries[i].name, symbol)) memcpy(function, &entries[i].function, sizeof *function);
  if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* Before CUDA 12 there was no `status`. */
CUresult get_proc_address_v1(const char *, void **, int, cuuint64_t) __asm__("cuGetProcAddress");
CUDA_API CUresult get_proc_address_v1(const char *symbol, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress(symbol, function, version, flags, NULL);
}
