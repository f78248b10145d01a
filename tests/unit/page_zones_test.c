/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does every address of a GPU with several modules have a place of its own, in the zone that its placement says? */
#include "base/rng.h"
#include "dram/address_map.h"
#include "kit/block_bench.h"
#include "kit/config.h"
#include "mem/page_table.h"
#include "numa_decode_ports.h"

BLOCK_BENCH(numa_decode);

enum { MIB = 4, LINE = 128, LINES = (MIB << 20) / LINE, SMS = 8, SEED = 0x20e5 };

/* --- maps --- */

/* The bits of numa_decode's specification, without its code: the block's C model is proved equal to its Verilog. */
static void test_a_map_is_what_the_decoder_does(void **unused) {
  (void)unused;
  struct rng random;
  rng_seed(&random, SEED);
  for (uint32_t bits = 1; bits <= 2; bits++) {
    struct bench b;
    bench_open(&b, (struct numa_decode_cfg){.PAW = 48, .ZONES = 1 << bits});
    for (uint32_t map = 0; map < ZONE_MAP_XOR; map++)
      for (int i = 0; i < 500; i++) {
        b.in.pa = rng_u64(&random) & ((UINT64_C(1) << 48) - 1);
        b.in.b = (uint8_t)map;
        bench_settle(&b);
        struct zone_place p = zone_place(b.in.pa, map, bits);
        assert_int_equal(p.zone, b.out.zone);
        assert_true(p.local == b.out.lpa);
        assert_true(zone_physical(p, map, bits) == b.in.pa);
      }
    bench_close(&b);
  }
}

/* The fold by its definition, a group at a time. */
static uint32_t fold(uint64_t address, uint32_t bits) {
  uint32_t zone = 0;
  for (uint32_t at = 7; at <= 47; at += bits)
    for (uint32_t k = 0; k < bits && at + k <= 47; k++) zone ^= (uint32_t)(address >> (at + k) & 1) << k;
  return zone;
}

static void test_the_hash_is_the_fold_of_all_groups(void **unused) {
  (void)unused;
  struct rng random;
  rng_seed(&random, SEED);
  for (uint32_t bits = 1; bits <= 2; bits++)
    for (int i = 0; i < 5000; i++) {
      uint64_t address = rng_u64(&random);
      assert_int_equal(zone_place(address, ZONE_MAP_XOR, bits).zone, fold(address, bits));
    }
}

/* --- a page table with zones --- */

struct rig {
  struct gpu_config config;
  struct address_map map;
  struct device_memory memory;
  struct page_table *pages;
  uint32_t modules;
};

static struct rig *rig_start(uint32_t modules, int64_t page_bytes, uint32_t placement, uint32_t bit, int64_t frames) {
  struct rig *r = calloc(1, sizeof *r);
  struct err e = {0};
  assert_non_null(r);
  config_begin(&r->config, NULL);
  r->config.memory_mib = MIB;
  r->config.mmu_page_bytes = page_bytes;
  r->config.mmu_frames = frames;
  r->modules = modules;
  address_map_start(&r->map, &r->config);
  r->pages = page_table_create(&r->config, &r->map, &e);
  assert_non_null(r->pages);
  const struct page_zoning z = {modules, placement, bit, SMS / modules};
  if (modules > 1) assert_int_equal(page_table_set_zones(r->pages, &z, &e), 0);
  assert_int_equal(device_memory_create(&r->memory, MIB << 20, &e), 0);
  struct device_memory_observer o = page_table_observer(r->pages);
  assert_true(device_memory_observe(&r->memory, &o));
  return r;
}

static void rig_end(struct rig *r) {
  device_memory_destroy(&r->memory);
  page_table_destroy(r->pages);
  free(r);
}

static struct zone_place find(struct rig *r, uint64_t address, uint32_t module) {
  uint64_t physical;
  uint32_t map;
  assert_true(page_table_find(r->pages, address, module, &physical, &map));
  return page_table_zone(r->pages, physical, map);
}

/* Every line of every allocation has a place that no other has, within the zone's memory. */
static void assert_places_differ(struct rig *r) {
  static uint8_t taken[LINES];
  uint64_t first = DEVICE_MEMORY_BASE / r->modules, share = (MIB << 20) / r->modules;
  memset(taken, 0, sizeof taken);
  for (uint64_t from = DEVICE_MEMORY_BASE; from < r->memory.limit; from += LINE) {
    if (!device_memory_find(&r->memory, from, NULL)) continue;
    uint64_t physical; /* a page that nobody could touch because the zone is full has no place */
    uint32_t map;
    if (!page_table_find(r->pages, from, (uint32_t)(from >> 16) % r->modules, &physical, &map)) continue;
    struct zone_place p = page_table_zone(r->pages, physical, map);
    assert_true(p.local >= first && p.local < first + share && p.zone < r->modules);
    if (taken[p.zone * (share / LINE) + (p.local - first) / LINE]++)
      fail_msg("0x%llx is in zone %u at 0x%llx, where another line is", (unsigned long long)from, p.zone,
               (unsigned long long)p.local);
  }
}

static void test_no_two_lines_have_one_place_whatever_is_allocated_and_placed(void **unused) {
  (void)unused;
  struct rng random;
  rng_seed(&random, SEED);
  print_message("seed %d\n", SEED);
  for (uint32_t modules = 2; modules <= 4; modules += 2)
    for (uint32_t placement = NUMA_XOR; placement <= NUMA_INTERLEAVE; placement++)
      for (int large = 0; large < 2; large++) {
        struct rig *r = rig_start(modules, large ? 65536 : 4096, placement, 7 + rng_below(&random, 10), MMU_IDENTITY);
        uint64_t held[12] = {0}, moved = 0;
        for (int step = 0; step < 48; step++) {
          uint64_t *a = &held[rng_below(&random, 12)];
          if (*a && rng_percent(&random, 40)) {
            assert_int_equal(device_memory_free(&r->memory, *a, NULL), 0);
            *a = 0;
          } else if (!*a) {
            *a = device_memory_alloc(&r->memory, 1 + rng_below(&random, 700000));
          }
          if (*a && rng_percent(&random, 60))
            page_table_place(r->pages, *a, device_memory_find(&r->memory, *a, NULL), rng_below(&random, ZONE_MAPS),
                             PAGE_ANY_ZONE, &moved);
          if (step % 4 == 3) assert_places_differ(r);
        }
        assert_true(moved > 0);
        rig_end(r);
      }
}

static void test_interleaved_pages_lie_where_their_device_addresses_say(void **unused) {
  (void)unused;
  for (uint32_t bit = ZONE_FIRST_BIT; bit <= ZONE_LAST_BIT; bit++) {
    struct rig *r = rig_start(4, 65536, NUMA_INTERLEAVE, bit, MMU_IDENTITY);
    uint64_t other = device_memory_alloc(&r->memory, 65536), a = device_memory_alloc(&r->memory, 1 << 20), moved = 0;
    device_memory_free(&r->memory, other, NULL);
    for (uint64_t i = 0; i < 1 << 20; i += LINE) assert_int_equal(find(r, a + i, 3).zone, (a + i) >> bit & 3);
    uint32_t to = bit == ZONE_LAST_BIT ? ZONE_FIRST_BIT : bit + 1;
    assert_true(page_table_place(r->pages, a, 1 << 20, zone_map_of_bit(to), PAGE_ANY_ZONE, &moved));
    assert_int_equal(moved, 1 << 20);
    for (uint64_t i = 0; i < 1 << 20; i += LINE) assert_int_equal(find(r, a + i, 3).zone, (a + i) >> to & 3);
    assert_true(page_table_place(r->pages, a, 1 << 20, zone_map_of_bit(to), PAGE_ANY_ZONE, &moved));
    assert_int_equal(moved, 1 << 20); /* they are there already */
    rig_end(r);
  }
}

static void test_a_page_is_where_it_is_touched_first(void **unused) {
  (void)unused;
  for (int64_t bytes = 4096; bytes <= 65536; bytes *= 16)
    for (uint32_t modules = 2; modules <= 4; modules += 2) {
      struct rig *r = rig_start(modules, bytes, NUMA_FIRST_TOUCH, 0, MMU_IDENTITY);
      uint64_t n = (uint64_t)((MIB << 20) / bytes) / 2, a = device_memory_alloc(&r->memory, n * (uint64_t)bytes),
               physical;
      assert_false(page_table_walk(r->pages, a, &physical));
      for (uint64_t i = 0; i < n; i++) { /* in an order of its own */
        uint64_t page = i * 5 % n;
        assert_int_equal(find(r, a + page * (uint64_t)bytes + 77, (uint32_t)i % modules).zone, i % modules);
        for (uint64_t at = 0; at < (uint64_t)bytes; at += LINE)
          assert_int_equal(find(r, a + page * (uint64_t)bytes + at, 0).zone, i % modules);
      }
      assert_places_differ(r);
      device_memory_free(&r->memory, a, NULL);
      assert_true(device_memory_alloc(&r->memory, MIB << 20) != 0); /* all of it came back */
      rig_end(r);
    }
}

static void test_a_full_zone_takes_no_page(void **unused) {
  (void)unused;
  struct rig *r = rig_start(4, 65536, NUMA_FIRST_TOUCH, 0, MMU_IDENTITY);
  uint64_t all = device_memory_alloc(&r->memory, MIB << 20), share = (MIB << 20) / 4, physical;
  uint32_t map;
  assert_true(all);
  for (uint64_t at = 0; at < share; at += 65536) assert_int_equal(find(r, all + at, 2).zone, 2);
  assert_false(page_table_find(r->pages, all + share, 2, &physical, &map));
  for (uint64_t at = share; at < 2 * share; at += 65536) assert_int_equal(find(r, all + at, 1).zone, 1);
  assert_int_equal(device_memory_alloc(&r->memory, 1), 0); /* what is not touched is allocated */
  rig_end(r);
}

static void test_local_memory_is_in_the_zone_of_its_sm(void **unused) {
  (void)unused;
  for (uint32_t placement = NUMA_XOR; placement <= NUMA_INTERLEAVE; placement++) {
    struct rig *r = rig_start(4, 65536, placement, 7, MMU_IDENTITY);
    uint64_t first = DEVICE_MEMORY_BASE + (MIB << 20), seen[SMS * 3], n = 0;
    uint32_t own = 0;
    for (uint64_t sm = 0; sm < SMS; sm++)
      for (uint64_t k = 0; k < 3; k++) {
        uint64_t offset = k * ((UINT64_C(1) << LOCAL_WINDOW_BITS) - LINE) / 2;
        struct zone_place p = find(r, first + (sm << LOCAL_WINDOW_BITS) + offset / LINE * LINE, 0);
        own += p.zone == sm / (SMS / 4);
        seen[n] = p.local << 2 | p.zone;
        assert_true(p.local >= (DEVICE_MEMORY_BASE + (MIB << 20)) / 4); /* behind the zone's pages */
        for (uint64_t i = 0; i < n; i++) assert_true(seen[i] != seen[n]);
        n++;
      }
    if (placement == NUMA_XOR) assert_true(own < n);
    else assert_int_equal(own, n);
    rig_end(r);
  }
}

/* --- large pages of one module --- */

static void test_large_pages_do_what_small_ones_do(void **unused) {
  (void)unused;
  for (int64_t policy = MMU_IDENTITY; policy <= MMU_RANDOM; policy++) {
    struct rig *r = rig_start(1, 65536, NUMA_XOR, 0, policy);
    uint64_t small[300], a, physical, seen = 0;
    for (int i = 0; i < 300; i++) small[i] = device_memory_alloc(&r->memory, 256); /* more than 255 share a page */
    a = device_memory_alloc(&r->memory, 200000);
    assert_int_equal(a % 65536, 0);
    for (uint64_t at = 0; at < 200000; at += 65536) {
      assert_true(page_table_walk(r->pages, a + at + 5, &physical));
      assert_int_equal(physical % 65536, 5);
      uint64_t frame = (physical - DEVICE_MEMORY_BASE) / 65536;
      assert_false(seen >> frame & 1);
      seen |= UINT64_C(1) << frame;
    }
    for (int i = 0; i < 300; i++) device_memory_free(&r->memory, small[i], NULL);
    assert_false(page_table_walk(r->pages, small[0], &physical));
    device_memory_free(&r->memory, a, NULL);
    assert_true(device_memory_alloc(&r->memory, MIB << 20) != 0);
    rig_end(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_map_is_what_the_decoder_does),
    cmocka_unit_test(test_the_hash_is_the_fold_of_all_groups),
    cmocka_unit_test(test_no_two_lines_have_one_place_whatever_is_allocated_and_placed),
    cmocka_unit_test(test_interleaved_pages_lie_where_their_device_addresses_say),
    cmocka_unit_test(test_a_page_is_where_it_is_touched_first),
    cmocka_unit_test(test_a_full_zone_takes_no_page),
    cmocka_unit_test(test_local_memory_is_in_the_zone_of_its_sm),
    cmocka_unit_test(test_large_pages_do_what_small_ones_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
