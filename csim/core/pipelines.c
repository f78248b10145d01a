/* SPDX-License-Identifier: Apache-2.0 */
#include "core/pipelines.h"

#include "core/sm_state.h"

enum { PIPELINES_MAX = 32 };
static const struct sm_pipeline *pipelines[PIPELINES_MAX] = {[PIPELINE_SCOREBOARD] = &sm_scoreboard_pipeline};

void sm_pipeline_join(const struct sm_pipeline *p) {
  int64_t value = gpu_parameter_add_choice("sm.pipeline", p->name);
  invariant(value < PIPELINES_MAX, "sm.pipeline: more than %d pipelines", PIPELINES_MAX);
  pipelines[value] = p;
}

const struct sm_pipeline *sm_pipeline_at(int64_t value) { return pipelines[value]; }

void sm_pipeline_names(bool barrel, char *text, size_t bytes) {
  unsigned last = 0;
  size_t at = 0;
  for (unsigned i = 0; i < PIPELINES_MAX; i++)
    if (pipelines[i] && pipelines[i]->barrel == barrel) last = i;
  *text = 0;
  for (unsigned i = 0; i < PIPELINES_MAX && at < bytes; i++)
    if (pipelines[i] && pipelines[i]->barrel == barrel)
      at += (size_t)snprintf(text + at, bytes - at, "%s%s", !at ? "" : i == last ? " or " : ", ", pipelines[i]->name);
}
