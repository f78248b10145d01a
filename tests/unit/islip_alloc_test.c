/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does iSLIP match as McKeown 1999 has it: pointers part, throughput becomes full, more iterations match more? */
#include "base/rng.h"
#include "islip_alloc_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0x5eed72 };

BLOCK_BENCH(islip_alloc);

static void ask(struct bench *b, int i, int o) {
  int at = i * b->cfg.O + o;
  b->in.req[at / 32] |= 1U << at % 32;
}
/* Ends the cycle; returns the grants. */
static int cycle(struct bench *b, bool adv) {
  b->in.out_free = UINT32_MAX >> (32 - b->cfg.O);
  b->in.adv = adv;
  bench_cycle(b);
  int n = 0;
  for (int w = 0; w < 8; w++) n += __builtin_popcount(b->out.grant[w]);
  return n;
}
static bool granted(const struct bench *b, int i, int o) {
  int at = i * b->cfg.O + o;
  return b->out.grant[at / 32] >> at % 32 & 1;
}
static void ask_all(struct bench *b) {
  for (int i = 0; i < b->cfg.I; i++)
    for (int o = 0; o < b->cfg.O; o++) ask(b, i, o);
}

/* All pointers begin at 0, so the first cycle matches one pair; then they part, and n cycles later every cycle matches n. */
static void test_a_full_house_becomes_a_perfect_match(void **unused) {
  (void)unused;
  struct bench b;
  for (int n = 2; n <= 8; n++) {
    bench_open(&b, (struct islip_alloc_cfg){.I = n, .O = n, .ITER = 1});
    ask_all(&b);
    assert_int_equal(cycle(&b, true), 1);
    for (int t = 0; t < n; t++) ask_all(&b), cycle(&b, true);
    int served[64] = {0};
    for (int t = 0; t < n; t++) {
      ask_all(&b);
      assert_int_equal(cycle(&b, true), n);
      for (int k = 0; k < n * n; k++) served[k] += granted(&b, k / n, k % n);
    }
    for (int k = 0; k < n * n; k++) assert_int_equal(served[k], 1);
    bench_close(&b);
  }
}

/* Inputs 0 and 1 ask outputs 0 and 1: both outputs grant input 0, which accepts output 0; a second iteration gives output 1
 * to input 1, and moves no pointer. */
static void test_a_second_iteration_matches_what_the_first_left(void **unused) {
  (void)unused;
  struct bench b;
  for (int iterations = 1; iterations <= 2; iterations++) {
    bench_open(&b, (struct islip_alloc_cfg){.I = 2, .O = 2, .ITER = iterations});
    ask_all(&b);
    assert_int_equal(cycle(&b, true), iterations);
    assert_true(granted(&b, 0, 0));
    struct islip_alloc_regs regs = bench_regs(&b);
    assert_int_equal(regs.grant_ptr_q[0], 1);
    assert_int_equal(regs.accept_ptr_q[0], 1);
    assert_int_equal(regs.grant_ptr_q[1], 0); /* its grant was not accepted, or in the second iteration */
    assert_int_equal(regs.accept_ptr_q[1], 0);
    bench_close(&b);
  }
}

static void test_without_adv_pointers_stay(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct islip_alloc_cfg){.I = 4, .O = 4, .ITER = 2});
  for (int t = 0; t < 5; t++) {
    ask_all(&b);
    cycle(&b, false);
    assert_true(granted(&b, 0, 0));
  }
  bench_close(&b);
}

/* As many iterations as ports: no pair is left that asks and is free at both ends. */
static void test_enough_iterations_leave_no_pair(void **unused) {
  (void)unused;
  struct rng rng;
  struct bench b;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  bench_open(&b, (struct islip_alloc_cfg){.I = 6, .O = 5, .ITER = 5});
  for (int t = 0; t < 3000; t++) {
    bool asked[6][5];
    for (int i = 0; i < 6; i++)
      for (int o = 0; o < 5; o++)
        if ((asked[i][o] = rng_percent(&rng, 30))) ask(&b, i, o);
    cycle(&b, true);
    for (int i = 0; i < 6; i++)
      for (int o = 0; o < 5; o++) {
        bool input = false, output = false;
        for (int p = 0; p < 5; p++) input |= granted(&b, i, p);
        for (int p = 0; p < 6; p++) output |= granted(&b, p, o);
        if (asked[i][o]) assert_true(input || output);
        if (granted(&b, i, o)) assert_true(asked[i][o]);
      }
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_full_house_becomes_a_perfect_match),
    cmocka_unit_test(test_a_second_iteration_matches_what_the_first_left),
    cmocka_unit_test(test_without_adv_pointers_stay),
    cmocka_unit_test(test_enough_iterations_leave_no_pair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
