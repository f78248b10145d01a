/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of bfs (judged as ../workload_atoms.h says). A search of some eight levels, a node: its two flags of the
 * frontier are read at every level and written once or twice; of its six edges each is read, and the flag and the
 * distance at its end, which lie anywhere. */
#ifndef BFS_ATOMS_H
#define BFS_ATOMS_H

#define BFS_ATOMS(X)                                                              \
  X(BFS_FIRST, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 36, 0)   \
  X(BFS_EDGE, XMEM_INT32 | XMEM_INDEX, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 109, 0) \
  X(BFS_FRONTIER, XMEM_CHAR8, XMEM_REGULAR, 1, XMEM_READ_WRITE, 182, 255)         \
  X(BFS_REACHED, XMEM_CHAR8, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 255, 255)        \
  X(BFS_VISITED, XMEM_CHAR8, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 128, 255)        \
  X(BFS_DISTANCE, XMEM_INT32, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 73, 128)

#endif
