/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of mix (judged as ../workload_atoms.h says). With its default arguments a sum takes one word of each stream
 * and one of the table, at random. */
#ifndef MIX_ATOMS_H
#define MIX_ATOMS_H

#define MIX_ATOMS(X)                                                  \
  X(MIX_STREAM0, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MIX_STREAM1, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MIX_STREAM2, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MIX_STREAM3, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MIX_TABLE, XMEM_INT32, XMEM_NON_DET, 0, XMEM_READ_ONLY, 255, 64)  \
  X(MIX_OUT, XMEM_INT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
