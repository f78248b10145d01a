/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of md_cache: requests over as many metadata lines as a set or two have ways, or many more; a fill follows a miss, at once or
 * late, and now and then brings a line that is here or that nobody asked for. Memory takes evicted lines at once, slowly, or not. */
#include "block/block_drive.h"
#include "md_cache_ports.h"

enum { WORDS = 8, IN_WORD = 16 };

static uint32_t line_bits(const struct md_cache_cfg *cfg) { return block_clog2((uint32_t)cfg->LINES); }

struct md_cache_drive_state {
  uint32_t left, asks, writes, fills, ready; /* cycles of this phase; percent */
  uint32_t sets, tags;                       /* in use */
  uint32_t missed, last;                     /* metadata lines: of a miss; of the last fill */
  uint32_t fill_line;
  bool wanted, asked, filling; /* a miss waits; the last cycle had a request; and a fill */
};

static uint32_t draw_md(const struct md_cache_cfg *cfg, struct rng *rng, const struct md_cache_drive_state *s) {
  uint32_t sets = (uint32_t)cfg->SETS, top = (uint32_t)((UINT64_C(1) << (cfg->LW - line_bits(cfg))) - 1);
  if (rng_below(rng, 256) == 0) return (uint32_t)rng_u64(rng) & top;
  uint32_t set = (sets - 1 - rng_below(rng, s->sets)) & (sets - 1);
  return (rng_below(rng, s->tags) * sets | set) & top;
}

static void draw_fill(const struct md_cache_cfg *cfg, struct rng *rng, struct md_cache_drive_state *s,
                      struct md_cache_in *in) {
  uint32_t how = rng_below(rng, 16);
  in->fill_valid = 1;
  in->fill_line = how == 0 ? s->last : how == 1 || !s->wanted ? draw_md(cfg, rng, s) : s->missed;
  uint32_t lines = (uint32_t)cfg->LINES, mask = lines < IN_WORD ? (1U << 2 * lines) - 1 : UINT32_MAX;
  for (uint32_t w = 0; w < WORDS && w * IN_WORD < lines; w++) in->fill_data[w] = (uint32_t)rng_u64(rng) & mask;
  s->fill_line = in->fill_line;
}

static void md_cache_drive(const struct md_cache_cfg *cfg, struct rng *rng, struct md_cache_drive_state *s,
                           const struct md_cache_out *last, struct md_cache_in *in) {
  static const uint8_t rates[] = {0, 10, 50, 90, 100}, fills[] = {0, 2, 20, 100}, drained[] = {100, 100, 30, 5, 0};
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 400);
    s->asks = rates[rng_below(rng, sizeof rates)];
    s->writes = rates[rng_below(rng, sizeof rates)];
    s->fills = fills[rng_below(rng, sizeof fills)];
    s->ready = drained[rng_below(rng, sizeof drained)];
    s->sets = 1 + rng_below(rng, rng_below(rng, 4) ? 2 : (uint32_t)cfg->SETS);
    s->tags = 1 + rng_below(rng, 2 * (uint32_t)cfg->WAYS + 2);
  }
  s->left--;
  if (s->asked && last->rq_ready && !last->hit) s->wanted = true, s->missed = in->rq_line >> line_bits(cfg);
  if (s->filling && last->fill_ready) {
    s->last = s->fill_line;
    if (s->last == s->missed) s->wanted = false;
  }
  in->fill_valid = 0;
  in->fill_line = 0;
  for (uint32_t w = 0; w < WORDS; w++) in->fill_data[w] = 0;
  if (rng_percent(rng, s->fills) && (s->wanted || rng_below(rng, 4) == 0)) draw_fill(cfg, rng, s, in);
  in->rq_valid = rng_percent(rng, s->asks);
  uint32_t md = s->wanted && rng_below(rng, 4) == 0 ? s->missed : rng_below(rng, 4) ? draw_md(cfg, rng, s) : s->last;
  in->rq_line = in->rq_valid ? md << line_bits(cfg) | rng_below(rng, rng_below(rng, 2) ? (uint32_t)cfg->LINES : 3) : 0;
  in->rq_write = in->rq_valid && rng_percent(rng, s->writes);
  in->rq_bursts = (uint8_t)rng_below(rng, 4);
  in->ev_ready = rng_percent(rng, s->ready);
  s->asked = in->rq_valid;
  s->filling = in->fill_valid;
}

BLOCK_DRIVER(md_cache);
