/* SPDX-License-Identifier: Apache-2.0 */
/* Does the class of a packet reach the allocator of a network, and that of a DRAM request the scheduler of a channel? The policies
 * here serve the highest class first. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_allocator_sees_the_class_of_packets),
    cmocka_unit_test(test_a_scheduler_sees_the_class_of_requests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
