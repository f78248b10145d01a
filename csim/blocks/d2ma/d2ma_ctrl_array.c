/* SPDX-License-Identifier: Apache-2.0 */
/* The controllers of the D2MA engine (Jamshidi 2014, section 4.1): buffer management tables and (assumption) the life
 * of each entry: state, queue, arrivals, waiting warps. The header of rtl/d2ma/d2ma_ctrl_array.v states the contract of
 * the ports.
 *
 * eval computes a cycle as far as it does not depend on the inputs that are sampled at the clock edge (struct step);
 * tick continues from there. An entry is row cta * BUFS + buf, and one bit in each mask. */
#include "block/block.h"
#include "d2ma_ctrl_array_ports.h"

enum { ROWS_MAX = 64, CTAS_MAX = 16, BUFS_MAX = 4 };
enum { KIND_CONFIGURE = 1, KIND_EXECUTE = 2 };
enum { ACT_NONE, ACT_WRITE, ACT_ARRIVE, ACT_WAIT };

/* Results of eval that tick needs. */
struct step {
  uint64_t wr, clr, fill, reply_out, full, fin, leave, over, opened, start;
  uint64_t done, exits, clr_warps, view_warps, released, joined;
  uint32_t wr_row, fl_row, start_row, picked, start_place, freed, view;
  uint8_t act, pop, dead, direct, joins, join, collect, ignition, go_live, go_arm, go_start, join_buf, clr_on, exit_on;
};

struct d2ma_ctrl_array_state {
  uint32_t bases[ROWS_MAX][3]; /* group 0: gbase, sbase */
  uint64_t shape[ROWS_MAX];    /* group 1: dim2, stride, count */
  uint64_t word[ROWS_MAX];     /* group 2: hconst, region, hcols, hrows, mode */
  uint8_t esz[ROWS_MAX];       /* group 3 */
  uint64_t grp0, grp1, grp2, grp3;
  uint64_t armed, ready, flying, done, open, stale;
  uint16_t count[ROWS_MAX];
  uint8_t run, run_row, head, tail, queue[ROWS_MAX];
  uint64_t queued;
  uint64_t warps[CTAS_MAX], gone, arrived[BUFS_MAX], wait;
  uint16_t cta, look;
  uint8_t rel, rel_cta;
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

/* ---- eval ---- */

static void decode(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_in *in, struct step *p) {
  uint32_t bufs = (uint32_t)cfg->BUFS;
  bool wr_on = in->wr_en && in->wr_cta < cfg->CTAS && in->wr_buf < cfg->BUFS && in->wr_warp < cfg->WARPS;
  bool fl_on = in->fl_en && in->fl_cta < cfg->CTAS && in->fl_buf < cfg->BUFS;
  p->clr_on = in->clr_cta_en && in->clr_cta < cfg->CTAS;
  p->wr_row = wr_on ? in->wr_cta * bufs + in->wr_buf : 0;
  p->fl_row = fl_on ? in->fl_cta * bufs + in->fl_buf : 0;
  p->wr = bit_if(wr_on, p->wr_row);
  p->fill = bit_if(fl_on, p->fl_row);
  p->clr = p->clr_on ? low_bits(bufs) << in->clr_cta * bufs : 0;
  p->clr_warps = p->clr_on ? in->clr_warps : 0;
  p->exit_on = in->exit_en && in->exit_cta < cfg->CTAS && in->exit_warp < cfg->WARPS;
  p->exits = bit_if(p->exit_on, in->exit_warp);
}

static uint32_t act_of(const struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in,
                       const struct step *p) {
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

/* Chooses the CTA whose arrivals are checked, and the arrivals that the operation or the watchdog adds to one
 * buffer. */
static void join(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                 const struct d2ma_ctrl_array_in *in, struct step *p) {
  bool configure = in->wr_kind == KIND_CONFIGURE, execute = in->wr_kind == KIND_EXECUTE;
  bool force = in->force_en && !in->wr_en && in->force_cta < cfg->CTAS && in->force_buf < cfg->BUFS;
  uint64_t bit = UINT64_C(1) << (in->wr_warp & 63);
  uint32_t cta = lowest(s->look);
  p->ignition = configure || execute;
  p->collect = p->act == ACT_WRITE && (configure || (execute && !in->literal));
  p->joins = p->collect || (p->act == ACT_ARRIVE && p->ignition);
  p->join = p->joins || force;
  p->join_buf = p->joins ? in->wr_buf : in->force_buf;
  if (p->joins) cta = in->wr_cta;
  else if (force) cta = in->force_cta;
  else if (p->exit_on) cta = in->exit_cta;
  else if (p->done) cta = lowest(p->done) / (uint32_t)cfg->BUFS;
  if (p->join || p->exit_on || p->done || s->look) {
    p->view = 1U << cta;
    p->view_warps = p->clr_on && in->clr_cta == cta ? p->clr_warps : warps_of(s, cta);
  }
  if (p->act == ACT_WRITE && p->ignition) {
    bool alone = !(p->view_warps & ~(s->gone | p->exits) & ~bit);
    bool first = (p->clr & p->wr) || !(s->grp0 & s->grp1 & p->wr);
    p->go_live = in->literal || (configure && first) || alone;
    p->go_arm = !p->go_live;
  }
  if (!p->join) return;
  p->joined = s->arrived[p->join_buf];
  if (p->collect) p->joined &= ~p->view_warps;
  p->joined |= p->joins ? bit : p->view_warps;
}

/* The generations of that CTA that every live warp has joined. */
static uint64_t all_in(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                       const struct step *p) {
  uint64_t found = 0, live = p->view_warps & ~(s->gone | p->exits);
  if (!p->view) return 0;
  for (uint32_t b = 0; b < BUFS_MAX; b++)
    found |= (uint64_t) !(live & ~(p->join && p->join_buf == b ? p->joined : s->arrived[b])) << b;
  return (found & low_bits((uint32_t)cfg->BUFS)) << lowest(p->view) * (uint32_t)cfg->BUFS;
}

/* Chooses the one entry that is reported to the checker, the generations that end, and the CTAs that are released. */
static void pick(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s, struct step *p) {
  uint64_t occupied = s->armed | s->ready | s->flying | s->done, joined = all_in(cfg, s, p);
  bool arrive = p->act == ACT_ARRIVE && p->ignition;
  p->full = s->armed & ~p->clr & joined;
  bool leaves = arrive && (p->full & p->wr), arms = arrive && (s->armed & p->wr) && !leaves;
  bool st_free = !p->go_live && !leaves, arm_free = !p->go_arm && !arms && !leaves;
  if (st_free) p->fin = arm_free ? p->done : p->done & ~s->stale;
  p->fin &= -p->fin;
  p->leave = leaves ? p->wr : st_free && arm_free && !p->fin ? p->full : 0;
  p->leave &= -p->leave;
  p->picked = lowest(p->fin | p->leave);
  p->opened = s->open & ~p->clr;
  p->over = p->opened & joined & (~occupied | p->fin) & ~(p->act == ACT_WRITE ? p->wr : 0);
  if (s->rel) {
    p->freed = 1U << s->rel_cta;
    p->released = warps_of(s, s->rel_cta);
  }
  if (p->over & ~occupied) {
    p->freed |= p->view;
    p->released |= p->view_warps;
  }
}

static void choose_start(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                         const struct d2ma_ctrl_array_in *in, struct step *p) {
  if (s->run) return;
  uint32_t here = (uint32_t)in->wr_cta << block_bits((uint32_t)cfg->BUFS) | in->wr_buf;
  p->pop = s->queued >> s->head & 1;
  p->direct = !p->pop && p->leave;
  p->go_start = !p->pop && p->go_live;
  p->start_place = p->pop ? s->queue[s->head] : p->go_live ? here : place_of(cfg, p->picked);
  p->start_row = row_of(cfg, p->start_place);
  p->dead = p->pop && ((s->stale | p->clr) >> p->start_row & 1);
  if ((p->pop && !p->dead) || p->direct) p->start = UINT64_C(1) << p->start_row;
}

static void step_of(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                    const struct d2ma_ctrl_array_in *in, struct step *p) {
  __builtin_memset(p, 0, sizeof *p);
  decode(cfg, in, p);
  p->act = (uint8_t)act_of(s, in, p);
  uint64_t running = bit_if(s->run, s->run_row);
  if (s->count[p->fl_row] == 1) p->reply_out = p->fill & s->flying & ~running;
  p->done = (s->done | (in->fl_long ? 0 : p->reply_out)) & ~p->clr;
  join(cfg, s, in, p);
  pick(cfg, s, p);
  choose_start(cfg, s, in, p);
}

static void entries_out(const struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in,
                        const struct step *p, struct d2ma_ctrl_array_out *out) {
  struct entry e = {.bases = {0}};
  if (p->wr) e = stored(s, p->wr_row, p->wr & ~p->clr);
  if (p->act == ACT_WRITE) merge(&e, in->wr_data, in->wr_grp);
  pack(&e, out->rd_entry);
  if (p->start) e = stored(s, p->start_row, p->start);
  else if (!p->go_start) e = (struct entry){.bases = {0}};
  pack(&e, out->ag_entry);
}

/* Fast path: no input is active and only the address generator works, as in most cycles of a transfer. */
static inline bool quiet(const struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in) {
  return !(in->wr_en | in->clr_cta_en | in->exit_en | in->force_en | in->fl_en | in->wt_en) && !s->look && !s->done &&
         !s->rel && (s->run || !(s->queued >> s->head & 1));
}

static void d2ma_ctrl_array_eval(const struct d2ma_ctrl_array_cfg *cfg, const struct d2ma_ctrl_array_state *s,
                                 const struct d2ma_ctrl_array_in *in, struct d2ma_ctrl_array_out *out) {
  struct step p;
  if (quiet(s, in)) {
    __builtin_memset(out, 0, sizeof *out);
    out->full_cfg = s->grp0 & s->grp1;
    out->armed = s->armed;
    out->open = s->open;
    out->moving = s->ready | s->flying;
    out->busy = s->run;
    return;
  }
  step_of(cfg, s, in, &p);
  uint32_t bufs = (uint32_t)cfg->BUFS, bits = block_bits(bufs), here = (uint32_t)in->wr_cta << bits | in->wr_buf;
  uint32_t low = (1U << bits) - 1;
  uint64_t picked = p.fin | p.leave;
  uint32_t given = p.go_live ? here : picked ? place_of(cfg, p.picked) : 0;
  bool leaves = p.leave, stale = p.fin & s->stale;
  bool arms = p.act == ACT_ARRIVE && p.ignition && (s->armed & p.wr) && !(p.leave & p.wr);
  uint32_t arm = p.go_arm || arms ? here : leaves || stale ? given : 0;
  uint32_t begun = p.start || p.go_start ? p.start_place : 0;
  out->wr_act = p.act;
  entries_out(s, in, &p, out);
  out->full_cfg = s->grp0 & s->grp1 & ~p.clr;
  out->go_live = p.go_live;
  out->go_arm = p.go_arm;
  out->go_start = p.go_start;
  out->st_set = leaves;
  out->st_clr = p.fin != 0;
  out->st_stale = stale;
  out->st_cta = (uint8_t)(given >> bits);
  out->st_buf = (uint8_t)(given & low);
  out->arm_wr = arms;
  out->arm_clr = leaves || stale;
  out->arm_cta = (uint8_t)(arm >> bits);
  out->arm_buf = (uint8_t)(arm & low);
  out->ag_start = p.start != 0;
  out->ag_abort = (bit_if(s->run, s->run_row) & p.clr) != 0;
  out->ag_cta = (uint8_t)(begun >> bits);
  out->ag_buf = (uint8_t)(begun & low);
  out->freed = (uint16_t)p.freed;
  out->freed_next = 0;
  if (picked) out->freed_next = (uint16_t)(1U << p.picked / bufs);
  out->wake = (s->wait | bit_if(p.act == ACT_WAIT, in->wr_warp)) & p.released;
  out->armed = s->armed & ~p.clr & ~p.leave;
  out->open = (p.opened | (p.collect ? p.wr : 0)) & ~p.over;
  out->moving = (s->ready | s->flying | s->done | p.leave | (s->armed & p.clr)) & ~p.fin;
  out->busy = s->run || s->look || (s->queued >> s->head & 1) || s->rel || s->done;
}

/* ---- tick ---- */

static void write_entry(struct d2ma_ctrl_array_state *s, const struct d2ma_ctrl_array_in *in, const struct step *p) {
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

/* The entry in the address generator: counts a request, ends, or a new entry begins. */
static void run(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                const struct d2ma_ctrl_array_in *in, const struct step *p) {
  if (s->run) {
    uint64_t running = UINT64_C(1) << s->run_row;
    bool aborts = running & p->clr;
    uint16_t count =
      wrapped(cfg, s->count[s->run_row] + (in->ag_taken && !aborts ? 1U : 0U) - (p->fill & running ? 1U : 0U));
    s->count[s->run_row] = count;
    if (!aborts && !in->ag_done) return;
    s->run = 0;
    if (count) return;
    s->flying &= ~running;
    s->done |= running;
  } else if (p->start || (p->go_start && in->wr_go)) {
    s->run = 1;
    s->run_row = (uint8_t)p->start_row;
    s->flying |= UINT64_C(1) << p->start_row;
    s->count[p->start_row] = 0;
  }
}

static inline uint8_t after(uint8_t slot, uint32_t rows) { return slot + 1U == rows ? 0 : (uint8_t)(slot + 1); }

static void d2ma_ctrl_array_tick(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_state *s,
                                 const struct d2ma_ctrl_array_in *in, const struct d2ma_ctrl_array_out *out) {
  struct step p;
  uint32_t bufs = (uint32_t)cfg->BUFS, rows = (uint32_t)cfg->CTAS * bufs;
  if (quiet(s, in)) {
    __builtin_memset(&p, 0, sizeof p);
    run(cfg, s, in, &p);
    s->rel_cta = 0;
    return;
  }
  step_of(cfg, s, in, &p);
  uint64_t occupied = s->armed | s->ready | s->flying | s->done, running = bit_if(s->run, s->run_row);
  uint64_t pop = bit_if(p.pop, p.start_row), born = p.go_live && in->wr_go && !p.go_start ? p.wr : 0;
  uint64_t push = p.leave && !p.direct ? p.leave : born;
  bool hit = in->wt_en && in->wt_hit && in->wt_cta < cfg->CTAS && in->wt_warp < cfg->WARPS;
  write_entry(s, in, &p);
  if (p.fill & s->flying & ~running) s->count[p.fl_row] = wrapped(cfg, s->count[p.fl_row] - 1U);
  s->done = (s->done | p.reply_out | (s->armed & p.clr) | (p.dead ? pop : 0)) & ~p.fin;
  s->armed = out->armed | (p.go_arm && in->wr_go ? p.wr : 0);
  s->ready = (s->ready & ~pop) | push;
  s->flying &= ~p.reply_out;
  s->stale = (s->stale & ~p.fin) | (p.clr & occupied);
  s->open = out->open;
  uint32_t others = (uint32_t)bit_if(p.exit_on, in->exit_cta) | (p.fin ? out->freed_next : 0U) | s->look;
  s->look = (uint16_t)((others & ~p.view) | (p.full & ~p.leave ? p.view : 0) |
                       (p.act == ACT_WRITE && p.ignition && !in->wr_go ? 1U << in->wr_cta : 0));
  run(cfg, s, in, &p);
  if (p.pop) {
    s->queued &= ~(UINT64_C(1) << s->head);
    s->head = after(s->head, rows);
  }
  if (push) {
    s->queue[s->tail] = (uint8_t)place_of(cfg, lowest(push));
    s->queued |= UINT64_C(1) << s->tail;
    s->tail = after(s->tail, rows);
  }
  if (p.join) s->arrived[p.join_buf] = p.joined;
  s->gone = (s->gone | p.exits) & ~p.clr_warps;
  s->wait = (s->wait & ~p.clr_warps) | bit_if(p.act == ACT_WAIT, in->wr_warp) | bit_if(hit, in->wt_warp);
  s->wait &= ~p.released & ~p.exits;
  s->rel = out->freed_next != 0;
  s->rel_cta = (uint8_t)lowest(out->freed_next);
  if (p.clr_on) {
    s->cta |= (uint16_t)(1U << in->clr_cta);
    s->warps[in->clr_cta] = in->clr_warps;
  }
}

#include "d2ma_ctrl_array_model.inc"
