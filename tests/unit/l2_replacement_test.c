/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Which line goes when another one comes: DRRIP against a model that follows its definition step by step, LRU against queues of
 * lines; what DRRIP is for; pinned lines under both policies. */
#include "base/rng.h"
#include "kit/naive_cache.h"
#include "mem/l2_tags.h"

enum { SEED = 0xd221, MAX_SETS = 320, MAX_WAYS = 16 };

/* --- the model: a list of ways a set, values that rise by one --- */

struct way {
  bool there, pinned, busy;
  uint64_t line;
  int value;
};

struct model {
  uint32_t sets, ways;
  int selector, insertions[MAX_SETS]; /* above 511: BRRIP */
  struct way way[MAX_SETS][MAX_WAYS];
};

/* 1: leads for SRRIP, 2: for BRRIP. */
static int leader(const struct model *m, uint32_t set) {
  uint32_t size = 8;
  while (m->sets / 32 > size) size++;
  if (m->sets < size) size = m->sets;
  if (size == 1) return 0;
  uint32_t group = 0;
  while (set >= size) {
    set -= size;
    group++;
  }
  while (group >= size) group -= size;
  return set == group ? 1 : set == (group + size / 2) % size ? 2 : 0;
}

static struct way *present(struct model *m, uint64_t line) {
  struct way *w = m->way[line % m->sets];
  for (uint32_t i = 0; i < m->ways; i++)
    if (w[i].there && w[i].line == line) return &w[i];
  return NULL;
}

static bool candidate(const struct way *w) { return !w->busy && !w->pinned; }

/* The way to replace, its set aged; NULL: every line is being fetched. */
static struct way *make_room(struct model *m, uint64_t line) {
  struct way *w = m->way[line % m->sets];
  bool any = false;
  for (uint32_t i = 0; i < m->ways; i++)
    if (!w[i].there) return &w[i];
  for (uint32_t i = 0; i < m->ways; i++) any |= candidate(&w[i]);
  while (any) {
    for (uint32_t i = 0; i < m->ways; i++)
      if (candidate(&w[i]) && w[i].value == 3) return &w[i];
    for (uint32_t i = 0; i < m->ways; i++)
      if (!w[i].pinned && w[i].value < 3) w[i].value++;
  }
  for (uint32_t i = 0; i < m->ways; i++)
    if (!w[i].busy) return &w[i];
  return NULL;
}

static int first_value(struct model *m, uint64_t line, bool hint) {
  if (hint) return 2;
  uint32_t set = (uint32_t)(line % m->sets);
  int leads = leader(m, set);
  if (leads == 1 && m->selector < 1023) m->selector++;
  if (leads == 2 && m->selector > 0) m->selector--;
  if (leads == 1 || (!leads && m->selector < 512)) return 2;
  return ++m->insertions[set] % 32 == 0 ? 2 : 3;
}

/* --- both, access by access --- */

/* Looks `line` up, and puts it in when it is missing; returns its way's index, or L2_NO_WAY. */
static uint32_t access_tags(struct l2_tags *t, uint64_t line, bool hint, bool *hit) {
  uint32_t at = l2_tags_find(t, line);
  *hit = at != L2_NO_WAY;
  if (*hit) {
    if (!hint) l2_tags_touch(t, at);
    return at;
  }
  at = l2_tags_victim(t, line);
  assert_int_equal(at, l2_tags_victim(t, line)); /* asking changes nothing */
  if (at != L2_NO_WAY) l2_tags_fill(t, at, line, hint);
  return at;
}

static uint32_t access_model(struct model *m, uint64_t line, bool hint, bool *hit) {
  struct way *w = present(m, line);
  *hit = w;
  if (w && !hint) w->value = 0;
  if (!w && (w = make_room(m, line)))
    *w = (struct way){.there = true, .line = line, .value = first_value(m, line, hint)};
  return w ? (uint32_t)(line % m->sets * m->ways + (uint64_t)(w - m->way[line % m->sets])) : L2_NO_WAY;
}

/* Something else than an access: the line is pinned, put to the front or the end, or begins or ends to be fetched. */
static void meddle(struct l2_tags *t, struct model *m, uint64_t line, uint32_t what) {
  uint32_t at = l2_tags_find(t, line);
  struct way *w = present(m, line);
  assert_int_equal(at != L2_NO_WAY, w != NULL);
  if (!w) return;
  switch (what) {
    case 0:
      assert_int_equal(l2_tags_pin(t, at), !w->pinned);
      w->pinned = true;
      w->value = 0;
      return;
    case 1:
      l2_tags_demote(t, at);
      w->value = 3;
      return;
    default:
      w->busy = !w->busy;
      t->line[at].mshr = w->busy ? 7 : L2_NO_MSHR;
      return;
  }
}

static void compare(uint32_t sets, uint32_t ways, struct rng *r) {
  static struct model m;
  struct l2_tags t;
  memset(&m, 0, sizeof m);
  m.sets = sets;
  m.ways = ways;
  m.selector = 511;
  assert_true(l2_tags_create(&t, sets, ways, L2_REPLACE_DRRIP));
  uint64_t stream = 1 << 20, space = (uint64_t)sets * ways * 3 / 2 + 2;
  bool thrash = false;
  for (int i = 0; i < 12000; i++) {
    if (i % 2000 == 0) thrash = !thrash; /* so that the selector goes both ways */
    uint64_t line = thrash ? (uint64_t)i % (2 * space) : rng_percent(r, 30) ? stream++ : rng_below(r, (uint32_t)space);
    bool hint = rng_percent(r, 10), hit, expected;
    uint32_t at = access_tags(&t, line, hint, &hit), where = access_model(&m, line, hint, &expected);
    assert_int_equal(hit, expected);
    assert_int_equal(at, where);
    if (rng_percent(r, 8)) meddle(&t, &m, rng_below(r, (uint32_t)space), rng_below(r, 4));
    if (!rng_below(r, 900)) {
      l2_tags_unpin_all(&t);
      for (uint32_t s = 0; s < sets; s++)
        for (uint32_t w = 0; w < ways; w++) m.way[s][w].pinned = false;
    }
  }
  assert_int_equal(t.selector, m.selector);
  l2_tags_destroy(&t);
}

static void test_drrip_is_its_definition_step_by_step(void **unused) {
  (void)unused;
  static const uint32_t sets[] = {1, 2, 3, 7, 8, 12, 64, 320}, ways[] = {1, 2, 4, 16};
  print_message("seed 0x%x\n", SEED);
  struct rng r;
  rng_seed(&r, SEED);
  for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) compare(sets[s], ways[w], &r);
}

/* --- LRU against queues of lines --- */

static void meddle_lru(struct l2_tags *t, struct naive_cache *c, uint64_t line, uint32_t what) {
  uint32_t at = l2_tags_find(t, line);
  struct naive_line *l = naive_cache_find(c, line);
  assert_int_equal(at != L2_NO_WAY, l != NULL);
  if (!l) return;
  switch (what) {
    case 0:
      assert_int_equal(l2_tags_pin(t, at), !l->pinned);
      l->pinned = true;
      naive_cache_touch(c, line);
      return;
    case 1:
      l2_tags_demote(t, at);
      l->demoted = true;
      return;
    default:
      l->busy = !l->busy;
      t->line[at].mshr = l->busy ? 7 : L2_NO_MSHR;
      return;
  }
}

static void unpin_all(struct l2_tags *t, struct naive_cache *c) {
  l2_tags_unpin_all(t);
  for (uint32_t s = 0; s < c->sets; s++)
    for (uint32_t i = 0; i < c->set[s].n; i++) c->set[s].queue[i].pinned = false;
}

static void compare_lru(uint32_t sets, uint32_t ways, struct rng *r) {
  static struct naive_cache c;
  struct l2_tags t;
  naive_cache_open(&c, sets, ways);
  assert_true(l2_tags_create(&t, sets, ways, L2_REPLACE_LRU));
  uint32_t space = sets * ways * 3 / 2 + 2;
  for (int i = 0; i < 12000; i++) {
    uint64_t line = rng_below(r, space);
    bool hint = rng_percent(r, 10), hit, expected = naive_cache_find(&c, line) != NULL;
    uint32_t at = access_tags(&t, line, hint, &hit), way = NAIVE_NO_WAY;
    if (expected && !hint) naive_cache_touch(&c, line);
    if (expected) way = naive_cache_find(&c, line)->way;
    else way = naive_cache_put(&c, line);
    assert_int_equal(hit, expected);
    assert_int_equal(at, way == NAIVE_NO_WAY ? L2_NO_WAY : line % sets * ways + way);
    if (rng_percent(r, 8)) meddle_lru(&t, &c, rng_below(r, space), rng_below(r, 4));
    if (!rng_below(r, 900)) unpin_all(&t, &c);
  }
  l2_tags_destroy(&t);
}

static void test_lru_is_a_queue_of_lines(void **unused) {
  (void)unused;
  static const uint32_t sets[] = {1, 3, 8, 64, 320}, ways[] = {1, 2, 4, 16};
  print_message("seed 0x%x\n", SEED + 1);
  struct rng r;
  rng_seed(&r, SEED + 1);
  for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) compare_lru(sets[s], ways[w], &r);
}

/* --- what the policies are for; 64 sets of 16, a slice of gtx480 --- */

enum { SETS = 64, WAYS = 16, LINES = SETS * WAYS };

static uint32_t hits_of(struct l2_tags *t, uint64_t first, uint32_t n) {
  uint32_t hits = 0;
  for (uint64_t line = first; line < first + n; line++) {
    bool hit;
    access_tags(t, line, false, &hit);
    hits += hit;
  }
  return hits;
}

static void test_both_keep_what_fits(void **unused) {
  (void)unused;
  for (int p = L2_REPLACE_LRU; p <= L2_REPLACE_DRRIP; p++) {
    struct l2_tags t;
    assert_true(l2_tags_create(&t, SETS, WAYS, (enum l2_replacement)p));
    assert_int_equal(hits_of(&t, 0, LINES), 0);
    for (int round = 0; round < 4; round++) assert_int_equal(hits_of(&t, 0, LINES), LINES);
    l2_tags_destroy(&t);
  }
}

/* Round and round over twice what there is room for. Half of it could stay. */
static void test_what_is_too_large_stays_in_part_with_drrip(void **unused) {
  (void)unused;
  uint32_t hits[2];
  for (int p = L2_REPLACE_LRU; p <= L2_REPLACE_DRRIP; p++) {
    struct l2_tags t;
    assert_true(l2_tags_create(&t, SETS, WAYS, (enum l2_replacement)p));
    for (int round = 0; round < 20; round++) hits_of(&t, 0, 2 * LINES);
    hits[p] = 0;
    for (int round = 0; round < 10; round++) hits[p] += hits_of(&t, 0, 2 * LINES);
    l2_tags_destroy(&t);
  }
  assert_int_equal(hits[L2_REPLACE_LRU], 0);
  print_message("of %u accesses %u hit with drrip\n", 20 * LINES, hits[L2_REPLACE_DRRIP]);
  assert_true(hits[L2_REPLACE_DRRIP] > 20 * LINES / 4);
}

/* Half of the cache is used twice, then as many lines as the cache has pass once. */
static void test_a_scan_leaves_what_is_used_with_drrip(void **unused) {
  (void)unused;
  uint32_t hits[2];
  for (int p = L2_REPLACE_LRU; p <= L2_REPLACE_DRRIP; p++) {
    struct l2_tags t;
    uint64_t scan = 1 << 20;
    assert_true(l2_tags_create(&t, SETS, WAYS, (enum l2_replacement)p));
    for (int round = 0; round < 20; round++, scan += LINES) {
      hits[p] = hits_of(&t, 0, LINES / 2);
      assert_int_equal(hits_of(&t, 0, LINES / 2), LINES / 2);
      assert_int_equal(hits_of(&t, scan, LINES), 0);
    }
    l2_tags_destroy(&t);
  }
  assert_int_equal(hits[L2_REPLACE_LRU], 0);
  assert_true(hits[L2_REPLACE_DRRIP] > LINES / 2 * 9 / 10);
}

/* --- pins --- */

static void test_pinned_lines_outlast_any_stream(void **unused) {
  (void)unused;
  for (int p = L2_REPLACE_LRU; p <= L2_REPLACE_DRRIP; p++) {
    struct l2_tags t;
    assert_true(l2_tags_create(&t, SETS, WAYS, (enum l2_replacement)p));
    hits_of(&t, 0, LINES * 3 / 4);
    for (uint64_t line = 0; line < LINES * 3 / 4; line++) {
      assert_true(l2_tags_pin(&t, l2_tags_find(&t, line)));
      assert_false(l2_tags_pin(&t, l2_tags_find(&t, line)));
    }
    hits_of(&t, 1 << 20, 40 * LINES);
    for (uint64_t line = 0; line < LINES * 3 / 4; line++) assert_int_not_equal(l2_tags_find(&t, line), L2_NO_WAY);
    l2_tags_unpin_all(&t);
    hits_of(&t, 1 << 22, 100 * LINES); /* BRRIP takes its time: 32 misses a way */
    for (uint64_t line = 0; line < LINES * 3 / 4; line++) assert_int_equal(l2_tags_find(&t, line), L2_NO_WAY);
    l2_tags_destroy(&t);
  }
}

/* Way 0, or the first that is not being fetched. The line that comes is not pinned, so the next one replaces it. */
static void test_when_all_are_pinned_the_first_way_goes(void **unused) {
  (void)unused;
  for (int p = L2_REPLACE_LRU; p <= L2_REPLACE_DRRIP; p++) {
    struct l2_tags t;
    assert_true(l2_tags_create(&t, 4, 4, (enum l2_replacement)p));
    for (uint64_t k = 0; k < 4; k++) {
      bool hit;
      l2_tags_pin(&t, access_tags(&t, 4 * k + 1, false, &hit));
    }
    assert_int_equal(l2_tags_victim(&t, 1001), 4);
    t.line[4].mshr = 3;
    assert_int_equal(l2_tags_victim(&t, 1001), 5);
    t.line[5].mshr = 4;
    assert_int_equal(l2_tags_victim(&t, 1001), 6);
    l2_tags_fill(&t, 6, 1001, false);
    assert_int_equal(l2_tags_victim(&t, 1005), 6);
    t.line[6].mshr = t.line[7].mshr = 5;
    assert_int_equal(l2_tags_victim(&t, 1005), L2_NO_WAY);
    assert_int_equal(l2_tags_victim(&t, 1002), 8); /* the other sets are empty */
    l2_tags_destroy(&t);
  }
}

static void test_a_demoted_line_goes_first_but_after_empty_ways(void **unused) {
  (void)unused;
  for (int p = L2_REPLACE_LRU; p <= L2_REPLACE_DRRIP; p++) {
    struct l2_tags t;
    assert_true(l2_tags_create(&t, 1, 4, (enum l2_replacement)p));
    hits_of(&t, 0, 3);
    l2_tags_demote(&t, 1);
    assert_int_equal(l2_tags_victim(&t, 50), 3);
    l2_tags_fill(&t, 3, 50, false);
    assert_int_equal(l2_tags_victim(&t, 51), 1);
    l2_tags_touch(&t, 1);
    assert_int_not_equal(l2_tags_victim(&t, 51), 1);
    l2_tags_destroy(&t);
  }
}

/* Nobody missed it: the duel does not count it, and it comes in with 2, whoever leads. */
static void test_a_hint_is_no_miss_of_the_duel(void **unused) {
  (void)unused;
  struct l2_tags t;
  assert_true(l2_tags_create(&t, SETS, WAYS, L2_REPLACE_DRRIP));
  for (uint64_t line = 0; line < LINES; line++) {
    bool hit;
    uint32_t at = access_tags(&t, line, true, &hit);
    assert_int_equal(t.line[at].rrpv, L2_RRPV_LONG);
    assert_true(t.line[at].flags & L2_PREFETCHED);
  }
  assert_int_equal(t.selector, L2_PSEL_MAX / 2);
  hits_of(&t, LINES, LINES);
  assert_int_equal(t.selector, L2_PSEL_MAX / 2); /* as many misses for both sides */
  for (uint64_t k = 1; k < 20; k++) hits_of(&t, (uint64_t)SETS * 1000 * k, 1);
  assert_int_equal(t.selector, L2_PSEL_MAX / 2 + 19); /* set 0 leads for SRRIP */
  l2_tags_destroy(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_drrip_is_its_definition_step_by_step),
    cmocka_unit_test(test_lru_is_a_queue_of_lines),
    cmocka_unit_test(test_both_keep_what_fits),
    cmocka_unit_test(test_what_is_too_large_stays_in_part_with_drrip),
    cmocka_unit_test(test_a_scan_leaves_what_is_used_with_drrip),
    cmocka_unit_test(test_pinned_lines_outlast_any_stream),
    cmocka_unit_test(test_when_all_are_pinned_the_first_way_goes),
    cmocka_unit_test(test_a_demoted_line_goes_first_but_after_empty_ways),
    cmocka_unit_test(test_a_hint_is_no_miss_of_the_duel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
