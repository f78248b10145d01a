/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does the PTX that nvcc and clang make of ordinary kernels (tests/ptx) compute what the host computes from the same C? */
#include "kit/gpu_fixture.h"
#include "kit/ptx_text.h"

#define FN static
#define TABLE static
#include "../ptx/calls.h"

enum { WORDS = 400, BLOCK = 96 };

struct compiled {
  const char *kernel;
  unsigned (*run)(unsigned);
};

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void run_kernel(struct fixture *f, const char *file, const struct compiled *c, uint32_t words) {
  uint32_t *in, *out;
  uint64_t state = 1, a = fixture_words(f, words, &in), b = fixture_words(f, words, &out);
  const struct ptx_kernel *k = ptx_module_kernel(f->module, c->kernel);
  if (!k) fail_msg("%s holds no '%s'", file, c->kernel);
  for (uint32_t i = 0; i < words; i++) in[i] = (uint32_t)next_random(&state);
  struct {
    uint64_t in, out;
    uint32_t n;
  } params = {a, b, words};
  const uint32_t grid[3] = {(words + BLOCK - 1) / BLOCK, 1, 1}, block[3] = {BLOCK, 1, 1};
  f->e = (struct err){.code = ERR_NONE};
  if (gpu_run(f->gpu, k, grid, block, 0, &params, &f->e)) fail_msg("%s: %s", file, f->e.text);
  for (uint32_t i = 0; i < words; i++)
    if (out[i] != c->run(in[i]))
      fail_msg("%s: %s of 0x%x (thread %u) is 0x%x, and 0x%x on the host", file, c->kernel, in[i], i, out[i],
               c->run(in[i]));
}

static void run_all(const char *file, const struct compiled *c, size_t n, uint32_t words) {
  struct fixture f;
  char *text = ptx_text(file);
  fixture_start(&f, NULL, text);
  for (size_t i = 0; i < n; i++) run_kernel(&f, file, &c[i], words);
  fixture_end(&f);
  free(text);
}

static void test_calls_equal_the_host(void **state) {
  static const struct compiled kernels[] = {
    {"k_calls", run_calls},         {"k_shape", run_shape},       {"k_ackermann", run_ackermann},
    {"k_quicksort", run_quicksort}, {"k_pointers", run_pointers}, {"k_returns", run_returns},
    {"k_dispatch", run_dispatch},   {"k_local", run_local},
  };
  static const char *const files[] = {"calls.nvcc_sm_75.ptx", "calls.nvcc_sm_80_O0.ptx", "calls.clang_sm_70.ptx"};
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    run_all(files[i], kernels, sizeof kernels / sizeof kernels[0], WORDS);
}

/* ---- features.cu: one CTA of 128 threads ---- */

enum { THREADS = 128, FEATURE_WORDS = 1024 };

struct launch_words {
  uint64_t in, out;
  uint32_t n;
};

static uint32_t sum_of_warp(const uint32_t *in, uint32_t t) {
  uint32_t sum = 0;
  for (uint32_t l = 0; l < 32; l++) sum += in[t / 32 * 32 + l];
  return sum;
}

static uint32_t initial(const uint32_t *in, uint32_t t, uint32_t n) {
  static const int c[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, s[2][3] = {{1, 2, 3}, {4, 5, 6}};
  static const char *const names[2] = {"ab", "cde"};
  uint32_t g = 1 + 4 * (t & 1) + 2 * (t >> 1 & 1) + (t >> 2 & 1);
  (void)in, (void)n;
  return (uint32_t)c[(t & 3) * 3 + t % 3] + g + (uint32_t)names[t & 1][t & 1] + 42 + (uint32_t)s[t & 1][t % 3] +
         (t & 1 ? 5 : 3);
}

static uint32_t lanes(const uint32_t *in, uint32_t t, uint32_t n) {
  uint32_t match = 0, ballot = 0, odd = 0;
  (void)n;
  for (uint32_t l = t / 32 * 32; l < t / 32 * 32 + 32; l++) {
    match += (in[l] & 3) == (in[t] & 3);
    ballot += in[l] >> 1 & 1;
  }
  for (uint32_t i = 0; i < THREADS; i++) odd += in[i] & 1;
  return sum_of_warp(in, t) + match + ballot + odd + 1000;
}

static uint32_t pipeline(const uint32_t *in, uint32_t t, uint32_t n) {
  (void)n;
  return in[t / THREADS * THREADS + THREADS - 1 - t % THREADS] * 3;
}

static uint32_t zero_fill(const uint32_t *in, uint32_t t, uint32_t n) {
  uint32_t v[4] = {0}, from = THREADS - 1 - t;
  (void)n;
  for (uint32_t i = 0; from != 9 && i < 4 - (from & 3); i++) v[i] = in[4 * (from & 31) + i];
  return v[0] ^ v[1] * 3 ^ v[2] * 5 ^ v[3] * 7;
}

static uint32_t special(const uint32_t *in, uint32_t t, uint32_t n) {
  (void)n;
  return in[THREADS - 1 - t] + 4 + t % 32 + THREADS * 4 + 100 + 200 + 400;
}

static uint32_t hints(const uint32_t *in, uint32_t t, uint32_t n) {
  (void)n;
  return 6 * in[t] + in[4 * (t & 7)] + in[4 * (t & 7) + 3];
}

static uint32_t barriers(const uint32_t *in, uint32_t t, uint32_t n) {
  (void)n;
  return in[t ^ 63] + THREADS - (THREADS + 2) / 3 + 1000;
}

static uint32_t virtuals(const uint32_t *in, uint32_t t, uint32_t n) {
  uint32_t v = in[t];
  for (int j = 0; j < 9; j++) v = v & 4 ? v + 5 : v * n;
  return v;
}

static uint32_t copied(const uint32_t *in, uint32_t t, uint32_t n) {
  (void)n;
  return in[t];
}

struct feature {
  const char *kernel;
  uint32_t (*run)(const uint32_t *, uint32_t, uint32_t);
  uint32_t words, n;
};

static void run_feature(struct fixture *f, const char *file, const struct feature *c) {
  uint32_t *in, *out;
  uint64_t state = 7, a = fixture_words(f, FEATURE_WORDS, &in), b = fixture_words(f, FEATURE_WORDS, &out);
  const struct ptx_kernel *k = ptx_module_kernel(f->module, c->kernel);
  if (!k) fail_msg("%s holds no '%s'", file, c->kernel);
  for (uint32_t i = 0; i < FEATURE_WORDS; i++) in[i] = (uint32_t)next_random(&state);
  struct launch_words params = {a, b, c->n};
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {THREADS, 1, 1};
  f->e = (struct err){.code = ERR_NONE};
  if (gpu_run(f->gpu, k, grid, block, THREADS * 4, &params, &f->e)) fail_msg("%s: %s", file, f->e.text);
  for (uint32_t i = 0; i < c->words; i++)
    if (out[i] != c->run(in, i, c->n))
      fail_msg("%s: %s, thread %u: 0x%x, and 0x%x on the host", file, c->kernel, i, out[i], c->run(in, i, c->n));
}

static void run_by_value(struct fixture *f, const char *file) {
  uint32_t *in, *out;
  struct {
    uint64_t in, out;
    uint32_t n;
    int32_t a[20];
    uint32_t pad[3];
    float v[4];
  } big = {.n = 100, .v = {1, 2, 3, 4}};
  big.in = fixture_words(f, THREADS, &in);
  big.out = fixture_words(f, THREADS, &out);
  for (int i = 0; i < 20; i++) big.a[i] = i * i - 7;
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {THREADS, 1, 1};
  f->e = (struct err){.code = ERR_NONE};
  if (gpu_run(f->gpu, ptx_module_kernel(f->module, "k_by_value"), grid, block, 0, &big, &f->e))
    fail_msg("%s: %s", file, f->e.text);
  for (uint32_t i = 0; i < THREADS; i++)
    assert_int_equal((int32_t)out[i], i < 100 ? big.a[i % 20] + big.a[i % 5 + (i & 1 ? 1 : 3)] + 3 : 0);
}

static void test_features_equal_the_host(void **state) {
  static const struct feature features[] = {
    {"k_initial", initial, THREADS, THREADS}, {"k_lanes", lanes, THREADS, 0},
    {"k_pipeline", pipeline, 896, 896},       {"k_zero_fill", zero_fill, THREADS, 0},
    {"k_special", special, THREADS, 0},       {"k_hints", hints, THREADS, 0},
    {"k_barriers", barriers, THREADS, 0},     {"k_virtual", virtuals, THREADS, 3},
    {"k_assert", copied, THREADS, THREADS},
  };
  static const char *const files[] = {"features.nvcc_sm_75.ptx", "features.nvcc_sm_80.ptx", "features.nvcc_sm_90.ptx"};
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    struct fixture f;
    char *text = ptx_text(files[i]);
    fixture_start(&f, NULL, text);
    for (size_t k = 0; k < sizeof features / sizeof features[0]; k++) run_feature(&f, files[i], &features[k]);
    run_by_value(&f, files[i]);
    fixture_end(&f);
    free(text);
  }
}

static void test_an_assertion_that_fails_is_named(void **state) {
  struct fixture f;
  uint32_t *words;
  char *text = ptx_text("features.nvcc_sm_80.ptx");
  (void)state;
  fixture_start(&f, NULL, text);
  uint64_t a = fixture_words(&f, THREADS, &words);
  struct launch_words params = {a, a, 50};
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {THREADS, 1, 1};
  assert_int_not_equal(gpu_run(f.gpu, ptx_module_kernel(f.module, "k_assert"), grid, block, 0, &params, &f.e), 0);
  assert_non_null(strstr(f.e.text, "fails an assertion: threadIdx.x < n"));
  fixture_end(&f);
  free(text);
}

/* Three tiles are loaded while one is processed: this hides latency better than loading none ahead. */
static void test_asynchronous_copies_take_time_and_overlap(void **state) {
  static const char *const forms[] = {"cp.async.wait_group 0;", "cp.async.wait_group 3;"};
  uint64_t cycles[3];
  (void)state;
  for (int form = 0; form < 3; form++) { /* the last: without skipping */
    struct fixture f;
    uint32_t *in, *out;
    char text[2048];
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n"
             "{.reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .pred %%p<2>; .shared .align 16 .b8 s[1024];\n"
             "ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; mov.u32 %%r1, %%tid.x; shl.b32 %%r2, %%r1, 2;\n"
             "cvt.u64.u32 %%rd3, %%r2; add.u64 %%rd1, %%rd1, %%rd3; add.u64 %%rd2, %%rd2, %%rd3; mov.u32 %%r3, s;\n"
             "add.u32 %%r3, %%r3, %%r2; mov.u32 %%r4, 0;\n"
             "L: cp.async.ca.shared.global [%%r3], [%%rd1], 4; cp.async.commit_group; %s\n"
             "add.u64 %%rd1, %%rd1, 4096; add.u32 %%r4, %%r4, 1; setp.lt.u32 %%p1, %%r4, 16; @%%p1 bra L;\n"
             "cp.async.wait_all; ld.shared.u32 %%r5, [%%r3]; st.global.u32 [%%rd2], %%r5; ret;}\n",
             forms[form > 0]);
    fixture_config(&f, NULL);
    f.setup.skip = form < 2;
    fixture_load(&f, text);
    uint64_t a = fixture_words(&f, 16 * 1024, &in), params[2] = {a, fixture_words(&f, 32, &out)};
    for (uint32_t i = 0; i < 16 * 1024; i++) in[i] = i;
    fixture_run(&f, 1, 32, params);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(out[i], 15 * 1024 + i);
    cycles[form] = fixture_counters(&f).cycles;
    assert_int_equal(fixture_counters(&f).transactions, 17); /* 16 copies of a line, and the store */
    fixture_end(&f);
  }
  assert_true(cycles[0] > 16 * 100);      /* each waits for memory */
  assert_true(cycles[1] * 2 < cycles[0]); /* four are in flight at once */
  assert_int_equal(cycles[1], cycles[2]);
}

static unsigned run_debug(unsigned in) {
  unsigned sum = 0;
  for (unsigned k = 0; k < 5; k++) {
    in = in * 1664525u + k;
    sum += in >> 16;
  }
  return sum;
}

static void test_texts_for_the_debugger_run(void **state) {
  static const struct compiled kernel = {"k_debug", run_debug};
  (void)state;
  run_all("debug.nvcc_sm_86_G.ptx", &kernel, 1, WORDS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_calls_equal_the_host),
    cmocka_unit_test(test_features_equal_the_host),
    cmocka_unit_test(test_texts_for_the_debugger_run),
    cmocka_unit_test(test_an_assertion_that_fails_is_named),
    cmocka_unit_test(test_asynchronous_copies_take_time_and_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
