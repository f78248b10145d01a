/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog's last words. */
#include "gpu/gpu_internal.h"

int gpu_report_deadlock(struct gpu *g, struct err *e) {
  FILE *out = stderr;
  fprintf(out, "tandem: deadlock of kernel '%s': nothing has moved since core cycle %llu\n", g->launch.kernel->name,
          (unsigned long long)g->progress);
  fprintf(out, "%llu of %llu CTAs were started\n", (unsigned long long)g->next_cta,
          (unsigned long long)g->launch.n_ctas);
  for (uint32_t i = 0; i < g->n_sms; i++) sm_describe(g->sm[i].sm, out);
  memory_describe(g->memory, out);
  fflush(out);
  return err_set(e, ERR_INTERNAL,
                 "deadlock of kernel '%s' after core cycle %llu: the state of every component is "
                 "above; look for a "
                 "barrier that not all warps reach",
                 g->launch.kernel->name, (unsigned long long)g->progress);
}
