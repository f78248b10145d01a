/* SPDX-License-Identifier: Apache-2.0 */
/* What jacobi2d's data means: both grids are one kind of data. */
#ifndef JACOBI2D_ATOMS_H
#define JACOBI2D_ATOMS_H

#include "xmem.h"

#define JACOBI2D_ATOMS(CreateAtom) CreateAtom(JACOBI2D_BLOCK, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 255)

#endif
