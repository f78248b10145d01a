/* SPDX-License-Identifier: Apache-2.0 */
/* Round-robin arbiter, as a search. */
#include "like_arbiter_ports.h"

struct like_arbiter_state {
  uint32_t first; /* one bit: the client with the highest priority */
};

static void like_arbiter_reset(const struct like_arbiter_cfg *cfg, struct like_arbiter_state *s) {
  (void)cfg;
  s->first = 1;
}

static void like_arbiter_eval(const struct like_arbiter_cfg *cfg, const struct like_arbiter_state *s,
                              const struct like_arbiter_in *in, struct like_arbiter_out *out) {
  uint32_t n = (uint32_t)cfg->N, client = (uint32_t)__builtin_ctz(s->first);
  out->grant = 0;
  for (uint32_t i = 0; i < n && !out->grant; i++, client = (client + 1) % n) out->grant = in->ask & UINT32_C(1) << client;
  out->busy = 0;
}

static void like_arbiter_tick(const struct like_arbiter_cfg *cfg, struct like_arbiter_state *s, const struct like_arbiter_in *in,
                              const struct like_arbiter_out *out) {
  (void)in;
  if (!out->grant) return;
  uint32_t winner = (uint32_t)__builtin_ctz(out->grant);
  s->first = UINT32_C(1) << (winner + 1) % (uint32_t)cfg->N;
}

#include "like_arbiter_model.inc"
