/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* Does the controller send the lines of a thread block's rows, and does the buffer activate the block when they have come? The
 * two composites are connected as the dispatcher and an SM are; replies come in another order than requests went out. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "teleport_buffer_ports.h"
#include "teleport_ctrl_ports.h"

struct ctrl {
  BENCH_FIELDS(teleport_ctrl);
};
NAMED_BENCH_FUNCTIONS(ctrl, ctrl, teleport_ctrl);
BLOCK_BENCH(teleport_buffer);

enum { SEED = 0xc7a, LINES_MOST = 64, THREADS = 256 };

/* BFS's rows as the paper prints them: mask of one byte, nodes and cost of four. */
static void set_rows(struct ctrl *c) {
  static const struct {
    uint64_t base;
    uint32_t size;
  } arrays[] = {{0x10000, 1}, {0x20040, 4}, {0x40000, 4}};
  for (int i = 0; i < 3; i++) {
    c->in.set_valid = 1, c->in.set_base = arrays[i].base, c->in.set_typesize = arrays[i].size;
    c->in.set_minp[0] = c->in.set_maxp[0] = c->in.set_maxo = THREADS;
    ctrl_cycle(c);
    assert_true(!c->out.set_full && !c->out.set_misfit);
  }
  c->in.launch_valid = 1;
  ctrl_cycle(c);
}

/* Eight rows of a line each: serial, three cycles for each; overlapped, a line a cycle after the first. */
static void test_a_line_a_cycle_from_row_to_row(void **unused) {
  (void)unused;
  for (int overlap = 0; overlap < 2; overlap++) {
    struct ctrl c;
    uint32_t cycles = 0, first = 0, last = 0, n = 0;
    ctrl_open(&c, (struct teleport_ctrl_cfg){.ROWS = 8, .STREAMS = 1, .WIDE = 1, .OVERLAP = overlap});
    for (uint32_t i = 0; i < 8; i++) {
      c.in.set_valid = 1, c.in.set_base = UINT64_C(0x1000) * i, c.in.set_typesize = 4, c.in.set_maxo = 16;
      ctrl_cycle(&c);
    }
    c.in.launch_valid = 1;
    ctrl_cycle(&c);
    c.in.cta_valid = 1;
    ctrl_cycle(&c);
    for (; !c.out.msg_valid && cycles < 100; cycles++) {
      c.in.line_ready = c.in.msg_ready = 1;
      ctrl_cycle(&c);
      if (!c.out.line_valid) continue;
      assert_int_equal(c.out.line_addr, 0x1000 * n);
      if (!n++) first = cycles;
      last = cycles;
    }
    assert_int_equal(n, 8);
    assert_int_equal(c.out.msg_total, 8);
    assert_int_equal(first, 3);
    assert_int_equal(last - first, overlap ? 7 : 3 * 7);
    ctrl_close(&c);
  }
}

static void test_a_block_from_its_rows_to_its_activation(void **unused) {
  (void)unused;
  struct ctrl c;
  struct bench b;
  struct rng rng;
  uint64_t line[LINES_MOST] = {0};
  uint32_t n = 0, pulses = 0, cycles = 0, of_table = 0;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  ctrl_open(&c, (struct teleport_ctrl_cfg){.ROWS = 64, .STREAMS = 16, .WIDE = 1});
  bench_open(&b, (struct teleport_buffer_cfg){.SETS = 4, .WAYS = 96, .SLOTS = 8});
  set_rows(&c);
  b.in.start_en = 1, b.in.start_slot = 5;
  bench_cycle(&b);
  c.in.cta_valid = 1, c.in.cta_x = 3;
  ctrl_cycle(&c);
  while (!of_table && cycles++ < 200) {
    c.in.line_ready = 1, c.in.msg_ready = 1;
    ctrl_cycle(&c);
    if (c.out.line_valid) line[n++ % LINES_MOST] = c.out.line_addr;
    if (c.out.msg_valid) of_table = c.out.msg_total;
  }
  assert_int_equal(n, 2 + 9 + 8);
  assert_int_equal(of_table, n);
  assert_in_range(cycles, 1, n + 3 * 3 + 2); /* a line a cycle, three cycles for each row */
  assert_int_equal(line[0], 0x10300);        /* [0x10300, 0x10400) */
  assert_int_equal(line[2], 0x20c00);        /* [0x20C40, 0x21040) */
  assert_int_equal(line[11], 0x40c00);
  for (uint32_t left = n; left > 0; left--) {
    uint32_t pick = rng_below(&rng, left);
    b.in.reply_valid = 1, b.in.reply_slot = 5, b.in.reply_line = line[pick] / 128;
    if (left == n / 2) b.in.msg_en = 1, b.in.msg_slot = 5, b.in.msg_total = (uint16_t)of_table;
    line[pick] = line[left - 1];
    bench_cycle(&b);
    pulses += b.out.activate != 0;
  }
  assert_int_equal(pulses, 0);
  bench_cycle(&b);
  assert_int_equal(b.out.activate, 1 << 5);
  b.in.probe_valid = 1, b.in.probe_line = 0x20c40 / 128;
  bench_cycle(&b);
  assert_int_equal(b.out.activate, 0);
  bench_cycle(&b);
  assert_true(b.out.answer == 3 && b.out.hit);
  ctrl_close(&c);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_line_a_cycle_from_row_to_row),
                                     cmocka_unit_test(test_a_block_from_its_rows_to_its_activation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
