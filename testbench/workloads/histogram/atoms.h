/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of histogram (judged as ../workload_atoms.h says). Bytes are read once, in whole lines; the merge takes a line
 * for each partial count that it adds (the default: a megabyte, 240 partial histograms). */
#ifndef HISTOGRAM_ATOMS_H
#define HISTOGRAM_ATOMS_H

#define HISTOGRAM_ATOMS(X)                                                        \
  X(HISTOGRAM_IN, XMEM_CHAR8, XMEM_REGULAR, 4, XMEM_READ_ONLY, 33, 0)             \
  X(HISTOGRAM_PARTIAL, XMEM_INT32, XMEM_REGULAR, 1024, XMEM_READ_WRITE, 255, 255) \
  X(HISTOGRAM_BINS, XMEM_INT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 1, 0)

#endif
