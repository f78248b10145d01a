/* SPDX-License-Identifier: Apache-2.0 */
/* The page frames of a GPU with several modules: each frame in use has a map (mem/zones.h), and maps are kept apart as they must be.
 * With maps of the bits 7..16 that is (exhaustively: tests/unit/page_zones_test.c): a frame whose map needs aligned pieces of more than
 * a page shares its piece with frames of the same map only. */
#ifndef TANDEM_MEM_PAGE_ZONES_H
#define TANDEM_MEM_PAGE_ZONES_H

#include "mem/zones.h"

#include <stdbool.h>
#include <stdint.h>

#define PAGE_ANY_ZONE UINT32_MAX

struct page_zoning {
  uint32_t modules;      /* 2 or 4, a zone each */
  uint32_t placement;    /* NUMA_XOR, ... (config/choices.h) */
  uint32_t bit;          /* with NUMA_INTERLEAVE: of all pages that are not placed otherwise */
  uint32_t sms_a_module; /* SMs 0 .. sms_a_module - 1 are of module 0, and so on */
};

enum { PAGE_ZONE_CURSORS = 64 };
struct page_zones {
  struct page_zoning c;
  uint32_t bits;      /* log2 of the modules */
  uint32_t page_bits; /* log2 of the bytes of a page */
  uint32_t map;       /* of pages that are not placed otherwise */
  uint32_t frames;
  uint64_t reserved; /* pages that are allocated and have no frame yet */
  uint8_t *map_of;   /* of each frame, + 1; 0: free */
  uint32_t cursor[ZONE_MAPS][PAGE_ZONE_CURSORS];
};

/* NULL: out of memory. */
struct page_zones *page_zones_create(const struct page_zoning *, uint32_t page_bits, uint32_t frames);
void page_zones_destroy(struct page_zones *);
/* The map in which a zone has whole pages: b is the lowest bit of the page number. */
uint32_t page_zones_whole(const struct page_zones *);
/* A free frame for a page that may have this map beside its neighbours; FRAMES_NONE: there is none. Zone PAGE_ANY_ZONE: the bits of the
 * map are those of the page's own address, so that the page lies in the zones that its device addresses name. Another zone only with a
 * map whose b is a bit of the page number: all of the page is there. The frame of the page's own number is taken first. */
uint32_t page_zones_choose(struct page_zones *, uint64_t page, uint32_t map, uint32_t zone);
/* Whether a frame is one that page_zones_choose could have chosen for the page, map and zone, its neighbours aside. */
bool page_zones_fits(const struct page_zones *, uint32_t frame, uint64_t page, uint32_t map, uint32_t zone);
void page_zones_take(struct page_zones *, uint32_t frame, uint32_t map); /* a frame that may have the map */
void page_zones_give(struct page_zones *, uint32_t frame);

#endif
