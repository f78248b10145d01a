/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Does the assist warp controller deliver each word of a routine once, in order, none after a kill, and resume each load once? Against the
 * words that a routine of LEN words must have, with warps of high and low priority at once. */
#include "caba_awc_ports.h"
#include "kit/block_bench.h"

BLOCK_BENCH(caba_awc);

enum { WARPS = 48, LEN = 9, HIGH_SR = 3, LOW_SR = 4, EVENT_LOAD = 1, EVENT_STORE = 2 };

static struct caba_awc_cfg sizes(void) {
  return (struct caba_awc_cfg){.AWT = 64, .TRIG = 16, .WAIT = 8, .WARPS = WARPS, .WINDOW = 1024, .CAP = 16};
}

static void add_row(struct bench *b, int row, int event, int sr, int high) {
  b->in.cfg_en = 1, b->in.cfg_row = (uint8_t)row, b->in.cfg_event = (uint8_t)event, b->in.cfg_pc_any = 1;
  b->in.cfg_sr = (uint8_t)sr, b->in.cfg_high = (uint8_t)high, b->in.cfg_live = 0x060504030201;
  bench_cycle(b);
}

static void trigger(struct bench *b, int event, int warp) {
  b->in.tr_valid = 1, b->in.tr_event = (uint8_t)event, b->in.tr_warp = (uint8_t)warp;
  b->in.tr_mask = 0xffff, b->in.tr_arg = 1000 + (uint64_t)warp;
  bench_cycle(b);
}

/* What comes of an entry that was picked: words up to the routine's end. */
static void deliver(struct bench *b, int next, int n) {
  b->in.dl_n = (uint8_t)(n < LEN - next ? n : LEN - next);
  b->in.dl_end = next + b->in.dl_n == LEN;
}

static void test_words_come_once_and_in_order(void **unused) {
  (void)unused;
  int next[64] = {0}, resumed[WARPS] = {0}, ended = 0, picks = 0;
  struct bench b;
  bench_open(&b, sizes());
  add_row(&b, 5, EVENT_LOAD, HIGH_SR, 1);
  add_row(&b, 9, EVENT_STORE, LOW_SR, 0);
  for (int w = 0; w < 8; w++) trigger(&b, w % 2 ? EVENT_LOAD : EVENT_STORE, w);
  for (int cycle = 0, done = -1; cycle < 400; cycle++) {
    b.in.ib_free = ~UINT64_C(0) >> (64 - WARPS), b.in.lp_free = 2;
    if (done >= 0) b.in.done_valid = 1, b.in.done_awt = (uint8_t)done;
    done = -1;
    if (b.out.pk_valid) { /* its words come in this cycle */
      int e = b.out.pk_awt;
      assert_int_equal(b.out.pk_inst, next[e]);
      assert_true(b.out.pk_live == 0x060504030201 && b.out.pk_arg == (uint64_t)(1000 + b.out.pk_warp));
      assert_int_equal(b.out.pk_sr, b.out.pk_high ? HIGH_SR : LOW_SR);
      if (picks < 4) assert_true(b.out.pk_high);
      picks++;
      deliver(&b, next[e], 1 + cycle % 2);
      next[e] += b.in.dl_n;
      if (b.in.dl_end) done = e, ended++;
    }
    bench_cycle(&b);
    if (b.out.resume_valid) resumed[b.out.resume_arg - 1000]++;
  }
  for (int w = 0; w < WARPS; w++) assert_int_equal(resumed[w], w < 8 && w % 2);
  assert_int_equal(ended, 8);
  assert_true(picks > 8 && b.out.stall_parent == 0 && !b.out.busy);
  bench_close(&b);
}

static void test_no_word_after_a_kill(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sizes());
  add_row(&b, 0, EVENT_LOAD, HIGH_SR, 1);
  trigger(&b, EVENT_LOAD, 7);
  bench_cycle(&b);
  assert_true(b.out.stall_parent == UINT64_C(1) << 7);
  b.in.ib_free = UINT64_C(1) << 7;
  bench_cycle(&b); /* picked at its end */
  b.in.kill_valid = 1, b.in.kill_warp = 7, b.in.kill_sr = HIGH_SR;
  bench_cycle(&b);
  assert_true(b.out.pk_valid);
  for (int cycle = 0; cycle < 20; cycle++) {
    b.in.ib_free = ~UINT64_C(0) >> (64 - WARPS);
    bench_cycle(&b);
    assert_true(!b.out.dl_ok && !b.out.pk_valid && !b.out.resume_valid && b.out.stall_parent == 0);
  }
  bench_close(&b);
}

/* A second trigger of a warp's routine waits if it is high, and is dropped if it is low; the cap is halved in windows without idle slots. */
static void test_waiting_dropping_and_the_cap(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sizes());
  add_row(&b, 0, EVENT_LOAD, HIGH_SR, 1);
  add_row(&b, 1, EVENT_STORE, LOW_SR, 0);
  trigger(&b, EVENT_STORE, 2);
  assert_true(b.out.tr_taken && !b.out.tr_high);
  trigger(&b, EVENT_STORE, 2);
  assert_false(b.out.tr_taken);
  for (int i = 0; i < 9; i++) {
    trigger(&b, EVENT_LOAD, 3);
    assert_true(b.out.tr_taken && b.out.tr_high && b.out.tr_ready);
  }
  trigger(&b, EVENT_LOAD, 3); /* one has an entry, eight wait */
  assert_false(b.out.tr_ready);
  assert_int_equal(b.out.drops, 1);
  for (int cap = 16; cap > 0; cap /= 2) {
    assert_int_equal(b.out.cap, cap);
    b.in.run = 1024, b.in.idle_slots = 0;
    bench_cycle(&b);
    bench_cycle(&b);
  }
  assert_int_equal(b.out.cap, 0);
  b.in.run = 1024, b.in.idle_slots = 1;
  bench_cycle(&b);
  bench_cycle(&b);
  assert_int_equal(b.out.cap, 1);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_words_come_once_and_in_order),
    cmocka_unit_test(test_no_word_after_a_kill),
    cmocka_unit_test(test_waiting_dropping_and_the_cap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
