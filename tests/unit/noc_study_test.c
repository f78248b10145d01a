/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Do networks alone reach, and not exceed, the limits computed for their topology (Dally and Towles 2004, chapters 3 and
 * 23)? */
#include "kit/test.h"
#include "study/noc_study.h"

#include "base/err.h"
#include "config/gpu_config.h"

#include <math.h>

enum { ALL = 1000000 };

static struct noc_study study(uint32_t topology, uint32_t columns, uint32_t rows) {
  return (struct noc_study){.topology = topology,
                            .columns = columns,
                            .rows = rows,
                            .packet_flits = 1,
                            .vcs = topology == NOC_RING ? 2 : 1,
                            .buffer_flits = 8,
                            .router_latency = 4,
                            .seed = 7,
                            .hash_bits = 4,
                            .warm_up = 500,
                            .cycles = 4000};
}

static struct noc_point run(const struct noc_study *s, uint32_t ppm) {
  struct noc_point p;
  struct err e = {0};
  if (noc_study_run(s, ppm, NULL, NULL, &p, &e)) fail_msg("%s", e.text);
  return p;
}

static struct noc_bounds bounds(const struct noc_study *s) {
  struct noc_bounds b;
  struct err e = {0};
  if (noc_study_bounds(s, &b, &e)) fail_msg("%s", e.text);
  return b;
}

static void expect_near(double got, double wanted, double tolerance, const char *what) {
  if (fabs(got - wanted) > tolerance) fail_msg("%s: %.4f, wanted %.4f +- %.4f", what, got, wanted, tolerance);
}

static void expect_between(double got, double low, double high, const char *what) {
  if (got < low || got > high) fail_msg("%s: %.4f is outside %.4f..%.4f", what, got, low, high);
}

/* A head: a cycle to the queue, one over the producer's link, four a router, one to be seen with the flits that follow. */
static void test_zero_load_latency_is_hops_times_router(void **unused) {
  (void)unused;
  for (uint32_t flits = 1; flits <= 4; flits += 3) {
    struct noc_study mesh = study(NOC_MESH, 6, 6), ring = study(NOC_RING, 16, 1), crossbar = study(NOC_CROSSBAR, 28, 8);
    mesh.packet_flits = ring.packet_flits = crossbar.packet_flits = flits;
    double k = 6, hops = 2 * (k * k - 1) / (3 * k); /* mean distance of uniform pairs, own node included */
    expect_near(bounds(&mesh).zero_load_latency, 2 + flits + 4 * (hops + 1), 1e-9, "mesh, computed");
    expect_near(bounds(&ring).zero_load_latency, 2 + flits + 4 * (16.0 / 4 + 1), 1e-9, "ring, computed");
    expect_near(bounds(&crossbar).zero_load_latency, 2 + flits + 4, 1e-9, "crossbar, computed");
    /* 0.5 % load: packets hardly ever meet */
    mesh.cycles = ring.cycles = crossbar.cycles = 40000;
    expect_near(run(&mesh, 5000).latency, bounds(&mesh).zero_load_latency, 0.4, "mesh, simulated");
    expect_near(run(&ring, 5000).latency, bounds(&ring).zero_load_latency, 0.4, "ring, simulated");
    expect_near(run(&crossbar, 5000).latency, bounds(&crossbar).zero_load_latency, 0.1, "crossbar, simulated");
  }
}

static void test_bounds_are_those_of_the_textbook(void **unused) {
  (void)unused;
  static const struct {
    uint32_t topology, columns, rows, traffic;
    double bound;
    const char *name;
  } rows[] = {
    {NOC_MESH, 8, 8, TRAFFIC_UNIFORM, 4.0 / 8, "mesh, bisection 4 / k"},
    {NOC_MESH, 4, 4, TRAFFIC_UNIFORM, 1, "mesh, bisection 4 / k"},
    {NOC_RING, 16, 1, TRAFFIC_UNIFORM, 8.0 / 16, "ring, bisection 8 / n"},
    {NOC_RING, 8, 1, TRAFFIC_UNIFORM, 1, "ring, bisection 8 / n"},
    {NOC_CROSSBAR, 28, 8, TRAFFIC_UNIFORM, 8.0 / 28, "crossbar, its outputs"},
    {NOC_MESH, 8, 8, TRAFFIC_TRANSPOSE, 1.0 / 7, "transpose along XY, 1 / (k - 1)"},
    {NOC_MESH, 8, 8, TRAFFIC_BIT_COMPLEMENT, 2.0 / 8, "bit complement, 2 / k"},
    {NOC_MESH, 8, 8, TRAFFIC_NEIGHBOUR, 1, "neighbour: the last of a row goes back over it alone"},
    {NOC_RING, 16, 1, TRAFFIC_TORNADO, 1.0 / 7, "tornado, 1 / (n / 2 - 1)"},
    {NOC_RING, 16, 1, TRAFFIC_NEIGHBOUR, 1, "neighbour"},
    {NOC_CROSSBAR, 16, 16, TRAFFIC_SHUFFLE, 1, "crossbar, a permutation"},
    {NOC_CROSSBAR, 16, 16, TRAFFIC_HOT_SPOT, 1 / (16 * (0.25 + 0.75 / 16)), "hot spot, its output"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct noc_study s = study(rows[i].topology, rows[i].columns, rows[i].rows);
    s.traffic = rows[i].traffic;
    s.hot_percent = 25;
    s.vcs = 4;
    double bound = bounds(&s).throughput;
    expect_near(bound, rows[i].bound, 1e-9, rows[i].name);
    struct noc_point half = run(&s, (uint32_t)(bound * ALL / 2)), all = run(&s, ALL);
    assert_false(half.saturated);
    expect_near(half.accepted, bound / 2, 0.03 * bound, rows[i].name); /* random: 4000 cycles */
    if (rows[i].traffic == TRAFFIC_UNIFORM) /* otherwise pairs that do not use the busiest link carry more */
      expect_between(all.accepted, 0, bound * 1.0001, rows[i].name);
  }
}

static void test_a_mesh_saturates_at_four_fifths_of_its_bisection(void **unused) {
  (void)unused;
  struct noc_study s = study(NOC_MESH, 8, 8);
  s.vcs = 8;
  expect_between(run(&s, 400000).accepted, 0.39, 0.41, "8 virtual channels, load 0.4 of 0.5");
  assert_true(run(&s, 500000).saturated);
  s.vcs = 1;
  expect_between(run(&s, 350000).accepted, 0.34, 0.36, "1 virtual channel, load 0.35 of 0.5");
}

static void test_a_ring_reaches_most_of_its_bisection(void **unused) {
  (void)unused;
  struct noc_study s = study(NOC_RING, 16, 1);
  s.vcs = 8;
  expect_between(run(&s, 375000).accepted, 0.36, 0.39, "8 virtual channels, load 0.375 of 0.5");
}

/* Karol, Hluchyj and Morgan 1987, table I: saturation of an n x n switch of single queues, and 2 - sqrt(2) for many. */
static void test_single_queues_saturate_where_karol_says(void **unused) {
  (void)unused;
  static const struct {
    uint32_t n;
    double saturation;
  } rows[] = {{2, 0.75}, {4, 0.6553}, {8, 0.6184}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct noc_study s = study(NOC_CROSSBAR, rows[i].n, rows[i].n);
    s.cycles = 40000;
    expect_near(run(&s, ALL).accepted, rows[i].saturation, 0.004, "crossbar of single queues");
  }
  struct noc_study s = study(NOC_CROSSBAR, 64, 64);
  expect_between(run(&s, ALL).accepted, 0.5858, 0.60, "64 x 64");
}

/* A queue for each output at each input. PIM of one iteration matches 1 - (1 - 1/n)^n of the outputs (Anderson 1993,
 * section 3.2); the pointers of iSLIP desynchronize until no input loses (McKeown 1999, section II). */
static void test_queues_for_each_output_let_allocators_show(void **unused) {
  (void)unused;
  struct noc_study s = study(NOC_CROSSBAR, 8, 8);
  s.vcs = 8;
  s.vc_alloc = NOC_SVCA;
  s.buffer_flits = 64;
  s.offer_all = true;
  s.cycles = 20000;
  s.warm_up = 2000;
  s.allocator = NOC_PIM;
  expect_near(run(&s, ALL).accepted, 1 - pow(7.0 / 8, 8), 0.01, "PIM");
  s.allocator = NOC_ISLIP;
  expect_between(run(&s, 950000).accepted, 0.94, 0.96, "iSLIP at 0.95");
  s.allocator = NOC_MATRIX;
  expect_between(run(&s, ALL).accepted, 0.63, 1, "matrix arbiters");
}

static void test_the_same_seed_gives_the_same_figures(void **unused) {
  (void)unused;
  struct noc_study s = study(NOC_MESH, 5, 3);
  s.packet_flits = 3;
  s.vcs = 2;
  struct noc_point a = run(&s, 250000), b = run(&s, 250000);
  a.seconds = b.seconds = 0;
  assert_memory_equal(&a, &b, sizeof a);
  s.seed++;
  b = run(&s, 250000);
  assert_true(a.latency != b.latency);
}

static void test_gaps_have_their_mean(void **unused) {
  (void)unused;
  static const uint32_t ppm[] = {1000000, 500000, 20000, 100};
  for (size_t i = 0; i < sizeof ppm / sizeof *ppm; i++) {
    struct traffic t;
    struct rng r;
    rng_seed(&r, 3);
    traffic_rate(&t, ppm[i]);
    uint64_t sum = 0, least = UINT64_MAX;
    for (int k = 0; k < 100000; k++) {
      uint64_t gap = traffic_gap(&t, &r);
      sum += gap;
      if (gap < least) least = gap;
    }
    assert_int_equal(least, 1);
    expect_near((double)sum / 100000, 1e6 / ppm[i], 0.02 * 1e6 / ppm[i], "mean gap");
  }
}

static void refused(struct noc_study s, const char *rule) {
  struct noc_bounds b;
  struct err e = {0};
  assert_int_equal(noc_study_bounds(&s, &b, &e), ERR_VALUE);
  if (!strstr(e.text, rule)) fail_msg("\"%s\" does not say \"%s\"", e.text, rule);
}

static void test_traffic_that_does_not_fit_is_refused(void **unused) {
  (void)unused;
  struct noc_study s = study(NOC_CROSSBAR, 28, 8);
  s.traffic = TRAFFIC_TRANSPOSE;
  refused(s, "one consumer");
  s = study(NOC_MESH, 6, 6);
  s.traffic = TRAFFIC_SHUFFLE;
  refused(s, "no power of two");
  s = study(NOC_MESH, 8, 2);
  s.traffic = TRAFFIC_TRANSPOSE;
  refused(s, "square");
  s = study(NOC_RING, 16, 1);
  s.vcs = 1;
  refused(s, "dateline");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_zero_load_latency_is_hops_times_router),
    cmocka_unit_test(test_bounds_are_those_of_the_textbook),
    cmocka_unit_test(test_a_mesh_saturates_at_four_fifths_of_its_bisection),
    cmocka_unit_test(test_a_ring_reaches_most_of_its_bisection),
    cmocka_unit_test(test_single_queues_saturate_where_karol_says),
    cmocka_unit_test(test_queues_for_each_output_let_allocators_show),
    cmocka_unit_test(test_the_same_seed_gives_the_same_figures),
    cmocka_unit_test(test_gaps_have_their_mean),
    cmocka_unit_test(test_traffic_that_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
