/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and counters of the Locality Descriptor. */
#ifndef TANDEM_SYSTEMS_LDESC_TABLES_H
#define TANDEM_SYSTEMS_LDESC_TABLES_H

#include "config/owner.h"

enum { LDESC_PRESCALE = 256 }; /* core cycles of a tick of the L1's timer (assumption) */

#define LDESC_HINT_MODES(X) X(LDESC_HINTS_ON, on) X(LDESC_HINTS_OFF, off) X(LDESC_HINTS_RANDOM, random)
enum { LDESC_HINT_MODES(CHOICE_ID) };
#define LDESC_TRIGGERS(X) X(LDESC_TRIGGER_MISS, miss) X(LDESC_TRIGGER_MERGE, merge)
enum { LDESC_TRIGGERS(CHOICE_ID) };

struct OWNED_VALUES ldesc_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/ldesc/parameters.def"
#define X(field, ...) int64_t field;
#include "systems/ldesc/driver_parameters.def"
};

struct OWNED_VALUES ldesc_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/ldesc/sm_counters.def"
};

struct OWNED_VALUES ldesc_memory_counters {
#define X(name, ...) uint64_t name;
#include "systems/ldesc/memory_counters.def"
#define X(name, ...) uint64_t name;
#include "systems/ldesc/driver_counters.def"
};

extern struct config_owner ldesc_owner;

static inline const struct ldesc_parameters *ldesc_parameters(const struct gpu_config *c) {
  return config_owned(c, &ldesc_owner);
}
static inline struct ldesc_counters *ldesc_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &ldesc_owner);
}
static inline struct ldesc_memory_counters *ldesc_memory_counters(const struct memory_counters *c) {
  return memory_counters_owned(c, &ldesc_owner);
}

#endif
