/* SPDX-License-Identifier: Apache-2.0 */
/* When a long recording begins anew: in a cycle in which the block is not busy and its registers, which are compared then, have their
 * reset values. Such a cycle is looked for now and then, by the number of changes of the inputs alone: so RTL that runs in each cycle and
 * RTL that follows compare registers in the same cycles, however the rows of either recording are cut. */
#ifndef TANDEM_DPI_RESTART_H
#define TANDEM_DPI_RESTART_H

#include <stdbool.h>
#include <stdint.h>

enum {
  RESTART_CHANGES = 1 << 9,
  RECORDED_CHANGES_MAX = 1 << 19
}; /* before the first look; at which a recording ends */

struct restart_search {
  uint32_t
    changes; /* cycles since the recording began whose inputs are not those of the cycle before, or that do not follow it */
  uint32_t look_at; /* changes at which it looks next */
  bool on;          /* there is a recording */
  bool after_reset; /* the next cycle finds the block as after reset, so that a recording begins there */
};

static inline struct restart_search restart_search(bool on) {
  return (struct restart_search){.look_at = RESTART_CHANGES, .on = on};
}

/* Whether to look, in a cycle in which the block is not busy. */
static inline bool restart_is_due(const struct restart_search *r) { return r->on && r->changes >= r->look_at; }

/* What the look found. */
static inline void restart_looked(struct restart_search *r, bool as_after_reset) {
  r->look_at = as_after_reset ? RESTART_CHANGES : r->changes + r->changes / 4;
  if (as_after_reset) r->changes = 0;
}

/* A cycle was recorded. */
static inline void restart_count(struct restart_search *r, bool changed) {
  r->changes += changed;
  r->on &= r->changes < RECORDED_CHANGES_MAX;
}

#endif
