// SPDX-License-Identifier: Apache-2.0
// A Jacobi iteration of Laplace's equation on a box, u2 = (sum of the six neighbours of u1) / 6, the rim kept:
// Giles's 3-D Laplace solver (Oxford 2008; LPS of Bakhoda 2009). A CTA of 32 x 4 threads marches through
// the planes; three planes of its tile and a halo of one cell pass through shared memory, in version plain none.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define WIDE 32
#define HIGH 4
#define PITCH (WIDE + 2)
#define PLANE (PITCH * (HIGH + 2))

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(LAPLACE3D_DESCRIPTORS)
#endif

#if defined(TANDEM_VERSION_PLAIN)

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  laplace3d(unsigned nx, unsigned ny, unsigned nz, const float *u1, float *u2) {
  unsigned column = blockIdx.x * WIDE + threadIdx.x, row = blockIdx.y * HIGH + threadIdx.y;
  if (column >= nx || row >= ny) return;
  bool rim = column == 0 || column + 1 == nx || row == 0 || row + 1 == ny;
  size_t plane = (size_t)nx * ny, i = (size_t)row * nx + column;
  for (unsigned k = 0; k < nz; k++, i += plane) {
    float value = u1[i];
    if (!rim && k > 0 && k + 1 < nz)
      value = (u1[i - 1] + u1[i + 1] + u1[i - nx] + u1[i + nx] + u1[i - plane] + u1[i + plane]) * (1.f / 6.f);
    u2[i] = value;
  }
}

#elif defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_LDESC)

// Plane `u` of nx x ny into the tile; cells beyond the box are left as they are and never used.
static __device__ __forceinline__ void laplace3d_load(unsigned nx, unsigned ny, const float *u, float *tile) {
  for (unsigned cell = threadIdx.y * WIDE + threadIdx.x; cell < PLANE; cell += WIDE * HIGH) {
    int column = (int)(blockIdx.x * WIDE + cell % PITCH) - 1, row = (int)(blockIdx.y * HIGH + cell / PITCH) - 1;
    if (column >= 0 && column < (int)nx && row >= 0 && row < (int)ny) tile[cell] = u[(size_t)row * nx + column];
  }
}

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  laplace3d(unsigned nx, unsigned ny, unsigned nz, const float *u1, float *u2) {
  __shared__ float tile[3][PLANE];
  unsigned column = blockIdx.x * WIDE + threadIdx.x, row = blockIdx.y * HIGH + threadIdx.y;
  unsigned own = (threadIdx.y + 1) * PITCH + threadIdx.x + 1;
  bool inside = column < nx && row < ny, rim = column == 0 || column + 1 >= nx || row == 0 || row + 1 >= ny;
  size_t plane = (size_t)nx * ny, i = (size_t)row * nx + column;
  laplace3d_load(nx, ny, u1, tile[0]);
  if (nz > 1) laplace3d_load(nx, ny, u1 + plane, tile[1]);
  unsigned below = 2, here = 0, above = 1;
  for (unsigned k = 0; k < nz; k++, i += plane) {
    __syncthreads();
    if (inside) {
      const float *t = tile[here];
      float value = t[own];
      if (!rim && k > 0 && k + 1 < nz)
        value = (t[own - 1] + t[own + 1] + t[own - PITCH] + t[own + PITCH] + tile[below][own] + tile[above][own]) *
                (1.f / 6.f);
      u2[i] = value;
    }
    __syncthreads();
    if (k + 2 < nz) laplace3d_load(nx, ny, u1 + (k + 2) * plane, tile[below]);
    unsigned last = below;
    below = here, here = above, above = last;
  }
}

#else
#error "define TANDEM_VERSION_BASELINE, _PLAIN or _LDESC"
#endif
