/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a cache of an SM hold the lines that were used last, and does it find its MSHRs? Against queues and a list. */
#include "base/err.h"
#include "base/rng.h"
#include "core/cache.h"
#include "kit/naive_cache.h"

enum { SEED = 0xcac4e, STEPS = 40000, MSHRS = 24 };

static struct cache open_cache(uint32_t sets, uint32_t ways, uint32_t line_bytes) {
  struct cache c = {.ways = ways, .line_bytes = line_bytes, .mshrs = MSHRS, .merges = 4};
  struct err e;
  assert_int_equal(cache_create(&c, (uint64_t)sets * ways * line_bytes, "l1", &e), 0);
  assert_int_equal(c.sets, sets);
  return c;
}

static void compare(uint32_t sets, uint32_t ways, uint32_t line_bytes, struct rng *r) {
  static struct naive_cache naive;
  struct cache c = open_cache(sets, ways, line_bytes);
  uint64_t base = (uint64_t)rng_below(r, 1000) * sets;
  uint32_t hits = 0;
  naive_cache_open(&naive, sets, ways);
  for (int i = 0; i < STEPS; i++) {
    uint64_t line = base + rng_below(r, sets * ways * 3 / 2 + 2);
    if (!rng_below(r, 3000)) {
      cache_clear(&c);
      naive_cache_open(&naive, sets, ways);
    } else if (rng_percent(r, 60)) {
      bool hit = naive_cache_touch(&naive, line);
      assert_int_equal(cache_lookup(&c, line * line_bytes), hit);
      hits += hit;
    } else {
      cache_fill(&c, line * line_bytes, 0);
      if (!naive_cache_touch(&naive, line)) naive_cache_put(&naive, line);
    }
  }
  assert_in_range(hits, STEPS / 20, STEPS); /* or the test would compare only misses */
  cache_destroy(&c);
}

static void test_random_accesses_hit_as_in_queues_of_lines(void **unused) {
  (void)unused;
  static const struct {
    uint32_t sets, ways, line_bytes;
  } shapes[] = {{1, 1, 32}, {1, 16, 128}, {3, 2, 64}, {32, 4, 128}, {64, 1, 64}, {96, 6, 128}, {320, 16, 32}};
  struct rng r;
  print_message("seed %#x\n", (unsigned)SEED);
  rng_seed(&r, SEED);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    compare(shapes[i].sets, shapes[i].ways, shapes[i].line_bytes, &r);
}

static void test_a_cache_of_no_bytes_never_hits(void **unused) {
  (void)unused;
  struct cache c = open_cache(0, 4, 128);
  cache_fill(&c, 0, 0);
  assert_false(cache_lookup(&c, 0));
  cache_clear(&c);
  cache_destroy(&c);
}

/* Few lines, which share hash chains; an MSHR that was freed is taken again in the next cycle at the earliest. */
static void test_random_mshrs_are_found_as_in_a_list(void **unused) {
  (void)unused;
  struct {
    bool taken, found;
    uint64_t line;
  } list[MSHRS] = {0};
  struct cache c = open_cache(4, 2, 128);
  struct rng r;
  uint32_t used = 0;
  print_message("seed %#x\n", (unsigned)SEED);
  rng_seed(&r, SEED);
  for (int i = 0; i < STEPS; i++) {
    uint64_t line = 128 * (uint64_t)(rng_below(&r, 5) * MSHR_HASH + rng_below(&r, 8));
    uint32_t at = MSHR_NONE, m = rng_below(&r, MSHRS);
    for (uint32_t k = 0; k < MSHRS; k++)
      if (list[k].taken && list[k].found && list[k].line == line) at = k;
    assert_int_equal(mshr_find(&c, line), at);
    assert_int_equal(c.mshrs_used, used);
    bool by_address = rng_percent(&r, 80);
    if ((at == MSHR_NONE || !by_address) && used < MSHRS) {
      uint32_t taken = mshr_take(&c, by_address ? MSHR_LINE : MSHR_ATOMIC, line);
      assert_in_range(taken, 0, MSHRS - 1);
      assert_false(list[taken].taken);
      list[taken].taken = true, list[taken].found = by_address, list[taken].line = line;
      used++;
    }
    if (!list[m].taken || rng_percent(&r, 40)) continue;
    mshr_free(&c, m);
    if (list[m].found) assert_int_equal(mshr_find(&c, list[m].line), MSHR_NONE);
    mshr_recycle(&c);
    list[m].taken = false;
    used--;
  }
  cache_destroy(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_accesses_hit_as_in_queues_of_lines),
    cmocka_unit_test(test_a_cache_of_no_bytes_never_hits),
    cmocka_unit_test(test_random_mshrs_are_found_as_in_a_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
