/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: entry points by name and version, for programs that load the library themselves. */
#include "api.h"

#include "systems/driver.h"

#include <string.h>

struct entry {
  const char *name;
  int since; /* CUDA version from which on the name means this function */
  void (*function)(void);
};

/* Before CUDA 12 there was no `status`. */
CUresult get_proc_address_v1(const char *, void **, int, cuuint64_t) __asm__("cuGetProcAddress");

/* `name` is written out because the header maps the identifier to a version of it. */
#define ENTRY(name, since, function) \
  { name, since, (void (*)(void))(function) }

/* Versions of one name: the newest last. 2000: as old as the API. */
static const struct entry entries[] = {
  ENTRY("cuGetErrorName", 2000, cuGetErrorName),
  ENTRY("cuGetErrorString", 2000, cuGetErrorString),
  ENTRY("cuInit", 2000, cuInit),
  ENTRY("cuDriverGetVersion", 2000, cuDriverGetVersion),
  ENTRY("cuDeviceGet", 2000, cuDeviceGet),
  ENTRY("cuDeviceGetCount", 2000, cuDeviceGetCount),
  ENTRY("cuDeviceGetName", 2000, cuDeviceGetName),
  ENTRY("cuDeviceGetUuid", 9020, cuDeviceGetUuid),
  ENTRY("cuDeviceGetUuid", 11040, cuDeviceGetUuid_v2),
  ENTRY("cuDeviceGetLuid", 2000, cuDeviceGetLuid),
  ENTRY("cuDeviceTotalMem", 2000, cuDeviceTotalMem),
  ENTRY("cuDeviceGetAttribute", 2000, cuDeviceGetAttribute),
  ENTRY("cuDeviceGetProperties", 2000, cuDeviceGetProperties),
  ENTRY("cuDeviceComputeCapability", 2000, cuDeviceComputeCapability),
  ENTRY("cuDeviceGetPCIBusId", 2000, cuDeviceGetPCIBusId),
  ENTRY("cuDeviceGetByPCIBusId", 2000, cuDeviceGetByPCIBusId),
  ENTRY("cuDeviceGetExecAffinitySupport", 2000, cuDeviceGetExecAffinitySupport),
  ENTRY("cuDeviceCanAccessPeer", 2000, cuDeviceCanAccessPeer),
  ENTRY("cuDeviceGetP2PAttribute", 2000, cuDeviceGetP2PAttribute),
  ENTRY("cuDeviceGetTexture1DLinearMaxWidth", 2000, cuDeviceGetTexture1DLinearMaxWidth),
  ENTRY("cuCtxCreate", 2000, cuCtxCreate),
  ENTRY("cuCtxCreate", 11040, cuCtxCreate_v3),
  ENTRY("cuCtxCreate", 12050, cuCtxCreate_v4),
  ENTRY("cuCtxDestroy", 2000, cuCtxDestroy),
  ENTRY("cuCtxPushCurrent", 2000, cuCtxPushCurrent),
  ENTRY("cuCtxPopCurrent", 2000, cuCtxPopCurrent),
  ENTRY("cuCtxSetCurrent", 2000, cuCtxSetCurrent),
  ENTRY("cuCtxGetCurrent", 2000, cuCtxGetCurrent),
  ENTRY("cuCtxGetDevice", 2000, cuCtxGetDevice),
  ENTRY("cuCtxGetDevice", 13000, cuCtxGetDevice_v2),
  ENTRY("cuCtxGetFlags", 2000, cuCtxGetFlags),
  ENTRY("cuCtxSetFlags", 12010, cuCtxSetFlags),
  ENTRY("cuCtxGetId", 12000, cuCtxGetId),
  ENTRY("cuCtxSynchronize", 2000, cuCtxSynchronize),
  ENTRY("cuCtxSynchronize", 13000, cuCtxSynchronize_v2),
  ENTRY("cuCtxSetLimit", 2000, cuCtxSetLimit),
  ENTRY("cuCtxGetLimit", 2000, cuCtxGetLimit),
  ENTRY("cuCtxGetCacheConfig", 2000, cuCtxGetCacheConfig),
  ENTRY("cuCtxSetCacheConfig", 2000, cuCtxSetCacheConfig),
  ENTRY("cuCtxGetSharedMemConfig", 2000, cuCtxGetSharedMemConfig),
  ENTRY("cuCtxSetSharedMemConfig", 2000, cuCtxSetSharedMemConfig),
  ENTRY("cuCtxGetApiVersion", 2000, cuCtxGetApiVersion),
  ENTRY("cuCtxGetStreamPriorityRange", 2000, cuCtxGetStreamPriorityRange),
  ENTRY("cuCtxResetPersistingL2Cache", 2000, cuCtxResetPersistingL2Cache),
  ENTRY("cuCtxGetExecAffinity", 2000, cuCtxGetExecAffinity),
  ENTRY("cuCtxAttach", 2000, cuCtxAttach),
  ENTRY("cuCtxDetach", 2000, cuCtxDetach),
  ENTRY("cuCtxEnablePeerAccess", 2000, cuCtxEnablePeerAccess),
  ENTRY("cuCtxDisablePeerAccess", 2000, cuCtxDisablePeerAccess),
  ENTRY("cuDevicePrimaryCtxRetain", 2000, cuDevicePrimaryCtxRetain),
  ENTRY("cuDevicePrimaryCtxRelease", 2000, cuDevicePrimaryCtxRelease),
  ENTRY("cuDevicePrimaryCtxReset", 2000, cuDevicePrimaryCtxReset),
  ENTRY("cuDevicePrimaryCtxSetFlags", 2000, cuDevicePrimaryCtxSetFlags),
  ENTRY("cuDevicePrimaryCtxGetState", 2000, cuDevicePrimaryCtxGetState),
  ENTRY("cuModuleLoad", 2000, cuModuleLoad),
  ENTRY("cuModuleLoadData", 2000, cuModuleLoadData),
  ENTRY("cuModuleLoadDataEx", 2000, cuModuleLoadDataEx),
  ENTRY("cuModuleLoadFatBinary", 2000, cuModuleLoadFatBinary),
  ENTRY("cuModuleUnload", 2000, cuModuleUnload),
  ENTRY("cuModuleGetFunction", 2000, cuModuleGetFunction),
  ENTRY("cuModuleGetFunctionCount", 12040, cuModuleGetFunctionCount),
  ENTRY("cuModuleEnumerateFunctions", 12040, cuModuleEnumerateFunctions),
  ENTRY("cuModuleGetGlobal", 2000, cuModuleGetGlobal),
  ENTRY("cuModuleGetLoadingMode", 11070, cuModuleGetLoadingMode),
  ENTRY("cuLinkCreate", 2000, cuLinkCreate),
  ENTRY("cuLinkAddData", 2000, cuLinkAddData),
  ENTRY("cuLinkAddFile", 2000, cuLinkAddFile),
  ENTRY("cuLinkComplete", 2000, cuLinkComplete),
  ENTRY("cuLinkDestroy", 2000, cuLinkDestroy),
  ENTRY("cuLibraryLoadData", 12000, cuLibraryLoadData),
  ENTRY("cuLibraryLoadFromFile", 12000, cuLibraryLoadFromFile),
  ENTRY("cuLibraryUnload", 12000, cuLibraryUnload),
  ENTRY("cuLibraryGetKernel", 12000, cuLibraryGetKernel),
  ENTRY("cuLibraryGetKernelCount", 12000, cuLibraryGetKernelCount),
  ENTRY("cuLibraryEnumerateKernels", 12000, cuLibraryEnumerateKernels),
  ENTRY("cuLibraryGetModule", 12000, cuLibraryGetModule),
  ENTRY("cuLibraryGetGlobal", 12000, cuLibraryGetGlobal),
  ENTRY("cuLibraryGetManaged", 12000, cuLibraryGetManaged),
  ENTRY("cuKernelGetFunction", 12000, cuKernelGetFunction),
  ENTRY("cuKernelGetLibrary", 12000, cuKernelGetLibrary),
  ENTRY("cuKernelGetName", 12000, cuKernelGetName),
  ENTRY("cuKernelGetAttribute", 12000, cuKernelGetAttribute),
  ENTRY("cuKernelSetAttribute", 12000, cuKernelSetAttribute),
  ENTRY("cuKernelSetCacheConfig", 12000, cuKernelSetCacheConfig),
  ENTRY("cuKernelGetParamInfo", 12040, cuKernelGetParamInfo),
  ENTRY("cuFuncGetAttribute", 2000, cuFuncGetAttribute),
  ENTRY("cuFuncSetAttribute", 2000, cuFuncSetAttribute),
  ENTRY("cuFuncSetCacheConfig", 2000, cuFuncSetCacheConfig),
  ENTRY("cuFuncSetSharedMemConfig", 2000, cuFuncSetSharedMemConfig),
  ENTRY("cuFuncGetModule", 11000, cuFuncGetModule),
  ENTRY("cuFuncGetName", 12030, cuFuncGetName),
  ENTRY("cuFuncGetParamInfo", 12040, cuFuncGetParamInfo),
  ENTRY("cuFuncIsLoaded", 12040, cuFuncIsLoaded),
  ENTRY("cuFuncLoad", 12040, cuFuncLoad),
  ENTRY("cuLaunchKernel", 2000, cuLaunchKernel),
  ENTRY("cuLaunchKernelEx", 11060, cuLaunchKernelEx),
  ENTRY("cuLaunchCooperativeKernel", 9000, cuLaunchCooperativeKernel),
  ENTRY("cuLaunchHostFunc", 10000, cuLaunchHostFunc),
  ENTRY("cuOccupancyMaxActiveBlocksPerMultiprocessor", 2000, cuOccupancyMaxActiveBlocksPerMultiprocessor),
  ENTRY("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 2000,
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags),
  ENTRY("cuOccupancyMaxPotentialBlockSize", 2000, cuOccupancyMaxPotentialBlockSize),
  ENTRY("cuOccupancyMaxPotentialBlockSizeWithFlags", 2000, cuOccupancyMaxPotentialBlockSizeWithFlags),
  ENTRY("cuOccupancyAvailableDynamicSMemPerBlock", 10020, cuOccupancyAvailableDynamicSMemPerBlock),
  ENTRY("cuMemGetInfo", 2000, cuMemGetInfo),
  ENTRY("cuMemAlloc", 2000, cuMemAlloc),
  ENTRY("cuMemAllocPitch", 2000, cuMemAllocPitch),
  ENTRY("cuMemAllocManaged", 2000, cuMemAllocManaged),
  ENTRY("cuMemFree", 2000, cuMemFree),
  ENTRY("cuMemGetAddressRange", 2000, cuMemGetAddressRange),
  ENTRY("cuMemAllocHost", 2000, cuMemAllocHost),
  ENTRY("cuMemFreeHost", 2000, cuMemFreeHost),
  ENTRY("cuMemHostAlloc", 2000, cuMemHostAlloc),
  ENTRY("cuMemHostGetDevicePointer", 2000, cuMemHostGetDevicePointer),
  ENTRY("cuMemHostGetFlags", 2000, cuMemHostGetFlags),
  ENTRY("cuMemHostRegister", 2000, cuMemHostRegister),
  ENTRY("cuMemHostUnregister", 2000, cuMemHostUnregister),
  ENTRY("cuMemPrefetchAsync", 8000, cuMemPrefetchAsync),
  ENTRY("cuMemPrefetchAsync", 12020, cuMemPrefetchAsync_v2),
  ENTRY("cuMemAdvise", 8000, cuMemAdvise),
  ENTRY("cuMemAdvise", 12020, cuMemAdvise_v2),
  ENTRY("cuPointerGetAttribute", 2000, cuPointerGetAttribute),
  ENTRY("cuPointerGetAttributes", 2000, cuPointerGetAttributes),
  ENTRY("cuPointerSetAttribute", 2000, cuPointerSetAttribute),
  ENTRY("cuMemAllocAsync", 11020, cuMemAllocAsync),
  ENTRY("cuMemFreeAsync", 11020, cuMemFreeAsync),
  ENTRY("cuMemAllocFromPoolAsync", 11020, cuMemAllocFromPoolAsync),
  ENTRY("cuMemPoolCreate", 11020, cuMemPoolCreate),
  ENTRY("cuMemPoolDestroy", 11020, cuMemPoolDestroy),
  ENTRY("cuMemPoolTrimTo", 11020, cuMemPoolTrimTo),
  ENTRY("cuMemPoolSetAttribute", 11020, cuMemPoolSetAttribute),
  ENTRY("cuMemPoolGetAttribute", 11020, cuMemPoolGetAttribute),
  ENTRY("cuMemPoolSetAccess", 11020, cuMemPoolSetAccess),
  ENTRY("cuMemPoolGetAccess", 11020, cuMemPoolGetAccess),
  ENTRY("cuDeviceGetDefaultMemPool", 11020, cuDeviceGetDefaultMemPool),
  ENTRY("cuDeviceGetMemPool", 11020, cuDeviceGetMemPool),
  ENTRY("cuDeviceSetMemPool", 11020, cuDeviceSetMemPool),
  ENTRY("cuMemcpy", 2000, cuMemcpy),
  ENTRY("cuMemcpyAsync", 2000, cuMemcpyAsync),
  ENTRY("cuMemcpyPeer", 2000, cuMemcpyPeer),
  ENTRY("cuMemcpyPeerAsync", 2000, cuMemcpyPeerAsync),
  ENTRY("cuMemcpyHtoD", 2000, cuMemcpyHtoD),
  ENTRY("cuMemcpyDtoH", 2000, cuMemcpyDtoH),
  ENTRY("cuMemcpyDtoD", 2000, cuMemcpyDtoD),
  ENTRY("cuMemcpyHtoDAsync", 2000, cuMemcpyHtoDAsync),
  ENTRY("cuMemcpyDtoHAsync", 2000, cuMemcpyDtoHAsync),
  ENTRY("cuMemcpyDtoDAsync", 2000, cuMemcpyDtoDAsync),
  ENTRY("cuMemcpy3D", 2000, cuMemcpy3D),
  ENTRY("cuMemcpy3DAsync", 2000, cuMemcpy3DAsync),
  ENTRY("cuMemsetD8", 2000, cuMemsetD8),
  ENTRY("cuMemsetD16", 2000, cuMemsetD16),
  ENTRY("cuMemsetD32", 2000, cuMemsetD32),
  ENTRY("cuMemsetD2D8", 2000, cuMemsetD2D8),
  ENTRY("cuMemsetD2D16", 2000, cuMemsetD2D16),
  ENTRY("cuMemsetD2D32", 2000, cuMemsetD2D32),
  ENTRY("cuMemsetD8Async", 2000, cuMemsetD8Async),
  ENTRY("cuMemsetD16Async", 2000, cuMemsetD16Async),
  ENTRY("cuMemsetD32Async", 2000, cuMemsetD32Async),
  ENTRY("cuMemsetD2D8Async", 2000, cuMemsetD2D8Async),
  ENTRY("cuMemsetD2D16Async", 2000, cuMemsetD2D16Async),
  ENTRY("cuMemsetD2D32Async", 2000, cuMemsetD2D32Async),
  ENTRY("cuStreamCreate", 2000, cuStreamCreate),
  ENTRY("cuStreamCreateWithPriority", 2000, cuStreamCreateWithPriority),
  ENTRY("cuStreamDestroy", 2000, cuStreamDestroy),
  ENTRY("cuStreamGetPriority", 2000, cuStreamGetPriority),
  ENTRY("cuStreamGetFlags", 2000, cuStreamGetFlags),
  ENTRY("cuStreamGetId", 12000, cuStreamGetId),
  ENTRY("cuStreamGetCtx", 2000, cuStreamGetCtx),
  ENTRY("cuStreamGetDevice", 12080, cuStreamGetDevice),
  ENTRY("cuStreamWaitEvent", 2000, cuStreamWaitEvent),
  ENTRY("cuStreamAddCallback", 2000, cuStreamAddCallback),
  ENTRY("cuStreamAttachMemAsync", 2000, cuStreamAttachMemAsync),
  ENTRY("cuStreamQuery", 2000, cuStreamQuery),
  ENTRY("cuStreamSynchronize", 2000, cuStreamSynchronize),
  ENTRY("cuStreamIsCapturing", 2000, cuStreamIsCapturing),
  ENTRY("cuThreadExchangeStreamCaptureMode", 2000, cuThreadExchangeStreamCaptureMode),
  ENTRY("cuEventCreate", 2000, cuEventCreate),
  ENTRY("cuEventRecord", 2000, cuEventRecord),
  ENTRY("cuEventRecordWithFlags", 11010, cuEventRecordWithFlags),
  ENTRY("cuEventQuery", 2000, cuEventQuery),
  ENTRY("cuEventSynchronize", 2000, cuEventSynchronize),
  ENTRY("cuEventDestroy", 2000, cuEventDestroy),
  ENTRY("cuEventElapsedTime", 2000, cuEventElapsedTime),
  ENTRY("cuEventElapsedTime", 12080, cuEventElapsedTime_v2),
  ENTRY("cuGetProcAddress", 11030, get_proc_address_v1),
  ENTRY("cuGetProcAddress", 12000, cuGetProcAddress),
  ENTRY("cuGetExportTable", 2000, cuGetExportTable),
  ENTRY("cuProfilerStart", 2000, cuProfilerStart),
  ENTRY("cuProfilerStop", 2000, cuProfilerStop),
  ENTRY("cuArrayCreate", 2000, cuArrayCreate),
  ENTRY("cuArrayGetDescriptor", 2000, cuArrayGetDescriptor),
  ENTRY("cuArray3DCreate", 2000, cuArray3DCreate),
  ENTRY("cuArray3DGetDescriptor", 2000, cuArray3DGetDescriptor),
  ENTRY("cuArrayDestroy", 2000, cuArrayDestroy),
  ENTRY("cuMemcpyHtoA", 2000, cuMemcpyHtoA),
  ENTRY("cuMemcpyAtoH", 2000, cuMemcpyAtoH),
  ENTRY("cuMemcpyDtoA", 2000, cuMemcpyDtoA),
  ENTRY("cuMemcpyAtoD", 2000, cuMemcpyAtoD),
  ENTRY("cuMemcpyAtoA", 2000, cuMemcpyAtoA),
  ENTRY("cuMemcpyHtoAAsync", 2000, cuMemcpyHtoAAsync),
  ENTRY("cuMemcpyAtoHAsync", 2000, cuMemcpyAtoHAsync),
  ENTRY("cuMemcpy2D", 2000, cuMemcpy2D),
  ENTRY("cuMemcpy2DUnaligned", 2000, cuMemcpy2DUnaligned),
  ENTRY("cuMemcpy2DAsync", 2000, cuMemcpy2DAsync),
  ENTRY("cuTexObjectCreate", 2000, cuTexObjectCreate),
  ENTRY("cuTexObjectDestroy", 2000, cuTexObjectDestroy),
  ENTRY("cuTexObjectGetResourceDesc", 2000, cuTexObjectGetResourceDesc),
  ENTRY("cuTexObjectGetTextureDesc", 2000, cuTexObjectGetTextureDesc),
  ENTRY("cuModuleGetTexRef", 2000, cuModuleGetTexRef),
  ENTRY("cuTexRefCreate", 2000, cuTexRefCreate),
  ENTRY("cuTexRefDestroy", 2000, cuTexRefDestroy),
  ENTRY("cuTexRefSetArray", 2000, cuTexRefSetArray),
  ENTRY("cuTexRefSetAddress", 2000, cuTexRefSetAddress),
  ENTRY("cuTexRefSetAddress2D", 2000, cuTexRefSetAddress2D),
  ENTRY("cuTexRefSetFormat", 2000, cuTexRefSetFormat),
  ENTRY("cuTexRefSetAddressMode", 2000, cuTexRefSetAddressMode),
  ENTRY("cuTexRefSetFilterMode", 2000, cuTexRefSetFilterMode),
  ENTRY("cuTexRefSetFlags", 2000, cuTexRefSetFlags),
};

CUDA_API CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                                   CUdriverProcAddressQueryResult *status) {
  const struct entry *found = NULL;
  bool known = false;
  if (status) *status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (!symbol || !function || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
  *function = NULL;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    if (strcmp(entries[i].name, symbol) != 0) continue;
    known = true;
    if (entries[i].since <= version) found = &entries[i];
  }
  const struct driver_entry *extra = known ? NULL : cuda_proposal_entry(symbol);
  if (extra) {
    memcpy(function, &extra->function, sizeof *function);
    if (status) *status = CU_GET_PROC_ADDRESS_SUCCESS;
    return CUDA_SUCCESS;
  }
  if (found) memcpy(function, &found->function, sizeof *function);
  if (status && known) *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUDA_API CUresult get_proc_address_v1(const char *symbol, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress(symbol, function, version, flags, NULL);
}

/* The tables behind it are NVIDIA's own, and of no program but its runtime's. */
CUDA_API CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  if (!table || !id) return CUDA_ERROR_INVALID_VALUE;
  *table = NULL;
  return CUDA_ERROR_NOT_FOUND;
}
