/* SPDX-License-Identifier: Apache-2.0 */
/* Which physical sets of a resource of an SM are free (Vijaykumar 2019, 4.4.5; assumption: free vector, order, ports and cycle
 * behaviour). The header of rtl/zorua/set_allocator.v states the contract of the ports. */
#include "block/block.h"
#include "set_allocator_ports.h"

enum { SETS_MAX = 512, WORD = 32 };

struct set_allocator_state {
  uint32_t free[SETS_MAX / WORD]; /* a bit a set */
  uint16_t count;                 /* free sets */
};

static void set_allocator_reset(const struct set_allocator_cfg *cfg, struct set_allocator_state *s) {
  uint32_t sets = (uint32_t)cfg->N;
  for (uint32_t w = 0; w < SETS_MAX / WORD; w++) {
    uint32_t first = w * WORD;
    s->free[w] = first + WORD <= sets ? UINT32_MAX : first >= sets ? 0 : (1U << (sets - first)) - 1;
  }
  s->count = (uint16_t)sets;
}

static void set_allocator_eval(const struct set_allocator_cfg *cfg, const struct set_allocator_state *s,
                               const struct set_allocator_in *in, struct set_allocator_out *out) {
  uint32_t words = ((uint32_t)cfg->N + WORD - 1) / WORD;
  (void)in;
  out->valid = out->set = out->busy = 0;
  out->count = s->count;
  for (uint32_t w = 0; w < words && !out->valid; w++) {
    if (!s->free[w]) continue;
    out->valid = 1;
    out->set = (uint16_t)(w * WORD + (uint32_t)__builtin_ctz(s->free[w]));
  }
}

static void set_allocator_tick(const struct set_allocator_cfg *cfg, struct set_allocator_state *s,
                               const struct set_allocator_in *in, const struct set_allocator_out *out) {
  if (!in->alloc_en && !in->free_en) return;
  uint32_t wraps = 1; /* as many values as the register of the count has */
  while (wraps < (uint32_t)cfg->N + 1) wraps *= 2;
  bool comes = in->free_en && in->free_set < cfg->N && !(s->free[in->free_set / WORD] >> in->free_set % WORD & 1);
  if (in->alloc_en && out->valid) {
    s->free[out->set / WORD] &= ~(1U << out->set % WORD);
    s->count = (uint16_t)((s->count - 1U) & (wraps - 1));
  }
  if (!comes) return;
  s->free[in->free_set / WORD] |= 1U << in->free_set % WORD;
  s->count = (uint16_t)((s->count + 1U) & (wraps - 1));
}

#include "set_allocator_model.inc"
