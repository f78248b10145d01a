/* SPDX-License-Identifier: Apache-2.0 */
/* Does onehot_index name the input that is 1? */
#include "base/rng.h"
#include "onehot_index_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t index_of(int32_t n, int32_t group, uint64_t onehot) {
  const struct onehot_index_cfg cfg = {.N = n, .GROUP = group};
  const struct onehot_index_in in = {.onehot = onehot};
  struct onehot_index_out out = {.index = 0xff};
  uint8_t none = 0;
  onehot_index_model.eval(&cfg, &none, &in, &out);
  return out.index;
}

static void test_every_input_alone_has_its_number(void **unused) {
  (void)unused;
  for (int32_t n = 1; n <= 64; n++)
    for (int32_t k = 0; k < n; k++)
      for (int32_t group = 1; group <= 8; group++) assert_int_equal(index_of(n, group, UINT64_C(1) << k), k / group);
}

static void test_no_input_is_0_and_several_are_the_or_of_their_numbers(void **unused) {
  (void)unused;
  assert_int_equal(index_of(8, 1, 0), 0);
  assert_int_equal(index_of(8, 1, 0x12), 1 | 4);
  assert_int_equal(index_of(64, 16, UINT64_C(1) << 63 | 1 << 20), 3 | 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_input_alone_has_its_number),
    cmocka_unit_test(test_no_input_is_0_and_several_are_the_or_of_their_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
