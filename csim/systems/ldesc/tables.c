/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/ldesc/tables.h"

#include "config/relation.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct ldesc_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct ldesc_parameters, __VA_ARGS__)
#include "systems/ldesc/parameters.def"
#define X(...) PARAMETER_INTEGER(struct ldesc_parameters, __VA_ARGS__)
#include "systems/ldesc/driver_parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/ldesc/sm_counters.def"
};

static const struct counter_row memory_counters[] = {
#define X COUNTER_ROW
#include "systems/ldesc/memory_counters.def"
#define X COUNTER_ROW
#include "systems/ldesc/driver_counters.def"
};

static int check(const struct gpu_config *m, struct err *e) {
  const struct ldesc_parameters *p = ldesc_parameters(m);
  RELATION(p->unpin_period % LDESC_PRESCALE == 0,
           "ldesc.unpin_period = %" PRId64 ": must be a multiple of 256, the ticks of the timer", p->unpin_period);
  return 0;
}

struct config_owner ldesc_owner = {.name = "ldesc",
                                   OWNER_TABLE(parameters, parameters),
                                   OWNER_TABLE(sm_counters, sm_counters),
                                   OWNER_TABLE(memory_counters, memory_counters),
                                   .check = check};
