/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the device. There is one, number 0. */
#include "api_array.h"

#include <string.h>

#define PCI_BUS_ID "0000:01:00.0"

CUDA_API CUresult cuDeviceGetCount(int *count) {
  CUDA_CALL(false);
  if (!count) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *count = 1;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CUDA_CALL(false);
  if (!device) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (ordinal) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  *device = 0;
  return cuda_leave(CUDA_SUCCESS);
}

/* A call about device 0 that gives something back through `out`. */
#define DEVICE_CALL(out, device)                           \
  CUDA_CALL(false);                                        \
  if (!(out)) return cuda_leave(CUDA_ERROR_INVALID_VALUE); \
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE)

CUDA_API CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  DEVICE_CALL(name, device);
  if (size < 1) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  snprintf(name, (size_t)size, "Tandem %s", d->sim->session.config_name);
  return cuda_leave(CUDA_SUCCESS);
}

/* assumption: the name of the GPU configuration in 16 bytes: the same GPU configuration is the same device in every run. */
CUDA_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  DEVICE_CALL(uuid, device);
  char text[sizeof uuid->bytes + 1] = "";
  snprintf(text, sizeof text, "tandem-%s", d->sim->session.config_name);
  memcpy(uuid->bytes, text, sizeof uuid->bytes);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

CUDA_API CUresult cuDeviceGetLuid(char *luid, unsigned int *mask, CUdevice device) {
  DEVICE_CALL(luid && mask, device);
  return cuda_leave(CUDA_ERROR_NOT_SUPPORTED); /* as on every system but Windows */
}

CUDA_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  DEVICE_CALL(bytes, device);
  *bytes = (size_t)d->sim->session.config.memory_mib << 20;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device) {
  DEVICE_CALL(id, device);
  if (size < (int)sizeof PCI_BUS_ID) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  memcpy(id, PCI_BUS_ID, sizeof PCI_BUS_ID);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  CUDA_CALL(false);
  if (!device || !id) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (strcmp(id, PCI_BUS_ID) != 0 && strcmp(id, PCI_BUS_ID + 5) != 0) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  *device = 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice device) {
  DEVICE_CALL(supported, device);
  if (type >= CU_EXEC_AFFINITY_TYPE_MAX) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *supported = 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  DEVICE_CALL(can, device || peer);
  *can = 0; /* a device is not its own peer */
  return cuda_leave(CUDA_SUCCESS);
}

/* There is no second device. */
CUDA_API CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  (void)attribute, (void)from, (void)to;
  CUDA_CALL(false);
  return cuda_leave(value ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels,
                                                     CUdevice device) {
  DEVICE_CALL(width, device);
  struct texture_memory m = {0};
  CUresult result = cuda_texture_format(&m, format, channels);
  if (!result) *width = (size_t)1 << 27;
  return cuda_leave(result);
}

CUDA_ALIAS(cuDeviceTotalMem_v2, "cuDeviceTotalMem");
