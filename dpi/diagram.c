/* SPDX-License-Identifier: Apache-2.0 */
#include "diagram.h"

#include "base/err.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const lane_kinds[LANE_KINDS] = {"inputs", "outputs", "registers that differ"};

/* A field of one side in every cycle shown, and NULL after the last of them. */
struct column {
  const uint8_t *at[DIAGRAM_CYCLES];
};

static char *value_text(const struct block_field *f, uint32_t width, const uint8_t *at) {
  size_t size = 2 * (size_t)f->slot + 24;
  uint32_t number = 0;
  memcpy(&number, at, f->slot < sizeof number ? f->slot : sizeof number);
  if (f->names && width <= 8) {
    uint32_t n = 0;
    while (n < number && f->names[n]) n++;
    if (f->names[n]) return strdup(f->names[n]);
  }
  char *text = malloc(size);
  if (text) stimulus_print_value(at, width, text, size);
  return text;
}

static bool all_zero(const struct diagram *d, const struct column *c, uint32_t bytes) {
  for (uint32_t i = 0; i < d->n_cycles; i++)
    for (uint32_t k = 0; k < bytes; k++)
      if (c->at[i][k]) return false;
  return true;
}

static struct lane *add_lane(struct diagram *d, const struct block_field *f, enum lane_kind kind, uint32_t row,
                             const char *side, uint32_t width, const struct column *c, bool *failed) {
  if (d->n_lanes == DIAGRAM_LANES) {
    d->n_left_out++;
    return NULL;
  }
  struct lane *l = &d->lane[d->n_lanes++];
  *l = (struct lane){.kind = kind, .width = width};
  if (f->depth && kind == LANE_REGISTER) snprintf(l->name, sizeof l->name, "%.60s[%u]%s", f->name, row, side);
  else snprintf(l->name, sizeof l->name, "%.80s%s", f->name, side);
  for (uint32_t i = 0; i < DIAGRAM_CYCLES && c->at[i]; i++) {
    l->value[i] = value_text(f, width, c->at[i]);
    *failed |= !l->value[i];
  }
  return l;
}

/* One lane if both sides agree in all cycles, else one for each side. */
static void add_pair(struct diagram *d, const struct block_field *f, enum lane_kind kind, uint32_t row, uint32_t width,
                     const struct column *model, const struct column *rtl, const bool *counts, bool *failed) {
  bool differs[DIAGRAM_CYCLES], any = false;
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    differs[i] = memcmp(model->at[i], rtl->at[i], f->slot) != 0 && (!counts || counts[i]);
    any |= differs[i];
  }
  if (!any && all_zero(d, model, f->slot)) {
    d->n_left_out++;
    return;
  }
  struct lane *l[2] = {add_lane(d, f, kind, row, any ? " (C model)" : "", width, model, failed), NULL};
  if (any) l[1] = add_lane(d, f, kind, row, " (RTL)", width, rtl, failed);
  for (int k = 0; k < 2; k++)
    if (l[k]) memcpy(l[k]->differs, differs, sizeof differs);
}

static void add_inputs(struct diagram *d, const struct block_desc *desc, const int32_t *params,
                       const struct trail_row *const *rows, bool *failed) {
  for (uint32_t k = 0; k < desc->n_in; k++) {
    const struct block_field *f = &desc->in[k];
    struct column c = {0};
    for (uint32_t i = 0; i < d->n_cycles; i++) c.at[i] = rows[i]->in + f->offset;
    add_pair(d, f, LANE_INPUT, 0, f->width(params), &c, &c, NULL, failed);
  }
}

static void add_outputs(struct diagram *d, const struct block_desc *desc, const int32_t *params,
                        const struct trail_row *const *rows, bool *failed) {
  for (uint32_t k = 0; k < desc->n_out; k++) {
    const struct block_field *f = &desc->out[k];
    struct column model = {0}, rtl = {0};
    bool counts[DIAGRAM_CYCLES];
    for (uint32_t i = 0; i < d->n_cycles; i++) {
      model.at[i] = rows[i]->out + f->offset;
      rtl.at[i] = rows[i]->rtl_out + f->offset;
      counts[i] = block_output_counts(desc, f, rows[i]->out);
    }
    add_pair(d, f, LANE_OUTPUT, 0, f->width(params), &model, &rtl, counts, failed);
  }
}

static void add_registers(struct diagram *d, const struct trail *t, const struct trail_row *const *rows, bool *failed) {
  for (uint32_t k = 0; k < t->differences.n; k++) {
    const struct difference *x = &t->differences.list[k];
    if (!x->is_register) continue;
    const struct block_field *f = x->field;
    struct column model = {0}, rtl = {0};
    for (uint32_t i = 0; i < d->n_cycles; i++) {
      model.at[i] = rows[i]->regs + f->offset + x->row * f->slot;
      rtl.at[i] = rows[i]->rtl_regs + f->offset + x->row * f->slot;
    }
    add_pair(d, f, LANE_REGISTER, x->row, f->width(t->s->params), &model, &rtl, NULL, failed);
  }
}

int diagram_make(struct diagram *d, const struct trail *t, struct err *e) {
  const struct trail_row *rows[DIAGRAM_CYCLES];
  bool failed = false;
  *d = (struct diagram){0};
  snprintf(d->block, sizeof d->block, "%s", t->s->desc->name);
  while (d->n_cycles < DIAGRAM_CYCLES && trail_back(&t->last, d->n_cycles)) d->n_cycles++;
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    rows[i] = trail_back(&t->last, d->n_cycles - 1 - i);
    d->cycle[i] = rows[i]->cycle;
    d->gap[i] = i && rows[i]->cycle != rows[i - 1]->cycle + 1;
  }
  add_inputs(d, t->s->desc, t->s->params, rows, &failed);
  add_outputs(d, t->s->desc, t->s->params, rows, &failed);
  add_registers(d, t, rows, &failed);
  return failed ? err_set(e, ERR_LIMIT, "out of memory for the timing diagram") : 0;
}

void diagram_free(struct diagram *d) {
  for (uint32_t i = 0; i < d->n_lanes; i++)
    for (uint32_t k = 0; k < DIAGRAM_CYCLES; k++) free(d->lane[i].value[k]);
  d->n_lanes = 0;
}

/* ---- WaveJSON ---- */

static bool same(const struct lane *l, uint32_t i) { return i && !strcmp(l->value[i], l->value[i - 1]); }

static void put_wave(const struct diagram *d, const struct lane *l, FILE *f) {
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    if (d->gap[i]) fputc('|', f);
    if (same(l, i) && l->differs[i] == l->differs[i - 1]) fputc('.', f);
    else if (l->width == 1) fputc(*l->value[i], f);
    else fputc(l->differs[i] ? '9' : '=', f); /* 9: WaveDrom's colour for a value of another kind */
  }
}

static void put_data(const struct diagram *d, const struct lane *l, FILE *f) {
  const char *between = "";
  if (l->width == 1) return;
  fprintf(f, ", \"data\": [");
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    if (same(l, i) && l->differs[i] == l->differs[i - 1]) continue;
    fprintf(f, "%s\"%s\"", between, l->value[i]);
    between = ", ";
  }
  fputc(']', f);
}

void diagram_wavejson(const struct diagram *d, FILE *f) {
  fprintf(f, "{\"signal\": [\n  {\"name\": \"cycle\", \"wave\": \"");
  for (uint32_t i = 0; i < d->n_cycles; i++) fputs(d->gap[i] ? "|=" : "=", f);
  fprintf(f, "\", \"data\": [");
  for (uint32_t i = 0; i < d->n_cycles; i++) fprintf(f, "%s\"%" PRIu64 "\"", i ? ", " : "", d->cycle[i]);
  fprintf(f, "]}");
  int kind = -1;
  for (uint32_t i = 0; i < d->n_lanes; i++) {
    const struct lane *l = &d->lane[i];
    if ((int)l->kind != kind) fprintf(f, "%s,\n  [\"%s\"", kind < 0 ? "" : "]", lane_kinds[l->kind]);
    kind = (int)l->kind;
    fprintf(f, ",\n    {\"name\": \"%s\", \"wave\": \"", l->name);
    put_wave(d, l, f);
    fputc('"', f);
    put_data(d, l, f);
    fputc('}', f);
  }
  fprintf(f, "%s\n], \"head\": {\"text\": \"%s\"}}\n", kind < 0 ? "" : "]", d->block);
}
