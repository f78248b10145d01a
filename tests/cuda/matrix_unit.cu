// SPDX-License-Identifier: Apache-2.0
// Products of matrices by nvcuda::wmma: f16 with sums of f32 through shared memory, bf16, tf32, s8 and f64, each against the host. compute_80.
#include "check.h"

#include <cmath>
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

enum { SIZE = 64 };

// One warp computes a tile of D = A B + C; A by rows, B by columns.
template <int M, int N, int K, typename In, typename Element, typename Sum>
__global__ void multiply(const In *a, const In *b, const Sum *c, Sum *d) {
  int row = blockIdx.y * M, column = blockIdx.x * N;
  wmma::fragment<wmma::matrix_a, M, N, K, Element, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, M, N, K, Element, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(sum, c + row * SIZE + column, SIZE, wmma::mem_row_major);
  for (int k = 0; k < SIZE; k += K) {
    wmma::load_matrix_sync(x, a + row * SIZE + k, SIZE);
    wmma::load_matrix_sync(y, b + column * SIZE + k, SIZE);
    wmma::mma_sync(sum, x, y, sum);
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] + sum.x[i]; // the same for every element
  wmma::store_matrix_sync(d + row * SIZE + column, sum, SIZE, wmma::mem_row_major);
}

// The same through shared memory, of which a tile is wider than the fragment.
__global__ void multiply_shared(const half *a, const half *b, const float *c, float *d) {
  __shared__ half left[16][24], right[16][24];
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(sum, c + row * SIZE + column, SIZE, wmma::mem_row_major);
  for (int k = 0; k < SIZE; k += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      left[i / 16][i % 16] = a[(row + i / 16) * SIZE + k + i % 16];
      right[i / 16][i % 16] = b[(column + i / 16) * SIZE + k + i % 16];
    }
    __syncthreads();
    wmma::load_matrix_sync(x, &left[0][0], 24);
    wmma::load_matrix_sync(y, &right[0][0], 24);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] += sum.x[i];
  wmma::store_matrix_sync(d + row * SIZE + column, sum, SIZE, wmma::mem_row_major);
}

// Small numbers: every product and sum is exact in every type here.
static int number(int i) { return i * 37 % 15 - 7; }

template <typename In, typename Sum>
static int run(const char *name, void (*kernel)(const In *, const In *, const Sum *, Sum *), int m, int n) {
  In *a, *b;
  Sum *c, *d;
  int wrong = 0;
  CHECK(cudaMallocManaged(&a, SIZE * SIZE * sizeof *a));
  CHECK(cudaMallocManaged(&b, SIZE * SIZE * sizeof *b));
  CHECK(cudaMallocManaged(&c, SIZE * SIZE * sizeof *c));
  CHECK(cudaMallocManaged(&d, SIZE * SIZE * sizeof *d));
  for (int i = 0; i < SIZE * SIZE; i++) a[i] = In(number(i)), b[i] = In(number(3 * i + 1)), c[i] = Sum(number(i + 5));
  kernel<<<dim3(SIZE / n, SIZE / m), 32>>>(a, b, c, d);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++) {
      int sum = number(row * SIZE + column + 5);
      for (int k = 0; k < SIZE; k++) sum += number(row * SIZE + k) * number(3 * (column * SIZE + k) + 1);
      wrong += (double)d[row * SIZE + column] != 2.0 * sum;
    }
  if (wrong) printf("%s: %d elements are wrong\n", name, wrong);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFree(d));
  return wrong;
}

int main() {
  int wrong = run<half, float>("f16", multiply<16, 16, 16, half, half, float>, 16, 16);
  wrong += run<half, float>("f16, 32 x 8", multiply<32, 8, 16, half, half, float>, 32, 8);
  wrong += run<half, float>("f16, shared", multiply_shared, 16, 16);
  wrong += run<__nv_bfloat16, float>("bf16", multiply<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>, 8, 32);
  wrong += run<float, float>("tf32", multiply<16, 16, 8, float, wmma::precision::tf32, float>, 16, 16);
  wrong += run<signed char, int>("s8", multiply<16, 16, 16, signed char, signed char, int>, 16, 16);
  wrong += run<double, double>("f64", multiply<8, 8, 4, double, double, double>, 8, 8);
  return verdict(wrong);
}
