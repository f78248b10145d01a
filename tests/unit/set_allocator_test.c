/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Has each physical set one owner? Against a list of owners: sets are taken and given back at random, also by those who do not have them. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "set_allocator_ports.h"

BLOCK_BENCH(set_allocator);

enum { SEED = 0x5e7, CYCLES = 40000, SETS_MAX = 512 };

static int lowest_free(const bool held[], int sets) {
  for (int set = 0; set < sets; set++)
    if (!held[set]) return set;
  return -1;
}

static int free_sets(const bool held[], int sets) {
  int n = 0;
  for (int set = 0; set < sets; set++) n += !held[set];
  return n;
}

static void check_owners(int sets) {
  bool held[SETS_MAX] = {false};
  int none = 0, twice = 0, whole = 0;
  struct bench b;
  struct rng g;
  rng_seed(&g, SEED);
  bench_open(&b, (struct set_allocator_cfg){.N = sets});
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    bool fills = cycle / 1024 % 2 == 0; /* phases in which most sets are taken, or come back */
    int lowest = lowest_free(held, sets), comes = (int)rng_below(&g, (uint32_t)sets);
    b.in.alloc_en = rng_below(&g, 4) < (fills ? 3U : 1U);
    b.in.free_en = rng_below(&g, 4) < (fills ? 1U : 3U);
    b.in.free_set = (uint16_t)comes;
    bool takes = b.in.alloc_en, frees = b.in.free_en;
    bench_cycle(&b);
    assert_int_equal(b.out.valid, lowest >= 0);
    assert_int_equal(b.out.set, lowest >= 0 ? lowest : 0);
    assert_int_equal(b.out.count, free_sets(held, sets));
    none += lowest < 0;
    whole += free_sets(held, sets) == sets;
    twice += frees && !held[comes];
    bool was_held = held[comes];
    if (takes && lowest >= 0) held[lowest] = true;
    if (frees && was_held) held[comes] = false;
  }
  assert_true(none && twice && whole);
  bench_close(&b);
}

static void test_a_set_has_one_owner(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  check_owners(512);
  check_owners(256);
  check_owners(48);
  check_owners(20);
}

/* A fresh resource is given out in order, each set once, and then there is no other. */
static void test_all_sets_are_given_once(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct set_allocator_cfg){.N = 48});
  for (int set = 0; set < 48; set++) {
    b.in.alloc_en = 1;
    bench_cycle(&b);
    assert_int_equal(b.out.set, set);
    assert_int_equal(b.out.count, 48 - set);
  }
  b.in.alloc_en = 1, b.in.free_en = 1, b.in.free_set = 17;
  bench_cycle(&b);
  assert_int_equal(b.out.valid, 0); /* a set is offered one cycle after it came back */
  assert_int_equal(b.out.count, 0);
  bench_cycle(&b);
  assert_int_equal(b.out.set, 17);
  assert_int_equal(b.out.count, 1);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_set_has_one_owner),
    cmocka_unit_test(test_all_sets_are_given_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
