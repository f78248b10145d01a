/* SPDX-License-Identifier: Apache-2.0 */
/* Constrained-random stimulus of d2ma_agen: every mode with small sizes, edges of segments, of skips and of the address
 * spaces, each kind of back-pressure, back-to-back starts and idle gaps, aborts, starts while busy, arbitrary
 * fields. */
#include "block/block_drive.h"
#include "d2ma_agen_ports.h"

struct d2ma_agen_drive_state {
  struct d2ma_agen_in fields; /* fields of the last start drawn */
  uint32_t gap;               /* cycles until the next start */
  uint32_t patience;          /* busy cycles until this buffer is aborted */
  uint32_t req_percent, cst_percent;
};

/* A byte address from the upper bits of a draw: mostly arbitrary, sometimes just before the wrap. */
static uint64_t draw_base(struct rng *rng, uint32_t esz) {
  uint64_t base = rng_u64(rng);
  uint32_t kind = rng_below(rng, 8);
  if (kind == 0) base |= ~UINT64_C(0x3ff);
  if (kind == 1) base &= 0xffff;
  if (kind == 2) return base; /* not a multiple of the element */
  return base >> esz << esz;
}

/* Small row lengths, and lengths near the segment size. */
static uint32_t draw_count(const struct d2ma_agen_cfg *cfg, struct rng *rng, uint32_t esz) {
  uint32_t segment = (uint32_t)cfg->SEG >> esz;
  if (rng_percent(rng, 30)) return segment * rng_below(rng, 4) + rng_below(rng, 3);
  return rng_below(rng, rng_percent(rng, 50) ? 12 : 200);
}

static void draw_matrix(const struct d2ma_agen_cfg *cfg, struct rng *rng, struct d2ma_agen_in *in) {
  uint32_t columns = draw_count(cfg, rng, in->esz) & 0xff, rows = rng_below(rng, 7);
  in->dim2 = 1;
  in->count = (uint16_t)(rows << 8 | columns);
  uint32_t pitch = columns + rng_below(rng, 4) * rng_below(rng, 100);
  if (rng_percent(rng, 15)) pitch = rng_below(rng, 65536);
  if (rng_percent(rng, 10)) pitch = rng_below(rng, 3);
  in->stride = (uint16_t)pitch;
}

static void draw_halo(const struct d2ma_agen_cfg *cfg, struct rng *rng, struct d2ma_agen_in *in) {
  draw_matrix(cfg, rng, in);
  in->mode = 1;
  in->count &= 0x073f;
  if (rng_percent(rng, 20)) in->dim2 = 0, in->count &= 0x3f;
  in->hrows = (uint16_t)rng_below(rng, 4);
  in->hcols = (uint16_t)rng_below(rng, rng_percent(rng, 80) ? 4 : 40);
  in->region = (uint8_t)rng_below(rng, 10);
  if (rng_percent(rng, 20)) in->region = (uint8_t)rng_u32(rng);
}

static void draw_flat(const struct d2ma_agen_cfg *cfg, struct rng *rng, struct d2ma_agen_in *in) {
  in->count = (uint16_t)draw_count(cfg, rng, in->esz);
  in->stride = (uint16_t)rng_below(rng, 2);
}

static void draw_strided(const struct d2ma_agen_cfg *cfg, struct rng *rng, struct d2ma_agen_in *in) {
  uint32_t segment = (uint32_t)cfg->SEG >> in->esz;
  in->count = (uint16_t)rng_below(rng, 50);
  in->stride = (uint16_t)(2 + rng_below(rng, rng_percent(rng, 60) ? 12 : 2 * segment));
  if (rng_percent(rng, 10)) in->stride = (uint16_t)rng_u32(rng);
}

/* Words per bank between skips: mostly so few that small buffers have several skips. */
static void draw_bank(struct rng *rng, struct d2ma_agen_in *in) {
  in->mode = 2;
  in->hrows = (uint16_t)rng_below(rng, 4);
  if (rng_percent(rng, 10)) in->hrows = (uint16_t)(4095 + rng_below(rng, 3));
  if (rng_percent(rng, 10)) in->hrows = (uint16_t)rng_u32(rng);
}

static void draw_wild(struct rng *rng, struct d2ma_agen_in *in) {
  uint64_t a = rng_u64(rng), b = rng_u64(rng);
  in->count = (uint16_t)a;
  in->stride = (uint16_t)(a >> 16);
  in->hrows = (uint16_t)(a >> 32);
  in->hcols = (uint16_t)(a >> 48);
  in->region = (uint8_t)b;
  in->mode = b >> 8 & 3;
  in->dim2 = b >> 10 & 1;
}

static void draw_buffer(const struct d2ma_agen_cfg *cfg, struct rng *rng, struct d2ma_agen_drive_state *state) {
  static const uint8_t percents[8] = {100, 100, 100, 80, 50, 50, 10, 2};
  struct d2ma_agen_in *in = &state->fields;
  uint64_t draw = rng_u64(rng);
  *in = (struct d2ma_agen_in){.esz = draw & 3, .hconst = (uint16_t)(draw >> 8), .sbase = (uint16_t)(draw >> 24)};
  in->mode = (draw >> 2 & 3) == 3 ? 3 : 0;
  in->gbase = draw_base(rng, in->esz);
  if (rng_percent(rng, 85)) in->sbase = (uint16_t)((in->sbase & (rng_percent(rng, 90) ? 0x3fffU : 0xffffU)) & ~7U);
  switch (rng_below(rng, 16)) {
    case 0:
    case 1: draw_flat(cfg, rng, in); break;
    case 2:
    case 3: draw_strided(cfg, rng, in); break;
    case 4:
    case 5:
    case 6: draw_matrix(cfg, rng, in); break;
    case 7:
      draw_flat(cfg, rng, in);
      draw_bank(rng, in);
      break;
    case 8:
      draw_strided(cfg, rng, in);
      draw_bank(rng, in);
      break;
    case 9:
    case 10:
      draw_matrix(cfg, rng, in);
      draw_bank(rng, in);
      break;
    case 11: draw_wild(rng, in); break;
    default: draw_halo(cfg, rng, in); break;
  }
  state->req_percent = percents[draw >> 40 & 7];
  state->cst_percent = percents[draw >> 43 & 7];
  state->patience = rng_percent(rng, 10) ? rng_below(rng, 30) : 400;
}

static void d2ma_agen_drive(const struct d2ma_agen_cfg *cfg, struct rng *rng, struct d2ma_agen_drive_state *state,
                            const struct d2ma_agen_out *last, struct d2ma_agen_in *in) {
  uint64_t draw = rng_u64(rng);
  bool start = false, abort = false;
  if (!last->busy || last->done) {
    if (state->gap) {
      state->gap--;
    } else {
      draw_buffer(cfg, rng, state);
      start = true;
      abort = (draw & 0x3f00) == 0;
      state->gap = (draw & 0xc0) ? 1 + (draw >> 6 & 1) : (uint32_t)(draw & 0x3f);
    }
  } else {
    if (state->patience) state->patience--;
    else abort = (draw & 7) == 0;
    start = (draw >> 3 & 0x1f) == 0; /* ignored, whatever the other fields are */
    if (start) draw_buffer(cfg, rng, state);
  }
  *in = state->fields;
  in->start = start;
  in->abort = abort || (draw >> 16 & 0xff) == 0xff;
  in->req_ready = (draw >> 32 & 0xffff) * 100 < (uint64_t)state->req_percent << 16;
  in->cst_ready = (draw >> 48) * 100 < (uint64_t)state->cst_percent << 16;
}

BLOCK_DRIVER(d2ma_agen);
