/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Do the scheduling policies of Yuan 2009 serve in the order that he describes, legally, and count what he counts? */
#include "base/err.h"
#include "base/rng.h"
#include "kit/dram_bench.h"
#include "study/dram_study.h"
#include "study/dram_trace.h"

enum { SEED = 0x42d, LINES = 64 };

static const char *const policies[] = {"fifo", "bfifo", "fr_fcfs_plain", "most_pending", "fr_fcfs"};

static void load(struct gpu_config *m, const char *name, const char *const settings[]) {
  config_begin(m, name);
  config_set(m, settings);
  config_check(m);
}
#define LOAD(m, name, ...) load(m, name, SETTINGS(__VA_ARGS__))

static void start(struct dram_bench *b, const char *policy) {
  char scheduler[64];
  snprintf(scheduler, sizeof scheduler, "dram.scheduler=%s", policy);
  dram_bench_begin(b, "gt200");
  config_set(&b->m, SETTINGS(scheduler));
  dram_bench_open(b);
}

/* gt200: row, bank, column from the top. */
static uint64_t local_of(const struct dram_bench *b, uint32_t bank, uint64_t row, uint64_t line) {
  return (row * 4 + bank) * (uint64_t)b->m.dram_row_bytes + line * LINES;
}

struct asked {
  uint32_t bank, row, sm, cta;
};

static void push(struct dram_bench *b, struct asked a, uint16_t id) {
  struct dram_request r = {
    .local = local_of(b, a.bank, a.row, id % 64), .cta = a.cta, .sm = (uint16_t)a.sm, .id = id, .bursts = 2};
  assert_true(dram_can_push(b->d, r.local));
  dram_push(b->d, &r, dram_now(b));
}

/* Asks all at once; the order of the answers. */
static void serve(struct dram_bench *b, const char *policy, const struct asked *a, uint16_t n) {
  start(b, policy);
  for (uint16_t i = 0; i < n; i++) push(b, a[i], i);
  for (int i = 0; b->answered < n; i++) {
    assert_true(i < 100000);
    dram_edge(b);
  }
}

static void expect_order(const char *policy, const struct asked *a, const uint16_t *order, uint16_t n) {
  struct dram_bench b;
  serve(&b, policy, a, n);
  for (uint16_t i = 0; i < n; i++)
    if (b.answers[i] != order[i])
      fail_msg("%s: answer %u is that of request %u, not %u", policy, i, b.answers[i], order[i]);
  dram_bench_close(&b);
}

/* --- order --- */

/* Figure 4.2: requests of two cores for two rows of a bank, mixed by the network. */
static void test_in_order_queues_switch_rows_as_requests_arrive(void **unused) {
  (void)unused;
  static const struct asked mixed[] = {{0, 1, 0, 0}, {0, 2, 1, 0}, {0, 1, 0, 0}, {0, 2, 1, 0}};
  static const struct asked held[] = {{0, 1, 0, 0}, {0, 1, 0, 0}, {0, 2, 1, 0}, {0, 2, 1, 0}};
  static const struct {
    const char *policy;
    const struct asked *asked;
    uint64_t activates;
  } rows[] = {{"fifo", mixed, 4},    {"bfifo", mixed, 4}, {"fr_fcfs_plain", mixed, 2}, {"most_pending", mixed, 2},
              {"fr_fcfs", mixed, 2}, {"fifo", held, 2},   {"bfifo", held, 2},          {"fr_fcfs_plain", held, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct dram_bench b;
    serve(&b, rows[i].policy, rows[i].asked, 4);
    assert_int_equal(b.n.dram_activates, rows[i].activates); /* the first, and 3 row switches or 1 */
    assert_int_equal(b.n.dram_requests, 4);
    dram_bench_close(&b);
  }
}

static const struct asked fr_example[] = {{0, 1, 0, 0}, {1, 7, 0, 0}, {0, 2, 0, 0}, {0, 2, 0, 0},
                                          {0, 2, 0, 0}, {0, 3, 0, 0}, {0, 1, 0, 0}, {0, 3, 0, 0}};

static void test_fifo_serves_in_order_of_arrival(void **unused) {
  (void)unused;
  expect_order("fifo", fr_example, (const uint16_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 8);
}

/* Row hits of row 1 (0 and 6), bank 1 beside them, then row 2, then row 3. */
static void test_row_hits_go_first(void **unused) {
  (void)unused;
  expect_order("fr_fcfs_plain", fr_example, (const uint16_t[]){0, 6, 1, 2, 3, 4, 5, 7}, 8);
}

/* After row 1 the three requests of row 2 outnumber row 3; with one more of row 3 and one less of row 2 it is the other way. */
static void test_most_pending_opens_the_fullest_row(void **unused) {
  (void)unused;
  static const struct asked a[] = {{0, 1, 0, 0}, {0, 2, 0, 0}, {0, 3, 0, 0}, {0, 3, 0, 0},
                                   {0, 4, 0, 0}, {0, 3, 0, 0}, {0, 2, 0, 0}, {0, 4, 0, 0}};
  expect_order("most_pending", a, (const uint16_t[]){2, 3, 5, 1, 6, 4, 7, 0}, 8); /* row 3: three; 2 before 4: older */
}

/* Banks do not wait for each other, requests of a bank do: bank 1 overtakes, bank 0 keeps its order. */
static void test_a_banked_fifo_is_in_order_in_each_bank(void **unused) {
  (void)unused;
  static const struct asked a[] = {{0, 1, 0, 0}, {0, 2, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}};
  struct dram_bench b;
  serve(&b, "bfifo", a, 5);
  uint16_t place[5];
  for (uint16_t i = 0; i < 5; i++) place[b.answers[i]] = i;
  assert_true(place[0] < place[1] && place[1] < place[2] && place[3] < place[4]);
  assert_true(place[4] < place[1]);
  dram_bench_close(&b);
}

static void test_a_full_bank_of_a_banked_fifo_blocks_no_other(void **unused) {
  (void)unused;
  struct dram_bench b;
  start(&b, "bfifo");
  for (uint16_t i = 0; i < 8; i++) push(&b, (struct asked){2, i, 0, 0}, i); /* 32 places, 4 banks */
  assert_false(dram_can_push(b.d, local_of(&b, 2, 9, 0)));
  for (uint32_t k = 0; k < 4; k++) assert_int_equal(dram_room(b.d, local_of(&b, k, 9, 0)), k == 2 ? 0 : 8);
  while (b.answered < 8) dram_edge(&b);
  assert_true(dram_can_push(b.d, local_of(&b, 2, 9, 0)));
  dram_bench_close(&b);
}

/* --- what is counted --- */

/* Section 6.3.2: row 1 of the bank is open when the head wants row 2 while row 1 waits behind it. */
static void test_row_streak_breakers_are_told_apart(void **unused) {
  (void)unused;
  static const struct {
    struct asked asked[5];
    uint16_t n;
    uint64_t streaks, sm, cta, same;
  } rows[] = {
    {{{0, 1, 3, 0}, {0, 2, 4, 0}, {0, 1, 3, 0}}, 3, 2, 1, 0, 0},                             /* another SM */
    {{{0, 1, 3, 0}, {0, 2, 3, 1}, {0, 1, 3, 0}}, 3, 2, 0, 1, 0},                             /* its SM, another CTA */
    {{{0, 1, 3, 0}, {0, 2, 3, 0}, {0, 1, 3, 0}}, 3, 2, 0, 0, 1},                             /* its own CTA */
    {{{0, 1, 3, 0}, {0, 2, 4, 0}, {0, 2, 3, 1}, {0, 2, 5, 0}, {0, 1, 3, 0}}, 5, 2, 1, 1, 0}, /* each once a set */
    {{{0, 1, 3, 0}, {0, 2, 4, 0}, {0, 2, 4, 0}}, 3, 1, 0, 0, 0},                             /* nobody is stranded */
    {{{0, 1, 3, 0}, {1, 2, 4, 0}, {0, 1, 3, 0}}, 3, 0, 0, 0, 0},                             /* another bank */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct dram_bench b;
    serve(&b, "bfifo", rows[i].asked, rows[i].n);
    assert_int_equal(b.n.dram_streaks, rows[i].streaks);
    assert_int_equal(b.n.dram_breaks_sm, rows[i].sm);
    assert_int_equal(b.n.dram_breaks_cta, rows[i].cta);
    assert_int_equal(b.n.dram_breaks_same, rows[i].same);
    dram_bench_close(&b);
  }
}

static void test_rows_waited_for_and_cores_of_a_streak_are_counted(void **unused) {
  (void)unused;
  static const struct asked a[] = {{0, 1, 3, 0}, {0, 2, 4, 0}, {0, 1, 5, 0}, {0, 3, 3, 0}, {0, 4, 3, 0}, {1, 1, 3, 0}};
  struct dram_bench b;
  serve(&b, "fr_fcfs_plain", a, 6);
  assert_int_equal(b.n.dram_rows_1, 2); /* the first of bank 0, that of bank 1 */
  assert_int_equal(b.n.dram_rows_2, 2);
  assert_int_equal(b.n.dram_rows_3, 1);
  assert_int_equal(b.n.dram_rows_more, 1);
  assert_int_equal(b.n.dram_activates, 5);
  assert_int_equal(b.n.dram_streak_sms, 6);   /* row 1 of bank 0 served two SMs */
  assert_int_equal(b.n.dram_arrived_rows, 6); /* 1 2 1 3 4, and bank 1 */
  dram_bench_close(&b);
}

/* One request alone: it is queued from the edge after its push, its data ends tCL and a burst after its last READ. */
static void test_active_cycles_run_from_arrival_to_the_last_data(void **unused) {
  (void)unused;
  struct dram_bench b;
  static const struct asked a[] = {{0, 1, 3, 0}};
  serve(&b, "fr_fcfs_plain", a, 1);
  assert_int_equal(b.n.dram_active_cycles, 12 + 2 + 9 + 2); /* tRCD, tCCD, tCL, data of the second command */
  assert_int_equal(b.n.dram_busy_cycles, 4);
  dram_bench_close(&b);
}

/* --- alone, with the checker on every command --- */

static struct dram_study_result study(struct dram_study *s, const char *const settings[]) {
  struct dram_study_result r;
  struct err e;
  load(&s->config, "gt200", settings);
  s->check = true;
  s->seed = SEED;
  if (dram_study_run(s, &r, &e)) fail_msg("%s", e.text);
  return r;
}
#define STUDY(s, ...) study(s, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void test_every_policy_is_legal_and_loses_nothing(void **unused) {
  (void)unused;
  static const enum dram_pattern patterns[] = {DRAM_RANDOM, DRAM_ONE_BANK, DRAM_STREAM, DRAM_STRIDED};
  static const char *const queues[] = {"dram.queue=8", "dram.queue=16", "dram.queue=32", "dram.queue=64"};
  static const char *const chips[][3] = {{"dram.bytes_per_clock=8", "dram.burst_bytes=16", "dram.row_bytes=4096"},
                                         {"dram.bytes_per_clock=16", "dram.burst_bytes=32", "dram.row_bytes=8192"},
                                         {"dram.bytes_per_clock=32", "dram.burst_bytes=64", "dram.row_bytes=16384"}};
  for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
    for (size_t i = 0; i < 4; i++) {
      char scheduler[64];
      const char *const *c = chips[(p + i) % 3];
      snprintf(scheduler, sizeof scheduler, "dram.scheduler=%s", policies[p]);
      struct dram_study s = {.pattern = patterns[i],
                             .repeat = 2,
                             .writes = 30,
                             .stride = 5 * 8192 + 64,
                             .requests = 16000,
                             .gap = i % 2 * 7};
      struct dram_study_result r = STUDY(&s, scheduler, queues[(p + i) % 4], c[0], c[1], c[2]);
      assert_int_equal(r.n.dram_requests, 16000);
      assert_int_equal(r.commands, r.n.dram_reads + r.n.dram_writes + r.n.dram_activates + r.n.dram_precharges);
      assert_true(r.n.dram_busy_cycles <= r.n.dram_active_cycles && r.n.dram_active_cycles <= r.n.dram_cycles);
    }
}

static uint64_t per_mille(const struct dram_study_result *r) {
  return r->n.dram_busy_cycles * 1000 / r->n.dram_active_cycles;
}

/* Section 4.1: 80.7 % uniform, 23.6 % in one bank, two requests a row and two chips a controller. */
static void test_rand2_has_the_published_efficiencies(void **unused) {
  (void)unused;
  struct dram_study any = {.pattern = DRAM_RANDOM, .repeat = 2, .requests = 80000};
  struct dram_study one = {.pattern = DRAM_ONE_BANK, .repeat = 2, .requests = 24000};
  struct dram_study_result a = STUDY(&any), b = STUDY(&one);
  print_message("uniform %llu (807), one bank %llu (236) of 1000\n", (unsigned long long)per_mille(&a),
                (unsigned long long)per_mille(&b));
  assert_in_range(per_mille(&a), 807 - 30, 807 + 30);
  assert_in_range(per_mille(&b), 236 - 30, 236 + 30);
}

static void test_fewer_chips_and_more_repeats_are_more_efficient(void **unused) {
  (void)unused;
  uint64_t before[3] = {0};
  for (uint32_t repeat = 1; repeat <= 3; repeat++) {
    struct dram_study s = {.pattern = DRAM_RANDOM, .repeat = repeat, .requests = 16000};
    struct dram_study_result r[3] = {STUDY(&s, "dram.bytes_per_clock=32", "dram.burst_bytes=64"), STUDY(&s),
                                     STUDY(&s, "dram.bytes_per_clock=8", "dram.burst_bytes=16")};
    for (int i = 0; i < 3; i++) {
      assert_true(per_mille(&r[i]) > before[i]);
      assert_true(!i || per_mille(&r[i]) > per_mille(&r[i - 1]));
      before[i] = per_mille(&r[i]);
    }
  }
}

/* A trace is asked in its order, each request in the channel of its address. */
static void test_a_trace_is_served_once(void **unused) {
  (void)unused;
  static struct dram_trace_row rows[5000];
  struct rng g;
  rng_seed(&g, SEED);
  uint64_t writes = 0;
  for (int i = 0; i < 5000; i++) {
    rows[i] = (struct dram_trace_row){.address = (uint64_t)rng_below(&g, 1 << 20) * 64,
                                      .cycle = (uint64_t)i * 3,
                                      .core = (uint16_t)rng_below(&g, 28),
                                      .write = rng_percent(&g, 25)};
    writes += rows[i].write;
  }
  struct dram_trace t = {.rows = rows, .n = 5000};
  struct dram_study s = {.trace = &t, .repeat = 1};
  struct dram_study_result r = STUDY(&s);
  assert_int_equal(r.n.dram_requests, 5000);
  assert_int_equal(r.n.dram_writes, 2 * writes);
  assert_int_equal(r.reads, 5000 - writes);
  assert_true(r.cycles >= 3 * 4999 && r.cycles < 3 * 4999 + 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_in_order_queues_switch_rows_as_requests_arrive),
    cmocka_unit_test(test_fifo_serves_in_order_of_arrival),
    cmocka_unit_test(test_row_hits_go_first),
    cmocka_unit_test(test_most_pending_opens_the_fullest_row),
    cmocka_unit_test(test_a_banked_fifo_is_in_order_in_each_bank),
    cmocka_unit_test(test_a_full_bank_of_a_banked_fifo_blocks_no_other),
    cmocka_unit_test(test_row_streak_breakers_are_told_apart),
    cmocka_unit_test(test_rows_waited_for_and_cores_of_a_streak_are_counted),
    cmocka_unit_test(test_active_cycles_run_from_arrival_to_the_last_data),
    cmocka_unit_test(test_every_policy_is_legal_and_loses_nothing),
    cmocka_unit_test(test_rand2_has_the_published_efficiencies),
    cmocka_unit_test(test_fewer_chips_and_more_repeats_are_more_efficient),
    cmocka_unit_test(test_a_trace_is_served_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
