/* SPDX-License-Identifier: Apache-2.0 */
/* Division by a number fixed at construction. For a power of two, the common case, a shift replaces the division. */
#ifndef TANDEM_BASE_DIVISOR_H
#define TANDEM_BASE_DIVISOR_H

#include <stdint.h>

struct divisor {
  uint64_t by;
  uint32_t shift; /* log2 of `by`, or NO_SHIFT */
};

enum { NO_SHIFT = 64 };

/* `by` >= 1. */
static inline struct divisor divisor_of(uint64_t by) {
  return (struct divisor){by, by & (by - 1) ? NO_SHIFT : (uint32_t)__builtin_ctzll(by)};
}

static inline uint64_t divided(uint64_t x, const struct divisor *d) {
  return d->shift == NO_SHIFT ? x / d->by : x >> d->shift;
}

static inline uint64_t remainder_of(uint64_t x, const struct divisor *d) {
  return d->shift == NO_SHIFT ? x % d->by : x & (d->by - 1);
}

#endif
