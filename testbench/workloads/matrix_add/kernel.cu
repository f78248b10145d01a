// SPDX-License-Identifier: Apache-2.0
// C = A + B, matrices of `rows` x `columns` stored by rows, one element a thread in CTAs of 16 x 16:
// the two-dimensional example of the CUDA C Programming Guide (2.2, thread hierarchy).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define SIDE 16

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(MATRIX_ADD_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  matrix_add(unsigned rows, unsigned columns, const float *a, const float *b, float *c) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  size_t i = (size_t)row * columns + column;
  c[i] = a[i] + b[i];
}
