/* SPDX-License-Identifier: Apache-2.0 */
/* slice: area */
/* Arrays of the RTL: as SRAM at or above the threshold, as flip-flops below it, every bit counted once, paths through them
 * closed. The designs are tests/synth/ram_*.v. */
#include "base/err.h"
#include "kit/json_row.h"
#include "synth/synth.h"
#include "synth/technology.h"

/* The row of a design of tests/synth. */
static json_t *synthesise(const char *top, unsigned seeds, int64_t memory_bits, unsigned n_params,
                          const struct synth_param *params) {
  const struct synth_options options = {.seeds = seeds, .memory_bits = memory_bits};
  struct synth *s;
  struct err e = {0};
  char file[1024];
  snprintf(file, sizeof file, "%s/../tests/synth/%s.v", TANDEM_CONFIG_DIR, top);
  int status = synth_open(&s, &options, &e);
  if (!status) status = synth_add_library(s, SYNTH_DEFAULT_LIBERTY, &e);
  if (!status) status = synth_add_file(s, file, top, params, n_params, &e);
  if (!status) status = synth_run(s, &e);
  if (status) fail_msg("%s", e.text);
  json_t *rows = synth_json(s), *row = json_incref(json_array_get(rows, 0));
  json_decref(rows);
  synth_close(s);
  return row;
}

static void test_an_array_at_the_threshold_is_sram_and_one_below_it_flip_flops(void **state) {
  (void)state;
  json_t *row = synthesise("ram_block", 4, 64 * 32, 0, NULL);
  const json_t *memories = get(row, "memories");
  assert_int_equal(json_array_size(memories), 2);
  for (size_t i = 0; i < 2; i++) {
    const json_t *m = json_array_get(memories, i);
    bool large = !strcmp(text(m, "name"), "words");
    assert_string_equal(text(m, "kind"), large ? "sram" : "flip-flops");
    assert_int_equal(number(m, "rows"), large ? 64 : 8);
    assert_int_equal(number(m, "width"), large ? 32 : 8);
    assert_int_equal(number(m, "read_ports") + number(m, "write_ports"), 2);
    assert_int_equal(json_is_true(get(m, "clocked_reads")), large);
  }
  /* two pointers of 7 bits, eight tags of 8, the register behind the read of 32 */
  assert_int_equal(number(row, "flip_flop_bits"), 2 * 7 + 8 * 8 + 32);
  assert_int_equal(number(row, "memory_bits"), 64 * 32);
  assert_int_equal(number(get(row, "as_flip_flops"), "flip_flop_bits"), 2 * 7 + 8 * 8 + 32 + 64 * 32);
  json_decref(row);
  row = synthesise("ram_block", 1, 64 * 32 + 1, 0, NULL);
  assert_int_equal(number(row, "memory_bits"), 0);
  assert_int_equal(number(row, "flip_flop_bits"), 2 * 7 + 8 * 8 + 32 + 64 * 32);
  json_decref(row);
}

static void test_the_register_behind_one_of_two_reads_counts(void **state) {
  (void)state;
  json_t *row = synthesise("ram_mixed", 1, SYNTH_MEMORY_BITS, 0, NULL);
  const json_t *m = json_array_get(get(row, "memories"), 0);
  assert_string_equal(text(m, "kind"), "sram");
  assert_false(json_is_true(get(m, "clocked_reads")));
  assert_int_equal(number(m, "read_ports"), 2);
  assert_int_equal(number(row, "flip_flop_bits"), 16);
  json_decref(row);
}

static void test_the_area_is_logic_and_sram_model_and_the_seeds_run_over_the_logic(void **state) {
  (void)state;
  json_t *row = synthesise("ram_block", 4, SYNTH_MEMORY_BITS, 0, NULL);
  const struct sram_shape shape = {64, 32, 1, 1};
  struct band model, access, area = synth_band(get(row, "area_um2")), logic = synth_band(get(row, "logic_um2"));
  assert_true(technology_sram(180, &shape, &model, &access));
  assert_true(area.median - logic.median > 0.999 * model.median && area.median - logic.median < 1.001 * model.median);
  assert_true(area.high - logic.high > 0.999 * model.high && area.low - logic.low < 1.001 * model.low);
  assert_true(logic.low < logic.high);
  assert_true(number(row, "distinct_netlists") >= 2);
  /* as flip-flops it is far larger, and synthesised once */
  assert_true(number(get(row, "as_flip_flops"), "area_um2") > 2 * area.median);
  json_decref(row);
}

static void test_a_path_goes_through_a_memory_that_is_read_without_a_clock(void **state) {
  (void)state;
  json_t *row = synthesise("ram_async", 4, SYNTH_MEMORY_BITS, 0, NULL);
  const json_t *paths = get(row, "paths"), *m = json_array_get(get(row, "memories"), 0);
  double access = synth_band(get(m, "access_ns")).median;
  double sum = number(get(paths, "to-memory"), "delay_ns") + access + number(get(paths, "from-memory"), "delay_ns");
  double through = number(get(paths, "through-memory"), "delay_ns");
  assert_true(access > 0 && through > 0.999 * sum && through < 1.001 * sum);
  assert_true(number(get(row, "critical_path"), "delay_ns") >= through);
  assert_true(number(get(paths, "register-register"), "delay_ns") < through);
  json_decref(row);
}

static void test_an_array_too_large_for_flip_flops_is_never_exploded(void **state) {
  (void)state;
  const struct synth_param words = {"WORDS", 65536};
  json_t *row = synthesise("ram_block", 4, SYNTH_MEMORY_BITS, 1, &words);
  assert_int_equal(number(row, "memory_bits"), 65536 * 32);
  assert_true(synth_band(get(row, "cells")).high < 5000);
  assert_non_null(strstr(text(get(row, "as_flip_flops"), "reason"), "not synthesised"));
  json_decref(row);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_array_at_the_threshold_is_sram_and_one_below_it_flip_flops),
    cmocka_unit_test(test_the_register_behind_one_of_two_reads_counts),
    cmocka_unit_test(test_the_area_is_logic_and_sram_model_and_the_seeds_run_over_the_logic),
    cmocka_unit_test(test_a_path_goes_through_a_memory_that_is_read_without_a_clock),
    cmocka_unit_test(test_an_array_too_large_for_flip_flops_is_never_exploded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
