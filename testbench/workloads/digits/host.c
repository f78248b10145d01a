/* SPDX-License-Identifier: Apache-2.0 */
/* digits: two convolutional layers, compared neuron by neuron. */
#include <cuda.h>

#include "digits_args.h"
#include "digits_ptx.h"
#include "workload.h"

enum { SIDE = 29, MAPS1 = 6, SIDE1 = 13, MAPS2 = 50, SIDE2 = 5, FIELD = 5 };

/* One layer in double: `maps` maps of `side` neurons a side from `maps_in` of `side_in`. */
static double neuron(const float *in, int maps_in, int side_in, const float *weight, int x, int y) {
  double sum = weight[0];
  for (int m = 0; m < maps_in; m++)
    for (int j = 0; j < FIELD; j++)
      for (int i = 0; i < FIELD; i++)
        sum += (double)in[(m * side_in + 2 * y + j) * side_in + 2 * x + i] * weight[1 + (m * FIELD + j) * FIELD + i];
  return 1.7159 * tanh(0.66666667 * sum);
}

static void compare(struct workload_comparison *c, size_t base, const float *got, const float *in, int maps_in,
                    int side_in, const float *weight, int maps, int side) {
  for (int m = 0; m < maps; m++)
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++) {
        size_t i = ((size_t)m * side + y) * side + x;
        double want = neuron(in, maps_in, side_in, weight + m * (1 + maps_in * FIELD * FIELD), x, y);
        workload_compare(c, base + i, got[i], (float)want, 2e-4);
      }
}

static float *random_weights(const struct workload *w, size_t n, uint64_t stream, float scale) {
  float *p = workload_alloc(w, n * 4);
  for (size_t i = 0; i < n; i++) p[i] = scale * workload_input((uint64_t)workload_value(w, "seed"), stream, i);
  return p;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("digits", argc, argv);
  unsigned digits = (unsigned)workload_value(&w, "digits");
  size_t n_image = (size_t)digits * SIDE * SIDE, n1 = (size_t)digits * MAPS1 * SIDE1 * SIDE1;
  size_t n2 = (size_t)digits * MAPS2 * SIDE2 * SIDE2, n_weight1 = MAPS1 * (1 + FIELD * FIELD);
  size_t n_weight2 = (size_t)MAPS2 * (1 + MAPS1 * FIELD * FIELD);
  float *image = random_weights(&w, n_image, 1, 1.f), *weight1 = random_weights(&w, n_weight1, 2, 0.2f);
  float *weight2 = random_weights(&w, n_weight2, 3, 0.1f);
  float *out1 = workload_alloc(&w, n1 * 4), *out2 = workload_alloc(&w, n2 * 4);

  CUfunction layer1 = workload_open(&w, "digits_layer1"), layer2 = workload_kernel(&w, "digits_layer2");
  CUdeviceptr d_image = workload_upload(&w, image, n_image * 4),
              d_weight1 = workload_upload(&w, weight1, n_weight1 * 4);
  CUdeviceptr d_weight2 = workload_upload(&w, weight2, n_weight2 * 4), d_out1 = workload_upload(&w, NULL, n1 * 4);
  CUdeviceptr d_out2 = workload_upload(&w, NULL, n2 * 4);
  workload_launch_shape(&w, layer1, (struct workload_shape){MAPS1, digits, 1}, (struct workload_shape){SIDE1, SIDE1, 1},
                        0, (void *[]){&d_image, &d_weight1, &d_out1});
  workload_launch_shape(&w, layer2, (struct workload_shape){MAPS2, digits, 1}, (struct workload_shape){SIDE2, SIDE2, 1},
                        0, (void *[]){&d_out1, &d_weight2, &d_out2});
  workload_download(&w, out1, d_out1, n1 * 4);
  workload_download(&w, out2, d_out2, n2 * 4);

  struct workload_comparison comparison = {0};
  for (unsigned d = 0; d < digits; d++) {
    size_t at1 = (size_t)d * MAPS1 * SIDE1 * SIDE1, at2 = (size_t)d * MAPS2 * SIDE2 * SIDE2;
    compare(&comparison, at1, out1 + at1, image + (size_t)d * SIDE * SIDE, 1, SIDE, weight1, MAPS1, SIDE1);
    compare(&comparison, n1 + at2, out2 + at2, out1 + at1, MAPS1, SIDE1, weight2, MAPS2, SIDE2);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "digits=%u", digits);
  workload_close(&w);
  free(image), free(weight1), free(weight2), free(out1), free(out2);
  return workload_verdict(&w, sizes, &comparison);
}
