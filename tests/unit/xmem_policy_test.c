/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Is what the L2 pins what the greedy rule says, and do tables say what the records say? */
#include "base/rng.h"
#include "config/gpu_config.h"
#include "kit/owned.h"
#include "kit/test.h"
#include "systems/xmem/agent_internal.h"

enum { SEED = 0x45, ROUNDS = 400 };

/* ---- the rule, written down a second time: sort, then go through the list ---- */

struct row {
  uint32_t reuse, ws, index;
};

static int by_reuse_then_size(const void *x, const void *y) {
  const struct row *a = x, *b = y;
  if (a->reuse != b->reuse) return a->reuse < b->reuse ? 1 : -1;
  if (a->ws != b->ws) return a->ws < b->ws ? -1 : 1;
  return a->index < b->index ? -1 : 1;
}

static void expected(struct row *rows, uint32_t n, double budget, uint16_t *pin) {
  qsort(rows, n, sizeof *rows, by_reuse_then_size);
  for (uint32_t i = 0; i < n; i++) {
    double bytes = rows[i].ws * 512.0;
    double share = bytes <= budget ? 256 : 256 * budget / bytes;
    pin[rows[i].index] = (uint16_t)share;
    budget = budget > bytes ? budget - bytes : 0;
  }
}

static void test_pin_fractions_are_those_of_the_greedy_rule(void **state) {
  (void)state;
  struct rng r;
  rng_seed(&r, SEED);
  print_message("seed 0x%x\n", SEED);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t n = 1 + rng_below(&r, round < ROUNDS / 2 ? 8 : 255), ws[256];
    uint8_t reuse[256];
    uint16_t pin[256], want[256];
    struct row rows[256];
    for (uint32_t i = 0; i < n; i++) {
      reuse[i] = (uint8_t)(1 + rng_below(&r, 1 + rng_below(&r, 255)));
      ws[i] = rng_below(&r, 1U << rng_below(&r, 25));
      rows[i] = (struct row){reuse[i], ws[i], i};
    }
    uint64_t budget = rng_below(&r, 1U << rng_below(&r, 24));
    expected(rows, n, (double)budget, want);
    policy_choose(n, reuse, ws, budget, pin);
    for (uint32_t i = 0; i < n; i++) assert_int_equal(pin[i], want[i]);
  }
}

/* A hand example: 576 KB of 768 KB; the atom of more reuse is whole, the next gets the rest, the last nothing. */
static void test_a_working_set_that_does_not_fit_is_pinned_in_part(void **state) {
  (void)state;
  const uint8_t reuse[] = {10, 255, 10};
  const uint32_t ws[] = {1024, 640, 2048}; /* 512 KB, 320 KB, 1 MB */
  uint16_t pin[3];
  policy_choose(3, reuse, ws, 576 * 1024, pin);
  assert_int_equal(pin[1], 256);
  assert_int_equal(pin[0], 128); /* 256 of 512 KB */
  assert_int_equal(pin[2], 0);
}

/* The part of an atom's data that is pinned is that fraction of its units, and the same one every time. */
static void test_the_pinned_part_is_the_fraction(void **state) {
  (void)state;
  struct policy p = {0};
  for (uint32_t fraction = 0; fraction <= 256; fraction += 32) {
    uint32_t pinned = 0;
    p.pin[7] = (uint16_t)fraction;
    for (uint32_t unit = 0; unit < 65536; unit++) pinned += policy_pins(&p, 7, (uint64_t)unit * 512 + unit % 512);
    assert_int_equal(pinned, 65536 / 256 * fraction);
  }
}

static void test_tables_say_what_the_records_say(void **state) {
  (void)state;
  struct gpu_config m;
  gpu_config_defaults(&m);
  static struct xmem_tables t;
  const uint8_t records[3][XMEM_ATOM_BYTES] = {
    /* FLOAT32, regular, stride 4, read-only, intensity 200, reuse 255 */
    {0x20, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 1, 200, 255, 1, 0, 0},
    /* INT32 SPARSE, irregular, no reuse */
    {0x04, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 9, 0, 1, 0, 0},
    /* regular, stride -8192, no reuse */
    {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xe0, 0xff, 0xff, 0, 1, 0, 1, 0, 0},
  };
  xmem_translate(&m, records[0], 3, &t);
  assert_int_equal(t.n, 3);
  assert_int_equal(t.l2[0].reuse, 255);
  assert_int_equal(t.prefetch[0].degree, OWNED(xmem, m)->prefetch_degree);
  assert_int_equal(t.prefetch[0].stride, 4);
  assert_true(t.memory[0].row_local);
  assert_int_equal(t.memory[0].intensity, 200);
  assert_int_equal(t.compression[0], 0x20);
  assert_true(t.l2[1].bypass);
  assert_int_equal(t.prefetch[1].degree, 0);
  assert_false(t.memory[1].row_local);
  assert_int_equal(t.compression[1], 0x04);
  assert_false(t.l2[2].bypass);
  assert_int_equal(t.prefetch[2].stride, -8192);
  assert_false(t.memory[2].row_local);
  assert_int_equal(t.l2[3].reuse, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pin_fractions_are_those_of_the_greedy_rule),
    cmocka_unit_test(test_a_working_set_that_does_not_fit_is_pinned_in_part),
    cmocka_unit_test(test_the_pinned_part_is_the_fraction),
    cmocka_unit_test(test_tables_say_what_the_records_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
