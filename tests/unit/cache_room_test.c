/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* A cache of an SM whose sets have more tags than room for whole lines: which lines it has, and how many, against lists. */
#include "base/err.h"
#include "base/rng.h"
#include "core/cache.h"
#include "kit/test.h"

enum { SEED = 0x10c5, STEPS = 20000, LINE = 128, MAX_SETS = 32, MAX_TAGS = 64 };

/* Of each set its lines, the one that leaves first before the others: a low priority first, then the one used longest ago. */
struct list {
  struct kept {
    uint64_t line;
    uint32_t bytes;
    uint8_t priority;
  } kept[MAX_TAGS];
  uint32_t n;
};

struct shape {
  uint32_t sets, ways, times;
  bool priorities, whole;
};

static struct list lists[MAX_SETS];

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

/* As the last one of its priority. */
static void put_in(struct list *l, struct kept k) {
  uint32_t i = 0;
  while (i < l->n && l->kept[i].priority <= k.priority) i++;
  memmove(l->kept + i + 1, l->kept + i, (l->n - i) * sizeof k);
  l->kept[i] = k;
  l->n++;
}

static void fill_list(struct list *l, const struct shape *shape, struct kept k) {
  uint32_t i = place_of(l, k.line);
  if (i < l->n) take_out(l, i);
  for (;;) {
    uint32_t sum = k.bytes;
    for (i = 0; i < l->n; i++) sum += l->kept[i].bytes;
    if (l->n < shape->ways * shape->times && sum <= shape->ways * LINE) break;
    if (l->kept[0].priority > k.priority) return;
    take_out(l, 0);
  }
  put_in(l, k);
}

static void check(const struct cache *c, const struct shape *shape, uint64_t lines) {
  uint32_t n = 0, there = 0;
  for (uint32_t i = 0; i < shape->sets; i++) n += lists[i].n;
  for (uint64_t line = 0; line < lines; line++) {
    const struct list *l = &lists[line % shape->sets];
    uint32_t place = place_of(l, line), at = cache_find(c, line * LINE);
    assert_int_equal(at != CACHE_NO_WAY, place < l->n);
    if (at == CACHE_NO_WAY) continue;
    assert_int_equal(c->takes[at], l->kept[place].bytes);
    there++;
  }
  assert_int_equal(there, n);
  assert_int_equal(c->lines, n);
}

static uint32_t some_bytes(struct rng *r, const struct shape *shape) {
  return shape->whole || rng_percent(r, 30) ? LINE : 8 + 8 * rng_below(r, 12);
}

static void compare(const struct shape *shape, struct rng *r) {
  struct cache c = {.ways = shape->ways, .times = shape->times, .line_bytes = LINE, .mshrs = 4, .merges = 1};
  struct err e;
  assert_int_equal(cache_create(&c, (uint64_t)shape->sets * shape->ways * LINE, "l1", &e), 0);
  assert_int_equal(c.sets, shape->sets);
  memset(lists, 0, sizeof lists);
  uint64_t lines = (uint64_t)shape->sets * shape->ways * shape->times * 3 / 2;
  uint32_t hits = 0, most = 0;
  for (int i = 0; i < STEPS; i++) {
    uint64_t line = rng_below(r, (uint32_t)lines);
    struct list *l = &lists[line % shape->sets];
    if (!rng_below(r, 5000)) {
      cache_clear(&c);
      memset(lists, 0, sizeof lists);
    } else if (rng_percent(r, 50)) {
      uint32_t at = place_of(l, line);
      assert_int_equal(cache_lookup(&c, line * LINE), at < l->n);
      hits += at < l->n;
      if (at < l->n) put_in(l, take_out(l, at));
    } else {
      struct kept k = {line, some_bytes(r, shape), shape->priorities ? (uint8_t)rng_below(r, 2) : 0};
      if (rng_percent(r, 10)) cache_fill(&c, line * LINE, k.priority), k.bytes = LINE;
      else cache_fill_part(&c, line * LINE, k.priority, k.bytes);
      fill_list(l, shape, k);
    }
    if (i % 16 == 0) check(&c, shape, lines);
    if (c.lines > most) most = c.lines;
  }
  uint32_t room = shape->sets * shape->ways;
  print_message("%u sets of %u ways, %ux tags: at most %u lines where %u have room\n", shape->sets, shape->ways,
                shape->times, most, room);
  assert_in_range(hits, STEPS / 20, STEPS);
  if (shape->whole) assert_int_equal(most, room);
  else assert_in_range(most, room * 6 / 5, room * shape->times);
  cache_destroy(&c);
}

static void test_the_lines_are_those_of_lists(void **unused) {
  (void)unused;
  static const struct shape shapes[] = {{1, 4, 2, false, false},   {32, 4, 2, false, false}, {28, 4, 4, false, false},
                                        {24, 16, 4, false, false}, {32, 4, 2, true, false},  {8, 4, 4, false, true}};
  struct rng r;
  print_message("seed %#x\n", (unsigned)SEED);
  rng_seed(&r, SEED);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) compare(&shapes[i], &r);
}

/* A cache of no bytes has no lines, whatever its tags. */
static void test_a_cache_of_no_bytes_never_hits(void **unused) {
  (void)unused;
  struct cache c = {.ways = 4, .times = 2, .line_bytes = LINE, .mshrs = 4, .merges = 1};
  struct err e;
  assert_int_equal(cache_create(&c, 0, "l1", &e), 0);
  assert_int_equal(cache_fill_part(&c, 0, 0, 8), CACHE_NO_WAY);
  assert_false(cache_lookup(&c, 0));
  cache_clear(&c);
  cache_destroy(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_lines_are_those_of_lists),
    cmocka_unit_test(test_a_cache_of_no_bytes_never_hits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
