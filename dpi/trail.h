/* SPDX-License-Identifier: Apache-2.0 */
/* The last cycles of a replay with both sides' values, and what differs first. */
#ifndef TANDEM_DPI_TRAIL_H
#define TANDEM_DPI_TRAIL_H

#include "differences.h"
#include "stimulus.h"

enum {
  TRAIL_ROWS = 64,
  TRAIL_LIKELY = 4096 /* rows from the end in which nearly every cause lies: lockstep compares registers every 1,024 */
};

/* A cycle after its evaluation and before its clock edge. */
struct trail_row {
  uint64_t cycle;
  bool rst_n;
  uint8_t *in;              /* struct B_in */
  uint8_t *out, *rtl_out;   /* struct B_out of C model and RTL */
  uint8_t *regs, *rtl_regs; /* struct B_regs; rows that do not count are 0 */
  uint8_t *raw;             /* registers of the RTL as they are */
  uint8_t *state;           /* of the C model */
};

/* A ring of rows. */
struct trail_ring {
  struct trail_row row[TRAIL_ROWS];
  uint8_t *bytes;
  size_t n; /* rows seen; row i of them is at i % TRAIL_ROWS while it is one of the last */
};

struct trail {
  const struct stimulus *s;
  struct differences differences;
  struct trail_ring before; /* up to the first cycle in which anything differs */
  struct trail_ring last;   /* up to the end */
  size_t from;              /* of rows before it no registers were compared */
  size_t first;             /* the row in which something differs first, or the last row */
};

struct replay;
/* Replays the stimulus on both sides to its end. The trail is to be freed after an error, too. */
int trail_run(struct trail *, const struct stimulus *, uint32_t bug, const char *bug_rtl, struct err *);
void trail_free(struct trail *);
/* Row `back` before the last one of the ring, or NULL. */
const struct trail_row *trail_back(const struct trail_ring *, size_t back);

#endif
