/* SPDX-License-Identifier: Apache-2.0 */
/* The metadata cache of a memory controller: DRAM bursts of lines (Vijaykumar 2019, 5.4.3; assumption: two bits a line, replacement,
 * ports and cycle behaviour). The header of rtl/caba/md_cache.v states the contract of the ports. */
#include "block/block.h"
#include "md_cache_ports.h"

enum { ROWS_MAX = 1024, SETS_MAX = 256, WORDS = 8, WORD = 32, IN_WORD = 16 };

struct md_cache_state {
  uint32_t data[ROWS_MAX][WORDS]; /* row set * WAYS + way: two bits a line */
  uint32_t ev_data[WORDS];
  uint32_t tag[ROWS_MAX];
  uint32_t rank[SETS_MAX];         /* of each way, way 0 lowest; 0: used longest ago */
  uint32_t valid[ROWS_MAX / WORD]; /* ways that hold a line */
  uint32_t set[SETS_MAX / WORD];   /* sets that have had a line */
  uint32_t ev_line;
  uint8_t dirty[ROWS_MAX]; /* newer than memory */
  uint8_t ev;              /* a line is offered to memory */
};

static inline uint32_t bit_of(const uint32_t *v, uint32_t i) { return v[i / WORD] >> i % WORD & 1; }
static inline uint32_t line_bits(const struct md_cache_cfg *cfg) { return block_clog2((uint32_t)cfg->LINES); }
static inline uint32_t rank_bits(const struct md_cache_cfg *cfg) { return block_bits((uint32_t)cfg->WAYS); }

static inline uint32_t rank_of(const struct md_cache_cfg *cfg, uint32_t ranks, uint32_t way) {
  return ranks >> way * rank_bits(cfg) & ((1U << rank_bits(cfg)) - 1);
}

/* Copies a metadata line; words behind a short one stay as they are. */
static inline void copy(const struct md_cache_cfg *cfg, uint32_t *to, const uint32_t *from) {
  for (uint32_t w = 0; w < WORDS && w * IN_WORD < (uint32_t)cfg->LINES; w++) to[w] = from[w];
}

static void md_cache_reset(const struct md_cache_cfg *cfg, struct md_cache_state *s) {
  (void)cfg;
  for (uint32_t w = 0; w < ROWS_MAX / WORD; w++) s->valid[w] = 0;
  for (uint32_t w = 0; w < SETS_MAX / WORD; w++) s->set[w] = 0;
  s->ev = 0;
}

/* Ranks of a set; before its first line, a way's rank is its number. */
static uint32_t ranks_of(const struct md_cache_cfg *cfg, const struct md_cache_state *s, uint32_t set) {
  uint32_t ranks = 0;
  if (bit_of(s->set, set)) return s->rank[set];
  for (uint32_t w = 0; w < (uint32_t)cfg->WAYS; w++) ranks |= w << w * rank_bits(cfg);
  return ranks;
}

/* The row that has metadata line `md`, or -1. */
static int32_t row_of(const struct md_cache_cfg *cfg, const struct md_cache_state *s, uint32_t md) {
  uint32_t ways = (uint32_t)cfg->WAYS, first = (md & ((uint32_t)cfg->SETS - 1)) * ways;
  uint32_t tag = md >> block_clog2((uint32_t)cfg->SETS);
  for (uint32_t row = first; row < first + ways; row++)
    if (bit_of(s->valid, row) && s->tag[row] == tag) return (int32_t)row;
  return -1;
}

static void md_cache_eval(const struct md_cache_cfg *cfg, const struct md_cache_state *s, const struct md_cache_in *in,
                          struct md_cache_out *out) {
  __builtin_memset(out, 0, sizeof *out);
  out->fill_ready = !s->ev;
  out->rq_ready = !(in->fill_valid && out->fill_ready);
  out->ev_valid = out->busy = s->ev;
  if (s->ev) {
    out->ev_line = s->ev_line;
    copy(cfg, out->ev_data, s->ev_data);
  }
  if (!in->rq_valid || !out->rq_ready) return;
  int32_t row = row_of(cfg, s, in->rq_line >> line_bits(cfg));
  if (row < 0) return;
  uint32_t place = in->rq_line & ((uint32_t)cfg->LINES - 1);
  out->hit = 1;
  out->bursts = s->data[row][place / IN_WORD] >> 2 * (place % IN_WORD) & 3;
}

/* The way becomes the newest of its set. */
static void use(const struct md_cache_cfg *cfg, struct md_cache_state *s, uint32_t set, uint32_t way) {
  uint32_t ranks = ranks_of(cfg, s, set), used = rank_of(cfg, ranks, way), next = 0;
  for (uint32_t w = 0; w < (uint32_t)cfg->WAYS; w++) {
    uint32_t rank = rank_of(cfg, ranks, w);
    rank = w == way ? (uint32_t)cfg->WAYS - 1 : rank - (rank > used);
    next |= rank << w * rank_bits(cfg);
  }
  s->rank[set] = next;
}

/* The lowest invalid way of a set, else the oldest. */
static uint32_t way_for(const struct md_cache_cfg *cfg, const struct md_cache_state *s, uint32_t set) {
  uint32_t ways = (uint32_t)cfg->WAYS;
  for (uint32_t w = 0; w < ways; w++)
    if (!bit_of(s->valid, set * ways + w)) return w;
  for (uint32_t w = 0; w < ways; w++)
    if (!rank_of(cfg, ranks_of(cfg, s, set), w)) return w;
  return 0;
}

static void fill(const struct md_cache_cfg *cfg, struct md_cache_state *s, const struct md_cache_in *in) {
  uint32_t set = in->fill_line & ((uint32_t)cfg->SETS - 1), way = way_for(cfg, s, set);
  uint32_t row = set * (uint32_t)cfg->WAYS + way, bit = 1U << row % WORD, set_bits = block_clog2((uint32_t)cfg->SETS);
  if (bit_of(s->valid, row) && s->dirty[row]) {
    s->ev = 1;
    s->ev_line = s->tag[row] << set_bits | set;
    copy(cfg, s->ev_data, s->data[row]);
  }
  s->valid[row / WORD] |= bit;
  s->dirty[row] = 0;
  s->tag[row] = in->fill_line >> set_bits;
  copy(cfg, s->data[row], in->fill_data);
  use(cfg, s, set, way);
  s->set[set / WORD] |= 1U << set % WORD;
}

static void md_cache_tick(const struct md_cache_cfg *cfg, struct md_cache_state *s, const struct md_cache_in *in,
                          const struct md_cache_out *out) {
  if (s->ev) {
    s->ev = !in->ev_ready;
  } else if (in->fill_valid) {
    if (row_of(cfg, s, in->fill_line) < 0) fill(cfg, s, in);
    return;
  }
  if (!out->hit) return;
  int32_t at = row_of(cfg, s, in->rq_line >> line_bits(cfg));
  if (at < 0) return;
  uint32_t row = (uint32_t)at, place = in->rq_line & ((uint32_t)cfg->LINES - 1), shift = 2 * (place % IN_WORD);
  use(cfg, s, row / (uint32_t)cfg->WAYS, row % (uint32_t)cfg->WAYS);
  if (!in->rq_write) return;
  s->dirty[row] = 1;
  s->data[row][place / IN_WORD] = (s->data[row][place / IN_WORD] & ~(3U << shift)) | (uint32_t)in->rq_bursts << shift;
}

#include "md_cache_model.inc"
