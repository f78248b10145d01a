/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Do pages lie in the banks that the placement chose for their atoms, and does it choose as its table says? */
#include "base/rng.h"
#include "dram/address_map.h"
#include "kit/config.h"
#include "mem/page_table.h"

#include <math.h>

enum { MAX = 12 };

/* --- the table, computed in another way: columns are given to owner[] one at a time, in floating point --- */

struct expected {
  int owner[64];   /* atom of each column, -1: the rest */
  int leader[MAX]; /* whose columns an atom uses; -1: those of the rest */
};

static void expect(struct expected *x, const struct placement_label *a, uint32_t n, uint32_t columns, bool share,
                   uint64_t row) {
  double sum = 1, with[MAX] = {0};
  bool done[MAX] = {false};
  int next = 0, left = (int)columns, keep = columns >= 2 ? (int)(columns / 2) : 1;
  for (uint32_t c = 0; c < 64; c++) x->owner[c] = -1;
  for (uint32_t i = 0; i < n; i++) {
    sum += a[i].intensity;
    x->leader[i] = -1;
  }
  if (share) {
    double others = 1;
    for (uint32_t i = 0; i < n; i++)
      if (!a[i].regular || abs(a[i].stride) * 8 > (int)row) others += a[i].intensity;
    keep = (int)floor(columns * others / sum + 0.5);
    if (keep < 1) keep = 1;
  }
  for (;;) {
    int best = -1;
    for (uint32_t i = 0; i < n; i++)
      if (!done[i] && a[i].regular && abs(a[i].stride) * 8 <= (int)row &&
          (best < 0 || a[i].intensity > a[best].intensity))
        best = (int)i;
    if (best < 0) return;
    done[best] = true;
    int wanted = (int)floor(columns * a[best].intensity / sum + 0.5);
    if (wanted < 1) wanted = 1;
    for (; wanted && left > keep; wanted--, left--) {
      x->owner[next++] = best;
      x->leader[best] = best;
      with[best] = a[best].intensity;
    }
    if (x->leader[best] == best) continue;
    int host = -1; /* in the order in which they were served: by intensity, so by their first column */
    for (int c = 0; c < next; c++)
      if (host < 0 || with[x->owner[c]] < with[host]) host = x->owner[c];
    x->leader[best] = host;
    if (host >= 0) with[host] += a[best].intensity;
  }
}

static void test_columns_are_those_of_the_table(void **state) {
  (void)state;
  struct rng r;
  uint32_t shared = 0, alone = 0;
  rng_seed(&r, 46);
  for (int round = 0; round < 4000; round++) {
    struct placement_label a[MAX];
    uint32_t n = rng_below(&r, MAX + 1), columns = 1 + rng_below(&r, round % 2 ? 64 : 16);
    uint64_t row = UINT64_C(256) << rng_below(&r, 6);
    for (uint32_t i = 0; i < n; i++)
      a[i] = (struct placement_label){.label = 100 + 7 * i,
                                      .stride = (int32_t)rng_below(&r, (uint32_t)row / 3) - (int32_t)row / 6,
                                      .intensity = (uint8_t)rng_below(&r, rng_percent(&r, 50) ? 4 : 256),
                                      .regular = rng_percent(&r, 70)};
    struct expected x;
    struct placement p;
    expect(&x, a, n, columns, round % 3 == 0, row);
    placement_choose(&p, a, n, columns, round % 3 ? MMU_HALF : MMU_SHARE, row);
    uint64_t rest = 0, all = 0;
    for (uint32_t c = 0; c < columns; c++) {
      if (x.owner[c] < 0) rest |= UINT64_C(1) << c;
      all |= UINT64_C(1) << c;
    }
    assert_true(p.rest == rest && rest);
    uint32_t h = 0;
    for (uint32_t i = 0; i < n; i++) {
      const struct placement_row *row_of = placement_find(&p, a[i].label);
      bool regular = a[i].regular && abs(a[i].stride) * 8 <= (int)row;
      assert_int_equal(row_of != NULL, regular);
      if (!regular) continue;
      h++;
      uint64_t own = 0;
      for (uint32_t c = 0; c < columns; c++)
        if (x.leader[i] >= 0 && x.owner[c] == x.leader[i]) own |= UINT64_C(1) << c;
      assert_true(row_of->columns == (own ? own : rest));
      *(x.leader[i] == (int)i ? &alone : &shared) += 1;
    }
    assert_int_equal(p.n, h);
    assert_true((p.rest & ~all) == 0 && placement_find(&p, 99) == NULL);
  }
  assert_true(shared > 1000 && alone > 1000);
}

/* By hand: 16 columns, rows of 4096 bytes; sum = 100 + 60 + 40 + 20 + 1 = 221. */
static void test_an_example_by_hand(void **state) {
  (void)state;
  const struct placement_label a[] = {
    {.label = 1, .stride = 4, .intensity = 60, .regular = true},    /* 16 * 60 / 221 = 4.3: 4 */
    {.label = 2, .intensity = 100},                                 /* irregular */
    {.label = 3, .stride = -512, .intensity = 20, .regular = true}, /* 1.4: 1, the last that is left of the 8 */
    {.label = 4, .stride = 512, .intensity = 40, .regular = true},  /* 2.9: 3 */
    {.label = 5, .stride = 516, .intensity = 0, .regular = true},   /* too wide */
    {.label = 6, .stride = 8, .intensity = 0, .regular = true},     /* 0: 1, but none is left: with 3 */
  };
  struct placement p;
  placement_choose(&p, a, 6, 16, MMU_HALF, 4096);
  assert_int_equal(placement_find(&p, 1)->columns, 0x000f);
  assert_int_equal(placement_find(&p, 4)->columns, 0x0070);
  assert_int_equal(placement_find(&p, 3)->columns, 0x0080);
  assert_int_equal(placement_find(&p, 6)->columns, 0x0080);
  assert_null(placement_find(&p, 2));
  assert_null(placement_find(&p, 5));
  assert_int_equal(p.rest, 0xff00);
  placement_choose(&p, a, 6, 16, MMU_SHARE, 4096); /* 101 of 221 for the rest: 7 of 16 */
  assert_int_equal(placement_find(&p, 1)->columns, 0x000f);
  assert_int_equal(placement_find(&p, 4)->columns, 0x0070);
  assert_int_equal(placement_find(&p, 3)->columns, 0x0080);
  assert_int_equal(placement_find(&p, 6)->columns, 0x0100);
  assert_int_equal(p.rest, 0xfe00);
}

/* --- pages --- */

struct rig {
  struct gpu_config config;
  struct address_map map;
  struct page_table *pages;
};

static void rig_start(struct rig *r, const char *settings, int mib) {
  struct err e = {0};
  config_begin(&r->config, NULL);
  r->config.memory_mib = mib;
  r->config.mmu_frames = MMU_PLACED;
  config_set_text(&r->config, settings);
  config_check(&r->config);
  address_map_start(&r->map, &r->config);
  r->pages = page_table_create(&r->config, &r->map, &e);
  if (!r->pages) fail_msg("%s: %s", settings, e.text);
}

/* The bank of every byte of the page, by the address map alone; they must all be the same. As a number that runs through
 * the groups first. */
static uint32_t column_of_page(const struct rig *r, uint64_t page) {
  uint32_t column = UINT32_MAX;
  for (uint64_t a = page; a < page + PAGE_BYTES; a += 32) {
    struct dram_place p = address_map_place(&r->map, address_map_local(&r->map, page_table_physical(r->pages, a)));
    uint32_t per_group = (uint32_t)(r->config.dram_banks / r->config.dram_bank_groups);
    uint32_t c = p.bank % per_group * (uint32_t)r->config.dram_bank_groups + p.group;
    assert_true(column == UINT32_MAX || column == c);
    column = c;
  }
  return column;
}

static const char *const good[] = {"dram.map=column_bank",
                                   "dram.map=page_bank_column",
                                   "dram.map=page_bank_column dram.channels=6 l2.bytes=0",
                                   "dram.map=column_bank dram.bank_hash=0 dram.channel_hash=1",
                                   "dram.map=column_row_bank dram.channels=4",
                                   "dram.map=page_bank_column dram.channels=32 l2.bytes=0",
                                   "dram.map=column_bank dram.banks=8 dram.bank_groups=1 dram.channels=3 l2.bytes=0"};
enum { N_GOOD = sizeof good / sizeof *good };

static const struct placement_label two[] = {{.label = 5, .stride = 4, .intensity = 100, .regular = true},
                                             {.label = 9, .intensity = 100}};

static void test_pages_of_an_atom_take_its_columns_in_turn(void **state) {
  (void)state;
  for (int k = 0; k < N_GOOD; k++) {
    struct rig r;
    rig_start(&r, good[k], 16);
    page_table_set_labels(r.pages, two, 2);
    const struct placement *p = page_table_placement(r.pages);
    uint64_t own = placement_find(p, 5)->columns, seen_own = 0, seen_rest = 0, last = 0;
    assert_int_equal(__builtin_popcountll(own), r.config.dram_banks / 2); /* 100 of 201: 8 of 16, 4 of 8 */
    const uint64_t a = DEVICE_MEMORY_BASE, b = a + (1 << 20), c = b + (1 << 20);
    assert_true(page_table_allocate(r.pages, a, 1 << 20, 5) && page_table_allocate(r.pages, b, 1 << 20, 9) &&
                page_table_allocate(r.pages, c, 1 << 20, DEVICE_MEMORY_UNLABELLED));
    for (uint64_t i = 0; i < 256; i++) {
      uint32_t x = column_of_page(&r, a + i * PAGE_BYTES), y = column_of_page(&r, (i % 2 ? b : c) + i * PAGE_BYTES);
      assert_int_equal(page_table_column(r.pages, page_table_physical(r.pages, a + i * PAGE_BYTES)), x);
      assert_true(own >> x & 1 && p->rest >> y & 1);
      if (i) assert_int_not_equal(x, last); /* in turn */
      last = x;
      seen_own |= UINT64_C(1) << x;
      seen_rest |= UINT64_C(1) << y;
    }
    assert_true(seen_own == own && seen_rest == p->rest);
    page_table_destroy(r.pages);
  }
}

/* A column's frames come in order: pages that follow one another there share rows as far as the map lets them. */
static void test_the_frames_of_a_column_come_in_order(void **state) {
  (void)state;
  struct rig r;
  rig_start(&r, "dram.map=column_bank", 16);
  page_table_set_labels(r.pages, two, 2);
  assert_true(page_table_allocate(r.pages, DEVICE_MEMORY_BASE, 1 << 20, 5));
  for (uint64_t i = 0; i < 256; i++) { /* 8 pages a row of 8 channels, 8 columns: rows of 64 pages */
    uint64_t physical = page_table_physical(r.pages, DEVICE_MEMORY_BASE + i * PAGE_BYTES);
    uint64_t first = page_table_physical(r.pages, DEVICE_MEMORY_BASE + (i / 64 * 64 + i % 8) * PAGE_BYTES);
    struct dram_place p = address_map_place(&r.map, address_map_local(&r.map, physical));
    struct dram_place q = address_map_place(&r.map, address_map_local(&r.map, first));
    assert_true(p.bank == q.bank && p.row == q.row);
  }
  page_table_destroy(r.pages);
}

/* 1 MiB: 256 frames, 16 a column. An atom of 8 columns has 128 places of its own, then others; all end up different. */
static void test_a_full_column_falls_back_to_any_frame(void **state) {
  (void)state;
  struct rig r;
  bool taken[256] = {false};
  rig_start(&r, "dram.map=column_bank", 1);
  page_table_set_labels(r.pages, two, 2);
  uint64_t own = placement_find(page_table_placement(r.pages), 5)->columns;
  assert_true(page_table_allocate(r.pages, DEVICE_MEMORY_BASE, 200 * PAGE_BYTES, 5));
  assert_true(page_table_allocate(r.pages, DEVICE_MEMORY_BASE + 200 * PAGE_BYTES, 56 * PAGE_BYTES, 9));
  uint32_t inside = 0;
  for (uint64_t i = 0; i < 256; i++) {
    uint64_t frame =
      (page_table_physical(r.pages, DEVICE_MEMORY_BASE + i * PAGE_BYTES) - DEVICE_MEMORY_BASE) / PAGE_BYTES;
    assert_true(frame < 256 && !taken[frame]);
    taken[frame] = true;
    inside += i < 200 && own >> column_of_page(&r, DEVICE_MEMORY_BASE + i * PAGE_BYTES) & 1;
  }
  assert_int_equal(inside, 128);
  page_table_free(r.pages, DEVICE_MEMORY_BASE, 200 * PAGE_BYTES); /* and back again */
  assert_true(page_table_allocate(r.pages, DEVICE_MEMORY_BASE, 128 * PAGE_BYTES, 5));
  for (uint64_t i = 0; i < 128; i++) assert_true(own >> column_of_page(&r, DEVICE_MEMORY_BASE + i * PAGE_BYTES) & 1);
  page_table_destroy(r.pages);
}

static void test_new_atoms_count_for_new_pages_alone(void **state) {
  (void)state;
  struct rig r;
  rig_start(&r, "dram.map=page_bank_column", 4);
  uint64_t before[64], a = DEVICE_MEMORY_BASE;
  assert_true(page_table_allocate(r.pages, a, 64 * PAGE_BYTES, 5));
  for (uint64_t i = 0; i < 64; i++) before[i] = page_table_physical(r.pages, a + i * PAGE_BYTES);
  page_table_set_labels(r.pages, two, 2);
  for (uint64_t i = 0; i < 64; i++) assert_true(page_table_physical(r.pages, a + i * PAGE_BYTES) == before[i]);
  assert_true(page_table_allocate(r.pages, a + 64 * PAGE_BYTES, PAGE_BYTES, 5));
  assert_true(placement_find(page_table_placement(r.pages), 5)->columns >> column_of_page(&r, a + 64 * PAGE_BYTES) & 1);
  page_table_destroy(r.pages);
}

static void test_a_map_with_the_bank_inside_the_page_is_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"group_column_bank", "bank_column", "row_column_bank"};
  for (int k = 0; k < 3; k++) {
    struct gpu_config m;
    struct address_map map;
    struct err e = {0};
    char text[64];
    config_begin(&m, NULL);
    m.mmu_frames = MMU_PLACED;
    snprintf(text, sizeof text, "dram.map=%s", bad[k]);
    config_set_text(&m, text);
    address_map_start(&map, &m);
    struct page_table *t = page_table_create(&m, &map, &e);
    assert_null(t);
    assert_int_equal(e.code, ERR_VALUE);
    assert_non_null(strstr(e.text, "page_bank_column"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_columns_are_those_of_the_table),
    cmocka_unit_test(test_an_example_by_hand),
    cmocka_unit_test(test_pages_of_an_atom_take_its_columns_in_turn),
    cmocka_unit_test(test_the_frames_of_a_column_come_in_order),
    cmocka_unit_test(test_a_full_column_falls_back_to_any_frame),
    cmocka_unit_test(test_new_atoms_count_for_new_pages_alone),
    cmocka_unit_test(test_a_map_with_the_bank_inside_the_page_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
