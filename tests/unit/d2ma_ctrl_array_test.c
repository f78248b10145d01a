/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Do the controllers keep what was written, collect whom they must, start in order and release whoever waits? Vectors are
 * worked out by hand from Jamshidi 2014, section 4.1, and from the header of rtl/d2ma/d2ma_ctrl_array.v. */
#include "base/rng.h"
#include "d2ma_ctrl_array_ports.h"
#include "kit/block_bench.h"

enum { MODIFIER, CONFIGURE, EXECUTE };
enum { NONE, WRITES, ARRIVES, WAITS };
enum { BASES = 1, SHAPE = 2, WORD = 4, SIZE = 8 };

BLOCK_BENCH(d2ma_ctrl_array);

static const struct d2ma_ctrl_array_cfg small = {.CTAS = 3, .BUFS = 2, .WARPS = 12, .MSHRS = 8};

/* The cycle whose inputs are in b->in; its outputs stay in b->out. */
static const struct d2ma_ctrl_array_out *cycle(struct bench *b) {
  struct d2ma_ctrl_array_out unlike;
  struct d2ma_ctrl_array_in late = b->in;
  bench_settle(b);
  late.wr_go ^= 1, late.wt_hit ^= 1, late.ag_taken ^= 1, late.ag_done ^= 1; /* what is late shows nowhere */
  memset(&unlike, 0xff, sizeof unlike);
  d2ma_ctrl_array_model.eval(&b->cfg, b->state, &late, &unlike);
  assert_memory_equal(&unlike, &b->out, sizeof unlike);
  bench_tick(b);
  uint8_t literal = b->in.literal;
  memset(&b->in, 0, sizeof b->in);
  b->in.literal = literal;
  return &b->out;
}
static void launch(struct bench *b, uint8_t cta, uint64_t warps) {
  b->in.clr_cta_en = 1, b->in.clr_cta = cta, b->in.clr_warps = warps;
  cycle(b);
}
static void put(struct bench *b, uint8_t kind, uint8_t cta, uint8_t buf, uint8_t warp, bool go) {
  b->in.wr_en = 1, b->in.wr_kind = kind, b->in.wr_cta = cta, b->in.wr_buf = buf, b->in.wr_warp = warp, b->in.wr_go = go;
  b->in.wr_grp = kind == CONFIGURE ? BASES | SHAPE : kind == EXECUTE ? BASES : WORD;
}
static uint32_t op(struct bench *b, uint8_t kind, uint8_t cta, uint8_t buf, uint8_t warp) {
  put(b, kind, cta, buf, warp, true);
  return cycle(b)->wr_act;
}
static void reply(struct bench *b, uint8_t cta, uint8_t buf) {
  b->in.fl_en = 1, b->in.fl_cta = cta, b->in.fl_buf = buf;
}
/* The address generator sends `n` requests of the entry that it began, and is done. */
static void requests(struct bench *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) b->in.ag_taken = 1, cycle(b);
  b->in.ag_done = 1;
  cycle(b);
}
static bool told(struct bench *b, uint8_t cta, uint8_t buf) {
  return b->out.st_clr && b->out.st_cta == cta && b->out.st_buf == buf;
}

static void test_an_entry_reads_as_it_was_written_since_the_launch(void **state) {
  (void)state;
  struct bench b;
  struct rng g;
  uint32_t want[6] = {0};
  static const struct {
    uint32_t group, low, high;
  } part[] = {{BASES, 0, 80}, {SHAPE, 80, 112}, {SIZE, 112, 114}, {SHAPE, 114, 115}, {WORD, 115, 173}};
  rng_seed(&g, 5);
  bench_open(&b, small);
  launch(&b, 1, 3);
  for (uint32_t i = 0; i < 2000; i++) {
    put(&b, MODIFIER, 1, 1, 0, false);
    b.in.wr_grp = (uint8_t)rng_below(&g, 16);
    for (int w = 0; w < 6; w++) b.in.wr_data[w] = rng_u32(&g) & (w == 5 ? 0x1fff : UINT32_MAX);
    if (!rng_below(&g, 50)) {
      b.in.clr_cta_en = 1, b.in.clr_cta = 1, b.in.clr_warps = 3;
      memset(want, 0, sizeof want);
    }
    for (size_t p = 0; p < sizeof part / sizeof *part; p++)
      for (uint32_t k = part[p].low; b.in.wr_grp & part[p].group && k < part[p].high; k++)
        want[k / 32] = (want[k / 32] & ~(1u << k % 32)) | (b.in.wr_data[k / 32] & 1u << k % 32);
    cycle(&b);
    assert_int_equal(b.out.wr_act, WRITES);
    assert_memory_equal(b.out.rd_entry, want, sizeof want);
  }
  put(&b, MODIFIER, 1, 0, 0, false); /* the neighbour has heard nothing */
  b.in.wr_grp = 0;
  memset(want, 0, sizeof want);
  assert_memory_equal(cycle(&b)->rd_entry, want, sizeof want);
  bench_close(&b);
}

static void test_the_first_configure_ignites_and_later_ones_wait_for_every_warp(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 7);
  put(&b, CONFIGURE, 0, 1, 2, true);
  cycle(&b);
  assert_true(b.out.wr_act == WRITES && b.out.go_live && b.out.go_start && !b.out.go_arm);
  assert_true(b.out.ag_cta == 0 && b.out.ag_buf == 1);
  assert_int_equal(op(&b, CONFIGURE, 0, 1, 0), ARRIVES);
  assert_int_equal(op(&b, CONFIGURE, 0, 1, 0), WAITS); /* came again */
  requests(&b, 2);
  reply(&b, 0, 1);
  assert_false(cycle(&b)->st_clr);
  reply(&b, 0, 1);
  cycle(&b);
  assert_true(told(&b, 0, 1) && !b.out.st_stale && b.out.freed_next == 1);
  assert_int_equal(cycle(&b)->wake, 1); /* warp 0, although warp 1 has not arrived */
  assert_int_equal(op(&b, EXECUTE, 0, 1, 0), WAITS);
  put(&b, CONFIGURE, 0, 1, 1, true);
  cycle(&b);
  assert_true(b.out.wr_act == ARRIVES && !b.out.open && b.out.freed == 1 &&
              b.out.wake == 1); /* the generation is over */
  put(&b, EXECUTE, 0, 1, 0, true);
  cycle(&b);
  assert_true(b.out.wr_act == WRITES && b.out.go_arm && !b.out.go_live);
  put(&b, EXECUTE, 0, 1, 2, true);
  cycle(&b);
  assert_true(b.out.wr_act == ARRIVES && b.out.arm_wr && !b.out.st_set && !b.out.ag_start);
  put(&b, EXECUTE, 0, 1, 1, true);
  cycle(&b);
  assert_true(b.out.wr_act == ARRIVES && !b.out.arm_wr && b.out.st_set && b.out.arm_clr && b.out.ag_start);
  bench_close(&b);
}

static void test_literal_mode_refills_for_whoever_comes(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  b.in.literal = 1;
  launch(&b, 0, 3);
  assert_int_equal(op(&b, EXECUTE, 0, 0, 0), NONE); /* never configured */
  assert_int_equal(op(&b, CONFIGURE, 0, 0, 0), WRITES);
  assert_int_equal(op(&b, CONFIGURE, 0, 0, 1), ARRIVES);
  assert_int_equal(op(&b, EXECUTE, 0, 0, 1), NONE); /* in flight: ignored, nobody waits */
  requests(&b, 0);
  cycle(&b);
  assert_true(told(&b, 0, 0));
  put(&b, EXECUTE, 0, 0, 1, true);
  cycle(&b);
  assert_true(b.out.wr_act == WRITES && b.out.go_live && !b.out.open);
  bench_close(&b);
}

static void test_an_exit_counts_as_an_arrival(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 2, 0xc00);
  op(&b, CONFIGURE, 2, 0, 10);
  requests(&b, 0);
  cycle(&b);
  assert_true(told(&b, 2, 0) && b.out.open == 1 << 4);
  b.in.exit_en = 1, b.in.exit_cta = 2, b.in.exit_warp = 11;
  cycle(&b);
  assert_true(!b.out.open && b.out.freed == 4);
  put(&b, EXECUTE, 2, 0, 10, true); /* alone: nobody to wait for */
  cycle(&b);
  assert_true(b.out.go_live && !b.out.go_arm);
  bench_close(&b);
}

static void test_entries_start_in_order_of_ignition(void **state) {
  (void)state;
  struct bench b;
  static const uint8_t order[6][2] = {{1, 0}, {2, 1}, {0, 1}, {1, 1}, {0, 0}, {2, 0}};
  bench_open(&b, small);
  for (uint8_t c = 0; c < 3; c++) launch(&b, c, 1u << c);
  for (uint32_t i = 0; i < 6; i++) {
    put(&b, CONFIGURE, order[i][0], order[i][1], order[i][0], true);
    b.in.wr_data[0] = i + 1;
    assert_int_equal(cycle(&b)->go_start, i == 0);
  }
  for (uint32_t i = 1; i < 6; i++) {
    b.in.ag_done = 1;
    assert_false(cycle(&b)->ag_start);
    cycle(&b);
    assert_true(b.out.ag_start && b.out.ag_cta == order[i][0] && b.out.ag_buf == order[i][1]);
    assert_int_equal(b.out.ag_entry[0], i + 1);
  }
  bench_close(&b);
}

static void test_a_reply_that_takes_two_cycles_delays_the_end_by_one(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 1);
  op(&b, CONFIGURE, 0, 0, 0);
  requests(&b, 1);
  reply(&b, 0, 0);
  b.in.fl_long = 1;
  assert_false(cycle(&b)->st_clr);
  cycle(&b);
  assert_true(told(&b, 0, 0));
  assert_false(cycle(&b)->st_clr); /* told once */
  bench_close(&b);
}

static void test_a_killed_entry_is_stale_until_its_replies_have_come(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 1, 2);
  op(&b, CONFIGURE, 1, 0, 1);
  op(&b, CONFIGURE, 1, 1, 1); /* in the queue */
  b.in.ag_taken = 1;
  cycle(&b);
  b.in.clr_cta_en = 1, b.in.clr_cta = 1, b.in.clr_warps = 2;
  cycle(&b);
  assert_true(b.out.ag_abort && !b.out.ag_start && !b.out.open);
  uint32_t stale = 0, started = 0;
  for (uint32_t i = 0; i < 5; i++) {
    cycle(&b);
    stale += b.out.st_clr && b.out.st_stale && b.out.arm_clr;
    started += b.out.ag_start;
  }
  assert_true(stale == 1 && !started); /* the one in the queue */
  assert_int_equal(op(&b, CONFIGURE, 1, 0, 1), WAITS);
  reply(&b, 1, 0);
  cycle(&b);
  assert_true(told(&b, 1, 0) && b.out.st_stale);
  assert_int_equal(cycle(&b)->wake, 2);
  assert_int_equal(op(&b, CONFIGURE, 1, 0, 1), WRITES);
  bench_close(&b);
}

static void test_the_watchdog_counts_everybody_as_arrived(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 3);
  op(&b, CONFIGURE, 0, 0, 0);
  op(&b, CONFIGURE, 0, 0, 1);
  requests(&b, 0);
  cycle(&b);
  assert_true(told(&b, 0, 0) && !b.out.open);
  op(&b, EXECUTE, 0, 0, 0);
  assert_int_equal(cycle(&b)->armed, 1);
  b.in.force_en = 1;
  cycle(&b);
  assert_true(b.out.st_set && b.out.ag_start && !b.out.armed && b.out.moving == 1);
  bench_close(&b);
}

static void test_a_release_beats_the_wait_bit_of_its_cycle(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 3);
  op(&b, CONFIGURE, 0, 0, 0);
  b.in.wt_en = 1, b.in.wt_warp = 1, b.in.wt_hit = 1;
  b.in.ag_done = 1;
  cycle(&b);
  b.in.wt_en = 1, b.in.wt_warp = 0, b.in.wt_hit = 1;
  cycle(&b);
  assert_true(told(&b, 0, 0));
  b.in.wt_en = 1, b.in.wt_warp = 1, b.in.wt_hit = 1; /* in the cycle of the release */
  cycle(&b);
  assert_true(b.out.freed == 1 && b.out.wake == 3);
  op(&b, CONFIGURE, 0, 0, 1); /* the next release: nobody is left */
  assert_true(b.out.freed == 1 && !b.out.wake);
  bench_close(&b);
}

static void test_a_refused_operation_collects_and_moves_nothing(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 3);
  put(&b, CONFIGURE, 0, 0, 0, false);
  assert_int_equal(cycle(&b)->wr_act, WRITES);
  assert_true(!cycle(&b)->moving && b.out.open == 1);
  put(&b, CONFIGURE, 0, 0, 1, false);
  cycle(&b);
  assert_true(b.out.wr_act == ARRIVES && !b.out.open && b.out.freed == 1);
  assert_false(cycle(&b)->busy);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_entry_reads_as_it_was_written_since_the_launch),
    cmocka_unit_test(test_the_first_configure_ignites_and_later_ones_wait_for_every_warp),
    cmocka_unit_test(test_literal_mode_refills_for_whoever_comes),
    cmocka_unit_test(test_an_exit_counts_as_an_arrival),
    cmocka_unit_test(test_entries_start_in_order_of_ignition),
    cmocka_unit_test(test_a_reply_that_takes_two_cycles_delays_the_end_by_one),
    cmocka_unit_test(test_a_killed_entry_is_stale_until_its_replies_have_come),
    cmocka_unit_test(test_the_watchdog_counts_everybody_as_arrived),
    cmocka_unit_test(test_a_release_beats_the_wait_bit_of_its_cycle),
    cmocka_unit_test(test_a_refused_operation_collects_and_moves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
