/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of durations. Values below 32 have a bucket each; above, 16 buckets an octave, so that a bucket is at most a sixteenth of
 * its values wide. Each bucket keeps the exact sum of its values. */
#ifndef TANDEM_BASE_HISTOGRAM_H
#define TANDEM_BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_EXACT = 32, HISTOGRAM_OCTAVE = 16, HISTOGRAM_OCTAVES = 32 };
enum { HISTOGRAM_BUCKETS = HISTOGRAM_EXACT + HISTOGRAM_OCTAVE * HISTOGRAM_OCTAVES };

struct histogram {
  struct {
    uint64_t count, sum;
  } bucket[HISTOGRAM_BUCKETS];
};

/* The bucket of a value; the last one also has what is larger (2^37). */
static inline uint32_t histogram_bucket(uint64_t value) {
  if (value < HISTOGRAM_EXACT) return (uint32_t)value;
  uint32_t octave = 63U - (uint32_t)__builtin_clzll(value); /* 5 for 32..63 */
  if (octave >= HISTOGRAM_OCTAVES + 5) return HISTOGRAM_BUCKETS - 1;
  return HISTOGRAM_EXACT + (octave - 5) * HISTOGRAM_OCTAVE + (uint32_t)(value >> (octave - 4) & (HISTOGRAM_OCTAVE - 1));
}

static inline void histogram_add(struct histogram *h, uint64_t value) {
  uint32_t i = histogram_bucket(value);
  h->bucket[i].count++;
  h->bucket[i].sum += value;
}

/* The smallest value of a bucket. */
uint64_t histogram_from(uint32_t bucket);
/* sum += add */
void histogram_join(struct histogram *sum, const struct histogram *add);

#endif
