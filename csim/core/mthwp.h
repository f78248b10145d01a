/* SPDX-License-Identifier: Apache-2.0 */
/* Many-thread-aware hardware prefetching (Lee, Lakshminarayana, Kim, Vuduc, MICRO 2010), one instance an SM, beside L1. A load trains
 * three tables, each fully associative with LRU:
 *   GS   a stride of an operation, the same for all warps;
 *   IP   the distance between two warps of an operation, divided by that of their numbers: three warps train it;
 *   PWS  a stride of an operation and a warp: three executions train it, and three warps with the same one move it to GS.
 * The stride prefetched with is that of GS, else IP, else PWS, whichever knows one; PWS sees only loads that the other two do not
 * answer. Prefetches are throttled by a degree from 0 (none is dropped) to 5 (all are), at first 2. At the end of each period
 *   more than 2 % of early evictions among useful prefetches: degree 5;   at least 1 %: a degree more;
 *   else, if more than 15 % of the misses merge with one under way: a degree less;   else degree 5,
 * where the share of merges is the mean of the period's and the one used before. assumption: three warps for GS; of five prefetches
 * in a row as many are dropped as the degree says. */
#ifndef TANDEM_CORE_MTHWP_H
#define TANDEM_CORE_MTHWP_H

#include <stdbool.h>
#include <stdint.h>

enum { MTHWP_PWS = 32, MTHWP_GS = 32, MTHWP_IP = 128, MTHWP_MAX = 128, MTHWP_DEGREE = 2, MTHWP_DEGREES = 5 };

struct mthwp_entry {
  uint32_t pc, warp; /* operation + 1, 0: empty; PWS: the warp; IP: the one that accessed last */
  uint32_t seen;     /* accesses with the same stride in a row */
  uint64_t address;  /* of the last access */
  int64_t stride;    /* bytes; GS: of each execution; IP: of each warp number */
  uint64_t used;     /* a count of accesses */
};

struct mthwp_table {
  uint32_t n;
  struct mthwp_entry entry[MTHWP_MAX];
};

struct mthwp {
  struct mthwp_table pws, gs, ip;
  uint64_t accesses;
  /* throttle */
  uint32_t degree, turn;
  uint64_t period, ends;  /* core cycles */
  uint64_t useful, early; /* of the period: prefetched lines that were asked for, that were evicted before */
  uint64_t misses, merges,
    merged_before; /* counters at the begin of the period; the share of merges used last, in 1/1000 */
};

/* `period`: core cycles between two decisions about the degree. */
void mthwp_start(struct mthwp *, uint64_t period);
/* A launch begins at `cycle`: operations are others. */
void mthwp_launch(struct mthwp *, uint64_t cycle);
/* A load of operation `pc` by hardware warp `warp`, number `number` of the grid, whose first byte is `address`. Returns the bytes from
 * here to what is to be prefetched; 0: nothing is known. */
int64_t mthwp_train(struct mthwp *, uint32_t pc, uint32_t warp, uint32_t number, uint64_t address);
/* Whether the next prefetch may be sent; `misses` and `merges` of L1 up to now. */
bool mthwp_lets(struct mthwp *, uint64_t cycle, uint64_t misses, uint64_t merges);

#endif
