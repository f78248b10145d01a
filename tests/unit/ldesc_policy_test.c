/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Is what cannot be obeyed of a policy refused with a sentence, and are random policies ones that may be handed over? And is the working
 * set of an SM a set? */
#include "base/rng.h"
#include "kit/config.h"
#include "systems/ldesc/ldesc_internal.h"

enum { SEED = 0x9011c, MODULES = 4 };

static struct ldesc_policy clusters_of(const struct ldesc_run *run, uint32_t x) {
  struct ldesc_policy p = {.clustered = true};
  p.module[1] = (struct ldesc_clusters){.size = {x, 2, 1}, .run = run, .runs = 1};
  return p;
}

static void refuse(const struct ldesc_policy *p, const uint32_t grid[3], const char *sentence) {
  struct ldesc_kept k = {0};
  struct err e = {0};
  assert_int_equal(ldesc_keep(&k, p, MODULES, grid, &e), ERR_VALUE);
  if (!strstr(e.text, sentence)) fail_msg("'%s' is not '%s'", e.text, sentence);
  assert_null(k.run);
}

static void test_what_cannot_be_is_a_sentence(void **unused) {
  (void)unused;
  const uint32_t grid[3] = {10, 4, 1}, wide[3] = {70000, 1, 1};
  const struct ldesc_run all = {{0, 0, 0}, 8}, long_run = {{0, 0, 0}, 9}, short_run = {{0, 0, 0}, 7};
  const struct ldesc_run off = {{1, 0, 0}, 8}, two[] = {{{0, 0, 0}, 8}, {{3, 0, 0}, 1}};
  struct ldesc_kept k = {0};
  struct err e;
  struct ldesc_policy p = clusters_of(&all, 3);
  assert_int_equal(ldesc_keep(&k, &p, MODULES, grid, &e), 0);
  assert_int_equal(k.policy.module[1].run[0].count, 8);
  free(k.run);
  refuse(&p, wide, "the dispatcher counts to 65535");
  p = clusters_of(&long_run, 3);
  refuse(&p, grid, "a run of 9 clusters leaves the grid after 8");
  p = clusters_of(&short_run, 3);
  refuse(&p, grid, "CTA (9, 2, 0) belongs to no cluster");
  p = clusters_of(&off, 3);
  refuse(&p, grid, "clusters of 3 CTAs along x: no one begins at 1 of 10");
  p = clusters_of(two, 3);
  p.module[1].runs = 2;
  refuse(&p, grid, "the cluster at CTA (3, 0, 0) has a CTA of another one");
  p = clusters_of(&all, 0);
  refuse(&p, grid, "clusters of 0 CTAs");
  p = (struct ldesc_policy){.rows = LDESC_ROWS + 1};
  refuse(&p, grid, "a policy of 17 rows");
  p = (struct ldesc_policy){.rows = 2, .row = {{.limit = 9}, {.base = 5, .limit = 4}}};
  refuse(&p, grid, "row 1 of a policy: lines [0x5, 0x4)");
  p = (struct ldesc_policy){.rows = 1, .row = {{.limit = 9, .insert = 4}}};
  refuse(&p, grid, "there is no insertion 4 with prefetch 0");
}

static void test_random_policies_may_be_handed_over(void **unused) {
  (void)unused;
  struct rng rng;
  struct gpu_config m;
  struct err e;
  uint32_t clustered = 0, rows = 0;
  print_message("seed 0x%x\n", SEED);
  rng_seed(&rng, SEED);
  config_begin(&m, "ldesc_modules");
  struct ldesc_kept drawn = {0}, copy = {0};
  for (int i = 0; i < 300; i++) {
    const uint32_t grid[3] = {1 + rng_below(&rng, 40), 1 + rng_below(&rng, 12), 1 + rng_below(&rng, 4)};
    ldesc_keep_random(&drawn, &rng, &m, grid);
    if (ldesc_keep(&copy, &drawn.policy, MODULES, grid, &e)) fail_msg("%s", e.text);
    clustered += drawn.policy.clustered;
    rows += drawn.policy.rows;
  }
  assert_in_range(clustered, 150, 290);
  assert_true(rows > 300);
  free(drawn.run);
  free(copy.run);
}

/* Against the division of the CTA's number by that of a tile, on the axes that are walked. */
static void test_tiles_have_different_numbers(void **unused) {
  (void)unused;
  const uint32_t grid[3] = {7, 5, 3};
  const struct ldesc_row row = {.tile = {3, 0, 2}, .walked = {true, false, true}};
  uint32_t seen = 0;
  for (uint32_t z = 0; z < grid[2]; z++)
    for (uint32_t y = 0; y < grid[1]; y++)
      for (uint32_t x = 0; x < grid[0]; x++) {
        uint16_t number = ldesc_tile(&row, grid, (uint32_t[]){x, y, z});
        assert_int_equal(number, x / 3 + 3 * (z / 2));
        seen |= 1U << number;
      }
  assert_int_equal(seen, 0x3f);
}

static void test_the_working_set_is_a_set(void **unused) {
  (void)unused;
  enum { ALL = 50000 };
  static bool has[ALL];
  struct rng rng;
  rng_seed(&rng, SEED);
  struct ldesc_lines *t = ldesc_lines_create();
  assert_non_null(t);
  for (int launch = 0; launch < 2; launch++) {
    memset(has, 0, sizeof has);
    ldesc_lines_clear(t);
    for (int i = 0; i < 4 * ALL; i++) {
      uint32_t line = rng_below(&rng, launch ? ALL : ALL / 50);
      assert_int_equal(ldesc_lines_add(t, line), !has[line]);
      has[line] = true;
    }
  }
  ldesc_lines_destroy(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_cannot_be_is_a_sentence), cmocka_unit_test(test_random_policies_may_be_handed_over),
    cmocka_unit_test(test_tiles_have_different_numbers), cmocka_unit_test(test_the_working_set_is_a_set)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
