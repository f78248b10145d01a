/* SPDX-License-Identifier: Apache-2.0 */
/* What syrk's data means, from what a launch does with a tile of 512 KB (128 x 1000): intensity is the lines of L2 that a CTA
 * asks for, reuse how many CTAs ask for an element, both with 255 for the most. */
#ifndef SYRK_ATOMS_H
#define SYRK_ATOMS_H

#include "xmem.h"

/* The tile is a part of A, 64 times; all rows of A stream past it, each 4 times: the latest map counts. C is summed in 16 columns of
 * pieces. */
#define SYRK_ATOMS(CreateAtom)                                                   \
  CreateAtom(SYRK_TILE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255) \
    CreateAtom(SYRK_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 16)    \
      CreateAtom(SYRK_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 64)

#endif
