/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Idealised GPU configurations are bounds: are they never slower, do they compute the same, and is every cycle accounted for? */
#include "kit/gpu_kernels.h"

struct outcome {
  uint64_t cycles;
  struct sm_counters sm;
  struct memory_counters memory;
  uint32_t words[CASE_WORDS], words_out[CASE_WORDS];
};

static void run_ideal(const char *config, const char *settings, const struct kernel_case *c, bool skip,
                      struct outcome *o) {
  struct fixture f;
  uint32_t *in, *out;
  fixture_named(&f, config, "sm.count=2", 16);
  config_set_text(&f.setup.config, settings);
  f.setup.skip = skip;
  fixture_load(&f, c->ptx);
  run_case(&f, c, &in, &out);
  o->cycles = gpu_core_cycles(f.gpu);
  o->sm = fixture_counters(&f);
  o->memory = *gpu_memory_counters(f.gpu);
  memcpy(o->words, in, sizeof o->words);
  memcpy(o->words_out, out, sizeof o->words_out);
  fixture_end(&f);
}

static const char *const configs[] = {"gtx480", "small", "gt200", "h100"};
enum { N_CONFIGS = sizeof configs / sizeof *configs };

/* Strictly so for the kernel that waits for memory; with the others, which compute and meet at barriers, what comes earlier
 * may be scheduled worse: three hundredths are allowed. */
static bool never_slower(const struct outcome *bound, const struct outcome *o, const struct kernel_case *c) {
  return bound->cycles * 100 <= o->cycles * (strcmp(c->name, "mixed") ? 103 : 100);
}

static void test_perfect_memory_is_fastest_then_perfect_l1_then_the_real_one(void **state) {
  (void)state;
  static struct outcome real, l1, perfect, unlimited;
  for (size_t m = 0; m < N_CONFIGS; m++)
    for (size_t k = 0; k < N_KERNEL_CASES; k++) {
      const struct kernel_case *c = &kernel_cases[k];
      run_ideal(configs[m], "", c, true, &real);
      run_ideal(configs[m], "ideal.memory=perfect_l1", c, true, &l1);
      run_ideal(configs[m], "ideal.memory=perfect", c, true, &perfect);
      run_ideal(configs[m], "ideal.resources=unlimited", c, true, &unlimited);
      print_message("%s %s: perfect %llu, perfect L1 %llu, unlimited %llu, real %llu\n", configs[m], c->name,
                    (unsigned long long)perfect.cycles, (unsigned long long)l1.cycles,
                    (unsigned long long)unlimited.cycles, (unsigned long long)real.cycles);
      assert_true(never_slower(&perfect, &l1, c));
      assert_true(never_slower(&l1, &real, c));
      assert_true(never_slower(&unlimited, &real, c));
      assert_int_equal(perfect.sm.warp_instructions, real.sm.warp_instructions);
      assert_memory_equal(perfect.words, real.words, sizeof real.words);
      assert_memory_equal(perfect.words_out, real.words_out, sizeof real.words_out);
      assert_memory_equal(l1.words_out, real.words_out, sizeof real.words_out);
    }
}

static void test_perfect_memory_has_no_traffic_and_perfect_l1_no_misses(void **state) {
  (void)state;
  static const struct memory_counters none;
  static struct outcome o;
  for (size_t k = 0; k < N_KERNEL_CASES; k++) {
    run_ideal("gtx480", "ideal.memory=perfect", &kernel_cases[k], true, &o);
    assert_memory_equal(&o.memory, &none, sizeof none);
    assert_int_equal(o.sm.l1_misses, 0);
  }
  run_ideal("gtx480", "ideal.memory=perfect_l1", &kernel_cases[1], true, &o); /* stores go on */
  assert_int_equal(o.sm.l1_misses, 0);
  assert_int_equal(o.memory.l2_reads, 0);
  assert_int_equal(o.memory.l2_writes, kernel_cases[1].ctas);
}

static void test_skipping_changes_no_counter_of_an_ideal_machine(void **state) {
  (void)state;
  static const char *const ideals[] = {"ideal.memory=perfect_l1", "ideal.memory=perfect",  "ideal.resources=unlimited",
                                       "l2.write_miss=forward",   "l2.write_miss=partial", "l2.bytes=0"};
  static struct outcome fast, slow;
  for (size_t i = 0; i < sizeof ideals / sizeof *ideals; i++)
    for (size_t k = 0; k < N_KERNEL_CASES; k++) {
      run_ideal("small", ideals[i], &kernel_cases[k], true, &fast);
      run_ideal("small", ideals[i], &kernel_cases[k], false, &slow);
      assert_memory_equal(&fast, &slow, sizeof fast);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_perfect_memory_is_fastest_then_perfect_l1_then_the_real_one),
    cmocka_unit_test(test_perfect_memory_has_no_traffic_and_perfect_l1_no_misses),
    cmocka_unit_test(test_skipping_changes_no_counter_of_an_ideal_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
