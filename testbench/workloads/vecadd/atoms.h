/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of vecadd (judged as ../workload_atoms.h says). An element is read once of each vector and written once. */
#ifndef VECADD_ATOMS_H
#define VECADD_ATOMS_H

#define VECADD_ATOMS(X)                                              \
  X(VECADD_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(VECADD_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(VECADD_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
