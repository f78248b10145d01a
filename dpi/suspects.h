/* SPDX-License-Identifier: Apache-2.0 */
/* Which signals of the RTL may be wrong in the cycle in which a block first differs from its model. */
#ifndef TANDEM_DPI_SUSPECTS_H
#define TANDEM_DPI_SUSPECTS_H

#include "twins.h"

enum { SUSPECT_VALUE_BYTES = 80 };

struct suspect {
  const char *name; /* of the RTL, below the instance */
  const char *file; /* where it got its value in the failing cycle; NULL: not known */
  uint32_t line, width;
  bool next;                       /* the next value of the register `name` */
  char value[SUSPECT_VALUE_BYTES]; /* in the failing cycle */
  uint32_t depth;                  /* signals between it and what differs */
  double mends;                    /* share of the failing cycles that another value of it mends */
  double cleared; /* share of the passing cycles in which it was seen to do the same from the same causes */
  double covers;  /* share of the differing bits that depend on it */
  double score;
  uint32_t more; /* other signals that get their values at this place */
  bool declared; /* the place is that of its declaration: Yosys knows none of its logic */
};

struct suspects {
  struct suspect *list; /* the most suspicious first */
  uint32_t n;
  uint32_t passing, failing; /* stimuli beside the failing one, by their results */
  uint32_t history;          /* earlier cycles of the same run that were used as well */
  bool reproduced;           /* one cycle of both sides from this state shows the difference */
};

/* `t` is open; `failing` is the cycle whose outputs, or whose clock edge, differ first, `before` the ring that ends with it or with the
 * cycle after; `differ` are the bits that differed in the run (outputs, or registers after the edge), for the case
 * that one cycle alone does not show it. ERR_LIMIT: out of memory. */
int suspects_find(struct suspects *, struct twins *t, const struct trail_row *failing, const struct trail_ring *before,
                  const uint32_t *differ, uint32_t n_differ, struct err *);
void suspects_free(struct suspects *);

#endif
