// SPDX-License-Identifier: Apache-2.0
// Temperatures of a chip from the power of its cells, explicit Euler steps over a grid of thermal
// resistances (Huang 2004), as Rodinia's hotspot (Che 2009): CTAs of 16 x 16 compute `steps` time steps a
// launch on their own, with a halo of `steps` cells that shrinks by one a step. At the rim of the chip
// the missing neighbour is the cell itself. Version plain computes one step a launch straight from global memory.
#include "tandem_device.h"

#define SIDE 16

struct hotspot_chip {
  unsigned rows, columns;
  float step_over_capacity, per_rx, per_ry, per_rz, ambient;
};

#if defined(TANDEM_VERSION_BASELINE)

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  hotspot(hotspot_chip chip, unsigned steps, const float *power, const float *src, float *dst) {
  __shared__ float now[2][SIDE][SIDE];
  int x = (int)threadIdx.x, y = (int)threadIdx.y, halo = (int)steps;
  int column = (int)blockIdx.x * (SIDE - 2 * halo) - halo + x, row = (int)blockIdx.y * (SIDE - 2 * halo) - halo + y;
  bool inside = row >= 0 && row < (int)chip.rows && column >= 0 && column < (int)chip.columns;
  size_t at = inside ? (size_t)row * chip.columns + column : 0;
  float t = inside ? src[at] : 0.f, p = inside ? power[at] : 0.f;
  now[0][y][x] = t;
  int north = row > 0 ? y - 1 : y, south = row + 1 < (int)chip.rows ? y + 1 : y;
  int west = column > 0 ? x - 1 : x, east = column + 1 < (int)chip.columns ? x + 1 : x;
  for (int i = 0; i < halo; i++) {
    __syncthreads();
    const float(*tile)[SIDE] = now[i & 1];
    if (inside && x > i && x < SIDE - 1 - i && y > i && y < SIDE - 1 - i) {
      float vertical = fmaf(-2.f, t, tile[south][x] + tile[north][x]);
      float horizontal = fmaf(-2.f, t, tile[y][east] + tile[y][west]);
      float flow = fmaf(vertical, chip.per_ry, p);
      flow = fmaf(horizontal, chip.per_rx, flow);
      flow = fmaf(chip.ambient - t, chip.per_rz, flow);
      t = fmaf(chip.step_over_capacity, flow, t);
    }
    now[i + 1 & 1][y][x] = t;
  }
  if (inside && x >= halo && x < SIDE - halo && y >= halo && y < SIDE - halo) dst[at] = t;
}

#elif defined(TANDEM_VERSION_PLAIN)

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  hotspot(hotspot_chip chip, const float *power, const float *src, float *dst) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= chip.rows || column >= chip.columns) return;
  size_t at = (size_t)row * chip.columns + column;
  float t = src[at];
  float north = row > 0 ? src[at - chip.columns] : t;
  float south = row + 1 < chip.rows ? src[at + chip.columns] : t;
  float west = column > 0 ? src[at - 1] : t;
  float east = column + 1 < chip.columns ? src[at + 1] : t;
  float flow = fmaf(fmaf(-2.f, t, south + north), chip.per_ry, power[at]);
  flow = fmaf(fmaf(-2.f, t, east + west), chip.per_rx, flow);
  flow = fmaf(chip.ambient - t, chip.per_rz, flow);
  dst[at] = fmaf(chip.step_over_capacity, flow, t);
}

#else
#error "define TANDEM_VERSION_BASELINE or _PLAIN"
#endif
