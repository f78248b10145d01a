/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of kmeans (judged as ../workload_atoms.h says). Every feature is read once for each of the clusters; a number
 * is written for each point. */
#ifndef KMEANS_ATOMS_H
#define KMEANS_ATOMS_H

#define KMEANS_ATOMS(X)                                                      \
  X(KMEANS_FEATURE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255) \
  X(KMEANS_MEMBER, XMEM_INT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 2, 0)

#endif
