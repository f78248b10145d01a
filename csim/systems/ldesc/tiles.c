/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/ldesc/tiles.h"

#include "base/err.h"

#include <string.h>

static uint64_t min_of(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint32_t pieces(uint32_t whole, uint32_t size) { return whole / size + (whole % size ? 1 : 0); }

uint64_t ldesc_tiles_along(const uint32_t whole[3], const uint32_t size[3], uint32_t n[3]) {
  uint64_t all = 1;
  for (int d = 0; d < RECORD_AXES; d++) all *= n[d] = pieces(whole[d], size[d]);
  return all;
}

uint64_t ldesc_tiles_of_ctas(const struct ldesc_record *r, const uint32_t grid[3]) {
  uint32_t n[3];
  return ldesc_tiles_along(grid, r->ctas, n);
}

uint64_t ldesc_tiles_of_data(const struct ldesc_record *r) {
  uint32_t n[3];
  return ldesc_tiles_along(r->length, r->data, n);
}

int ldesc_tiles_fit(const struct ldesc_record *r, const uint32_t grid[3], struct err *e) {
  static const char axis_name[RECORD_AXES] = {'x', 'y', 'z'};
  for (int d = 0; d < RECORD_AXES; d++) {
    if (r->ctas[d] > grid[d])
      return err_set(e, ERR_VALUE, "the C-Tile is larger than the grid: %u CTAs of %u along %c", r->ctas[d], grid[d],
                     axis_name[d]);
    if (!r->map[d] && r->ctas[d] < grid[d])
      return err_set(
        e, ERR_VALUE,
        "the map does not walk along %c, where the grid has %u C-Tiles; give the axis a rank, or enlarge the C-Tile to "
        "all %u CTAs, which then share a D-Tile",
        axis_name[d], pieces(grid[d], r->ctas[d]), grid[d]);
  }
  return 0;
}

/* ---- C-Tiles ---- */

/* The axes in the order of the walk. Those without a rank have one C-Tile and come last. */
static void walk(const struct ldesc_record *r, int axis[3]) {
  int n = 0;
  for (int rank = 1; rank <= RECORD_AXES + 1; rank++)
    for (int d = 0; d < RECORD_AXES; d++)
      if (r->map[d] ? r->map[d] == rank : rank > RECORD_AXES) axis[n++] = d;
}

uint64_t ldesc_tiles_number(const struct ldesc_record *r, const uint32_t grid[3], const uint32_t cta[3]) {
  int axis[3];
  uint32_t n[3];
  uint64_t k = 0;
  walk(r, axis);
  ldesc_tiles_along(grid, r->ctas, n);
  for (int i = RECORD_AXES - 1; i >= 0; i--) k = k * n[axis[i]] + cta[axis[i]] / r->ctas[axis[i]];
  return k;
}

void ldesc_tiles_box(const struct ldesc_record *r, const uint32_t grid[3], uint64_t k, uint32_t first[3],
                     uint32_t n[3]) {
  int axis[3];
  uint32_t tiles[3];
  walk(r, axis);
  ldesc_tiles_along(grid, r->ctas, tiles);
  for (int i = 0; i < RECORD_AXES; i++) {
    int d = axis[i];
    first[d] = (uint32_t)(k % tiles[d]) * r->ctas[d];
    n[d] = (uint32_t)min_of(r->ctas[d], grid[d] - first[d]);
    k /= tiles[d];
  }
}

/* ---- D-Tiles ---- */

void ldesc_tiles_rows(const struct ldesc_record *r, uint64_t k, void (*row)(void *, uint64_t, uint64_t), void *self) {
  uint32_t n[3], first[3], end[3];
  ldesc_tiles_along(r->length, r->data, n);
  for (int d = 0; d < RECORD_AXES; d++) {
    first[d] = (uint32_t)(k % n[d]) * r->data[d];
    end[d] = (uint32_t)min_of((uint64_t)first[d] + r->data[d], r->length[d]);
    k /= n[d];
  }
  if (k) return; /* there is no such tile */
  for (uint32_t z = first[2]; z < end[2]; z++)
    for (uint32_t y = first[1]; y < end[1]; y++) {
      uint64_t at = ((uint64_t)z * r->length[1] + y) * r->length[0];
      uint64_t from = (at + first[0]) * r->element, to = min_of((at + end[0]) * r->element, r->bytes);
      if (from < to) row(self, from, to);
    }
}

/* Bytes of [0, x) in zone z of 2^bits. */
static uint64_t below(uint64_t x, uint32_t b, uint32_t bits, uint32_t z) {
  uint64_t piece = UINT64_C(1) << b, rest = x & ((piece << bits) - 1), begin = (uint64_t)z << b;
  uint64_t part = rest <= begin ? 0 : min_of(rest - begin, piece);
  return (x >> (b + bits) << b) + part;
}

void ldesc_tiles_zone_bytes(uint64_t from, uint64_t to, uint32_t b, uint32_t zones, uint64_t bytes[TILES_ZONES]) {
  uint32_t bits = (uint32_t)__builtin_ctz(zones);
  if (from < to && !((from ^ (to - 1)) >> b)) { /* most rows are inside of one piece */
    memset(bytes, 0, zones * sizeof *bytes);
    bytes[from >> b & (zones - 1)] = to - from;
    return;
  }
  for (uint32_t z = 0; z < zones; z++) bytes[z] = below(to, b, bits, z) - below(from, b, bits, z);
}

uint64_t ldesc_tiles_origin(const struct ldesc_record *r, uint32_t b, uint32_t page_bits) {
  return b < page_bits ? 0 : r->base >> page_bits << page_bits;
}

uint32_t ldesc_tiles_zone_bit(const struct ldesc_record *r, uint32_t b, uint32_t page_bits) {
  if (b < TILES_LAST_BIT || b < page_bits) return b;
  uint64_t piece = (uint64_t)r->data[0] * r->element; /* bytes of a D-Tile that follow one another */
  for (int d = 1; d < RECORD_AXES && r->data[d - 1] == r->length[d - 1]; d++) piece *= r->data[d];
  while (UINT64_C(2) << b <= piece) b++;
  return b;
}

struct histogram_sum {
  uint64_t shift; /* from an offset in the structure to the address whose bits decide */
  uint32_t b, zones;
  uint64_t *hist;
};

static void add_row(void *self, uint64_t from, uint64_t to) {
  const struct histogram_sum *s = self;
  uint64_t bytes[TILES_ZONES];
  ldesc_tiles_zone_bytes(from + s->shift, to + s->shift, s->b, s->zones, bytes);
  for (uint32_t z = 0; z < s->zones; z++) s->hist[z] += bytes[z];
}

void ldesc_tiles_histogram(const struct ldesc_record *r, uint64_t k, uint32_t b, uint32_t page_bits, uint32_t zones,
                           uint64_t hist[TILES_ZONES]) {
  uint32_t bit = ldesc_tiles_zone_bit(r, b, page_bits);
  struct histogram_sum s = {r->base - ldesc_tiles_origin(r, b, page_bits), bit, zones, hist};
  ldesc_tiles_rows(r, k, add_row, &s);
}
