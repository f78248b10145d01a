/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at a running GPU: counters at regular times, histograms of latencies. */
#include "config/latencies.h"
#include "gpu/gpu_state.h"

#include <stdlib.h>

void gpu_start_samples(struct gpu *g) {
  g->sampled = g->clocks.cycle[CLOCK_CORE];
  g->sample_at = g->setup.sampler ? g->sampled + g->setup.sampler->every : UINT64_MAX;
}

void gpu_sample(struct gpu *g) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE], begin = g->sampled;
  if (!g->setup.sampler || begin == now) return;
  for (uint32_t i = 0; i < g->n_sms; i++) gpu_catch_up(g, i);
  g->sampled = now;
  g->sample_at = now + g->setup.sampler->every;
  g->setup.sampler->sample(g->setup.sampler, begin, now);
}

int gpu_create_latencies(struct gpu *g, struct err *e) {
  if (!g->setup.latencies) return 0;
  g->latency = calloc(LATENCIES, sizeof *g->latency);
  if (!g->latency) return err_set(e, ERR_LIMIT, "the host has no memory left for histograms");
  int code = memory_measure(g->memory, g->latency, e);
  for (uint32_t i = 0; i < g->n_sms && !code; i++) code = sm_record_latencies(g->sm[i].sm, e);
  return code;
}
