/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/zorua/tables.h"

#include "config/relation.h"

static const struct gpu_parameter parameters[] = {
#define E(...) PARAMETER_CHOICE(struct zorua_parameters, __VA_ARGS__)
#include "systems/zorua/parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/zorua/sm_counters.def"
};

static int check(const struct gpu_config *m, struct err *e) {
  RELATION(zorua_parameters(m)->mechanism == ZORUA_BASELINE || m->sm_pipeline == PIPELINE_SCOREBOARD,
           "zorua.mechanism = %s: warps start one by one on a scoreboard pipeline only; set sm.pipeline to scoreboard",
           "wlm");
  return 0;
}

struct config_owner zorua_owner = {
  .name = "zorua", OWNER_TABLE(parameters, parameters), OWNER_TABLE(sm_counters, sm_counters), .check = check};
