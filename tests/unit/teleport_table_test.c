/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* Does the preload table keep the rows of streams apart, and a launch its own? */
#include "kit/block_bench.h"
#include "teleport_table_ports.h"

BLOCK_BENCH(teleport_table);

static const struct teleport_table_cfg wide = {.ROWS = 64, .STREAMS = 16, .WIDE = 1};

/* Sets a row that `base` names; 0 taken, 1 full, 2 misfit. */
static int set(struct bench *b, uint32_t stream, uint64_t base) {
  b->in.set_valid = 1, b->in.set_stream = (uint8_t)stream, b->in.set_base = base;
  if (!b->in.set_typesize) b->in.set_typesize = 4;
  bench_cycle(b);
  return b->out.set_full ? 1 : b->out.set_misfit ? 2 : 0;
}
static void flush(struct bench *b, uint32_t stream) {
  b->in.flush_valid = 1, b->in.flush_stream = (uint8_t)stream;
  bench_cycle(b);
}
static void launch(struct bench *b, uint32_t stream) {
  b->in.launch_valid = 1, b->in.launch_stream = (uint8_t)stream;
  bench_cycle(b);
}

/* Walks a CTA with one line a row; the bases of its rows in order, from the lowest digit on. */
static uint64_t walk(struct bench *b) {
  uint64_t bases = 0, scale = 1;
  bool unit = false;
  b->in.cta_valid = 1, b->in.cta_x = 7;
  bench_cycle(b);
  assert_true(b->out.cta_ready);
  for (int cycle = 0; cycle < 1000; cycle++) {
    b->in.row_ready = !unit;
    b->in.row_end = b->in.line_taken = unit;
    b->in.msg_ready = 1;
    bench_settle(b);
    if (b->out.row_valid && b->in.row_ready) {
      bases += b->out.row_base * scale, scale *= 10, unit = true;
      assert_int_equal(b->out.row_x, 7);
    } else {
      unit = false;
    }
    bool told = b->out.msg_valid;
    if (told) assert_int_equal(b->out.msg_total, scale == 1 ? 0 : scale == 10 ? 1 : scale == 100 ? 2 : 3);
    bench_tick(b);
    memset(&b->in, 0, sizeof b->in);
    if (told) return bases;
  }
  fail_msg("the walk does not end");
  return 0;
}

static void test_the_65th_row_is_refused(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, wide);
  for (uint64_t row = 0; row < 64; row++) assert_int_equal(set(&b, row % 16, row), 0);
  assert_int_equal(set(&b, 0, 64), 1);
  flush(&b, 3); /* four rows of the sixteenth part */
  for (uint64_t row = 0; row < 4; row++) assert_int_equal(set(&b, 0, row), 0);
  assert_int_equal(set(&b, 0, 64), 1);
  bench_close(&b);
}

static void test_what_does_not_fit(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct teleport_table_cfg){.ROWS = 64, .STREAMS = 16, .WIDE = 0});
  assert_int_equal(set(&b, 0, UINT32_MAX), 0);
  assert_int_equal(set(&b, 0, UINT64_C(1) << 32), 2);
  b.in.set_typesize = 256;
  assert_int_equal(set(&b, 0, 0), 2);
  b.in.set_minp[1] = 65535;
  assert_int_equal(set(&b, 0, 0), 0);
  b.in.set_minp[1] = 65536;
  assert_int_equal(set(&b, 0, 0), 2);
  b.in.set_maxo = UINT32_MAX; /* a halo at -1 */
  assert_int_equal(set(&b, 0, 0), 2);
  b.in.set_valid = 1; /* typesize 0 */
  bench_cycle(&b);
  assert_int_equal(b.out.set_misfit, 1);
  bench_close(&b);
}

static void test_a_launch_keeps_its_rows(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, wide);
  set(&b, 1, 1);
  set(&b, 2, 2);
  set(&b, 1, 3);
  assert_int_equal(walk(&b), 0); /* no launch, no rows */
  launch(&b, 1);
  assert_int_equal(walk(&b), 31);
  flush(&b, 1);
  set(&b, 1, 4);
  assert_int_equal(walk(&b), 31); /* as when it was launched */
  launch(&b, 1);
  assert_int_equal(walk(&b), 4);
  launch(&b, 2);
  assert_int_equal(walk(&b), 2);
  flush(&b, 1);
  b.in.end_valid = 1;
  bench_cycle(&b);
  assert_int_equal(walk(&b), 0);
  launch(&b, 2); /* rows stay until they are flushed */
  assert_int_equal(walk(&b), 2);
  bench_close(&b);
}

static void test_flushed_rows_of_a_launch_are_free_after_it(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct teleport_table_cfg){.ROWS = 2, .STREAMS = 2, .WIDE = 1});
  set(&b, 0, 1);
  set(&b, 0, 2);
  launch(&b, 0);
  flush(&b, 0);
  assert_int_equal(set(&b, 1, 3), 1);
  assert_int_equal(walk(&b), 21);
  launch(&b, 1); /* the next one begins */
  assert_int_equal(set(&b, 1, 3), 0);
  assert_int_equal(walk(&b), 0);
  launch(&b, 1);
  assert_int_equal(walk(&b), 3);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_65th_row_is_refused),
    cmocka_unit_test(test_what_does_not_fit),
    cmocka_unit_test(test_a_launch_keeps_its_rows),
    cmocka_unit_test(test_flushed_rows_of_a_launch_are_free_after_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
