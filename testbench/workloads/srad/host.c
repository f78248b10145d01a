/* SPDX-License-Identifier: Apache-2.0 */
/* srad: an image after some iterations of speckle reduction, compared with whole-image iterations of the same fused
 * operations, bit for bit. The region of interest is the upper left quarter, at least one pixel. */
#include <cuda.h>

#include "atoms.h"
#include "srad_args.h"
#include "srad_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(SRAD_ATOMS);

enum { SIDE = 16 }; /* as in kernel.cu */

/* Squared coefficient of variation of the region. */
static float q0_squared(const float *image, unsigned rows, unsigned columns) {
  unsigned h = rows > 1 ? rows / 2 : 1, l = columns > 1 ? columns / 2 : 1;
  float sum = 0, squares = 0, count = (float)h * (float)l;
  for (unsigned r = 0; r < h; r++)
    for (unsigned c = 0; c < l; c++) {
      float pixel = image[(size_t)r * columns + c];
      sum += pixel;
      squares += pixel * pixel;
    }
  float mean = sum / count, variance = squares / count - mean * mean;
  float q = variance / (mean * mean);
  return q > 1e-3f ? q : 1e-3f; /* a flat region would divide by nothing */
}

struct pixel {
  float north, south, west, east, coefficient;
};

static struct pixel coefficient(const float *image, unsigned rows, unsigned columns, unsigned r, unsigned c, float q0) {
  size_t i = (size_t)r * columns + c;
  float j = image[i];
  struct pixel p = {image[r ? i - columns : i] - j, image[r + 1 < rows ? i + columns : i] - j, image[c ? i - 1 : i] - j,
                    image[c + 1 < columns ? i + 1 : i] - j, 0};
  float squares = p.north * p.north;
  squares = fmaf(p.south, p.south, squares);
  squares = fmaf(p.west, p.west, squares);
  squares = fmaf(p.east, p.east, squares);
  float gradient = squares / (j * j), laplacian = ((p.north + p.south) + (p.west + p.east)) / j;
  float square = laplacian * laplacian, half = 0.5f * gradient, scale = fmaf(0.25f, laplacian, 1.f);
  float q = fmaf(-0.0625f, square, half) / (scale * scale);
  float k = 1.f / (1.f + (q - q0) / (q0 * (1.f + q0)));
  p.coefficient = k < 0.f ? 0.f : k > 1.f ? 1.f : k;
  return p;
}

static void iterate(float *image, struct pixel *p, unsigned rows, unsigned columns, float quarter_lambda) {
  float q0 = q0_squared(image, rows, columns);
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++) p[(size_t)r * columns + c] = coefficient(image, rows, columns, r, c, q0);
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++) {
      size_t i = (size_t)r * columns + c;
      float south = p[r + 1 < rows ? i + columns : i].coefficient, east = p[c + 1 < columns ? i + 1 : i].coefficient;
      float divergence = p[i].coefficient * p[i].west;
      divergence = fmaf(east, p[i].east, divergence);
      divergence = fmaf(south, p[i].south, divergence);
      divergence = fmaf(p[i].coefficient, p[i].north, divergence);
      image[i] = fmaf(quarter_lambda, divergence, image[i]);
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("srad", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned iterations = (unsigned)workload_value(&w, "iterations");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *image = workload_alloc(&w, bytes), *result = workload_alloc(&w, bytes), quarter_lambda = 0.5f * 0.25f;
  struct pixel *pixels = workload_alloc(&w, n * sizeof *pixels);
  for (size_t i = 0; i < n; i++) image[i] = 1.859375f + 0.859375f * workload_input(seed, 1, i); /* e^0 .. e^1 */

  CUfunction first = workload_open(&w, "srad_coefficient"), second = workload_kernel(&w, "srad_update");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_image = workload_upload_atom(&w, &atoms, SRAD_IMAGE, image, bytes);
  CUdeviceptr difference = workload_upload_atom(&w, &atoms, SRAD_DIFFERENCE, NULL, 4 * bytes);
  CUdeviceptr device_coefficient = workload_upload_atom(&w, &atoms, SRAD_COEFFICIENT, NULL, bytes);
  struct workload_shape grid = {(columns - 1) / SIDE + 1, (rows - 1) / SIDE + 1, 1}, block = {SIDE, SIDE, 1};
  for (unsigned i = 0; i < iterations; i++) {
    workload_download(&w, result, device_image, bytes);
    float q0 = q0_squared(result, rows, columns);
    workload_launch_shape(&w, first, grid, block, 0,
                          (void *[]){&rows, &columns, &q0, &device_image, &difference, &device_coefficient});
    workload_launch_shape(
      &w, second, grid, block, 0,
      (void *[]){&rows, &columns, &quarter_lambda, &difference, &device_coefficient, &device_image});
  }
  workload_download(&w, result, device_image, bytes);

  for (unsigned i = 0; i < iterations; i++) iterate(image, pixels, rows, columns, quarter_lambda);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, result[i], image[i], 0);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u iterations=%u", rows, columns, iterations);
  workload_close(&w);
  free(image), free(result), free(pixels);
  return workload_verdict(&w, sizes, &comparison);
}
