/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM requests for schedulers: phases of streams with row locality, of requests to one bank, of noise, and gaps;
 * timing that allows all, some or no commands; arrivals at full queues. */
#ifndef TANDEM_MEMCTL_REQUEST_STREAM_H
#define TANDEM_MEMCTL_REQUEST_STREAM_H

#include "base/rng.h"
#include "block/block.h"
#include "block/block_drive.h"

enum { STREAM_LOCAL, STREAM_BANK, STREAM_NOISE, STREAM_GAP, STREAM_STYLES };

struct request_stream {
  uint32_t left, style, rate; /* cycles left in this phase; arrivals per 256 cycles */
  uint32_t bank, tag;
  uint32_t allow; /* how much the timing allows: 0 all, 1 half, 2 an eighth, 3 columns only, 4 nothing */
};

struct arrival {
  uint8_t valid, bank;
  uint16_t row, tag, act, pre, col;
};

/* Requests use every bank number that the port can carry, also missing banks. Without a request the bank is one of
 * `banks`, because an idle scheduler has room in each of them. */
static inline struct arrival request_stream_next(struct request_stream *s, struct rng *rng, uint32_t banks,
                                                 uint32_t row_mask, uint32_t tag_mask) {
  static const uint8_t rates[] = {255, 160, 64, 255};
  uint32_t bank_values = 1U << block_bits(banks);
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
  if (!a.valid) a.bank = (uint8_t)(a.bank % banks);
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

/* The driver of a scheduler with the ports that bfifo_sched and frfcfs_sched share. */
#define REQUEST_STREAM_DRIVER(block)                                                                                 \
  struct block##_drive_state {                                                                                       \
    struct request_stream s;                                                                                         \
  };                                                                                                                 \
  static void block##_drive(const struct block##_cfg *cfg, struct rng *rng, struct block##_drive_state *s,           \
                            const struct block##_out *last, struct block##_in *in) {                                 \
    (void)last;                                                                                                      \
    uint32_t banks = (1U << cfg->NB) - 1;                                                                            \
    struct arrival a = request_stream_next(&s->s, rng, (uint32_t)cfg->NB, (1U << cfg->RW) - 1, (1U << cfg->TW) - 1); \
    in->enq_valid = a.valid;                                                                                         \
    in->enq_bank = a.bank;                                                                                           \
    in->enq_row = a.row;                                                                                             \
    in->enq_tag = a.tag;                                                                                             \
    in->bank_can_act = (uint16_t)(a.act & banks);                                                                    \
    in->bank_can_pre = (uint16_t)(a.pre & banks);                                                                    \
    in->bank_can_col = (uint16_t)(a.col & banks);                                                                    \
  }                                                                                                                  \
  BLOCK_DRIVER(block)

#endif
