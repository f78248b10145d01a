/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: their limits, and the CTAs given to SMs. */
#include "gpu/functional.h"
#include "gpu/gpu_state.h"
#include "gpu/policies.h"
#include "ptx/device_runtime.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_THREADS_MAX = 1024, BLOCK_Z_MAX = 64, GRID_YZ_MAX = 65535 };

static int check_shape(const struct ptx_kernel *k, const uint32_t grid[3], const uint32_t block[3], struct err *e) {
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  for (uint32_t i = 0; i < 3; i++) {
    if (!grid[i] || !block[i])
      return err_set(e, ERR_VALUE, "kernel '%s': dimension %c of the %s is 0; it must be at least 1", k->name, "xyz"[i],
                     grid[i] ? "block" : "grid");
    if (block[i] > (i < 2 ? BLOCK_THREADS_MAX : BLOCK_Z_MAX) || (i && grid[i] > GRID_YZ_MAX) || grid[i] > INT32_MAX)
      return err_set(e, ERR_VALUE, "kernel '%s': dimension %c (grid %u, block %u) exceeds what a GPU takes", k->name,
                     "xyz"[i], grid[i], block[i]);
  }
  if (threads > BLOCK_THREADS_MAX)
    return err_set(e, ERR_VALUE, "kernel '%s': a block of %llu threads; at most %d are allowed", k->name,
                   (unsigned long long)threads, BLOCK_THREADS_MAX);
  if (k->max_threads && threads > k->max_threads)
    return err_set(e, ERR_VALUE, "kernel '%s': a block of %llu threads, but the kernel was compiled for at most %u",
                   k->name, (unsigned long long)threads, k->max_threads);
  return 0;
}

/* Checks a launch against the GPU's limits and describes it. */
static int describe_launch(const struct gpu *g, const struct ptx_kernel *k, const uint32_t grid[3],
                           const uint32_t block[3], uint32_t dynamic_shared_bytes, const void *params, struct launch *l,
                           struct err *e) {
  int code = check_shape(k, grid, block, e);
  if (code) return code;
  uint32_t threads = block[0] * block[1] * block[2];
  *l = (struct launch){.kernel = k,
                       .dynamic_shared_bytes = dynamic_shared_bytes,
                       .params = params,
                       .n_ctas = (uint64_t)grid[0] * grid[1] * grid[2],
                       .warps_per_cta = (threads + 31) / 32};
  memcpy(l->grid, grid, sizeof l->grid);
  memcpy(l->block, block, sizeof l->block);
  struct err limit = {.code = ERR_LIMIT};
  l->space = g->space;
  l->ctas_per_sm =
    sm_fits(g->setup.system, memory_agent(g->memory), &g->config, k, threads, dynamic_shared_bytes, &limit);
  return l->ctas_per_sm ? 0 : err_set(e, limit.code, "%s", limit.text);
}

int gpu_run_functional(struct gpu *g, const struct ptx_kernel *k, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t dynamic_shared_bytes, const void *params, struct functional_count *count,
                       struct err *e) {
  struct launch l;
  for (uint32_t i = 0; i < g->n_sms; i++) sm_events_pass(g->sm[i].sm);
  int code = describe_launch(g, k, grid, block, dynamic_shared_bytes, params, &l, e);
  return code ? code : functional_run(&g->setup, g->device_memory, &l, count, e);
}

int gpu_prepare_launch(struct gpu *g, const struct ptx_kernel *k, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t dynamic_shared_bytes, const void *params, struct err *e) {
  struct launch *l = &g->launch;
  int code = describe_launch(g, k, grid, block, dynamic_shared_bytes, params, l, e);
  if (code) return code;
  for (uint32_t i = 0; i < g->n_sms; i++) {
    if ((code = sm_launch(g->sm[i].sm, l, e))) return code;
    g->sm[i].counted = g->clocks.cycle[CLOCK_CORE];
    gpu_wake_sm(g, i);
    g->sm[i].takes_cta = sm_can_take_cta(g->sm[i].sm);
  }
  g->takes_cta = true;
  g->limit = g->config.launch_limit ? g->clocks.cycle[CLOCK_CORE] + (uint64_t)g->config.launch_limit : UINT64_MAX;
  g->started = 0;
  g->serial = ptx_kernel_is_serial(k);
  g->dispatch_ops->launch(g->dispatch, l, g->clocks.cycle[CLOCK_CORE]);
  g->aborted = g->draining = false;
  g->first_wake = g->progress = g->clocks.cycle[CLOCK_CORE];
  return 0;
}

/* ---- the policy and its services ---- */

static bool request(struct gpu *g, uint64_t address, uint32_t sm, uint32_t tag, bool around) {
  if (!memory_dispatcher_can_inject(g->memory, address)) return false;
  struct mem_request r = {.address = address,
                          .bytes = (uint8_t)g->config.line_bytes,
                          .sm = (uint16_t)sm,
                          .tag = tag,
                          .cta = MEM_NO_CTA,
                          .kind = MEM_READ,
                          .source = MEM_DISPATCHER,
                          .class = MEM_CLASS_PRELOAD,
                          .around = around};
  memory_inject(g->memory, &r);
  return true;
}

static uint32_t input_of(const struct gpu *g, uint64_t address) { return memory_dispatcher_input(g->memory, address); }

static void wake(struct gpu *g, uint32_t sm) { gpu_wake_sm(g, sm); }

static bool has_room(const struct gpu *g, uint32_t sm) { return g->sm[sm].takes_cta && g->started < g->launch.n_ctas; }

const struct dispatch_ops *gpu_dispatch_ops(const struct gpu_setup *setup) {
  return setup->system && setup->system->dispatch ? setup->system->dispatch
                                                  : policies_of(setup->config.dispatch_policy);
}

int gpu_create_dispatch(struct gpu *g, struct err *e) {
  const struct system_ops *system = g->setup.system;
  if (system && system->dispatch && g->config.dispatch_policy != DISPATCH_ROUND_ROBIN)
    return err_set(e, ERR_VALUE, "dispatch.policy: --system %s brings a CTA dispatch of its own; leave round_robin",
                   system->name);
  const struct dispatch_services services = {.gpu = g,
                                             .factory = g->setup.factory,
                                             .counters = memory_own_counters(g->memory),
                                             .in_flight = memory_own_in_flight(g->memory),
                                             .now = &g->clocks.cycle[CLOCK_CORE],
                                             .input_of = input_of,
                                             .request = request,
                                             .has_room = has_room,
                                             .wake = wake};
  g->dispatch_ops = gpu_dispatch_ops(&g->setup);
  g->dispatch_wake = UINT64_MAX;
  g->dispatch = g->dispatch_ops->create(&g->config, &services, memory_agent(g->memory), e);
  return g->dispatch ? 0 : e && e->code ? (int)e->code : (int)ERR_VALUE;
}

void *gpu_dispatch_policy(const struct gpu *g) {
  return g->setup.system && g->setup.system->dispatch ? g->dispatch : NULL;
}

void gpu_destroy_dispatch(struct gpu *g) {
  if (g->dispatch) g->dispatch_ops->destroy(g->dispatch);
}

void gpu_dispatch_cycle(struct gpu *g) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE];
  if (g->dispatch_ops->cycle) g->dispatch_wake = g->dispatch_ops->cycle(g->dispatch, now);
}

bool gpu_dispatch(struct gpu *g) {
  uint64_t room[GPU_SM_WORDS] = {0}, now = g->clocks.cycle[CLOCK_CORE];
  struct dispatch_choice c;
  bool any = false;
  if (!g->takes_cta) return false;
  for (uint32_t i = 0; i < g->n_sms; i++) room[i / 64] |= (uint64_t)g->sm[i].takes_cta << i % 64;
  while (g->started < g->launch.n_ctas && g->dispatch_ops->next(g->dispatch, room, now, &c)) {
    invariant(c.cta < g->launch.n_ctas && c.sm < g->n_sms && g->sm[c.sm].takes_cta,
              "CTA dispatch (%s) gives CTA %llu to SM %u", g->dispatch_ops->name, (unsigned long long)c.cta, c.sm);
    struct gpu_sm *s = &g->sm[c.sm];
    gpu_catch_up(g, c.sm);
    sm_start_cta(s->sm, c.cta);
    g->started++;
    s->takes_cta = sm_can_take_cta(s->sm);
    gpu_wake_sm(g, c.sm);
    if (!s->takes_cta) room[c.sm / 64] &= ~(UINT64_C(1) << c.sm % 64);
    any = true;
  }
  return any;
}

void gpu_note_ended(struct gpu *g, uint32_t i) {
  uint32_t n;
  const uint64_t *ctas = sm_ended_ctas(g->sm[i].sm, &n);
  for (uint32_t k = 0; k < n; k++)
    g->dispatch_ops->ended(g->dispatch, (struct dispatch_choice){ctas[k], i}, g->clocks.cycle[CLOCK_CORE]);
}

uint64_t gpu_dispatch_wake(const struct gpu *g) {
  return g->giving && g->takes_cta ? g->dispatch_ops->wake(g->dispatch, g->clocks.cycle[CLOCK_CORE]) : UINT64_MAX;
}
