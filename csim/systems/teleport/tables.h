/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters, counters and stall classes of TELEPORT. */
#ifndef TANDEM_SYSTEMS_TELEPORT_TABLES_H
#define TANDEM_SYSTEMS_TELEPORT_TABLES_H

#include "config/owner.h"

#define TELEPORT_PACES(X) \
  X(TELEPORT_PACE_OVERLAPPED, overlapped) X(TELEPORT_PACE_SERIAL, serial) X(TELEPORT_PACE_UNLIMITED, unlimited)
enum { TELEPORT_PACES(CHOICE_ID) };
#define TELEPORT_SOURCES(X) X(TELEPORT_SOURCE_ANALYSIS, analysis) X(TELEPORT_SOURCE_CALLS, calls)
enum { TELEPORT_SOURCES(CHOICE_ID) };
#define TELEPORT_TILES(X) X(TELEPORT_TILES_ROWS, rows) X(TELEPORT_TILES_SPAN, span)
enum { TELEPORT_TILES(CHOICE_ID) };
#define TELEPORT_ENDS(X) X(TELEPORT_END_EXCLUSIVE, exclusive) X(TELEPORT_END_INCLUSIVE, inclusive)
enum { TELEPORT_ENDS(CHOICE_ID) };
#define TELEPORT_STORES(X) X(TELEPORT_STORE_UPDATES, update) X(TELEPORT_STORE_EVICTS, evict)
enum { TELEPORT_STORES(CHOICE_ID) };
#define TELEPORT_MODELS(X) \
  X(TELEPORT_MODEL_REAL, real) X(TELEPORT_MODEL_R, r) X(TELEPORT_MODEL_S, s) X(TELEPORT_MODEL_I, i)
enum teleport_model { TELEPORT_MODELS(CHOICE_ID) };

struct OWNED_VALUES teleport_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/teleport/parameters.def"
};

struct OWNED_VALUES teleport_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/teleport/sm_counters.def"
};

struct OWNED_VALUES teleport_memory_counters {
#define X(name, ...) uint64_t name;
#include "systems/teleport/memory_counters.def"
};

/* Relative to the owner's first_stall, at which these classes continue enum stall. */
enum {
#define X(id, ...) id,
#include "systems/teleport/stalls.def"
};

extern struct config_owner teleport_owner;

static inline const struct teleport_parameters *teleport_parameters(const struct gpu_config *c) {
  return config_owned(c, &teleport_owner);
}
static inline struct teleport_counters *teleport_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &teleport_owner);
}
static inline struct teleport_memory_counters *teleport_memory_counters(const struct memory_counters *c) {
  return memory_counters_owned(c, &teleport_owner);
}

#endif
