/* SPDX-License-Identifier: Apache-2.0 */
/* Is every byte of device memory accounted for? */
#include "base/err.h"
#include "device/device_memory.h"
#include "kit/test.h"

static struct device_memory memory;
static int open_memory(void **state) {
  (void)state;
  return device_memory_create(&memory, 1 << 20, NULL);
}
static int close_memory(void **state) {
  (void)state;
  device_memory_destroy(&memory);
  return 0;
}

static void test_allocations_are_aligned_zeroed_and_apart(void **state) {
  uint64_t a = device_memory_alloc(&memory, 1), b = device_memory_alloc(&memory, 257),
           c = device_memory_alloc(&memory, 256);
  (void)state;
  assert_true(a == DEVICE_MEMORY_BASE);
  assert_int_equal(b - a, 256);
  assert_int_equal(c - b, 512);
  assert_int_equal(memory.allocated_bytes, 1 + 257 + 256);
  assert_int_equal(((uint8_t *)device_memory_at(&memory, c, 256))[255], 0);
}

static void test_freed_space_is_reused_and_zero_again(void **state) {
  uint64_t a = device_memory_alloc(&memory, 20000), b = device_memory_alloc(&memory, 100);
  (void)state;
  memset(device_memory_at(&memory, a, 20000), 0xff, 20000);
  memset(device_memory_at(&memory, b, 100), 0xff, 100);
  assert_int_equal(device_memory_free(&memory, a, NULL), 0);
  uint64_t c = device_memory_alloc(&memory, 19000);
  assert_true(c == a);
  const uint8_t *p = device_memory_at(&memory, c, 19000);
  for (int i = 0; i < 19000; i++) assert_int_equal(p[i], 0);
  assert_int_equal(*(uint8_t *)device_memory_at(&memory, b, 100), 0xff);
}

static void test_a_full_memory_refuses_and_recovers(void **state) {
  uint64_t a = device_memory_alloc(&memory, 1 << 19), b = device_memory_alloc(&memory, 1 << 19);
  (void)state;
  assert_true(a && b);
  assert_true(device_memory_alloc(&memory, 1) == 0);
  assert_true(device_memory_alloc(&memory, 0) == 0);
  assert_true(device_memory_alloc(&memory, UINT64_MAX) == 0);
  assert_int_equal(device_memory_free(&memory, b, NULL), 0);
  assert_true(device_memory_alloc(&memory, 1 << 19) == b);
}

static void test_free_takes_only_what_alloc_gave(void **state) {
  struct err e = {0};
  uint64_t a = device_memory_alloc(&memory, 1000);
  (void)state;
  assert_int_equal(device_memory_free(&memory, a + 256, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "0x200000100"));
  assert_int_equal(device_memory_free(&memory, a, &e), 0);
  assert_int_equal(device_memory_free(&memory, a, &e), ERR_VALUE);
  assert_int_equal(memory.allocated_bytes, 0);
}

static void test_find_knows_the_bounds(void **state) {
  uint64_t a = device_memory_alloc(&memory, 1000), b = device_memory_alloc(&memory, 10), base = 0;
  (void)state;
  assert_int_equal(device_memory_find(&memory, a + 999, &base), 1000);
  assert_true(base == a);
  assert_int_equal(device_memory_find(&memory, a + 1000, &base), 0);
  assert_int_equal(device_memory_find(&memory, b, NULL), 10);
  assert_int_equal(device_memory_find(&memory, 0, NULL), 0);
}

static void test_addresses_outside_have_no_pointer(void **state) {
  uint64_t a = device_memory_alloc(&memory, 1000);
  (void)state;
  assert_non_null(device_memory_at(&memory, a + 996, 4));
  assert_null(device_memory_at(&memory, a + 997, 4));
  assert_null(device_memory_at(&memory, a - 1, 1));
  assert_null(device_memory_at(&memory, 0, 1));
  assert_null(device_memory_at(&memory, UINT64_MAX, 8));
  assert_null(device_memory_at(&memory, a, UINT64_MAX));
}

static void test_impossible_sizes_are_refused(void **state) {
  struct device_memory m;
  struct err e = {0};
  (void)state;
  assert_int_equal(device_memory_create(&m, 0, &e), ERR_LIMIT);
  assert_int_equal(device_memory_create(&m, UINT64_MAX, &e), ERR_LIMIT);
  assert_non_null(strstr(e.text, "64 TiB"));
  device_memory_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_allocations_are_aligned_zeroed_and_apart, open_memory, close_memory),
    cmocka_unit_test_setup_teardown(test_freed_space_is_reused_and_zero_again, open_memory, close_memory),
    cmocka_unit_test_setup_teardown(test_a_full_memory_refuses_and_recovers, open_memory, close_memory),
    cmocka_unit_test_setup_teardown(test_free_takes_only_what_alloc_gave, open_memory, close_memory),
    cmocka_unit_test_setup_teardown(test_find_knows_the_bounds, open_memory, close_memory),
    cmocka_unit_test_setup_teardown(test_addresses_outside_have_no_pointer, open_memory, close_memory),
    cmocka_unit_test(test_impossible_sizes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
