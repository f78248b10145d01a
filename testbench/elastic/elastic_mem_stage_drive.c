/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of elastic_mem_stage: an EXE latch that keeps an instruction until it is taken. Phases: warps back to back
 * with or without the required distance, mostly memory accesses, mostly other instructions, many returns, gaps.
 * Sometimes a held instruction is withdrawn or changed, which is unusual for a pipeline but allowed by the contract. */
#include "block/block_drive.h"
#include "elastic_mem_stage_ports.h"

enum { STYLE_MIXED, STYLE_MEMORY, STYLE_REST, STYLE_RETURNS, STYLE_WARPS, STYLE_GAP, STYLES };
/* chances out of 256 per cycle */
struct rates {
  uint8_t valid, mem, icnt, conflict;
};

struct elastic_mem_stage_drive_state {
  uint32_t left, style, run; /* run: remaining subwarps of a warp, all of one kind */
  uint32_t tag;
  bool run_mem;
  struct elastic_mem_stage_in held;
};

static void elastic_mem_stage_drive(const struct elastic_mem_stage_cfg *cfg, struct rng *rng,
                                    struct elastic_mem_stage_drive_state *s, const struct elastic_mem_stage_out *last,
                                    struct elastic_mem_stage_in *in) {
  static const struct rates rates[STYLES] = {
    [STYLE_MIXED] = {.valid = 230, .mem = 100, .icnt = 30, .conflict = 100},
    [STYLE_MEMORY] = {.valid = 250, .mem = 220, .icnt = 40, .conflict = 60},
    [STYLE_REST] = {.valid = 250, .mem = 40, .icnt = 60, .conflict = 200},
    [STYLE_RETURNS] = {.valid = 200, .mem = 110, .icnt = 200, .conflict = 60},
    [STYLE_WARPS] = {.valid = 255, .mem = 60, .icnt = 8, .conflict = 128},
    [STYLE_GAP] = {.valid = 10, .mem = 128, .icnt = 10, .conflict = 128},
  };
  if (!s->left) {
    s->style = rng_below(rng, STYLES);
    s->left = 8 + rng_below(rng, 64);
  }
  s->left--;
  const struct rates *p = &rates[s->style];
  uint64_t r = rng_u64(rng);
  bool icnt = (uint8_t)r < p->icnt, keeps = last->exe_stall && (uint8_t)(r >> 8) > 1;
  *in = s->held;
  in->icnt_valid = icnt;
  if (keeps) return;
  in->exe_valid = (uint8_t)(r >> 16) < p->valid;
  if (!s->run) {
    s->run = 1 + (s->style == STYLE_WARPS ? (uint32_t)cfg->N : 0);
    s->run_mem = (uint8_t)(r >> 24) < p->mem;
  }
  s->run -= in->exe_valid;
  in->exe_is_mem = s->run_mem;
  uint32_t mask = (1U << block_clog2((uint32_t)cfg->S + 1)) - 1;
  in->exe_cd = (uint8_t)((uint8_t)(r >> 32) < p->conflict ? (r >> 40 & mask) : 1);
  s->tag += in->exe_valid;
  in->exe_payload = (uint32_t)(s->tag * 0x9e3779b1U) >> (32 - cfg->PW);
  s->held = *in;
}

BLOCK_DRIVER(elastic_mem_stage);
