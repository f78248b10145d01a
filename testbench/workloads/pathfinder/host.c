/* SPDX-License-Identifier: Apache-2.0 */
/* pathfinder: the cost of the cheapest path to every column of the last row, compared with the same recurrence over
 * whole rows. Version plain computes a row a launch, whatever `pyramid` says. */
#include <cuda.h>

#include "atoms.h"
#include "descriptors.h"
#include "pathfinder_args.h"
#include "pathfinder_ptx.h"
#include "workload.h"
#include "workload_atoms.h"
#include "workload_ldesc.h"

XMEM_ATOM_IDS(PATHFINDER_ATOMS);
LDESC_IDS(PATHFINDER_DESCRIPTORS);

enum { THREADS = 256 }; /* as in kernel.cu */

static void expected(const int *wall, unsigned rows, unsigned columns, int *cost, int *next) {
  for (unsigned c = 0; c < columns; c++) cost[c] = wall[c];
  for (unsigned r = 1; r < rows; r++) {
    for (unsigned c = 0; c < columns; c++) {
      int best = cost[c];
      if (c && cost[c - 1] < best) best = cost[c - 1];
      if (c + 1 < columns && cost[c + 1] < best) best = cost[c + 1];
      next[c] = best + wall[(size_t)r * columns + c];
    }
    memcpy(cost, next, columns * sizeof *cost);
  }
}

/* For launches of `steps` rows. */
static void describe(const struct workload *w, unsigned steps, CUdeviceptr wall, const CUdeviceptr cost[2]) {
  struct ldesc l = workload_ldesc(w);
  unsigned columns = (unsigned)workload_value(w, "columns"), rows = (unsigned)workload_value(w, "rows");
  unsigned own = THREADS - 2 * steps;
  struct workload_shape all = {columns, rows, 1}, tile = {own, rows, 1}, one = {1, 1, 1};
  size_t row_bytes = columns * sizeof(int);
  workload_describe(w, &l, PATHFINDER_LDESC_WALL, wall, rows * row_bytes, workload_tile(all, tile, one), 0);
  for (int i = 0; i < 2; i++)
    workload_describe(w, &l, PATHFINDER_LDESC_COST, cost[i], row_bytes, workload_tile_row(columns, own), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("pathfinder", argc, argv);
  unsigned columns = (unsigned)workload_value(&w, "columns"), rows = (unsigned)workload_value(&w, "rows");
  unsigned pyramid = (unsigned)workload_value(&w, "pyramid");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t wall_bytes = (size_t)rows * columns * sizeof(int), row_bytes = columns * sizeof(int);
  int *wall = workload_alloc(&w, wall_bytes), *result = workload_alloc(&w, row_bytes);
  int *want = workload_alloc(&w, row_bytes), *next = workload_alloc(&w, row_bytes);
  for (size_t i = 0; i < (size_t)rows * columns; i++) wall[i] = (int)(workload_bits(seed, 1, i) % 10);

  CUfunction kernel = workload_open(&w, "pathfinder");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_wall = workload_upload_atom(&w, &atoms, PATHFINDER_WALL, wall, wall_bytes), cost[2];
  size_t room = THREADS * sizeof(int); /* whole CTAs may be read where the grid ends inside them */
  for (int i = 0; i < 2; i++) {
    cost[i] = workload_upload_atom(&w, &atoms, PATHFINDER_COST, NULL, row_bytes + 2 * room) + room;
    WORKLOAD_PREPARE(&w, cuMemcpyHtoD(cost[i], wall, row_bytes));
  }
  int plain = !strcmp(w.version, "plain");
  if (plain) pyramid = 1;
  unsigned from = 0, described = 0;
  for (unsigned row = 1; row < rows; row += pyramid, from ^= 1) {
    unsigned steps = rows - row < pyramid ? rows - row : pyramid;
    if (steps != described) describe(&w, described = steps, device_wall, cost);
    CUdeviceptr first = device_wall + (CUdeviceptr)row * row_bytes;
    if (plain)
      workload_launch(&w, kernel, (columns - 1) / THREADS + 1, THREADS,
                      (void *[]){&columns, &first, &cost[from], &cost[from ^ 1]});
    else
      workload_launch(&w, kernel, (columns - 1) / (THREADS - 2 * steps) + 1, THREADS,
                      (void *[]){&steps, &columns, &first, &cost[from], &cost[from ^ 1]});
  }
  workload_download(&w, result, cost[from], row_bytes);

  expected(wall, rows, columns, want, next);
  struct workload_comparison comparison = {0};
  for (unsigned c = 0; c < columns; c++) workload_compare_whole(&comparison, c, result[c], want[c]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "columns=%u rows=%u pyramid=%u", columns, rows, pyramid);
  workload_close(&w);
  free(wall), free(result), free(want), free(next);
  return workload_verdict(&w, sizes, &comparison);
}
