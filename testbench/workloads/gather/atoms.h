/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of gather (judged as ../workload_atoms.h says). A warp takes a line of indices, up to 32 lines of the table, from
 * anywhere, and writes a line. */
#ifndef GATHER_ATOMS_H
#define GATHER_ATOMS_H

#define GATHER_ATOMS(X)                                                           \
  X(GATHER_INDEX, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 8, 0) \
  X(GATHER_TABLE, XMEM_FLOAT32, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 64)       \
  X(GATHER_OUT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 8, 0)

#endif
