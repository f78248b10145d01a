/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of xmem_alb: phases over few sets and few tags, so that sets fill up, evict and are looked up for pages just
 * mapped; a memory that answers at once, late, out of order or not at all for a while; updates of pages that are
 * requested, outstanding or being filled; flushes together with every other operation; gaps with noise on the fields.
 * Sometimes updates are too close to each other, or fills come without a request. */
#include "block/block_drive.h"
#include "xmem_alb_ports.h"

enum {
  STYLE_MIXED,
  STYLE_HITS,
  STYLE_MISSES,
  STYLE_MERGES,
  STYLE_MAPS,
  STYLE_HOLD,
  STYLE_SWITCH,
  STYLE_WIDE,
  STYLE_GAP,
  STYLES
};
enum { RECENT = 4 };

struct rates {
  uint8_t lk, up, flush, ready, fill, again,
    stray; /* chances out of 256; again: an update of a page looked up recently */
};

struct xmem_alb_drive_state {
  uint32_t left, style, sets, tags, base, at;
  uint32_t recent[RECENT];
  uint8_t asked; /* one bit per request: taken but not answered */
  bool ready, filling, mapped;
  uint8_t id;
};

static uint32_t page(const struct xmem_alb_cfg *cfg, const struct xmem_alb_drive_state *s, uint32_t random) {
  uint32_t shift = block_clog2((uint32_t)cfg->SETS), all = (uint32_t)((UINT64_C(1) << cfg->PPN_W) - 1);
  if (s->style == STYLE_WIDE) return random & all;
  uint32_t set = s->base + (((random & 0xffff) * s->sets) >> 16), tag = ((random >> 16) * s->tags) >> 16;
  return (tag << shift | (set & ((uint32_t)cfg->SETS - 1))) & all;
}

static void begin_phase(const struct xmem_alb_cfg *cfg, struct rng *rng, struct xmem_alb_drive_state *s) {
  uint32_t ways = (uint32_t)cfg->WAYS;
  s->style = rng_below(rng, STYLES);
  s->left = 1 + rng_below(rng, s->style == STYLE_GAP ? 12 : 90);
  s->sets = s->style == STYLE_MERGES ? 1 : 1 + rng_below(rng, 4);
  s->tags = s->style == STYLE_MERGES ? 2
            : s->style == STYLE_HITS ? 1 + rng_below(rng, ways)
                                     : 1 + rng_below(rng, ways + 3);
  s->base = rng_below(rng, 6) ? s->base : rng_u32(rng);
}

/* Updates the memory's view with the previous cycle. */
static void follow(const struct xmem_alb_cfg *cfg, struct xmem_alb_drive_state *s, const struct xmem_alb_out *last) {
  if (s->filling && last->fl_ready) s->asked &= (uint8_t) ~(1U << s->id), s->filling = false;
  if (s->ready && last->ms_valid && last->ms_id < (uint32_t)cfg->NMISS) s->asked |= (uint8_t)(1U << last->ms_id);
}

static void answer(const struct xmem_alb_cfg *cfg, struct xmem_alb_drive_state *s, uint64_t random, uint8_t chance,
                   bool stray, struct xmem_alb_in *in) {
  if (!s->filling && s->asked && (uint8_t)random < chance) {
    uint32_t from = (uint32_t)(random >> 8) % (uint32_t)cfg->NMISS, turned = (uint32_t)s->asked >> from;
    s->id = (uint8_t)(turned ? from + (uint32_t)__builtin_ctz(turned) : (uint32_t)__builtin_ctz(s->asked));
    s->filling = true;
  }
  in->fl_valid = s->filling;
  in->fl_id = s->id;
  if (!s->filling) {
    in->fl_id = (uint8_t)(random >> 16) & (uint8_t)((1U << block_bits((uint32_t)cfg->NMISS)) - 1);
    in->fl_valid = stray;
  }
}

static void xmem_alb_drive(const struct xmem_alb_cfg *cfg, struct rng *rng, struct xmem_alb_drive_state *s,
                           const struct xmem_alb_out *last, struct xmem_alb_in *in) {
  static const struct rates rates[STYLES] = {
    [STYLE_MIXED] = {.lk = 150, .up = 40, .flush = 1, .ready = 128, .fill = 80, .again = 80, .stray = 2},
    [STYLE_HITS] = {.lk = 255, .up = 4, .ready = 255, .fill = 255, .again = 128},
    [STYLE_MISSES] = {.lk = 240, .up = 20, .ready = 200, .fill = 40, .again = 200},
    [STYLE_MERGES] = {.lk = 230, .up = 60, .flush = 2, .ready = 60, .fill = 30, .again = 250},
    [STYLE_MAPS] = {.lk = 128, .up = 200, .flush = 2, .ready = 128, .fill = 128, .again = 200, .stray = 4},
    [STYLE_HOLD] = {.lk = 200, .up = 30, .flush = 1, .again = 200},
    [STYLE_SWITCH] = {.lk = 200, .up = 60, .flush = 24, .ready = 200, .fill = 100, .again = 200},
    [STYLE_WIDE] = {.lk = 200, .up = 60, .ready = 200, .fill = 100, .again = 128},
    [STYLE_GAP] = {.fill = 160, .ready = 128},
  };
  follow(cfg, s, last);
  if (s->left == 0) begin_phase(cfg, rng, s);
  s->left--;
  const struct rates *p = &rates[s->style];
  uint64_t go = rng_u64(rng), pages = rng_u64(rng), more = rng_u64(rng);
  in->lk_valid = (uint8_t)go < p->lk;
  in->up_valid = (uint8_t)(go >> 8) < p->up && (!s->mapped || (go >> 58) == 0);
  in->flush = (uint8_t)(go >> 16) < p->flush;
  in->ms_ready = (uint8_t)(go >> 24) < p->ready;
  in->lk_ppn = page(cfg, s, (uint32_t)pages);
  in->up_ppn =
    (uint8_t)(go >> 32) < p->again ? s->recent[go >> 56 & (RECENT - 1)] : page(cfg, s, (uint32_t)(pages >> 32));
  in->lk_sub = (uint8_t)(more & ((uint32_t)cfg->UNITS - 1));
  in->lk_tag = (uint16_t)(more >> 3 & ((1U << cfg->TAGW) - 1));
  in->up_mask = (uint8_t)(more >> 16 & ((1U << cfg->UNITS) - 1));
  in->up_aid = (uint8_t)(more >> 24 & ((1U << cfg->IDW) - 1));
  uint32_t bits = (uint32_t)(cfg->UNITS * cfg->IDW);
  in->fl_data = (pages * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits);
  answer(cfg, s, more >> 32, p->fill, (uint8_t)(go >> 40) < p->stray, in);
  if (in->lk_valid) s->recent[s->at++ % RECENT] = in->lk_ppn;
  s->ready = in->ms_ready;
  s->mapped = in->up_valid;
}

BLOCK_DRIVER(xmem_alb);
