/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/d2ma/tables.h"

#include "config/relation.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct d2ma_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct d2ma_parameters, __VA_ARGS__)
#include "systems/d2ma/parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/d2ma/sm_counters.def"
};

static int check(const struct gpu_config *m, struct err *e) {
  const struct d2ma_parameters *p = d2ma_parameters(m);
  RELATION(power_of_two(p->segment) && p->segment <= m->line_bytes,
           "d2ma.segment = %" PRId64 ": must be 32, 64 or 128 and at most line_bytes = %" PRId64, p->segment,
           m->line_bytes);
  RELATION(p->demand_mshrs < m->l1_mshrs,
           "d2ma.demand_mshrs = %" PRId64 ": must be below l1.mshrs = %" PRId64 ", or the engine never gets one",
           p->demand_mshrs, m->l1_mshrs);
  return 0;
}

struct config_owner d2ma_owner = {
  .name = "d2ma", OWNER_TABLE(parameters, parameters), OWNER_TABLE(sm_counters, sm_counters), .check = check};
