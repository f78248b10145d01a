/* SPDX-License-Identifier: Apache-2.0 */
/* Which warps of an SM have all that they need (Vijaykumar 2019, 4.4; assumption: steps, order in a queue, victims of slots, ports and cycle
 * behaviour). The header of rtl/zorua/coordinator.v states the contract of the ports. */
#include "block/block.h"
#include "coordinator_ports.h"

enum {
  REGISTERS,
  SCRATCH,
  SLOT,
  FORCED,
  KINDS = 3,
  AT_BARRIER = 3
};                                   /* resources, which are queues; the last pass; those that are not tried */
enum { START, PHASE, BARRIER, END }; /* events */
enum { IDLE, MEASURE, GIVE, SETTLE, SCAN, ACQUIRE, FILL_1, FILL_2 }; /* steps */
enum { MAP, RELEASE, FILL, SPILL };                                  /* commands */
enum {
  DO_SPILL = 1,
  DO_SLOT = 2,
  DO_SCRATCH = 4,
  DO_REGISTERS = 8
}; /* commands of an acquisition that are to be given */
enum {
  WARPS_MAX = 128,
  WORD = 32,
  WORDS = WARPS_MAX / WORD,
  BLOCKS_MAX = 16,
  EVENTS_MAX = 15,
  BYTE = 0xff,
  UNITS = 0x3ff,
  TOP_BIT = 7
};

struct coordinator_state {
  uint32_t event[EVENTS_MAX]; /* {block, warp, scratch 8, regs 8, kind 2}, oldest first; 0 behind the last one */
  uint8_t events;
  /* a bit a warp: it runs; is schedulable; has a slot; its state is in memory; waits; keeps its slot there */
  uint32_t live[WORDS], sched[WORDS], slot[WORDS], spilled[WORDS], barrier[WORDS], keeps[WORDS];
  uint8_t live_n, sched_n, barrier_n;
  uint8_t block[WARPS_MAX], need_regs[WARPS_MAX], need_scratch[WARPS_MAX], held_regs[WARPS_MAX];
  uint8_t held_scratch[BLOCKS_MAX], left[BLOCKS_MAX], arrived[BLOCKS_MAX];
  uint16_t list[WARPS_MAX]; /* {block, warp, queue 2} of those that wait, oldest first; 0 behind the last one */
  uint8_t list_n;
  uint16_t free[KINDS], swap[KINDS];
  uint32_t cand[WORDS]; /* the event's block: its warps whose need has the bits of `most` above bit `bit` */
  uint8_t step, pass, at, warp, group, most,
    bit; /* `at`: position; `group`: the event's block; `most`: its largest need */
  uint8_t todo, victim, fills, from_scratch, from_regs, filled;
  uint8_t cmd_on, cmd_op, cmd_kind, cmd_owner, cmd_from, cmd_to;
};

static void coordinator_reset(const struct coordinator_cfg *cfg, struct coordinator_state *s) {
  *s = (struct coordinator_state){.step = IDLE};
  s->free[REGISTERS] = (uint16_t)cfg->REGS;
  s->free[SCRATCH] = (uint16_t)cfg->SCRATCH;
  s->free[SLOT] = (uint16_t)cfg->SLOTS;
}

static bool has(const uint32_t *warps, uint32_t w) { return warps[w / WORD] >> w % WORD & 1; }
static void put_in(uint32_t *warps, uint32_t w) { warps[w / WORD] |= 1U << w % WORD; }
static void take_out(uint32_t *warps, uint32_t w) { warps[w / WORD] &= ~(1U << w % WORD); }

static void coordinator_eval(const struct coordinator_cfg *cfg, const struct coordinator_state *s,
                             const struct coordinator_in *in, struct coordinator_out *out) {
  uint32_t want = s->live_n + in->blk_warps;
  bool room = in->blk_warps && want <= (uint32_t)cfg->WARPS && want <= (uint32_t)cfg->SLOTS + in->thresh_slots;
  out->ev_ready = s->events < cfg->EVENTS;
  __builtin_memcpy(out->sched, s->sched, sizeof out->sched);
  out->blk_req = out->blk_id = 0;
  for (uint32_t b = 0; b < (uint32_t)cfg->BLOCKS && !out->blk_req; b++) {
    if (s->left[b] || s->step != IDLE || s->events || !room) continue;
    out->blk_req = 1;
    out->blk_id = (uint8_t)b;
  }
  out->cmd_valid = s->cmd_on;
  out->cmd_op = s->cmd_op, out->cmd_kind = s->cmd_kind, out->cmd_owner = s->cmd_owner;
  out->cmd_from = s->cmd_from, out->cmd_to = s->cmd_to;
  out->busy = s->step != IDLE || s->events || s->cmd_on;
}

static void give(struct coordinator_state *s, uint32_t op, uint32_t kind, uint32_t owner, uint32_t from, uint32_t to) {
  s->cmd_on = 1;
  s->cmd_op = (uint8_t)op, s->cmd_kind = (uint8_t)kind, s->cmd_owner = (uint8_t)owner;
  s->cmd_from = (uint8_t)from, s->cmd_to = (uint8_t)to;
}

/* What was done to one set changes the counts. */
static void report(struct coordinator_state *s, const struct coordinator_in *in) {
  uint32_t kind = in->did_kind;
  if (!in->did_en || kind >= SLOT) return;
  s->free[kind] = (uint16_t)((s->free[kind] + (in->did_fill ? UNITS : in->did_swapped ? 0U : 1U)) & UNITS);
  s->swap[kind] = (uint16_t)((s->swap[kind] - (in->did_swapped || in->did_fill ? 1U : 0U)) & UNITS);
}

/* {block, warp}, as in events and in the list */
static uint32_t pair(const struct coordinator_cfg *cfg, uint32_t block, uint32_t warp) {
  return block << block_clog2((uint32_t)cfg->WARPS) | warp;
}
static uint32_t warp_of(const struct coordinator_cfg *cfg, uint32_t pair) { return pair & (uint32_t)(cfg->WARPS - 1); }
static uint32_t block_of(const struct coordinator_cfg *cfg, uint32_t pair) {
  return pair >> block_clog2((uint32_t)cfg->WARPS);
}
static uint32_t queue_of(uint32_t entry) { return entry & 3; }

static void wait_in(const struct coordinator_cfg *cfg, struct coordinator_state *s, uint32_t warp, uint32_t queue) {
  if (s->list_n >= cfg->WARPS) return;
  s->list[s->list_n] = (uint16_t)(pair(cfg, s->block[warp], warp) << 2 | queue);
  s->list_n++;
}

static void leave_list(const struct coordinator_cfg *cfg, struct coordinator_state *s, uint32_t at) {
  uint32_t warps = (uint32_t)cfg->WARPS;
  for (uint32_t p = 0; p + 1 < warps; p++)
    if (p >= at) s->list[p] = s->list[p + 1];
  s->list[warps - 1] = 0;
  s->list_n = (uint8_t)((s->list_n - 1U) & (warps * 2 - 1));
}

/* The barrier of a block opens: its warps wait for slots. */
static void open_barrier(const struct coordinator_cfg *cfg, struct coordinator_state *s, uint32_t block) {
  for (uint32_t w = 0; w < (uint32_t)cfg->WARPS; w++)
    if (s->block[w] == block) take_out(s->barrier, w);
  for (uint32_t p = 0; p < s->list_n; p++)
    if (queue_of(s->list[p]) == AT_BARRIER && block_of(cfg, s->list[p] >> 2) == block)
      s->list[p] = (uint16_t)((s->list[p] & ~3U) | SLOT);
  s->barrier_n = (uint8_t)((s->barrier_n - s->arrived[block]) & ((uint32_t)cfg->WARPS * 2 - 1));
  s->arrived[block] = 0;
}

static void start(const struct coordinator_cfg *cfg, struct coordinator_state *s, uint32_t e, uint32_t w) {
  uint32_t b = block_of(cfg, e >> 18);
  put_in(s->live, w);
  s->live_n = (uint8_t)((s->live_n + 1U) & ((uint32_t)cfg->WARPS * 2 - 1));
  take_out(s->slot, w), take_out(s->spilled, w), take_out(s->barrier, w), take_out(s->keeps, w);
  s->block[w] = (uint8_t)b;
  s->need_regs[w] = (uint8_t)(e >> 2), s->need_scratch[w] = (uint8_t)(e >> 10);
  s->held_regs[w] = 0;
  s->left[b]++;
  wait_in(cfg, s, w, SLOT);
  s->step = SCAN;
}

/* A block needs as much scratchpad as its warp that needs most. That need is looked for where something of what the block holds can go:
 * there is more than `least`, the need of the event's warp, which is not the block's last one. */
static bool begin_measure(const struct coordinator_cfg *cfg, struct coordinator_state *s,
                          const struct coordinator_in *in, uint32_t b, uint32_t least, bool last) {
  bool measures = s->held_scratch[b] > least && !last && !in->release_end;
  __builtin_memset(s->cand, 0, sizeof s->cand);
  for (uint32_t w = 0; w < (uint32_t)cfg->WARPS; w++)
    if (has(s->live, w) && s->block[w] == b) put_in(s->cand, w);
  s->bit = TOP_BIT;
  s->most = measures || last ? 0 : s->held_scratch[b];
  return measures;
}

static void phase(const struct coordinator_cfg *cfg, struct coordinator_state *s, const struct coordinator_in *in,
                  uint32_t e, uint32_t w, uint32_t b) {
  s->need_regs[w] = (uint8_t)(e >> 2), s->need_scratch[w] = (uint8_t)(e >> 10);
  s->step = SCAN;
  if (s->held_regs[w] > s->need_regs[w]) {
    give(s, RELEASE, REGISTERS, w, s->need_regs[w], s->held_regs[w]);
    s->held_regs[w] = s->need_regs[w];
    s->step = SETTLE;
  }
  wait_in(cfg, s, w, s->need_scratch[w] > s->held_scratch[b] ? SCRATCH : REGISTERS);
  if (begin_measure(cfg, s, in, b, s->need_scratch[w], false)) s->step = MEASURE;
}

static void arrive(const struct coordinator_cfg *cfg, struct coordinator_state *s, uint32_t e, uint32_t w, uint32_t b) {
  bool opens = ((s->arrived[b] + 1U) & BYTE) == s->left[b];
  if (e >> 2 & BYTE) put_in(s->keeps, w);
  wait_in(cfg, s, w, opens ? SLOT : AT_BARRIER);
  s->step = SCAN;
  if (opens) {
    open_barrier(cfg, s, b);
    return;
  }
  put_in(s->barrier, w);
  s->barrier_n = (uint8_t)((s->barrier_n + 1U) & ((uint32_t)cfg->WARPS * 2 - 1));
  s->arrived[b]++;
}

static void end(const struct coordinator_cfg *cfg, struct coordinator_state *s, const struct coordinator_in *in,
                uint32_t w, uint32_t b) {
  if (s->held_regs[w]) give(s, RELEASE, REGISTERS, w, 0, s->held_regs[w]);
  s->free[SLOT] = (uint16_t)((s->free[SLOT] + has(s->slot, w)) & UNITS);
  if (has(s->slot, w)) s->todo = DO_SLOT;
  take_out(s->live, w), take_out(s->slot, w);
  s->live_n = (uint8_t)((s->live_n - 1U) & ((uint32_t)cfg->WARPS * 2 - 1));
  s->left[b]--;
  if (s->arrived[b] && s->arrived[b] == s->left[b]) open_barrier(cfg, s, b);
  s->step = begin_measure(cfg, s, in, b, 0, !s->left[b]) ? MEASURE : GIVE;
}

/* The oldest event leaves the queue. One of a warp that may not have it is dropped. */
static void next_event(const struct coordinator_cfg *cfg, struct coordinator_state *s,
                       const struct coordinator_in *in) {
  uint32_t e = s->event[0], kind = e & 3, w = warp_of(cfg, e >> 18), b = s->block[w];
  for (uint32_t i = 0; i + 1 < (uint32_t)cfg->EVENTS; i++) s->event[i] = s->event[i + 1];
  s->event[cfg->EVENTS - 1] = 0;
  s->events--;
  s->pass = kind == START || kind == BARRIER ? SLOT : REGISTERS; /* what neither gives back is not tried for */
  s->at = 0;
  s->warp = (uint8_t)w, s->todo = 0;
  if (kind == START ? has(s->live, w) : !has(s->sched, w)) return;
  if (kind == START) {
    start(cfg, s, e, w);
    return;
  }
  s->group = (uint8_t)b;
  take_out(s->sched, w);
  s->sched_n = (uint8_t)((s->sched_n - 1U) & ((uint32_t)cfg->WARPS * 2 - 1));
  if (kind == PHASE) phase(cfg, s, in, e, w, b);
  if (kind == BARRIER) arrive(cfg, s, e, w, b);
  if (kind == END) end(cfg, s, in, w, b);
}

static void measure(const struct coordinator_cfg *cfg, struct coordinator_state *s) {
  uint32_t ones[WORDS] = {0}, some = 0;
  for (uint32_t w = 0; w < (uint32_t)cfg->WARPS; w++)
    if (has(s->cand, w) && (s->need_scratch[w] >> s->bit & 1)) put_in(ones, w), some = 1;
  if (some) {
    __builtin_memcpy(s->cand, ones, sizeof s->cand);
    s->most |= (uint8_t)(1U << s->bit);
  }
  if (!s->bit) s->step = GIVE;
  s->bit = (s->bit - 1U) & TOP_BIT;
}

/* The slot of a warp that has ended goes, then what its block needs no more. */
static void give_back(struct coordinator_state *s, const struct coordinator_in *in) {
  uint32_t b = s->group;
  bool goes = s->held_scratch[b] > s->most && (!in->release_end || !s->left[b]);
  if (s->todo & DO_SLOT) {
    give(s, RELEASE, SLOT, s->warp, 0, 1);
    s->todo = 0;
    if (!goes) s->step = SETTLE;
    return;
  }
  if (goes) {
    give(s, RELEASE, SCRATCH, b, s->most, s->held_scratch[b]);
    s->held_scratch[b] = s->most;
  }
  s->step = SETTLE;
}

struct demand {
  uint32_t w, b, scratch, regs; /* sets that are missing */
  bool slot;                    /* a slot is missing */
  bool some;                    /* there is a warp whose slot can be taken: `victim` */
  uint8_t victim;
};

static bool fits(const struct coordinator_state *s, uint32_t kind, uint32_t n, uint32_t thresh, uint32_t all) {
  return n <= s->free[kind] || s->swap[kind] + n - s->free[kind] <= thresh || (s->pass == FORCED && n <= all);
}

static bool slot_fits(const struct coordinator_state *s, const struct demand *d, uint32_t thresh) {
  if (!d->slot || s->free[SLOT]) return true;
  return d->some && (s->swap[SLOT] + 1U <= thresh + has(s->spilled, d->w) || s->pass == FORCED);
}

static void take_slot(struct coordinator_state *s, const struct demand *d) {
  s->fills = has(s->spilled, d->w);
  s->todo |= DO_SLOT;
  uint32_t swap = s->swap[SLOT] - has(s->spilled, d->w);
  take_out(s->spilled, d->w);
  if (s->free[SLOT]) {
    s->free[SLOT]--;
  } else {
    s->victim = d->victim;
    take_out(s->slot, s->victim);
    put_in(s->spilled, s->victim);
    s->todo |= DO_SPILL;
    swap++;
  }
  put_in(s->slot, d->w);
  s->swap[SLOT] = (uint16_t)(swap & UNITS);
}

/* Takes `n` sets: free ones, then others' that are spilled. */
static void take(struct coordinator_state *s, uint32_t kind, uint32_t n) {
  uint32_t shortage = n > s->free[kind] ? n - s->free[kind] : 0;
  s->free[kind] = (uint16_t)((s->free[kind] + shortage - n) & UNITS);
  s->swap[kind] = (uint16_t)((s->swap[kind] + shortage) & UNITS);
}

/* When no warp is tried any more: sets come back from memory, if there are some and room. */
static uint8_t last_step(const struct coordinator_state *s) {
  bool back = (s->free[REGISTERS] && s->swap[REGISTERS]) || (s->free[SCRATCH] && s->swap[SCRATCH]);
  return back ? FILL_1 : IDLE;
}

static void schedule(const struct coordinator_cfg *cfg, struct coordinator_state *s, uint32_t w) {
  put_in(s->sched, w);
  s->sched_n = (uint8_t)((s->sched_n + 1U) & ((uint32_t)cfg->WARPS * 2 - 1));
}

/* Who lacks nothing is schedulable at once. */
static void acquire(const struct coordinator_cfg *cfg, struct coordinator_state *s, const struct demand *d) {
  s->warp = (uint8_t)d->w;
  take_out(s->keeps, d->w);
  s->todo = 0;
  if (d->slot) take_slot(s, d);
  if (d->scratch) {
    s->from_scratch = s->held_scratch[d->b];
    s->held_scratch[d->b] = s->need_scratch[d->w];
    take(s, SCRATCH, d->scratch);
    s->todo |= DO_SCRATCH;
  }
  if (d->regs) {
    s->from_regs = s->held_regs[d->w];
    s->held_regs[d->w] = s->need_regs[d->w];
    take(s, REGISTERS, d->regs);
    s->todo |= DO_REGISTERS;
  }
  if (s->todo) s->step = ACQUIRE;
  else schedule(cfg, s, d->w);
}

/* A warp that waits at a barrier; if needs are forced, any other one that is not schedulable. None that keeps its slot. */
static void find_victim(const struct coordinator_state *s, struct demand *d) {
  for (uint32_t i = 0; i < WORDS && !d->some; i++) {
    uint32_t others = i == d->w / WORD ? ~(1U << d->w % WORD) : UINT32_MAX;
    uint32_t of = s->slot[i] & ~s->sched[i] & ~s->keeps[i] & (s->pass == FORCED ? others : s->barrier[i]);
    if (!of) continue;
    d->some = true;
    d->victim = (uint8_t)(i * WORD + (uint32_t)__builtin_ctz(of));
  }
}

/* One warp that waits: all that it lacks is there, or it takes nothing. */
static void try_warp(const struct coordinator_cfg *cfg, struct coordinator_state *s, const struct coordinator_in *in,
                     uint32_t at) {
  struct demand d = {.w = warp_of(cfg, s->list[at] >> 2), .b = block_of(cfg, s->list[at] >> 2)};
  s->at = (uint8_t)(at + 1);
  d.slot = !has(s->slot, d.w);
  if (s->need_scratch[d.w] > s->held_scratch[d.b]) d.scratch = (uint32_t)s->need_scratch[d.w] - s->held_scratch[d.b];
  if (s->need_regs[d.w] > s->held_regs[d.w]) d.regs = (uint32_t)s->need_regs[d.w] - s->held_regs[d.w];
  find_victim(s, &d);
  bool slot = slot_fits(s, &d, in->thresh_slots);
  bool scratch = fits(s, SCRATCH, d.scratch, in->thresh_scratch, (uint32_t)cfg->SCRATCH);
  bool regs = fits(s, REGISTERS, d.regs, in->thresh_regs, (uint32_t)cfg->REGS);
  if (!slot || !scratch || !regs) {
    uint32_t queue = !slot ? SLOT : !scratch ? SCRATCH : REGISTERS;
    s->list[at] = (uint16_t)((s->list[at] & ~3U) | queue);
    return;
  }
  acquire(cfg, s, &d);
  leave_list(cfg, s, at);
  s->at = (uint8_t)at;
}

/* The next warp is of the queue at hand, behind the last one that was tried, or of the next queue in which one waits. */
static void scan(const struct coordinator_cfg *cfg, struct coordinator_state *s, const struct coordinator_in *in) {
  uint32_t held = s->sched_n + (in->floor_held && s->sched_n ? s->barrier_n : 0U);
  bool starved = held < (uint32_t)cfg->FLOOR, found = false;
  uint32_t pass = s->pass, at = 0;
  for (uint32_t q = REGISTERS; q <= FORCED; q++)
    for (uint32_t p = 0; p < (uint32_t)cfg->WARPS; p++) {
      uint32_t queue = queue_of(s->list[p]);
      if (found || q < s->pass || (q == s->pass && p < s->at) || (q == FORCED && !starved)) continue;
      if (p >= s->list_n || queue == AT_BARRIER || (q != FORCED && queue != q)) continue;
      found = true, pass = q, at = p;
    }
  if (!found) {
    s->step = last_step(s);
    return;
  }
  s->pass = (uint8_t)pass;
  try_warp(cfg, s, in, at);
}

/* The commands of an acquisition, one after the other; when the last one is done, the warp is schedulable. */
static void give_acquired(const struct coordinator_cfg *cfg, struct coordinator_state *s, bool may_give, bool quiet) {
  uint32_t w = s->warp, b = s->block[w], one = s->todo & -s->todo;
  if (!s->todo && quiet) {
    schedule(cfg, s, w);
    s->step = s->list_n ? SCAN : last_step(s);
  }
  if (!s->todo || !may_give) return;
  if (one == DO_SPILL) give(s, SPILL, SLOT, s->victim, 0, 1);
  if (one == DO_SLOT) give(s, s->fills ? FILL : MAP, SLOT, w, 0, 1);
  if (one == DO_SCRATCH) give(s, MAP, SCRATCH, b, s->from_scratch, s->held_scratch[b]);
  if (one == DO_REGISTERS) give(s, MAP, REGISTERS, w, s->from_regs, s->held_regs[w]);
  s->todo &= (uint8_t)~one;
}

/* The next schedulable warp after the one whose sets came back last, in turns, or WARPS_MAX. */
static uint32_t next_filled(const struct coordinator_state *s) {
  uint32_t last = s->filled, first_word = last / WORD;
  for (uint32_t i = 0; i < 2 * WORDS; i++) { /* the warps behind it, then all */
    uint32_t word = i % WORDS, of = s->sched[word];
    if (i < first_word) of = 0;
    if (i == first_word) of &= UINT32_MAX << last % WORD << 1;
    if (of) return word * WORD + (uint32_t)__builtin_ctz(of);
  }
  return WARPS_MAX;
}

/* Sets of one schedulable warp come back from memory; the warps take turns. */
static void fill_regs(struct coordinator_state *s, bool may_give) {
  bool some = s->free[REGISTERS] && s->swap[REGISTERS];
  if (some && !may_give) return;
  uint32_t next = next_filled(s);
  s->step = next < WARPS_MAX ? FILL_2 : IDLE;
  if (next == WARPS_MAX) return;
  s->filled = (uint8_t)next;
  if (some) give(s, FILL, REGISTERS, next, 0, s->held_regs[next]);
}

static void fill_scratch(struct coordinator_state *s, bool may_give) {
  uint32_t b = s->block[s->filled];
  bool some = s->free[SCRATCH] && s->swap[SCRATCH];
  if (some && !may_give) return;
  if (some) give(s, FILL, SCRATCH, b, 0, s->held_scratch[b]);
  s->step = IDLE;
}

static void coordinator_tick(const struct coordinator_cfg *cfg, struct coordinator_state *s,
                             const struct coordinator_in *in, const struct coordinator_out *out) {
  bool may_give = !s->cmd_on, quiet = may_give && !in->exec_busy;
  if (s->cmd_on && in->cmd_ready) s->cmd_on = 0;
  report(s, in);
  switch (s->step) {
    case IDLE:
      if (s->events && quiet) next_event(cfg, s, in);
      break;
    case MEASURE: measure(cfg, s); break;
    case GIVE:
      if (may_give) give_back(s, in);
      break;
    case SETTLE:
      if (quiet) s->step = SCAN;
      break;
    case SCAN: scan(cfg, s, in); break;
    case ACQUIRE: give_acquired(cfg, s, may_give, quiet); break;
    case FILL_1: fill_regs(s, may_give); break;
    default: fill_scratch(s, may_give); break;
  }
  if (!in->ev_valid || !out->ev_ready) return;
  s->event[s->events] = pair(cfg, in->ev_block, in->ev_warp) << 18 | (uint32_t)in->ev_scratch << 10 |
                        (uint32_t)in->ev_regs << 2 | in->ev_kind;
  s->events = (uint8_t)(s->events + 1);
}

#include "coordinator_model.inc"
