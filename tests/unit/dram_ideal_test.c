/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* With all rows open, do rows cost nothing and does everything else cost what it did? And is the latency that is counted
 * the one that requests see? */
#include "base/rng.h"
#include "kit/dram_bench.h"

enum { N = 600, EDGES = 400000 };

static void start(struct dram_bench *b, const char *settings) {
  dram_bench_begin(b, NULL);
  config_set_text(&b->m, settings);
  dram_bench_open(b);
}

struct traffic {
  uint64_t local;
  uint64_t from; /* cycle */
  uint16_t bursts;
  bool write;
};

/* Pushes each request as soon as its time has come and there is room; returns the cycles it took. */
static uint64_t drive(struct dram_bench *b, const struct traffic *t, uint32_t n) {
  uint32_t next = 0, reads = 0;
  for (uint32_t i = 0; i < n; i++) reads += !t[i].write;
  while (next < n || b->answered < reads || dram_requests(b->d)) {
    dram_edge(b);
    uint64_t now = dram_now(b);
    assert_true(now <= EDGES);
    for (; next < n && t[next].from <= now && dram_can_push(b->d, t[next].local); next++) {
      struct dram_request r = {.local = t[next].local,
                               .cta = UINT32_MAX,
                               .sm = DRAM_NO_SM,
                               .id = (uint16_t)next,
                               .bursts = t[next].bursts,
                               .write = t[next].write};
      b->in_flight += r.write;
      b->pushed_at[next] = now;
      dram_push(b->d, &r, now);
    }
  }
  return dram_now(b);
}

/* Requests for random rows of random banks; with `one_row` the same ones with all rows 3. */
static void make(const struct dram_bench *b, struct traffic *t, uint64_t seed, bool one_row, uint32_t writes) {
  struct rng r;
  rng_seed(&r, seed);
  uint64_t from = 0;
  for (uint32_t i = 0; i < N; i++) {
    uint32_t bank = rng_below(&r, (uint32_t)b->m.dram_banks), row = rng_below(&r, 50), line = rng_below(&r, 16);
    from += rng_below(&r, 8);
    t[i] = (struct traffic){
      .local = address_map_unplace(&b->map, bank, one_row ? 3 : row, (line * 32 + i % 32) * 128 % b->map.row_bytes),
      .from = from,
      .bursts = (uint16_t)(1 + rng_below(&r, 2)),
      .write = rng_percent(&r, writes)};
  }
}

static const char *const schedulers[] = {"dram.scheduler=fr_fcfs", "dram.scheduler=fifo",
                                         "dram.scheduler=most_pending"};
enum { SCHEDULERS = sizeof schedulers / sizeof *schedulers };

/* Which rows are asked for changes nothing; there is no ACT and no PRE, and everything is a row hit. Only reads: a read of
 * a line waits for a write of it, and whether lines are the same depends on the rows. */
static void test_rows_do_not_count(void **state) {
  (void)state;
  for (int k = 0; k < SCHEDULERS; k++) {
    static struct dram_bench a, b;
    static struct traffic t[N];
    char settings[128];
    snprintf(settings, sizeof settings, "ideal.dram=row_hits dram.tREFI=700 %s", schedulers[k]);
    start(&a, settings);
    start(&b, settings);
    make(&a, t, 5 + (uint64_t)k, false, 0);
    uint64_t with = drive(&a, t, N);
    make(&b, t, 5 + (uint64_t)k, true, 0);
    assert_int_equal(drive(&b, t, N), with);
    assert_memory_equal(a.answer_at, b.answer_at, sizeof a.answer_at);
    assert_int_equal(a.n.dram_activates + a.n.dram_precharges, 0);
    assert_int_equal(a.n.dram_row_hits, a.n.dram_reads);
    assert_true(a.n.dram_refreshes > 1 && a.commands[DRAM_REFRESH] == a.n.dram_refreshes);
    dram_bench_close(&a);
    dram_bench_close(&b);
  }
}

static void test_it_is_faster_than_rows_that_open_and_close(void **state) {
  (void)state;
  for (int k = 0; k < SCHEDULERS; k++)
    for (uint32_t writes = 0; writes <= 40; writes += 40) {
      static struct dram_bench a, b;
      static struct traffic t[N];
      char settings[128];
      start(&a, schedulers[k]);
      snprintf(settings, sizeof settings, "ideal.dram=row_hits %s", schedulers[k]);
      start(&b, settings);
      make(&a, t, 77, false, writes);
      uint64_t real = drive(&a, t, N), ideal = drive(&b, t, N);
      assert_true(ideal < real && b.n.dram_read_latency < a.n.dram_read_latency);
      assert_int_equal(a.n.dram_busy_cycles, b.n.dram_busy_cycles);
      assert_true(!writes == !b.n.dram_writes_done && b.n.dram_requests == N);
      dram_bench_close(&a);
      dram_bench_close(&b);
    }
}

static void test_a_lone_access_takes_no_row_time(void **state) {
  (void)state;
  static const char *const settings[] = {"ideal.dram=row_hits", "ideal.dram=real"};
  for (uint64_t k = 0; k < 2; k++) {
    struct dram_bench b;
    const struct traffic t[] = {{.local = 0, .from = 5, .bursts = 1}};
    start(&b, settings[k]);
    drive(&b, t, 1);
    uint64_t tRCD = (uint64_t)b.m.dram_tRCD,
             data = (uint64_t)(b.m.dram_tCL + b.m.dram_burst_bytes / b.m.dram_bytes_per_clock);
    assert_int_equal(b.n.dram_read_latency, data + k * tRCD);
    assert_int_equal(b.n.dram_reads_done, 1);
    assert_int_equal(b.answer_at[0] - b.pushed_at[0], 1 + k * tRCD + data + (uint64_t)b.m.dram_latency + 1);
    dram_bench_close(&b);
    const struct traffic w[] = {{.local = 0, .from = 5, .bursts = 1, .write = true}};
    start(&b, settings[k]);
    drive(&b, w, 1);
    assert_int_equal(b.n.dram_write_latency, data - (uint64_t)b.m.dram_tCL + (uint64_t)b.m.dram_tWL + k * tRCD);
    assert_true(b.n.dram_writes_done == 1 && b.n.dram_reads_done == 0);
    dram_bench_close(&b);
  }
}

/* The latencies seen from outside, without what the controller does not count: the edge that takes the request over, the
 * fixed latency and the edge that sees the answer. */
static void test_read_latency_is_what_the_requests_see(void **state) {
  (void)state;
  for (int k = 0; k < SCHEDULERS; k++) {
    static struct dram_bench b;
    static struct traffic t[N];
    start(&b, schedulers[k]);
    make(&b, t, 19, false, 30);
    drive(&b, t, N);
    uint64_t sum = 0, reads = 0;
    for (uint32_t i = 0; i < N; i++)
      if (!t[i].write) {
        sum += b.answer_at[i] - b.pushed_at[i] - 2 - (uint64_t)b.m.dram_latency;
        reads++;
      }
    assert_int_equal(b.n.dram_reads_done, reads);
    assert_int_equal(b.n.dram_writes_done, N - reads);
    assert_int_equal(b.n.dram_read_latency, sum);
    dram_bench_close(&b);
  }
}

static void test_the_checker_knows(void **state) {
  (void)state;
  static const struct {
    const char *rule;
    struct dram_command before, last;
  } cases[] = {{"every row is open", {10, 1, DRAM_READ, 1}, {90, 1, DRAM_ACTIVATE, 1}},
               {"every row is open", {10, 1, DRAM_READ, 1}, {90, 1, DRAM_PRECHARGE, 1}},
               {"every row is open", {10, 1, DRAM_READ, 1}, {90, 1, DRAM_PRECHARGE_ALL, 0}},
               {"tCCDL", {10, 1, DRAM_READ, 1}, {12, 7, DRAM_READ, 1}},
               {"tWTR", {10, 1, DRAM_WRITE, 1}, {16, 7, DRAM_READ, 9}},
               {"tRFC", {10, 1, DRAM_REFRESH, 0}, {100, 7, DRAM_READ, 9}},
               {NULL, {10, 1, DRAM_REFRESH, 0}, {101, 7, DRAM_READ, 9}},
               {NULL, {10, 1, DRAM_READ, 1}, {13, 7, DRAM_READ, 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct gpu_config m;
    struct err e;
    gpu_config_defaults(&m);
    m.ideal_dram = IDEAL_DRAM_ROW_HITS;
    struct dram_checker *c = dram_checker_create(&m, &e);
    assert_null(dram_checker_see(c, &cases[i].before));
    const char *wrong = dram_checker_see(c, &cases[i].last);
    if (!wrong != !cases[i].rule || (wrong && !strstr(wrong, cases[i].rule))) fail_msg("case %zu: %s", i, wrong);
    dram_checker_destroy(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rows_do_not_count),
    cmocka_unit_test(test_it_is_faster_than_rows_that_open_and_close),
    cmocka_unit_test(test_a_lone_access_takes_no_row_time),
    cmocka_unit_test(test_read_latency_is_what_the_requests_see),
    cmocka_unit_test(test_the_checker_knows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
