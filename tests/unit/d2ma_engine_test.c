/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Does the engine, composed of its three parts, move a buffer and hold back the warps that must wait? Vectors by hand from
 * Jamshidi 2014, section 4, and from the headers of the parts' RTL. */
#include "d2ma_engine_ports.h"
#include "kit/block_bench.h"

enum { CONFIGURE = 1, EXECUTE = 2 };

BLOCK_BENCH(d2ma_engine);

/* Warps 4 and 5 run CTA 2, which starts in the first cycle. */
static void start(struct bench *b) {
  bench_open(b, (struct d2ma_engine_cfg){.CTAS = 8, .BUFS = 4, .WARPS = 48, .MSHRS = 32, .SEG = 128, .NB = 32});
  b->in.clr_cta_en = 1, b->in.clr_cta = 2, b->in.clr_warps = 0x30;
}
static const struct d2ma_engine_out *cycle(struct bench *b) {
  b->in.req_ready = b->in.cst_ready = 1;
  return bench_cycle(b);
}
/* 64 floats from 0x1010 to shared 0x200: three segments (the first vector of the specification). */
static void put(struct bench *b, uint8_t kind, uint8_t warp) {
  b->in.wr_en = 1, b->in.wr_kind = kind, b->in.wr_cta = 2, b->in.wr_buf = 1, b->in.wr_warp = warp, b->in.wr_go = 1;
  b->in.wr_grp = kind == CONFIGURE ? 11 : 1;
  b->in.wr_data[0] = 0x1010;
  b->in.wr_data[2] = 0x200 | 64u << 16;
  b->in.wr_data[3] = 1 | 2u << 16;
  b->in.wr_foot = 256;
}
static bool hit_at(struct bench *b, uint8_t warp, uint16_t byte) {
  b->in.ld_valid = 1, b->in.ld_cta = 2, b->in.ld_warp = warp, b->in.ld_lo = b->in.ld_hi = byte;
  cycle(b);
  b->in.wt_en = 1, b->in.wt_cta = 2, b->in.wt_warp = warp;
  return cycle(b)->hit;
}

static void test_a_transfer_goes_through_all_three(void **state) {
  (void)state;
  struct bench b;
  static const uint64_t segment[3] = {0x1000, 0x1080, 0x1100};
  static const uint8_t off[3] = {16, 0, 0}, len[3] = {112, 128, 16};
  static const uint16_t saddr[3] = {0x200, 0x270, 0x2f0};
  start(&b);
  put(&b, CONFIGURE, 4);
  cycle(&b); /* T0, in the cycle of the launch */
  assert_true(b.out.wr_act == 1 && b.out.go_live && b.out.go_start && b.out.ag_cta == 2 && b.out.ag_buf == 1);
  for (int i = 0; i < 3; i++) {
    cycle(&b);
    assert_true(b.out.req_valid && b.out.req_seg == segment[i] && b.out.req_off == off[i]);
    assert_true(b.out.req_len == len[i] && b.out.req_saddr == saddr[i] && b.out.footprint == 65536);
  }
  assert_true(!cycle(&b)->req_valid && b.out.footprint == 256 && b.out.moving == UINT64_C(1) << 9);
  assert_true(hit_at(&b, 5, 0x200) && hit_at(&b, 5, 0x2ff));
  assert_false(hit_at(&b, 5, 0x1ff) || hit_at(&b, 5, 0x300));
  for (int i = 0; i < 3; i++) {
    assert_false(b.out.st_clr);
    b.in.fl_en = 1, b.in.fl_cta = 2, b.in.fl_buf = 1;
    cycle(&b);
  }
  assert_true(b.out.st_clr && !b.out.st_stale && b.out.st_cta == 2 && b.out.st_buf == 1);
  assert_true(cycle(&b)->freed == 4 && b.out.wake == 0x20); /* warp 5, which was hit */
  assert_false(hit_at(&b, 5, 0x200));
  bench_close(&b);
}

static void test_an_armed_buffer_holds_those_who_asked(void **state) {
  (void)state;
  struct bench b;
  start(&b);
  b.in.wr_foot = 0; /* refused: nothing moves, the generation is collected */
  put(&b, CONFIGURE, 4);
  b.in.wr_go = 0;
  cycle(&b);
  put(&b, CONFIGURE, 5);
  cycle(&b);
  assert_false(cycle(&b)->busy);
  put(&b, EXECUTE, 4);
  assert_true(cycle(&b)->wr_act == 1 && !b.out.go_live);
  assert_true(cycle(&b)->armed == UINT64_C(1) << 9);
  assert_true(hit_at(&b, 4, 0x240));
  assert_false(hit_at(&b, 5, 0x240)); /* has not asked: reads the old tile */
  put(&b, EXECUTE, 5);
  assert_true(cycle(&b)->st_set && b.out.ag_start);
  assert_true(hit_at(&b, 5, 0x240));
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_transfer_goes_through_all_three),
    cmocka_unit_test(test_an_armed_buffer_holds_those_who_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
