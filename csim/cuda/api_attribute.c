/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: attributes of the device. They follow from the GPU configuration or from what this driver implements; all others
 * are of features that the simulated device does not have, and read 0. */
#include "api_array.h"

struct attribute {
  CUdevice_attribute attribute;
  int value;
};

#define A(name, value) \
  { CU_DEVICE_ATTRIBUTE_##name, value }

static const struct attribute fixed[] = {
  A(MAX_BLOCK_DIM_Z, 64),
  A(MAX_GRID_DIM_X, INT32_MAX),
  A(MAX_GRID_DIM_Y, 65535),
  A(MAX_GRID_DIM_Z, 65535),
  A(TOTAL_CONSTANT_MEMORY, 65536),
  A(WARP_SIZE, WARP_LANES),
  A(MAX_PITCH, INT32_MAX),
  A(TEXTURE_ALIGNMENT, TEXTURE_ALIGNMENT),
  A(CAN_MAP_HOST_MEMORY, 1),
  A(MAXIMUM_TEXTURE1D_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE3D_WIDTH, TEXTURE_3D_MAX),
  A(MAXIMUM_TEXTURE3D_HEIGHT, TEXTURE_3D_MAX),
  A(MAXIMUM_TEXTURE3D_DEPTH, TEXTURE_3D_MAX),
  A(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, TEXTURE_3D_MAX),
  A(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, TEXTURE_3D_MAX),
  A(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, TEXTURE_3D_MAX),
  A(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, TEXTURE_LAYERS_MAX),
  A(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, TEXTURE_LAYERS_MAX),
  A(CAN_TEX2D_GATHER, 1),
  A(MAXIMUM_TEXTURE2D_GATHER_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_GATHER_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURECUBEMAP_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, TEXTURE_LAYERS_MAX),
  A(MAXIMUM_SURFACE1D_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACE2D_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACE2D_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACE3D_WIDTH, TEXTURE_3D_MAX),
  A(MAXIMUM_SURFACE3D_HEIGHT, TEXTURE_3D_MAX),
  A(MAXIMUM_SURFACE3D_DEPTH, TEXTURE_3D_MAX),
  A(MAXIMUM_SURFACE1D_LAYERED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACE1D_LAYERED_LAYERS, TEXTURE_LAYERS_MAX),
  A(MAXIMUM_SURFACE2D_LAYERED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACE2D_LAYERED_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACE2D_LAYERED_LAYERS, TEXTURE_LAYERS_MAX),
  A(MAXIMUM_SURFACECUBEMAP_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, TEXTURE_LAYERS_MAX),
  A(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, TEXTURE_WIDTH_MAX),
  A(SURFACE_ALIGNMENT, CUDA_GRAIN),
  A(PCI_BUS_ID, 1),
  A(UNIFIED_ADDRESSING, 1),
  A(TEXTURE_PITCH_ALIGNMENT, TEXTURE_PITCH_ALIGNMENT),
  A(MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 1 << 27),
  A(MAXIMUM_TEXTURE2D_LINEAR_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_LINEAR_PITCH, INT32_MAX),
  A(STREAM_PRIORITIES_SUPPORTED, 1),
  A(COOPERATIVE_LAUNCH, 1),
  A(HOST_REGISTER_SUPPORTED, 1),
  A(MEMORY_POOLS_SUPPORTED, 1),
  A(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1),
  A(MEM_SYNC_DOMAIN_COUNT, 1),
  A(NUMA_ID, -1),
  A(HOST_NUMA_ID, -1),
};

/* True if the host sees device memory at the device's addresses, as managed memory needs it. */
static bool same_addresses(const struct cuda_driver *d) {
  return (uintptr_t)d->sim->memory.bytes == DEVICE_MEMORY_BASE;
}

/* Pins of the memory bus: a channel moves bytes_per_clock in a command clock, four bits a pin (GDDR5). Programs take the memory
 * clock for one of two bits a pin, so it is twice the command clock: 2 x clock x width is the configuration's bandwidth. */
static int64_t bus_width(const struct gpu_config *m) { return m->dram_channels * m->dram_bytes_per_clock * 8 / 4; }

/* Attributes that follow from the GPU configuration; false: another attribute. */
static bool of_config(const struct cuda_driver *d, CUdevice_attribute attribute, int64_t *value) {
  const struct gpu_config *m = &d->sim->session.config;
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = m->sm_threads < 1024 ? m->sm_threads : 1024; return true;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = m->sm_shared_bytes; return true;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = m->sm_registers; return true;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = m->compute_capability / 10; return true;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = m->compute_capability % 10; return true;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = m->core_khz; return true;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = m->sm_count; return true;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = 2 * m->dram_khz; return true;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = bus_width(m); return true;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = m->l2_bytes; return true;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = m->sm_threads; return true;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: *value = m->sm_ctas; return true;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED: *value = m->l1_bytes > 0; return true;
    case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO:
      *value = m->sm_interval_f64 > 1 ? m->sm_interval_f64 : 1;
      return true;
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
    case CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: *value = same_addresses(d); return true;
    default: return false;
  }
}

CUDA_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  int64_t v = 0;
  CUDA_CALL(false);
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if ((unsigned)attribute - 1 >= CU_DEVICE_ATTRIBUTE_MAX - 1) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!of_config(d, attribute, &v))
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
      if (fixed[i].attribute == attribute) v = fixed[i].value;
  *value = (int)v;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return result ? result : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUDA_API CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice device) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const struct {
    int *to;
    CUdevice_attribute attribute;
  } fields[] = {
    {&p->maxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    {&p->maxThreadsDim[0], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
    {&p->maxThreadsDim[1], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
    {&p->maxThreadsDim[2], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
    {&p->maxGridSize[0], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
    {&p->maxGridSize[1], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
    {&p->maxGridSize[2], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
    {&p->sharedMemPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
    {&p->totalConstantMemory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY},
    {&p->SIMDWidth, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    {&p->memPitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH},
    {&p->regsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    {&p->clockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
    {&p->textureAlign, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT},
  };
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < sizeof fields / sizeof *fields && !result; i++)
    result = cuDeviceGetAttribute(fields[i].to, fields[i].attribute, device);
  return result;
}
