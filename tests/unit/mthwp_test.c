/* SPDX-License-Identifier: Apache-2.0 */
/* Does L1's prefetcher learn the strides of a warp, of all warps and between warps as Lee 2010 has it, throttle itself, and change
 * no result but time? */
#include "core/mthwp.h"
#include "kit/gpu_kernels.h"

#include <stdlib.h>

enum { PC = 7, PERIOD = 1000 };

/* ---- tables ---- */

static void test_three_executions_train_a_warps_stride(void **unused) {
  (void)unused;
  struct mthwp p;
  mthwp_start(&p, PERIOD);
  mthwp_launch(&p, 0);
  assert_int_equal(mthwp_train(&p, PC, 3, 3, 0x1000), 0);
  assert_int_equal(mthwp_train(&p, PC, 3, 3, 0x1400), 0);
  assert_int_equal(mthwp_train(&p, PC, 3, 3, 0x1800), 0x400);
  assert_int_equal(mthwp_train(&p, PC + 1, 3, 3, 0x1c00), 0); /* another operation */
  assert_int_equal(mthwp_train(&p, PC, 3, 3, 0x1bf0), 0);     /* another stride */
  assert_int_equal(mthwp_train(&p, PC, 3, 3, 0x1bf0), 0);     /* none */
}

static void test_the_stride_of_three_warps_is_that_of_all(void **unused) {
  (void)unused;
  struct mthwp p;
  mthwp_start(&p, PERIOD);
  mthwp_launch(&p, 0);
  static const uint64_t base[] = {0x1000, 0x93000, 0x20000, 0x51000}; /* nothing between warps */
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t w = 0; w < 3; w++)
      assert_int_equal(mthwp_train(&p, PC, w, w, base[w] + 0x200 * k), k == 2 ? 0x200 : 0);
  assert_int_equal(mthwp_train(&p, PC, 3, 3, base[3]), 0x200); /* a warp that has never loaded */
}

static void test_three_warps_train_the_distance_between_warps(void **unused) {
  (void)unused;
  struct mthwp p;
  mthwp_start(&p, PERIOD);
  mthwp_launch(&p, 0);
  assert_int_equal(mthwp_train(&p, PC, 0, 10, 0x1000), 0);
  assert_int_equal(mthwp_train(&p, PC, 1, 12, 0x1100), 0);
  assert_int_equal(mthwp_train(&p, PC, 2, 13, 0x1180), 0x80);
  assert_int_equal(mthwp_train(&p, PC, 3, 16, 0x1300), 0x80);
  assert_int_equal(mthwp_train(&p, PC, 4, 17, 0x1301), 0);
  mthwp_launch(&p, 0); /* a new launch knows nothing */
  assert_int_equal(mthwp_train(&p, PC, 4, 18, 0x1381), 0);
}

static void test_the_least_recently_used_entry_goes(void **unused) {
  (void)unused;
  struct mthwp p;
  mthwp_start(&p, PERIOD);
  mthwp_launch(&p, 0);
  for (uint32_t k = 0; k < 2; k++) mthwp_train(&p, PC, 0, 0, 0x1000 + 0x100 * k);
  for (uint32_t w = 1; w < MTHWP_PWS; w++) mthwp_train(&p, PC + w, w, w, 0); /* the table is full */
  assert_int_equal(mthwp_train(&p, PC, 0, 0, 0x1200), 0x100);
  for (uint32_t w = 0; w < MTHWP_PWS; w++) mthwp_train(&p, PC + 100 + w, w, w, 0);
  assert_int_equal(mthwp_train(&p, PC, 0, 0, 0x1300), 0); /* forgotten */
}

/* ---- throttle ---- */

static uint32_t let_of(struct mthwp *p, uint64_t cycle) {
  uint32_t n = 0;
  for (int k = 0; k < 10 * MTHWP_DEGREES; k++) n += mthwp_lets(p, cycle, p->misses, p->merges);
  return n;
}

static void test_the_throttle_follows_early_evictions_and_merges(void **unused) {
  (void)unused;
  static const struct {
    uint64_t useful, early, misses, merges;
    uint32_t degree;
  } periods[] = {
    {1000, 9, 800, 200, 5},                           /* the mean of no merges, at first, and 20 % */
    {1000, 21, 800, 200, 5},                          /* more than 2 % */
    {1000, 0, 600, 400, 4},                           /* merges */
    {1000, 0, 600, 400, 3},  {1000, 10, 600, 400, 4}, /* 1 % */
    {0, 0, 990, 10, 3},                               /* the mean still is 20 % */
    {0, 0, 990, 10, 5},                               /* and now 10 % */
    {0, 3, 0, 0, 5},                                  /* nothing but early ones */
  };
  struct mthwp p;
  mthwp_start(&p, PERIOD);
  mthwp_launch(&p, 0);
  assert_int_equal(let_of(&p, 0), 30);
  uint64_t misses = 0, merges = 0;
  for (uint32_t k = 0; k < sizeof periods / sizeof *periods; k++) {
    p.useful = periods[k].useful;
    p.early = periods[k].early;
    misses += periods[k].misses;
    merges += periods[k].merges;
    mthwp_lets(&p, (k + 1) * PERIOD, misses, merges);
    assert_int_equal(p.degree, periods[k].degree);
    assert_int_equal(let_of(&p, (k + 1) * PERIOD), 10 * (MTHWP_DEGREES - p.degree));
  }
}

/* ---- in an SM ---- */

/* Each thread sums every 4096th word from its own on: a stride of a warp, and one between warps. */
static const char strided[] =
  KERNEL(".param .u64 p0, .param .u64 p1", "mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u64 %rd7, %rd1;\n"
                                           "LOOP: ld.global.u32 %r12, [%rd7]; add.u32 %r10, %r10, %r12;\n"
                                           "add.s64 %rd7, %rd7, 16384; add.u32 %r11, %r11, 1;\n"
                                           "setp.lt.u32 %p1, %r11, 16; @%p1 bra LOOP;\n"
                                           "ld.param.u64 %rd5, [p1]; add.s64 %rd6, %rd5, %rd3;\n"
                                           "st.global.u32 [%rd6], %r10; ret;\n");

static struct sm_counters run(const char *settings, bool skip, uint64_t *cycles) {
  enum { THREADS = 4096, WORDS = 16 * THREADS };
  struct fixture f;
  uint32_t *in, *out;
  fixture_config(&f, settings);
  f.setup.skip = skip;
  fixture_load(&f, strided);
  uint64_t params[2] = {fixture_words(&f, WORDS, &in), fixture_words(&f, THREADS, &out)};
  for (uint32_t i = 0; i < WORDS; i++) in[i] = i * 2654435761U;
  fixture_run(&f, THREADS / 128, 128, params);
  for (uint32_t i = 0; i < THREADS; i++) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 16; k++) sum += in[i + k * THREADS];
    assert_int_equal(out[i], sum);
  }
  struct sm_counters n = fixture_counters(&f);
  *cycles = gpu_core_cycles(f.gpu);
  fixture_end(&f);
  return n;
}

static void test_prefetches_are_counted_and_change_time_alone(void **unused) {
  (void)unused;
  uint64_t plain_cycles, cycles, every_cycles;
  struct sm_counters plain = run("l1.bytes=65536", true, &plain_cycles);
  struct sm_counters n = run("l1.bytes=65536 l1.prefetch=mthwp", true, &cycles);
  struct sm_counters every = run("l1.bytes=65536 l1.prefetch=mthwp", false, &every_cycles);
  assert_int_equal(plain.l1_prefetches, 0);
  assert_int_equal(n.warp_instructions, plain.warp_instructions);
  assert_int_equal(n.l1_hits + n.l1_misses + n.l1_merges, plain.l1_hits + plain.l1_misses + plain.l1_merges);
  assert_true(n.l1_prefetch_hits > n.l1_prefetches / 4);
  assert_in_range(n.l1_prefetches - n.l1_prefetch_hits - n.l1_prefetch_early, 0,
                  2 * 65536 / 128); /* nobody has asked yet */
  assert_int_equal(n.l1_misses + n.l1_prefetch_hits, plain.l1_misses);
  assert_true(cycles != plain_cycles);
  assert_int_equal(cycles, every_cycles);
  assert_memory_equal(&n, &every, sizeof n);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_three_executions_train_a_warps_stride),
    cmocka_unit_test(test_the_stride_of_three_warps_is_that_of_all),
    cmocka_unit_test(test_three_warps_train_the_distance_between_warps),
    cmocka_unit_test(test_the_least_recently_used_entry_goes),
    cmocka_unit_test(test_the_throttle_follows_early_evictions_and_merges),
    cmocka_unit_test(test_prefetches_are_counted_and_change_time_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
