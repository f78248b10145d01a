/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: xoshiro256** (Blackman & Vigna 2018), integers only, so that every host draws the same. */
#ifndef TANDEM_BASE_RNG_H
#define TANDEM_BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
  uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);

static inline uint64_t rng_u64(struct rng *r) {
  uint64_t *s = r->s;
  uint64_t x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

static inline uint32_t rng_u32(struct rng *r) { return (uint32_t)(rng_u64(r) >> 32); }

/* Uniform in [0, n), n >= 1 (multiply-shift; the bias of n / 2^32 does not matter for stimuli). */
static inline uint32_t rng_below(struct rng *r, uint32_t n) { return (uint32_t)(((uint64_t)rng_u32(r) * n) >> 32); }

/* True `percent` times in a hundred. */
static inline bool rng_percent(struct rng *r, uint32_t percent) { return rng_below(r, 100) < percent; }

#endif
