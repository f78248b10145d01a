/* SPDX-License-Identifier: Apache-2.0 */
/* Does the class of a packet reach the allocator of a network, and that of a DRAM request the scheduler of a channel? The policies
 * here serve the highest class first. And what do noc.prefer and dram.prefer put first? */
#include "dram/channel_state.h"
#include "kit/dram_bench.h"
#include "kit/network_bench.h"

enum { IN = 4, READS = 6 };

/* ---- packets ---- */

static void *alloc_create(const struct allocator_config *c, struct err *e) {
  (void)c, (void)e;
  return malloc(1);
}

static void alloc_by_class(void *self, const struct allocation *a) {
  (void)self;
  for (uint64_t open = a->open[0]; open; open &= open - 1) {
    uint32_t out = (uint32_t)__builtin_ctzll(open), best = ALLOCATOR_NONE;
    for (uint64_t asks = a->asks[out]; asks; asks &= asks - 1) {
      uint32_t in = (uint32_t)__builtin_ctzll(asks);
      if (best == ALLOCATOR_NONE || a->keys[in].class > a->keys[best].class) best = in;
    }
    a->grant[out] = (uint16_t)best;
  }
}

static const struct allocator_ops by_class = {
  .name = "by_class", .create = alloc_create, .destroy = free, .allocate = alloc_by_class, .compares_rows = true};

/* The class in the first packet that waits at the output, or -1; then the next tick. */
static int next_class(struct network_bench *b) {
  const uint32_t *payload = network_head(b->x, 0, network_now(b));
  int class = payload ? (int)*payload : -1;
  if (payload) network_pop(b->x, 0, network_now(b));
  assert_true(network_now(b) < 1000);
  network_edge(b);
  return class;
}

/* The payload of a packet is its class. */
static void send(struct network_bench *b, uint32_t in, uint8_t class, uint32_t bytes) {
  uint32_t payload = class;
  network_inject(b->x, in, 0, &payload, bytes, (struct packet_key){.class = class}, 0);
}

/* Each producer sends one packet to the one consumer; they come in order of the classes. */
static void send_by_class(const struct network_routers *routers, const uint8_t classes[IN]) {
  struct network_bench b;
  network_bench_open(&b, (struct network_config){.name = "noc",
                                                 .title = "network",
                                                 .n_in = IN,
                                                 .n_out = 1,
                                                 .in_queue = 2,
                                                 .out_queue = 2,
                                                 .latency = 3,
                                                 .flit_bytes = 32,
                                                 .payload_bytes = sizeof(uint32_t),
                                                 .routers = routers,
                                                 .allocator = &by_class});
  for (uint32_t in = 0; in < IN; in++) send(&b, in, classes[in], 120);
  for (int came = 0, last = 256; came < IN;) {
    int class = next_class(&b);
    if (class < 0) continue;
    assert_true(class < last);
    last = class;
    came++;
  }
  network_bench_close(&b);
}

static void test_an_allocator_sees_the_class_of_packets(void **unused) {
  (void)unused;
  static const uint8_t classes[][IN] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 7, 0, 200}};
  const struct network_routers router = {.topology = NOC_CROSSBAR, .vcs = 1, .latency = 2, .buffer_flits = 8};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    send_by_class(NULL, classes[i]);
    send_by_class(&router, classes[i]);
  }
}

enum { PACKETS = 8, PRELOAD = 4 };

/* Input 0 sends PACKETS packets of class 0, input 1 as many of class PRELOAD, all of one flit and to one output. Returns the order of
 * their arrival as a bit set, the first one lowest; 1: class PRELOAD. */
static uint32_t order_of(uint32_t prefer) {
  struct network_bench b;
  uint32_t order = 0;
  network_bench_open(&b, (struct network_config){.name = "noc",
                                                 .title = "network",
                                                 .n_in = 2,
                                                 .n_out = 1,
                                                 .in_queue = PACKETS,
                                                 .out_queue = 4 * PACKETS,
                                                 .latency = 3,
                                                 .flit_bytes = 32,
                                                 .payload_bytes = sizeof(uint32_t),
                                                 .prefer = prefer,
                                                 .preload = PRELOAD,
                                                 .allocator = &allocator_round_robin});
  for (uint32_t k = 0; k < 2 * PACKETS; k++) send(&b, k % 2, k % 2 ? PRELOAD : 0, 0);
  for (uint32_t came = 0; came < 2 * PACKETS;) {
    int class = next_class(&b);
    if (class >= 0) order |= (uint32_t)(class == PRELOAD) << came++;
  }
  network_bench_close(&b);
  return order;
}

static void test_a_crossbar_puts_first_what_noc_prefer_says(void **unused) {
  (void)unused;
  uint32_t alternating = order_of(NOC_PREFER_NONE);
  assert_true(alternating == 0x5555 || alternating == 0xaaaa);
  assert_int_equal(order_of(NOC_PREFER_PRELOAD), 0x00ff);
  assert_int_equal(order_of(NOC_PREFER_DEMAND), 0xff00);
  /* the first packets move in cycle 1 */
  assert_int_equal(order_of(NOC_PREFER_ALTERNATE), 0xaaaa);
}

/* ---- DRAM requests ---- */

static void pick_by_class(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  uint16_t best = d->age[0].first;
  (void)cycle;
  for (uint16_t i = best; i != NO_ENTRY; i = d->entries[i].by_age.next)
    if (d->entries[i].traffic > d->entries[best].traffic) best = i;
  dram_towards(d, best, out);
}

static const struct dram_scheduler highest_class = {.name = "highest_class", .pick = pick_by_class};

/* Pushes a read; `local`: its address in the channel. */
static void push_read(struct dram_bench *b, uint16_t id, uint64_t local, uint8_t class) {
  struct dram_request r = {
    .local = local, .cta = UINT32_MAX, .sm = DRAM_NO_SM, .id = id, .bursts = 1, .traffic = class};
  dram_push(b->d, &r, 0);
}

static void wait_answers(struct dram_bench *b, uint32_t n) {
  while (b->answered < n) {
    assert_true(dram_now(b) < 20000);
    dram_edge(b);
  }
}

static void test_a_scheduler_sees_the_class_of_requests(void **unused) {
  static struct dram_bench b;
  static const uint8_t class_of[READS] = {3, 0, 4, 1, 5, 2};
  (void)unused;
  dram_bench_begin(&b, NULL);
  b.scheduler = &highest_class;
  dram_bench_open(&b);
  for (uint32_t id = 0; id < READS; id++) push_read(&b, id, 0, class_of[id]); /* all in one row */
  wait_answers(&b, READS);
  for (uint32_t i = 0; i < READS; i++) assert_int_equal(class_of[b.answers[i]], READS - 1 - i);
  dram_bench_close(&b);
}

/* Pushes reads to the rows of `row`, every second one of class PRELOAD, and writes the order of their answers. All in one bank. */
static void answers_of(const char *row, uint32_t n, int64_t prefer, uint16_t *ids) {
  static struct dram_bench b;
  dram_bench_begin(&b, NULL);
  b.m.dram_prefer = prefer;
  b.preload = PRELOAD;
  dram_bench_open(&b);
  for (uint32_t id = 0; id < n; id++)
    push_read(&b, id, address_map_unplace(&b.map, 0, (uint64_t)(row[id] - 'a'), 64ULL * (id % 4)),
              id % 2 ? PRELOAD : 0);
  wait_answers(&b, n);
  memcpy(ids, b.answers, n * sizeof *ids);
  dram_bench_close(&b);
}

static void test_fr_fcfs_puts_first_what_dram_prefer_says(void **unused) {
  (void)unused;
  static const struct {
    const char *rows;
    int64_t prefer;
    uint16_t order[8];
  } cases[] = {
    {"aaaaaaaa", DRAM_PREFER_NONE, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"aaaaaaaa", DRAM_PREFER_PRELOAD, {1, 3, 5, 7, 0, 2, 4, 6}}, /* hits: PRELOAD first */
    {"abababab", DRAM_PREFER_NONE, {0, 2, 4, 6, 1, 3, 5, 7}},
    {"abababab", DRAM_PREFER_PRELOAD, {1, 3, 5, 7, 0, 2, 4, 6}}, /* rows: that of PRELOAD first */
    {"babbabba",
     DRAM_PREFER_PRELOAD,
     {1, 7, 4, 3, 5, 0, 2, 6}}, /* a hit comes before another row, whatever it is for */
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint16_t ids[8];
    answers_of(cases[i].rows, 8, cases[i].prefer, ids);
    for (uint32_t k = 0; k < 8; k++) assert_int_equal(ids[k], cases[i].order[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_allocator_sees_the_class_of_packets),
    cmocka_unit_test(test_a_scheduler_sees_the_class_of_requests),
    cmocka_unit_test(test_a_crossbar_puts_first_what_noc_prefer_says),
    cmocka_unit_test(test_fr_fcfs_puts_first_what_dram_prefer_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
