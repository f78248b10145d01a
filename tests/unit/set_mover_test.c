/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Does a command do to each set what its name says? By hand, with an allocator, a mapping table and a memory that the test plays. */
#include "kit/block_bench.h"
#include "set_mover_ports.h"

BLOCK_BENCH(set_mover);

enum { REGISTERS, SCRATCH, SLOT };
enum { MAP, RELEASE, FILL, SPILL };

static void bench_of(struct bench *b) {
  bench_open(b, (struct set_mover_cfg){
                  .WARPS = 16, .BLOCKS = 4, .REGS = 40, .SCRATCH = 12, .RSETS = 16, .SSETS = 12, .PHYS_W = 6});
}

static void command(struct bench *b, int op, int kind, int owner, int from, int to) {
  b->in.cmd_valid = 1, b->in.cmd_op = (uint8_t)op, b->in.cmd_kind = (uint8_t)kind, b->in.cmd_owner = (uint8_t)owner;
  b->in.cmd_from = (uint8_t)from, b->in.cmd_to = (uint8_t)to;
  bench_cycle(b);
  assert_int_equal(b->out.cmd_ready, 1);
}

static void expect_write(const struct bench *b, int owner, int set, int valid, int phys) {
  assert_int_equal(b->out.wr_en, 1);
  assert_int_equal(b->out.wr_owner, owner);
  assert_int_equal(b->out.wr_set, set);
  assert_int_equal(b->out.wr_valid, valid);
  assert_int_equal(b->out.wr_phys, phys);
}

/* Maps register sets from.. of a warp to physical ones, all of which are free. */
static void map(struct bench *b, int warp, int from, int n, int phys) {
  command(b, MAP, REGISTERS, warp, from, from + n);
  for (int i = 0; i < n; i++) {
    b->in.offer = 1, b->in.offer_set = (uint16_t)(phys + i);
    bench_cycle(b);
    assert_int_equal(b->out.alloc_en, 1);
    assert_int_equal(b->out.new_set, phys + i);
    expect_write(b, warp, from + i, 1, phys + i);
  }
  bench_settle(b);
  assert_int_equal(b->out.busy, 0);
}

static void test_free_sets_are_mapped_one_a_cycle(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b);
  map(&b, 7, 2, 3, 30);
  command(&b, MAP, REGISTERS, 7, 4, 4); /* no set */
  bench_settle(&b);
  assert_int_equal(b.out.busy, 0);
  bench_close(&b);
}

/* Warp 3 holds 10 and 11, warp 4 holds 12 and 13. Warp 5 needs a set: of those of warps 3 and 4, one that is not locked; 4 waits, so its own go
 * first. Set 13, logical set 1 of warp 4, leaves: its entry is cleared and its lines go, then it is that of warp 5. */
static void test_a_victim_leaves_before_the_set_is_anothers(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b);
  map(&b, 3, 0, 2, 10), map(&b, 4, 0, 2, 12), map(&b, 5, 0, 1, 14);
  command(&b, MAP, REGISTERS, 5, 1, 2);
  b.in.sched[0] = 1U << 3, b.in.lock_regs[0] = 1U << 12;
  bench_settle(&b);
  assert_int_equal(b.out.may_regs[0], 1U << 10 | 1U << 11 | 1U << 13);
  assert_int_equal(b.out.prefer_regs[0], 1U << 13);
  assert_int_equal(b.out.move_en, 0); /* nobody has named one yet */
  b.in.victim = 1, b.in.victim_set = 13, b.in.move_ready = 1;
  bench_cycle(&b);
  expect_write(&b, 4, 1, 0, 0);
  assert_true(b.out.move_en && b.out.move_spill && b.out.move_owner == 4 && b.out.move_set == 1);
  for (int n = 0; n < 4; n++) {
    b.in.lines = 1;
    bench_cycle(&b);
    assert_true(b.out.busy && !b.out.wr_en && b.out.move && b.out.move_phys == 13);
    assert_true(b.out.moved_owner == 4 && b.out.moved_set == 1);
  }
  bench_cycle(&b);
  expect_write(&b, 5, 1, 1, 13);
  assert_int_equal(b.out.new_set, 13);
  command(&b, MAP, REGISTERS, 3, 2, 3);
  bench_settle(&b);
  assert_int_equal(b.out.may_regs[0], 1U << 12 | 1U << 13 | 1U << 14); /* 13 is warp 5's now */
  bench_close(&b);
}

static void test_releases_say_what_was_in_memory(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b);
  command(&b, RELEASE, SCRATCH, 2, 4, 6);
  b.in.there = 1, b.in.phys = 9;
  bench_cycle(&b);
  expect_write(&b, 2, 4, 0, 0);
  assert_true(b.out.free_en && b.out.free_set == 9 && b.out.did_en && !b.out.did_swapped && b.out.did_kind == SCRATCH);
  bench_cycle(&b);
  assert_true(!b.out.free_en && b.out.did_en && b.out.did_swapped);
  command(&b, RELEASE, SLOT, 6, 0, 1);
  b.in.there = 1, b.in.phys = 3;
  bench_cycle(&b);
  assert_true(b.out.free_en && b.out.free_set == 3 && !b.out.did_en); /* the coordinator counts slots */
  bench_close(&b);
}

/* Of sets 0, 1, 2 the first one is there. The second one comes back after its lines; the third one must wait until it has. */
static void test_a_set_comes_back_after_its_lines(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b);
  command(&b, FILL, REGISTERS, 9, 0, 3);
  b.in.there = 1, b.in.phys = 5, b.in.offer = 1, b.in.offer_set = 20;
  bench_cycle(&b);
  assert_true(!b.out.alloc_en && !b.out.wr_en);
  b.in.offer = 1, b.in.offer_set = 20, b.in.move_ready = 1;
  bench_cycle(&b);
  assert_true(b.out.alloc_en && b.out.move_en && !b.out.move_spill && b.out.move_owner == 9 && b.out.move_set == 1 &&
              !b.out.wr_en);
  assert_true(b.out.did_en && b.out.did_fill); /* the free set is taken */
  b.in.lines = 1, b.in.mem_busy = 1;
  bench_cycle(&b);
  b.in.mem_busy = 1;
  bench_cycle(&b);
  assert_true(!b.out.wr_en && !b.out.did_en);
  b.in.mem_busy = 1, b.in.offer = 1, b.in.offer_set = 21, b.in.move_ready = 1;
  bench_cycle(&b); /* one set on its way at a time */
  assert_true(b.out.come && b.out.come_owner == 9 && b.out.come_set == 1 && !b.out.move_en && !b.out.alloc_en);
  bench_cycle(&b);
  assert_true(b.out.cmd_ready && b.out.busy);
  expect_write(&b, 9, 1, 1, 20);
  assert_true(b.out.new_en && !b.out.did_en);
  bench_settle(&b);
  assert_int_equal(b.out.busy, 0);
  bench_close(&b);
}

/* While a set is on its way, a warp gets what is free; who releases that set waits until it is there. */
static void test_commands_do_not_wait_for_a_set_on_its_way(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b);
  command(&b, FILL, REGISTERS, 9, 1, 2);
  b.in.offer = 1, b.in.offer_set = 20, b.in.move_ready = 1;
  bench_cycle(&b);
  b.in.mem_busy = 1;
  bench_cycle(&b); /* its lines have been asked for */
  b.in.mem_busy = 1;
  command(&b, MAP, REGISTERS, 4, 0, 1);
  b.in.mem_busy = 1, b.in.offer = 1, b.in.offer_set = 7;
  bench_cycle(&b);
  expect_write(&b, 4, 0, 1, 7);
  assert_true(b.out.come && b.out.alloc_en);
  b.in.mem_busy = 1;
  command(&b, RELEASE, REGISTERS, 9, 1, 2);
  b.in.mem_busy = 1;
  bench_cycle(&b);
  assert_true(b.out.come && !b.out.wr_en && !b.out.did_en && !b.out.free_en);
  bench_cycle(&b);
  expect_write(&b, 9, 1, 1, 20);
  b.in.there = 1, b.in.phys = 20;
  bench_cycle(&b);
  expect_write(&b, 9, 1, 0, 0);
  assert_true(!b.out.come && b.out.free_en && b.out.free_set == 20 && b.out.did_en && !b.out.did_swapped);
  bench_settle(&b);
  assert_int_equal(b.out.busy, 0);
  bench_close(&b);
}

static void test_the_state_of_a_warp_goes_and_comes(void **unused) {
  (void)unused;
  struct bench b;
  bench_of(&b);
  command(&b, SPILL, SLOT, 8, 0, 1);
  b.in.there = 1, b.in.phys = 6, b.in.move_ready = 1;
  bench_cycle(&b);
  expect_write(&b, 8, 0, 0, 0);
  assert_true(b.out.move_en && b.out.move_spill && b.out.move_owner == 8 && !b.out.free_en);
  bench_cycle(&b);
  assert_true(b.out.free_en && b.out.free_set == 6); /* the line is taken */
  command(&b, FILL, SLOT, 8, 0, 1);
  bench_cycle(&b); /* no slot is free: it waits */
  b.in.offer = 1, b.in.offer_set = 2, b.in.move_ready = 1;
  bench_cycle(&b);
  assert_true(b.out.alloc_en && b.out.move_en && !b.out.move_spill);
  bench_cycle(&b);
  expect_write(&b, 8, 0, 1, 2);
  assert_int_equal(b.out.did_en, 0);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_free_sets_are_mapped_one_a_cycle),
    cmocka_unit_test(test_a_victim_leaves_before_the_set_is_anothers),
    cmocka_unit_test(test_releases_say_what_was_in_memory),
    cmocka_unit_test(test_a_set_comes_back_after_its_lines),
    cmocka_unit_test(test_commands_do_not_wait_for_a_set_on_its_way),
    cmocka_unit_test(test_the_state_of_a_warp_goes_and_comes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
