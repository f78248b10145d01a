/* SPDX-License-Identifier: Apache-2.0 */
/* hotspot: temperatures after some time steps, compared with whole-grid steps of the same fused operations, bit for
 * bit. Version plain computes a step a launch, whatever `pyramid` says. The chip's constants are those of Rodinia's
 * hotspot (Che 2009) for a chip of 16 mm x 16 mm x 0.5 mm. */
#include <cuda.h>

#include "hotspot_args.h"
#include "hotspot_ptx.h"
#include "workload.h"

enum { SIDE = 16 }; /* as in kernel.cu */

struct chip { /* struct hotspot_chip of kernel.cu */
  unsigned rows, columns;
  float step_over_capacity, per_rx, per_ry, per_rz, ambient;
};

static struct chip describe(unsigned rows, unsigned columns) {
  const float width = 0.016f, thickness = 0.0005f, heat = 1.75e6f, conductivity = 100.f;
  float cell_height = width / (float)rows, cell_width = width / (float)columns;
  float capacity = 0.5f * heat * thickness * cell_width * cell_height;
  float slope = 3.0e6f / (0.5f * thickness * heat);
  return (struct chip){.rows = rows,
                       .columns = columns,
                       .step_over_capacity = 0.001f / slope / capacity,
                       .per_rx = 2.f * conductivity * thickness * cell_height / cell_width,
                       .per_ry = 2.f * conductivity * thickness * cell_width / cell_height,
                       .per_rz = conductivity * cell_height * cell_width / thickness,
                       .ambient = 80.f};
}

static void step(const struct chip *chip, const float *power, const float *t, float *next) {
  unsigned rows = chip->rows, columns = chip->columns;
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++) {
      size_t i = (size_t)r * columns + c;
      float north = t[r ? i - columns : i], south = t[r + 1 < rows ? i + columns : i];
      float west = t[c ? i - 1 : i], east = t[c + 1 < columns ? i + 1 : i];
      float flow = fmaf(fmaf(-2.f, t[i], south + north), chip->per_ry, power[i]);
      flow = fmaf(fmaf(-2.f, t[i], east + west), chip->per_rx, flow);
      flow = fmaf(chip->ambient - t[i], chip->per_rz, flow);
      next[i] = fmaf(chip->step_over_capacity, flow, t[i]);
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("hotspot", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned steps = (unsigned)workload_value(&w, "steps"), pyramid = (unsigned)workload_value(&w, "pyramid");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *t = workload_alloc(&w, bytes), *power = workload_alloc(&w, bytes), *result = workload_alloc(&w, bytes);
  float *next = workload_alloc(&w, bytes);
  struct chip chip = describe(rows, columns);
  for (size_t i = 0; i < n; i++) {
    t[i] = 330.f + 10.f * workload_input(seed, 1, i);
    power[i] = 0.0005f + 0.0005f * workload_input(seed, 2, i);
  }

  CUfunction kernel = workload_open(&w, "hotspot");
  CUdeviceptr device_power = workload_upload(&w, power, bytes), device_t[2];
  for (int i = 0; i < 2; i++) device_t[i] = workload_upload(&w, t, bytes);
  struct workload_shape block = {SIDE, SIDE, 1};
  unsigned from = 0;
  if (!strcmp(w.version, "plain"))
    for (unsigned done = 0; done < steps; done++, from ^= 1)
      workload_launch_shape(&w, kernel, (struct workload_shape){(columns - 1) / SIDE + 1, (rows - 1) / SIDE + 1, 1},
                            block, 0, (void *[]){&chip, &device_power, &device_t[from], &device_t[from ^ 1]});
  else
    for (unsigned done = 0; done < steps; done += pyramid, from ^= 1) {
      unsigned count = steps - done < pyramid ? steps - done : pyramid, inner = SIDE - 2 * count;
      struct workload_shape grid = {(columns - 1) / inner + 1, (rows - 1) / inner + 1, 1};
      workload_launch_shape(&w, kernel, grid, block, 0,
                            (void *[]){&chip, &count, &device_power, &device_t[from], &device_t[from ^ 1]});
    }
  workload_download(&w, result, device_t[from], bytes);

  for (unsigned i = 0; i < steps; i++) {
    step(&chip, power, t, next);
    memcpy(t, next, bytes);
  }
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, result[i], t[i], 0);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u steps=%u pyramid=%u", rows, columns, steps, pyramid);
  workload_close(&w);
  free(t), free(power), free(result), free(next);
  return workload_verdict(&w, sizes, &comparison);
}
