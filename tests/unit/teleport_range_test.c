/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* Does the range unit give the lines that equations 2 and 3 name (Lashgar et al. 2018)? The vectors are worked out by hand from the
 * paper's example, threads of a block that read one array (T = 256 threads). */
#include "kit/block_bench.h"
#include "teleport_range_ports.h"

BLOCK_BENCH(teleport_range);

enum { LINES_MOST = 64, THREADS = 256 };

struct lines {
  uint32_t n, cycles; /* cycles: from the one that took the row to the one that ended it */
  uint64_t at[LINES_MOST];
  bool err;
};

static void open_unit(struct bench *b, int32_t wide) { bench_open(b, (struct teleport_range_cfg){.WIDE = wide}); }

/* Threads of block bx: elements T * bx to T * bx + T, T excluded. */
static struct teleport_range_in threads(uint64_t base, uint32_t size, uint32_t bx) {
  return (struct teleport_range_in){.base = base,
                                    .typesize = (uint16_t)size,
                                    .minp = {THREADS, 0, 0},
                                    .maxp = {THREADS, 0, 0},
                                    .maxo = THREADS,
                                    .bx = (uint16_t)bx};
}

static struct lines lines_of(struct bench *b, struct teleport_range_in row) {
  struct lines l = {0};
  b->in = row;
  b->in.row_valid = 1;
  bench_cycle(b);
  assert_true(b->out.row_ready);
  for (l.cycles = 1; l.cycles < 100; l.cycles++) {
    b->in.out_ready = 1;
    bench_cycle(b);
    if (b->out.line_valid) l.at[l.n++ % LINES_MOST] = b->out.line_addr;
    if (!b->out.last) continue;
    l.err = b->out.err;
    return l;
  }
  fail_msg("the row does not end");
  return l;
}

static void assert_lines(struct bench *b, struct teleport_range_in row, uint64_t first, uint32_t n) {
  struct lines l = lines_of(b, row);
  assert_int_equal(l.n, n);
  assert_int_equal(l.err, 0);
  for (uint32_t i = 0; i < n; i++) assert_int_equal(l.at[i], first + 128 * i);
  assert_int_equal(l.cycles, n ? 2 + n : 3); /* the first line in the third cycle, then one a cycle */
}

static void test_threads_of_a_block(void **unused) {
  (void)unused;
  for (int32_t wide = 0; wide < 2; wide++) {
    struct bench b;
    open_unit(&b, wide);
    assert_lines(&b, threads(0x10000, 4, 0), 0x10000, 8); /* [0x10000, 0x10400) */
    assert_lines(&b, threads(0x10000, 4, 3), 0x10c00, 8); /* [0x10C00, 0x11000) */
    assert_lines(&b, threads(0x10000, 1, 1), 0x10100, 2); /* [0x10100, 0x10200) */
    assert_lines(&b, threads(0x10040, 4, 0), 0x10000, 9); /* [0x10040, 0x10440): a line begins before and ends behind */
    bench_close(&b);
  }
}

static void test_empty_and_constant_indexes(void **unused) {
  (void)unused;
  struct bench b;
  open_unit(&b, 1);
  struct teleport_range_in row = threads(0x10000, 4, 5);
  row.maxo = 0; /* max == min */
  assert_lines(&b, row, 0, 0);
  row = (struct teleport_range_in){.base = 0x10000, .typesize = 4, .mino = 31, .maxo = 32, .bx = 7, .by = 8, .bz = 9};
  assert_lines(&b, row, 0x10000, 1); /* element 31 for every block */
  row.mino = 32, row.maxo = 33;
  assert_lines(&b, row, 0x10080, 1);
  bench_close(&b);
}

/* A halo of one element on each side of 16 threads: [-1, 17) of block 0. */
static void test_negative_fields(void **unused) {
  (void)unused;
  struct bench b;
  open_unit(&b, 1);
  struct teleport_range_in row = {.base = 0x20000, .typesize = 4, .mino = UINT32_MAX, .maxo = 17};
  row.minp[0] = row.maxp[0] = 16;
  assert_lines(&b, row, 0x1ff80, 2); /* [0x1FFFC, 0x20044) */
  row.minp[1] = row.maxp[1] = (uint32_t)-1024;
  row.by = 2;
  assert_lines(&b, row, 0x1df80, 2); /* two rows of 1024 elements before */
  bench_close(&b);
}

static void test_the_limit_of_narrow_rows(void **unused) {
  (void)unused;
  struct bench b;
  open_unit(&b, 0);
  /* 32768 * 65535 = 0x7fff8000: up to 0x7fff elements above it, 2^31 - 1 is the largest sum. */
  struct teleport_range_in row = {.typesize = 1, .mino = 0x7ffe, .maxo = 0x7fff, .bx = 65535};
  row.minp[0] = row.maxp[0] = 32768;
  assert_lines(&b, row, 0x7fffff80, 1);
  row.maxo = 0x8000;
  struct lines l = lines_of(&b, row);
  assert_int_equal(l.n, 0);
  assert_true(l.err);
  bench_close(&b);
}

/* A narrow row has four bytes of base and one of typesize; the largest address that it reaches is below 2^42. */
static void test_a_narrow_row_takes_the_low_bits(void **unused) {
  (void)unused;
  struct bench b;
  open_unit(&b, 0);
  struct teleport_range_in row = {.base = UINT64_C(0x300000080), .typesize = 0x104, .mino = 32, .maxo = 64};
  assert_lines(&b, row, 0x100, 1); /* 0x80 + 32 * 4 */
  row = (struct teleport_range_in){.base = UINT32_MAX, .typesize = 0xff, .mino = 0xffff, .maxo = 0xffff};
  row.maxp[0] = row.minp[0] = 32767, row.bx = 65535, row.maxo = 0xffff;
  row.mino = 0xfffe;
  uint64_t low = UINT32_MAX + (UINT64_C(32767) * 65535 + 0xfffe) * 0xff;
  assert_lines(&b, row, low / 128 * 128, (low + 0xff - 1) / 128 - low / 128 + 1);
  bench_close(&b);
}

static void test_a_line_waits_until_it_is_taken(void **unused) {
  (void)unused;
  struct bench b;
  open_unit(&b, 1);
  b.in = threads(0x10000, 1, 0); /* two lines */
  b.in.row_valid = 1;
  bench_cycle(&b);
  for (int i = 0; i < 10; i++) {
    bench_cycle(&b);
    assert_int_equal(b.out.row_ready, 0);
    assert_int_equal(b.out.line_valid, i >= 2);
    if (i >= 2) assert_int_equal(b.out.line_addr, 0x10000);
  }
  b.in.out_ready = 1;
  bench_cycle(&b);
  assert_int_equal(b.out.last, 0);
  b.in = threads(0x30000, 1, 0); /* the next row is taken with the last line, not before */
  b.in.row_valid = b.in.out_ready = 1;
  bench_cycle(&b);
  assert_true(b.out.last && b.out.row_ready);
  assert_int_equal(b.out.line_addr, 0x10080);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_threads_of_a_block),
    cmocka_unit_test(test_empty_and_constant_indexes),
    cmocka_unit_test(test_negative_fields),
    cmocka_unit_test(test_the_limit_of_narrow_rows),
    cmocka_unit_test(test_a_narrow_row_takes_the_low_bits),
    cmocka_unit_test(test_a_line_waits_until_it_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
