/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of mem_warp_mask: a scheduler that issues warps that pass the mask, with the history's answer one cycle
 * later. Phases: shared memory instructions, other instructions, a frozen front end, violations of the contract,
 * gaps. */
#include "block/block_drive.h"
#include "mem_warp_mask_ports.h"

enum { STYLE_SHARED, STYLE_MIXED, STYLE_ALU, STYLE_FROZEN, STYLE_ILLEGAL, STYLE_GAP, STYLES };

struct rates {
  uint8_t issue, shared, stall, ready, flush; /* chances out of 256 */
};

struct mem_warp_mask_drive_state {
  uint32_t left, style;
  uint8_t answer; /* the history answers in this cycle */
  uint8_t closed; /* remaining slots of the last issue */
};

static void mem_warp_mask_drive(const struct mem_warp_mask_cfg *cfg, struct rng *rng,
                                struct mem_warp_mask_drive_state *s, const struct mem_warp_mask_out *last,
                                struct mem_warp_mask_in *in) {
  static const struct rates rates[STYLES] = {
    [STYLE_SHARED] = {.issue = 230, .shared = 220, .stall = 8, .ready = 250, .flush = 1},
    [STYLE_MIXED] = {.issue = 200, .shared = 80, .stall = 20, .ready = 200, .flush = 1},
    [STYLE_ALU] = {.issue = 250, .shared = 8, .stall = 4, .ready = 250},
    [STYLE_FROZEN] = {.issue = 128, .shared = 128, .stall = 160, .ready = 128},
    [STYLE_ILLEGAL] = {.issue = 160, .shared = 128, .stall = 64, .ready = 160, .flush = 20},
    [STYLE_GAP] = {.stall = 40},
  };
  if (s->left == 0) {
    s->style = rng_below(rng, STYLES);
    s->left = 1 + rng_below(rng, s->style == STYLE_GAP ? 50 : 80);
  }
  s->left--;
  const struct rates *p = &rates[s->style];
  uint64_t go = rng_u64(rng), all = UINT64_MAX >> (64 - cfg->NW), ready = rng_u64(rng), mem = rng_u64(rng);
  bool legal = s->style != STYLE_ILLEGAL, free = s->closed == 0 && (!last->cnt || !(go & 1));
  in->stall = (uint8_t)(go >> 8) < p->stall;
  in->sched_valid = (uint8_t)(go >> 16) < p->issue && (!legal || (!in->stall && free));
  in->sched_is_shmem = (uint8_t)(go >> 24) < p->shared && (!legal || !last->cnt || cfg->MODE == 2);
  in->flush = (uint8_t)(go >> 32) < p->flush;
  in->lk_valid_q = s->answer || (!legal && (go >> 60) == 0);
  in->lk_degree = (uint8_t)(go >> 40 & ((1U << cfg->DW) - 1));
  if (go >> 50 & 1) in->lk_degree &= 3; /* short degrees, so that the counter often reaches 0 */
  in->warp_ready = (uint8_t)(go >> 52) < p->ready ? (go & 2 ? ready & all : ready & mem & (mem << 3) & all) : 0;
  in->warp_is_mem = (go & 4 ? mem : mem | ready) & all;
  s->answer = in->sched_valid && in->sched_is_shmem;
  if (in->sched_valid) s->closed = (uint8_t)(cfg->K - 1);
  else if (!in->stall && s->closed) s->closed--;
  if (in->flush) s->closed = s->answer = 0;
}

BLOCK_DRIVER(mem_warp_mask);
