/* SPDX-License-Identifier: Apache-2.0 */
/* Ring buffer of `size` slots that manages indices only; the owner keeps the array. */
#ifndef TANDEM_BASE_RING_H
#define TANDEM_BASE_RING_H

#include <stdbool.h>
#include <stdint.h>

struct ring {
  uint32_t head, count, size; /* slot of the oldest element; elements; slots */
};

static inline bool ring_full(const struct ring *r) { return r->count == r->size; }

/* Slot of element k, 0 the oldest; k < size. */
static inline uint32_t ring_at(const struct ring *r, uint32_t k) {
  uint32_t slot = r->head + k;
  return slot >= r->size ? slot - r->size : slot;
}

/* Adds a youngest element and returns its slot. The ring must not be full. */
static inline uint32_t ring_push(struct ring *r) { return ring_at(r, r->count++); }

/* Removes the oldest element and returns its slot. The ring must not be empty. */
static inline uint32_t ring_pop(struct ring *r) {
  uint32_t slot = r->head;
  r->head = slot + 1 == r->size ? 0 : slot + 1;
  r->count--;
  return slot;
}

#endif
