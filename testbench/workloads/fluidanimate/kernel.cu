// SPDX-License-Identifier: Apache-2.0
// Density and acceleration of the particles of a fluid by smoothed particle hydrodynamics (Mueller 2003), as PARSEC's
// fluidanimate (Bienia 2008). Space is a grid of cells as wide as the particles' reach, with up to 16 particles
// each; a thread takes a cell, lists the cells around it that hold particles, and goes through the list.
#include "tandem_device.h"

#define SLOTS 16 // of a cell
#define WIDE 8   // cells of a CTA
#define HIGH 4
#define DEEP 4

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

struct fluid_vector {
  float x, y, z;
};

struct fluid {
  int nx, ny, nz; // cells
  float reach, density_factor, pressure_factor, viscosity_factor, twice_rest_density, gravity;
};

static __device__ __forceinline__ fluid_vector fluid_difference(fluid_vector a, fluid_vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

static __device__ __forceinline__ float fluid_square(fluid_vector a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Cells around cell (x, y, z), itself included, that hold particles; returns how many.
static __device__ __forceinline__ int fluid_neighbours(const fluid &f, const int *count, int x, int y, int z,
                                                       int *list) {
  int n = 0;
  for (int k = max(z - 1, 0); k <= min(z + 1, f.nz - 1); k++)
    for (int j = max(y - 1, 0); j <= min(y + 1, f.ny - 1); j++)
      for (int i = max(x - 1, 0); i <= min(x + 1, f.nx - 1); i++) {
        int cell = (k * f.ny + j) * f.nx + i;
        if (count[cell] > 0) list[n++] = cell;
      }
  return n;
}

// count: particles of a cell; the others: of particle i of cell c at c * SLOTS + i
extern "C" __global__ void __launch_bounds__(WIDE *HIGH *DEEP)
  fluid_density(fluid f, const int *count, const fluid_vector *position, float *density) {
  int x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y, z = blockIdx.z * DEEP + threadIdx.z;
  if (x >= f.nx || y >= f.ny || z >= f.nz) return;
  int cell = (z * f.ny + y) * f.nx + x, list[27], cells = fluid_neighbours(f, count, x, y, z, list);
  for (int i = 0; i < count[cell]; i++) {
    fluid_vector own = position[cell * SLOTS + i];
    float sum = 0.f;
    for (int n = 0; n < cells; n++)
      for (int j = 0; j < count[list[n]]; j++) {
        float left = f.reach * f.reach - fluid_square(fluid_difference(own, position[list[n] * SLOTS + j]));
        if (left > 0.f) sum += left * left * left;
      }
    density[cell * SLOTS + i] = f.density_factor * sum;
  }
}

extern "C" __global__ void __launch_bounds__(WIDE *HIGH *DEEP)
  fluid_force(fluid f, const int *count, const fluid_vector *position, const fluid_vector *velocity,
              const float *density, fluid_vector *acceleration) {
  int x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y, z = blockIdx.z * DEEP + threadIdx.z;
  if (x >= f.nx || y >= f.ny || z >= f.nz) return;
  int cell = (z * f.ny + y) * f.nx + x, list[27], cells = fluid_neighbours(f, count, x, y, z, list);
  for (int i = 0; i < count[cell]; i++) {
    int own = cell * SLOTS + i;
    fluid_vector sum = {0.f, f.gravity, 0.f};
    for (int n = 0; n < cells; n++)
      for (int j = 0; j < count[list[n]]; j++) {
        int other = list[n] * SLOTS + j;
        fluid_vector apart = fluid_difference(position[own], position[other]);
        float square = fluid_square(apart);
        if (other == own || square >= f.reach * f.reach) continue;
        float distance = sqrtf(fmaxf(square, 1e-12f)), left = f.reach - distance;
        float both = density[own] + density[other] - f.twice_rest_density;
        float push = f.pressure_factor * left * left / distance * both, drag = f.viscosity_factor * left;
        fluid_vector faster = fluid_difference(velocity[other], velocity[own]);
        float scale = 1.f / (density[own] * density[other]);
        sum.x += (apart.x * push + faster.x * drag) * scale;
        sum.y += (apart.y * push + faster.y * drag) * scale;
        sum.z += (apart.z * push + faster.z * drag) * scale;
      }
    acceleration[own] = sum;
  }
}
