/* SPDX-License-Identifier: Apache-2.0 */
/* Request matrices for allocators: phases of queue heads that request until they are granted, phases of random matrices
 * of several densities, and gaps. */
#ifndef TANDEM_ALLOC_REQUEST_DRIVE_H
#define TANDEM_ALLOC_REQUEST_DRIVE_H

#include "base/rng.h"

enum { REQUEST_HEADS, REQUEST_SPARSE, REQUEST_DENSE, REQUEST_ALL, REQUEST_GAP, REQUEST_STYLES };

struct request_drive {
  uint32_t left, style; /* cycles left in this phase */
  uint32_t free, adv;   /* percent of the cycles in which an output is free, in which adv is 1 */
  uint32_t req[8];
};

/* Draws the next matrix of `inputs` x `outputs` bits into d->req, the free outputs and adv. */
static inline void request_drive_next(struct request_drive *d, struct rng *rng, uint32_t inputs, uint32_t outputs,
                                      const uint32_t *granted, uint32_t words, uint32_t *out_free, uint8_t *adv) {
  static const uint8_t frees[] = {100, 100, 80, 50}, advs[] = {100, 100, 80};
  if (d->left == 0) {
    d->left = 1 + rng_below(rng, 50);
    d->style = rng_below(rng, REQUEST_STYLES);
    d->free = frees[rng_below(rng, sizeof frees)];
    d->adv = advs[rng_below(rng, sizeof advs)];
  }
  d->left--;
  uint32_t cells = inputs * outputs;
  uint64_t r = rng_u64(rng), x = r;
  for (uint32_t w = 0; w < words; w++) {
    uint32_t mask = w * 32 >= cells ? 0 : cells - w * 32 >= 32 ? UINT32_MAX : (UINT32_C(1) << (cells - w * 32)) - 1;
    if (w % 2 == 0) x = rng_u64(rng);
    uint32_t bits = (uint32_t)(x >> 32 * (w % 2));
    switch (d->style) {
      case REQUEST_HEADS: d->req[w] = (d->req[w] & ~granted[w]) | (bits & bits >> 7 & bits << 11); break;
      case REQUEST_SPARSE: d->req[w] = bits & bits >> 5; break;
      case REQUEST_DENSE: d->req[w] = bits; break;
      case REQUEST_ALL: d->req[w] = UINT32_MAX; break;
      default: d->req[w] = 0; break;
    }
    d->req[w] &= mask;
  }
  uint32_t all = UINT32_MAX >> (32 - outputs);
  *out_free = d->free == 100 ? all : (d->free > 60 ? (uint32_t)r | (uint32_t)(r >> 16) : (uint32_t)r) & all;
  *adv = (uint8_t)(d->adv == 100 || (r >> 48) % 100 < d->adv);
}

#endif
