/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Is the range that the checker gets never too small, and in the end the footprint? Footprints by multiplication and
 * division, from Jamshidi 2014, 4.2 and the specification's formulas. */
#include "base/rng.h"
#include "d2ma_footprint_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0xf007, SHARED = 65536, LIMIT = 40, HALO = 1, BANK = 2 };

BLOCK_BENCH(d2ma_footprint);

struct buffer {
  uint32_t sbase, columns, rows, esz, dim2, mode, hrows, hcols;
};

static uint64_t span(const struct buffer *e, uint32_t banks) {
  uint64_t bytes = 1U << e->esz, rows = e->dim2 ? e->rows : 1, total = rows * e->columns * bytes;
  if (!total) return 0;
  if (e->mode == HALO) return (rows + 2 * e->hrows) * (e->columns + 2 * e->hcols) * bytes;
  if (e->mode != BANK || !e->hrows) return total;
  return total + (bytes > 4 ? bytes : 4) * ((total - 1) / ((uint64_t)e->hrows * banks * 4));
}

static void operation(struct bench *b, uint32_t cta, uint32_t buf, uint32_t sbase, bool go) {
  b->in.wr_en = 1, b->in.wr_cta = (uint8_t)cta, b->in.wr_buf = (uint8_t)buf;
  b->in.wr_go = go, b->in.wr_sbase = (uint16_t)sbase;
  bench_cycle(b);
}

static void answer(struct bench *b, const struct buffer *e) {
  b->in.rd_ok = 1, b->in.sbase = (uint16_t)e->sbase, b->in.esz = (uint8_t)e->esz, b->in.dim2 = (uint8_t)e->dim2;
  b->in.mode = (uint8_t)e->mode, b->in.hrows = (uint16_t)e->hrows, b->in.hcols = (uint16_t)e->hcols;
  b->in.count = (uint16_t)(e->dim2 ? e->rows << 8 | e->columns : e->columns);
}

/* Runs until the footprint is written; answers reads with the buffer. Returns the cycles since the answer. */
static uint32_t await(struct bench *b, const struct buffer *e) {
  uint32_t since = 0;
  for (uint32_t i = 0; i < LIMIT; i++) {
    bench_settle(b);
    if (b->out.ck_known) return since;
    if (b->out.rd_en) answer(b, e), since = 0;
    bench_tick(b);
    memset(&b->in, 0, sizeof b->in);
    since++;
  }
  fail_msg("no footprint after %d cycles", LIMIT);
  return 0;
}

/* A buffer that the controllers would not refuse. */
static struct buffer legal(struct rng *g, uint32_t banks) {
  for (;;) {
    struct buffer e = {.esz = rng_below(g, 4), .dim2 = rng_below(g, 2), .mode = rng_below(g, 4)};
    e.columns = rng_below(g, e.dim2 ? 256 : 1U << (1 + rng_below(g, 16)));
    e.rows = rng_below(g, 256);
    if (rng_percent(g, 20)) e.columns = rng_below(g, 3) * banks >> e.esz;
    if (e.dim2) e.columns &= 255;
    e.hrows = e.mode == HALO ? rng_below(g, e.dim2 ? e.rows + 1 : 2) : rng_below(g, rng_percent(g, 50) ? 4 : 65536);
    e.hcols = e.mode == HALO ? rng_below(g, e.columns + 1) : rng_below(g, 65536);
    uint64_t bytes = span(&e, banks);
    if (bytes > SHARED) continue;
    e.sbase = rng_below(g, SHARED + 1 - (uint32_t)bytes) & ~7u;
    if (e.sbase < SHARED) return e;
  }
}

static void test_the_footprint_is_that_of_multiplication_and_division(void **state) {
  (void)state;
  static const int32_t banks[3] = {32, 16, 2};
  struct rng g;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  for (uint32_t i = 0; i < 30000; i++) {
    struct bench b;
    int32_t nb = banks[i % 3];
    struct buffer e = legal(&g, (uint32_t)nb);
    uint32_t cta = rng_below(&g, 8), buf = rng_below(&g, 4), sum = 0;
    bench_open(&b, (struct d2ma_footprint_cfg){.CTAS = 8, .BUFS = 4, .NB = nb});
    operation(&b, cta, buf, e.sbase, true);
    bench_settle(&b); /* the wide range, in the next cycle */
    assert_true(b.out.ck_wr && !b.out.ck_known && b.out.ck_cta == cta && b.out.ck_buf == buf);
    assert_int_equal(b.out.ck_sbase, e.sbase);
    assert_int_equal(b.out.ck_foot, SHARED - e.sbase);
    assert_int_equal(b.out.wide, UINT64_C(1) << (cta * 4 + buf));
    uint32_t cycles = await(&b, &e), height = e.dim2 ? e.rows : 1, bits = 0;
    assert_true(b.out.ck_wr && b.out.ck_cta == cta && b.out.ck_buf == buf && b.out.ck_sbase == e.sbase);
    assert_int_equal(b.out.ck_foot, span(&e, (uint32_t)nb));
    assert_int_equal(b.out.wide, UINT64_C(1) << (cta * 4 + buf));
    for (sum = height + (e.mode == HALO ? 2 * e.hrows : 0); sum > 1; sum /= 2) bits++;
    assert_true(cycles >= 3 + bits); /* rows by shift and add */
    bench_tick(&b);
    bench_settle(&b);
    assert_false(b.out.wide || b.out.busy || b.out.ck_wr);
    bench_close(&b);
  }
}

static void test_entries_are_computed_one_by_one_and_again_after_an_operation(void **state) {
  (void)state;
  struct bench b;
  struct buffer first = {.sbase = 64, .columns = 10, .rows = 3, .dim2 = 1, .esz = 2};
  struct buffer second = {.sbase = 512, .columns = 100}, third = {.sbase = 1024, .columns = 7, .esz = 1};
  bench_open(&b, (struct d2ma_footprint_cfg){.CTAS = 3, .BUFS = 2, .NB = 32});
  operation(&b, 2, 1, second.sbase, true);
  operation(&b, 0, 1, first.sbase, true);
  operation(&b, 1, 1, first.sbase, false); /* refused */
  bench_settle(&b);
  assert_true(b.out.wide == (1 << 5 | 1 << 1) && b.out.rd_en && b.out.rd_cta == 2); /* chosen first, not yet read */
  await(&b, &second);
  assert_true(b.out.ck_cta == 2 && b.out.ck_foot == 100);
  bench_tick(&b);
  bench_cycle(&b); /* chooses */
  answer(&b, &first);
  assert_true(bench_cycle(&b)->rd_en && b.out.rd_cta == 0 && b.out.rd_buf == 1);
  operation(&b, 0, 1, third.sbase, true); /* while it is computed */
  bench_settle(&b);
  assert_true(b.out.ck_wr && !b.out.ck_known && b.out.ck_sbase == third.sbase && b.out.wide == 1 << 1);
  await(&b, &third);
  assert_true(b.out.ck_cta == 0 && b.out.ck_foot == 14 && b.out.ck_sbase == third.sbase);
  bench_close(&b);
}

static void test_the_vectors_of_the_specification(void **state) {
  (void)state;
  static const struct {
    struct buffer e;
    uint32_t foot;
  } vector[] = {{{.columns = 64, .esz = 2}, 256},
                {{.columns = 32, .rows = 32, .dim2 = 1, .esz = 2, .mode = BANK, .hrows = 1}, 4220},
                {{.columns = 16, .rows = 16, .dim2 = 1, .esz = 2, .mode = HALO, .hrows = 1, .hcols = 1}, 1296},
                {{.columns = 0, .esz = 2}, 0},
                {{.columns = 8, .rows = 0, .dim2 = 1}, 0}};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    struct bench b;
    bench_open(&b, (struct d2ma_footprint_cfg){.CTAS = 8, .BUFS = 4, .NB = 32});
    operation(&b, 0, 0, 0, true);
    await(&b, &vector[i].e);
    assert_int_equal(b.out.ck_foot, vector[i].foot);
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_footprint_is_that_of_multiplication_and_division),
    cmocka_unit_test(test_entries_are_computed_one_by_one_and_again_after_an_operation),
    cmocka_unit_test(test_the_vectors_of_the_specification),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
