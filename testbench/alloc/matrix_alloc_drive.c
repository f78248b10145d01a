/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of matrix_alloc; request_drive.h describes it. */
#include "block/block_drive.h"
#include "matrix_alloc_ports.h"
#include "request_drive.h"

struct matrix_alloc_drive_state {
  struct request_drive d;
};

static void matrix_alloc_drive(const struct matrix_alloc_cfg *cfg, struct rng *rng, struct matrix_alloc_drive_state *s,
                               const struct matrix_alloc_out *last, struct matrix_alloc_in *in) {
  uint32_t out_free, granted[2] = {(uint32_t)last->grant, (uint32_t)(last->grant >> 32)};
  request_drive_next(&s->d, rng, (uint32_t)cfg->I, (uint32_t)cfg->O, granted, 2, &out_free, &in->adv);
  in->out_free = (uint8_t)out_free;
  in->req = s->d.req[0] | (uint64_t)s->d.req[1] << 32;
}

BLOCK_DRIVER(matrix_alloc);
