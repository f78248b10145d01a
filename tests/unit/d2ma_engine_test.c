/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Does the engine, composed of its parts, move a buffer and hold back the warps that must wait? Vectors by hand from
 * Jamshidi 2014, section 4, and from the headers of the parts' RTL. */
#include "d2ma_engine_ports.h"
#include "kit/block_bench.h"

enum { CONFIGURE = 1, EXECUTE = 2, MSHRS = 32 };

BLOCK_BENCH(d2ma_engine);

/* Warps 4 and 5 run CTA 2, which starts in the first cycle. */
static void start(struct bench *b) {
  bench_open(
    b, (struct d2ma_engine_cfg){.CTAS = 8, .BUFS = 4, .WARPS = 48, .MSHRS = MSHRS, .SEG = 128, .NB = 32, .LANES = 32});
  b->in.clr_cta_en = 1, b->in.clr_cta = 2, b->in.clr_warps = 0x30;
}
static const struct d2ma_engine_out *cycle(struct bench *b) {
  b->in.req_ready = b->in.cst_ready = 1;
  b->in.free = MSHRS;
  return bench_cycle(b);
}
static void idle(struct bench *b, uint32_t cycles) {
  while (cycles--) cycle(b);
}
/* 64 floats from 0x1010 to shared 0x200: three segments (the first vector of the specification). */
static void put(struct bench *b, uint8_t kind, uint8_t warp) {
  b->in.wr_en = 1, b->in.wr_kind = kind, b->in.wr_cta = 2, b->in.wr_buf = 1, b->in.wr_warp = warp, b->in.wr_go = 1;
  b->in.wr_grp = kind == CONFIGURE ? 11 : 1;
  b->in.wr_data[0] = 0x1010;
  b->in.wr_data[2] = 0x200 | 64u << 16;
  b->in.wr_data[3] = 1 | 2u << 16;
}
/* Lanes 3 and 17 access four bytes each, the latter at `byte`; must the warp wait? */
static bool waits_at(struct bench *b, uint8_t warp, uint16_t byte, bool store) {
  b->in.at_valid = 1, b->in.at_cta = 2, b->in.at_warp = warp, b->in.at_last = 3;
  b->in.at_mask = 1u << 3 | 1u << 17;
  b->in.at_addr[1] = (uint32_t)(byte + (byte < 0x200 ? -8 : 8)) << 16;
  b->in.at_addr[8] = (uint32_t)byte << 16;
  cycle(b);
  cycle(b);
  b->in.wt_en = 1, b->in.wt_cta = 2, b->in.wt_warp = warp, b->in.wt_store = store;
  return cycle(b)->waits;
}

static void test_a_transfer_goes_through_all_parts(void **state) {
  (void)state;
  struct bench b;
  static const uint64_t segment[3] = {0x1000, 0x1080, 0x1100};
  static const uint8_t off[3] = {16, 0, 0}, len[3] = {112, 128, 16};
  static const uint16_t saddr[3] = {0x200, 0x270, 0x2f0};
  start(&b);
  put(&b, CONFIGURE, 4);
  cycle(&b); /* in the cycle of the launch */
  assert_true(b.out.wr_act == 1 && b.out.rd_some && b.out.go_live && !b.out.ag_start);
  assert_true(cycle(&b)->ck_set && b.out.ck_cta == 2 && b.out.ck_buf == 1);
  assert_true(cycle(&b)->ag_start && b.out.ag_cta == 2 && b.out.ag_buf == 1);
  cycle(&b); /* the generator shows its first request */
  for (uint32_t i = 0; i < 3; i++) {
    b.in.req_mshr = (uint8_t)(7 - i);
    cycle(&b);
    assert_true(b.out.req_valid && b.out.share && b.out.taken && b.out.req_seg == segment[i]);
  }
  assert_true(!cycle(&b)->req_valid && b.out.moving == UINT64_C(1) << 9);
  assert_true(waits_at(&b, 5, 0x2fc, false) && waits_at(&b, 5, 0x200, false));
  assert_false(waits_at(&b, 5, 0x1fc, false) || waits_at(&b, 5, 0x300, false) || waits_at(&b, 5, 0x210, true));
  assert_true(b.out.hit && b.out.hit_buf == 1); /* the store, which is the program's error */
  for (uint32_t i = 0; i < 3; i++) {
    b.in.fill_en = 1, b.in.fill_mshr = (uint8_t)(7 - i);
    cycle(&b);
    assert_true(b.out.fill_cta == 2 && b.out.fill_buf == 1 && b.out.fill_off == off[i] && b.out.fill_len == len[i]);
    assert_true(b.out.fill_saddr == saddr[i] && !b.out.fill_cut && !b.out.fill_step && !b.out.fill_drop);
  }
  idle(&b, 2);
  assert_true(b.out.ck_clr && !b.out.ck_stale && b.out.ck_cta == 2 && b.out.ck_buf == 1);
  assert_true(cycle(&b)->freed == 4 && b.out.wake == 0x20); /* warp 5 */
  assert_false(waits_at(&b, 5, 0x200, false));
  bench_close(&b);
}

static void test_the_range_is_wide_until_the_footprint_is_known(void **state) {
  (void)state;
  struct bench b;
  start(&b);
  put(&b, CONFIGURE, 4);
  cycle(&b);
  assert_true(waits_at(&b, 5, 0x4000, false) && !b.out.known);
  b.in.wt_en = 1; /* nothing was asked */
  assert_false(cycle(&b)->waits);
  uint32_t known = 0, freed = 0;
  for (uint32_t i = 0; i < 8; i++) {
    cycle(&b);
    known += b.out.known && b.out.known_cta == 2 && b.out.known_buf == 1 && b.out.known_foot == 256;
    freed += b.out.freed == 4 && b.out.wake == 0x20;
  }
  assert_int_equal(known, 1);
  assert_int_equal(freed, 1);
  assert_false(waits_at(&b, 5, 0x4000, false));
  bench_close(&b);
}

static void test_a_store_waits_only_for_a_range_that_is_not_known(void **state) {
  (void)state;
  struct bench b;
  start(&b);
  put(&b, CONFIGURE, 4);
  cycle(&b);
  assert_true(waits_at(&b, 5, 0x4000, true));
  idle(&b, 10);
  assert_false(waits_at(&b, 5, 0x240, true));
  assert_true(b.out.hit);
  bench_close(&b);
}

static void test_an_armed_buffer_holds_those_who_asked(void **state) {
  (void)state;
  struct bench b;
  start(&b);
  put(&b, CONFIGURE, 4);
  b.in.wr_go = 0; /* refused: nothing moves, the generation is collected */
  cycle(&b);
  put(&b, CONFIGURE, 5);
  cycle(&b);
  idle(&b, 2);
  assert_false(cycle(&b)->busy);
  put(&b, EXECUTE, 4);
  assert_true(cycle(&b)->wr_act == 1 && !b.out.go_live);
  idle(&b, 10);
  assert_int_equal(b.out.armed, UINT64_C(1) << 9);
  assert_true(waits_at(&b, 4, 0x240, false));
  assert_false(waits_at(&b, 5, 0x240, false)); /* has not asked: reads the old tile */
  put(&b, EXECUTE, 5);
  cycle(&b);
  idle(&b, 3);
  assert_true(b.out.ck_set && b.out.ck_forget);
  assert_true(waits_at(&b, 5, 0x240, false));
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_transfer_goes_through_all_parts),
    cmocka_unit_test(test_the_range_is_wide_until_the_footprint_is_known),
    cmocka_unit_test(test_a_store_waits_only_for_a_range_that_is_not_known),
    cmocka_unit_test(test_an_armed_buffer_holds_those_who_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
