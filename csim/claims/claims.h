/* SPDX-License-Identifier: Apache-2.0 */
/* Published numbers and what is measured for each: configs/claims/SYSTEM.yaml.
 *
 *   claims_open      reads and checks the file
 *   claims_measure   does the runs and syntheses whose results are not kept, computes every verdict
 *   claims_print, claims_json, claims_html
 *
 * A file names experiments, whose runs and commands it uses, runs and designs of its own (measure/sources.h), and claims. A
 * claim's `measure` is an expression over RUN.path (a counter of run.json's statistics, "base.sm.warp_instructions"),
 * COMMAND.path, DESIGN.key (a figure of the synthesis, with its band, "agen.area_um2"; of a design with power=RUN:INSTANCE
 * also "agen.power.total_mw"), published.ID (another claim's number) and printed.NAME (a number of the paper that is no claim
 * here). A claim with `arithmetic` instead says that the number follows from other printed ones. */
#ifndef TANDEM_CLAIMS_CLAIMS_H
#define TANDEM_CLAIMS_CLAIMS_H

#include "claims/verdict.h"
#include "measure/sources.h"

#include <stdint.h>
#include <stdio.h>

struct err;
struct json_t;

enum { CLAIMS_INPUTS_MAX = 24, CLAIMS_PATH_BYTES = 1024 };

/* A figure that a claim is computed from, for the report. */
struct claim_input {
  char name[EXPRESSION_NAME_BYTES];
  struct figure figure;
};

struct claim {
  const char *id, *text, *place, *unit;
  const char *published_text, *expression;
  char *unfolded; /* the expression over single names */
  bool arithmetic;
  bool left_out; /* not in the quick form, or of another experiment: neither measured nor shown */
  struct published published;
  unsigned line;
  /* measured */
  enum verdict verdict;
  struct figure ours;
  char reason[VERDICT_REASON_BYTES];
  struct claim_input inputs[CLAIMS_INPUTS_MAX];
  unsigned n_inputs;
};

/* A printed number that others are derived from. */
struct claims_number {
  const char *name;
  struct figure figure; /* its band: half of the last digit */
};

struct claims {
  char path[CLAIMS_PATH_BYTES];
  const char *system, *source;
  struct claim *claims;
  struct claims_number *numbers;
  unsigned n_claims, n_numbers;
  struct sources sources;
  const struct yaml_tree *tree;
};

struct claims_options {
  struct sources_options sources;
  double scale; /* factor on every published number, to test that verdicts change; 1: as printed */
};

/* `text` of --scale as a number above 0; NULL: 1. */
int claims_scale(const char *text, double *scale, struct err *);
/* Reads DIR/claims/SYSTEM.yaml. With an experiment (NULL: all), only claims that measure something of it, and only the
 * numbers that simulation gives; `quick`: from its quick form. Errors name file, line, key and the mend. */
int claims_open(struct claims *, const char *config_dir, const char *system, const char *experiment, bool quick,
                struct err *);
void claims_close(struct claims *);
int claims_measure(struct claims *, const struct claims_options *, struct err *);

void claims_print(const struct claims *, bool reasons, FILE *);
struct json_t *claims_json(const struct claims *, const struct claims_options *); /* the caller's */
/* A self-contained page: tables, and plots of the measured against the published numbers. */
int claims_html(const struct claims *, unsigned n, const char *path, struct err *);
unsigned claims_count(const struct claims *, enum verdict);

#endif
