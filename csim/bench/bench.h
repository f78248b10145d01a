/* SPDX-License-Identifier: Apache-2.0 */
/* How fast this host simulates: commands that are timed side by side, and figures of parts alone. */
#ifndef TANDEM_BENCH_BENCH_H
#define TANDEM_BENCH_BENCH_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct json_t;

enum { BENCH_RUNS_MAX = 48, BENCH_ROUNDS_MAX = 31, BENCH_FIGURES_MAX = 512 };

/* What one execution of a command took. */
struct bench_sample {
  double wall, processor; /* seconds; processor: of all its threads and children */
  double launches;        /* wall seconds inside launches, as run.json has them */
  double megabytes;       /* largest memory */
};

/* A command that is timed once in every round. */
struct bench_run {
  char name[80];
  char command[1536];                   /* of sh, without its output folder */
  int base;                             /* the run that its ratios are to, by its number; -1: none */
  double wanted_wall, wanted_processor; /* largest ratio that the project allows itself; 0: none */
  double cycles, warps, threads;        /* core cycles, instructions of warps and of threads; 0: unknown */
  struct bench_sample sample[BENCH_ROUNDS_MAX];
};

/* A figure that is not the time of a whole command. */
struct bench_figure {
  char name[96];
  const char *unit;
  double value;       /* as measured */
  double normalised;  /* ns as on the host of the figures (bench_calibrate()); 0: of another unit */
  const char *wanted; /* the bound that the project sets itself, "": none */
};

struct bench {
  unsigned rounds, n_runs, n_figures;
  double calibration; /* ns a turn of the loop that normalises; 0: not measured */
  struct bench_run run[BENCH_RUNS_MAX];
  struct bench_figure figure[BENCH_FIGURES_MAX];
};

/* The middle of the values, and the smallest and largest. */
struct bench_spread {
  double median, low, high;
};
struct bench_spread bench_spread(const double *values, unsigned n);

/* ---- rounds.c ---- */

/* Adds a run of this program: `tandem ARGUMENTS`, where ARGUMENTS begin with "run". Returns its number, for `base`. */
int bench_add(struct bench *, const char *name, const char *arguments, int base, double wanted_wall,
              double wanted_processor);
/* Executes every run once a round, one after the other, so that a change of the host's speed meets all of them. ERR_CHECK: a
 * command failed or left no result. */
int bench_execute(struct bench *, struct err *);
/* One value of every round: of a run, or its ratio to its base in the same round. */
struct bench_spread bench_wall(const struct bench *, unsigned run);
struct bench_spread bench_processor(const struct bench *, unsigned run);
struct bench_spread bench_wall_ratio(const struct bench *, unsigned run);
struct bench_spread bench_processor_ratio(const struct bench *, unsigned run);
/* Executes `command` by sh in the folder `where` (NULL: this one), its output in the file `log`. */
int bench_time(const char *command, const char *where, const char *log, struct bench_sample *, struct err *);

/* ---- figures.c, blocks.c, parts.c ---- */

void bench_figure(struct bench *, const char *name, double value, const char *unit, const char *wanted);
/* The same in ns, normalised, too. */
void bench_ns(struct bench *, const char *name, double ns, const char *wanted);
/* The runs of the table: start, vector add, matrix product, each proposal under c, rtl and lockstep. */
void bench_list(struct bench *, bool quick);
/* Figures of the runs that have been executed: rates, memory, times outside launches. */
void bench_rates(struct bench *);
/* Cycles beside those that GPGPU-Sim 4.2 counts (docs/comparison.md); simulates. */
int bench_published(struct bench *, bool quick, struct err *);
/* Networks and DRAM alone. */
int bench_networks(struct bench *, bool quick, struct err *);
int bench_dram(struct bench *, bool quick, struct err *);
/* Instance-cycles of every block, or of the sets of one (NULL: all). */
int bench_all_blocks(struct bench *, const char *only, struct err *);

/* ---- calibrate.c ---- */

/* Processor time of a turn of a loop that never changes, ns: the smallest of several. */
double bench_calibrate(void);
/* ns as the host would show them on which rr_arb under rtl takes 41 ns at commit 7407f44. */
double bench_normalised(double ns, double calibration);

/* ---- print.c ---- */

void bench_print(const struct bench *, FILE *);
void bench_print_json(const struct bench *, FILE *);
/* An earlier table, which `tandem bench --json` has written to `path`; the caller frees it. NULL: ERR_FILE, ERR_VALUE. */
struct json_t *bench_earlier(const char *path, struct err *);
/* The table beside it. */
void bench_compare(const struct bench *, const struct json_t *earlier, FILE *);

/* ---- growth.c ---- */

/* Times a vector add against elements, a matrix product against SMs, and lockstep against instances; writes growth.csv, and growth.svg where gnuplot
 * is installed, to `folder`, and prints the exponents. */
int bench_growth(const char *folder, bool quick, unsigned rounds, FILE *, struct err *);

/* ---- gpgpusim.c ---- */

/* Runs a program of the runtime API under GPGPU-Sim's libcudart in `dir`, a user's own build, and under this program, in
 * turn. ERR_FILE: no library or no gpgpusim.config there; ERR_CHECK: a side failed or printed no count of instructions. */
int bench_gpgpusim(const char *dir, const char *const *program, unsigned n, unsigned rounds, bool json, FILE *,
                   struct err *);

#endif
