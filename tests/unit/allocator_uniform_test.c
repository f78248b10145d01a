/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does PIM with a uniform choice give every candidate the same share, where the tournaments of the block do not? */
#include "base/err.h"
#include "kit/test.h"
#include "noc/allocator.h"

enum { INPUTS = 28, OUTPUTS = 8, ROUNDS = 30000 };

/* Inputs 0, 1 and 20 ask for output 3: in a tournament, 0 and 1 meet first, and the winner meets 20. */
static void shares(const struct allocator_ops *ops, uint32_t won[INPUTS]) {
  struct err e;
  uint64_t asks[OUTPUTS] = {0}, open = 1U << 3, now = 0;
  uint16_t grant[OUTPUTS];
  struct packet_key keys[INPUTS] = {{0}};
  void *self =
    ops->create(&(struct allocator_config){.n_in = INPUTS, .n_out = OUTPUTS, .path = "a", .now = &now, .seed = 5}, &e);
  assert_non_null(self);
  asks[3] = 1U << 0 | 1U << 1 | 1U << 20;
  struct allocation a = {.n_in = INPUTS,
                         .n_out = OUTPUTS,
                         .in_words = 1,
                         .out_words = 1,
                         .asks = asks,
                         .open = &open,
                         .idle = &open,
                         .keys = keys,
                         .grant = grant};
  for (now = 0; now < ROUNDS; now++) {
    ops->allocate(self, &a);
    assert_true(grant[3] == 0 || grant[3] == 1 || grant[3] == 20);
    won[grant[3]]++;
  }
  ops->destroy(self);
}

static void test_every_candidate_has_the_same_share(void **unused) {
  (void)unused;
  uint32_t uniform[INPUTS] = {0}, tree[INPUTS] = {0};
  shares(&allocator_pim_uniform, uniform);
  shares(&allocator_pim, tree);
  static const uint32_t asking[] = {0, 1, 20};
  for (int i = 0; i < 3; i++) {
    uint32_t won = uniform[asking[i]];
    assert_in_range(won, ROUNDS / 3 - 400, ROUNDS / 3 + 400);
  }
  assert_in_range(tree[20], ROUNDS / 2 - 600, ROUNDS / 2 + 600);
}

/* Everybody asks for everything: no input and no output is granted twice, and every free output that was picked is used. */
static void test_grants_are_a_matching(void **unused) {
  (void)unused;
  struct err e;
  uint64_t asks[OUTPUTS], open = 0xb7, now = 0;
  uint16_t grant[OUTPUTS];
  void *self = allocator_pim_uniform.create(
    &(struct allocator_config){.n_in = INPUTS, .n_out = OUTPUTS, .path = "a", .now = &now, .seed = 9}, &e);
  for (int o = 0; o < OUTPUTS; o++) asks[o] = (UINT64_C(1) << INPUTS) - 1;
  struct allocation a = {
    .n_in = INPUTS, .n_out = OUTPUTS, .in_words = 1, .out_words = 1, .asks = asks, .open = &open, .grant = grant};
  for (int round = 0; round < 1000; round++) {
    uint64_t inputs = 0;
    allocator_pim_uniform.allocate(self, &a);
    for (int o = 0; o < OUTPUTS; o++) {
      if (!(open >> o & 1) || grant[o] == ALLOCATOR_NONE) continue;
      assert_in_range(grant[o], 0, INPUTS - 1);
      assert_false(inputs >> grant[o] & 1);
      inputs |= UINT64_C(1) << grant[o];
    }
    assert_true(inputs);
  }
  allocator_pim_uniform.destroy(self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_candidate_has_the_same_share),
    cmocka_unit_test(test_grants_are_a_matching),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
