/* SPDX-License-Identifier: Apache-2.0 */
/* C += alpha A B by tiles of B that L2 keeps (gemm, two_mm, three_mm): one launch a tile. A CTA, one warp, takes two rows of A
 * past a piece of the tile, 32 columns of at most 64 rows; CTAs go along the tile first, then to the next two rows, so that
 * the whole tile lies between two uses of an element. Parts of a sum are added by atomics: their order is not determined,
 * and the workloads' numbers are whole and small. */
#ifndef TILED_PRODUCT_H
#define TILED_PRODUCT_H

#include "tiled.h"

enum { PRODUCT_ROWS = 2, PRODUCT_PIECE = 64, PRODUCT_UNIT = 8 };

struct product_launch {
  unsigned atom;             /* of B */
  unsigned pitch_a, pitch_b; /* C has B's */
  float alpha;
  struct tile_block tile, last; /* last: the tile of the launch before, or none */
};

#if defined(TANDEM_WORKLOAD_H)

struct product_run {
  CUfunction kernel;
  unsigned atom; /* of B */
  float alpha;
  const struct matrix *a, *b, *c;
  unsigned long long bytes; /* of a tile at most */
};

/* All tiles, those of B's first rows first. Returns how many. */
static inline unsigned product_run(const struct workload *w, struct xmem *x, const struct product_run *run) {
  const struct matrix *a = run->a, *b = run->b;
  struct product_launch l = {.atom = run->atom, .pitch_a = a->pitch, .pitch_b = b->pitch, .alpha = run->alpha};
  struct tile_grid g = tile_cut(b->rows, b->columns, run->bytes, PRODUCT_UNIT, PRODUCT_PIECE);
  for (unsigned i = 0; i < g.down * g.across; i++) {
    l.last = l.tile;
    l.tile = tile_at(&g, b->rows, b->columns, PRODUCT_UNIT, i);
    struct workload_shape grid = {l.tile.columns / TILE_SIDE, tile_parts(l.tile.rows, PRODUCT_PIECE),
                                  tile_parts(a->rows, PRODUCT_ROWS)};
    CUdeviceptr device[] = {a->device, b->device, run->c->device};
    workload_launch_shape(w, run->kernel, grid, (struct workload_shape){32, 1, 1}, 0,
                          (void *[]){&l, &device[0], &device[1], &device[2]});
  }
  tile_over(x, run->atom, b->device, b->pitch, &l.tile);
  return g.down * g.across;
}

/* The host's alpha A B + beta C. */
static inline void product_want(double alpha, const struct matrix *a, const struct matrix *b, double beta,
                                const struct matrix *c) {
  for (size_t row = 0; row < c->rows; row++) {
    double *sum = c->want + row * c->columns;
    for (size_t column = 0; column < c->columns; column++) sum[column] *= beta;
    for (size_t i = 0; i < b->rows; i++)
      for (size_t column = 0; column < c->columns; column++)
        sum[column] += alpha * a->want[row * a->columns + i] * b->want[i * b->columns + column];
  }
}

/* All partial sums of A B are exact in floats if this holds: half of a whole number, below 2^24 halves. */
static inline void product_check(const struct workload *w, double alpha, const struct matrix *a,
                                 const struct matrix *b) {
  double largest = 0, sum_largest = 0;
  for (size_t i = 0; i < (size_t)b->rows * b->columns; i++) largest = fmax(largest, fabs(b->want[i]));
  for (size_t row = 0; row < a->rows; row++) {
    double sum = 0;
    for (size_t i = 0; i < a->columns; i++) sum += fabs(a->want[row * a->columns + i]);
    sum_largest = fmax(sum_largest, sum);
  }
  if (2 * alpha * sum_largest * largest >= 1 << 24)
    workload_usage(w, "%s", "sums of so many numbers are not exact in floats; choose smaller sizes");
}

/* C = beta C. */
static inline void product_scale(const struct workload *w, CUfunction kernel, float beta, const struct matrix *c) {
  CUdeviceptr device = c->device;
  workload_launch(w, kernel, (unsigned)(c->bytes / sizeof(float)) / 256, 256, (void *[]){&beta, &device});
}

#else

/* Eight rows of a column of B; returns the address of the next. */
static __device__ __forceinline__ const char *product_load(const char *b, size_t step, float (&x)[PRODUCT_UNIT]) {
#pragma unroll
  for (unsigned j = 0; j < PRODUCT_UNIT; j++, b += step) x[j] = *(const float *)b;
  return b;
}

/* Eight columns of two rows of A past them. */
static __device__ __forceinline__ const float4 *
product_add(const float4 *a, size_t step, const float (&x)[PRODUCT_UNIT], float (&sum)[PRODUCT_ROWS]) {
#pragma unroll
  for (unsigned j = 0; j < PRODUCT_UNIT; j += 4, a++) {
    float4 y[PRODUCT_ROWS];
#pragma unroll
    for (unsigned r = 0; r < PRODUCT_ROWS; r++) y[r] = a[r * step];
#pragma unroll
    for (unsigned r = 0; r < PRODUCT_ROWS; r++) sum[r] = fmaf(y[r].x, x[j], sum[r]);
#pragma unroll
    for (unsigned r = 0; r < PRODUCT_ROWS; r++) sum[r] = fmaf(y[r].y, x[j + 1], sum[r]);
#pragma unroll
    for (unsigned r = 0; r < PRODUCT_ROWS; r++) sum[r] = fmaf(y[r].z, x[j + 2], sum[r]);
#pragma unroll
    for (unsigned r = 0; r < PRODUCT_ROWS; r++) sum[r] = fmaf(y[r].w, x[j + 3], sum[r]);
  }
  return a;
}

/* The next rows of B are asked for before those that have come are used. */
static __device__ __forceinline__ void product(const product_launch &l, const float *a, const float *b, float *c) {
  tile_begins(l.atom, b, l.pitch_b, l.tile, l.last);
  unsigned column = l.tile.left + blockIdx.x * TILE_SIDE + threadIdx.x, first = blockIdx.y * PRODUCT_PIECE;
  unsigned count = min((unsigned)PRODUCT_PIECE, l.tile.rows - first);
  size_t row = blockIdx.z * PRODUCT_ROWS, step = (size_t)l.pitch_b * sizeof(float), step_a = l.pitch_a / 4;
  const char *of_b = (const char *)(b + (size_t)(l.tile.top + first) * l.pitch_b + column);
  const float4 *of_a = (const float4 *)(a + row * l.pitch_a + l.tile.top + first);
  float sum[PRODUCT_ROWS] = {}, x[PRODUCT_UNIT], y[PRODUCT_UNIT];
  of_b = product_load(of_b, step, x);
  for (unsigned i = PRODUCT_UNIT;; i += PRODUCT_UNIT) {
    if (i < count) of_b = product_load(of_b, step, y);
    of_a = product_add(of_a, step_a, x, sum);
    if (i >= count) break;
    i += PRODUCT_UNIT;
    if (i < count) of_b = product_load(of_b, step, x);
    of_a = product_add(of_a, step_a, y, sum);
    if (i >= count) break;
  }
#pragma unroll
  for (unsigned r = 0; r < PRODUCT_ROWS; r++) atomicAdd(&c[(row + r) * l.pitch_b + column], l.alpha * sum[r]);
}

#endif
#endif
