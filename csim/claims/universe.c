/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of open choices: their runs, the outcome of each claim in each of them, and what moves a claim. */
#include "base/err.h"
#include "claims/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one combination ---- */

struct job {
  struct claims *all;  /* whose claims get the results */
  struct claims small; /* the same file in the sizes of the universe */
  struct claims_options o;
  struct source_change changes[CHANGES_MAX];
  const uint8_t *value;  /* the combination */
  unsigned at;           /* its number */
  unsigned first_random; /* number of the first combination that is drawn */
  char *
    *text; /* of each claim: its expression in this combination; NULL: as by default; "": a run is not in this form */
};

struct change {
  const struct job *job;
  bool found;
};

static int note_change(void *context, struct source *q, struct err *e) {
  struct change *x = context;
  (void)e;
  x->found |= source_changed(&x->job->small.sources, &x->job->o.sources, q);
  return 0;
}

/* Sets the claim's expression if the combination changes anything of it, and marks its sources. */
static int prepare(struct job *job, unsigned i, struct err *e) {
  const struct claim *q = &job->small.claims[i];
  struct change x = {job, false};
  char place[CLAIMS_PATH_BYTES + 16], *text = malloc(LISTS_TEXT_BYTES);
  bool full_only;
  if (!text) return err_set(e, ERR_LIMIT, "out of memory");
  snprintf(place, sizeof place, "%s:%u", job->small.path, q->line);
  int status = combination_expression(&job->small.choices, job->value, q->unfolded, text, LISTS_TEXT_BYTES, e);
  if (!status) status = sources_each(&job->small.sources, text, place, note_change, &x, e);
  if (!status && (job->at == 0 || x.found || strcmp(text, q->unfolded) != 0)) {
    status = sources_need(&job->small.sources, text, place, &full_only, e);
    job->text[i] = strdup(full_only ? "" : text);
    if (!status && !job->text[i]) status = err_set(e, ERR_LIMIT, "out of memory");
  }
  free(text);
  return status;
}

/* Enters the outcome of a claim; where the combination changes nothing of it, that of the default. */
static int enter(struct job *job, unsigned i, struct err *e) {
  struct claim_spread *to = &job->all->claims[i].spread;
  const char *text = job->text[i];
  bool absent = text && !*text;
  struct figure ours = {.value = absent ? NAN : to->value[0]};
  enum outcome outcome = absent ? OUTCOME_NONE : (enum outcome)to->outcome[0];
  int status = 0;
  if (text && !absent) status = claim_evaluate(&job->small, &job->small.claims[i], &job->o, text, &ours, &outcome, e);
  if (text && job->at > 0 && job->at < job->first_random)
    for (unsigned k = 0; k < job->all->choices.n; k++) to->reached |= job->value[k] ? 1U << k : 0;
  to->value[job->at] = ours.value;
  to->outcome[job->at] = (uint8_t)outcome;
  return status;
}

static int do_combination(struct job *job, unsigned at, struct err *e) {
  char text[512];
  int status = 0;
  job->at = at;
  job->value = job->all->combinations.value[at];
  combination_text(&job->all->choices, job->value, text, sizeof text);
  if (job->o.sources.progress) fprintf(stderr, "combination %u of %u: %s\n", at + 1, job->all->combinations.n, text);
  job->o.sources.changes = job->changes;
  job->o.sources.n_changes = combination_changes(&job->small.choices, job->value, job->changes);
  sources_forget(&job->small.sources);
  for (unsigned i = 0; i < job->small.n_claims && !status; i++)
    if (!job->all->claims[i].left_out) status = prepare(job, i, e);
  if (!status) status = sources_do(&job->small.sources, &job->o.sources, e);
  bool measured = !job->o.sources.emission;
  for (unsigned i = 0; i < job->small.n_claims && !status && measured; i++)
    if (!job->all->claims[i].left_out) status = enter(job, i, e);
  for (unsigned i = 0; i < job->small.n_claims; i++) {
    free(job->text[i]);
    job->text[i] = NULL;
  }
  return status ? err_prefix(e, "combination %u (%s); finished runs are kept", at + 1, text) : 0;
}

/* ---- what moves a claim ---- */

/* The value of each choice alone that moves the figure furthest from the default's. */
static void find_mover(const struct claims *c, struct claim_spread *s) {
  unsigned at = 1;
  double furthest = 0;
  for (unsigned i = 0; i < c->choices.n; i++) {
    for (unsigned v = 1; v < c->choices.choice[i].n; v++, at++) {
      double distance = fabs(s->value[at] - s->value[0]);
      if (!(distance > furthest)) continue;
      furthest = distance;
      s->most = (struct claim_mover){&c->choices.choice[i], v, s->value[0], s->value[at]};
    }
  }
}

/* The difference between the values of a choice in the share of combinations in which the claim holds. */
static double share_moved(const struct claims *c, const struct claim_spread *s, unsigned choice) {
  double least = 1, most = 0;
  for (unsigned v = 0; v < c->choices.choice[choice].n; v++) {
    unsigned n = 0, holds = 0;
    for (unsigned k = 0; k < c->combinations.n; k++) {
      if (c->combinations.value[k][choice] != v || s->outcome[k] == OUTCOME_NONE) continue;
      n++;
      holds += s->outcome[k] == OUTCOME_HOLDS;
    }
    if (!n) continue;
    least = fmin(least, (double)holds / n);
    most = fmax(most, (double)holds / n);
  }
  return most - least;
}

static void find_decider(const struct claims *c, struct claim_spread *s) {
  double furthest = 0;
  for (unsigned i = 0; i < c->choices.n; i++) {
    double moved = share_moved(c, s, i);
    if (!(s->reached >> i & 1) || !(moved > furthest)) continue; /* chance moves what a choice does not reach */
    furthest = moved;
    s->decides = &c->choices.choice[i];
  }
}

static void summarise(const struct claims *c, struct claim *q) {
  struct claim_spread *s = &q->spread;
  s->n = c->combinations.n;
  s->low = INFINITY;
  s->high = -INFINITY;
  for (unsigned k = 0; k < c->combinations.n; k++) {
    if (s->outcome[k] == OUTCOME_NONE) continue;
    s->tally.n++;
    s->tally.holds += s->outcome[k] == OUTCOME_HOLDS;
    s->tally.sign += s->outcome[k] == OUTCOME_HOLDS || s->outcome[k] == OUTCOME_DIRECTION;
    s->low = fmin(s->low, s->value[k]);
    s->high = fmax(s->high, s->value[k]);
  }
  s->tally.sizes_decide = (s->outcome[0] == OUTCOME_HOLDS) != (q->outcome == OUTCOME_HOLDS);
  find_mover(c, s);
  find_decider(c, s);
}

bool claim_small_default(const struct claim *q) {
  const struct claim_spread *s = &q->spread;
  return s->tally.n && isfinite(s->value[0]) && fabs(s->value[0] - q->ours.value) > 1e-6 * fabs(q->ours.value);
}

/* ---- all ---- */

static int make_room(struct claims *c, struct job *job, struct err *e) {
  bool room = true;
  job->text = calloc(c->n_claims, sizeof *job->text);
  for (unsigned i = 0; i < c->n_claims; i++) {
    struct claim_spread *s = &c->claims[i].spread;
    s->value = calloc(c->combinations.n, sizeof *s->value);
    s->outcome = calloc(c->combinations.n, sizeof *s->outcome);
    room &= s->value && s->outcome;
  }
  return room && job->text ? 0 : err_set(e, ERR_LIMIT, "out of memory for %u combinations", c->combinations.n);
}

int claims_universe(struct claims *c, const struct claims_options *o, const char *config_dir, unsigned n, uint64_t seed,
                    struct err *e) {
  struct job *job = calloc(1, sizeof *job);
  if (!job) return err_set(e, ERR_LIMIT, "out of memory");
  c->universe_form = c->sources.lists.form == FORM_QUICK ? FORM_QUICK : FORM_UNIVERSE;
  c->combinations_drawn = n;
  job->all = c;
  job->o = *o;
  int status = claims_open_part(&job->small, config_dir, c->system, c->part, c->universe_form, e);
  bool open = !status;
  if (!status) status = combinations_make(&c->combinations, &c->choices, n, seed, e);
  if (!status) status = make_room(c, job, e);
  job->first_random = c->combinations.n - n;
  for (unsigned k = 0; k < c->combinations.n && !status; k++) status = do_combination(job, k, e);
  bool measured = !status && !o->sources.emission;
  for (unsigned i = 0; i < c->n_claims && measured; i++)
    if (!c->claims[i].left_out) summarise(c, &c->claims[i]);
  if (measured) claims_judge(c);
  if (open) claims_close(&job->small);
  free(job->text);
  free(job);
  return status;
}
