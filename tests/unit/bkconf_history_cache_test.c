/* SPDX-License-Identifier: Apache-2.0 */
/* slice: elastic */
/* Does the history cache answer with what an instruction's last execution took, and forget all of it at a flush? The
 * cycle vectors are worked out by hand from Gou & Gaydadjiev 2011, section 4.2; the random test holds lists of
 * instructions in the order of their use instead of bits. */
#include "base/rng.h"
#include "bkconf_history_cache_ports.h"
#include "kit/block_bench.h"
#include "kit/oracle.h"

enum { SEED = 0xe1a571c, MISS = -1, NO_ANSWER = -2 };

BLOCK_BENCH(bkconf_history_cache);

static struct bkconf_history_cache_cfg sized(int32_t sets, int32_t ways) {
  return (struct bkconf_history_cache_cfg){.PCW = 14, .SETS = sets, .WAYS = ways, .DW = 5};
}

static void put_lookup(struct bench *b, uint32_t pc) { b->in.lk_valid = 1, b->in.lk_pc = (uint16_t)pc; }
static void put_update(struct bench *b, uint32_t pc, uint32_t degree) {
  b->in.up_valid = 1, b->in.up_pc = (uint16_t)pc, b->in.up_degree = (uint8_t)degree;
}

/* Runs the cycle put together; returns what it answers: the degree, MISS or NO_ANSWER. */
static int cycle(struct bench *b) {
  const struct bkconf_history_cache_out *out = bench_cycle(b);
  assert_int_equal(out->ev_hit, out->lk_hit);
  assert_int_equal(out->ev_miss, out->rs_valid && !out->lk_hit);
  if (!out->lk_hit) assert_int_equal(out->lk_degree, 0);
  return !out->rs_valid ? NO_ANSWER : out->lk_hit ? out->lk_degree : MISS;
}

static void update(struct bench *b, uint32_t pc, uint32_t degree) {
  put_update(b, pc, degree);
  cycle(b);
}

static int lookup(struct bench *b, uint32_t pc) {
  put_lookup(b, pc);
  cycle(b);
  return cycle(b);
}

/* Section 4.2 and table 2: conflict degrees 1,1,1,1 / 2,1,3,1 / 2,2,2,2 / 8,8,8,8 are stored less the four issue slots. */
static void test_the_last_degree_is_answered_one_cycle_after_the_lookup(void **unused) {
  (void)unused;
  static const uint32_t stored[] = {0, 3, 4, 28};
  struct bench b;
  bench_open(&b, sized(256, 2));
  for (uint32_t i = 0; i < 4; i++) update(&b, 100 + i, stored[i]);
  for (uint32_t i = 0; i < 4; i++) {
    put_lookup(&b, 100 + i);
    assert_int_equal(cycle(&b), NO_ANSWER);
    assert_int_equal(cycle(&b), stored[i]);
  }
  update(&b, 103, 7);
  assert_int_equal(lookup(&b, 103), 7);
  assert_int_equal(lookup(&b, 104), MISS);
  bench_close(&b);
}

static void test_a_lookup_sees_the_update_of_its_own_cycle(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(256, 2));
  put_lookup(&b, 9), put_update(&b, 9, 21);
  cycle(&b);
  assert_int_equal(cycle(&b), 21); /* just allocated */
  put_lookup(&b, 9), put_update(&b, 9, 4);
  cycle(&b);
  put_lookup(&b, 9), put_update(&b, 9, 5); /* a second one behind it */
  assert_int_equal(cycle(&b), 4);
  put_lookup(&b, 9);
  assert_int_equal(cycle(&b), 5);
  assert_int_equal(cycle(&b), 5);
  bench_close(&b);
}

/* PCs 256 apart share a set. */
static void test_the_least_recently_used_way_goes(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(256, 2));
  update(&b, 3, 1), update(&b, 3 + 256, 2);
  assert_int_equal(lookup(&b, 3), 1); /* used: the other is the older one now */
  put_update(&b, 3 + 512, 3);
  cycle(&b);
  cycle(&b);
  assert_true(b.out.ev_alloc && b.out.ev_evict);
  assert_int_equal(lookup(&b, 3), 1);
  assert_int_equal(lookup(&b, 3 + 512), 3);
  assert_int_equal(lookup(&b, 3 + 256), MISS);
  bench_close(&b);
}

static void test_in_one_cycle_the_lookup_is_the_earlier_use(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(256, 2));
  update(&b, 3, 1), update(&b, 3 + 256, 2);
  put_lookup(&b, 3), put_update(&b, 3 + 512, 3); /* 3 was the oldest; its use comes first, so 259 goes */
  cycle(&b);
  assert_int_equal(cycle(&b), 1);
  assert_int_equal(lookup(&b, 3), 1);
  assert_int_equal(lookup(&b, 3 + 256), MISS);
  bench_close(&b);
}

static void test_what_is_evicted_in_the_cycle_of_the_lookup_misses(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(256, 1)); /* one way: nothing else to evict */
  update(&b, 3, 1);
  put_lookup(&b, 3), put_update(&b, 3 + 256, 2);
  cycle(&b);
  assert_int_equal(cycle(&b), MISS);
  bench_close(&b);
}

static void test_a_flush_leaves_nothing(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(256, 2));
  for (uint32_t pc = 0; pc < 600; pc++) update(&b, pc, pc % 32);
  put_lookup(&b, 599), put_update(&b, 700, 9);
  cycle(&b);                                                   /* pending when the flush comes */
  b.in.flush = 1, put_lookup(&b, 598), put_update(&b, 701, 8); /* beside it */
  assert_int_equal(cycle(&b), MISS);
  assert_int_equal(cycle(&b), MISS);
  for (uint32_t pc = 0; pc < 702; pc++) assert_int_equal(lookup(&b, pc), MISS);
  bench_close(&b);
}

/* 16K instructions of section 4.2 share 14 bits; table 2: 256 sets of two ways, (6 + 5) x 512 bits = 704 bytes. */
static void test_the_published_cache_holds_704_bytes_and_ours_800(void **unused) {
  (void)unused;
  const int32_t p[] = {14, 256, 2, 5};
  uint32_t entries = 0, held = 0;
  for (uint32_t i = 0; i < bkconf_history_cache_desc.n_regs; i++) {
    const struct block_field *f = &bkconf_history_cache_desc.regs[i];
    uint32_t bits = f->width(p) * (f->depth ? f->depth(p) : 1);
    if (!strcmp(f->name, "rows_q")) entries = bits;
    if (!strcmp(f->name, "rows_q") || !strcmp(f->name, "valid_q") || !strcmp(f->name, "lru_q")) held += bits;
  }
  assert_int_equal(entries, 704 * 8);
  assert_int_equal(held, 800 * 8);
}

/* A set as a list, the most recently used first; true LRU, so for one and two ways only. */
struct list {
  uint32_t n;
  struct entry {
    uint32_t pc, degree;
  } of[2];
};

static int list_find(const struct list *l, uint32_t pc) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->of[i].pc == pc) return (int)i;
  return -1;
}

static void list_put(struct list *l, uint32_t ways, int from, struct entry entry) {
  uint32_t last = from >= 0 ? (uint32_t)from : l->n < ways ? l->n++ : ways - 1;
  for (uint32_t i = last; i > 0; i--) l->of[i] = l->of[i - 1];
  l->of[0] = entry;
}

static void random_against_lists(int32_t sets, int32_t ways, uint32_t seed) {
  struct bench b;
  struct list *lists = calloc((size_t)sets, sizeof *lists);
  struct rng rng;
  int expect = NO_ANSWER;
  rng_seed(&rng, seed);
  bench_open(&b, sized(sets, ways));
  for (int i = 0; i < 60000; i++) {
    uint32_t go = rng_below(&rng, 2000), lk = rng_below(&rng, 4 * (uint32_t)sets),
             up = rng_below(&rng, 4 * (uint32_t)sets);
    struct list *l = &lists[lk % (uint32_t)sets], *u = &lists[up % (uint32_t)sets];
    int next = NO_ANSWER;
    if (go & 1) put_lookup(&b, lk);
    if (go & 2) put_update(&b, up, go & 31);
    b.in.flush = go == 1999;
    if (go == 1999) memset(lists, 0, (size_t)sets * sizeof *lists);
    if ((go & 1) && list_find(l, lk) >= 0) list_put(l, (uint32_t)ways, list_find(l, lk), l->of[list_find(l, lk)]);
    if ((go & 2) && go != 1999) list_put(u, (uint32_t)ways, list_find(u, up), (struct entry){up, go & 31});
    if (go & 1) next = list_find(l, lk) >= 0 ? (int)l->of[list_find(l, lk)].degree : MISS;
    if (go == 1999 && expect != NO_ANSWER) expect = MISS;
    assert_int_equal(cycle(&b), expect);
    expect = next;
  }
  bench_close(&b);
  free(lists);
}

static void test_random_operations_agree_with_lists_in_order_of_use(void **unused) {
  (void)unused;
  print_message("seed %#x\n", (unsigned)SEED);
  random_against_lists(4, 2, SEED);
  random_against_lists(16, 2, SEED + 1);
  random_against_lists(8, 1, SEED + 2);
}

static void test_random_cycles_agree_with_sets_of_entries_and_ages(void **unused) {
  (void)unused;
  assert_oracle_agrees(&bkconf_history_cache_desc, &bkconf_history_cache_oracle, SEED, 40000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_last_degree_is_answered_one_cycle_after_the_lookup),
    cmocka_unit_test(test_a_lookup_sees_the_update_of_its_own_cycle),
    cmocka_unit_test(test_the_least_recently_used_way_goes),
    cmocka_unit_test(test_in_one_cycle_the_lookup_is_the_earlier_use),
    cmocka_unit_test(test_what_is_evicted_in_the_cycle_of_the_lookup_misses),
    cmocka_unit_test(test_a_flush_leaves_nothing),
    cmocka_unit_test(test_the_published_cache_holds_704_bytes_and_ours_800),
    cmocka_unit_test(test_random_operations_agree_with_lists_in_order_of_use),
    cmocka_unit_test(test_random_cycles_agree_with_sets_of_entries_and_ages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
