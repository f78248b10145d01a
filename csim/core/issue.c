/* SPDX-License-Identifier: Apache-2.0 */
/* Issue: per cycle each scheduler issues at most one operation, and an SM at most one memory and one extension
 * operation. An operation is executed when it is issued; the scoreboard decides when its results may be used. */
#include "core/cta.h"
#include "core/lines.h"
#include "core/sm_state.h"
#include "core/steps.h"
#include "device/device_memory.h"

#include <stdio.h>

/* ---- faults ---- */

/* The first fault of the launch: file, line, text, thread, address. */
void sm_record_fault(struct sm *sm, uint32_t w) {
  const struct sm_warp *warp = sm->warp[w];
  const struct ptx_kernel *k = sm->launch.kernel;
  const char *text = ptx_op_text(k, (uint32_t)(warp->op - sm->kernel_ops));
  char what[256];
  if (sm->faulted) return;
  sm->faulted = true;
  ptx_fault_text(&warp->f, what, sizeof what);
  while (*text == ' ' || *text == '\t') text++;
  snprintf(sm->fault, sizeof sm->fault, "%s:%u: kernel '%s', '%.120s': %s (SM %u, core cycle %llu)",
           ptx_module_file(k->module), warp->op->line, k->name, text, what, sm->index, (unsigned long long)*sm->now);
}

/* ---- executing ---- */

void sm_count(struct sm *sm, const struct ptx_op *op, uint32_t mask) {
  sm->counters.warp_instructions += op->issue_slots;
  uint32_t lanes = mask == UINT32_MAX ? WARP_LANES : (uint32_t)__builtin_popcount(mask);
  sm->counters.thread_instructions += (uint64_t)op->issue_slots * lanes;
  if (!sm->lines) return;
  struct line_count *line = &sm->lines[op - sm->kernel_ops];
  line->warp_instructions += op->issue_slots;
  line->thread_instructions += (uint64_t)op->issue_slots * lanes;
}

/* Advances the PC; the warp may issue again from cycle `fetch` on. */
static void advance(struct sm *sm, uint32_t w, uint32_t mask, uint64_t fetch) {
  struct sm_warp *warp = sm->warp[w];
  ptx_step(warp->op, &warp->f, mask);
  warp->fetch = fetch;
  sm_schedule(sm, w);
}

/* Global stores and atomics, which other SMs can see, are performed SM by SM after all SMs have executed the cycle. */
static bool seen_by_others(const struct ptx_access *a) { return a->space == PTX_GLOBAL && (a->store || a->atomic); }

static void note_executed(struct sm *sm, uint32_t w, bool pending) {
  struct sm_warp *warp = sm->warp[w];
  if (!sm->contexts->executed) return;
  sm->contexts->executed(sm->system, warp->number, warp->op, &warp->f, pending);
  sm->system_called = true;
}

/* The host's memory begins to fetch what the end of the cycle writes. */
static void fetch_for_store(const struct sm *sm, const struct ptx_access *a) {
  uint32_t bytes = (uint32_t)a->bytes * WARP_LANES;
  const char *at = device_memory_at(sm->device_memory, a->address[0], bytes);
  for (uint32_t i = 0; at && i < bytes; i += 64) __builtin_prefetch(at + i, 1);
}

void sm_perform(struct sm *sm, uint32_t w, uint32_t mask, const struct ptx_access *a) {
  if (!seen_by_others(a)) {
    sm_perform_now(sm, w, mask, a);
    return;
  }
  invariant(!sm->performs, "%s: two global stores in one cycle", sm->path);
  if (a->in_order) fetch_for_store(sm, a);
  sm->performs = true;
  sm->performed = (struct held){.valid = true, .warp = w, .mask = mask, .access = *a};
}

void sm_perform_now(struct sm *sm, uint32_t w, uint32_t mask, const struct ptx_access *a) {
  struct sm_warp *warp = sm->warp[w];
  const struct ptx_op *op = warp->op;
  uint32_t loads = warp->loads;
  ptx_perform(op, &warp->f, a);
  if (warp->f.fault.kind) {
    sm_record_fault(sm, w);
    return;
  }
  sm->pipeline->access(sm, w, op, a);
  if (__builtin_expect(sm->watched, 0) && a->space == PTX_SHARED)
    sm->ops->touched_shared(sm->system, sm->cta[warp->cta].first_shared, a);
  if (sm->contexts) note_executed(sm, w, warp->loads != loads);
  warp->rest = ptx_access_rest(op, mask, a);
  sm_count(sm, op, mask & ~warp->rest);
  if (!warp->rest) {
    advance(sm, w, mask, *sm->now + 1);
    return;
  }
  /* assumption: an issue accesses one memory space; lanes in another space issue again (the hardware is not
   * published) */
  warp->fetch = *sm->now + 1;
  sm_schedule(sm, w);
}

static void issue_memory(struct sm *sm, uint32_t w, uint32_t mask) {
  struct sm_warp *warp = sm->warp[w];
  struct ptx_access access;
  if (warp->unit == UNIT_MEMORY) sm->memory_issued = true;
  if (!mask) { /* every lane is guarded off */
    sm_count(sm, warp->op, 0);
    advance(sm, w, 0, *sm->now + 1);
    return;
  }
  ptx_addresses(warp->op, &warp->f, mask, &access);
  if (warp->f.fault.kind) sm_record_fault(sm, w);
  else if (sm->contexts && sm_collect_shared(sm, w, &access)) return;
  else if (sm->ops && sm_needs_check(sm, w, &access)) sm_hold(sm, w, mask, &access);
  else sm_perform(sm, w, mask, &access);
  sm->memory_done = true;
}

static uint64_t ceiling(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

static void issue_arithmetic(struct sm *sm, uint32_t w, uint32_t mask) {
  struct sm_warp *warp = sm->warp[w];
  const struct ptx_op *op = warp->op;
  uint64_t now = *sm->now;
  if (op->exec && mask) op->exec(op, &warp->f, mask);
  if (warp->f.fault.kind) {
    sm_record_fault(sm, w);
    return;
  }
  if (sm->contexts) note_executed(sm, w, false);
  sm_set_ready(sm, warp, op, ready_at(now + sm->latency[op->class], WAIT_DATA));
  if (op->class == PTX_SFU) sm->unit_free[UNIT_SFU] = now + (uint64_t)sm->config->sm_interval_sfu;
  else if (op->class == PTX_DIV) sm->unit_free[UNIT_SFU] = now + (uint64_t)sm->config->sm_interval_div;
  else if (op->class == PTX_F64) sm->unit_free[UNIT_F64] = now + (uint64_t)sm->config->sm_interval_f64;
  else if (op->class == PTX_MATRIX)
    sm->scheduler[w % sm->schedulers].matrix_free =
      now + ceiling(op->matrix.work, (uint64_t)sm->config->sm_matrix_rate);
  sm_count(sm, op, mask);
  advance(sm, w, mask, now + op->issue_slots);
}

static void issue_branch(struct sm *sm, uint32_t w, uint32_t mask) {
  struct sm_warp *warp = sm->warp[w];
  uint32_t lanes = ptx_warp_mask(&warp->f);
  bool branch = warp->op->class == PTX_BRANCH;
  const struct ptx_op *op = warp->op;
  bool plain = branch && op->branch.kind == BRANCH_PLAIN;
  if (plain && mask && mask != lanes) sm->counters.divergent_branches++;
  sm_count(sm, op, plain ? lanes : mask); /* the lanes that fall through execute it too */
  ptx_advance(op, &warp->f, mask);
  if (branch && (op->branch.kind == BRANCH_INDEXED || op->branch.kind == BRANCH_CALL_INDIRECT) &&
      ptx_warp_mask(&warp->f) != lanes)
    sm->counters.divergent_branches++;
  if (warp->f.fault.kind) {
    sm_record_fault(sm, w);
  } else if (!warp->f.live) {
    sm_warp_exit(sm, w);
  } else {
    warp->fetch = *sm->now + sm->latency[PTX_BRANCH];
    sm_schedule(sm, w);
  }
}

/* A barrier whose lanes are all guarded off is skipped. assumption: the warp arrives when any of its lanes does. */
static void issue_barrier(struct sm *sm, uint32_t w, uint32_t mask) {
  struct sm_warp *warp = sm->warp[w];
  struct ptx_barrier barrier = ptx_barrier_of(warp->op, &warp->f);
  sm_count(sm, warp->op, mask);
  if (warp->f.fault.kind) {
    sm_record_fault(sm, w);
    return;
  }
  ptx_advance(warp->op, &warp->f, mask);
  warp->fetch = *sm->now + sm->latency[PTX_BARRIER];
  if (!mask || barrier.arrive_only) sm_schedule(sm, w);
  if (mask) sm_barrier_arrive(sm, w, mask, barrier);
}

static void issue_extension(struct sm *sm, uint32_t s, uint32_t w, uint32_t mask) {
  struct sm_warp *warp = sm->warp[w];
  const struct ptx_op *op = warp->op;
  if (op->issue_slots) sm->extension_issued = true; /* without slots it may precede another, not follow it */
  if (mask && sm_extension(sm, w, mask) == EXTENSION_WAIT) {
    warp->fetch = *sm->now + sm->latency[PTX_BRANCH]; /* fetched again, as after a squash */
    sm_schedule(sm, w);
    return;
  }
  if (op->issue_slots > 1) sm->scheduler[s].busy_until = *sm->now + op->issue_slots;
  sm_count(sm, op, mask);
  advance(sm, w, mask, *sm->now + op->issue_slots);
}

static void note_step(const struct sm *sm, uint32_t w, uint32_t mask) {
  const struct sm_warp *warp = sm->warp[w];
  const struct step_record r = {.fetched = warp->fetch,
                                .cycle = *sm->now,
                                .cta = sm->cta[warp->cta].index,
                                .op = warp->op,
                                .pc = (uint32_t)(warp->op - sm->kernel_ops),
                                .warp = w,
                                .index = warp->f.index,
                                .lanes = mask};
  sm->steps->issue(sm->steps->context, &r);
}

static void note_phase(struct sm *sm, uint32_t w) {
  if (!sm->contexts || !sm->contexts->phase) return;
  sm->contexts->phase(sm->system, sm->warp[w]->number, sm->warp[w]->op);
  sm->system_called = true;
}

void sm_execute(struct sm *sm, uint32_t s, uint32_t w) {
  struct sm_warp *warp = sm->warp[w];
  const struct ptx_op *op = warp->op;
  uint32_t mask = warp->rest ? warp->rest : ptx_op_mask(op, &warp->f);
  sm->ready &= ~warp_bit(w);
  sm->work++;
  warp->f.clock = *sm->now;
  if (sm->contexts) {
    if (sm_collect(sm, w)) return;
    if (sm->contexts->execute) sm->contexts->execute(sm->system, warp->number, op, &warp->f);
  }
  if (__builtin_expect(sm->steps != NULL, 0)) note_step(sm, w, mask);
  if (__builtin_expect(sm->watched, 0)) sm->ops->touched(sm->system, w, op, mask == warp->f.live);
  if (op->tile && mask) sm_tile_issue(sm, w, op);
  else if (sm->events && op->class != PTX_EXTENSION && op->class != PTX_BARRIER && op->class != PTX_EXIT)
    sm_events_op(sm, w);
  switch (op->class) {
    case PTX_LOAD:
    case PTX_STORE:
    case PTX_ATOMIC:
      if (sm->operations) sm_operations_note(sm, w, mask);
      issue_memory(sm, w, mask);
      break;
    case PTX_BRANCH:
    case PTX_EXIT: issue_branch(sm, w, mask); break;
    case PTX_BARRIER: issue_barrier(sm, w, mask); break;
    case PTX_EXTENSION:
      if (sm->operations) sm_operations_note(sm, w, mask);
      issue_extension(sm, s, w, mask);
      break;
    default: /* NOP; FENCE too (assumption: memory operations are performed in order) */
      if (op->class == PTX_PHASE) note_phase(sm, w);
      else if (op->class == PTX_ASYNC && mask) sm_commit_group(sm, w);
      issue_arithmetic(sm, w, mask);
      break;
  }
}

/* ---- what was held ---- */

static void execute_collected(struct sm *sm, uint32_t w) {
  sm->collecting &= ~warp_bit(w);
  sm->collecting_memory &= ~warp_bit(w);
  sm->collected = warp_bit(w);
  sm_execute(sm, w % sm->schedulers, w);
  sm->collected = 0;
}

/* Those of the load/store unit, of which it takes one a cycle, in turns. */
void sm_execute_collected(struct sm *sm) {
  if (!sm->collecting) return;
  uint64_t due = sm->contexts->collected(sm->system) & sm->collecting, memory = due & sm->collecting_memory;
  for (uint64_t rest = due & ~memory; rest && !sm->faulted; rest &= rest - 1) execute_collected(sm, lowest(rest));
  if (!memory || sm->faulted || sm->memory_done || sm->lsu_queue.count + sm->n_held >= sm->lsu_queue.size) return;
  uint64_t behind = memory & ~(warp_bit(sm->last_collected) | (warp_bit(sm->last_collected) - 1));
  sm->last_collected = lowest(behind ? behind : memory);
  execute_collected(sm, sm->last_collected);
}

/* ---- choosing ---- */

/* Ready warps whose unit accepts no operation in this cycle. */
static uint64_t closed_warps(const struct sm *sm, uint32_t s) {
  uint64_t now = *sm->now, closed = 0;
  uint32_t promised = sm->n_held + sm->keeps_line;
  if (sm->scheduler[s].alu_free > now) return UINT64_MAX;
  if (sm->collecting_memory)
    promised += (uint32_t)__builtin_popcountll(sm->collecting_memory); /* a call of the library */
  if (sm->memory_issued || sm->lsu_queue.count + promised >= sm->lsu_queue.size) closed |= sm->unit[UNIT_MEMORY];
  if (sm->extension_issued) closed |= sm->unit[UNIT_EXTENSION];
  if (sm->unit_free[UNIT_SFU] > now) closed |= sm->unit[UNIT_SFU];
  if (sm->unit_free[UNIT_F64] > now) closed |= sm->unit[UNIT_F64];
  if (sm->scheduler[s].matrix_free > now) closed |= sm->unit[UNIT_MATRIX];
  return closed;
}

/* What becomes of the slot if no unit takes any of the ready warps. assumption: memory comes first; nobody publishes an order. */
static uint8_t closed_slot(const struct sm *sm, uint32_t s, uint64_t ready) {
  return sm->scheduler[s].alu_free <= *sm->now && (ready & sm->unit[UNIT_MEMORY]) ? SLOT_MEMORY : SLOT_COMPUTE;
}

/* The slot goes to an operation of the proposal's own, if it has one. */
static bool issue_own(struct sm *sm, uint32_t s, bool idle) {
  struct sm_scheduler_state *scheduler = &sm->scheduler[s];
  if (!sm->hooks->own || scheduler->alu_free > *sm->now)
    return false; /* after a fault too: what the proposal has begun ends */
  enum own_operation own = sm->hooks->own(sm->system, s, idle, !sm->memory_issued);
  if (own == OWN_NONE) return false;
  if (own == OWN_L1) sm->memory_issued = sm->l1_taken = true;
  scheduler->alu_free = *sm->now + sm->alu_interval;
  scheduler->slot = SLOT_ACTIVE;
  sm->system_called = true;
  sm->work++;
  return true;
}

/* Operations without issue slots execute together with the next one. */
static void issue_one(struct sm *sm, uint32_t s) {
  struct sm_scheduler_state *scheduler = &sm->scheduler[s];
  scheduler->slot = SLOT_ACTIVE;
  if (scheduler->busy_until > *sm->now) {
    sm->issued = true;
    return;
  }
  if (issue_own(sm, s, false)) return;
  for (;;) {
    uint64_t ready = sm->ready & sm->fetch.decoded & scheduler->owned & ~sm->was_blocked;
    scheduler->slot = SLOT_NONE;
    if (!ready) {
      issue_own(sm, s, true);
      return;
    }
    uint64_t open = ready & ~closed_warps(sm, s);
    if (!open) scheduler->slot = closed_slot(sm, s, ready);
    if (!open || sm->faulted) return;
    uint32_t w = sm->policy->pick(sm, s, open);
    const struct ptx_op *op = sm->warp[w]->op;
    scheduler->last = w;
    if (op->issue_slots)
      scheduler->alu_free = *sm->now + sm->alu_interval; /* with fewer lanes than threads a warp issues in parts */
    sm_execute(sm, s, w);
    if (!op->issue_slots) {
      if (sm->ops) sm_update_blocked(sm);
      continue;
    }
    sm->issued = true;
    scheduler->slot = SLOT_ACTIVE;
    sm->issued_warp = (uint8_t)w;
    sm->issued_pc = (uint32_t)(op - sm->kernel_ops);
    return;
  }
}

void sm_issue(struct sm *sm) {
  sm->issued = false;
  sm->memory_issued = sm->extension_issued = sm->memory_done = false;
  if (sm->ops) sm_update_blocked(sm);
  for (uint32_t s = 0; s < sm->schedulers; s++) issue_one(sm, s);
}
