/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of claims, and their numbers. */
#include "claims/claims.h"

#include <stdio.h>

static enum verdict judge(const struct claim *q) {
  if (q->stale) return VERDICT_STALE;
  if (q->arithmetic && q->outcome != OUTCOME_HOLDS) return VERDICT_CANNOT_HOLD;
  if (q->rank == RANK_PARAMETER) return VERDICT_PARAMETER;
  if (q->rank == RANK_NOT_TESTED) return VERDICT_NOT_TESTED;
  return q->arithmetic ? VERDICT_REPRODUCED : verdict_over(q->outcome, &q->spread.tally);
}

void claims_judge(struct claims *c) {
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out) c->claims[i].verdict = judge(&c->claims[i]);
}

void claim_verdict_text(const struct claim *q, char *out, size_t size) {
  const char *name = verdict_names[q->verdict];
  if (q->verdict != VERDICT_UNDETERMINED) snprintf(out, size, "%s", name);
  else if (q->outcome == OUTCOME_BAND) snprintf(out, size, "%s: our band", name);
  else if (q->spread.tally.sizes_decide) snprintf(out, size, "%s: the sizes decide", name);
  else snprintf(out, size, "%s: %s decides", name, q->spread.decides ? q->spread.decides->id : "nothing alone");
}

unsigned claims_count(const struct claims *c, enum verdict verdict) {
  bool apart = verdict == VERDICT_NOT_TESTED || verdict == VERDICT_PARAMETER;
  unsigned n = 0;
  for (unsigned i = 0; i < c->n_claims; i++)
    n += !c->claims[i].left_out && (apart || c->claims[i].rank == RANK_PRIMARY) && c->claims[i].verdict == verdict;
  return n;
}

unsigned claims_primary(const struct claims *c) {
  unsigned n = 0;
  for (unsigned i = 0; i < c->n_claims; i++) n += !c->claims[i].left_out && c->claims[i].rank == RANK_PRIMARY;
  return n;
}
