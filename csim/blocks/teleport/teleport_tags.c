/* SPDX-License-Identifier: Apache-2.0 */
/* The tag array of an SM's data buffer (Lashgar et al. 2018, section 3; assumption: ports, cycle behaviour, limit and
 * invalidation). The header of rtl/teleport/teleport_tags.v states the contract of the ports. Ranks and the lowest bits of tags are
 * kept as planes, a word with a bit for every way, so that all ways are compared and counted at once. */
#include "block/block.h"
#include "teleport_tags_ports.h"

enum { SETS_MAX = 4, WAYS_MAX = 128, HALT = 8, RANK_BITS = 7, LINE_BITS = 57, FILL = 1, INVALIDATE = 2, PROBE = 3 };

/* One bit per way. */
struct plane {
  uint64_t half[2];
};

struct teleport_tags_state {
  uint64_t tags[SETS_MAX * WAYS_MAX];       /* row way * SETS + set: the upper bits of a tag */
  uint32_t halt[SETS_MAX * HALT][4];        /* row bit * SETS + set: a lower bit of the tag of every way */
  uint32_t rank[SETS_MAX * RANK_BITS][4];   /* row bit * SETS + set: a bit of the rank of every way */
  uint32_t valid[SETS_MAX * WAYS_MAX / 32]; /* bit way * SETS + set */
  uint64_t line;                            /* of the operation at T1 */
  uint8_t op, limit;
};

static inline struct plane plane_of(const uint32_t *row) {
  return (struct plane){{row[0] | (uint64_t)row[1] << 32, row[2] | (uint64_t)row[3] << 32}};
}

static inline void put_plane(uint32_t *row, const struct plane *p) {
  for (int i = 0; i < 4; i++) row[i] = (uint32_t)(p->half[i / 2] >> i % 2 * 32);
}

/* The ways below n. */
static inline struct plane ways_below(uint32_t n) {
  struct plane p = {{n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1, 0}};
  if (n > 64) p.half[1] = n >= 128 ? UINT64_MAX : (UINT64_C(1) << (n - 64)) - 1;
  return p;
}

static inline uint32_t rank_bits(const struct teleport_tags_cfg *cfg) { return block_bits((uint32_t)cfg->WAYS); }
static inline uint32_t set_of(const struct teleport_tags_cfg *cfg, uint64_t line) {
  return (uint32_t)line & ((uint32_t)cfg->SETS - 1);
}
static inline uint64_t tag_of(const struct teleport_tags_cfg *cfg, uint64_t line) {
  return line >> block_clog2((uint32_t)cfg->SETS);
}
static inline bool valid_at(const struct teleport_tags_state *s, uint32_t row) {
  return s->valid[row / 32] >> row % 32 & 1;
}

static void teleport_tags_reset(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s) {
  uint32_t sets = (uint32_t)cfg->SETS, bits = rank_bits(cfg);
  for (uint32_t i = 0; i < sizeof s->valid / sizeof *s->valid; i++) s->valid[i] = 0;
  for (uint32_t row = 0; row < sets * HALT; row++)
    for (int i = 0; i < 4; i++) s->halt[row][i] = 0;
  for (uint32_t row = 0; row < sets * bits; row++) {
    struct plane numbers = {{0, 0}};
    for (uint32_t way = 0; way < (uint32_t)cfg->WAYS; way++)
      numbers.half[way / 64] |= (uint64_t)(way >> row / sets & 1) << way % 64;
    put_plane(s->rank[row], &numbers);
  }
  s->line = 0;
  s->op = 0;
  s->limit = (uint8_t)cfg->WAYS;
}

/* The way of this half that holds the tag, or -1. */
static inline int hit_in(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s, uint64_t same,
                         uint32_t first) {
  uint64_t upper = tag_of(cfg, s->line) >> HALT;
  for (; same; same &= same - 1) {
    uint32_t way = first + (uint32_t)__builtin_ctzll(same), row = way * (uint32_t)cfg->SETS + set_of(cfg, s->line);
    if (valid_at(s, row) && s->tags[row] == upper) return (int)way;
  }
  return -1;
}

static inline int hit_way(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s) {
  uint64_t tag = tag_of(cfg, s->line);
  struct plane same = ways_below((uint32_t)cfg->WAYS);
  for (uint32_t b = 0; b < HALT; b++) {
    struct plane p = plane_of(s->halt[b * (uint32_t)cfg->SETS + set_of(cfg, s->line)]);
    uint64_t bit = 0 - (tag >> b & 1);
    for (int h = 0; h < 2; h++) same.half[h] &= ~(p.half[h] ^ bit);
  }
  int low = hit_in(cfg, s, same.half[0], 0);
  return low >= 0 ? low : hit_in(cfg, s, same.half[1], 64);
}

/* The lowest invalid way of the set below the limit, or -1. */
static inline int free_way(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s) {
  static const uint32_t set_0[] = {0, UINT32_MAX, 0x55555555, 0, 0x11111111}; /* by SETS: bits of set 0 */
  uint32_t sets = (uint32_t)cfg->SETS, mine = set_0[sets] << set_of(cfg, s->line), rows = s->limit * sets;
  for (uint32_t word = 0; word * 32 < rows; word++) {
    uint32_t free = ~s->valid[word] & mine;
    if (rows - word * 32 < 32) free &= (1U << (rows - word * 32)) - 1;
    if (free) return (int)((word * 32 + (uint32_t)__builtin_ctz(free)) / sets);
  }
  return -1;
}

/* The way of the set below the limit that was used the longest time ago. */
static inline uint32_t oldest_way(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s) {
  struct plane left = ways_below(s->limit);
  for (uint32_t b = rank_bits(cfg); b-- > 0;) {
    struct plane p = plane_of(s->rank[b * (uint32_t)cfg->SETS + set_of(cfg, s->line)]);
    uint64_t low = left.half[0] & p.half[0], high = left.half[1] & p.half[1];
    if (low | high) left.half[0] = low, left.half[1] = high;
  }
  return left.half[0] ? (uint32_t)__builtin_ctzll(left.half[0])
                      : 64 + (uint32_t)__builtin_ctzll(left.half[1] | 1ULL << 63);
}

/* Line of the way in the set of T1. */
static uint64_t line_in(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s, uint32_t way) {
  uint32_t sets = (uint32_t)cfg->SETS, set = set_of(cfg, s->line);
  uint64_t tag = s->tags[way * sets + set] << HALT;
  for (uint32_t b = 0; b < HALT; b++) tag |= (uint64_t)(s->halt[b * sets + set][way / 32] >> way % 32 & 1) << b;
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
    way = free_way(cfg, s);
    if (way < 0) {
      way = (int)oldest_way(cfg, s);
      out->evict_valid = 1;
      out->evict_line = line_in(cfg, s, (uint32_t)way);
    }
  }
  out->way = way < 0 ? 0 : (uint8_t)way;
}

/* The way becomes the one used last: those used after it count up. */
static inline void touch(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s, uint32_t way) {
  uint32_t sets = (uint32_t)cfg->SETS, set = set_of(cfg, s->line), bits = rank_bits(cfg);
  struct plane p[RANK_BITS], less = {{0, 0}}, equal = ways_below((uint32_t)cfg->WAYS), used = {{0, 0}};
  used.half[way / 64] = UINT64_C(1) << way % 64;
  for (uint32_t b = bits; b-- > 0;) {
    p[b] = plane_of(s->rank[b * sets + set]);
    uint64_t mine = 0 - (p[b].half[way / 64] >> way % 64 & 1);
    for (int h = 0; h < 2; h++) {
      less.half[h] |= equal.half[h] & ~p[b].half[h] & mine;
      equal.half[h] &= ~(p[b].half[h] ^ mine);
    }
  }
  for (uint32_t b = 0; b < bits; b++) {
    struct plane next;
    for (int h = 0; h < 2; h++) {
      next.half[h] = (p[b].half[h] ^ less.half[h]) & ~used.half[h];
      less.half[h] &= p[b].half[h];
    }
    put_plane(s->rank[b * sets + set], &next);
  }
}

static void place(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s, uint32_t way) {
  uint32_t sets = (uint32_t)cfg->SETS, set = set_of(cfg, s->line), row = way * sets + set;
  uint64_t tag = tag_of(cfg, s->line);
  s->tags[row] = tag >> HALT;
  for (uint32_t b = 0; b < HALT; b++) {
    uint32_t *word = &s->halt[b * sets + set][way / 32];
    *word = (*word & ~(1U << way % 32)) | (uint32_t)(tag >> b & 1) << way % 32;
  }
  s->valid[row / 32] |= 1U << row % 32;
}

/* Only the first `rows` rows stay valid. */
static void keep_below(struct teleport_tags_state *s, uint32_t rows) {
  for (uint32_t word = 0; word < sizeof s->valid / sizeof *s->valid; word++) {
    uint32_t left = rows > word * 32 ? rows - word * 32 : 0;
    if (left < 32) s->valid[word] &= (1U << left) - 1;
  }
}

static void teleport_tags_tick(const struct teleport_tags_cfg *cfg, struct teleport_tags_state *s,
                               const struct teleport_tags_in *in, const struct teleport_tags_out *out) {
  uint32_t row = out->way * (uint32_t)cfg->SETS + set_of(cfg, s->line);
  if (out->placed) place(cfg, s, out->way);
  if (out->placed || (out->hit && s->op != INVALIDATE)) touch(cfg, s, out->way);
  if (out->hit && s->op == INVALIDATE) s->valid[row / 32] &= ~(1U << row % 32);
  if (in->limit_en) {
    s->limit = in->limit > cfg->WAYS ? (uint8_t)cfg->WAYS : in->limit;
    keep_below(s, s->limit * (uint32_t)cfg->SETS);
  }
  if (in->clear) keep_below(s, 0);
  s->op = in->fill_valid ? FILL : in->inval_valid ? INVALIDATE : in->probe_valid ? PROBE : 0;
  if (s->op) s->line = in->fill_valid ? in->fill_line : in->inval_valid ? in->inval_line : in->probe_line;
}

#include "teleport_tags_model.inc"
