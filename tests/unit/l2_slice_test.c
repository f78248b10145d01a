/* SPDX-License-Identifier: Apache-2.0 */
/* Does a slice fetch, keep, merge and write back exactly what it must? One SM, one slice of 4 sets x 2 ways x 128 bytes,
 * bursts of 64 bytes; everything is read off the counters and the replies. */
#include "base/rng.h"
#include "kit/config.h"

enum { LINE = 128, SETS = 4, WAYS = 2, SEED = 0x12 };

struct bench {
  struct gpu_config m;
  struct clocks clocks;
  struct memory_system *memory;
  struct memory_counters before;
  uint64_t replies, last_reply; /* core cycle */
  uint16_t order[64];           /* tags as they came */
};

static void start(struct bench *b, const char *const settings[]) {
  memset(b, 0, sizeof *b);
  config_begin(&b->m, "gtx480");
  config_set_text(&b->m, "sm.count=1 dram.channels=1 l2.bytes=1024 l2.ways=2 dram.tREFI=0");
  config_set(&b->m, settings);
  clocks_start_alike(&b->clocks);
  b->memory = checked_memory(&b->m, &b->clocks);
}
#define START(b, ...) start(b, SETTINGS(__VA_ARGS__))

static void stop(struct bench *b) { memory_destroy(b->memory); }

static void cycle(struct bench *b) {
  struct mem_request r;
  if (memory_take_reply(b->memory, 0, &r)) {
    b->order[b->replies++ % 64] = r.tag;
    b->last_reply = b->clocks.cycle[CLOCK_CORE];
  }
  memory_noc_cycle(b->memory);
  memory_l2_cycle(b->memory);
  memory_dram_cycle(b->memory);
  for (int k = 0; k < CLOCK_DOMAINS; k++) clocks_skip_until(&b->clocks, (enum clock_domain)k, b->clocks.next[k] + 1);
}

static void send(struct bench *b, enum mem_kind kind, uint64_t address, uint32_t bytes, uint16_t tag) {
  while (!memory_can_inject(b->memory, 0)) cycle(b);
  struct mem_request r = {.address = address, .bytes = bytes, .tag = tag, .kind = (uint8_t)kind};
  memory_inject(b->memory, &r);
  cycle(b);
}

static void drain(struct bench *b) {
  for (int i = 0; memory_in_flight(b->memory); i++) {
    if (i > 200000) memory_describe(b->memory, stderr);
    assert_true(i <= 200000);
    cycle(b);
  }
}

/* Sends one request, waits for its end, and leaves the counters of before for changed(). */
static void one(struct bench *b, enum mem_kind kind, uint64_t address, uint32_t bytes) {
  b->before = *memory_counters(b->memory);
  uint64_t replies = b->replies;
  send(b, kind, address, bytes, 9);
  drain(b);
  assert_int_equal(b->replies - replies, kind != MEM_WRITE);
}
#define changed(b, counter) ((int)(memory_counters((b)->memory)->counter - (b)->before.counter))
#define assert_effect(b, hits, reads, writes)          \
  do {                                                 \
    assert_int_equal(changed(b, l2_hits), hits);       \
    assert_int_equal(changed(b, l2_misses), !(hits));  \
    assert_int_equal(changed(b, dram_reads), reads);   \
    assert_int_equal(changed(b, dram_writes), writes); \
  } while (0)

/* Line k of set s. */
static uint64_t line(uint64_t s, uint64_t k) { return (k * SETS + s) * LINE; }

static void test_a_line_read_once_is_there_for_the_next(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  one(&b, MEM_READ, line(1, 0), LINE);
  assert_effect(&b, 0, 2, 0); /* two bursts */
  one(&b, MEM_READ, line(1, 0), LINE);
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(1, 0) + 100, 28);
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(2, 0), LINE);
  assert_effect(&b, 0, 2, 0);
  stop(&b);
}

static void test_only_the_missing_bursts_are_fetched(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  one(&b, MEM_READ, line(1, 0) + 70, 4);
  assert_effect(&b, 0, 1, 0);
  one(&b, MEM_READ, line(1, 0) + 127, 1); /* came with the same burst */
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(1, 0), LINE);
  assert_effect(&b, 0, 1, 0);
  one(&b, MEM_READ, line(1, 0), LINE);
  assert_effect(&b, 1, 0, 0);
  stop(&b);
}

static void test_a_write_never_fetches(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  one(&b, MEM_WRITE, line(0, 0), LINE);
  assert_effect(&b, 0, 0, 0);
  one(&b, MEM_READ, line(0, 0), LINE); /* written whole: valid */
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_WRITE, line(1, 0) + 4, 4);
  assert_effect(&b, 0, 0, 0);
  one(&b, MEM_WRITE, line(1, 0) + 32, 33); /* sector 1 whole, one byte of sector 2 */
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(1, 0) + 40, 16);
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(1, 0) + 4, 4); /* partly written: the rest of the sector must come */
  assert_effect(&b, 0, 1, 0);
  one(&b, MEM_READ, line(1, 0) + 64, 1);
  assert_effect(&b, 0, 1, 0);
  stop(&b);
}

/* What a write of 16 bytes, one of a whole sector and one of a whole line fetch, and what each policy writes to DRAM: column
 * commands of 64 bytes, lines of 128. A read afterwards finds the line, or what is missing of it. */
static void test_a_write_miss_fetches_what_the_policy_says(void **unused) {
  (void)unused;
  static const struct {
    const char *setting;
    int part, sector, line; /* READs */
    int through;            /* WRITEs at once */
    int later;              /* READs of a read after the write of a part */
  } rows[] = {{"l2.write_miss=mask", 0, 0, 0, 0, 2},
              {"l2.write_miss=partial", 1, 0, 0, 0, 1},
              {"l2.write_miss=line", 2, 2, 2, 0, 0},
              {"l2.write_miss=forward", 2, 2, 2, 1, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bench b;
    START(&b, rows[i].setting);
    one(&b, MEM_WRITE, line(0, 0) + 8, 16);
    assert_effect(&b, 0, rows[i].part, rows[i].through);
    assert_int_equal(changed(&b, l2_write_fetches), rows[i].part > 0);
    one(&b, MEM_WRITE, line(0, 0) + 4, 8); /* its sector is there, or kept by bytes */
    assert_effect(&b, 1, 0, 0);
    one(&b, MEM_READ, line(0, 0), LINE);
    assert_effect(&b, rows[i].later == 0, rows[i].later, 0);
    one(&b, MEM_WRITE, line(1, 0), 32);
    assert_effect(&b, 0, rows[i].sector, rows[i].through);
    one(&b, MEM_WRITE, line(2, 0), LINE);
    assert_effect(&b, 0, rows[i].line, rows[i].through ? 2 : 0);
    stop(&b);
  }
}

/* A read that comes while a write's fetch is under way waits for it; nothing is fetched twice. */
static void test_a_read_joins_the_fetch_of_a_write(void **unused) {
  (void)unused;
  struct bench b;
  START(&b, "l2.write_miss=line");
  send(&b, MEM_WRITE, line(0, 0) + 8, 16, 0);
  send(&b, MEM_READ, line(0, 0) + 64, 64, 7);
  drain(&b);
  assert_int_equal(b.replies, 1);
  assert_int_equal(b.order[0], 7);
  assert_int_equal(memory_counters(b.memory)->dram_reads, 2);
  stop(&b);
}

/* Yuan 2009: a GT200 has no L2. Every request is one of DRAM, however often it comes. */
static void test_without_l2_every_request_reaches_dram(void **unused) {
  (void)unused;
  struct bench b;
  START(&b, "l2.bytes=0");
  for (int i = 0; i < 3; i++) {
    b.before = *memory_counters(b.memory);
    one(&b, MEM_READ, line(0, 0), LINE);
    assert_int_equal(changed(&b, dram_reads), 2);
    one(&b, MEM_WRITE, line(0, 0), 32);
    assert_int_equal(changed(&b, dram_writes), 1);
    one(&b, MEM_ATOMIC, line(0, 0), 4);
    assert_int_equal(changed(&b, dram_reads), 1);
    assert_int_equal(changed(&b, dram_writes), 1); /* the new value */
    assert_int_equal(changed(&b, l2_hits) + changed(&b, l2_misses), 0);
  }
  for (uint16_t i = 0; i < 40; i++) { /* in flight together, and none is lost */
    send(&b, MEM_ATOMIC, line(i, 0), 4, i);
    send(&b, MEM_READ, line(i, 1), LINE, i);
  }
  drain(&b);
  assert_int_equal(b.replies, 3 * 2 + 80);
  stop(&b);
}

static void test_the_least_recently_used_line_goes(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  one(&b, MEM_READ, line(3, 0), LINE);
  one(&b, MEM_READ, line(3, 1), LINE);
  one(&b, MEM_READ, line(3, 0), LINE); /* line 1 is the older now */
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(3, 2), LINE);
  assert_effect(&b, 0, 2, 0);
  one(&b, MEM_READ, line(3, 0), LINE);
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(3, 1), LINE);
  assert_effect(&b, 0, 2, 0);
  one(&b, MEM_READ, line(2, 0), LINE); /* the sets do not disturb each other */
  one(&b, MEM_READ, line(3, 1), LINE);
  assert_effect(&b, 1, 0, 0);
  stop(&b);
}

static void test_a_dirty_line_is_written_back_once_and_only_its_dirty_bursts(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  one(&b, MEM_WRITE, line(0, 0) + 64, 4); /* second burst only */
  one(&b, MEM_WRITE, line(0, 1), LINE);
  one(&b, MEM_READ, line(0, 2), LINE); /* pushes line 0 out */
  assert_effect(&b, 0, 2, 1);
  assert_int_equal(changed(&b, l2_writebacks), 1);
  one(&b, MEM_WRITE, line(0, 3), LINE); /* pushes line 1 out */
  assert_effect(&b, 0, 0, 2);
  one(&b, MEM_READ, line(0, 4), LINE); /* pushes line 2 out: clean */
  assert_effect(&b, 0, 2, 0);
  assert_int_equal(changed(&b, l2_writebacks), 0);
  one(&b, MEM_READ, line(0, 0), LINE); /* pushes line 3 out; line 0 comes from DRAM again, clean */
  assert_effect(&b, 0, 2, 2);
  one(&b, MEM_READ, line(0, 5), LINE);
  one(&b, MEM_READ, line(0, 6), LINE);
  assert_effect(&b, 0, 2, 0);
  stop(&b);
}

static void test_an_atomic_reads_and_dirties(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  one(&b, MEM_ATOMIC, line(0, 0) + 8, 4);
  assert_effect(&b, 0, 1, 0);
  assert_int_equal(changed(&b, l2_atomics), 1);
  one(&b, MEM_ATOMIC, line(0, 0) + 8, 4);
  assert_effect(&b, 1, 0, 0);
  one(&b, MEM_READ, line(0, 1), LINE);
  one(&b, MEM_READ, line(0, 2), LINE);
  assert_effect(&b, 0, 2, 1);
  stop(&b);
}

static void test_misses_of_one_line_share_a_fetch_and_all_get_a_reply(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  for (uint16_t i = 0; i < 6; i++) send(&b, MEM_READ, line(2, 0), LINE, i);
  drain(&b);
  const struct memory_counters *n = memory_counters(b.memory);
  assert_int_equal(b.replies, 6);
  for (uint16_t i = 0; i < 6; i++) assert_int_equal(b.order[i], i);
  assert_int_equal(n->dram_reads, 2);
  assert_int_equal(n->l2_misses, 6); /* merged ones too: their data was not there */
  stop(&b);
}

static void test_a_merge_fetches_only_what_is_not_on_its_way(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  send(&b, MEM_READ, line(2, 0), 4, 0);
  send(&b, MEM_READ, line(2, 0) + 64, 4, 1); /* the other burst */
  send(&b, MEM_READ, line(2, 0), LINE, 2);   /* both are on their way */
  send(&b, MEM_WRITE, line(2, 0) + 96, 32, 0);
  drain(&b);
  const struct memory_counters *n = memory_counters(b.memory);
  assert_int_equal(b.replies, 3);
  assert_int_equal(n->dram_reads, 2);
  one(&b, MEM_READ, line(2, 1), LINE);
  one(&b, MEM_READ, line(2, 2), LINE); /* the write that met the fetch is not lost */
  assert_effect(&b, 0, 2, 1);
  stop(&b);
}

static void test_a_line_that_is_being_fetched_keeps_its_place(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  for (uint32_t i = 0; i < WAYS + 1; i++) send(&b, MEM_READ, line(3, i), LINE, (uint16_t)i);
  while (b.replies < WAYS) cycle(&b);
  uint64_t filled = b.last_reply;
  drain(&b); /* the last one had to wait for a way before it could even be fetched */
  assert_int_equal(b.order[WAYS], WAYS);
  assert_true(b.last_reply - filled > (uint64_t)b.m.dram_latency - 20);
  assert_int_equal(memory_counters(b.memory)->dram_reads, 2 * (WAYS + 1));
  one(&b, MEM_READ, line(3, WAYS), LINE);
  assert_effect(&b, 1, 0, 0);
  stop(&b);
}

static void test_hits_pass_under_misses_in_one_a_cycle(void **unused) {
  (void)unused;
  struct bench b;
  START(&b, "noc.flit_bytes=256"); /* one flit a packet: the slice is the limit */
  one(&b, MEM_READ, line(0, 0), LINE);
  send(&b, MEM_READ, line(1, 0), LINE, 50); /* a miss ahead of the hits */
  uint64_t first = 0;
  for (uint16_t i = 0; i < 40; i++) send(&b, MEM_READ, line(0, 0), LINE, i);
  while (b.replies < 2) cycle(&b);
  first = b.last_reply;
  while (b.replies < 41) cycle(&b);
  assert_int_equal(b.last_reply - first, 39); /* 40 hits in a row */
  assert_int_equal(b.order[40], 39);
  drain(&b);
  assert_int_equal(b.order[41], 50);
  stop(&b);
}

/* MSHRs, waiters, ways, DRAM queue, reply queue: each at its smallest, under traffic that wants them all. */
static void test_a_shortage_of_anything_delays_and_never_loses(void **unused) {
  (void)unused;
  print_message("seed 0x%x\n", SEED);
  static const char *const shortages[][5] = {
    {"l2.mshrs=1"},
    {"dram.queue=1"},
    {"l2.ways=1", "line_bytes=128"},
    {"l2.queue=1", "noc.queue=1"},
    {"l2.latency=1", "l2.queue=1", "noc.flit_bytes=8"},
    {"dram.burst_bytes=16", "dram.bytes_per_clock=16", "l2.mshrs=2"},
    {"line_bytes=32", "d2ma.segment=32", "dram.burst_bytes=128", "dram.bytes_per_clock=128"},
  };
  for (size_t i = 0; i < sizeof shortages / sizeof *shortages; i++) {
    struct bench b;
    start(&b, shortages[i]);
    struct rng r;
    rng_seed(&r, SEED + i);
    uint64_t expected = 0;
    uint32_t bytes = (uint32_t)b.m.line_bytes;
    for (int k = 0; k < 2000; k++) {
      enum mem_kind kind = (enum mem_kind)rng_below(&r, 3);
      uint32_t offset = rng_below(&r, bytes);
      send(&b, kind, (uint64_t)rng_below(&r, 12) * bytes + offset, 1 + rng_below(&r, bytes - offset),
           (uint16_t)(k % 64));
      expected += kind != MEM_WRITE;
    }
    drain(&b);
    const struct memory_counters *n = memory_counters(b.memory);
    assert_int_equal(b.replies, expected);
    assert_int_equal(n->l2_hits + n->l2_misses, 2000);
    assert_int_equal(n->l2_reads + n->l2_writes + n->l2_atomics, 2000);
    stop(&b);
  }
}

/* A model of contents on the host: which lines an LRU cache of this shape holds, against hits and write-backs. */
static void test_hits_are_those_of_an_lru_cache(void **unused) {
  (void)unused;
  struct bench b;
  START(&b);
  struct {
    uint64_t line, used;
    bool dirty, there;
  } model[SETS][WAYS];
  memset(model, 0, sizeof model);
  struct rng r;
  rng_seed(&r, SEED);
  uint64_t hits = 0, writebacks = 0;
  for (uint64_t k = 1; k <= 1500; k++) {
    uint64_t number = rng_below(&r, 20), set = number % SETS;
    bool write = rng_percent(&r, 40);
    one(&b, write ? MEM_WRITE : MEM_READ, number * LINE, LINE);
    int at = -1, oldest = 0;
    for (int w = 0; w < WAYS; w++) {
      if (model[set][w].there && model[set][w].line == number) at = w;
      if (model[set][w].used < model[set][oldest].used) oldest = w;
    }
    if (at >= 0) {
      hits++;
    } else {
      at = oldest;
      writebacks += model[set][at].dirty;
      model[set][at].dirty = false;
    }
    model[set][at].line = number;
    model[set][at].there = true;
    model[set][at].dirty |= write;
    model[set][at].used = k;
  }
  assert_int_equal(memory_counters(b.memory)->l2_hits, hits);
  assert_int_equal(memory_counters(b.memory)->l2_writebacks, writebacks);
  assert_int_equal(memory_counters(b.memory)->dram_writes, 2 * writebacks);
  stop(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_line_read_once_is_there_for_the_next),
    cmocka_unit_test(test_only_the_missing_bursts_are_fetched),
    cmocka_unit_test(test_a_write_never_fetches),
    cmocka_unit_test(test_a_write_miss_fetches_what_the_policy_says),
    cmocka_unit_test(test_a_read_joins_the_fetch_of_a_write),
    cmocka_unit_test(test_without_l2_every_request_reaches_dram),
    cmocka_unit_test(test_the_least_recently_used_line_goes),
    cmocka_unit_test(test_a_dirty_line_is_written_back_once_and_only_its_dirty_bursts),
    cmocka_unit_test(test_an_atomic_reads_and_dirties),
    cmocka_unit_test(test_misses_of_one_line_share_a_fetch_and_all_get_a_reply),
    cmocka_unit_test(test_a_merge_fetches_only_what_is_not_on_its_way),
    cmocka_unit_test(test_a_line_that_is_being_fetched_keeps_its_place),
    cmocka_unit_test(test_hits_pass_under_misses_in_one_a_cycle),
    cmocka_unit_test(test_a_shortage_of_anything_delays_and_never_loses),
    cmocka_unit_test(test_hits_are_those_of_an_lru_cache),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
