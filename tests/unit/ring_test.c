/* SPDX-License-Identifier: Apache-2.0 */
/* Does the ring buffer keep the order of a queue, whatever its size? */
#include "base/ring.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SEED = 0x417, STEPS = 5000, MAX_SIZE = 9 };

/* Beside it, a list that is moved up at each pop. */
static void test_a_ring_is_a_queue(void **unused) {
  (void)unused;
  struct rng r;
  print_message("seed 0x%x\n", SEED);
  rng_seed(&r, SEED);
  for (uint32_t size = 1; size <= MAX_SIZE; size++) {
    struct ring ring = {.size = size};
    uint32_t slots[MAX_SIZE], list[MAX_SIZE], n = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
      assert_int_equal(ring_full(&ring), n == size);
      if (n < size && rng_percent(&r, 50)) {
        slots[ring_push(&ring)] = list[n++] = step;
      } else if (n) {
        assert_int_equal(slots[ring_pop(&ring)], list[0]);
        n--;
        for (uint32_t i = 0; i < n; i++) list[i] = list[i + 1];
      }
      assert_int_equal(ring.count, n);
      for (uint32_t k = 0; k < n; k++) assert_int_equal(slots[ring_at(&ring, k)], list[k]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_ring_is_a_queue)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
