/* SPDX-License-Identifier: Apache-2.0 */
/* What fdtd2d's data means: the three fields are one kind of data. */
#ifndef FDTD2D_ATOMS_H
#define FDTD2D_ATOMS_H

#include "xmem.h"

#define FDTD2D_ATOMS(CreateAtom) CreateAtom(FDTD2D_BLOCK, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 255)

#endif
