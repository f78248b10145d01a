/* SPDX-License-Identifier: Apache-2.0 */
/* What two_mm's data means. Intensities are lines of L2 that a CTA asks for, a tile's 64 being 255. */
#ifndef TWO_MM_ATOMS_H
#define TWO_MM_ATOMS_H

#include "xmem.h"

#define TWO_MM_ATOMS(CreateAtom)                                                                   \
  CreateAtom(TWO_MM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255) /* tiles */        \
    CreateAtom(TWO_MM_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255)                  \
      CreateAtom(TWO_MM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 0) /* stream past */ \
    CreateAtom(TWO_MM_TMP, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 16, 0)                  \
      CreateAtom(TWO_MM_D, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)

#endif
