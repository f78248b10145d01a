/* SPDX-License-Identifier: Apache-2.0 */
/* cutcp: potentials, compared with sums in double precision over all atoms, without bins. The law of the input, fixed before anything
 * was measured on it: a cube of 2 A has an atom with probability 0.8, at a uniform place in it (Parboil's boxes of water have about as
 * many), of a uniform charge in [-1, 1). A bin is a cube of 4 A, a lattice cell one of 0.5 A. */
#include <cuda.h>

#include "cutcp_args.h"
#include "cutcp_ptx.h"
#include "workload.h"

enum { ROOM = 8, EDGE = 8, EACH = 4, WIDE = 8, HIGH = 4 }; /* as in kernel.cu */
static const float spacing = 0.5f;

struct atom {
  float x, y, z, charge;
};

/* Coordinates are odd multiples of 1/512, so that no atom lies on a point. Returns the number of atoms. */
static unsigned make_atoms(uint64_t seed, unsigned bins, struct atom *place) {
  unsigned n = 0;
  for (size_t i = 0; i < (size_t)bins * bins * bins * ROOM; i++) {
    size_t bin = i / ROOM;
    unsigned corner[3] = {(unsigned)(bin % bins * 4 + i % 2 * 2), (unsigned)(bin / bins % bins * 4 + i / 2 % 2 * 2),
                          (unsigned)(bin / bins / bins * 4 + i / 4 % 2 * 2)};
    float at[3];
    for (unsigned k = 0; k < 3; k++)
      at[k] = (float)corner[k] + (float)(workload_bits(seed, 2 + k, i) >> 55) / 256.f + 1.f / 512.f;
    place[i] = (struct atom){1e6f, 1e6f, 1e6f, 0.f};
    if (workload_bits(seed, 1, i) % 5 == 0) continue;
    place[i] = (struct atom){at[0], at[1], at[2], workload_input(seed, 5, i)};
    n++;
  }
  return n;
}

/* A factor of a term has a few errors of rounding and rsqrtf two units; (1 - part of the cutoff) may lose all of its digits, so
 * errors are parts of charge / distance. Every addition rounds a sum of at most `total`. */
static void compare(struct workload_comparison *c, const struct atom *place, size_t places, unsigned points,
                    double cutoff, const float *potential) {
  for (size_t i = 0; i < (size_t)points * points * points; i++) {
    size_t column = i % points, row = i / points % points, plane = i / points / points;
    double x = spacing * (double)column, y = spacing * (double)row, z = spacing * (double)plane, sum = 0, total = 0;
    unsigned terms = 0;
    for (size_t a = 0; a < places; a++) {
      double dx = x - place[a].x, dy = y - place[a].y, dz = z - place[a].z, square = dx * dx + dy * dy + dz * dz;
      if (square >= cutoff * cutoff) continue;
      double term = place[a].charge / sqrt(square), rest = 1 - square / (cutoff * cutoff);
      sum += term * rest * rest, total += fabs(term), terms++;
    }
    workload_compare(c, i, potential[i], (float)sum, total * (16 + terms) * 0x1p-24);
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("cutcp", argc, argv);
  int bins = (int)workload_value(&w, "bins"), reach = (int)(workload_value(&w, "cutoff") * 2);
  unsigned threads = (unsigned)workload_value(&w, "threads"), stage = (unsigned)workload_value(&w, "stage");
  unsigned points = (unsigned)bins * EDGE, deep = threads / 32 * EACH;
  size_t places = (size_t)bins * bins * bins * ROOM, n = (size_t)points * points * points;
  struct atom *place = workload_alloc(&w, places * sizeof *place);
  float *potential = workload_alloc(&w, n * sizeof *potential), between = spacing;
  unsigned atoms = make_atoms((uint64_t)workload_value(&w, "seed"), (unsigned)bins, place);

  workload_sized(&w, "threads");
  CUfunction kernel = workload_open(&w, "cutcp");
  CUdeviceptr d_place = workload_upload(&w, place, places * sizeof *place);
  CUdeviceptr d_potential = workload_upload(&w, potential, n * sizeof *potential);
  struct workload_shape grid = {points / WIDE, points / HIGH, (points - 1) / deep + 1}, block = {threads, 1, 1};
  workload_launch_shape(&w, kernel, grid, block, 16 * ROOM * stage,
                        (void *[]){&bins, &stage, &reach, &between, &d_place, &d_potential});
  workload_download(&w, potential, d_potential, n * sizeof *potential);

  struct workload_comparison comparison = {0};
  compare(&comparison, place, places, points, reach * (double)spacing, potential);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "points=%u^3 atoms=%u", points, atoms);
  workload_close(&w);
  free(place), free(potential);
  return workload_verdict(&w, sizes, &comparison);
}
