/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

/* SplitMix64 spreads a small seed over the state; the state is never all zero. */
void rng_seed(struct rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    r->s[i] = z ^ (z >> 31);
  }
}
