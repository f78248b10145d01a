/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of backprop (judged as ../workload_atoms.h says). A weight is read, read again and written, its last change
 * read and written; sixteen weights have an input, read twice, and sixteen inputs sixteen sums. */
#ifndef BACKPROP_ATOMS_H
#define BACKPROP_ATOMS_H

#define BACKPROP_ATOMS(X)                                                      \
  X(BACKPROP_INPUT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 11, 64)     \
  X(BACKPROP_WEIGHT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 128) \
  X(BACKPROP_LAST, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 170, 0)     \
  X(BACKPROP_PARTIAL, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 5, 0)    \
  X(BACKPROP_DELTA, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 1, 255)

#endif
