// SPDX-License-Identifier: Apache-2.0
// Potential of point charges on a lattice, each cut off smoothly at a distance (Hardy, Stone, Schulten 2009; cutcp of Parboil, Stratton
// 2012). Atoms are in bins, cubes of a space. A CTA has a box of points, four of them a thread, and goes through the bins that
// can reach it, `stage` of them at a time in shared memory.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_SIZED"
#endif
#define ROOM 8 // places for atoms in a bin
#define EDGE 8 // points in a line of a bin
#define EACH 4 // points of a thread, in z
#define WIDE 8 // points of a warp in x
#define HIGH 4 // and in y

static __device__ __forceinline__ int bin_of(int point, int last) {
  int bin = point >= 0 ? point / EDGE : -1;
  return bin < 0 ? 0 : bin < last ? bin : last;
}

// bins: in a line of the space; cutoff: in points; spacing: between points. Atoms: x, y, z, charge; an empty place is far away.
// Shared memory: 128 * stage bytes.
extern "C" __global__ void cutcp(int bins, unsigned stage, int cutoff, float spacing, const float4 *atom,
                                 float *potential) {
  extern __shared__ float4 staged[];
  unsigned t = threadIdx.x, lane = t % 32, points = (unsigned)bins * EDGE;
  unsigned x = blockIdx.x * WIDE + lane % WIDE, y = blockIdx.y * HIGH + lane / WIDE;
  unsigned deep = blockDim.x / 32 * EACH, z = blockIdx.z * deep + t / 32 * EACH;
  int first_x = bin_of((int)(blockIdx.x * WIDE) - cutoff, bins - 1);
  int first_y = bin_of((int)(blockIdx.y * HIGH) - cutoff, bins - 1);
  int first_z = bin_of((int)(blockIdx.z * deep) - cutoff, bins - 1);
  unsigned wide = (unsigned)(bin_of((int)(blockIdx.x * WIDE + WIDE - 1) + cutoff, bins - 1) - first_x + 1);
  unsigned high = (unsigned)(bin_of((int)(blockIdx.y * HIGH + HIGH - 1) + cutoff, bins - 1) - first_y + 1);
  unsigned all = wide * high * (unsigned)(bin_of((int)(blockIdx.z * deep + deep - 1) + cutoff, bins - 1) - first_z + 1);
  float far = (float)cutoff * spacing, far2 = far * far, part = 1.f / far2, sum[EACH] = {0.f, 0.f, 0.f, 0.f};
  float px = (float)x * spacing, py = (float)y * spacing, pz = (float)z * spacing;
  for (unsigned from = 0; from < all; from += stage) {
    unsigned size = (all - from < stage ? all - from : stage) * ROOM;
    for (unsigned i = t; i < size; i += blockDim.x) {
      unsigned bin = from + i / ROOM, bx = bin % wide + (unsigned)first_x;
      unsigned by = bin / wide % high + (unsigned)first_y, bz = bin / wide / high + (unsigned)first_z;
      staged[i] = atom[((bz * (unsigned)bins + by) * (unsigned)bins + bx) * ROOM + i % ROOM];
    }
    __syncthreads();
    for (unsigned i = 0; i < size; i++) {
      float4 a = staged[i];
      float dx = px - a.x, dy = py - a.y, dz = pz - a.z, plane = dx * dx + dy * dy;
#pragma unroll
      for (unsigned k = 0; k < EACH; k++, dz += spacing) {
        float square = plane + dz * dz, rest = 1.f - square * part;
        if (square < far2) sum[k] += a.w * rsqrtf(square) * rest * rest;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < EACH; k++)
    if (z + k < points) potential[((z + k) * points + y) * points + x] = sum[k];
}
