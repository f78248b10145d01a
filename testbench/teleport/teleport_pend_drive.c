/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of teleport_pend: CTAs with few or no lines, replies before and after the message, several slots at once, restarts in
 * the cycle of an activation; now and then events for slots that are not held, and slots that do not exist. */
#include "block/block_drive.h"
#include "teleport_pend_ports.h"

enum { SLOTS_MAX = 32 };

struct teleport_pend_drive_state {
  uint32_t left, style;
  uint16_t lines[SLOTS_MAX], owed[SLOTS_MAX]; /* requested and still to come */
  uint32_t told;                              /* slots whose message was sent */
};

static void begin(struct rng *rng, struct teleport_pend_drive_state *s, uint32_t slot) {
  static const uint16_t sizes[] = {0, 1, 2, 9, 36, 300};
  s->lines[slot] = sizes[rng_below(rng, sizeof sizes / sizeof *sizes)];
  s->owed[slot] = s->lines[slot];
  s->told &= ~(1U << slot);
}

static void teleport_pend_drive(const struct teleport_pend_cfg *cfg, struct rng *rng,
                                struct teleport_pend_drive_state *s, const struct teleport_pend_out *last,
                                struct teleport_pend_in *in) {
  uint32_t slots = (uint32_t)cfg->SLOTS, r = rng_u32(rng);
  if (s->left == 0) s->left = 1 + rng_below(rng, 300), s->style = rng_below(rng, 5);
  s->left--;
  *in = (struct teleport_pend_in){0};
  if (s->style == 4) return; /* a gap */
  uint32_t slot = rng_below(rng, slots);
  bool held = last->held >> slot & 1, ends = last->activate >> slot & 1;
  in->start_slot = (uint8_t)slot;
  in->start_en = (!held || ends) && (r & 3) == 0;
  if ((r >> 2 & 0xff) == 0) in->start_en = 1; /* also while the slot is held */
  if (in->start_en) begin(rng, s, slot);
  slot = rng_below(rng, slots);
  in->reply_slot = (uint8_t)slot;
  in->reply_en = s->owed[slot] && (s->style != 0 || (r >> 10 & 7) == 0);
  if (in->reply_en) s->owed[slot]--;
  slot = rng_below(rng, slots);
  in->msg_slot = (uint8_t)slot;
  in->msg_en = !(s->told >> slot & 1) && (r >> 13 & (s->style == 1 ? 63 : 3)) == 0;
  in->msg_total = s->lines[slot];
  if (in->msg_en) s->told |= 1U << slot;
  if ((r >> 20 & 0x1ff) == 0) in->reply_en = in->msg_en = 1; /* more than was owed */
  if ((r >> 29) == 0 && (slots & (slots - 1))) in->reply_slot = (uint8_t)slots;
}

BLOCK_DRIVER(teleport_pend);
