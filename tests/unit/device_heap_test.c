/* SPDX-License-Identifier: Apache-2.0 */
/* slice: cuda */
/* Does the heap of kernels give each byte once, take it back, and say when it is exhausted? */
#include "base/rng.h"
#include "cuda/device_heap.h"
#include "kit/driver.h"

enum { BASE = 0x1000000, GRAINS = 300, SEED = 7, ROUNDS = 20000, BLOCKS = 64 };

static void test_blocks_are_aligned_and_apart(void **state) {
  struct device_heap h;
  (void)state;
  assert_true(device_heap_create(&h, BASE, 1024));
  uint64_t a = device_heap_allocate(&h, 1), b = device_heap_allocate(&h, 17), c = device_heap_allocate(&h, 16);
  assert_int_equal(a, BASE);
  assert_int_equal(b, BASE + 16);
  assert_int_equal(c, BASE + 48);
  assert_int_equal(device_heap_allocate(&h, 0), 0);
  assert_int_equal(device_heap_allocate(&h, UINT64_MAX), 0);
  device_heap_destroy(&h);
}

static void test_only_what_was_given_is_taken_back(void **state) {
  struct device_heap h;
  (void)state;
  assert_true(device_heap_create(&h, BASE, 1024));
  uint64_t a = device_heap_allocate(&h, 64);
  assert_false(device_heap_release(&h, a + 16));
  assert_false(device_heap_release(&h, a + 1));
  assert_false(device_heap_release(&h, BASE - 16));
  assert_false(device_heap_release(&h, BASE + 1024));
  assert_true(device_heap_release(&h, a));
  assert_false(device_heap_release(&h, a));
  assert_int_equal(device_heap_allocate(&h, 1024), BASE); /* in one piece again */
  assert_int_equal(device_heap_allocate(&h, 1), 0);
  device_heap_destroy(&h);
}

/* Against an owner for each grain, which finds every overlap, and every refusal of what would fit. */
static void test_random_calls_agree_with_a_map_of_grains(void **state) {
  struct device_heap h;
  struct rng rng;
  uint64_t address[BLOCKS] = {0};
  uint32_t size[BLOCKS], refused = 0;
  uint8_t owner[GRAINS] = {0};
  (void)state;
  printf("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  assert_true(device_heap_create(&h, BASE, GRAINS * 16));
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t i = rng_below(&rng, BLOCKS);
    if (address[i]) {
      assert_true(device_heap_release(&h, address[i]));
      memset(owner + (address[i] - BASE) / 16, 0, size[i]);
      address[i] = 0;
      continue;
    }
    size[i] = 1 + rng_below(&rng, 12);
    address[i] = device_heap_allocate(&h, size[i] * 16 - rng_below(&rng, 16));
    uint32_t run = 0, longest = 0;
    for (uint32_t g = 0; g < GRAINS; g++) {
      run = owner[g] ? 0 : run + 1;
      if (run > longest) longest = run;
    }
    assert_true((address[i] != 0) == (longest >= size[i]));
    refused += !address[i];
    for (uint32_t g = 0; address[i] && g < size[i]; g++) {
      uint8_t *o = &owner[(address[i] - BASE) / 16 + g];
      assert_int_equal(*o, 0);
      *o = 1;
    }
  }
  assert_true(refused > 0 && refused < ROUNDS / 2);
  device_heap_destroy(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_blocks_are_aligned_and_apart),
    cmocka_unit_test(test_only_what_was_given_is_taken_back),
    cmocka_unit_test(test_random_calls_agree_with_a_map_of_grains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
