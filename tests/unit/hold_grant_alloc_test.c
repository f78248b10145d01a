/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does the allocator match inputs and outputs as Yuan 2009, 4.3 has it, do holds win and end when they must, and is the choice
 * among the others fair? */
#include "base/rng.h"
#include "hold_grant_alloc_ports.h"
#include "kit/block_bench.h"
#include "kit/oracle.h"

enum { SEED = 0x5eed71, PIM = 0, HG = 1, RMHG = 2, HMHG = 3, NOBODY = -1 };

BLOCK_BENCH(hold_grant_alloc);

static struct hold_grant_alloc_cfg sized(int32_t inputs, int32_t outputs, int32_t mode) {
  return (struct hold_grant_alloc_cfg){.I = inputs, .O = outputs, .MODE = mode, .HW = 4, .NB = 4, .SEED = 1, .MCS = 1};
}

/* The parts of a cycle: requests, the row of an input's packet, and its end with outputs `free`. */
static void ask(struct bench *b, int i, int o) {
  int at = i * b->cfg.O + o;
  b->in.req[at / 32] |= 1U << at % 32;
}
static void show(struct bench *b, int i, uint32_t row, uint32_t bank) {
  for (int k = 0; k < 12; k++) {
    uint32_t at = 12 * (uint32_t)i + (uint32_t)k, bit = 1U << at % 32;
    b->in.row[at / 32] = row >> k & 1 ? b->in.row[at / 32] | bit : b->in.row[at / 32] & ~bit;
  }
  b->in.bank[i * 2 / 32] &= ~(3U << i * 2 % 32);
  b->in.bank[i * 2 / 32] |= bank << i * 2 % 32;
}
static void cycle_with(struct bench *b, uint32_t free_outputs, bool adv) {
  b->in.out_free = free_outputs;
  b->in.adv = adv;
  bench_settle(b);
  bench_tick(b);
  memset(b->in.req, 0, sizeof b->in.req);
}
static void cycle(struct bench *b) { cycle_with(b, UINT32_MAX >> (32 - b->cfg.O), true); }

static bool bit(const uint32_t *words, const struct bench *b, int i, int o) {
  int at = i * b->cfg.O + o;
  return words[at / 32] >> at % 32 & 1;
}
static bool granted(const struct bench *b, int i, int o) { return bit(b->out.grant, b, i, o); }
static bool held(const struct bench *b, int i, int o) { return bit(b->out.hold_hit, b, i, o); }
static int winner(const struct bench *b, int o) {
  for (int i = 0; i < b->cfg.I; i++)
    if (granted(b, i, o)) return i;
  return NOBODY;
}
static bool holds(const struct bench *b, int i, int o) {
  struct hold_grant_alloc_regs regs = bench_regs(b);
  return bit(regs.prev_q, b, i, o);
}
static int holders(struct bench *b) {
  int n = 0;
  for (int i = 0; i < b->cfg.I; i++)
    for (int o = 0; o < b->cfg.O; o++) n += holds(b, i, o);
  return n;
}
/* prev = {(i, o)} */
static void make_hold(struct bench *b, int i, int o) {
  ask(b, i, o);
  cycle(b);
  assert_true(granted(b, i, o) && holds(b, i, o));
}

static void test_a_held_pair_wins_and_others_get_the_rest(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, HG));
  for (int k = 0; k < 50; k++) {
    make_hold(&b, 0, 0);
    ask(&b, 0, 0), ask(&b, 1, 0), ask(&b, 2, 1);
    cycle(&b);
    assert_true(granted(&b, 0, 0) && granted(&b, 2, 1) && held(&b, 0, 0) && !held(&b, 2, 1));
  }
  bench_close(&b);
}

static void test_a_new_row_ends_the_hold_of_rmhg(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, RMHG));
  int wins[3] = {0};
  for (uint32_t k = 0; k < 2000; k++) {
    show(&b, 0, k % 4096, 2);
    show(&b, 1, 77, 1);
    make_hold(&b, 0, 0);
    ask(&b, 0, 0), ask(&b, 1, 0); /* the same row */
    cycle(&b);
    assert_true(held(&b, 0, 0));
    show(&b, 0, (k + 1) % 4096, 2);
    ask(&b, 0, 0), ask(&b, 1, 0);
    cycle(&b);
    assert_false(held(&b, 0, 0));
    wins[winner(&b, 0)]++;
    cycle(&b);
  }
  print_message("input 0 %d times, input 1 %d times\n", wins[0], wins[1]);
  assert_in_range(wins[0], 800, 1200);
  bench_close(&b);
}

static void test_rows_are_kept_by_bank(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, RMHG));
  for (uint32_t bank = 0; bank < 4; bank++) {
    show(&b, 0, 100 + bank, bank);
    make_hold(&b, 0, 0);
  }
  for (uint32_t bank = 0; bank < 4; bank++) {
    show(&b, 0, 100 + bank, bank);
    ask(&b, 0, 0);
    cycle(&b);
    assert_true(held(&b, 0, 0));
  }
  show(&b, 0, 100, 3);
  ask(&b, 0, 0);
  cycle(&b);
  assert_false(held(&b, 0, 0));
  bench_close(&b);
}

static void test_a_hold_masks_the_other_requests_of_its_input(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, HG));
  for (int k = 0; k < 50; k++) {
    make_hold(&b, 1, 1);
    ask(&b, 1, 0), ask(&b, 1, 1), ask(&b, 0, 0);
    cycle(&b);
    assert_true(granted(&b, 1, 1) && granted(&b, 0, 0) && !granted(&b, 1, 0));
  }
  bench_close(&b);
}

static void test_a_hold_is_lost_at_the_first_free_cycle_without_its_request(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, HG));
  make_hold(&b, 0, 0);
  ask(&b, 1, 0);
  cycle(&b);
  assert_true(granted(&b, 1, 0) && !holds(&b, 0, 0) && holds(&b, 1, 0));
  cycle(&b); /* nobody asks */
  assert_int_equal(holders(&b), 0);
  bench_close(&b);
}

static void test_grace_forgives_free_cycles_without_a_grant(void **unused) {
  (void)unused;
  struct bench b;
  struct hold_grant_alloc_cfg cfg = sized(3, 2, HG);
  cfg.GRACE = 2;
  bench_open(&b, cfg);
  make_hold(&b, 0, 0);
  cycle(&b), cycle(&b);
  assert_true(holds(&b, 0, 0) && b.out.busy);
  ask(&b, 0, 0), ask(&b, 1, 0);
  cycle(&b);
  assert_true(held(&b, 0, 0));
  cycle(&b), cycle(&b), cycle(&b);
  assert_int_equal(holders(&b), 0);
  bench_close(&b);
}

static void test_a_busy_output_keeps_its_holder_unless_that_input_goes_elsewhere(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, HG));
  make_hold(&b, 0, 0);
  for (int k = 0; k < 5; k++) cycle_with(&b, 2, true);
  assert_true(holds(&b, 0, 0));
  ask(&b, 0, 1);
  cycle_with(&b, 2, true);
  assert_true(granted(&b, 0, 1) && holds(&b, 0, 1));
  assert_int_equal(holders(&b), 1);
  bench_close(&b);
}

/* 0xA ^ 0xB ^ 0xC = 0xD: a row 0x00D has the hash of 0xABC, 0x00C has not. */
static void test_the_hash_of_abc_is_d(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, HMHG));
  for (uint32_t row = 0; row < 4096; row++) {
    show(&b, 0, 0xabc, 0);
    make_hold(&b, 0, 0);
    show(&b, 0, row, 0);
    ask(&b, 0, 0), ask(&b, 1, 0);
    cycle(&b);
    assert_int_equal(held(&b, 0, 0), ((row >> 8 ^ row >> 4 ^ row) & 0xf) == 0xd);
    cycle(&b);
  }
  bench_close(&b);
}

static void test_without_adv_nothing_changes(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, HG));
  make_hold(&b, 0, 0);
  struct hold_grant_alloc_regs before = bench_regs(&b);
  ask(&b, 1, 0), ask(&b, 2, 0), ask(&b, 0, 1);
  cycle_with(&b, 3, false);
  struct hold_grant_alloc_regs after = bench_regs(&b);
  assert_memory_equal(&before, &after, sizeof before);
  bench_close(&b);
}

static void random_requests(struct bench *b, struct rng *rng, uint32_t percent) {
  for (int i = 0; i < b->cfg.I; i++) {
    show(b, i, rng_below(rng, 3), rng_below(rng, 4));
    for (int o = 0; o < b->cfg.O; o++)
      if (rng_percent(rng, percent)) ask(b, i, o);
  }
}

/* One grant a row and a column, only where asked and free; a free output that somebody asks for alone is granted. */
static void check_matching(const struct bench *b, const struct hold_grant_alloc_in *in) {
  for (int i = 0; i < b->cfg.I; i++) {
    int outputs = 0, asked = 0, only = 0;
    for (int o = 0; o < b->cfg.O; o++) {
      outputs += granted(b, i, o);
      if (bit(in->req, b, i, o)) asked++, only = o;
      if (granted(b, i, o)) assert_true(bit(in->req, b, i, o) && (in->out_free >> o & 1));
      if (held(b, i, o)) assert_true(granted(b, i, o));
    }
    assert_in_range(outputs, 0, 1);
    if (asked == 1 && in->out_free >> only & 1) assert_int_not_equal(winner(b, only), NOBODY);
  }
  for (int o = 0; o < b->cfg.O; o++) {
    int inputs = 0;
    for (int i = 0; i < b->cfg.I; i++) inputs += granted(b, i, o);
    assert_in_range(inputs, 0, 1);
  }
}

static void test_every_size_grants_a_matching_and_loses_no_hold(void **unused) {
  (void)unused;
  static const int sizes[][2] = {{1, 1},  {3, 2},  {2, 3},  {5, 4},   {4, 5}, {5, 5},
                                 {28, 8}, {8, 28}, {32, 8}, {16, 16}, {9, 8}};
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  uint32_t hits = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int mode = PIM; mode <= HMHG; mode++) {
      struct bench b;
      bench_open(&b, sized(sizes[k][0], sizes[k][1], mode));
      for (int t = 0; t < 400; t++) {
        struct hold_grant_alloc_regs regs = bench_regs(&b);
        random_requests(&b, &rng, 10 + 10 * (uint32_t)(t % 10));
        struct hold_grant_alloc_in in = b.in;
        uint64_t r = rng_u64(&rng);
        in.out_free = ((uint32_t)r | (uint32_t)(r >> 32)) & (UINT32_MAX >> (32 - b.cfg.O));
        cycle_with(&b, in.out_free, true);
        check_matching(&b, &in);
        if (mode != HG) continue;
        for (int i = 0; i < b.cfg.I; i++)
          for (int o = 0; o < b.cfg.O; o++) {
            bool hold = bit(regs.prev_q, &b, i, o) && bit(in.req, &b, i, o) && (in.out_free >> o & 1);
            assert_int_equal(hold, held(&b, i, o));
            hits += hold;
          }
      }
      bench_close(&b);
    }
  assert_true(hits > 1000);
}

/* Of any two of the 28 that ask for one output each wins about half. */
static void test_two_askers_win_equally_often(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(28, 8, PIM));
  for (int first = 0; first < 27; first++) {
    int wins = 0;
    for (int t = 0; t < 1000; t++) {
      ask(&b, first, 3), ask(&b, first + 1, 3);
      cycle(&b);
      wins += winner(&b, 3) == first;
    }
    assert_in_range(wins, 430, 570);
  }
  bench_close(&b);
}

static void test_a_full_house_shares_every_output(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(28, 8, PIM));
  int wins[28] = {0}, grants = 0;
  for (int t = 0; t < 20000; t++) {
    for (int i = 0; i < 28; i++)
      for (int o = 0; o < 8; o++) ask(&b, i, o);
    cycle(&b);
    for (int o = 0; o < 8; o++)
      if (winner(&b, o) != NOBODY) wins[winner(&b, o)]++, grants++;
  }
  /* 28 inputs that each choose one of 8: 8 (1 - (7/8)^28) = 7.81 outputs are chosen */
  assert_in_range(grants, 20000 * 7.7, 20000 * 7.9);
  for (int i = 0; i < 28; i++) assert_in_range(wins[i], grants / 28 * 7 / 10, grants / 28 * 14 / 10);
  bench_close(&b);
}

static void test_maxhold_ends_a_monopoly(void **unused) {
  (void)unused;
  struct bench b;
  struct hold_grant_alloc_cfg cfg = sized(4, 2, HG);
  cfg.MAXHOLD = 3;
  bench_open(&b, cfg);
  int streak = 0, longest = 0, waited = 0, most = 0;
  for (int t = 0; t < 4000; t++) {
    for (int i = 0; i < 4; i++) ask(&b, i, 0);
    cycle(&b);
    streak = b.out.hold_hit[0] ? streak + 1 : 0;
    waited = granted(&b, 2, 0) ? 0 : waited + 1;
    if (streak > longest) longest = streak;
    if (waited > most) most = waited;
  }
  assert_int_equal(longest, 3);
  assert_in_range(most, 1, (3 + 1) * 4 - 1);
  bench_close(&b);
}

static void test_random_cycles_agree_with_tournaments_row_by_row(void **unused) {
  (void)unused;
  assert_oracle_agrees(&hold_grant_alloc_desc, &hold_grant_alloc_oracle, SEED, 20000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_held_pair_wins_and_others_get_the_rest),
    cmocka_unit_test(test_a_new_row_ends_the_hold_of_rmhg),
    cmocka_unit_test(test_rows_are_kept_by_bank),
    cmocka_unit_test(test_a_hold_masks_the_other_requests_of_its_input),
    cmocka_unit_test(test_a_hold_is_lost_at_the_first_free_cycle_without_its_request),
    cmocka_unit_test(test_grace_forgives_free_cycles_without_a_grant),
    cmocka_unit_test(test_a_busy_output_keeps_its_holder_unless_that_input_goes_elsewhere),
    cmocka_unit_test(test_the_hash_of_abc_is_d),
    cmocka_unit_test(test_without_adv_nothing_changes),
    cmocka_unit_test(test_every_size_grants_a_matching_and_loses_no_hold),
    cmocka_unit_test(test_two_askers_win_equally_often),
    cmocka_unit_test(test_a_full_house_shares_every_output),
    cmocka_unit_test(test_maxhold_ends_a_monopoly),
    cmocka_unit_test(test_random_cycles_agree_with_tournaments_row_by_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
