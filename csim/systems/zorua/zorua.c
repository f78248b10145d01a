/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets registers, scratchpad and warp slots of an SM, and when.
 *
 * wlm: warp-level resource management (Xiang, Yang & Zhou 2014, as Vijaykumar 2019, 4.5 compares with it; assumption: the details): a warp starts
 * when there are registers for it, whether or not there are for the rest of its CTA, and gives them back when it ends. Shared memory and CTA
 * slots stay the CTA's. Warps of one CTA alone wait at a time, so that those which have started, and hold registers, cannot wait for each
 * other: the CTAs before it end, and a CTA fits an SM by itself.
 *
 * zorua: the block zorua_manager (rtl/zorua) decides; manager.c and operands.c are its surroundings. */
#include "systems/zorua/zorua.h"

#include "base/err.h"
#include "core/sm.h"
#include "systems/zorua/zorua_internal.h"

#include <stdlib.h>

static void zorua_destroy(void *self) {
  struct zorua *z = self;
  if (z->manager) block_destroy(z->manager);
  free(z->operand);
  free(z->values);
  free(z->touch);
  free(z);
}

static void *zorua_create(const struct gpu_config *m, struct block_factory *f, const char *path, uint32_t sm,
                          const struct sm_services *s, struct err *e) {
  struct zorua *z = calloc(1, sizeof *z);
  if (!z) {
    err_set(e, ERR_LIMIT, "the host has no memory left for the proposal zorua");
    return NULL;
  }
  z->config = m;
  z->p = zorua_parameters(m);
  z->n = zorua_counters(s->counters);
  z->sm = *s;
  z->index = sm;
  if (z->p->touch && !(z->touch = zorua_touch_make(z->n, (uint32_t)z->p->touch))) {
    err_set(e, ERR_LIMIT, "the host has no memory left for zorua.touch");
    zorua_destroy(z);
    return NULL;
  }
  if (z->p->mechanism != ZORUA_ZORUA || (!zorua_manager_make(z, f, path, e) && !zorua_values_make(z, e))) return z;
  zorua_destroy(z);
  return NULL;
}

static void zorua_load(const struct gpu_config *m, struct ptx_options *options) {
  if (zorua_parameters(m)->mechanism != ZORUA_ZORUA) return;
  options->phases = true;
  options->live = zorua_parameters(m)->live == ZORUA_LIVE_MASK ? PTX_LIVE_MASK : PTX_LIVE_LOWEST;
  options->phase_registers = ZORUA_WARP_REGISTERS;
}

static int zorua_launch(void *self, const struct ptx_kernel *k, struct err *e) {
  struct zorua *z = self;
  z->registers = (uint64_t)WARP_LANES * sm_thread_registers(z->config, k);
  z->parted = 0;
  if (z->touch && k->registers > ZORUA_TOUCH_REGISTERS)
    return err_set(e, ERR_LIMIT,
                   "kernel '%s' has %u registers and zorua.touch follows the %d that a mapping table names; set "
                   "ptx.max_registers to %d",
                   k->name, k->registers, ZORUA_TOUCH_REGISTERS, ZORUA_TOUCH_REGISTERS);
  if (z->touch) return zorua_operands_launch(z, k, e);
  if (!z->manager) return 0;
  zorua_manager_launch(z);
  int rc = zorua_values_launch(z, k, e);
  return rc ? rc : zorua_operands_launch(z, k, e);
}

/* ---- wlm ---- */

static bool zorua_admits_warps(const void *self) {
  const struct zorua *z = self;
  return z->p->mechanism == ZORUA_WLM;
}

static bool zorua_warp_may_start(const void *self, uint32_t warps) {
  const struct zorua *z = self;
  return (warps + 1) * z->registers <= (uint64_t)z->config->sm_registers &&
         (warps + 1) * (uint64_t)WARP_LANES <= (uint64_t)z->config->sm_threads;
}

static void zorua_warp_start(void *self, uint32_t cta, uint32_t warps, bool late) {
  struct zorua *z = self;
  uint64_t bit = UINT64_C(1) << cta;
  if (warps > z->n->zorua_warps_peak) z->n->zorua_warps_peak = warps;
  if (!late) return;
  z->n->zorua_warps_late++;
  z->n->zorua_ctas_parted += !(z->parted & bit);
  z->parted |= bit;
}

/* ---- zorua: what warps do ---- */

static void zorua_cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct zorua *z = self;
  (void)index;
  if (z->touch) zorua_touch_start(z->touch, warps, base, bytes, *z->sm.now);
  z->parted &= ~(UINT64_C(1) << cta);
  if (!z->manager) return;
  z->come = false;
  z->ask = true;
}

static void warp_comes(void *self, uint32_t w) {
  struct zorua *z = self;
  zorua_slot_begins(z, w);
  z->warp[w].block = z->come_id;
  z->warp[w].begun = false;
  z->live++;
  zorua_tell(z, ZORUA_START, w, z->kernel->ops);
}

static bool cta_may_come(const void *self) { return ((const struct zorua *)self)->come; }

/* The specifier that a kernel begins with came with the warp's start; a loop may lead there again. */
static void phase(void *self, uint32_t w, const struct ptx_op *op) {
  struct zorua *z = self;
  if (z->warp[w].begun) zorua_tell(z, ZORUA_PHASE, w, op);
  z->warp[w].begun = true;
}

/* A barrier that names as many threads as the CTA has is one of all, unless some do not wait there. At one of fewer a warp stays schedulable
 * for the manager, which opens a block's barrier when all of its warps have come. */
static void barrier(void *self, uint32_t w, uint32_t threads, uint32_t depth) {
  struct zorua *z = self;
  bool all = !threads || (threads > WARP_LANES * (z->sm.launch->warps_per_cta - 1) && !z->arrives);
  if (!all) return;
  z->warp[w].deep = depth > ZORUA_STACK_ENTRIES;
  z->n->zorua_barriers_kept += z->warp[w].deep;
  zorua_tell(z, ZORUA_BARRIER, w, NULL);
}

static void warp_gone(void *self, uint32_t w) {
  struct zorua *z = self;
  z->live--;
  zorua_tell(z, ZORUA_END, w, NULL);
  zorua_slot_ends(z, w);
}

/* ---- figure 28 ---- */

static bool zorua_watches(const struct gpu_config *m) { return zorua_parameters(m)->touch != 0; }

static void zorua_touched(void *self, uint32_t w, const struct ptx_op *op, bool whole) {
  struct zorua *z = self;
  const struct zorua_operands *o = &z->operand[op - z->kernel->ops];
  zorua_touch_registers(z->touch, w, o->reads, o->writes, whole, *z->sm.now);
}

static void zorua_touched_shared(void *self, uint32_t base, const struct ptx_access *a) {
  const struct zorua *z = self;
  for (uint32_t i = 0; i < WARP_LANES; i++)
    if (a->mask >> i & 1)
      zorua_touch_bytes(z->touch, base + a->address[i], a->bytes, !a->store || a->atomic, a->store || a->atomic,
                        *z->sm.now);
}

static uint64_t zorua_blocked(const void *self) {
  const struct zorua *z = self;
  return z->manager ? ~z->open : 0;
}

static uint32_t zorua_stall(const void *self) {
  (void)self;
  return zorua_owner.first_stall + STALL_NEED;
}

static void zorua_cycle(void *self) {
  struct zorua *z = self;
  if (z->manager) zorua_manager_cycle(z);
}

static bool zorua_busy(const void *self) {
  const struct zorua *z = self;
  return z->manager && zorua_manager_busy(z);
}

static uint64_t zorua_wake(const void *self) {
  const struct zorua *z = self;
  if (!z->manager) return UINT64_MAX;
  uint64_t operands = zorua_operands_wake(z), epoch = z->live ? *z->sm.now + z->left : UINT64_MAX;
  return operands < epoch ? operands : epoch;
}

static void zorua_room(const struct gpu_config *m, struct sm_room *room) {
  const struct zorua_parameters *p = zorua_parameters(m);
  room->warps = (uint32_t)p->warps;
  room->ctas = (uint32_t)p->blocks;
  room->shared_bytes = (uint32_t)p->blocks * zorua_block_sets(m) * ZORUA_SET_BYTES;
  room->operand_cycles = 1; /* assumption: the mapping table is read in a stage of its own */
}

static bool zorua_on(const struct gpu_config *m) { return zorua_parameters(m)->mechanism == ZORUA_ZORUA; }

static uint64_t zorua_space(const struct gpu_config *m) {
  const struct zorua_space s = zorua_space_of_sm(m);
  return zorua_on(m) ? (uint64_t)m->sm_count * (s.registers + s.scratch + s.warps) : 0;
}

static void zorua_describe(const void *self, FILE *out) {
  const struct zorua *z = self;
  if (!z->manager) return;
  fprintf(out, "  %s: %u warps run, slots of those that can issue %#llx, of those with operands under way %#llx; %s\n",
          z->path, z->live, (unsigned long long)z->open, (unsigned long long)z->collecting,
          z->works ? "the coordinator works" : "the coordinator rests");
}

static const struct scoreboard_hooks zorua_scoreboard = {.blocked = zorua_blocked, .keeps = true, .stall = zorua_stall};
static const struct context_hooks zorua_contexts = {.room = zorua_room,
                                                    .on = zorua_on,
                                                    .fits = zorua_fits,
                                                    .cta_may_come = cta_may_come,
                                                    .warp_comes = warp_comes,
                                                    .phase = phase,
                                                    .barrier = barrier,
                                                    .warp_gone = warp_gone,
                                                    .operands = zorua_operands_hook,
                                                    .shared = zorua_shared,
                                                    .collected = zorua_collected,
                                                    .execute = zorua_execute,
                                                    .executed = zorua_executed,
                                                    .loaded = zorua_loaded,
                                                    .line_loaded = zorua_line_loaded};

const struct system_ops zorua_system = {
  .name = "zorua",
  .brief = "registers, scratchpad and warp slots virtualised (Vijaykumar 2019, chapter 4)",
  .owner = &zorua_owner,
  .load = zorua_load,
  .scoreboard = &zorua_scoreboard,
  .contexts = &zorua_contexts,
  .watches = zorua_watches,
  .touched = zorua_touched,
  .touched_shared = zorua_touched_shared,
  .space = zorua_space,
  .create = zorua_create,
  .destroy = zorua_destroy,
  .launch = zorua_launch,
  .admits_warps = zorua_admits_warps,
  .warp_may_start = zorua_warp_may_start,
  .warp_start = zorua_warp_start,
  .cta_start = zorua_cta_start,
  .cycle = zorua_cycle,
  .busy = zorua_busy,
  .ran = zorua_ran,
  .wake = zorua_wake,
  .describe = zorua_describe,
};
