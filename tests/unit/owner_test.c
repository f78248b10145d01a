/* SPDX-License-Identifier: Apache-2.0 */
/* Can a proposal that this tree does not know join, and is what it owns then listed, set, checked and counted like the rest? */
#include "config/owner.h"
#include "config/relation.h"
#include "core/registry.h"
#include "kit/test.h"

#define TOY_MODES(X) X(TOY_SLOW, slow) X(TOY_FAST, fast)
enum { TOY_MODES(CHOICE_ID) };

struct OWNED_VALUES toy_parameters {
  int64_t depth, mode;
};
struct OWNED_VALUES toy_counters {
  uint64_t toy_hops;
};

static struct config_owner toy_owner;
static const struct toy_parameters *toy(const struct gpu_config *c) { return config_owned(c, &toy_owner); }

static int check(const struct gpu_config *c, struct err *e) {
  RELATION(toy(c)->depth <= c->sm_warps, "toy.depth = %" PRId64 ": must be at most sm.warps", toy(c)->depth);
  return 0;
}

static const struct gpu_parameter parameters[] = {
  PARAMETER_INTEGER(struct toy_parameters, depth, "toy.depth", 4, 1, 64, "warps", "depth of the toy")
    PARAMETER_CHOICE(struct toy_parameters, mode, "toy.mode", TOY_FAST, TOY_MODES, "speed of the toy")};
static const struct counter_row sm_counters[] = {COUNTER_ROW(toy_hops, "hops", "hops of the toy")};
static const struct stall_class stalls[] = {STALL_CLASS(0, toy, "toy wait", "toy_hops", STALLS_OF_ALL, "#000000")};
static struct config_owner toy_owner = {.name = "toy",
                                        OWNER_TABLE(parameters, parameters),
                                        OWNER_TABLE(sm_counters, sm_counters),
                                        OWNER_TABLE(stalls, stalls),
                                        .check = check};
static const struct system_ops toy_system = {.name = "toy", .brief = "a test", .owner = &toy_owner};

static void test_what_a_proposal_owns_joins_the_tables(void **state) {
  (void)state;
  uint32_t n_parameters = gpu_parameter_count(), n_counters = counter_table(COUNTERS_SM).n,
           n_stalls = stall_class_count();
  system_join(&toy_system);
  assert_ptr_equal(system_find("toy"), &toy_system);
  assert_int_equal(gpu_parameter_count(), n_parameters + 2);
  assert_string_equal(gpu_parameter_at(n_parameters + 1)->key, "toy.mode");
  assert_string_equal(gpu_parameter_at(n_parameters + 1)->names, "slow|fast");
  assert_int_equal(counter_table(COUNTERS_SM).n, n_counters + 1);
  assert_int_equal(counter_index(COUNTERS_SM, "toy_hops"), n_counters);
  assert_int_equal(toy_owner.first_stall, n_stalls);
  assert_string_equal(stall_class_at(n_stalls)->title, "toy wait");
}

static void test_its_parameters_are_set_and_checked(void **state) {
  (void)state;
  struct gpu_config c;
  struct err e;
  gpu_config_defaults(&c);
  assert_int_equal(toy(&c)->depth, 4);
  assert_int_equal(toy(&c)->mode, TOY_FAST);
  assert_int_equal(gpu_config_set(&c, "test", "toy.mode=slow", &e), 0);
  assert_int_equal(toy(&c)->mode, TOY_SLOW);
  assert_int_equal(gpu_config_set(&c, "test", "toy.depth=65", &e), ERR_VALUE); /* beyond its range */
  assert_int_equal(gpu_config_set(&c, "test", "toy.depth=64", &e), 0);
  assert_int_equal(gpu_config_check(&c, &e), ERR_VALUE); /* more than the 48 warps */
  assert_non_null(strstr(e.text, "toy.depth = 64"));
  assert_int_equal(gpu_config_set(&c, "test", "toy.dept=1", &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "toy.depth")); /* the nearest key */
}

static void test_its_counters_are_rows_of_the_table(void **state) {
  (void)state;
  struct sm_counters n = {0};
  struct toy_counters *own = sm_counters_owned(&n, &toy_owner);
  own->toy_hops = 7;
  assert_int_equal(((const uint64_t *)&n)[counter_index(COUNTERS_SM, "toy_hops")], 7);
}

static void test_proposals_are_listed_by_name(void **state) {
  (void)state;
  for (unsigned i = 1; system_at(i); i++) assert_true(strcmp(system_at(i - 1)->name, system_at(i)->name) < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_a_proposal_owns_joins_the_tables),
    cmocka_unit_test(test_its_parameters_are_set_and_checked),
    cmocka_unit_test(test_its_counters_are_rows_of_the_table),
    cmocka_unit_test(test_proposals_are_listed_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
