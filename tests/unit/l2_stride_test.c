/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* What the stride prefetcher of a slice learns: streams of any stride, several at a time and out of order; nothing from random
 * accesses; and it never names a line outside of the region of the access. */
#include "base/rng.h"
#include "kit/config.h"
#include "mem/l2_stride.h"

enum { SEED = 0x57d, LINE = 128, MAX_LINES = 1 << 20 };

struct bench {
  struct gpu_config m;
  struct address_map map;
  struct l2_stride p;
  uint8_t named[MAX_LINES]; /* how often */
  uint32_t names, distinct, covered, accesses;
};

static struct bench bench; /* large */

static struct bench *start(const char *const settings[]) {
  struct bench *b = &bench;
  memset(b, 0, sizeof *b);
  config_begin(&b->m, NULL);
  config_set(&b->m, settings);
  config_check(&b->m);
  address_map_start(&b->map, &b->m);
  l2_stride_start(&b->p, &b->m, &b->map, 1);
  return b;
}
#define START(...) start((const char *const[]){"l2.prefetch=stride", __VA_ARGS__ __VA_OPT__(, ) NULL})
#define ONE_REGION "l2.prefetch_region=1048576"

static uint64_t global(const struct bench *b, uint64_t line) { return address_map_global(&b->map, 1, line * LINE); }

/* Demand asks for a line; what the prefetcher names is held against its region. Returns how many. */
static uint32_t ask(struct bench *b, uint64_t line, uint64_t region_bytes) {
  uint64_t lines[L2_STRIDE_DEGREE];
  assert_true(line < MAX_LINES);
  b->accesses++;
  b->covered += b->named[line] > 0;
  uint32_t n = l2_stride_train(&b->p, line, lines);
  assert_true(n <= (uint32_t)b->m.l2_prefetch_degree);
  for (uint32_t i = 0; i < n; i++) {
    assert_true(lines[i] < MAX_LINES);
    assert_int_equal(global(b, lines[i]) / region_bytes, global(b, line) / region_bytes);
    b->distinct += !b->named[lines[i]]++;
  }
  b->names += n;
  return n;
}

static void test_three_accesses_make_a_stream_that_ramps_up(void **unused) {
  (void)unused;
  struct bench *b = START(ONE_REGION);
  static const uint32_t expected[] = {0, 0, 1, 2, 3, 1, 1, 1}; /* one ahead, two, four */
  for (uint32_t k = 0; k < 8; k++) assert_int_equal(ask(b, 100 + k, 1 << 20), expected[k]);
  for (uint64_t k = 103; k < 112; k++) assert_int_equal(b->named[k], 1);
  assert_int_equal(b->names, 9);
}

static void test_any_stride_is_followed_either_way(void **unused) {
  (void)unused;
  for (int64_t stride = -9; stride <= 9; stride++) {
    if (!stride) continue;
    struct bench *b = START(ONE_REGION);
    for (int64_t k = 0; k < 50; k++) ask(b, (uint64_t)(500 + stride * k), 1 << 20);
    assert_int_equal(b->covered, 47);
    assert_in_range(b->names, 47, 47 + (uint64_t)b->m.l2_prefetch_degree);
    for (int64_t k = 3; k < 50; k++) assert_int_equal(b->named[500 + stride * k], 1);
  }
}

/* As many as there are places: in regions of their own, or all in one. */
static void test_interleaved_streams_are_told_apart(void **unused) {
  (void)unused;
  struct bench *b = START();
  for (uint64_t k = 0; k < 40; k++)
    for (uint64_t s = 0; s < 5; s++) ask(b, (s + 1) * 20000 + k * (s % 3 + 1), 131072);
  print_message("5 streams in regions of their own: %u of %u covered\n", b->covered, b->accesses);
  assert_true(b->covered > 5 * 40 * 8 / 10);
  b = START(ONE_REGION);
  for (uint64_t k = 0; k < 40; k++)
    for (uint64_t s = 0; s < 5; s++) ask(b, s * 200 + k * (s % 3 + 1), 1 << 20);
  print_message("5 streams in one region: %u of %u covered\n", b->covered, b->accesses);
  assert_true(b->covered > 5 * 40 * 8 / 10);
  assert_true(b->names < b->accesses * 11 / 10);
  b = START(ONE_REGION, "l2.prefetch_streams=16");
  static const uint64_t base[16] = {13,  61,  117, 167, 229, 278, 334, 384,
                                    450, 531, 581, 638, 686, 740, 799, 852}; /* no three at one distance */
  for (uint64_t s = 0; s < 16; s++)                                          /* learned one by one, followed together */
    for (uint64_t k = 0; k < 12; k++) ask(b, base[s] + k, 1 << 20);
  uint32_t before = b->covered;
  for (uint64_t k = 12; k < 40; k++)
    for (uint64_t s = 0; s < 16; s++) ask(b, base[s] + k, 1 << 20);
  assert_int_equal(b->covered - before, 28 * 16);
}

static void test_the_stream_of_no_use_makes_room(void **unused) {
  (void)unused;
  struct bench *b = START(ONE_REGION, "l2.prefetch_streams=2");
  for (uint64_t s = 0; s < 2; s++)
    for (uint64_t k = 0; k < 5; k++) ask(b, s * 200 + k, 1 << 20);
  ask(b, 5, 1 << 20);                                        /* the first is of use again */
  for (uint64_t k = 0; k < 5; k++) ask(b, 450 + k, 1 << 20); /* 0, 200, 400 would be one more */
  uint32_t covered = b->covered;
  ask(b, 6, 1 << 20);
  assert_int_equal(b->covered, covered + 1);
  assert_true(ask(b, 7, 1 << 20) > 0);
  covered = b->names;
  ask(b, 209, 1 << 20); /* forgotten, but for what had been named */
  assert_int_equal(b->names, covered);
}

/* Warps overtake each other: windows of four in any order. */
static void test_accesses_out_of_order_belong_to_their_stream(void **unused) {
  (void)unused;
  struct bench *b = START(ONE_REGION);
  struct rng r;
  rng_seed(&r, SEED);
  print_message("seed 0x%x\n", SEED);
  for (uint64_t k = 0; k < 400; k += 4) {
    uint64_t window[4] = {k, k + 1, k + 2, k + 3};
    for (uint32_t i = 3; i; i--) {
      uint32_t j = rng_below(&r, i + 1);
      uint64_t t = window[i];
      window[i] = window[j];
      window[j] = t;
    }
    for (int i = 0; i < 4; i++) ask(b, window[i], 1 << 20);
  }
  print_message("%u of %u covered by %u, %u different ones\n", b->covered, b->accesses, b->names, b->distinct);
  assert_true(b->covered > b->accesses * 8 / 10);
  assert_true(b->distinct < b->accesses * 11 / 10); /* a slice drops what it has */
}

static void test_random_accesses_and_repeated_ones_teach_little(void **unused) {
  (void)unused;
  struct bench *b = START();
  struct rng r;
  rng_seed(&r, SEED);
  for (int i = 0; i < 20000; i++) ask(b, rng_below(&r, MAX_LINES - 1000), 131072);
  print_message("%u names for %u random accesses\n", b->names, b->accesses);
  assert_true(b->names < b->accesses / 100);
  b = START();
  for (int i = 0; i < 1000; i++) ask(b, 77 + (uint64_t)(i % 2) * 5, 131072);
  assert_int_equal(b->names, 0);
}

/* Every named line lies in the region of the access (ask() checks it): a page of 4 KB as soon as frames are not those of the
 * addresses, however addresses are spread over channels. */
static void test_no_name_leaves_its_region(void **unused) {
  (void)unused;
  static const struct {
    const char *settings[5];
    uint64_t bytes;
  } rows[] = {
    {{"l2.prefetch_region=4096"}, 4096},
    {{"l2.prefetch_region=65536", "dram.channel_hash=1"}, 65536},
    {{"dram.channels=6", "dram.interleave=256", "l2.bytes=786432", "l2.prefetch_region=65536"}, 65536},
    {{"mmu.frames=random", "l2.prefetch_degree=16"}, 4096},
    {{"mmu.frames=sequential", "dram.channels=6", "dram.channel_hash=1", "l2.prefetch_degree=9"}, 4096},
    {{"dram.interleave=4096", "mmu.frames=random"}, 4096},
  };
  struct rng r;
  rng_seed(&r, SEED);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *settings[7] = {"l2.prefetch=stride"};
    for (int k = 0; k < 5 && rows[i].settings[k]; k++) settings[k + 1] = rows[i].settings[k];
    struct bench *b = start(settings);
    for (int k = 0; k < 300; k++) {
      uint64_t at = 100000 + rng_below(&r, 100000), stride = 1 + rng_below(&r, rng_percent(&r, 50) ? 1 : 5);
      bool down = rng_percent(&r, 50);
      for (uint64_t j = 0; j < 40; j++) ask(b, down ? at - j * stride : at + j * stride, rows[i].bytes);
    }
    print_message("row %zu: %u names for %u accesses, %u covered\n", i, b->names, b->accesses, b->covered);
    assert_true(b->names > 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_three_accesses_make_a_stream_that_ramps_up),
    cmocka_unit_test(test_any_stride_is_followed_either_way),
    cmocka_unit_test(test_interleaved_streams_are_told_apart),
    cmocka_unit_test(test_the_stream_of_no_use_makes_room),
    cmocka_unit_test(test_accesses_out_of_order_belong_to_their_stream),
    cmocka_unit_test(test_random_accesses_and_repeated_ones_teach_little),
    cmocka_unit_test(test_no_name_leaves_its_region),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
