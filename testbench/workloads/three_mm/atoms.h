/* SPDX-License-Identifier: Apache-2.0 */
/* What three_mm's data means, from what a launch does with a tile of 512 KB (1000 x 128, all of D, 32 x 4000): intensity is the
 * lines of L2 that a CTA asks for, reuse how many CTAs ask for an element, both with 255 for the most. */
#ifndef THREE_MM_ATOMS_H
#define THREE_MM_ATOMS_H

#include "xmem.h"

/* Tiles of B and F: 8 times; D: 64 times. A streams past B: 4 times; C past D: 125 times; E past F: 125 times, and before it is
 * summed in 16 rows of pieces. F streams past D that makes it, once, and then its tiles stay: two atoms, one after the
 * other, for the same data. G: once. */
#define THREE_MM_ATOMS(CreateAtom)                                                              \
  CreateAtom(THREE_MM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 16)                \
    CreateAtom(THREE_MM_D, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 131)             \
      CreateAtom(THREE_MM_F, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 16)            \
        CreateAtom(THREE_MM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 8)            \
          CreateAtom(THREE_MM_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 255)        \
            CreateAtom(THREE_MM_E, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 16, 255)     \
              CreateAtom(THREE_MM_F_SUMS, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0) \
                CreateAtom(THREE_MM_G, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)

#endif
