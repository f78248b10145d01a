/* SPDX-License-Identifier: Apache-2.0 */
/* Measures claims: does their sources and computes their verdicts. */
#include "base/err.h"
#include "claims/claims.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The evaluation of one claim. */
struct evaluation {
  const struct claims *c;
  struct claim *q;
};

/* The figure of a printed number: its band is half of the last digit, on both sides. */
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
  int status;
  if (!dot)
    return err_set(e, ERR_VALUE, "%s:%u: claim %s: \"%s\" is no figure", v->c->path, v->q->line, v->q->id, name);
  const struct source *s = sources_find(&v->c->sources, name, (size_t)(dot - name));
  if (s) status = source_figure(s, dot + 1, out, e);
  else if (!strncmp(name, "published.", 10)) status = published_figure(v->c, dot + 1, out, e);
  else if (!strncmp(name, "printed.", 8)) status = printed_figure(v->c, dot + 1, out, e);
  else return err_set(e, ERR_VALUE, "%s:%u: claim %s: \"%s\" is no figure", v->c->path, v->q->line, v->q->id, name);
  if (s && s->stale[0] && !v->q->reason[0]) snprintf(v->q->reason, sizeof v->q->reason, "%s", s->stale);
  if (!status) note_input(v->q, name, out);
  return status;
}

static int measure(struct claims *c, struct claim *q, struct err *e) {
  char place[CLAIMS_PATH_BYTES + 16], stale[VERDICT_REASON_BYTES];
  struct evaluation v = {c, q};
  snprintf(place, sizeof place, "%s:%u", c->path, q->line);
  int status = expression_evaluate(q->unfolded, place, look_up, &v, &q->ours, e);
  if (status) return status;
  memcpy(stale, q->reason, sizeof stale);
  q->verdict = q->arithmetic ? verdict_of_arithmetic(&q->published, &q->ours, q->reason)
                             : verdict_of(&q->published, &q->ours, q->reason);
  if (!stale[0]) return 0;
  q->verdict = VERDICT_STALE;
  memcpy(q->reason, stale, sizeof stale);
  return 0;
}

/* A number is scaled only while its own verdict is computed: claims that are derived from it use it as printed. */
static int measure_all(struct claims *c, double by, bool off, struct err *e) {
  for (unsigned i = 0; i < c->n_claims; i++) {
    struct claim *q = &c->claims[i];
    const struct published printed = q->published;
    if (q->left_out) continue;
    q->published.low *= by;
    q->published.high *= by;
    q->published.half_digit *= by;
    int status = measure(c, q, e);
    q->left_out = off && isnan(q->ours.value); /* a share of something that only the proposal does: undefined */
    if (status && !q->left_out) return status;
    q->published = printed;
  }
  return 0;
}

int claims_scale(const char *text, double *scale, struct err *e) {
  char *end;
  *scale = 1;
  if (!text) return 0;
  errno = 0;
  *scale = strtod(text, &end);
  if (end == text || *end || errno || !(*scale > 0))
    return err_set(e, ERR_USAGE, "--scale %s: not a number above 0", text);
  return 0;
}

static int note_design(void *context, struct source *q, struct err *e) {
  (void)e;
  *(bool *)context |= q->kind == SOURCE_DESIGN;
  return 0;
}

/* Leaves out claims about the cost of hardware: it does not depend on the proposal being switched on. */
static int leave_hardware_out(struct claims *c, struct err *e) {
  int status = 0;
  for (unsigned i = 0; i < c->n_claims && !status; i++)
    status = sources_each(&c->sources, c->claims[i].unfolded, c->path, note_design, &c->claims[i].left_out, e);
  return status;
}

int claims_measure(struct claims *c, const struct claims_options *o, struct err *e) {
  int status = o->sources.off ? leave_hardware_out(c, e) : 0;
  if (!status) status = sources_do(&c->sources, &o->sources, e);
  return status ? status : measure_all(c, o->scale, o->sources.off, e);
}

void claims_close(struct claims *c) {
  for (unsigned i = 0; i < c->n_claims; i++) free(c->claims[i].unfolded);
  free(c->claims);
  free(c->numbers);
  sources_close(&c->sources);
  memset(c, 0, sizeof *c);
}

unsigned claims_count(const struct claims *c, enum verdict verdict) {
  unsigned n = 0;
  for (unsigned i = 0; i < c->n_claims; i++) n += !c->claims[i].left_out && c->claims[i].verdict == verdict;
  return n;
}
