/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of dct8x8 (judged as ../workload_atoms.h says). A pixel is read once, a coefficient written once. */
#ifndef DCT8X8_ATOMS_H
#define DCT8X8_ATOMS_H

#define DCT8X8_ATOMS(X)                                               \
  X(DCT8X8_IN, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(DCT8X8_OUT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
