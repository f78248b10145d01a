/* SPDX-License-Identifier: Apache-2.0 */
/* What gramschmidt's data means, from what is done with a tile of 512 KB (128 columns): intensity is the lines of L2 that the two
 * passes of a CTA ask for, reuse how often an element is asked for, both with 255 for the most. */
#ifndef GRAMSCHMIDT_ATOMS_H
#define GRAMSCHMIDT_ATOMS_H

#include "xmem.h"

/* The tile: 128 lines read twice and written once, for 16 to 48 panels. A panel of Q: 32 lines, by 4 columns of CTAs, twice. Parts of
 * dot products: 8 lines written, 64 read, by 8 rows of CTAs. R is only written. */
#define GRAMSCHMIDT_ATOMS(CreateAtom)                                                                        \
  CreateAtom(GRAMSCHMIDT_TILE, XMEM_FLOAT32, XMEM_REGULAR, GRAMSCHMIDT_PITCH * 4, XMEM_READ_WRITE, 255, 255) \
    CreateAtom(GRAMSCHMIDT_Q, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 43, 32)                         \
      CreateAtom(GRAMSCHMIDT_PARTS, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 48, 32)                  \
        CreateAtom(GRAMSCHMIDT_R, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 5, 0)

#endif
