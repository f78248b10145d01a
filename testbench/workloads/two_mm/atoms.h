/* SPDX-License-Identifier: Apache-2.0 */
/* What two_mm's data means, from what a launch does with a tile of 512 KB (32 x 4000, 1000 x 128): intensity is the lines of L2
 * that a CTA asks for, reuse how many CTAs ask for an element, both with 255 for the most. */
#ifndef TWO_MM_ATOMS_H
#define TWO_MM_ATOMS_H

#include "xmem.h"

/* Tiles of B and C: 12 times. A streams past: 125 times; tmp: 4 times, and once before; D: once in each of 16 rows of pieces. */
#define TWO_MM_ATOMS(CreateAtom)                                                      \
  CreateAtom(TWO_MM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 24)        \
    CreateAtom(TWO_MM_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 24)      \
      CreateAtom(TWO_MM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 255)    \
        CreateAtom(TWO_MM_TMP, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 16, 8) \
          CreateAtom(TWO_MM_D, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 33)

#endif
