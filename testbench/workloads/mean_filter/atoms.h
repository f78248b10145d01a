/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of mean_filter (judged as ../workload_atoms.h says). A CTA of 16 x 16 pixels reads 18 x 18 and writes its own.
 * */
#ifndef MEAN_FILTER_ATOMS_H
#define MEAN_FILTER_ATOMS_H

#define MEAN_FILTER_ATOMS(X)                                                \
  X(MEAN_FILTER_IN, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 64) \
  X(MEAN_FILTER_OUT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 201, 0)

#endif
