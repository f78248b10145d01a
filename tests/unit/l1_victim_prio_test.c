/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does the L1 choose its victims as the thesis' rules say? Against a set of lines in a list: the rules are applied one by one, each
 * leaving a shorter list. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "l1_victim_prio_ports.h"

BLOCK_BENCH(l1_victim_prio);

enum { SEED = 0x1c7, SETS = 64, WAYS = 4, TICKS = 7, CYCLES = 60000, NORMAL = 0, SOFT = 1, HARD = 2, BYPASS = 3 };

struct line {
  bool valid, locked;
  int prio, rank;
};

static bool is_open(const struct line *l) { return !l->locked; }
static bool is_empty(const struct line *l) { return !l->locked && !l->valid; }

/* The lowest way of those that `keeps` accepts, or -1. */
static int lowest(const struct line set[WAYS], bool (*keeps)(const struct line *)) {
  for (int way = 0; way < WAYS; way++)
    if (keeps(&set[way])) return way;
  return -1;
}

static int expected_victim(const struct line set[WAYS]) {
  if (lowest(set, is_empty) >= 0) return lowest(set, is_empty);
  for (int prio = NORMAL; prio < HARD; prio++)
    for (int rank = 0; rank < WAYS; rank++)
      for (int way = 0; way < WAYS; way++)
        if (is_open(&set[way]) && set[way].prio == prio && set[way].rank == rank) return way;
  return lowest(set, is_open);
}

static void draw_set(struct rng *g, struct line set[WAYS]) {
  int order[WAYS] = {0, 1, 2, 3};
  for (int way = 0; way < WAYS; way++) { /* a shuffled order of use */
    uint32_t other = rng_below(g, WAYS);
    int kept = order[way];
    order[way] = order[other], order[other] = kept;
  }
  for (int way = 0; way < WAYS; way++) {
    set[way].valid = rng_below(g, 16) != 0;
    set[way].locked = rng_below(g, 8) == 0;
    set[way].rank = order[way];
  }
}

static void ask(struct bench *b, uint32_t number, const struct line set[WAYS]) {
  b->in.set = (uint8_t)number;
  b->in.valid = b->in.lock = 0, b->in.lru = 0;
  for (int way = WAYS; way-- > 0;) {
    b->in.valid = (uint8_t)(b->in.valid * 2 + set[way].valid);
    b->in.lock = (uint8_t)(b->in.lock * 2 + set[way].locked);
    b->in.lru = (uint8_t)(b->in.lru * WAYS + set[way].rank);
  }
}

static void test_the_rules_choose_the_victim(void **unused) {
  (void)unused;
  static struct line lines[SETS][WAYS];
  struct bench b;
  struct rng g;
  int ticks = 0, all_hard = 0, pinned = 0, none = 0, cleared = 0;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  memset(lines, 0, sizeof lines);
  bench_open(&b, (struct l1_victim_prio_cfg){.SETS = SETS, .WAYS = WAYS, .TICKS = TICKS});
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    uint32_t number = rng_below(&g, 3) * 31, hit_set = rng_below(&g, 3) * 31;
    struct line *set = lines[number];
    draw_set(&g, set);
    ask(&b, number, set);
    bool fill = rng_below(&g, 8) != 0, hit = rng_below(&g, 4) == 0, tick = rng_below(&g, 32) == 0;
    int victim = fill ? expected_victim(set) : -1;
    bool hard = victim >= 0 && set[victim].valid && set[victim].prio == HARD;
    uint32_t hit_way = rng_below(&g, WAYS);
    int fill_prio = (int)(rng_below(&g, 3) ? HARD : rng_below(&g, 4)), hit_prio = (int)rng_below(&g, 4);
    b.in.fill_en = fill;
    b.in.hit_en = hit, b.in.hit_set = (uint8_t)hit_set, b.in.hit_way = (uint8_t)hit_way;
    b.in.fill_prio = (uint8_t)fill_prio, b.in.hit_prio = (uint8_t)hit_prio, b.in.tick_en = tick;
    bench_cycle(&b);
    assert_int_equal(b.out.found, victim >= 0);
    assert_int_equal(b.out.victim, victim >= 0 ? victim : 0);
    assert_int_equal(b.out.all_hard, hard);
    all_hard += hard && victim == 0;
    none += fill && victim < 0;
    pinned += victim >= 0 && set[victim].valid && set[victim].prio == SOFT;
    bool clears = tick && ++ticks % TICKS == 0;
    assert_int_equal(b.out.clears, clears);
    for (int s = 0; clears && s < SETS; s++)
      for (int way = 0; way < WAYS; way++) cleared += lines[s][way].prio != NORMAL, lines[s][way].prio = NORMAL;
    if (victim >= 0) set[victim].prio = fill_prio == BYPASS ? NORMAL : fill_prio;
    if (hit && hit_prio != BYPASS && hit_prio > lines[hit_set][hit_way].prio) lines[hit_set][hit_way].prio = hit_prio;
  }
  assert_true(all_hard && pinned && none && cleared);
  bench_close(&b);
}

/* Normal data in a set that is all hard takes way 0, and later normal fills take it again, so
 * three of four ways stay protected until the timer ends. */
static void test_three_of_four_ways_stay_pinned(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct l1_victim_prio_cfg){.SETS = SETS, .WAYS = WAYS, .TICKS = 64});
  for (int way = 0; way < WAYS; way++) {
    b.in.fill_en = 1, b.in.set = 9, b.in.valid = (uint8_t)((1 << way) - 1),
    b.in.fill_prio = HARD; /* an empty set fills up */
    bench_cycle(&b);
    assert_int_equal(b.out.victim, way);
  }
  for (int fill = 0; fill < 20; fill++) {
    b.in.fill_en = 1, b.in.set = 9, b.in.valid = 15, b.in.lru = 0x1b; /* way 3 was used the longest time ago */
    b.in.fill_prio = NORMAL;
    bench_cycle(&b);
    assert_int_equal(b.out.all_hard, fill == 0);
    assert_int_equal(b.out.victim, 0);
  }
  for (int tick = 1; tick <= 64; tick++) {
    b.in.tick_en = 1;
    bench_cycle(&b);
    assert_int_equal(b.out.clears, tick == 64);
  }
  b.in.fill_en = 1, b.in.set = 9, b.in.valid = 15, b.in.lru = 0x1b;
  bench_cycle(&b);
  assert_int_equal(b.out.victim, 3);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_rules_choose_the_victim),
    cmocka_unit_test(test_three_of_four_ways_stay_pinned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
