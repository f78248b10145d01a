/* SPDX-License-Identifier: Apache-2.0 */
/* Does the crossbar keep its timing, order and fairness, and does it never lose a packet? */
#include "kit/network_bench.h"

#include "base/rng.h"

enum { SEED = 0xcb, LATENCY = 5, FLIT = 32 };

static void start_with(struct network_bench *b, uint32_t n_in, uint32_t n_out, uint32_t in_queue, uint32_t out_queue,
                       const struct allocator_ops *allocator) {
  network_bench_open(b, (struct network_config){.title = "crossbar",
                                                .n_in = n_in,
                                                .n_out = n_out,
                                                .in_queue = in_queue,
                                                .out_queue = out_queue,
                                                .latency = LATENCY,
                                                .flit_bytes = FLIT,
                                                .payload_bytes = sizeof(struct mem_request),
                                                .allocator = allocator});
}

static void start(struct network_bench *b, uint32_t n_in, uint32_t n_out, uint32_t in_queue, uint32_t out_queue) {
  start_with(b, n_in, n_out, in_queue, out_queue, &allocator_round_robin);
}

static void send(struct network_bench *b, uint32_t in, uint32_t out, uint16_t tag, uint32_t data_bytes) {
  struct mem_request r = {.address = out, .bytes = 1, .sm = (uint16_t)in, .tag = tag};
  assert_true(network_can_inject(b->x, in, network_now(b)));
  network_inject(b->x, in, out, &r, data_bytes, (struct packet_key){.row = (uint16_t)in}, network_now(b));
}

/* Runs until output `out` shows a packet; returns the tick and takes it. */
static uint64_t arrival(struct network_bench *b, uint32_t out, uint32_t *in, uint16_t *tag) {
  for (int i = 0; i < 1000; i++) {
    const struct mem_request *r = network_head(b->x, out, network_now(b));
    if (r) {
      if (in) *in = r->sm;
      if (tag) *tag = r->tag;
      network_pop(b->x, out, network_now(b));
      return network_now(b);
    }
    network_edge(b);
  }
  fail_msg("nothing arrives at output %u", out);
  return 0;
}

static void test_a_lone_packet_takes_latency_and_its_flits(void **unused) {
  (void)unused;
  static const uint32_t data[][2] = {{0, 1}, {24, 1}, {25, 2}, {56, 2}, {128, 5}}; /* ceil((8 + data) / 32) */
  for (int i = 0; i < 5; i++) {
    struct network_bench b;
    start(&b, 3, 2, 4, 4);
    for (int k = 0; k < 10; k++) network_edge(&b);
    send(&b, 2, 1, 7, data[i][0]);
    uint64_t sent = network_now(&b);
    /* moves at the edge after the injection; seen at the consumer's edge after the last flit's */
    assert_int_equal(arrival(&b, 1, NULL, NULL), sent + 1 + LATENCY + data[i][1] - 1 + 1);
    assert_int_equal(b.packets, 1);
    assert_int_equal(b.flits, data[i][1]);
    assert_int_equal(b.stalls, 0);
    network_bench_close(&b);
  }
}

static void test_a_port_moves_one_flit_a_cycle(void **unused) {
  (void)unused;
  struct network_bench b;
  start(&b, 1, 1, 8, 8);
  for (uint16_t i = 0; i < 8; i++) send(&b, 0, 0, i, 128);
  uint64_t before = 0;
  for (uint16_t i = 0; i < 8; i++) {
    uint16_t tag;
    uint64_t at = arrival(&b, 0, NULL, &tag);
    assert_int_equal(tag, i);
    if (i) assert_int_equal(at - before, 5);
    before = at;
  }
  network_bench_close(&b);
}

static void test_different_ports_do_not_disturb_each_other(void **unused) {
  (void)unused;
  struct network_bench b;
  start(&b, 4, 4, 2, 2);
  for (uint32_t i = 0; i < 4; i++) send(&b, i, 3 - i, 0, 128);
  uint64_t sent = network_now(&b);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(arrival(&b, i, NULL, NULL), sent + 1 + LATENCY + 5);
  assert_int_equal(b.stalls, 0);
  network_bench_close(&b);
}

static void test_the_head_of_a_queue_blocks_what_is_behind_it(void **unused) {
  (void)unused;
  struct network_bench b;
  start(&b, 2, 2, 4, 4);
  send(&b, 0, 0, 1, 128); /* wins output 0 for five cycles */
  send(&b, 1, 0, 2, 0);   /* waits for it */
  send(&b, 1, 1, 3, 0);   /* its output is idle, but it stands behind */
  uint64_t sent = network_now(&b);
  assert_int_equal(arrival(&b, 1, NULL, NULL), sent + 1 + 5 + 1 + LATENCY + 1);
  assert_int_equal(b.stalls, 5); /* packet 2 waited five cycles; packet 3 was no head */
  network_bench_close(&b);
}

static void test_inputs_take_turns_from_the_lowest_index(void **unused) {
  (void)unused;
  struct network_bench b;
  start(&b, 70, 1, 2, 8);
  for (uint32_t i = 0; i < 70; i++)
    for (uint16_t k = 0; k < 2; k++) send(&b, i, 0, k, 0);
  for (uint32_t i = 0; i < 140; i++) {
    uint32_t in;
    uint16_t tag;
    arrival(&b, 0, &in, &tag);
    assert_int_equal(in, i % 70);
    assert_int_equal(tag, i / 70);
  }
  network_bench_close(&b);
}

static void test_a_full_output_holds_packets_back_and_a_place_returns_a_tick_later(void **unused) {
  (void)unused;
  struct network_bench b;
  start(&b, 1, 1, 20, 2);
  enum { PLACES = 2 + LATENCY };
  for (uint16_t i = 0; i < 20; i++) send(&b, 0, 0, i, 0);
  for (int k = 0; k < 50; k++) network_edge(&b);
  assert_int_equal(b.packets, PLACES);
  const struct mem_request *r = network_head(b.x, 0, network_now(&b));
  assert_non_null(r);
  assert_int_equal(r->tag, 0);
  network_pop(b.x, 0, network_now(&b));
  network_edge(&b); /* of the same tick: does not see it yet */
  assert_int_equal(b.packets, PLACES);
  network_edge(&b);
  assert_int_equal(b.packets, PLACES + 1);
  network_bench_close(&b);
}

static void test_a_full_injection_queue_refuses(void **unused) {
  (void)unused;
  struct network_bench b;
  start(&b, 2, 1, 3, 1);
  for (uint16_t i = 0; i < 3; i++) send(&b, 1, 0, i, 0);
  assert_false(network_can_inject(b.x, 1, network_now(&b)));
  assert_true(network_can_inject(b.x, 0, network_now(&b)));
  network_bench_close(&b);
}

/* Any traffic: nothing lost, nothing twice, each (input, output) pair in order, waking in time. */
static void test_a_packet_is_never_lost_or_overtaken(void **unused) {
  (void)unused;
  print_message("seed 0x%x\n", SEED);
  enum { IN = 7, OUT = 5, N = 20000 };
  struct rng r;
  rng_seed(&r, SEED);
  struct network_bench b;
  start(&b, IN, OUT, 3, 2);
  static uint16_t sent[IN][OUT], got[IN][OUT];
  memset(sent, 0, sizeof sent);
  memset(got, 0, sizeof got);
  uint32_t n_sent = 0, n_got = 0;
  for (uint32_t idle = 0; n_got < N; idle++) {
    assert_true(idle < 100 * N);
    for (uint32_t o = 0; o < OUT; o++) {
      const struct mem_request *p = rng_percent(&r, 60) ? network_head(b.x, o, network_now(&b)) : NULL;
      if (!p) continue;
      assert_int_equal(p->address, o);
      assert_int_equal(p->tag, got[p->sm][o]++);
      network_pop(b.x, o, network_now(&b));
      n_got++;
    }
    for (uint32_t i = 0; i < IN; i++)
      if (n_sent < N && rng_percent(&r, 30) && network_can_inject(b.x, i, network_now(&b))) {
        uint32_t o = rng_below(&r, OUT);
        send(&b, i, o, sent[i][o]++, rng_below(&r, 129));
        n_sent++;
      }
    bool asleep = network_wake(b.x) > network_now(&b);
    uint64_t before = b.packets + b.stalls;
    network_edge(&b);
    if (asleep) assert_int_equal(b.packets + b.stalls, before);
  }
  assert_int_equal(b.packets, N);
  network_bench_close(&b);
}

/* Another policy can be put in: this one serves the highest index and lets nobody move in odd cycles. */
struct highest {
  uint32_t cycles;
};

static void *highest_create(const struct allocator_config *config, struct err *e) {
  (void)config;
  (void)e;
  return calloc(1, sizeof(struct highest));
}

static void highest_allocate(void *state, const struct allocation *a) {
  struct highest *h = state;
  bool rest = h->cycles++ % 2;
  for (uint32_t o = 0; o < a->n_out; o++) {
    if (!(a->open[0] >> o & 1)) continue;
    uint32_t in = 63 - (uint32_t)__builtin_clzll(a->asks[o]);
    assert_int_equal(a->keys[in].row, in); /* the packet that asks can be looked at */
    a->grant[o] = rest ? ALLOCATOR_NONE : (uint16_t)in;
  }
}

static void test_the_allocator_alone_decides(void **unused) {
  (void)unused;
  static const struct allocator_ops highest = {
    .name = "highest", .create = highest_create, .destroy = free, .allocate = highest_allocate};
  struct network_bench b;
  start_with(&b, 5, 1, 1, 8, &highest);
  for (uint32_t i = 0; i < 5; i++) send(&b, i, 0, 0, 0);
  uint64_t before = 0;
  for (uint32_t i = 0; i < 5; i++) {
    uint32_t in;
    uint64_t at = arrival(&b, 0, &in, NULL);
    assert_int_equal(in, 4 - i);
    if (i) assert_int_equal(at - before, 2);
    before = at;
  }
  network_bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_lone_packet_takes_latency_and_its_flits),
    cmocka_unit_test(test_a_port_moves_one_flit_a_cycle),
    cmocka_unit_test(test_different_ports_do_not_disturb_each_other),
    cmocka_unit_test(test_the_head_of_a_queue_blocks_what_is_behind_it),
    cmocka_unit_test(test_inputs_take_turns_from_the_lowest_index),
    cmocka_unit_test(test_a_full_output_holds_packets_back_and_a_place_returns_a_tick_later),
    cmocka_unit_test(test_a_full_injection_queue_refuses),
    cmocka_unit_test(test_a_packet_is_never_lost_or_overtaken),
    cmocka_unit_test(test_the_allocator_alone_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
