/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: one run for each combination of workloads, GPU configurations, settings and proposals, or one synthesis for each combination of
 * blocks and their parameters. It is written as an
 * experiment's file, so that it runs, resumes and is drawn as experiments are. */
#ifndef TANDEM_EXPERIMENT_SWEEP_H
#define TANDEM_EXPERIMENT_SWEEP_H

#include <stdio.h>

struct err;
struct experiment;

enum { SWEEP_KEYS_MAX = 6, SWEEP_COUNTERS_MAX = 16 };

/* What is swept: each text is a list of values with commas, but for workloads, whose arguments have commas. */
struct sweep {
  const char *const *workload; /* "saxpy:n=1024" */
  const char *configurations;  /* "gtx480,small" */
  const char *systems;         /* "none,d2ma"; NULL: none */
  const char *const *set;      /* "sm.ctas=2,4,8" */
  const char *const *counter;  /* "core_cycles", "sm.warp_instructions" */
  const char *extra;           /* further options of every run; NULL: none */
  const char *blocks;          /* "rr_arb,tree_pick": synthesised, in place of runs; NULL: runs */
  const char *const *param;    /* of the blocks: "N=2,4,8"; counters are figures of tandem synth --json: "area_um2" */
  unsigned n_workloads, n_set, n_counters, n_params;
};

/* Writes the experiment's file. Errors: a setting without values, more than the limits, ERR_FILE. */
int sweep_write(const struct sweep *, const char *path, struct err *);
/* Writes the measured table: a column for each thing swept and each counter. Errors: ERR_FILE. */
int sweep_csv(const struct experiment *, const char *path, struct err *);
/* The same as the table "sweep" of an SQLite database. */
int sweep_sqlite(const struct experiment *, const char *path, struct err *);

#endif
