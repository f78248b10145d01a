/* SPDX-License-Identifier: Apache-2.0 */
/* slice: foundation */
/* Does engine rtl compute what the C model does, although it leaves out evaluations of an instance at rest, and of late inputs that have
 * not changed? Inputs stand for some cycles, resets come, and late inputs change between the two halves of a cycle. */
#include "base/rng.h"
#include "block/block_drive.h"
#include "dpi.h"
#include "kit/test.h"

enum { SEED = 0x5e7, CYCLES = 60000, STAYS_AT_MOST = 40, RESET_ONE_IN = 3000 };

struct pair {
  const struct block_desc *desc;
  struct dpi *dpi;
  struct block *rtl, *c;
  struct rng rng;
  uint64_t now;
  void *driver_state;
  uint8_t *next;  /* inputs that the driver has made last */
  uint8_t *stay;  /* inputs that stay */
  uint32_t stays; /* cycles for which the inputs stay */
};

static void begin(struct pair *p, const char *name) {
  static const struct engine_rule rules[] = {{.pattern = "rtl", .engine = ENGINE_RTL},
                                             {.pattern = "c", .engine = ENGINE_C}};
  struct dpi_config config = {.rules = rules, .n_rules = 2, .skip = false};
  struct err e;
  memset(p, 0, sizeof *p);
  rng_seed(&p->rng, SEED);
  p->desc = block_find(name);
  assert_non_null(p->desc);
  int32_t params[BLOCK_PARAMS_MAX];
  for (uint32_t i = 0; i < p->desc->n_params; i++) params[i] = p->desc->params[i].value;
  if (dpi_create(&config, &p->dpi, &e)) fail_msg("%s", e.text);
  struct block_factory *f = dpi_factory(p->dpi);
  p->rtl = f->create(f, p->desc, "rtl", params, &p->now, &e);
  if (!p->rtl) fail_msg("%s", e.text);
  p->c = f->create(f, p->desc, "c", params, &p->now, &e);
  if (!p->c) fail_msg("%s", e.text);
  p->driver_state = calloc(1, block_driver_find(name)->state_bytes + 1);
  p->next = calloc(1, p->desc->in_bytes);
  p->stay = calloc(1, p->desc->in_bytes);
  assert_true(p->driver_state && p->next && p->stay);
}

static void end(struct pair *p) {
  block_destroy(p->rtl);
  block_destroy(p->c);
  dpi_destroy(p->dpi);
  free(p->driver_state);
  free(p->next);
  free(p->stay);
}

static void make_inputs(struct pair *p) {
  const struct block_driver *driver = block_driver_find(p->desc->name);
  uint8_t kept[p->desc->in_bytes];
  memcpy(kept, p->c->in, sizeof kept);
  driver->drive(p->c->params, &p->rng, p->driver_state, p->c->out, p->c->in);
  memcpy(p->next, p->c->in, sizeof kept);
  memcpy(p->c->in, kept, sizeof kept);
}

/* Inputs of the cycle: new ones, those of the cycle before, or those with other late ones that come after the evaluation; late ones stay, or
 * are at the next evaluation what they were. */
static bool drive(struct pair *p) {
  bool late = false;
  if (p->stays) {
    p->stays--;
    if (rng_percent(&p->rng, 50)) memcpy(p->c->in, p->stay, p->desc->in_bytes);
    late = p->desc->has_late && rng_percent(&p->rng, 10);
  } else {
    make_inputs(p);
    memcpy(p->c->in, p->next, p->desc->in_bytes);
    memcpy(p->stay, p->next, p->desc->in_bytes);
    if (rng_percent(&p->rng, 30)) p->stays = 1 + rng_below(&p->rng, STAYS_AT_MOST);
  }
  memcpy(p->rtl->in, p->c->in, p->desc->in_bytes);
  p->rtl->rst_n = p->c->rst_n = p->now > 0 && rng_below(&p->rng, RESET_ONE_IN);
  return late;
}

static void change_late(struct pair *p) {
  make_inputs(p);
  for (uint32_t i = 0; i < p->desc->n_in; i++) {
    const struct block_field *f = &p->desc->in[i];
    if (f->late) memcpy((uint8_t *)p->c->in + f->offset, p->next + f->offset, (size_t)f->slot * f->rows);
  }
  memcpy(p->rtl->in, p->c->in, p->desc->in_bytes);
}

static void compare(const struct pair *p) {
  for (uint32_t i = 0; i < p->desc->n_out; i++) {
    const struct block_field *f = &p->desc->out[i];
    const uint8_t *rtl = p->rtl->out, *c = p->c->out;
    if (memcmp(rtl + f->offset, c + f->offset, (size_t)f->slot * f->rows) && block_output_counts(p->desc, f, c))
      fail_msg("%s, cycle %" PRIu64 ": output %s differs from the model's", p->desc->name, p->now, f->name);
  }
}

static void run(const char *name) {
  struct pair p;
  begin(&p, name);
  for (p.now = 0; p.now < CYCLES; p.now++) {
    bool late = drive(&p);
    block_eval(p.c);
    block_eval(p.rtl);
    compare(&p);
    if (late) change_late(&p);
    block_tick(p.c);
    block_tick(p.rtl);
  }
  const struct block_profile *n = &p.rtl->profile;
  print_message("%s: %" PRIu64 " evaluations, %" PRIu64 " cycles at rest, %" PRIu64 " calls of DPI\n", name,
                n->rtl_evals, n->rtl_still, n->dpi_calls);
  assert_int_equal(n->rtl_evals + n->rtl_still, CYCLES);
  assert_true(n->rtl_still); /* a block that seldom rests is looked at seldom */
  assert_true(n->dpi_calls < 2 * CYCLES);
  end(&p);
}

static void test_rtl_at_rest_computes_what_the_model_does(void **state) {
  static const char *const blocks[] = {"rr_arb",         "d2ma_ctrl_array", "d2ma_agen",   "d2ma_requests",
                                       "d2ma_raw_check", "l1_victim_prio",  "othresh_ctl", "caba_aws"};
  (void)state;
  print_message("seed 0x%x\n", SEED);
  for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++) run(blocks[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rtl_at_rest_computes_what_the_model_does)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
