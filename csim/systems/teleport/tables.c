/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/teleport/tables.h"

#include "config/relation.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct teleport_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct teleport_parameters, __VA_ARGS__)
#include "systems/teleport/parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/teleport/sm_counters.def"
};

static const struct counter_row memory_counters[] = {
#define X COUNTER_ROW
#include "systems/teleport/memory_counters.def"
};

static const struct stall_class stalls[] = {
#define X STALL_CLASS
#include "systems/teleport/stalls.def"
};

static int check(const struct gpu_config *m, struct err *e) {
  const struct teleport_parameters *p = teleport_parameters(m);
  RELATION(p->ways % 2 == 0, "teleport.ways = %" PRId64 ": must be even, as the tag array has it", p->ways);
  return 0;
}

struct config_owner teleport_owner = {.name = "teleport",
                                      OWNER_TABLE(parameters, parameters),
                                      OWNER_TABLE(sm_counters, sm_counters),
                                      OWNER_TABLE(memory_counters, memory_counters),
                                      OWNER_TABLE(stalls, stalls),
                                      .check = check};
