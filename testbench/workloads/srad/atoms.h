/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of srad (judged as ../workload_atoms.h says). An iteration, a pixel: the image is read twice, and its rims,
 * and written once; four differences are written and read; the coefficient is written and read. */
#ifndef SRAD_ATOMS_H
#define SRAD_ATOMS_H

#define SRAD_ATOMS(X)                                                         \
  X(SRAD_IMAGE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 104, 128)     \
  X(SRAD_DIFFERENCE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 64) \
  X(SRAD_COEFFICIENT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 68, 255)

#endif
