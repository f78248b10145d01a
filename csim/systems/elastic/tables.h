/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters, counters and stall classes of the barrel pipelines and bank-conflict-aware scheduling. */
#ifndef TANDEM_SYSTEMS_ELASTIC_TABLES_H
#define TANDEM_SYSTEMS_ELASTIC_TABLES_H

#include "config/owner.h"

#define BARREL_RETURNS_LIST(X) X(BARREL_RETURNS_FIRST, first) X(BARREL_RETURNS_LAST, last)
enum { BARREL_RETURNS_LIST(CHOICE_ID) };
#define BARREL_DEGREES(X) X(BARREL_DEGREE_WORDS, words) X(BARREL_DEGREE_LITERAL, literal)
enum { BARREL_DEGREES(CHOICE_ID) };
#define ELASTIC_PREDICTIONS(X) X(ELASTIC_PREDICTION_HISTORY, history) X(ELASTIC_PREDICTION_ORACLE, oracle)
enum { ELASTIC_PREDICTIONS(CHOICE_ID) };

struct OWNED_VALUES elastic_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/elastic/parameters.def"
};

struct OWNED_VALUES elastic_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/elastic/sm_counters.def"
};

/* Relative to the owner's first_stall, at which these classes continue enum stall. */
enum {
#define X(id, ...) id,
#include "systems/elastic/stalls.def"
};

extern struct config_owner elastic_owner;

static inline const struct elastic_parameters *elastic_parameters(const struct gpu_config *c) {
  return config_owned(c, &elastic_owner);
}
static inline struct elastic_counters *elastic_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &elastic_owner);
}

#endif
