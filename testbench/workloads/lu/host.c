/* SPDX-License-Identifier: Apache-2.0 */
/* lu: A = L U, compared bit for bit with an elimination on the host, element after element, that adds and subtracts in the
 * order of the kernels. Sizes that are no multiple of 16 are padded with the identity. part=1 and 2 do one of the three
 * kernels of every step alone (LUD1 and LUD2 of Jamshidi 2014), and so does the host. */
#include <cuda.h>

#include "lu_args.h"
#include "lu_ptx.h"
#include "workload.h"

enum { SIDE = 16 }; /* as in kernel.cu */
enum { PART_ALL, PART_INTERNAL, PART_DIAGONAL };

/* Factors the square of rows and columns from..to - 1, one element after the other. An element loses the products of each whole
 * step of SIDE before its own as one sum (`internal`), and those of its own step one by one (`diagonal`, `perimeter`). */
static void eliminate(float *a, unsigned n, unsigned from, unsigned to) {
  for (unsigned i = from; i < to; i++)
    for (unsigned j = from; j < to; j++) {
      unsigned first = i < j ? i : j, own = first / SIDE * SIDE;
      const float *row = a + (size_t)i * n, *column = a + j;
      float value = row[j];
      for (unsigned at = from; at < own; at += SIDE) {
        float sum = 0;
        for (unsigned k = at; k < at + SIDE; k++) sum = fmaf(row[k], column[(size_t)k * n], sum);
        value -= sum;
      }
      for (unsigned k = own; k < first; k++) value = fmaf(-row[k], column[(size_t)k * n], value);
      a[(size_t)i * n + j] = i > j ? value / column[(size_t)j * n] : value;
    }
}

/* Subtracts the product of the panels at `at` from what is right of and below them. */
static void subtract(float *a, unsigned n, unsigned at) {
  for (unsigned i = at + SIDE; i < n; i++)
    for (unsigned j = at + SIDE; j < n; j++) {
      float sum = 0;
      for (unsigned k = at; k < at + SIDE; k++) sum = fmaf(a[(size_t)i * n + k], a[(size_t)k * n + j], sum);
      a[(size_t)i * n + j] -= sum;
    }
}

static void expect(float *a, unsigned n, unsigned part) {
  if (part == PART_ALL) eliminate(a, n, 0, n);
  for (unsigned at = 0; part != PART_ALL && at < n; at += SIDE) {
    if (part == PART_INTERNAL) subtract(a, n, at);
    else eliminate(a, n, at, at + SIDE);
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("lu", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), padded = (n + SIDE - 1) / SIDE * SIDE;
  unsigned part = (unsigned)workload_value(&w, "part");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)padded * padded * sizeof(float);
  float *a = workload_alloc(&w, bytes), *result = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < padded; i++)
    for (unsigned j = 0; j < padded; j++) {
      float value = i < n && j < n ? workload_input(seed, 1, (uint64_t)i * n + j) : 0.f;
      if (part == PART_INTERNAL) value /= 32.f * (float)padded; /* the panels are not divided: sums stay small */
      if (i == j) value += i < n ? (float)n : 1.f;              /* dominant: no pivoting is needed */
      a[(size_t)i * padded + j] = value;
    }

  CUfunction diagonal = workload_open(&w, "lu_diagonal");
  CUfunction perimeter = workload_kernel(&w, "lu_perimeter"), internal = workload_kernel(&w, "lu_internal");
  CUdeviceptr device_a = workload_upload(&w, a, bytes);
  for (unsigned at = 0; at < padded; at += SIDE) {
    void *arguments[] = {&padded, &at, &device_a};
    unsigned rest = (padded - at) / SIDE - 1;
    if (part != PART_INTERNAL) workload_launch(&w, diagonal, 1, SIDE, arguments);
    if (part == PART_ALL && rest) workload_launch(&w, perimeter, rest, 2 * SIDE, arguments);
    if (part != PART_DIAGONAL && rest)
      workload_launch_shape(&w, internal, (struct workload_shape){rest, rest, 1},
                            (struct workload_shape){SIDE, SIDE, 1}, 0, arguments);
  }
  workload_download(&w, result, device_a, bytes);

  expect(a, padded, part);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < (size_t)padded * padded; i++) workload_compare(&comparison, i, result[i], a[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u part=%u", n, part);
  workload_close(&w);
  free(a), free(result);
  return workload_verdict(&w, sizes, &comparison);
}
