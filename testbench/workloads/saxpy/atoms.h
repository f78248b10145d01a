/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of saxpy (judged as ../workload_atoms.h says). x is read once, y read and written. */
#ifndef SAXPY_ATOMS_H
#define SAXPY_ATOMS_H

#define SAXPY_ATOMS(X)                                              \
  X(SAXPY_X, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 128, 0) \
  X(SAXPY_Y, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 0)

#endif
