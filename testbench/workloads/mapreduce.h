// SPDX-License-Identifier: Apache-2.0
// Steps of a MapReduce that the programs of Mars share (He 2008, Fang 2011). A record is a row of a directory: where its key begins
// and how long that is, and the same of its value. A first map counts the bytes that each record yields, prefix sums say where
// they go, a second map writes them, byte by byte as Mars does, a bitonic sort orders rows of the directory by their keys, keys
// and values move into that order, and groups of equal keys are found. Include after a function
//   int mr_compare(const char *keys, uint4 a, uint4 b);
#ifndef MAPREDUCE_H
#define MAPREDUCE_H

#define MR_THREADS 256      // of a CTA
#define MR_NONE 0xffffffffu // in place of where a key begins: no record

static __device__ __forceinline__ unsigned mr_self() { return blockIdx.x * MR_THREADS + threadIdx.x; }

static __device__ __forceinline__ void mr_put(char *to, unsigned word) {
  for (unsigned i = 0; i < 4; i++) to[i] = (char)(word >> 8 * i);
}

static __device__ __forceinline__ void mr_copy(char *to, const char *from, unsigned size) {
  for (unsigned i = 0; i < size; i++) to[i] = from[i];
}

// What a record yields: one pair of these sizes.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  mr_count(unsigned n, unsigned key_bytes, unsigned value_bytes, unsigned *key_sizes, unsigned *value_sizes,
           unsigned *counts) {
  unsigned i = mr_self();
  if (i >= n) return;
  key_sizes[i] = key_bytes;
  value_sizes[i] = value_bytes;
  counts[i] = 1;
}

// Sums of what is before each element, in each CTA, and the sum of each CTA.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  mr_sums(unsigned n, const unsigned *in, unsigned *out, unsigned *totals) {
  __shared__ unsigned sum[2][MR_THREADS];
  unsigned i = mr_self(), t = threadIdx.x, own = i < n ? in[i] : 0, now = 0;
  sum[0][t] = own;
  __syncthreads();
  for (unsigned step = 1; step < MR_THREADS; step *= 2, now ^= 1) {
    sum[now ^ 1][t] = sum[now][t] + (t >= step ? sum[now][t - step] : 0);
    __syncthreads();
  }
  if (i < n) out[i] = sum[now][t] - own;
  if (t == MR_THREADS - 1) totals[blockIdx.x] = sum[now][t];
}

extern "C" __global__ void __launch_bounds__(MR_THREADS) mr_add(unsigned n, unsigned *out, const unsigned *before) {
  unsigned i = mr_self();
  if (i < n) out[i] += before[blockIdx.x];
}

// A step of the sort: n is a power of two, and places behind the records have rows without one, which come last.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  mr_order(unsigned n, unsigned run, unsigned step, const char *keys, uint4 *directory) {
  unsigned i = mr_self(), other = i ^ step;
  if (i >= n || other < i) return;
  uint4 a = directory[i], b = directory[other];
  int order = a.x == MR_NONE ? 1 : b.x == MR_NONE ? -1 : mr_compare(keys, a, b);
  if (i & run ? order >= 0 : order <= 0) return;
  directory[i] = b;
  directory[other] = a;
}

// Keys and values into the order of the directory, which then says so; all keys have one size, and all values.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  mr_move(unsigned n, const char *keys, const char *values, uint4 *directory, char *to_keys, char *to_values) {
  unsigned i = mr_self();
  if (i >= n) return;
  uint4 row = directory[i];
  mr_copy(to_keys + i * row.y, keys + row.x, row.y);
  mr_copy(to_values + i * row.w, values + row.z, row.w);
  row.x = i * row.y;
  row.z = i * row.w;
  directory[i] = row;
}

// Whether a record has another key than the one before it.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  mr_first(unsigned n, const char *keys, const uint4 *directory, unsigned *first) {
  unsigned i = mr_self();
  if (i < n) first[i] = i == 0 || mr_compare(keys, directory[i - 1], directory[i]) != 0;
}

// Where groups begin; `group`: groups before each record.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  mr_groups(unsigned n, const unsigned *first, const unsigned *group, unsigned *begins) {
  unsigned i = mr_self();
  if (i < n && first[i]) begins[group[i]] = i;
}

#endif
