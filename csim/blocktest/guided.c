/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/guided.h"

#include <stdio.h>
#include <string.h>

enum { CHANGES_MAX = 4, FRESH_PERCENT = 20 };

static uint32_t pick(struct rng *rng, const uint32_t *of, uint32_t n) { return of[rng_below(rng, n)]; }

static uint32_t chance(struct rng *rng) {
  static const uint32_t chances[] = {0, 10000, 100000, 500000, 900000, 990000, PROFILE_ALWAYS};
  return pick(rng, chances, sizeof chances / sizeof *chances);
}

/* 0, all ones, one bit, small numbers, all ones but one bit: where carries, ends and comparisons go wrong. */
static void extreme(struct rng *rng, const struct block_field *f, uint32_t width, uint8_t *at) {
  uint32_t kind = rng_below(rng, 5), bit = rng_below(rng, width);
  memset(at, 0, PROFILE_VALUE_BYTES);
  if (kind == 1 || kind == 4)
    for (uint32_t i = 0; i < width; i++) at[i / 8] |= (uint8_t)(1U << i % 8);
  if (kind == 2 || kind == 4) at[bit / 8] ^= (uint8_t)(1U << bit % 8);
  if (kind == 3) at[0] = (uint8_t)(rng_below(rng, 8) & ((1U << (width < 8 ? width : 8)) - 1));
  (void)f;
}

static void vary_input(struct guided *g, struct profile_input *i, const struct block_field *f) {
  struct rng *rng = &g->rng;
  uint32_t width = f->width(g->kept->params);
  *i = (struct profile_input){.kind = PROFILE_DRIVER};
  if (rng_percent(rng, 15)) return;
  if (width == 1) {
    i->kind = PROFILE_RATE;
    i->rises = chance(rng);
    i->falls = chance(rng);
    return;
  }
  do i->change = chance(rng);
  while (!i->change);
  i->kind = rng_percent(rng, 50) ? PROFILE_RANDOM : PROFILE_VALUES;
  if (i->kind == PROFILE_RANDOM) return;
  i->others = rng_below(rng, 3);
  i->n = 1 + rng_below(rng, 4);
  for (uint32_t k = 0; k < i->n; k++) {
    i->value[k].weight = 1 + rng_below(rng, 4);
    extreme(rng, f, width, i->value[k].bytes);
  }
  for (uint32_t k = 1; k < i->n; k++) /* a value stands once in a file */
    for (uint32_t m = 0; m < k; m++)
      if (!memcmp(i->value[k].bytes, i->value[m].bytes, PROFILE_VALUE_BYTES)) {
        i->n = k;
        return;
      }
}

void guided_begin(struct guided *g, struct profile *kept, struct coverage *c, uint64_t seed) {
  *g = (struct guided){.kept = kept, .coverage = c};
  rng_seed(&g->rng, seed);
}

void guided_end(struct guided *g) {
  unsigned reached = coverage_reached(g->coverage), gain = reached - g->reached;
  struct profile_phase *phase = g->episodes && gain ? profile_add(g->kept) : NULL;
  g->reached = reached;
  if (!phase) return;
  *phase = g->trial;
  snprintf(phase->name, sizeof phase->name, "episode %u: %u new point%s", g->episodes, gain, gain == 1 ? "" : "s");
}

const struct profile_phase *guided_next(void *guided) {
  static const uint32_t lengths[] = {128, 512, 2048};
  struct guided *g = guided;
  const struct block_desc *desc = g->kept->desc;
  guided_end(g);
  bool fresh = !g->kept->n || rng_percent(&g->rng, FRESH_PERCENT);
  if (fresh) memset(&g->trial, 0, sizeof g->trial);
  else g->trial = g->kept->phase[rng_below(&g->rng, g->kept->n)];
  g->trial.seed = rng_u32(&g->rng);
  g->trial.cycles = pick(&g->rng, lengths, 3);
  uint32_t changes =
    g->episodes++ ? 1 + rng_below(&g->rng, CHANGES_MAX) : 0; /* the first is the block's own stimulus */
  while (changes--) {
    uint32_t k = rng_below(&g->rng, desc->n_in);
    vary_input(g, &g->trial.input[k], &desc->in[k]);
  }
  return &g->trial;
}
