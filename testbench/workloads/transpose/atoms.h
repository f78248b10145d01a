/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of transpose (judged as ../workload_atoms.h says). Every element is read once and written once. */
#ifndef TRANSPOSE_ATOMS_H
#define TRANSPOSE_ATOMS_H

#define TRANSPOSE_ATOMS(X)                                              \
  X(TRANSPOSE_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(TRANSPOSE_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
