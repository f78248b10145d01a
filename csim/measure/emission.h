/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as a list of commands for another runner: each once, however many sources need it. When they are done, the same call of
 * tandem without the emission finds the results. */
#ifndef TANDEM_MEASURE_EMISSION_H
#define TANDEM_MEASURE_EMISSION_H

#include <stdio.h>

struct err;

/* name of the format, sentence */
#define EMISSION_FORMATS(X)                                                \
  X(slurm, "a job array: sbatch FILE")                                     \
  X(parallel, "a line for each run: parallel --resume --joblog LOG <FILE") \
  X(snakemake, "a rule for each run: snakemake --cores N -s FILE")

enum emission_format {
#define X(name, sentence) EMISSION_##name,
  EMISSION_FORMATS(X)
#undef X
    EMISSIONS
};

struct emitted {
  char id[20], *command;
};

struct emission {
  enum emission_format format;
  const char *out_dir; /* where runs are kept; the snakefile's targets are in it */
  struct emitted *run;
  unsigned n, capacity;
};

/* Reads the name of a format. Errors: ERR_USAGE with those there are. */
int emission_open(struct emission *, const char *format, const char *out_dir, struct err *);
/* Adds a command unless `id` is there. */
int emission_add(struct emission *, const char *id, const char *command, struct err *);
void emission_write(const struct emission *, FILE *);
void emission_close(struct emission *);

#endif
