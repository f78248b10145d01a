/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does elaboration alone count what table 4.1 of Yuan's thesis counts: bits stored, and bits compared? */
#include "base/err.h"
#include "kit/test.h"
#include "synth/synth.h"

#include <jansson.h>

/* The counts of a block, parameters by name ("MODE=3"). */
static json_t *counts(const char *block, const char *name, int32_t value) {
  const struct synth_options options = {.seeds = 1, .memory_bits = SYNTH_MEMORY_BITS};
  const struct block_desc *d = block_find(block);
  int32_t params[BLOCK_PARAMS_MAX];
  struct synth *s;
  struct err e = {0};
  assert_non_null(d);
  memcpy(params, d->sweep, d->n_params * sizeof *params);
  if (name) assert_int_equal(block_set_params(d, &(struct block_setting){name, value}, 1, params, NULL), 0);
  int status = synth_open(&s, &options, &e);
  if (!status) status = synth_add_block(s, d, params, &e);
  if (!status) status = synth_elaborate(s, &e);
  if (status) fail_msg("%s", e.text);
  json_t *rows = synth_counts_json(s), *row = json_incref(json_array_get(rows, 0));
  json_decref(rows);
  synth_close(s);
  return row;
}

static int number(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  if (!value) value = json_object_get(json_object_get(row, "registers"), key);
  if (!json_is_integer(value)) fail_msg("no number '%s'", key);
  return (int)json_integer_value(value);
}

/* C = 28, M = 8, L = 12, four banks: C*M for the holds; RMHG L*M more, HMHG4 4*M more; what they store. */
static void test_the_allocators_count_as_the_formulas_say(void **unused) {
  (void)unused;
  static const int compared[] = {0, 28 * 8, 28 * 8 + 12 * 8, 28 * 8 + 4 * 8};
  static const int stored[] = {0, 28 * 8, 28 * 8 + 12 * 4 * 8, 28 * 8 + 4 * 8};
  for (int mode = 0; mode < 4; mode++) {
    json_t *row = counts("hold_grant_alloc", "MODE", mode);
    assert_int_equal(number(row, "comparator_bits"), compared[mode]);
    assert_int_equal(number(row, "prev_q") + number(row, "row_q") + number(row, "hash_q"), stored[mode]);
    assert_int_equal(number(row, "register_bits"), stored[mode] + 64); /* and the LFSR */
    json_decref(row);
  }
}

/* A row of 12 bits a bank and three ages of 6 bits for four heads; a row of 12 bits an entry, whose place is its age: decoders and
 * counters compare with constants, which is no comparator. */
static void test_the_schedulers_compare_rows_and_ages(void **unused) {
  (void)unused;
  json_t *bfifo = counts("bfifo_sched", NULL, 0), *frfcfs = counts("frfcfs_sched", NULL, 0);
  assert_int_equal(number(bfifo, "comparators"), 4 + 3);
  assert_int_equal(number(bfifo, "comparator_bits"), 4 * 12 + 3 * 6);
  assert_int_equal(number(frfcfs, "comparators"), 32);
  assert_int_equal(number(frfcfs, "comparator_bits"), 32 * 12);
  json_decref(bfifo);
  json_decref(frfcfs);
}

/* One more entry, one more comparator. */
static void test_a_comparator_more_is_counted(void **unused) {
  (void)unused;
  json_t *row = counts("frfcfs_sched", "Q", 33);
  assert_int_equal(number(row, "comparator_bits"), 33 * 12);
  json_decref(row);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_allocators_count_as_the_formulas_say),
    cmocka_unit_test(test_the_schedulers_compare_rows_and_ages),
    cmocka_unit_test(test_a_comparator_more_is_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
