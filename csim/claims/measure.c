/* SPDX-License-Identifier: Apache-2.0 */
/* From sources to verdicts. */
#include "base/err.h"
#include "base/yaml_tree.h"
#include "claims/claims.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One claim's evaluation. */
struct evaluation {
  const struct claims *c;
  struct claim *q;
};

static const struct claims_source *source_of(const struct claims_source *list, unsigned n, const char *name,
                                             size_t length) {
  for (unsigned i = 0; i < n; i++)
    if (strlen(list[i].name) == length && !strncmp(list[i].name, name, length)) return &list[i];
  return NULL;
}

/* Of two numbers in print each may hide half of its last digit. */
static int published_figure(const struct claims *c, const char *id, struct figure *out, struct err *e) {
  for (unsigned i = 0; i < c->n_claims; i++) {
    const struct published *p = &c->claims[i].published;
    if (strcmp(c->claims[i].id, id) != 0) continue;
    *out = (struct figure){(p->low + p->high) / 2, p->low - p->half_digit, p->high + p->half_digit};
    return 0;
  }
  return err_set(e, ERR_VALUE, "%s: there is no claim \"%s\" to take a published number from", c->path, id);
}

static int printed_figure(const struct claims *c, const char *name, struct figure *out, struct err *e) {
  for (unsigned i = 0; i < c->n_numbers; i++) {
    if (strcmp(c->numbers[i].name, name) != 0) continue;
    *out = c->numbers[i].figure;
    return 0;
  }
  return err_set(e, ERR_VALUE, "%s: there is no \"%s\" among the numbers", c->path, name);
}

static void note_input(struct claim *q, const char *name, const struct figure *f) {
  if (q->n_inputs == CLAIMS_INPUTS_MAX) return;
  struct claim_input *in = &q->inputs[q->n_inputs++];
  snprintf(in->name, sizeof in->name, "%s", name);
  in->figure = *f;
}

static int look_up(void *context, const char *name, struct figure *out, struct err *e) {
  struct evaluation *v = context;
  const char *dot = strchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : strlen(name);
  const struct claims_source *run = source_of(v->c->runs, v->c->n_runs, name, length);
  const struct claims_source *design = source_of(v->c->designs, v->c->n_designs, name, length);
  int status;
  bool published = !strncmp(name, "published.", 10), printed = !strncmp(name, "printed.", 8);
  if (!dot || (!run && !design && !published && !printed))
    return err_set(e, ERR_VALUE,
                   "%s:%u: claim %s: \"%s\" begins with no run, no design, not with \"published.\" or \"printed.\"",
                   v->c->path, v->q->line, v->q->id, name);
  if (run) status = claims_run_figure(v->c, run, dot + 1, out, e);
  else if (design) status = claims_design_figure(v->c, design, dot + 1, out, e);
  else if (published) status = published_figure(v->c, dot + 1, out, e);
  else status = printed_figure(v->c, dot + 1, out, e);
  v->q->hardware |= design != NULL;
  if (design && design->stale[0] && !v->q->reason[0]) snprintf(v->q->reason, sizeof v->q->reason, "%s", design->stale);
  if (!status) note_input(v->q, name, out);
  return status;
}

static int measure(struct claims *c, struct claim *q, struct err *e) {
  char place[CLAIMS_PATH_BYTES + 16], stale[VERDICT_REASON_BYTES];
  struct evaluation v = {c, q};
  snprintf(place, sizeof place, "%s:%u", c->path, q->line);
  int status = expression_evaluate(q->expression, place, look_up, &v, &q->ours, e);
  if (status) return status;
  memcpy(stale, q->reason, sizeof stale);
  q->verdict = q->arithmetic ? verdict_of_arithmetic(&q->published, &q->ours, q->reason)
                             : verdict_of(&q->published, &q->ours, q->reason);
  if (!stale[0]) return 0;
  q->verdict = VERDICT_STALE;
  memcpy(q->reason, stale, sizeof stale);
  return 0;
}

/* One number is scaled at a time: one that is derived from others would move with them. */
static int measure_all(struct claims *c, double by, struct err *e) {
  for (unsigned i = 0; i < c->n_claims; i++) {
    struct claim *q = &c->claims[i];
    const struct published printed = q->published;
    q->published.low *= by;
    q->published.high *= by;
    q->published.half_digit *= by;
    int status = measure(c, q, e);
    if (status) return status;
    q->published = printed;
  }
  return 0;
}

int claims_measure(struct claims *c, const struct claims_options *o, struct err *e) {
  int status = claims_do_runs(c, o, e);
  if (!status) status = claims_do_designs(c, o, e);
  return status ? status : measure_all(c, o->scale, e);
}

void claims_close(struct claims *c) {
  for (unsigned i = 0; i < c->n_runs; i++) json_decref(c->runs[i].json);
  for (unsigned i = 0; i < c->n_designs; i++) json_decref(c->designs[i].json);
  free(c->runs);
  free(c->designs);
  free(c->claims);
  free(c->numbers);
  yaml_tree_close(c->tree);
  memset(c, 0, sizeof *c);
}

unsigned claims_count(const struct claims *c, enum verdict verdict) {
  unsigned n = 0;
  for (unsigned i = 0; i < c->n_claims; i++) n += c->claims[i].verdict == verdict;
  return n;
}
