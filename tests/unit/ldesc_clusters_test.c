/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Are clusters those of algorithm 1 (Vijaykumar 2019, 3.4.3), and inside one module each? */
#include "base/rng.h"
#include "kit/test.h"
#include "systems/ldesc/clusters.h"

enum { SEED = 0xc105, ROUNDS = 2000, MOST = 4 };

static void form(const uint32_t grid[3], uint32_t sms, uint32_t n, const uint32_t ctas[][3], const uint32_t want[3]) {
  struct ldesc_clusters_in in = {.sms = sms, .n = n, .ctas = ctas};
  uint32_t size[3];
  memcpy(in.grid, grid, sizeof in.grid);
  ldesc_clusters_form(&in, size);
  if (memcmp(size, want, sizeof size) != 0)
    fail_msg("%u x %u x %u, not %u x %u x %u", size[0], size[1], size[2], want[0], want[1], want[2]);
}
#define FORM(gx, gy, gz, sms, x, y, z, ...)                                                                   \
  form((const uint32_t[]){gx, gy, gz}, sms, sizeof((const uint32_t[][3]){__VA_ARGS__}) / sizeof(uint32_t[3]), \
       (const uint32_t[][3]){__VA_ARGS__}, (const uint32_t[]){x, y, z})

/* Worked out on paper. */
static void test_examples_by_hand(void **unused) {
  (void)unused;
  FORM(16, 16, 1, 15, 1, 16, 1, {1, 16, 1}); /* 16 columns for 15 SMs */
  FORM(8, 16, 1, 15, 1, 8, 1, {1, 16, 1});   /* 8 columns are too few: halves of columns */
  FORM(8, 8, 1, 15, 2, 2, 1, {8, 8, 1});     /* 1, 2 (x), 4 (y), 8 (x), 16 (y) tiles */
  FORM(20, 1, 1, 7, 3, 1, 1, {5, 1, 1});     /* 4 tiles; the larger half of 5 is 3: 7 tiles, the last one cut */
  FORM(4, 2, 1, 15, 1, 1, 1, {2, 2, 1});     /* too few CTAs for the SMs */
  FORM(32, 32, 1, 15, 4, 4, 1, {1, 4, 1}, {4, 1, 1}); /* both at once: 64 clusters */
  FORM(8, 8, 1, 15, 1, 4, 1, {1, 8, 1}, {8, 1, 1});   /* 1 x 4 and 4 x 1; 4 x 4 would be 4 clusters: the first counts */
  FORM(64, 64, 1, 15, 6, 1, 1, {3, 1, 1}, {7, 1, 1}); /* 7 / 3 = 2 tiles of 3 */
  FORM(64, 64, 1, 15, 16, 16, 1, {2, 2, 1}, {64, 64, 1},
       {8, 1, 1}); /* 64 x 64 is divided to 16 x 16, of which there are 16: merged;
                                                                       8 / 16 is 0: nothing changes */
}

/* ---- an oracle that marks CTAs ---- */

struct oracle {
  const uint32_t *grid;
  const uint8_t *module;
  uint32_t sms;
};

/* Whether there is a cluster for each SM, of each module that has any, and none has CTAs of two. */
static bool enough(const struct oracle *o, const uint32_t size[3]) {
  uint32_t seen[4] = {0};
  for (uint32_t i = 0; i < o->grid[0] * o->grid[1] * o->grid[2]; i++) {
    uint32_t x = i % o->grid[0], y = i / o->grid[0] % o->grid[1], z = i / o->grid[0] / o->grid[1];
    uint32_t first =
      ((z / size[2] * size[2]) * o->grid[1] + y / size[1] * size[1]) * o->grid[0] + x / size[0] * size[0];
    if (o->module && o->module[first] != o->module[i]) return false;
    if (first == i) seen[o->module ? o->module[i] : 0]++;
  }
  for (int m = 0; m < 4; m++)
    if (seen[m] && seen[m] < o->sms) return false;
  return true;
}

static void algorithm_1(const struct oracle *o, uint32_t n, uint32_t tile[][3], uint32_t size[3]) {
  for (uint32_t i = 0; i < n; i++)
    while (!enough(o, tile[i])) {
      uint32_t *t = tile[i];
      if (t[0] == 1 && t[1] == 1 && t[2] == 1) break;
      if (t[0] >= t[1] && t[0] >= t[2]) t[0] = (t[0] + 1) / 2;
      else if (t[1] >= t[2]) t[1] = (t[1] + 1) / 2;
      else t[2] = (t[2] + 1) / 2;
    }
  memcpy(size, tile[0], 3 * sizeof *size);
  for (uint32_t i = 1; i < n; i++) {
    uint32_t merged[3];
    for (int d = 0; d < 3; d++) {
      merged[d] = 0;
      do merged[d] += size[d];
      while (merged[d] + size[d] <= tile[i][d]);
    }
    if (enough(o, merged)) memcpy(size, merged, sizeof merged);
  }
}

static void test_clusters_are_those_of_the_algorithm(void **unused) {
  static uint8_t module[24 * 24 * 4];
  struct rng g;
  uint32_t divided = 0, merged = 0;
  (void)unused;
  rng_seed(&g, SEED);
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t grid[3], tile[MOST][3], n = 1 + rng_below(&g, MOST), want[3], size[3];
    for (int d = 0; d < 3; d++) grid[d] = 1 + rng_below(&g, d == 2 ? 4 : 24);
    for (uint32_t i = 0; i < n; i++)
      for (int d = 0; d < 3; d++) tile[i][d] = rng_percent(&g, 40) ? 1 : 1 + rng_below(&g, grid[d]);
    bool several = rng_percent(&g, 50);
    uint32_t step = 1 + rng_below(&g, 6); /* modules in bands of CTAs */
    for (uint32_t i = 0; i < grid[0] * grid[1] * grid[2]; i++) module[i] = (uint8_t)(i % grid[0] / step % 4);
    struct oracle o = {grid, several ? module : NULL, 1 + rng_below(&g, 16)};
    struct ldesc_clusters_in in = {.sms = o.sms, .n = n, .ctas = (const uint32_t(*)[3])tile, .module_of = o.module};
    memcpy(in.grid, grid, sizeof grid);
    ldesc_clusters_form(&in, size);
    uint32_t first[3];
    memcpy(first, tile[0], sizeof first);
    algorithm_1(&o, n, tile, want); /* changes the tiles */
    if (memcmp(size, want, sizeof size) != 0) fail_msg("seed %d, round %d", SEED, round);
    divided += memcmp(first, tile[0], sizeof first) != 0;
    merged += memcmp(size, tile[0], sizeof size) != 0;
    uint64_t of[4], mixed;
    ldesc_clusters_count(&in, size, of, &mixed);
    assert_int_equal(mixed, 0);
  }
  assert_true(divided > ROUNDS / 10 && merged > ROUNDS / 20);
}

static void test_without_descriptors_a_cluster_is_a_cta(void **unused) {
  struct ldesc_clusters_in in = {.grid = {9, 9, 9}, .sms = 4};
  uint32_t size[3];
  (void)unused;
  ldesc_clusters_form(&in, size);
  assert_true(size[0] == 1 && size[1] == 1 && size[2] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_examples_by_hand),
    cmocka_unit_test(test_clusters_are_those_of_the_algorithm),
    cmocka_unit_test(test_without_descriptors_a_cluster_is_a_cta),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
