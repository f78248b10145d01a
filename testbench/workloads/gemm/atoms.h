/* SPDX-License-Identifier: Apache-2.0 */
/* What gemm's data means. Intensities are lines of L2 that a CTA asks for, the tile's 64 being 255. */
#ifndef GEMM_ATOMS_H
#define GEMM_ATOMS_H

#include "xmem.h"

#define GEMM_ATOMS(CreateAtom)                                                                                 \
  CreateAtom(GEMM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 255) /* the tile */                   \
    CreateAtom(GEMM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 16, 0)  /* streams past it, as C does */ \
    CreateAtom(GEMM_C, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 8, 0)

#endif
