/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* The part of XMem beyond the SMs in the real memory system: is every command answered, does the map say what it was told, do
 * pins and prefetches happen, and is every count the same at every edge, at few, and at the edges that something needs? */
#include "base/rng.h"
#include "device/device_memory.h"
#include "kit/config.h"
#include "mem/agent.h"
#include "mem/page_table.h"
#include "systems/xmem/segment.h"
#include "systems/xmem/tables.h"
#include "systems/xmem/xmem.h"

enum { SEED = 0x3e3d, SMS = 2, TAGS = 32, PAGES = 64, REGION = PAGES * PAGE_BYTES, COMMAND_TAG = 0xff00 };
enum mode { EXHAUSTIVE, EVERY_EDGE, SKIP };
#define BASE (DEVICE_MEMORY_BASE + 3 * PAGE_BYTES)

struct world {
  struct gpu_config config;
  struct clocks clocks;
  struct memory_system *memory;
  struct xmem_agent *agent;
  enum mode mode;
  struct rng random;
  uint32_t steps[SMS];  /* left */
  bool open[SMS][TAGS]; /* requests without a reply */
  bool slot[SMS][XMEM_SLOTS];
  uint32_t commands, done, read_percent;
  uint64_t edges, wait[SMS]; /* core cycle before which an SM is quiet */
  uint64_t next;             /* byte of the stream */
};

static void create(struct world *w, enum mode mode, const char *const *settings) {
  struct err e = {0};
  memset(w, 0, sizeof *w);
  config_begin(&w->config, "small");
  config_set(&w->config, settings);
  clocks_start_of(&w->clocks, &w->config);
  w->memory = checked_memory(&w->config, &w->clocks);
  if (memory_attach(w->memory, &xmem_agent_ops, NULL, &e)) fail_msg("%s", e.text);
  memory_set_exhaustive(w->memory, mode == EXHAUSTIVE);
  w->agent = memory_agent(w->memory);
  w->mode = mode;
  w->read_percent = 70;
  rng_seed(&w->random, SEED);
  assert_true(page_table_allocate(memory_pages(w->memory), BASE, REGION, 0));
}

static void receive(struct world *w, uint32_t sm) {
  struct mem_request r;
  if (!memory_take_reply(w->memory, sm, &r)) return;
  if (r.kind == MEM_COMMAND) {
    assert_true(w->slot[sm][r.tag - COMMAND_TAG]);
    w->slot[sm][r.tag - COMMAND_TAG] = false;
    w->done++;
    return;
  }
  assert_true(w->open[sm][r.tag]);
  w->open[sm][r.tag] = false;
}

static bool send_command(struct world *w, uint32_t sm) {
  for (uint32_t tag = 0; tag < XMEM_SLOTS; tag++) {
    if (w->slot[sm][tag]) continue;
    uint32_t what = rng_below(&w->random, 10);
    *xmem_agent_slot(w->agent, sm, tag) = (struct xmem_command){.code = what < 5   ? XMEM_CODE_MAP
                                                                        : what < 6 ? XMEM_CODE_UNMAP
                                                                        : what < 9 ? XMEM_CODE_ACTIVATE
                                                                                   : XMEM_CODE_DEACTIVATE,
                                                                .aid = (uint8_t)rng_below(&w->random, 8),
                                                                .dim = 2,
                                                                .start = BASE + rng_below(&w->random, REGION / 2),
                                                                .len_x = 5000,
                                                                .size_x = 1 + rng_below(&w->random, 2000),
                                                                .size_y = rng_below(&w->random, 12)};
    struct mem_request r = {
      .sm = (uint16_t)sm, .tag = (uint16_t)(COMMAND_TAG + tag), .bytes = 32, .cta = UINT32_MAX, .kind = MEM_COMMAND};
    memory_inject(w->memory, &r);
    w->slot[sm][tag] = true;
    w->commands++;
    return true;
  }
  return false;
}

static void send_request(struct world *w, uint32_t sm) {
  uint32_t tag = 0;
  while (tag < TAGS && w->open[sm][tag]) tag++;
  if (tag == TAGS) return;
  bool stream = rng_percent(&w->random, 60);
  uint64_t at = stream ? w->next : rng_below(&w->random, REGION / 128) * 128ULL;
  if (stream) w->next = (w->next + 128) % REGION;
  bool reads = rng_percent(&w->random, w->read_percent);
  struct mem_request r = {.address = BASE + at,
                          .bytes = 128,
                          .sm = (uint16_t)sm,
                          .tag = (uint16_t)tag,
                          .cta = sm,
                          .kind = reads ? MEM_READ : MEM_WRITE};
  memory_inject(w->memory, &r);
  w->open[sm][tag] = reads;
  w->steps[sm]--;
}

static void core_cycle(struct world *w, bool talks) {
  uint64_t cycle = w->clocks.cycle[CLOCK_CORE];
  for (uint32_t sm = 0; sm < SMS; sm++) {
    receive(w, sm);
    if (!w->steps[sm] || w->wait[sm] > cycle || !memory_can_inject(w->memory, sm)) continue;
    w->wait[sm] = cycle + (rng_percent(&w->random, 2) ? rng_below(&w->random, 500) : rng_below(&w->random, 4));
    if (!talks || !rng_percent(&w->random, 3) || !send_command(w, sm)) send_request(w, sm);
  }
}

/* The first tick at which something is to be done. */
static uint64_t next_tick(const struct world *w) {
  uint64_t tick = UINT64_MAX;
  for (int d = 0; d < CLOCK_DOMAINS; d++) {
    uint64_t at = w->clocks.next[d];
    if (w->mode == SKIP && d != CLOCK_CORE) at = memory_next_tick(w->memory, (enum clock_domain)d, at);
    if (at < tick) tick = at;
  }
  return tick;
}

static void step(struct world *w, bool talks) {
  uint64_t tick = next_tick(w);
  struct clocks *c = &w->clocks;
  for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(c, (enum clock_domain)d, tick);
  if (c->next[CLOCK_CORE] == tick) core_cycle(w, talks);
  if (c->next[CLOCK_NOC] == tick) memory_noc_cycle(w->memory);
  if (c->next[CLOCK_L2] == tick) memory_l2_cycle(w->memory);
  if (c->next[CLOCK_DRAM] == tick) memory_dram_cycle(w->memory);
  for (int d = 0; d < CLOCK_DOMAINS; d++)
    if (c->next[d] == tick) {
      c->next[d] += c->period[d];
      c->cycle[d]++;
    }
  w->edges++;
}

/* A launch: `n` requests of each SM, to the end of all that they begin. */
static void launch(struct world *w, uint32_t n, bool talks) {
  uint64_t from = w->clocks.cycle[CLOCK_CORE];
  for (uint32_t sm = 0; sm < SMS; sm++) w->steps[sm] = n, w->wait[sm] = 0;
  while (w->steps[0] || w->steps[1] || memory_in_flight(w->memory)) {
    step(w, talks);
    if (w->clocks.cycle[CLOCK_CORE] - from > 2000000) {
      memory_describe(w->memory, stderr);
      fail_msg("the launch does not end");
    }
  }
}

static void driver(struct world *w, struct xmem_command c) {
  struct err e = {0};
  if (xmem_agent_command(w->agent, &c, &e)) fail_msg("%s", e.text);
}

static void context(struct world *w, uint32_t number, uint32_t atoms, int32_t stride) {
  uint8_t records[XMEM_IDS * XMEM_ATOM_BYTES] = {0};
  struct err e = {0};
  for (uint32_t i = 0; i < atoms; i++) {
    uint8_t *record = records + i * XMEM_ATOM_BYTES;
    record[8] = i % 3; /* pattern */
    for (uint32_t b = 0; b < 4; b++) record[9 + b] = (uint8_t)((uint32_t)stride >> 8 * b);
    record[15] = (uint8_t)(i * 20);
    record[ATOM_VERSION_AT] = ATOM_RECORD_VERSION;
  }
  if (xmem_agent_load(w->agent, number, records, atoms, &e)) fail_msg("%s", e.text);
  driver(w, (struct xmem_command){.code = XMEM_CODE_CONTEXT, .start = number});
}

/* ---- laws ---- */

static uint64_t busy_life(enum mode mode, const char *hints, struct memory_counters *counters) {
  struct world w;
  create(&w, mode,
         (const char *const[]){hints, "l2.replacement=drrip", "xmem.debounce=200", "xmem.alb_sets=4", "xmem.alb_ways=2",
                               "xmem.lookup_timeout=500", NULL});
  context(&w, 0, 8, 256);
  driver(&w, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 4});
  driver(&w, (struct xmem_command){.code = XMEM_CODE_MAP, .aid = 4, .dim = 1, .start = BASE, .size_x = REGION});
  for (uint32_t i = 0; i < 3; i++) {
    launch(&w, 700, true);
    if (i == 1) context(&w, 1, 5, -128);
    driver(&w, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 1});
  }
  assert_int_equal(w.commands, w.done);
  assert_true(w.done > 20);
  *counters = *memory_counters(w.memory);
  memory_destroy(w.memory);
  return w.edges;
}

static void test_edges_left_out_change_no_count(void **state) {
  (void)state;
  static const char *const hints[] = {"xmem.hints=on", "xmem.hints=off", "xmem.hints=random"};
  for (uint32_t i = 0; i < 3; i++) {
    struct memory_counters all, every, some;
    uint64_t edges = busy_life(EXHAUSTIVE, hints[i], &all);
    busy_life(EVERY_EDGE, hints[i], &every);
    assert_true(busy_life(SKIP, hints[i], &some) < edges);
    for (uint32_t k = 0; k < counter_table(COUNTERS_MEMORY).n; k++) {
      const char *name = counter_table(COUNTERS_MEMORY).rows[k].name;
      uint64_t a = ((uint64_t *)&all)[k], b = ((uint64_t *)&every)[k], c = ((uint64_t *)&some)[k];
      if (a != b || a != c)
        fail_msg("%s, %s: %llu, %llu, %llu", hints[i], name, (unsigned long long)a, (unsigned long long)b,
                 (unsigned long long)c);
    }
    assert_true(xmem_memory_counters(&all)->xmem_lookups > 1000 &&
                xmem_memory_counters(&all)->xmem_pages_mapped > 100 && xmem_memory_counters(&all)->xmem_switches == 2);
    if (i == 1) assert_int_equal(all.l2_pinned + all.l2_prefetches + xmem_memory_counters(&all)->xmem_active, 0);
    else assert_true(all.l2_pinned && all.l2_prefetches && xmem_memory_counters(&all)->xmem_active);
  }
}

/* Two regions of the same size: one of much reuse that is pinned, one that streams past it. */
static uint64_t hits_of_two(const char *hints) {
  struct world w;
  create(&w, SKIP, (const char *const[]){hints, "l2.replacement=drrip", "xmem.debounce=50", NULL});
  w.read_percent = 100;
  context(&w, 0, 3, 128);
  driver(&w, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 2});
  driver(&w, (struct xmem_command){.code = XMEM_CODE_MAP, .aid = 2, .dim = 1, .start = BASE, .size_x = 3 * PAGE_BYTES});
  launch(&w, 1, false);
  uint64_t hits = 0;
  for (uint32_t round = 0; round < 6; round++) {
    uint64_t before = memory_counters(w.memory)->l2_hits;
    for (uint32_t pass = 0; pass < 2; pass++) { /* the pinned region, then four times as much of others */
      uint64_t from = pass ? 8 * PAGE_BYTES + round * 8 * PAGE_BYTES : 0,
               bytes = pass ? 8 * PAGE_BYTES : 3 * PAGE_BYTES;
      for (uint64_t at = from; at < from + bytes; at += 128) {
        while (!memory_can_inject(w.memory, 0) || w.open[0][0]) step(&w, false);
        struct mem_request r = {.address = BASE + at % REGION, .bytes = 128, .kind = MEM_READ};
        memory_inject(w.memory, &r);
        w.open[0][0] = true;
      }
      while (memory_in_flight(w.memory)) step(&w, false);
      if (!pass && round) hits += memory_counters(w.memory)->l2_hits - before;
    }
  }
  memory_destroy(w.memory);
  return hits;
}

static void test_a_pinned_working_set_survives_a_stream(void **state) {
  (void)state;
  uint64_t lines = 5 * 3 * PAGE_BYTES / 128, with = hits_of_two("xmem.hints=on"),
           without = hits_of_two("xmem.hints=off");
  print_message("hits of %llu: %llu, without hints %llu\n", (unsigned long long)lines, (unsigned long long)with,
                (unsigned long long)without);
  assert_true(with > lines * 95 / 100);
  assert_true(with * 2 > without * 3);
}

/* A warp's map retires when it is queued: the launch ends, the map goes on in the next one, or when somebody waits for it. */
static void test_a_launch_does_not_wait_for_its_maps(void **state) {
  (void)state;
  struct world w;
  create(&w, SKIP, (const char *const[]){"xmem.mmu_latency=40", NULL});
  const struct memory_counters *n = memory_counters(w.memory);
  context(&w, 0, 3, 128);
  launch(&w, 1, false);
  assert_int_equal(xmem_memory_counters(n)->xmem_switches, 1); /* what the driver asks for is waited for */
  *xmem_agent_slot(w.agent, 0, 2) =
    (struct xmem_command){.code = XMEM_CODE_MAP, .aid = 2, .dim = 1, .start = BASE, .size_x = REGION};
  struct mem_request r = {.tag = COMMAND_TAG + 2, .bytes = 32, .cta = UINT32_MAX, .kind = MEM_COMMAND};
  memory_inject(w.memory, &r);
  w.slot[0][2] = true;
  launch(&w, 1, false);
  assert_int_equal(w.done, 1);
  assert_true(xmem_memory_counters(n)->xmem_pages_mapped < PAGES / 2);
  assert_int_not_equal(xmem_agent_atom(w.agent, BASE + REGION - 1, NULL), 2);
  uint64_t pages = xmem_memory_counters(n)->xmem_pages_mapped;
  launch(&w, 100, false);
  assert_true(xmem_memory_counters(n)->xmem_pages_mapped > pages);
  xmem_agent_wait(w.agent);
  while (memory_in_flight(w.memory)) step(&w, false);
  assert_int_equal(xmem_memory_counters(n)->xmem_pages_mapped, PAGES);
  for (uint64_t at = 0; at < REGION; at += 512) assert_int_equal(xmem_agent_atom(w.agent, BASE + at, NULL), 2);
  xmem_agent_wait(w.agent); /* nothing is under way */
  assert_int_equal(memory_in_flight(w.memory), 0);
  memory_destroy(w.memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_edges_left_out_change_no_count),
    cmocka_unit_test(test_a_pinned_working_set_survives_a_stream),
    cmocka_unit_test(test_a_launch_does_not_wait_for_its_maps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
