/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of spmv (judged as ../workload_atoms.h says). A nonzero takes its column, its value and a word of x; a row of
 * 32 of them two bounds and one result. Only x is used again. */
#ifndef SPMV_ATOMS_H
#define SPMV_ATOMS_H

#define SPMV_ATOMS(X)                                                              \
  X(SPMV_FIRST, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 0)   \
  X(SPMV_COLUMN, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(SPMV_VALUE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0)             \
  X(SPMV_X, XMEM_FLOAT32, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 255)             \
  X(SPMV_Y, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 8, 0)

#endif
