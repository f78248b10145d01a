/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of scalar_product (judged as ../workload_atoms.h says). Elements are read once; a result is written for
 * thousands of them. */
#ifndef SCALAR_PRODUCT_ATOMS_H
#define SCALAR_PRODUCT_ATOMS_H

#define SCALAR_PRODUCT_ATOMS(X)                                              \
  X(SCALAR_PRODUCT_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(SCALAR_PRODUCT_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(SCALAR_PRODUCT_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 1, 0)

#endif
