/* SPDX-License-Identifier: Apache-2.0 */
/* XMem in host programs: part of xmem.h. All calls return a CUresult; CUDA_SUCCESS if they do nothing. They belong to
 * the context in which the module was loaded, and take effect in their order, before the next launch's own
 * instructions. */
#ifndef TANDEM_XMEM_HOST_H
#define TANDEM_XMEM_HOST_H

#include <cuda.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xmem_operation { XMEM_OP_MAP, XMEM_OP_UNMAP, XMEM_OP_ACTIVATE, XMEM_OP_DEACTIVATE };

/* A request to the driver. dim 1 uses size_x; 2 also len_x and size_y; 3 all. */
struct xmem_request {
  enum xmem_operation operation;
  unsigned aid, dim;
  CUdeviceptr start;
  size_t len_x, len_y, size_x, size_y, size_z;
};

/* A module's atoms. Both pointers are NULL if the calls do nothing. */
struct xmem {
  CUmodule module;
  CUresult (*request)(CUmodule, const struct xmem_request *);
  CUresult (*allocate)(CUmodule, CUdeviceptr *, size_t bytes, unsigned aid);
};

static inline void xmem_find(const char *name, void *function, size_t bytes) {
  void *found = NULL;
  CUdriverProcAddressQueryResult status;
  if (cuGetProcAddress(name, &found, CUDA_VERSION, 0, &status) != CUDA_SUCCESS) found = NULL;
  memcpy(function, &found, bytes);
}

/* Finds the module's atoms; must precede the other calls. */
static inline CUresult xmemOpen(struct xmem *x, CUmodule module) {
  CUresult (*count)(CUmodule, unsigned *) = NULL;
  unsigned atoms = 0;
  memset(x, 0, sizeof *x);
  x->module = module;
  xmem_find("tandemXmemAtoms", &count, sizeof count);
  CUresult result = count ? count(module, &atoms) : CUDA_SUCCESS;
  if (result != CUDA_SUCCESS || !atoms) return result;
  xmem_find("tandemXmemRequest", &x->request, sizeof x->request);
  xmem_find("tandemXmemAlloc", &x->allocate, sizeof x->allocate);
  return CUDA_SUCCESS;
}

static inline CUresult xmem_send(const struct xmem *x, struct xmem_request r) {
  return x->request ? x->request(x->module, &r) : CUDA_SUCCESS;
}

static inline CUresult xmemMap(const struct xmem *x, unsigned aid, CUdeviceptr start, size_t size, enum xmem_how how) {
  struct xmem_request r = {how == XMEM_MAP ? XMEM_OP_MAP : XMEM_OP_UNMAP, aid, 1, start, 0, 0, size, 0, 0};
  return xmem_send(x, r);
}
static inline CUresult xmem2DMap(const struct xmem *x, unsigned aid, CUdeviceptr start, size_t lenX, size_t sizeX,
                                 size_t sizeY, enum xmem_how how) {
  struct xmem_request r = {how == XMEM_MAP ? XMEM_OP_MAP : XMEM_OP_UNMAP, aid, 2, start, lenX, 0, sizeX, sizeY, 0};
  return xmem_send(x, r);
}
static inline CUresult xmem3DMap(const struct xmem *x, unsigned aid, CUdeviceptr start, size_t lenX, size_t lenY,
                                 size_t sizeX, size_t sizeY, size_t sizeZ, enum xmem_how how) {
  struct xmem_request r = {
    how == XMEM_MAP ? XMEM_OP_MAP : XMEM_OP_UNMAP, aid, 3, start, lenX, lenY, sizeX, sizeY, sizeZ};
  return xmem_send(x, r);
}
static inline CUresult xmemActivate(const struct xmem *x, unsigned aid) {
  struct xmem_request r = {XMEM_OP_ACTIVATE, aid, 0, 0, 0, 0, 0, 0, 0};
  return xmem_send(x, r);
}
static inline CUresult xmemDeactivate(const struct xmem *x, unsigned aid) {
  struct xmem_request r = {XMEM_OP_DEACTIVATE, aid, 0, 0, 0, 0, 0, 0, 0};
  return xmem_send(x, r);
}

/* Allocates memory and maps all of it to the atom (without activating it); pages are placed knowing the atom. cuMemFree
 * frees it. */
static inline CUresult xmemAlloc(const struct xmem *x, CUdeviceptr *address, size_t bytes, unsigned aid) {
  return x->allocate ? x->allocate(x->module, address, bytes, aid) : cuMemAlloc(address, bytes);
}

#ifdef __cplusplus
}
#endif
#endif
