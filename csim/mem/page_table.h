/* SPDX-License-Identifier: Apache-2.0 */
/* Pages (mmu.page_bytes): which page frame of device memory holds which page of its addresses (mmu.frames). An address without a page
 * (local memory, or memory that was never allocated) is its own physical address. A page gets its frame when memory is allocated
 * and gives it back when the memory is freed; device_memory (device/device_memory.h) reports both, whoever allocates.
 *
 * assumption: allocations that share a page share its frame, which is chosen for the first of them and stays until the last of them
 * is freed. An allocation with a label shares no page. The allocator knows the label before it chooses pages
 * (Vijaykumar 2019, 2.2.2); page_table_set_labels says what labels mean.
 *
 * Of several modules (page_table_set_zones) each has a zone, and each frame in use a map (mem/page_zones.h) of its addresses to zones:
 *   xor          all of memory has the map ZONE_MAP_XOR, local memory included,
 *   interleave   pages have the map of one bit; local memory is in its SM's zone,
 *   first_touch  a page gets its frame in the zone of the module whose SM accesses it first, in the order in which SMs commit; local
 *                memory is in its SM's zone.
 * Under all three page_table_place gives pages another map or zone. */
#ifndef TANDEM_MEM_PAGE_TABLE_H
#define TANDEM_MEM_PAGE_TABLE_H

#include "device/device_memory.h"
#include "mem/page_zones.h"
#include "mem/placement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_map;
struct err;
struct gpu_config;

enum { PAGE_BITS = 12, PAGE_BYTES = 1 << PAGE_BITS }; /* mmu.page_bytes by default; memory agents know no other pages */
enum {
  LOCAL_WINDOW_BITS = 28
}; /* log2 of the bytes of local memory that an SM has, one SM's after the other behind device memory */

/* Who is told that a frame is no longer used (a label address map forgets it). */
struct frame_listener {
  void (*freed)(void *self, uint64_t physical); /* of its first byte */
  void *self;
};

struct page_table_rest;
struct page_table {
  uint64_t translated; /* pages whose frame may be another one; 0: none (mmu.frames = identity) */
  uint64_t pages;
  uint32_t *frame;          /* of each page, + 1; 0: none */
  uint32_t page_bits;       /* log2 of mmu.page_bytes */
  struct page_zones *zones; /* of several modules, or NULL */
  struct page_table_rest *rest;
};

/* NULL: *e says why. ERR_VALUE: mmu.frames = placed, but the address map puts a page into several banks. */
struct page_table *page_table_create(const struct gpu_config *, const struct address_map *, struct err *);
void page_table_destroy(struct page_table *);

/* On the path of every request: inline. */
static inline uint64_t page_table_physical(const struct page_table *t, uint64_t address) {
  uint64_t page = (address - DEVICE_MEMORY_BASE) >> t->page_bits,
           offset = address & ((UINT64_C(1) << t->page_bits) - 1);
  if (page >= t->translated || !t->frame[page]) return address;
  return DEVICE_MEMORY_BASE + ((uint64_t)(t->frame[page] - 1) << t->page_bits | offset);
}

/* The physical address, as the MMU answers an AMU. False: a fault, the page has no frame. */
bool page_table_walk(const struct page_table *, uint64_t address, uint64_t *physical);

/* Divides memory into zones, before the first allocation. mmu.frames is identity. ERR_LIMIT: out of memory. */
int page_table_set_zones(struct page_table *, const struct page_zoning *, struct err *);
/* Where an access of an SM of `module` finds an address: the physical address, and the map by which page_table_zone has its zone; gives a
 * page that is touched first its frame. An address that was never allocated is its own physical address, by the map of the highest bit
 * (or xor's). False: the module's zone is full; the place is no page's. Only with zones. */
bool page_table_find(struct page_table *, uint64_t address, uint32_t module, uint64_t *physical, uint32_t *map);
static inline struct zone_place page_table_zone(const struct page_table *t, uint64_t physical, uint32_t map) {
  return zone_place(physical, map, t->zones->bits);
}
/* Gives the allocated pages of [address, address + bytes) frames with this map (and in this zone, or PAGE_ANY_ZONE:
 * page_zones_choose); adds the bytes of pages that had another frame or map to *moved. False: there is no frame for one of them; what
 * was placed before stays. Only with zones. */
bool page_table_place(struct page_table *, uint64_t address, uint64_t bytes, uint32_t map, uint32_t zone,
                      uint64_t *moved);

/* Gives frames to the pages of [address, address + bytes) that have none. False: not enough frames; nothing has changed. */
bool page_table_allocate(struct page_table *, uint64_t address, uint64_t bytes, uint32_t label);
/* Takes the address and bytes of an earlier page_table_allocate. */
void page_table_free(struct page_table *, uint64_t address, uint64_t bytes);
/* With mmu.frames = placed, sets the labels in use. They decide where later pages go; no page moves. n <= PLACEMENT_LABELS. The pages
 * of a label with columns of its own take the next frame of each of these columns in turn; all other pages take any frame of the
 * columns that are left. When those have no free frame, a page takes any other. Without labels, and under the other policies,
 * this does nothing. */
void page_table_set_labels(struct page_table *, const struct placement_label *, uint32_t n);
const struct placement *page_table_placement(const struct page_table *); /* as set last */
/* With mmu.frames = placed: the bank column of a frame, for reports; bank column c is bank c / groups of group c % groups
 * (dram.bank_groups), so that neighbours lie in different groups. Else 0. */
uint32_t page_table_column(const struct page_table *, uint64_t physical);
void page_table_listen(struct page_table *, const struct frame_listener *); /* copied; NULL: nobody */
/* Calls page_table_allocate and page_table_free for a device memory. */
struct device_memory_observer page_table_observer(struct page_table *);

#endif
