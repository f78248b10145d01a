/* SPDX-License-Identifier: Apache-2.0 */
/* slice: area */
/* rows: elsewhere */
/* synth_netlists_test BLOCK: synthesis of a block with the default library, two netlists: are the figures consistent? */
#include "base/err.h"
#include "kit/json_row.h"
#include "synth/synth.h"

#include <math.h>

enum { LARGE_BITS = 4096 };

/* The default parameters; of a block with many registers the first set of the sweep (memories have their own tests, and
 * the default costs minutes). */
static const int32_t *parameters(const struct block_desc *d) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < d->n_regs; i++)
    bits += d->regs[i].width(d->sweep) * (d->regs[i].depth ? d->regs[i].depth(d->sweep) : 1);
  return bits >= LARGE_BITS && d->n_sweep > 1 ? d->sweep + d->n_params : d->sweep;
}

static int make_rows(void **state) {
  const struct synth_options options = {.seeds = 2, .memory_bits = SYNTH_MEMORY_BITS};
  const struct block_desc *d = *state;
  struct synth *s;
  struct err e = {0};
  int status = synth_open(&s, &options, &e);
  if (!status) status = synth_add_library(s, SYNTH_DEFAULT_LIBERTY, &e);
  if (!status) status = synth_add_block(s, d, parameters(d), &e);
  if (!status) status = synth_run(s, &e);
  if (status) fprintf(stderr, "%s\n", e.text);
  *state = status ? NULL : synth_json(s);
  synth_close(s);
  return status;
}

static int free_rows(void **state) {
  json_decref(*state);
  return 0;
}

static void test_a_block_has_figures_with_a_band(void **state) {
  static const char *const keys[] = {"area_um2", "kge", "cells", "levels", "fmax_mhz"};
  const json_t *row;
  size_t i;
  assert_int_equal(json_array_size(*state), 1);
  json_array_foreach((json_t *)*state, i, row) {
    assert_true(json_is_true(get(row, "pre_layout")) && json_is_true(get(row, "band")));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      struct band b = synth_band(get(row, keys[k]));
      if (!(0 < b.low && b.low <= b.median && b.median <= b.high))
        fail_msg("%s %s: %g %g %g", text(row, "block"), keys[k], b.low, b.median, b.high);
    }
    struct band area = synth_band(get(row, "area_um2")), kge = synth_band(get(row, "kge"));
    double unit = number(get(row, "library"), "nand2_um2");
    assert_true(area.low < area.high);
    assert_true(kge.median * 1e3 * unit > 0.999 * area.median && kge.median * 1e3 * unit < 1.001 * area.median);
    printf("%s: %.0f um2, %.1f MHz\n", text(row, "block"), area.median, synth_band(get(row, "fmax_mhz")).median);
  }
}

static void test_flip_flops_and_memories_hold_the_bits_of_the_manifest(void **state) {
  const json_t *row;
  size_t i;
  json_array_foreach((json_t *)*state, i, row) {
    const struct block_desc *d = block_find(text(row, "block"));
    const int32_t *params = parameters(d);
    unsigned bits = 0;
    for (uint32_t k = 0; k < d->n_regs; k++)
      bits += d->regs[k].width(params) * (d->regs[k].depth ? d->regs[k].depth(params) : 1);
    const json_t *memory;
    size_t m;
    double held = number(row, "flip_flop_bits");
    json_array_foreach(get(row, "memories"), m, memory) {
      if (!strcmp(text(memory, "kind"), "sram")) held += number(memory, "rows") * number(memory, "width");
    }
    assert_int_equal(held, bits);
  }
}

static void test_the_netlists_differ(void **state) {
  const json_t *row;
  size_t i;
  json_array_foreach((json_t *)*state, i, row) {
    const json_t *seeds = get(row, "seeds");
    assert_int_equal(json_array_size(seeds), 2);
    assert_string_not_equal(text(json_array_get(seeds, 0), "hash"), text(json_array_get(seeds, 1), "hash"));
    assert_int_equal(number(row, "distinct_netlists"), 2);
  }
}

static void test_the_critical_path_is_the_longest_of_the_kinds_of_path(void **state) {
  const json_t *row, *path;
  const char *kind;
  size_t i;
  json_array_foreach((json_t *)*state, i, row) {
    const json_t *critical = get(row, "critical_path");
    double worst = 0;
    json_object_foreach((json_t *)get(row, "paths"), kind, path) {
      if (strcmp(kind, "any") != 0 && number(path, "delay_ns") > worst) worst = number(path, "delay_ns");
    }
    assert_true(worst > 0 && worst == number(critical, "delay_ns"));
    assert_int_equal(json_array_size(get(critical, "stages")), number(critical, "levels"));
    /* the band of two netlists ends between the 95 % point and the deeper one: round up to that one's whole number */
    const json_t *through = json_object_get(get(row, "paths"), "through-memory");
    double deep = ceil(synth_band(get(row, "levels")).high);
    if (through && number(through, "delay_ns") == worst) deep = 2 * deep + 1; /* logic, the memory, logic */
    assert_true(number(critical, "levels") <= deep);
    assert_true(*text(critical, "from") && *text(critical, "to"));
    double cells = 0;
    for (size_t k = 0; k < json_array_size(get(critical, "stages")); k++)
      cells += number(json_array_get(get(critical, "stages"), k), "delay_ns");
    /* the registers at the ends need time, too, where there are any; delays are printed with five decimals */
    const json_t *across = json_object_get(get(row, "paths"), "input-output");
    bool combinational = number(row, "flip_flop_bits") == 0 || (across && number(across, "delay_ns") == worst);
    assert_true(combinational ? cells <= worst + 1e-3 : cells < worst);
  }
}

/* The figures of one block, made once; cmocka hands the group's state to each test. */
static const struct block_desc *wanted;
static int setup(void **state) {
  *state = (void *)wanted;
  return make_rows(state);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_block_has_figures_with_a_band),
    cmocka_unit_test(test_flip_flops_and_memories_hold_the_bits_of_the_manifest),
    cmocka_unit_test(test_the_netlists_differ),
    cmocka_unit_test(test_the_critical_path_is_the_longest_of_the_kinds_of_path),
  };
  wanted = argc == 2 ? block_find(argv[1]) : NULL;
  if (!wanted) {
    fprintf(stderr, "usage: synth_netlists_test BLOCK\n");
    return 2;
  }
  return cmocka_run_group_tests(tests, setup, free_rows);
}
