/* SPDX-License-Identifier: Apache-2.0 */
/* Does the round-robin arbiter grant whom it must, and does the priority move only when it may? */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "rr_arb_ports.h"

enum { SEED = 0x5eed01 };

BLOCK_BENCH(rr_arb);

/* One cycle; `accept` is driven after the grant was seen. */
static uint32_t cycle(struct bench *b, uint32_t req, bool accept) {
  b->in = (struct rr_arb_in){.req = req};
  bench_settle(b);
  assert_int_equal(b->out.busy, 0);
  b->in.accept = accept;
  bench_tick(b);
  return b->out.grant;
}

static void test_a_full_house_is_served_in_turn(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = 5});
  for (uint32_t i = 0; i < 23; i++) assert_int_equal(cycle(&b, 0x1f, true), 1U << i % 5);
  bench_close(&b);
}

static void test_the_priority_stays_without_accept(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = 8});
  assert_int_equal(cycle(&b, 0x0c, true), 0x04); /* the priority is 3 now */
  for (int i = 0; i < 5; i++) assert_int_equal(cycle(&b, 0xff, false), 0x08);
  assert_int_equal(cycle(&b, 0x06, false), 0x02); /* round the end, not taken */
  assert_int_equal(cycle(&b, 0xff, true), 0x08);
  assert_int_equal(cycle(&b, 0xff, true), 0x10);
  bench_close(&b);
}

static void test_accept_without_a_request_means_nothing(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = 8});
  assert_int_equal(cycle(&b, 0x20, true), 0x20);
  for (int i = 0; i < 5; i++) assert_int_equal(cycle(&b, 0, true), 0);
  assert_int_equal(cycle(&b, 0xff, true), 0x40);
  bench_close(&b);
}

static void test_a_single_client_always_wins(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = 1});
  for (uint32_t i = 0; i < 8; i++) assert_int_equal(cycle(&b, i & 1, i & 2), i & 1);
  bench_close(&b);
}

static void test_the_last_of_32_clients_hands_over_to_the_first(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = 32});
  assert_true(cycle(&b, 0x80000000U, true) == 0x80000000U);
  assert_int_equal(cycle(&b, UINT32_MAX, true), 1);
  bench_close(&b);
}

static void test_reset_gives_client_0_the_priority(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = 6});
  cycle(&b, 0x08, true);
  bench_reset(&b);
  assert_int_equal(cycle(&b, 0x3f, true), 0x01);
  bench_close(&b);
}

/* The law by itself: walk the clients in order of priority, one at a time. */
static uint32_t walk(uint32_t n, uint32_t priority, uint32_t req) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t client = (priority + i) % n;
    if (req >> client & 1) return client;
  }
  return n;
}

static void test_random_requests_agree_with_a_walk_round_the_ring(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  for (uint32_t n = 1; n <= 32; n++) {
    struct bench b;
    bench_open(&b, (struct rr_arb_cfg){.N = (int32_t)n});
    uint32_t priority = 0;
    for (int i = 0; i < 3000; i++) {
      uint32_t req = rng_u32(&rng) & (rng_percent(&rng, 50) ? rng_u32(&rng) : UINT32_MAX);
      req &= UINT32_MAX >> (32 - n);
      bool accept = rng_percent(&rng, 60);
      uint32_t winner = walk(n, priority, req);
      assert_true(cycle(&b, req, accept) == (winner < n ? 1U << winner : 0));
      if (accept && winner < n) priority = (winner + 1) % n;
    }
    bench_close(&b);
  }
}

static void test_a_patient_client_loses_fewer_than_n_times(void **unused) {
  (void)unused;
  struct rng rng;
  rng_seed(&rng, SEED + 1);
  uint32_t most = 0, n = 7;
  struct bench b;
  bench_open(&b, (struct rr_arb_cfg){.N = (int32_t)n});
  for (int round = 0; round < 2000; round++) {
    uint32_t client = rng_below(&rng, n), lost = 0;
    for (;;) {
      bool accept = rng_percent(&rng, 70);
      uint32_t grant = cycle(&b, 1U << client | (rng_u32(&rng) & 0x7f), accept);
      if (!accept) continue;
      if (grant == 1U << client) break;
      lost++;
      assert_in_range(lost, 1, n - 1);
    }
    if (lost > most) most = lost;
  }
  assert_int_equal(most, n - 1); /* the bound is tight */
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_full_house_is_served_in_turn),
    cmocka_unit_test(test_the_priority_stays_without_accept),
    cmocka_unit_test(test_accept_without_a_request_means_nothing),
    cmocka_unit_test(test_a_single_client_always_wins),
    cmocka_unit_test(test_the_last_of_32_clients_hands_over_to_the_first),
    cmocka_unit_test(test_reset_gives_client_0_the_priority),
    cmocka_unit_test(test_random_requests_agree_with_a_walk_round_the_ring),
    cmocka_unit_test(test_a_patient_client_loses_fewer_than_n_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
