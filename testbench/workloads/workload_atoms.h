/* SPDX-License-Identifier: Apache-2.0 */
/* What host programs with atoms share (xmem.h; Vijaykumar 2019, chapter 2). Include after "workload.h". A program has an
 * `atoms.h` beside its sources; its version `xmem` is the kernel of its first version, or the one that it names, with the
 * table of these atoms in its module: on any other version, system or driver the calls below are plain allocations.
 *
 * How the attributes are judged, for all programs alike, from the source alone (ours):
 *   pattern    REGULAR if neighbouring threads access neighbouring data; IRREGULAR if where is decided by data, and would be
 *              again; NON_DET if it is random
 *   stride     bytes between what neighbouring threads access: memory sees the grid, not one thread
 *   intensity  255 for the structure that warps ask for most often, the others in proportion
 *   reuse      0 if nothing is accessed twice; 255 for what is used again most, 64 or 128 in between
 */
#ifndef TANDEM_WORKLOAD_ATOMS_H
#define TANDEM_WORKLOAD_ATOMS_H

#include <xmem.h>

static inline struct xmem workload_atoms(const struct workload *w) {
  struct xmem x;
  xmemOpen(&x, w->module);
  return x;
}

/* workload_upload of a structure that is all of one atom: its pages are placed as the atom's, and from then on all of it
 * is mapped to the atom, which is active. */
static inline CUdeviceptr workload_upload_atom(const struct workload *w, struct xmem *x, unsigned atom,
                                               const void *data, size_t bytes) {
  CUdeviceptr address;
  WORKLOAD_PREPARE(w, xmemAlloc(x, &address, bytes, atom));
  if (data) WORKLOAD_PREPARE(w, cuMemcpyHtoD(address, data, bytes));
  xmemActivate(x, atom);
  return address;
}

/* The same, with room after it, as workload_upload_tiled. */
static inline CUdeviceptr workload_upload_atom_tiled(const struct workload *w, struct xmem *x, unsigned atom,
                                                     const void *data, size_t bytes) {
  CUdeviceptr address = workload_upload_atom(w, x, atom, NULL, bytes + 128);
  WORKLOAD_PREPARE(w, cuMemcpyHtoD(address, data, bytes));
  return address;
}

#endif
