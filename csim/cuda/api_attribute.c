/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: attributes of the device, each from the GPU configuration's parameters or from what this driver does. 0 of most others: the
 * simulated device has no such thing. */
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
  A(SURFACE_ALIGNMENT, CUDA_GRAIN),
  A(PCI_BUS_ID, 1),
  A(UNIFIED_ADDRESSING, 1),
  A(TEXTURE_PITCH_ALIGNMENT, TEXTURE_PITCH_ALIGNMENT),
  A(MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 1 << 27),
  A(MAXIMUM_TEXTURE2D_LINEAR_WIDTH, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, TEXTURE_WIDTH_MAX),
  A(MAXIMUM_TEXTURE2D_LINEAR_PITCH, INT32_MAX),
  A(COMPUTE_CAPABILITY_MAJOR, 7),
  A(STREAM_PRIORITIES_SUPPORTED, 1),
  A(COOPERATIVE_LAUNCH, 1),
  A(HOST_REGISTER_SUPPORTED, 1),
  A(MEMORY_POOLS_SUPPORTED, 1),
  A(MEM_SYNC_DOMAIN_COUNT, 1),
  A(NUMA_ID, -1),
  A(HOST_NUMA_ID, -1),
  /* it has no such thing */
  A(GPU_OVERLAP, 0),
  A(KERNEL_EXEC_TIMEOUT, 0),
  A(INTEGRATED, 0),
  A(COMPUTE_MODE, 0),
  A(MAXIMUM_TEXTURE3D_WIDTH, 0),
  A(MAXIMUM_TEXTURE3D_HEIGHT, 0),
  A(MAXIMUM_TEXTURE3D_DEPTH, 0),
  A(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 0),
  A(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 0),
  A(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 0),
  A(CONCURRENT_KERNELS, 0),
  A(ECC_ENABLED, 0),
  A(PCI_DEVICE_ID, 0),
  A(TCC_DRIVER, 0),
  A(ASYNC_ENGINE_COUNT, 0),
  A(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 0),
  A(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 0),
  A(CAN_TEX2D_GATHER, 0),
  A(MAXIMUM_TEXTURE2D_GATHER_WIDTH, 0),
  A(MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 0),
  A(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 0),
  A(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 0),
  A(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 0),
  A(PCI_DOMAIN_ID, 0),
  A(MAXIMUM_TEXTURECUBEMAP_WIDTH, 0),
  A(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 0),
  A(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 0),
  A(MAXIMUM_SURFACE1D_WIDTH, 0),
  A(MAXIMUM_SURFACE2D_WIDTH, 0),
  A(MAXIMUM_SURFACE2D_HEIGHT, 0),
  A(MAXIMUM_SURFACE3D_WIDTH, 0),
  A(MAXIMUM_SURFACE3D_HEIGHT, 0),
  A(MAXIMUM_SURFACE3D_DEPTH, 0),
  A(MAXIMUM_SURFACE1D_LAYERED_WIDTH, 0),
  A(MAXIMUM_SURFACE1D_LAYERED_LAYERS, 0),
  A(MAXIMUM_SURFACE2D_LAYERED_WIDTH, 0),
  A(MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 0),
  A(MAXIMUM_SURFACE2D_LAYERED_LAYERS, 0),
  A(MAXIMUM_SURFACECUBEMAP_WIDTH, 0),
  A(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 0),
  A(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 0),
  A(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 0),
  A(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 0),
  A(COMPUTE_CAPABILITY_MINOR, 0),
  A(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 0),
  A(MULTI_GPU_BOARD, 0),
  A(MULTI_GPU_BOARD_GROUP_ID, 0),
  A(HOST_NATIVE_ATOMIC_SUPPORTED, 0),
  A(PAGEABLE_MEMORY_ACCESS, 0),
  A(COMPUTE_PREEMPTION_SUPPORTED, 0),
  A(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 0),
  A(CAN_USE_STREAM_MEM_OPS_V1, 0),
  A(CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 0),
  A(CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 0),
  A(COOPERATIVE_MULTI_DEVICE_LAUNCH, 0),
  A(CAN_FLUSH_REMOTE_WRITES, 0),
  A(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0),
  A(VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0),
  A(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0),
  A(HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0),
  A(HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 0),
  A(GENERIC_COMPRESSION_SUPPORTED, 0),
  A(MAX_PERSISTING_L2_CACHE_SIZE, 0),
  A(MAX_ACCESS_POLICY_WINDOW_SIZE, 0),
  A(GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 0),
  A(RESERVED_SHARED_MEMORY_PER_BLOCK, 0),
  A(SPARSE_CUDA_ARRAY_SUPPORTED, 0),
  A(READ_ONLY_HOST_REGISTER_SUPPORTED, 0),
  A(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 0),
  A(GPU_DIRECT_RDMA_SUPPORTED, 0),
  A(GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 0),
  A(GPU_DIRECT_RDMA_WRITES_ORDERING, 0),
  A(MEMPOOL_SUPPORTED_HANDLE_TYPES, 0),
  A(CLUSTER_LAUNCH, 0),
  A(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 0),
  A(CAN_USE_64_BIT_STREAM_MEM_OPS, 0),
  A(CAN_USE_STREAM_WAIT_VALUE_NOR, 0),
  A(DMA_BUF_SUPPORTED, 0),
  A(IPC_EVENT_SUPPORTED, 0),
  A(TENSOR_MAP_ACCESS_SUPPORTED, 0),
  A(HANDLE_TYPE_FABRIC_SUPPORTED, 0),
  A(UNIFIED_FUNCTION_POINTERS, 0),
  A(NUMA_CONFIG, 0),
  A(MULTICAST_SUPPORTED, 0),
  A(MPS_ENABLED, 0),
  A(D3D12_CIG_SUPPORTED, 0),
  A(MEM_DECOMPRESS_ALGORITHM_MASK, 0),
  A(MEM_DECOMPRESS_MAXIMUM_LENGTH, 0),
  A(VULKAN_CIG_SUPPORTED, 0),
  A(GPU_PCI_DEVICE_ID, 0),
  A(GPU_PCI_SUBSYSTEM_ID, 0),
  A(HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0),
  A(HOST_NUMA_MEMORY_POOLS_SUPPORTED, 0),
  A(HOST_NUMA_MULTINODE_IPC_SUPPORTED, 0),
  A(HOST_MEMORY_POOLS_SUPPORTED, 0),
  A(HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0),
  A(HOST_ALLOC_DMA_BUF_SUPPORTED, 0),
  A(ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, 0),
};

/* Managed memory is where the host sees device memory at the device's own addresses. */
static bool same_addresses(const struct cuda_driver *d) {
  return (uintptr_t)d->sim->memory.bytes == DEVICE_MEMORY_BASE;
}

/* Pins of the memory bus: a channel moves bytes_per_clock in a command clock, four bits a pin (GDDR5). Programs take the memory
 * clock for one of two bits a pin, so it is twice the command clock: 2 x clock x width is the configuration's bandwidth. */
static int64_t bus_width(const struct gpu_config *m) { return m->dram_channels * m->dram_bytes_per_clock * 8 / 4; }

/* True: the attribute is of the GPU configuration. */
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
  bool known = of_config(d, attribute, &v);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed && !known; i++) {
    known = fixed[i].attribute == attribute;
    v = fixed[i].value;
  }
  if (known) *value = (int)v;
  return cuda_leave(known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
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
