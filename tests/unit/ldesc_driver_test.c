/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* The calls of ldesc.h: what they return, and what a launch makes of descriptors (by TANDEM_DECISIONS). A GPU of four modules. */
#include "base/rng.h"
#include "cuda.h"
#include "kit/test.h"
#include "ldesc.h"

#include <jansson.h>
#include <unistd.h>

#define OK(call) assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(call, code) assert_int_equal(call, CUDA_ERROR_##code)
enum { ROWS = 16, KB = 1024, PAGE = 64 * KB, CTAS = 64 };

/* next: out[i] = in[i] + 1, a thread an element. */
static const char module_ptx[] =
  ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n"
  ".visible .entry next(.param .u64 in, .param .u64 out) {\n"
  ".reg .u32 %r<9>;\n.reg .u64 %d<6>;\n"
  "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %tid.x;\n"
  "mad.lo.u32 %r5, %r2, %r3, %r1; mad.lo.u32 %r6, %r5, 32, %r4; mul.wide.u32 %d1, %r6, 4;\n"
  "ld.param.u64 %d2, [in]; ld.param.u64 %d3, [out]; add.u64 %d4, %d2, %d1; add.u64 %d5, %d3, %d1;\n"
  "ld.global.u32 %r7, [%d4]; add.u32 %r8, %r7, 1; st.global.u32 [%d5], %r8; ret;\n}\n";
static struct ldesc l;
static CUfunction nothing, next;
static char path[] = "/tmp/ldesc_driver_test_XXXXXX";

static CUdeviceptr memory(size_t bytes) {
  CUdeviceptr at;
  OK(cuMemAlloc(&at, bytes));
  return at;
}

static CUresult launch(unsigned x, unsigned y) {
  return cuLaunchKernel(nothing, x, y, 1, 32, 1, 1, 0, NULL, NULL, NULL);
}

/* Groups of `ctas` CTAs in a row share `bytes` each. */
static struct ldesc_tile row_of(unsigned tiles, unsigned bytes, unsigned ctas) {
  struct ldesc_tile t = {.element = 4,
                         .length = {tiles * bytes / 4, 1, 1},
                         .data = {bytes / 4, 1, 1},
                         .ctas = {ctas, 1, 1},
                         .map = {1, 0, 0}};
  return t;
}

static const struct ldesc_locality regular = {LDESC_COACCESSED, LDESC_REGULAR, 512};

static CUresult inter(CUdeviceptr at, size_t bytes, struct ldesc_tile t, unsigned priority) {
  return LocalityDescriptor(&l, at, bytes, LDESC_INTER_THREAD, t, regular, priority);
}

/* What the last launch decided; NULL: nothing since the last call. The caller's to free. */
static json_t *decision(void) {
  json_error_t problem;
  char line[65536] = "", last[65536] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) strcpy(last, line);
  fclose(f);
  assert_int_equal(truncate(path, 0), 0);
  return json_loads(last, 0, &problem);
}

static long long number(const json_t *j, const char *key) { return json_integer_value(json_object_get(j, key)); }
static json_t *structure(const json_t *j, size_t i) { return json_array_get(json_object_get(j, "structures"), i); }

/* ---- what is refused ---- */

static void test_what_cannot_be_is_refused(void **unused) {
  CUdeviceptr a = memory(4 * PAGE);
  struct ldesc_tile t = row_of(4, PAGE, 1), bad;
  struct ldesc_locality still = {LDESC_COACCESSED, LDESC_REGULAR, 0};
  (void)unused;
  FAILS(inter(a, 0, t, 1), INVALID_VALUE);
  FAILS(inter(a, 4 * PAGE + 1, t, 1), INVALID_VALUE); /* beyond its allocation */
  FAILS(inter(a + 5 * PAGE, PAGE, row_of(1, PAGE, 1), 1), INVALID_VALUE);
  FAILS(inter(64, PAGE, row_of(1, PAGE, 1), 1), INVALID_VALUE);
  FAILS(inter(a, 4 * PAGE, t, 256), INVALID_VALUE);
  bad = t, bad.data[0] = 0;
  FAILS(inter(a, 4 * PAGE, bad, 1), INVALID_VALUE);
  bad = t, bad.data[0] = t.length[0] + 1;
  FAILS(inter(a, 4 * PAGE, bad, 1), INVALID_VALUE);
  bad = t, bad.ctas[2] = 0;
  FAILS(inter(a, 4 * PAGE, bad, 1), INVALID_VALUE);
  bad = t, bad.map[1] = 1;
  FAILS(inter(a, 4 * PAGE, bad, 1), INVALID_VALUE);
  bad = t, bad.element = 65536;
  FAILS(inter(a, 4 * PAGE, bad, 1), INVALID_VALUE);
  FAILS(LocalityDescriptor(&l, a, 4 * PAGE, LDESC_INTER_THREAD, t, still, 1), INVALID_VALUE);
  FAILS(LocalityDescriptor(&l, a, 4 * PAGE, (enum ldesc_type)7, t, regular, 1), INVALID_VALUE);
  FAILS(LocalityDescriptorLocal(&l, LDESC_INTER_THREAD, 1), INVALID_VALUE);
  FAILS(l.declare(NULL), INVALID_VALUE);
  OK(launch(4, 1));
  assert_null(decision()); /* none of them is there */
  OK(cuMemFree(a));
}

static void test_structures_do_not_overlap(void **unused) {
  CUdeviceptr a = memory(8 * PAGE);
  struct ldesc_tile t = row_of(4, PAGE, 1);
  struct ldesc_locality any = {LDESC_COACCESSED, LDESC_IRREGULAR, 0};
  (void)unused;
  OK(inter(a, 4 * PAGE, t, 1));
  FAILS(inter(a + 3 * PAGE, 4 * PAGE, t, 1), INVALID_VALUE);
  FAILS(LocalityDescriptor(&l, a, 2 * PAGE, LDESC_NO_REUSE, row_of(2, PAGE, 1), any, 1),
        INVALID_VALUE);                                               /* not all of it */
  OK(LocalityDescriptor(&l, a, 4 * PAGE, LDESC_NO_REUSE, t, any, 1)); /* another type */
  OK(inter(a + 4 * PAGE, 4 * PAGE, t, 1));
  FAILS(inter(a, 3 * PAGE, row_of(3, PAGE, 1), 1), INVALID_VALUE); /* smaller than as the other type */
  OK(ldescClear(&l));
  OK(cuMemFree(a));
}

static void test_a_table_has_sixteen_descriptors(void **unused) {
  CUdeviceptr a = memory((ROWS + 1) * PAGE);
  struct ldesc_tile t = row_of(1, PAGE, CTAS);
  (void)unused;
  t.map[0] = 0;
  for (int i = 0; i < ROWS; i++) OK(inter(a + i * PAGE, PAGE, t, 1));
  FAILS(inter(a + ROWS * PAGE, PAGE, t, 1), OUT_OF_MEMORY);
  FAILS(LocalityDescriptorLocal(&l, LDESC_INTRA_THREAD, 1), OUT_OF_MEMORY);
  OK(inter(a, PAGE, t, 9)); /* in place of the first */
  OK(launch(CTAS, 1));
  json_t *j = decision();
  assert_int_equal(json_array_size(json_object_get(j, "rows")), ROWS);
  assert_int_equal(number(structure(j, 0), "priority"), 9);
  assert_int_equal(number(j, "evaluations"), 10 * (1 + 10 * (ROWS - 1)));
  json_decref(j);
  OK(ldescClear(&l));
  OK(launch(CTAS, 1));
  assert_null(decision());
  OK(inter(a + ROWS * PAGE, PAGE, t, 1));
  OK(ldescClear(&l));
  OK(cuMemFree(a));
}

static void test_a_launch_refuses_what_does_not_fit_it(void **unused) {
  CUdeviceptr a = memory(4 * PAGE);
  (void)unused;
  OK(inter(a, 4 * PAGE, row_of(4, PAGE, 16), 1));
  OK(launch(CTAS, 1));
  FAILS(launch(15, 1), INVALID_VALUE);   /* a C-Tile of 16 CTAs */
  FAILS(launch(CTAS, 2), INVALID_VALUE); /* two C-Tiles along y, which has no rank */
  OK(launch(CTAS, 1));
  OK(cuMemFree(a));
  FAILS(launch(CTAS, 1), INVALID_VALUE);
  OK(ldescClear(&l));
  OK(launch(CTAS, 2));
  json_decref(decision());
}

/* ---- what is decided ---- */

/* Figure 19, after the data were filled; again between launches, with the structures' roles exchanged. */
static void test_pages_move_once(void **unused) {
  CUdeviceptr a = memory(16 * PAGE), b = memory(4 * PAGE);
  (void)unused;
  OK(cuMemsetD8(a, 1, 16 * PAGE));
  OK(inter(a, 16 * PAGE, row_of(16, PAGE, 4), 2));
  OK(inter(b, 4 * PAGE, row_of(16, 16 * KB, 4), 1));
  OK(launch(CTAS, 1));
  json_t *j = decision();
  assert_int_equal(number(structure(j, 0), "bit"), 16);
  assert_int_equal(number(structure(j, 1), "bit"), 14);
  assert_true(json_real_value(json_object_get(structure(j, 0), "local")) == 1);
  assert_true(json_real_value(json_object_get(structure(j, 1), "local")) == 1);
  assert_int_equal(number(j, "moved_bytes"), 20 * PAGE);
  assert_int_equal(number(j, "evaluations"), 110);
  json_decref(j);
  OK(launch(CTAS, 1));
  j = decision();
  assert_int_equal(number(j, "moved_bytes"), 0);
  json_decref(j);
  OK(ldescClear(&l));
  OK(inter(a, 16 * PAGE, row_of(64, 16 * KB, 1), 2)); /* 16 KB a CTA: the lowest bit that leaves them whole is 14 */
  OK(launch(CTAS, 1));
  j = decision();
  assert_int_equal(number(structure(j, 0), "bit"), 14);
  assert_int_equal(number(j, "moved_bytes"), 16 * PAGE);
  json_decref(j);
  OK(ldescClear(&l));
  OK(cuMemFree(a));
  OK(cuMemFree(b));
}

static void test_local_memory_has_a_row(void **unused) {
  (void)unused;
  OK(LocalityDescriptorLocal(&l, LDESC_INTRA_THREAD, 3));
  OK(launch(CTAS, 1));
  json_t *j = decision(), *row = json_array_get(json_object_get(j, "rows"), 0);
  assert_string_equal(json_string_value(json_object_get(row, "insert")), "hard pin");
  assert_true(json_is_null(json_object_get(j, "clusters")));
  assert_int_equal(number(j, "evaluations"), 0);
  json_decref(j);
  OK(ldescClear(&l));
}

/* ---- hints ---- */

enum { SEED = 0xd21, ROUNDS = 25, WORDS = 3 * PAGE / 4, X = 16, Y = 8, WARP = 32 };

/* Any descriptor of the structure that can be. */
static void say_anything(struct rng *g, CUdeviceptr at, const unsigned grid[2]) {
  struct ldesc_tile t = {.element = 4, .length = {WORDS, 1, 1}, .data = {1, 1, 1}, .ctas = {1, 1, 1}, .map = {1, 2, 0}};
  struct ldesc_locality how = {(enum ldesc_sharing)rng_below(g, 2), (enum ldesc_pattern)rng_below(g, 2),
                               1 + rng_below(g, 4096)};
  t.data[0] = 256 + rng_below(g, WORDS - 256);
  for (int d = 0; d < 2; d++) t.ctas[d] = 1 + rng_below(g, grid[d]);
  OK(LocalityDescriptor(&l, at, WORDS * 4, (enum ldesc_type)rng_below(g, 3), t, how, rng_below(g, 256)));
}

/* Pages move between launches, CTAs go to other SMs, lines are pinned: what is computed stays, and each launch is taken. */
static void test_no_descriptor_changes_a_result(void **unused) {
  static unsigned in[WORDS], out[WORDS];
  CUdeviceptr a = memory(sizeof in), b = memory(sizeof out);
  struct rng g;
  long long moved = 0;
  (void)unused;
  rng_seed(&g, SEED);
  for (unsigned i = 0; i < WORDS; i++) in[i] = rng_u32(&g);
  OK(cuMemcpyHtoD(a, in, sizeof in));
  for (int round = 0; round < ROUNDS; round++) {
    unsigned grid[2] = {1 + rng_below(&g, X), 1 + rng_below(&g, Y)};
    OK(ldescClear(&l));
    OK(cuMemsetD8(b, 0, sizeof out));
    for (uint32_t n = 1 + rng_below(&g, 3); n; n--) say_anything(&g, rng_percent(&g, 50) ? a : b, grid);
    OK(cuLaunchKernel(next, grid[0], grid[1], 1, WARP, 1, 1, 0, NULL, (void *[]){&a, &b}, NULL));
    OK(cuMemcpyDtoH(out, b, sizeof out));
    for (unsigned i = 0; i < WORDS; i++)
      if (out[i] != (i < grid[0] * grid[1] * WARP ? in[i] + 1 : 0))
        fail_msg("seed %d, round %d: element %u", SEED, round, i);
    json_t *j = decision();
    moved += number(j, "moved_bytes");
    json_decref(j);
  }
  assert_true(moved > ROUNDS * PAGE / 2);
  OK(ldescClear(&l));
  OK(cuMemFree(a));
  OK(cuMemFree(b));
}

/* ---- tables of modules ---- */

/* A module with a table of two records, whose bytes `change` is laid over; kind of record 0. */
static CUresult load(CUmodule *m, int at, int value, const char *head) {
  char text[4096];
  int n = snprintf(
    text, sizeof text,
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 1 .b8 __ldesc_records[136] = {%s", head);
  for (int i = 0; i < 128; i++) {
    int byte = i % 64 == 16 ? 4 : i % 64 == 18 ? 1 : i % 64 == 50 ? 1 : i % 64 == 51 ? 7 + i / 64 : 0;
    n += snprintf(text + n, sizeof text - (size_t)n, ", %d", i == at ? value : byte);
  }
  snprintf(text + n, sizeof text - (size_t)n, "};\n.visible .entry other() { ret; }\n");
  return cuModuleLoadData(m, text);
}
#define HEAD "76, 68, 83, 67, 1, 0, 2, 0"

static void test_a_module_says_what_a_compiler_knows(void **unused) {
  CUdeviceptr a = memory(4 * PAGE);
  CUmodule m;
  struct ldesc of_module = {0};
  struct ldesc_tile t = {.length = {PAGE, 1, 1}, .data = {PAGE / 4, 1, 1}, .ctas = {16, 1, 1}};
  (void)unused;
  OK(load(&m, -1, 0, HEAD));
  ldescOpen(&of_module, m);
  OK(ldescResolve(&of_module, 1, a, 4 * PAGE, t, 256));
  FAILS(ldescResolve(&of_module, 2, a, 4 * PAGE, t, 256), INVALID_VALUE);
  OK(launch(CTAS, 1));
  json_t *j = decision();
  assert_int_equal(number(structure(j, 0), "priority"), 8);
  assert_int_equal(number(structure(j, 0), "stride"), 256);
  assert_int_equal(number(structure(j, 0), "c_tiles"), 4);
  json_decref(j);
  OK(ldescClear(&l));
  OK(cuModuleUnload(m));
  FAILS(ldescResolve(&of_module, 1, a, 4 * PAGE, t, 256), INVALID_HANDLE);
  OK(cuMemFree(a));
}

static void test_other_versions_are_ignored_and_nonsense_is_not(void **unused) {
  CUdeviceptr a = memory(4 * PAGE);
  CUmodule m;
  struct ldesc of_module;
  struct ldesc_tile t = {.length = {PAGE, 1, 1}, .data = {PAGE / 4, 1, 1}, .ctas = {16, 1, 1}};
  (void)unused;
  OK(load(&m, -1, 0, "76, 68, 83, 67, 9, 0, 2, 0")); /* of the table */
  ldescOpen(&of_module, m);
  OK(ldescResolve(&of_module, 0, a, 4 * PAGE, t, 256));
  OK(cuModuleUnload(m));
  OK(load(&m, 18, 2, HEAD)); /* of record 0 */
  ldescOpen(&of_module, m);
  OK(ldescResolve(&of_module, 0, a, 4 * PAGE, t, 256));
  OK(launch(CTAS, 1));
  assert_null(decision());
  OK(ldescResolve(&of_module, 1, a, 4 * PAGE, t, 256));
  OK(launch(CTAS, 1));
  json_decref(decision());
  OK(cuModuleUnload(m));
  FAILS(load(&m, 19, 3, HEAD), INVALID_IMAGE);                         /* type 3 */
  FAILS(load(&m, 64 + 50, 5, HEAD), INVALID_IMAGE);                    /* map {1, 1, 0} */
  FAILS(load(&m, -1, 0, "76, 68, 83, 67, 1, 0, 3, 0"), INVALID_IMAGE); /* three records */
  OK(ldescClear(&l));
  OK(cuMemFree(a));
}

static int initialise(void **unused) {
  CUcontext context;
  CUmodule module;
  (void)unused;
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  setenv("TANDEM_SYSTEM", "ldesc", 1);
  setenv("TANDEM_MACHINE", "ldesc_modules", 1);
  setenv("TANDEM_DECISIONS", path, 1);
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleLoadData(&module, module_ptx));
  OK(cuModuleGetFunction(&nothing, module, "nothing"));
  OK(cuModuleGetFunction(&next, module, "next"));
  ldescOpen(&l, module);
  return 0;
}

static int finish(void **unused) {
  (void)unused;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_cannot_be_is_refused),
    cmocka_unit_test(test_structures_do_not_overlap),
    cmocka_unit_test(test_a_table_has_sixteen_descriptors),
    cmocka_unit_test(test_a_launch_refuses_what_does_not_fit_it),
    cmocka_unit_test(test_pages_move_once),
    cmocka_unit_test(test_local_memory_has_a_row),
    cmocka_unit_test(test_no_descriptor_changes_a_result),
    cmocka_unit_test(test_a_module_says_what_a_compiler_knows),
    cmocka_unit_test(test_other_versions_are_ignored_and_nonsense_is_not),
  };
  return cmocka_run_group_tests(tests, initialise, finish);
}
