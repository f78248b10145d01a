/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: plain integers. config/{sm,memory}_counters.def list the GPU's own; structures, dumps, sums and listings
 * are generated from them. A proposal adds tables of its own (config/owner.h). */
#ifndef TANDEM_CONFIG_COUNTERS_H
#define TANDEM_CONFIG_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

/* Maximum counters of all proposals together. */
enum { SM_COUNTERS_OWNED = 160, MEMORY_COUNTERS_OWNED = 160 };

struct sm_counters {
#define X(name, ...) uint64_t name;
#include "config/sm_counters.def"
  uint64_t owned[SM_COUNTERS_OWNED];
};
struct memory_counters {
#define X(name, ...) uint64_t name;
#include "config/memory_counters.def"
  uint64_t owned[MEMORY_COUNTERS_OWNED];
};

struct counter_row {
  const char *name, *unit, *sentence;
};
#define COUNTER_ROW(name, unit, sentence) {#name, unit, sentence},

enum counter_kind { COUNTERS_SM, COUNTERS_MEMORY };

/* The table of a kind: row i describes the i-th uint64_t of struct sm_counters or memory_counters; n rows are in
 * use. */
struct counter_table {
  const struct counter_row *rows;
  uint32_t n;
};
struct counter_table counter_table(enum counter_kind);
/* Number of the row `name`, which must exist. */
uint32_t counter_index(enum counter_kind, const char *name);
/* Adds rows; returns the place of the first one in `owned`. Called by config_join. */
uint32_t counters_join(enum counter_kind, const struct counter_row *, uint32_t n);

/* sum[i] += add[i] */
void counters_add(uint64_t *sum, const uint64_t *add, size_t n);

#endif
