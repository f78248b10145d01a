/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does the banked FIFO keep each bank's order, and prefer columns to ACT to PRE, the older request to the younger? */
#include "base/rng.h"
#include "bfifo_sched_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0x5eed74, COLUMN = 1, ACTIVATE = 2, PRECHARGE = 3 };

BLOCK_BENCH(bfifo_sched);

static struct bfifo_sched_cfg sized(int32_t banks, int32_t depth, int32_t commands) {
  return (struct bfifo_sched_cfg){.NB = banks, .DEPTH = depth, .RW = 12, .TW = 8, .NCMD = commands};
}

static void arrive(struct bench *b, uint8_t bank, uint16_t row, uint16_t tag) {
  b->in.enq_valid = 1, b->in.enq_bank = bank, b->in.enq_row = row, b->in.enq_tag = tag;
}
/* A cycle in which the timing allows `act`, `pre`, `col` (a bit a bank); returns the command. */
static int cycle(struct bench *b, uint16_t act, uint16_t pre, uint16_t col) {
  b->in.bank_can_act = act, b->in.bank_can_pre = pre, b->in.bank_can_col = col;
  return bench_cycle(b)->cmd;
}

/* Figure 4.2 of the thesis: arrivals A, B, A, B in one bank, row A open: three row switches in order, one when they arrive as
 * A, A, B, B. */
static void test_rows_that_alternate_cost_three_switches_and_sorted_ones_one(void **unused) {
  (void)unused;
  static const uint16_t orders[2][5] = {{1, 1, 2, 1, 2}, {1, 1, 1, 2, 2}};
  for (int k = 0; k < 2; k++) {
    struct bench b;
    bench_open(&b, sized(4, 8, 2));
    int acts = 0, columns = 0;
    for (uint16_t i = 0; i < 5; i++) {
      arrive(&b, 0, orders[k][i], i);
      cycle(&b, 0, 0, 0);
    }
    for (int t = 0; t < 40; t++) {
      int command = cycle(&b, 0xf, 0xf, 0xf);
      acts += command == ACTIVATE, columns += command == COLUMN;
    }
    assert_int_equal(columns, 10);
    assert_int_equal(acts - 1, k ? 1 : 3); /* the first opened A */
    bench_close(&b);
  }
}

static void test_columns_go_before_activates_and_those_before_precharges(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 8, 1));
  for (uint8_t bank = 0; bank < 2; bank++) { /* open row 1 in banks 0 and 1 */
    arrive(&b, bank, 1, 0);
    cycle(&b, 0, 0, 0);
    assert_int_equal(cycle(&b, 0xf, 0, 0), ACTIVATE);
    assert_int_equal(cycle(&b, 0, 0, 0xf), COLUMN);
  }
  arrive(&b, 0, 2, 10), cycle(&b, 0, 0, 0); /* wants PRE */
  arrive(&b, 2, 5, 11), cycle(&b, 0, 0, 0); /* wants ACT */
  arrive(&b, 1, 1, 12), cycle(&b, 0, 0, 0); /* wants a column */
  assert_int_equal(cycle(&b, 0xf, 0xf, 0xf), COLUMN);
  assert_int_equal(b.out.cmd_tag, 12);
  assert_int_equal(cycle(&b, 0xf, 0xf, 0xf), ACTIVATE);
  assert_int_equal(b.out.cmd_bank, 2);
  assert_int_equal(cycle(&b, 0, 0xf, 0), PRECHARGE);
  assert_int_equal(b.out.cmd_bank, 0);
  bench_close(&b);
}

static void test_a_full_bank_does_not_block_the_others(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 2, 2));
  for (int k = 0; k < 3; k++) {
    arrive(&b, 1, 7, (uint16_t)k);
    cycle(&b, 0, 0, 0);
    assert_int_equal(b.out.enq_ready, k < 2);
  }
  arrive(&b, 2, 7, 9);
  cycle(&b, 0, 0, 0);
  assert_int_equal(b.out.enq_ready, 1);
  bench_close(&b);
}

/* Requests of a bank leave in order, each after its commands, and none is lost. */
static void test_random_requests_leave_in_the_order_of_their_bank(void **unused) {
  (void)unused;
  enum { BANKS = 4, MOST = 4000 };
  struct bench b;
  struct rng rng;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  bench_open(&b, sized(BANKS, 8, 2));
  static uint16_t rows[BANKS][MOST], tags[BANKS][MOST];
  int in[BANKS] = {0}, out[BANKS] = {0}, had[BANKS] = {0}, open[BANKS] = {-1, -1, -1, -1};
  for (int t = 0; t < 20000; t++) {
    uint8_t bank = (uint8_t)rng_below(&rng, BANKS);
    uint16_t row = (uint16_t)rng_below(&rng, 3), tag = (uint16_t)rng_below(&rng, 256);
    bool offer = t < 12000 && in[bank] < MOST && rng_percent(&rng, 60);
    if (offer) arrive(&b, bank, row, tag);
    uint32_t can = rng_u32(&rng);
    int command = cycle(&b, can & 0xf, can >> 4 & 0xf, can >> 8 & 0xf), at = b.out.cmd_bank;
    if (command != 0) assert_true(out[at] < in[at]);
    if (command == COLUMN) {
      assert_int_equal(b.out.cmd_tag, tags[at][out[at]]);
      assert_int_equal(open[at], rows[at][out[at]]);
      if (++had[at] == 2) had[at] = 0, out[at]++;
    } else if (command == ACTIVATE) {
      assert_int_equal(open[at], -1);
      open[at] = b.out.cmd_row;
    } else if (command == PRECHARGE) {
      assert_int_not_equal(open[at], -1);
      open[at] = -1;
    }
    if (offer && b.out.enq_ready) rows[bank][in[bank]] = row, tags[bank][in[bank]++] = tag;
  }
  int all = 0;
  for (int k = 0; k < BANKS; k++) {
    assert_int_equal(in[k], out[k]);
    all += in[k];
  }
  assert_true(all > 3000);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rows_that_alternate_cost_three_switches_and_sorted_ones_one),
    cmocka_unit_test(test_columns_go_before_activates_and_those_before_precharges),
    cmocka_unit_test(test_a_full_bank_does_not_block_the_others),
    cmocka_unit_test(test_random_requests_leave_in_the_order_of_their_bank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
