/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of pathfinder (judged as ../workload_atoms.h says). A cell of the wall is read once; the costs of a row are
 * read and written once for the rows of a launch. */
#ifndef PATHFINDER_ATOMS_H
#define PATHFINDER_ATOMS_H

#define PATHFINDER_ATOMS(X)                                               \
  X(PATHFINDER_WALL, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(PATHFINDER_COST, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 28, 255)

#endif
