/* SPDX-License-Identifier: Apache-2.0 */
/* The last cycles before a divergence as a timing diagram: ports and the registers that differ, of both sides. Written as WaveJSON (the
 * format of WaveDrom), as SVG and as a table. */
#ifndef TANDEM_DPI_DIAGRAM_H
#define TANDEM_DPI_DIAGRAM_H

#include "trail.h"

#include <stdio.h>

enum { DIAGRAM_CYCLES = 16, DIAGRAM_LANES = 160, DIAGRAM_NAME_BYTES = 100 };

enum lane_kind { LANE_INPUT, LANE_OUTPUT, LANE_REGISTER, LANE_KINDS };
extern const char *const lane_kinds[LANE_KINDS]; /* "inputs", ... */

struct lane {
  char name[DIAGRAM_NAME_BYTES]; /* "grant (RTL)" */
  enum lane_kind kind;
  uint32_t width;
  char *value[DIAGRAM_CYCLES];  /* numbers, or names of an enumeration */
  bool differs[DIAGRAM_CYCLES]; /* the other side has another value, and it counts */
};

struct diagram {
  struct lane lane[DIAGRAM_LANES];
  uint32_t n_lanes, n_left_out; /* lanes; ports that were 0 all the time */
  uint64_t cycle[DIAGRAM_CYCLES];
  bool gap[DIAGRAM_CYCLES]; /* cycles before this one were skipped, or are not shown */
  uint32_t n_cycles;
  char block[64];
};

/* Of the last cycles of the trail. ERR_LIMIT: out of memory. To be freed in any case. */
int diagram_make(struct diagram *, const struct trail *, struct err *);
void diagram_free(struct diagram *);

void diagram_wavejson(const struct diagram *, FILE *);
void diagram_svg(const struct diagram *, FILE *);
void diagram_table(const struct diagram *, FILE *); /* HTML, a row a cycle */

#endif
