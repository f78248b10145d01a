/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Do an SM's L1, its prefetches and CTA dispatch obey a policy of the Locality Descriptor? L1 has two sets of two ways, and the kernels
 * are rows of loads of the lines a, b, c, ..., each of which waits for the one before: a, c, e, .. are in one set. What hits is worked
 * out by hand from the thesis' rules. */
#include "kit/gpu_kernels.h"
#include "systems/ldesc/ldesc_internal.h"
#include "systems/ldesc/ldesc_system.h"

enum { LINES = 64 };

/* A run: the table, by letters, and what came out. */
struct rule {
  char from, to; /* lines */
  enum ldesc_insert insert;
  enum ldesc_prefetch prefetch;
  uint32_t distance[2]; /* lines, with one active tile and with two */
  uint32_t tile;        /* CTAs of a C-Tile */
};

struct outcome {
  struct sm_counters all;
  struct ldesc_counters own;
  uint64_t cycles;
};

static void write_kernel(char *text, size_t size, const char *row) {
  size_t n = (size_t)snprintf(text, size, "%s", KERNEL_BEGIN(".param .u64 p0", ""));
  n += (size_t)snprintf(text + n, size - n, "mov.u64 %%rd1, %%rd2;\n");
  for (; *row; row++)
    n += (size_t)snprintf(text + n, size - n,
                          "ld.global.u32 %%r10, [%%rd1+%d];\nand.b32 %%r11, %%r10, 0;\n"
                          "cvt.u64.u32 %%rd4, %%r11; add.s64 %%rd1, %%rd1, %%rd4;\n",
                          (*row - 'a') * LDESC_LINE);
  snprintf(text + n, size - n, "ret;\n}\n");
}

static void set_rules(struct fixture *f, const struct rule *rule, uint64_t base, const uint32_t grid[3]) {
  struct ldesc_policy p = {0};
  for (; rule && rule->from; rule++) {
    struct ldesc_row *r = &p.row[p.rows++];
    *r = (struct ldesc_row){.base = base / LDESC_LINE + (uint32_t)(rule->from - 'a'),
                            .limit = base / LDESC_LINE + (uint32_t)(rule->to - 'a') + 1,
                            .insert = (uint8_t)rule->insert,
                            .prefetch = (uint8_t)rule->prefetch,
                            .tile = {rule->tile, 1, 1},
                            .walked = {true, false, false}};
    for (int k = 0; k < LDESC_DISTANCES; k++) r->distance[k] = rule->distance[k > 0] * LDESC_LINE;
  }
  if (ldesc_policy_set(gpu_dispatch_policy(f->gpu), &p, grid, &f->e)) fail_msg("%s", f->e.text);
}

static struct outcome run_once(const char *row, const struct rule *rules, uint32_t ctas, const char *settings,
                               bool skip) {
  static char text[16384];
  const uint32_t grid[3] = {ctas, 1, 1};
  struct fixture f;
  uint32_t *words;
  write_kernel(text, sizeof text, row);
  fixture_config(&f, "sm.count=1 sm.ctas=8 l1.bytes=512 l1.ways=2");
  config_set_text(&f.setup.config, settings);
  f.setup.system = &ldesc_system;
  f.setup.skip = skip;
  fixture_load(&f, text);
  uint64_t params[1] = {fixture_words(&f, LINES * LDESC_LINE / 4, &words)};
  assert_int_equal(params[0] / LDESC_LINE % 2, 0);
  set_rules(&f, rules, params[0], grid);
  fixture_run(&f, ctas, 32, params);
  struct outcome o = {.all = fixture_counters(&f), .cycles = gpu_core_cycles(f.gpu)};
  o.own = *ldesc_counters(&o.all);
  fixture_end(&f);
  return o;
}

/* Whether cycles are skipped or not. */
static struct outcome run_with(const char *row, const struct rule *rules, uint32_t ctas, const char *settings) {
  struct outcome o = run_once(row, rules, ctas, settings, true), every = run_once(row, rules, ctas, settings, false);
  assert_memory_equal(&o, &every, sizeof o);
  return o;
}

static struct outcome run(const char *row, const struct rule *rules) { return run_with(row, rules, 1, NULL); }

/* ---- L1 ---- */

static void test_without_rows_l1_is_lru(void **unused) {
  (void)unused;
  struct outcome o = run("aceacebdbd", NULL);
  assert_int_equal(o.all.l1_hits, 2);
  assert_int_equal(o.all.l1_misses, 8);
  assert_int_equal(o.own.ldesc_lines, 5);
}

static void test_pinned_lines_stay(void **unused) {
  (void)unused;
  const struct rule soft[] = {{'a', 'a', LDESC_SOFT, 0, {0}, 1}, {0}};
  struct outcome o = run("aceacea", soft); /* c and e take turns */
  assert_int_equal(o.all.l1_hits, 2);
  assert_int_equal(o.own.ldesc_soft, 3);
  assert_int_equal(o.own.ldesc_hard, 0);
  const struct rule both[] = {{'a', 'a', LDESC_HARD, 0, {0}, 1}, {'c', 'c', LDESC_SOFT, 0, {0}, 1}, {0}};
  o = run("aceca", both); /* e takes the way of c, then c that of e */
  assert_int_equal(o.all.l1_hits, 1);
  assert_int_equal(o.own.ldesc_hard, 2);
}

static void test_in_a_set_of_hard_pins_way_0_leaves(void **unused) {
  (void)unused;
  const struct rule hard[] = {{'a', 'h', LDESC_HARD, 0, {0}, 1}, {0}};
  struct outcome o = run("aceacc", hard); /* a, then e, a and then c by way 0: c hits in way 1 all the time */
  assert_int_equal(o.all.l1_hits, 2);
  assert_int_equal(o.own.ldesc_pinned_out, 2);
}

static void test_bypassed_lines_fill_nothing(void **unused) {
  (void)unused;
  const struct rule bypass[] = {{'e', 'e', LDESC_BYPASS, 0, {0}, 1}, {0}};
  struct outcome o = run("aceace", bypass);
  assert_int_equal(o.all.l1_hits, 2);
  assert_int_equal(o.all.l1_misses, 4);
  assert_int_equal(o.own.ldesc_bypass, 2);
}

static void test_the_first_row_counts(void **unused) {
  (void)unused;
  const struct rule rules[] = {{'e', 'e', LDESC_NORMAL, 0, {0}, 1}, {'a', 'h', LDESC_BYPASS, 0, {0}, 1}, {0}};
  struct outcome o = run("acee", rules);
  assert_int_equal(o.all.l1_hits, 1);
  assert_int_equal(run_with("acee", rules, 1, "ldesc.rows=1").own.ldesc_bypass, 0); /* the last rows are left out */
}

static void test_the_timer_unpins(void **unused) {
  (void)unused;
  const struct rule soft[] = {{'a', 'a', LDESC_SOFT, 0, {0}, 1}, {0}};
  struct outcome o = run_with("aceacea", soft, 1, "ldesc.unpin_period=256");
  assert_int_equal(o.all.l1_hits, 0);
  assert_int_equal(o.own.ldesc_unpins, o.cycles / 256);
  assert_int_equal(run_with("aceacea", soft, 1, "ldesc.unpin_period=262144").all.l1_hits, 2);
}

/* ---- prefetches ---- */

static void test_a_miss_prefetches_the_next_line(void **unused) {
  (void)unused;
  const struct rule next[] = {{'a', 'c', LDESC_NORMAL, LDESC_PREFETCH_NEXT, {0}, 1}, {0}};
  struct outcome o = run("ab", next);
  assert_int_equal(o.all.l1_misses, 1);
  assert_int_equal(o.all.l1_prefetches, 1);
  assert_int_equal(o.all.l1_prefetch_hits, 1);
  assert_int_equal(run("abc", next).all.l1_misses, 2);    /* a hit prefetches nothing */
  assert_int_equal(run("cd", next).all.l1_prefetches, 0); /* d is not of the row */
  o = run("eab", next);
  assert_int_equal(o.all.l1_misses, 2);
}

static void test_the_distance_is_that_of_the_active_tiles(void **unused) {
  (void)unused;
  struct rule stride[] = {{'a', 'z', LDESC_NORMAL, LDESC_PREFETCH_STRIDE, {1, 3}, 1}, {0}};
  assert_int_equal(run("ab", stride).all.l1_misses, 1);
  assert_int_equal(run("ad", stride).all.l1_misses, 2);
  assert_int_equal(run_with("ad", stride, 2, NULL).all.l1_misses, 1); /* two CTAs, two tiles */
  stride[0].tile = 2;                                                 /* two CTAs, one tile */
  assert_int_equal(run_with("ab", stride, 2, NULL).all.l1_misses, 1);
}

static void test_prefetched_lines_have_the_class_of_their_row(void **unused) {
  (void)unused;
  /* a brings c: pinned by the first row it stays, while e, g and i take turns beside it */
  const struct rule rules[] = {
    {'c', 'c', LDESC_HARD, 0, {0}, 1}, {'a', 'd', LDESC_NORMAL, LDESC_PREFETCH_STRIDE, {2, 2}, 1}, {0}};
  assert_int_equal(run("aegic", rules).all.l1_hits, 1);
  assert_int_equal(run("aegic", &rules[1]).all.l1_hits, 0);
}

/* ---- CTA dispatch ---- */

static const char where_kernel[] = KERNEL(".param .u64 p0", "mov.u32 %r10, %smid; st.global.u32 [%rd1], %r10; ret;\n");

static void dispatch(const struct ldesc_policy *p, const uint32_t grid[3], const char *settings, bool skip,
                     uint32_t *sm_of) {
  const uint32_t block[3] = {1, 1, 1}, n = grid[0] * grid[1] * grid[2];
  struct fixture f;
  uint32_t *words;
  fixture_named(&f, "ldesc_modules", "sm.count=8 dram.channels=8 l2.bytes=1048576", 64);
  config_set_text(&f.setup.config, settings);
  f.setup.system = &ldesc_system;
  f.setup.skip = skip;
  /* the word of CTA (x, y, z) is that of its number */
  fixture_load(&f, where_kernel);
  uint64_t params[1] = {fixture_words(&f, n, &words)};
  if (p && ldesc_policy_set(gpu_dispatch_policy(f.gpu), p, grid, &f.e)) fail_msg("%s", f.e.text);
  memset(words, 0xff, n * sizeof *words);
  if (gpu_run(f.gpu, ptx_module_kernel_at(f.module, 0), grid, block, 0, params, &f.e)) fail_msg("%s", f.e.text);
  memcpy(sm_of, words, n * sizeof *words);
  fixture_end(&f);
}

/* Clusters of four CTAs: the first three, and the last two, are of module 2; the others of module 0. Two SMs a module. */
static void test_clusters_run_on_one_sm_of_their_module(void **unused) {
  (void)unused;
  enum { CTAS = 30, SIZE = 4 };
  const uint32_t grid[3] = {CTAS, 1, 1};
  const struct ldesc_run of_2[] = {{{0, 0, 0}, 3}, {{24, 0, 0}, 2}}, of_0[] = {{{12, 0, 0}, 3}};
  struct ldesc_policy p = {.clustered = true};
  uint32_t sm_of[CTAS], every[CTAS];
  for (int m = 0; m < 3; m += 2) p.module[m].size[0] = SIZE, p.module[m].size[1] = p.module[m].size[2] = 1;
  p.module[2].run = of_2, p.module[2].runs = 2;
  p.module[0].run = of_0, p.module[0].runs = 1;
  dispatch(&p, grid, NULL, true, sm_of);
  dispatch(&p, grid, NULL, false, every);
  assert_memory_equal(sm_of, every, sizeof sm_of);
  for (uint32_t i = 0; i < CTAS; i++) {
    bool of_module_2 = i < 12 || i >= 24;
    assert_int_equal(sm_of[i] / 2, of_module_2 ? 2 : 0);
    bool spread = i >= 28 || (i >= 20 && i < 24); /* the odd ones of five clusters and of three */
    if (!spread) assert_int_equal(sm_of[i], sm_of[i / SIZE * SIZE]);
  }
  assert_int_not_equal(sm_of[20], sm_of[21]);
}

/* The driver moves data before the launch: that takes so many cycles more, once. */
static void test_a_launch_can_be_held(void **unused) {
  (void)unused;
  enum { HOLD = 450000 }; /* longer than the watchdog waits for a sign of life */
  const uint32_t grid[3] = {4, 1, 1}, block[3] = {32, 1, 1};
  uint64_t cycles[3][2];
  for (int held = 0; held < 3; held++)
    for (int skip = 0; skip < 2; skip++) {
      const struct ldesc_run run = {{0, 0, 0}, 2};
      struct ldesc_policy p = {.clustered = held == 2, .module[0] = {.size = {2, 1, 1}, .run = &run, .runs = 1}};
      struct fixture f;
      uint32_t *words;
      fixture_config(&f, "sm.count=2 sm.ctas=8");
      f.setup.system = &ldesc_system;
      f.setup.skip = skip;
      fixture_load(&f, where_kernel);
      uint64_t params[1] = {fixture_words(&f, 4 * 32, &words)};
      if (ldesc_policy_set(gpu_dispatch_policy(f.gpu), &p, grid, &f.e)) fail_msg("%s", f.e.text);
      if (held) ldesc_hold(gpu_dispatch_policy(f.gpu), HOLD);
      for (int launch = 0; launch < 2; launch++)
        if (gpu_run(f.gpu, ptx_module_kernel_at(f.module, 0), grid, block, 0, params, &f.e)) fail_msg("%s", f.e.text);
      cycles[held][skip] = gpu_core_cycles(f.gpu);
      fixture_end(&f);
      assert_int_equal(cycles[held][skip], cycles[held][0]);
    }
  assert_in_range(cycles[1][0], cycles[0][0] + HOLD - 200, cycles[0][0] + HOLD + 200);
  assert_in_range(cycles[2][0], cycles[0][0] + HOLD - 200, cycles[0][0] + HOLD + 200);
}

static void test_without_clusters_dispatch_is_round_robin(void **unused) {
  (void)unused;
  enum { CTAS = 40 };
  const uint32_t grid[3] = {CTAS, 1, 1};
  uint32_t sm_of[CTAS];
  dispatch(NULL, grid, NULL, true, sm_of);
  for (uint32_t i = 0; i < CTAS; i++) assert_int_equal(sm_of[i], i % 8);
}

static void test_random_policies_start_every_cta_once(void **unused) {
  (void)unused;
  const uint32_t grid[3] = {150, 1, 1};
  uint32_t sm_of[150], other = 0;
  for (int seed = 1; seed <= 6; seed++) {
    char settings[64];
    snprintf(settings, sizeof settings, "ldesc.hints=random mmu.seed=%d ldesc.steal=%d", seed, seed % 2);
    dispatch(NULL, grid, settings, true, sm_of);
    for (uint32_t i = 0; i < 150; i++) {
      assert_true(sm_of[i] < 8);
      other += sm_of[i] != i % 8;
    }
  }
  assert_true(other > 150);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_rows_l1_is_lru),
                                     cmocka_unit_test(test_pinned_lines_stay),
                                     cmocka_unit_test(test_in_a_set_of_hard_pins_way_0_leaves),
                                     cmocka_unit_test(test_bypassed_lines_fill_nothing),
                                     cmocka_unit_test(test_the_first_row_counts),
                                     cmocka_unit_test(test_the_timer_unpins),
                                     cmocka_unit_test(test_a_miss_prefetches_the_next_line),
                                     cmocka_unit_test(test_the_distance_is_that_of_the_active_tiles),
                                     cmocka_unit_test(test_prefetched_lines_have_the_class_of_their_row),
                                     cmocka_unit_test(test_clusters_run_on_one_sm_of_their_module),
                                     cmocka_unit_test(test_a_launch_can_be_held),
                                     cmocka_unit_test(test_without_clusters_dispatch_is_round_robin),
                                     cmocka_unit_test(test_random_policies_start_every_cta_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
