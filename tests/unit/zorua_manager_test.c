/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Do the parts together keep each warp's values? The test is the SM's storage: physical sets and a memory of lines, that change by what the
 * block says alone. Every logical set that a schedulable warp holds must be where the block says, with the value that was written last. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "zorua_manager_ports.h"

enum {
  SEED = 0x20a0a,
  WARPS = 8,
  BLOCKS = 4,
  REGS = 12,
  SCRATCH = 6,
  SLOTS = 4,
  RSETS = 8,
  SSETS = 4,
  CYCLES = 200000
};
enum { START, PHASE, BARRIER, END };

struct warp {
  bool runs, asked; /* its event waits in the queue */
  uint32_t block, regs, scratch, todo;
  uint32_t value[RSETS]; /* 0: none was written */
};

struct bench {
  BENCH_FIELDS(zorua_manager);
  struct rng g;
  struct warp warp[WARPS];
  uint32_t physical[REGS];            /* what a physical register set holds */
  uint32_t memory[WARPS * RSETS * 4]; /* by line of the registers' swap space */
  uint32_t left[BLOCKS], late;        /* warps of a block; lines that were read and have not come */
  uint32_t next_value, reads, swapped_reads, spills, fills, ended, started;
};
BENCH_FUNCTIONS(bench, zorua_manager);

enum { REG_BASE = 0x1000, SCRATCH_BASE = 0x20000, STATE_BASE = 0x40000, REG_BITS = 4, ROW_BITS = 2, SET_BITS = 3 };

static void write_bases(struct bench *b) {
  static const uint64_t base[] = {REG_BASE, SCRATCH_BASE, STATE_BASE};
  for (uint8_t kind = 0; kind < 3; kind++) {
    b->in.base_en = 1, b->in.base_kind = kind, b->in.base = base[kind];
    bench_cycle(b);
  }
}

/* A line of registers moves between the physical set that the block names and memory. All four lines of a set hold its value. */
static void move_line(struct bench *b) {
  const struct zorua_manager_out *o = &b->out;
  if (o->at_kind != 0) return;
  assert_true(o->line >= REG_BASE && o->line < REG_BASE + WARPS * RSETS * 4 && o->move && o->move_phys < REGS);
  uint32_t *line = &b->memory[o->line - REG_BASE], *set = &b->physical[o->move_phys];
  assert_int_equal((o->line - REG_BASE) % 4, 4 - o->left);
  if (o->spill) *line = *set, b->spills++;
  else *set = *line, b->fills++, b->late += 2;
}

/* Port p reads set `set` of warp `warp`: where it is, it has the last value. A warp in memory is written there. */
static void read_operand(struct bench *b, uint32_t warp, uint32_t set, uint32_t valid, uint32_t phys) {
  uint32_t *expected = &b->warp[warp].value[set];
  b->reads++, b->swapped_reads += !valid;
  for (int line = 0; line < 4; line++) {
    uint32_t *at = valid ? &b->physical[phys] : &b->memory[(warp * RSETS + set) * 4 + (uint32_t)line];
    if (*expected) assert_int_equal(*at, *expected);
  }
  uint32_t value = ++b->next_value;
  for (int line = 0; line < 4 && !valid; line++) b->memory[(warp * RSETS + set) * 4 + (uint32_t)line] = value;
  if (valid) b->physical[phys] = value;
  *expected = value;
}

static bool has(const uint32_t *warps, uint32_t w) { return warps[w / 32] >> w % 32 & 1; }

static void cycle(struct bench *b) {
  uint32_t warp = rng_below(&b->g, WARPS), set = rng_below(&b->g, RSETS), port = warp & 1;
  bool ready = rng_below(&b->g, 3) != 0;
  uint8_t blk = b->in.blk_warps;
  b->in.rd_en = (uint8_t)(1U << port);
  b->in.rd_row = warp / 2 << port * ROW_BITS, b->in.rd_set = set << port * SET_BITS;
  b->in.run = 1, b->in.all_wait_mem = b->reads / 4000 % 2, b->in.issue_valid = b->in.all_wait_mem;
  bench_settle(b);
  for (uint32_t w = 0; w < WARPS; w++)
    if (!has(b->out.sched, w)) b->warp[w].asked = false;
  bool at_hand = (b->out.move && b->out.at_kind == 0 && b->out.moved_owner == warp && b->out.moved_set == set) ||
                 (b->out.come && b->out.come_kind == 0 && b->out.come_owner == warp && b->out.come_set == set);
  bool may = has(b->out.sched, warp) && !b->warp[warp].asked && set < b->warp[warp].regs && !at_hand;
  if (may)
    read_operand(b, warp, set, b->out.rd_valid >> port & 1, b->out.rd_phys >> port * REG_BITS & ((1U << REG_BITS) - 1));
  if (b->out.line_valid && ready) move_line(b);
  if (b->late) b->late--;
  b->in.line_ready = ready, b->in.mem_busy = b->late != 0;
  bench_tick(b);
  b->in = (struct zorua_manager_in){.blk_warps = blk};
}

static void event(struct bench *b, uint32_t kind, uint32_t w, uint32_t block) {
  struct warp *p = &b->warp[w];
  uint32_t regs = rng_below(&b->g, RSETS + 1), scratch = rng_below(&b->g, SSETS + 1);
  do {
    b->in.ev_valid = 1, b->in.ev_kind = (uint8_t)kind, b->in.ev_warp = (uint8_t)w, b->in.ev_block = (uint8_t)block;
    b->in.ev_regs = (uint8_t)regs, b->in.ev_scratch = (uint8_t)scratch;
    cycle(b);
  } while (!b->out.ev_ready);
  if (kind == START) *p = (struct warp){.block = block, .todo = rng_below(&b->g, 10)};
  p->runs = kind != END, p->asked = true;
  if (kind == START || kind == PHASE) {
    for (uint32_t set = regs; set < RSETS; set++) p->value[set] = 0;
    for (uint32_t set = p->regs; set < regs; set++) p->value[set] = 0;
    p->regs = regs, p->scratch = scratch;
  }
}

static void start_block(struct bench *b, uint32_t block, uint32_t warps) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < WARPS && n < warps; w++)
    if (!b->warp[w].runs) event(b, START, w, block), n++, b->left[block]++, b->started++;
  assert_int_equal(n, warps);
}

static void test_values_follow_their_sets(void **unused) {
  (void)unused;
  struct bench b;
  print_message("seed %d\n", SEED);
  bench_open(&b, (struct zorua_manager_cfg){.WARPS = WARPS,
                                            .BLOCKS = BLOCKS,
                                            .EVENTS = 4,
                                            .REGS = REGS,
                                            .SCRATCH = SCRATCH,
                                            .SLOTS = SLOTS,
                                            .FLOOR = 2,
                                            .RSETS = RSETS,
                                            .SSETS = SSETS,
                                            .READS = 2,
                                            .SREADS = 1,
                                            .EPOCH = 64,
                                            .DELTA = 4,
                                            .START = 50,
                                            .STEP = 10,
                                            .PAW = 40});
  rng_seed(&b.g, SEED);
  write_bases(&b);
  for (int n = 0; n < CYCLES || b.ended < b.started; n++) {
    assert_true(n < 4 * CYCLES);
    uint32_t warps = n < CYCLES ? 1 + rng_below(&b.g, 3) : 0;
    b.in.blk_warps = (uint8_t)warps;
    cycle(&b);
    if (warps && b.out.blk_req) start_block(&b, b.out.blk_id, warps);
    uint32_t w = rng_below(&b.g, WARPS);
    struct warp *p = &b.warp[w];
    if (rng_below(&b.g, 4) || !has(b.out.sched, w) || p->asked) continue;
    if (p->todo == 0) event(&b, END, w, 0), b.ended++, b.left[p->block]--;
    else p->todo--, event(&b, b.left[p->block] == 1 && p->todo % 3 == 1 ? BARRIER : PHASE, w, 0);
  }
  for (int n = 0; n < 5000 && (n < 2 || b.out.busy); n++) cycle(&b);
  assert_int_equal(b.out.busy, 0);
  assert_int_equal(b.out.free_regs, REGS);
  assert_int_equal(b.out.free_scratch, SCRATCH);
  assert_int_equal(b.out.free_slots, SLOTS);
  print_message("%u warps, %u operands, %u of them in memory; %u lines spilled, %u filled\n", b.ended, b.reads,
                b.swapped_reads, b.spills, b.fills);
  assert_true(b.ended > 200 && b.reads > 5000 && b.swapped_reads > 100 && b.spills > 1000 && b.fills > 500);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_follow_their_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
