/* SPDX-License-Identifier: Apache-2.0 */
/* What gemm's data means, from what a launch does with a tile of 512 KB (64 x 2000): intensity is the lines of L2 that a CTA
 * asks for, reuse how many CTAs ask for an element, both with 255 for the most. */
#ifndef GEMM_ATOMS_H
#define GEMM_ATOMS_H

#include "xmem.h"

/* B is the tile: 64 lines a CTA, 24 times. Two rows of A stream past: 4 lines, 62 times. So does C: 2 lines, once. */
#define GEMM_ATOMS(CreateAtom)                                                 \
  CreateAtom(GEMM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 98)   \
    CreateAtom(GEMM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 255) \
      CreateAtom(GEMM_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)

#endif
