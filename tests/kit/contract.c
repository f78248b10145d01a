/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/contract.h"

#include "base/err.h"
#include "kit/driven.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 400, PERIOD = 40, REST_WITHIN = 64, REST_FOR = 6 };

/* One run: the block, second places for outputs, state and inputs, and what the run has recorded. */
struct run {
  struct driven d;
  struct contract_report *report;
  uint8_t *other, *before, *driven, *twin;
  uint8_t *inputs, *outputs; /* of CYCLES cycles */
};

__attribute__((format(printf, 2, 3))) static bool broken(struct run *r, const char *format, ...) {
  const struct block *b = r->d.b;
  char params[256], what[256];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  snprintf(r->report->text, sizeof r->report->text, "%s (%s), cycle %" PRIu64 ": %s", b->desc->name,
           driven_params_text(b->desc, b->params, params, sizeof params), r->d.now, what);
  return false;
}

static bool open_run(struct run *r, const struct block_desc *desc, const int32_t *params, uint64_t seed,
                     struct contract_report *report) {
  memset(r, 0, sizeof *r);
  r->report = report;
  r->other = calloc(1, desc->out_bytes + 8U);
  r->before = malloc(desc->model->state_bytes);
  r->driven = malloc(desc->in_bytes);
  r->twin = malloc(desc->model->state_bytes);
  r->inputs = calloc(CYCLES, desc->in_bytes);
  r->outputs = calloc(CYCLES, desc->out_bytes);
  bool opened = driven_open(&r->d, desc, params, seed);
  if (opened && r->other && r->before && r->driven && r->twin && r->inputs && r->outputs) return true;
  snprintf(report->text, sizeof report->text, "%s cannot be created", desc->name);
  return false;
}

static void close_run(struct run *r) {
  driven_close(&r->d);
  free(r->other);
  free(r->before);
  free(r->driven);
  free(r->twin);
  free(r->inputs);
  free(r->outputs);
}

static void randomize(struct run *r, const struct block_field *f) {
  const struct block *b = r->d.b;
  for (uint32_t bit = 0; bit < f->width(b->params); bit++) {
    uint8_t *byte = (uint8_t *)b->in + f->offset + bit / 8;
    *byte = (uint8_t)((*byte & ~(1U << bit % 8)) | rng_below(&r->d.rng, 2) << bit % 8);
  }
}

static void eval_into(const struct run *r, void *out, int unlike) {
  const struct block *b = r->d.b;
  memset(out, unlike, b->desc->out_bytes);
  b->desc->model->eval(b->params, b->state, b->in, out);
}

/* As an engine evaluates: late inputs have other values then. */
static void evaluate(struct run *r) {
  struct block *b = r->d.b;
  const struct block_desc *desc = b->desc;
  memcpy(r->driven, b->in, desc->in_bytes);
  for (uint32_t i = 0; i < desc->n_in; i++)
    if (desc->in[i].late) randomize(r, &desc->in[i]);
  memset(b->out, 0xff, desc->out_bytes);
  block_model_eval(b);
  memcpy(b->in, r->driven, desc->in_bytes);
}

/* As an engine ends the cycle. */
static bool tick(struct run *r) {
  struct block *b = r->d.b;
  const struct block_model *m = b->desc->model;
  memcpy(r->twin, b->state, m->state_bytes);
  m->tick(b->params, r->twin, b->in, b->out);
  block_c_tick(b);
  return !memcmp(r->twin, b->state, m->state_bytes) || broken(r, "finish after settle is not what tick is");
}

/* Name of the first output in which the two differ, or NULL. Padding between fields does not count. */
static const char *differing_output(const struct block_desc *desc, const uint8_t *a, const uint8_t *b) {
  for (uint32_t i = 0; i < desc->n_out; i++)
    if (memcmp(a + desc->out[i].offset, b + desc->out[i].offset, desc->out[i].slot)) return desc->out[i].name;
  return NULL;
}

static const char *too_wide_output(const struct block *b) {
  for (uint32_t i = 0; i < b->desc->n_out; i++) {
    const struct block_field *f = &b->desc->out[i];
    const uint8_t *bytes = (const uint8_t *)b->out + f->offset;
    for (uint32_t bit = f->width(b->params); bit < 8 * f->slot; bit++)
      if (bytes[bit / 8] >> bit % 8 & 1) return f->name;
  }
  return NULL;
}

/* A combinational block has no output `busy`: it never is. */
static bool busy(const struct block *b, const void *out) {
  const struct block_field *f = block_field_find(b->desc->out, b->desc->n_out, "busy");
  return f && ((const uint8_t *)out)[f->offset];
}

static void clear_enables(const struct run *r) {
  const struct block *b = r->d.b;
  for (uint32_t i = 0; i < b->desc->n_in; i++)
    if (b->desc->in[i].enable) memset((uint8_t *)b->in + b->desc->in[i].offset, 0, b->desc->in[i].slot);
}

/* The outputs of the cycle, settled into b->out, and what holds of them whatever the block does. */
static bool settle(struct run *r) {
  struct block *b = r->d.b;
  const struct block_desc *desc = b->desc;
  memcpy(r->before, b->state, desc->model->state_bytes);
  evaluate(r);
  eval_into(r, r->other, 0);
  const char *name = differing_output(desc, b->out, r->other);
  if (name) return broken(r, "the output %s is not driven, or another one when evaluated again", name);
  name = too_wide_output(b);
  if (name) return broken(r, "the output %s has ones above its width", name);
  memcpy(r->driven, b->in, desc->in_bytes);
  for (uint32_t i = 0; i < desc->n_in; i++)
    if (desc->in[i].late) randomize(r, &desc->in[i]);
  eval_into(r, r->other, 0);
  memcpy(b->in, r->driven, desc->in_bytes);
  name = desc->has_late ? differing_output(desc, b->out, r->other) : NULL;
  if (name) return broken(r, "the output %s depends on an input that is sampled at the clock edge", name);
  if (memcmp(r->before, b->state, desc->model->state_bytes)) return broken(r, "an evaluation has changed the state");
  return true;
}

static bool busy_ignores_inputs(struct run *r) {
  const struct block *b = r->d.b;
  memcpy(r->driven, b->in, b->desc->in_bytes);
  clear_enables(r);
  eval_into(r, r->other, 0);
  memcpy(b->in, r->driven, b->desc->in_bytes);
  return busy(b, b->out) == busy(b, r->other) || broken(r, "busy depends on inputs");
}

/* Cycles with idle inputs and busy = 0; the other inputs are noise. */
static bool rest(struct run *r) {
  struct block *b = r->d.b;
  for (uint32_t i = 0; i < REST_FOR; i++, r->d.now++) {
    driven_drive(&r->d);
    clear_enables(r);
    if (!block_idle(b)) return broken(r, "inputs without an enable are not idle");
    if (!settle(r)) return false;
    if (busy(b, b->out)) return broken(r, "busy rises without an enabled input");
    if (!tick(r)) return false;
    if (memcmp(r->before, b->state, b->desc->model->state_bytes))
      return broken(r, "an idle tick with busy = 0 has changed the state");
    eval_into(r, r->other, 0xff);
    const char *name = differing_output(b->desc, b->out, r->other);
    if (name) return broken(r, "an idle tick with busy = 0 has changed the output %s", name);
  }
  r->report->idle_periods++;
  return true;
}

/* Idle inputs until the block rests; one that waits for an answer does not. */
static bool try_to_rest(struct run *r) {
  struct block *b = r->d.b;
  for (uint32_t i = 0; i < REST_WITHIN; i++, r->d.now++) {
    driven_drive(&r->d);
    clear_enables(r);
    if (!settle(r)) return false;
    if (!busy(b, b->out)) return rest(r);
    if (!tick(r)) return false;
  }
  return true;
}

static bool rests_after_reset(struct run *r) {
  struct block *b = r->d.b;
  b->desc->model->reset(b->params, b->state);
  memset(b->in, 0, b->desc->in_bytes);
  if (!settle(r)) return false;
  if (busy(b, b->out)) return broken(r, "busy is 1 after a reset");
  return rest(r);
}

static bool random_cycles(struct run *r) {
  struct block *b = r->d.b;
  const struct block_desc *desc = b->desc;
  b->desc->model->reset(b->params, b->state);
  for (uint32_t i = 0; i < CYCLES; i++, r->d.now++) {
    driven_drive(&r->d);
    if (!settle(r)) return false;
    memcpy(r->inputs + (size_t)i * desc->in_bytes, b->in, desc->in_bytes);
    memcpy(r->outputs + (size_t)i * desc->out_bytes, b->out, desc->out_bytes);
    if (!busy_ignores_inputs(r)) return false;
    if (!tick(r)) return false;
  }
  return true;
}

/* The same inputs after another reset, of whatever state the run has led to. */
static bool repeats(struct run *r) {
  struct block *b = r->d.b;
  const struct block_desc *desc = b->desc;
  desc->model->reset(b->params, b->state);
  for (uint32_t i = 0; i < CYCLES; i++, r->d.now++) {
    memcpy(b->in, r->inputs + (size_t)i * desc->in_bytes, desc->in_bytes);
    evaluate(r);
    const char *name = differing_output(desc, b->out, r->outputs + (size_t)i * desc->out_bytes);
    if (name) return broken(r, "the output %s differs from that of the same inputs after an earlier reset", name);
    if (!tick(r)) return false;
  }
  return true;
}

/* Work and rest by turns. */
static bool works_and_rests(struct run *r) {
  for (uint32_t i = 0; i < CYCLES; i++, r->d.now++) {
    if (i % PERIOD == 0 && !try_to_rest(r)) return false;
    driven_drive(&r->d);
    evaluate(r);
    if (!tick(r)) return false;
  }
  return true;
}

static void clear(const struct block_desc *desc, uint8_t *in, bool late) {
  for (uint32_t i = 0; i < desc->n_in; i++)
    if (desc->in[i].enable && desc->in[i].late == late) memset(in + desc->in[i].offset, 0, desc->in[i].slot);
}

/* `skips` skips idle cycles, and its late enables come when that is decided; the run's block executes every cycle. */
static bool late_enables_count(struct run *r, struct block *skips) {
  struct block *b = r->d.b;
  const struct block_desc *desc = b->desc;
  desc->model->reset(b->params, b->state);
  for (uint32_t i = 0; i < CYCLES; i++, r->d.now++) {
    driven_drive(&r->d);
    clear(desc, b->in, false);
    evaluate(r);
    memcpy(skips->in, b->in, desc->in_bytes);
    clear(desc, skips->in, true);
    block_eval(skips);
    const char *name = differing_output(desc, b->out, skips->out);
    if (name) return broken(r, "a late enable of a skipped cycle is lost: the output %s", name);
    memcpy(skips->in, b->in, desc->in_bytes);
    block_tick(skips);
    if (!tick(r)) return false;
  }
  return true;
}

static bool wakes_late(struct run *r) {
  struct err e = {0};
  const struct block *b = r->d.b;
  if (!b->late_enable) return true;
  struct block *skips = block_create_c(b->desc, "skips", b->params, &r->d.now, true, &e);
  bool kept = skips && late_enables_count(r, skips);
  block_destroy(skips);
  return kept;
}

bool contract_kept(const struct block_desc *desc, const int32_t *params, uint64_t seed,
                   struct contract_report *report) {
  struct run r;
  bool kept = open_run(&r, desc, params, seed, report) && rests_after_reset(&r) && random_cycles(&r) &&
              rests_after_reset(&r) && repeats(&r) && works_and_rests(&r) && repeats(&r) && wakes_late(&r);
  close_run(&r);
  return kept;
}

static bool refused(const struct block_desc *desc, uint32_t param, int32_t value, struct contract_report *report) {
  int32_t params[BLOCK_PARAMS_MAX];
  uint64_t now = 0;
  struct err e = {0};
  for (uint32_t i = 0; i < desc->n_params; i++) params[i] = desc->params[i].value;
  params[param] = value;
  struct block *b = block_create_c(desc, desc->name, params, &now, false, &e);
  bool good = !b && e.code == ERR_VALUE && strstr(e.text, desc->name) && strstr(e.text, desc->params[param].name);
  block_destroy(b);
  if (!good)
    snprintf(report->text, sizeof report->text, "%s: %s=%d is not refused by name; '%s'", desc->name,
             desc->params[param].name, value, e.text);
  return good;
}

bool contract_parameters_kept(const struct block_desc *desc, struct contract_report *report) {
  uint64_t now = 0;
  for (uint32_t set = 0; set < desc->n_sweep; set++) {
    struct err e = {0};
    struct block *b = block_create_c(desc, desc->name, desc->sweep + set * desc->n_params, &now, false, &e);
    if (!b) snprintf(report->text, sizeof report->text, "%s: set %u of the sweep: %s", desc->name, set, e.text);
    if (!b) return false;
    block_destroy(b);
  }
  for (uint32_t i = 0; i < desc->n_params; i++) {
    const struct block_param *p = &desc->params[i];
    if (p->min > INT32_MIN && !refused(desc, i, p->min - 1, report)) return false;
    if (p->max < INT32_MAX && !refused(desc, i, p->max + 1, report)) return false;
  }
  return true;
}
