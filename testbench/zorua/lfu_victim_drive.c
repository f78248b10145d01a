/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of lfu_victim: phases in which few or most sets may be spilled or are preferred, and in which few sets are accessed often, or all
 * rarely, so that counters reach both ends; runs of one cycle, of a few, of an epoch and more; owners that change, also of sets that do not exist. */
#include "block/block_drive.h"
#include "lfu_victim_ports.h"

enum { WORD = 32, WORDS = 512 / WORD };

struct lfu_victim_drive_state {
  uint32_t left;                      /* cycles of this phase */
  uint32_t may, prefer, touch, owner; /* percent of sets, and of cycles */
  uint32_t longest;                   /* run; 0: none */
  uint32_t hot[WORDS];                /* sets that are accessed */
};

static void draw_sets(struct rng *rng, uint32_t sets, uint32_t percent, uint32_t to[WORDS]) {
  for (uint32_t w = 0; w < WORDS; w++) to[w] = 0;
  if (percent == 1) { /* one set at most */
    uint32_t set = rng_below(rng, sets);
    if (rng_below(rng, 4)) to[set / WORD] = 1U << set % WORD;
    return;
  }
  for (uint32_t w = 0; w * WORD < sets; w++) {
    uint64_t first = rng_u64(rng), second = rng_u64(rng);
    uint64_t some = percent <= 25 ? first & second : percent <= 50 ? first : first | second;
    uint32_t ones = percent == 0 ? 0 : percent == 100 ? UINT32_MAX : (uint32_t)some;
    to[w] = sets - w * WORD >= WORD ? ones : ones & ((1U << (sets - w * WORD)) - 1);
  }
}

static void lfu_victim_drive(const struct lfu_victim_cfg *cfg, struct rng *rng, struct lfu_victim_drive_state *s,
                             const struct lfu_victim_out *last, struct lfu_victim_in *in) {
  static const uint8_t shares[] = {0, 1, 25, 50, 75, 100};
  uint32_t sets = (uint32_t)cfg->N, epoch = (uint32_t)cfg->EPOCH, top = 1;
  while (top <= epoch) top *= 2; /* values of a run's port */
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 200);
    s->may = shares[rng_below(rng, sizeof shares)];
    s->prefer = shares[rng_below(rng, sizeof shares)];
    s->touch = shares[rng_below(rng, sizeof shares)];
    s->owner = shares[rng_below(rng, sizeof shares)] / 4;
    s->longest = rng_below(rng, 2) ? rng_below(rng, 2) : rng_below(rng, 4) ? 1 + epoch / 8 : top - 1;
    draw_sets(rng, sets, shares[rng_below(rng, sizeof shares)], s->hot);
  }
  s->left--;
  draw_sets(rng, sets, s->may, in->may);
  draw_sets(rng, sets, s->prefer, in->prefer);
  draw_sets(rng, sets, s->touch, in->touch);
  if (rng_below(rng, 16))
    for (uint32_t w = 0; w < WORDS; w++) in->touch[w] &= s->hot[w];
  in->new_en = rng_percent(rng, s->owner);
  in->new_set = (uint16_t)(rng_below(rng, 4) ? rng_below(rng, sets + ((sets & (sets - 1)) != 0)) : last->set);
  in->run = (uint16_t)rng_below(rng, s->longest + 1);
}

BLOCK_DRIVER(lfu_victim);
