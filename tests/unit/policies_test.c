/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does every policy of CTA dispatch start every CTA once, where it says, whatever room the SMs have? */
#include "gpu/policies.h"

#include "base/rng.h"
#include "kit/config.h"

enum { SEED = 0xd15, SMS = 12, MODULES = 4, MOST = 300 };

/* Starts the CTAs of a grid; sm_of[i]: the SM of CTA i. */
static void dispatch(int64_t policy, uint32_t n, struct rng *random, uint32_t *sm_of) {
  const struct dispatch_ops *ops = policies_of(policy);
  const struct dispatch_services none = {0};
  const struct launch l = {.n_ctas = n};
  struct gpu_config m;
  struct err e;
  config_begin(&m, "gtx480");
  m.sm_count = SMS;
  m.numa_modules = MODULES;
  void *self = ops->create(&m, &none, NULL, &e);
  assert_non_null(self);
  for (int launch = 0; launch < 2; launch++) { /* the second begins anew */
    uint32_t started = 0;
    for (uint32_t i = 0; i < n; i++) sm_of[i] = UINT32_MAX;
    ops->launch(self, &l, 0);
    for (uint64_t cycle = 0; started < n; cycle++) {
      uint64_t room = rng_below(random, 1 << SMS), taken = 0;
      struct dispatch_choice c;
      assert_true(cycle < 100000);
      while (started < n && ops->next(self, &room, cycle, &c)) {
        assert_true(c.cta < n && c.sm < SMS && room >> c.sm & 1);
        assert_int_equal(sm_of[c.cta], UINT32_MAX);
        assert_false(taken >> c.sm & 1); /* one a cycle */
        taken |= UINT64_C(1) << c.sm;
        sm_of[c.cta] = c.sm;
        started++;
      }
    }
  }
  ops->destroy(self);
}

static void test_every_cta_starts_once_where_its_policy_says(void **unused) {
  (void)unused;
  struct rng random;
  uint32_t sm_of[MOST], apart = 0;
  rng_seed(&random, SEED);
  print_message("seed 0x%x\n", SEED);
  for (uint32_t n = 1; n < MOST; n += 1 + n / 3) {
    dispatch(DISPATCH_ROUND_ROBIN, n, &random, sm_of);
    for (uint32_t i = 0; i + 1 < n; i += 2) apart += sm_of[i] != sm_of[i + 1];
    dispatch(DISPATCH_BCS, n, &random, sm_of);
    for (uint32_t i = 0; i + 1 < n; i += 2) assert_int_equal(sm_of[i], sm_of[i + 1]);
    dispatch(DISPATCH_PARTS, n, &random, sm_of);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t module = sm_of[i] / (SMS / MODULES);
      assert_true(i >= module * n / MODULES && i < (module + 1) * n / MODULES);
    }
  }
  assert_true(apart > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_cta_starts_once_where_its_policy_says)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
