/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of teleport_buffer: CTAs that are held until their lines have come, with replies of several CTAs mixed and messages
 * before, among and after them; probes of those lines while other CTAs' lines come; invalidations, limits, clears, gaps. */
#include "block/block_drive.h"
#include "teleport_buffer_ports.h"

enum { SLOTS_MAX = 32 };

struct teleport_buffer_drive_state {
  uint32_t left, style, told;
  uint16_t lines[SLOTS_MAX], owed[SLOTS_MAX];
  uint64_t first[SLOTS_MAX]; /* the CTA's lines are first, first + 1, ... */
};

static void begin(const struct teleport_buffer_cfg *cfg, struct rng *rng, struct teleport_buffer_drive_state *s,
                  uint32_t slot) {
  uint32_t all = (uint32_t)(cfg->SETS * cfg->WAYS);
  s->lines[slot] = s->owed[slot] = (uint16_t)rng_below(rng, rng_below(rng, 4) ? 40 : all + 8);
  s->first[slot] = rng_below(rng, 2 * all) + (UINT64_C(1) << 40) * rng_below(rng, 2);
  s->told &= ~(1U << slot);
}

static uint64_t line_of(struct rng *rng, const struct teleport_buffer_drive_state *s, uint32_t slot) {
  return (s->first[slot] + rng_below(rng, s->lines[slot] + 2U)) & ((UINT64_C(1) << 57) - 1);
}

static void teleport_buffer_drive(const struct teleport_buffer_cfg *cfg, struct rng *rng,
                                  struct teleport_buffer_drive_state *s, const struct teleport_buffer_out *last,
                                  struct teleport_buffer_in *in) {
  uint32_t slots = (uint32_t)cfg->SLOTS, r = rng_u32(rng), slot = rng_below(rng, slots);
  if (s->left == 0) s->left = 10 + rng_below(rng, 400), s->style = rng_below(rng, 6);
  s->left--;
  *in = (struct teleport_buffer_in){0};
  if (s->style == 5) return; /* a gap */
  in->start_slot = (uint8_t)slot;
  in->start_en = (!(last->held >> slot & 1) || (last->activate >> slot & 1)) && (r & 7) == 0;
  if (in->start_en) begin(cfg, rng, s, slot);
  slot = rng_below(rng, slots);
  in->reply_slot = (uint8_t)slot;
  in->reply_valid = s->owed[slot] && (s->style != 0 || (r >> 3 & 7) == 0);
  if (in->reply_valid) in->reply_line = (s->first[slot] + --s->owed[slot]) & ((UINT64_C(1) << 57) - 1);
  slot = rng_below(rng, slots);
  in->msg_slot = (uint8_t)slot;
  in->msg_en = !(s->told >> slot & 1) && (r >> 6 & (s->style == 1 ? 63 : 3)) == 0;
  in->msg_total = s->lines[slot];
  if (in->msg_en) s->told |= 1U << slot;
  in->probe_valid = (r >> 12 & 3) != 0;
  in->probe_line = line_of(rng, s, rng_below(rng, slots));
  in->inval_valid = (r >> 14 & 0x3f) == 0;
  in->inval_line = line_of(rng, s, rng_below(rng, slots));
  in->clear = (r >> 20 & 0x3ff) == 0;
  in->limit_en = (r >> 20 & 0x3ff) == 1;
  in->limit = (uint8_t)rng_below(rng, (uint32_t)cfg->WAYS + 1);
  if ((r >> 30) == 0) in->limit = (uint8_t)cfg->WAYS;
}

BLOCK_DRIVER(teleport_buffer);
