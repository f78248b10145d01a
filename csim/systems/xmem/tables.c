/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/xmem/tables.h"

#include "config/relation.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct xmem_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct xmem_parameters, __VA_ARGS__)
#include "systems/xmem/parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/xmem/sm_counters.def"
};

static const struct counter_row memory_counters[] = {
#define X COUNTER_ROW
#include "systems/xmem/memory_counters.def"
};

static int check(const struct gpu_config *m, struct err *e) {
  const struct xmem_parameters *p = xmem_parameters(m);
  RELATION(power_of_two(p->alb_sets), "xmem.alb_sets = %" PRId64 ": must be a power of two", p->alb_sets);
  RELATION(power_of_two(p->alb_ways), "xmem.alb_ways = %" PRId64 ": must be a power of two", p->alb_ways);
  RELATION(p->alb_sets * p->alb_ways >= 2,
           "xmem.alb_sets * xmem.alb_ways = %" PRId64 ": a lookaside buffer has at least two entries",
           p->alb_sets * p->alb_ways);
  RELATION(p->alb_sets * p->alb_ways <= 1024,
           "xmem.alb_sets * xmem.alb_ways = %" PRId64 ": a lookaside buffer has at most 1024 entries",
           p->alb_sets * p->alb_ways);
  return 0;
}

struct config_owner xmem_owner = {.name = "xmem",
                                  OWNER_TABLE(parameters, parameters),
                                  OWNER_TABLE(sm_counters, sm_counters),
                                  OWNER_TABLE(memory_counters, memory_counters),
                                  .check = check};
