/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of bfs (judged as ../workload_atoms.h says). A search, a warp of 32 nodes: the flags at the ends of its 192
 * edges, which lie anywhere, and of those not yet reached flag and distance; a line for every six edges; its own flags
 * at some eight levels. */
#ifndef BFS_ATOMS_H
#define BFS_ATOMS_H

#define BFS_ATOMS(X)                                                             \
  X(BFS_FIRST, XMEM_INT32 | XMEM_INDEX, XMEM_REGULAR, 4, XMEM_READ_ONLY, 8, 0)   \
  X(BFS_EDGE, XMEM_INT32 | XMEM_INDEX, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 50, 0) \
  X(BFS_FRONTIER, XMEM_CHAR8, XMEM_REGULAR, 1, XMEM_READ_WRITE, 18, 255)         \
  X(BFS_REACHED, XMEM_CHAR8, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 77, 255)        \
  X(BFS_VISITED, XMEM_CHAR8, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 255, 255)       \
  X(BFS_DISTANCE, XMEM_INT32, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 66, 128)

#endif
