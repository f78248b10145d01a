// SPDX-License-Identifier: Apache-2.0
// A product of matrices by a map without a reduction. MM of Mars (He 2008, Fang 2011), whose records and steps these are: a thread
// multiplies a row by a column, four elements at a time, and writes the element and its place as a record.
#include "tandem_device.h"

#include "elements.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ int mr_compare(const char *, uint4 a, uint4 b) { return a.x < b.x ? -1 : a.x > b.x; }

#include "../mapreduce.h"

// Key: the element; value: its row and column.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  elements_of_product(unsigned n, const char *keys, const char *values, const uint4 *directory, const unsigned *key_at,
                      const unsigned *value_at, const unsigned *pair_at, char *to_keys, char *to_values,
                      uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= n) return;
  uint4 at = directory[i];
  const factors *key = (const factors *)(keys + at.x);
  const element *value = (const element *)(values + at.z);
  unsigned row = value->row, column = value->column, columns = value->columns;
  const float4 *a = (const float4 *)((const float *)key->left + row * columns);
  const float4 *b = (const float4 *)((const float *)key->right + column * columns);
  float sum = 0;
  for (unsigned k = 0; k < columns / 4; k++) {
    float4 x = a[k], y = b[k];
    sum = fmaf(x.x, y.x, sum);
    sum = fmaf(x.y, y.y, sum);
    sum = fmaf(x.z, y.z, sum);
    sum = fmaf(x.w, y.w, sum);
  }
  mr_put(to_keys + key_at[i], (unsigned)__float_as_int(sum));
  mr_put(to_values + value_at[i], row);
  mr_put(to_values + value_at[i] + 4, column);
  to_directory[pair_at[i]] = {key_at[i], 4, value_at[i], 8};
}
