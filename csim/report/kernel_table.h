/* SPDX-License-Identifier: Apache-2.0 */
/* What each launch counted, by the names of Nsight Compute: kernels.csv of a run, or what `ncu --csv` printed on a machine with a GPU, with
 * lines of the program before it. Both forms of ncu are read: a line for each metric, and (--page raw) a line for each launch. */
#ifndef TANDEM_REPORT_KERNEL_TABLE_H
#define TANDEM_REPORT_KERNEL_TABLE_H

#include "run/kernel_metrics.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

struct kernel_launch {
  char id[24];                  /* ncu's */
  char kernel[128];             /* as kernel_base_name() gives it */
  char grid[48], block[48];     /* "(8, 1, 1)" */
  uint32_t turn;                /* earlier launches of a kernel of this name */
  double value[KERNEL_METRICS]; /* in base units; NAN: not measured */
};

struct kernel_table {
  char path[1024];
  bool simulated; /* Tandem wrote it */
  struct kernel_launch *launch;
  uint32_t n, capacity;
};

/* ERR_FILE, ERR_SYNTAX with file and line. */
int kernel_table_load(struct kernel_table *, const char *path, struct err *);
void kernel_table_free(struct kernel_table *);
/* Minimum, maximum and average of every metric, by kernel and shape. */
void kernel_table_print(const struct kernel_table *, FILE *);

#endif
