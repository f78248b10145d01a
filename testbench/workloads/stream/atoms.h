/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of stream (judged as ../workload_atoms.h says). An element is read once of each vector and written once. */
#ifndef STREAM_ATOMS_H
#define STREAM_ATOMS_H

#define STREAM_ATOMS(X)                                              \
  X(STREAM_X, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(STREAM_Y, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(STREAM_Z, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
