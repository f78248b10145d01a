/* SPDX-License-Identifier: Apache-2.0 */
/* rows: elsewhere */
/* Does each block keep the contract (tests/kit/contract.h)?
 *
 *   contract_test BLOCK   this block, with every parameter set of its sweep
 *   contract_test         does each check find a block that breaks it? */
#include "kit/contract.h"
#include "kit/test.h"
#include "rr_arb_ports.h"

enum { SEED = 0xc0de };

static void test_a_block_keeps_the_contract(void **state) {
  const struct block_desc *desc = *state;
  struct contract_report report = {0};
  if (!contract_parameters_kept(desc, &report)) fail_msg("%s", report.text);
  print_message("seed %d\n", SEED);
  for (uint32_t set = 0; set < desc->n_sweep; set++) {
    report.idle_periods = 0;
    if (!contract_kept(desc, desc->sweep + set * desc->n_params, SEED + set, &report)) fail_msg("%s", report.text);
    assert_in_range(report.idle_periods, 2, UINT32_MAX);
    print_message("set %u: at rest %u times\n", set, report.idle_periods);
  }
}

/* ---- arbiters that break the contract, each in one way ---- */

#define AS_MODEL(out_type, name) ((struct out_type *)(name))

static void eval_without_busy(const void *cfg, const void *state, const void *in, void *out) {
  struct rr_arb_out whole;
  rr_arb_model.eval(cfg, state, in, &whole);
  AS_MODEL(rr_arb_out, out)->grant = whole.grant;
}
static void eval_beyond_the_width(const void *cfg, const void *state, const void *in, void *out) {
  rr_arb_model.eval(cfg, state, in, out);
  AS_MODEL(rr_arb_out, out)->grant |= UINT32_MAX << ((const struct rr_arb_cfg *)cfg)->N;
}
static void eval_shows_accept(const void *cfg, const void *state, const void *in, void *out) {
  rr_arb_model.eval(cfg, state, in, out);
  if (((const struct rr_arb_in *)in)->accept) AS_MODEL(rr_arb_out, out)->grant = 0;
}
static void eval_moves(const void *cfg, const void *state, const void *in, void *out) {
  struct rr_arb_in taken = *(const struct rr_arb_in *)in;
  rr_arb_model.eval(cfg, state, in, out);
  taken.accept = 1;
  rr_arb_model.tick(cfg, (void *)(uintptr_t)state, &taken, out);
}
static void eval_busy_while_asked(const void *cfg, const void *state, const void *in, void *out) {
  rr_arb_model.eval(cfg, state, in, out);
  AS_MODEL(rr_arb_out, out)->busy = ((const struct rr_arb_in *)in)->req != 0;
}
static void eval_always_busy(const void *cfg, const void *state, const void *in, void *out) {
  rr_arb_model.eval(cfg, state, in, out);
  AS_MODEL(rr_arb_out, out)->busy = 1;
}
static void reset_keeps_the_state(const void *cfg, void *state) {
  const struct rr_arb_in none = {0};
  struct rr_arb_out out;
  struct rr_arb_regs regs;
  rr_arb_model.regs(cfg, state, &regs);
  if (regs.ptr_q >= ((const struct rr_arb_cfg *)cfg)->N) rr_arb_model.reset(cfg, state); /* garbage */
  rr_arb_model.eval(cfg, state, &none, &out);
}
static void tick_moves_when_idle(const void *cfg, void *state, const void *in, const void *out) {
  const struct rr_arb_in all = {.req = 1, .accept = 1};
  struct rr_arb_out grant;
  rr_arb_model.tick(cfg, state, in, out);
  if (((const struct rr_arb_in *)in)->req) return;
  rr_arb_model.eval(cfg, state, &all, &grant);
  rr_arb_model.tick(cfg, state, &all, &grant);
}

static void assert_found(const struct block_model *model, const char *sentence) {
  struct contract_report report = {0};
  struct block_desc desc = rr_arb_desc;
  desc.model = model;
  assert_false(contract_kept(&desc, desc.sweep, SEED, &report));
  print_message("%s\n", report.text);
  assert_non_null(strstr(report.text, sentence));
}

static void test_each_check_finds_a_block_that_breaks_it(void **unused) {
  static const struct {
    void (*eval)(const void *, const void *, const void *, void *);
    const char *sentence;
  } evals[] = {{eval_without_busy, "busy is not driven"},
               {eval_beyond_the_width, "grant has ones above its width"},
               {eval_shows_accept, "grant depends on an input that is sampled at the clock edge"},
               {eval_moves, "evaluat"},
               {eval_busy_while_asked, "busy depends on inputs"},
               {eval_always_busy, "busy is 1 after a reset"}};
  (void)unused;
  for (size_t i = 0; i < sizeof evals / sizeof *evals; i++) {
    struct block_model model = rr_arb_model;
    model.eval = evals[i].eval;
    assert_found(&model, evals[i].sentence);
  }
  struct block_model model = rr_arb_model;
  model.reset = reset_keeps_the_state;
  assert_found(&model, "after an earlier reset");
  model = rr_arb_model;
  model.tick = tick_moves_when_idle;
  assert_found(&model, "an idle tick with busy = 0 has changed the state");
}

static void test_a_set_out_of_range_in_the_sweep_is_found(void **unused) {
  static const int32_t sweep[] = {8, 33};
  (void)unused;
  struct contract_report report = {0};
  struct block_desc desc = rr_arb_desc;
  desc.sweep = sweep;
  desc.n_sweep = 2;
  assert_false(contract_parameters_kept(&desc, &report));
  assert_non_null(strstr(report.text, "set 1 of the sweep: rr_arb: parameter N=33 is outside 1..32"));
}

int main(int argc, char **argv) {
  const struct CMUnitTest planted[] = {
    cmocka_unit_test(test_each_check_finds_a_block_that_breaks_it),
    cmocka_unit_test(test_a_set_out_of_range_in_the_sweep_is_found),
  };
  if (argc < 2) return cmocka_run_group_tests(planted, NULL, NULL);
  const struct block_desc *desc = block_find(argv[1]);
  if (!desc) {
    fprintf(stderr, "contract_test: the manifest has no block '%s'\n", argv[1]);
    return 2;
  }
  const struct CMUnitTest of_block[] = {
    cmocka_unit_test_prestate(test_a_block_keeps_the_contract, (void *)(uintptr_t)desc)};
  return cmocka_run_group_tests(of_block, NULL, NULL);
}
