/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of jacobi (judged as ../workload_atoms.h says). An iteration reads a cell of one vector once and its rims,
 * writes one of the other and reads one of f; a CTA writes its largest change. */
#ifndef JACOBI_ATOMS_H
#define JACOBI_ATOMS_H

#define JACOBI_ATOMS(X)                                                    \
  X(JACOBI_F, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 226, 128)     \
  X(JACOBI_EVEN, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 255) \
  X(JACOBI_ODD, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 255)  \
  X(JACOBI_CHANGE, XMEM_INT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 1, 0)

#endif
