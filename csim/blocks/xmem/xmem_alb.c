/* SPDX-License-Identifier: Apache-2.0 */
/* Atom lookaside buffer of XMem (Vijaykumar 2019, 2.4.2; assumption: interface, misses and cycle behaviour): stage 0
 * reads a set or writes one way, stage 1 compares. An entry is {tag, the page's atoms}. An outstanding miss collects
 * the updates of its page and a list of the lookups that wait for it. */
#include "block/block.h"
#include "xmem_alb_ports.h"

enum { ENTRIES_MAX = 1024, WAYS_MAX = 256, MISSES_MAX = 8, WAITERS_MAX = 2 * MISSES_MAX };

struct xmem_alb_state {
  uint32_t valid[ENTRIES_MAX / 32]; /* bit set * WAYS + way */
  uint32_t tags[ENTRIES_MAX];       /* row set * WAYS + way */
  uint64_t data[ENTRIES_MAX];       /* atom of unit u at bit u * IDW */
  uint8_t lru[ENTRIES_MAX - 1];     /* row set * (WAYS - 1) + node - 1; node 1 is the root, 2n and 2n + 1 are below n */
  /* stage 1: the set as stage 0 found it */
  uint32_t row_val[WAYS_MAX / 32], row_tag[WAYS_MAX];
  uint64_t row_data[WAYS_MAX];
  uint32_t ppn;
  uint16_t tag;
  uint8_t lk, up; /* a lookup, an update is in stage 1 */
  uint8_t sub, mask, aid;
  /* misses */
  uint8_t miss, sent, noinst, merged; /* one bit per miss: outstanding, requested, not to be installed, has updates */
  uint8_t head[MISSES_MAX], tail[MISSES_MAX], some; /* list of waiters per miss, oldest first; some: it has waiters */
  uint32_t miss_ppn[MISSES_MAX];
  uint8_t miss_mask[MISSES_MAX];
  uint64_t miss_data[MISSES_MAX];
  uint8_t order[MISSES_MAX], order_head, order_tail; /* ring of misses to be requested */
  /* waiters */
  uint16_t wait; /* one bit per place */
  uint8_t next[WAITERS_MAX], wait_sub[WAITERS_MAX];
  uint16_t wait_tag[WAITERS_MAX];
  /* the fill that is being written and answered */
  uint8_t drain, install, drain_id;
  uint32_t drain_ppn;
  uint64_t drain_data;
  /* response, counters */
  uint8_t rs, rs_hit, rs_aid;
  uint16_t rs_tag;
  uint32_t c_lk, c_hit, c_miss, c_merge;
};

static void xmem_alb_reset(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static inline bool two_of(uint32_t bits) { return bits & (bits - 1); }

/* A page's atoms with `aid` in the units of `mask`. */
static inline uint64_t patch(const struct xmem_alb_cfg *cfg, uint64_t data, uint32_t mask, uint64_t aid) {
  uint64_t unit = (UINT64_C(1) << cfg->IDW) - 1;
  for (uint32_t at = 0; mask; mask >>= 1, at += (uint32_t)cfg->IDW)
    if (mask & 1) data = (data & ~(unit << at)) | aid << at;
  return data;
}

static inline uint8_t unit_of(const struct xmem_alb_cfg *cfg, uint64_t data, uint32_t sub) {
  return (uint8_t)(data >> (sub * (uint32_t)cfg->IDW & 63) & ((1U << cfg->IDW) - 1));
}

static inline uint32_t low_bits(uint32_t n) { return n >= 32 ? UINT32_MAX : (1U << n) - 1; }

/* Way of stage 1 that holds its page, or -1. Compares 32 ways without a branch per way, because hits are hard to
 * predict. */
static inline int32_t hit_way(const struct xmem_alb_cfg *cfg, const struct xmem_alb_state *s) {
  uint32_t tag = s->ppn >> block_clog2((uint32_t)cfg->SETS), ways = (uint32_t)cfg->WAYS;
  for (uint32_t word = 0; word < ways; word += 32) {
    uint32_t found = 0, n = ways - word < 32 ? ways - word : 32;
    for (uint32_t w = 0; w < n; w++) found |= (uint32_t)(s->row_tag[word + w] == tag) << w;
    found &= s->row_val[word / 32];
    if (found) return (int32_t)(word + (uint32_t)__builtin_ctz(found));
  }
  return -1;
}

/* Outstanding miss of stage 1's page, or -1. */
static inline int32_t same_miss(const struct xmem_alb_state *s) {
  uint32_t found = 0;
  for (uint32_t m = 0; m < MISSES_MAX; m++) found |= (uint32_t)(s->miss_ppn[m] == s->ppn) << m;
  found &= s->miss;
  return found ? __builtin_ctz(found) : -1;
}

/* Valid bits of up to 32 ways, from way `word` on, of the set whose first row is `first`. */
static inline uint32_t valid_ways(const struct xmem_alb_cfg *cfg, const struct xmem_alb_state *s, uint32_t first,
                                  uint32_t word) {
  return s->valid[(first + word) / 32] >> (first % 32) & low_bits((uint32_t)cfg->WAYS - word);
}

/* Whether the next lookup may be taken: no installation waits, and there is room for it and the one in stage 1 if both
 * miss. */
static inline bool open_for_lookups(const struct xmem_alb_cfg *cfg, const struct xmem_alb_state *s) {
  uint32_t misses = (1U << cfg->NMISS) - 1, waiters = (1U << 2 * cfg->NMISS) - 1;
  return !s->up && !s->install && two_of(misses & ~(uint32_t)s->miss) && two_of(waiters & ~(uint32_t)s->wait);
}

static void xmem_alb_eval(const struct xmem_alb_cfg *cfg, const struct xmem_alb_state *s, const struct xmem_alb_in *in,
                          struct xmem_alb_out *out) {
  uint8_t unsent = s->miss & (uint8_t)~s->sent, id = s->order[s->order_head];
  out->lk_ready = !in->flush && !in->up_valid && open_for_lookups(cfg, s);
  out->rs_valid = s->rs;
  out->rs_tag = s->rs_tag;
  out->rs_aid = s->rs_aid;
  out->rs_hit = s->rs_hit;
  out->ms_valid = unsent != 0;
  out->ms_id = unsent ? id : 0;
  out->ms_ppn = unsent ? s->miss_ppn[id] : 0;
  out->fl_ready = !s->drain && !s->up && !in->flush;
  out->c_lk = s->c_lk;
  out->c_hit = s->c_hit;
  out->c_miss = s->c_miss;
  out->c_merge = s->c_merge;
  out->busy = s->lk || s->up || s->rs || s->miss;
}

static inline void respond(struct xmem_alb_state *s, uint16_t tag, uint8_t aid, bool hit) {
  s->rs = 1;
  s->rs_tag = tag;
  s->rs_aid = aid;
  s->rs_hit = hit;
}

/* The way was used: every node on its path points away from it. */
static inline void touch(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s, uint32_t set, uint32_t way) {
  uint8_t *tree = s->lru + set * ((uint32_t)cfg->WAYS - 1);
  for (uint32_t node = way | (uint32_t)cfg->WAYS; node > 1; node >>= 1) tree[(node >> 1) - 1] = !(node & 1);
}

static inline uint32_t victim(const struct xmem_alb_cfg *cfg, const struct xmem_alb_state *s, uint32_t set) {
  uint32_t ways = (uint32_t)cfg->WAYS, node = 1;
  for (uint32_t word = 0; word < ways; word += 32) {
    uint32_t free = ~valid_ways(cfg, s, set * ways, word) & low_bits(ways - word);
    if (free) return word + (uint32_t)__builtin_ctz(free);
  }
  while (node < ways) node = 2 * node + s->lru[set * (ways - 1) + node - 1];
  return node - ways;
}

/* Stage 0 reads a set for stage 1. */
static inline void read_set(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s, uint32_t ppn, bool flush) {
  uint32_t ways = (uint32_t)cfg->WAYS, first = (ppn & ((uint32_t)cfg->SETS - 1)) * ways;
  s->ppn = ppn;
  for (uint32_t word = 0; word < ways; word += 32) s->row_val[word / 32] = flush ? 0 : valid_ways(cfg, s, first, word);
  if (ways == 4) { /* constant sizes for the common case */
    __builtin_memcpy(s->row_tag, s->tags + first, 4 * sizeof *s->tags);
    __builtin_memcpy(s->row_data, s->data + first, 4 * sizeof *s->data);
  } else {
    __builtin_memcpy(s->row_tag, s->tags + first, ways * sizeof *s->tags);
    __builtin_memcpy(s->row_data, s->data + first, ways * sizeof *s->data);
  }
}

static inline void write_victim(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s) {
  uint32_t sets = (uint32_t)cfg->SETS, set = s->drain_ppn & (sets - 1), way = victim(cfg, s, set);
  uint32_t entry = set * (uint32_t)cfg->WAYS + way;
  s->tags[entry] = s->drain_ppn >> block_clog2(sets);
  s->data[entry] = s->drain_data;
  s->valid[entry >> 5] |= 1U << (entry & 31);
  touch(cfg, s, set, way);
  s->install = 0;
}

/* A lookup that missed waits for miss `m`, whose list may have been emptied in this cycle. */
static inline void append(struct xmem_alb_state *s, uint32_t m, uint32_t place) {
  if (s->some >> m & 1) s->next[s->tail[m]] = (uint8_t)place;
  else s->head[m] = (uint8_t)place;
  s->tail[m] = (uint8_t)place;
  s->some |= (uint8_t)(1U << m);
  s->wait |= (uint16_t)(1U << place);
  s->wait_sub[place] = s->sub;
  s->wait_tag[place] = s->tag;
}

static inline uint32_t allocate(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s) {
  uint32_t m = (uint32_t)__builtin_ctz(~(uint32_t)s->miss);
  uint8_t bit = (uint8_t)(1U << m);
  s->miss |= bit;
  s->sent &= (uint8_t)~bit;
  s->merged &= (uint8_t)~bit;
  s->noinst &= (uint8_t)~bit;
  s->miss_ppn[m] = s->ppn;
  s->order[s->order_tail] = (uint8_t)m;
  s->order_tail = s->order_tail + 1 == cfg->NMISS ? 0 : (uint8_t)(s->order_tail + 1);
  return m;
}

/* Stage 1 of an update. */
static inline void write_update(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s, int32_t m) {
  int32_t way = hit_way(cfg, s);
  uint32_t entry = (s->ppn & ((uint32_t)cfg->SETS - 1)) * (uint32_t)cfg->WAYS + (uint32_t)way;
  if (way >= 0) s->data[entry] = patch(cfg, s->row_data[way], s->mask, s->aid);
  if (m < 0) return;
  uint8_t bit = (uint8_t)(1U << m);
  if (s->drain && s->drain_id == m) s->drain_data = patch(cfg, s->drain_data, s->mask, s->aid);
  if (!(s->merged & bit)) s->miss_mask[m] = 0;
  s->miss_data[m] =
    s->merged & bit ? patch(cfg, s->miss_data[m], s->mask, s->aid) : patch(cfg, 0, (1U << cfg->UNITS) - 1, s->aid);
  s->miss_mask[m] |= s->mask;
  s->merged |= bit;
}

/* The data of miss `m` arrive; the updates that the miss has collected overwrite them. */
static inline void take_fill(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s, uint32_t m, uint64_t data) {
  uint64_t unit = (UINT64_C(1) << cfg->IDW) - 1;
  for (uint32_t u = 0; (s->merged >> m & 1) && u < (uint32_t)cfg->UNITS; u++) {
    uint64_t here = (s->miss_mask[m] >> u & 1) ? unit << u * (uint32_t)cfg->IDW : 0;
    data = (data & ~here) | (s->miss_data[m] & here);
  }
  s->drain = 1;
  s->install = !(s->noinst >> m & 1);
  s->drain_id = (uint8_t)m;
  s->drain_ppn = s->miss_ppn[m];
  s->drain_data = data;
}

/* Answers the oldest waiter of the draining miss. */
static inline void drain_one(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s) {
  uint32_t m = s->drain_id, place = s->head[m];
  respond(s, s->wait_tag[place], unit_of(cfg, s->drain_data, s->wait_sub[place]), false);
  s->wait &= (uint16_t) ~(1U << place);
  if (place == s->tail[m]) s->some &= (uint8_t) ~(1U << m);
  else s->head[m] = s->next[place];
}

static void xmem_alb_tick(const struct xmem_alb_cfg *cfg, struct xmem_alb_state *s, const struct xmem_alb_in *in,
                          const struct xmem_alb_out *out) {
  bool take_up = in->up_valid && !s->up, take_lk = in->lk_valid && out->lk_ready;
  bool write = s->install && !s->lk && !s->up && !in->up_valid && !in->flush;
  uint32_t filled = in->fl_id;
  bool take_fl = in->fl_valid && out->fl_ready && (s->miss & s->sent) >> filled & 1;
  int32_t way = s->lk ? hit_way(cfg, s) : -1, m = s->lk || s->up ? same_miss(s) : -1;
  bool hit = way >= 0, miss = s->lk && !hit, draining = s->drain && s->some >> s->drain_id & 1;
  uint32_t place = (uint32_t)__builtin_ctz(~(uint32_t)s->wait);
  bool done = s->drain && !s->install && !draining && !(miss && m == s->drain_id);

  s->rs = 0;
  if (hit) {
    respond(s, s->tag, unit_of(cfg, s->row_data[way], s->sub), true);
    if (cfg->WAYS > 1) touch(cfg, s, s->ppn & ((uint32_t)cfg->SETS - 1), (uint32_t)way);
  }
  if (out->ms_valid && in->ms_ready) {
    s->sent |= (uint8_t)(1U << out->ms_id);
    s->order_head = s->order_head + 1 == cfg->NMISS ? 0 : (uint8_t)(s->order_head + 1);
  }
  if (draining && !hit) drain_one(cfg, s);
  if (s->up) write_update(cfg, s, m);
  if (write) write_victim(cfg, s);
  if (take_fl) take_fill(cfg, s, filled, in->fl_data);
  if (miss) append(s, m >= 0 ? (uint32_t)m : allocate(cfg, s), place);
  if (done) {
    s->drain = 0;
    s->miss &= (uint8_t) ~(1U << s->drain_id);
  }
  if (take_lk) {
    read_set(cfg, s, in->lk_ppn, false);
    s->sub = in->lk_sub;
    s->tag = in->lk_tag;
  }
  if (take_up) {
    read_set(cfg, s, in->up_ppn, in->flush);
    s->mask = in->up_mask;
    s->aid = in->up_aid;
  }
  s->lk = take_lk;
  s->up = take_up;
  s->c_lk += take_lk;
  s->c_hit += hit;
  s->c_miss += miss;
  s->c_merge += miss && m >= 0;
  if (in->flush) {
    __builtin_memset(s->valid, 0, sizeof s->valid);
    s->noinst = (uint8_t)((1U << cfg->NMISS) - 1);
    s->install = 0;
  }
}

#include "xmem_alb_model.inc"
