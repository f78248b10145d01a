/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Do networks of routers keep every flit, order and timing in every topology, and never deadlock? */
#include "kit/network_bench.h"
#include "mem/request.h"

#include "base/rng.h"

enum { SEED = 0x0c4, FLIT = 32, NODES = 36 };

struct shape {
  const char *name;
  uint32_t topology, columns, nodes, n_in, n_out;
};

/* Producers on the first nodes, consumers on the last. */
static const struct shape shapes[] = {
  {"crossbar 7x5", NOC_CROSSBAR, 0, 0, 7, 5},    {"crossbar 28x8", NOC_CROSSBAR, 0, 0, 28, 8},
  {"mesh 4x4", NOC_MESH, 4, 16, 16, 16},         {"mesh 6x6, 28 to 8", NOC_MESH, 6, 36, 28, 8},
  {"mesh 5x1, 3 to 2", NOC_MESH, 5, 5, 3, 2},    {"ring of 9", NOC_RING, 1, 9, 9, 9},
  {"ring of 12, 4 to 8", NOC_RING, 1, 12, 4, 8},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

struct options {
  uint32_t vcs, vc_alloc, latency, buffer;
  bool all, sink;
};

static int try_start(struct network_bench *b, const struct shape *s, struct options o, struct err *e) {
  uint16_t in_node[NODES], out_node[NODES];
  for (uint32_t i = 0; i < s->n_in && s->nodes; i++) in_node[i] = (uint16_t)i;
  for (uint32_t i = 0; i < s->n_out && s->nodes; i++) out_node[i] = (uint16_t)(s->nodes - s->n_out + i);
  struct network_routers routers = {.topology = s->topology,
                                    .nodes = s->nodes,
                                    .columns = s->columns,
                                    .in_node = in_node,
                                    .out_node = out_node,
                                    .vcs = o.vcs,
                                    .vc_alloc = o.vc_alloc,
                                    .latency = o.latency,
                                    .buffer_flits = o.buffer,
                                    .offer_all = o.all,
                                    .sink = o.sink};
  struct network_config config = {.name = "noc.req",
                                  .title = s->name,
                                  .n_in = s->n_in,
                                  .n_out = s->n_out,
                                  .in_queue = 3,
                                  .flit_bytes = FLIT,
                                  .payload_bytes = sizeof(struct mem_request),
                                  .routers = &routers,
                                  .allocator = &allocator_round_robin};
  return network_bench_try(b, config, e);
}

static void start(struct network_bench *b, const struct shape *s, struct options o) {
  struct err e = {0};
  if (try_start(b, s, o, &e)) fail_msg("%s: %s", s->name, e.text);
}

static void send(struct network_bench *b, uint32_t in, uint32_t out, uint16_t tag, uint32_t flits) {
  struct mem_request r = {.address = out, .bytes = flits, .sm = (uint16_t)in, .tag = tag};
  network_inject(b->x, in, out, &r, flits * FLIT - NOC_HEADER_BYTES, (struct packet_key){.mc = (uint8_t)out},
                 network_now(b));
}

/* Number of routers on a packet's route, computed without the network's tables. */
static uint32_t routers_passed(const struct shape *s, uint32_t in, uint32_t out) {
  uint32_t from = in, to = s->nodes - s->n_out + out;
  if (s->topology == NOC_CROSSBAR) return 1;
  if (s->topology == NOC_RING) {
    uint32_t d = from > to ? from - to : to - from;
    return 1 + (d < s->nodes - d ? d : s->nodes - d);
  }
  int dx = (int)(from % s->columns) - (int)(to % s->columns), dy = (int)(from / s->columns) - (int)(to / s->columns);
  return (uint32_t)(1 + abs(dx) + abs(dy));
}

static void test_a_lone_packet_takes_its_routers_and_its_flits(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < N_SHAPES; k++)
    for (uint32_t latency = 2; latency < 6; latency += 3)
      for (uint32_t flits = 1; flits < 4; flits += 2) {
        const struct shape *s = &shapes[k];
        struct network_bench b;
        uint64_t cycles = 0;
        start(&b, s, (struct options){.vcs = 2, .latency = latency, .buffer = 8});
        for (uint32_t i = 0; i < s->n_in; i++)
          for (uint32_t o = 0; o < s->n_out; o++) {
            send(&b, i, o, 7, flits);
            uint64_t sent = network_now(&b);
            while (!network_head(b.x, o, network_now(&b)) && network_now(&b) < sent + 1000) network_edge(&b);
            /* the edge after the injection sends the head; the consumer sees the packet an edge after its tail has come */
            assert_int_equal(network_now(&b) - sent, 1 + 1 + routers_passed(s, i, o) * latency + flits - 1 + 1);
            cycles += network_now(&b) - sent;
            network_pop(b.x, o, network_now(&b));
            network_edge(&b);
          }
        assert_int_equal(b.stalls, 0);
        assert_int_equal(b.flits, flits * b.packets);
        assert_int_equal(b.cycles, cycles - b.packets); /* arrival, not consumption */
        network_bench_close(&b);
      }
}

static void test_packets_of_one_flit_follow_each_other_every_cycle(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < N_SHAPES; k++) {
    const struct shape *s = &shapes[k];
    struct network_bench b;
    start(&b, s, (struct options){.vcs = s->topology == NOC_RING ? 2 : 1, .latency = 4, .buffer = 8});
    uint32_t got = 0;
    for (int i = 0; i < 400; i++) {
      if (network_can_inject(b.x, 0, network_now(&b))) send(&b, 0, s->n_out - 1, 0, 1);
      if (network_head(b.x, s->n_out - 1, network_now(&b))) {
        network_pop(b.x, s->n_out - 1, network_now(&b));
        if (i >= 100) got++;
      }
      network_edge(&b);
    }
    assert_int_equal(got, 300);
    network_bench_close(&b);
  }
}

/* Random packets between random pairs, consumers that pause; each packet arrives once, and in order on a single route. */
static void check_traffic(const struct shape *s, struct options o, bool exhaustive, uint32_t n, uint64_t figures[4]) {
  static uint16_t sent[NODES][NODES], got[NODES][NODES];
  static uint8_t seen[NODES][NODES][2048];
  struct rng r;
  struct network_bench b;
  bool ordered = o.vcs == 1 || o.vc_alloc == NOC_SVCA;
  rng_seed(&r, SEED);
  start(&b, s, o);
  network_set_exhaustive(b.x, exhaustive);
  memset(sent, 0, sizeof sent);
  memset(got, 0, sizeof got);
  memset(seen, 0, sizeof seen);
  uint32_t n_sent = 0, n_got = 0;
  uint64_t order = 0;
  for (uint32_t i = 0; n_got < n; i++) {
    assert_true(i < 100 * n);
    for (uint32_t out = 0; out < s->n_out; out++) {
      const struct mem_request *p = rng_percent(&r, o.sink ? 100 : 60) ? network_head(b.x, out, network_now(&b)) : NULL;
      if (!p) continue;
      assert_int_equal(p->address, out);
      assert_int_equal(seen[p->sm][out][p->tag]++, 0);
      if (ordered) assert_int_equal(p->tag, got[p->sm][out]);
      got[p->sm][out]++;
      order = order * 31 + p->sm * 7 + p->tag;
      network_pop(b.x, out, network_now(&b));
      n_got++;
    }
    for (uint32_t in = 0; in < s->n_in; in++)
      if (n_sent < n && rng_percent(&r, 40) && network_can_inject(b.x, in, network_now(&b))) {
        uint32_t out = rng_below(&r, s->n_out);
        assert_true(sent[in][out] < 2048);
        send(&b, in, out, sent[in][out]++, 1 + rng_below(&r, o.sink ? 9 : o.buffer < 5 ? o.buffer : 5));
        n_sent++;
      }
    bool asleep = network_wake(b.x) > network_now(&b);
    uint64_t before = b.packets + b.stalls;
    if (exhaustive || !asleep || i % 2) network_edge(&b);
    else clocks_pass(&b.clocks, network_now(&b));
    if (asleep) assert_int_equal(b.packets + b.stalls, before);
  }
  assert_int_equal(b.packets, n);
  figures[0] = b.flits;
  figures[1] = b.stalls;
  figures[2] = order;
  figures[3] = network_now(&b);
  network_bench_close(&b);
}

static void test_a_packet_is_never_lost_doubled_or_overtaken(void **unused) {
  (void)unused;
  print_message("seed 0x%x\n", SEED);
  for (uint32_t k = 0; k < N_SHAPES; k++)
    for (uint32_t vcs = shapes[k].topology == NOC_RING ? 2 : 1; vcs <= 4; vcs *= 2)
      for (uint32_t a = 0; a < 2; a++)
        for (uint32_t buffer = 1; buffer <= 8; buffer += 7) {
          uint64_t figures[4];
          if (a == NOC_SVCA && vcs > shapes[k].n_out) continue;
          check_traffic(&shapes[k], (struct options){vcs, a, 2 + vcs, buffer, vcs == 4, false}, false, 1500, figures);
        }
}

static void test_packets_longer_than_buffers_pass_to_consumers_that_take_flits(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < N_SHAPES; k++) {
    uint64_t figures[4];
    check_traffic(&shapes[k], (struct options){2, NOC_SVCA, 4, 3, false, true}, false, 1500, figures);
  }
}

static void test_edges_that_may_be_left_out_change_nothing(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < N_SHAPES; k++) {
    uint64_t lazy[4], eager[4];
    struct options o = {2, NOC_DVCA, 4, 8, false, false};
    check_traffic(&shapes[k], o, false, 1000, lazy);
    check_traffic(&shapes[k], o, true, 1000, eager);
    assert_memory_equal(lazy, eager, sizeof lazy);
  }
}

/* Long packets from every node to the opposite one fill every buffer of the ring; without a dateline it would deadlock. */
static void test_a_full_ring_never_stops(void **unused) {
  (void)unused;
  static const struct shape ring = {"ring of 8", NOC_RING, 1, 8, 8, 8};
  struct network_bench b;
  start(&b, &ring, (struct options){.vcs = 2, .latency = 4, .buffer = 2, .sink = true});
  uint32_t last[8] = {0};
  for (uint32_t i = 0; i < 30000; i++) {
    for (uint32_t n = 0; n < 8; n++) {
      if (network_can_inject(b.x, n, network_now(&b))) send(&b, n, (n + 3) % 8, 0, 7);
      if (network_head(b.x, n, network_now(&b))) {
        network_pop(b.x, n, network_now(&b));
        last[n] = i;
      }
      if (i - last[n] > 2000) fail_msg("nothing came to node %u since cycle %u", n, last[n]);
    }
    network_edge(&b);
  }
  network_bench_close(&b);
}

static void expect_refused(const struct shape *s, struct options o, const char *rule) {
  struct network_bench b;
  struct err e = {0};
  assert_int_equal(try_start(&b, s, o, &e), ERR_VALUE);
  if (!strstr(e.text, rule)) fail_msg("\"%s\" does not say \"%s\"", e.text, rule);
}

static void test_what_does_not_fit_is_refused_with_the_rule(void **unused) {
  (void)unused;
  static const struct shape ring = {"ring", NOC_RING, 1, 9, 9, 9}, mesh = {"mesh", NOC_MESH, 5, 16, 16, 16};
  static const struct shape wide = {"crossbar", NOC_CROSSBAR, 0, 0, 65, 8};
  static const struct shape narrow = {"crossbar", NOC_CROSSBAR, 0, 0, 8, 3};
  struct options o = {.vcs = 1, .latency = 4, .buffer = 8};
  expect_refused(&ring, o, "dateline");
  o.vcs = 3;
  expect_refused(&ring, o, "even number");
  o.vcs = 2;
  expect_refused(&mesh, o, "do not fill the rows");
  expect_refused(&wide, o, "at most 64");
  o.vcs = 4;
  o.vc_alloc = NOC_SVCA;
  expect_refused(&narrow, o, "3 destinations");
  o.vcs = 9;
  expect_refused(&shapes[0], o, "1 to 8");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_lone_packet_takes_its_routers_and_its_flits),
    cmocka_unit_test(test_packets_of_one_flit_follow_each_other_every_cycle),
    cmocka_unit_test(test_a_packet_is_never_lost_doubled_or_overtaken),
    cmocka_unit_test(test_packets_longer_than_buffers_pass_to_consumers_that_take_flits),
    cmocka_unit_test(test_edges_that_may_be_left_out_change_nothing),
    cmocka_unit_test(test_a_full_ring_never_stops),
    cmocka_unit_test(test_what_does_not_fit_is_refused_with_the_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
