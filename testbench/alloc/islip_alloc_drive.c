/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of islip_alloc; request_drive.h describes it. */
#include "block/block_drive.h"
#include "islip_alloc_ports.h"
#include "request_drive.h"

struct islip_alloc_drive_state {
  struct request_drive d;
};

static void islip_alloc_drive(const struct islip_alloc_cfg *cfg, struct rng *rng, struct islip_alloc_drive_state *s,
                              const struct islip_alloc_out *last, struct islip_alloc_in *in) {
  uint32_t out_free;
  request_drive_next(&s->d, rng, (uint32_t)cfg->I, (uint32_t)cfg->O, last->grant, 8, &out_free, &in->adv);
  in->out_free = out_free;
  __builtin_memcpy(in->req, s->d.req, sizeof in->req);
}

BLOCK_DRIVER(islip_alloc);
