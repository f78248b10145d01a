/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* A slice whose sets have more tags than room for whole lines (memory_packing.tags): which lines it has, against lists; what its sets take
 * while much is under way; lines that never take less are kept as without more tags; skipping changes none of it. */
#include "kit/l2_bench.h"
#include "mem/memory_state.h"
#include "mem/packing.h"

enum { STEPS = 4000, LINES = 512, SLICES = 2, SETS_EACH = 16, DATA_WAYS = 4, ROOM = DATA_WAYS * LINE };

static uint32_t times;                             /* tags for each line of room */
static uint32_t takes_now[1 << 16], takes_written; /* of each line as it is; of the line that is written */
static uint64_t crowds;

static uint32_t index_of(uint64_t physical) {
  return (uint32_t)(physical / LINE % (sizeof takes_now / sizeof *takes_now));
}

static uint32_t whole(void *self, uint64_t physical) {
  (void)self, (void)physical;
  return LINE;
}

static bool store_part(void *self, uint64_t physical, uint32_t bytes) {
  (void)self, (void)physical, (void)bytes;
  return true;
}

static struct packed_reply reply(void *self, const struct mem_request *r, bool fetched) {
  (void)self, (void)fetched;
  return (struct packed_reply){r->bytes, 0};
}

static uint32_t tags(const void *self) {
  (void)self;
  return times;
}

static uint32_t takes(const void *self, uint64_t physical, const struct mem_request *r) {
  (void)self;
  if (r && r->kind == MEM_ATOMIC) return LINE;
  return r && r->kind == MEM_WRITE && takes_written ? takes_written : takes_now[index_of(physical)];
}

static void crowded(void *self) {
  (void)self;
  crowds++;
}

static const struct memory_packing roomy = {.stored = whole,
                                            .store = whole,
                                            .store_part = store_part,
                                            .reply = reply,
                                            .tags = tags,
                                            .takes = takes,
                                            .crowded = crowded};
static const struct memory_packing plain = {.stored = whole, .store = whole, .store_part = store_part, .reply = reply};

/* --- the lists: of each set its lines, the one used longest ago first --- */

struct kept {
  uint64_t line;
  uint32_t bytes;
  bool all; /* the slice has all of it */
};

struct list {
  struct kept kept[4 * DATA_WAYS];
  uint32_t n;
};

static struct list lists[SLICES][SETS_EACH];

static struct list *list_of(const struct bench *b, uint64_t line) {
  const struct address_map *map = memory_address_map(b->memory);
  return &lists[address_map_channel(map, line * LINE)][address_map_local(map, line * LINE) / LINE % SETS_EACH];
}

static uint32_t place_of(const struct list *l, uint64_t line) {
  uint32_t i = 0;
  while (i < l->n && l->kept[i].line != line) i++;
  return i;
}

static struct kept take_out(struct list *l, uint32_t i) {
  struct kept k = l->kept[i];
  memmove(l->kept + i, l->kept + i + 1, (l->n - i - 1) * sizeof k);
  l->n--;
  return k;
}

/* Puts the line in, or in again, as the one used last; it needs `bytes` while it comes. */
static struct kept *put(struct list *l, uint64_t line, uint32_t bytes) {
  uint32_t i = place_of(l, line);
  struct kept k = i < l->n ? take_out(l, i) : (struct kept){.line = line};
  for (;;) {
    uint32_t sum = 0;
    for (i = 0; i < l->n; i++) sum += l->kept[i].bytes;
    if (l->n < times * DATA_WAYS && sum + bytes <= ROOM) break;
    take_out(l, 0);
  }
  k.bytes = bytes;
  l->kept[l->n] = k;
  return &l->kept[l->n++];
}

static void access_list(struct list *l, enum mem_kind kind, uint64_t line, uint32_t bytes) {
  uint32_t i = place_of(l, line), now = takes_now[line];
  bool there = i < l->n && l->kept[i].all;
  if (kind == MEM_WRITE) {
    struct kept *k = put(l, line, takes_written);
    k->all |= bytes == LINE;
    takes_now[line] = takes_written;
  } else {
    struct kept *k = put(l, line, there && kind == MEM_READ ? now : LINE);
    k->all = true;
    k->bytes = kind == MEM_READ ? now : LINE;
  }
}

/* --- random requests, one after the other --- */

static uint32_t some_bytes(struct rng *r) { return rng_percent(r, 30) ? LINE : 8 + 8 * rng_below(r, 12); }

static void ask_for(struct bench *b, enum mem_kind kind, uint64_t address, uint32_t bytes) {
  b->open[0][0] = kind != MEM_WRITE;
  assert_true(send(b, 0, kind, address, bytes, 0));
  drain(b);
  assert_false(b->open[0][0]);
}

static void step(struct bench *b, struct rng *r) {
  uint64_t line = rng_below(r, rng_percent(r, 50) ? LINES : LINES / 4);
  enum mem_kind kind = rng_percent(r, 50) ? MEM_READ : rng_percent(r, 80) ? MEM_WRITE : MEM_ATOMIC;
  uint32_t bytes = kind == MEM_WRITE && rng_percent(r, 50) ? LINE : 8;
  takes_written = kind == MEM_WRITE ? some_bytes(r) : 0;
  if (kind == MEM_ATOMIC) takes_now[line] = LINE;
  else if (rng_percent(r, 10)) takes_now[line] = some_bytes(r); /* as if the host had written it */
  ask_for(b, kind, line * LINE, bytes);
  access_list(list_of(b, line), kind, line, bytes);
}

static void check_lines(const struct bench *b) {
  uint32_t n[SLICES] = {0};
  for (uint64_t line = 0; line < LINES; line++) {
    const struct list *l = list_of(b, line);
    assert_int_equal(b->agent->s.cached(b->memory, line * LINE), place_of(l, line) < l->n);
  }
  for (uint32_t s = 0; s < SLICES; s++) {
    for (uint32_t set = 0; set < SETS_EACH; set++) n[s] += lists[s][set].n;
    assert_int_equal(b->agent->s.lines(b->memory, s), n[s]);
  }
}

static void begin(uint32_t tags_each) {
  struct rng r;
  rng_seed(&r, SEED);
  times = tags_each;
  crowds = 0;
  takes_written = 0;
  for (uint32_t i = 0; i < sizeof takes_now / sizeof *takes_now; i++) takes_now[i] = some_bytes(&r);
  bench_packing = &roomy;
}

static void test_the_lines_are_those_of_lists(void **unused) {
  (void)unused;
  print_message("seed %#x\n", (unsigned)SEED);
  for (uint32_t each = 2; each <= 4; each *= 2) {
    struct bench b;
    struct rng r;
    rng_seed(&r, SEED + each);
    begin(each);
    memset(lists, 0, sizeof lists);
    START(&b, "dram.burst_bytes=32");
    uint32_t most = 0;
    for (uint32_t i = 0; i < STEPS; i++) {
      step(&b, &r);
      check_lines(&b);
      if (b.agent->s.lines(b.memory, 0) > most) most = b.agent->s.lines(b.memory, 0);
    }
    print_message("%ux tags: at most %u lines where %u have room; %llu left for the room of others\n", each, most,
                  SETS_EACH * DATA_WAYS, (unsigned long long)crowds);
    assert_in_range(most, SETS_EACH * DATA_WAYS * 5 / 4, SETS_EACH * DATA_WAYS * each);
    assert_true(crowds > STEPS / 10);
    stop(&b);
  }
}

/* --- much under way --- */

static void check_room(const struct bench *b) {
  for (uint32_t s = 0; s < SLICES; s++) {
    const struct l2_tags *t = &b->memory->slices[s]->tags;
    uint32_t lines = 0;
    for (uint32_t set = 0; set < t->sets; set++) {
      uint32_t sum = 0;
      for (uint32_t i = set * t->ways; i < (set + 1) * t->ways; i++) {
        if (!t->tag[i]) continue;
        assert_in_range(t->line[i].takes, 1, LINE);
        if (t->line[i].mshr != L2_NO_MSHR) assert_int_equal(t->line[i].takes, LINE);
        sum += t->line[i].takes;
        lines++;
      }
      assert_in_range(sum, 0, ROOM);
    }
    assert_int_equal(lines, t->lines);
  }
}

/* Every line takes half as much, in turn: reads find lines that have grown. */
static void test_sets_have_room_for_what_they_hold(void **unused) {
  (void)unused;
  static const char *const policies[] = {"l2.replacement=lru", "l2.replacement=drrip"};
  for (int i = 0; i < 2; i++) {
    struct bench b;
    begin(4);
    START(&b, "dram.burst_bytes=32", "dram.queue=4", policies[i]);
    b.until = 20000;
    b.agent->until = 15000; /* pins, prefetches, accesses of its own */
    ++*b.agent->s.in_flight;
    for (uint32_t k = 0; memory_in_flight(b.memory) || k < 20000; k++) {
      if (k % 50 == 0) takes_now[k / 50 * 7 % LINES] = LINE;
      cycles(&b, 1);
      check_room(&b);
    }
    assert_true(b.replies > 500 && crowds > 100);
    stop(&b);
  }
}

static void test_skipping_changes_nothing(void **unused) {
  (void)unused;
  uint64_t hash[3], agents[3], crowds_of[3];
  struct memory_counters n[3];
  for (enum mode mode = EXHAUSTIVE; mode <= SKIP; mode++) {
    struct bench b;
    begin(2);
    start(&b, mode, false, SETTINGS("dram.burst_bytes=32", "dram.queue=4"));
    b.until = 20000;
    b.agent->until = 15000;
    ++*b.agent->s.in_flight;
    drain(&b);
    hash[mode] = b.hash, agents[mode] = b.agent->hash, crowds_of[mode] = crowds;
    n[mode] = *memory_counters(b.memory);
    n[mode].dram_cycles = 0; /* of edges that nobody needed */
    assert_true(b.replies > 500 && crowds > 100);
    stop(&b);
  }
  for (enum mode mode = EVERY_EDGE; mode <= SKIP; mode++) {
    assert_int_equal(hash[mode], hash[0]);
    assert_int_equal(agents[mode], agents[0]);
    assert_int_equal(crowds_of[mode], crowds_of[0]);
    assert_memory_equal(&n[mode], &n[0], sizeof n[0]);
  }
}

/* Lines that never take less leave as they would without more tags. */
static void test_whole_lines_are_kept_as_before(void **unused) {
  (void)unused;
  static const char *const policies[] = {"l2.replacement=lru", "l2.replacement=drrip"};
  for (int i = 0; i < 4; i++) {
    static uint64_t hash, agents;
    struct bench b;
    begin(4);
    for (uint32_t k = 0; k < sizeof takes_now / sizeof *takes_now; k++) takes_now[k] = LINE;
    if (i % 2 == 0) bench_packing = &plain;
    START(&b, "dram.burst_bytes=32", "dram.queue=4", policies[i / 2]);
    b.until = 20000;
    b.agent->until = 15000;
    ++*b.agent->s.in_flight;
    drain(&b);
    assert_true(b.replies > 500);
    if (i % 2) {
      assert_int_equal(b.hash, hash);
      assert_int_equal(b.agent->hash, agents);
    }
    hash = b.hash, agents = b.agent->hash;
    stop(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_lines_are_those_of_lists),
    cmocka_unit_test(test_sets_have_room_for_what_they_hold),
    cmocka_unit_test(test_skipping_changes_nothing),
    cmocka_unit_test(test_whole_lines_are_kept_as_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
