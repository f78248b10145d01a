/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of a descriptor's tiles (Vijaykumar 2019, 3.3.3): which CTAs form the k-th C-Tile, and which bytes the k-th D-Tile has.
 * C-Tiles are counted in the order of the map, D-Tiles x first, then y, then z; the last ones may be cut by the grid or by the
 * structure. All functions are pure. */
#ifndef TANDEM_SYSTEMS_LDESC_TILES_H
#define TANDEM_SYSTEMS_LDESC_TILES_H

#include "systems/ldesc/record.h"

struct err;

enum { TILES_ZONES = 4, TILES_LAST_BIT = 16 /* of the bits by which addresses alternate between zones (3.4.6) */ };

/* CTAs of a grid that the driver looks at one by one; larger grids get no clusters. */
enum { TILES_CTAS_MAX = 1 << 20 };

/* Whether the C-Tiles lie in the grid as the map says. ERR_VALUE: *e says what does not. */
int ldesc_tiles_fit(const struct ldesc_record *, const uint32_t grid[3], struct err *);

/* Boxes of `size` along each axis of `whole`. */
uint64_t ldesc_tiles_along(const uint32_t whole[3], const uint32_t size[3], uint32_t n[3]);

uint64_t ldesc_tiles_of_ctas(const struct ldesc_record *, const uint32_t grid[3]); /* C-Tiles */
uint64_t ldesc_tiles_of_data(const struct ldesc_record *);                         /* D-Tiles */
/* Number of the C-Tile that has a CTA. */
uint64_t ldesc_tiles_number(const struct ldesc_record *, const uint32_t grid[3], const uint32_t cta[3]);
/* CTAs of C-Tile `k`: *n of them along each axis from `first` on. */
void ldesc_tiles_box(const struct ldesc_record *, const uint32_t grid[3], uint64_t k, uint32_t first[3], uint32_t n[3]);

/* Calls `row` with the bytes [from, to) of each row of D-Tile `k`, relative to the structure, x first, then y, then z. */
void ldesc_tiles_rows(const struct ldesc_record *, uint64_t k, void (*row)(void *self, uint64_t from, uint64_t to),
                      void *self);

/* Bytes of [from, to) whose address bits b .. b + log2(zones) - 1 are z, for each z. zones: 1, 2 or 4. */
void ldesc_tiles_zone_bytes(uint64_t from, uint64_t to, uint32_t b, uint32_t zones, uint64_t bytes[TILES_ZONES]);

/* The address by whose bits the structure is divided among zones: its own, so that parts of a page lie where they are anyhow; from
 * bit page_bits on pages have any zone, so that the structure's first page is in zone 0 (Vijaykumar 2019, 3.4.6, footnote). */
uint64_t ldesc_tiles_origin(const struct ldesc_record *, uint32_t b, uint32_t page_bits);

/* The lowest bit of the zone by map b: b itself. With the last map the page table has the choice, and "larger granularities" are its
 * pages (footnote of 3.4.6). assumption: pages that follow one another have one zone, as many as a D-Tile that lies in one piece has,
 * down to a power of two. */
uint32_t ldesc_tiles_zone_bit(const struct ldesc_record *, uint32_t b, uint32_t page_bits);

/* Adds to hist[z] the bytes of D-Tile `k` that are in zone z by map b. */
void ldesc_tiles_histogram(const struct ldesc_record *, uint64_t k, uint32_t b, uint32_t page_bits, uint32_t zones,
                           uint64_t hist[TILES_ZONES]);

#endif
