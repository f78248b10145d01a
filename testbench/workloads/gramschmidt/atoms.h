/* SPDX-License-Identifier: Apache-2.0 */
/* What gramschmidt's data means. Intensities are lines of L2 that the two passes of a CTA ask for, the tile's 64 read twice and
 * written once being 255. */
#ifndef GRAMSCHMIDT_ATOMS_H
#define GRAMSCHMIDT_ATOMS_H

#include "xmem.h"

#define GRAMSCHMIDT_ATOMS(CreateAtom)                                                                        \
  CreateAtom(GRAMSCHMIDT_TILE, XMEM_FLOAT32, XMEM_REGULAR, GRAMSCHMIDT_PITCH * 4, XMEM_READ_WRITE, 255, 255) \
    CreateAtom(GRAMSCHMIDT_Q, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 43,                             \
               0) /* streams past, as what follows */                                                        \
    CreateAtom(GRAMSCHMIDT_PARTS, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 64, 0)                     \
      CreateAtom(GRAMSCHMIDT_R, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 2, 0)

#endif
