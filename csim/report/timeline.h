/* SPDX-License-Identifier: Apache-2.0 */
/* When the CTAs of an SM copied tiles and when they computed, from events.csv of a run: a table, figures, a plot (Jamshidi 2014, 5.3
 * and figure 12). */
#ifndef TANDEM_REPORT_TIMELINE_H
#define TANDEM_REPORT_TIMELINE_H

#include "report/run_file.h"

struct err;

enum timeline_kind {
  TIMELINE_CTA = EVENT_IS_CTA,
  TIMELINE_COPY = EVENT_IS_COPY,
  TIMELINE_COMPUTE = EVENT_IS_COMPUTE,
  TIMELINE_BARRIER = EVENT_IS_BARRIER
};

struct timeline_event {
  uint64_t cta, begin, agen_end, end; /* core cycles from the start of the run, the last one included */
  uint32_t tile;                      /* of a copy; number of a barrier */
  uint8_t kind;
};

/* Selects events: those that begin in cycles [from, to). */
struct timeline_window {
  uint64_t launch, sm, from, to;
};

struct timeline {
  char run[256];
  struct timeline_window window;
  struct timeline_event *event; /* by CTA, then kind, tile, begin */
  uint32_t n;
  uint64_t end; /* of the last event */
};

/* Reads the events of DIR/events.csv that begin in the window. ERR_FILE without events, ERR_SYNTAX with file and line. */
int timeline_load(struct timeline *, const char *dir, const struct timeline_window *, struct err *);
void timeline_free(struct timeline *);
void timeline_print(const struct timeline *, FILE *);
/* Figures of all CTAs and of each; `before`: compute phases that begin before this cycle are counted. */
void timeline_print_json(const struct timeline *, uint64_t before, FILE *);
/* Draws, for each CTA, a lane for each tile, with address generation and memory time, and one lane for its compute phases. */
int timeline_plot(const struct timeline *, const char *path, struct err *);

#endif
