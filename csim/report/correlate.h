/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of a run beside the same launches on silicon: error of each kernel, mean absolute error and correlation of each metric. */
#ifndef TANDEM_REPORT_CORRELATE_H
#define TANDEM_REPORT_CORRELATE_H

#include "report/kernel_table.h"

/* The turn-th launch of a kernel, in both tables. */
struct correlate_pair {
  const struct kernel_launch *ours, *theirs;
};

/* Of the pairs of which both values are known and theirs is not 0. Errors are of ours, relative to theirs. */
struct correlate_figures {
  uint32_t n;
  double ours, theirs;    /* means */
  double error, absolute; /* mean error, mean of its absolute value */
  double correlation;     /* Pearson's, or NAN: fewer than two pairs, or values that are all alike */
};

struct correlation {
  struct kernel_table ours, theirs;
  struct correlate_pair *pair;
  uint32_t n, reshaped; /* reshaped: pairs of different grids or CTAs */
  uint32_t only_ours, only_theirs;
  int metric; /* the one that is shown kernel by kernel */
};

/* Loads both files and pairs their launches. `metric`: name of a metric, NULL: sm__cycles_elapsed.avg or the first that both files have.
 * ERR_VALUE: no launch, or no metric, is in both. */
int correlate_load(struct correlation *, const char *ours, const char *theirs, const char *metric, struct err *);
void correlate_free(struct correlation *);
/* Of the pairs of a kernel, or (NULL) of all. */
struct correlate_figures correlate_figures(const struct correlation *, int metric, const char *kernel);
/* The first pair of the kernel of pair i is i itself: for loops over kernels. */
bool correlate_first(const struct correlation *, uint32_t i);
void correlate_print(const struct correlation *, FILE *);
void correlate_print_json(const struct correlation *, FILE *);
/* A point for each pair, theirs to the right, ours upwards, both logarithmic. */
int correlate_plot(const struct correlation *, const char *path, struct err *);

#endif
