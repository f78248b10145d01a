/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of PTX for which the cycles of a run counted, from its lines.csv (run/run_lines.h). */
#ifndef TANDEM_REPORT_LINES_H
#define TANDEM_REPORT_LINES_H

#include "base/csv.h"
#include "report/stalls.h"

struct line_row {
  const char *kernel, *file, *text; /* of the table */
  uint64_t line, warp_instructions;
  uint64_t cycles;                /* SM cycles, the sum of the classes */
  uint64_t of[STALL_CLASSES_MAX]; /* by column, as in struct stall_row; no cycles without a CTA */
};

struct lines {
  struct csv table;
  struct line_row *row; /* most cycles first */
  uint32_t n;
  uint64_t cycles; /* of all */
};

/* ERR_FILE: the run was without --lines. */
int lines_load(struct lines *, const char *dir, struct err *);
void lines_free(struct lines *);
/* At most `most` lines (0: all), and how many are left out. */
void lines_print(const struct lines *, uint32_t most, FILE *);
void lines_print_json(const struct lines *, FILE *);
/* The class, except issue, of most of a line's cycles; NULL: it never waited. */
const struct stall_class *lines_cause(const struct line_row *, uint64_t *cycles);

#endif
