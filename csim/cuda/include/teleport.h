/* SPDX-License-Identifier: Apache-2.0 */
/* TELEPORT in host programs (Lashgar, Atoofian, Baniasadi 2018, listing 1): which bytes each CTA of the next launches reads. The rows
 * are hints: they never change results. In C, against the driver API.
 *
 *   struct teleport t;
 *   teleportOpen(&t);
 *   teleportFlushCTATracker(&t);                                          rows of the current stream are forgotten
 *   teleportSetCTATracker(&t, nodes, sizeof(struct node), T, 0, 0, 0, T, 0, 0, T);       a row for each index
 *   cuLaunchKernel(...);                                                  CTA bx reads nodes[T * bx] up to nodes[T * bx + T]
 *
 * A row is the bytes from
 *   baseptr + typesize * (blockIdx.x * minbidxp + blockIdx.y * minbidyp + blockIdx.z * minbidzp + minoffset)
 * up to and without the same with max. Products and offsets are elements and may be negative (a halo above a tile).
 *
 * Calls act on one stream, the default one until teleportStream names another. A launch uses the rows that its stream has at that
 * moment; they stay until they are flushed. Results of teleportSetCTATracker:
 *   CUDA_ERROR_OUT_OF_MEMORY   no row of the table is free (teleport.rows, shared by all streams); this one is ignored
 *   CUDA_ERROR_INVALID_VALUE   typesize is 0, or a field does not fit the table (teleport.wide=0: unsigned, 16 bits); ignored
 * The calls do nothing and return CUDA_SUCCESS with another driver, when TELEPORT is off, and when it makes the rows itself
 * (teleport.source=analysis). */
#ifndef TANDEM_TELEPORT_H
#define TANDEM_TELEPORT_H

#include <cuda.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct teleport_tracker {
  CUdeviceptr base;
  size_t typesize;
  int min_product[3], min_offset, max_product[3], max_offset;
};

/* `set` is NULL if the calls do nothing. */
struct teleport {
  CUstream stream;
  CUresult (*set)(CUstream, const struct teleport_tracker *);
  CUresult (*flush)(CUstream);
};

static inline void teleport_find(const char *name, void *function, size_t bytes) {
  void *found = NULL;
  CUdriverProcAddressQueryResult status;
  if (cuGetProcAddress(name, &found, CUDA_VERSION, 0, &status) != CUDA_SUCCESS) found = NULL;
  memcpy(function, &found, bytes);
}

/* After cuInit, before the other calls. */
static inline void teleportOpen(struct teleport *t) {
  memset(t, 0, sizeof *t);
  teleport_find("tandemTeleportSet", &t->set, sizeof t->set);
  teleport_find("tandemTeleportFlush", &t->flush, sizeof t->flush);
}

static inline void teleportStream(struct teleport *t, CUstream stream) { t->stream = stream; }

static inline CUresult teleportFlushCTATracker(const struct teleport *t) {
  return t->flush ? t->flush(t->stream) : CUDA_SUCCESS;
}

static inline CUresult teleportSetCTATracker(const struct teleport *t, CUdeviceptr baseptr, size_t typesize,
                                             int minbidxp, int minbidyp, int minbidzp, int minoffset, int maxbidxp,
                                             int maxbidyp, int maxbidzp, int maxoffset) {
  struct teleport_tracker row = {
    baseptr, typesize, {minbidxp, minbidyp, minbidzp}, minoffset, {maxbidxp, maxbidyp, maxbidzp}, maxoffset};
  return t->set ? t->set(t->stream, &row) : CUDA_SUCCESS;
}

#ifdef __cplusplus
}
#endif
#endif
