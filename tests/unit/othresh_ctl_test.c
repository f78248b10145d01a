/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Does the threshold follow the source's algorithm? The oracle here counts single cycles with signed differences; the block gets the same
 * cycles in runs. Table 5's constants by hand: 10 % of 256 sets are 26, of 48 are 5; a step of 4 % is 10 and 2 sets. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "othresh_ctl_ports.h"

BLOCK_BENCH(othresh_ctl);

enum { SEED = 0x07e5, EPOCHS = 400 };

static const struct othresh_ctl_cfg table_5 = {
  .REGS = 256, .SCRATCH = 48, .SLOTS = 48, .EPOCH = 2048, .DELTA = 16, .START = 10, .STEP = 4};

static void run(struct bench *b, int cycles, bool idle, bool mem) {
  b->in.run = (uint16_t)cycles, b->in.issue_valid = !idle, b->in.all_wait_mem = mem;
  bench_cycle(b);
}

/* An epoch with so many idle cycles, and so many that wait for memory; then what the thresholds are. */
static void epoch(struct bench *b, int idle, int mem) {
  run(b, idle, true, false);
  run(b, mem, false, true);
  run(b, 2048 - idle - mem, false, false);
  bench_cycle(b);
}

static void expect(const struct bench *b, int regs, int scratch, int slots) {
  assert_int_equal(b->out.thresh_regs, regs);
  assert_int_equal(b->out.thresh_scratch, scratch);
  assert_int_equal(b->out.thresh_slots, slots);
}

static void test_the_constants_of_table_5(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, table_5);
  bench_cycle(&b);
  expect(&b, 26, 5, 5); /* 25.6, 4.8 */
  epoch(&b, 17, 0);
  expect(&b, 36, 7, 7); /* 14 %: 35.84, 6.72 */
  epoch(&b, 33, 0);     /* 16 more than before: not more than DELTA */
  expect(&b, 36, 7, 7);
  epoch(&b, 33, 17); /* memory by 17 more */
  expect(&b, 26, 5, 5);
  epoch(&b, 16, 17);    /* idle by 17 less, memory as before */
  expect(&b, 15, 3, 3); /* 6 %: 15.36, 2.88 */
  epoch(&b, 0, 600);
  expect(&b, 5, 1, 1); /* 2 %: 5.12, 0.96 */
  epoch(&b, 0, 1200);
  expect(&b, 0, 0, 0); /* not below nothing */
  b.in.start_en = 1;
  bench_cycle(&b);
  bench_cycle(&b);
  expect(&b, 26, 5, 5);
  bench_close(&b);
}

static void test_all_may_be_swapped_and_not_more(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, table_5);
  for (int n = 1; n <= 30; n++) epoch(&b, 40 * n, 0);
  expect(&b, 256, 48, 48);
  bench_close(&b);
}

struct oracle {
  int cycle, idle, mem, idle_prev, mem_prev, percent;
};

static void oracle_cycle(struct oracle *o, bool idle, bool mem) {
  o->idle += idle, o->mem += mem;
  if (++o->cycle < table_5.EPOCH) return;
  int di = o->idle - o->idle_prev, dm = o->mem - o->mem_prev;
  if (di - dm > 16) o->percent += 4;
  if (dm - di > 16) o->percent -= 4;
  if (o->percent > 100) o->percent = 100;
  if (o->percent < 0) o->percent = 0;
  o->idle_prev = o->idle, o->mem_prev = o->mem;
  o->idle = o->mem = o->cycle = 0;
}

/* A run of n cycles does what n cycles do, wherever an epoch ends in it. */
static void test_a_run_is_so_many_cycles(void **unused) {
  (void)unused;
  struct bench whole, single;
  struct oracle o = {.percent = 10};
  struct rng g;
  int moved = 0;
  rng_seed(&g, SEED);
  print_message("seed %d\n", SEED);
  bench_open(&whole, table_5);
  bench_open(&single, table_5);
  for (int left = EPOCHS * 2048; left > 0;) {
    int n = 1 + (int)rng_below(&g, rng_below(&g, 3) ? 60 : 2048), was = o.percent;
    bool issue = rng_below(&g, 2), stall = rng_below(&g, 4) == 0, mem = rng_below(&g, 3) == 0;
    whole.in.pipe_stall = stall;
    run(&whole, n, !issue, mem);
    for (int c = 0; c < n; c++) {
      single.in.pipe_stall = stall;
      run(&single, 1, !issue, mem);
      oracle_cycle(&o, !issue && !stall, mem);
    }
    bench_settle(&whole);
    bench_settle(&single);
    assert_int_equal(whole.out.thresh_regs, single.out.thresh_regs);
    assert_int_equal(whole.out.thresh_regs, (o.percent * 256 + 50) / 100);
    assert_int_equal(whole.out.thresh_scratch, (o.percent * 48 + 50) / 100);
    moved += o.percent != was;
    left -= n;
  }
  assert_true(moved > EPOCHS / 2);
  bench_close(&whole);
  bench_close(&single);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_constants_of_table_5),
    cmocka_unit_test(test_all_may_be_swapped_and_not_more),
    cmocka_unit_test(test_a_run_is_so_many_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
