/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and counters of Zorua's mechanisms. */
#ifndef TANDEM_SYSTEMS_ZORUA_TABLES_H
#define TANDEM_SYSTEMS_ZORUA_TABLES_H

#include "config/owner.h"

#define ZORUA_MECHANISMS(X) X(ZORUA_BASELINE, baseline) X(ZORUA_WLM, wlm) X(ZORUA_ZORUA, zorua)
enum { ZORUA_MECHANISMS(CHOICE_ID) };
#define ZORUA_LIVES(X) X(ZORUA_LIVE_LOWEST, lowest) X(ZORUA_LIVE_MASK, mask)
enum { ZORUA_LIVES(CHOICE_ID) };
#define ZORUA_RELEASES(X) X(ZORUA_RELEASE_PHASE, phase) X(ZORUA_RELEASE_END, end)
enum { ZORUA_RELEASES(CHOICE_ID) };
#define ZORUA_FLOORS(X) X(ZORUA_FLOOR_SCHEDULABLE, schedulable) X(ZORUA_FLOOR_HELD, held)
enum { ZORUA_FLOORS(CHOICE_ID) };
#define ZORUA_SPILLS(X) X(ZORUA_SPILL_REAL, real) X(ZORUA_SPILL_ORACLE, oracle)
enum { ZORUA_SPILLS(CHOICE_ID) };
#define ZORUA_REGISTERS(X) X(ZORUA_REGISTERS_REAL, real) X(ZORUA_REGISTERS_UNBOUNDED, unbounded)
enum { ZORUA_REGISTERS(CHOICE_ID) };

struct OWNED_VALUES zorua_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/zorua/parameters.def"
};

struct OWNED_VALUES zorua_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/zorua/sm_counters.def"
};

/* Relative to the owner's first_stall, at which these classes continue enum stall. */
enum {
#define X(id, ...) id,
#include "systems/zorua/stalls.def"
};

extern struct config_owner zorua_owner;

static inline const struct zorua_parameters *zorua_parameters(const struct gpu_config *c) {
  return config_owned(c, &zorua_owner);
}
static inline struct zorua_counters *zorua_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &zorua_owner);
}

#endif
