/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does each descriptor get what figure 17 (Vijaykumar 2019) says, and has every CTA of a launch one cluster? */
#include "base/rng.h"
#include "kit/test.h"
#include "systems/ldesc/choose.h"

enum { SEED = 0xc400, ROUNDS = 200, A = 0x40000000, PAGE = 65536 };

static struct ldesc_record structure(uint64_t base, uint32_t type, uint32_t sharing, uint32_t pattern) {
  return (struct ldesc_record){.base = base,
                               .bytes = 4 * PAGE,
                               .element = 4,
                               .length = {PAGE, 1, 1},
                               .data = {512, 1, 1}, /* 2048 bytes: 128 tiles */
                               .ctas = {1, 1, 1},
                               .map = {1, 0, 0},
                               .type = (uint8_t)type,
                               .sharing = (uint8_t)sharing,
                               .pattern = (uint8_t)pattern,
                               .stride = pattern == PATTERN_REGULAR ? 256 : 0};
}

static struct ldesc_choose_in launch(uint32_t n, const struct ldesc_record *r) {
  return (struct ldesc_choose_in){.grid = {128, 1, 1},
                                  .n = n,
                                  .record = r,
                                  .sms = 15,
                                  .modules = 1,
                                  .page_bits = 16,
                                  .l1_bytes = 32768,
                                  .local_base = 1000,
                                  .local_limit = 2000,
                                  .options = {.schedule = true, .cache = true, .prefetch = true, .place = true}};
}

/* ---- figure 17 ---- */

static const struct {
  uint8_t type, sharing, pattern;
  bool clusters;
  uint8_t insert, prefetch;
} figure_17[] = {
  {TYPE_INTER_THREAD, SHARING_COACCESSED, PATTERN_REGULAR, true, LDESC_NORMAL, LDESC_PREFETCH_STRIDE},
  {TYPE_INTER_THREAD, SHARING_COACCESSED, PATTERN_IRREGULAR, true, LDESC_SOFT, LDESC_PREFETCH_OFF},
  {TYPE_INTER_THREAD, SHARING_NEARBY, PATTERN_REGULAR, true, LDESC_NORMAL, LDESC_PREFETCH_NEXT},
  {TYPE_INTER_THREAD, SHARING_NEARBY, PATTERN_IRREGULAR, true, LDESC_NORMAL, LDESC_PREFETCH_NEXT},
  {TYPE_INTRA_THREAD, SHARING_COACCESSED, PATTERN_REGULAR, false, LDESC_HARD, LDESC_PREFETCH_OFF},
  {TYPE_INTRA_THREAD, SHARING_NEARBY, PATTERN_IRREGULAR, false, LDESC_HARD, LDESC_PREFETCH_OFF},
  {TYPE_NO_REUSE, SHARING_COACCESSED, PATTERN_REGULAR, false, LDESC_BYPASS, LDESC_PREFETCH_OFF},
  {TYPE_NO_REUSE, SHARING_NEARBY, PATTERN_IRREGULAR, false, LDESC_BYPASS, LDESC_PREFETCH_OFF},
};
enum { KINDS = sizeof figure_17 / sizeof *figure_17 };

static void test_each_kind_has_the_row_of_figure_17(void **unused) {
  (void)unused;
  for (int i = 0; i < KINDS; i++) {
    struct ldesc_record r = structure(A, figure_17[i].type, figure_17[i].sharing, figure_17[i].pattern);
    struct ldesc_choose_in in = launch(1, &r);
    struct ldesc_choice c;
    assert_true(ldesc_choose(&in, &c));
    assert_int_equal(c.policy.rows, 1);
    assert_int_equal(c.policy.row[0].insert, figure_17[i].insert);
    assert_int_equal(c.policy.row[0].prefetch, figure_17[i].prefetch);
    assert_int_equal(c.policy.clustered, figure_17[i].clusters);
    assert_true(c.policy.row[0].base == A / 128 && c.policy.row[0].limit == (A + 4 * PAGE) / 128);
    assert_true(c.policy.row[0].tile[0] == 1 && c.policy.row[0].walked[0] && !c.policy.row[0].walked[1]);
    ldesc_choose_free(&c);
  }
}

/* What one technique alone, or another reading, makes of it. */
static void test_options_take_techniques_away(void **unused) {
  (void)unused;
  for (int i = 0; i < KINDS; i++) {
    struct ldesc_record r = structure(A, figure_17[i].type, figure_17[i].sharing, figure_17[i].pattern);
    struct ldesc_choose_in in = launch(1, &r);
    bool inter = r.type == TYPE_INTER_THREAD;
    in.options = (struct ldesc_choose_options){.prefetch = true, .alone = true};
    struct ldesc_row row = ldesc_choose_row(&in, &r);
    assert_int_equal(row.insert, LDESC_NORMAL);
    assert_int_equal(row.prefetch, r.pattern == PATTERN_REGULAR ? LDESC_PREFETCH_STRIDE : LDESC_PREFETCH_NEXT);
    in.options = (struct ldesc_choose_options){.cache = true, .alone = true};
    row = ldesc_choose_row(&in, &r);
    assert_int_equal(row.insert, inter ? LDESC_SOFT : figure_17[i].insert);
    assert_int_equal(row.prefetch, LDESC_PREFETCH_OFF);
    in.options = (struct ldesc_choose_options){.cache = true, .soft_all_inter = true};
    assert_int_equal(ldesc_choose_row(&in, &r).insert, inter ? LDESC_SOFT : figure_17[i].insert);
    in.options = (struct ldesc_choose_options){.schedule = true};
    row = ldesc_choose_row(&in, &r);
    assert_true(row.insert == LDESC_NORMAL && row.prefetch == LDESC_PREFETCH_OFF);
  }
}

/* 32 KB: 2 KB wide tiles, 4 at once: 4 strides; 8: 2 strides; 8 KB wide, 8 at once: less than one stride is one. */
static void test_the_distance_shrinks_with_active_tiles(void **unused) {
  (void)unused;
  assert_int_equal(ldesc_choose_distance(32768, 2048, 256, 4), 4 * 256);
  assert_int_equal(ldesc_choose_distance(32768, 2048, 256, 8), 2 * 256);
  assert_int_equal(ldesc_choose_distance(32768, 8192, 256, 8), 256);
  assert_int_equal(ldesc_choose_distance(32768, 3000, 100, 3), 3 * 100); /* 3.64 */
  assert_int_equal(ldesc_choose_distance(1 << 24, 1, UINT32_MAX, 1), UINT32_MAX);
  struct ldesc_record r = structure(A, TYPE_INTER_THREAD, SHARING_COACCESSED, PATTERN_REGULAR);
  struct ldesc_choose_in in = launch(1, &r);
  const uint32_t want[8] = {16, 8, 5, 4, 3, 2, 2, 2};
  struct ldesc_row row = ldesc_choose_row(&in, &r);
  for (int k = 0; k < 8; k++) assert_int_equal(row.distance[k], 256 * want[k]);
}

/* ---- conflicts ---- */

static void test_priority_orders_rows_and_decides_between_types(void **unused) {
  struct ldesc_record r[] = {structure(A, TYPE_NO_REUSE, 0, 0), structure(A + 8 * PAGE, TYPE_INTER_THREAD, 0, 0),
                             structure(A, TYPE_INTRA_THREAD, 0, 0), structure(0, TYPE_INTRA_THREAD, 0, 0),
                             structure(A + 16 * PAGE, TYPE_NO_REUSE, 0, 0)};
  struct ldesc_choose_in in = launch(5, r);
  struct ldesc_choice c;
  (void)unused;
  r[0].priority = 3, r[1].priority = 7, r[2].priority = 5, r[3].priority = 7, r[4].priority = 0;
  r[3].local = true;
  assert_true(ldesc_choose(&in, &c));
  assert_int_equal(c.n, 4); /* of A only what is intra-thread */
  assert_true(c.record[0] == &r[1] && c.record[1] == &r[3] && c.record[2] == &r[2] && c.record[3] == &r[4]);
  assert_true(c.policy.row[1].base == 1000 && c.policy.row[1].limit == 2000 && c.policy.row[1].insert == LDESC_HARD);
  assert_int_equal(c.policy.row[2].insert, LDESC_HARD);
  ldesc_choose_free(&c);
  r[0].priority = 5; /* of equals the earlier one */
  assert_true(ldesc_choose(&in, &c));
  assert_true(c.record[2] == &r[0] && c.policy.row[2].insert == LDESC_BYPASS);
  ldesc_choose_free(&c);
}

/* ---- clusters and modules ---- */

/* How often the runs of a module reach each CTA, as block cta_cluster_dispatch walks them. */
static void walk(const struct ldesc_choose_in *in, const struct ldesc_clusters *m, uint8_t module, uint8_t *who,
                 uint32_t *n) {
  for (uint32_t i = 0; i < m->runs; i++) {
    uint32_t at[3];
    memcpy(at, m->run[i].first, sizeof at);
    for (uint32_t k = 0; k < m->run[i].count; k++) {
      for (uint32_t z = at[2]; z < at[2] + m->size[2] && z < in->grid[2]; z++)
        for (uint32_t y = at[1]; y < at[1] + m->size[1] && y < in->grid[1]; y++)
          for (uint32_t x = at[0]; x < at[0] + m->size[0] && x < in->grid[0]; x++) {
            uint32_t cta = (z * in->grid[1] + y) * in->grid[0] + x;
            who[cta] = module;
            n[cta]++;
          }
      for (int d = 0; d < 3; d++) {
        at[d] += m->size[d];
        if (at[d] < in->grid[d]) break;
        at[d] = 0;
      }
    }
  }
}

static void test_every_cta_has_one_cluster_in_its_module(void **unused) {
  static uint8_t who[64 * 16 * 3];
  static uint32_t times[64 * 16 * 3];
  struct rng g;
  uint32_t several = 0;
  (void)unused;
  rng_seed(&g, SEED);
  for (int round = 0; round < ROUNDS; round++) {
    struct ldesc_record r[4];
    struct ldesc_choose_in in = launch(1 + rng_below(&g, 4), r);
    in.grid[0] = 1 + rng_below(&g, 64), in.grid[1] = 1 + rng_below(&g, 16), in.grid[2] = 1 + rng_below(&g, 3);
    in.modules = 1U << rng_below(&g, 3);
    in.sms = in.modules * (1 + rng_below(&g, 8));
    uint32_t ctas = in.grid[0] * in.grid[1] * in.grid[2];
    for (uint32_t i = 0; i < in.n; i++) {
      r[i] = structure(A + i * 8 * PAGE, i ? rng_below(&g, 3) : TYPE_INTER_THREAD, rng_below(&g, 2), rng_below(&g, 2));
      r[i].priority = (uint8_t)rng_below(&g, 3);
      for (int d = 0; d < 3; d++) {
        r[i].map[d] = (uint8_t)(d + 1);
        r[i].ctas[d] = 1 + rng_below(&g, in.grid[d]);
      }
    }
    struct ldesc_choice c;
    assert_true(ldesc_choose(&in, &c));
    assert_true(c.policy.clustered);
    assert_int_equal(c.divided, in.modules > 1);
    memset(times, 0, sizeof times);
    for (uint32_t m = 0; m < in.modules; m++) walk(&in, &c.policy.module[m], (uint8_t)m, who, times);
    for (uint32_t i = 0; i < ctas; i++) {
      if (times[i] != 1) fail_msg("seed %d, round %d: CTA %u has %u clusters", SEED, round, i, times[i]);
      if (c.divided) assert_int_equal(who[i], c.numa.zone[i]);
    }
    several += in.modules > 1 && c.policy.module[0].size[0] > 1;
    ldesc_choose_free(&c);
  }
  assert_true(several > 5);
}

/* Clusters of a given size are no larger than the grid, need no inter-thread structure, and reach every CTA once. */
static void test_clusters_of_a_given_size_reach_every_cta_once(void **unused) {
  static const uint32_t sizes[][3] = {{1, 1, 1}, {2, 4, 1}, {3, 5, 2}, {65535, 1, 1}, {4, 65535, 65535}};
  struct ldesc_record r = structure(A, TYPE_NO_REUSE, SHARING_COACCESSED, PATTERN_REGULAR);
  (void)unused;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (uint32_t modules = 1; modules <= 4; modules *= 4) {
      static uint8_t who[16 * 7 * 3];
      uint32_t times[16 * 7 * 3] = {0};
      struct ldesc_choose_in in = launch(1, &r);
      struct ldesc_choice c;
      in.modules = modules;
      in.sms = 4 * modules;
      in.grid[0] = 16, in.grid[1] = 7, in.grid[2] = 3;
      memcpy(in.options.cluster, sizes[i], sizeof sizes[i]);
      assert_true(ldesc_choose(&in, &c));
      assert_true(c.policy.clustered);
      for (int d = 0; d < 3; d++)
        assert_int_equal(c.policy.module[0].size[d], sizes[i][d] < in.grid[d] ? sizes[i][d] : in.grid[d]);
      for (uint32_t m = 0; m < modules; m++) walk(&in, &c.policy.module[m], (uint8_t)m, who, times);
      for (uint32_t k = 0; k < 16 * 7 * 3; k++) assert_int_equal(times[k], 1);
      ldesc_choose_free(&c);
    }
}

static void test_a_grid_that_is_too_large_gets_a_table_only(void **unused) {
  struct ldesc_record r = structure(A, TYPE_INTER_THREAD, SHARING_COACCESSED, PATTERN_REGULAR);
  struct ldesc_choose_in in = launch(1, &r);
  struct ldesc_choice c;
  (void)unused;
  in.grid[0] = 65536;
  assert_true(ldesc_choose(&in, &c));
  assert_true(c.too_large && !c.policy.clustered && c.policy.rows == 1);
  in.grid[0] = 1024, in.grid[1] = 1025;
  assert_true(ldesc_choose(&in, &c));
  assert_true(c.too_large && !c.policy.clustered);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_each_kind_has_the_row_of_figure_17),
    cmocka_unit_test(test_options_take_techniques_away),
    cmocka_unit_test(test_the_distance_shrinks_with_active_tiles),
    cmocka_unit_test(test_priority_orders_rows_and_decides_between_types),
    cmocka_unit_test(test_every_cta_has_one_cluster_in_its_module),
    cmocka_unit_test(test_clusters_of_a_given_size_reach_every_cta_once),
    cmocka_unit_test(test_a_grid_that_is_too_large_gets_a_table_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
