/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does the oldest ready hit win, and does a row stay open while it is wanted? */
#include "base/rng.h"
#include "frfcfs_sched_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0x5eed75, COLUMN = 1, ACTIVATE = 2, PRECHARGE = 3 };

BLOCK_BENCH(frfcfs_sched);

static struct frfcfs_sched_cfg sized(int32_t banks, int32_t entries, int32_t commands) {
  return (struct frfcfs_sched_cfg){.NB = banks, .Q = entries, .RW = 12, .TW = 8, .NCMD = commands};
}

static void arrive(struct bench *b, uint8_t bank, uint16_t row, uint16_t tag) {
  b->in.enq_valid = 1, b->in.enq_bank = bank, b->in.enq_row = row, b->in.enq_tag = tag;
}
/* A cycle in which the timing allows `act`, `pre`, `col` (a bit a bank); returns the command. */
static int cycle(struct bench *b, uint16_t act, uint16_t pre, uint16_t col) {
  b->in.bank_can_act = act, b->in.bank_can_pre = pre, b->in.bank_can_col = col;
  return bench_cycle(b)->cmd;
}

/* Figure 4.2 of the thesis: arrivals A, B, A, B in one bank, row A open: one row switch. */
static void test_alternating_rows_cost_one_switch(void **unused) {
  (void)unused;
  static const uint16_t order[5] = {1, 1, 2, 1, 2};
  struct bench b;
  bench_open(&b, sized(4, 32, 2));
  int acts = 0, columns = 0;
  for (uint16_t i = 0; i < 5; i++) {
    arrive(&b, 0, order[i], i);
    cycle(&b, 0, 0, 0);
  }
  for (int t = 0; t < 40; t++) {
    int command = cycle(&b, 0xf, 0xf, 0xf);
    acts += command == ACTIVATE, columns += command == COLUMN;
  }
  assert_int_equal(columns, 10);
  assert_int_equal(acts - 1, 1);
  bench_close(&b);
}

/* The law by itself, over a list in order of arrival. */
struct request {
  uint8_t bank;
  uint16_t row, tag;
  int had;
};

static void test_random_requests_agree_with_a_list(void **unused) {
  (void)unused;
  enum { BANKS = 4, ENTRIES = 12 };
  struct bench b;
  struct rng rng;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  bench_open(&b, sized(BANKS, ENTRIES, 2));
  struct request list[ENTRIES];
  int n = 0, open[BANKS] = {-1, -1, -1, -1}, served = 0;
  for (int t = 0; t < 30000; t++) {
    struct request r = {.bank = (uint8_t)rng_below(&rng, BANKS),
                        .row = (uint16_t)rng_below(&rng, 3),
                        .tag = (uint16_t)rng_below(&rng, 256)};
    bool offer = rng_percent(&rng, 50);
    uint32_t can = rng_u32(&rng);
    if (offer) arrive(&b, r.bank, r.row, r.tag);
    int command = cycle(&b, can & 0xf, can >> 4 & 0xf, can >> 8 & 0xf);
    int pick = -1, expected = 0;
    bool wanted[BANKS] = {false};
    for (int i = 0; i < n; i++) wanted[list[i].bank] |= open[list[i].bank] == list[i].row;
    for (int i = 0; i < n && pick < 0; i++)
      if (open[list[i].bank] == list[i].row && can >> (8 + list[i].bank) & 1) pick = i, expected = COLUMN;
    for (int i = 0; i < n && pick < 0; i++) {
      int bank = list[i].bank;
      if (wanted[bank]) continue;
      if (open[bank] < 0 && can >> bank & 1) pick = i, expected = ACTIVATE;
      if (open[bank] >= 0 && can >> (4 + bank) & 1) pick = i, expected = PRECHARGE;
    }
    assert_int_equal(command, expected);
    if (pick >= 0) assert_int_equal(b.out.cmd_tag, list[pick].tag);
    bool room = n < ENTRIES;
    assert_int_equal(b.out.enq_ready, offer ? room : b.out.enq_ready);
    if (expected == ACTIVATE) open[list[pick].bank] = list[pick].row;
    if (expected == PRECHARGE) open[list[pick].bank] = -1;
    if (expected == COLUMN && ++list[pick].had == 2) {
      memmove(list + pick, list + pick + 1, (size_t)(--n - pick) * sizeof *list);
      served++;
    }
    if (offer && room) list[n++] = r;
  }
  assert_true(served > 2000);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_alternating_rows_cost_one_switch),
    cmocka_unit_test(test_random_requests_agree_with_a_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
