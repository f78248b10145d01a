/* SPDX-License-Identifier: Apache-2.0 */
#include "core/shared_memory.h"

#include <stdbool.h>

enum { BANKS_MAX = 64, WORDS_MAX = 4 * WARP_LANES };

/* Words accessed in each bank in one phase. */
struct phase {
  uint8_t in_bank[BANKS_MAX];
  uint8_t last_in_bank[BANKS_MAX]; /* newest entry of `word` in the bank */
  uint8_t previous[WORDS_MAX];     /* the one before it */
  uint32_t word[WORDS_MAX];
  uint32_t n, degree;
};

static void want(struct phase *p, uint32_t word, uint32_t banks, bool alone) {
  uint32_t bank = word % banks, seen = p->in_bank[bank];
  if (!alone)
    for (uint32_t i = 0, entry = p->last_in_bank[bank]; i < seen; i++, entry = p->previous[entry])
      if (p->word[entry] == word) return;
  p->word[p->n] = word;
  p->previous[p->n] = p->last_in_bank[bank];
  p->last_in_bank[bank] = (uint8_t)p->n++;
  p->in_bank[bank] = (uint8_t)(seen + 1);
  if (seen + 1 > p->degree) p->degree = seen + 1;
}

static uint32_t phase_cycles(const struct ptx_access *a, uint32_t lanes, uint32_t base, uint32_t banks, bool alone) {
  struct phase p = {.n = 0};
  for (; lanes; lanes &= lanes - 1) {
    uint32_t address = base + (uint32_t)a->address[__builtin_ctz(lanes)];
    for (uint32_t b = 0; b < a->bytes; b += 4) want(&p, (address + b) / 4, banks, alone);
  }
  return p.degree;
}

/* Fast path: all words lie within a span of one word per bank, so no bank has a conflict. Common cases: lanes in order,
 * one word for all lanes, rows of a narrow tile. */
static bool within_a_row(const struct ptx_access *a, uint32_t lanes, uint32_t banks) {
  uint32_t first = (uint32_t)a->address[__builtin_ctz(lanes)] / 4, words = a->bytes > 4 ? a->bytes / 4 : 1;
  if (a->same) return words <= banks;
  if (a->in_order && a->bytes == 4 && banks >= WARP_LANES) return true;
  int32_t low = 0, high = 0, d[WARP_LANES];
  for (uint32_t i = 0; i < WARP_LANES; i++) d[i] = (int32_t)((uint32_t)a->address[i] / 4 - first);
  if (lanes != UINT32_MAX)
    for (uint32_t i = 0; i < WARP_LANES; i++) d[i] = lanes >> i & 1 ? d[i] : 0;
  for (uint32_t i = 0; i < WARP_LANES; i++) {
    low = d[i] < low ? d[i] : low;
    high = d[i] > high ? d[i] : high;
  }
  return (uint32_t)high - (uint32_t)low + words <= banks;
}

struct shared_cost shared_cost(const struct ptx_access *a, uint32_t base, uint32_t banks, uint32_t lanes) {
  struct shared_cost cost = {.cycles = 0};
  uint32_t turns = a->bytes > 8 ? 4 : a->bytes > 4 ? 2 : 1;
  lanes = lanes > turns ? lanes / turns : 1;
  uint32_t phases = WARP_LANES / lanes;
  for (uint32_t i = 0; i < phases; i++) {
    uint32_t mask = a->mask & (uint32_t)(((UINT64_C(1) << lanes) - 1) << (i * lanes));
    if (!mask) continue;
    uint32_t cycles = !a->atomic && within_a_row(a, mask, banks) ? 1 : phase_cycles(a, mask, base, banks, a->atomic);
    cost.cycles += cycles;
    cost.conflicts += cycles - 1;
  }
  return cost;
}

void shared_degrees(const struct ptx_access *a, uint32_t base, uint32_t banks, uint32_t lanes, bool literal,
                    uint8_t *degrees) {
  bool alone = a->atomic || literal;
  for (uint32_t i = 0; i < WARP_LANES / lanes; i++) {
    uint32_t mask = a->mask & (uint32_t)(((UINT64_C(1) << lanes) - 1) << (i * lanes)), degree = 1;
    if (mask && (alone || !within_a_row(a, mask, banks))) degree = phase_cycles(a, mask, base, banks, alone);
    degrees[i] = (uint8_t)(degree ? degree : 1);
  }
}
