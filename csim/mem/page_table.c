/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/page_table.h"

#include "base/err.h"
#include "base/machine.h"
#include "base/rng.h"
#include "mem/frames.h"

#include <stdlib.h>

struct page_table_rest {
  uint32_t policy;
  uint32_t next;  /* frame after the one given last */
  uint8_t *users; /* allocations of each page; at least 256 bytes each */
  struct frames frames;
  struct rng random;
  struct frame_listener listener;
};

struct page_table *page_table_create(const struct machine *m, const struct address_map *map, struct err *e) {
  (void)map;
  struct page_table *t = calloc(1, sizeof *t);
  struct page_table_rest *r = calloc(1, sizeof *r);
  if (!t || !r) goto fail;
  t->rest = r;
  t->pages = (uint64_t)m->memory_mib << 20 >> PAGE_BITS;
  t->frame = calloc(t->pages, sizeof *t->frame);
  r->users = calloc(t->pages, sizeof *r->users);
  r->policy = (uint32_t)m->mmu_frames;
  rng_seed(&r->random, (uint64_t)m->mmu_seed);
  if (r->policy != MMU_IDENTITY) t->translated = t->pages;
  if (frames_create(&r->frames, (uint32_t)t->pages, 1, NULL) && t->frame && r->users) return t;
  r = NULL;
fail:
  err_set(e, ERR_LIMIT, "out of memory for the page table");
  free(r);
  page_table_destroy(t);
  return NULL;
}

void page_table_destroy(struct page_table *t) {
  if (!t) return;
  if (t->rest) {
    frames_destroy(&t->rest->frames);
    free(t->rest->users);
    free(t->rest);
  }
  free(t->frame);
  free(t);
}

bool page_table_walk(const struct page_table *t, uint64_t address, uint64_t *physical) {
  uint64_t page = (address - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  if (page >= t->pages || !t->frame[page]) return false;
  *physical = DEVICE_MEMORY_BASE + ((uint64_t)(t->frame[page] - 1) << PAGE_BITS | (address & (PAGE_BYTES - 1)));
  return true;
}

static uint32_t choose(struct page_table *t, uint64_t page) {
  struct page_table_rest *r = t->rest;
  switch (r->policy) {
    case MMU_IDENTITY: return (uint32_t)page;
    case MMU_SEQUENTIAL: return frames_next(&r->frames, FRAMES_ALL, r->next);
    default: return frames_random(&r->frames, FRAMES_ALL, &r->random);
  }
}

/* Pages of [address, address + bytes) that the table knows: [*from, *to). */
static void pages_of(const struct page_table *t, uint64_t address, uint64_t bytes, uint64_t *from, uint64_t *to) {
  *from = (address - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  *to = (address + bytes - 1 - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  *to = *to < t->pages ? *to + 1 : t->pages;
}

bool page_table_allocate(struct page_table *t, uint64_t address, uint64_t bytes, uint32_t label) {
  struct page_table_rest *r = t->rest;
  uint64_t from, to, wanted = 0;
  (void)label;
  pages_of(t, address, bytes, &from, &to);
  for (uint64_t p = from; p < to; p++) wanted += !t->frame[p];
  if (wanted > frames_left(&r->frames, FRAMES_ALL)) return false;
  for (uint64_t p = from; p < to; p++) {
    r->users[p]++;
    if (t->frame[p]) continue;
    uint32_t frame = choose(t, p);
    frames_take(&r->frames, frame);
    r->next = frame + 1;
    t->frame[p] = frame + 1;
  }
  return true;
}

void page_table_free(struct page_table *t, uint64_t address, uint64_t bytes) {
  struct page_table_rest *r = t->rest;
  uint64_t from, to;
  pages_of(t, address, bytes, &from, &to);
  for (uint64_t p = from; p < to; p++) {
    invariant(r->users[p], "page %llu is freed, but was not allocated", (unsigned long long)p);
    if (--r->users[p]) continue;
    uint32_t frame = t->frame[p] - 1;
    t->frame[p] = 0;
    frames_give(&r->frames, frame);
    if (r->listener.freed) r->listener.freed(r->listener.self, DEVICE_MEMORY_BASE + ((uint64_t)frame << PAGE_BITS));
  }
}

void page_table_listen(struct page_table *t, const struct frame_listener *l) {
  t->rest->listener = l ? *l : (struct frame_listener){0};
}

static bool allocated(void *self, uint64_t address, uint64_t bytes, uint32_t label) {
  return page_table_allocate(self, address, bytes, label);
}

static void freed(void *self, uint64_t address, uint64_t bytes) { page_table_free(self, address, bytes); }

struct device_memory_observer page_table_observer(struct page_table *t) {
  return (struct device_memory_observer){.allocated = allocated, .freed = freed, .self = t};
}
