/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking a failing stimulus to what the failure needs. */
#ifndef TANDEM_BLOCKTEST_SHRINK_H
#define TANDEM_BLOCKTEST_SHRINK_H

#include "replay.h"

struct shrunk {
  size_t cycles, transactions; /* of the result; a transaction is a cycle with an active enable input */
  uint64_t trials;
  double seconds; /* of the host */
  bool moved;     /* the result differs first at another port or register than the stimulus did */
  bool complete;  /* nothing more can be taken away; else the time was up */
};

/* Drops cycles, merges neighbours, adds values of neighbours up, and sets inputs to 0, bit by bit at last, as long as the same port or
 * register differs first (delta debugging: Zeller & Hildebrandt 2002) and, with a planted bug, the block without it does not differ. If more
 * than 20 transactions remain, another port or register may differ first as well. Returns with *s shortened in place
 * and *first its divergence. `seconds`: when that much host time is over, what is reached stays. */
int shrink_run(struct stimulus *s, const struct replay *how, struct divergence *first, double seconds, struct shrunk *,
               struct err *);

/* Where a regression of the block with that name is kept: testbench/F/regressions/B/NAME.csv, or regressions/B/NAME.csv beside the
 * user's manifest. ERR_USAGE: the name has other characters than letters, digits, - and _. */
int regression_path(const struct block_desc *, const char *name, char *out, size_t size, struct err *);
/* Writes the stimulus there, without its planted bug: from then on both sides must agree on it. */
int regression_save(const struct stimulus *, const char *name, const struct divergence *, char *path, size_t size,
                    struct err *);
/* Replays every regression of the block; *failed (room for `size`) is the path of the first on which model and RTL differ, or "". */
int regressions_run(const struct block_desc *, char *failed, size_t size, struct divergence *first, unsigned *n,
                    struct err *);

#endif
