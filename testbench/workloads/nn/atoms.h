/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of nn (judged as ../workload_atoms.h says). A record of two numbers is read once, a distance written. */
#ifndef NN_ATOMS_H
#define NN_ATOMS_H

#define NN_ATOMS(X)                                                   \
  X(NN_RECORD, XMEM_FLOAT32, XMEM_REGULAR, 8, XMEM_READ_ONLY, 255, 0) \
  X(NN_DISTANCE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 128, 0)

#endif
