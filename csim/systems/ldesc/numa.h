/* SPDX-License-Identifier: Apache-2.0 */
/* Which module of the GPU gets which CTAs, and by which address bits each structure is divided among the modules' memories, its zones
 * (Vijaykumar 2019, 3.4.6, algorithm 2). Pure.
 *
 * The thesis gives the search, and of its two functions only the intent. assumption:
 *   NUMA_PART  a C-Tile goes to the zone with most bytes of its D-Tile, of equals to the one with the fewest CTAs so far; one with more
 *              CTAs than a zone's share (all CTAs / zones, rounded up) is cut into as many parts as there are zones, in the order of
 *              its CTAs; one without data goes to the zone with the fewest CTAs
 *   COMP_UTIL  the weight times the share of the D-Tiles' bytes that are local, where each CTA of a C-Tile accesses all of the D-Tile
 *              alike; first argument: the weight, N for the highest priority down to 1
 *   best_util_all starts at 0 once: the listing's line 6 sets it back for every b_hi, which would leave the last one chosen
 * With `balance` a zone takes C-Tiles only until it has its share of the CTAs. */
#ifndef TANDEM_SYSTEMS_LDESC_NUMA_H
#define TANDEM_SYSTEMS_LDESC_NUMA_H

#include "systems/ldesc/tiles.h"

#include <stdbool.h>

enum { NUMA_FIRST_BIT = 7, NUMA_LAST_BIT = 16, NUMA_BITS = NUMA_LAST_BIT - NUMA_FIRST_BIT + 1, NUMA_RECORDS = 16 };
enum { NUMA_UNIT = 1 << 16 /* utility of weight 1 whose accesses are all local */ };

struct ldesc_numa_in {
  uint32_t grid[3];
  uint32_t zones; /* 2 or 4 */
  uint32_t page_bits;
  bool balance;
  uint32_t n; /* 1..NUMA_RECORDS, by priority, highest first */
  const struct ldesc_record *const *record;
};

struct ldesc_numa_choice {
  uint8_t *zone;                 /* of each CTA, x first; malloc */
  uint32_t bit[NUMA_RECORDS];    /* lowest address bit of the zone */
  uint64_t local[NUMA_RECORDS];  /* share of a structure's accesses that are local, of NUMA_UNIT */
  uint64_t utility, evaluations; /* calls of COMP_UTIL */
};

/* False: the host has no memory left. */
bool ldesc_numa_choose(const struct ldesc_numa_in *, struct ldesc_numa_choice *);
void ldesc_numa_free(struct ldesc_numa_choice *);

/* The two functions of the algorithm. `zone`: a byte for each CTA. False: the host has no memory left. */
bool ldesc_numa_part(const struct ldesc_numa_in *, uint32_t record, uint32_t b, uint8_t *zone);
bool ldesc_numa_util(const struct ldesc_numa_in *, uint32_t record, const uint8_t *zone, uint32_t b,
                     uint64_t *utility); /* weight 1 */

#endif
