/* SPDX-License-Identifier: Apache-2.0 */
/* backprop: one training step of a layer. The partial sums are compared with pairwise sums by recursion, the weights
 * and their changes with the same operations on the host, both bit for bit. The layer of one output unit is the host's,
 * as in Rodinia. */
#include <cuda.h>

#include "atoms.h"
#include "backprop_args.h"
#include "backprop_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(BACKPROP_ATOMS);

enum { SIDE = 16 }; /* as in kernel.cu */
static const float rate = 0.3f, momentum = 0.3f;

static float squash(float x) { return 1.f / (1.f + expf(-x)); }

/* Sum over `n` inputs from `first` of input times weight to unit x; those beyond the last count as 0. */
static float pairwise(const float *input, const float *weight, unsigned inputs, unsigned first, unsigned n,
                      unsigned x) {
  if (n == 1) return first < inputs ? input[first] * weight[(size_t)first * SIDE + x] : 0.f * 0.f;
  return pairwise(input, weight, inputs, first, n / 2, x) + pairwise(input, weight, inputs, first + n / 2, n / 2, x);
}

/* Errors of the hidden units for the target 0.1, from the sums of their inputs. */
static void errors(const float *partial, unsigned ctas, uint64_t seed, float delta[SIDE]) {
  float hidden[SIDE] = {0}, weight[SIDE], sum = 0;
  for (unsigned x = 0; x < SIDE; x++) {
    for (unsigned c = 0; c < ctas; c++) hidden[x] += partial[(size_t)c * SIDE + x];
    hidden[x] = squash(hidden[x]);
    weight[x] = workload_input(seed, 4, x);
    sum += weight[x] * hidden[x];
  }
  float output = squash(sum), error = output * (1.f - output) * (0.1f - output);
  for (unsigned x = 0; x < SIDE; x++) delta[x] = hidden[x] * (1.f - hidden[x]) * error * weight[x];
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("backprop", argc, argv);
  unsigned inputs = (unsigned)workload_value(&w, "inputs"), ctas = (inputs - 1) / SIDE + 1;
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)inputs * SIDE, bytes = n * sizeof(float), partial_bytes = (size_t)ctas * SIDE * sizeof(float);
  float *input = workload_alloc(&w, inputs * sizeof *input), *weight = workload_alloc(&w, bytes);
  float *last = workload_alloc(&w, bytes), *partial = workload_alloc(&w, partial_bytes), delta[SIDE];
  float *new_weight = workload_alloc(&w, bytes), *change = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < inputs; i++) input[i] = workload_input(seed, 1, i);
  for (size_t i = 0; i < n; i++) {
    weight[i] = workload_input(seed, 2, i) / 64.f;
    last[i] = workload_input(seed, 3, i) / 1024.f;
  }

  CUfunction forward = workload_open(&w, "backprop_forward"), adjust = workload_kernel(&w, "backprop_adjust");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_input = workload_upload_atom(&w, &atoms, BACKPROP_INPUT, input, inputs * sizeof *input);
  CUdeviceptr device_weight = workload_upload_atom(&w, &atoms, BACKPROP_WEIGHT, weight, bytes);
  CUdeviceptr device_last = workload_upload_atom(&w, &atoms, BACKPROP_LAST, last, bytes);
  CUdeviceptr device_partial = workload_upload_atom(&w, &atoms, BACKPROP_PARTIAL, NULL, partial_bytes);
  struct workload_shape grid = {ctas, 1, 1}, block = {SIDE, SIDE, 1};
  workload_launch_shape(&w, forward, grid, block, 0,
                        (void *[]){&inputs, &device_input, &device_weight, &device_partial});
  workload_download(&w, partial, device_partial, partial_bytes);
  errors(partial, ctas, seed, delta);
  CUdeviceptr device_delta = workload_upload_atom(&w, &atoms, BACKPROP_DELTA, delta, sizeof delta);
  float r = rate, m = momentum;
  workload_launch_shape(&w, adjust, grid, block, 0,
                        (void *[]){&inputs, &r, &m, &device_delta, &device_input, &device_weight, &device_last});
  workload_download(&w, new_weight, device_weight, bytes);
  workload_download(&w, change, device_last, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned c = 0; c < ctas; c++)
    for (unsigned x = 0; x < SIDE; x++)
      workload_compare(&comparison, (size_t)c * SIDE + x, partial[(size_t)c * SIDE + x],
                       pairwise(input, weight, inputs, c * SIDE, SIDE, x), 0);
  for (size_t i = 0; i < n; i++) {
    float step = rate * delta[i % SIDE];
    step *= input[i / SIDE];
    float want = fmaf(momentum, last[i], step);
    workload_compare(&comparison, i, change[i], want, 0);
    workload_compare(&comparison, i, new_weight[i], weight[i] + want, 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "inputs=%u", inputs);
  workload_close(&w);
  free(input), free(weight), free(last), free(partial), free(new_weight), free(change);
  return workload_verdict(&w, sizes, &comparison);
}
