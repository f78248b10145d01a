/* SPDX-License-Identifier: Apache-2.0 */
/* Does the buffer pass every item once, in order, and one a cycle? */
#include "base/rng.h"
#include "pipe_buffer_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 0x5eed14 };

struct bench {
  struct pipe_buffer_cfg cfg;
  uint64_t state[8];
  uint64_t sent, got; /* items 1, 2, 3, ... */
};

static void cycle(struct bench *b, bool produce, bool consume) {
  struct pipe_buffer_in in = {.in_valid = produce, .in_data = b->sent + 1, .out_ready = consume};
  struct pipe_buffer_out out;
  pipe_buffer_model.eval(&b->cfg, b->state, &in, &out);
  if (out.out_valid) assert_true(out.out_data == b->got + 1);
  b->got += out.out_valid && consume;
  b->sent += produce && out.in_ready;
  pipe_buffer_model.tick(&b->cfg, b->state, &in, &out);
  assert_true(b->sent - b->got <= 1);
}

static void test_items_come_out_once_and_in_order(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  struct bench b = {.cfg = {.W = 32}};
  pipe_buffer_model.reset(&b.cfg, b.state);
  for (int i = 0; i < 20000; i++) cycle(&b, rng_percent(&rng, 60), rng_percent(&rng, 60));
  assert_true(b.got > 5000);
}

static void test_it_passes_one_a_cycle(void **unused) {
  (void)unused;
  struct bench b = {.cfg = {.W = 32}};
  pipe_buffer_model.reset(&b.cfg, b.state);
  for (int i = 0; i < 100; i++) cycle(&b, true, true);
  assert_int_equal(b.got, 99);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_items_come_out_once_and_in_order),
    cmocka_unit_test(test_it_passes_one_a_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
