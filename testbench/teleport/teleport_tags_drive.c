/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of teleport_tags: fills and probes of a working set that fits, that just does not fit, or that is large; tags that
 * differ in few bits; bursts of fills while a probe waits; invalidations, limits, clears, gaps. */
#include "block/block_drive.h"
#include "teleport_tags_ports.h"

struct teleport_tags_drive_state {
  uint32_t left, style, lines;
  uint32_t fills, probes, invals; /* percent */
  uint64_t base, next;
};

static uint64_t draw_line(struct rng *rng, const struct teleport_tags_drive_state *s) {
  uint64_t line = s->base + rng_below(rng, s->lines), r = rng_u64(rng);
  if ((r & 63) == 0) line ^= UINT64_C(1) << (r >> 6) % 57; /* the same but for one bit */
  return line & ((UINT64_C(1) << 57) - 1);
}

static void draw_phase(const struct teleport_tags_cfg *cfg, struct rng *rng, struct teleport_tags_drive_state *s) {
  static const uint8_t rates[] = {0, 10, 40, 80, 100};
  uint32_t all = (uint32_t)(cfg->SETS * cfg->WAYS), r = rng_below(rng, 6);
  s->left = 20 + rng_below(rng, 4 * all);
  s->style = rng_below(rng, 8);
  s->lines = r == 0 ? 4 * all : r == 1 ? all + 1 + rng_below(rng, 8) : r == 2 ? all : 1 + all / 2;
  if (!rng_below(rng, 3)) s->base = rng_u64(rng);
  s->fills = rates[rng_below(rng, sizeof rates)];
  s->probes = rates[rng_below(rng, sizeof rates)];
  s->invals = rng_below(rng, 4) ? 0 : rates[rng_below(rng, 3)];
}

static void teleport_tags_drive(const struct teleport_tags_cfg *cfg, struct rng *rng,
                                struct teleport_tags_drive_state *s, const struct teleport_tags_out *last,
                                struct teleport_tags_in *in) {
  uint32_t r = rng_u32(rng);
  if (s->left == 0) draw_phase(cfg, rng, s);
  s->left--;
  in->fill_valid = rng_percent(rng, s->fills);
  if (in->fill_valid && s->style < 4) in->fill_line = s->base + s->next++ % s->lines; /* a burst in order */
  else in->fill_line = draw_line(rng, s);
  in->fill_line &= (UINT64_C(1) << 57) - 1;
  if (!in->probe_valid || last->probe_ready) {
    in->probe_valid = rng_percent(rng, s->probes);
    in->probe_line = draw_line(rng, s);
  }
  if (!in->inval_valid || last->inval_ready) {
    in->inval_valid = rng_percent(rng, s->invals);
    in->inval_line = draw_line(rng, s);
  }
  in->clear = (r & 0xfff) == 0;
  in->limit_en = (r >> 12 & 0x1ff) == 0;
  in->limit = (uint8_t)((r >> 21 & 1)   ? (uint32_t)cfg->WAYS
                        : (r >> 22 & 7) ? rng_below(rng, (uint32_t)cfg->WAYS + 1)
                                        : 0);
  if ((r >> 22 & 7) == 1)
    in->limit = (uint8_t)((1U << (32 - __builtin_clz((uint32_t)cfg->WAYS))) - 1); /* the largest number */
  if (s->style == 7) in->fill_valid = in->probe_valid = in->inval_valid = in->clear = in->limit_en = 0;
}

BLOCK_DRIVER(teleport_tags);
