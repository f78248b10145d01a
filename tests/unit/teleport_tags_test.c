/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* Does the tag array keep the lines used last, and find each of them? By an oracle with lists, and by vectors worked out by hand. */
#include "kit/block_bench.h"
#include "kit/oracle.h"
#include "teleport_tags_ports.h"

BLOCK_BENCH(teleport_tags);

enum { SEED = 0x7a65, CYCLES = 8000 };

static void test_agrees_with_the_oracle(void **unused) {
  (void)unused;
  assert_oracle_agrees(&teleport_tags_desc, &teleport_tags_oracle, SEED, CYCLES);
}

static const struct teleport_tags_cfg standard = {.SETS = 4, .WAYS = 96};

/* The answer to an operation: what bench_cycle settled in the cycle after it was taken. */
static struct teleport_tags_out answered(struct bench *b) {
  bench_cycle(b);
  return *bench_cycle(b);
}
static struct teleport_tags_out fill(struct bench *b, uint64_t line) {
  b->in.fill_valid = 1, b->in.fill_line = line;
  return answered(b);
}
static struct teleport_tags_out probe(struct bench *b, uint64_t line) {
  b->in.probe_valid = 1, b->in.probe_line = line;
  return answered(b);
}

static void test_the_whole_buffer_fits(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, standard);
  for (uint64_t line = 0; line < 384; line++) {
    struct teleport_tags_out out = fill(&b, 1000 + line);
    assert_true(out.placed && !out.evict_valid);
    assert_int_equal(out.way, line / 4); /* the lowest way */
  }
  for (uint64_t line = 0; line < 384; line++) assert_int_equal(probe(&b, 1000 + line).hit, 1);
  probe(&b, 1000); /* now line 1004 was used the longest time ago in its set */
  struct teleport_tags_out out = fill(&b, 1000 + 384);
  assert_int_equal(out.evict_valid, 1);
  assert_int_equal(out.evict_line, 1004);
  assert_int_equal(probe(&b, 1004).hit, 0);
  assert_int_equal(probe(&b, 1000).hit, 1);
  bench_close(&b);
}

static void test_limit_invalidation_and_clear(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, standard);
  for (uint64_t line = 0; line < 40; line++) fill(&b, line); /* ways 0 to 9 */
  b.in.limit_en = 1, b.in.limit = 4;
  bench_cycle(&b);
  for (uint64_t line = 0; line < 40; line++) assert_int_equal(probe(&b, line).hit, line / 4 < 4);
  struct teleport_tags_out out = fill(&b, 400);
  assert_true(out.evict_valid && out.evict_line == 0);
  b.in.inval_valid = 1, b.in.inval_line = 8;
  assert_int_equal(answered(&b).hit, 1);
  out = fill(&b, 404);
  assert_true(out.placed && !out.evict_valid && out.way == 2); /* the way of line 8 */
  b.in.clear = 1;
  bench_cycle(&b);
  for (uint64_t line = 0; line < 40; line++) assert_int_equal(probe(&b, line).hit, 0);
  b.in.limit_en = 1, b.in.limit = 0;
  bench_cycle(&b);
  assert_int_equal(fill(&b, 1).placed, 0);
  bench_close(&b);
}

static void test_a_fill_goes_before_a_probe(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, standard);
  b.in.fill_valid = b.in.probe_valid = 1, b.in.fill_line = b.in.probe_line = 77;
  bench_cycle(&b);
  assert_int_equal(b.out.probe_ready, 0);
  b.in.probe_valid = 1, b.in.probe_line = 77;
  bench_cycle(&b);
  assert_int_equal(b.out.answer, 1);
  bench_cycle(&b);
  assert_int_equal(b.out.answer, 3);
  assert_int_equal(b.out.hit, 1);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_agrees_with_the_oracle),
    cmocka_unit_test(test_the_whole_buffer_fits),
    cmocka_unit_test(test_limit_invalidation_and_clear),
    cmocka_unit_test(test_a_fill_goes_before_a_probe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
