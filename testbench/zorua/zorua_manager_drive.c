/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of zorua_manager: blocks that come when they are asked for, warps that begin phases, reach barriers and end, reads of operands and
 * scratchpad, and a memory that takes its time. Some phases have no rules for events. */
#include "block/block_drive.h"
#include "zorua_manager_ports.h"

#include <string.h>

struct zorua_manager_drive_state {
  uint32_t left;                      /* cycles of this phase */
  uint32_t events, reads, slow, asks; /* percent */
  uint32_t regs, scratch;             /* largest needs */
  uint32_t kinds[3];                  /* weights of phases, barriers and ends */
  bool wild, locks;
  uint32_t sent[4];                     /* warps with an event under way */
  uint32_t starts, next, block, coming; /* of a block: warps still to be started; `coming`: lines that were read */
};

static void begin_phase(struct rng *rng, const struct zorua_manager_cfg *cfg, struct zorua_manager_drive_state *s) {
  static const uint8_t rates[] = {5, 30, 80, 100};
  s->left = 1 + rng_below(rng, 1500);
  s->wild = rng_below(rng, 8) == 0;
  s->locks = rng_below(rng, 2);
  s->events = rates[rng_below(rng, sizeof rates)];
  s->reads = rates[rng_below(rng, sizeof rates)];
  s->slow = rates[rng_below(rng, 3)];
  s->asks = rng_below(rng, 4) ? 100 : 10;
  s->regs = cfg->RSETS < cfg->REGS ? (uint32_t)cfg->RSETS : (uint32_t)cfg->REGS;
  if (rng_below(rng, 3) == 0) s->regs = (s->regs + 1) / 2;
  s->scratch = cfg->SSETS < cfg->SCRATCH ? (uint32_t)cfg->SSETS : (uint32_t)cfg->SCRATCH;
  s->scratch = rng_below(rng, s->scratch + 1) / (1 + rng_below(rng, 4));
  for (int k = 0; k < 3; k++) s->kinds[k] = 1 + rng_below(rng, 6);
}

static uint32_t bits_of(uint32_t n) {
  uint32_t bits = 1;
  while (1U << bits < n) bits++;
  return bits;
}

static uint64_t some_items(struct rng *rng, uint32_t n, uint32_t below) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < n; i++) v |= (uint64_t)rng_below(rng, below) << i * bits_of(below);
  return v;
}

static void drive_reads(struct rng *rng, const struct zorua_manager_cfg *cfg, const struct zorua_manager_drive_state *s,
                        struct zorua_manager_in *in) {
  uint32_t reads = (uint32_t)cfg->READS, sreads = (uint32_t)cfg->SREADS;
  in->rd_en = (uint8_t)(rng_percent(rng, s->reads) ? rng_below(rng, 1U << reads) : 0);
  in->srd_en = (uint8_t)(rng_percent(rng, s->reads) ? rng_below(rng, 1U << sreads) : 0);
  in->rd_row = some_items(rng, reads, (uint32_t)cfg->WARPS / 2);
  in->rd_set = some_items(rng, reads, (uint32_t)cfg->RSETS);
  in->srd_row = (uint16_t)some_items(rng, sreads, (uint32_t)cfg->BLOCKS);
  in->srd_set = (uint32_t)some_items(rng, sreads, (uint32_t)cfg->SSETS);
  for (uint32_t w = 0; w < ((uint32_t)cfg->REGS + 31) / 32; w++) {
    uint32_t bits = (uint32_t)cfg->REGS - w * 32;
    uint32_t some = rng_below(rng, 1U << 31), others = rng_below(rng, 1U << 31);
    in->lock_regs[w] = s->locks ? some & others & (bits < 32 ? (1U << bits) - 1 : UINT32_MAX) : 0;
  }
  for (uint32_t w = 0; w < ((uint32_t)cfg->SCRATCH + 31) / 32; w++) {
    uint32_t bits = (uint32_t)cfg->SCRATCH - w * 32;
    in->lock_scratch[w] = s->locks ? rng_below(rng, 1U << 31) & (bits < 32 ? (1U << bits) - 1 : UINT32_MAX) : 0;
  }
}

static bool has(const uint32_t *warps, uint32_t w) { return warps[w / 32] >> w % 32 & 1; }

static void drive_event(struct rng *rng, const struct zorua_manager_cfg *cfg, struct zorua_manager_drive_state *s,
                        const struct zorua_manager_out *last, struct zorua_manager_in *in) {
  uint32_t warps = (uint32_t)cfg->WARPS;
  if (!last->busy) memset(s->sent, 0, sizeof s->sent);
  in->ev_valid = 0;
  if (!last->ev_ready || !rng_percent(rng, s->events)) return;
  s->next = (s->next + 1 + (rng_below(rng, 4) == 0 ? rng_below(rng, warps) : 0)) % warps;
  in->ev_warp = (uint8_t)s->next;
  if (s->starts && !has(last->sched, s->next)) { /* one that runs drops it */
    in->ev_valid = 1, in->ev_kind = 0, in->ev_block = (uint8_t)s->block;
    s->starts--;
  } else if (has(last->sched, s->next) && !has(s->sent, s->next)) {
    uint32_t r = rng_below(rng, s->kinds[0] + s->kinds[1] + s->kinds[2]);
    in->ev_valid = 1;
    in->ev_kind = r < s->kinds[0] ? 1 : r < s->kinds[0] + s->kinds[1] ? 2 : 3;
    s->sent[s->next / 32] |= 1U << s->next % 32;
  }
}

static void zorua_manager_drive(const struct zorua_manager_cfg *cfg, struct rng *rng,
                                struct zorua_manager_drive_state *s, const struct zorua_manager_out *last,
                                struct zorua_manager_in *in) {
  if (s->left == 0) begin_phase(rng, cfg, s);
  s->left--;
  if (last->blk_req && in->blk_warps && !s->starts) s->starts = in->blk_warps, s->block = last->blk_id;
  if (last->line_valid && in->line_ready && !last->spill) s->coming++;
  in->blk_warps = (uint8_t)(rng_percent(rng, s->asks) ? 1 + rng_below(rng, (uint32_t)cfg->WARPS / 2 + 1) : 0);
  in->release_end = s->left / 64 % 2, in->floor_held = s->left / 128 % 2;
  in->start_en = rng_below(rng, 4000) == 0;
  in->run =
    (uint16_t)(rng_below(rng, 3) == 0 ? 0 : 1 + rng_below(rng, (uint32_t)cfg->EPOCH < 30 ? (uint32_t)cfg->EPOCH : 30));
  in->issue_valid = rng_percent(rng, s->reads), in->pipe_stall = rng_below(rng, 2),
  in->all_wait_mem = rng_percent(rng, s->slow);
  in->ev_regs = (uint8_t)rng_below(rng, s->regs + 1);
  in->ev_scratch = (uint8_t)rng_below(rng, s->scratch + 1);
  in->ev_block = (uint8_t)rng_below(rng, (uint32_t)cfg->BLOCKS);
  drive_event(rng, cfg, s, last, in);
  drive_reads(rng, cfg, s, in);
  in->base_en = rng_below(rng, 50) == 0, in->base_kind = (uint8_t)rng_below(rng, 4);
  in->base = ((uint64_t)rng_below(rng, 1U << 31) << 20 | rng_below(rng, 1U << 20)) & UINT64_MAX >> (64 - cfg->PAW + 7);
  in->line_ready = !rng_percent(rng, s->slow);
  if (s->coming && !rng_percent(rng, s->slow)) s->coming--;
  in->mem_busy = s->coming != 0;
  if (!s->wild) return;
  in->ev_valid = rng_percent(rng, s->events);
  in->ev_kind = (uint8_t)rng_below(rng, 4);
  in->ev_warp = (uint8_t)rng_below(rng, (uint32_t)cfg->WARPS);
}

BLOCK_DRIVER(zorua_manager);
