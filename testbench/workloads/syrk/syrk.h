/* SPDX-License-Identifier: Apache-2.0 */
/* syrk: what kernel and host share. */
#ifndef SYRK_H
#define SYRK_H

#include "../tiled.h"
#include "atoms.h"

enum { SYRK_ROWS = 2, SYRK_PIECE = 64 };

struct syrk_launch {
  unsigned pitch_a, pitch_c;
  float alpha;
  struct tile_block tile, last;
};

#endif
