/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between two finished runs: configuration, verdict, statistics, and the first event. */
#ifndef TANDEM_REPORT_DIFF_H
#define TANDEM_REPORT_DIFF_H

#include "report/diff_event.h"

struct err;

/* A leaf of run.json that differs, or that one run lacks. */
struct diff_item {
  char name[128];      /* "parameters.dram.queue", "sm.l1_hits", "launches[2].core_cycles" */
  const json_t *of[2]; /* NULL: this run has none */
  bool number;         /* both are numbers: */
  int64_t change;      /* second - first */
  double relative;     /* change / first; infinite if the first is 0 */
};

/* Where statistics were counted; each has its own part of the table. */
enum diff_scope { DIFF_CONFIG, DIFF_TOTAL, DIFF_LAUNCH, DIFF_SM, DIFF_SCOPES };

struct diff_list {
  struct diff_item *item;
  uint32_t n, capacity;
  uint32_t compared; /* leaves looked at */
};

enum diff_order { DIFF_BY_RELATIVE, DIFF_BY_CHANGE, DIFF_BY_NAME };

struct diff {
  const char *dir[2];
  json_t *run[2];
  struct diff_list list[DIFF_SCOPES];
  struct diff_event event;
  char verdict[2][32];
};

/* Compares the runs of two folders; numbers are sorted by size of the change, largest first. Errors: ERR_FILE, ERR_SYNTAX with file
 * and line; ERR_VALUE if a run.json has no statistics. */
int diff_load(struct diff *, const char *const dir[2], enum diff_order, struct err *);
void diff_free(struct diff *);
/* `results_only`: the configuration does not count. */
bool diff_differs(const struct diff *, bool results_only);

/* Tables; at most `most` rows each (0: all), the rest is counted. */
void diff_print(const struct diff *, uint32_t most, FILE *);
void diff_print_json(const struct diff *, bool results_only, FILE *);

#endif
