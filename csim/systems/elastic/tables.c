/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/elastic/tables.h"

#include "config/relation.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct elastic_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct elastic_parameters, __VA_ARGS__)
#include "systems/elastic/parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/elastic/sm_counters.def"
};

static const struct stall_class stalls[] = {
#define X STALL_CLASS
#include "systems/elastic/stalls.def"
};

/* Checks of the barrel and its queues; none applies to sm.pipeline = scoreboard. */
static int check(const struct gpu_config *m, struct err *e) {
  const struct elastic_parameters *p = elastic_parameters(m);
  int64_t subwarps = 32 / m->sm_simd_width, excess = 32 - subwarps;
  if (m->sm_pipeline == PIPELINE_SCOREBOARD) return 0;
  RELATION(m->sm_schedulers == 1, "sm.schedulers = %" PRId64 ": a barrel (sm.pipeline) has 1", m->sm_schedulers);
  RELATION(m->sm_fetch == FETCH_IDEAL, "sm.fetch = %s: a barrel (sm.pipeline) fetches in its own stages; set ideal",
           "buffered");
  RELATION(p->stages >= p->mem_stages + 3,
           "barrel.stages = %" PRId64 ": must be at least 3 more than barrel.mem_stages = %" PRId64
           ": scheduling, execution, writeback",
           p->stages, p->mem_stages);
  RELATION(m->shared_banks >= 4,
           "shared.banks = %" PRId64 ": a barrel (sm.pipeline) needs 4: an access of 16 bytes "
           "would conflict with itself",
           m->shared_banks);
  RELATION(power_of_two(p->sets), "elastic.sets = %" PRId64 ": must be a power of two", p->sets);
  RELATION(power_of_two(p->ways), "elastic.ways = %" PRId64 ": must be 1, 2 or 4", p->ways);
  RELATION(p->sets < INT64_C(1) << p->pc_bits,
           "elastic.sets = %" PRId64 ": must be below 2^elastic.pc_bits = %" PRId64 ", or nothing is left for the tag",
           p->sets, INT64_C(1) << p->pc_bits);
  int64_t entry = p->degree_bits + p->pc_bits - __builtin_ctzll((uint64_t)p->sets);
  RELATION(p->ways * entry <= 64,
           "elastic.ways = %" PRId64 ": a set of entries of %" PRId64 " bits (tag and degree) has at most 64 bits",
           p->ways, entry);
  RELATION(excess < INT64_C(1) << p->degree_bits,
           "elastic.degree_bits = %" PRId64 ": a warp of %" PRId64 " subwarps of sm.simd_width = %" PRId64
           " lanes can take %" PRId64 " cycles more than its issue slots, beyond the field",
           p->degree_bits, subwarps, m->sm_simd_width, excess);
  return 0;
}

struct config_owner elastic_owner = {.name = "elastic",
                                     OWNER_TABLE(parameters, parameters),
                                     OWNER_TABLE(sm_counters, sm_counters),
                                     OWNER_TABLE(stalls, stalls),
                                     .check = check};
