/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a direct-mapped cache. */
#include "like_cache_ports.h"

struct like_cache_state {
  uint64_t valid; /* a bit for each set */
  uint16_t tags[64];
  bool done, found;
  uint32_t read, want;
};

static void like_cache_reset(const struct like_cache_cfg *cfg, struct like_cache_state *s) {
  (void)cfg;
  s->valid = 0;
  s->done = s->found = false;
}

static void like_cache_eval(const struct like_cache_cfg *cfg, const struct like_cache_state *s, const struct like_cache_in *in,
                            struct like_cache_out *out) {
  (void)cfg;
  (void)in;
  out->done = s->done;
  out->hit = s->found && s->read == s->want;
  out->busy = s->done;
}

static void like_cache_tick(const struct like_cache_cfg *cfg, struct like_cache_state *s, const struct like_cache_in *in,
                            const struct like_cache_out *out) {
  (void)cfg;
  (void)out;
  s->done = in->look;
  s->found = in->look && (s->valid >> in->set & 1);
  if (in->look) {
    s->read = s->tags[in->set];
    s->want = in->tag;
  }
  if (in->fill) {
    s->tags[in->set] = in->tag;
    s->valid |= UINT64_C(1) << in->set;
  }
}

#include "like_cache_model.inc"
