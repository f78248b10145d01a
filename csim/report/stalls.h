/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cycles of a run went: issue, each cause of a stall, and cycles without a CTA; by kernel and by SM. */
#ifndef TANDEM_REPORT_STALLS_H
#define TANDEM_REPORT_STALLS_H

#include "config/stalls.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

enum { STALL_NAME_BYTES = 64, STALL_SLOT_USES = 5 };

struct stall_row {
  char name[STALL_NAME_BYTES]; /* a kernel, or sm<i> */
  uint64_t launches;           /* of a kernel */
  uint64_t cycles;             /* SM cycles: the sum of the classes */
  /* Cycles by class, in the order of the columns: issue, the stall classes (config/stalls.h), cycles without a CTA. Tables and
   * plots leave out classes of the other kind of pipeline (sm.pipeline). */
  uint64_t of[STALL_CLASSES_MAX];
  uint64_t slots[STALL_SLOT_USES]; /* issue slots by use, the counters slots_*; 0 in a barrel */
};

struct stalls {
  char run[256]; /* workload and GPU configuration, for headings */
  struct stall_row *kernels, *sms;
  uint32_t n_kernels, n_sms;
  bool barrel; /* the run's pipeline was one */
};

/* Class of column number `column` of stall_row.of, and whether tables of this run show it. */
const struct stall_class *stalls_class(uint32_t column);
bool stalls_shows(const struct stalls *, uint32_t column);

/* Reads DIR/run.json. Errors name the file and what is missing in it. */
int stalls_load(struct stalls *, const char *dir, struct err *);
void stalls_free(struct stalls *);
void stalls_print(const struct stalls *, FILE *);
void stalls_print_json(const struct stalls *, FILE *);
/* Stacked bars, a kernel or an SM each, .svg or .png. */
int stalls_plot(const struct stalls *, const char *path, struct err *);

#endif
