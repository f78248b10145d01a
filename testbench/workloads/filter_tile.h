/* SPDX-License-Identifier: Apache-2.0 */
/* What the image filters (gauss_filter, mean_filter, sobel) share: a CTA of SIDE x SIDE threads takes the pixels of its
 * tile and of a halo of `radius` pixels on all sides into shared memory; beyond the image they are zero. Include after
 * tandem_device.h or workload.h. */
#ifndef FILTER_TILE_H
#define FILTER_TILE_H

#define SIDE 16

#if defined(TANDEM_WORKLOAD_H)

/* D2MA's halo is no wider than its tile: not for images whose last tiles are narrower. */
static inline void filter_check(const struct workload *w, int rows, int columns, int radius) {
  int left_y = (rows - 1) % SIDE + 1, left_x = (columns - 1) % SIDE + 1;
  if (!strncmp(w->version, "d2ma", 4) && (left_y < radius || left_x < radius))
    workload_usage(
      w, "rows=%d columns=%d radius=%d: the last tile is %d x %d, which the halo of version %s must not exceed", rows,
      columns, radius, left_y, left_x, w->version);
}

#elif defined(TANDEM_VERSION_D2MA)

/* Pixels of a line of the tile at most, see below. */
#define LINE(radius) (SIDE + 3 * (radius)-1)

/* One transfer in halo mode (Jamshidi 2014, 4.2.1). A region knows no halo that ends inside the image: a tile whose
 * neighbour is narrower than the halo reaches up to the border itself. Returns the pixels of a line. */
template <class T>
static __device__ __forceinline__ int buffer_tile(int rows, int columns, int radius, const T *in, T *tile) {
  int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE, width = columns - left, height = rows - top;
  unsigned region = 9; /* no border but those that follow: N S W E */
  if (top == 0) region |= 0x80;
  if (height < SIDE + radius) region |= 0x40;
  else height = SIDE;
  if (left == 0) region |= 0x20;
  if (width < SIDE + radius) region |= 0x10;
  else width = SIDE;
  if (sizeof(T) == 1) dma_set_datatype_char(0);
  else dma_set_datatype_float(0);
  dma_set_halo(radius, radius, region, 0, 0);
  dma_configure_2d(tile, in + (size_t)top * columns + left, width, height, columns, 0);
  return width + 2 * radius;
}

#else

#define LINE(radius) (SIDE + 2 * (radius))

/* The pixel at a place, zero beyond the image. */
template <class T> static __device__ __forceinline__ T pixel(int rows, int columns, const T *in, int row, int column) {
  bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
  return inside ? in[(size_t)row * columns + column] : (T)0;
}

/* Software buffering; a barrier. */
template <class T>
static __device__ __forceinline__ int buffer_tile(int rows, int columns, int radius, const T *in, T *tile) {
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * SIDE, top = blockIdx.y * SIDE, line = SIDE + 2 * radius;
#if defined(TANDEM_VERSION_BORDERS)
  /* A thread takes its own pixel and, near a border of the tile, those of the halo that lie `radius` lines or pixels off:
   * what the halo costs where every side and corner has its condition (Jamshidi 2014, 5.1). */
  bool north = y < radius, south = y >= SIDE - radius, west = x < radius, east = x >= SIDE - radius;
  int row = top + y, column = left + x;
  T *mine = tile + (y + radius) * line + x + radius;
  mine[0] = pixel(rows, columns, in, row, column);
  if (north) mine[-radius * line] = pixel(rows, columns, in, row - radius, column);
  if (south) mine[radius * line] = pixel(rows, columns, in, row + radius, column);
  if (west) mine[-radius] = pixel(rows, columns, in, row, column - radius);
  if (east) mine[radius] = pixel(rows, columns, in, row, column + radius);
  if (north && west) mine[-radius * line - radius] = pixel(rows, columns, in, row - radius, column - radius);
  if (north && east) mine[-radius * line + radius] = pixel(rows, columns, in, row - radius, column + radius);
  if (south && west) mine[radius * line - radius] = pixel(rows, columns, in, row + radius, column - radius);
  if (south && east) mine[radius * line + radius] = pixel(rows, columns, in, row + radius, column + radius);
#else
  /* The threads take the pixels of tile and halo as they come. */
  for (int i = y * SIDE + x; i < line * line; i += SIDE * SIDE)
    tile[i] = pixel(rows, columns, in, top + i / line - radius, left + i % line - radius);
#endif
  __syncthreads();
  return line;
}

#endif
#endif
