/* SPDX-License-Identifier: Apache-2.0 */
/* The assist warp controller of an SM: which events start an assist warp, which one is fetched next, and how many of low priority may run
 * (Vijaykumar 2019, 5.3.3; assumption: sizes, table, queue, windows, ports and cycle behaviour). The header of rtl/caba/caba_awc.v states
 * the contract of the ports. */
#include "block/block.h"
#include "caba_awc_ports.h"

enum { AWT_MAX = 64, TRIG_MAX = 16, WAIT_MAX = 8, SLOTS = 2, TIGHT = 8 };

struct caba_awc_state {
  uint64_t live[AWT_MAX], arg[AWT_MAX], row_live[TRIG_MAX], wait_live[WAIT_MAX], wait_arg[WAIT_MAX];
  uint64_t valid, run, drain, high, started; /* entries */
  uint64_t resume_arg;
  uint32_t mask[AWT_MAX], pc[TRIG_MAX], wait_mask[WAIT_MAX];
  uint32_t there; /* rows of the table */
  uint16_t cycles, idle, full, drops;
  uint8_t warp[AWT_MAX], sr[AWT_MAX], inst[AWT_MAX];
  uint8_t event[TRIG_MAX], enc[TRIG_MAX], enc_mask[TRIG_MAX], pc_any[TRIG_MAX], row_sr[TRIG_MAX], row_high[TRIG_MAX];
  uint8_t wait_warp[WAIT_MAX], wait_sr[WAIT_MAX];
  uint8_t wait_there, wait_n, wait_head;       /* a ring; a place without a bit was killed, or is empty */
  uint8_t high_at, low_at;                     /* where the search for a pick begins */
  uint8_t pk, pk_awt, dl, dl_awt, resume, cap; /* what is on the outputs */
};

static void caba_awc_reset(const struct caba_awc_cfg *cfg, struct caba_awc_state *s) {
  s->valid = s->run = s->drain = s->high = s->started = 0;
  s->there = 0;
  s->cycles = s->idle = s->full = s->drops = 0;
  s->wait_there = s->wait_n = s->wait_head = 0;
  s->high_at = s->low_at = 0;
  s->pk = s->dl = s->resume = 0;
  s->cap = (uint8_t)cfg->CAP;
}

static uint64_t bit(uint32_t i) { return UINT64_C(1) << i; }
static bool has(uint64_t of, uint32_t i) { return of >> i & 1; }
static uint32_t lowest(uint64_t of) { return (uint32_t)__builtin_ctzll(of); }

/* The lowest row of the table that agrees with the trigger; TRIG_MAX: none. */
static uint32_t row_of(const struct caba_awc_state *s, const struct caba_awc_in *in) {
  uint32_t row = TRIG_MAX;
  if (!in->tr_valid) return row;
  for (uint32_t left = s->there; left && row == TRIG_MAX; left &= left - 1) {
    uint32_t r = lowest(left);
    if (s->event[r] == in->tr_event && !((s->enc[r] ^ in->tr_enc) & s->enc_mask[r]) &&
        (s->pc_any[r] || s->pc[r] == in->tr_pc))
      row = r;
  }
  return row;
}

/* Entries of a warp and routine among `of`. */
static uint64_t entries_of(const struct caba_awc_state *s, uint64_t of, uint32_t warp, uint32_t sr) {
  uint64_t found = 0;
  for (; of; of &= of - 1) {
    uint32_t i = lowest(of);
    found |= (uint64_t)(s->warp[i] == warp && s->sr[i] == sr) << i;
  }
  return found;
}

static uint64_t all_of(const struct caba_awc_cfg *cfg) { return ~UINT64_C(0) >> (AWT_MAX - cfg->AWT); }

/* An entry can be taken for this warp and routine. */
static bool can_start(const struct caba_awc_cfg *cfg, const struct caba_awc_state *s, uint32_t warp, uint32_t sr) {
  return s->valid != all_of(cfg) && !entries_of(s, s->valid, warp, sr);
}

/* The first trigger that waits leaves: it was killed, or can start. */
static bool head_leaves(const struct caba_awc_cfg *cfg, const struct caba_awc_state *s) {
  uint32_t h = s->wait_head;
  return s->wait_n && (!has(s->wait_there, h) || can_start(cfg, s, s->wait_warp[h], s->wait_sr[h]));
}

static uint64_t stalls_of(const struct caba_awc_cfg *cfg, const struct caba_awc_state *s) {
  uint64_t stalls = 0;
  for (uint64_t left = s->high; left; left &= left - 1) stalls |= bit(s->warp[lowest(left)]);
  for (uint32_t left = s->wait_there; left; left &= left - 1) stalls |= bit(s->wait_warp[lowest(left)]);
  return stalls & ~UINT64_C(0) >> (64 - cfg->WARPS);
}

static void caba_awc_eval(const struct caba_awc_cfg *cfg, const struct caba_awc_state *s, const struct caba_awc_in *in,
                          struct caba_awc_out *out) {
  uint32_t row = row_of(s, in), e = s->pk_awt;
  out->tr_ready = s->wait_n != cfg->WAIT;
  out->tr_taken = out->tr_high = 0;
  if (row != TRIG_MAX && out->tr_ready) {
    out->tr_high = s->row_high[row];
    out->tr_taken = out->tr_high || (!s->wait_n && can_start(cfg, s, in->tr_warp, s->row_sr[row]));
  }
  out->pk_valid = s->pk;
  out->pk_sr = s->pk ? s->sr[e] : 0;
  out->pk_inst = s->pk ? s->inst[e] : 0;
  out->pk_warp = s->pk ? s->warp[e] : 0;
  out->pk_high = s->pk && has(s->high, e);
  out->pk_mask = s->pk ? s->mask[e] : 0;
  out->pk_live = s->pk ? s->live[e] : 0;
  out->pk_arg = s->pk ? s->arg[e] : 0;
  out->pk_awt = s->pk ? s->pk_awt : 0;
  out->dl_ok = s->dl;
  out->dl_awt = s->dl ? s->dl_awt : 0;
  out->stall_parent = stalls_of(cfg, s);
  out->resume_valid = s->resume;
  out->resume_arg = s->resume ? s->resume_arg : 0;
  out->cap = s->cap;
  out->drops = s->drops;
  out->busy = s->pk || s->dl || s->resume || head_leaves(cfg, s);
}

/* What kills leave of the entries. */
static uint64_t survivors(const struct caba_awc_state *s, const struct caba_awc_in *in) {
  uint64_t kept = s->valid;
  if (in->kill_valid) kept &= ~entries_of(s, s->valid, in->kill_warp, in->kill_sr);
  for (uint64_t left = in->exit_valid ? s->valid & ~s->high : 0; left; left &= left - 1)
    if (s->warp[lowest(left)] == in->exit_warp) kept &= ~bit(lowest(left));
  return kept;
}

/* Entries that an instruction buffer, or the low partition and the cap, let fetch; high ones alone if there are any. */
static uint64_t can_fetch(const struct caba_awc_state *s, const struct caba_awc_in *in, uint64_t run, bool *high) {
  uint64_t could = run & ~(s->pk ? bit(s->pk_awt) : 0), highs = 0;
  for (uint64_t left = could & s->high; left; left &= left - 1)
    if (has(in->ib_free, s->warp[lowest(left)])) highs |= bit(lowest(left));
  *high = highs != 0;
  if (highs) return highs;
  bool starts = (uint32_t)__builtin_popcountll(s->started) < s->cap;
  return in->lp_free ? could & ~s->high & (starts ? ~UINT64_C(0) : s->started) : 0;
}

/* The entry that an allocation takes, and what it holds. */
struct newcomer {
  uint64_t at; /* its bit; 0: none */
  uint64_t live, arg;
  uint32_t slot, mask;
  uint8_t warp, sr;
  bool high;
};

static struct newcomer next_newcomer(const struct caba_awc_cfg *cfg, const struct caba_awc_state *s,
                                     const struct caba_awc_in *in, uint32_t row, bool *pops, bool *allocates) {
  struct newcomer n = {.high = true};
  uint32_t h = s->wait_head;
  *allocates = false;
  *pops = head_leaves(cfg, s);
  if (s->wait_n) {
    n.warp = s->wait_warp[h], n.sr = s->wait_sr[h], n.mask = s->wait_mask[h];
    n.live = s->wait_live[h], n.arg = s->wait_arg[h];
    bool killed = in->kill_valid && n.warp == in->kill_warp && n.sr == in->kill_sr;
    if (!*pops || !has(s->wait_there, h) || killed) return n;
  } else {
    if (row == TRIG_MAX || !can_start(cfg, s, in->tr_warp, s->row_sr[row])) return n;
    n.warp = in->tr_warp, n.sr = s->row_sr[row], n.mask = in->tr_mask;
    n.live = s->row_live[row], n.arg = in->tr_arg, n.high = s->row_high[row];
    *allocates = true;
  }
  n.slot = lowest(~s->valid);
  n.at = bit(n.slot);
  return n;
}

/* Triggers that wait: kills, the first one leaves, a new one comes. */
static void queue(const struct caba_awc_cfg *cfg, struct caba_awc_state *s, const struct caba_awc_in *in, uint32_t row,
                  bool pops, bool pushes) {
  uint32_t wrap = (uint32_t)cfg->WAIT - 1, tail = (s->wait_head + s->wait_n) & wrap, there = s->wait_there;
  for (uint32_t left = in->kill_valid ? there : 0; left; left &= left - 1) {
    uint32_t i = lowest(left);
    if (s->wait_warp[i] == in->kill_warp && s->wait_sr[i] == in->kill_sr) there &= ~(1U << i);
  }
  if (pops) there &= ~(1U << s->wait_head);
  if (pushes) {
    there |= 1U << tail;
    s->wait_warp[tail] = in->tr_warp, s->wait_sr[tail] = s->row_sr[row], s->wait_mask[tail] = in->tr_mask;
    s->wait_live[tail] = s->row_live[row], s->wait_arg[tail] = in->tr_arg;
  }
  s->wait_there = (uint8_t)there;
  s->wait_n = (uint8_t)(s->wait_n + pushes - pops);
  s->wait_head = (uint8_t)((s->wait_head + pops) & wrap);
}

/* The AWT: kills, delivery, branch, end, pick, newcomer. */
static void entries(const struct caba_awc_cfg *cfg, struct caba_awc_state *s, const struct caba_awc_in *in,
                    const struct newcomer *n) {
  uint64_t kept = survivors(s, in), dl_at = s->dl ? bit(s->dl_awt) : 0, run = s->run, drain = s->drain;
  uint64_t resolved = in->br_valid ? bit(in->br_awt) & kept & ~run & ~drain : 0;
  uint64_t freed = in->done_valid ? bit(in->done_awt) & kept & drain : 0;
  if (in->dl_br || in->dl_end) run &= ~dl_at;
  if (in->dl_end) drain |= dl_at;
  run = (run | resolved) & kept;
  bool high;
  uint64_t from = can_fetch(s, in, run, &high), later = from & ~UINT64_C(0) << (high ? s->high_at : s->low_at);
  uint32_t pick = from ? lowest(later ? later : from) : 0;
  if (s->dl) s->inst[s->dl_awt] = (uint8_t)(s->inst[s->dl_awt] + in->dl_n);
  if (resolved) s->inst[in->br_awt] = in->br_tgt;
  s->dl = s->pk && has(kept, s->pk_awt);
  s->dl_awt = s->pk_awt;
  s->pk = from != 0;
  if (freed) s->resume_arg = s->arg[in->done_awt];
  s->resume = (freed & s->high) != 0;
  uint64_t stay = kept & ~freed;
  s->started = (s->started & stay) | (from && !high ? bit(pick) : 0);
  s->valid = stay | n->at;
  s->run = run | n->at;
  s->drain = drain & stay;
  s->high = (s->high & stay) | (n->high ? n->at : 0);
  if (from) {
    s->pk_awt = (uint8_t)pick;
    *(high ? &s->high_at : &s->low_at) = (uint8_t)((pick + 1) & (uint32_t)(cfg->AWT - 1));
  }
  if (!n->at) return;
  s->warp[n->slot] = n->warp, s->sr[n->slot] = n->sr, s->inst[n->slot] = 0;
  s->mask[n->slot] = n->mask, s->live[n->slot] = n->live, s->arg[n->slot] = n->arg;
}

static void write_row(const struct caba_awc_cfg *cfg, struct caba_awc_state *s, const struct caba_awc_in *in) {
  uint32_t r = in->cfg_row;
  if (in->clear_en) s->there = 0;
  if (!in->cfg_en || r >= (uint32_t)cfg->TRIG) return;
  s->there |= 1U << r;
  s->event[r] = in->cfg_event, s->enc[r] = in->cfg_enc, s->enc_mask[r] = in->cfg_enc_mask, s->pc[r] = in->cfg_pc;
  s->pc_any[r] = in->cfg_pc_any, s->row_sr[r] = in->cfg_sr, s->row_high[r] = in->cfg_high,
  s->row_live[r] = in->cfg_live;
}

/* The cycles of this run; the window may end in it. */
static void throttle(const struct caba_awc_cfg *cfg, struct caba_awc_state *s, const struct caba_awc_in *in) {
  uint32_t window = (uint32_t)cfg->WINDOW, run = in->run > window ? window : in->run, left = window - s->cycles;
  uint32_t part = run < left ? run : left, idle = in->idle_slots > SLOTS ? SLOTS : in->idle_slots;
  uint32_t idles = s->idle + part * idle, fulls = s->full + (in->lsu_full ? part : 0);
  s->cycles = (uint16_t)(s->cycles + part);
  s->idle = (uint16_t)idles, s->full = (uint16_t)fulls;
  if (s->cycles < window) return;
  bool tight = idles * TIGHT < window * SLOTS || fulls * 2 > window;
  s->cap = (uint8_t)(tight ? s->cap / 2 : s->cap == cfg->CAP ? s->cap : s->cap + 1);
  s->cycles = (uint16_t)(run - part);
  s->idle = (uint16_t)(s->cycles * idle), s->full = in->lsu_full ? s->cycles : 0;
}

static void caba_awc_tick(const struct caba_awc_cfg *cfg, struct caba_awc_state *s, const struct caba_awc_in *in,
                          const struct caba_awc_out *out) {
  uint32_t row = out->tr_ready ? row_of(s, in) : TRIG_MAX;
  bool pops, allocates;
  struct newcomer n = next_newcomer(cfg, s, in, row, &pops, &allocates);
  bool asks = row != TRIG_MAX, high = asks && s->row_high[row];
  entries(cfg, s, in, &n);
  queue(cfg, s, in, row, pops, high && !allocates);
  write_row(cfg, s, in);
  if (in->clear_en) {
    s->cycles = s->idle = s->full = s->drops = 0;
    s->cap = (uint8_t)cfg->CAP;
    return;
  }
  throttle(cfg, s, in);
  s->drops = (uint16_t)(s->drops + (asks && !high && !allocates));
}

#include "caba_awc_model.inc"
