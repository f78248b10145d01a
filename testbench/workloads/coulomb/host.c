/* SPDX-License-Identifier: Apache-2.0 */
/* coulomb: potentials of charges on a plane grid, compared with sums in double precision. Atoms stand at least 1 away
 * from the plane, 0.5 is the spacing. */
#include <cuda.h>

#include "coulomb_args.h"
#include "coulomb_ptx.h"
#include "workload.h"

enum { WIDE = 16, HIGH = 8 }; /* as in kernel.cu */

struct atom {
  float x, y, z_squared, charge;
};

int main(int argc, char **argv) {
  struct workload w = workload_arguments("coulomb", argc, argv);
  unsigned columns = (unsigned)workload_value(&w, "columns"), rows = (unsigned)workload_value(&w, "rows");
  unsigned atoms = (unsigned)workload_value(&w, "atoms");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *potential = workload_alloc(&w, bytes), spacing = 0.5f;
  struct atom *atom = workload_alloc(&w, atoms * sizeof *atom);
  for (unsigned i = 0; i < atoms; i++) {
    float z = 1.f + 15.f * fabsf(workload_input(seed, 3, i));
    atom[i] =
      (struct atom){spacing * (float)columns * fabsf(workload_input(seed, 1, i)),
                    spacing * (float)rows * fabsf(workload_input(seed, 2, i)), z * z, workload_input(seed, 4, i)};
  }

  CUfunction kernel = workload_open(&w, "coulomb");
  CUdeviceptr constant, device_potential = workload_upload(&w, potential, bytes);
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&constant, NULL, w.module, "coulomb_atom"));
  WORKLOAD_PREPARE(&w, cuMemcpyHtoD(constant, atom, atoms * sizeof *atom));
  struct workload_shape grid = {(columns - 1) / (2 * WIDE) + 1, (rows - 1) / HIGH + 1, 1}, block = {WIDE, HIGH, 1};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&columns, &rows, &atoms, &spacing, &device_potential});
  workload_download(&w, potential, device_potential, bytes);

  /* a term has an error of 2 ulp of rsqrtf and of 2 ulp of the square below its root; every addition rounds a sum of at
   * most `total` */
  struct workload_comparison comparison = {0};
  for (unsigned row = 0; row < rows; row++)
    for (unsigned column = 0; column < columns; column++) {
      double sum = 0, total = 0;
      for (unsigned i = 0; i < atoms; i++) {
        double dx = (double)spacing * column - atom[i].x, dy = (double)spacing * row - atom[i].y;
        double term = atom[i].charge / sqrt(dx * dx + dy * dy + atom[i].z_squared);
        sum += term, total += fabs(term);
      }
      size_t at = (size_t)row * columns + column;
      workload_compare(&comparison, at, potential[at], (float)sum, total * (8 + atoms) * 0x1p-24);
    }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "columns=%u rows=%u atoms=%u", columns, rows, atoms);
  workload_close(&w);
  free(potential), free(atom);
  return workload_verdict(&w, sizes, &comparison);
}
