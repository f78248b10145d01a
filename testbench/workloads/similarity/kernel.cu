// SPDX-License-Identifier: Apache-2.0
// Similarity of each pair of documents, the cosine between their vectors, and the pairs in its order, by a MapReduce. SS of Mars
// (He 2008, Fang 2011), whose records and steps these are: a thread of the map reads both vectors of its pair.
#include "tandem_device.h"

#include "pairs.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ int mr_compare(const char *keys, uint4 a, uint4 b) {
  float x = *(const float *)(keys + a.x), y = *(const float *)(keys + b.x);
  return x > y ? -1 : x < y;
}

#include "../mapreduce.h"

static __device__ __forceinline__ float dot(float4 a, float4 b, float sum) {
  return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

// Key: the similarity; value: the two documents.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  similarity_of_pairs(unsigned n, const char *keys, const char *values, const uint4 *directory, const unsigned *key_at,
                      const unsigned *value_at, const unsigned *pair_at, char *to_keys, char *to_values,
                      uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= n) return;
  uint4 row = directory[i];
  const float *vectors = *(const float *const *)(keys + row.x);
  const document_pair *pair = (const document_pair *)(values + row.z);
  unsigned terms = pair->terms, one = pair->one, other = pair->other;
  const float4 *a = (const float4 *)(vectors + one * terms), *b = (const float4 *)(vectors + other * terms);
  float common = 0, of_a = 0, of_b = 0;
  for (unsigned t = 0; t < terms / 4; t++) {
    float4 x = a[t], y = b[t];
    common = dot(x, y, common);
    of_a = dot(x, x, of_a);
    of_b = dot(y, y, of_b);
  }
  float lengths = __fmul_rn(sqrtf(of_a), sqrtf(of_b));
  mr_put(to_keys + key_at[i], (unsigned)__float_as_int(lengths > 0 ? common / lengths : 0.f));
  mr_put(to_values + value_at[i], one);
  mr_put(to_values + value_at[i] + 4, other);
  to_directory[pair_at[i]] = {key_at[i], 4, value_at[i], 8};
}
