/* SPDX-License-Identifier: Apache-2.0 */
/* slice: desk */
/* Is one cycle of a block's netlist, from the registers of the RTL, one cycle of its C model? The model is the independent path: it
 * knows nothing of Yosys. */
#include "base/process.h"
#include "block/block_drive.h"
#include "kit/test.h"
#include "rtl_netlist.h"
#include "twins.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CYCLES = 300, SEED = 7 };

static void make_stimulus(const struct block_desc *desc, const int32_t *params, struct stimulus *s) {
  const struct block_driver *driver = block_driver_find(desc->name);
  void *state = calloc(1, driver->state_bytes + 1);
  uint64_t now = 0;
  struct rng rng;
  struct err e = {0};
  struct block *b = block_create_c(desc, desc->name, params, &now, false, &e);
  assert_non_null(b);
  rng_seed(&rng, SEED);
  stimulus_init(s, desc, params);
  for (now = 0; now < CYCLES; now++) {
    driver->drive(b->params, &rng, state, b->out, b->in);
    struct stimulus_row *row = stimulus_append(s);
    assert_non_null(row);
    row->cycle = now;
    memcpy(row->in, b->in, desc->in_bytes);
    block_eval(b);
    block_tick(b);
  }
  block_destroy(b);
  free(state);
}

/* Cycles of the last of the stimulus in which netlist and model agree, of those looked at; the model gets wrong inputs if `spoil`. */
static uint32_t agreeing(const char *block, uint32_t set, uint32_t *looked, bool spoil) {
  const struct block_desc *desc = block_find(block);
  const int32_t *params = desc->sweep + set * desc->n_params;
  struct stimulus s;
  struct trail t;
  struct twins twins;
  struct netlist n;
  struct err e = {0};
  struct rtl_paths paths = rtl_paths_default();
  uint32_t agree = 0;
  make_stimulus(desc, params, &s);
  if (rtl_netlist(&paths, desc, params, NULL, 0, &n, &e)) fail_msg("%s", e.text);
  if (trail_run(&t, &s, 0, NULL, &e)) fail_msg("%s", e.text);
  assert_int_equal(t.differences.n, 0);
  if (twins_open(&twins, &s, &n, 0, &e)) fail_msg("%s", e.text);
  *looked = 0;
  for (size_t back = 1; back < TRAIL_ROWS; back++, ++*looked) {
    const struct trail_row *row = trail_back(&t.last, back), *other = trail_back(&t.last, back - 1);
    struct trail_row mixed = *row;
    if (spoil) mixed.raw = other->raw;
    agree += twins_run(&twins, &mixed, row->in);
  }
  twins_close(&twins);
  netlist_free(&n);
  trail_free(&t);
  stimulus_free(&s);
  return agree;
}

static void test_a_cycle_of_the_netlist_is_a_cycle_of_the_model(void **unused) {
  /* adders, multiplexers, a memory with two read ports, priority encoders, submodules; sets with odd sizes */
  static const struct {
    const char *block;
    uint32_t set;
  } of[] = {{"rr_arb", 0},         {"rr_arb", 2},     {"lfsr", 0},          {"bkconf_history_cache", 1},
            {"mem_warp_mask", 0},  {"d2ma_agen", 0},  {"d2ma_requests", 1}, {"elastic_mem_stage", 1},
            {"d2ma_footprint", 0}, {"islip_alloc", 1}};
  (void)unused;
  print_message("seed %d\n", SEED);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    uint32_t looked, agree = agreeing(of[i].block, of[i].set, &looked, false);
    if (agree != looked) fail_msg("%s, set %u: %u of %u cycles agree", of[i].block, of[i].set, agree, looked);
    assert_int_equal(looked, TRAIL_ROWS - 1);
  }
}

/* The check can fail: with the registers of the next cycle. */
static void test_other_registers_are_noticed(void **unused) {
  uint32_t looked, agree = agreeing("rr_arb", 2, &looked, true);
  (void)unused;
  assert_in_range(agree, 0, looked - 10);
}

int main(void) {
  char path[1024];
  struct stat st;
  if (!process_find_tool("yosys", path, sizeof path, &st)) {
    puts("skipped: no yosys");
    return 77;
  }
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_cycle_of_the_netlist_is_a_cycle_of_the_model),
    cmocka_unit_test(test_other_registers_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
