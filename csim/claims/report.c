/* SPDX-License-Identifier: Apache-2.0 */
/* Claims as a table and as JSON. */
#include "base/colour.h"
#include "claims/claims.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- table ---- */

static void ours_text(const struct claim *q, char *out, size_t size) {
  const struct figure *f = &q->ours;
  if (f->low == f->high) snprintf(out, size, "%.5g", f->value);
  else snprintf(out, size, "%.5g (%.5g..%.5g)", f->value, f->low, f->high);
}

/* "1.07..1.44, 12 of 40 hold" */
static void spread_text(const struct claim *q, char *out, size_t size) {
  const struct tally *t = &q->spread.tally;
  out[0] = 0;
  if (t->n && q->spread.low == q->spread.high) snprintf(out, size, "%u of %u", t->holds, t->n);
  else if (t->n) snprintf(out, size, "%.4g..%.4g, %u of %u", q->spread.low, q->spread.high, t->holds, t->n);
}

static void print_reasons(const struct claim *q, FILE *f) {
  const struct claim_mover *m = &q->spread.most;
  fprintf(f, "    %s\n    %s%s%s; %s\n    = %s\n", q->text, rank_names[q->rank], q->because ? ": " : "",
          q->because ? q->because : "", q->reason, q->expression);
  if (q->tolerance_why) fprintf(f, "    tolerance %g: %s\n", q->published.tolerance, q->tolerance_why);
  if (q->heaviest[0]) fprintf(f, "    heaviest: without %s %.5g\n", q->heaviest, q->without_heaviest);
  if (q->flips[0]) fprintf(f, "    another outcome without one of: %s\n", q->flips);
  if (m->choice)
    fprintf(f, "    moved most by %s=%s: %.5g to %.5g\n", m->choice->id, m->choice->value[m->value].value, m->from,
            m->to);
  if (claim_small_default(q)) fprintf(f, "    by default in the sizes of the combinations: %.5g\n", q->spread.value[0]);
}

static void print_counts(const struct claims *c, FILE *f) {
  fprintf(f, "primary rows: %u", claims_primary(c));
  for (int v = 0; v < VERDICTS; v++)
    if (claims_count(c, (enum verdict)v)) fprintf(f, ", %u %s", claims_count(c, (enum verdict)v), verdict_names[v]);
  fprintf(f, "\n");
  if (c->combinations.n) fprintf(f, "combinations of open choices: %u\n", c->combinations.n);
  else if (c->choices.n)
    fprintf(f, "%u open choices at their defaults; --universe N measures N combinations of them\n", c->choices.n);
}

static enum colour colour_of(enum verdict v) {
  if (v == VERDICT_REPRODUCED) return COLOUR_GOOD;
  return v == VERDICT_DIRECTION_ONLY || v == VERDICT_NOT_REPRODUCED ? COLOUR_BAD : COLOUR_OPEN;
}

void claims_print(const struct claims *c, bool reasons, FILE *f) {
  fprintf(f, "%s: %s\n", c->system, c->source);
  fprintf(f, "%-28s %-14s %-26s %-10s %-26s %-32s %s\n", "claim", "published", "measured", "unit",
          c->combinations.n ? "range, share that holds" : "", "verdict", "place");
  for (unsigned i = 0; i < c->n_claims; i++) {
    const struct claim *q = &c->claims[i];
    char ours[96], spread[96], verdict[96];
    if (q->left_out) continue;
    ours_text(q, ours, sizeof ours);
    spread_text(q, spread, sizeof spread);
    claim_verdict_text(q, verdict, sizeof verdict);
    fprintf(f, "%-28s %-14s %-26s %-10s %-26s %s%-32s%s %s\n", q->id, q->published_text, ours, q->unit, spread,
            colour_on(f, colour_of(q->verdict)), verdict, colour_off(f), q->place);
    if (reasons) print_reasons(q, f);
  }
  print_counts(c, f);
}

/* "ctas 3, our band 1": what decides the undetermined primary rows, and of how many. */
static void deciders_text(const struct claims *c, char *out, size_t size) {
  size_t n = 0;
  out[0] = 0;
  for (unsigned i = 0; i < c->n_claims; i++) {
    char text[96], *what = text;
    const struct claim *q = &c->claims[i];
    if (q->left_out || q->rank != RANK_PRIMARY || q->verdict != VERDICT_UNDETERMINED) continue;
    claim_verdict_text(q, text, sizeof text);
    what += strlen(verdict_names[VERDICT_UNDETERMINED]) + 2;
    char *end = strstr(what, " decide");
    if (end) *end = 0;
    if (n + strlen(what) + 3 > size || strstr(out, what)) continue;
    n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", what);
  }
}

void claims_print_summary(const struct claims *all, unsigned n, FILE *f) {
  static const enum verdict columns[] = {VERDICT_REPRODUCED,     VERDICT_DIRECTION_ONLY, VERDICT_UNDETERMINED,
                                         VERDICT_NOT_REPRODUCED, VERDICT_CANNOT_HOLD,    VERDICT_STALE};
  fprintf(f, "%-12s %13s", "system", "primary rows");
  for (unsigned k = 0; k < sizeof columns / sizeof *columns; k++) fprintf(f, " %14s", verdict_names[columns[k]]);
  fprintf(f, "  undetermined by\n");
  for (unsigned i = 0; i < n; i++) {
    char deciders[256];
    fprintf(f, "%-12s %13u", all[i].system, claims_primary(&all[i]));
    for (unsigned k = 0; k < sizeof columns / sizeof *columns; k++)
      fprintf(f, " %14u", claims_count(&all[i], columns[k]));
    deciders_text(&all[i], deciders, sizeof deciders);
    fprintf(f, "  %s\n", deciders);
  }
}

/* ---- JSON ---- */

static json_t *real_or_null(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *figure_json(const struct figure *f) {
  return json_pack("{s:o, s:o, s:o}", "value", real_or_null(f->value), "low", real_or_null(f->low), "high",
                   real_or_null(f->high));
}

static json_t *spread_json(const struct claims *c, const struct claim *q) {
  static const char *const outcome_names[OUTCOMES] = {"holds", "direction", "fails", "band", "none"};
  const struct claim_spread *s = &q->spread;
  const struct claim_mover *m = &s->most;
  if (!c->combinations.n) return json_null();
  json_t *values = json_array(), *outcomes = json_array(), *most = json_null();
  for (unsigned k = 0; k < c->combinations.n; k++) {
    json_array_append_new(values, real_or_null(s->value[k]));
    json_array_append_new(outcomes, json_string(outcome_names[s->outcome[k]]));
  }
  if (m->choice)
    most = json_pack("{s:s, s:s, s:f, s:f}", "choice", m->choice->id, "value", m->choice->value[m->value].value, "from",
                     m->from, "to", m->to);
  return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:s?, s:o, s:o}", "measured", s->tally.n, "hold", s->tally.holds,
                   "sign", s->tally.sign, "low", real_or_null(s->low), "high", real_or_null(s->high), "moved_most_by",
                   most, "decides", s->decides ? s->decides->id : NULL, "values", values, "outcomes", outcomes);
}

static json_t *claim_json(const struct claims *c, const struct claim *q) {
  char verdict[96];
  json_t *inputs = json_object();
  for (unsigned i = 0; i < q->n_inputs; i++)
    json_object_set_new(inputs, q->inputs[i].name, figure_json(&q->inputs[i].figure));
  json_t *neutral = q->published.has_neutral ? json_real(q->published.neutral) : json_null();
  claim_verdict_text(q, verdict, sizeof verdict);
  json_t *j =
    json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:b, s:o, s:o, s:s, s:s, s:s}", "id", q->id, "text", q->text,
              "place", q->place, "published", q->published_text, "unit", q->unit, "neutral", neutral, "expression",
              q->expression, "arithmetic", q->arithmetic, "inputs", inputs, "ours", figure_json(&q->ours), "verdict",
              verdict_names[q->verdict], "verdict_text", verdict, "reason", q->reason);
  json_object_set_new(j, "rank", json_string(rank_names[q->rank]));
  json_object_set_new(j, "because", q->because ? json_string(q->because) : json_null());
  json_object_set_new(j, "flips_without", json_string(q->flips));
  json_object_set_new(j, "heaviest", json_string(q->heaviest));
  json_object_set_new(j, "universe", spread_json(c, q));
  return j;
}

static json_t *combinations_json(const struct claims *c) {
  json_t *list = json_array();
  for (unsigned k = 0; k < c->combinations.n; k++) {
    char text[512];
    combination_text(&c->choices, c->combinations.value[k], text, sizeof text);
    json_array_append_new(list, json_string(text));
  }
  return list;
}

struct json_t *claims_json(const struct claims *c, const struct claims_options *o) {
  json_t *claims = json_array(), *counts = json_object();
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out) json_array_append_new(claims, claim_json(c, &c->claims[i]));
  for (int v = 0; v < VERDICTS; v++)
    json_object_set_new(counts, verdict_names[v], json_integer(claims_count(c, (enum verdict)v)));
  return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o}", "system", c->system, "source", c->source, "primary",
                   claims_primary(c), "verdicts", counts, "sources", sources_json(&c->sources, &o->sources),
                   "combinations", combinations_json(c), "claims", claims);
}
