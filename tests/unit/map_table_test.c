/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Does every read port find what was written last? Against a list of entries, at the three sizes of the thesis; these hold 1152, 672 and 56
 * bytes (4.4.5). */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "map_table_ports.h"

BLOCK_BENCH(map_table);

enum { SEED = 0x3a9, CYCLES = 20000, ROWS_MAX = 64, SETS_MAX = 48, SWAPPED = -1 };

static int bits_of(int n) {
  int bits = 1;
  while (1 << bits < n) bits++;
  return bits;
}

static int get(const uint32_t *v, int at, int width) {
  int value = 0;
  for (int i = 0; i < width; i++) value |= (int)(v[(at + i) / 32] >> (at + i) % 32 & 1) << i;
  return value;
}

static void check_reads(struct bench *b, struct rng *g, int16_t list[ROWS_MAX][SETS_MAX], int *found) {
  int row_bits = bits_of(b->cfg.ROWS / b->cfg.BANKS), set_bits = bits_of(b->cfg.SETS), width = b->cfg.PHYS_W - 1;
  int expected[8] = {0};
  for (int p = 0; p < b->cfg.READS; p++) {
    int high = (int)rng_below(g, (uint32_t)(b->cfg.ROWS / b->cfg.BANKS)),
        set = (int)rng_below(g, (uint32_t)b->cfg.SETS);
    bool reads = rng_below(g, 8) != 0;
    b->in.rd_row |= (uint64_t)high << p * row_bits;
    b->in.rd_set |= (uint64_t)set << p * set_bits;
    b->in.rd_en |= (uint8_t)((unsigned)reads << p);
    expected[p] = reads ? list[high * b->cfg.BANKS + p % b->cfg.BANKS][set] : SWAPPED;
  }
  bench_cycle(b);
  for (int p = 0; p < b->cfg.READS; p++) {
    assert_int_equal(b->out.rd_valid >> p & 1, expected[p] != SWAPPED);
    assert_int_equal(get(b->out.rd_phys, p * width, width), expected[p] == SWAPPED ? 0 : expected[p]);
    *found += expected[p] != SWAPPED;
  }
}

static void check_table(struct map_table_cfg cfg, int bytes) {
  int16_t list[ROWS_MAX][SETS_MAX];
  int found = 0, all = 0;
  struct bench b;
  struct rng g;
  rng_seed(&g, SEED);
  bench_open(&b, cfg);
  assert_int_equal(cfg.ROWS * cfg.SETS * cfg.PHYS_W, bytes * 8);
  for (int row = 0; row < ROWS_MAX; row++)
    for (int set = 0; set < SETS_MAX; set++) list[row][set] = SWAPPED;
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    int row = (int)rng_below(&g, (uint32_t)cfg.ROWS), set = (int)rng_below(&g, (uint32_t)cfg.SETS);
    int phys = (int)rng_below(&g, 1U << (cfg.PHYS_W - 1));
    bool writes = rng_below(&g, 2), maps = rng_below(&g, 3) != 0;
    b.in.wr_en = writes, b.in.wr_row = (uint8_t)row, b.in.wr_set = (uint8_t)set;
    b.in.wr_valid = maps, b.in.wr_phys = (uint16_t)phys;
    check_reads(&b, &g, list, &found);
    if (writes) list[row][set] = maps ? (int16_t)phys : SWAPPED;
    all += cfg.READS;
  }
  assert_true(found > all / 4 && found < all);
  bench_close(&b);
}

/* A table of 65536 registers is the largest: 512 sets, and read ports for two more. */
static void test_the_tables_of_the_thesis(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  check_table((struct map_table_cfg){.ROWS = 64, .SETS = 16, .PHYS_W = 9, .READS = 6, .BANKS = 2}, 1152);
  check_table((struct map_table_cfg){.ROWS = 16, .SETS = 48, .PHYS_W = 7, .READS = 4, .BANKS = 1}, 672);
  check_table((struct map_table_cfg){.ROWS = 64, .SETS = 1, .PHYS_W = 7, .READS = 1, .BANKS = 1}, 56);
  check_table((struct map_table_cfg){.ROWS = 64, .SETS = 16, .PHYS_W = 10, .READS = 8, .BANKS = 2}, 1280);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_tables_of_the_thesis)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
