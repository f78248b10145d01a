/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction buffers: what they let issue, and when. */
#include "kit/gpu_kernels.h"

#include "core/fetch.h"

enum { READS = CLOCK_READS, WARPS = 4 };

/* Cycles from the first read of any of `warps` warps to the last, both included; clocks[0] are those of warp 0. */
static uint32_t span(const char *settings, uint32_t warps, uint32_t clocks[READS]) {
  struct fixture f;
  uint32_t *out, first = UINT32_MAX, last = 0;
  fixture_start(&f, settings, CLOCK_KERNEL);
  uint64_t params[1] = {fixture_words(&f, 1024, &out)};
  fixture_run(&f, 1, warps * 32, params);
  for (uint32_t i = 0; i < warps * READS; i++) {
    if (out[i] < first) first = out[i];
    if (out[i] > last) last = out[i];
  }
  memcpy(clocks, out, READS * sizeof *clocks);
  fixture_end(&f);
  return last - first + 1;
}

#define BASE "sm.scheduler=rr sm.schedulers=2 sm.latency.int=1 "

static void test_a_warp_alone_issues_in_every_cycle(void **state) {
  (void)state;
  uint32_t clocks[READS];
  assert_int_equal(span(BASE "sm.fetch=buffered", 1, clocks), READS);
  assert_int_equal(span(BASE "sm.fetch=buffered sm.fetch_entries=1", 1, clocks), READS);
}

/* Two schedulers issue two operations a cycle; with one decoded a cycle, only one of them has any. */
static void test_no_more_issue_than_are_decoded(void **state) {
  (void)state;
  uint32_t clocks[READS], ideal = span(BASE "sm.fetch=ideal", WARPS, clocks);
  assert_int_equal(ideal, WARPS * READS / 2);
  uint32_t one = span(BASE "sm.fetch=buffered sm.fetch_width=1", WARPS, clocks);
  assert_in_range(one, WARPS * READS - 1, WARPS * READS + WARPS);
  for (uint32_t i = 2; i + 1 < READS; i++) assert_int_equal(clocks[i] - clocks[i - 1], WARPS); /* in turn */
  uint32_t two = span(BASE "sm.fetch=buffered sm.fetch_width=2", WARPS, clocks);
  assert_in_range(two, ideal, ideal + WARPS);
}

/* Operations beyond a jump are lost; those without issue slots take no entry. */
static void test_a_jump_empties_the_buffer(void **state) {
  (void)state;
  struct gpu_config config = {.sm_fetch = FETCH_BUFFERED, .sm_fetch_entries = 3, .sm_fetch_width = 4};
  struct sm_fetch f;
  sm_fetch_create(&f, &config);
  assert_int_equal(f.decoded, 0);
  sm_fetch_start(&f, 5);
  sm_fetch_start(&f, 7);
  sm_fetch_cycle(&f);
  assert_int_equal(f.decoded, 1 << 5);
  sm_fetch_cycle(&f);
  assert_int_equal(f.decoded, 1 << 5 | 1 << 7);
  sm_fetch_advance(&f, 5, 10, 11, 1);
  sm_fetch_advance(&f, 5, 11, 12, 0);
  sm_fetch_advance(&f, 5, 12, 12, 1);
  assert_int_equal(f.count[5], 2);
  sm_fetch_advance(&f, 5, 12, 20, 1);
  assert_int_equal(f.count[5], 0);
  assert_int_equal(f.decoded, 1 << 7);
  assert_int_equal(f.empty, 1 << 5);
  for (uint32_t pc = 0; pc < 3; pc++) sm_fetch_advance(&f, 7, pc, pc + 1, 1);
  assert_int_equal(f.empty, 1 << 5 | 1 << 7);
  sm_fetch_cycle(&f); /* round robin: after slot 7 comes slot 5 */
  assert_int_equal(f.decoded, 1 << 5);
  sm_fetch_exit(&f, 7);
  assert_int_equal(f.empty, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_warp_alone_issues_in_every_cycle),
    cmocka_unit_test(test_no_more_issue_than_are_decoded),
    cmocka_unit_test(test_a_jump_empties_the_buffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
