/* SPDX-License-Identifier: Apache-2.0 */
/* gramschmidt: what kernel and host share. */
#ifndef GRAMSCHMIDT_H
#define GRAMSCHMIDT_H

#include "../tiled.h"

/* From row to row of A, R and parts, elements: the matrices are parts of wider ones, and each row of one is in another page. */
#define GRAMSCHMIDT_PITCH 1056

/* PANEL columns of Q are taken out of a tile at a time; Q is kept by panels, a row's PANEL elements together. A CTA has PANEL
 * warps and takes ROWS rows. */
enum {
  GRAMSCHMIDT_PANEL = 8,
  GRAMSCHMIDT_THREADS = 32 * GRAMSCHMIDT_PANEL,
  GRAMSCHMIDT_ROWS = 128,
  GRAMSCHMIDT_PADDED = 256
};

struct gramschmidt_launch {
  unsigned rows; /* a multiple of PADDED, with zeros */
  unsigned panel;
  unsigned first, end; /* columns: of the panel, or of those that it is taken out of */
  struct tile_block tile, last;
};

#include "atoms.h"

#endif
