/* SPDX-License-Identifier: Apache-2.0 */
/* Read-after-write checker of the D2MA engine (Jamshidi 2014, section 4.3, figure 7). A shared
 * access hits an entry of its CTA if it overlaps the entry's range and the entry is in flight or
 * (assumption) the querying warp has already re-ignited it.
 *
 * A tick first applies all sets, then answers the query, then applies all clears. So a query sees
 * what its own cycle sets and does not see what its own cycle clears. Numbers beyond the parameters
 * write nothing and hit nothing. */
#include "block/block.h"
#include "d2ma_raw_check_ports.h"

enum { ROWS_MAX = 64 };

struct d2ma_raw_check_state {
  uint64_t arrived[ROWS_MAX]; /* warps that have re-ignited the entry; row = cta * BUFS + buf */
  uint32_t end[ROWS_MAX];     /* byte after the range, 17 bits; 0: empty range, which no access hits */
  uint16_t start[ROWS_MAX];   /* first shared byte of the range */
  uint64_t ranged, armed;     /* entries with a range, with arrivals; one bit per row */
  uint64_t live;              /* entries in flight */
  uint8_t hit_valid, hit, hit_buf;
};

static void d2ma_raw_check_reset(const struct d2ma_raw_check_cfg *cfg, struct d2ma_raw_check_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static void d2ma_raw_check_eval(const struct d2ma_raw_check_cfg *cfg, const struct d2ma_raw_check_state *s,
                                const struct d2ma_raw_check_in *in, struct d2ma_raw_check_out *out) {
  (void)cfg, (void)in;
  out->hit_valid = s->hit_valid;
  out->hit = s->hit;
  out->hit_buf = s->hit_buf;
  out->busy = s->hit_valid;
}

/* Row of an entry, and 1 if `go` and the row exists; row 0 and 0 for a number beyond the parameters.
 * Enables change from cycle to cycle, so the callers use masks instead of branches. */
struct row {
  uint32_t index, on;
};

static inline struct row row_of(const struct d2ma_raw_check_cfg *cfg, uint8_t go, uint8_t cta, uint8_t buf) {
  uint32_t on = go & (cta < cfg->CTAS) & (buf < cfg->BUFS);
  return (struct row){(cta * (uint32_t)cfg->BUFS + buf) & (0U - on), on};
}

/* Bit b: the access overlaps the range of buffer b of its CTA, which is live or at which the querying
 * warp has arrived. Hot callers pass a constant `bufs`, so that the loop unrolls. */
static inline __attribute__((always_inline)) uint32_t hits(const struct d2ma_raw_check_cfg *cfg,
                                                           const struct d2ma_raw_check_state *s,
                                                           const struct d2ma_raw_check_in *in, uint32_t bufs) {
  uint32_t first = in->ld_cta * bufs, found = 0, lo = in->ld_lo, hi = in->ld_hi;
  uint32_t warp = in->ld_warp, known = in->ld_warp < cfg->WARPS;
  uint64_t live = s->live >> first;
  for (uint32_t b = 0; b < bufs; b++) {
    uint32_t armed = (uint32_t)(s->arrived[first + b] >> (warp & 63)) & known;
    uint32_t guarded = (uint32_t)(live >> b) | armed;
    found |= (guarded & (lo < s->end[first + b]) & (hi >= s->start[first + b])) << b;
  }
  return found;
}

/* Stores the answer for the next cycle: the lowest buffer that was hit. */
static inline void answer(const struct d2ma_raw_check_cfg *cfg, struct d2ma_raw_check_state *s,
                          const struct d2ma_raw_check_in *in) {
  uint32_t found = 0;
  if (in->ld_valid && in->ld_cta < cfg->CTAS)
    found = cfg->BUFS == 4 ? hits(cfg, s, in, 4) : hits(cfg, s, in, (uint32_t)cfg->BUFS);
  s->hit_valid = in->ld_valid;
  s->hit = found != 0;
  s->hit_buf = found ? (uint8_t)__builtin_ctz(found) : 0;
}

static void d2ma_raw_check_tick(const struct d2ma_raw_check_cfg *cfg, struct d2ma_raw_check_state *s,
                                const struct d2ma_raw_check_in *in, const struct d2ma_raw_check_out *out) {
  (void)out;
  if (!(in->wr_en | in->set_live | in->clr_live | in->arm_wr | in->arm_clr)) {
    answer(cfg, s, in);
    return;
  }
  struct row wr = row_of(cfg, in->wr_en, in->wr_cta, in->wr_buf);
  struct row st = row_of(cfg, in->set_live | in->clr_live, in->st_cta, in->st_buf);
  struct row arm = row_of(cfg, in->arm_wr | in->arm_clr, in->arm_cta, in->arm_buf);
  uint32_t end = in->wr_foot ? (in->wr_sbase + in->wr_foot) & 0x1ffff : 0;
  uint64_t live = (uint64_t)st.on << st.index;
  uint64_t set = in->set_live ? live : 0;
  uint64_t forget = arm.on & in->arm_clr ? UINT64_MAX : 0;
  uint64_t ranged = (uint64_t)wr.on << wr.index, armed = (uint64_t)arm.on << arm.index;
  uint64_t arrival = (uint64_t)(arm.on & (in->arm_warp < cfg->WARPS)) << (in->arm_warp & 63);

  s->start[wr.index] = wr.on ? in->wr_sbase : s->start[wr.index];
  s->end[wr.index] = wr.on ? end : s->end[wr.index];
  s->ranged = in->wr_foot ? s->ranged | ranged : s->ranged & ~ranged;
  s->armed = in->arm_clr ? s->armed & ~armed : s->armed | armed;
  s->live |= set;
  s->arrived[arm.index] |= arrival & ~forget;

  answer(cfg, s, in);

  s->live &= ~(live ^ set);
  s->arrived[arm.index] &= ~forget;
}

#include "d2ma_raw_check_model.inc"
