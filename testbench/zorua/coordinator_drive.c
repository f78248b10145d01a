/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of coordinator: blocks that come when they are asked for, warps that begin phases, reach barriers and end, and an executor that does
 * commands at its own pace and reports them set by set. Some phases have no rules: any event, report and threshold. */
#include "block/block_drive.h"
#include "coordinator_ports.h"

#include <string.h>

struct coordinator_drive_state {
  uint32_t left;                      /* cycles of this phase */
  uint32_t events, ready, slow, asks; /* percent */
  uint32_t thresh, regs, scratch;     /* percent; largest needs */
  uint32_t kinds[3];                  /* weights of phases, barriers and ends */
  bool wild, was_ready;
  uint32_t sent[4];      /* warps with an event under way */
  uint32_t starts, next; /* warps of a block that are still to be started; the next warp to look at */
  uint32_t block;
  uint32_t work, fills, kind; /* sets of the command under way; of a fill, of this kind */
  uint32_t held[2], swapped[2];
};

static void begin_phase(struct rng *rng, const struct coordinator_cfg *cfg, struct coordinator_drive_state *s) {
  static const uint8_t rates[] = {5, 30, 80, 100};
  s->left = 1 + rng_below(rng, 1500);
  s->wild = rng_below(rng, 6) == 0;
  s->events = rates[rng_below(rng, sizeof rates)];
  s->ready = rates[rng_below(rng, sizeof rates)];
  s->slow = rng_below(rng, 2) ? 0 : rates[rng_below(rng, 3)];
  s->asks = rng_below(rng, 4) ? 100 : 10;
  s->thresh = rng_below(rng, 3) * 20;
  s->regs = 1 + rng_below(rng, (uint32_t)cfg->REGS > 16 ? 16 : (uint32_t)cfg->REGS);
  s->scratch = rng_below(rng, (uint32_t)cfg->SCRATCH) / (1 + rng_below(rng, 4));
  for (int k = 0; k < 3; k++) s->kinds[k] = 1 + rng_below(rng, 6);
}

/* The executor: takes a command if it has none, then reports a set in each cycle. */
static void drive_executor(struct rng *rng, const struct coordinator_cfg *cfg, struct coordinator_drive_state *s,
                           const struct coordinator_out *last, struct coordinator_in *in) {
  uint32_t sets = (uint32_t)last->cmd_to - last->cmd_from, kind = last->cmd_kind,
           all[2] = {(uint32_t)cfg->REGS, (uint32_t)cfg->SCRATCH};
  in->did_en = in->did_swapped = in->did_fill = in->did_kind = 0;
  if (last->cmd_valid && s->was_ready && kind < 2) {
    if (last->cmd_op == 0) { /* what is missing is got by spilling others */
      uint32_t rest = all[kind] - s->held[kind], taken = sets < rest ? sets : rest;
      s->held[kind] += taken, s->swapped[kind] += sets - taken;
    }
    if (last->cmd_op == 1 || last->cmd_op == 2) s->work = sets, s->fills = last->cmd_op == 2, s->kind = kind;
  }
  in->exec_busy = s->work || rng_percent(rng, s->slow);
  in->cmd_ready = !s->work && rng_percent(rng, s->ready);
  if (s->work && !rng_percent(rng, s->slow)) {
    uint32_t *held = &s->held[s->kind], *swapped = &s->swapped[s->kind];
    s->work--;
    in->did_kind = (uint8_t)s->kind;
    if (s->fills) {
      in->did_en = in->did_fill = *swapped && *held < all[s->kind] && rng_below(rng, 2);
      *swapped -= in->did_en, *held += in->did_en;
    } else {
      in->did_en = *held || *swapped;
      in->did_swapped = *swapped && (!*held || rng_below(rng, 2));
      if (in->did_swapped) --*swapped;
      else if (in->did_en) --*held;
    }
  }
  in->exec_busy |= s->work != 0;
}

static bool has(const uint32_t *warps, uint32_t w) { return warps[w / 32] >> w % 32 & 1; }

static void drive_event(struct rng *rng, const struct coordinator_cfg *cfg, struct coordinator_drive_state *s,
                        const struct coordinator_out *last, struct coordinator_in *in) {
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

static void coordinator_drive(const struct coordinator_cfg *cfg, struct rng *rng, struct coordinator_drive_state *s,
                              const struct coordinator_out *last, struct coordinator_in *in) {
  if (s->left == 0) begin_phase(rng, cfg, s);
  s->left--;
  if (last->blk_req && in->blk_warps && !s->starts) s->starts = in->blk_warps, s->block = last->blk_id;
  in->blk_warps = (uint8_t)(rng_percent(rng, s->asks) ? 1 + rng_below(rng, (uint32_t)cfg->WARPS / 2 + 1) : 0);
  in->thresh_regs = (uint16_t)((uint32_t)cfg->REGS * s->thresh / 100);
  in->thresh_scratch = (uint16_t)((uint32_t)cfg->SCRATCH * s->thresh / 100);
  in->thresh_slots = (uint16_t)((uint32_t)cfg->SLOTS * s->thresh / 100);
  in->release_end = s->left / 64 % 2, in->floor_held = s->left / 128 % 2;
  in->ev_regs = (uint8_t)rng_below(rng, s->regs + 1);
  in->ev_scratch = (uint8_t)rng_below(rng, s->scratch + 1);
  in->ev_block = (uint8_t)rng_below(rng, (uint32_t)cfg->BLOCKS);
  drive_executor(rng, cfg, s, last, in);
  drive_event(rng, cfg, s, last, in);
  s->was_ready = in->cmd_ready;
  if (!s->wild) return;
  in->ev_valid = rng_percent(rng, s->events);
  in->ev_kind = (uint8_t)rng_below(rng, 4);
  in->ev_warp = (uint8_t)rng_below(rng, (uint32_t)cfg->WARPS);
  if (rng_below(rng, 8) == 0) in->ev_regs = (uint8_t)rng_below(rng, 256), in->ev_scratch = (uint8_t)rng_below(rng, 256);
  if (rng_below(rng, 64) == 0) {
    in->did_en = 1, in->did_kind = (uint8_t)rng_below(rng, 4);
    in->did_swapped = rng_below(rng, 2), in->did_fill = rng_below(rng, 2);
  }
  if (rng_below(rng, 8) == 0) in->thresh_regs = in->thresh_scratch = in->thresh_slots = 1023;
}

BLOCK_DRIVER(coordinator);
