/* SPDX-License-Identifier: Apache-2.0 */
/* What three_mm's data means. Intensities are lines of L2 that a CTA asks for, a tile's 64 being 255. */
#ifndef THREE_MM_ATOMS_H
#define THREE_MM_ATOMS_H

#include "xmem.h"

/* F streams past the tiles of D that make it; then its tiles stay: two atoms, one after the other, for the same data. */
#define THREE_MM_ATOMS(CreateAtom)                                                                     \
  CreateAtom(THREE_MM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255) /* tiles */          \
    CreateAtom(THREE_MM_D, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255)                    \
      CreateAtom(THREE_MM_F, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255)                  \
        CreateAtom(THREE_MM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 0) /* stream past */ \
    CreateAtom(THREE_MM_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 0)                       \
      CreateAtom(THREE_MM_E, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 16, 0)                    \
        CreateAtom(THREE_MM_F_SUMS, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)              \
          CreateAtom(THREE_MM_G, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)

#endif
