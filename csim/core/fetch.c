/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fetch.h"

#include "config/gpu_config.h"

static uint64_t bit(uint32_t w) { return UINT64_C(1) << w; }

void sm_fetch_create(struct sm_fetch *f, const struct gpu_config *m) {
  f->entries = m->sm_fetch == FETCH_BUFFERED ? (uint32_t)m->sm_fetch_entries : 0;
  f->width = (uint32_t)m->sm_fetch_width;
  sm_fetch_clear(f);
}

void sm_fetch_clear(struct sm_fetch *f) {
  f->decoded = f->entries ? 0 : UINT64_MAX;
  f->empty = 0;
  f->last = FETCH_SLOTS - 1;
}

void sm_fetch_start(struct sm_fetch *f, uint32_t w) {
  f->count[w] = 0;
  f->decoded &= ~bit(w);
  f->empty |= bit(w);
}

void sm_fetch_advance(struct sm_fetch *f, uint32_t w, uint32_t from, uint32_t to, uint32_t slots) {
  if (to == from) return;
  if (to != from + 1) f->count[w] = 0;
  else if (slots && f->count[w]) f->count[w]--;
  if (f->count[w]) return;
  f->decoded &= ~bit(w);
  f->empty |= bit(w);
}

void sm_fetch_exit(struct sm_fetch *f, uint32_t w) {
  f->decoded &= ~bit(w);
  f->empty &= ~bit(w);
}

bool sm_fetch_cycle(struct sm_fetch *f) {
  if (!f->empty) return false;
  uint64_t after = f->last + 1 < FETCH_SLOTS ? f->empty >> (f->last + 1) << (f->last + 1) : 0;
  uint32_t w = (uint32_t)__builtin_ctzll(after ? after : f->empty);
  f->last = w;
  f->count[w] = (uint8_t)(f->width < f->entries ? f->width : f->entries);
  f->empty &= ~bit(w);
  f->decoded |= bit(w);
  return true;
}
