/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of mum (judged as ../workload_atoms.h says). A step down the tree takes a node, an edge and letters of the
 * reference from anywhere; reads and results are few lines. */
#ifndef MUM_ATOMS_H
#define MUM_ATOMS_H

#define MUM_ATOMS(X)                                                                      \
  X(MUM_REFERENCE, XMEM_CHAR8, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 255)               \
  X(MUM_CHILDREN, XMEM_INT32 | XMEM_POINTER, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 255) \
  X(MUM_EDGES, XMEM_INT32 | XMEM_INDEX, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 255)      \
  X(MUM_READ, XMEM_CHAR8, XMEM_REGULAR, 25, XMEM_READ_ONLY, 1, 0)                         \
  X(MUM_OUT, XMEM_CHAR8, XMEM_REGULAR, 6, XMEM_WRITE_ONLY, 1, 0)

#endif
