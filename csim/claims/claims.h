/* SPDX-License-Identifier: Apache-2.0 */
/* Published numbers and what is measured for each: configs/claims/SYSTEM.yaml.
 *
 *   claims_open      reads and checks the file
 *   claims_measure   does the runs and syntheses that are not kept from before, computes every verdict
 *   claims_print, claims_json, claims_html
 *
 * A file names runs (argument lists of `tandem run`), designs (a block, its parameters) and claims. A claim's `measure` is
 * an expression over RUN.path (a counter of run.json's statistics, "base.sm.warp_instructions"), DESIGN.key (a figure of
 * the synthesis, with its band, "agen.area_um2"; of a design with power=RUN:INSTANCE also "agen.power.total_mw"), published.ID
 * (another claim's number) and printed.NAME (a number of the paper that is no claim here). A claim with `arithmetic` instead
 * says that the number follows from other printed ones. */
#ifndef TANDEM_CLAIMS_CLAIMS_H
#define TANDEM_CLAIMS_CLAIMS_H

#include "claims/verdict.h"

#include <stdint.h>
#include <stdio.h>

struct err;
struct json_t;
struct yaml_tree;

enum { CLAIMS_INPUTS_MAX = 16, CLAIMS_PATH_BYTES = 1024 };

/* A figure that went into a claim: what the report shows beside the expression. */
struct claim_input {
  char name[EXPRESSION_NAME_BYTES];
  struct figure figure;
};

struct claim {
  const char *id, *text, *place, *unit;
  const char *published_text, *expression;
  bool arithmetic, hardware; /* hardware: a design's figure is among the inputs */
  struct published published;
  unsigned line;
  /* measured */
  enum verdict verdict;
  struct figure ours;
  char reason[VERDICT_REASON_BYTES];
  struct claim_input inputs[CLAIMS_INPUTS_MAX];
  unsigned n_inputs;
};

/* What is run or synthesised for claims. */
struct claims_source {
  const char *name, *arguments;
  unsigned line;
  char id[20];         /* hash of all it depends on */
  struct json_t *json; /* run.json, or the synthesis' result */
  char stale[256];     /* a design: why its figures prove nothing, and the mend; "": they do */
};

/* A printed number that others are derived from. */
struct claims_number {
  const char *name;
  struct figure figure; /* with what rounding may hide */
};

struct claims {
  char path[CLAIMS_PATH_BYTES];
  const char *system, *source;
  struct claims_source *runs, *designs;
  struct claim *claims;
  struct claims_number *numbers;
  unsigned n_runs, n_designs, n_claims, n_numbers;
  struct yaml_tree *tree;
};

struct claims_options {
  const char *out_dir; /* where runs are kept */
  unsigned seeds;      /* netlists of a design's band */
  double scale;        /* every published number times this: verdicts have to move; 1: as printed */
  bool progress;       /* lines on stderr */
};

/* Reads DIR/claims/SYSTEM.yaml. Errors name file, line, key and the mend. */
int claims_open(struct claims *, const char *config_dir, const char *system, struct err *);
void claims_close(struct claims *);
int claims_measure(struct claims *, const struct claims_options *, struct err *);

void claims_print(const struct claims *, bool reasons, FILE *);
struct json_t *claims_json(const struct claims *); /* the caller's */
/* One page without references to anything else: tables, and a picture of ours against the published numbers. */
int claims_html(const struct claims *, unsigned n, const char *path, struct err *);
unsigned claims_count(const struct claims *, enum verdict);

/* runs.c, designs.c */
/* Runs and syntheses of which nothing is kept are done now. */
int claims_do_runs(struct claims *, const struct claims_options *, struct err *);
int claims_do_designs(struct claims *, const struct claims_options *, struct err *);
/* The number at a dotted path of a run's statistics; a figure of a design's synthesis. */
int claims_run_figure(const struct claims *, const struct claims_source *, const char *dotted, struct figure *,
                      struct err *);
int claims_design_figure(const struct claims *, const struct claims_source *, const char *key, struct figure *,
                         struct err *);

#endif
