/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Do networks with grant-holding allocators keep a producer's packets together, and end holds where Yuan 2009 (4.3) says? */
#include "kit/network_bench.h"
#include "mem/request.h"

enum { FLIT = 32, PACKETS = 24, OUT = 5 };

/* Producers 0 and 1 send PACKETS each to consumer OUT of 8, as fast as they can, and stop. */
struct stream {
  uint32_t topology, vcs, vc_alloc, flits, packets_a_row, max_hold;
  uint16_t rows[2][4]; /* of producers 0 and 1, in turn */
  bool packet_switched;
};

static uint16_t in_node[2] = {0, 2}, out_node[8];

/* Runs the stream; came[] lists the producers in order of arrival. */
static void run(const struct stream *s, const struct allocator_ops *policy, uint8_t came[2 * PACKETS], uint64_t *held) {
  struct network_bench b;
  for (uint16_t o = 0; o < 8; o++)
    out_node[o] = (uint16_t)(8 + o); /* a mesh of 4 columns: the way is along row 0 first */
  struct network_routers routers = {.topology = s->topology,
                                    .nodes = 16,
                                    .columns = 4,
                                    .in_node = in_node,
                                    .out_node = out_node,
                                    .vcs = s->vcs,
                                    .vc_alloc = s->vc_alloc,
                                    .latency = 4,
                                    .buffer_flits = 8};
  struct network_config config = {
    .name = "noc.req",
    .title = "network",
    .n_in = 2,
    .n_out = 8,
    .in_queue = 4,
    .out_queue = 8,
    .latency = 4,
    .flit_bytes = FLIT,
    .payload_bytes = sizeof(struct mem_request),
    .routers = s->packet_switched ? NULL : &routers,
    .allocator = policy,
    .allocation = {.hash_bits = 4, .seed = 1, .banks = 4, .controllers = 8, .max_hold = s->max_hold, .held = held}};
  network_bench_open(&b, config);
  struct network *x = b.x;
  uint32_t sent[2] = {0}, got = 0;
  for (uint64_t now = 0; got < 2 * PACKETS; now++) {
    assert_true(now < 5000);
    for (uint32_t i = 0; i < 2; i++)
      if (sent[i] < PACKETS && network_can_inject(x, i, now)) {
        struct mem_request r = {.bytes = 1, .sm = (uint16_t)i};
        struct packet_key key = {.mc = OUT, .row = s->rows[i][sent[i] / s->packets_a_row % 4]};
        network_inject(x, i, OUT, &r, s->flits * FLIT - NOC_HEADER_BYTES, key, now);
        sent[i]++;
      }
    const struct mem_request *p = network_head(x, OUT, now);
    if (p) {
      came[got++] = (uint8_t)p->sm;
      network_pop(x, OUT, now);
    }
    network_edge(&b);
  }
  network_bench_close(&b);
}

/* Number of changes of producer; *multiple_of: greatest common divisor of the lengths of the runs between them. */
static uint32_t changes(const uint8_t *came, uint32_t *multiple_of) {
  uint32_t n = 0, length = 1;
  *multiple_of = 0;
  for (uint32_t i = 1; i < 2 * PACKETS; i++, length++) {
    if (came[i] == came[i - 1]) continue;
    for (uint32_t a = length, b = *multiple_of; a;) { /* greatest common divisor */
      uint32_t rest = b % a;
      b = a;
      a = rest;
      *multiple_of = b;
    }
    length = 0;
    n++;
  }
  return n;
}

static const struct stream streams[] = {
  {.topology = NOC_CROSSBAR, .vcs = 1, .flits = 1, .packets_a_row = PACKETS},
  {.topology = NOC_CROSSBAR, .vcs = 1, .flits = 3, .packets_a_row = PACKETS},
  {.topology = NOC_CROSSBAR, .vcs = 4, .vc_alloc = NOC_SVCA, .flits = 3, .packets_a_row = PACKETS},
  {.topology = NOC_CROSSBAR, .flits = 3, .packets_a_row = PACKETS, .packet_switched = true},
};
enum { STREAMS = sizeof streams / sizeof *streams };

static void test_a_held_grant_keeps_a_stream_together(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < STREAMS; k++) {
    uint8_t came[2 * PACKETS];
    uint64_t held = 0;
    uint32_t multiple;
    run(&streams[k], &allocator_hg, came, &held);
    if (changes(came, &multiple) != 1) fail_msg("stream %u: held, and yet %u changes", k, changes(came, &multiple));
    assert_int_equal(held, 2 * PACKETS - 2);
    run(&streams[k], &allocator_pim, came, &held);
    if (changes(came, &multiple) < 8) fail_msg("stream %u: random, and only %u changes", k, changes(came, &multiple));
    run(&streams[k], &allocator_round_robin, came, &held);
    assert_true(changes(came, &multiple) >= 2 * PACKETS - 3); /* in turn, but for the beginning */
  }
}

static void test_row_matching_lets_go_at_a_change_of_row(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < STREAMS; k++) {
    struct stream s = streams[k];
    uint8_t came[2 * PACKETS];
    uint64_t held = 0;
    uint32_t multiple;
    s.packets_a_row = 6;
    for (uint16_t r = 0; r < 4; r++) s.rows[0][r] = (uint16_t)(1 + r), s.rows[1][r] = (uint16_t)(101 + r);
    run(&s, &allocator_rmhg, came, &held);
    changes(came, &multiple);
    if (multiple % 6) fail_msg("stream %u: a run of a row was broken (runs are multiples of %u)", k, multiple);
    assert_int_equal(held, 2 * PACKETS - 2 * PACKETS / 6);
    run(&s, &allocator_hmhg, came, &held);
    changes(came, &multiple);
    assert_int_equal(multiple % 6, 0);
    /* rows 0x100, 0x010, 0x001 and 0x111 have one hash of four bits (assumption: the row's digits exclusive-or'ed) */
    memcpy(s.rows[0], (uint16_t[]){0x100, 0x010, 0x001, 0x111}, sizeof s.rows[0]);
    memcpy(s.rows[1], (uint16_t[]){0x200, 0x020, 0x002, 0x222}, sizeof s.rows[1]);
    run(&s, &allocator_hmhg, came, &held);
    assert_int_equal(changes(came, &multiple), 1);
  }
}

/* Two producers in one row of a mesh, whose routes join: every router on the shared part holds. */
static void test_the_routers_of_a_mesh_hold_too(void **unused) {
  (void)unused;
  struct stream s = {.topology = NOC_MESH, .vcs = 1, .flits = 3, .packets_a_row = PACKETS};
  uint8_t came[2 * PACKETS];
  uint64_t held = 0;
  uint32_t multiple;
  run(&s, &allocator_hg, came, &held);
  assert_int_equal(changes(came, &multiple), 1);
  assert_true(held > 4 * (PACKETS - 1));
  run(&s, &allocator_pim, came, &held);
  assert_true(changes(came, &multiple) > 8);
}

static void test_a_bound_on_holds_lets_others_through(void **unused) {
  (void)unused;
  struct stream s = streams[1];
  uint8_t came[2 * PACKETS];
  uint64_t held = 0;
  uint32_t multiple;
  s.max_hold = 3;
  run(&s, &allocator_hg, came, &held);
  assert_true(changes(came, &multiple) >= 3);
  assert_int_equal(multiple % 4, 0); /* one grant and three held ones, several times in a row */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_held_grant_keeps_a_stream_together),
    cmocka_unit_test(test_row_matching_lets_go_at_a_change_of_row),
    cmocka_unit_test(test_the_routers_of_a_mesh_hold_too),
    cmocka_unit_test(test_a_bound_on_holds_lets_others_through),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
