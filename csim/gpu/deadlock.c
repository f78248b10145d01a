/* SPDX-License-Identifier: Apache-2.0 */
/* What the watchdog prints before a launch that makes no progress is ended. */
#include "gpu/gpu_state.h"

static void describe(const struct gpu *g, FILE *out) {
  fprintf(out, "%llu of %llu CTAs were started\n", (unsigned long long)g->started,
          (unsigned long long)g->launch.n_ctas);
  if (g->dispatch_ops->describe) g->dispatch_ops->describe(g->dispatch, out);
  for (uint32_t i = 0; i < g->n_sms; i++) sm_describe(g->sm[i].sm, out);
  memory_describe(g->memory, out);
  fflush(out);
}

int gpu_report_deadlock(struct gpu *g, struct err *e) {
  fprintf(stderr, "tandem: deadlock of kernel '%s': nothing has moved since core cycle %llu\n", g->launch.kernel->name,
          (unsigned long long)g->progress);
  describe(g, stderr);
  return err_set(e, ERR_INTERNAL,
                 "deadlock of kernel '%s' after core cycle %llu: the state of every component is above; look for a "
                 "barrier that not all warps reach",
                 g->launch.kernel->name, (unsigned long long)g->progress);
}

int gpu_report_unsettled(struct gpu *g, struct err *e) {
  fprintf(stderr, "tandem: deadlock before a launch: nothing has moved since core cycle %llu\n",
          (unsigned long long)g->progress);
  memory_describe(g->memory, stderr);
  fflush(stderr);
  return err_set(e, ERR_INTERNAL,
                 "what the host has asked of the proposal does not end after core cycle %llu: the state of "
                 "every component is above",
                 (unsigned long long)g->progress);
}

/* The watchdog does not see warps that issue for ever, as in a spin on a lock that a lane of the same warp holds. */
int gpu_report_limit(struct gpu *g, struct err *e) {
  fprintf(stderr, "tandem: kernel '%s' has run for %lld core cycles, launch.limit of the GPU configuration\n",
          g->launch.kernel->name, (long long)g->config.launch_limit);
  describe(g, stderr);
  return err_set(
    e, ERR_INTERNAL,
    "kernel '%s' has run for launch.limit = %lld core cycles: the state of every component is above; raise "
    "the limit, or look for a loop that never ends",
    g->launch.kernel->name, (long long)g->config.launch_limit);
}
