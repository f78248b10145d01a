/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does the prefetch engine offer the lines that the thesis' formula gives? Against lists: the CTAs on the SM with their tiles, of which
 * the distinct ones are counted by sorting, and the lines that wait, in the order of their misses. Distances are the thesis' quotient,
 * worked out here by a division. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "pf_agen_ports.h"

#include <stdlib.h>

BLOCK_BENCH(pf_agen);

enum { SEED = 0x9fa, SLOTS = 8, ROWS = 16, FIFO = 8, PAW = 48, CYCLES = 60000, NONE = -1 };
enum { L1_BYTES = 32768, LINE_BYTES = 128, NEXT_LINE = 1, BY_STRIDE = 2 };

struct structure {
  uint64_t base, limit; /* bytes */
  uint32_t tile_width, stride;
};

struct world {
  struct structure row[ROWS];
  int tile[SLOTS][ROWS]; /* NONE: no CTA */
  uint64_t waits[FIFO];  /* lines, the oldest first */
  int n_waits;
  int shared, lost, outside, twice, offered;
};

/* pf = addr + (L1 bytes / (n * tile width)) * stride, with a quotient of at least 1. */
static uint64_t thesis_distance(const struct structure *row, int n) {
  uint64_t quotient = L1_BYTES / ((uint64_t)n * row->tile_width);
  return (quotient ? quotient : 1) * row->stride;
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int distinct_tiles(struct world *w, int row) {
  int found[SLOTS], n = 0, distinct = 0;
  for (int slot = 0; slot < SLOTS; slot++)
    if (w->tile[slot][0] != NONE) found[n++] = w->tile[slot][row];
  qsort(found, (size_t)n, sizeof *found, by_value);
  for (int i = 0; i < n; i++) distinct += i == 0 || found[i] != found[i - 1];
  w->shared += distinct < n;
  return distinct;
}

static void set_row(struct bench *b, int row, const struct structure *s) {
  b->in.set_en = 1, b->in.set_row = (uint8_t)row;
  b->in.set_base = s->base / LINE_BYTES, b->in.set_limit = s->limit / LINE_BYTES;
  for (int n = 1; n <= SLOTS; n++) b->in.set_dist[n - 1] = (uint32_t)thesis_distance(s, n);
}

static void fill_rows(struct bench *b, struct rng *g, struct world *w) {
  uint64_t at = UINT64_C(1) << 44;
  for (int row = 0; row < ROWS; row++) {
    struct structure *s = &w->row[row];
    s->base = at, s->limit = at += (1 + rng_below(g, 400)) * LINE_BYTES;
    s->tile_width = 128U << rng_below(g, 8), s->stride = 64 + rng_below(g, 3000);
    set_row(b, row, s);
    bench_cycle(b);
  }
}

/* Draws what CTAs do in a cycle; the end comes first. */
static void draw_ctas(struct bench *b, struct rng *g, struct world *w) {
  int slot = (int)rng_below(g, SLOTS), other = (int)rng_below(g, SLOTS);
  if (rng_below(g, 8) == 0) {
    b->in.end_en = 1, b->in.end_slot = (uint8_t)slot;
    for (int row = 0; row < ROWS; row++) w->tile[slot][row] = NONE;
  }
  if (rng_below(g, 4) == 0) {
    bool taken = w->tile[other][0] != NONE;
    b->in.start_en = 1, b->in.start_slot = (uint8_t)other;
    for (int row = 0; row < ROWS; row++) {
      uint32_t tile = rng_below(g, 4) << (row % 15);
      b->in.start_tile[row / 2] |= tile << 16 * (row % 2);
      if (!taken) w->tile[other][row] = (int)tile;
    }
  }
}

/* The line of a miss one cycle ago, or none, goes to the list. */
static bool expect_line(struct world *w, const struct structure *row, uint64_t addr) {
  uint64_t line = addr / LINE_BYTES;
  if (addr < row->base || addr >= row->limit) return w->outside++, false;
  for (int i = 0; i < w->n_waits; i++)
    if (w->waits[i] == line) return w->twice++, false;
  if (w->n_waits == FIFO) return w->lost++, true;
  w->waits[w->n_waits++] = line;
  return false;
}

static void test_lines_are_those_of_the_formula(void **unused) {
  (void)unused;
  static struct world w;
  struct bench b;
  struct rng g;
  struct structure *was = NULL;
  uint64_t was_addr = 0;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  memset(&w, 0, sizeof w);
  for (int slot = 0; slot < SLOTS; slot++)
    for (int row = 0; row < ROWS; row++) w.tile[slot][row] = NONE;
  bench_open(&b, (struct pf_agen_cfg){.SLOTS = SLOTS, .ROWS = ROWS, .FIFO = FIFO, .PAW = PAW});
  fill_rows(&b, &g, &w);
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    uint32_t row = rng_below(&g, 3) * 7, pf = rng_below(&g, 4);
    struct structure *s = &w.row[row];
    uint64_t addr = s->base + rng_u64(&g) % (s->limit - s->base), first = w.n_waits ? w.waits[0] : 0;
    bool offers = w.n_waits != 0, miss = rng_below(&g, 2);
    int n = distinct_tiles(&w, (int)row);
    b.in.pf_ready = rng_below(&g, cycle & 4096 ? 2 : 8) == 0;
    b.in.miss_en = miss, b.in.miss_row = (uint8_t)row, b.in.miss_addr = addr, b.in.miss_pf = (uint8_t)pf;
    bool takes = offers && b.in.pf_ready, lost = was && expect_line(&w, was, was_addr);
    draw_ctas(&b, &g, &w);
    bench_cycle(&b);
    assert_int_equal(b.out.pf_valid, offers);
    assert_int_equal(b.out.pf_line, first);
    assert_int_equal(b.out.lost, lost);
    assert_int_equal(b.out.busy, offers || was);
    if (takes) memmove(w.waits, w.waits + 1, (size_t)--w.n_waits * sizeof *w.waits), w.offered++;
    was = miss && (pf == NEXT_LINE || pf == BY_STRIDE) ? s : NULL;
    was_addr = addr + (pf == NEXT_LINE ? LINE_BYTES : thesis_distance(s, n ? n : 1));
  }
  assert_true(w.shared && w.lost && w.outside && w.twice && w.offered > CYCLES / 20);
  bench_close(&b);
}

/* The thesis' example: an L1 of 32 KB and tiles 2 KB wide. Four active tiles prefetch four strides ahead, eight two. */
static void test_more_tiles_prefetch_less_far(void **unused) {
  (void)unused;
  static const struct structure s = {.base = 0, .limit = 1U << 30, .tile_width = 2048, .stride = 8192};
  struct bench b;
  bench_open(&b, (struct pf_agen_cfg){.SLOTS = SLOTS, .ROWS = ROWS, .FIFO = FIFO, .PAW = PAW});
  set_row(&b, 5, &s);
  bench_cycle(&b);
  for (uint32_t slot = 0; slot < SLOTS; slot++) {
    b.in.start_en = 1, b.in.start_slot = (uint8_t)slot, b.in.start_tile[2] = slot << 16; /* row 5 */
    bench_cycle(&b);
    b.in.miss_en = 1, b.in.miss_addr = 4096, b.in.miss_row = 5, b.in.miss_pf = BY_STRIDE;
    bench_cycle(&b);
    bench_cycle(&b);
    b.in.pf_ready = 1;
    bench_cycle(&b);
    assert_int_equal(b.out.pf_valid, 1);
    assert_int_equal(b.out.pf_line, (4096 + 16 / (slot + 1) * 8192) / LINE_BYTES);
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_lines_are_those_of_the_formula),
    cmocka_unit_test(test_more_tiles_prefetch_less_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
