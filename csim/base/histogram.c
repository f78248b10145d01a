/* SPDX-License-Identifier: Apache-2.0 */
#include "base/histogram.h"

uint64_t histogram_from(uint32_t bucket) {
  if (bucket < HISTOGRAM_EXACT) return bucket;
  uint32_t octave = (bucket - HISTOGRAM_EXACT) / HISTOGRAM_OCTAVE + 5, part = bucket % HISTOGRAM_OCTAVE;
  return (uint64_t)(HISTOGRAM_OCTAVE + part) << (octave - 4);
}

void histogram_join(struct histogram *sum, const struct histogram *add) {
  for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
    sum->bucket[i].count += add->bucket[i].count;
    sum->bucket[i].sum += add->bucket[i].sum;
  }
}
