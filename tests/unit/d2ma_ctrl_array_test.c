/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Do the controllers keep what was written, wait for every warp that must arrive, start in order and release waiting warps?
 * Vectors are worked out by hand from Jamshidi 2014, section 4.1, and from the header of rtl/d2ma/d2ma_ctrl_array.v. */
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
  /* inputs sampled at the clock edge change no output */
  late.wr_go ^= 1, late.wt_hit ^= 1, late.ag_taken ^= 1, late.ag_done ^= 1, late.fl_cta ^= 1, late.fl_buf ^= 1;
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
  b->in.wr_data[2] = 64u << 16; /* elements */
}
static uint32_t op(struct bench *b, uint8_t kind, uint8_t cta, uint8_t buf, uint8_t warp) {
  put(b, kind, cta, buf, warp, true);
  return cycle(b)->wr_act;
}
static void reply(struct bench *b, uint8_t cta, uint8_t buf) {
  b->in.fl_en = 1, b->in.fl_cta = cta, b->in.fl_buf = buf;
}
/* The address generator sends `n` requests of the entry that it has begun, then ends. */
static void requests(struct bench *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) b->in.ag_taken = 1, cycle(b);
  b->in.ag_done = 1;
  cycle(b);
}
/* The checker is told that the entry is done. */
static bool told(struct bench *b, uint8_t cta, uint8_t buf) {
  return b->out.ck_clr && b->out.ck_cta == cta && b->out.ck_buf == buf;
}
static void idle(struct bench *b, uint32_t cycles) {
  while (cycles--) cycle(b);
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
  put(&b, MODIFIER, 1, 0, 0, false); /* the other entry is not told */
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
  assert_true(b.out.wr_act == WRITES && b.out.rd_some && b.out.go_live && !b.out.go_arm);
  assert_int_equal(op(&b, CONFIGURE, 0, 1, 0), ARRIVES);
  assert_true(b.out.ck_set && !b.out.ck_forget && b.out.ck_cta == 0 && b.out.ck_buf == 1);
  assert_int_equal(op(&b, CONFIGURE, 0, 1, 0), WAITS); /* came again */
  assert_true(b.out.ag_start && b.out.ag_cta == 0 && b.out.ag_buf == 1);
  requests(&b, 2);
  reply(&b, 0, 1);
  idle(&b, 3);
  reply(&b, 0, 1);
  cycle(&b);
  assert_int_equal(cycle(&b)->freed_next, 1);
  cycle(&b);
  assert_true(told(&b, 0, 1) && !b.out.ck_stale && !b.out.freed && b.out.freed_next == 1);
  assert_true(cycle(&b)->freed == 1 && b.out.wake == 1); /* warp 0, although warp 1 has not arrived */
  assert_int_equal(op(&b, EXECUTE, 0, 1, 0), WAITS);
  assert_int_equal(op(&b, CONFIGURE, 0, 1, 1), ARRIVES);
  assert_int_equal(cycle(&b)->open, 0);                  /* the generation is over */
  assert_true(cycle(&b)->freed == 1 && b.out.wake == 1); /* one cycle later */
  put(&b, EXECUTE, 0, 1, 0, true);
  cycle(&b);
  assert_true(b.out.wr_act == WRITES && b.out.go_arm && !b.out.go_live);
  assert_int_equal(op(&b, EXECUTE, 0, 1, 2), ARRIVES);
  assert_true(b.out.ck_arm && b.out.ck_warp == 0 && b.out.ck_buf == 1 && !b.out.ck_set);
  assert_int_equal(op(&b, EXECUTE, 0, 1, 1), ARRIVES);
  assert_true(b.out.ck_arm && b.out.ck_warp == 2 && b.out.armed == 2);
  assert_true(cycle(&b)->ck_arm && b.out.ck_warp == 1 && b.out.armed == 2); /* looked at */
  assert_true(!cycle(&b)->armed && b.out.moving == 2);
  assert_true(cycle(&b)->ck_set && b.out.ck_forget && b.out.ck_buf == 1);
  assert_true(cycle(&b)->ag_start && b.out.freed == 1);
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
  idle(&b, 2);
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
  idle(&b, 2);
  requests(&b, 0);
  idle(&b, 2);
  assert_true(told(&b, 2, 0) && b.out.open == 1 << 4);
  b.in.exit_en = 1, b.in.exit_cta = 2, b.in.exit_warp = 11;
  cycle(&b);
  assert_false(cycle(&b)->open);
  assert_int_equal(cycle(&b)->freed, 4);
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
    assert_int_equal(cycle(&b)->ag_start, i == 2); /* two cycles after the first */
    if (i == 2) assert_int_equal(b.out.ag_entry[0], 1);
  }
  for (uint32_t i = 1; i < 6; i++) {
    b.in.ag_done = 1;
    assert_false(cycle(&b)->ag_start);
    assert_false(cycle(&b)->ag_start); /* the entry is read */
    cycle(&b);
    assert_true(b.out.ag_start && b.out.ag_cta == order[i][0] && b.out.ag_buf == order[i][1]);
    assert_int_equal(b.out.ag_entry[0], i + 1);
  }
  bench_close(&b);
}

static void test_a_footprint_is_read_where_no_entry_starts(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 1);
  put(&b, CONFIGURE, 0, 0, 0, true);
  b.in.wr_data[0] = 7;
  cycle(&b);
  b.in.fp_en = 1, b.in.fp_cta = 0, b.in.fp_buf = 0;
  assert_false(cycle(&b)->fp_ok);
  b.in.fp_en = 1;
  assert_true(!cycle(&b)->fp_ok && b.out.ag_start); /* the previous cycle read the entry that starts */
  assert_true(cycle(&b)->fp_ok && !b.out.ag_start && b.out.ag_entry[0] == 7);
  assert_false(cycle(&b)->fp_ok);
  b.in.fp_en = 1, b.in.fp_buf = 1; /* not written: reads as 0 */
  cycle(&b);
  assert_true(cycle(&b)->fp_ok && !b.out.ag_entry[0] && !b.out.ag_entry[2]);
  bench_close(&b);
}

static void test_a_killed_entry_is_stale_until_its_replies_have_come(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 1, 2);
  op(&b, CONFIGURE, 1, 0, 1);
  op(&b, CONFIGURE, 1, 1, 1); /* behind it */
  assert_true(cycle(&b)->ag_start);
  b.in.ag_taken = 1;
  cycle(&b);
  b.in.clr_cta_en = 1, b.in.clr_cta = 1, b.in.clr_warps = 2;
  cycle(&b);
  assert_true(b.out.ag_abort && !b.out.ag_start && !b.out.open);
  uint32_t stale = 0, started = 0;
  for (uint32_t i = 0; i < 6; i++) {
    cycle(&b);
    stale += b.out.ck_clr && b.out.ck_stale && b.out.ck_forget;
    started += b.out.ag_start;
  }
  assert_true(stale == 1 && !started); /* the one behind */
  assert_int_equal(op(&b, CONFIGURE, 1, 0, 1), WAITS);
  reply(&b, 1, 0);
  idle(&b, 3);
  assert_true(told(&b, 1, 0) && b.out.ck_stale);
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
  cycle(&b);
  requests(&b, 0);
  idle(&b, 3);
  assert_false(b.out.open);
  op(&b, EXECUTE, 0, 0, 0);
  assert_int_equal(cycle(&b)->armed, 1);
  b.in.force_en = 1;
  cycle(&b);
  idle(&b, 2);
  assert_true(!b.out.armed && b.out.moving == 1);
  assert_true(cycle(&b)->ck_set && b.out.ck_forget);
  assert_true(cycle(&b)->ag_start);
  bench_close(&b);
}

static void test_a_release_beats_the_wait_bit_of_its_cycle(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 3);
  op(&b, CONFIGURE, 0, 0, 0);
  b.in.wt_en = 1, b.in.wt_warp = 1, b.in.wt_hit = 1;
  idle(&b, 2);
  b.in.ag_done = 1;
  idle(&b, 2);
  b.in.wt_en = 1, b.in.wt_warp = 0, b.in.wt_hit = 1;
  cycle(&b);
  assert_true(told(&b, 0, 0));
  b.in.wt_en = 1, b.in.wt_warp = 1, b.in.wt_hit = 1; /* in the cycle of the release */
  cycle(&b);
  assert_true(b.out.freed == 1 && b.out.wake == 3);
  op(&b, CONFIGURE, 0, 0, 1); /* the next release: nobody is left */
  idle(&b, 2);
  assert_true(b.out.freed == 1 && !b.out.wake);
  bench_close(&b);
}

static void test_a_narrower_range_wakes_its_cta(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, small);
  launch(&b, 0, 3);
  launch(&b, 1, 12);
  b.in.wt_en = 1, b.in.wt_warp = 1, b.in.wt_hit = 1;
  cycle(&b);
  b.in.wt_en = 1, b.in.wt_cta = 1, b.in.wt_warp = 2, b.in.wt_hit = 1;
  cycle(&b);
  b.in.wk_en = 1, b.in.wk_cta = 0;
  assert_false(cycle(&b)->freed);
  assert_true(cycle(&b)->freed == 1 && b.out.wake == 2);
  bench_close(&b);
}

static void test_a_refused_or_empty_operation_collects_and_moves_nothing(void **state) {
  (void)state;
  for (int empty = 0; empty < 3; empty++) {
    struct bench b;
    bench_open(&b, small);
    launch(&b, 0, 3);
    put(&b, CONFIGURE, 0, 0, 0, empty);
    if (empty) b.in.wr_data[2] = empty == 1 ? 0 : 5u << 24; /* no elements; a matrix without columns */
    if (empty == 2) b.in.wr_data[3] = 1u << 18;
    assert_int_equal(cycle(&b)->wr_act, WRITES);
    assert_int_equal(b.out.rd_some, !empty);
    assert_true(!cycle(&b)->moving && b.out.open == 1 && !b.out.ck_set);
    put(&b, CONFIGURE, 0, 0, 1, false);
    cycle(&b);
    assert_int_equal(b.out.wr_act, ARRIVES);
    assert_int_equal(cycle(&b)->open, 0);
    assert_int_equal(cycle(&b)->freed, 1);
    assert_false(cycle(&b)->busy);
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_entry_reads_as_it_was_written_since_the_launch),
    cmocka_unit_test(test_the_first_configure_ignites_and_later_ones_wait_for_every_warp),
    cmocka_unit_test(test_literal_mode_refills_for_whoever_comes),
    cmocka_unit_test(test_an_exit_counts_as_an_arrival),
    cmocka_unit_test(test_entries_start_in_order_of_ignition),
    cmocka_unit_test(test_a_footprint_is_read_where_no_entry_starts),
    cmocka_unit_test(test_a_killed_entry_is_stale_until_its_replies_have_come),
    cmocka_unit_test(test_the_watchdog_counts_everybody_as_arrived),
    cmocka_unit_test(test_a_release_beats_the_wait_bit_of_its_cycle),
    cmocka_unit_test(test_a_narrower_range_wakes_its_cta),
    cmocka_unit_test(test_a_refused_or_empty_operation_collects_and_moves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
