/* SPDX-License-Identifier: Apache-2.0 */
/* The pending counters of an SM (Lashgar et al. 2018; assumption: the last message, ports and cycle behaviour). The header of
 * rtl/teleport/teleport_pend.v states the contract of the ports. */
#include "block/block.h"
#include "teleport_pend_ports.h"

enum { SLOTS_MAX = 32 };

struct teleport_pend_state {
  uint32_t held, known; /* one bit per slot: its CTA waits; its number of requests is known */
  uint16_t received[SLOTS_MAX], total[SLOTS_MAX];
};

static void teleport_pend_reset(const struct teleport_pend_cfg *cfg, struct teleport_pend_state *s) {
  (void)cfg;
  s->held = s->known = 0;
}

static void teleport_pend_eval(const struct teleport_pend_cfg *cfg, const struct teleport_pend_state *s,
                               const struct teleport_pend_in *in, struct teleport_pend_out *out) {
  (void)cfg, (void)in;
  uint32_t complete = 0;
  for (uint32_t known = s->known; known; known &= known - 1) {
    uint32_t slot = (uint32_t)__builtin_ctz(known);
    complete |= (uint32_t)(s->received[slot] == s->total[slot]) << slot;
  }
  out->activate = complete; /* only held slots have a known total */
  out->held = s->held;
  out->busy = complete != 0;
}

static uint32_t bit_of(const struct teleport_pend_cfg *cfg, uint32_t enable, uint32_t slot) {
  return enable && slot < (uint32_t)cfg->SLOTS ? 1U << slot : 0;
}

static void teleport_pend_tick(const struct teleport_pend_cfg *cfg, struct teleport_pend_state *s,
                               const struct teleport_pend_in *in, const struct teleport_pend_out *out) {
  uint32_t start = bit_of(cfg, in->start_en, in->start_slot), message = bit_of(cfg, in->msg_en, in->msg_slot);
  s->held = (s->held & ~out->activate) | start;
  s->known &= s->held & ~start;
  if (start) s->received[in->start_slot] = 0;
  if (bit_of(cfg, in->reply_en, in->reply_slot) & s->held) s->received[in->reply_slot]++;
  if (!(message & s->held)) return;
  s->known |= message;
  s->total[in->msg_slot] = in->msg_total;
}

#include "teleport_pend_model.inc"
