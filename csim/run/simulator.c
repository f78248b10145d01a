/* SPDX-License-Identifier: Apache-2.0 */
#include "run/simulator.h"

#include "base/host_clock.h"
#include "base/host_profile.h"
#include "run/kernel_metrics.h"
#include "run/launch_capture.h"
#include "run/out_dir.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const run_outcome_names[] = {"clean", "input", "fault", "diverged", "deadlock", "refused"};

enum { OPERATIONS_SHOWN = 8 };

static void watch(struct gpu_observer *o, uint64_t tick, uint64_t core_cycle) {
  struct simulator *s = (struct simulator *)(void *)((char *)o - offsetof(struct simulator, observer));
  dpi_wave_cycle(s->dpi, tick, core_cycle);
}

static int create_runtime(struct simulator *s, struct err *e) {
  const struct session *n = &s->session;
  struct dpi_config config = {.rules = n->rules,
                              .n_rules = n->n_rules,
                              .replaces = n->replaces,
                              .n_replaces = n->n_replaces,
                              .skip = n->skip,
                              .seed = n->seed,
                              .out_dir = *n->out_dir ? n->out_dir : NULL,
                              .decoupled = !n->coupled,
                              .check_threads = n->check_threads,
                              .activity = n->events & EVENTS_PERFETTO,
                              .recorder = n->recorder,
                              .coverage = n->rtl_coverage,
                              .probes = session_has_snapshots(n),
                              .wave = n->wave,
                              .wave_from = n->wave_from,
                              .wave_to = n->wave_to,
                              .records = n->records,
                              .n_records = n->n_records,
                              .record_from = n->record_from,
                              .record_to = n->record_to,
                              .record_workload = n->workload,
                              .record_khz = (uint32_t)n->config.core_khz,
                              .bug_block = n->bug_block,
                              .bug = n->bug,
                              .bug_rtl = n->bug_rtl};
  return dpi_create(&config, &s->dpi, e);
}

static bool runs_lockstep(const struct session *n) {
  bool any = n->n_records > 0;
  for (uint32_t i = 0; i < n->n_rules; i++) any |= n->rules[i].engine == ENGINE_LOCKSTEP;
  return any;
}

/* What the instance of a divergence worked for: the last operations of its SM. */
static void print_work(void *context, const char *path, uint64_t cycle, FILE *f) {
  const struct simulator *s = context;
  uint32_t index;
  int at = 0;
  if (sscanf(path, "sm%" SCNu32 ".%n", &index, &at) == 1 && at)
    gpu_print_operations(s->gpu, index, cycle, OPERATIONS_SHOWN, f);
}

static int create_gpu(struct simulator *s, struct err *e) {
  const struct session *n = &s->session;
  struct gpu_setup setup = {
    .config = n->config,
    .system = n->system,
    .factory = dpi_factory(s->dpi),
    .probes = dpi_probes(s->dpi),
    .stop = dpi_stop_flag(s->dpi),
    .skip = n->skip,
    .events = n->events,
    .latencies = n->histograms,
    .lines = n->lines,
    .operations = runs_lockstep(n) ? check_pace_operations((uint32_t)n->config.sm_schedulers, n->check_threads) : 0,
    .accesses = recorders_join(&s->recorders, run_access_recorder(s->access), run_database_recorder(s->database)),
    .waits = run_database_waits(s->database),
    .steps = run_konata_steps(s->konata),
    .steps_sm = n->konata_sm,
    .sampler = run_samples_hook(s->samples),
    .snapshots = snapshots_hook(s->snapshots),
    .pace = runs_lockstep(n) ? &s->pace.hook : NULL,
    .check_dram = n->check_dram,
    .recorder = run_trace_recorder(s->trace),
    .threads = s->database ? 1 : n->threads};
  progress_init(&s->progress, n->progress);
  if (s->progress.on) setup.progress = &s->progress.hook;
  if (n->wave) { /* one cycle early: dpi_wave_cycle decides after a cycle about the next one */
    uint64_t from = n->wave_from ? n->wave_from - 1 : 0;
    s->observer = (struct gpu_observer){.core_cycle = watch, .watch_from = from, .watch_to = n->wave_to};
    setup.observer = &s->observer;
  }
  check_pace_init(&s->pace, s->dpi, n->check_threads);
  s->gpu = gpu_create(&setup, &s->memory, e);
  if (s->gpu) dpi_set_clocks(s->dpi, gpu_clocks(s->gpu));
  return s->gpu ? 0 : (int)e->code;
}

/* Refuses an engine rule that matches no instance: the run would not do what was asked. */
static int check_rules(const struct simulator *s, struct err *e) {
  const char *unused = dpi_unused_replace(s->dpi);
  if (unused)
    return err_set(e, ERR_VALUE, "--replace %s=...: no instance has this name; the key engines of run.json lists them",
                   unused);
  const struct session *n = &s->session;
  uint32_t instances = dpi_instances(s->dpi);
  for (uint32_t i = 0; i < n->n_rules; i++) {
    const char *pattern = n->rules[i].pattern;
    bool used = false;
    for (uint32_t k = 0; k < instances && !used; k++) {
      const struct block *b = dpi_instance(s->dpi, k);
      used = !strcmp(pattern, b->desc->name) || !fnmatch(pattern, b->path, 0);
    }
    if (used) continue;
    if (!instances)
      return err_set(e, ERR_VALUE,
                     "--engine %s=%s: the simulated GPU has no block; switch a proposal on (--system d2ma)", pattern,
                     block_engine_names[n->rules[i].engine]);
    return err_set(e, ERR_VALUE, "--engine %s=%s: no instance has this name; one instance is %s (block %s)", pattern,
                   block_engine_names[n->rules[i].engine], dpi_instance(s->dpi, 0)->path,
                   dpi_instance(s->dpi, 0)->desc->name);
  }
  return 0;
}

/* Refuses a recording of instances that do not run in lockstep: their RTL might behave differently. */
static int check_records(const struct simulator *s, struct err *e) {
  const struct session *n = &s->session;
  for (uint32_t i = 0; i < n->n_records; i++)
    if (!dpi_recordings(s->dpi, n->records[i].pattern))
      return err_set(e, ERR_VALUE, "--record %s: no instance of such a name runs in lockstep%s%s",
                     n->records[i].pattern,
                     dpi_instances(s->dpi) ? "; one instance is " : "; switch a proposal on (--system d2ma)",
                     dpi_instances(s->dpi) ? dpi_instance(s->dpi, 0)->path : "");
  return 0;
}

void simulator_destroy(struct simulator *s) {
  run_trace_finish(s->trace, false, NULL);
  run_samples_finish(s->samples, false, NULL);
  run_lines_free(s->lines);
  run_access_finish(s->access, false, NULL);
  run_database_abandon(s->database);
  run_konata_free(s->konata);
  snapshots_destroy(s->snapshots);
  if (s->gpu) gpu_destroy(s->gpu);
  dpi_destroy(s->dpi);
  device_memory_destroy(&s->memory);
  free(s->launches);
  out_claim_end(&s->claim);
  free(s);
}

/* Several processes of a program do not write over each other. */
static int claim_folder(struct simulator *s, struct err *e) {
  struct session *n = &s->session;
  if (!*n->out_dir || *n->capture || n->again) return 0;
  return out_claim(&s->claim, n->out_dir, sizeof n->out_dir, *n->workload, e);
}

int simulator_create(struct simulator **out, struct err *e) {
  struct simulator *s = calloc(1, sizeof *s);
  if (!s) return err_set(e, ERR_LIMIT, "out of memory for the simulator");
  s->claim.file = -1;
  int status = session_from_environment(&s->session, e);
  if (!status) status = claim_folder(s, e);
  if (!status && s->session.profile && !host_profile_start())
    fprintf(stderr, "tandem: this host has no timer for a thread, so that --profile shows no times\n");
  if (!status) status = device_memory_create(&s->memory, (uint64_t)s->session.config.memory_mib << 20, e);
  if (!status) status = create_runtime(s, e);
  if (!status) status = snapshots_create(&s->session, s->dpi, &s->snapshots, e);
  if (!status) status = run_trace_create(&s->session, &s->trace, e);
  if (!status) status = run_samples_create(&s->session, &s->samples, e);
  if (!status) status = run_lines_create(&s->session, &s->lines, e);
  if (!status) status = run_access_create(&s->session, &s->access, e);
  if (!status) status = run_database_create(&s->session, &s->database, e);
  if (!status) status = run_konata_create(&s->session, &s->konata, e);
  if (!status) status = create_gpu(s, e);
  if (!status) status = check_rules(s, e);
  if (!status) status = check_records(s, e);
  if (status) {
    simulator_destroy(s);
    return status;
  }
  out_dir_remove_results(s->session.out_dir);
  if (!dpi_has_flight(s->dpi)) out_dir_remove_flight(s->session.out_dir); /* of an older run */
  *out = s;
  return 0;
}

void simulator_note(struct simulator *s, enum run_outcome outcome, const char *text) {
  if (s->outcome) return;
  s->outcome = outcome;
  snprintf(s->outcome_text, sizeof s->outcome_text, "%s", text);
}

static struct launch_record *new_record(struct simulator *s) {
  if (s->n_launches == s->launches_max) {
    uint32_t max = s->launches_max ? s->launches_max * 2 : 16;
    struct launch_record *launches = realloc(s->launches, max * sizeof *launches);
    if (!launches) return NULL;
    s->launches = launches;
    s->launches_max = max;
  }
  return memset(&s->launches[s->n_launches++], 0, sizeof *s->launches);
}

/* Counters since the simulator began. */
static void count_all(struct simulator *s, struct sm_counters *sm, struct memory_counters *memory) {
  memset(sm, 0, sizeof *sm);
  for (uint32_t i = 0; i < gpu_sm_count(s->gpu); i++)
    counters_add((uint64_t *)sm, (const uint64_t *)gpu_sm_counters(s->gpu, i), counter_table(COUNTERS_SM).n);
  *memory = *gpu_memory_counters(s->gpu);
}

static void subtract(uint64_t *from, const uint64_t *what, size_t n) {
  for (size_t i = 0; i < n; i++) from[i] -= what[i];
}

int simulator_settle(struct simulator *s, struct err *e) {
  uint64_t begun = gpu_core_cycles(s->gpu);
  int status = gpu_settle(s->gpu, e);
  dpi_drain(s->dpi);
  if (!status && dpi_divergence(s->dpi)) status = err_set(e, ERR_CHECK, "a block diverged between two launches");
  s->driver_cycles += gpu_core_cycles(s->gpu) - begun;
  return status;
}

/* ---- launches ---- */

/* Whether the next launch is simulated in detail; each rule counts the launches that it matches. */
static bool in_detail(struct simulator *s, const char *kernel) {
  const struct session *n = &s->session;
  bool detail = !n->functional || (n->detail_profiler && s->profiling);
  char base[128];
  kernel_base_name(kernel, base, sizeof base);
  for (uint32_t i = 0; i < n->n_details; i++) {
    const struct detail_rule *r = &n->details[i];
    if (fnmatch(r->kernel, kernel, 0) != 0 && fnmatch(r->kernel, base, 0) != 0) continue;
    detail |= r->launch < 0 || r->launch == s->matched[i];
    s->matched[i]++;
  }
  return detail;
}

uint32_t simulator_functional(const struct simulator *s, struct functional_count *sum) {
  uint32_t launches = 0;
  memset(sum, 0, sizeof *sum);
  for (uint32_t i = 0; i < s->n_launches; i++) {
    const struct launch_record *r = &s->launches[i];
    launches += r->functional;
    sum->ctas += r->count.ctas;
    sum->warp_instructions += r->count.warp_instructions;
    sum->thread_instructions += r->count.thread_instructions;
  }
  return launches;
}

static int launch_failed(struct simulator *s, int status, const struct err *e) {
  switch (status) {
    case ERR_CHECK: {
      struct err problem = {0};
      const struct divergence *v = dpi_divergence(s->dpi);
      char text[SESSION_TEXT_BYTES];
      snprintf(text, sizeof text, "%s (block %s): %s %s differs in cycle %llu", v->path, v->block,
               v->is_register ? "register" : "port", v->what, (unsigned long long)v->cycle);
      dpi_set_work(s->dpi, print_work, s);
      if (dpi_report_divergence(s->dpi, stderr, &problem)) {
        fprintf(stderr, "tandem: %s\n", problem.text);
        simulator_note(s, RUN_INPUT, problem.text);
      }
      if (!problem.code) snapshots_rerun(s->snapshots, stderr);
      simulator_note(s, RUN_DIVERGED, text);
      break;
    }
    case ERR_FAULT: simulator_note(s, RUN_FAULT, e->text); break;
    case ERR_INTERNAL: simulator_note(s, RUN_DEADLOCK, e->text); break;
    default: simulator_note(s, RUN_INPUT, e->text); break;
  }
  return status;
}

static int launch_functional(struct simulator *s, struct launch_record *r, const struct ptx_kernel *kernel,
                             uint32_t dynamic_shared_bytes, const void *params, struct err *e) {
  double start = host_seconds();
  progress_begin(&s->progress, kernel->name, 0);
  int status = gpu_run_functional(s->gpu, kernel, r->grid, r->block, dynamic_shared_bytes, params, &r->count, e);
  progress_end(&s->progress);
  s->functional_seconds += host_seconds() - start;
  r->begin = gpu_core_cycles(s->gpu);
  r->functional = true;
  r->done = !status;
  return status ? launch_failed(s, status, e) : 0;
}

int simulator_launch(struct simulator *s, const struct ptx_kernel *kernel, const uint32_t grid[3],
                     const uint32_t block[3], uint32_t dynamic_shared_bytes, const void *params, struct err *e) {
  if (*s->session.capture) return launch_capture_add(&s->session, kernel, grid, block, params, e);
  struct launch_record *r = new_record(s);
  if (!r) return err_set(e, ERR_LIMIT, "out of memory for the launch record");
  snprintf(r->kernel, sizeof r->kernel, "%s", kernel->name);
  memcpy(r->grid, grid, sizeof r->grid);
  memcpy(r->block, block, sizeof r->block);
  if (!in_detail(s, kernel->name)) return launch_functional(s, r, kernel, dynamic_shared_bytes, params, e);
  struct sm_counters sm;
  struct memory_counters memory;
  double start = host_seconds();
  int status = simulator_settle(s, e);
  uint64_t before = gpu_core_cycles(s->gpu);
  count_all(s, &sm, &memory);
  progress_begin(&s->progress, kernel->name, before);
  run_samples_launch(s->samples, s->gpu, s->n_launches - 1);
  run_konata_launch(s->konata, kernel, s->n_launches - 1);
  snapshots_begin(s->snapshots, s->gpu);
  check_pace_begin(&s->pace);
  uint32_t outside = host_enter(HOST_LOOP);
  if (!status) status = gpu_run(s->gpu, kernel, grid, block, dynamic_shared_bytes, params, e);
  check_pace_end(&s->pace);
  host_enter(outside);
  if (dpi_divergence(s->dpi)) status = ERR_CHECK; /* before whatever else happened */
  snapshots_end(s->snapshots, status == ERR_CHECK);
  s->host_seconds += host_seconds() - start;
  if (s->lines && !status) status = run_lines_add(s->lines, s->gpu, kernel, e);
  progress_end(&s->progress);
  r->begin = before;
  r->core_cycles = gpu_core_cycles(s->gpu) - before;
  r->ctas_per_sm = gpu_ctas_per_sm(s->gpu);
  count_all(s, &r->sm, &r->memory);
  subtract((uint64_t *)&r->sm, (const uint64_t *)&sm, counter_table(COUNTERS_SM).n);
  subtract((uint64_t *)&r->memory, (const uint64_t *)&memory, counter_table(COUNTERS_MEMORY).n);
  r->done = !status;
  if (!status) return 0;
  return launch_failed(s, status, e);
}

static uint64_t nanoseconds(const struct simulator *s, uint64_t cycles) {
  uint64_t khz = (uint64_t)s->session.config.core_khz;
  return cycles / khz * 1000000 + cycles % khz * 1000000 / khz;
}

uint64_t simulator_ns(const struct simulator *s) { return nanoseconds(s, gpu_core_cycles(s->gpu)); }

uint64_t simulator_launch_cycles(const struct simulator *s) { return gpu_core_cycles(s->gpu) - s->driver_cycles; }

uint64_t simulator_launch_ns(const struct simulator *s) { return nanoseconds(s, simulator_launch_cycles(s)); }
