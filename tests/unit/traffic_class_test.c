/* SPDX-License-Identifier: Apache-2.0 */
/* Does the class of a packet reach the allocator of a network, and that of a DRAM request the scheduler of a channel? The policies
 * here serve the highest class first. And what do noc.prefer and dram.prefer put first? */
#include "base/err.h"
#include "dram/address_map.h"
#include "dram/channel.h"
#include "dram/channel_state.h"
#include "noc/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

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

/* Each producer sends one packet to the one consumer, its payload the class; they come in order of the classes. */
static void send_by_class(const struct network_routers *routers, const uint8_t classes[IN]) {
  struct clocks clocks;
  struct err e;
  uint64_t packets = 0, flits = 0, stalls = 0, cycles = 0;
  clocks_start(&clocks, (uint64_t[]){1, 1, 1, 1});
  struct network_config config = {.name = "noc",
                                  .title = "network",
                                  .n_in = IN,
                                  .n_out = 1,
                                  .in_queue = 2,
                                  .out_queue = 2,
                                  .latency = 3,
                                  .flit_bytes = 32,
                                  .payload_bytes = sizeof(uint32_t),
                                  .routers = routers,
                                  .allocator = &by_class,
                                  .clocks = &clocks,
                                  .packets = &packets,
                                  .flits = &flits,
                                  .stalls = &stalls,
                                  .cycles = &cycles};
  struct network *x = network_create(&config, &e);
  assert_non_null(x);
  for (uint32_t in = 0; in < IN; in++) {
    uint32_t payload = classes[in];
    network_inject(x, in, 0, &payload, 120, (struct packet_key){.class = classes[in]}, 0);
  }
  for (uint32_t came = 0, last = UINT32_MAX; came < IN;) {
    const uint32_t *payload = network_head(x, 0, clocks.next[CLOCK_NOC]);
    assert_true(clocks.next[CLOCK_NOC] < 1000);
    if (payload) {
      assert_true(*payload < last);
      last = *payload;
      came++;
      network_pop(x, 0, clocks.next[CLOCK_NOC]);
    }
    network_cycle(x);
    for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(&clocks, (enum clock_domain)d, clocks.next[d] + 1);
  }
  network_destroy(x);
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
  struct clocks clocks;
  struct err e;
  uint64_t packets = 0, flits = 0, stalls = 0, cycles = 0;
  uint32_t order = 0;
  clocks_start(&clocks, (uint64_t[]){1, 1, 1, 1});
  struct network_config config = {.name = "noc",
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
                                  .allocator = &allocator_round_robin,
                                  .clocks = &clocks,
                                  .packets = &packets,
                                  .flits = &flits,
                                  .stalls = &stalls,
                                  .cycles = &cycles};
  struct network *x = network_create(&config, &e);
  assert_non_null(x);
  for (uint32_t k = 0; k < 2 * PACKETS; k++) {
    uint32_t class = k % 2 ? PRELOAD : 0;
    network_inject(x, k % 2, 0, &class, 0, (struct packet_key){.class = (uint8_t) class}, 0);
  }
  for (uint32_t came = 0; came < 2 * PACKETS;) {
    const uint32_t *payload = network_head(x, 0, clocks.next[CLOCK_NOC]);
    assert_true(clocks.next[CLOCK_NOC] < 1000);
    if (payload) {
      order |= (uint32_t)(*payload == PRELOAD) << came++;
      network_pop(x, 0, clocks.next[CLOCK_NOC]);
    }
    network_cycle(x);
    for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(&clocks, (enum clock_domain)d, clocks.next[d] + 1);
  }
  network_destroy(x);
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

static void test_a_scheduler_sees_the_class_of_requests(void **unused) {
  (void)unused;
  struct gpu_config m;
  struct clocks clocks;
  struct address_map map;
  struct memory_counters n = {0};
  struct err e;
  uint64_t in_flight = 0;
  gpu_config_defaults(&m);
  clocks_start(&clocks, (uint64_t[]){1, 1, 1, 1});
  address_map_start(&map, &m);
  const struct dram_config config = {.gpu = &m,
                                     .max_reads = READS,
                                     .clocks = &clocks,
                                     .map = &map,
                                     .counters = &n,
                                     .in_flight = &in_flight,
                                     .scheduler = &highest_class};
  struct dram_channel *d = dram_create(&config, &e);
  assert_non_null(d);
  static const uint8_t class_of[READS] = {3, 0, 4, 1, 5, 2};
  for (uint32_t id = 0; id < READS; id++) { /* all in one row */
    struct dram_request r = {
      .cta = UINT32_MAX, .sm = DRAM_NO_SM, .id = (uint16_t)id, .bursts = 1, .traffic = class_of[id]};
    dram_push(d, &r, 0);
  }
  for (uint32_t came = 0; came < READS;) {
    assert_true(clocks.next[CLOCK_DRAM] < 10000);
    if (dram_answer_tick(d, 0) <= clocks.next[CLOCK_DRAM])
      assert_int_equal(class_of[dram_take_answer(d, 0)], READS - 1 - came++);
    dram_cycle(d);
    for (int k = 0; k < CLOCK_DOMAINS; k++) clocks_skip_until(&clocks, (enum clock_domain)k, clocks.next[k] + 1);
  }
  dram_destroy(d);
}

/* Pushes reads to the rows of `row`, every second one of class PRELOAD, and writes the order of their answers. All in one bank. */
static void answers_of(const char *row, uint32_t n, int64_t prefer, uint16_t *ids) {
  struct gpu_config m;
  struct clocks clocks;
  struct address_map map;
  struct memory_counters counters = {0};
  struct err e;
  uint64_t in_flight = 0;
  gpu_config_defaults(&m);
  m.dram_prefer = prefer;
  clocks_start(&clocks, (uint64_t[]){1, 1, 1, 1});
  address_map_start(&map, &m);
  const struct dram_config config = {.gpu = &m,
                                     .max_reads = 64,
                                     .clocks = &clocks,
                                     .map = &map,
                                     .counters = &counters,
                                     .in_flight = &in_flight,
                                     .preload = PRELOAD};
  struct dram_channel *d = dram_create(&config, &e);
  assert_non_null(d);
  for (uint32_t id = 0; id < n; id++) {
    struct dram_request r = {.local = address_map_unplace(&map, 0, (uint64_t)(row[id] - 'a'), 64ULL * (id % 4)),
                             .cta = UINT32_MAX,
                             .sm = DRAM_NO_SM,
                             .id = (uint16_t)id,
                             .bursts = 1,
                             .traffic = id % 2 ? PRELOAD : 0};
    dram_push(d, &r, 0);
  }
  for (uint32_t came = 0; came < n;) {
    assert_true(clocks.next[CLOCK_DRAM] < 20000);
    if (dram_answer_tick(d, 0) <= clocks.next[CLOCK_DRAM]) ids[came++] = dram_take_answer(d, 0);
    dram_cycle(d);
    for (int k = 0; k < CLOCK_DOMAINS; k++) clocks_skip_until(&clocks, (enum clock_domain)k, clocks.next[k] + 1);
  }
  dram_destroy(d);
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
