/* SPDX-License-Identifier: Apache-2.0 */
/* Does the clock loop give the same run with and without skipping, and does it always end? */
#include "kit/gpu_kernels.h"

#include <fcntl.h>
#include <unistd.h>

enum { SMS_MAX = 9 };

struct outcome {
  uint64_t cycles, ticks;
  struct sm_counters sm[SMS_MAX];
  struct memory_counters memory;
  uint32_t in[CASE_WORDS], out[CASE_WORDS];
};

static const char *const settings[] = {
  NULL,
  "sm.scheduler=rr sm.schedulers=2 sm.simd_width=16",
  "sm.fetch=buffered sm.schedulers=2",
  "l1.mshrs=2 l1.mshr_merges=2 lsu.queue=1 sm.latency.sfu=200 noc.queue=1 dram.queue=2",
  "clock.core_khz=600000 clock.noc_khz=700000 clock.l2_khz=350000 clock.dram_khz=924000 "
  "sm.ctas=3",
  "clock.core_khz=1400000 clock.dram_khz=300000 l1.bytes=0 sm.count=4 shared.banks=16",
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

/* Two launches, so that the second one finds warm caches. */
static void run_on(uint32_t threads, struct outcome *o, const char *config, const struct kernel_case *c, bool skip,
                   struct gpu_observer *observer) {
  struct fixture f;
  uint32_t *in, *out;
  memset(o, 0, sizeof *o);
  fixture_config(&f, config);
  f.setup.skip = skip;
  f.setup.observer = observer;
  f.setup.threads = threads;
  fixture_load(&f, c->ptx);
  run_case(&f, c, &in, &out);
  run_case(&f, c, &in, &out);
  memcpy(o->in, in, sizeof o->in);
  memcpy(o->out, out, sizeof o->out);
  o->cycles = gpu_core_cycles(f.gpu);
  o->ticks = gpu_ticks(f.gpu);
  assert_in_range(gpu_sm_count(f.gpu), 1, SMS_MAX);
  for (uint32_t i = 0; i < gpu_sm_count(f.gpu); i++) o->sm[i] = *gpu_sm_counters(f.gpu, i);
  o->memory = *gpu_memory_counters(f.gpu);
  fixture_end(&f);
}

static void run(struct outcome *o, const char *config, const struct kernel_case *c, bool skip,
                struct gpu_observer *observer) {
  run_on(1, o, config, c, skip, observer);
}

static void compare(const struct outcome *a, const struct outcome *b, const char *what, uint32_t s) {
  for (uint32_t i = 0; i < SMS_MAX; i++)
    for (uint32_t c = 0; c < counter_table(COUNTERS_SM).n; c++) {
      uint64_t x = ((const uint64_t *)&a->sm[i])[c], y = ((const uint64_t *)&b->sm[i])[c];
      if (x != y)
        fail_msg("%s, settings %u, SM %u: %s is %llu and %llu", what, s, i, counter_table(COUNTERS_SM).rows[c].name,
                 (unsigned long long)x, (unsigned long long)y);
    }
  for (uint32_t c = 0; c < counter_table(COUNTERS_MEMORY).n; c++) {
    uint64_t x = ((const uint64_t *)&a->memory)[c], y = ((const uint64_t *)&b->memory)[c];
    if (x != y)
      fail_msg("%s, settings %u: %s is %llu and %llu", what, s, counter_table(COUNTERS_MEMORY).rows[c].name,
               (unsigned long long)x, (unsigned long long)y);
  }
  assert_int_equal(a->cycles, b->cycles);
  assert_int_equal(a->ticks, b->ticks);
  assert_memory_equal(a->in, b->in, sizeof a->in);
  assert_memory_equal(a->out, b->out, sizeof a->out);
}

static struct outcome first, second;

static void test_skipping_changes_no_counter(void **state) {
  (void)state;
  for (uint32_t s = 0; s < N_SETTINGS; s++)
    for (uint32_t k = 0; k < N_KERNEL_CASES; k++) {
      run(&first, settings[s], &kernel_cases[k], true, NULL);
      run(&second, settings[s], &kernel_cases[k], false, NULL);
      compare(&first, &second, kernel_cases[k].name, s);
    }
}

/* Threads of all SMs race: each stores the ticket that an atomic gave it, its CTA's number to one word for all, and reads
 * back whose number is there. */
static const struct kernel_case race = {"race",
                                        KERNEL(".param .u64 p0, .param .u64 p1",
                                               "ld.param.u64 %rd5, [p1]; mov.u32 %r12, 0;\n"
                                               "MORE: atom.global.add.u32 %r10, [%rd5], 1;\n"
                                               "st.volatile.global.u32 [%rd5+4], %r2;\n"
                                               "ld.volatile.global.u32 %r11, [%rd5+4];\n"
                                               "mad.lo.u32 %r13, %r13, 31, %r10; mad.lo.u32 %r13, %r13, 31, %r11;\n"
                                               "add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, 5; @%p1 bra MORE;\n"
                                               "st.global.u32 [%rd1], %r13; ret;\n"),
                                        48};

static void test_host_threads_change_no_counter_and_no_result(void **state) {
  (void)state;
  for (uint32_t k = 0; k <= N_KERNEL_CASES; k++) {
    const struct kernel_case *c = k < N_KERNEL_CASES ? &kernel_cases[k] : &race;
    run_on(1, &first, "sm.count=9 sm.schedulers=2", c, true, NULL);
    for (uint32_t threads = 2; threads <= 4; threads++) {
      run_on(threads, &second, "sm.count=9 sm.schedulers=2", c, true, NULL);
      compare(&first, &second, c->name, threads);
    }
    run_on(3, &second, "sm.count=9 sm.schedulers=2", c, false, NULL);
    compare(&first, &second, c->name, 0);
  }
}

struct watcher {
  struct gpu_observer base; /* first */
  uint64_t seen, next;
};
static void watch(struct gpu_observer *o, uint64_t tick, uint64_t cycle) {
  struct watcher *w = (struct watcher *)o;
  (void)tick;
  assert_int_equal(cycle, w->next);
  w->next = cycle + 1;
  w->seen++;
}

static void test_an_observer_sees_every_cycle_of_its_window_and_changes_nothing(void **state) {
  (void)state;
  struct watcher w = {.base = {.core_cycle = watch, .watch_from = 300, .watch_to = 900}, .next = 300};
  run(&first, settings[3], &kernel_cases[3], true, NULL);
  run(&second, settings[3], &kernel_cases[3], true, &w.base);
  compare(&first, &second, "observed", 3);
  assert_int_equal(w.seen, 600);
}

static void test_the_lanes_of_a_generic_access_may_lie_in_several_spaces(void **state) {
  const struct kernel_case c = {"spaces", spaces_kernel, 12};
  (void)state;
  for (uint32_t s = 0; s < N_SETTINGS; s++) {
    run(&first, settings[s], &c, true, NULL);
    for (uint32_t i = 0; i < c.ctas * CASE_THREADS; i++) {
      uint32_t word = first.in[i], added = i % 3 == 2 ? 2 : 0; /* global lanes add 0, local ones nothing */
      assert_int_equal(first.out[i], 3 * word + added);
    }
  }
}

static void test_a_second_launch_finds_l2_as_it_was_and_l1_empty(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *words;
  const char *text = KERNEL(".param .u64 p0", "ld.global.u32 %r10, [%rd1]; st.global.u32 [%rd1+512], %r10; ret;\n");
  fixture_start(&f, "sm.count=1", text);
  uint64_t params[1] = {fixture_words(&f, 1024, &words)};
  fixture_run(&f, 1, 128, params);
  struct sm_counters cold = fixture_counters(&f);
  uint64_t cycles = gpu_core_cycles(f.gpu);
  fixture_run(&f, 1, 128, params);
  struct sm_counters both = fixture_counters(&f);
  assert_int_equal(cold.l1_misses, 4);
  assert_int_equal(both.l1_misses, 8);
  assert_int_equal(both.l1_hits, 0);
  assert_true(gpu_memory_counters(f.gpu)->l2_hits >= 4);
  assert_true(gpu_core_cycles(f.gpu) - cycles < cycles);
  fixture_end(&f);
}

static void test_ctas_go_round_the_sms(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *out;
  const char *text = KERNEL(".param .u64 p0", "mov.u32 %r10, %smid; st.global.u32 [%rd1], %r10; ret;\n");
  fixture_start(&f, "sm.count=3", text);
  uint64_t params[1] = {fixture_words(&f, 1024, &out)};
  fixture_run(&f, 9, 32, params);
  for (uint32_t c = 0; c < 9; c++) assert_int_equal(out[c * 32], c % 3);
  fixture_end(&f);
}

static void test_a_grid_of_three_dimensions_runs_every_cta_once(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *out;
  const char *text =
    KERNEL(".param .u64 p0", "mov.u32 %r10, %ctaid.y; mov.u32 %r11, %ctaid.z; mov.u32 %r12, %nctaid.x;\n"
                             "mov.u32 %r13, %nctaid.y;\n"
                             "mad.lo.u32 %r14, %r11, %r13, %r10; mad.lo.u32 %r15, %r14, %r12, %r2;\n"
                             "mul.wide.u32 %rd5, %r15, 4;\n"
                             "add.s64 %rd6, %rd2, %rd5; mov.u32 %r16, %tid.y; setp.eq.u32 %p1, %r16, 1;\n"
                             "setp.eq.u32 %p2, %r4, 2;\n"
                             "@!%p1 ret; @!%p2 ret; red.global.add.u32 [%rd6], 1; ret;\n");
  fixture_start(&f, NULL, text);
  uint64_t params[1] = {fixture_words(&f, 256, &out)};
  const uint32_t grid[3] = {5, 3, 4}, block[3] = {7, 3, 1};
  assert_int_equal(gpu_run(f.gpu, ptx_module_kernel(f.module, "k"), grid, block, 0, params, &f.e), 0);
  for (uint32_t i = 0; i < 256; i++) assert_int_equal(out[i], i < 60);
  assert_int_equal(fixture_counters(&f).ctas, 60);
  fixture_end(&f);
}

/* ---- waves ---- */

struct scope {
  struct probe_sink sink; /* first */
  struct gpu_observer observer;
  const struct probe_desc *desc;
  void (*fill)(const void *source, void *values);
  const void *source; /* SM 0 */
  uint32_t n;
  uint64_t issues, stalls, most_warps;
};

static int add_probe(struct probe_sink *sink, const struct probe_desc *desc, const char *path,
                     void (*fill)(const void *, void *), const void *source, struct err *e) {
  struct scope *s = (struct scope *)sink;
  (void)e;
  s->n++;
  if (strcmp(path, "sm0") != 0) return 0;
  s->desc = desc;
  s->fill = fill;
  s->source = source;
  return 0;
}

static uint32_t field(const struct scope *s, const void *values, const char *name) {
  const struct block_field *f = block_field_find(s->desc->fields, s->desc->n_fields, name);
  uint32_t value = 0;
  assert_non_null(f);
  memcpy(&value, (const char *)values + f->offset, f->slot);
  assert_true((uint64_t)value >> f->width(NULL) == 0);
  return value;
}

static void look(struct gpu_observer *o, uint64_t tick, uint64_t cycle) {
  struct scope *s = (struct scope *)((char *)o - offsetof(struct scope, observer));
  uint64_t values[32] = {0};
  (void)tick, (void)cycle;
  s->fill(s->source, values);
  uint32_t warps = field(s, values, "active_warps"), stall = field(s, values, "stall");
  assert_int_equal(field(s, values, "issued"), stall == 0);
  assert_true(field(s, values, "ready_warps") <= warps);
  assert_true(field(s, values, "lsu_queue") <= 4);
  assert_true(field(s, values, "outstanding_misses") <= 32);
  assert_true(field(s, values, "resident_ctas") <= 8);
  if (stall == 0) s->issues++;
  else if (stall != 7) s->stalls++; /* 7: idle */
  if (warps > s->most_warps) s->most_warps = warps;
}

static void test_the_probe_of_an_sm_agrees_with_its_counters(void **state) {
  (void)state;
  struct scope s = {.sink = {add_probe}, .observer = {look, 0, UINT64_MAX}};
  struct fixture f;
  uint32_t *in, *out;
  fixture_config(&f, NULL);
  f.setup.probes = &s.sink;
  f.setup.observer = &s.observer;
  fixture_load(&f, mixed_kernel);
  assert_int_equal(s.n, 2);
  run_case(&f, &kernel_cases[3], &in, &out);
  const struct sm_counters *c = gpu_sm_counters(f.gpu, 0);
  assert_int_equal(s.issues, c->issue_cycles);
  assert_int_equal(s.stalls, c->cycles - c->issue_cycles);
  assert_int_equal(s.most_warps, 8 * 4);
  fixture_end(&f);
}

/* ---- runs that fail ---- */

static int silently(struct fixture *f, uint32_t ctas, uint32_t threads, const void *params) {
  int null = open("/dev/null", O_WRONLY), keep = dup(2);
  dup2(null, 2);
  int code = fixture_try(f, ctas, threads, params);
  dup2(keep, 2);
  close(keep);
  close(null);
  return code;
}

static void test_a_barrier_that_a_warp_misses_is_a_reported_deadlock(void **state) {
  (void)state;
  uint64_t reported[2];
  for (uint32_t skip = 0; skip < 2; skip++) {
    struct fixture f;
    uint32_t *out;
    fixture_config(&f, "watchdog=2000");
    f.setup.skip = skip;
    fixture_load(&f, KERNEL(".param .u64 p0", "setp.lt.u32 %p1, %r4, 32; @%p1 ret; bar.sync 1, 128; ret;\n"));
    uint64_t params[1] = {fixture_words(&f, 128, &out)};
    assert_int_equal(silently(&f, 1, 128, params), ERR_INTERNAL);
    assert_non_null(strstr(f.e.text, "deadlock of kernel 'k'"));
    reported[skip] = gpu_core_cycles(f.gpu);
    fixture_end(&f);
  }
  assert_int_equal(reported[0], reported[1]);
}

static void test_a_launch_that_never_ends_is_ended_at_its_limit(void **state) {
  (void)state;
  static const char spin[] = KERNEL(".param .u64 p0", "AGAIN: ld.volatile.global.u32 %r5, [%rd2];\n"
                                                      "setp.eq.u32 %p1, %r5, 0; @%p1 bra AGAIN; ret;\n");
  for (int skip = 0; skip < 2; skip++) {
    struct fixture f;
    uint32_t *words;
    fixture_config(&f, "launch.limit=5000");
    f.setup.skip = skip;
    fixture_load(&f, spin);
    uint64_t params[1] = {fixture_words(&f, 1, &words)};
    int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    int code = fixture_try(&f, 1, 32, params);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(null);
    assert_int_equal(code, ERR_INTERNAL);
    assert_non_null(strstr(f.e.text, "launch.limit = 5000"));
    assert_int_equal(gpu_core_cycles(f.gpu), 5001);
    fixture_end(&f);
  }
}

static void test_a_set_stop_flag_ends_the_run_after_the_cycle(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *words;
  bool stop = true;
  fixture_config(&f, NULL);
  f.setup.stop = &stop;
  fixture_load(&f, divergent_kernel);
  uint64_t params[1] = {fixture_words(&f, 1024, &words)};
  assert_int_equal(fixture_try(&f, 4, 128, params), ERR_CHECK);
  assert_int_equal(gpu_core_cycles(f.gpu), 1);
  fixture_end(&f);
}

static void test_an_impossible_launch_is_refused_with_its_limit(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *words;
  fixture_start(&f, "sm.shared_bytes=1024", reduction_kernel);
  uint64_t params[2] = {fixture_words(&f, 1024, &words), fixture_words(&f, 1024, &words)};
  const struct ptx_kernel *k = ptx_module_kernel(f.module, "k");
  const uint32_t one[3] = {1, 1, 1}, none[3] = {1, 0, 1}, large[3] = {1024, 2, 1};
  assert_int_equal(gpu_run(f.gpu, k, none, one, 0, params, &f.e), ERR_VALUE);
  assert_non_null(strstr(f.e.text, "dimension y of the grid is 0"));
  assert_int_equal(gpu_run(f.gpu, k, one, large, 0, params, &f.e), ERR_VALUE);
  assert_non_null(strstr(f.e.text, "2048 threads"));
  assert_int_equal(gpu_run(f.gpu, k, one, one, 1000, params, &f.e), ERR_LIMIT);
  assert_non_null(strstr(f.e.text, "sm.shared_bytes"));
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_skipping_changes_no_counter),
    cmocka_unit_test(test_host_threads_change_no_counter_and_no_result),
    cmocka_unit_test(test_an_observer_sees_every_cycle_of_its_window_and_changes_nothing),
    cmocka_unit_test(test_the_lanes_of_a_generic_access_may_lie_in_several_spaces),
    cmocka_unit_test(test_a_second_launch_finds_l2_as_it_was_and_l1_empty),
    cmocka_unit_test(test_ctas_go_round_the_sms),
    cmocka_unit_test(test_a_grid_of_three_dimensions_runs_every_cta_once),
    cmocka_unit_test(test_the_probe_of_an_sm_agrees_with_its_counters),
    cmocka_unit_test(test_a_barrier_that_a_warp_misses_is_a_reported_deadlock),
    cmocka_unit_test(test_a_launch_that_never_ends_is_ended_at_its_limit),
    cmocka_unit_test(test_a_set_stop_flag_ends_the_run_after_the_cycle),
    cmocka_unit_test(test_an_impossible_launch_is_refused_with_its_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
