/* SPDX-License-Identifier: Apache-2.0 */
/* Claims as a table and as JSON. */
#include "claims/claims.h"

#include <jansson.h>
#include <string.h>

static void ours_text(const struct claim *q, char *out, size_t size) {
  const struct figure *f = &q->ours;
  if (f->low == f->high) snprintf(out, size, "%.5g", f->value);
  else snprintf(out, size, "%.5g (%.5g..%.5g)", f->value, f->low, f->high);
}

void claims_print(const struct claims *c, bool reasons, FILE *f) {
  fprintf(f, "%s: %s\n", c->system, c->source);
  fprintf(f, "%-28s %-14s %-32s %-10s %-15s %s\n", "claim", "published", "measured", "unit", "verdict", "place");
  for (unsigned i = 0; i < c->n_claims; i++) {
    const struct claim *q = &c->claims[i];
    char ours[96];
    if (q->left_out) continue;
    ours_text(q, ours, sizeof ours);
    fprintf(f, "%-28s %-14s %-32s %-10s %-15s %s\n", q->id, q->published_text, ours, q->unit, verdict_names[q->verdict],
            q->place);
    if (reasons)
      fprintf(f, "    %s\n    %s: %s\n    = %s\n", q->text, verdict_names[q->verdict], q->reason, q->expression);
  }
  for (int v = 0; v < VERDICTS; v++)
    fprintf(f, "%s%u %s", v ? ", " : "", claims_count(c, (enum verdict)v), verdict_names[v]);
  fputc('\n', f);
}

static json_t *figure_json(const struct figure *f) {
  return json_pack("{s:f, s:f, s:f}", "value", f->value, "low", f->low, "high", f->high);
}

static json_t *claim_json(const struct claim *q) {
  json_t *inputs = json_object();
  for (unsigned i = 0; i < q->n_inputs; i++)
    json_object_set_new(inputs, q->inputs[i].name, figure_json(&q->inputs[i].figure));
  json_t *neutral = q->published.has_neutral ? json_real(q->published.neutral) : json_null();
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:b, s:o, s:o, s:s, s:s}", "id", q->id, "text", q->text,
                   "place", q->place, "published", q->published_text, "unit", q->unit, "neutral", neutral, "expression",
                   q->expression, "arithmetic", q->arithmetic, "inputs", inputs, "ours", figure_json(&q->ours),
                   "verdict", verdict_names[q->verdict], "reason", q->reason);
}

struct json_t *claims_json(const struct claims *c, const struct claims_options *o) {
  json_t *claims = json_array(), *counts = json_object();
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out) json_array_append_new(claims, claim_json(&c->claims[i]));
  for (int v = 0; v < VERDICTS; v++)
    json_object_set_new(counts, verdict_names[v], json_integer(claims_count(c, (enum verdict)v)));
  return json_pack("{s:s, s:s, s:o, s:o, s:o}", "system", c->system, "source", c->source, "verdicts", counts, "sources",
                   sources_json(&c->sources, &o->sources), "claims", claims);
}
