/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bkconf_accum: instructions of W / S subwarps back to back or with gaps, degrees of one kind or random,
 * sometimes 0 or above S, too many subwarps, flushes. */
#include "bkconf_accum_ports.h"
#include "block/block_drive.h"

enum { KIND_NONE, KIND_FULL, KIND_ANY, KIND_WILD, KINDS };

struct bkconf_accum_drive_state {
  uint32_t left, kind, gap; /* left: remaining subwarps of the instruction; gap: chance of a gap, out of 256 */
  uint16_t pc;
};

static void bkconf_accum_drive(const struct bkconf_accum_cfg *cfg, struct rng *rng, struct bkconf_accum_drive_state *s,
                               const struct bkconf_accum_out *last, struct bkconf_accum_in *in) {
  (void)last;
  uint32_t lanes = (uint32_t)cfg->S, mask = (1U << block_clog2(lanes + 1)) - 1;
  if (s->left == 0) {
    s->kind = rng_below(rng, KINDS);
    s->left = s->kind == KIND_WILD ? 1 + rng_below(rng, 40) : (uint32_t)cfg->W / lanes;
    s->gap = rng_below(rng, 4) ? 0 : rng_below(rng, 256);
    s->pc = (uint16_t)(rng_u32(rng) & ((1U << cfg->PCW) - 1));
  }
  uint64_t go = rng_u64(rng);
  in->sub_valid = (uint8_t)go >= s->gap;
  in->flush = (go >> 8 & 0x3ff) == 0;
  in->sub_last = in->sub_valid ? s->left == 1 : go >> 20 & 1;
  in->sub_pc = s->pc;
  uint32_t any = 1 + (uint32_t)((go >> 32) * lanes >> 32);
  in->sub_cd = (uint8_t)(s->kind == KIND_NONE   ? 1
                         : s->kind == KIND_FULL ? lanes
                         : s->kind == KIND_ANY  ? any
                                                : go >> 24);
  in->sub_cd &= (uint8_t)mask;
  if (in->sub_valid) s->left--;
  if (in->flush) s->left = 0;
}

BLOCK_DRIVER(bkconf_accum);
