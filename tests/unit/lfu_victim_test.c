/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Is the victim the set that was used least? Against a list of counters, searched one after the other. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "lfu_victim_ports.h"

BLOCK_BENCH(lfu_victim);

enum { SEED = 0x1f0, CYCLES = 20000, SETS_MAX = 512, EPOCH = 100, WORD = 32 };

static bool has(const uint32_t *v, int set) { return v[set / WORD] >> set % WORD & 1; }
static void put(uint32_t *v, int set) { v[set / WORD] |= 1U << set % WORD; }

/* By hand: sets 3 and 5 of those that may be spilled are used least; the lower one goes, unless the other one is preferred. */
static void test_least_used_and_preferred(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct lfu_victim_cfg){.N = 48, .EPOCH = EPOCH, .FRESH = 0});
  for (int n = 0; n < 7; n++) {
    for (int set = 0; set < 48; set++)
      if (n < 2 || (set != 3 && set != 5)) put(b.in.touch, set);
    bench_cycle(&b);
  }
  for (int set = 2; set < 48; set++) put(b.in.may, set);
  bench_cycle(&b);
  assert_int_equal(b.out.set, 3);
  assert_int_equal(b.out.uses, 2);
  for (int set = 2; set < 48; set++) put(b.in.may, set);
  put(b.in.prefer, 5), put(b.in.prefer, 0), put(b.in.prefer, 9);
  bench_cycle(&b);
  assert_int_equal(b.out.set, 5);
  put(b.in.may, 7), put(b.in.may, 8), put(b.in.prefer, 8);
  b.in.run = EPOCH; /* 7 accesses become 3 */
  bench_cycle(&b);
  assert_int_equal(b.out.set, 8);
  assert_int_equal(b.out.uses, 7);
  put(b.in.may, 8);
  bench_cycle(&b);
  assert_int_equal(b.out.uses, 3);
  bench_cycle(&b);
  assert_int_equal(b.out.valid, 0);
  bench_close(&b);
}

struct oracle {
  int sets, cycle, count[SETS_MAX];
};

static int least(const struct oracle *o, const struct lfu_victim_in *in) {
  int best = -1, best_key = 0;
  for (int set = 0; set < o->sets; set++) {
    int key = o->count[set] + (has(in->prefer, set) ? 0 : 100);
    if (!has(in->may, set) || (best >= 0 && key >= best_key)) continue;
    best = set, best_key = key;
  }
  return best;
}

static void oracle_tick(struct oracle *o, const struct lfu_victim_in *in, int fresh) {
  bool ends = o->cycle + in->run >= EPOCH;
  o->cycle = (o->cycle + in->run) % EPOCH;
  for (int set = 0; set < o->sets; set++) {
    if (ends) o->count[set] /= 2;
    if (has(in->touch, set) && o->count[set] < 15) o->count[set]++;
  }
  if (in->new_en) o->count[in->new_set] = fresh;
}

static void check_random(int sets, int fresh) {
  struct bench b;
  struct rng g;
  struct oracle o = {.sets = sets};
  int chosen[16] = {0};
  rng_seed(&g, SEED);
  bench_open(&b, (struct lfu_victim_cfg){.N = sets, .EPOCH = EPOCH, .FRESH = fresh});
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    int few = cycle / 500 % 3;
    for (int set = 0; set < sets; set++) {
      if (rng_below(&g, few == 0 ? 30 : 2) == 0) put(b.in.may, set);
      if (rng_below(&g, 8) == 0) put(b.in.prefer, set);
      if (rng_below(&g, few == 1 ? 2 : 6) == 0) put(b.in.touch, set);
    }
    b.in.run = (uint16_t)rng_below(&g, 4);
    b.in.new_en = rng_below(&g, 3) == 0;
    b.in.new_set = (uint16_t)rng_below(&g, (uint32_t)sets);
    struct lfu_victim_in in = b.in;
    int victim = least(&o, &in);
    bench_cycle(&b);
    assert_int_equal(b.out.valid, victim >= 0);
    if (victim >= 0) {
      assert_int_equal(b.out.set, victim);
      assert_int_equal(b.out.uses, o.count[victim]);
      chosen[o.count[victim]]++;
    }
    oracle_tick(&o, &in, fresh);
  }
  assert_true(chosen[0] && chosen[5] && chosen[15]);
  bench_close(&b);
}

static void test_against_a_list_of_counters(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  check_random(512, 3);
  check_random(256, 0);
  check_random(48, 8);
  check_random(20, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_least_used_and_preferred),
    cmocka_unit_test(test_against_a_list_of_counters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
