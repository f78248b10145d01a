/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Does every page of device memory have a frame of its own, and does every frame come back? */
#include "base/rng.h"
#include "dram/address_map.h"
#include "kit/config.h"
#include "mem/frames.h"
#include "mem/page_table.h"

enum { MIB = 4, PAGES = MIB << 20 >> PAGE_BITS, COLUMNS = 5 };

/* A page table over a device memory, and how often each frame came back. */
struct rig {
  struct gpu_config config;
  struct address_map map;
  struct device_memory memory;
  struct page_table *pages;
  uint32_t freed[PAGES];
};

static void note_freed(void *self, uint64_t physical) {
  struct rig *r = self;
  assert_int_equal(physical % PAGE_BYTES, 0);
  uint64_t frame = (physical - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  assert_true(frame < PAGES);
  r->freed[frame]++;
}

static struct rig *rig_start(const char *settings) {
  struct rig *r = calloc(1, sizeof *r);
  struct err e = {0};
  assert_non_null(r);
  config_begin(&r->config, NULL);
  r->config.memory_mib = MIB;
  config_set_text(&r->config, settings);
  address_map_start(&r->map, &r->config);
  r->pages = page_table_create(&r->config, &r->map, &e);
  if (!r->pages) fail_msg("%s", e.text);
  page_table_listen(r->pages, &(struct frame_listener){note_freed, r});
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

static uint64_t frame_of(const struct rig *r, uint64_t address) {
  uint64_t physical;
  assert_true(page_table_walk(r->pages, address, &physical));
  assert_int_equal(physical % PAGE_BYTES, address % PAGE_BYTES);
  return (physical - DEVICE_MEMORY_BASE) >> PAGE_BITS;
}

/* --- frames --- */

static void test_a_frame_is_free_or_taken_never_both(void **state) {
  (void)state;
  enum { N = 200 };
  struct rng random;
  rng_seed(&random, 7);
  for (uint32_t columns = 1; columns <= COLUMNS; columns += COLUMNS - 1) {
    struct frames f;
    uint8_t column_of[N];
    bool taken[N] = {false};
    for (uint32_t i = 0; i < N; i++) column_of[i] = (uint8_t)rng_below(&random, columns);
    assert_true(frames_create(&f, N, columns, columns == 1 ? NULL : column_of));
    for (int step = 0; step < 5000; step++) {
      uint64_t set = columns == 1 ? FRAMES_ALL : 1 + rng_below(&random, (1U << columns) - 1);
      uint32_t left = 0, from = rng_below(&random, N), first = FRAMES_NONE;
      for (uint32_t i = 0; i < N; i++) {
        uint32_t at = (from + i) % N;
        if (taken[at] || !(set >> column_of[at] & 1)) continue;
        left++;
        if (first == FRAMES_NONE) first = at;
      }
      assert_int_equal(frames_left(&f, set), left);
      assert_int_equal(frames_next(&f, set, from), first);
      uint32_t any = frames_random(&f, set, &random);
      assert_int_equal(any == FRAMES_NONE, !left);
      if (left) assert_true(!taken[any] && set >> column_of[any] & 1);
      uint32_t frame = rng_percent(&random, 50) && left ? any : rng_below(&random, N);
      assert_int_equal(frames_is_free(&f, frame), !taken[frame]);
      if (taken[frame]) frames_give(&f, frame);
      else frames_take(&f, frame);
      taken[frame] = !taken[frame];
    }
    frames_destroy(&f);
  }
}

static void test_random_frames_are_all_drawn_alike(void **state) {
  (void)state;
  enum { N = 16, DRAWS = 16000 };
  uint8_t column_of[N];
  uint32_t seen[N] = {0};
  struct frames f;
  struct rng random;
  rng_seed(&random, 3);
  for (uint32_t i = 0; i < N; i++) column_of[i] = i < 4 ? 0 : i < 14 ? 1 : 2;
  assert_true(frames_create(&f, N, 3, column_of));
  frames_take(&f, 1);
  frames_take(&f, 15);
  for (int i = 0; i < DRAWS; i++) seen[frames_random(&f, 5, &random)]++; /* columns 0 and 2: frames 0, 2, 3, 14 */
  for (uint32_t i = 0; i < N; i++)
    if (i == 0 || i == 2 || i == 3 || i == 14) assert_in_range(seen[i], DRAWS / 4 - 300, DRAWS / 4 + 300);
    else assert_int_equal(seen[i], 0);
  frames_destroy(&f);
}

/* --- pages --- */

static void test_identity_pages_are_their_own_frames(void **state) {
  (void)state;
  struct rig *r = rig_start("mmu.frames=identity");
  for (uint64_t bytes = 1; bytes < 200000; bytes = bytes * 3 + 7) {
    uint64_t at = device_memory_alloc(&r->memory, bytes);
    for (uint64_t a = at; a < at + bytes; a += 511) {
      assert_true(page_table_physical(r->pages, a) == a);
      assert_int_equal(frame_of(r, a), (a - DEVICE_MEMORY_BASE) >> PAGE_BITS);
    }
  }
  rig_end(r);
}

static void test_no_two_pages_share_a_frame(void **state) {
  (void)state;
  static const char *const policies[] = {"mmu.frames=sequential", "mmu.frames=random", "mmu.frames=random mmu.seed=9"};
  for (size_t k = 0; k < sizeof policies / sizeof *policies; k++) {
    struct rig *r = rig_start(policies[k]);
    struct rng random;
    rng_seed(&random, 11 + k);
    uint64_t live[64] = {0}, size[64] = {0};
    for (int step = 0; step < 2000; step++) {
      uint32_t i = rng_below(&random, 64);
      if (live[i]) {
        assert_int_equal(device_memory_free(&r->memory, live[i], NULL), 0);
        live[i] = 0;
      } else {
        size[i] = 1 + rng_below(&random, rng_percent(&random, 50) ? 1000 : 100000);
        live[i] = rng_percent(&random, 50) ? device_memory_alloc(&r->memory, size[i])
                                           : device_memory_alloc_labelled(&r->memory, size[i], rng_below(&random, 4));
      }
      if (step % 50) continue;
      uint64_t page_in[PAGES] = {0}; /* + 1 */
      for (i = 0; i < 64; i++)
        for (uint64_t a = live[i] & ~(uint64_t)(PAGE_BYTES - 1); live[i] && a < live[i] + size[i]; a += PAGE_BYTES) {
          uint64_t frame = frame_of(r, a);
          assert_true(frame < PAGES && (!page_in[frame] || page_in[frame] == a + 1));
          page_in[frame] = a + 1;
          assert_true(page_table_physical(r->pages, a + 77) == DEVICE_MEMORY_BASE + frame * PAGE_BYTES + 77);
        }
    }
    rig_end(r);
  }
}

static void test_sequential_frames_follow_the_order_of_allocation(void **state) {
  (void)state;
  struct rig *r = rig_start("mmu.frames=sequential");
  uint64_t a = device_memory_alloc(&r->memory, 3 * PAGE_BYTES), b = device_memory_alloc(&r->memory, 2 * PAGE_BYTES);
  for (uint64_t i = 0; i < 3; i++) assert_int_equal(frame_of(r, a + i * PAGE_BYTES), i);
  for (uint64_t i = 0; i < 2; i++) assert_int_equal(frame_of(r, b + i * PAGE_BYTES), 3 + i);
  device_memory_free(&r->memory, a, NULL);
  uint64_t c = device_memory_alloc(&r->memory, 2 * PAGE_BYTES); /* where `a` was: other frames */
  assert_true(c == a);
  for (uint64_t i = 0; i < 2; i++) assert_int_equal(frame_of(r, c + i * PAGE_BYTES), 5 + i);
  rig_end(r);
}

static void test_random_frames_depend_on_the_seed_alone(void **state) {
  (void)state;
  static const char *const settings[] = {"mmu.frames=random mmu.seed=1", "mmu.frames=random mmu.seed=1",
                                         "mmu.frames=random mmu.seed=2"};
  enum { N = 256 };
  uint64_t frame[3][N];
  for (int k = 0; k < 3; k++) {
    struct rig *r = rig_start(settings[k]);
    uint64_t at = device_memory_alloc(&r->memory, N * PAGE_BYTES);
    for (uint64_t i = 0; i < N; i++) frame[k][i] = frame_of(r, at + i * PAGE_BYTES);
    rig_end(r);
  }
  uint32_t equal = 0, own = 0;
  for (uint64_t i = 0; i < N; i++) {
    equal += frame[0][i] == frame[2][i];
    own += frame[0][i] == i;
  }
  assert_memory_equal(frame[0], frame[1], sizeof frame[0]);
  assert_true(equal < 8 && own < 8); /* of 1024 frames */
}

static void test_a_frame_comes_back_once_when_the_last_of_its_page_goes(void **state) {
  (void)state;
  static const char *const policies[] = {"mmu.frames=identity", "mmu.frames=random"};
  for (int k = 0; k < 2; k++) {
    struct rig *r = rig_start(policies[k]);
    uint64_t a = device_memory_alloc(&r->memory, 100), b = device_memory_alloc(&r->memory, 7000), none;
    uint64_t shared = frame_of(r, a), second = frame_of(r, b + 4096);
    assert_int_equal(frame_of(r, b), shared);
    device_memory_free(&r->memory, a, NULL);
    assert_int_equal(r->freed[shared], 0);
    assert_int_equal(frame_of(r, b), shared);
    device_memory_free(&r->memory, b, NULL);
    for (uint64_t i = 0; i < PAGES; i++) assert_int_equal(r->freed[i], i == shared || i == second);
    assert_false(page_table_walk(r->pages, b, &none));
    assert_true(page_table_physical(r->pages, b + 5) == b + 5);
    rig_end(r);
  }
}

/* All of it is given, taken back and given again: nothing is lost. */
static void test_memory_can_be_filled_again_and_again(void **state) {
  (void)state;
  struct rig *r = rig_start("mmu.frames=random");
  for (int round = 0; round < 3; round++) {
    uint64_t all = device_memory_alloc(&r->memory, MIB << 20);
    assert_true(all != 0);
    assert_int_equal(device_memory_alloc(&r->memory, 1), 0);
    device_memory_free(&r->memory, all, NULL);
  }
  for (uint64_t i = 0; i < PAGES; i++) assert_int_equal(r->freed[i], 3);
  rig_end(r);
}

static void test_what_was_allocated_before_is_told_to_a_new_page_table(void **state) {
  (void)state;
  struct rig *r = rig_start("mmu.frames=random");
  uint64_t a = device_memory_alloc(&r->memory, 10000), b = device_memory_alloc_labelled(&r->memory, 5000, 3), other;
  struct err e;
  struct page_table *later = page_table_create(&r->config, &r->map, &e);
  struct device_memory_observer o = page_table_observer(later);
  assert_true(device_memory_observe(&r->memory, &o));
  assert_true(page_table_walk(later, a + 9999, &other) && page_table_walk(later, b + 4999, &other));
  assert_false(page_table_walk(later, b + 8192, &other));
  device_memory_free(&r->memory, a, NULL);
  assert_false(page_table_walk(later, a, &other));
  device_memory_observe(&r->memory, NULL);
  page_table_destroy(later);
  rig_end(r);
}

static void test_labelled_allocations_have_their_pages_for_themselves(void **state) {
  (void)state;
  struct rig *r = rig_start("mmu.frames=random");
  for (int i = 0; i < 20; i++) {
    uint64_t small = device_memory_alloc(&r->memory, 300);
    uint64_t own = device_memory_alloc_labelled(&r->memory, 4097, (uint32_t)i),
             after = device_memory_alloc(&r->memory, 1);
    assert_int_equal(own % PAGE_BYTES, 0);
    assert_true(small + 300 <= own || small >= own + 8192);
    assert_true(after >= own + 8192 || after < own);
  }
  rig_end(r);
}

static bool refuse(void *self, uint64_t address, uint64_t bytes, uint32_t label) {
  (void)address, (void)bytes, (void)label;
  ++*(int *)self;
  return false;
}

static void test_an_allocation_that_gets_no_frames_is_none(void **state) {
  (void)state;
  struct device_memory m;
  int asked = 0;
  const struct device_memory_observer o = {.allocated = refuse, .self = &asked};
  assert_int_equal(device_memory_create(&m, 1 << 20, NULL), 0);
  assert_true(device_memory_observe(&m, &o)); /* there is nothing yet */
  assert_int_equal(device_memory_alloc(&m, 100), 0);
  assert_int_equal(device_memory_alloc_labelled(&m, 100, 1), 0);
  assert_true(asked == 2 && m.allocated_bytes == 0);
  device_memory_observe(&m, NULL);
  assert_true(device_memory_alloc(&m, 100) == DEVICE_MEMORY_BASE);
  assert_false(device_memory_observe(&m, &o)); /* and it does not stay */
  assert_true(device_memory_alloc(&m, 100) != 0);
  device_memory_destroy(&m);
}

static void test_addresses_without_a_page_are_their_own(void **state) {
  (void)state;
  struct rig *r = rig_start("mmu.frames=random");
  const uint64_t end = DEVICE_MEMORY_BASE + (MIB << 20);
  const uint64_t others[] = {
    0, 128, DEVICE_MEMORY_BASE - 1, DEVICE_MEMORY_BASE + 5000, end, end + (UINT64_C(1) << 40), UINT64_MAX};
  uint64_t physical;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_true(page_table_physical(r->pages, others[i]) == others[i]);
    assert_false(page_table_walk(r->pages, others[i], &physical));
  }
  rig_end(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_frame_is_free_or_taken_never_both),
    cmocka_unit_test(test_random_frames_are_all_drawn_alike),
    cmocka_unit_test(test_identity_pages_are_their_own_frames),
    cmocka_unit_test(test_no_two_pages_share_a_frame),
    cmocka_unit_test(test_sequential_frames_follow_the_order_of_allocation),
    cmocka_unit_test(test_random_frames_depend_on_the_seed_alone),
    cmocka_unit_test(test_a_frame_comes_back_once_when_the_last_of_its_page_goes),
    cmocka_unit_test(test_memory_can_be_filled_again_and_again),
    cmocka_unit_test(test_what_was_allocated_before_is_told_to_a_new_page_table),
    cmocka_unit_test(test_labelled_allocations_have_their_pages_for_themselves),
    cmocka_unit_test(test_an_allocation_that_gets_no_frames_is_none),
    cmocka_unit_test(test_addresses_without_a_page_are_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
