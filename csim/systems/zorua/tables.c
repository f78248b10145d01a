/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/zorua/tables.h"

#include "config/relation.h"
#include "systems/zorua/sizes.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct zorua_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct zorua_parameters, __VA_ARGS__)
#include "systems/zorua/parameters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/zorua/sm_counters.def"
};

static const struct stall_class stalls[] = {
#define X STALL_CLASS
#include "systems/zorua/stalls.def"
};

/* What the mapping tables and allocators can hold (configs/blocks.yaml: zorua_manager). */
static int check_zorua(const struct gpu_config *m, struct err *e) {
  const struct zorua_parameters *p = zorua_parameters(m);
  RELATION(m->ptx_registers == REGISTERS_ALLOCATED,
           "zorua.mechanism = %s: phases are those of allocated registers; set ptx.registers to allocated", "zorua");
  RELATION(power_of_two(p->blocks), "zorua.blocks = %" PRId64 ": must be a power of two", p->blocks);
  RELATION(p->warps >= m->sm_warps,
           "zorua.warps = %" PRId64 ": fewer logical warps than the sm.warps = %" PRId64
           " slots; raise it, or lower those",
           p->warps, m->sm_warps);
  RELATION(m->sm_registers / ZORUA_SET_REGISTERS <= ZORUA_REGISTER_SETS && m->sm_registers >= 2 * ZORUA_SET_REGISTERS,
           "sm.registers = %" PRId64
           ": an entry of zorua's mapping table names one of 2 to %d sets of %d registers; set it to %d at the most",
           m->sm_registers, ZORUA_REGISTER_SETS, ZORUA_SET_REGISTERS, ZORUA_REGISTER_SETS * ZORUA_SET_REGISTERS);
  RELATION(m->sm_shared_bytes / ZORUA_SET_BYTES <= ZORUA_SCRATCH_SETS && m->sm_shared_bytes >= 2 * ZORUA_SET_BYTES,
           "sm.shared_bytes = %" PRId64
           ": zorua's mapping table has 2 to %d sets of %d bytes; set it to %d at the most",
           m->sm_shared_bytes, ZORUA_SCRATCH_SETS, ZORUA_SET_BYTES, ZORUA_SCRATCH_SETS * ZORUA_SET_BYTES);
  RELATION(!p->values || p->registers == ZORUA_REGISTERS_REAL,
           "zorua.values = %" PRId64
           ": values lie in sets, which zorua.registers = unbounded does not look up; set it to real",
           p->values);
  RELATION(m->line_bytes == ZORUA_LINE, "line_bytes = %" PRId64 ": zorua moves lines of %d bytes", m->line_bytes,
           ZORUA_LINE);
  struct zorua_space space = zorua_space_for(m, (uint64_t)p->warps, (uint64_t)p->blocks);
  int64_t bytes = m->sm_count * (int64_t)(space.registers + space.scratch + space.warps);
  RELATION(bytes < m->memory_mib << 20,
           "memory.mib = %" PRId64 ": zorua needs %" PRId64 " bytes for what lies in memory; raise it", m->memory_mib,
           bytes);
  RELATION(m->sm_warps >= 2, "sm.warps = %" PRId64 ": zorua's allocator has at least 2 slots", m->sm_warps);
  RELATION(m->lsu_queue >= 2,
           "lsu.queue = %" PRId64 ": zorua's lines need a place beside that of a warp; set it to 2 or more",
           m->lsu_queue);
  return 0;
}

static int check(const struct gpu_config *m, struct err *e) {
  int64_t mechanism = zorua_parameters(m)->mechanism;
  RELATION(mechanism == ZORUA_BASELINE || m->sm_pipeline == PIPELINE_SCOREBOARD,
           "zorua.mechanism = %s: warps start one by one on a scoreboard pipeline only; set sm.pipeline to scoreboard",
           mechanism == ZORUA_WLM ? "wlm" : "zorua");
  RELATION(mechanism == ZORUA_BASELINE || !zorua_parameters(m)->touch,
           "zorua.touch = %" PRId64 ": what epochs touch is counted for the baseline; set zorua.mechanism to baseline",
           zorua_parameters(m)->touch);
  RELATION(m->ptx_registers == REGISTERS_ALLOCATED || !zorua_parameters(m)->touch,
           "zorua.touch = %" PRId64 ": registers are those that the compiler has given; set ptx.registers to allocated",
           zorua_parameters(m)->touch);
  return mechanism == ZORUA_ZORUA ? check_zorua(m, e) : 0;
}

struct config_owner zorua_owner = {.name = "zorua",
                                   OWNER_TABLE(parameters, parameters),
                                   OWNER_TABLE(sm_counters, sm_counters),
                                   OWNER_TABLE(stalls, stalls),
                                   .check = check};
