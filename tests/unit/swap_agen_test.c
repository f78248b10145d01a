/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Is the swap space of an SM a partition? Every set of every warp and block, and the state of every warp, is moved once: no line is touched
 * twice, and none of the space is left over. The sizes are those that the thesis' tables give an SM: 512 KB, 768 KB and 8 KB. */
#include "kit/block_bench.h"
#include "swap_agen_ports.h"

BLOCK_BENCH(swap_agen);

enum { PAW = 48, LW = 64, LB = 16, RSETS = 16, SSETS = 48, LINE = 128, KB = 1024 };

struct part {
  int kind, owners, sets, bytes;
  uint64_t base; /* lines */
};

static const struct part parts[] = {
  {.kind = 0, .owners = LW, .sets = RSETS, .bytes = 512 * KB, .base = 0x100000},
  {.kind = 1, .owners = LB, .sets = SSETS, .bytes = 768 * KB, .base = 0x100000 + 512 * KB / LINE},
  {.kind = 2, .owners = LW, .sets = 1, .bytes = 8 * KB, .base = 0x100000 + 1280 * KB / LINE},
};

static void write_bases(struct bench *b) {
  for (int p = 0; p < 3; p++) {
    b->in.base_en = 1, b->in.base_kind = (uint8_t)parts[p].kind, b->in.base = parts[p].base;
    bench_cycle(b);
  }
}

/* Moves a set; counts each of its lines in `seen`, which begins at the first base. Returns the lines. */
static int move(struct bench *b, const struct part *p, int owner, int set, uint8_t *seen, int lines) {
  int n = 0;
  b->in.cmd_valid = 1, b->in.cmd_kind = (uint8_t)p->kind, b->in.cmd_spill = owner % 2;
  b->in.cmd_owner = (uint8_t)owner, b->in.cmd_set = (uint8_t)set;
  bench_cycle(b);
  assert_int_equal(b->out.cmd_ready, 1);
  for (;;) {
    b->in.line_ready = 1;
    bench_cycle(b);
    if (!b->out.line_valid) return n;
    int64_t at = (int64_t)(b->out.line - parts[0].base);
    assert_in_range(at, 0, lines - 1);
    assert_int_equal(b->out.spill, owner % 2);
    seen[at]++;
    n++;
  }
}

static void test_the_swap_space_is_a_partition(void **unused) {
  (void)unused;
  static uint8_t seen[(512 + 768 + 8) * KB / LINE];
  struct bench b;
  bench_open(&b, (struct swap_agen_cfg){.PAW = PAW, .LW = LW, .LB = LB, .RSETS = RSETS, .SSETS = SSETS});
  write_bases(&b);
  memset(seen, 0, sizeof seen);
  for (int p = 0; p < 3; p++) {
    int bytes = 0;
    for (int owner = 0; owner < parts[p].owners; owner++)
      for (int set = 0; set < parts[p].sets; set++)
        bytes += LINE * move(&b, &parts[p], owner, set, seen, (int)sizeof seen);
    assert_int_equal(bytes, parts[p].bytes);
  }
  for (size_t line = 0; line < sizeof seen; line++) assert_int_equal(seen[line], 1);
  bench_close(&b);
}

/* By hand: set 5 of block 3 begins (3 * 48 + 5) * 1 KB behind the base of scratchpads, 1192 lines. */
static void test_lines_wait_and_follow_each_other(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct swap_agen_cfg){.PAW = PAW, .LW = LW, .LB = LB, .RSETS = RSETS, .SSETS = SSETS});
  write_bases(&b);
  b.in.cmd_valid = 1, b.in.cmd_kind = 1, b.in.cmd_owner = 3, b.in.cmd_set = 5;
  bench_cycle(&b);
  for (int line = 0; line < 8; line++) {
    for (int wait = 0; wait < 3; wait++) {
      b.in.line_ready = wait == 2;
      b.in.cmd_valid = 1, b.in.cmd_owner = 9; /* waits */
      b.in.base_en = 1, b.in.base_kind = 1, b.in.base = 7;
      bench_cycle(&b);
      assert_int_equal(b.out.cmd_ready, 0);
      assert_int_equal(b.out.line, parts[1].base + 1192 + (uint64_t)line);
      assert_int_equal(b.out.left, 8 - line);
    }
  }
  bench_cycle(&b);
  assert_int_equal(b.out.line_valid, 0);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_swap_space_is_a_partition),
    cmocka_unit_test(test_lines_wait_and_follow_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
