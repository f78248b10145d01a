/* SPDX-License-Identifier: Apache-2.0 */
/* Bank-conflict history cache (Gou & Gaydadjiev 2011, section 4.2): one lookup and one update per cycle, answered and
 * written in the next cycle. The effects have this order: use bits of the lookup, update, answer; so a lookup sees the
 * update of its own cycle. Way 0 of a set is filled first: its valid bit says whether the set holds any entry. */
#include "bkconf_history_cache_ports.h"
#include "block/block.h"

enum { SETS_MAX = 1024, WAYS_MAX = 4 };

struct bkconf_history_cache_state {
  uint64_t rows[SETS_MAX]; /* entry w of a set at bit w * (tag + degree): {tag, degree} */
  uint8_t lru[SETS_MAX];   /* two ways: the older one; four: {half 1's older, half 0's older, older half} */
  uint32_t valid[SETS_MAX * WAYS_MAX / 32]; /* bit way * SETS + set */
  uint64_t lk_row, up_row;                  /* sets of the pending lookup and update, before both take effect */
  uint16_t lk_pc, up_pc;
  uint8_t up_degree, lk_val, up_val; /* _val: ways of the row that hold an entry */
  uint8_t lk, up;                    /* a lookup, an update is pending */
};

/* The pending operations, decoded once for outputs and tick. */
struct step {
  uint32_t lk_set, up_set, lk_same, up_same, way; /* ways are one-hot */
  uint32_t lru, lk_uses;                          /* use bits of the update's set, after the lookup's use */
  bool same_set, full, own, hit;
};

static void bkconf_history_cache_reset(const struct bkconf_history_cache_cfg *cfg,
                                       struct bkconf_history_cache_state *s) {
  (void)cfg;
  __builtin_memset(s->valid, 0, sizeof s->valid);
  s->lk = s->up = s->lk_val = s->up_val = 0;
}

static inline uint32_t tag_bits(const struct bkconf_history_cache_cfg *cfg) {
  return (uint32_t)cfg->PCW - block_bits((uint32_t)cfg->SETS);
}

/* Ways of a row, among `valid`, whose tag is `tag`. */
static inline uint32_t same_ways(const struct bkconf_history_cache_cfg *cfg, uint64_t row, uint32_t valid,
                                 uint32_t tag) {
  uint32_t entry = tag_bits(cfg) + (uint32_t)cfg->DW, found = 0;
  uint64_t mask = (UINT64_C(1) << tag_bits(cfg)) - 1;
  row >>= cfg->DW;
  for (uint32_t w = 0; w < (uint32_t)cfg->WAYS; w++, row = row >> (entry & 63))
    found |= (uint32_t)((row & mask) == tag) << w;
  return found & valid;
}

/* Use bits after a use of `way`. */
static inline uint32_t used(uint32_t ways, uint32_t lru, uint32_t way) {
  if (ways == 2) return way & 1;
  if (way & 3) return (lru & 4) | (way & 1) << 1 | 1;
  return (way >> 2 & 1) << 2 | (lru & 2);
}

static inline uint32_t oldest(uint32_t ways, uint32_t lru) {
  if (ways == 1) return 1;
  if (ways == 2) return 1U << (lru & 1);
  return lru & 1 ? 4U << (lru >> 2 & 1) : 1U << (lru >> 1 & 1);
}

static inline struct step work_out(const struct bkconf_history_cache_cfg *cfg,
                                   const struct bkconf_history_cache_state *s) {
  uint32_t sets = (uint32_t)cfg->SETS, ways = (uint32_t)cfg->WAYS, shift = block_bits(sets);
  struct step t = {.lk_set = s->lk_pc & (sets - 1), .up_set = s->up_pc & (sets - 1)};
  uint32_t lk_tag = s->lk_pc >> shift, up_tag = s->up_pc >> shift, all = (1U << ways) - 1;
  if (s->lk) t.lk_same = same_ways(cfg, s->lk_row, s->lk_val, lk_tag);
  t.hit = t.lk_same != 0;
  if (!s->up) return t;
  t.same_set = s->lk && t.lk_set == t.up_set;
  t.up_same = same_ways(cfg, s->up_row, s->up_val, up_tag);
  t.full = s->up_val == all;
  t.lru = s->up_val ? s->lru[t.up_set] : 0;
  if (t.same_set && t.lk_same) t.lru = used(ways, t.lru, t.lk_same);
  t.way = t.up_same ? t.up_same : t.full ? oldest(ways, t.lru) : ~(uint32_t)s->up_val & (s->up_val + 1U);
  t.own = t.same_set && lk_tag == up_tag;
  if (t.same_set) t.hit = t.own || t.lk_same & ~t.way;
  return t;
}

static void bkconf_history_cache_eval(const struct bkconf_history_cache_cfg *cfg,
                                      const struct bkconf_history_cache_state *s,
                                      const struct bkconf_history_cache_in *in, struct bkconf_history_cache_out *out) {
  __builtin_memset(out, 0, sizeof *out);
  if (!(s->lk | s->up)) return;
  struct step t = work_out(cfg, s);
  bool hit = t.hit && !in->flush, write = s->up && !in->flush;
  uint32_t entry = tag_bits(cfg) + (uint32_t)cfg->DW;
  out->busy = 1;
  out->rs_valid = s->lk;
  out->lk_hit = hit;
  if (hit && t.own) out->lk_degree = s->up_degree;
  else if (hit)
    out->lk_degree = (uint8_t)(s->lk_row >> ((uint32_t)__builtin_ctz(t.lk_same) * entry & 63) & ((1U << cfg->DW) - 1));
  out->ev_hit = hit;
  out->ev_miss = s->lk && !hit;
  out->ev_alloc = write && !t.up_same;
  out->ev_evict = out->ev_alloc && t.full;
}

/* The write of the pending update. */
static void write_set(const struct bkconf_history_cache_cfg *cfg, struct bkconf_history_cache_state *s,
                      const struct step *t) {
  uint32_t sets = (uint32_t)cfg->SETS, entry = tag_bits(cfg) + (uint32_t)cfg->DW;
  uint32_t w = (uint32_t)__builtin_ctz(t->way), bit = w * sets + t->up_set;
  uint64_t mask = (entry == 64 ? UINT64_MAX : (UINT64_C(1) << entry) - 1) << (w * entry);
  uint64_t text = (uint64_t)(s->up_pc >> block_bits(sets)) << cfg->DW | s->up_degree;
  s->rows[t->up_set] = ((s->up_val ? s->up_row : 0) & ~mask) | text << (w * entry);
  s->valid[bit / 32] |= 1U << (bit % 32);
  if (cfg->WAYS > 1) s->lru[t->up_set] = (uint8_t)used((uint32_t)cfg->WAYS, t->lru, t->way);
}

static uint8_t valid_ways(const struct bkconf_history_cache_cfg *cfg, const struct bkconf_history_cache_state *s,
                          uint32_t set) {
  uint32_t found = 0;
  for (uint32_t w = 0, bit = set; w < (uint32_t)cfg->WAYS; w++, bit += (uint32_t)cfg->SETS)
    found |= (s->valid[bit / 32] >> (bit % 32) & 1) << w;
  return (uint8_t)found;
}

static void bkconf_history_cache_tick(const struct bkconf_history_cache_cfg *cfg, struct bkconf_history_cache_state *s,
                                      const struct bkconf_history_cache_in *in,
                                      const struct bkconf_history_cache_out *out) {
  (void)out;
  uint32_t sets = (uint32_t)cfg->SETS;
  if ((s->lk | s->up) && !in->flush) {
    struct step t = work_out(cfg, s);
    if (t.lk_same && cfg->WAYS > 1) {
      uint8_t *lru = &s->lru[t.lk_set];
      *lru = (uint8_t)used((uint32_t)cfg->WAYS, *lru, t.lk_same);
    }
    if (s->up) write_set(cfg, s, &t);
  }
  if (in->flush) __builtin_memset(s->valid, 0, sizeof s->valid);
  if (in->lk_valid) {
    uint32_t set = in->lk_pc & (sets - 1);
    s->lk_pc = in->lk_pc;
    s->lk_row = s->rows[set];
    s->lk_val = in->flush ? 0 : valid_ways(cfg, s, set);
  }
  if (in->up_valid) {
    uint32_t set = in->up_pc & (sets - 1);
    s->up_pc = in->up_pc;
    s->up_degree = in->up_degree;
    s->up_row = s->rows[set];
    s->up_val = valid_ways(cfg, s, set);
  }
  s->lk = in->lk_valid;
  s->up = in->up_valid && !in->flush;
}

#include "bkconf_history_cache_model.inc"
