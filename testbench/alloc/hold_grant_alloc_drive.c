/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of hold_grant_alloc: queue heads that request until they are granted, streams to one output so that holds
 * form, packets that keep outputs busy, random matrices of several densities, rows that mostly stay the same, banks and
 * controllers beyond the parameters, cycles without adv, and gaps with noise on the other fields. */
#include "block/block_drive.h"
#include "hold_grant_alloc_ports.h"

enum { STYLE_HEADS, STYLE_STREAMS, STYLE_SPARSE, STYLE_DENSE, STYLE_ALL, STYLE_GAP, STYLES };

struct hold_grant_alloc_drive_state {
  uint32_t left, style; /* cycles left in this phase */
  uint32_t free, adv;   /* percent of the cycles in which an output is free, in which adv is 1 */
  uint32_t row_change;  /* chance out of 256 that the rows change */
  uint32_t req[8], row[12];
};

static void new_phase(struct rng *rng, struct hold_grant_alloc_drive_state *s) {
  static const uint8_t frees[] = {100, 100, 90, 60, 30}, advs[] = {100, 100, 80}, changes[] = {0, 8, 64, 255};
  s->left = 1 + rng_below(rng, 60);
  s->style = rng_below(rng, STYLES);
  s->free = frees[rng_below(rng, sizeof frees)];
  s->adv = advs[rng_below(rng, sizeof advs)];
  s->row_change = changes[rng_below(rng, sizeof changes)];
}

static void noise(struct rng *rng, uint32_t *words, uint32_t bits, uint32_t thin) {
  for (uint32_t at = 0; at < bits; at += 64) {
    uint64_t x = rng_u64(rng);
    for (uint32_t k = 0; k < thin; k++) x &= rng_u64(rng);
    words[at / 32] = (uint32_t)x;
    if (at + 32 < bits) words[at / 32 + 1] = (uint32_t)(x >> 32);
  }
  if (bits % 32) words[bits / 32] &= (1U << bits % 32) - 1;
}

/* One request per input, kept until granted; in streams mostly for the same output again. */
static void heads(const struct hold_grant_alloc_cfg *cfg, struct rng *rng, struct hold_grant_alloc_drive_state *s,
                  const struct hold_grant_alloc_out *last, bool stream) {
  uint64_t r = rng_u64(rng);
  for (uint32_t k = 0; k < 3; k++, r >>= 20) {
    uint32_t i = (uint32_t)(r & 0xff) % (uint32_t)cfg->I, o = (uint32_t)(r >> 8 & 0xff) % (uint32_t)cfg->O;
    if (stream) o = (o & 1) + i % (uint32_t)cfg->O;
    uint32_t at = i * (uint32_t)cfg->O + o % (uint32_t)cfg->O;
    s->req[at / 32] |= 1U << at % 32;
  }
  if (!stream || (r & 7) == 0)
    for (uint32_t w = 0; w < 8; w++) s->req[w] &= ~last->grant[w];
}

static void hold_grant_alloc_drive(const struct hold_grant_alloc_cfg *cfg, struct rng *rng,
                                   struct hold_grant_alloc_drive_state *s, const struct hold_grant_alloc_out *last,
                                   struct hold_grant_alloc_in *in) {
  uint32_t cells = (uint32_t)cfg->I * (uint32_t)cfg->O;
  if (s->left == 0) new_phase(rng, s);
  s->left--;
  uint64_t r = rng_u64(rng);
  switch (s->style) {
    case STYLE_HEADS: heads(cfg, rng, s, last, false); break;
    case STYLE_STREAMS: heads(cfg, rng, s, last, true); break;
    case STYLE_SPARSE: noise(rng, s->req, cells, 2); break;
    case STYLE_DENSE: noise(rng, s->req, cells, 0); break;
    case STYLE_ALL:
      for (uint32_t w = 0; w * 32 < cells; w++) s->req[w] = w * 32 + 32 <= cells ? UINT32_MAX : (1U << cells % 32) - 1;
      break;
    default: __builtin_memset(s->req, 0, sizeof s->req); break;
  }
  if ((r & 0xff) <= s->row_change) noise(rng, s->row, 12 * (uint32_t)cfg->I, 0);
  __builtin_memcpy(in->req, s->req, sizeof in->req);
  __builtin_memcpy(in->row, s->row, sizeof in->row);
  noise(rng, in->bank, (uint32_t)cfg->I * block_bits((uint32_t)cfg->NB), s->row_change < 64 ? 2 : 0);
  noise(rng, in->mc, (uint32_t)cfg->I * 3, s->row_change < 64 ? 2 : 0);
  uint32_t all = cfg->O == 32 ? UINT32_MAX : (1U << cfg->O) - 1;
  if (s->free == 100) in->out_free = all;
  else in->out_free = (s->free > 50 ? (uint32_t)(r >> 8) | (uint32_t)(r >> 16) : (uint32_t)(r >> 8)) & all;
  in->adv = (uint8_t)(s->adv == 100 || (r >> 56) % 100 < s->adv);
}

BLOCK_DRIVER(hold_grant_alloc);
