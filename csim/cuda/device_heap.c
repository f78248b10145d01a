/* SPDX-License-Identifier: Apache-2.0 */
#include "device_heap.h"

#include <stdlib.h>

#define TAKEN (UINT32_C(1) << 31)

bool device_heap_create(struct device_heap *h, uint64_t base, uint64_t bytes) {
  uint64_t grains = bytes / DEVICE_HEAP_GRAIN;
  *h = (struct device_heap){.base = base, .grains = grains < TAKEN ? (uint32_t)grains : TAKEN - 1};
  h->length = h->grains ? calloc(h->grains, sizeof *h->length) : NULL;
  if (!h->length) {
    *h = (struct device_heap){0};
    return false;
  }
  h->length[0] = h->grains;
  return true;
}

void device_heap_destroy(struct device_heap *h) {
  free(h->length);
  *h = (struct device_heap){0};
}

/* Unites the free block at `at` with the free ones behind it. */
static uint32_t unite(struct device_heap *h, uint32_t at) {
  uint32_t n = h->length[at];
  while (at + n < h->grains && !(h->length[at + n] & TAKEN)) {
    uint32_t more = h->length[at + n];
    h->length[at + n] = 0;
    n += more;
  }
  return h->length[at] = n;
}

/* The first free block of `wanted` grains in [from, to), a block at each end; or `to`. */
static uint32_t find(struct device_heap *h, uint32_t from, uint32_t to, uint32_t wanted) {
  uint32_t at = from;
  while (at < to) {
    uint32_t n = h->length[at];
    if (n & TAKEN) n &= ~TAKEN;
    else if ((n = unite(h, at)) >= wanted) return at;
    at += n;
  }
  return to;
}

uint64_t device_heap_allocate(struct device_heap *h, uint64_t bytes) {
  if (!bytes || !h->grains || bytes > (uint64_t)h->grains * DEVICE_HEAP_GRAIN) return 0;
  uint32_t wanted = (uint32_t)((bytes + DEVICE_HEAP_GRAIN - 1) / DEVICE_HEAP_GRAIN);
  uint32_t at = find(h, h->next, h->grains, wanted); /* behind the last one, which makes a kernel's first calls fast */
  if (at >= h->grains) {
    at = find(h, 0, h->grains, wanted);
    if (at >= h->grains) return h->next = 0;
  }
  uint32_t rest = h->length[at] - wanted;
  h->length[at] = wanted | TAKEN;
  if (rest) h->length[at + wanted] = rest;
  h->next = rest ? at + wanted : 0;
  return h->base + (uint64_t)at * DEVICE_HEAP_GRAIN;
}

bool device_heap_release(struct device_heap *h, uint64_t address) {
  uint64_t offset = address - h->base, at = offset / DEVICE_HEAP_GRAIN;
  if (!h->grains || at >= h->grains || offset % DEVICE_HEAP_GRAIN || !(h->length[at] & TAKEN)) return false;
  h->length[at] &= ~TAKEN;
  unite(h, (uint32_t)at);
  h->next = 0; /* `next` may lie inside the united block */
  return true;
}
