/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Does the metadata cache give the bursts that were written last, and is none of them lost on the way to memory? Against an array of all
 * lines: memory takes what is evicted and gives what is fetched. 8 KB of 4 ways reach 4 MB (5.4.3). */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "md_cache_ports.h"

BLOCK_BENCH(md_cache);

enum { SEED = 0x3dca, SETS = 64, WAYS = 4, LINES = 128, LW = 25, OPS = 200000, MDS = 1024, WORDS = 8, IN_WORD = 16 };

struct memory {
  uint32_t data[MDS][WORDS];    /* metadata lines as memory has them */
  uint8_t written[MDS * LINES]; /* bursts less one as they were written last */
  int hits, misses, evicted;
};

static struct md_cache_cfg sizes(void) {
  return (struct md_cache_cfg){.SETS = SETS, .WAYS = WAYS, .LINES = LINES, .LW = LW};
}

/* Memory takes the line that is offered, if there is one. */
static void take_evicted(struct bench *b, struct memory *m) {
  b->in.ev_ready = 1;
  bench_settle(b);
  if (b->out.ev_valid) {
    memcpy(m->data[b->out.ev_line], b->out.ev_data, sizeof m->data[0]);
    m->evicted++;
  }
  bench_tick(b);
  memset(&b->in, 0, sizeof b->in);
}

static void fetch(struct bench *b, struct memory *m, uint32_t md) {
  b->in.fill_valid = 1, b->in.fill_line = md;
  memcpy(b->in.fill_data, m->data[md], sizeof m->data[0]);
  bench_cycle(b);
  take_evicted(b, m);
}

static void request(struct bench *b, struct memory *m, uint32_t line, bool write, uint8_t bursts) {
  for (int attempt = 0; attempt < 2; attempt++) {
    b->in.rq_valid = 1, b->in.rq_line = line, b->in.rq_write = write, b->in.rq_bursts = bursts;
    bench_cycle(b);
    assert_int_equal(b->out.rq_ready, 1);
    if (b->out.hit) break;
    assert_int_equal(attempt, 0);
    m->misses++;
    fetch(b, m, line / LINES);
  }
  m->hits++;
  assert_int_equal(b->out.bursts, m->written[line]);
  if (write) m->written[line] = bursts;
}

static void test_no_metadata_is_lost(void **unused) {
  (void)unused;
  static struct memory m;
  struct bench b;
  struct rng g;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  memset(&m, 0, sizeof m);
  bench_open(&b, sizes());
  for (uint32_t line = 0; line < MDS * LINES; line++) {
    m.written[line] = (uint8_t)rng_below(&g, 4);
    m.data[line / LINES][line % LINES / IN_WORD] |= (uint32_t)m.written[line] << 2 * (line % IN_WORD);
  }
  for (int op = 0; op < OPS; op++) {
    uint32_t near = rng_below(&g, 4) ? 4 * MDS / 16 : MDS; /* most requests are within reach */
    request(&b, &m, rng_below(&g, near * LINES), rng_below(&g, 3) == 0, (uint8_t)rng_below(&g, 4));
  }
  assert_true(m.misses > 1000 && m.evicted > 500 && m.evicted < m.misses);
  bench_close(&b);
}

/* 256 metadata lines of 128 lines of 128 bytes: the first pass over 4 MB misses once for each metadata line, the next ones never. */
static void test_eight_kilobytes_reach_four_megabytes(void **unused) {
  (void)unused;
  static struct memory m;
  struct bench b;
  memset(&m, 0, sizeof m);
  bench_open(&b, sizes());
  assert_int_equal(SETS * WAYS * LINES * 2 / 8, 8192);
  for (int pass = 0; pass < 3; pass++) {
    for (uint32_t line = 0; line < (4U << 20) / 128; line++) request(&b, &m, line, false, 0);
    assert_int_equal(m.misses, SETS * WAYS);
  }
  bench_close(&b);
}

/* Five lines of one set in turn: with four ways and the oldest leaving, each of them misses. */
static void test_the_oldest_leaves(void **unused) {
  (void)unused;
  static struct memory m;
  struct bench b;
  memset(&m, 0, sizeof m);
  bench_open(&b, sizes());
  for (uint32_t i = 0; i < 50; i++) request(&b, &m, i % (WAYS + 1) * SETS * LINES, false, 0);
  assert_int_equal(m.misses, 50);
  for (uint32_t i = 0; i < 50; i++) request(&b, &m, (1 + i % WAYS) * SETS * LINES, false, 0);
  assert_int_equal(m.misses, 50);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_metadata_is_lost),
    cmocka_unit_test(test_eight_kilobytes_reach_four_megabytes),
    cmocka_unit_test(test_the_oldest_leaves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
