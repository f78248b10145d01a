// SPDX-License-Identifier: Apache-2.0
// Pages in the order of their views, the most viewed first. PVR of Mars (He 2008, Fang 2011): a map copies count and place of each
// page, and the sort does the rest; no text is read.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ int mr_compare(const char *keys, uint4 a, uint4 b) {
  unsigned x = *(const unsigned *)(keys + a.x), y = *(const unsigned *)(keys + b.x);
  return x > y ? -1 : x < y;
}

#include "../mapreduce.h"

// Key: views; value: where the URL begins.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  ranks_of_pages(unsigned n, const char *keys, const char *values, const uint4 *directory, const unsigned *key_at,
                 const unsigned *value_at, const unsigned *pair_at, char *to_keys, char *to_values,
                 uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= n) return;
  uint4 row = directory[i];
  mr_put(to_keys + key_at[i], *(const unsigned *)(keys + row.x));
  mr_put(to_values + value_at[i], *(const unsigned *)(values + row.z));
  to_directory[pair_at[i]] = {key_at[i], 4, value_at[i], 4};
}
