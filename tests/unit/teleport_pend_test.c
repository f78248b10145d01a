/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* Is a thread block activated once, when as many lines have come as were requested, whatever the order of events? */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "teleport_pend_ports.h"

BLOCK_BENCH(teleport_pend);

enum { SEED = 0x7e1e, SLOTS = 8, LINES = 36 };

/* A block of 36 lines (spec 4.6) whose message comes after `before` of the replies, among idle cycles. */
static uint32_t activations(struct bench *b, struct rng *rng, uint32_t slot, uint32_t lines, uint32_t before) {
  uint32_t sent = 0, pulses = 0, told = 0, first = 0;
  b->in.start_en = 1, b->in.start_slot = (uint8_t)slot;
  bench_cycle(b);
  for (uint32_t cycle = 1; cycle < 400; cycle++) {
    bool complete = told && sent == lines;
    if (!told && sent >= before) {
      b->in.msg_en = 1, b->in.msg_slot = (uint8_t)slot, b->in.msg_total = (uint16_t)lines;
      told = 1;
    } else if (sent < lines && rng_percent(rng, 50)) {
      b->in.reply_en = 1, b->in.reply_slot = (uint8_t)slot;
      sent++;
    }
    bench_cycle(b);
    assert_true(!(b->out.activate & ~(1U << slot)));
    assert_true(b->out.busy == (b->out.activate != 0));
    assert_true((b->out.held >> slot & 1) == (pulses == 0));
    if (b->out.activate) pulses++;
    if (complete && !first) {
      first = cycle;
      assert_int_equal(pulses, 1); /* in the cycle after the last event */
    }
    if (!first) assert_int_equal(pulses, 0);
  }
  return pulses;
}

static void test_one_activation_whatever_the_order(void **unused) {
  (void)unused;
  struct rng rng;
  struct bench b;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  bench_open(&b, (struct teleport_pend_cfg){.SLOTS = SLOTS});
  for (uint32_t before = 0; before <= LINES; before += 4)
    assert_int_equal(activations(&b, &rng, before % SLOTS, LINES, before), 1);
  assert_int_equal(activations(&b, &rng, 3, 0, 0), 1); /* a block without lines */
  bench_close(&b);
}

static void test_counters_have_sixteen_bits(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct teleport_pend_cfg){.SLOTS = SLOTS});
  b.in.start_en = 1, b.in.start_slot = 5, b.in.msg_en = 1, b.in.msg_slot = 5, b.in.msg_total = 65535;
  bench_cycle(&b);
  for (uint32_t i = 0; i < 65535; i++) {
    b.in.reply_en = 1, b.in.reply_slot = 5;
    bench_cycle(&b);
    assert_int_equal(b.out.activate, 0);
  }
  bench_cycle(&b);
  assert_int_equal(b.out.activate, 1U << 5);
  bench_close(&b);
}

static void test_slots_are_apart(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct teleport_pend_cfg){.SLOTS = SLOTS});
  for (uint32_t slot = 0; slot < SLOTS; slot++) {
    b.in.start_en = b.in.msg_en = 1, b.in.start_slot = b.in.msg_slot = (uint8_t)slot, b.in.msg_total = 1;
    bench_cycle(&b);
  }
  b.in.reply_en = 1, b.in.reply_slot = 2;
  bench_cycle(&b);
  b.in.start_en = 1, b.in.start_slot = 2; /* its successor starts in the cycle of the activation */
  bench_cycle(&b);
  assert_int_equal(b.out.activate, 1U << 2);
  bench_cycle(&b);
  assert_int_equal(b.out.activate, 0);
  assert_int_equal(b.out.held, 0xff);
  b.in.reply_en = 1, b.in.reply_slot = 2; /* its number is unknown */
  bench_cycle(&b);
  bench_cycle(&b);
  assert_int_equal(b.out.activate, 0);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_one_activation_whatever_the_order),
    cmocka_unit_test(test_counters_have_sixteen_bits),
    cmocka_unit_test(test_slots_are_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
