/* SPDX-License-Identifier: Apache-2.0 */
/* Published numbers and what is measured for each: configs/claims/SYSTEM.yaml (its keys: docs/claims.md).
 *
 *   claims_open      reads and checks the file
 *   claims_measure   does the runs and syntheses whose results are not kept, at the default of every open choice
 *   claims_universe  the same for combinations of open choices (choices.h)
 *   claims_judge     computes the verdicts from both
 *   claims_print, claims_json, claims_html, claims_page
 *
 * A file names experiments, whose runs and commands it uses, runs and designs of its own (measure/sources.h), open choices, and
 * claims. A claim's `measure` is an expression over RUN.path (a counter of run.json's statistics, "base.sm.warp_instructions"),
 * COMMAND.path, DESIGN.key (a figure of the synthesis, with its band, "agen.area_um2"; of a design with power=RUN:INSTANCE
 * also "agen.power.total_mw"), published.ID (another claim's number) and printed.NAME (a number of the paper that is no claim
 * here). A claim with `arithmetic` instead says that the number follows from other printed ones. */
#ifndef TANDEM_CLAIMS_CLAIMS_H
#define TANDEM_CLAIMS_CLAIMS_H

#include "claims/choices.h"
#include "claims/verdict.h"
#include "measure/sources.h"

#include <stdint.h>
#include <stdio.h>

struct err;
struct json_t;

enum { CLAIMS_INPUTS_MAX = 24, CLAIMS_PATH_BYTES = 1024, CLAIMS_FLIPS_BYTES = 256 };

/* A figure that a claim is computed from, for the report. */
struct claim_input {
  char name[EXPRESSION_NAME_BYTES];
  struct figure figure;
};

/* What counts a claim among the primary rows, or keeps it out. */
enum claim_rank {
  RANK_PRIMARY,
  RANK_VARIANT,   /* another measure of a number that is a row already */
  RANK_THRESHOLD, /* the threshold is ours */
  RANK_SECONDARY, /* another reason */
  RANK_NOT_TESTED,
  RANK_PARAMETER,
  RANKS
};
extern const char *const rank_names[RANKS];

/* Which choice moves the figure most: from `from`, the default, to `to`. */
struct claim_mover {
  const struct choice *choice; /* NULL: none does */
  unsigned value;
  double from, to;
};

/* The combinations of open choices. */
struct claim_spread {
  struct tally tally;
  unsigned n; /* combinations */
  double low, high;
  double *value; /* of each combination; NAN: it has none */
  uint8_t *outcome;
  uint32_t reached;             /* a bit for each choice: alone, it changes something that the claim is computed from */
  struct claim_mover most;      /* each choice alone */
  const struct choice *decides; /* whose values differ most in how often the claim holds; NULL: none does */
};

struct claim {
  const char *id, *text, *place, *unit;
  const char *published_text, *expression;
  const char *because; /* why it is no primary row, or of which claim it is a variant; NULL */
  const char *tolerance_why;
  char *unfolded; /* the expression over single names */
  bool arithmetic;
  bool left_out; /* not in the quick form, or of another experiment: neither measured nor shown */
  enum claim_rank rank;
  struct published published;
  unsigned line;
  /* measured */
  enum outcome outcome;
  enum verdict verdict;
  struct figure ours;
  bool stale;
  char reason[VERDICT_REASON_BYTES];
  char heaviest[64];              /* the item without which the figure moves most; "": no function over a list */
  double without_heaviest;        /* the figure without it */
  char flips[CLAIMS_FLIPS_BYTES]; /* items without any one of which the outcome is another */
  struct claim_input inputs[CLAIMS_INPUTS_MAX];
  unsigned n_inputs;
  struct claim_spread spread;
};

/* A printed number that others are derived from. */
struct claims_number {
  const char *name;
  struct figure figure; /* its band: half of the last digit */
};

struct claims {
  char path[CLAIMS_PATH_BYTES];
  const char *system, *source;
  const char *about; /* what the paper proposes, for its page; NULL */
  const char *part;  /* experiments, with commas, whose rows alone are measured; NULL: all */
  yaml_at notes;     /* why figures differ: a list of texts, for its page; NULL */
  struct claim *claims;
  struct claims_number *numbers;
  struct choices choices;
  unsigned n_claims, n_numbers;
  struct sources sources;
  const struct yaml_tree *tree;
  /* the universe; no combinations: it was not measured */
  struct combinations combinations;
  unsigned combinations_drawn; /* of them at random */
  enum form universe_form;
};

struct claims_options {
  struct sources_options sources;
  double scale;          /* factor on every published number, to test that verdicts change; 1: as printed */
  double scale_measured; /* factor on every measured figure, likewise */
  const char *swap;      /* "A:B": sources with A and B in their names change places; NULL: none do */
  const char *drop;      /* an item that functions over lists leave out; NULL: none */
};

/* `text` of the option `name` as a number above 0; NULL: 1. */
int claims_scale(const char *name, const char *text, double *scale, struct err *);
/* Reads DIR/claims/SYSTEM.yaml. With an experiment (NULL: all), only claims that measure something of it, and only the
 * numbers that simulation gives. Errors name file, line, key and the mend. */
int claims_open(struct claims *, const char *config_dir, const char *system, const char *experiment, enum form,
                struct err *);
/* The same for one or more experiments, with commas between; claims that need no run are kept, too. ERR_VALUE: the file does not
 * name one of them. The text must stay. */
int claims_open_part(struct claims *, const char *config_dir, const char *system, const char *experiments, enum form,
                     struct err *);
void claims_close(struct claims *);
int claims_measure(struct claims *, const struct claims_options *, struct err *);
/* Outcome and figure of one claim from the sources' results; `text` is its expression over single names. */
int claim_evaluate(struct claims *, struct claim *, const struct claims_options *, const char *text, struct figure *,
                   enum outcome *, struct err *);

/* The combinations: each choice alone, and `n` drawn with `seed`, of the same file in smaller sizes (FORM_UNIVERSE, in quick runs
 * FORM_QUICK). Results are kept run by run, so a call that was interrupted goes on where it was. */
int claims_universe(struct claims *, const struct claims_options *, const char *config_dir, unsigned n, uint64_t seed,
                    struct err *);
void claims_judge(struct claims *);
/* The default has another figure in the sizes of the combinations: spread.value[0]. */
bool claim_small_default(const struct claim *);

void claims_print(const struct claims *, bool reasons, FILE *);
/* One line for each file: primary rows, and how many of each verdict; what decides the undetermined ones. */
void claims_print_summary(const struct claims *, unsigned n, FILE *);
struct json_t *claims_json(const struct claims *, const struct claims_options *); /* the caller's */
/* A self-contained page: tables, and strips of measured and published numbers. */
int claims_html(const struct claims *, unsigned n, const char *path, struct err *);
/* The page of one paper for docs/results, in Markdown. */
int claims_page(const struct claims *, const char *path, struct err *);
/* Primary rows with this verdict; other rows with VERDICT_NOT_TESTED and VERDICT_PARAMETER. */
unsigned claims_count(const struct claims *, enum verdict);
unsigned claims_primary(const struct claims *);
/* "undetermined: ctas decides" and the like. */
void claim_verdict_text(const struct claim *, char *out, size_t size);

#endif
