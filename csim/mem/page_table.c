/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/page_table.h"

#include "base/err.h"
#include "base/rng.h"
#include "config/gpu_config.h"
#include "dram/address_map.h"
#include "mem/frames.h"

#include <stdlib.h>
#include <string.h>

struct page_table_rest {
  uint32_t policy;
  uint32_t next;  /* frame after the one given last */
  uint8_t *users; /* allocations of each page; at least 256 bytes each */
  struct frames frames;
  struct rng random;
  struct frame_listener listener;
  struct placement placement;
  uint64_t row_bytes;
  uint32_t rest;                    /* mmu.rest */
  uint32_t turn[PLACEMENT_LABELS];  /* of a row of the placement: pages placed */
  uint32_t next_in[FRAMES_COLUMNS]; /* of a column */
};

/* --- bank columns --- */

enum { SEVERAL = FRAMES_COLUMNS };

/* The column of a frame, or SEVERAL. Its shares of the channels are the same rounds of the interleaving in each. */
static uint32_t column_of_frame(const struct address_map *map, uint64_t frame) {
  uint64_t from = DEVICE_MEMORY_BASE + (frame << PAGE_BITS), step = UINT64_C(1) << map->interleave_bits;
  uint64_t local = address_map_local(map, from), last = address_map_local(map, from + PAGE_BYTES - 1);
  uint32_t bank = address_map_place(map, local).bank;
  for (local = (local & ~(step - 1)) + step; local <= last; local += step)
    if (address_map_place(map, local).bank != bank) return SEVERAL;
  return bank % map->banks_per_group * map->bank_groups + bank / map->banks_per_group;
}

static bool create_columns(struct page_table *t, const struct gpu_config *m, const struct address_map *map,
                           struct err *e) {
  uint8_t *column_of = malloc(t->pages);
  bool one = column_of;
  for (uint64_t i = 0; one && i < t->pages; i++) {
    column_of[i] = (uint8_t)column_of_frame(map, i);
    one = column_of[i] != SEVERAL;
  }
  if (column_of && !one)
    err_set(e, ERR_VALUE,
            "mmu.frames = placed: a page of %d bytes lies in several banks by this dram.map; choose one with the bank "
            "above the page, as column_bank or page_bank_column",
            PAGE_BYTES);
  bool made = one && frames_create(&t->rest->frames, (uint32_t)t->pages, (uint32_t)m->dram_banks, column_of);
  if (one && !made) err_set(e, ERR_LIMIT, "out of memory for the page frames");
  free(column_of);
  return made;
}

/* --- construction --- */

struct page_table *page_table_create(const struct gpu_config *m, const struct address_map *map, struct err *e) {
  struct page_table *t = calloc(1, sizeof *t);
  struct page_table_rest *r = calloc(1, sizeof *r);
  err_set(e, ERR_LIMIT, "out of memory for the page table");
  if (!t || !r) {
    free(t);
    free(r);
    return NULL;
  }
  t->rest = r;
  t->pages = (uint64_t)m->memory_mib << 20 >> PAGE_BITS;
  t->frame = calloc(t->pages, sizeof *t->frame);
  r->users = calloc(t->pages, sizeof *r->users);
  r->policy = (uint32_t)m->mmu_frames;
  rng_seed(&r->random, (uint64_t)m->mmu_seed);
  if (r->policy != MMU_IDENTITY) t->translated = t->pages;
  bool made = t->frame && r->users;
  if (made && r->policy == MMU_PLACED) made = create_columns(t, m, map, e);
  else if (made) made = frames_create(&r->frames, (uint32_t)t->pages, 1, NULL);
  r->row_bytes = (uint64_t)m->dram_row_bytes;
  r->rest = (uint32_t)m->mmu_rest;
  if (made) {
    page_table_set_labels(t, NULL, 0);
    return t;
  }
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

/* --- choice of frames --- */

/* The next frame of the next column of a set in turn that has one. */
static uint32_t next_of_columns(struct page_table_rest *r, const struct placement_row *row) {
  uint64_t with_frames = 0;
  for (uint32_t c = 0; c < r->frames.columns; c++)
    if (row->columns >> c & 1 && r->frames.free[c]) with_frames |= UINT64_C(1) << c;
  if (!with_frames) return FRAMES_NONE;
  uint32_t turn = r->turn[row->rank]++ % (uint32_t)__builtin_popcountll(with_frames);
  while (turn--) with_frames &= with_frames - 1;
  uint32_t c = (uint32_t)__builtin_ctzll(with_frames);
  uint32_t frame = frames_next(&r->frames, UINT64_C(1) << c, r->next_in[c]);
  r->next_in[c] = frame + 1;
  return frame;
}

static uint32_t placed(struct page_table_rest *r, uint32_t label) {
  const struct placement_row *row = placement_find(&r->placement, label);
  uint32_t frame = row ? next_of_columns(r, row) : frames_random(&r->frames, r->placement.rest, &r->random);
  return frame == FRAMES_NONE ? frames_random(&r->frames, FRAMES_ALL, &r->random) : frame;
}

static uint32_t choose(struct page_table_rest *r, uint64_t page, uint32_t label) {
  switch (r->policy) {
    case MMU_IDENTITY: return (uint32_t)page;
    case MMU_SEQUENTIAL: return frames_next(&r->frames, FRAMES_ALL, r->next);
    case MMU_PLACED: return placed(r, label);
    default: return frames_random(&r->frames, FRAMES_ALL, &r->random);
  }
}

void page_table_set_labels(struct page_table *t, const struct placement_label *labels, uint32_t n) {
  struct page_table_rest *r = t->rest;
  if (r->policy != MMU_PLACED) return;
  placement_choose(&r->placement, labels, n, r->frames.columns, r->rest, r->row_bytes);
  memset(r->turn, 0, sizeof r->turn);
}

const struct placement *page_table_placement(const struct page_table *t) { return &t->rest->placement; }

uint32_t page_table_column(const struct page_table *t, uint64_t physical) {
  uint64_t frame = (physical - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  return frame < t->pages ? frames_column(&t->rest->frames, (uint32_t)frame) : 0;
}

/* --- pages --- */

/* Pages of [address, address + bytes) that the table knows: [*from, *to). */
static void pages_of(const struct page_table *t, uint64_t address, uint64_t bytes, uint64_t *from, uint64_t *to) {
  *from = (address - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  *to = (address + bytes - 1 - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  *to = *to < t->pages ? *to + 1 : t->pages;
}

bool page_table_allocate(struct page_table *t, uint64_t address, uint64_t bytes, uint32_t label) {
  struct page_table_rest *r = t->rest;
  uint64_t from, to, wanted = 0;
  pages_of(t, address, bytes, &from, &to);
  for (uint64_t p = from; p < to; p++) wanted += !t->frame[p];
  if (wanted > frames_left(&r->frames, FRAMES_ALL)) return false;
  for (uint64_t p = from; p < to; p++) {
    r->users[p]++;
    if (t->frame[p]) continue;
    uint32_t frame = choose(r, p, label);
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
