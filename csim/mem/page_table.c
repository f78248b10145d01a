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
  uint32_t next;   /* frame after the one given last */
  uint16_t *users; /* allocations of each page; at least 256 bytes each */
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
static uint32_t column_of_frame(const struct address_map *map, uint64_t frame, uint64_t bytes) {
  uint64_t from = DEVICE_MEMORY_BASE + frame * bytes, step = UINT64_C(1) << map->interleave_bits;
  uint64_t local = address_map_local(map, from), last = address_map_local(map, from + bytes - 1);
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
    column_of[i] = (uint8_t)column_of_frame(map, i, (uint64_t)m->mmu_page_bytes);
    one = column_of[i] != SEVERAL;
  }
  if (column_of && !one)
    err_set(
      e, ERR_VALUE,
      "mmu.frames = placed: a page of %lld bytes lies in several banks by this dram.map; choose one with the bank "
      "above the page, as column_bank or page_bank_column",
      (long long)m->mmu_page_bytes);
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
  t->page_bits = (uint32_t)__builtin_ctzll((uint64_t)m->mmu_page_bytes);
  t->pages = (uint64_t)m->memory_mib << 20 >> t->page_bits;
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

int page_table_set_zones(struct page_table *t, const struct page_zoning *c, struct err *e) {
  t->zones = page_zones_create(c, t->page_bits, (uint32_t)t->pages);
  if (!t->zones) return err_set(e, ERR_LIMIT, "out of memory for the zones of the page table");
  t->translated = t->pages;
  return 0;
}

void page_table_destroy(struct page_table *t) {
  if (!t) return;
  if (t->rest) {
    frames_destroy(&t->rest->frames);
    free(t->rest->users);
    free(t->rest);
  }
  page_zones_destroy(t->zones);
  free(t->frame);
  free(t);
}

/* The first byte of a frame. */
static uint64_t physical_of(const struct page_table *t, uint32_t frame) {
  return DEVICE_MEMORY_BASE + ((uint64_t)frame << t->page_bits);
}

bool page_table_walk(const struct page_table *t, uint64_t address, uint64_t *physical) {
  uint64_t page = (address - DEVICE_MEMORY_BASE) >> t->page_bits,
           offset = address & ((UINT64_C(1) << t->page_bits) - 1);
  if (page >= t->pages || !t->frame[page]) return false;
  *physical = physical_of(t, t->frame[page] - 1) | offset;
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
  uint64_t frame = (physical - DEVICE_MEMORY_BASE) >> t->page_bits;
  return frame < t->pages ? frames_column(&t->rest->frames, (uint32_t)frame) : 0;
}

/* --- pages --- */

/* Pages of [address, address + bytes) that the table knows: [*from, *to). */
static void pages_of(const struct page_table *t, uint64_t address, uint64_t bytes, uint64_t *from, uint64_t *to) {
  *from = (address - DEVICE_MEMORY_BASE) >> t->page_bits;
  *to = (address + bytes - 1 - DEVICE_MEMORY_BASE) >> t->page_bits;
  *to = *to < t->pages ? *to + 1 : t->pages;
}

static void map_page(struct page_table *t, uint64_t page, uint32_t frame) {
  frames_take(&t->rest->frames, frame);
  t->frame[page] = frame + 1;
}

/* Gives a page a frame that page_zones_choose has chosen. */
static void map_zoned(struct page_table *t, uint64_t page, uint32_t frame, uint32_t map) {
  map_page(t, page, frame);
  page_zones_take(t->zones, frame, map);
}

/* The page's last user has left, or its frame is exchanged. */
static void unmap_page(struct page_table *t, uint64_t page) {
  struct page_table_rest *r = t->rest;
  if (!t->frame[page]) { /* nobody has touched it */
    t->zones->reserved--;
    return;
  }
  uint32_t frame = t->frame[page] - 1;
  t->frame[page] = 0;
  frames_give(&r->frames, frame);
  if (t->zones) page_zones_give(t->zones, frame);
  if (r->listener.freed) r->listener.freed(r->listener.self, physical_of(t, frame));
}

/* The first allocation of a page. False: no frame. */
static bool start_page(struct page_table *t, uint64_t page, uint32_t label) {
  struct page_table_rest *r = t->rest;
  struct page_zones *z = t->zones;
  if (z && z->c.placement == NUMA_FIRST_TOUCH) {
    z->reserved++;
    return true;
  }
  uint32_t frame = z ? page_zones_choose(z, page, z->map, PAGE_ANY_ZONE) : choose(r, page, label);
  if (frame == FRAMES_NONE) return false;
  if (z) map_zoned(t, page, frame, z->map);
  else map_page(t, page, frame);
  r->next = frame + 1;
  return true;
}

/* One allocation less of each page of [from, to). */
static void leave_pages(struct page_table *t, uint64_t from, uint64_t to) {
  for (uint64_t p = from; p < to; p++) {
    invariant(t->rest->users[p], "page %llu is freed, but was not allocated", (unsigned long long)p);
    if (!--t->rest->users[p]) unmap_page(t, p);
  }
}

bool page_table_allocate(struct page_table *t, uint64_t address, uint64_t bytes, uint32_t label) {
  struct page_table_rest *r = t->rest;
  uint64_t from, to, wanted = t->zones ? t->zones->reserved : 0;
  pages_of(t, address, bytes, &from, &to);
  for (uint64_t p = from; p < to; p++) wanted += !r->users[p];
  if (wanted > frames_left(&r->frames, FRAMES_ALL)) return false;
  for (uint64_t p = from; p < to; p++) {
    if (!r->users[p] && !start_page(t, p, label)) {
      leave_pages(t, from, p);
      return false;
    }
    r->users[p]++;
  }
  return true;
}

void page_table_free(struct page_table *t, uint64_t address, uint64_t bytes) {
  uint64_t from, to;
  pages_of(t, address, bytes, &from, &to);
  leave_pages(t, from, to);
}

/* --- zones --- */

/* The frame of a page that an SM of `module` touches first. */
static bool touch(struct page_table *t, uint64_t page, uint32_t module) {
  uint32_t map = page_zones_whole(t->zones), frame = page_zones_choose(t->zones, page, map, module);
  if (frame == FRAMES_NONE) return false;
  map_zoned(t, page, frame, map);
  t->zones->reserved--;
  return true;
}

/* Local memory lies behind device memory, in every zone in the order of its module's SMs. */
static uint64_t local_physical(const struct page_table *t, uint64_t offset) {
  const struct page_zones *z = t->zones;
  uint64_t sm = offset >> LOCAL_WINDOW_BITS, in_window = offset & ((UINT64_C(1) << LOCAL_WINDOW_BITS) - 1);
  uint64_t first = physical_of(t, (uint32_t)t->pages) >> z->bits, in_module = sm % z->c.sms_a_module;
  struct zone_place p = {(uint32_t)(sm / z->c.sms_a_module) & (z->c.modules - 1),
                         first + (in_module << LOCAL_WINDOW_BITS | in_window)};
  return zone_physical(p, zone_map_of_bit(ZONE_LAST_BIT), z->bits);
}

bool page_table_find(struct page_table *t, uint64_t address, uint32_t module, uint64_t *physical, uint32_t *map) {
  struct page_zones *z = t->zones;
  uint64_t page = (address - DEVICE_MEMORY_BASE) >> t->page_bits;
  bool has = true, mine = page < t->pages;
  if (mine && !t->frame[page] && t->rest->users[page]) has = touch(t, page, module);
  *physical = page_table_physical(t, address);
  *map = zone_map_of_bit(ZONE_LAST_BIT);
  if (mine && t->frame[page]) *map = z->map_of[t->frame[page] - 1] - 1U;
  else if (z->c.placement == NUMA_XOR) *map = ZONE_MAP_XOR;
  else if (!mine && address >= physical_of(t, (uint32_t)t->pages))
    *physical = local_physical(t, address - physical_of(t, (uint32_t)t->pages));
  return has;
}

/* Exchanges the frame of a page; the old one may stay, with another map. */
static bool move_page(struct page_table *t, uint64_t page, uint32_t map, uint32_t zone) {
  struct page_zones *z = t->zones;
  uint32_t old = t->frame[page] - 1, old_map = t->frame[page] ? z->map_of[old] - 1U : 0;
  if (t->frame[page]) page_zones_give(z, old);
  uint32_t frame = page_zones_choose(z, page, map, zone);
  if (t->frame[page]) page_zones_take(z, old, old_map);
  if (frame == FRAMES_NONE) return false;
  unmap_page(t, page);
  map_zoned(t, page, frame, map);
  return true;
}

bool page_table_place(struct page_table *t, uint64_t address, uint64_t bytes, uint32_t map, uint32_t zone,
                      uint64_t *moved) {
  const struct page_zones *z = t->zones;
  uint64_t from, to;
  pages_of(t, address, bytes, &from, &to);
  for (uint64_t p = from; p < to; p++) {
    bool touched = t->frame[p];
    if (!t->rest->users[p]) continue;
    if (touched && z->map_of[t->frame[p] - 1] == map + 1 && page_zones_fits(z, t->frame[p] - 1, p, map, zone)) continue;
    if (!move_page(t, p, map, zone)) return false;
    if (touched) *moved += UINT64_C(1) << t->page_bits;
  }
  return true;
}

void page_table_listen(struct page_table *t, const struct frame_listener *l) {
  t->rest->listener = l ? *l : (struct frame_listener){0};
}

static bool allocated(void *self, uint64_t address, uint64_t bytes, uint32_t label) {
  return page_table_allocate(self, address, bytes, label);
}

static void freed(void *self, uint64_t address, uint64_t bytes) { page_table_free(self, address, bytes); }

struct device_memory_observer page_table_observer(struct page_table *t) {
  return (struct device_memory_observer){
    .allocated = allocated, .freed = freed, .page_bytes = UINT64_C(1) << t->page_bits, .self = t};
}
