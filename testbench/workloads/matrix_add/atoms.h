/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of matrix_add (judged as ../workload_atoms.h says). An element is read once of each matrix and written once.
 * */
#ifndef MATRIX_ADD_ATOMS_H
#define MATRIX_ADD_ATOMS_H

#define MATRIX_ADD_ATOMS(X)                                              \
  X(MATRIX_ADD_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MATRIX_ADD_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MATRIX_ADD_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
