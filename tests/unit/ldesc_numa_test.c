/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does algorithm 2 (Vijaykumar 2019, 3.4.6) find the maps that it should, and do pages then lie where it says? */
#include "base/err.h"
#include "base/rng.h"
#include "dram/address_map.h"
#include "kit/config.h"
#include "mem/page_table.h"
#include "systems/ldesc/numa.h"

enum { SEED = 0x2a3e, ROUNDS = 60, KB = 1024, ALL_LOCAL = NUMA_UNIT };

/* A structure in one dimension: `tiles` pieces of `bytes`, each of `ctas` CTAs in a row. */
static struct ldesc_record row_of(uint64_t base, uint32_t tiles, uint32_t bytes, uint32_t ctas) {
  return (struct ldesc_record){.base = base,
                               .bytes = (uint64_t)tiles * bytes,
                               .element = 4,
                               .length = {tiles * bytes / 4, 1, 1},
                               .data = {bytes / 4, 1, 1},
                               .ctas = {ctas, 1, 1},
                               .map = {1, 0, 0},
                               .stride = 4};
}

static struct ldesc_numa_in problem(uint32_t ctas, uint32_t n, const struct ldesc_record *const *r) {
  return (struct ldesc_numa_in){.grid = {ctas, 1, 1}, .zones = 4, .page_bits = 16, .n = n, .record = r};
}

/* ---- figure 19 ---- */

/* Groups of 4 CTAs share 64 KB of A and 16 KB of B. A goes by bits 16 and 17, B by 14 and 15, and everything is local. */
static void figure_19(uint64_t a, uint64_t b, struct ldesc_numa_choice *c) {
  static struct ldesc_record pair[2];
  static const struct ldesc_record *const both[] = {&pair[0], &pair[1]};
  pair[0] = row_of(a, 16, 64 * KB, 4);
  pair[1] = row_of(b, 16, 16 * KB, 4);
  struct ldesc_numa_in in = problem(64, 2, both);
  assert_true(ldesc_numa_choose(&in, c));
  assert_int_equal(c->bit[0], 16);
  assert_int_equal(c->bit[1], 14);
  assert_int_equal(c->local[0], ALL_LOCAL);
  assert_int_equal(c->local[1], ALL_LOCAL);
  assert_int_equal(c->utility, (2 + 1) * NUMA_UNIT); /* weights 2 and 1 */
  for (uint32_t i = 0; i < 64; i++) assert_int_equal(c->zone[i], i / 4 % 4);
}

static void test_the_pair_of_figure_19_is_local(void **unused) {
  struct ldesc_numa_choice c;
  (void)unused;
  figure_19(DEVICE_MEMORY_BASE, DEVICE_MEMORY_BASE + (1 << 20), &c);
  assert_int_equal(c.evaluations, 10 * (1 + 10 * (2 - 1)));
  ldesc_numa_free(&c);
  /* from any page on: whole pages have any zone, and 16 KB lie inside of a page */
  figure_19(DEVICE_MEMORY_BASE + 7 * 64 * KB, DEVICE_MEMORY_BASE + 29 * 64 * KB, &c);
  ldesc_numa_free(&c);
}

static uint32_t zone_at(struct page_table *pages, uint64_t address) {
  uint64_t physical;
  uint32_t map;
  assert_true(page_table_find(pages, address, 0, &physical, &map));
  return page_table_zone(pages, physical, map).zone;
}

/* The same with a page table: every line of a group's tiles is in the zone of the group's CTAs. */
static void test_the_pair_of_figure_19_in_memory(void **unused) {
  static struct gpu_config config;
  struct address_map map;
  struct device_memory memory;
  struct err e = {0};
  struct ldesc_numa_choice c;
  const struct page_zoning zoning = {4, NUMA_XOR, 16, 16};
  uint64_t moved = 0;
  (void)unused;
  config_begin(&config, NULL);
  config.memory_mib = 16;
  config.mmu_page_bytes = 64 * KB;
  address_map_start(&map, &config);
  struct page_table *pages = page_table_create(&config, &map, &e);
  assert_non_null(pages);
  assert_int_equal(page_table_set_zones(pages, &zoning, &e), 0);
  assert_int_equal(device_memory_create(&memory, 16 << 20, &e), 0);
  struct device_memory_observer o = page_table_observer(pages);
  assert_true(device_memory_observe(&memory, &o));
  device_memory_alloc(&memory, 3 * 64 * KB); /* so that A does not begin at a multiple of four pages */
  uint64_t a = device_memory_alloc(&memory, 16 * 64 * KB), b = device_memory_alloc(&memory, 16 * 16 * KB);
  figure_19(a, b, &c);
  for (uint32_t page = 0; page < 16; page++)
    assert_true(page_table_place(pages, a + page * 64 * KB, 64 * KB, zone_map_of_bit(16), page % 4, &moved));
  assert_true(page_table_place(pages, b, 16 * 16 * KB, zone_map_of_bit(14), PAGE_ANY_ZONE, &moved));
  assert_int_equal(moved, 20 * 64 * KB); /* all of it was placed by the hash before */
  for (uint32_t i = 0; i < 16 * 64 * KB; i += 128) {
    assert_int_equal(zone_at(pages, a + i), c.zone[i / (64 * KB) * 4]);
    if (i < 16 * 16 * KB) assert_int_equal(zone_at(pages, b + i), c.zone[i / (16 * KB) * 4]);
  }
  ldesc_numa_free(&c);
  device_memory_destroy(&memory);
  page_table_destroy(pages);
}

/* ---- by hand ---- */

/* Tiles of 48 KB by 64 KB: 48 in zone 0 | 16 in 0, 32 in 1 | 32 in 1, 16 in 2 | 48 in 2. Each CTA goes where most is: 160 of 192 KB. */
static void test_tiles_that_are_no_power_of_two(void **unused) {
  struct ldesc_record r = row_of(DEVICE_MEMORY_BASE, 4, 48 * KB, 1);
  const struct ldesc_record *const one[] = {&r};
  struct ldesc_numa_in in = problem(4, 1, one);
  uint8_t zone[4];
  uint64_t u;
  (void)unused;
  assert_true(ldesc_numa_part(&in, 0, 16, zone));
  assert_true(zone[0] == 0 && zone[1] == 1 && zone[2] == 1 && zone[3] == 2);
  assert_true(ldesc_numa_util(&in, 0, zone, 16, &u));
  assert_int_equal(u, 160 * NUMA_UNIT / 192);
  in.balance = true; /* a CTA a zone: of the third tile zone 1 has its share, and 2 has more than 0 and 3 */
  assert_true(ldesc_numa_part(&in, 0, 16, zone));
  assert_true(zone[0] == 0 && zone[1] == 1 && zone[2] == 2 && zone[3] == 3);
  assert_true(ldesc_numa_util(&in, 0, zone, 16, &u));
  assert_int_equal(u, (48 + 32 + 16) * NUMA_UNIT / 192);
}

/* All CTAs share all data: the CTAs are cut into parts, a quarter of the accesses is local whatever the map. */
static void test_what_all_share_is_divided(void **unused) {
  struct ldesc_record r = row_of(DEVICE_MEMORY_BASE, 1, 1024 * KB, 32);
  const struct ldesc_record *const one[] = {&r};
  struct ldesc_numa_in in = problem(32, 1, one);
  struct ldesc_numa_choice c;
  (void)unused;
  assert_true(ldesc_numa_choose(&in, &c));
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(c.zone[i], i / 8);
  assert_int_equal(c.local[0], NUMA_UNIT / 4);
  assert_int_equal(c.bit[0], 7); /* of equals the first */
  assert_int_equal(c.evaluations, 10);
  ldesc_numa_free(&c);
}

/* ---- against a search that counts single bytes ---- */

struct sum {
  const struct ldesc_record *r;
  uint64_t of[4];
  uint32_t b, page_bits, zones;
};
static void each_byte(void *self, uint64_t from, uint64_t to) {
  struct sum *s = self;
  uint64_t first_page = s->r->base - s->r->base % (UINT64_C(1) << s->page_bits);
  for (; from < to; from++) s->of[((s->r->base + from - (s->b < s->page_bits ? 0 : first_page)) >> s->b) % s->zones]++;
}

static void bytes_of(const struct ldesc_numa_in *in, uint32_t i, uint32_t b, uint32_t k, uint64_t of[4]) {
  struct sum s = {.r = in->record[i], .b = b, .page_bits = in->page_bits, .zones = in->zones};
  ldesc_tiles_rows(in->record[i], k, each_byte, &s);
  memcpy(of, s.of, sizeof s.of);
}

static uint32_t tile_of(const struct ldesc_numa_in *in, uint32_t i, uint32_t cta) {
  const uint32_t at[3] = {cta % in->grid[0], cta / in->grid[0], 0};
  return (uint32_t)ldesc_tiles_number(in->record[i], in->grid, at);
}

static uint32_t used(const struct ldesc_numa_in *in, uint32_t i) {
  uint32_t a = (uint32_t)ldesc_tiles_of_ctas(in->record[i], in->grid), b = (uint32_t)ldesc_tiles_of_data(in->record[i]);
  return a < b ? a : b;
}

static uint64_t utility(const struct ldesc_numa_in *in, uint32_t i, const uint8_t *zone, uint32_t b) {
  uint64_t local = 0, total = 0;
  for (uint32_t k = 0; k < used(in, i); k++) {
    uint64_t of[4], there = 0, ctas = 0;
    bytes_of(in, i, b, k, of);
    total += of[0] + of[1] + of[2] + of[3];
    for (uint32_t cta = 0; cta < in->grid[0] * in->grid[1]; cta++) {
      if (tile_of(in, i, cta) != k) continue;
      ctas++;
      there += of[zone[cta]];
    }
    assert_true(ctas);
    local += there / (ctas ? ctas : 1);
  }
  return total ? local * NUMA_UNIT / total : 0;
}

static void cut(const struct ldesc_numa_in *in, uint32_t b, uint8_t *zone) {
  uint32_t all = in->grid[0] * in->grid[1], share = (all + in->zones - 1) / in->zones, taken[4] = {0};
  uint32_t tiles = (uint32_t)ldesc_tiles_of_ctas(in->record[0], in->grid);
  for (uint32_t k = 0; k < tiles; k++) {
    uint64_t of[4] = {0};
    uint32_t ctas = 0, i = 0, best = 0;
    if (k < used(in, 0)) bytes_of(in, 0, b, k, of);
    for (uint32_t z = 1; z < in->zones; z++)
      if (of[z] > of[best] || (of[z] == of[best] && taken[z] < taken[best])) best = z;
    for (uint32_t cta = 0; cta < all; cta++) ctas += tile_of(in, 0, cta) == k;
    for (uint32_t cta = 0; cta < all; cta++) {
      if (tile_of(in, 0, cta) != k) continue;
      zone[cta] = (uint8_t)(ctas > share ? i * in->zones / ctas : best);
      i++;
      taken[zone[cta]]++;
    }
  }
}

static void random_record(struct rng *g, const uint32_t grid[3], struct ldesc_record *r) {
  static const uint8_t maps[][3] = {{1, 2, 0}, {2, 1, 0}};
  uint32_t tiles = 1;
  *r = (struct ldesc_record){
    .base = DEVICE_MEMORY_BASE + 256 * rng_below(g, 1024), .element = 4, .stride = 4, .ctas = {1, 1, 1}};
  memcpy(r->map, maps[rng_below(g, 2)], 3);
  for (int d = 0; d < 2; d++) {
    r->ctas[d] = 1 + rng_below(g, grid[d]);
    tiles *= (grid[d] - 1) / r->ctas[d] + 1;
  }
  uint32_t elements = rng_percent(g, 50) ? 32U << rng_below(g, 6) : 16 + rng_below(g, 1000);
  r->data[0] = elements, r->data[1] = r->data[2] = r->length[1] = r->length[2] = 1;
  r->length[0] = elements * (rng_percent(g, 80) ? tiles : 1 + rng_below(g, tiles));
  r->bytes = 4 * r->length[0];
}

static void test_the_search_finds_what_a_search_by_bytes_finds(void **unused) {
  struct rng g;
  uint32_t high = 0;
  (void)unused;
  rng_seed(&g, SEED);
  for (int round = 0; round < ROUNDS; round++) {
    struct ldesc_record r[3];
    const struct ldesc_record *const list[] = {&r[0], &r[1], &r[2]};
    struct ldesc_numa_in in = problem(0, 1 + rng_below(&g, 3), list);
    in.grid[0] = 1 + rng_below(&g, 8), in.grid[1] = 1 + rng_below(&g, 4), in.grid[2] = 1;
    in.zones = rng_percent(&g, 30) ? 2 : 4;
    in.page_bits = rng_percent(&g, 30) ? 12 : 16;
    for (uint32_t i = 0; i < in.n; i++) random_record(&g, in.grid, &r[i]);
    struct ldesc_numa_choice c;
    assert_true(ldesc_numa_choose(&in, &c));
    uint64_t best = 0, seen = 0;
    uint8_t zone[32] = {0}, best_zone[32] = {0};
    uint32_t bit[3] = {7, 7, 7};
    for (uint32_t bh = 7; bh <= 16; bh++) {
      uint32_t tried[3] = {bh, 7, 7};
      cut(&in, bh, zone);
      uint64_t sum = in.n * utility(&in, 0, zone, bh);
      seen++;
      for (uint32_t i = 1; i < in.n; i++) {
        uint64_t most = 0;
        for (uint32_t bl = 7; bl <= 16; bl++, seen++) {
          uint64_t v = utility(&in, i, zone, bl);
          if (v > most) most = v, tried[i] = bl;
        }
        sum += (in.n - i) * most;
      }
      if (sum <= best) continue;
      best = sum;
      memcpy(bit, tried, sizeof bit);
      memcpy(best_zone, zone, sizeof zone);
    }
    assert_int_equal(c.evaluations, seen);
    assert_int_equal(c.evaluations, 10 * (1 + 10 * (in.n - 1)));
    if (c.utility != best || memcmp(c.bit, bit, in.n * sizeof *bit) != 0 ||
        memcmp(c.zone, best_zone, in.grid[0] * in.grid[1]) != 0)
      fail_msg("seed %d, round %d: utility %llu with bit %u, not %llu with %u", SEED, round,
               (unsigned long long)c.utility, c.bit[0], (unsigned long long)best, bit[0]);
    high += bit[0] > 9;
    ldesc_numa_free(&c);
  }
  assert_true(high > ROUNDS / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_pair_of_figure_19_is_local),
    cmocka_unit_test(test_the_pair_of_figure_19_in_memory),
    cmocka_unit_test(test_tiles_that_are_no_power_of_two),
    cmocka_unit_test(test_what_all_share_is_divided),
    cmocka_unit_test(test_the_search_finds_what_a_search_by_bytes_finds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
