/* SPDX-License-Identifier: Apache-2.0 */
/* The SM: construction, launches, the order of a cycle, and skipped cycles. */
#include "core/sm.h"

#include "config/counters.h"
#include "core/lines.h"
#include "core/pipelines.h"
#include "core/sm_state.h"
#include "mem/page_table.h"
#include "mem/recorder.h"

#include <stdlib.h>
#include <string.h>

/* ---- construction ---- */

static void set_latencies(struct sm *sm) {
  const struct gpu_config *m = sm->config;
  for (uint32_t i = 0; i < PTX_CLASSES; i++) sm->latency[i] = 1;
  sm->latency[PTX_INT] = (uint32_t)m->sm_latency_int;
  sm->latency[PTX_INT64] = (uint32_t)m->sm_latency_int64;
  sm->latency[PTX_F32] = (uint32_t)m->sm_latency_f32;
  sm->latency[PTX_F64] = (uint32_t)m->sm_latency_f64;
  sm->latency[PTX_SFU] = (uint32_t)m->sm_latency_sfu;
  sm->latency[PTX_DIV] = (uint32_t)m->sm_latency_div;
  sm->latency[PTX_MATRIX] = (uint32_t)m->sm_latency_matrix;
  sm->latency[PTX_BRANCH] = (uint32_t)m->sm_latency_branch;
  sm->latency[PTX_BARRIER] = (uint32_t)m->sm_latency_branch;
  sm->alu_interval = (WARP_LANES + (uint32_t)m->sm_simd_width - 1) / (uint32_t)m->sm_simd_width;
}

static void set_schedulers(struct sm *sm) {
  sm->schedulers = (uint32_t)sm->config->sm_schedulers;
  sm->policy = &sm_policies[sm->config->sm_scheduler];
  sm->pipeline = sm_pipeline_at(sm->config->sm_pipeline);
  for (uint32_t w = 0; w < SM_WARPS; w++) sm->scheduler[w % sm->schedulers].owned |= warp_bit(w);
}

/* Finds the SM counter row of each stall class. Cycles of an idle SM are not counted. */
static void find_stall_counters(struct sm *sm) {
  const struct stall_class *class;
  for (unsigned i = 0; (class = stall_class_at(i)); i++)
    if (class->counter) sm->stall_counter[i] = (uint16_t)counter_index(COUNTERS_SM, class->counter);
}

/* A proposal runs on pipelines of the kind for which it has hooks. */
static int check_system(const struct sm *sm, struct err *e) {
  const struct system_ops *ops = sm->ops;
  bool barrel = sm->pipeline->barrel;
  char names[128];
  if (barrel ? !ops->scoreboard : !ops->barrel) return 0;
  sm_pipeline_names(!barrel, names, sizeof names);
  if (!barrel) return err_set(e, ERR_VALUE, "the proposal %s is for a barrel: set sm.pipeline to %s", ops->name, names);
  return err_set(e, ERR_VALUE,
                 "the proposal %s is for sm.pipeline=%s, not for %s; choose that, or another GPU configuration",
                 ops->name, names, sm->pipeline->name);
}

/* What the SM holds: as the configuration says, or the proposal. */
static void set_room(struct sm *sm) {
  const struct gpu_config *m = sm->config;
  sm->room = (struct sm_room){
    .warps = (uint32_t)m->sm_warps, .ctas = (uint32_t)m->sm_ctas, .shared_bytes = (uint32_t)m->sm_shared_bytes};
  if (!sm->ops || !sm->ops->contexts || !sm->ops->contexts->on(m)) return;
  sm->contexts = sm->ops->contexts;
  sm->contexts->room(m, &sm->room);
  sm->seats = sm->room.warps > SM_WARPS;
  invariant(sm->room.warps <= SM_CONTEXTS && sm->room.ctas <= SM_CTAS,
            "%s: the proposal %s wants more room than there is", sm->path, sm->ops->name);
  for (uint32_t i = PTX_INT; i <= PTX_MATRIX; i++) sm->latency[i] += sm->room.operand_cycles;
}

static int create_parts(struct sm *sm, const struct sm_setup *s, struct err *e) {
  const struct gpu_config *m = sm->config;
  sm->shared = calloc(1, sm->room.shared_bytes);
  sm->context = aligned_alloc(_Alignof(struct sm_warp), sm->room.warps * sizeof *sm->context);
  if (!sm->shared || !sm->context) return err_set(e, ERR_LIMIT, "%s: the host has no memory left for it", sm->path);
  memset(sm->context, 0, sm->room.warps * sizeof *sm->context);
  int code = sm_caches_create(sm, e);
  if (code || (code = sm_lsu_create(sm, e)) || (code = sm_prefetcher_create(sm, e))) return code;
  if (sm->pipeline->create && (code = sm->pipeline->create(sm, s->factory, e))) return code;
  if (sm->ops && (code = check_system(sm, e))) return code;
  if (sm->ops) {
    sm->watched = sm->ops->watches && sm->ops->watches(m);
    struct sm_services services = sm_services_of(sm);
    services.dispatch = s->dispatch;
    sm->system = sm->ops->create(m, s->factory, sm->path, sm->index, &services, e);
    if (!sm->system) return e && e->code ? (int)e->code : (int)ERR_VALUE;
    sm->cache[CACHE_L1].policy_self = sm->system;
    if (sm->ops->place && m->numa_modules > 1)
      memory_set_decoder(sm->memory, sm->index, &(struct zone_decoder){sm->ops->place, sm->system});
  }
  return s->probes ? sm_wave_register(sm, s->probes, e) : 0;
}

struct sm *sm_create(const struct sm_setup *s, uint32_t index, struct err *e) {
  const struct gpu_config *m = s->config;
  struct sm *sm = aligned_alloc(_Alignof(struct sm), sizeof *sm);
  if (!sm) {
    err_set(e, ERR_LIMIT, "the host has no memory left for SM %u", index);
    return NULL;
  }
  memset(sm, 0, sizeof *sm);
  sm->config_copy = *m;
  sm->config = &sm->config_copy;
  sm->now = s->now;
  sm->memory = s->memory;
  sm->reply_at = memory_reply_word(s->memory, index);
  sm->tick = memory_core_tick(s->memory);
  sm->device_memory = s->device_memory;
  static const struct scoreboard_hooks none = {0};
  sm->ops = s->system;
  sm->hooks = sm->ops && sm->ops->scoreboard ? sm->ops->scoreboard : &none;
  sm->index = index;
  sm->line_bytes = (uint32_t)m->line_bytes;
  sm->banks = (uint32_t)m->shared_banks;
  sm->local_base = DEVICE_MEMORY_BASE + ((uint64_t)m->memory_mib << 20) + ((uint64_t)index << LOCAL_WINDOW_BITS);
  sm->prefetches.size = SM_PREFETCHES;
  sm->next = UINT64_MAX;
  sm->stall = STALL_IDLE;
  snprintf(sm->path, sizeof sm->path, "sm%u", index);
  set_latencies(sm);
  set_room(sm);
  set_schedulers(sm);
  sm_fetch_create(&sm->fetch, sm->config);
  find_stall_counters(sm);
  if (create_parts(sm, s, e)) {
    sm_destroy(sm);
    return NULL;
  }
  return sm;
}

void sm_destroy(struct sm *sm) {
  if (!sm) return;
  if (sm->system) sm->ops->destroy(sm->system);
  if (sm->pipeline->destroy) sm->pipeline->destroy(sm);
  for (uint32_t i = 0; i < SM_CACHES; i++) cache_destroy(&sm->cache[i]);
  free(sm->events);
  free(sm->operations);
  free(sm->latency_of);
  free(sm->lines);
  free(sm->tiles);
  free(sm->lsu);
  free(sm->prefetcher);
  free(sm->load);
  free(sm->shared);
  free(sm->context);
  free(sm->rows);
  free(sm->local);
  free(sm->registers);
  free(sm);
}

/* ---- launch ---- */

static int grow(struct sm *sm, void **data, size_t *size, size_t bytes, struct err *e) {
  bytes = (bytes + 63) & ~(size_t)63;
  if (bytes <= *size) return 0;
  free(*data);
  *data = aligned_alloc(64, bytes);
  *size = *data ? bytes : 0;
  if (*data) return 0;
  return err_set(e, ERR_LIMIT, "%s: the host has no memory left for %zu bytes of registers", sm->path, bytes);
}

int sm_launch(struct sm *sm, const struct launch *l, struct err *e) {
  const struct ptx_kernel *k = l->kernel;
  sm->by_warps = sm->ops && sm->ops->admits_warps && sm->ops->admits_warps(sm->system);
  sm->frees_slots = sm->by_warps || sm->contexts;
  size_t warps = sm->frees_slots ? (size_t)sm->room.warps : (size_t)l->warps_per_cta * l->ctas_per_sm;
  void *rows = sm->rows, *local = sm->local, *registers = sm->registers;
  int code = grow(sm, &rows, &sm->rows_size, warps * k->n_rows * WARP_LANES * sizeof *sm->rows, e);
  if (!code) code = grow(sm, &local, &sm->local_size, warps * k->local_bytes * WARP_LANES, e);
  if (!code) code = grow(sm, &registers, &sm->registers_size, warps * k->n_registers * sizeof *sm->registers, e);
  sm->rows = rows;
  sm->local = local;
  sm->registers = registers;
  if (code) return code;
  if (warps * k->local_bytes * WARP_LANES > UINT64_C(1) << LOCAL_WINDOW_BITS)
    return err_set(e, ERR_LIMIT, "kernel '%s': %u bytes of local memory a thread are too many; use fewer", k->name,
                   k->local_bytes);
  for (uint32_t i = 0; i < SM_CACHES; i++) cache_clear(&sm->cache[i]); /* the host may have written the cached data */
  sm_prefetcher_launch(sm);
  sm->launch = *l;
  sm->finish_mark = *sm->now;
  sm->kernel_ops = k->ops;
  if ((code = sm_tiles_launch(sm, e))) return code;
  if ((code = sm_lines_launch(sm, e))) return code;
  if (sm->events) sm_events_launch(sm);
  if (sm->operations) sm_operations_launch(sm);
  sm->faulted = false;
  sm->fault[0] = 0;
  for (uint32_t s = 0; s < sm->schedulers; s++) sm->scheduler[s].last = SM_WARPS - 1;
  if (sm->pipeline->launch) sm->pipeline->launch(sm);
  if (sm->ops && sm->ops->launch) {
    sm->system_called = true;
    return sm->ops->launch(sm->system, k, e);
  }
  return 0;
}

void sm_abort(struct sm *sm) {
  sm_lsu_abort(sm);
  if (sm->pipeline->abort) sm->pipeline->abort(sm);
  for (uint32_t i = 0; i < SM_CTAS; i++) sm->cta[i].resident = false;
  sm_fetch_clear(&sm->fetch);
  memset(sm->wheel, 0, sizeof sm->wheel);
  memset(sm->waiting, 0, sizeof sm->waiting);
  memset(sm->unit, 0, sizeof sm->unit);
  for (uint32_t w = 0; w < sm->room.warps; w++) sm->context[w].unit = UNIT_NONE;
  sm->collecting = sm->collecting_memory = sm->fetching = 0;
  sm->keeps_line = false;
  sm->active = sm->ready = sm->parked = sm->at_barrier = sm->was_blocked = sm->far = sm->in_flight = sm->wheel_used = 0;
  for (uint32_t i = 0; i <= SHARED_CHECK_CYCLES_MAX; i++) sm->held[i].valid = false;
  sm->n_held = 0;
  sm->n_ctas = sm->draining = sm->prefetches.count = 0;
  if (sm->seats) sm_clear_seats(sm);
  sm->unstarted = sm->freed_slot = false;
}

/* ---- waits ---- */

void sm_record_waits(struct sm *sm, const struct wait_recorder *r) { sm->waits = r; }
void sm_record_steps(struct sm *sm, const struct step_recorder *r) { sm->steps = r; }

void sm_end_wait(struct sm *sm) {
  const struct wait_record *w = &sm->wait;
  if (sm->waits && w->end > w->begin) sm->waits->wait(sm->waits->context, sm->index, w);
  sm->wait.begin = sm->wait.end;
}

/* The SM has counted cycles [begin, end) of its current stall. */
static void note_wait(struct sm *sm, uint64_t begin, uint64_t end) {
  if (sm->stall == STALL_NONE) {
    sm_end_wait(sm);
    return;
  }
  if (sm->wait.class != sm->stall || sm->wait.end != begin || sm->wait.begin == sm->wait.end) {
    sm_end_wait(sm);
    sm->wait = (struct wait_record){.begin = begin, .class = sm->stall};
  }
  sm->wait.end = end;
}

/* ---- a cycle ---- */

/* The slots of `n` cycles like the last one. */
static void count_slots(struct sm *sm, uint64_t n) {
  uint64_t *slots = &sm->counters.slots_active;
  uint64_t waiting =
    sm->waiting[WAIT_DATA] | sm->waiting[WAIT_MEMORY] | sm->waiting[WAIT_SHARED] | sm->waiting[WAIT_TILE];
  uint64_t depend = waiting & sm->fetch.decoded & ~sm->fetching & ~sm->was_blocked;
  for (uint32_t s = 0; s < sm->schedulers; s++) {
    const struct sm_scheduler_state *scheduler = &sm->scheduler[s];
    uint32_t use = scheduler->slot;
    if (use == SLOT_NONE) use = scheduler->owned & depend ? SLOT_DEPENDENCE : SLOT_IDLE;
    slots[use] += n;
  }
}

/* `n` cycles from `from` on. */
static void count_cycles(struct sm *sm, uint64_t from, uint64_t n) {
  struct sm_counters *c = &sm->counters;
  c->cycles += n;
  if (sm->tile_stall) c->tile_stalls += n;
  ((uint64_t *)c)[sm->stall_counter[sm->stall]] += n;
  if (!sm->pipeline->barrel) count_slots(sm, n);
  if (sm->lines) sm->line->cycles[sm->stall] += n;
  if (sm->waits) note_wait(sm, from, from + n);
  if (sm->ops && sm->ops->ran) sm_note_condition(sm, n);
}

static uint64_t earlier(uint64_t cycle, uint64_t event, uint64_t now) {
  return event > now && event < cycle ? event : cycle;
}

static uint64_t find_next(const struct sm *sm) {
  uint64_t now = *sm->now;
  if (sm->fetch.empty || sm->work || sm->system_ran || sm->system_called || sm->prefetches.count) return now + 1;
  uint64_t next = sm_next_wake(sm);
  if (sm->ops && sm->ops->wake) next = earlier(next, sm->ops->wake(sm->system), now);
  if (sm->lsu_queue.count) next = earlier(next, sm->shared_free, now);
  next = earlier(next, sm->unit_free[UNIT_SFU], now);
  next = earlier(next, sm->unit_free[UNIT_F64], now);
  for (uint32_t s = 0; s < sm->schedulers; s++) {
    next = earlier(next, sm->scheduler[s].alu_free, now);
    next = earlier(next, sm->scheduler[s].busy_until, now);
    next = earlier(next, sm->scheduler[s].matrix_free, now);
  }
  return next;
}

uint32_t sm_cycle(struct sm *sm) {
  uint32_t resident = sm->n_ctas;
  sm->work = 0;
  if (sm->freed) {
    mshr_recycle(sm->freed);
    sm->freed = NULL;
    sm->mshrs_changed = true;
  }
  sm->pipeline->cycle(sm);
  sm->stall = resident ? sm->pipeline->classify(sm) : STALL_IDLE;
  sm->tile_stall = sm->stall != STALL_NONE && sm->stall != STALL_IDLE && sm_waits_for_tiles(sm);
  if (sm->lines && resident) sm_lines_cycle(sm);
  if (resident) count_cycles(sm, *sm->now, 1);
  bool decodes = !sm->decoder_taken;
  sm->decoder_taken = false;
  if (sm->fetch.entries && decodes && sm_fetch_cycle(&sm->fetch))
    sm->work++; /* behind the counts: it is there from the next cycle on */
  if (sm->prefetches.count) sm_prefetch_cycle(sm);
  if (sm->ops) sm_system_cycle(sm);
  if (sm->collecting && sm->system_ran) sm_execute_collected(sm);
  if (sm->draining && sm_retire_ctas(sm)) sm->work++;
  if (sm->freed_slot) sm_start_freed(sm);
  sm->next = find_next(sm);
  return sm->work;
}

bool sm_must_commit(const struct sm *sm) { return sm->took_reply | sm->sends | sm->performs | sm->cta_ended; }

const uint64_t *sm_ended_ctas(const struct sm *sm, uint32_t *n) {
  *n = sm->cta_ended ? sm->n_ended : 0;
  return sm->ended;
}

bool sm_commit(struct sm *sm) {
  sm->cta_ended = false;
  if (sm->took_reply) {
    struct mem_request reply;
    memory_take_reply(sm->memory, sm->index, &reply);
    sm->took_reply = false;
  }
  if (sm->sends) {
    memory_inject(sm->memory, &sm->request);
    sm->sends = false;
  }
  if (!sm->performs) return true;
  sm->performs = false;
  sm_perform_now(sm, sm->performed.warp, sm->performed.mask, &sm->performed.access);
  return !sm->faulted;
}

uint64_t sm_next_cycle(const struct sm *sm) { return sm->next > *sm->now ? sm->next : *sm->now; }

bool sm_waits_for_port(const struct sm *sm) { return sm->lsu_wait == LSU_WAITS_PORT; }

void sm_skip(struct sm *sm, uint64_t n) {
  if (sm->n_ctas) count_cycles(sm, *sm->now - n, n);
  if (sm->lsu_wait == LSU_WAITS_MSHR) *sm->cache[sm->lsu[sm->lsu_queue.head].cache].mshr_stalls += n;
  if (sm->lsu_wait == LSU_WAITS_PORT) sm->counters.port_stalls += n;
}

bool sm_idle(const struct sm *sm) {
  if (sm->ops && sm->ops->holds && sm->ops->holds(sm->system)) return false;
  return !sm->n_ctas && !sm->lsu_queue.count && !sm->prefetches.count && !sm->commands && !sm_mshrs_used(sm) &&
         !sm->n_held;
}

void sm_record_accesses(struct sm *sm, const struct mem_recorder *r) {
  sm->recorder = r && (r->l1 || r->fill) ? r : NULL;
}

int sm_record_latencies(struct sm *sm, struct err *e) {
  sm->latency_of = calloc(SM_LATENCIES, sizeof *sm->latency_of);
  return sm->latency_of ? 0 : err_set(e, ERR_LIMIT, "%s: the host has no memory left for its histograms", sm->path);
}

const struct histogram *sm_latencies(const struct sm *sm) { return sm->latency_of; }

uint32_t sm_resident_ctas(const struct sm *sm) { return sm->n_ctas; }
const struct sm_counters *sm_counters(const struct sm *sm) { return &sm->counters; }
void sm_reset_counters(struct sm *sm) { memset(&sm->counters, 0, sizeof sm->counters); }
const char *sm_fault(const struct sm *sm) { return sm->fault; }
