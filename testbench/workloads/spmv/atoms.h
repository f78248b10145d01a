/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of spmv (judged as ../workload_atoms.h says). A row of 32 nonzeros takes one line of columns, one of values,
 * 32 of x, and little else. Only x is used again. */
#ifndef SPMV_ATOMS_H
#define SPMV_ATOMS_H

#define SPMV_ATOMS(X)                                                            \
  X(SPMV_FIRST, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 1, 0)  \
  X(SPMV_COLUMN, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 8, 0) \
  X(SPMV_VALUE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 8, 0)             \
  X(SPMV_X, XMEM_FLOAT32, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 255)           \
  X(SPMV_Y, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 1, 0)

#endif
