/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Is PTX found in what nvcc writes, and is everything else refused? The fixtures are nvcc's own (tests/fixtures/fatbin). */
#include "base/err.h"
#include "base/rng.h"
#include "cuda/image.h"
#include "kit/driver.h"

enum { SEED = 20141, FLIPS = 4000 };

static const char *const packed[] = {"ptx_none.fatbin", "ptx_speed.fatbin", "ptx_size.fatbin"};

/* The file in a buffer of exactly its size, so that a sanitizer sees a read past its end. */
static uint8_t *read_fixture(const char *name, size_t *bytes) {
  char path[400];
  snprintf(path, sizeof path, TANDEM_CONFIG_DIR "/../tests/fixtures/fatbin/%s", name);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("no %s", path);
  fseek(f, 0, SEEK_END);
  *bytes = (size_t)ftell(f);
  rewind(f);
  uint8_t *data = malloc(*bytes);
  assert_int_equal(fread(data, 1, *bytes, f), *bytes);
  fclose(f);
  return data;
}

static void expect_target(const char *name, uint32_t capability, const char *target) {
  struct image_text t = {0};
  struct err e = {0};
  size_t bytes;
  uint8_t *data = read_fixture(name, &bytes);
  if (image_ptx(name, data, bytes, capability, &t, &e)) fail_msg("%s: %s", name, e.text);
  if (!strstr(t.text, target)) fail_msg("%s for %u: no %s in %.200s", name, capability, target, t.text);
  assert_non_null(strstr(t.text, ".visible .entry scale("));
  assert_int_equal(t.length, strlen(t.text));
  free(t.owned);
  free(data);
}

static void test_the_best_text_is_chosen(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    expect_target(packed[i], 75, ".target sm_75");
    expect_target(packed[i], 79, ".target sm_75");
    expect_target(packed[i], 80, ".target sm_80");
    expect_target(packed[i], 120, ".target sm_80");
  }
  expect_target("both.fatbin", 75, ".target sm_75");
}

/* A driver compiles no PTX for a newer GPU. */
static void test_newer_text_is_refused(void **state) {
  struct image_text t = {0};
  struct err e = {0};
  size_t bytes;
  (void)state;
  for (int i = 0; i < 3; i++) {
    uint8_t *data = read_fixture(packed[i], &bytes);
    assert_int_equal(image_ptx(packed[i], data, bytes, 70, &t, &e), ERR_UNSUPPORTED);
    assert_non_null(strstr(e.text, "compute capability 7.5 and newer, and the GPU's is 7.0"));
    free(data);
  }
}

/* The uncompressed image contains the text itself: the others must unpack to it. */
static void test_every_compression_holds_the_same_text(void **state) {
  size_t plain_bytes;
  uint8_t *plain = read_fixture("ptx_none.fatbin", &plain_bytes);
  (void)state;
  for (int i = 0; i < 3; i++) {
    struct image_text t = {0};
    size_t bytes;
    uint8_t *data = read_fixture(packed[i], &bytes);
    assert_int_equal(image_ptx(packed[i], data, bytes, 80, &t, NULL), 0);
    assert_true(t.length > 300);
    assert_non_null(memmem(plain, plain_bytes, t.text, t.length));
    free(t.owned);
    free(data);
  }
  free(plain);
}

static void test_the_wrapper_of_a_compiler_leads_to_it(void **state) {
  struct {
    uint32_t magic, version;
    const void *data;
    void *more;
  } wrapper = {0x466243b1, 1, NULL, NULL};
  struct image_text t = {0};
  struct err e = {0};
  size_t bytes;
  uint8_t *data = read_fixture("ptx_size.fatbin", &bytes);
  (void)state;
  wrapper.data = data;
  assert_int_equal(image_ptx("w", &wrapper, SIZE_MAX, 75, &t, &e), 0);
  assert_non_null(strstr(t.text, ".entry scale("));
  free(t.owned);
  wrapper.data = "what is this";
  assert_int_equal(image_ptx("w", &wrapper, SIZE_MAX, 75, &t, &e), ERR_FILE);
  wrapper.data = NULL;
  assert_int_equal(image_ptx("w", &wrapper, SIZE_MAX, 75, &t, &e), ERR_FILE);
  free(data);
}

static void expect_refused(const char *name, const char *word) {
  struct image_text t = {0};
  struct err e = {0};
  size_t bytes;
  uint8_t *data = read_fixture(name, &bytes);
  assert_int_equal(image_ptx(name, data, bytes, 75, &t, &e), ERR_UNSUPPORTED);
  if (!strstr(e.text, word) || !strstr(e.text, name)) fail_msg("'%s' or '%s' is not in: %s", word, name, e.text);
  free(data);
}

static void test_machine_code_is_refused_with_what_to_pass(void **state) {
  (void)state;
  expect_refused("machine_code.fatbin", "-gencode arch=compute_75,code=compute_75");
  expect_refused("machine_code.cubin", "nvcc --ptx");
}

static void test_a_text_is_itself(void **state) {
  static const char text[] = ".version 7.0\n";
  struct image_text t = {0};
  (void)state;
  assert_int_equal(image_ptx("t", text, SIZE_MAX, 75, &t, NULL), 0);
  assert_ptr_equal(t.text, text);
  assert_int_equal(t.length, strlen(text));
  assert_int_equal(image_ptx("t", text, 5, 75, &t, NULL), 0);
  assert_int_equal(t.length, 5);
  assert_int_equal(image_ptx("t", "", SIZE_MAX, 75, &t, NULL), 0);
  assert_int_equal(t.length, 0);
}

static void test_every_prefix_is_refused(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    size_t bytes;
    uint8_t *data = read_fixture(packed[i], &bytes);
    for (size_t n = 4; n < bytes; n++) {
      struct image_text t = {0};
      struct err e = {0};
      uint8_t *cut = malloc(n);
      memcpy(cut, data, n);
      if (image_ptx(packed[i], cut, n, 75, &t, &e) != ERR_FILE) fail_msg("%s: %zu bytes are accepted", packed[i], n);
      assert_non_null(strstr(e.text, "cut off or damaged"));
      free(cut);
    }
    free(data);
  }
}

/* Some flips change unused bytes or the text itself, so either a string or an error with a sentence is accepted. */
static void test_damage_is_survived(void **state) {
  struct rng r;
  (void)state;
  rng_seed(&r, SEED);
  printf("seed %d\n", SEED);
  for (int i = 0; i < 3; i++) {
    size_t bytes, refused = 0;
    uint8_t *data = read_fixture(packed[i], &bytes);
    for (int k = 0; k < FLIPS; k++) {
      struct image_text t = {0};
      struct err e = {0};
      uint8_t *copy = malloc(bytes);
      memcpy(copy, data, bytes);
      for (uint32_t flips = 1 + rng_below(&r, 3); flips; flips--)
        copy[4 + rng_below(&r, k % 2 ? 156 : (uint32_t)bytes - 4)] ^= (uint8_t)(1 + rng_below(&r, 255));
      if (image_ptx(packed[i], copy, bytes, 75, &t, &e)) {
        refused++;
        assert_true(e.text[0] != 0);
      } else {
        assert_int_equal(strlen(t.text), t.length);
        free(t.owned);
      }
      free(copy);
    }
    printf("%s: %zu of %d refused\n", packed[i], refused, FLIPS);
    assert_true(refused > FLIPS / 20);
    free(data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_best_text_is_chosen),
    cmocka_unit_test(test_newer_text_is_refused),
    cmocka_unit_test(test_every_compression_holds_the_same_text),
    cmocka_unit_test(test_the_wrapper_of_a_compiler_leads_to_it),
    cmocka_unit_test(test_machine_code_is_refused_with_what_to_pass),
    cmocka_unit_test(test_a_text_is_itself),
    cmocka_unit_test(test_every_prefix_is_refused),
    cmocka_unit_test(test_damage_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
