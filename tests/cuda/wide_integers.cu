/* SPDX-License-Identifier: Apache-2.0 */
/* Integers of 128 bits, which nvcc makes of carry chains: sums, differences, products, quotients, remainders, shifts, comparisons. */
#include "check.h"
#include <cstring>
#include <random>
#include <vector>

typedef unsigned __int128 wide;
enum { RESULTS = 10 };

__host__ __device__ static void compute(wide a, wide b, wide *r) {
  int shift = (int)(b & 127);
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = a / b;
  r[4] = a % b;
  r[5] = (wide)((__int128)a / (__int128)b);
  r[6] = (wide)((__int128)a % (__int128)b);
  r[7] = a << shift;
  r[8] = (wide)((__int128)a >> shift);
  r[9] = (wide)(a < b) | (wide)((__int128)a < (__int128)b) << 64;
}

__global__ void wide_kernel(const wide *a, const wide *b, wide *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) compute(a[i], b[i], r + (size_t)i * RESULTS);
}

int main() {
  const int n = 512;
  std::mt19937_64 random(7);
  std::vector<wide> a(n), b(n), r(n * RESULTS), expected(RESULTS);
  for (int i = 0; i < n; i++) { /* of every length, 0 and 2^64 - 1 among the words */
    a[i] = ((wide)random() << 64 | random()) >> i % 128;
    b[i] = ((wide)random() << 64 | random()) >> i / 4 % 128;
    if (i % 16 == 3) a[i] |= UINT64_MAX;
    if (i % 16 == 5) b[i] &= (wide)UINT64_MAX << 64;
    if (i % 16 == 7) a[i] = i / 16;
    if (!b[i]) b[i] = 7;
  }
  wide *da, *db, *dr;
  CHECK(cudaMalloc(&da, n * sizeof *da));
  CHECK(cudaMalloc(&db, n * sizeof *db));
  CHECK(cudaMalloc(&dr, r.size() * sizeof *dr));
  CHECK(cudaMemcpy(da, a.data(), n * sizeof *da, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), n * sizeof *db, cudaMemcpyHostToDevice));
  wide_kernel<<<(n + 127) / 128, 128>>>(da, db, dr, n);
  CHECK(cudaMemcpy(r.data(), dr, r.size() * sizeof *dr, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    compute(a[i], b[i], expected.data());
    for (int k = 0; k < RESULTS; k++)
      if (r[(size_t)i * RESULTS + k] != expected[k] && !wrong++) fprintf(stderr, "pair %d, result %d differ\n", i, k);
  }
  return verdict(wrong);
}
