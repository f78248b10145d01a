/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Has each CTA its C-Tile, each byte its D-Tile, and each byte its zone? The oracles look at every CTA and every byte. */
#include "base/err.h"
#include "base/rng.h"
#include "kit/test.h"
#include "systems/ldesc/tiles.h"

enum { SEED = 0x711e, ROUNDS = 300, BYTES = 1 << 15 };

/* ---- by hand ---- */

/* Vijaykumar 2019, 3.3.3: map (3, 1, 2) walks y, then z, then x. */
static void test_the_map_of_the_thesis(void **unused) {
  const struct ldesc_record r = {.ctas = {1, 1, 1}, .map = {3, 1, 2}};
  const uint32_t grid[3] = {2, 3, 2};
  (void)unused;
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){0, 0, 0}), 0);
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){0, 1, 0}), 1);
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){0, 2, 0}), 2);
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){0, 0, 1}), 3);
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){1, 0, 0}), 6);
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){1, 2, 1}), 11);
}

struct list {
  uint64_t from[64], to[64];
  uint32_t n;
};
static void note(void *self, uint64_t from, uint64_t to) {
  struct list *l = self;
  assert_true(l->n < 64);
  l->from[l->n] = from;
  l->to[l->n++] = to;
}

/* histo (3.3.2): 4 columns of 32 elements of 4 bytes, 3 rows; CTAs with equal x share a column. */
static void test_columns_of_histo(void **unused) {
  const struct ldesc_record r = {
    .bytes = 3 * 512, .element = 4, .length = {128, 3, 1}, .data = {32, 3, 1}, .ctas = {1, 16, 1}, .map = {1, 0, 0}};
  const uint32_t grid[3] = {4, 16, 1};
  struct list l = {.n = 0};
  (void)unused;
  assert_int_equal(ldesc_tiles_of_ctas(&r, grid), 4);
  assert_int_equal(ldesc_tiles_of_data(&r), 4);
  assert_int_equal(ldesc_tiles_number(&r, grid, (uint32_t[]){2, 15, 0}), 2);
  ldesc_tiles_rows(&r, 2, note, &l);
  assert_int_equal(l.n, 3);
  for (uint32_t y = 0; y < 3; y++) assert_true(l.from[y] == 512 * y + 256 && l.to[y] == 512 * y + 384);
}

/* ---- every CTA ---- */

/* Numbers of all CTAs, by walking: the axis of rank 1 in the innermost loop. */
static void walk(const struct ldesc_record *r, const uint32_t grid[3], uint32_t *number) {
  int by_rank[3] = {-1, -1, -1}, n = 0;
  for (int rank = 1; rank <= 3; rank++)
    for (int d = 0; d < 3; d++)
      if (r->map[d] == rank) by_rank[n++] = d;
  for (int d = 0; d < 3; d++)
    if (!r->map[d]) by_rank[n++] = d;
  uint32_t at[3] = {0}, k = 0;
  int a = by_rank[0], b = by_rank[1], c = by_rank[2];
  for (at[c] = 0; at[c] < grid[c]; at[c] += r->ctas[c])
    for (at[b] = 0; at[b] < grid[b]; at[b] += r->ctas[b])
      for (at[a] = 0; at[a] < grid[a]; at[a] += r->ctas[a], k++)
        for (uint32_t z = at[2]; z < at[2] + r->ctas[2] && z < grid[2]; z++)
          for (uint32_t y = at[1]; y < at[1] + r->ctas[1] && y < grid[1]; y++)
            for (uint32_t x = at[0]; x < at[0] + r->ctas[0] && x < grid[0]; x++)
              number[(z * grid[1] + y) * grid[0] + x] = k;
}

static void random_map(struct rng *g, uint8_t map[3]) {
  static const uint8_t all[][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1},
                                   {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 0}, {2, 1, 0}, {0, 1, 2},
                                   {0, 2, 1}, {1, 0, 2}, {2, 0, 1}, {0, 0, 0}};
  memcpy(map, all[rng_below(g, sizeof all / sizeof *all)], 3);
}

static void test_each_cta_is_in_the_tile_that_a_walk_meets_it_in(void **unused) {
  static uint32_t number[16 * 16 * 16];
  struct rng g;
  (void)unused;
  rng_seed(&g, SEED);
  for (int round = 0; round < ROUNDS; round++) {
    struct ldesc_record r = {.element = 1};
    uint32_t grid[3], at[3], n[3], first[3];
    struct err e = {0};
    random_map(&g, r.map);
    for (int d = 0; d < 3; d++) {
      grid[d] = 1 + rng_below(&g, 12);
      r.ctas[d] = r.map[d] ? 1 + rng_below(&g, grid[d]) : grid[d];
    }
    assert_int_equal(ldesc_tiles_fit(&r, grid, &e), 0);
    walk(&r, grid, number);
    uint64_t most = 0;
    for (at[2] = 0; at[2] < grid[2]; at[2]++)
      for (at[1] = 0; at[1] < grid[1]; at[1]++)
        for (at[0] = 0; at[0] < grid[0]; at[0]++) {
          uint64_t k = number[(at[2] * grid[1] + at[1]) * grid[0] + at[0]];
          if (ldesc_tiles_number(&r, grid, at) != k) fail_msg("seed %d, round %d", SEED, round);
          ldesc_tiles_box(&r, grid, k, first, n);
          for (int d = 0; d < 3; d++)
            assert_true(at[d] >= first[d] && at[d] < first[d] + n[d] && first[d] + n[d] <= grid[d]);
          if (k > most) most = k;
        }
    assert_int_equal(ldesc_tiles_of_ctas(&r, grid), most + 1);
  }
}

/* D-Tiles beyond a page: the page table gives all pages of one the same zone, and the next one the next. */
static void test_tiles_of_several_pages_have_one_zone(void **unused) {
  (void)unused;
  for (uint32_t pages = 1; pages <= 16; pages *= 2) {
    const struct ldesc_record r = {.base = UINT64_C(7) << 16,
                                   .bytes = UINT64_C(8) * pages << 16,
                                   .element = 4,
                                   .length = {1024, 8 * pages * 16, 1},
                                   .data = {1024, pages * 16, 1},
                                   .ctas = {1, 1, 1}};
    for (uint32_t k = 0; k < 8; k++) {
      uint64_t hist[TILES_ZONES] = {0};
      ldesc_tiles_histogram(&r, k, 16, 16, 4, hist);
      for (uint32_t z = 0; z < 4; z++) assert_int_equal(hist[z], z == k % 4 ? (uint64_t)pages << 16 : 0);
    }
    assert_int_equal(ldesc_tiles_zone_bit(&r, 15, 16), 15);
  }
  /* rows of 4 KB, of which a tile has a quarter: not in one piece; three pages: granules of two */
  const struct ldesc_record quarter = {.element = 4, .length = {1024, 1024, 1}, .data = {256, 1024, 1}};
  const struct ldesc_record three = {.element = 4, .length = {1024, 480, 1}, .data = {1024, 48, 1}};
  assert_int_equal(ldesc_tiles_zone_bit(&quarter, 16, 16), 16);
  assert_int_equal(ldesc_tiles_zone_bit(&three, 16, 16), 17);
}

static void test_tiles_that_do_not_fit_the_grid_are_refused(void **unused) {
  const uint32_t grid[3] = {8, 4, 1};
  struct ldesc_record r = {.ctas = {1, 5, 1}, .map = {1, 2, 0}};
  struct err e = {0};
  (void)unused;
  assert_int_equal(ldesc_tiles_fit(&r, grid, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "5 CTAs of 4 along y"));
  r.ctas[1] = 2, r.map[1] = 0;
  assert_int_equal(ldesc_tiles_fit(&r, grid, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "does not walk along y, where the grid has 2 C-Tiles"));
  r.ctas[1] = 4;
  assert_int_equal(ldesc_tiles_fit(&r, grid, &e), 0);
}

/* ---- every byte ---- */

struct marks {
  uint32_t *tile, k; /* of each byte, + 1 */
};
static void mark(void *self, uint64_t from, uint64_t to) {
  struct marks *m = self;
  assert_true(from < to);
  for (; from < to; from++) {
    assert_int_equal(m->tile[from], 0);
    m->tile[from] = m->k + 1;
  }
}

static struct ldesc_record random_structure(struct rng *g) {
  struct ldesc_record r = {.base = UINT64_C(0x200000000) + 256 * rng_below(g, 4096), .element = 1 + rng_below(g, 8)};
  for (int d = 0; d < 3; d++) {
    r.length[d] = 1 + rng_below(g, d ? 8 : 60);
    r.data[d] = 1 + rng_below(g, r.length[d]);
  }
  uint32_t all = r.length[0] * r.length[1] * r.length[2] * r.element;
  r.bytes = rng_percent(g, 70) ? all : 1 + rng_below(g, all + 100);
  return r;
}

static void test_each_byte_is_in_the_tile_of_its_element(void **unused) {
  static uint32_t tile[BYTES];
  struct rng g;
  (void)unused;
  rng_seed(&g, SEED);
  for (int round = 0; round < ROUNDS; round++) {
    struct ldesc_record r = random_structure(&g);
    memset(tile, 0, sizeof tile);
    for (uint32_t k = 0; k <= ldesc_tiles_of_data(&r); k++) ldesc_tiles_rows(&r, k, mark, &(struct marks){tile, k});
    for (uint32_t i = 0; i < BYTES; i++) {
      uint32_t element = i / r.element, x = element % r.length[0], y = element / r.length[0] % r.length[1],
               z = element / r.length[0] / r.length[1];
      uint32_t nx = (r.length[0] + r.data[0] - 1) / r.data[0], ny = (r.length[1] + r.data[1] - 1) / r.data[1];
      uint32_t k = (z / r.data[2] * ny + y / r.data[1]) * nx + x / r.data[0];
      uint32_t want = i < r.bytes && z < r.length[2] ? k + 1 : 0;
      if (tile[i] != want) fail_msg("seed %d, round %d: byte %u is in tile %u, not %u", SEED, round, i, tile[i], want);
    }
  }
}

struct zone_oracle {
  const struct ldesc_record *r;
  uint64_t origin, bytes[4];
  uint32_t b, zones;
};
static void each_byte(void *self, uint64_t from, uint64_t to) {
  struct zone_oracle *o = self;
  for (; from < to; from++) o->bytes[(o->r->base + from - o->origin) >> o->b & (o->zones - 1)]++;
}

static void test_bytes_of_zones_are_counted_right(void **unused) {
  struct rng g;
  (void)unused;
  rng_seed(&g, SEED);
  for (int round = 0; round < 4 * ROUNDS; round++) {
    struct ldesc_record r = random_structure(&g);
    r.base = UINT64_C(0x200000000) + rng_below(&g, 1 << 20); /* also at odd addresses */
    uint32_t b = 7 + rng_below(&g, 10), page_bits = rng_percent(&g, 50) ? 16 : 12, zones = 1U << rng_below(&g, 3);
    struct zone_oracle o = {.r = &r, .b = b, .zones = zones};
    if (b >= page_bits) o.origin = r.base - r.base % (UINT64_C(1) << page_bits); /* the first page is in zone 0 */
    uint64_t hist[4] = {0}, k = rng_below(&g, (uint32_t)ldesc_tiles_of_data(&r));
    ldesc_tiles_rows(&r, k, each_byte, &o);
    ldesc_tiles_histogram(&r, k, b, page_bits, zones, hist);
    for (int z = 0; z < 4; z++)
      if (hist[z] != o.bytes[z])
        fail_msg("seed %d, round %d: zone %d has %llu bytes, not %llu", SEED, round, z, (unsigned long long)hist[z],
                 (unsigned long long)o.bytes[z]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_map_of_the_thesis),
    cmocka_unit_test(test_columns_of_histo),
    cmocka_unit_test(test_each_cta_is_in_the_tile_that_a_walk_meets_it_in),
    cmocka_unit_test(test_tiles_of_several_pages_have_one_zone),
    cmocka_unit_test(test_tiles_that_do_not_fit_the_grid_are_refused),
    cmocka_unit_test(test_each_byte_is_in_the_tile_of_its_element),
    cmocka_unit_test(test_bytes_of_zones_are_counted_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
