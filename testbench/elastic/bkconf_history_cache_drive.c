/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bkconf_history_cache: phases over few sets and few tags, so that sets fill up, evict and are looked up
 * for entries just written; lookups of the instruction updated in the same cycle or shortly before; flushes together
 * with every other operation; gaps with noise on the fields. */
#include "bkconf_history_cache_ports.h"
#include "block/block_drive.h"

enum { STYLE_MIXED, STYLE_STORM, STYLE_TIES, STYLE_ASK, STYLE_WIDE, STYLE_GAP, STYLES, RECENT = 4 };

struct rates {
  uint8_t lk, up, flush, again; /* chances out of 256; again: the instruction of a recent update */
};

struct bkconf_history_cache_drive_state {
  uint32_t left, style, sets, tags, base, at;
  uint16_t recent[RECENT];
};

static uint16_t instruction(const struct bkconf_history_cache_cfg *cfg, struct bkconf_history_cache_drive_state *s,
                            uint32_t random) {
  uint32_t shift = block_bits((uint32_t)cfg->SETS), all = (1U << cfg->PCW) - 1;
  if (s->style == STYLE_WIDE) return (uint16_t)(random & all);
  uint32_t set = s->base + (((random & 0xffff) * s->sets) >> 16), tag = ((random >> 16) * s->tags) >> 16;
  return (uint16_t)((tag << shift | (set & ((uint32_t)cfg->SETS - 1))) & all);
}

static void bkconf_history_cache_drive(const struct bkconf_history_cache_cfg *cfg, struct rng *rng,
                                       struct bkconf_history_cache_drive_state *s,
                                       const struct bkconf_history_cache_out *last,
                                       struct bkconf_history_cache_in *in) {
  static const struct rates rates[STYLES] = {
    [STYLE_MIXED] = {.lk = 128, .up = 100, .flush = 1, .again = 80},
    [STYLE_STORM] = {.lk = 255, .up = 255, .again = 60},
    [STYLE_TIES] = {.lk = 200, .up = 200, .flush = 8, .again = 200},
    [STYLE_ASK] = {.lk = 200, .up = 16, .again = 128},
    [STYLE_WIDE] = {.lk = 200, .up = 128, .again = 100},
    [STYLE_GAP] = {.again = 0},
  };
  (void)last;
  if (s->left == 0) {
    s->style = rng_below(rng, STYLES);
    s->left = 1 + rng_below(rng, s->style == STYLE_GAP ? 6 : 60);
    s->sets = 1 + rng_below(rng, 3);
    s->tags = 1 + rng_below(rng, (uint32_t)cfg->WAYS + 2);
    s->base = rng_below(rng, 8) ? s->base : rng_u32(rng);
  }
  s->left--;
  const struct rates *p = &rates[s->style];
  uint64_t go = rng_u64(rng), pcs = rng_u64(rng);
  in->lk_valid = (uint8_t)go < p->lk;
  in->up_valid = (uint8_t)(go >> 8) < p->up;
  in->flush = (uint8_t)(go >> 16) < p->flush;
  in->up_pc = instruction(cfg, s, (uint32_t)pcs);
  in->lk_pc = instruction(cfg, s, (uint32_t)(pcs >> 32));
  in->up_degree = (uint8_t)(go >> 24 & ((1U << cfg->DW) - 1));
  if (in->up_valid) s->recent[s->at++ % RECENT] = in->up_pc;
  if ((uint8_t)(go >> 32) < p->again) in->lk_pc = s->recent[go >> 40 & (RECENT - 1)];
}

BLOCK_DRIVER(bkconf_history_cache);
