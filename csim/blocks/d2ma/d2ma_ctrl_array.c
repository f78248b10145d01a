/* SPDX-License-Identifier: Apache-2.0 */
/* The controllers of the D2MA engine (Jamshidi 2014, section 4.1): buffer management tables and (assumption) the life
 * of each entry: state, queue, arrivals, waiting warps. The header of rtl/d2ma/d2ma_ctrl_array.v states the contract of
 * the ports.
 *
 * settle computes a cycle as far as it does not depend on the inputs that are sampled at the clock edge; finish continues from
 * there. An entry is row cta * BUFS + buf, and one bit in each mask. */
#include "block/block.h"
#include "d2ma_ctrl_array_ports.h"

enum { ROWS_MAX = 64, CTAS_MAX = 16, BUFS_MAX = 4 };
enum { KIND_CONFIGURE = 1, KIND_EXECUTE = 2 };
enum { ACT_NONE, ACT_WRITE, ACT_ARRIVE, ACT_WAIT };

/* What a cycle comes to before its clock edge; of a quiet one nothing is worked out. */
struct d2ma_ctrl_array_step {
  bool quiet;
  uint64_t wr, clr, all_in, fin, leave, over, opened, next;
  uint64_t exits, clr_warps, released, joined;
  uint32_t wr_row, picked, next_row, look, freed_next, join_cta;
  uint8_t act, joins, join, collect, ignition, go_live, go_arm, arms, join_buf, clr_on, exit_on, dead, load;
};

struct d2ma_ctrl_array_state {
  uint32_t bases[ROWS_MAX][3]; /* group 0: gbase, sbase */
  uint64_t shape[ROWS_MAX];    /* group 1: dim2, stride, count */
  uint64_t word[ROWS_MAX];     /* group 2: hconst, region, hcols, hrows, mode */
  uint8_t esz[ROWS_MAX];       /* group 3 */
  uint64_t grp0, grp1, grp2, grp3;
  uint64_t armed, full, ready, flying, done, open, stale;
  uint16_t count[ROWS_MAX];
  uint32_t entry[6];
  uint8_t run, run_cta, run_buf, read, load, head, tail, queue[ROWS_MAX], next_on, next;
  uint64_t queued;
  uint64_t warps[CTAS_MAX], gone, arrived[BUFS_MAX], wait;
  uint16_t cta, look, rel;
  uint8_t ck_set, ck_clr, ck_stale, ck_arm, ck_forget, ck_cta, ck_buf, ck_warp;
};

static void d2ma_ctrl_array_reset(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static inline uint64_t bit_if(uint32_t on, uint32_t index) { return (uint64_t)(on != 0) << (index & 63); }
static inline uint64_t low_bits(uint32_t n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }
static inline uint32_t lowest(uint64_t mask) { return mask ? (uint32_t)__builtin_ctzll(mask) : 0; }

static inline uint64_t warps_of(const struct d2ma_ctrl_array_state *s, uint32_t cta) {
  return s->cta >> cta & 1 ? s->warps[cta] : 0;
}
/* {cta, buf} in the format of the queue and the ports. */
static inline uint32_t place_of(const struct d2ma_ctrl_array_cfg *cfg, uint32_t row) {
  uint32_t bufs = (uint32_t)cfg->BUFS;
  return row / bufs << block_bits(bufs) | row % bufs;
}
static inline uint32_t row_of(const struct d2ma_ctrl_array_cfg *cfg, uint32_t place) {
  uint32_t bufs = (uint32_t)cfg->BUFS, bits = block_bits(bufs);
  return (place >> bits) * bufs + (place & ((1U << bits) - 1));
}

/* ---- the entry's 173 bits ---- */

struct entry {
  uint32_t bases[3];
  uint64_t shape, word;
  uint32_t esz;
};

static inline struct entry stored(const struct d2ma_ctrl_array_state *s, uint32_t row, uint64_t counts) {
  struct entry e = {.bases = {0}};
  if (s->grp0 & counts) __builtin_memcpy(e.bases, s->bases[row], sizeof e.bases);
  if (s->grp1 & counts) e.shape = s->shape[row];
  if (s->grp2 & counts) e.word = s->word[row];
  if (s->grp3 & counts) e.esz = s->esz[row];
  return e;
}

static inline void pack(const struct entry *e, uint32_t *v) {
  v[0] = e->bases[0];
  v[1] = e->bases[1];
  v[2] = e->bases[2] | (uint32_t)e->shape << 16;
  v[3] =
    (uint32_t)(e->shape >> 16 & 0xffff) | e->esz << 16 | (uint32_t)(e->shape >> 32) << 18 | (uint32_t)e->word << 19;
  v[4] = (uint32_t)(e->word >> 13);
  v[5] = (uint32_t)(e->word >> 45);
}

/* Replaces the groups that the operation writes. */
static inline void merge(struct entry *e, const uint32_t *v, uint32_t groups) {
  if (groups & 1) e->bases[0] = v[0], e->bases[1] = v[1], e->bases[2] = v[2] & 0xffff;
  if (groups & 2) e->shape = (uint64_t)(v[3] >> 18 & 1) << 32 | (v[3] & 0xffff) << 16 | v[2] >> 16;
  if (groups & 4) e->word = v[3] >> 19 | (uint64_t)v[4] << 13 | (uint64_t)(v[5] & 0x1fff) << 45;
  if (groups & 8) e->esz = v[3] >> 16 & 3;
}

static inline bool has_elements(const struct entry *e) {
  uint32_t count = e->shape & 0xffff;
  return e->shape >> 32 & 1 ? (count & 0xff) && count >> 8 : count != 0;
}

/* ---- settle ---- */

static void decode(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_in *in,
                   struct d2ma_ctrl_array_step *p) {
  uint32_t bufs = (uint32_t)cfg->BUFS;
  bool wr_on = in->wr_en && in->wr_cta < cfg->CTAS && in->wr_buf < cfg->BUFS && in->wr_warp < cfg->WARPS;
  p->clr_on = in->clr_cta_en && in->clr_cta < cfg->CTAS;
  p->wr_row = wr_on ? in->wr_cta * bufs + in->wr_buf : 0;
  p->wr = bit_if(wr_on, p->wr_row);
  p->clr = p->clr_on ? low_bits(bufs) << in->clr_cta * bufs : 0;
  p->clr_warps = p->clr_on ? in->clr_warps : 0;
  p->exit_on = in->exit_en && in->exit_cta < cfg->CTAS && in->exit_warp < cfg->WARPS;
  p->exits = bit_if(p->exit_on, in->exit_warp);
}

static uint32_t act_of(const struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in,
                       const struct d2ma_ctrl_array_step *p) {
  if (!p->wr) return ACT_NONE;
  bool idle = !((s->armed | s->ready | s->flying | s->done) & p->wr), cleared = p->clr & p->wr;
  bool stale = (s->stale & p->wr) || (cleared && !idle), open = (s->open & p->wr) && !cleared;
  if (stale) return ACT_WAIT;
  if (in->wr_kind == KIND_EXECUTE) {
    if (cleared || !(s->grp0 & s->grp1 & p->wr)) return ACT_NONE;
    if (in->literal) return idle ? ACT_WRITE : ACT_NONE;
  }
  if (idle && !open) return ACT_WRITE;
  if (open && !(s->arrived[in->wr_buf] >> in->wr_warp & 1)) return ACT_ARRIVE;
  return in->literal ? ACT_NONE : ACT_WAIT;
}

/* The arrivals that the operation or the watchdog adds to one buffer, and what becomes of the operation's entry. */
static void join(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                 const struct d2ma_ctrl_array_in *in, struct d2ma_ctrl_array_step *p) {
  bool configure = in->wr_kind == KIND_CONFIGURE, execute = in->wr_kind == KIND_EXECUTE;
  bool force = in->force_en && !in->wr_en && in->force_cta < cfg->CTAS && in->force_buf < cfg->BUFS;
  uint64_t bit = UINT64_C(1) << (in->wr_warp & 63), warps = 0;
  if (!p->wr && !force) return;
  p->join_cta = in->wr_en ? in->wr_cta : in->force_cta;
  warps = p->clr_on && in->clr_cta == p->join_cta ? p->clr_warps : warps_of(s, p->join_cta);
  p->ignition = configure || execute;
  p->collect = p->act == ACT_WRITE && (configure || (execute && !in->literal));
  p->joins = p->collect || (p->act == ACT_ARRIVE && p->ignition);
  p->join = p->joins || force;
  p->join_buf = in->wr_en ? in->wr_buf : in->force_buf;
  p->arms = p->act == ACT_ARRIVE && p->ignition && (s->armed & ~p->clr & p->wr);
  if (p->act == ACT_WRITE && p->ignition) {
    bool alone = !(warps & ~(s->gone | p->exits) & ~bit);
    bool first = (p->clr & p->wr) || !(s->grp0 & s->grp1 & p->wr);
    p->go_live = in->literal || (configure && first) || alone;
    p->go_arm = !p->go_live;
  }
  if (!p->join) return;
  p->joined = s->arrived[p->join_buf];
  if (p->collect) p->joined &= ~warps;
  p->joined |= p->joins ? bit : warps;
}

/* The generations of the CTA that is looked at which every live warp has joined. */
static uint64_t all_in(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s) {
  uint64_t found = 0;
  if (!s->look) return 0;
  uint32_t cta = lowest(s->look);
  uint64_t live = warps_of(s, cta) & ~s->gone;
  for (uint32_t b = 0; b < BUFS_MAX; b++) found |= (uint64_t) !(live & ~s->arrived[b]) << b;
  return (found & low_bits((uint32_t)cfg->BUFS)) << cta * (uint32_t)cfg->BUFS;
}

/* Chooses the entry that is reported to the checker, the generations that end, and the warps that are released. */
static void pick(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                 const struct d2ma_ctrl_array_in *in, struct d2ma_ctrl_array_step *p) {
  uint64_t occupied = s->armed | s->ready | s->flying | s->done;
  p->all_in = all_in(cfg, s);
  p->look = s->look & -(uint32_t)s->look;
  if (!in->wr_en) {
    p->fin = s->done & ~p->clr;
    p->fin &= -p->fin;
    if (!p->fin) p->leave = s->full & ~p->clr;
    p->leave &= -p->leave;
  }
  p->picked = lowest(p->fin | p->leave);
  p->opened = s->open & ~p->clr;
  p->over = p->opened & p->all_in & ~occupied;
  if (p->fin | p->leave) p->freed_next = 1U << p->picked / (uint32_t)cfg->BUFS;
  for (uint32_t rest = s->rel; rest; rest &= rest - 1) p->released |= warps_of(s, lowest(rest));
}

/* The address generator gets the entry in `next`, unless that was killed. */
static void choose_start(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                         struct d2ma_ctrl_array_step *p) {
  if (s->run || !s->next_on) return;
  p->next_row = row_of(cfg, s->next);
  p->next = UINT64_C(1) << p->next_row;
  p->dead = ((s->stale | p->clr) & p->next) != 0;
  p->load = !p->dead;
}

static void step_of(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                    const struct d2ma_ctrl_array_in *in, struct d2ma_ctrl_array_step *p) {
  __builtin_memset(p, 0, sizeof *p); /* quiet too */
  decode(cfg, in, p);
  p->act = (uint8_t)act_of(s, in, p);
  join(cfg, s, in, p);
  pick(cfg, s, in, p);
  choose_start(cfg, s, p);
}

static inline uint32_t run_row(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s) {
  return s->run_cta * (uint32_t)cfg->BUFS + s->run_buf;
}

static inline bool footprint_wanted(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_in *in) {
  return in->fp_en && in->fp_cta < cfg->CTAS && in->fp_buf < cfg->BUFS;
}

/* Fast path: only the address generator works, and replies come, as in most cycles of a transfer. Or-ed words, since a
 * branch for each would cost more than the rest of such a cycle. */
static inline bool is_quiet(const struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in) {
  uint8_t asked = in->wr_en | in->clr_cta_en | in->exit_en | in->force_en | in->wt_en | in->fp_en | in->wk_en;
  uint8_t told = s->ck_set | s->ck_clr | s->ck_arm | s->read;
  uint16_t ctas = s->look | s->rel;
  if (asked | told | ctas || (s->done | s->full)) return false;
  return s->next_on ? s->run : !(s->queued >> s->head & 1);
}

static void registers_out(const struct d2ma_ctrl_array_state *s, struct d2ma_ctrl_array_out *out) {
  out->ck_set = s->ck_set, out->ck_clr = s->ck_clr, out->ck_stale = s->ck_stale;
  out->ck_arm = s->ck_arm, out->ck_forget = s->ck_forget;
  out->ck_cta = s->ck_cta, out->ck_buf = s->ck_buf, out->ck_warp = s->ck_warp;
  out->freed = s->rel;
  out->fp_ok = s->read && !s->load;
  if (s->read) __builtin_memcpy(out->ag_entry, s->entry, sizeof out->ag_entry);
  out->busy =
    s->run || s->read || s->look || s->next_on || s->rel || s->done || s->full || s->ck_set || s->ck_clr || s->ck_arm;
}

/* The outputs of a cycle in which events happen. */
static __attribute__((noinline)) void events_out(const struct d2ma_ctrl_array_cfg *cfg,
                                                 const struct d2ma_ctrl_array_state *s,
                                                 const struct d2ma_ctrl_array_in *in, struct d2ma_ctrl_array_out *out,
                                                 struct d2ma_ctrl_array_step *p) {
  step_of(cfg, s, in, p);
  struct entry e = {.bases = {0}};
  __builtin_memset(out, 0, sizeof *out);
  out->wr_act = p->act;
  if (p->wr) e = stored(s, p->wr_row, p->wr & ~p->clr);
  if (p->act == ACT_WRITE) merge(&e, in->wr_data, in->wr_grp);
  pack(&e, out->rd_entry);
  out->rd_some = has_elements(&e);
  out->full_cfg = s->grp0 & s->grp1 & ~p->clr;
  out->go_live = p->go_live;
  out->go_arm = p->go_arm;
  registers_out(s, out);
  out->ag_abort = (bit_if(s->run, run_row(cfg, s)) & p->clr) != 0;
  out->ag_start = s->load && !out->ag_abort;
  if (out->ag_start) out->ag_cta = s->run_cta, out->ag_buf = s->run_buf;
  out->freed_next = (uint16_t)(p->freed_next | (uint32_t)bit_if(s->ck_clr || s->ck_forget, s->ck_cta));
  out->wake = (s->wait | bit_if(p->act == ACT_WAIT, in->wr_warp)) & p->released;
  out->armed = s->armed & ~p->clr & ~p->leave;
  out->open = (p->opened | (p->collect ? p->wr : 0)) & ~p->over;
  out->moving = (s->ready | s->flying | s->done | p->leave | (s->armed & p->clr)) & ~p->fin;
}

static void d2ma_ctrl_array_settle(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                                   const struct d2ma_ctrl_array_in *in, struct d2ma_ctrl_array_out *out,
                                   struct d2ma_ctrl_array_step *p) {
  p->quiet = is_quiet(s, in);
  if (!p->quiet) {
    events_out(cfg, s, in, out, p);
    return;
  }
  __builtin_memset(out, 0, sizeof *out);
  out->full_cfg = s->grp0 & s->grp1;
  out->armed = s->armed;
  out->open = s->open;
  out->moving = s->ready | s->flying;
  out->busy = s->run | s->next_on;
}

/* ---- finish ---- */

static void write_entry(struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in,
                        const struct d2ma_ctrl_array_step *p) {
  struct entry e = {.bases = {0}};
  uint32_t row = p->wr_row, groups = p->act == ACT_WRITE ? in->wr_grp : 0;
  merge(&e, in->wr_data, groups);
  s->grp0 = (s->grp0 & ~p->clr) | (groups & 1 ? p->wr : 0);
  s->grp1 = (s->grp1 & ~p->clr) | (groups & 2 ? p->wr : 0);
  s->grp2 = (s->grp2 & ~p->clr) | (groups & 4 ? p->wr : 0);
  s->grp3 = (s->grp3 & ~p->clr) | (groups & 8 ? p->wr : 0);
  if (groups & 1) __builtin_memcpy(s->bases[row], e.bases, sizeof e.bases);
  if (groups & 2) s->shape[row] = e.shape;
  if (groups & 4) s->word[row] = e.word;
  if (groups & 8) s->esz[row] = (uint8_t)e.esz;
}

/* Bits of a reply counter. */
static inline uint16_t wrapped(const struct d2ma_ctrl_array_cfg *cfg, uint32_t count) {
  return (uint16_t)(count & ((1U << block_clog2((uint32_t)cfg->MSHRS + 1)) - 1));
}

/* The reply of this cycle, and the entry in the address generator: counts a request, ends, or a new entry begins. */
static void run(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_step *p) {
  bool fl_on = in->fl_en && in->fl_cta < cfg->CTAS && in->fl_buf < cfg->BUFS;
  uint32_t row = fl_on ? in->fl_cta * (uint32_t)cfg->BUFS + in->fl_buf : 0;
  uint64_t fill = bit_if(fl_on, row), at = run_row(cfg, s), running = bit_if(s->run, (uint32_t)at);
  if (fill & s->flying & ~running) {
    uint16_t before = s->count[row];
    s->count[row] = wrapped(cfg, before - 1U);
    if (before == 1) s->flying &= ~fill, s->done |= fill;
  }
  if (s->run) {
    bool aborts = running & p->clr;
    uint16_t count = wrapped(cfg, s->count[at] + (in->ag_taken && !aborts ? 1U : 0U) - (fill & running ? 1U : 0U));
    s->count[at] = count;
    if (!aborts && !in->ag_done) return;
    s->run = 0;
    if (count) return;
    s->flying &= ~running;
    s->done |= running;
  } else if (p->load) {
    uint32_t bits = block_bits((uint32_t)cfg->BUFS);
    s->run = 1;
    s->run_cta = (uint8_t)(s->next >> bits), s->run_buf = (uint8_t)(s->next & ((1U << bits) - 1));
    s->flying |= p->next;
    s->count[p->next_row] = 0;
  }
}

static inline uint8_t after(uint8_t slot, uint32_t rows) { return slot + 1U == rows ? 0 : (uint8_t)(slot + 1); }

/* Moves the queue up and appends the entry `place` (if `push`). */
static void move_queue(struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_step *p, uint32_t rows, bool push,
                       uint8_t place) {
  bool some = s->queued >> s->head & 1, next_free = !s->next_on || p->next;
  if (p->next) s->next_on = 0;
  uint8_t tail = s->tail;
  uint64_t added = 0;
  bool into_next = push && next_free && !some;
  if (push && !into_next) {
    added = UINT64_C(1) << tail;
    s->tail = after(tail, rows);
  }
  if (next_free && some) {
    s->next_on = 1;
    s->next = s->queue[s->head];
    s->queued &= ~(UINT64_C(1) << s->head);
    s->head = after(s->head, rows);
  }
  if (into_next) s->next_on = 1, s->next = place;
  if (added) s->queue[tail] = place, s->queued |= added;
}

/* Reads the entry that is to start, or else the one whose footprint is wanted. */
static void read_entry(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                       const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_step *p) {
  bool wanted = footprint_wanted(cfg, in);
  s->load = p->load;
  s->read = p->load || (wanted && !p->next);
  if (!s->read) return;
  uint32_t row = p->next ? p->next_row : in->fp_cta * (uint32_t)cfg->BUFS + in->fp_buf;
  struct entry e = stored(s, row, (UINT64_C(1) << row) & ~p->clr);
  pack(&e, s->entry);
}

/* What the checker is told in the next cycle. */
static void tell_checker(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                         const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_step *p, bool go) {
  uint32_t bits = block_bits((uint32_t)cfg->BUFS);
  bool op = p->arms || ((p->go_live || p->go_arm) && go);
  uint32_t place = p->fin | p->leave ? place_of(cfg, p->picked) : 0;
  s->ck_set = (p->go_live && go) || p->leave;
  s->ck_clr = p->fin != 0;
  s->ck_stale = (p->fin & s->stale) != 0;
  s->ck_arm = p->arms || (p->go_arm && go);
  s->ck_forget = p->leave || s->ck_stale;
  s->ck_cta = op ? in->wr_cta : (uint8_t)(place >> bits);
  s->ck_buf = op ? in->wr_buf : (uint8_t)(place & ((1U << bits) - 1));
  s->ck_warp = s->ck_arm ? in->wr_warp : 0;
}

/* Warps: arrivals, ends, waits and releases; CTAs to be looked at. */
static void move_warps(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                       const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_step *p) {
  bool hit = in->wt_en && in->wt_hit && in->wt_cta < cfg->CTAS && in->wt_warp < cfg->WARPS;
  bool woken = in->wk_en && in->wk_cta < cfg->CTAS;
  s->look = (uint16_t)((s->look & ~p->look) | bit_if(p->join, p->join_cta) | bit_if(p->exit_on, in->exit_cta) |
                       (p->fin ? p->freed_next : 0));
  s->rel =
    (uint16_t)(bit_if(s->ck_clr || s->ck_forget, s->ck_cta) | (p->over ? p->look : 0) | bit_if(woken, in->wk_cta));
  if (p->join) s->arrived[p->join_buf] = p->joined;
  s->gone = (s->gone | p->exits) & ~p->clr_warps;
  s->wait = (s->wait & ~p->clr_warps) | bit_if(p->act == ACT_WAIT, in->wr_warp) | bit_if(hit, in->wt_warp);
  s->wait &= ~p->released & ~p->exits;
  if (p->clr_on) {
    s->cta |= (uint16_t)(1U << in->clr_cta);
    s->warps[in->clr_cta] = in->clr_warps;
  }
}

/* A cycle in which events happen. */
static __attribute__((noinline)) void events(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                                             const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_out *out,
                                             const struct d2ma_ctrl_array_step *p) {
  uint32_t bufs = (uint32_t)cfg->BUFS, rows = (uint32_t)cfg->CTAS * bufs;
  bool go = in->wr_go && out->rd_some, born = p->go_live && go;
  uint64_t occupied = s->armed | s->ready | s->flying | s->done, born_row = born ? p->wr : 0;
  uint64_t killed_armed = s->armed & p->clr, full = s->full | (s->armed & p->all_in);
  read_entry(cfg, s, in, p); /* as it was before this cycle's operation */
  write_entry(s, in, p);
  move_warps(cfg, s, in, p); /* reads what the checker was told last */
  tell_checker(cfg, s, in, p, go);
  s->done = (s->done | killed_armed | (p->dead ? p->next : 0)) & ~p->fin;
  s->full = full & ~p->clr & ~p->leave;
  s->armed = out->armed | (p->go_arm && go ? p->wr : 0);
  s->ready = (s->ready & ~p->next) | p->leave | born_row;
  s->stale = (s->stale & ~p->fin) | (p->clr & occupied);
  s->open = out->open;
  run(cfg, s, in, p);
  uint32_t bits = block_bits(bufs);
  move_queue(s, p, rows, p->leave || born, (uint8_t)((uint32_t)s->ck_cta << bits | s->ck_buf));
}

static void d2ma_ctrl_array_finish(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                                   const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_out *out,
                                   struct d2ma_ctrl_array_step *p) {
  static const struct d2ma_ctrl_array_step nothing;
  if (!p->quiet) events(cfg, s, in, out, p);
  else if (in->fl_en | in->ag_taken | in->ag_done) run(cfg, s, in, &nothing);
}

#include "d2ma_ctrl_array_model.inc"
