// SPDX-License-Identifier: Apache-2.0
// The electrostatic potential of point charges on a plane grid, summed directly, the atoms in constant memory
// (Stone 2007; cp of Parboil; CP of Bakhoda 2009): CTAs of 16 x 8 threads, two points a thread, 16 apart in x.
#include "tandem_device.h"

#define WIDE 16
#define HIGH 8
#define ATOMS 2048

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

extern "C" {
__constant__ float4 coulomb_atom[ATOMS]; // x, y, the square of the distance to the plane, charge
}

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  coulomb(unsigned columns, unsigned rows, unsigned atoms, float spacing, float *potential) {
  unsigned column = blockIdx.x * 2 * WIDE + threadIdx.x, row = blockIdx.y * HIGH + threadIdx.y;
  float x = spacing * (float)column, y = spacing * (float)row, apart = spacing * WIDE, sum0 = 0.f, sum1 = 0.f;
  for (unsigned i = 0; i < atoms; i++) {
    float4 atom = coulomb_atom[i];
    float dy = y - atom.y, dx0 = x - atom.x, dx1 = dx0 + apart, rest = fmaf(dy, dy, atom.z);
    sum0 = fmaf(atom.w, rsqrtf(fmaf(dx0, dx0, rest)), sum0);
    sum1 = fmaf(atom.w, rsqrtf(fmaf(dx1, dx1, rest)), sum1);
  }
  if (row >= rows) return;
  if (column < columns) potential[(size_t)row * columns + column] += sum0;
  if (column + WIDE < columns) potential[(size_t)row * columns + column + WIDE] += sum1;
}
