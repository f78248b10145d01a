/* SPDX-License-Identifier: Apache-2.0 */
/* Which points follow from a row of the manifest. */
#include "blocktest/coverage_points.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* assumption: 0 as such matters for counts and numbers, not for addresses and data, which are wider */
enum { ZERO_BITS_MAX = 16 };

static unsigned add_point(struct coverage *c, bool counted, const char *form, ...)
  __attribute__((format(printf, 3, 4)));
static unsigned add_point(struct coverage *c, bool counted, const char *form, ...) {
  invariant(c->n_points < COVERAGE_POINTS_MAX, "%s has more than %d points", c->desc->name, COVERAGE_POINTS_MAX);
  struct coverage_point *p = &c->points[c->n_points];
  va_list arguments;
  va_start(arguments, form);
  vsnprintf(p->name, sizeof p->name, form, arguments);
  va_end(arguments);
  p->counted = counted;
  return c->n_points++;
}

static struct probe *add_probe(struct coverage *c, enum probe_kind kind, const struct block_field *f) {
  invariant(c->n_probes < COVERAGE_PROBES_MAX, "%s has more than %d probes", c->desc->name, COVERAGE_PROBES_MAX);
  struct probe *p = &c->probes[c->n_probes++];
  p->kind = kind;
  p->f = f;
  p->point = c->n_points;
  return p;
}

static int add_bits(struct coverage *c, const struct block_field *f, const char *what, struct probe **out,
                    struct err *e) {
  struct probe *p = *out = add_probe(c, PROBE_BITS, f);
  p->zeros = calloc(2, f->slot);
  if (!p->zeros) return err_set(e, ERR_LIMIT, "out of memory for the coverage of %s", c->desc->name);
  p->ones = p->zeros + f->slot;
  add_point(c, false, "%s%s: every bit 0 and 1", what, f->name);
  return 0;
}

/* Whether the default parameters make it one bit wide, too: an index whose only value is 0 is no flag. */
static bool is_flag(const struct coverage *c, const struct block_field *f) {
  int32_t defaults[BLOCK_PARAMS_MAX];
  block_default_params(c->desc, defaults);
  return f->width(c->params) == 1 && f->width(defaults) == 1;
}

static int add_port(struct coverage *c, const struct block_field *f, bool is_out, struct err *e) {
  uint32_t width = f->width(c->params);
  struct probe *p;
  int status = 0;
  if (is_flag(c, f)) {
    p = add_probe(c, PROBE_BIT, f);
    add_point(c, true, "%s is 0", f->name);
    add_point(c, true, "%s is 1", f->name);
    add_point(c, true, "%s rises", f->name);
    add_point(c, true, "%s falls", f->name);
  } else if (f->names) {
    p = add_probe(c, PROBE_NAMES, f);
    for (uint32_t v = 0; f->names[v]; v++) add_point(c, true, "%s is %u (%s)", f->name, v, f->names[v]);
  } else {
    status = add_bits(c, f, "", &p, e);
  }
  p->is_out = is_out;
  if (status || is_out || !f->enable || width == 1) return status;
  add_probe(c, PROBE_VECTOR, f);
  add_point(c, true, "%s: no bit", f->name);
  add_point(c, true, "%s: one bit", f->name);
  add_point(c, true, "%s: several bits", f->name);
  add_point(c, true, "%s: all bits", f->name);
  return 0;
}

/* Whether other registers' rows count where this one's bits are 1. */
static bool says_which_rows(const struct block_desc *desc, uint32_t reg) {
  for (uint32_t i = 0; i < desc->n_regs; i++)
    if (desc->regs[i].valid == (int32_t)reg && desc->regs[i].rows > 1) return true;
  return false;
}

static int add_register(struct coverage *c, uint32_t i, struct err *e) {
  const struct block_field *r = &c->desc->regs[i];
  struct probe *p;
  if (r->depth && !r->depth(c->params)) return 0;
  if (says_which_rows(c->desc, i)) {
    p = add_probe(c, PROBE_ROWS, r);
    add_point(c, true, "register %s: no row", r->name);
    add_point(c, true, "register %s: every row", r->name);
    p->is_reg = true;
    p->reg = i;
  }
  if (r->width(c->params) <= ZERO_BITS_MAX) {
    p = add_probe(c, PROBE_ZERO, r);
    add_point(c, false, "register %s is 0", r->name);
    p->is_reg = true;
    p->reg = i;
  }
  int status = add_bits(c, r, "register ", &p, e);
  p->is_reg = true;
  p->reg = i;
  return status;
}

/* NAME of a port NAME_valid or NAME_ready, or 0 letters. */
static size_t stem(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && !strcmp(name + n - m, end) ? n - m : 0;
}

static void add_handshakes(struct coverage *c, const struct block_field *valids, uint32_t n, bool valid_is_out) {
  const struct block_desc *desc = c->desc;
  const struct block_field *readies = valid_is_out ? desc->in : desc->out;
  uint32_t n_readies = valid_is_out ? desc->n_in : desc->n_out;
  for (uint32_t i = 0; i < n; i++) {
    size_t letters = stem(valids[i].name, "_valid");
    for (uint32_t k = 0; letters && k < n_readies; k++) {
      if (stem(readies[k].name, "_ready") != letters || strncmp(readies[k].name, valids[i].name, letters) != 0)
        continue;
      struct probe *p = add_probe(c, PROBE_HANDSHAKE, &valids[i]);
      p->g = &readies[k];
      p->is_out = valid_is_out;
      p->g_is_out = !valid_is_out;
      int shown = (int)letters;
      add_point(c, true, "%.*s: transfer", shown, valids[i].name);
      add_point(c, true, "%.*s: valid without ready", shown, valids[i].name);
      add_point(c, true, "%.*s: ready without valid", shown, valids[i].name);
      add_point(c, true, "%.*s: transfers in two cycles in a row", shown, valids[i].name);
      add_point(c, true, "%.*s: valid without ready in two cycles in a row", shown, valids[i].name);
    }
  }
}

static void add_pairs(struct coverage *c) {
  const struct block_desc *desc = c->desc;
  for (uint32_t i = 0; i < desc->n_in; i++)
    for (uint32_t k = i + 1; k < desc->n_in; k++) {
      if (!desc->in[i].enable || !desc->in[k].enable) continue;
      struct probe *p = add_probe(c, PROBE_PAIR, &desc->in[i]);
      p->g = &desc->in[k];
      add_point(c, true, "%s beside %s", desc->in[i].name, desc->in[k].name);
    }
}

int coverage_derive(struct coverage *c, struct err *e) {
  const struct block_desc *desc = c->desc;
  int status = 0;
  for (uint32_t i = 0; i < desc->n_in && !status; i++) status = add_port(c, &desc->in[i], false, e);
  for (uint32_t i = 0; i < desc->n_out && !status; i++) status = add_port(c, &desc->out[i], true, e);
  add_handshakes(c, desc->in, desc->n_in, false);
  add_handshakes(c, desc->out, desc->n_out, true);
  add_pairs(c);
  /* the registers of a composite are those of its parts, which have points of their own */
  for (uint32_t i = 0; i < desc->n_regs && !desc->parts && !status; i++) status = add_register(c, i, e);
  if (!desc->n_regs || status) return status;
  c->idle_rest = add_point(c, true, "idle at rest");
  c->idle_busy = add_point(c, true, "idle while busy");
  if (!desc->no_reset) {
    c->reset_busy = add_point(c, true, "reset while busy");
    c->reset_asked = add_point(c, true, "reset beside a request");
  }
  return 0;
}
