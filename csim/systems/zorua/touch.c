/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/zorua/touch.h"

#include "systems/zorua/tables.h"

#include <stdlib.h>
#include <string.h>

struct zorua_touch *zorua_touch_make(struct zorua_counters *n, uint32_t epoch) {
  struct zorua_touch *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->n = n;
  t->epoch = t->left = epoch;
  return t;
}

void zorua_touch_start(struct zorua_touch *t, uint64_t warps, uint32_t base, uint32_t bytes, uint64_t now) {
  for (; warps; warps &= warps - 1)
    for (uint32_t r = 0, w = (uint32_t)__builtin_ctzll(warps); r < ZORUA_TOUCH_REGISTERS; r++)
      t->register_since[w][r] = now;
  for (uint32_t i = base / 4; i < ZORUA_TOUCH_WORDS && i < (base + bytes) / 4; i++) t->word_since[i] = now;
}

void zorua_touch_registers(struct zorua_touch *t, uint32_t w, uint64_t reads, uint64_t writes, bool whole,
                           uint64_t now) {
  t->at[0].registers[w] |= reads | writes;
  for (uint64_t rest = reads; rest; rest &= rest - 1) {
    uint64_t *since = &t->register_since[w][__builtin_ctzll(rest)];
    t->n->zorua_live_registers += now - *since;
    *since = now;
  }
  for (uint64_t rest = whole ? writes : 0; rest; rest &= rest - 1) t->register_since[w][__builtin_ctzll(rest)] = now;
}

void zorua_touch_bytes(struct zorua_touch *t, uint64_t address, uint32_t bytes, bool reads, bool writes, uint64_t now) {
  for (uint64_t i = address / 4; i < ZORUA_TOUCH_WORDS && i <= (address + bytes - 1) / 4; i++) {
    t->at[0].words[i / 64] |= UINT64_C(1) << i % 64;
    if (reads) t->n->zorua_live_scratch += now - t->word_since[i];
    if (reads || writes) t->word_since[i] = now;
  }
}

static uint64_t bits_of(const uint64_t *words, uint32_t n) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < n; i++) bits += (uint64_t)__builtin_popcountll(words[i]);
  return bits;
}

/* An epoch of 2^level of the shortest ones has ended: it is counted, and belongs to the next longer one. */
static void end_level(struct zorua_touch *t, uint32_t level) {
  struct zorua_counters *n = t->n;
  uint64_t *const epochs[] = {&n->zorua_touch_epochs_1, &n->zorua_touch_epochs_2, &n->zorua_touch_epochs_4,
                              &n->zorua_touch_epochs_8};
  uint64_t *const registers[] = {&n->zorua_touch_registers_1, &n->zorua_touch_registers_2, &n->zorua_touch_registers_4,
                                 &n->zorua_touch_registers_8};
  uint64_t *const scratch[] = {&n->zorua_touch_scratch_1, &n->zorua_touch_scratch_2, &n->zorua_touch_scratch_4,
                               &n->zorua_touch_scratch_8};
  struct zorua_touched *at = &t->at[level];
  ++*epochs[level];
  *registers[level] += bits_of(at->registers, ZORUA_TOUCH_WARPS);
  *scratch[level] += bits_of(at->words, ZORUA_TOUCH_WORDS / 64);
  if (level + 1 < ZORUA_TOUCH_LEVELS) {
    for (uint32_t i = 0; i < ZORUA_TOUCH_WARPS; i++) t->at[level + 1].registers[i] |= at->registers[i];
    for (uint32_t i = 0; i < ZORUA_TOUCH_WORDS / 64; i++) t->at[level + 1].words[i] |= at->words[i];
  }
  memset(at, 0, sizeof *at);
}

void zorua_touch_ran(struct zorua_touch *t, uint64_t cycles) {
  while (cycles >= t->left) {
    cycles -= t->left;
    t->left = t->epoch;
    t->epochs++;
    for (uint32_t level = 0; level < ZORUA_TOUCH_LEVELS && t->epochs % (1U << level) == 0; level++) end_level(t, level);
  }
  t->left -= (uint32_t)cycles;
}
