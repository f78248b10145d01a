/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* What an agent beside the L2 slices can rely on: its accesses are performed once, in order, in time; hints take nothing from
 * demand; commands and their replies come through; and skipping changes none of it. */
#include "kit/l2_bench.h"

/* --- side accesses --- */

/* An access of the agent from now to its end; returns it. */
static const struct access *one(struct bench *b, uint64_t address, bool write) {
  assert_true(ask(b->agent, address, write));
  assert_int_not_equal(memory_in_flight(b->memory), 0);
  drain(b);
  assert_int_equal(b->agent->answered, b->agent->n);
  return &b->agent->access[b->agent->n - 1];
}

static void test_a_metadata_access_is_a_request_as_others(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  const struct memory_counters *n = memory_counters(b.memory);
  const struct access *a = one(&b, 8, false);
  assert_int_equal(n->l2_misses, 1);
  assert_int_equal(n->dram_reads, 1);
  assert_true(a->answered - a->performed > (uint64_t)(b.m.l2_latency + b.m.dram_latency));
  a = one(&b, 16, false);
  assert_int_equal(n->l2_hits, 1);
  assert_int_equal(a->answered - a->performed, b.m.l2_latency);
  assert_int_equal(a->performed - a->called, 1);
  a = one(&b, 24, true);
  assert_int_equal(a->answered - a->performed, b.m.l2_latency);
  a = one(&b, 24, false);
  assert_int_equal(a->value, 3); /* what tag 2 wrote */
  assert_int_equal(n->l2_side_accesses, 4);
  assert_int_equal(n->l2_reads, 3);
  assert_int_equal(n->l2_writes, 1);
  assert_int_equal(n->l2_hits, 3);
  assert_int_equal(n->dram_reads, 1);
  assert_int_equal(n->noc_request_packets + n->noc_reply_packets, 0);
  assert_int_equal(b.agent->lookups, 0); /* those are the SMs' */
  stop(&b);
}

/* Each slice performs its accesses in the order of the calls; every one is performed once, then answered once. The callbacks
 * themselves see to "once". */
static void test_a_slice_performs_accesses_in_their_order(void **unused) {
  (void)unused;
  struct bench b;
  START(&b, "l2.mshrs=2", "dram.queue=2", "l2.write_miss=partial");
  struct rng r;
  rng_seed(&r, SEED);
  struct address_map map;
  address_map_start(&map, &b.m);
  while (b.agent->n < 1000) {
    uint64_t address = (uint64_t)rng_below(&r, WORDS) * 8;
    if (rng_percent(&r, 70)) ask(b.agent, address, rng_percent(&r, 50));
    else tick_once(&b);
  }
  drain(&b);
  assert_int_equal(b.agent->performed, 1000);
  assert_int_equal(b.agent->answered, 1000);
  uint64_t last[2] = {0, 0};
  uint32_t value[WORDS] = {0};
  for (uint32_t i = 0; i < 1000; i++) {
    const struct access *a = &b.agent->access[i];
    uint32_t channel = address_map_channel(&map, a->address);
    assert_true(a->performed > last[channel]); /* one a cycle */
    last[channel] = a->performed;
    if (a->write) value[a->address / 8] = i + 1;
    else assert_int_equal(a->value, value[a->address / 8]);
    assert_true(a->answered >= a->performed + (uint64_t)b.m.l2_latency);
  }
  stop(&b);
}

/* Four SMs ask one slice for a line that is there, in every cycle; the agent as often as it may. */
static void test_neither_accesses_nor_requests_starve(void **unused) {
  (void)unused;
  struct bench b;
  START(&b, "noc.flit_bytes=256", "l2.latency=4");
  one(&b, 0, false);
  uint64_t lookups = 0;
  for (int i = 0; i < 2000; i++) {
    for (uint32_t sm = 0; sm < SMS; sm++) {
      uint16_t tag = (uint16_t)(i % TAGS);
      if (i >= 1000 && !b.open[sm][tag]) b.open[sm][tag] = send(&b, sm, MEM_READ, 0, 4, tag);
    }
    if (i == 1200) lookups = b.agent->lookups;
    if (i > 1200 && i % 3 == 0) ask(b.agent, 8, false);
    tick_once(&b);
  }
  uint64_t share = b.agent->lookups - lookups; /* of 800 cycles */
  drain(&b);
  uint64_t previous = 0, longest = 0;
  for (uint32_t i = 1; i < b.agent->n; i++) {
    const struct access *a = &b.agent->access[i];
    uint64_t since = a->called > previous ? a->called : previous; /* at the head from then on */
    if (a->performed - since > longest) longest = a->performed - since;
    previous = a->performed;
  }
  print_message("%u accesses, the longest wait at the head %u cycles; %u requests in 800 cycles\n", b.agent->n,
                (uint32_t)longest, (uint32_t)share);
  assert_true(b.agent->n > 60);
  assert_int_equal(longest, L2_METADATA_PATIENCE + 1);
  assert_true(share >= 800 * L2_METADATA_PATIENCE / (L2_METADATA_PATIENCE + 1) - 40);
  stop(&b);
}

static void test_a_full_queue_says_so(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  uint32_t taken = 0;
  while (ask(b.agent, 8, false)) taken++;
  assert_int_equal(taken, L2_METADATA_QUEUE);
  assert_true(ask(b.agent, 256, false)); /* the other slice */
  drain(&b);
  assert_int_equal(b.agent->answered, L2_METADATA_QUEUE + 1);
  while (b.agent->n < 500) {
    uint32_t open = b.agent->n - b.agent->answered;
    assert_true(open <= L2_METADATA_OPEN);
    ask(b.agent, 8, true);
    tick_once(&b);
  }
  drain(&b);
  stop(&b);
}

/* --- requests, commands --- */

static void test_every_lookup_of_an_sm_is_told_once(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  b.until = 30000;
  cycles(&b, 30000);
  drain(&b);
  const struct memory_counters *n = memory_counters(b.memory);
  assert_int_equal(b.agent->lookups, n->l2_reads + n->l2_writes + n->l2_atomics);
  assert_int_equal(b.agent->lookup_hits, n->l2_hits);
  assert_true(b.agent->lookup_hits > 100 && b.agent->lookups > b.agent->lookup_hits + 100);
  assert_int_equal(b.replies, b.agent->lookups - n->l2_writes + b.commands_done);
  assert_true(b.commands_done > 100);
  assert_int_equal(b.commands_done, b.agent->commands);
  stop(&b);
}

static void test_a_command_goes_to_the_agent_and_its_reply_back(void **unused) {
  (void)unused;
  struct bench b;
  START(&b, "noc.flit_bytes=32");
  b.open[2][5] = send(&b, 2, MEM_COMMAND, 0, 56, 5);
  drain(&b);
  const struct memory_counters *n = memory_counters(b.memory);
  assert_int_equal(b.agent->commands, 1);
  assert_int_equal(b.commands_done, 1);
  assert_int_equal(n->noc_request_flits, 2); /* 8 bytes of header and what it carries */
  assert_int_equal(n->noc_reply_flits, 1);   /* an acknowledgement */
  assert_int_equal(n->l2_hits + n->l2_misses, 0);
  stop(&b);
}

/* --- hints and marks --- */

static void test_a_hint_fetches_a_line_that_nobody_waits_for(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  const struct memory_counters *n = memory_counters(b.memory);
  struct memory_services *s = &b.agent->s;
  assert_false(s->cached(b.memory, 1000));
  assert_true(s->prefetch(b.memory, 1000));
  assert_false(s->prefetch(b.memory, 1016)); /* the same line */
  assert_int_equal(memory_in_flight(b.memory), 0);
  cycles(&b, 10);
  assert_true(s->cached(b.memory, 1000));
  assert_false(s->prefetch(b.memory, 1000));
  cycles(&b, 300);
  assert_int_equal(n->dram_reads, 2);
  assert_int_equal(n->l2_prefetches, 1);
  assert_int_equal(n->l2_hits + n->l2_misses, 0);
  for (uint16_t i = 0; i < 3; i++) {
    b.open[0][i] = send(&b, 0, MEM_READ, 896, LINE, i);
    drain(&b);
  }
  assert_int_equal(n->l2_hits, 3);
  assert_int_equal(n->l2_prefetch_hits, 1); /* the first */
  assert_true(s->prefetch(b.memory, 8192));
  cycles(&b, 10);
  b.open[0][0] = send(&b, 0, MEM_READ, 8192, LINE, 0); /* it comes while the line is under way */
  drain(&b);
  assert_int_equal(n->l2_prefetch_hits, 2);
  assert_int_equal(n->dram_reads, 4);
  stop(&b);
}

static void test_hints_leave_demand_an_mshr_and_a_quarter_of_the_queue(void **unused) {
  (void)unused;
  static const struct {
    const char *mshrs, *queue;
    uint32_t most;
  } rows[] = {{"l2.mshrs=1", "dram.queue=64", 0},
              {"l2.mshrs=2", "dram.queue=64", 1},
              {"l2.mshrs=5", "dram.queue=64", 4},
              {"l2.mshrs=64", "dram.queue=4", 3},
              {"l2.mshrs=64", "dram.queue=16", 12}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bench b;
    START(&b, rows[i].mshrs, rows[i].queue, "dram.tRCD=100", "dram.tRC=200"); /* nothing leaves the queue for a while */
    uint32_t queued = 0;
    for (uint64_t k = 0; k < L2_PREFETCH_QUEUE; k++) queued += b.agent->s.prefetch(b.memory, k * 512);
    assert_int_equal(queued, rows[i].most ? L2_PREFETCH_QUEUE : 0);
    cycles(&b, 60);
    assert_int_equal(memory_counters(b.memory)->l2_prefetches, rows[i].most);
    cycles(&b, 3000);
    b.open[0][0] = send(&b, 0, MEM_READ, 1 << 20, LINE, 0);
    drain(&b);
    stop(&b);
  }
}

static uint64_t in_set(uint64_t k) { return k * 16384; } /* all in one set of 4 ways of slice 0: 2 slices of 16 sets */

static void read_line(struct bench *b, uint64_t address) {
  b->open[0][0] = send(b, 0, MEM_READ, address, LINE, 0);
  drain(b);
}

static void test_marks_decide_who_stays(void **unused) {
  (void)unused;
  static const char *const policies[] = {"l2.replacement=lru", "l2.replacement=drrip"};
  for (int p = 0; p < 2; p++) {
    struct bench b;
    START(&b, policies[p]);
    struct memory_services *s = &b.agent->s;
    const struct memory_counters *n = memory_counters(b.memory);
    for (uint64_t k = 0; k < 4; k++) read_line(&b, in_set(k));
    s->mark(b.memory, in_set(1), L2_MARK_PIN);
    s->mark(b.memory, in_set(1), L2_MARK_PIN);
    s->mark(b.memory, in_set(9), L2_MARK_PIN); /* not there */
    assert_int_equal(n->l2_pinned, 1);
    s->mark(b.memory, in_set(0), L2_MARK_FRONT);
    s->mark(b.memory, in_set(3), L2_MARK_DISTANT);
    read_line(&b, in_set(4));
    assert_false(s->cached(b.memory, in_set(3)));
    assert_true(s->cached(b.memory, in_set(0)) && s->cached(b.memory, in_set(1)) && s->cached(b.memory, in_set(2)));
    for (uint64_t k = 5; k < 400; k++) read_line(&b, in_set(k));
    assert_true(s->cached(b.memory, in_set(1)));
    assert_false(s->cached(b.memory, in_set(0)));
    s->unpin_all(b.memory, 1);
    for (uint64_t k = 400; k < 800; k++) read_line(&b, in_set(k));
    assert_true(s->cached(b.memory, in_set(1))); /* that was the other slice */
    s->unpin_all(b.memory, 0);
    for (uint64_t k = 800; k < 1600; k++) read_line(&b, in_set(k));
    assert_false(s->cached(b.memory, in_set(1)));
    stop(&b);
  }
}

static void test_a_hint_never_replaces_a_pinned_line(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  struct memory_services *s = &b.agent->s;
  for (uint64_t k = 0; k < 4; k++) {
    read_line(&b, in_set(k));
    s->mark(b.memory, in_set(k), L2_MARK_PIN);
  }
  s->prefetch(b.memory, in_set(4));
  cycles(&b, 300);
  assert_int_equal(memory_counters(b.memory)->l2_prefetches, 0);
  for (uint64_t k = 0; k < 4; k++) assert_true(s->cached(b.memory, in_set(k)));
  read_line(&b, in_set(5)); /* demand takes the first way */
  assert_false(s->cached(b.memory, in_set(0)));
  for (uint64_t k = 1; k < 4; k++) assert_true(s->cached(b.memory, in_set(k)));
  stop(&b);
}

/* --- time --- */

/* SMs and agent at random; the same to the tick whoever executes how many edges. */
static void test_skipping_changes_nothing(void **unused) {
  (void)unused;
  static const char *const configs[][4] = {
    {"l2.replacement=lru"},
    {"l2.replacement=drrip", "l2.mshrs=4", "dram.queue=6"},
    {"l2.replacement=drrip", "l2.write_miss=forward", "l2.latency=1"},
    {"l2.ways=1", "dram.scheduler=bfifo", "dram.tREFI=0"},
    {"l2.replacement=drrip", "l2.prefetch=stride", "l2.bytes=65536"},
  };
  print_message("seed 0x%x\n", SEED);
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    uint64_t hash[3][2];
    struct memory_counters n[3];
    for (enum mode mode = EXHAUSTIVE; mode <= SKIP; mode++) {
      struct bench b;
      start(&b, mode, false, configs[i]);
      b.until = 30000;
      b.agent->until = 25000;
      ++*b.agent->s.in_flight; /* it works for so long */
      drain(&b);
      hash[mode][0] = b.hash;
      hash[mode][1] = b.agent->hash;
      n[mode] = *memory_counters(b.memory);
      n[mode].dram_cycles = 0; /* of edges that nobody needed */
      assert_int_equal(b.agent->answered, b.agent->n);
      print_message("%u accesses, %u prefetches, %u pinned, %u commands\n", b.agent->n, (uint32_t)n[mode].l2_prefetches,
                    (uint32_t)n[mode].l2_pinned, (uint32_t)b.commands_done);
      assert_true(b.agent->n > 500 && n[mode].l2_prefetches > 10 && n[mode].l2_pinned > 20 && b.commands_done > 20);
      stop(&b);
    }
    for (int mode = EVERY_EDGE; mode <= SKIP; mode++) {
      assert_memory_equal(hash[mode], hash[0], sizeof hash[0]);
      assert_memory_equal(&n[mode], &n[0], sizeof n[0]);
    }
  }
}

/* A stream is fetched ahead; the prefetcher needs no agent and knows nothing of one. */
static void test_a_stream_is_there_before_it_is_asked_for(void **unused) {
  (void)unused;
  struct bench b;
  uint64_t cycles_of[2];
  for (int on = 0; on < 2; on++) {
    START(&b, on ? "l2.prefetch=stride" : "l2.prefetch=none", "l2.bytes=65536");
    for (uint64_t k = 0; k < 200; k++) read_line(&b, k * LINE);
    const struct memory_counters *n = memory_counters(b.memory);
    cycles_of[on] = b.latest;
    assert_int_equal(n->dram_reads / 2, n->l2_prefetches + n->l2_reads - n->l2_prefetch_hits);
    if (on) assert_true(n->l2_prefetch_hits > 180 && n->l2_prefetches <= n->l2_prefetch_hits + 2 * 4);
    else assert_int_equal(n->l2_prefetches, 0);
    stop(&b);
  }
  print_message("%u cycles without, %u with\n", (uint32_t)cycles_of[0], (uint32_t)cycles_of[1]);
  assert_true(cycles_of[1] * 4 < cycles_of[0] * 3);
}

static void test_a_machine_without_slices_refuses_an_agent(void **unused) {
  (void)unused;
  static const char *const settings[] = {"l2.bytes=0", "ideal.memory=perfect"};
  for (int i = 0; i < 2; i++) {
    struct gpu_config m;
    struct clocks clocks;
    struct err e = {0};
    config_begin(&m, NULL);
    config_set_text(&m, settings[i]);
    clocks_start_alike(&clocks);
    struct memory_system *memory = memory_create(&m, &clocks, NULL, false, &e);
    assert_non_null(memory);
    assert_int_not_equal(memory_attach(memory, &ops, NULL, &e), 0);
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(settings[i], "="), settings[i]);
    assert_non_null(strstr(e.text, key));
    assert_null(memory_agent(memory));
    memory_destroy(memory);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_metadata_access_is_a_request_as_others),
    cmocka_unit_test(test_a_slice_performs_accesses_in_their_order),
    cmocka_unit_test(test_neither_accesses_nor_requests_starve),
    cmocka_unit_test(test_a_full_queue_says_so),
    cmocka_unit_test(test_every_lookup_of_an_sm_is_told_once),
    cmocka_unit_test(test_a_command_goes_to_the_agent_and_its_reply_back),
    cmocka_unit_test(test_a_hint_fetches_a_line_that_nobody_waits_for),
    cmocka_unit_test(test_hints_leave_demand_an_mshr_and_a_quarter_of_the_queue),
    cmocka_unit_test(test_marks_decide_who_stays),
    cmocka_unit_test(test_a_hint_never_replaces_a_pinned_line),
    cmocka_unit_test(test_skipping_changes_nothing),
    cmocka_unit_test(test_a_stream_is_there_before_it_is_asked_for),
    cmocka_unit_test(test_a_machine_without_slices_refuses_an_agent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
