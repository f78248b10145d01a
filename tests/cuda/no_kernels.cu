// SPDX-License-Identifier: Apache-2.0
// No device code: memory and copies alone. It counts as a run.
#include "check.h"

int main() {
  int x = 42, y = 0, *d;
  CHECK(cudaMalloc(&d, sizeof x));
  CHECK(cudaMemcpy(d, &x, sizeof x, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(&y, d, sizeof y, cudaMemcpyDeviceToHost));
  return verdict(x != y);
}
