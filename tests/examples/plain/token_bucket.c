/* SPDX-License-Identifier: Apache-2.0 */
/* A token bucket: requests of a cost, refused when too few tokens are left. */
#include "token_bucket_ports.h"

struct token_bucket_state {
  uint32_t left; /* tokens, 0..N */
};

static void token_bucket_reset(const struct token_bucket_cfg *cfg, struct token_bucket_state *s) {
  s->left = (uint32_t)cfg->N;
}

static void token_bucket_eval(const struct token_bucket_cfg *cfg, const struct token_bucket_state *s,
                              const struct token_bucket_in *in, struct token_bucket_out *out) {
  (void)cfg;
  out->grant = in->ask && s->left >= in->cost;
  out->busy = 0;
}

static void token_bucket_tick(const struct token_bucket_cfg *cfg, struct token_bucket_state *s,
                              const struct token_bucket_in *in, const struct token_bucket_out *out) {
  if (out->grant) s->left -= in->cost;
  if (in->earn && s->left < (uint32_t)cfg->N) s->left++;
}

#include "token_bucket_model.inc"
