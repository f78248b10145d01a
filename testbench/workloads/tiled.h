/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels share that sweep over a tile of data again and again so that L2 keeps it (gemm, two_mm, three_mm,
 * syrk, gramschmidt, jacobi2d, fdtd2d). A tile is a block of a row-major matrix, far larger than L1 or shared memory; the
 * CTAs in flight take it apart between them, and those that follow read it again. Argument `tile` is its size in KB.
 * Rows and columns of a matrix in memory are rounded up with zeros, so that pieces need no conditions.
 * Include after tandem_device.h or workload.h. */
#ifndef TILED_H
#define TILED_H

#include "xmem.h"

enum { TILE_SIDE = 32 }; /* rows and columns of a matrix are multiples of it in memory; so are a tile's columns */

/* A block of a matrix. No rows: none. */
struct tile_block {
  unsigned top, rows, left, columns;
};

#if defined(TANDEM_WORKLOAD_H)

static inline unsigned tile_parts(unsigned whole, unsigned part) { return (whole - 1) / part + 1; }
static inline unsigned tile_round_up(unsigned a, unsigned unit) { return tile_parts(a, unit) * unit; }

/* A matrix cut into down x across blocks of at most `rows` x `columns` elements, equal but for the last ones. */
struct tile_grid {
  unsigned rows, columns, down, across;
};

/* Few blocks of at most `bytes`, floats, whose rows are a multiple of `unit` (the least is one unit of 32 columns): of all
 * numbers up to an eighth above the fewest, blocks nearest to `shape` columns a row. ours: PLUTO's tiles are as wide as
 * high, for the loops of one processor; a GPU in flight takes many columns at once. */
static inline struct tile_grid tile_cut(unsigned rows, unsigned columns, unsigned long long bytes, unsigned unit,
                                        double shape) {
  unsigned most_down = tile_parts(rows, unit), most_across = tile_parts(columns, TILE_SIDE);
  struct tile_grid best = {unit, TILE_SIDE, most_down, most_across};
  unsigned long long fewest = (unsigned long long)most_down * most_across;
  for (unsigned pass = 0; pass < 2; pass++) {
    double best_off = 1e30;
    for (unsigned down = 1; down <= most_down; down++)
      for (unsigned across = 1; across <= most_across; across++) {
        unsigned height = tile_parts(most_down, down) * unit, width = tile_parts(most_across, across) * TILE_SIDE;
        unsigned long long blocks = (unsigned long long)down * across;
        double ratio = width / (shape * height), off = ratio < 1 ? 1 / ratio : ratio;
        if (sizeof(float) * height * width > bytes) continue;
        if (!pass && blocks < fewest) fewest = blocks;
        if (!pass || blocks > fewest + fewest / 8 || off >= best_off) continue;
        best = (struct tile_grid){height, width, tile_parts(rows, height), tile_parts(columns, width)};
        best_off = off;
      }
  }
  return best;
}

/* Block number i of the matrix, along the rows first; its rows end with the last unit. */
static inline struct tile_block tile_at(const struct tile_grid *g, unsigned rows, unsigned columns, unsigned unit,
                                        unsigned i) {
  struct tile_block b = {i / g->across * g->rows, g->rows, i % g->across * g->columns, g->columns};
  rows = tile_round_up(rows, unit);
  columns = tile_round_up(columns, TILE_SIDE);
  if (b.rows > rows - b.top) b.rows = rows - b.top;
  if (b.columns > columns - b.left) b.columns = columns - b.left;
  return b;
}

/* A matrix of small whole numbers, on the device and, for the host's own computation, in doubles. */
struct matrix {
  unsigned rows, columns, pitch;
  size_t bytes; /* on the device, with what it is rounded up by */
  float *data;
  double *want; /* rows x columns */
  CUdeviceptr device;
};

/* Numbers of `bits` bits, as many below zero as above; 0 bits: zeros. */
static inline struct matrix matrix_make(const struct workload *w, unsigned rows, unsigned columns, uint64_t seed,
                                        uint64_t stream, unsigned bits) {
  struct matrix x = {.rows = rows, .columns = columns, .pitch = tile_round_up(columns, TILE_SIDE)};
  x.bytes = (size_t)tile_round_up(rows, TILE_SIDE) * x.pitch * sizeof(float);
  x.data = workload_alloc(w, x.bytes);
  x.want = workload_alloc(w, (size_t)rows * columns * sizeof(double));
  for (size_t row = 0, i = 0; bits && row < rows; row++)
    for (size_t column = 0; column < columns; column++, i++) {
      int32_t value = workload_whole(seed, stream, i, bits);
      x.want[i] = x.data[row * x.pitch + column] = (float)(value == -(1 << (bits - 1)) ? 0 : value);
    }
  x.device = workload_upload(w, x.data, x.bytes);
  return x;
}

static inline void matrix_free(struct matrix *x) { free(x->data), free(x->want); }

/* What XMem is told when the last tile is over: nothing is mapped to its atom any more. */
static inline void tile_over(struct xmem *x, unsigned atom, CUdeviceptr matrix, unsigned pitch,
                             const struct tile_block *last) {
  CUdeviceptr start = matrix + ((size_t)last->top * pitch + last->left) * sizeof(float);
  xmem2DMap(x, atom, start, pitch * sizeof(float), last->columns * sizeof(float), last->rows, XMEM_UNMAP);
  xmemDeactivate(x, atom);
}

/* Data that streams past the tiles: all of it is one atom. */
static inline void tile_streams(struct xmem *x, unsigned atom, CUdeviceptr start, size_t bytes) {
  xmemMap(x, atom, start, bytes, XMEM_MAP);
  xmemActivate(x, atom);
}
static inline void matrix_streams(struct xmem *x, unsigned atom, const struct matrix *m) {
  tile_streams(x, atom, m->device, m->bytes);
}

/* The device's against the host's. */
static inline void matrix_compare(const struct workload *w, struct workload_comparison *c, struct matrix *x) {
  workload_download(w, x->data, x->device, x->bytes);
  for (size_t row = 0, i = 0; row < x->rows; row++)
    for (size_t column = 0; column < x->columns; column++, i++)
      workload_compare(c, i, x->data[row * x->pitch + column], (float)x->want[i], 0);
}

#else

/* What XMem is told, by the first warp of a launch that works on a new tile: the last tile is over, this one begins. For
 * nearly all other CTAs the first condition decides. */
static __device__ __forceinline__ void tile_begins(unsigned atom, const float *matrix, unsigned pitch,
                                                   const tile_block &tile, const tile_block &last) {
#ifndef XMEM_OFF
  if (__builtin_expect(blockIdx.z != 0, 1) || blockIdx.y != 0 || blockIdx.x != 0 || threadIdx.x >= 32) return;
  unsigned line = pitch * (unsigned)sizeof(float);
  if (last.rows)
    Atom2DMap(atom, matrix + (size_t)last.top * pitch + last.left, line, last.columns * (unsigned)sizeof(float),
              last.rows, XMEM_UNMAP);
  Atom2DMap(atom, matrix + (size_t)tile.top * pitch + tile.left, line, tile.columns * (unsigned)sizeof(float),
            tile.rows, XMEM_MAP);
  if (!last.rows) AtomActivate(atom);
#endif
}

#endif
#endif
