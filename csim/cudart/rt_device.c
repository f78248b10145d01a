/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: the device. What it is follows from the GPU configuration (csim/cuda/api_attribute.c). */
#include "runtime.h"

#include <string.h>

enum { RUNTIME_VERSION = TANDEM_CUDART == 12 ? 12080 : 13000 };

RT_API cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version) return rt_fail(cudaErrorInvalidValue);
  *version = RUNTIME_VERSION;
  return cudaSuccess;
}
RT_API cudaError_t cudaDriverGetVersion(int *version) { return rt_note(cuDriverGetVersion(version)); }

/* ---- the one device, number 0 ---- */

RT_API cudaError_t cudaGetDeviceCount(int *count) { RT_DEVICE(cuDeviceGetCount(count)); }
RT_API cudaError_t cudaGetDevice(int *device) {
  cudaError_t error = rt_begin_device();
  if (error || !device) return error ? error : rt_fail(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
RT_API cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  (void)device_flags;
  if (device) return rt_fail(cudaErrorInvalidDevice);
  if (flags > 1) return rt_fail(cudaErrorInvalidValue);
  RT_BEGIN();
  return cudaSuccess;
}
RT_API cudaError_t cudaSetDevice(int device) { return cudaInitDevice(device, 0, 0); }
RT_API cudaError_t cudaSetValidDevices(int *devices, int n) {
  if (!devices || n < 1) return rt_fail(cudaErrorInvalidValue);
  for (int i = 0; i < n; i++)
    if (devices[i]) return rt_fail(cudaErrorInvalidDevice);
  return cudaSuccess;
}
RT_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
  return wanted ? cudaGetDevice(device) : rt_fail(cudaErrorInvalidValue);
}
RT_API cudaError_t cudaSetDeviceFlags(unsigned int flags) { RT_DEVICE(cuDevicePrimaryCtxSetFlags(0, flags)); }
RT_API cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  int active;
  RT_DEVICE(cuDevicePrimaryCtxGetState(0, flags, &active));
}
RT_API cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
  RT_DEVICE(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}
RT_API cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
  RT_DEVICE(cuDeviceGetPCIBusId(id, size, device));
}
RT_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
  RT_DEVICE(cuDeviceGetByPCIBusId(device, id));
}
RT_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  RT_DEVICE(cuDeviceCanAccessPeer(can, device, peer));
}
RT_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  (void)peer, (void)flags;
  return rt_fail(cudaErrorInvalidDevice); /* there is no second device */
}
RT_API cudaError_t cudaDeviceDisablePeerAccess(int peer) { return cudaDeviceEnablePeerAccess(peer, 0); }
RT_API cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
  RT_DEVICE(cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attribute, from, to));
}
RT_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct cudaChannelFormatDesc *desc,
                                                        int device) {
  CUarray_format format;
  unsigned int channels;
  if (!desc || !rt_format(desc, &format, &channels)) return rt_fail(cudaErrorInvalidChannelDescriptor);
  RT_DEVICE(cuDeviceGetTexture1DLinearMaxWidth(width, format, channels, device));
}

/* Frees what the context holds; registered modules are loaded again when they are next needed. */
RT_API cudaError_t cudaDeviceReset(void) {
  cudaError_t error = rt_begin_device();
  if (error) return error;
  rt_forget_modules();
  rt_forget_error();
  return rt_note(cuDevicePrimaryCtxReset(0));
}
RT_API cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

/* ---- the context's settings ---- */

RT_API cudaError_t cudaDeviceSetLimit(int limit, size_t value) { RT_DRIVER(cuCtxSetLimit((CUlimit)limit, value)); }
RT_API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) { RT_DRIVER(cuCtxGetLimit(value, (CUlimit)limit)); }
RT_API cudaError_t cudaDeviceSetCacheConfig(int config) { RT_DRIVER(cuCtxSetCacheConfig((CUfunc_cache)config)); }
RT_API cudaError_t cudaDeviceGetCacheConfig(CUfunc_cache *config) { RT_DRIVER(cuCtxGetCacheConfig(config)); }
RT_API cudaError_t cudaDeviceSetSharedMemConfig(int config) {
  RT_DRIVER(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}
RT_API cudaError_t cudaDeviceGetSharedMemConfig(CUsharedconfig *config) { RT_DRIVER(cuCtxGetSharedMemConfig(config)); }
RT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  RT_DRIVER(cuCtxGetStreamPriorityRange(least, greatest));
}
RT_API cudaError_t cudaCtxResetPersistingL2Cache(void) { RT_DRIVER(cuCtxResetPersistingL2Cache()); }
RT_API cudaError_t cudaProfilerStart(void) { RT_DRIVER(cuProfilerStart()); }
RT_API cudaError_t cudaProfilerStop(void) { RT_DRIVER(cuProfilerStop()); }

/* ---- properties ---- */

#define FIELD(field, attribute) \
  { &p->field, CU_DEVICE_ATTRIBUTE_##attribute }

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct int_field {
  int *to;
  CUdevice_attribute attribute;
};

static CUresult read_fields(const struct int_field *f, size_t n) {
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < n && !result; i++) result = cuDeviceGetAttribute(f[i].to, f[i].attribute, 0);
  return result;
}

/* Sizes of textures and surfaces. */
static CUresult read_limits(struct cudaDeviceProp *p) {
  const struct int_field fields[] = {FIELD(maxTexture1D, MAXIMUM_TEXTURE1D_WIDTH),
                                     FIELD(maxTexture2D[0], MAXIMUM_TEXTURE2D_WIDTH),
                                     FIELD(maxTexture2D[1], MAXIMUM_TEXTURE2D_HEIGHT),
                                     FIELD(maxTexture3D[0], MAXIMUM_TEXTURE3D_WIDTH),
                                     FIELD(maxTexture3D[1], MAXIMUM_TEXTURE3D_HEIGHT),
                                     FIELD(maxTexture3D[2], MAXIMUM_TEXTURE3D_DEPTH),
                                     FIELD(maxTexture3DAlt[0], MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE),
                                     FIELD(maxTexture3DAlt[1], MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE),
                                     FIELD(maxTexture3DAlt[2], MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE),
                                     FIELD(maxTexture2DMipmap[0], MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH),
                                     FIELD(maxTexture2DMipmap[1], MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT),
                                     FIELD(maxTexture2DGather[0], MAXIMUM_TEXTURE2D_GATHER_WIDTH),
                                     FIELD(maxTexture2DGather[1], MAXIMUM_TEXTURE2D_GATHER_HEIGHT),
                                     FIELD(maxTextureCubemap, MAXIMUM_TEXTURECUBEMAP_WIDTH),
                                     FIELD(maxTexture1DLayered[0], MAXIMUM_TEXTURE1D_LAYERED_WIDTH),
                                     FIELD(maxTexture1DLayered[1], MAXIMUM_TEXTURE1D_LAYERED_LAYERS),
                                     FIELD(maxTexture2DLayered[0], MAXIMUM_TEXTURE2D_LAYERED_WIDTH),
                                     FIELD(maxTexture2DLayered[1], MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
                                     FIELD(maxTexture2DLayered[2], MAXIMUM_TEXTURE2D_LAYERED_LAYERS),
                                     FIELD(maxTextureCubemapLayered[0], MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH),
                                     FIELD(maxTextureCubemapLayered[1], MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS),
                                     FIELD(maxSurface1D, MAXIMUM_SURFACE1D_WIDTH),
                                     FIELD(maxSurface2D[0], MAXIMUM_SURFACE2D_WIDTH),
                                     FIELD(maxSurface2D[1], MAXIMUM_SURFACE2D_HEIGHT),
                                     FIELD(maxSurface3D[0], MAXIMUM_SURFACE3D_WIDTH),
                                     FIELD(maxSurface3D[1], MAXIMUM_SURFACE3D_HEIGHT),
                                     FIELD(maxSurface3D[2], MAXIMUM_SURFACE3D_DEPTH),
                                     FIELD(maxSurface1DLayered[0], MAXIMUM_SURFACE1D_LAYERED_WIDTH),
                                     FIELD(maxSurface1DLayered[1], MAXIMUM_SURFACE1D_LAYERED_LAYERS),
                                     FIELD(maxSurface2DLayered[0], MAXIMUM_SURFACE2D_LAYERED_WIDTH),
                                     FIELD(maxSurface2DLayered[1], MAXIMUM_SURFACE2D_LAYERED_HEIGHT),
                                     FIELD(maxSurface2DLayered[2], MAXIMUM_SURFACE2D_LAYERED_LAYERS),
                                     FIELD(maxSurfaceCubemap, MAXIMUM_SURFACECUBEMAP_WIDTH),
                                     FIELD(maxSurfaceCubemapLayered[0], MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH),
                                     FIELD(maxSurfaceCubemapLayered[1], MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS),
                                     FIELD(maxTexture2DLinear[0], MAXIMUM_TEXTURE2D_LINEAR_WIDTH),
                                     FIELD(maxTexture2DLinear[1], MAXIMUM_TEXTURE2D_LINEAR_HEIGHT),
                                     FIELD(maxTexture2DLinear[2], MAXIMUM_TEXTURE2D_LINEAR_PITCH)};
  return read_fields(fields, COUNT(fields));
}

/* Fields of the type int. */
static CUresult read_ints(struct cudaDeviceProp *p) {
  const struct int_field fields[] = {
    FIELD(regsPerBlock, MAX_REGISTERS_PER_BLOCK),
    FIELD(warpSize, WARP_SIZE),
    FIELD(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK),
    FIELD(maxThreadsDim[0], MAX_BLOCK_DIM_X),
    FIELD(maxThreadsDim[1], MAX_BLOCK_DIM_Y),
    FIELD(maxThreadsDim[2], MAX_BLOCK_DIM_Z),
    FIELD(maxGridSize[0], MAX_GRID_DIM_X),
    FIELD(maxGridSize[1], MAX_GRID_DIM_Y),
    FIELD(maxGridSize[2], MAX_GRID_DIM_Z),
    FIELD(major, COMPUTE_CAPABILITY_MAJOR),
    FIELD(minor, COMPUTE_CAPABILITY_MINOR),
    FIELD(multiProcessorCount, MULTIPROCESSOR_COUNT),
    FIELD(canMapHostMemory, CAN_MAP_HOST_MEMORY),
    FIELD(pciBusID, PCI_BUS_ID),
    FIELD(unifiedAddressing, UNIFIED_ADDRESSING),
    FIELD(concurrentKernels, CONCURRENT_KERNELS),
    FIELD(asyncEngineCount, ASYNC_ENGINE_COUNT),
    FIELD(memoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH),
    FIELD(l2CacheSize, L2_CACHE_SIZE),
    FIELD(maxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR),
    FIELD(streamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED),
    FIELD(globalL1CacheSupported, GLOBAL_L1_CACHE_SUPPORTED),
    FIELD(localL1CacheSupported, LOCAL_L1_CACHE_SUPPORTED),
    FIELD(regsPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR),
    FIELD(managedMemory, MANAGED_MEMORY),
    FIELD(concurrentManagedAccess, CONCURRENT_MANAGED_ACCESS),
    FIELD(cooperativeLaunch, COOPERATIVE_LAUNCH),
    FIELD(directManagedMemAccessFromHost, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    FIELD(maxBlocksPerMultiProcessor, MAX_BLOCKS_PER_MULTIPROCESSOR),
    FIELD(hostRegisterSupported, HOST_REGISTER_SUPPORTED),
    FIELD(memoryPoolsSupported, MEMORY_POOLS_SUPPORTED),
#if TANDEM_CUDART == 12
    FIELD(clockRate, CLOCK_RATE),
    FIELD(memoryClockRate, MEMORY_CLOCK_RATE),
    FIELD(maxTexture1DLinear, MAXIMUM_TEXTURE1D_LINEAR_WIDTH),
    FIELD(singleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO),
#else
    FIELD(deviceNumaId, NUMA_ID),
    FIELD(hostNumaId, HOST_NUMA_ID),
#endif
  };
  return read_fields(fields, COUNT(fields));
}

/* Fields of the type size_t. */
static CUresult read_sizes(struct cudaDeviceProp *p) {
  const struct {
    size_t *to;
    CUdevice_attribute attribute;
  } fields[] = {FIELD(sharedMemPerBlock, MAX_SHARED_MEMORY_PER_BLOCK),
                FIELD(sharedMemPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                FIELD(sharedMemPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
                FIELD(memPitch, MAX_PITCH),
                FIELD(totalConstMem, TOTAL_CONSTANT_MEMORY),
                FIELD(textureAlignment, TEXTURE_ALIGNMENT),
                FIELD(texturePitchAlignment, TEXTURE_PITCH_ALIGNMENT),
                FIELD(surfaceAlignment, SURFACE_ALIGNMENT)};
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < sizeof fields / sizeof *fields && !result; i++) {
    int value = 0;
    result = cuDeviceGetAttribute(&value, fields[i].attribute, 0);
    *fields[i].to = (size_t)value;
  }
  return result;
}

RT_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  CUuuid uuid = {{0}};
  cudaError_t error = rt_begin_device();
  if (error) return error;
  if (!p) return rt_fail(cudaErrorInvalidValue);
  if (device) return rt_fail(cudaErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  CUresult result = cuDeviceGetName(p->name, sizeof p->name, 0);
  if (!result) result = cuDeviceGetUuid(&uuid, 0);
  memcpy(p->uuid, uuid.bytes, sizeof p->uuid);
  if (!result) result = cuDeviceTotalMem(&p->totalGlobalMem, 0);
  if (!result) result = read_ints(p);
  if (!result) result = read_limits(p);
  if (!result) result = read_sizes(p);
  return rt_note(result);
}
#if TANDEM_CUDART == 12
RT_ALIAS(cudaGetDeviceProperties, _v2); /* what CUDA 12's header calls; the plain name had a shorter structure before */
#endif
