/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Does the assist warp store give each routine's instructions in order, and no others? Against lists of words, for routines that fill the
 * store of 4 KB, read through two words at a time. */
#include "base/rng.h"
#include "caba_aws_ports.h"
#include "kit/block_bench.h"

BLOCK_BENCH(caba_aws);

enum { SEED = 0xa35, WORDS = 512, ROUTINES = 32, LEN_MAX = 255 };

static struct caba_aws_cfg sizes(void) { return (struct caba_aws_cfg){.WORDS = WORDS, .ROUTINES = ROUTINES}; }

/* Loads routines of random lengths one behind the other, until the store is full. */
static int load_routines(struct bench *b, struct rng *g, uint64_t *word, int *base, int *len) {
  int n = 0, at = 0;
  for (; n < ROUTINES && at < WORDS; n++) {
    base[n] = at;
    len[n] = n == ROUTINES - 1 ? WORDS - at : 1 + (int)rng_below(g, 31);
    if (len[n] > LEN_MAX) len[n] = LEN_MAX;
    if (at + len[n] > WORDS) len[n] = WORDS - at;
    b->in.dir_en = 1, b->in.dir_sr = (uint8_t)n;
    b->in.dir_base = (uint16_t)at, b->in.dir_len = (uint8_t)len[n];
    bench_cycle(b);
    for (int i = 0; i < len[n]; i++, at++) {
      word[at] = rng_u64(g);
      b->in.ld_en = 1, b->in.ld_at = (uint16_t)at, b->in.ld_word = word[at];
      bench_cycle(b);
    }
  }
  return n;
}

static void test_a_routine_is_read_in_order_to_its_end(void **unused) {
  (void)unused;
  uint64_t word[WORDS];
  int base[ROUTINES], len[ROUTINES], odd = 0, alone = 0;
  struct bench b;
  struct rng g;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  bench_open(&b, sizes());
  int n = load_routines(&b, &g, word, base, len);
  for (int round = 0; round < 4 * n; round++) {
    int r = (int)rng_below(&g, (uint32_t)n), inst = 0, got = 0;
    while (inst < len[r]) {
      b.in.rd_en = 1, b.in.rd_sr = (uint8_t)r, b.in.rd_inst = (uint8_t)inst;
      bench_cycle(&b);
      bench_cycle(&b); /* no read: the words of the one before */
      assert_int_equal(b.out.n, len[r] - inst > 1 ? 2 : 1);
      assert_int_equal(b.out.last, inst + b.out.n == len[r]);
      assert_true(b.out.word0 == word[base[r] + inst]);
      assert_true(b.out.word1 == (b.out.n == 2 ? word[base[r] + inst + 1] : 0));
      odd += b.out.n == 2 && (base[r] + inst) % 2;
      alone += b.out.n == 1;
      inst += b.out.n, got += b.out.n;
    }
    assert_int_equal(got, len[r]);
  }
  assert_true(odd && alone && n > 10);
  bench_close(&b);
}

/* Reads in cycles that follow each other answer in order, one a cycle. */
static void test_a_read_each_cycle(void **unused) {
  (void)unused;
  uint64_t word[WORDS];
  int base[ROUTINES], len[ROUTINES];
  struct bench b;
  struct rng g;
  rng_seed(&g, SEED + 1);
  bench_open(&b, sizes());
  int n = load_routines(&b, &g, word, base, len), was = -1;
  for (int cycle = 0; cycle < 1000; cycle++) {
    int r = (int)rng_below(&g, (uint32_t)n);
    b.in.rd_en = 1, b.in.rd_sr = (uint8_t)r, b.in.rd_inst = (uint8_t)(len[r] - 1);
    bench_cycle(&b);
    assert_int_equal(b.out.busy, was >= 0);
    if (was >= 0) assert_true(b.out.n == 1 && b.out.last && b.out.word0 == word[base[was] + len[was] - 1]);
    was = r;
  }
  bench_close(&b);
}

static void test_nothing_is_there_after_clearing(void **unused) {
  (void)unused;
  uint64_t word[WORDS];
  int base[ROUTINES], len[ROUTINES];
  struct bench b;
  struct rng g;
  rng_seed(&g, SEED + 2);
  bench_open(&b, sizes());
  int n = load_routines(&b, &g, word, base, len);
  b.in.clear_en = 1;
  bench_cycle(&b);
  b.in.dir_en = 1, b.in.dir_sr = 3, b.in.dir_base = 8, b.in.dir_len = 4;
  bench_cycle(&b);
  for (int r = 0; r <= n; r++) {
    b.in.rd_en = 1, b.in.rd_sr = (uint8_t)(r % ROUTINES), b.in.rd_inst = 2;
    bench_cycle(&b);
    bench_cycle(&b);
    assert_int_equal(b.out.n, r % ROUTINES == 3 ? 2 : 0); /* entered anew: its words are not */
    assert_true(b.out.word0 == 0 && b.out.word1 == 0);
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_routine_is_read_in_order_to_its_end),
    cmocka_unit_test(test_a_read_each_cycle),
    cmocka_unit_test(test_nothing_is_there_after_clearing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
