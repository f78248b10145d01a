/* SPDX-License-Identifier: Apache-2.0 */
/* What syrk's data means. Intensities are lines of L2 that a CTA asks for, the tile's 64 being 255. */
#ifndef SYRK_ATOMS_H
#define SYRK_ATOMS_H

#include "xmem.h"

/* The tile is a part of A, and all rows of A stream past it: the latest map counts. */
#define SYRK_ATOMS(CreateAtom)                                                                             \
  CreateAtom(SYRK_TILE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255)                           \
    CreateAtom(SYRK_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 0) /* streams past, as C does */ \
    CreateAtom(SYRK_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)

#endif
