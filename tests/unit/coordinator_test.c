/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Do warps get what the phases of their program need, and no more than there is? A program of random phases, barriers and ends runs here
 * against the block; a list of sets, by owner, is kept from its commands alone. */
#include "base/rng.h"
#include "coordinator_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0xc002d, WARPS = 16, BLOCKS = 4, SETS_MAX = 16, SCRATCH_MAX = 16, BLOCKS_RUN = 400 };
enum { REGISTERS, SCRATCH, SLOT };
enum { START, PHASE, BARRIER, END };
enum { MAP, RELEASE, FILL, SPILL };
enum place { NOWHERE, PHYSICAL, SWAPPED };

struct warp {
  bool runs, asked, waits; /* its event waits in the queue; it has reached a barrier */
  uint32_t block, regs, scratch, todo, order;
};

struct bench {
  BENCH_FIELDS(coordinator);
  struct rng g;
  struct warp warp[WARPS];
  uint8_t place[3][WARPS][SCRATCH_MAX]; /* of each set of each owner: of registers, of scratchpad, and the slot */
  uint32_t left[BLOCKS], arrived[BLOCKS];
  uint32_t op, kind, owner, at, to; /* the command under way */
  bool working;
  uint32_t shorts, spills, fills, ended, barriers, most_schedulable;
};
BENCH_FUNCTIONS(bench, coordinator);

static uint32_t count(const struct bench *b, uint32_t kind, enum place place) {
  uint32_t n = 0;
  for (int owner = 0; owner < WARPS; owner++)
    for (int set = 0; set < SCRATCH_MAX; set++) n += b->place[kind][owner][set] == place;
  return n;
}

static uint32_t all_sets(const struct bench *b, uint32_t kind) {
  return (uint32_t)(kind == REGISTERS ? b->cfg.REGS : kind == SCRATCH ? b->cfg.SCRATCH : b->cfg.SLOTS);
}

static bool has(const uint32_t *warps, uint32_t w) { return warps[w / 32] >> w % 32 & 1; }
static uint64_t all_of(const uint32_t *warps) { return warps[0] | (uint64_t)warps[1] << 32; } /* there are 64 here */

/* Someone else's physical set goes to memory. */
static void spill_one(struct bench *b, uint32_t kind, uint32_t not_of) {
  uint32_t from = rng_below(&b->g, WARPS * SCRATCH_MAX);
  for (uint32_t n = 0; n < WARPS * SCRATCH_MAX; n++) {
    uint32_t owner = (from + n) / SCRATCH_MAX % WARPS, set = (from + n) % SCRATCH_MAX;
    if (owner == not_of || b->place[kind][owner][set] != PHYSICAL) continue;
    b->place[kind][owner][set] = SWAPPED;
    return;
  }
  fail_msg("no set of others can be spilled");
}

static void take_command(struct bench *b) {
  const struct coordinator_out *o = &b->out;
  b->working = true;
  b->op = o->cmd_op, b->kind = o->cmd_kind, b->owner = o->cmd_owner, b->at = o->cmd_from, b->to = o->cmd_to;
  assert_true(o->cmd_kind <= SLOT && o->cmd_owner < WARPS && o->cmd_to <= SCRATCH_MAX);
  if (b->op == FILL && b->kind != SLOT) return;
  assert_true(o->cmd_from < o->cmd_to);
  if (b->op != MAP) return;
  uint32_t free = all_sets(b, b->kind) - count(b, b->kind, PHYSICAL), wants = b->to - b->at;
  uint32_t missing = wants > free ? wants - free : 0;
  b->shorts += missing != 0;
  uint32_t thresh = b->kind == REGISTERS ? b->in.thresh_regs : b->kind == SCRATCH ? b->in.thresh_scratch : SCRATCH_MAX;
  bool starved = __builtin_popcountll(all_of(o->sched)) < b->cfg.FLOOR;
  if (missing && !starved) assert_true(count(b, b->kind, SWAPPED) + missing <= thresh);
}

/* One set of the command, and what is reported of it. */
static void work(struct bench *b) {
  uint32_t kind = b->kind, all = all_sets(b, kind);
  uint8_t *place = &b->place[kind][b->owner][b->at];
  bool counted = kind != SLOT;
  if (b->at >= b->to) return;
  b->in.did_kind = (uint8_t)kind;
  if (b->op == MAP) {
    assert_int_equal(*place, NOWHERE);
    if (count(b, kind, PHYSICAL) == all) spill_one(b, kind, b->owner);
    *place = PHYSICAL;
  } else if (b->op == RELEASE) {
    assert_int_not_equal(*place, NOWHERE);
    b->in.did_en = counted, b->in.did_swapped = *place == SWAPPED;
    *place = NOWHERE;
  } else if (b->op == SPILL) {
    assert_true(kind == SLOT && *place == PHYSICAL && !has(b->out.sched, b->owner));
    *place = SWAPPED;
    b->spills++;
  } else {
    assert_int_not_equal(*place, NOWHERE);
    bool comes = *place == SWAPPED && count(b, kind, PHYSICAL) < all;
    assert_true(comes || kind != SLOT);
    b->in.did_en = comes && counted, b->in.did_fill = comes;
    if (comes) *place = PHYSICAL, b->fills++;
  }
  b->at++;
}

/* Who is schedulable has everything; in memory lies more than the threshold only if someone was forced. */
static void check_warps(struct bench *b) {
  uint32_t schedulable = 0;
  for (uint32_t w = 0; w < WARPS; w++) {
    struct warp *p = &b->warp[w];
    if (!has(b->out.sched, w)) p->asked = false; /* the event has been taken */
    if (!has(b->out.sched, w) || p->asked) continue;
    schedulable++;
    assert_true(p->runs);
    assert_int_equal(b->place[SLOT][w][0], PHYSICAL);
    for (uint32_t set = 0; set < p->regs; set++) assert_int_not_equal(b->place[REGISTERS][w][set], NOWHERE);
    if (b->working && b->op == MAP) continue; /* the block's scratchpad is counted when it is promised, mapped later */
    for (uint32_t set = 0; set < p->scratch; set++) assert_int_not_equal(b->place[SCRATCH][p->block][set], NOWHERE);
  }
  if (schedulable > b->most_schedulable) b->most_schedulable = schedulable;
  for (uint32_t kind = 0; kind <= SLOT; kind++) assert_true(count(b, kind, PHYSICAL) <= all_sets(b, kind));
}

static void cycle(struct bench *b) {
  if (b->working) work(b);
  b->in.exec_busy = b->working && b->at < b->to;
  if (!b->in.exec_busy) b->working = false;
  b->in.cmd_ready = !b->working && rng_below(&b->g, 4) != 0;
  bool ready = b->in.cmd_ready;
  bench_settle(b);
  check_warps(b);
  if (b->out.cmd_valid && ready) take_command(b);
  b->in.exec_busy |= b->working;
  bench_tick(b);
  uint16_t regs = b->in.thresh_regs, scratch = b->in.thresh_scratch, slots = b->in.thresh_slots;
  uint8_t blk = b->in.blk_warps, held = b->in.floor_held;
  b->in = (struct coordinator_in){
    .thresh_regs = regs, .thresh_scratch = scratch, .thresh_slots = slots, .blk_warps = blk, .floor_held = held};
}

static void settle(struct bench *b) {
  for (int n = 0; n < 5000; n++) {
    cycle(b);
    if (!b->out.busy && !b->working) return;
  }
  fail_msg("the block is busy for 5000 cycles");
}

static void event(struct bench *b, uint32_t kind, uint32_t warp, uint32_t block, uint32_t regs, uint32_t scratch) {
  do {
    b->in.ev_valid = 1, b->in.ev_kind = (uint8_t)kind, b->in.ev_warp = (uint8_t)warp, b->in.ev_block = (uint8_t)block;
    b->in.ev_regs = (uint8_t)regs, b->in.ev_scratch = (uint8_t)scratch;
    cycle(b);
  } while (!b->out.ev_ready);
  if (kind == START) b->warp[warp] = (struct warp){.runs = true, .block = block};
  if (kind == START || kind == PHASE) b->warp[warp].regs = regs, b->warp[warp].scratch = scratch;
  if (kind == END) b->warp[warp].runs = false;
  b->warp[warp].asked = true;
}

static void expect(struct bench *b, uint64_t sched) {
  settle(b);
  bench_settle(b);
  assert_int_equal(all_of(b->out.sched), sched);
}

static void bench_of(struct bench *b, int regs, int scratch, int slots, int floor) {
  bench_open(b, (struct coordinator_cfg){WARPS, BLOCKS, 8, regs, scratch, slots, floor});
  rng_seed(&b->g, SEED);
}

/* Of 4 sets the first warp takes 3. The second one needs 3: it waits until the first one ends. */
static void test_a_warp_waits_for_registers(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b, 4, 4, 4, 0);
  event(&b, START, 2, 1, 3, 0), event(&b, START, 5, 1, 3, 0);
  expect(&b, 1U << 2);
  event(&b, END, 2, 0, 0, 0);
  expect(&b, 1U << 5);
  assert_int_equal(b.shorts, 0);
  bench_close(&b);
}

/* The same with two sets that may lie in memory, and with a floor of two warps. */
static void test_a_threshold_or_the_floor_lets_it_in(void **unused) {
  (void)unused;
  struct bench b;
  for (int forced = 0; forced < 2; forced++) {
    bench_of(&b, 4, 4, 4, forced ? 2 : 0);
    b.in.thresh_regs = forced ? 0 : 2;
    event(&b, START, 2, 1, 3, 0), event(&b, START, 5, 1, 3, 0);
    expect(&b, 1U << 2 | 1U << 5);
    assert_int_equal(count(&b, REGISTERS, SWAPPED), 2);
    event(&b, END, 5, 0, 0, 0); /* its sets are free: those in memory come back */
    expect(&b, 1U << 2);
    assert_int_equal(count(&b, REGISTERS, PHYSICAL), 3);
    bench_close(&b);
  }
}

/* A floor of two warps, and two warps that hold all sets. When one of them waits at a barrier, the warp of another block is forced in; where
 * warps at a barrier count it is not. */
static void test_warps_at_a_barrier_can_count_for_the_floor(void **unused) {
  (void)unused;
  struct bench b;
  for (int held = 0; held < 2; held++) {
    bench_of(&b, 4, 4, 4, 2);
    b.in.floor_held = held;
    event(&b, START, 2, 1, 2, 0), event(&b, START, 3, 1, 2, 0), event(&b, START, 5, 3, 3, 0);
    expect(&b, 1U << 2 | 1U << 3);
    event(&b, BARRIER, 2, 0, 0, 0);
    expect(&b, held ? 1U << 3 : 1U << 3 | 1U << 5);
    assert_int_equal(count(&b, REGISTERS, SWAPPED), held ? 0 : 3);
    event(&b, BARRIER, 3, 0, 0, 0);
    expect(&b, held ? 1U << 2 | 1U << 3 : 1U << 2 | 1U << 3 | 1U << 5);
    event(&b, END, 2, 0, 0, 0);
    expect(&b, 1U << 3 | 1U << 5); /* one is schedulable, none is at a barrier */
    bench_close(&b);
  }
}

/* A slot is free for a warp that needs no more than is there; one that lacks registers is not tried again before some come back. */
static void test_a_start_gives_nothing_back(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b, 4, 4, 4, 0);
  event(&b, START, 2, 1, 3, 0), event(&b, START, 5, 1, 3, 0);
  expect(&b, 1U << 2);
  b.in.thresh_regs = 3;
  event(&b, START, 6, 3, 1, 0);
  expect(&b, 1U << 2 | 1U << 6); /* a start: warp 5 is not looked at, although the threshold would let it in */
  event(&b, PHASE, 6, 0, 1, 0);
  expect(&b, 1U << 2 | 1U << 5 | 1U << 6);
  bench_close(&b);
}

/* One slot, two warps: at the barrier the first one gives it up, and gets it back when the second one has arrived. */
static void test_a_barrier_gives_up_its_slot(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b, 8, 4, 1, 0);
  b.in.thresh_slots = 1;
  event(&b, START, 0, 0, 2, 0), event(&b, START, 1, 0, 2, 0);
  expect(&b, 1U << 0);
  event(&b, BARRIER, 0, 0, 0, 0);
  expect(&b, 1U << 1);
  assert_int_equal(b.spills, 1);
  event(&b, BARRIER, 1, 0, 0, 0);
  expect(&b, 1U << 1); /* all are there; the slot is its own */
  event(&b, END, 1, 0, 0, 0);
  expect(&b, 1U << 0);
  assert_int_equal(b.fills, 1);
  bench_close(&b);
}

/* Two slots, three warps of a block: the first one keeps its slot at the barrier, the second one does not. */
static void test_a_warp_that_keeps_its_slot_has_it_at_a_barrier(void **unused) {
  (void)unused;
  struct bench b;
  for (int forced = 0; forced < 2; forced++) {
    bench_of(&b, 8, 4, 2, forced ? 3 : 0);
    b.in.thresh_slots = forced ? 0 : 2;
    event(&b, START, 0, 0, 2, 0), event(&b, START, 1, 0, 2, 0), event(&b, START, 2, 0, 2, 0);
    expect(&b, 1U << 0 | 1U << 1);
    event(&b, BARRIER, 0, 0, 1, 0);
    expect(&b, 1U << 1);
    event(&b, BARRIER, 1, 0, 0, 0);
    expect(&b, 1U << 2);
    assert_int_equal(b.spills, 1);
    event(&b, BARRIER, 2, 0, 0, 0);
    expect(&b, 1U << 0 | 1U << 2); /* all are there; warp 1 waits for a slot */
    event(&b, BARRIER, 0, 0, 0, 0);
    expect(&b, 1U << 1 | 1U << 2); /* it gives it up this time */
    assert_int_equal(b.spills, 2);
    bench_close(&b);
  }
}

/* Scratchpad is the block's: it goes when its last warp needs it no more, or with release_end when the block ends. */
static void test_scratchpad_of_a_block(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b, 16, 6, 4, 0);
  event(&b, START, 0, 2, 1, 5), event(&b, START, 1, 2, 1, 5), event(&b, START, 2, 3, 1, 5);
  expect(&b, 3); /* 5 sets for the block, not 10; the other block waits */
  assert_int_equal(count(&b, SCRATCH, PHYSICAL), 5);
  event(&b, PHASE, 0, 0, 1, 1);
  expect(&b, 3);
  assert_int_equal(count(&b, SCRATCH, PHYSICAL), 5);
  event(&b, PHASE, 1, 0, 2, 1);
  expect(&b, 7);
  assert_int_equal(count(&b, SCRATCH, PHYSICAL), 6);
  for (uint32_t w = 0; w < 3; w++) event(&b, END, w, 0, 0, 0), settle(&b);
  assert_int_equal(count(&b, SCRATCH, PHYSICAL) + count(&b, REGISTERS, PHYSICAL) + count(&b, SLOT, PHYSICAL), 0);
  bench_close(&b);
}

/* ---- a random program ---- */

static void step_warp(struct bench *b, uint32_t w, uint32_t regs, uint32_t scratch) {
  struct warp *p = &b->warp[w];
  if (p->waits) b->barriers++, p->waits = false;
  if (p->todo == 0) {
    b->left[p->block]--, b->ended++;
    event(b, END, w, 0, 0, 0);
  } else if (p->todo % 4 == 1) { /* every warp of a block has as many phases, so all of them come to its barriers */
    b->arrived[p->block]++, p->waits = true;
    event(b, BARRIER, w, 0, w % 8 == 0, 0); /* some keep their slots */
  } else {
    event(b, PHASE, w, 0, rng_below(&b->g, regs + 1), rng_below(&b->g, scratch + 1));
  }
  p->todo--;
}

/* A block that comes starts all its warps at once. */
static uint32_t start_block(struct bench *b, uint32_t block, uint32_t warps, uint32_t regs, uint32_t scratch) {
  uint32_t todo = rng_below(&b->g, 9), started = 0;
  for (uint32_t w = 0; w < WARPS && started < warps; w++) {
    if (b->warp[w].runs) continue;
    event(b, START, w, block, rng_below(&b->g, regs + 1), rng_below(&b->g, scratch + 1));
    b->warp[w].todo = todo;
    started++;
  }
  assert_int_equal(started, warps);
  b->left[block] = warps, b->arrived[block] = 0;
  return started;
}

/* At rest, which is soon, fewer warps than the floor are schedulable only if all others wait at a barrier. */
static void check_floor(struct bench *b) {
  b->in.blk_warps = 0;
  settle(b);
  int schedulable = __builtin_popcountll(all_of(b->out.sched));
  if (schedulable >= b->cfg.FLOOR || (b->in.floor_held && schedulable)) return;
  for (uint32_t w = 0; w < WARPS; w++) assert_true(!b->warp[w].runs || has(b->out.sched, w) || b->warp[w].waits);
}

static void run_program(int regs, int scratch, int slots, int floor, uint32_t percent, bool held) {
  struct bench b;
  uint32_t started = 0, blocks = 0, quiet = 0;
  bench_of(&b, regs, scratch, slots, floor);
  b.in.floor_held = held;
  b.in.thresh_regs = (uint16_t)((uint32_t)regs * percent / 100),
  b.in.thresh_scratch = (uint16_t)((uint32_t)scratch * percent / 100);
  b.in.thresh_slots = (uint16_t)((uint32_t)slots * percent / 100);
  uint32_t r = regs < SETS_MAX ? (uint32_t)regs : SETS_MAX, s = scratch < SCRATCH_MAX ? (uint32_t)scratch : SCRATCH_MAX;
  while (b.ended < started || blocks < BLOCKS_RUN) {
    b.in.blk_warps = (uint8_t)(blocks < BLOCKS_RUN ? 1 + rng_below(&b.g, 4) : 0);
    uint32_t warps = b.in.blk_warps;
    cycle(&b);
    bool comes = warps && b.out.blk_req;
    if (comes) started += start_block(&b, b.out.blk_id, warps, r, s), blocks++;
    if (rng_below(&b.g, 64) == 0) check_floor(&b);
    uint32_t w = rng_below(&b.g, WARPS);
    bool may = b.out.ev_ready && has(b.out.sched, w) && !b.warp[w].asked;
    if (may) step_warp(&b, w, r, s);
    quiet = may || comes ? 0 : quiet + 1;
    if (quiet > 20000) fail_msg("nothing happens for 20000 cycles: %u of %u warps have ended", b.ended, started);
  }
  settle(&b);
  for (uint32_t kind = 0; kind <= SLOT; kind++)
    assert_int_equal(count(&b, kind, PHYSICAL) + count(&b, kind, SWAPPED), 0);
  assert_true(b.barriers > 10 && b.most_schedulable > 1);
  if (percent == 0 && floor == 0) assert_int_equal(b.shorts, 0);
  else assert_true(b.shorts > 10 && b.fills > 10);
  bench_close(&b);
}

static void test_random_programs_end_and_give_back_all(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  run_program(64, 24, 12, 3, 10, false);
  run_program(16, 16, 4, 3, 0, false);
  run_program(16, 16, 4, 3, 0, true);
  run_program(20, 16, 6, 1, 50, false);
  run_program(256, 64, 16, 0, 0, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_warp_waits_for_registers),
    cmocka_unit_test(test_a_threshold_or_the_floor_lets_it_in),
    cmocka_unit_test(test_warps_at_a_barrier_can_count_for_the_floor),
    cmocka_unit_test(test_a_start_gives_nothing_back),
    cmocka_unit_test(test_a_barrier_gives_up_its_slot),
    cmocka_unit_test(test_a_warp_that_keeps_its_slot_has_it_at_a_barrier),
    cmocka_unit_test(test_scratchpad_of_a_block),
    cmocka_unit_test(test_random_programs_end_and_give_back_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
