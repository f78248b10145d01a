/* SPDX-License-Identifier: Apache-2.0 */
/* Time steps over blocks of whole rows that L2 keeps (jacobi2d, fdtd2d): all steps of a block, then all of the next one. With
 * each step a block moves up by a row, so that what it needs of its neighbours is there and nothing is computed twice (time
 * skewing: Wolf and Lam 1991; PLUTO's tiles of stencils are skewed too): in step t, from 0, block b takes rows
 * [b T - t, (b + 1) T - t). A launch is a step of a block, or a half step. */
#ifndef TILED_STEPS_H
#define TILED_STEPS_H

#include "tiled.h"

enum { STEPS_THREADS = 128, STEPS_ROWS = 4 }; /* a thread computes so many rows of a column */

struct steps_launch {
  unsigned columns, pitch;
  unsigned first, end; /* rows */
  struct tile_block tile,
    last; /* of the block's first launch: the rows that it touches in all its steps, and its predecessor's */
};

#if defined(TANDEM_WORKLOAD_H)

struct steps_blocks {
  unsigned rows, steps, height, count; /* height: rows of a block, count: blocks */
};

/* Blocks of at most `bytes` in `grids` arrays, one row at least. */
static inline struct steps_blocks steps_cut(unsigned rows, unsigned pitch, unsigned steps, unsigned grids,
                                            uint64_t bytes) {
  uint64_t height = bytes / (sizeof(float) * pitch * grids);
  if (height > rows + steps) height = rows + steps;
  if (!height) height = 1;
  return (struct steps_blocks){rows, steps, (unsigned)height, tile_parts(rows + steps, (unsigned)height)};
}

/* Rows from `from` on of block b, moved up by `shift`, inside of [low, high). False: none. */
static inline int steps_rows(const struct steps_blocks *s, struct steps_launch *l, unsigned b, unsigned shift,
                             unsigned low, unsigned high) {
  long first = (long)b * s->height - shift, end = first + s->height;
  l->first = first > (long)low ? (unsigned)first : low;
  l->end = end < 0 ? 0 : end < (long)high ? (unsigned)end : high;
  return l->first < l->end;
}

/* What XMem is told of block b at its next launch: all rows that its steps read or write. */
static inline void steps_block(const struct steps_blocks *s, struct steps_launch *l, unsigned b) {
  long top = (long)b * s->height - s->steps - 1, bottom = (long)(b + 1) * s->height + 1;
  if (top < 0) top = 0;
  if (bottom > (long)s->rows) bottom = s->rows;
  l->tile = (struct tile_block){(unsigned)top, (unsigned)(bottom - top), 0, l->pitch};
}

static inline struct workload_shape steps_grid(const struct steps_launch *l) {
  return (struct workload_shape){tile_parts(l->columns, STEPS_THREADS), tile_parts(l->end - l->first, STEPS_ROWS), 1};
}

/* After each launch: the tile is known. */
static inline void steps_launched(struct steps_launch *l) {
  if (l->tile.rows) l->last = l->tile;
  l->tile.rows = 0;
}

#endif
#endif
