/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of mix (judged as ../workload_atoms.h says). With its default arguments a warp takes a line of each of two
 * streams and one of the table, at random. One call site creates the atom of all streams. */
#ifndef MIX_ATOMS_H
#define MIX_ATOMS_H

#define MIX_ATOMS(X)                                                 \
  X(MIX_STREAM, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(MIX_TABLE, XMEM_INT32, XMEM_NON_DET, 0, XMEM_READ_ONLY, 128, 64) \
  X(MIX_OUT, XMEM_INT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 128, 0)

#endif
