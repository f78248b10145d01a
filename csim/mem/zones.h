/* SPDX-License-Identifier: Apache-2.0 */
/* Zones: the memories of a GPU's modules. A map says which zone has a physical address, and where in it (Vijaykumar 2019, 3.4.5).
 * The maps of bit b, 7..16: the zone is the address bits b .. b + bits - 1, and the address in the zone is the address without them.
 * ZONE_MAP_XOR: the zone is the exclusive or of all groups of `bits` bits of address bits 7 .. 47; the address in the zone is the
 * address without bits 7 .. 7 + bits - 1.
 *
 * A map is one to one. Two maps side by side are, too, if each is uniform over aligned pieces of 2^(b + bits) bytes, XOR counted
 * as b = 7: each then takes all of the piece's share of every zone. */
#ifndef TANDEM_MEM_ZONES_H
#define TANDEM_MEM_ZONES_H

#include <stdint.h>

enum { ZONE_FIRST_BIT = 7, ZONE_LAST_BIT = 16, ZONES_MAX = 4, ZONE_ADDRESS_BITS = 48 };
/* Map number: b - ZONE_FIRST_BIT, as a page table entry holds it in four bits; or XOR. */
enum { ZONE_MAP_XOR = ZONE_LAST_BIT - ZONE_FIRST_BIT + 1, ZONE_MAPS };

struct zone_place {
  uint32_t zone;
  uint64_t local; /* address in the zone */
};

static inline uint32_t zone_map_of_bit(uint32_t b) { return b - ZONE_FIRST_BIT; }

/* The lowest bit that the address in the zone lacks. */
static inline uint32_t zone_map_bit(uint32_t map) { return ZONE_FIRST_BIT + (map == ZONE_MAP_XOR ? 0 : map); }

/* log2 of the aligned bytes over which a map must be the only one. `bits`: log2 of the zones. */
static inline uint32_t zone_map_piece(uint32_t map, uint32_t bits) { return zone_map_bit(map) + bits; }

/* On the path of every request. `physical` < 2^48; bits: 0..2. */
static inline struct zone_place zone_place(uint64_t physical, uint32_t map, uint32_t bits) {
  uint32_t at = zone_map_bit(map), mask = (1U << bits) - 1;
  uint64_t below = physical & ((UINT64_C(1) << at) - 1);
  struct zone_place p = {(uint32_t)(physical >> at) & mask, physical >> (at + bits) << at | below};
  if (map != ZONE_MAP_XOR || !bits) return p;
  uint64_t fold = (physical & ((UINT64_C(1) << ZONE_ADDRESS_BITS) - 1)) >> ZONE_FIRST_BIT; /* 41 bits */
  for (uint32_t shift = 32; shift >= bits; shift /= 2) fold ^= fold >> shift;
  p.zone = (uint32_t)fold & mask;
  return p;
}

/* Something else that answers as zone_place does, for the maps of a bit. */
struct zone_decoder {
  struct zone_place (*place)(void *self, uint64_t physical, uint32_t map); /* NULL: zone_place */
  void *self;
};

/* The inverse of zone_place for the maps of a bit. */
static inline uint64_t zone_physical(struct zone_place p, uint32_t map, uint32_t bits) {
  uint32_t at = zone_map_bit(map);
  uint64_t below = p.local & ((UINT64_C(1) << at) - 1);
  return (p.local >> at << bits | p.zone) << at | below;
}

#endif
