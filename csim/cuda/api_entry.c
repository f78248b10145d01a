/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: entry points by name and version, for programs that load the library themselves. */
#include "api.h"
#include "api_per_thread.h"

#include "systems/driver.h"

#include <string.h>

struct entry {
  const char *name;
  int since; /* first CUDA version in which the name means this function */
  void (*function)(void);
};

/* cuGetProcAddress before CUDA 12, without `status`. */
CUresult get_proc_address_v1(const char *, void **, int, cuuint64_t) __asm__("cuGetProcAddress");

#define ENTRY(name, since, function) \
  { name, since, (void (*)(void))(function) }
#define SINCE(since, name) \
  ENTRY(#name, since, name) /* # keeps the plain name, which cuda.h maps to its newest version */
#define EVERY(name) ENTRY(#name, 2000, name)

/* Of a name with several versions the newest is last. */
/* clang-format off */
static const struct entry entries[] = {
  EVERY(cuGetErrorName), EVERY(cuGetErrorString), EVERY(cuInit), EVERY(cuDriverGetVersion), EVERY(cuDeviceGet),
  EVERY(cuDeviceGetCount), EVERY(cuDeviceGetName), SINCE(9020, cuDeviceGetUuid),
  ENTRY("cuDeviceGetUuid", 11040, cuDeviceGetUuid_v2), EVERY(cuDeviceGetLuid), EVERY(cuDeviceTotalMem),
  EVERY(cuDeviceGetAttribute), EVERY(cuDeviceGetProperties), EVERY(cuDeviceComputeCapability),
  EVERY(cuDeviceGetPCIBusId), EVERY(cuDeviceGetByPCIBusId), EVERY(cuDeviceGetExecAffinitySupport),
  EVERY(cuDeviceCanAccessPeer), EVERY(cuDeviceGetP2PAttribute), EVERY(cuDeviceGetTexture1DLinearMaxWidth),
  EVERY(cuCtxCreate), ENTRY("cuCtxCreate", 11040, cuCtxCreate_v3), ENTRY("cuCtxCreate", 12050, cuCtxCreate_v4),
  EVERY(cuCtxDestroy), EVERY(cuCtxPushCurrent), EVERY(cuCtxPopCurrent), EVERY(cuCtxSetCurrent), EVERY(cuCtxGetCurrent),
  EVERY(cuCtxGetDevice), ENTRY("cuCtxGetDevice", 13000, cuCtxGetDevice_v2), EVERY(cuCtxGetFlags),
  SINCE(12010, cuCtxSetFlags), SINCE(12000, cuCtxGetId), EVERY(cuCtxSynchronize),
  ENTRY("cuCtxSynchronize", 13000, cuCtxSynchronize_v2), EVERY(cuCtxSetLimit), EVERY(cuCtxGetLimit),
  EVERY(cuCtxGetCacheConfig), EVERY(cuCtxSetCacheConfig), EVERY(cuCtxGetSharedMemConfig),
  EVERY(cuCtxSetSharedMemConfig), EVERY(cuCtxGetApiVersion), EVERY(cuCtxGetStreamPriorityRange),
  EVERY(cuCtxResetPersistingL2Cache), EVERY(cuCtxGetExecAffinity), EVERY(cuCtxAttach), EVERY(cuCtxDetach),
  EVERY(cuCtxEnablePeerAccess), EVERY(cuCtxDisablePeerAccess), EVERY(cuDevicePrimaryCtxRetain),
  EVERY(cuDevicePrimaryCtxRelease), EVERY(cuDevicePrimaryCtxReset), EVERY(cuDevicePrimaryCtxSetFlags),
  EVERY(cuDevicePrimaryCtxGetState), EVERY(cuModuleLoad), EVERY(cuModuleLoadData), EVERY(cuModuleLoadDataEx),
  EVERY(cuModuleLoadFatBinary), EVERY(cuModuleUnload), EVERY(cuModuleGetFunction),
  SINCE(12040, cuModuleGetFunctionCount), SINCE(12040, cuModuleEnumerateFunctions), EVERY(cuModuleGetGlobal),
  SINCE(11070, cuModuleGetLoadingMode), EVERY(cuLinkCreate), EVERY(cuLinkAddData), EVERY(cuLinkAddFile),
  EVERY(cuLinkComplete), EVERY(cuLinkDestroy), SINCE(12000, cuLibraryLoadData), SINCE(12000, cuLibraryLoadFromFile),
  SINCE(12000, cuLibraryUnload), SINCE(12000, cuLibraryGetKernel), SINCE(12000, cuLibraryGetKernelCount),
  SINCE(12000, cuLibraryEnumerateKernels), SINCE(12000, cuLibraryGetModule), SINCE(12000, cuLibraryGetGlobal),
  SINCE(12000, cuLibraryGetManaged), SINCE(12000, cuKernelGetFunction), SINCE(12000, cuKernelGetLibrary),
  SINCE(12000, cuKernelGetName), SINCE(12000, cuKernelGetAttribute), SINCE(12000, cuKernelSetAttribute),
  SINCE(12000, cuKernelSetCacheConfig), SINCE(12040, cuKernelGetParamInfo), EVERY(cuFuncGetAttribute),
  EVERY(cuFuncSetAttribute), EVERY(cuFuncSetCacheConfig), EVERY(cuFuncSetSharedMemConfig),
  SINCE(11000, cuFuncGetModule), SINCE(12030, cuFuncGetName), SINCE(12040, cuFuncGetParamInfo),
  SINCE(12040, cuFuncIsLoaded), SINCE(12040, cuFuncLoad), EVERY(cuLaunchKernel), SINCE(11060, cuLaunchKernelEx),
  SINCE(9000, cuLaunchCooperativeKernel), SINCE(10000, cuLaunchHostFunc),
  EVERY(cuOccupancyMaxActiveBlocksPerMultiprocessor), EVERY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags),
  EVERY(cuOccupancyMaxPotentialBlockSize), EVERY(cuOccupancyMaxPotentialBlockSizeWithFlags),
  SINCE(10020, cuOccupancyAvailableDynamicSMemPerBlock), EVERY(cuMemGetInfo), EVERY(cuMemAlloc), EVERY(cuMemAllocPitch),
  EVERY(cuMemAllocManaged), EVERY(cuMemFree), EVERY(cuMemGetAddressRange), EVERY(cuMemAllocHost), EVERY(cuMemFreeHost),
  EVERY(cuMemHostAlloc), EVERY(cuMemHostGetDevicePointer), EVERY(cuMemHostGetFlags), EVERY(cuMemHostRegister),
  EVERY(cuMemHostUnregister), SINCE(8000, cuMemPrefetchAsync),
  ENTRY("cuMemPrefetchAsync", 12020, cuMemPrefetchAsync_v2), SINCE(8000, cuMemAdvise),
  ENTRY("cuMemAdvise", 12020, cuMemAdvise_v2), EVERY(cuPointerGetAttribute), EVERY(cuPointerGetAttributes),
  EVERY(cuPointerSetAttribute), SINCE(11020, cuMemAllocAsync), SINCE(11020, cuMemFreeAsync),
  SINCE(11020, cuMemAllocFromPoolAsync), SINCE(11020, cuMemPoolCreate), SINCE(11020, cuMemPoolDestroy),
  SINCE(11020, cuMemPoolTrimTo), SINCE(11020, cuMemPoolSetAttribute), SINCE(11020, cuMemPoolGetAttribute),
  SINCE(11020, cuMemPoolSetAccess), SINCE(11020, cuMemPoolGetAccess), SINCE(10020, cuMemGetAllocationGranularity), SINCE(10020, cuMemAddressReserve), SINCE(10020, cuMemAddressFree),
  SINCE(10020, cuMemCreate), SINCE(10020, cuMemRelease), SINCE(11000, cuMemRetainAllocationHandle),
  SINCE(10020, cuMemGetAllocationPropertiesFromHandle), SINCE(10020, cuMemMap), SINCE(10020, cuMemUnmap),
  SINCE(10020, cuMemSetAccess), SINCE(10020, cuMemGetAccess), SINCE(11020, cuDeviceGetDefaultMemPool),
  SINCE(11020, cuDeviceGetMemPool), SINCE(11020, cuDeviceSetMemPool), EVERY(cuMemcpy), EVERY(cuMemcpyAsync),
  EVERY(cuMemcpyPeer), EVERY(cuMemcpyPeerAsync), EVERY(cuMemcpyHtoD), EVERY(cuMemcpyDtoH), EVERY(cuMemcpyDtoD),
  EVERY(cuMemcpyHtoDAsync), EVERY(cuMemcpyDtoHAsync), EVERY(cuMemcpyDtoDAsync), EVERY(cuMemcpy3D),
  EVERY(cuMemcpy3DAsync), EVERY(cuMemsetD8), EVERY(cuMemsetD16), EVERY(cuMemsetD32), EVERY(cuMemsetD2D8),
  EVERY(cuMemsetD2D16), EVERY(cuMemsetD2D32), EVERY(cuMemsetD8Async), EVERY(cuMemsetD16Async), EVERY(cuMemsetD32Async),
  EVERY(cuMemsetD2D8Async), EVERY(cuMemsetD2D16Async), EVERY(cuMemsetD2D32Async), EVERY(cuStreamCreate),
  EVERY(cuStreamCreateWithPriority), EVERY(cuStreamDestroy), EVERY(cuStreamGetPriority), EVERY(cuStreamGetFlags),
  SINCE(12000, cuStreamGetId), EVERY(cuStreamGetCtx), SINCE(12080, cuStreamGetDevice), EVERY(cuStreamWaitEvent),
  EVERY(cuStreamAddCallback), EVERY(cuStreamAttachMemAsync), EVERY(cuStreamQuery), EVERY(cuStreamSynchronize),
  EVERY(cuStreamIsCapturing), SINCE(10010, cuStreamBeginCapture), SINCE(10000, cuStreamEndCapture),
  ENTRY("cuStreamGetCaptureInfo", 11030, cuStreamGetCaptureInfo_v2),
  ENTRY("cuStreamGetCaptureInfo", 12030, cuStreamGetCaptureInfo_v3), SINCE(10000, cuGraphCreate),
  SINCE(10000, cuGraphDestroy), SINCE(10000, cuGraphClone), SINCE(12000, cuGraphAddKernelNode),
  SINCE(10000, cuGraphAddMemcpyNode), SINCE(10000, cuGraphAddMemsetNode), SINCE(10000, cuGraphAddHostNode),
  SINCE(10000, cuGraphAddEmptyNode), SINCE(10000, cuGraphAddChildGraphNode),
  SINCE(12000, cuGraphKernelNodeGetParams), SINCE(12000, cuGraphKernelNodeSetParams),
  SINCE(12000, cuGraphExecKernelNodeSetParams), SINCE(10000, cuGraphNodeGetType), SINCE(10000, cuGraphGetNodes),
  SINCE(10000, cuGraphGetRootNodes), ENTRY("cuGraphAddDependencies", 10000, cuGraphAddDependencies),
  ENTRY("cuGraphAddDependencies", 12030, cuGraphAddDependencies_v2),
  ENTRY("cuGraphNodeGetDependencies", 10000, cuGraphNodeGetDependencies),
  ENTRY("cuGraphNodeGetDependencies", 12030, cuGraphNodeGetDependencies_v2), SINCE(12000, cuGraphInstantiate),
  SINCE(11040, cuGraphInstantiateWithFlags), SINCE(11010, cuGraphUpload), SINCE(10000, cuGraphLaunch),
  SINCE(12000, cuGraphExecUpdate), SINCE(10000, cuGraphExecDestroy), SINCE(11010, cuGraphAddEventRecordNode), SINCE(11010, cuGraphAddEventWaitNode),
  SINCE(11010, cuGraphEventRecordNodeGetEvent), SINCE(11010, cuGraphEventRecordNodeSetEvent),
  SINCE(11010, cuGraphEventWaitNodeGetEvent), SINCE(11010, cuGraphEventWaitNodeSetEvent),
  SINCE(11010, cuGraphExecEventRecordNodeSetEvent), SINCE(11010, cuGraphExecEventWaitNodeSetEvent),
  SINCE(11040, cuGraphDebugDotPrint), SINCE(11030, cuUserObjectCreate),
  SINCE(11030, cuUserObjectRetain), SINCE(11030, cuUserObjectRelease), SINCE(11030, cuGraphRetainUserObject),
  SINCE(11030, cuGraphReleaseUserObject), SINCE(12000, cuGraphInstantiateWithParams), SINCE(12000, cuGraphExecGetFlags),
  ENTRY("cuStreamUpdateCaptureDependencies", 12030, cuStreamUpdateCaptureDependencies_v2),
  SINCE(11000, cuStreamGetAttribute), SINCE(11000, cuStreamSetAttribute), SINCE(11000, cuStreamCopyAttributes),
  SINCE(10000, cuGraphDestroyNode), SINCE(10000, cuGraphNodeFindInClone), SINCE(10000, cuGraphChildGraphNodeGetGraph),
  SINCE(10000, cuGraphMemcpyNodeSetParams), SINCE(10020, cuGraphExecMemcpyNodeSetParams),
  SINCE(10000, cuGraphMemsetNodeGetParams), SINCE(10000, cuGraphMemsetNodeSetParams),
  SINCE(10020, cuGraphExecMemsetNodeSetParams), SINCE(10000, cuGraphHostNodeGetParams),
  SINCE(10000, cuGraphHostNodeSetParams), SINCE(10020, cuGraphExecHostNodeSetParams),
  SINCE(11060, cuGraphNodeSetEnabled), SINCE(11060, cuGraphNodeGetEnabled),
  SINCE(12030, cuStreamBeginCaptureToGraph), SINCE(12030, cuGraphConditionalHandleCreate), ENTRY("cuGraphAddNode", 12020, cuGraphAddNode),
  ENTRY("cuGraphAddNode", 12030, cuGraphAddNode_v2),
  ENTRY("cuGraphRemoveDependencies", 10000, cuGraphRemoveDependencies),
  ENTRY("cuGraphRemoveDependencies", 12030, cuGraphRemoveDependencies_v2),
  ENTRY("cuGraphGetEdges", 10000, cuGraphGetEdges), ENTRY("cuGraphGetEdges", 12030, cuGraphGetEdges_v2),
  ENTRY("cuGraphNodeGetDependentNodes", 10000, cuGraphNodeGetDependentNodes),
  ENTRY("cuGraphNodeGetDependentNodes", 12030, cuGraphNodeGetDependentNodes_v2),
  EVERY(cuThreadExchangeStreamCaptureMode), EVERY(cuEventCreate), EVERY(cuEventRecord),
  SINCE(11010, cuEventRecordWithFlags), EVERY(cuEventQuery), EVERY(cuEventSynchronize), EVERY(cuEventDestroy),
  EVERY(cuEventElapsedTime), ENTRY("cuEventElapsedTime", 12080, cuEventElapsedTime_v2),
  ENTRY("cuGetProcAddress", 11030, get_proc_address_v1), SINCE(12000, cuGetProcAddress), EVERY(cuGetExportTable),
  EVERY(cuProfilerStart), EVERY(cuProfilerStop), EVERY(cuArrayCreate), EVERY(cuArrayGetDescriptor),
  EVERY(cuArray3DCreate), EVERY(cuArray3DGetDescriptor), EVERY(cuArrayDestroy), EVERY(cuMemcpyHtoA),
  EVERY(cuMemcpyAtoH), EVERY(cuMemcpyDtoA), EVERY(cuMemcpyAtoD), EVERY(cuMemcpyAtoA), EVERY(cuMemcpyHtoAAsync),
  EVERY(cuMemcpyAtoHAsync), EVERY(cuMemcpy2D), EVERY(cuMemcpy2DUnaligned), EVERY(cuMemcpy2DAsync),
  EVERY(cuTexObjectCreate), EVERY(cuTexObjectDestroy), EVERY(cuTexObjectGetResourceDesc),
  EVERY(cuTexObjectGetTextureDesc), EVERY(cuSurfObjectCreate), EVERY(cuSurfObjectDestroy),
  EVERY(cuSurfObjectGetResourceDesc), EVERY(cuMipmappedArrayCreate), EVERY(cuMipmappedArrayGetLevel),
  EVERY(cuMipmappedArrayDestroy), EVERY(cuModuleGetTexRef), EVERY(cuTexRefCreate), EVERY(cuTexRefDestroy),
  EVERY(cuTexRefSetArray), EVERY(cuTexRefSetAddress), EVERY(cuTexRefSetAddress2D), EVERY(cuTexRefSetFormat),
  EVERY(cuTexRefSetAddressMode), EVERY(cuTexRefSetFilterMode), EVERY(cuTexRefSetFlags)};
/* clang-format on */

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
  if (flags == CU_GET_PROC_ADDRESS_DEFAULT && cuda_thread()->own_default)
    flags = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  void (*entry)(void) = found ? found->function : NULL;
  if (found && flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) entry = cuda_per_thread_entry(entry);
  if (found) memcpy(function, &entry, sizeof *function);
  if (status && known) *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* The variant of programs whose stream 0 is the thread's. */
CUresult get_proc_address_own(const char *, void **, int, cuuint64_t,
                              CUdriverProcAddressQueryResult *) __asm__("cuGetProcAddress_v2_ptsz");
CUDA_API CUresult get_proc_address_own(const char *symbol, void **function, int version, cuuint64_t flags,
                                       CUdriverProcAddressQueryResult *status) {
  if (flags == CU_GET_PROC_ADDRESS_DEFAULT) flags = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  return cuGetProcAddress(symbol, function, version, flags, status);
}

CUDA_API CUresult get_proc_address_v1(const char *symbol, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress(symbol, function, version, flags, NULL);
}

/* These undocumented tables are used by NVIDIA's own runtime only. */
CUDA_API CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  if (!table || !id) return CUDA_ERROR_INVALID_VALUE;
  *table = NULL;
  return CUDA_ERROR_NOT_FOUND;
}
