/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and counters of Zorua's mechanisms. */
#ifndef TANDEM_SYSTEMS_ZORUA_TABLES_H
#define TANDEM_SYSTEMS_ZORUA_TABLES_H

#include "config/owner.h"

#define ZORUA_MECHANISMS(X) X(ZORUA_BASELINE, baseline) X(ZORUA_WLM, wlm)
enum { ZORUA_MECHANISMS(CHOICE_ID) };

struct OWNED_VALUES zorua_parameters {
#define E(field, ...) int64_t field;
#include "systems/zorua/parameters.def"
};

struct OWNED_VALUES zorua_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/zorua/sm_counters.def"
};

extern struct config_owner zorua_owner;

static inline const struct zorua_parameters *zorua_parameters(const struct gpu_config *c) {
  return config_owned(c, &zorua_owner);
}
static inline struct zorua_counters *zorua_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &zorua_owner);
}

#endif
