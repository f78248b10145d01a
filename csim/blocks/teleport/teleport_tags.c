/* SPDX-License-Identifier: Apache-2.0 */
/* The tag array of an SM's data buffer (Lashgar et al. 2018, section 3; assumption: ports, cycle behaviour, limit and
 * invalidation). The header of rtl/teleport/teleport_tags.v states the contract of the ports. Ranks and the lowest bits of tags are
 * kept as planes, a word with a bit for every way of a half of a set, so that all ways are compared and counted at once. */
#include "block/block.h"
#include "teleport_tags_ports.h"

enum { SETS_MAX = 4, WAYS_MAX = 128, HALT = 8, RANK_BITS = 7, LINE_BITS = 57, FILL = 1, INVALIDATE = 2, PROBE = 3 };

struct teleport_tags_state {
  uint64_t tags[SETS_MAX * WAYS_MAX];      /* row set * WAYS + way: the upper bits of a tag */
  uint64_t halt[SETS_MAX * HALT * 2];      /* row (set * HALT + bit) * 2 + half: a lower bit of the tags */
  uint64_t rank[SETS_MAX * RANK_BITS * 2]; /* row (set * bits + bit) * 2 + half: a bit of the ranks */
  uint64_t valid[SETS_MAX * 2];            /* row set * 2 + half */
  uint64_t line;                           /* of the operation at T1 */
  uint8_t op, limit;
};

static inline uint32_t half_of(const struct teleport_tags_cfg *cfg) { return (uint32_t)cfg->WAYS / 2; }
static inline uint32_t rank_bits(const struct teleport_tags_cfg *cfg) { return block_bits((uint32_t)cfg->WAYS); }
static inline uint32_t set_of(const struct teleport_tags_cfg *cfg, uint64_t line) {
  return (uint32_t)line & ((uint32_t)cfg->SETS - 1);
}
static inline uint64_t tag_of(const struct teleport_tags_cfg *cfg, uint64_t line) {
  return line >> block_clog2((uint32_t)cfg->SETS);
}

/* The ways below the limit in half h. */
static inline uint64_t usable(const struct teleport_tags_cfg *cfg, uint32_t limit, int h) {
  uint32_t half = half_of(cfg), n = h ? limit > half ? limit - half : 0 : limit < half ? limit : half;
  return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* The way of the first 1 in two words of which one has a 1. */
static inline int way_in(const struct teleport_tags_cfg *cfg, uint64_t low, uint64_t high) {
  return low ? __builtin_ctzll(low) : (int)half_of(cfg) + __builtin_ctzll(high);
}

static void teleport_tags_reset(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s) {
  uint32_t half = half_of(cfg), bits = rank_bits(cfg);
  for (uint32_t i = 0; i < SETS_MAX * 2; i++) s->valid[i] = 0;
  for (uint32_t row = 0; row < (uint32_t)cfg->SETS * HALT * 2; row++) s->halt[row] = 0;
  for (uint32_t row = 0; row < (uint32_t)cfg->SETS * bits * 2; row++) {
    s->rank[row] = 0;
    for (uint32_t k = 0; k < half; k++) s->rank[row] |= (uint64_t)((k + row % 2 * half) >> row / 2 % bits & 1) << k;
  }
  s->line = 0;
  s->op = 0;
  s->limit = (uint8_t)cfg->WAYS;
}

/* The way that holds the line of T1, or -1. */
static inline int hit_way(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s) {
  uint32_t set = set_of(cfg, s->line);
  uint64_t tag = tag_of(cfg, s->line), upper = tag >> HALT, agree[2];
  const uint64_t *halt = &s->halt[(size_t)set * HALT * 2], *tags = &s->tags[(size_t)set * (uint32_t)cfg->WAYS];
  for (int h = 0; h < 2; h++) agree[h] = s->valid[set * 2 + (uint32_t)h];
  for (int b = 0; b < HALT; b++)
    for (int h = 0; h < 2; h++) agree[h] &= ~(halt[b * 2 + h] ^ (0 - (tag >> b & 1)));
  for (int h = 0; h < 2; h++)
    for (uint64_t left = agree[h]; left; left &= left - 1) {
      uint32_t way = (uint32_t)h * half_of(cfg) + (uint32_t)__builtin_ctzll(left);
      if (tags[way] == upper) return (int)way;
    }
  return -1;
}

/* The way of the set below the limit that was used the longest time ago. */
static inline int oldest_way(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s) {
  uint32_t bits = rank_bits(cfg);
  const uint64_t *rank = &s->rank[set_of(cfg, s->line) * bits * 2];
  uint64_t low = usable(cfg, s->limit, 0), high = usable(cfg, s->limit, 1);
  for (uint32_t b = bits; b-- > 0;) {
    uint64_t with_low = low & rank[b * 2], with_high = high & rank[b * 2 + 1];
    if (with_low | with_high) low = with_low, high = with_high;
  }
  return way_in(cfg, low, high | 1ULL << 63);
}

/* Line of the way in the set of T1. */
static uint64_t line_in(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s, uint32_t way) {
  uint32_t sets = (uint32_t)cfg->SETS, set = set_of(cfg, s->line), half = half_of(cfg), h = way >= half;
  const uint64_t *halt = &s->halt[(size_t)set * HALT * 2 + h];
  uint64_t tag = s->tags[set * (uint32_t)cfg->WAYS + way] << HALT;
  for (int b = 0; b < HALT; b++) tag |= (halt[b * 2] >> (way - h * half) & 1) << b;
  return (tag << block_clog2(sets) | set) & ((UINT64_C(1) << LINE_BITS) - 1);
}

static void teleport_tags_eval(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s,
                               const struct teleport_tags_in *in, struct teleport_tags_out *out) {
  int way = s->op ? hit_way(cfg, s) : -1;
  out->inval_ready = !in->fill_valid;
  out->probe_ready = !in->fill_valid && !in->inval_valid;
  out->answer = s->op;
  out->busy = s->op != 0;
  out->hit = way >= 0;
  out->placed = s->op == FILL && way < 0 && s->limit != 0;
  out->evict_valid = 0;
  out->evict_line = 0;
  if (out->placed) {
    const uint64_t *valid = &s->valid[(size_t)set_of(cfg, s->line) * 2];
    uint64_t low = usable(cfg, s->limit, 0) & ~valid[0], high = usable(cfg, s->limit, 1) & ~valid[1];
    out->evict_valid = !(low | high);
    way = out->evict_valid ? oldest_way(cfg, s) : way_in(cfg, low, high);
    if (out->evict_valid) out->evict_line = line_in(cfg, s, (uint32_t)way);
  }
  out->way = way < 0 ? 0 : (uint8_t)way;
}

/* The way becomes the one used last: those used after it count up. */
static inline void touch(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s, uint32_t way) {
  uint32_t bits = rank_bits(cfg), half = half_of(cfg), in = way >= half;
  uint64_t *rank = &s->rank[set_of(cfg, s->line) * bits * 2], less[2] = {0, 0};
  uint32_t at = way - in * half;
  for (uint32_t b = 0; b < bits; b++) {
    uint64_t mine = 0 - (rank[b * 2 + in] >> at & 1);
    for (int h = 0; h < 2; h++) less[h] = (~rank[b * 2 + (uint32_t)h] & (mine | less[h])) | (mine & less[h]);
  }
  uint64_t ways[2] = {usable(cfg, (uint32_t)cfg->WAYS, 0), usable(cfg, (uint32_t)cfg->WAYS, 1)};
  for (int h = 0; h < 2; h++) less[h] &= ways[h];
  ways[in] &= ~(UINT64_C(1) << at);
  for (uint32_t b = 0; b < bits; b++)
    for (int h = 0; h < 2; h++) {
      uint64_t plane = rank[b * 2 + (uint32_t)h];
      rank[b * 2 + (uint32_t)h] = (plane ^ less[h]) & ways[h];
      less[h] &= plane;
    }
}

static void place(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s, uint32_t way) {
  uint32_t set = set_of(cfg, s->line), half = half_of(cfg), h = way >= half;
  uint64_t tag = tag_of(cfg, s->line), used = UINT64_C(1) << (way - h * half),
           *halt = &s->halt[(size_t)set * HALT * 2 + h];
  s->tags[set * (uint32_t)cfg->WAYS + way] = tag >> HALT;
  for (int b = 0; b < HALT; b++) halt[b * 2] = (halt[b * 2] & ~used) | (used & (0 - (tag >> b & 1)));
  s->valid[set * 2 + h] |= used;
}

/* Only the first `ways` ways of each set stay valid. */
static void keep_below(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s, uint32_t ways) {
  for (uint32_t row = 0; row < SETS_MAX * 2; row++) s->valid[row] &= usable(cfg, ways, row & 1);
}

static void teleport_tags_tick(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s,
                               const struct teleport_tags_in *in, const struct teleport_tags_out *out) {
  if (out->placed) place(cfg, s, out->way);
  if (out->placed || (out->hit && s->op != INVALIDATE)) touch(cfg, s, out->way);
  if (out->hit && s->op == INVALIDATE) {
    uint32_t half = half_of(cfg), h = out->way >= half;
    s->valid[set_of(cfg, s->line) * 2 + h] &= ~(UINT64_C(1) << (out->way - h * half));
  }
  if (in->limit_en) {
    s->limit = in->limit > cfg->WAYS ? (uint8_t)cfg->WAYS : in->limit;
    keep_below(cfg, s, s->limit);
  }
  if (in->clear) keep_below(cfg, s, 0);
  s->op = in->fill_valid ? FILL : in->inval_valid ? INVALIDATE : in->probe_valid ? PROBE : 0;
  if (s->op) s->line = in->fill_valid ? in->fill_line : in->inval_valid ? in->inval_line : in->probe_line;
}

#include "teleport_tags_model.inc"
