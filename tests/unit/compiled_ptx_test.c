/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does what compilers make of ordinary kernels (tests/ptx/: .cu, and the PTX of nvcc and clang) compute what the host
 * computes from the same C? */
#include "gpu_fixture.h"

#include <stdlib.h>

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

static char *read_text(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/../tests/ptx/%s", TANDEM_CONFIG_DIR, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be read", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
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
  char *text = read_text(file);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls_equal_the_host)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
