/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of lbm (judged as ../workload_atoms.h says). A step reads all of one lattice and writes all of the other,
 * which is what the next one reads. */
#ifndef LBM_ATOMS_H
#define LBM_ATOMS_H

#define LBM_ATOMS(X)                                                    \
  X(LBM_EVEN, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 128) \
  X(LBM_ODD, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 128)

#endif
