// SPDX-License-Identifier: Apache-2.0
// What separate_a.cu calls.
#include "check.h"

__device__ int counter;
static __device__ float factor = 3;
__device__ float scale(float x) { return x * factor; }

int read_counter() {
  int value;
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  return value;
}
