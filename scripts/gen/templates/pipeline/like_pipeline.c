/* SPDX-License-Identifier: Apache-2.0 */
/* Two stages: sum, then saturation. */
#include "like_pipeline_ports.h"

struct like_pipeline_state {
  bool full1, full2;
  uint64_t sum1;
  uint32_t sum2;
};

static void like_pipeline_reset(const struct like_pipeline_cfg *cfg, struct like_pipeline_state *s) {
  (void)cfg;
  s->full1 = s->full2 = false;
}

static void like_pipeline_eval(const struct like_pipeline_cfg *cfg, const struct like_pipeline_state *s,
                               const struct like_pipeline_in *in, struct like_pipeline_out *out) {
  (void)cfg;
  out->in_ready = !s->full1 || !s->full2 || in->out_ready;
  out->out_valid = s->full2;
  out->sum = s->sum2;
  out->busy = s->full1 || s->full2;
}

static void like_pipeline_tick(const struct like_pipeline_cfg *cfg, struct like_pipeline_state *s,
                               const struct like_pipeline_in *in, const struct like_pipeline_out *out) {
  uint64_t largest = (UINT64_C(1) << cfg->W) - 1;
  if (!s->full2 || in->out_ready) {
    s->full2 = s->full1;
    s->sum2 = (uint32_t)(s->sum1 > largest ? largest : s->sum1);
  }
  if (out->in_ready) {
    s->full1 = in->in_valid;
    s->sum1 = (uint64_t)in->a + in->b;
  }
}

#include "like_pipeline_model.inc"
