/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA driver API as far as this project implements it: the same names, types and values as NVIDIA's header, so that a
 * program compiles against either. */
#ifndef TANDEM_CUDA_H
#define TANDEM_CUDA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_VERSION 12000
#define CUDAAPI
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

/* X(code, value, sentence) */
/* clang-format off */
#define TANDEM_CUDA_ERRORS(X) \
  X(CUDA_SUCCESS, 0, "no error") \
  X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument") \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory") \
  X(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error") \
  X(CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down") \
  X(CUDA_ERROR_NO_DEVICE, 100, "no device") \
  X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal") \
  X(CUDA_ERROR_INVALID_IMAGE, 200, "module image is invalid") \
  X(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context") \
  X(CUDA_ERROR_INVALID_PTX, 218, "the PTX text was refused") \
  X(CUDA_ERROR_INVALID_SOURCE, 300, "invalid source") \
  X(CUDA_ERROR_FILE_NOT_FOUND, 301, "file not found") \
  X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle") \
  X(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found") \
  X(CUDA_ERROR_NOT_READY, 600, "not ready") \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, "illegal memory access") \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch") \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "the launch made no progress") \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned memory access") \
  X(CUDA_ERROR_LAUNCH_FAILED, 719, "launch failed") \
  X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported") \
  X(CUDA_ERROR_UNKNOWN, 999, "unknown error")
/* clang-format on */

typedef enum cudaError_enum {
#define X(code, value, sentence) code = (value),
  TANDEM_CUDA_ERRORS(X)
#undef X
} CUresult;

typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
} CUdevice_attribute;

typedef enum CUfunction_attribute_enum {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4
} CUfunction_attribute;

enum { CU_CTX_SCHED_AUTO = 0, CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0 };

typedef enum CUdriverProcAddressQueryResult_enum {
  CU_GET_PROC_ADDRESS_SUCCESS = 0,
  CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;

typedef int CUdevice;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuGetProcAddress cuGetProcAddress_v2

CUresult cuGetErrorName(CUresult, const char **);
CUresult cuGetErrorString(CUresult, const char **);
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *);
CUresult cuDeviceGet(CUdevice *, int ordinal);
CUresult cuDeviceGetCount(int *);
CUresult cuDeviceGetName(char *name, int size, CUdevice);
CUresult cuDeviceTotalMem(size_t *, CUdevice);
CUresult cuDeviceGetAttribute(int *, CUdevice_attribute, CUdevice);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice);
CUresult cuCtxCreate(CUcontext *, unsigned int flags, CUdevice);
CUresult cuCtxDestroy(CUcontext);
CUresult cuCtxSetCurrent(CUcontext);
CUresult cuCtxGetCurrent(CUcontext *);
CUresult cuCtxSynchronize(void);
CUresult cuDevicePrimaryCtxRetain(CUcontext *, CUdevice);
CUresult cuDevicePrimaryCtxRelease(CUdevice);
CUresult cuModuleLoad(CUmodule *, const char *file);
CUresult cuModuleLoadData(CUmodule *, const void *image);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *name);
CUresult cuModuleGetGlobal(CUdeviceptr *, size_t *bytes, CUmodule, const char *name);
CUresult cuFuncGetAttribute(int *, CUfunction_attribute, CUfunction);
CUresult cuMemAlloc(CUdeviceptr *, size_t bytes);
CUresult cuMemFree(CUdeviceptr);
CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes);
CUresult cuMemcpyHtoD(CUdeviceptr, const void *, size_t bytes);
CUresult cuMemcpyDtoH(void *, CUdeviceptr, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr, const void *, size_t bytes, CUstream);
CUresult cuMemcpyDtoHAsync(void *, CUdeviceptr, size_t bytes, CUstream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream);
CUresult cuMemAllocHost(void **, size_t bytes);
CUresult cuMemFreeHost(void *);
CUresult cuMemsetD8(CUdeviceptr, unsigned char, size_t n);
CUresult cuMemsetD32(CUdeviceptr, unsigned int, size_t n);
CUresult cuStreamCreate(CUstream *, unsigned int flags);
CUresult cuStreamDestroy(CUstream);
CUresult cuStreamSynchronize(CUstream);
CUresult cuStreamQuery(CUstream);
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned int flags);
CUresult cuEventCreate(CUevent *, unsigned int flags);
CUresult cuEventDestroy(CUevent);
CUresult cuEventRecord(CUevent, CUstream);
CUresult cuEventSynchronize(CUevent);
CUresult cuEventQuery(CUevent);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
CUresult cuLaunchKernel(CUfunction, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
                        unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream, void **params,
                        void **extra);
/* `version`, `flags`: every entry point is of one version here. `status` may be NULL. */
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status);

#include "cuda_texture.h"

#ifdef __cplusplus
}
#endif
#endif
