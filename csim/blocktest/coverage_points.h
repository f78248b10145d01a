/* SPDX-License-Identifier: Apache-2.0 */
/* Private to coverage*.c: the points that follow from the manifest. */
#ifndef TANDEM_BLOCKTEST_COVERAGE_POINTS_H
#define TANDEM_BLOCKTEST_COVERAGE_POINTS_H

#include "base/err.h"
#include "block/block.h"
#include "block/block_cover.h"
#include "blocktest/coverage_point.h"

enum { COVERAGE_POINTS_MAX = 1024, COVERAGE_PROBES_MAX = 512 };

enum probe_kind {
  PROBE_BIT,       /* a port of one bit: 0, 1, rises, falls */
  PROBE_NAMES,     /* a port whose values have names: each */
  PROBE_BITS,      /* a wider port or register: every bit at 0 and at 1 */
  PROBE_VECTOR,    /* an enable of several bits: none, one, several, all */
  PROBE_ZERO,      /* a register: 0 */
  PROBE_ROWS,      /* a register that says which rows of others count: none, all */
  PROBE_HANDSHAKE, /* two ports, valid and ready */
  PROBE_PAIR,      /* two enables in one cycle */
};

/* What is looked at in each cycle, and the first of its points. */
struct probe {
  enum probe_kind kind;
  const struct block_field *f, *g; /* g: ready, or the second enable */
  bool is_out, g_is_out, is_reg;
  bool done;    /* nothing more can be found */
  uint32_t reg; /* index of the register */
  unsigned point;
  uint8_t *zeros, *ones; /* PROBE_BITS: bits that were 0, that were 1; one row each */
};

struct coverage {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX];
  const struct block_cover *own;
  struct cover_points named;
  struct coverage_point points[COVERAGE_POINTS_MAX];
  unsigned n_points, n_derived; /* points [0, n_derived) are those of probes and resets */
  unsigned reached;
  unsigned reset_busy, reset_asked, idle_busy, idle_rest; /* their points */
  struct probe probes[COVERAGE_PROBES_MAX];
  unsigned n_probes;
  uint64_t cycles;
  bool follows;             /* the cycle before counts as such: no reset came between */
  uint8_t *now[3], *was[3]; /* in, out, regs */
};

/* Fills probes and their points. */
int coverage_derive(struct coverage *, struct err *);

/* Counts a point. */
static inline void coverage_hit(struct coverage *c, unsigned point) {
  struct coverage_point *p = &c->points[point];
  if (!p->hits++) {
    p->first = c->cycles;
    c->reached++;
  }
}

#endif
