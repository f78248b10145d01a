/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM requests for schedulers: phases of streams with row locality, of one bank, of noise, and gaps; timing that allows
 * much, little or nothing; arrivals at full queues. */
#ifndef TANDEM_MEMCTL_REQUEST_STREAM_H
#define TANDEM_MEMCTL_REQUEST_STREAM_H

#include "base/rng.h"

enum { STREAM_LOCAL, STREAM_BANK, STREAM_NOISE, STREAM_GAP, STREAM_STYLES };

struct request_stream {
  uint32_t left, style, rate; /* cycles left; arrivals of 256 cycles */
  uint32_t bank, tag;
  uint32_t allow; /* how much the timing allows: 0 all, 1 half, 2 an eighth, 3 columns only, 4 nothing */
};

struct arrival {
  uint8_t valid, bank;
  uint16_t row, tag, act, pre, col;
};

static inline struct arrival request_stream_next(struct request_stream *s, struct rng *rng, uint32_t bank_values,
                                                 uint32_t row_mask, uint32_t tag_mask) {
  static const uint8_t rates[] = {255, 160, 64, 255};
  if (s->left == 0) {
    uint64_t r = rng_u64(rng);
    s->left = 1 + (uint32_t)(r & 63);
    s->style = (uint32_t)(r >> 8 & 0xff) % STREAM_STYLES;
    s->rate = rates[r >> 16 & 3];
    s->allow = (uint32_t)(r >> 24 & 0xff) % 5;
    s->bank = (uint32_t)(r >> 32 & 0xff) % bank_values;
  }
  s->left--;
  uint64_t r = rng_u64(rng);
  struct arrival a = {.valid = s->style != STREAM_GAP && (r & 0xff) <= s->rate, .tag = (uint16_t)(s->tag & tag_mask)};
  a.bank = (uint8_t)(s->style == STREAM_BANK ? s->bank : (r >> 8 & 0xff) % bank_values);
  a.row = (uint16_t)((s->style == STREAM_NOISE ? r >> 16 : r >> 16 & 3) & row_mask);
  s->tag += a.valid;
  uint16_t x = (uint16_t)(r >> 32), y = (uint16_t)(r >> 48);
  if (s->allow == 0) a.act = a.pre = a.col = 0xffff;
  else if (s->allow == 1) a.act = x, a.pre = y, a.col = x ^ y;
  else if (s->allow == 2)
    a.act = x & y & (uint16_t)(x >> 3), a.pre = a.act ^ (x & y), a.col = x & (uint16_t)~y & (uint16_t)(y >> 5);
  else if (s->allow == 3) a.col = 0xffff;
  return a;
}

#endif
