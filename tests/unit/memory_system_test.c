/* SPDX-License-Identifier: Apache-2.0 */
/* Does every request come through exactly once, in the time the parameters say, and does skipping change nothing? */
#include "kit/memory_drive.h"

enum { SEED = 0x3e3 };

static const char *const configs[][6] = {
  {"small"},
  {"small", "dram.scheduler=fifo"},
  {"gtx480"},
  {"gtx480", "dram.scheduler=fifo", "l2.bytes=131072"},
  {"small", "l2.mshrs=1", "dram.queue=1", "noc.queue=1", "l2.queue=1"},
  {"small", "line_bytes=32", "dram.burst_bytes=128", "d2ma.segment=32", "sm.count=70"},
  {"small", "l2.slices=2", "l2.mshrs=2", "dram.queue=4"},
  {"gtx480", "l2.slices=4", "l2.bytes=524288", "l2.ways=8"},
};
enum { N_CONFIGS = sizeof configs / sizeof *configs };

static void test_every_read_gets_exactly_one_reply_with_its_own_tag(void **unused) {
  (void)unused;
  print_message("seed 0x%x\n", SEED);
  for (int i = 0; i < N_CONFIGS; i++) {
    struct drive d;
    load(&d, configs[i][0], &configs[i][1], EVERY_EDGE);
    enum { N = 6000 };
    struct step *steps = random_steps(&d.config, SEED + (uint64_t)i, N);
    run(&d, steps, N); /* receive() checks each reply against its request */
    assert_int_equal(d.replies, expected_replies(steps, N));
    for (int k = 0; k < 2000; k++) tick_once(&d); /* and none comes later */
    assert_int_equal(d.replies, expected_replies(steps, N));
    const struct memory_counters *n = memory_counters(d.memory);
    assert_int_equal(n->noc_request_packets, N);
    assert_int_equal(n->noc_reply_packets, d.replies);
    assert_int_equal(n->l2_reads + n->l2_writes + n->l2_atomics, N);
    assert_int_equal(n->l2_hits + n->l2_misses, N);
    free(steps);
    unload(&d);
  }
}

static void test_writes_drain_and_get_no_reply(void **unused) {
  (void)unused;
  struct drive d;
  LOAD(&d, "small", SKIP);
  enum { N = 3000 };
  static struct step steps[N];
  for (uint32_t i = 0; i < N; i++)
    steps[i].request =
      (struct mem_request){.address = i * 128ULL, .bytes = 128, .sm = (uint16_t)(i % 2), .kind = MEM_WRITE};
  run(&d, steps, N);
  assert_int_equal(d.replies, 0);
  assert_int_equal(memory_in_flight(d.memory), 0);
  const struct memory_counters *n = memory_counters(d.memory);
  assert_int_equal(n->dram_reads, 0); /* whole lines are never fetched */
  uint64_t held = (uint64_t)(d.config.l2_bytes / d.config.line_bytes);
  assert_int_equal(n->l2_writebacks, N - held); /* the cache keeps the rest */
  assert_int_equal(n->dram_writes, 2 * n->l2_writebacks);
  for (int k = 0; k < CLOCK_DOMAINS; k++)
    assert_true(memory_next_tick(d.memory, (enum clock_domain)k, d.clocks.next[k]) == UINT64_MAX);
  unload(&d);
}

static void test_skipping_changes_no_reply_and_no_counter(void **unused) {
  (void)unused;
  static struct drive d[3];
  for (int i = 0; i < N_CONFIGS; i++)
    for (uint64_t seed = SEED; seed < SEED + 2; seed++) {
      enum { N = 3000 };
      struct step *steps = NULL;
      for (int mode = 0; mode < 3; mode++) {
        load(&d[mode], configs[i][0], &configs[i][1], (enum mode)mode);
        if (!steps) steps = random_steps(&d[0].config, seed, N);
        run(&d[mode], steps, N);
        assert_int_equal(d[mode].replies, d[0].replies);
        assert_int_equal(d[mode].last_reply, d[0].last_reply);
        assert_true(d[mode].hash == d[0].hash);
        assert_memory_equal(memory_counters(d[mode].memory), memory_counters(d[0].memory),
                            sizeof(struct memory_counters));
      }
      assert_true(d[SKIP].edges < d[EVERY_EDGE].edges);
      for (int mode = 0; mode < 3; mode++) unload(&d[mode]);
      free(steps);
    }
}

static void test_the_same_stimulus_gives_the_same_cycles(void **unused) {
  (void)unused;
  static struct drive a, b;
  enum { N = 4000 };
  LOAD(&a, "gtx480", SKIP);
  LOAD(&b, "gtx480", SKIP);
  struct step *steps = random_steps(&a.config, SEED, N), *other = random_steps(&a.config, SEED + 1, N);
  run(&a, steps, N);
  run(&b, steps, N);
  assert_true(a.hash == b.hash);
  assert_memory_equal(memory_counters(a.memory), memory_counters(b.memory), sizeof(struct memory_counters));
  run(&b, other, N); /* the hash can differ */
  assert_true(a.hash != b.hash);
  free(steps);
  free(other);
  unload(&a);
  unload(&b);
}

static uint64_t flits(const struct gpu_config *m, int64_t data) {
  return (uint64_t)((8 + data + m->noc_flit_bytes - 1) / m->noc_flit_bytes);
}

/* All clocks equal, so that every crossing costs one cycle: SM to request crossbar, crossbar to slice, slice to reply
 * crossbar, crossbar to SM. */
static uint64_t hit_latency(const struct gpu_config *m, int64_t bytes) {
  uint64_t up = (uint64_t)m->noc_latency + flits(m, 0) - 1, down = (uint64_t)m->noc_latency + flits(m, bytes) - 1;
  return 1 + up + 1 + (uint64_t)m->l2_latency + 1 + down + 1;
}

static void test_an_unloaded_hit_takes_the_sum_of_the_parameters(void **unused) {
  (void)unused;
  static const char *const latencies[][2] = {
    {"noc.latency=1", "l2.latency=1"}, {"noc.latency=16", "l2.latency=40"}, {"noc.latency=3", "l2.latency=120"}};
  for (int i = 0; i < 3; i++)
    for (int64_t bytes = 32; bytes <= 128; bytes *= 2) {
      static struct drive d;
      LOAD(&d, "gtx480", SKIP, latencies[i][0], latencies[i][1]);
      struct step step = {.request = {.address = 0x12300, .bytes = (uint32_t)bytes, .sm = 3}};
      run(&d, &step, 1); /* brings the line in */
      step.cycle = d.clocks.cycle[CLOCK_CORE] + 100;
      run(&d, &step, 1);
      assert_int_equal(d.latency, hit_latency(&d.config, bytes));
      unload(&d);
    }
}

/* A miss on a closed bank adds: to the channel, ACT to READ, the line's further column commands, data, controller, back. */
static void test_an_unloaded_miss_takes_the_sum_of_the_parameters(void **unused) {
  (void)unused;
  for (int64_t bytes = 64; bytes <= 128; bytes += 64) {
    static struct drive d;
    LOAD(&d, "gtx480", SKIP, "dram.tREFI=0");
    struct step step = {.cycle = 1000, .request = {.address = 0x12300, .bytes = (uint32_t)bytes, .sm = 3}};
    run(&d, &step, 1);
    const struct gpu_config *m = &d.config;
    int64_t columns = bytes / m->dram_burst_bytes;
    int64_t dram = 1 + m->dram_tRCD + (columns - 1) * m->dram_tCCDL + m->dram_tCL +
                   m->dram_burst_bytes / m->dram_bytes_per_clock + m->dram_latency + 1;
    assert_int_equal(d.latency, hit_latency(m, bytes) + (uint64_t)dram);
    unload(&d);
  }
}

static void test_waiting_for_dram_costs_no_edges(void **unused) {
  (void)unused;
  static struct drive d;
  LOAD(&d, "gtx480", SKIP, "dram.latency=1000", "l2.latency=1000", "noc.latency=1000");
  struct step step = {.request = {.address = 0x12300, .bytes = 128}};
  run(&d, &step, 1);
  assert_true(d.latency > 4000);
  assert_true(d.edges <= 14); /* send; grant; lookup; ACT, 2 READ, their checks; fill; reply; grant; receive */
  unload(&d);
}

static void test_sms_that_fight_for_a_slice_share_it_evenly(void **unused) {
  (void)unused;
  enum { N = 15 * 400 };
  static struct step steps[N];
  static struct drive d;
  LOAD(&d, "gtx480", EVERY_EDGE);
  for (uint32_t i = 0; i < N; i++) /* all in the same 256 bytes: hits of slice 0 */
    steps[i].request = (struct mem_request){
      .address = i % 2 * 128, .bytes = 128, .sm = (uint16_t)(i % 15), .tag = (uint16_t)(i / 15 % 64)};
  d.steps = steps;
  d.n_steps = N;
  for (uint32_t sm = 0; sm < 15; sm++) advance(&d, sm);
  while (d.replies < N / 2) assert_true(tick_once(&d));
  for (int sm = 0; sm < 15; sm++) assert_in_range(d.served[sm], N / 30 - 12, N / 30 + 12);
  while (memory_in_flight(d.memory)) assert_true(tick_once(&d));
  unload(&d);
}

/* 179.2 GB/s at 700 MHz are 256 bytes a core cycle. */
static void test_streaming_reads_reach_the_dram_bandwidth_through_the_whole_system(void **unused) {
  (void)unused;
  enum { N = 24000 };
  static struct step steps[N];
  static struct drive d;
  LOAD(&d, "gtx480", EVERY_EDGE);
  for (uint32_t i = 0; i < N; i++)
    steps[i].request = (struct mem_request){
      .address = i * 128ULL, .bytes = 128, .sm = (uint16_t)(i % 15), .tag = (uint16_t)(i / 15 % MAX_TAGS)};
  run(&d, steps, N);
  uint64_t peak = N * 128ULL / 256;
  print_message("%llu core cycles, %llu at peak\n", (unsigned long long)d.last_reply, (unsigned long long)peak);
  assert_true(d.last_reply > peak);
  assert_true(d.last_reply * 85 <= peak * 100);
  unload(&d);
}

/* Contiguous memory as large as the L2 fills every way of every slice; read twice, it hits the second time. */
static void test_an_l2_of_any_number_of_slices_holds_its_own_size(void **unused) {
  (void)unused;
  enum { BYTES = 262144, LINES = BYTES / 128 };
  static const char *const slices[] = {"l2.slices=1", "l2.slices=2", "l2.slices=4"};
  static struct step steps[LINES];
  for (uint32_t k = 0; k < 3; k++) {
    static struct drive d;
    LOAD(&d, "gtx480", SKIP, slices[k], "l2.bytes=262144", "l2.ways=8");
    for (uint32_t i = 0; i < LINES; i++)
      steps[i].request = (struct mem_request){
        .address = i * 128ULL, .bytes = 128, .sm = (uint16_t)(i % 15), .tag = (uint16_t)(i / 15 % MAX_TAGS)};
    run(&d, steps, LINES);
    assert_int_equal(memory_counters(d.memory)->l2_misses, LINES);
    run(&d, steps, LINES);
    assert_int_equal(memory_counters(d.memory)->l2_hits, LINES);
    assert_int_equal(memory_counters(d.memory)->l2_misses, LINES);
    unload(&d);
  }
}

static void test_an_impossible_machine_is_refused(void **unused) {
  (void)unused;
  struct gpu_config m;
  struct clocks c;
  struct err e;
  gpu_config_defaults(&m);
  clocks_start_alike(&c);
  m.l2_bytes = 1025;
  assert_null(memory_create(&m, &c, NULL, false, &e));
  assert_int_equal(e.code, ERR_VALUE);
}

static void test_what_is_inside_is_described(void **unused) {
  (void)unused;
  static struct drive d;
  LOAD(&d, "small", EVERY_EDGE);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  memory_describe(d.memory, out);
  fflush(out);
  assert_int_equal(length, 0);
  struct mem_request r = {.address = 128, .bytes = 128};
  memory_inject(d.memory, &r);
  memory_describe(d.memory, out);
  fclose(out);
  assert_non_null(strstr(text, "1 requests inside"));
  assert_non_null(strstr(text, "request network: input 0"));
  free(text);
  unload(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_read_gets_exactly_one_reply_with_its_own_tag),
    cmocka_unit_test(test_writes_drain_and_get_no_reply),
    cmocka_unit_test(test_skipping_changes_no_reply_and_no_counter),
    cmocka_unit_test(test_the_same_stimulus_gives_the_same_cycles),
    cmocka_unit_test(test_an_unloaded_hit_takes_the_sum_of_the_parameters),
    cmocka_unit_test(test_an_unloaded_miss_takes_the_sum_of_the_parameters),
    cmocka_unit_test(test_waiting_for_dram_costs_no_edges),
    cmocka_unit_test(test_sms_that_fight_for_a_slice_share_it_evenly),
    cmocka_unit_test(test_streaming_reads_reach_the_dram_bandwidth_through_the_whole_system),
    cmocka_unit_test(test_an_l2_of_any_number_of_slices_holds_its_own_size),
    cmocka_unit_test(test_an_impossible_machine_is_refused),
    cmocka_unit_test(test_what_is_inside_is_described),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
