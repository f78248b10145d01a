/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does the decoder keep addresses apart? Every choice of b for the four 64 KB pages of 256 KB, against a map of memory in which each line
 * marks its place; and the example of figure 19 (Vijaykumar 2019): structure A in pieces of 64 KB, B in pieces of 16 KB. */
#include "kit/block_bench.h"
#include "numa_decode_ports.h"

BLOCK_BENCH(numa_decode);

enum { PAGES = 4, LINES = 512, CHOICES = 10, PLACES = PAGES * LINES, ZONES = 4 };

/* Whether two of the lines of four pages share a place. */
static bool collide(struct bench *b, const uint8_t *choice) {
  static uint8_t taken[ZONES][PLACES];
  memset(taken, 0, sizeof taken);
  for (uint32_t line = 0; line < PLACES; line++) {
    b->in.pa = UINT64_C(128) * line;
    b->in.b = choice[line / LINES];
    bench_settle(b);
    assert_true(b->out.lpa / 128 < PLACES && b->out.zone < ZONES);
    if (taken[b->out.zone][b->out.lpa / 128]++) return true;
  }
  return false;
}

/* Section 8 of the specification's rule: a page of b = 8 shares aligned 128 KB with one page, one of b = 9 all 256 KB, so these
 * pages must have the same b. */
static bool rule_holds(const uint8_t *choice) {
  for (int i = 0; i < PAGES; i++)
    for (int k = 0; k < PAGES; k++)
      if (choice[i] != choice[k] && (choice[i] == 9 || (choice[i] == 8 && i / 2 == k / 2))) return false;
  return true;
}

static void test_lines_share_a_place_only_against_the_rule(void **unused) {
  (void)unused;
  struct bench b;
  uint32_t held = 0, combinations = 1;
  bench_open(&b, (struct numa_decode_cfg){.PAW = 48, .ZONES = ZONES});
  for (int i = 0; i < PAGES; i++) combinations *= CHOICES;
  for (uint32_t c = 0; c < combinations; c++) {
    uint8_t choice[PAGES];
    for (uint32_t i = 0, left = c; i < PAGES; i++, left /= CHOICES) choice[i] = (uint8_t)(left % CHOICES);
    bool holds = rule_holds(choice);
    if (holds == collide(&b, choice)) fail_msg("b = %u %u %u %u", choice[0], choice[1], choice[2], choice[3]);
    held += holds;
  }
  assert_in_range(held, 1, combinations - 1);
  bench_close(&b);
}

static void test_a_piece_of_a_structure_is_in_one_zone(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct numa_decode_cfg){.PAW = 48, .ZONES = ZONES});
  for (uint64_t at = 0; at < 1 << 20; at += 128) {
    b.in.pa = at, b.in.b = 16 - 7; /* A: bits 16 and 17 */
    bench_settle(&b);
    assert_int_equal(b.out.zone, at / 65536 % 4);
    b.in.b = 14 - 7; /* B: bits 14 and 15 */
    bench_settle(&b);
    assert_int_equal(b.out.zone, at / 16384 % 4);
    assert_int_equal(b.out.lpa, at / 65536 * 16384 + at % 16384);
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_lines_share_a_place_only_against_the_rule),
    cmocka_unit_test(test_a_piece_of_a_structure_is_in_one_zone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
