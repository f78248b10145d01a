/* SPDX-License-Identifier: Apache-2.0 */
/* Stall classes: why an SM issued nothing in a cycle. One table (config/stalls.def) generates the enumeration, the
 * names in waves, the columns of reports and the colours of plots; a proposal adds further classes (config/owner.h). */
#ifndef TANDEM_CONFIG_STALLS_H
#define TANDEM_CONFIG_STALLS_H

#include <stdint.h>

enum stall {
#define X(id, ...) id,
#include "config/stalls.def"
  STALLS_OWN /* values from here on belong to proposals */
};

enum stall_pipelines { STALLS_OF_ALL, STALLS_OF_SCOREBOARD, STALLS_OF_BARREL };

struct stall_class {
  const char *name, *title, *counter, *colour; /* counter: a row of the SM counters; NULL: all remaining cycles */
  enum stall_pipelines pipelines;
};
#define STALL_CLASS(id, name, title, counter, pipelines, colour) {#name, title, counter, colour, pipelines},

enum { STALL_CLASSES_MAX = 32 };
/* Class number i, or NULL after the last one. */
const struct stall_class *stall_class_at(unsigned i);
uint32_t stall_class_count(void);
/* Adds classes; returns the first one's number. Called by config_join. */
uint32_t stalls_join(const struct stall_class *, uint32_t n);

#endif
