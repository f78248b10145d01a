/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of sgemv (judged as ../workload_atoms.h says). The matrix is read once; a CTA of 128 rows reads all of x: a
 * request for 128 of the matrix. */
#ifndef SGEMV_ATOMS_H
#define SGEMV_ATOMS_H

#define SGEMV_ATOMS(X)                                              \
  X(SGEMV_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(SGEMV_X, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 2, 255) \
  X(SGEMV_Y, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 1, 0)

#endif
