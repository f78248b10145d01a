/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/page_zones.h"

#include "base/err.h"
#include "config/choices.h"
#include "mem/frames.h"

#include <stdlib.h>

struct page_zones *page_zones_create(const struct page_zoning *c, uint32_t page_bits, uint32_t frames) {
  invariant(c->modules == 2 || c->modules == ZONES_MAX, "%u modules", c->modules);
  struct page_zones *z = calloc(1, sizeof *z);
  if (!z) return NULL;
  z->c = *c;
  z->bits = (uint32_t)__builtin_ctz(c->modules);
  z->page_bits = page_bits;
  z->frames = frames;
  z->map = c->placement == NUMA_XOR          ? (uint32_t)ZONE_MAP_XOR
           : c->placement == NUMA_INTERLEAVE ? zone_map_of_bit(c->bit)
                                             : page_zones_whole(z);
  z->map_of = calloc(frames, sizeof *z->map_of);
  if (z->map_of) return z;
  page_zones_destroy(z);
  return NULL;
}

void page_zones_destroy(struct page_zones *z) {
  if (!z) return;
  free(z->map_of);
  free(z);
}

uint32_t page_zones_whole(const struct page_zones *z) { return zone_map_of_bit(z->page_bits); }

/* log2 of the aligned frames that must have the same map. */
static uint32_t piece_of(const struct page_zones *z, uint32_t map) {
  uint32_t piece = zone_map_piece(map, z->bits);
  return piece > z->page_bits ? piece - z->page_bits : 0;
}

static bool legal(const struct page_zones *z, uint32_t frame, uint32_t map) {
  uint32_t most = ZONE_LAST_BIT + z->bits - z->page_bits, first = frame >> most << most, own = piece_of(z, map);
  for (uint32_t g = first; g < z->frames && g >> most == first >> most; g++) {
    if (!z->map_of[g] || z->map_of[g] == map + 1) continue;
    uint32_t others = piece_of(z, z->map_of[g] - 1U), piece = own > others ? own : others;
    if (g >> piece == frame >> piece) return false;
  }
  return true;
}

/* The low bits of a frame's number that are fixed, and what they are. */
struct colour {
  uint32_t mask, value;
};

static struct colour colour_of(const struct page_zones *z, uint64_t page, uint32_t map, uint32_t zone) {
  if (zone == PAGE_ANY_ZONE) {
    uint32_t mask = (1U << piece_of(z, map)) - 1;
    return (struct colour){mask, (uint32_t)page & mask};
  }
  invariant(map != ZONE_MAP_XOR && zone_map_bit(map) >= z->page_bits && zone < z->c.modules,
            "a page in zone %u by map %u", zone, map);
  uint32_t at = zone_map_bit(map) - z->page_bits;
  return (struct colour){(z->c.modules - 1) << at, zone << at};
}

bool page_zones_fits(const struct page_zones *z, uint32_t frame, uint64_t page, uint32_t map, uint32_t zone) {
  struct colour c = colour_of(z, page, map, zone);
  return (frame & c.mask) == c.value;
}

uint32_t page_zones_choose(struct page_zones *z, uint64_t page, uint32_t map, uint32_t zone) {
  struct colour c = colour_of(z, page, map, zone);
  if ((page & c.mask) == c.value && !z->map_of[page] && legal(z, (uint32_t)page, map)) return (uint32_t)page;
  uint32_t *from = &z->cursor[map][c.value % PAGE_ZONE_CURSORS], frame = *from;
  for (uint32_t i = 0; i < z->frames; i++, frame++) {
    if (frame >= z->frames) frame = 0;
    if ((frame & c.mask) != c.value || z->map_of[frame] || !legal(z, frame, map)) continue;
    *from = frame;
    return frame;
  }
  return FRAMES_NONE;
}

void page_zones_take(struct page_zones *z, uint32_t frame, uint32_t map) {
  invariant(!z->map_of[frame] && legal(z, frame, map), "frame %u cannot have map %u", frame, map);
  z->map_of[frame] = (uint8_t)(map + 1);
}

void page_zones_give(struct page_zones *z, uint32_t frame) { z->map_of[frame] = 0; }
