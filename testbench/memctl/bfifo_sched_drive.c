/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bfifo_sched: request_stream.h. */
#include "base/block.h"
#include "base/block_drive.h"
#include "bfifo_sched_ports.h"
#include "request_stream.h"

struct bfifo_sched_drive_state {
  struct request_stream s;
};

static void bfifo_sched_drive(const struct bfifo_sched_cfg *cfg, struct rng *rng, struct bfifo_sched_drive_state *s,
                              const struct bfifo_sched_out *last, struct bfifo_sched_in *in) {
  (void)last;
  uint32_t banks = (1U << cfg->NB) - 1;
  struct arrival a =
    request_stream_next(&s->s, rng, 1U << block_bits((uint32_t)cfg->NB), (1U << cfg->RW) - 1, (1U << cfg->TW) - 1);
  in->enq_valid = a.valid;
  /* without a request the bank is one there is: an idle scheduler has room in each */
  in->enq_bank = a.valid ? a.bank : (uint8_t)(a.bank % cfg->NB);
  in->enq_row = a.row;
  in->enq_tag = a.tag;
  in->bank_can_act = (uint16_t)(a.act & banks);
  in->bank_can_pre = (uint16_t)(a.pre & banks);
  in->bank_can_col = (uint16_t)(a.col & banks);
}

BLOCK_DRIVER(bfifo_sched);
