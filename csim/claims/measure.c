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
  const struct claims_options *o;
  struct claim *q;
  bool note; /* its inputs are for the report */
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

/* "A:B" of --swap: the source with B in its name where that of `s` has A, or the reverse; without one, `s`. */
static const struct source *partner(const struct claims *c, const char *swap, const struct source *s) {
  char name[2 * EXPRESSION_NAME_BYTES], first[EXPRESSION_NAME_BYTES];
  const char *colon = strchr(swap, ':');
  snprintf(first, sizeof first, "%.*s", (int)(colon - swap), swap);
  const char *from = strstr(s->name, first) ? first : colon + 1, *to = from == first ? colon + 1 : first;
  const char *at = strstr(s->name, from);
  if (!at) return s;
  snprintf(name, sizeof name, "%.*s%s%s", (int)(at - s->name), s->name, to, at + strlen(from));
  const struct source *other = sources_find(&c->sources, name, strlen(name));
  return other && other->json ? other : s;
}

static int look_up(void *context, const char *name, struct figure *out, struct err *e) {
  struct evaluation *v = context;
  const char *dot = strchr(name, '.');
  int status;
  if (!dot)
    return err_set(e, ERR_VALUE, "%s:%u: claim %s: \"%s\" is no figure", v->c->path, v->q->line, v->q->id, name);
  const struct source *s = sources_find(&v->c->sources, name, (size_t)(dot - name));
  if (s && v->o->swap) s = partner(v->c, v->o->swap, s);
  if (s) status = source_figure(&v->c->sources, s, dot + 1, out, e);
  else if (!strncmp(name, "published.", 10)) status = published_figure(v->c, dot + 1, out, e);
  else if (!strncmp(name, "printed.", 8)) status = printed_figure(v->c, dot + 1, out, e);
  else return err_set(e, ERR_VALUE, "%s:%u: claim %s: \"%s\" is no figure", v->c->path, v->q->line, v->q->id, name);
  if (status || !v->note) return status;
  if (s && s->stale[0] && !v->q->stale) {
    v->q->stale = true;
    snprintf(v->q->reason, sizeof v->q->reason, "%s", s->stale);
  }
  note_input(v->q, name, out);
  return status;
}

static int evaluate(struct evaluation *v, const char *text, struct figure *out, enum outcome *outcome, struct err *e) {
  char place[CLAIMS_PATH_BYTES + 16];
  struct claim *q = v->q;
  struct err own = {.code = ERR_NONE};
  snprintf(place, sizeof place, "%s:%u", v->c->path, q->line);
  int status = expression_evaluate(text, place, look_up, v, out, &own);
  bool undefined = status && isnan(out->value);
  if (status && !undefined) return e ? (*e = own, status) : status;
  out->value *= v->o->scale_measured;
  out->low *= v->o->scale_measured;
  out->high *= v->o->scale_measured;
  if (undefined) *out = (struct figure){NAN, NAN, NAN};
  char *reason = v->note && !q->stale ? q->reason : NULL;
  *outcome = q->arithmetic ? outcome_of_arithmetic(&q->published, out, reason) : outcome_of(&q->published, out, reason);
  if (undefined) *outcome = OUTCOME_NONE;
  if (undefined && reason) snprintf(reason, VERDICT_REASON_BYTES, "%.300s", own.text);
  return 0;
}

int claim_evaluate(struct claims *c, struct claim *q, const struct claims_options *o, const char *text,
                   struct figure *out, enum outcome *outcome, struct err *e) {
  struct evaluation v = {c, o, q, false};
  return evaluate(&v, text, out, outcome, e);
}

/* ---- what each item of a list weighs ---- */

static void note_without(struct claim *q, const char *item, const struct figure *without, enum outcome outcome) {
  size_t n = strlen(q->flips);
  if (!q->heaviest[0] || fabs(without->value - q->ours.value) > fabs(q->without_heaviest - q->ours.value)) {
    snprintf(q->heaviest, sizeof q->heaviest, "%s", item);
    q->without_heaviest = without->value;
  }
  if (outcome == q->outcome || n + strlen(item) + 3 > sizeof q->flips) return;
  snprintf(q->flips + n, sizeof q->flips - n, "%s%s", n ? ", " : "", item);
}

/* Whether an earlier list has the item, too. */
static bool seen(const struct lists *all, unsigned list, const char *item) {
  for (unsigned k = 0; k < list; k++)
    for (unsigned i = 0; i < all->list[k].n; i++)
      if (!strcmp(all->list[k].item[i].name, item)) return true;
  return false;
}

/* Evaluates a claim without each item of the lists that its functions run over. */
static int leave_items_out(struct claims *c, struct claim *q, const struct claims_options *o, struct err *e) {
  static char text[LISTS_TEXT_BYTES];
  const struct lists *all = &c->sources.lists;
  if (!strchr(q->expression, '{') || q->arithmetic) return 0;
  for (unsigned k = 0; k < all->n; k++) {
    for (unsigned i = 0; i < all->list[k].n; i++) {
      const char *item = all->list[k].item[i].name;
      struct figure without;
      enum outcome outcome;
      int status = lists_unfold(all, NULL, q->expression, c->path, item, text, sizeof text, e);
      if (status) return status;
      if (!strcmp(text, q->unfolded) || seen(all, k, item)) continue;
      if (claim_evaluate(c, q, o, text, &without, &outcome, NULL) || isnan(without.value)) continue;
      note_without(q, item, &without, outcome);
    }
  }
  return 0;
}

/* ---- all claims ---- */

static int measure(struct claims *c, struct claim *q, const struct claims_options *o, struct err *e) {
  static char dropped[LISTS_TEXT_BYTES];
  struct evaluation v = {c, o, q, true};
  const char *text = q->unfolded;
  int status = 0;
  if (o->drop) {
    status = lists_unfold(&c->sources.lists, NULL, q->expression, c->path, o->drop, dropped, sizeof dropped, e);
    text = dropped;
  }
  if (!status) status = evaluate(&v, text, &q->ours, &q->outcome, e);
  return status || o->drop ? status : leave_items_out(c, q, o, e);
}

/* A number is scaled only while its own verdict is computed: claims that are derived from it use it as printed. */
static int measure_all(struct claims *c, const struct claims_options *o, struct err *e) {
  for (unsigned i = 0; i < c->n_claims; i++) {
    struct claim *q = &c->claims[i];
    const struct published printed = q->published;
    if (q->left_out) continue;
    q->published.low *= o->scale;
    q->published.high *= o->scale;
    q->published.half_digit *= o->scale;
    int status = measure(c, q, o, e);
    if (status) return status;
    q->left_out = o->sources.off && isnan(q->ours.value); /* a share of something that only the proposal does */
    if (isnan(q->ours.value) && !q->left_out && !o->swap && !o->drop) return err_set(e, ERR_VALUE, "%s", q->reason);
    q->published = printed;
  }
  return 0;
}

int claims_scale(const char *name, const char *text, double *scale, struct err *e) {
  char *end;
  *scale = 1;
  if (!text) return 0;
  errno = 0;
  *scale = strtod(text, &end);
  if (end == text || *end || errno || !(*scale > 0))
    return err_set(e, ERR_USAGE, "%s %s: not a number above 0", name, text);
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
  if (o->swap && !strchr(o->swap, ':')) return err_set(e, ERR_USAGE, "--swap %s: write A:B", o->swap);
  int status = o->sources.off ? leave_hardware_out(c, e) : 0;
  if (!status) status = sources_do(&c->sources, &o->sources, e);
  if (status || o->sources.emission) return status;
  status = measure_all(c, o, e);
  if (!status) claims_judge(c);
  return status;
}

void claims_close(struct claims *c) {
  for (unsigned i = 0; i < c->n_claims; i++) {
    free(c->claims[i].unfolded);
    free(c->claims[i].spread.value);
    free(c->claims[i].spread.outcome);
  }
  free(c->claims);
  free(c->numbers);
  combinations_free(&c->combinations);
  sources_close(&c->sources);
  memset(c, 0, sizeof *c);
}
