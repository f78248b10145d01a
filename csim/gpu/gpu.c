/* SPDX-License-Identifier: Apache-2.0 */
/* The clock loop. Ticks at which no domain can change anything are jumped over; so are the cycles
 * of an SM that only repeats its stall while others work. Both keep every counter as if each cycle
 * had been executed. */
#include "gpu/gpu.h"

#include "base/host_profile.h"
#include "config/latencies.h"
#include "core/lines.h"
#include "core/operations.h"
#include "gpu/gpu_state.h"
#include "mem/page_table.h"

#include <stdlib.h>
#include <string.h>

enum { SMS_A_THREAD = 2, TICKS_A_LOOK = 2048 /* assumption: milliseconds of the host, no time worth measuring */ };

/* ---- construction ---- */

/* Pages are filled and emptied as the driver allocates and frees. */
static bool observe_allocations(struct gpu *g, struct err *e) {
  struct device_memory_observer o = page_table_observer(memory_pages(g->memory));
  if (device_memory_observe(g->device_memory, &o)) return true;
  err_set(e, ERR_LIMIT, "more device memory is allocated than memory.mib = %lld has page frames",
          (long long)g->config.memory_mib);
  return false;
}

static bool create_sms(struct gpu *g, struct err *e) {
  const struct gpu_setup *s = &g->setup;
  const struct sm_setup parts = {.config = &g->config,
                                 .memory = g->memory,
                                 .device_memory = g->device_memory,
                                 .system = s->system,
                                 .dispatch = gpu_dispatch_policy(g),
                                 .factory = s->factory,
                                 .probes = s->probes,
                                 .now = &g->clocks.cycle[CLOCK_CORE]};
  for (uint32_t i = 0; i < g->n_sms; i++) {
    struct sm *sm = g->sm[i].sm = sm_create(&parts, i, e);
    if (!sm) return false;
    g->sm[i].reply_at = memory_reply_word(g->memory, i);
    sm_record_accesses(sm, s->accesses);
    sm_record_waits(sm, s->waits);
    if (i == s->steps_sm) sm_record_steps(sm, s->steps);
    if (s->lines) sm_record_lines(sm);
    if (s->operations && sm_record_operations(sm, s->operations, e)) return false;
    if (s->events && sm_record_events(sm, e)) return false;
  }
  return true;
}

struct gpu *gpu_create(const struct gpu_setup *setup, struct device_memory *device_memory, struct err *e) {
  struct gpu *g = aligned_alloc(_Alignof(struct gpu), sizeof *g);
  if (!g) {
    err_set(e, ERR_LIMIT, "the host has no memory left for the GPU");
    return NULL;
  }
  memset(g, 0, sizeof *g);
  const struct gpu_config *m = &g->config;
  g->setup = *setup;
  g->config = setup->config;
  gpu_config_idealise(&g->config);
  g->device_memory = device_memory;
  const uint64_t khz[CLOCK_DOMAINS] = {[CLOCK_CORE] = (uint64_t)m->core_khz,
                                       [CLOCK_NOC] = (uint64_t)m->noc_khz,
                                       [CLOCK_L2] = (uint64_t)m->l2_khz,
                                       [CLOCK_DRAM] = (uint64_t)m->dram_khz};
  clocks_start(&g->clocks, khz);
  g->n_sms = (uint32_t)m->sm_count;
  g->n_groups = (uint32_t)m->numa_modules;
  g->sm = calloc(g->n_sms, sizeof *g->sm);
  g->threads = 1;
  g->memory = g->sm ? memory_create(m, &g->clocks, setup->factory, gpu_dispatch_ops(setup)->requests, e) : NULL;
  bool attached =
    g->memory && observe_allocations(g, e) &&
    (!setup->system || !setup->system->agent || !memory_attach(g->memory, setup->system->agent, setup->factory, e));
  attached = attached && !gpu_create_dispatch(g, e);
  bool made = attached && create_sms(g, e) && (!setup->check_dram || !memory_check_protocol(g->memory, e));
  made = made && !gpu_create_latencies(g, e);
  if (made && setup->threads > 1 && !setup->observer) {
    g->threads = setup->threads < g->n_sms ? setup->threads : g->n_sms;
    g->split = g->n_groups > 1 && !setup->accesses && !setup->recorder &&
               !setup->check_dram; /* else one thing after the other */
    g->workers = g->threads > 1 ? workers_create(g->threads, g->n_groups + g->n_sms, e) : NULL;
    made = g->workers || g->threads == 1;
  }
  g->results = made ? aligned_alloc(_Alignof(struct cycle_result), g->threads * sizeof *g->results) : NULL;
  if (g->results) {
    memset(g->results, 0, g->threads * sizeof *g->results);
    memory_set_exhaustive(g->memory, !setup->skip);
    if (setup->accesses) memory_record(g->memory, setup->accesses);
    if (setup->recorder) memory_record_dram(g->memory, setup->recorder);
    return g;
  }
  if (made || !g->sm) err_set(e, ERR_LIMIT, "the host has no memory left for the SMs");
  gpu_destroy(g);
  return NULL;
}

void gpu_destroy(struct gpu *g) {
  if (!g) return;
  workers_destroy(g->workers);
  gpu_destroy_dispatch(g);
  for (uint32_t i = 0; g->sm && i < g->n_sms; i++) sm_destroy(g->sm[i].sm);
  if (g->memory && g->device_memory->observer.self == memory_pages(g->memory))
    device_memory_observe(g->device_memory, NULL);
  if (g->memory) memory_destroy(g->memory);
  free(g->latency);
  free(g->results);
  free(g->sm);
  free(g);
}

/* ---- observer ---- */

static bool watched(const struct gpu *g) {
  const struct gpu_observer *o = g->setup.observer;
  uint64_t cycle = g->clocks.cycle[CLOCK_CORE];
  return o && cycle >= o->watch_from && cycle < o->watch_to;
}

static bool executes_all(const struct gpu *g) { return !g->setup.skip || watched(g); }

/* ---- core edge ---- */

/* Something has come that a sleeping SM waits for. */
static inline bool called(const struct gpu *g, uint32_t i) {
  const struct gpu_sm *s = &g->sm[i];
  bool reply = s->reply_at ? __atomic_load_n(s->reply_at, __ATOMIC_ACQUIRE) <= g->clocks.next[CLOCK_CORE]
                           : memory_has_reply(g->memory, i);
  return reply || (s->wants_port && memory_can_inject(g->memory, i));
}

/* The first fault of the lowest SM counts; the cycle is finished, the launch is aborted in the next
 * one. */
static void note_fault(struct gpu *g, uint32_t i) {
  if (!g->aborted) err_set(&g->fault, ERR_FAULT, "%s", sm_fault(g->sm[i].sm));
  g->aborted = true;
}

/* Nobody wants the rest of the launch; what is in flight is waited for, so that the GPU can be used
 * again. */
static void abort_launch(struct gpu *g) {
  g->launch.n_ctas = g->started;
  g->draining = true;
  if (g->dispatch_ops->abort) g->dispatch_ops->abort(g->dispatch);
  for (uint32_t i = 0; i < g->n_sms; i++) {
    gpu_catch_up(g, i);
    sm_abort(g->sm[i].sm);
    gpu_wake_sm(g, i);
    g->sm[i].wants_port = false;
  }
}

/* Edges of the other domains at the core's tick. */
static void memory_edges(struct gpu *g, uint64_t tick) {
  uint32_t before = host_enter(HOST_NOC);
  if (g->clocks.next[CLOCK_NOC] == tick) memory_noc_cycle(g->memory);
  host_enter(HOST_L2);
  if (g->clocks.next[CLOCK_L2] == tick) memory_l2_cycle(g->memory);
  host_enter(HOST_DRAM);
  if (g->clocks.next[CLOCK_DRAM] == tick) memory_dram_cycle(g->memory);
  host_enter(before);
}

/* A core cycle of SM `i`: nothing that another SM could see. Never inline: the loop over sleeping SMs would lose its registers. */
__attribute__((noinline)) static void cycle_sm(struct gpu *g, struct cycle_result *r, uint32_t i, uint64_t now) {
  struct gpu_sm *s = &g->sm[i];
  uint32_t before = host_enter(HOST_SM);
  gpu_catch_up(g, i);
  if (sm_cycle(s->sm)) r->alive = true;
  s->counted = now + 1;
  s->wake = sm_next_cycle(s->sm);
  s->wants_port = sm_waits_for_port(s->sm);
  s->takes_cta = g->giving && sm_can_take_cta(s->sm);
  r->ran++;
  if (sm_must_commit(s->sm)) r->commit[i / 64] |= UINT64_C(1) << i % 64;
  if (sm_fault(s->sm)[0]) r->faulted = true;
  host_enter(before);
}

/* SMs [from, to), those that have something to do. Most of a large GPU often sleep: what is asked of a sleeping SM stays in registers. */
static struct gpu_group cycle_sms(struct gpu *g, struct cycle_result *r, uint32_t from, uint32_t to) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE], first = UINT64_MAX;
  bool all = g->all, takes_cta = false, wants_port = false;
  for (uint32_t i = from; i < to; i++) {
    const struct gpu_sm *s = &g->sm[i];
    if (all || s->wake <= now || called(g, i)) cycle_sm(g, r, i, now);
    if (s->wake < first) first = s->wake;
    takes_cta |= s->takes_cta;
    wants_port |= s->wants_port;
  }
  return (struct gpu_group){first, takes_cta, wants_port};
}

/* A thread's result begins anew with its first SMs of the cycle. */
static void begin_result(const struct gpu *g, struct cycle_result *r) {
  uint64_t mark = g->clocks.cycle[CLOCK_CORE] + 1;
  if (r->cycle != mark) *r = (struct cycle_result){.cycle = mark, .first = UINT64_MAX};
}

static void add_to_result(struct cycle_result *r, const struct gpu_group *of) {
  if (of->first < r->first) r->first = of->first;
  r->takes_cta |= of->takes_cta;
  r->wants_port |= of->wants_port;
}

/* The SMs of each module that has something to do. */
static void cycle_groups(struct gpu *g) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE];
  uint32_t sms = g->n_sms / g->n_groups;
  begin_result(g, g->results);
  for (uint32_t i = 0; i < g->n_groups; i++) {
    struct gpu_group *of = &g->group[i];
    if (g->all || of->first <= now || of->wants_port || memory_may_reply(g->memory, i))
      *of = cycle_sms(g, g->results, i * sms, (i + 1) * sms);
    add_to_result(g->results, of);
  }
}

/* A module's memory system, then its SMs, module by module: what works together is mostly in one thread. The first task is the whole
 * memory system if it is not split. */
static void do_task(void *context, uint32_t t, uint32_t task) {
  struct gpu *g = context;
  uint32_t sms = g->n_sms / g->n_groups, module = task / (1 + sms), at = task % (1 + sms);
  uint64_t tick = g->clocks.next[CLOCK_CORE];
  if (at) {
    struct cycle_result *r = &g->results[t];
    begin_result(g, r);
    struct gpu_group one = cycle_sms(g, r, module * sms + at - 1, module * sms + at);
    add_to_result(r, &one);
  } else if (g->split) {
    memory_module_edges(g->memory, module, tick);
  } else if (!module) {
    memory_edges(g, tick);
  }
}

static void run_shared(struct gpu *g) {
  if (g->split) memory_start_edges(g->memory);
  workers_run(g->workers, do_task, g);
  for (uint32_t i = 0; i < g->n_groups; i++) g->group[i].first = 0;
}

/* One after the other in their order, whoever executed them. False: a fault. */
static bool commit_sms(struct gpu *g, const uint64_t commit[GPU_SM_WORDS]) {
  bool legal = true;
  uint32_t before = host_enter(HOST_COMMIT);
  for (uint32_t w = 0; w < GPU_SM_WORDS; w++)
    for (uint64_t rest = commit[w]; rest; rest &= rest - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(rest);
      if (g->dispatch_ops->ended) gpu_note_ended(g, i);
      legal &= sm_commit(g->sm[i].sm);
    }
  host_enter(before);
  return legal;
}

static void note_faults(struct gpu *g) {
  for (uint32_t i = 0; i < g->n_sms; i++)
    if (sm_fault(g->sm[i].sm)[0]) note_fault(g, i);
}

/* Executes a core cycle in the SMs, and the edges of the same tick in the memory system. Returns the first core cycle in
 * which an SM works again. */
static uint64_t execute_all(struct gpu *g, bool *alive) {
  /* assumption: a hand-over to other threads pays for some SMs each; the result is the same either way */
  bool shared = g->workers && g->ran >= SMS_A_THREAD * g->threads && !g->serial;
  struct cycle_result sum = {.first = UINT64_MAX};
  if (shared) {
    run_shared(g);
  } else {
    memory_edges(g, g->clocks.next[CLOCK_CORE]);
    cycle_groups(g);
  }
  for (uint32_t t = 0; t < g->threads; t++) {
    const struct cycle_result *r = &g->results[t];
    if (r->cycle != g->clocks.cycle[CLOCK_CORE] + 1) continue;
    for (uint32_t w = 0; w < GPU_SM_WORDS; w++) sum.commit[w] |= r->commit[w];
    if (r->first < sum.first) sum.first = r->first;
    sum.ran += r->ran;
    sum.alive |= r->alive;
    sum.faulted |= r->faulted;
    sum.takes_cta |= r->takes_cta;
    sum.wants_port |= r->wants_port;
  }
  if (!commit_sms(g, sum.commit) || sum.faulted) note_faults(g);
  if (!g->aborted && memory_refused(g->memory, &g->fault)) g->aborted = true;
  g->ran = sum.ran;
  g->takes_cta = sum.takes_cta;
  g->wants_port = sum.wants_port;
  *alive |= sum.alive;
  return sum.first;
}

static void core_edge(struct gpu *g) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE];
  bool alive = false;
  g->all = executes_all(g);
  if (g->aborted && !g->draining) abort_launch(g);
  gpu_dispatch_cycle(g);
  if (g->started < g->launch.n_ctas) alive = gpu_dispatch(g);
  bool dispatched = alive;
  g->giving = g->started < g->launch.n_ctas;
  uint64_t first = execute_all(g, &alive);
  uint64_t next_start = dispatched ? now + 1 : g->dispatch_ops->wake ? gpu_dispatch_wake(g) : UINT64_MAX;
  if (next_start < first) first = next_start;
  if (g->dispatch_wake < first) first = g->dispatch_wake;
  g->first_wake = g->aborted && !g->draining ? now + 1 : first;
  if (alive) g->progress = now;
  if (watched(g)) g->setup.observer->core_cycle(g->setup.observer, g->clocks.next[CLOCK_CORE], now);
}

/* ---- time ---- */

/* Every CTA has ended and every write has reached its place. */
static bool finished(const struct gpu *g) {
  if (g->started < g->launch.n_ctas) return false;
  for (uint32_t i = 0; i < g->n_sms; i++)
    if (!sm_idle(g->sm[i].sm)) return false;
  return memory_in_flight(g->memory) == 0;
}

static uint64_t first_edge(const struct gpu *g) {
  uint64_t tick = UINT64_MAX;
  for (int d = 0; d < CLOCK_DOMAINS; d++)
    if (g->clocks.next[d] < tick) tick = g->clocks.next[d];
  return tick;
}

/* First core cycle that must be executed, as far as the SMs, the end of the launch, the observer
 * and the watchdog know. */
static uint64_t next_core_cycle(const struct gpu *g) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE], cycle = g->first_wake, last = g->progress + (uint64_t)g->config.watchdog;
  if (cycle <= now) return now;
  for (uint32_t i = 0; g->wants_port && i < g->n_sms; i++)
    if (g->sm[i].wants_port && memory_can_inject(g->memory, i)) return now;
  if (finished(g)) return now;
  const struct gpu_observer *o = g->setup.observer;
  if (o && o->watch_from >= now && o->watch_from < cycle) cycle = o->watch_from;
  if (last < cycle) cycle = last;
  if (g->limit < cycle) cycle = g->limit;
  if (g->sample_at < cycle) cycle = g->sample_at;
  return cycle > now ? cycle : now;
}

/* The next tick worth executing. */
static uint64_t next_tick(const struct gpu *g) {
  uint64_t first = first_edge(g);
  if (executes_all(g)) return first;
  const struct clocks *c = &g->clocks;
  uint64_t cycle = next_core_cycle(g), now = c->cycle[CLOCK_CORE];
  if (cycle == now) return first;
  uint64_t tick = c->next[CLOCK_CORE] + (cycle - now) * c->period[CLOCK_CORE];
  for (int d = CLOCK_DOMAINS - 1; d >= 0 && tick > first; d--) { /* of the core domain, which takes longest: replies */
    uint64_t event = memory_next_tick(g->memory, (enum clock_domain)d, first);
    if (event < tick) tick = event;
  }
  return tick > first ? tick : first;
}

static uint64_t skip_to_next_tick(struct gpu *g) {
  uint64_t tick = next_tick(g);
  for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(&g->clocks, (enum clock_domain)d, tick);
  return tick;
}

static void step_clock(struct clocks *c, enum clock_domain d) {
  c->cycle[d]++;
  c->next[d] += c->period[d];
}

/* Executes the edges at `tick`; true if the core's was among them. */
static bool execute_tick(struct gpu *g, uint64_t tick) {
  bool core = g->clocks.next[CLOCK_CORE] == tick;
  if (core) {
    if (g->clocks.cycle[CLOCK_CORE] >= g->sample_at) gpu_sample(g);
    core_edge(g);
  } else {
    memory_edges(g, tick);
  }
  for (int d = 0; d < CLOCK_DOMAINS; d++)
    if (g->clocks.next[d] == tick) step_clock(&g->clocks, (enum clock_domain)d);
  return core;
}

/* Writes that drain, SMs that work, and a dispatch policy that waits for a time to come are signs of life. */
static bool stuck(struct gpu *g) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE];
  if (now - g->progress <= (uint64_t)g->config.watchdog) return false;
  uint64_t in_flight = memory_in_flight(g->memory);
  bool waits = g->dispatch_wake > now && g->dispatch_wake != UINT64_MAX;
  if (in_flight == g->in_flight && !waits) return true;
  g->in_flight = in_flight;
  g->progress = now;
  return false;
}

static void tell_progress(struct gpu *g) {
  uint64_t resident = 0;
  g->ticks_to_look = TICKS_A_LOOK;
  for (uint32_t i = 0; i < g->n_sms; i++) resident += sm_resident_ctas(g->sm[i].sm);
  g->setup.progress->look(g->setup.progress, g->started - resident, g->launch.n_ctas, g->clocks.cycle[CLOCK_CORE]);
}

void gpu_watch_alone(struct gpu *g, struct gpu_observer *observer) {
  g->setup.observer = observer;
  g->setup.stop = NULL;
  g->setup.progress = NULL;
  g->setup.sampler = NULL;
  g->sample_at = UINT64_MAX;
  g->ticks_to_look = UINT32_MAX;
  g->workers = NULL; /* of the parent */
  g->threads = 1;
}

int gpu_settle(struct gpu *g, struct err *e) {
  g->progress = g->clocks.cycle[CLOCK_CORE];
  g->in_flight = UINT64_MAX;
  g->sample_at = UINT64_MAX;
  g->first_wake = g->progress; /* for CTA dispatch */
  while (memory_in_flight(g->memory)) {
    if (!execute_tick(g, skip_to_next_tick(g))) continue;
    if (g->setup.stop && *g->setup.stop)
      return err_set(e, ERR_CHECK, "a block diverged before core cycle %llu",
                     (unsigned long long)g->clocks.cycle[CLOCK_CORE]);
    if (stuck(g)) return gpu_report_unsettled(g, e);
  }
  for (uint32_t i = 0; i < g->n_sms; i++) gpu_catch_up(g, i);
  return 0;
}

int gpu_run(struct gpu *g, const struct ptx_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
            uint32_t dynamic_shared_bytes, const void *params, struct err *e) {
  int code = gpu_prepare_launch(g, kernel, grid, block, dynamic_shared_bytes, params, e);
  if (code) return code;
  g->in_flight = UINT64_MAX;
  gpu_start_samples(g);
  g->ticks_to_look = g->setup.progress ? TICKS_A_LOOK : UINT32_MAX;
  struct gpu_snapshots *snapshots = g->setup.snapshots;
  struct gpu_pace *pace = g->setup.pace;
  for (;;) {
    if (pace && g->clocks.cycle[CLOCK_CORE] >= pace->at) pace->reach(pace, g->clocks.cycle[CLOCK_CORE]);
    if (snapshots && g->clocks.cycle[CLOCK_CORE] >= snapshots->at)
      snapshots->take(snapshots, g->clocks.cycle[CLOCK_CORE]);
    if (!--g->ticks_to_look && g->setup.progress) tell_progress(g);
    uint64_t tick = skip_to_next_tick(g);
    bool done = g->clocks.next[CLOCK_CORE] == tick && finished(g);
    if (!execute_tick(g, tick)) continue;
    if (g->setup.stop && *g->setup.stop)
      return err_set(e, ERR_CHECK, "a block diverged in core cycle %llu",
                     (unsigned long long)g->clocks.cycle[CLOCK_CORE] - 1);
    if (done) break;
    if (stuck(g)) return gpu_report_deadlock(g, e);
    if (g->clocks.cycle[CLOCK_CORE] > g->limit) return gpu_report_limit(g, e);
  }
  for (uint32_t i = 0; i < g->n_sms; i++) {
    gpu_catch_up(g, i);
    sm_end_wait(g->sm[i].sm);
  }
  if (!g->aborted) memory_ended(g->memory);
  gpu_sample(g);
  return g->aborted ? err_set(e, g->fault.code, "%s", g->fault.text) : 0;
}

/* ---- figures ---- */

void gpu_set_space(struct gpu *g, uint64_t address) { g->space = address; }
uint32_t gpu_ctas_per_sm(const struct gpu *g) { return g->launch.ctas_per_sm; }
uint64_t gpu_core_cycles(const struct gpu *g) { return g->clocks.cycle[CLOCK_CORE]; }
uint64_t gpu_ticks(const struct gpu *g) { return g->clocks.next[CLOCK_CORE]; }
const struct clocks *gpu_clocks(const struct gpu *g) { return &g->clocks; }
uint32_t gpu_sm_count(const struct gpu *g) { return g->n_sms; }
const struct event_row *gpu_events(const struct gpu *g, uint32_t sm, uint32_t *n, uint64_t *lost) {
  return sm_events(g->sm[sm].sm, n, lost);
}
const struct sm_counters *gpu_sm_counters(const struct gpu *g, uint32_t sm) { return sm_counters(g->sm[sm].sm); }
bool gpu_line_counts(const struct gpu *g, struct line_count *sum, uint32_t n) {
  for (uint32_t i = 0; i < g->n_sms; i++) {
    const struct line_count *count = sm_line_counts(g->sm[i].sm);
    if (!count) return false;
    counters_add((uint64_t *)sum, (const uint64_t *)count, n * sizeof *count / sizeof(uint64_t));
  }
  return true;
}

bool gpu_latencies(const struct gpu *g, struct histogram *table) {
  if (!g->latency) return false;
  for (uint32_t k = 0; k < LATENCIES; k++) table[k] = g->latency[k];
  for (uint32_t i = 0; i < g->n_sms; i++)
    for (uint32_t k = 0; k < SM_LATENCIES; k++) histogram_join(&table[k], &sm_latencies(g->sm[i].sm)[k]);
  memory_add_latencies(g->memory, table);
  return true;
}
void *gpu_agent(const struct gpu *g) { return memory_agent(g->memory); }
const struct memory_counters *gpu_memory_counters(struct gpu *g) { return memory_counters(g->memory); }
struct page_table *gpu_pages(const struct gpu *g) {
  return memory_pages(g->memory);
}

void gpu_print_operations(const struct gpu *g, uint32_t sm, uint64_t cycle, uint32_t most, FILE *f) {
  struct sm_operation last[SM_OPERATIONS_SHOWN];
  if (sm >= g->n_sms) return;
  uint32_t n = sm_operations(g->sm[sm].sm, cycle, last, most < SM_OPERATIONS_SHOWN ? most : SM_OPERATIONS_SHOWN);
  for (uint32_t i = 0; i < n; i++) sm_operation_print(g->sm[sm].sm, &last[i], f);
}
