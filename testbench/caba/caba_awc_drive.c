/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of caba_awc: tables of triggers with few events, encodings and PCs, so that they often agree; phases in which triggers, free
 * buffers, ends and kills are frequent or rare, so that the AWT and the queue fill and empty; entries that wait for a branch or drain get
 * their answer sooner or later; runs of cycles of any length. */
#include "block/block_drive.h"
#include "caba_awc_ports.h"

enum { ROUTINES = 3, LONG = 400 };

struct caba_awc_drive_state {
  uint32_t left, triggers, buffers, low, ends, answers, kills,
    warps;                /* cycles of this phase; percent; warps with triggers */
  uint32_t rows;          /* rows of the table to be written */
  uint64_t branch, drain; /* entries that wait for an answer */
  bool was_br, was_end;
};

static void new_phase(const struct caba_awc_cfg *cfg, struct rng *rng, struct caba_awc_drive_state *s) {
  static const uint8_t rates[] = {0, 10, 30, 70, 100};
  uint32_t n = sizeof rates, warps = (uint32_t)cfg->WARPS;
  s->left = 1 + rng_below(rng, LONG);
  s->triggers = rates[rng_below(rng, n)], s->buffers = rates[rng_below(rng, n)], s->low = rates[rng_below(rng, n)];
  s->ends = rates[rng_below(rng, 4)], s->answers = rates[rng_below(rng, n)];
  s->kills = rng_below(rng, 3) ? rng_below(rng, 4) : 20;
  s->warps = rng_below(rng, 2) ? warps : 1 + rng_below(rng, warps);
  if (rng_below(rng, 8) == 0) s->rows = (uint32_t)cfg->TRIG;
}

static uint8_t draw_routine(struct rng *rng) { return (uint8_t)(rng_below(rng, 8) ? rng_below(rng, ROUTINES) : 31); }

/* Warp 63 is beyond WARPS, mostly: its entries never fetch, and leave by a kill. */
static uint8_t draw_warp(struct rng *rng, const struct caba_awc_drive_state *s) {
  return (uint8_t)(rng_below(rng, 32) ? rng_below(rng, s->warps) : 63);
}

static void draw_row(const struct caba_awc_cfg *cfg, struct rng *rng, struct caba_awc_drive_state *s,
                     struct caba_awc_in *in) {
  uint32_t rows = (uint32_t)cfg->TRIG;
  in->clear_en = rng_below(rng, 1500) == 0;
  in->cfg_en = s->rows > 0 || rng_below(rng, 100) == 0;
  in->cfg_row = (uint8_t)(s->rows ? s->rows - 1 : rng_below(rng, 1U << block_bits(rows)));
  s->rows -= s->rows > 0;
  in->cfg_event = (uint8_t)rng_below(rng, rng_below(rng, 8) ? 2 : 16);
  in->cfg_enc = (uint8_t)rng_below(rng, rng_below(rng, 8) ? 4 : 256);
  in->cfg_enc_mask = (uint8_t)(rng_below(rng, 2) ? rng_below(rng, 4) : 255U * rng_below(rng, 2));
  in->cfg_pc = rng_below(rng, 8) ? rng_below(rng, 2) : rng_u32(rng);
  in->cfg_pc_any = rng_percent(rng, 70);
  in->cfg_sr = draw_routine(rng);
  in->cfg_high = (uint8_t)rng_below(rng, 2);
  in->cfg_live = rng_u64(rng) & 0xffffffffffff;
  if (in->clear_en) s->rows = rows;
}

static void draw_trigger(struct rng *rng, const struct caba_awc_drive_state *s, struct caba_awc_in *in) {
  in->tr_valid = rng_percent(rng, s->triggers);
  in->tr_event = (uint8_t)rng_below(rng, rng_below(rng, 8) ? 2 : 16);
  in->tr_enc = (uint8_t)rng_below(rng, rng_below(rng, 8) ? 4 : 256);
  in->tr_pc = rng_below(rng, 8) ? rng_below(rng, 2) : rng_u32(rng);
  in->tr_warp = draw_warp(rng, s);
  in->tr_mask = rng_u32(rng);
  in->tr_arg = rng_u64(rng) & 0xffffffffff;
}

/* One entry of `from`, mostly; now and then any entry. */
static uint8_t draw_entry(const struct caba_awc_cfg *cfg, struct rng *rng, uint64_t from) {
  uint32_t any = rng_below(rng, (uint32_t)cfg->AWT);
  uint64_t later = from & ~UINT64_C(0) << any;
  if (!from || rng_below(rng, 16) == 0) return (uint8_t)any;
  return (uint8_t)__builtin_ctzll(later ? later : from);
}

static void draw_answers(const struct caba_awc_cfg *cfg, struct rng *rng, struct caba_awc_drive_state *s,
                         struct caba_awc_in *in) {
  in->dl_n = (uint8_t)rng_below(rng, 3);
  in->dl_end = rng_percent(rng, s->ends);
  in->dl_br = rng_percent(rng, 15);
  in->br_valid = rng_percent(rng, s->answers);
  in->br_awt = draw_entry(cfg, rng, s->branch);
  in->br_tgt = (uint8_t)rng_below(rng, 256);
  in->done_valid = rng_percent(rng, s->answers);
  in->done_awt = draw_entry(cfg, rng, s->drain);
  if (in->br_valid) s->branch &= ~(UINT64_C(1) << in->br_awt);
  if (in->done_valid) s->drain &= ~(UINT64_C(1) << in->done_awt);
  in->kill_valid = rng_percent(rng, s->kills);
  in->kill_warp = draw_warp(rng, s);
  in->kill_sr = draw_routine(rng);
  in->exit_valid = rng_percent(rng, s->kills);
  in->exit_warp = draw_warp(rng, s);
}

static void caba_awc_drive(const struct caba_awc_cfg *cfg, struct rng *rng, struct caba_awc_drive_state *s,
                           const struct caba_awc_out *last, struct caba_awc_in *in) {
  uint32_t window = (uint32_t)cfg->WINDOW, ones = (1U << block_bits(window + 1)) - 1;
  if (last && last->dl_ok && s->was_end) s->drain |= UINT64_C(1) << last->dl_awt;
  if (last && last->dl_ok && s->was_br && !s->was_end) s->branch |= UINT64_C(1) << last->dl_awt;
  if (s->left == 0) new_phase(cfg, rng, s);
  s->left--;
  draw_row(cfg, rng, s, in);
  draw_trigger(rng, s, in);
  draw_answers(cfg, rng, s, in);
  s->was_br = in->dl_br, s->was_end = in->dl_end;
  in->ib_free = 0;
  if (rng_percent(rng, s->buffers)) in->ib_free = rng_u64(rng) | (rng_below(rng, 2) ? 0 : rng_u64(rng));
  in->ib_free &= ~UINT64_C(0) >> (64 - cfg->WARPS);
  in->lp_free = (uint8_t)(rng_percent(rng, s->low) ? rng_below(rng, 4) : 0);
  in->run = (uint16_t)(rng_below(rng, 4) ? rng_below(rng, 2) : rng_below(rng, ones + 1));
  in->idle_slots = (uint8_t)(rng_below(rng, 4) ? s->low / 35 : rng_below(rng, 4));
  in->lsu_full = s->left % 64 < s->buffers / 2;
}

BLOCK_DRIVER(caba_awc);
