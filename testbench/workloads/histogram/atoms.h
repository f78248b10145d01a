/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of histogram (judged as ../workload_atoms.h says). Bytes are read once, four at a time; the CTAs leave few
 * partial counts. */
#ifndef HISTOGRAM_ATOMS_H
#define HISTOGRAM_ATOMS_H

#define HISTOGRAM_ATOMS(X)                                                    \
  X(HISTOGRAM_IN, XMEM_CHAR8, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0)        \
  X(HISTOGRAM_PARTIAL, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 60, 255) \
  X(HISTOGRAM_BINS, XMEM_INT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 1, 0)

#endif
