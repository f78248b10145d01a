/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does the dispatcher give each CTA of the module's clusters once, and those of a cluster to one SM? Against a table of the whole grid, in
 * which the cluster of a CTA is worked out by dividing its index. Modules share grids: their clusters are drawn at random. */
#include "base/rng.h"
#include "cta_cluster_dispatch_ports.h"
#include "kit/block_bench.h"

BLOCK_BENCH(cta_cluster_dispatch);

enum { SEED = 0x1d5, SMS = 15, MOST = 9, LAUNCHES = 400, SLOTS = 8, NOBODY = -1 };

struct box {
  uint32_t x, y, z;
};

struct launch {
  struct box grid, cls, clusters;
  uint32_t n, whole;                  /* clusters of the module; how many of them are not spread */
  bool ours[MOST * MOST * MOST];      /* by number in the walk */
  uint32_t order[MOST * MOST * MOST]; /* the how manieth one of the module it is */
  int sm[MOST][MOST][MOST];           /* that got the CTA z, y, x */
  int owner[MOST * MOST * MOST];
  uint32_t cycles, ctas, stolen;
};

static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

static uint32_t cluster_of(const struct launch *l, struct box cta) {
  return (cta.z / l->cls.z * l->clusters.y + cta.y / l->cls.y) * l->clusters.x + cta.x / l->cls.x;
}

static struct box draw_box(struct rng *g) {
  return (struct box){1 + rng_below(g, MOST), 1 + rng_below(g, MOST), 1 + rng_below(g, MOST)};
}

static void draw_launch(struct rng *g, struct launch *l) {
  memset(l, 0, sizeof *l);
  l->grid = draw_box(g), l->cls = draw_box(g);
  l->clusters =
    (struct box){ceil_div(l->grid.x, l->cls.x), ceil_div(l->grid.y, l->cls.y), ceil_div(l->grid.z, l->cls.z)};
  uint32_t share = 1 + rng_below(g, 4);
  for (uint32_t k = 0; k < l->clusters.x * l->clusters.y * l->clusters.z; k++) {
    l->ours[k] = share == 1 || rng_below(g, share) == 0;
    l->owner[k] = NOBODY;
    if (l->ours[k]) l->order[k] = l->n++;
  }
  l->whole = l->n / SMS * SMS;
  for (uint32_t z = 0; z < l->grid.z; z++)
    for (uint32_t y = 0; y < l->grid.y; y++)
      for (uint32_t x = 0; x < l->grid.x; x++) l->sm[z][y][x] = NOBODY;
}

static void start(struct bench *b, const struct launch *l) {
  b->in.start_en = 1;
  b->in.grid_x = (uint16_t)l->grid.x, b->in.grid_y = (uint16_t)l->grid.y, b->in.grid_z = (uint16_t)l->grid.z;
  b->in.cls_x = (uint16_t)l->cls.x, b->in.cls_y = (uint16_t)l->cls.y, b->in.cls_z = (uint16_t)l->cls.z;
  b->in.whole = l->whole;
  for (uint32_t cut = 0; cut < 8; cut++) {
    uint32_t x = cut & 1 ? l->grid.x % l->cls.x : l->cls.x, y = cut & 2 ? l->grid.y % l->cls.y : l->cls.y;
    uint32_t z = cut & 4 ? l->grid.z % l->cls.z : l->cls.z;
    b->in.size[cut / 2] |= x * y * z << 16 * (cut % 2);
  }
  bench_cycle(b);
}

/* The run of the module's clusters from number *k on, which moves behind it. */
static void offer(struct bench *b, const struct launch *l, uint32_t *k) {
  uint32_t all = l->clusters.x * l->clusters.y * l->clusters.z, n = 0;
  while (*k < all && !l->ours[*k]) ++*k;
  uint32_t first = *k;
  while (*k < all && l->ours[*k]) ++*k, n++;
  b->in.run_valid = 1;
  b->in.run_x = (uint16_t)(first % l->clusters.x * l->cls.x);
  b->in.run_y = (uint16_t)(first / l->clusters.x % l->clusters.y * l->cls.y);
  b->in.run_z = (uint16_t)(first / l->clusters.x / l->clusters.y * l->cls.z);
  b->in.run_count = n;
  b->in.run_last = *k == all;
}

/* CTAs of a cluster that have not gone. */
static uint32_t missing(const struct launch *l, int cluster) {
  uint32_t n = 0;
  for (uint32_t z = 0; z < l->grid.z; z++)
    for (uint32_t y = 0; y < l->grid.y; y++)
      for (uint32_t x = 0; x < l->grid.x; x++)
        n += l->sm[z][y][x] == NOBODY && (int)cluster_of(l, (struct box){x, y, z}) == cluster;
  return n;
}

/* Is the thief without a cluster, and does no SM have more CTAs left than the one that it took from? */
static void check_theft(const struct launch *l, uint32_t cluster, const int has[SMS], int thief) {
  uint32_t most = missing(l, (int)cluster) + 1;
  assert_true(has[thief] == NOBODY || !missing(l, has[thief]));
  for (int sm = 0; sm < SMS; sm++)
    if (has[sm] != NOBODY && has[sm] != (int)cluster) assert_true(missing(l, has[sm]) <= most);
}

static void take_cta(struct launch *l, const struct cta_cluster_dispatch_out *out, int has[SMS], bool steal) {
  struct box at = {out->cta_x, out->cta_y, out->cta_z};
  int sm = out->cta_sm;
  assert_true(at.x < l->grid.x && at.y < l->grid.y && at.z < l->grid.z);
  assert_int_equal(l->sm[at.z][at.y][at.x], NOBODY);
  l->sm[at.z][at.y][at.x] = sm;
  l->ctas++;
  uint32_t cluster = cluster_of(l, at);
  assert_true(l->ours[cluster]);
  if (l->order[cluster] >= l->whole) return;
  if (l->owner[cluster] == NOBODY) {
    assert_true(has[sm] == NOBODY || !missing(l, has[sm])); /* the one before has gone */
    l->owner[cluster] = sm, has[sm] = (int)cluster;
  }
  if (l->owner[cluster] == sm) return;
  assert_true(steal);
  check_theft(l, cluster, has, sm);
  l->stolen++;
}

static void run_launch(struct bench *b, struct rng *g, struct launch *l, bool steal, bool hurry) {
  int has[SMS], slots[SMS];
  uint32_t k = 0, before;
  bool ends = false;
  for (int sm = 0; sm < SMS; sm++) has[sm] = NOBODY, slots[sm] = 0;
  start(b, l);
  for (l->cycles = 0; l->cycles < 100000; l->cycles++) {
    before = k;
    if (!ends && (hurry || rng_below(g, 4) == 0)) offer(b, l, &k);
    for (int sm = 0; sm < SMS; sm++) {
      if (slots[sm] && (hurry || rng_below(g, 6) == 0)) slots[sm]--;
      b->in.free |= (uint16_t)((slots[sm] < SLOTS) << sm);
    }
    uint32_t free = b->in.free;
    bool offered = b->in.run_valid, last = b->in.run_last;
    bench_cycle(b);
    if (b->out.done) break;
    if (!b->out.run_ready || !offered) k = before;
    else ends = last;
    if (!b->out.cta_valid) continue;
    assert_true(free >> b->out.cta_sm & 1);
    slots[b->out.cta_sm]++;
    take_cta(l, &b->out, has, steal);
  }
  assert_int_equal(b->out.done, 1);
  for (uint32_t z = 0; z < l->grid.z; z++)
    for (uint32_t y = 0; y < l->grid.y; y++)
      for (uint32_t x = 0; x < l->grid.x; x++)
        assert_int_equal(l->sm[z][y][x] != NOBODY, l->ours[cluster_of(l, (struct box){x, y, z})]);
}

static void check_launches(bool steal) {
  static struct launch l;
  struct bench b;
  struct rng g;
  uint32_t whole = 0, spread = 0, stolen = 0;
  print_message("seed %d\n", SEED + steal);
  rng_seed(&g, SEED + steal);
  bench_open(&b, (struct cta_cluster_dispatch_cfg){.SMS = SMS, .STEAL = steal});
  for (int i = 0; i < LAUNCHES; i++) {
    draw_launch(&g, &l);
    run_launch(&b, &g, &l, steal, i % 4 == 0);
    whole += l.whole, spread += l.n - l.whole, stolen += l.stolen;
  }
  assert_true(whole && spread && (stolen != 0) == steal);
  bench_close(&b);
}

static void test_every_cta_goes_once(void **unused) {
  (void)unused;
  check_launches(false);
}

static void test_stolen_ctas_go_once(void **unused) {
  (void)unused;
  check_launches(true);
}

/* One CTA a cycle, also where the grid cuts clusters and where each is one CTA: a launch takes one cycle more than it has CTAs, in which
 * the first run comes. */
static void test_a_cta_goes_in_every_cycle(void **unused) {
  (void)unused;
  static struct launch l;
  struct bench b;
  struct rng g;
  rng_seed(&g, SEED);
  bench_open(&b, (struct cta_cluster_dispatch_cfg){.SMS = SMS, .STEAL = 0});
  for (int i = 0; i < 100; i++) {
    draw_launch(&g, &l);
    if (i % 2) l.cls = (struct box){1, 1, 1}, l.clusters = l.grid;
    uint32_t all = l.clusters.x * l.clusters.y * l.clusters.z;
    for (uint32_t k = 0; k < all; k++) l.ours[k] = true, l.order[k] = k, l.owner[k] = NOBODY;
    l.n = all, l.whole = all / SMS * SMS;
    run_launch(&b, &g, &l, false, true);
    assert_int_equal(l.ctas, l.grid.x * l.grid.y * l.grid.z);
    assert_int_equal(l.cycles, l.ctas + 1);
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_cta_goes_once),
    cmocka_unit_test(test_stolen_ctas_go_once),
    cmocka_unit_test(test_a_cta_goes_in_every_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
