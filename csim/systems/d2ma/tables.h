/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and counters of D2MA. */
#ifndef TANDEM_SYSTEMS_D2MA_TABLES_H
#define TANDEM_SYSTEMS_D2MA_TABLES_H

#include "config/owner.h"

#define D2MA_REIGNITIONS(X) X(D2MA_SAFE, safe) X(D2MA_LITERAL, literal)
enum { D2MA_REIGNITIONS(CHOICE_ID) };
#define D2MA_ERROR_POLICIES(X) X(D2MA_ERRORS_FAULT, fault) X(D2MA_ERRORS_COUNT, count)
enum { D2MA_ERROR_POLICIES(CHOICE_ID) };

struct OWNED_VALUES d2ma_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/d2ma/parameters.def"
};

struct OWNED_VALUES d2ma_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/d2ma/sm_counters.def"
};

extern struct config_owner d2ma_owner;

static inline const struct d2ma_parameters *d2ma_parameters(const struct gpu_config *c) {
  return config_owned(c, &d2ma_owner);
}
static inline struct d2ma_counters *d2ma_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &d2ma_owner);
}

#endif
