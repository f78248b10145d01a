/* SPDX-License-Identifier: Apache-2.0 */
/* laplace3d: Jacobi iterations of Laplace's equation, compared with whole-box iterations on the host. The sums are
 * taken in the kernel's order: bit for bit. */
#include <cuda.h>

#include "descriptors.h"
#include "laplace3d_args.h"
#include "laplace3d_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(LAPLACE3D_DESCRIPTORS);

enum { WIDE = 32, HIGH = 4 }; /* as in kernel.cu */

static void iterate(const unsigned n[3], const float *u, float *next) {
  size_t plane = (size_t)n[0] * n[1];
  memcpy(next, u, plane * n[2] * sizeof *u);
  for (unsigned z = 1; z + 1 < n[2]; z++)
    for (unsigned y = 1; y + 1 < n[1]; y++)
      for (unsigned x = 1; x + 1 < n[0]; x++) {
        size_t i = z * plane + (size_t)y * n[0] + x;
        float sum = u[i - 1] + u[i + 1];
        sum += u[i - n[0]];
        sum += u[i + n[0]];
        sum += u[i - plane];
        sum += u[i + plane];
        next[i] = sum * (1.f / 6.f);
      }
}

static void describe(const struct workload *w, const unsigned n[3], CUdeviceptr u1, CUdeviceptr u2) {
  struct ldesc l = workload_ldesc(w);
  struct workload_shape all = {n[0], n[1], n[2]}, columns = {WIDE, HIGH, n[2]}, one = {1, 1, 1};
  size_t bytes = (size_t)n[0] * n[1] * n[2] * sizeof(float);
  workload_forget(w, &l);
  workload_describe(w, &l, LAPLACE3D_LDESC_U1, u1, bytes, workload_tile(all, columns, one), 0);
  workload_describe(w, &l, LAPLACE3D_LDESC_U2, u2, bytes, workload_tile(all, columns, one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("laplace3d", argc, argv);
  unsigned n[3] = {(unsigned)workload_value(&w, "nx"), (unsigned)workload_value(&w, "ny"),
                   (unsigned)workload_value(&w, "nz")};
  unsigned iterations = (unsigned)workload_value(&w, "iterations");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t cells = (size_t)n[0] * n[1] * n[2], bytes = cells * sizeof(float);
  float *u = workload_alloc(&w, bytes), *next = workload_alloc(&w, bytes), *result = workload_alloc(&w, bytes);
  for (size_t i = 0; i < cells; i++) u[i] = workload_input(seed, 1, i);

  CUfunction kernel = workload_open(&w, "laplace3d");
  CUdeviceptr device[2] = {workload_upload(&w, u, bytes), workload_upload(&w, NULL, bytes)};
  struct workload_shape grid = {(n[0] - 1) / WIDE + 1, (n[1] - 1) / HIGH + 1, 1}, block = {WIDE, HIGH, 1};
  for (unsigned i = 0; i < iterations; i++) {
    describe(&w, n, device[i & 1], device[~i & 1]);
    workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&n[0], &n[1], &n[2], &device[i & 1], &device[~i & 1]});
  }
  workload_download(&w, result, device[iterations & 1], bytes);

  for (unsigned i = 0; i < iterations; i++) {
    iterate(n, u, next);
    memcpy(u, next, bytes);
  }
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < cells; i++) workload_compare(&comparison, i, result[i], u[i], 0);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "nx=%u ny=%u nz=%u iterations=%u", n[0], n[1], n[2], iterations);
  workload_close(&w);
  free(u), free(next), free(result);
  return workload_verdict(&w, sizes, &comparison);
}
