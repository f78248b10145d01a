/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does the analysis of indexes (csim/ptx/affine.h) find what a reader of the source finds, in the PTX of clang and of
 * nvcc? tests/ptx/reads.cu is the source; its bfs is Listing 2 of Lashgar 2018, whose analysis the paper prints. */
#include "kit/ptx_harness.h"
#include "kit/ptx_text.h"
#include "ptx/affine_rows.h"

static const char *const files[] = {"reads.clang_sm_70.ptx", "reads.nvcc_sm_75_lines.ptx"};
enum { FILES = sizeof files / sizeof *files };

struct read_kernel {
  struct harness h;
  struct affine *a;
};

static void open_kernel(struct read_kernel *k, const char *text, const char *name, bool promote) {
  harness_open(&k->h);
  harness_load(&k->h, text, NULL);
  const struct ptx_kernel *kernel = ptx_module_kernel(k->h.module, name);
  if (!kernel) fail_msg("no kernel %s", name);
  k->a = affine_analyse(kernel, &(struct affine_options){.promote = promote});
}

static void close_kernel(struct read_kernel *k) {
  affine_free(k->a);
  harness_close(&k->h);
}

/* An index as a row of text: "parameter class reason loads expression". */
static void describe(const struct affine *a, uint32_t i, char *text, size_t size) {
  char expression[300];
  const struct affine_index *x = &a->index[i];
  affine_expression(a, i, expression, sizeof expression);
  char *line = strchr(expression, '@'); /* lines differ between compilers */
  if (line) *line = 0;
  snprintf(text, size, "%u %s%s%s %u %s", a->array[x->array].parameter, affine_class_name(x->class),
           x->reason ? " " : "", affine_reason_name(x->reason), x->n_loads, expression);
}

/* Exactly these indexes, in any order. */
static void expect(const char *file, const struct affine *a, const char *const *wanted) {
  uint32_t n = 0;
  for (; wanted[n]; n++) {
    bool found = false;
    char text[400], all[4000] = "";
    for (uint32_t i = 0; i < a->n_indexes; i++) {
      describe(a, i, text, sizeof text);
      found |= !strcmp(text, wanted[n]);
      snprintf(all + strlen(all), sizeof all - strlen(all), "\n  %s", text);
    }
    if (!found) fail_msg("%s: no index '%s' among%s", file, wanted[n], all);
  }
  if (a->n_indexes != n) fail_msg("%s: %u indexes, wanted %u", file, a->n_indexes, n);
}

static void expect_everywhere(const char *kernel, bool promote, const char *const *wanted) {
  for (uint32_t i = 0; i < FILES; i++) {
    struct read_kernel k;
    char *text = ptx_text(files[i]);
    open_kernel(&k, text, kernel, promote);
    expect(files[i], k.a, wanted);
    close_kernel(&k);
    free(text);
  }
}

/* ---- the paper's trace ---- */

/* nodes is read at three places of the source, through one index; compilers make four loads of them. */
static void test_bfs_is_as_the_paper_prints_it(void **state) {
  static const char *const tid = "blockDim.x*blockIdx.x + threadIdx.x";
  char mask[80], nodes[80], cost[80];
  (void)state;
  snprintf(mask, sizeof mask, "2 quasi 1 %s", tid);
  snprintf(nodes, sizeof nodes, "0 quasi 4 %s", tid);
  snprintf(cost, sizeof cost, "4 quasi 1 %s", tid);
  const char *const wanted[] = {mask, nodes, cost, "1 none induction 1 induction", "3 none indirect 1 indirect", NULL};
  expect_everywhere("bfs", false, wanted);
  expect_everywhere("bfs", true, wanted); /* the bounds of its loop are loaded */
}

/* a1 = blockDim.x, a0 = 0 / blockDim.x */
static void test_bounds_of_bfs_are_those_of_table_1(void **state) {
  static const char *const wanted[AFFINE_BOUNDS] = {"blockDim.x", "0", "0", "0", "blockDim.x"};
  (void)state;
  for (uint32_t i = 0; i < FILES; i++) {
    struct read_kernel k;
    char *text = ptx_text(files[i]), bound[200];
    uint32_t known = 0;
    open_kernel(&k, text, "bfs", false);
    for (uint32_t n = 0; n < k.a->n_indexes; n++)
      for (int b = 0; b < AFFINE_BOUNDS; b++) {
        if (!affine_bound(k.a, n, (enum affine_bound)b, bound, sizeof bound)) continue;
        assert_string_equal(bound, wanted[b]);
        known++;
      }
    assert_int_equal(known, 3 * AFFINE_BOUNDS);
    close_kernel(&k);
    free(text);
  }
}

/* Negative factors swap the ends; a square has none. */
static void test_bounds_follow_the_signs(void **state) {
  static const char *const wanted[AFFINE_BOUNDS] = {"-blockDim.x", "0", "0", "param_2 - blockDim.x", "param_2"};
  struct read_kernel k;
  char *text = ptx_text(files[0]), bound[200];
  (void)state;
  open_kernel(&k, text, "backwards", false);
  for (int b = 0; b < AFFINE_BOUNDS; b++) {
    assert_true(affine_bound(k.a, 0, (enum affine_bound)b, bound, sizeof bound));
    assert_string_equal(bound, wanted[b]);
  }
  close_kernel(&k);
  open_kernel(&k, text, "degree_two", false);
  assert_false(affine_bound(k.a, 0, AFFINE_A1_X, bound, sizeof bound));
  close_kernel(&k);
  free(text);
}

/* Also over, which is only written, is an array. */
static void test_arrays_are_the_pointers_that_are_used(void **state) {
  (void)state;
  for (uint32_t i = 0; i < FILES; i++) {
    struct read_kernel k;
    char *text = ptx_text(files[i]);
    uint32_t seen = 0;
    open_kernel(&k, text, "bfs", false);
    for (uint32_t n = 0; n < k.a->n_arrays; n++) seen |= 1u << k.a->array[n].parameter;
    assert_int_equal(seen, 0x3f);
    close_kernel(&k);
    free(text);
  }
}

/* ---- classes ---- */

static void test_linear_indexes_are_quasi(void **state) {
  (void)state;
  expect_everywhere(
    "columns", false,
    (const char *const[]){"0 quasi 1 blockDim.x*param_2*blockIdx.x + param_2*threadIdx.x + threadIdx.y", NULL});
  expect_everywhere(
    "backwards", false,
    (const char *const[]){"0 quasi 1 -blockDim.x*blockIdx.x - threadIdx.x + param_2 - 1", "0 static 1 5", NULL});
  expect_everywhere("degree_two", false,
                    (const char *const[]){"0 quasi 1 blockIdx.x*blockIdx.x + param_2", "0 static 1 param_2", NULL});
}

static void test_each_reason_has_its_kernel(void **state) {
  static const char *const own = "blockDim.x*blockIdx.x + threadIdx.x";
  char index[80], flag[80], count[80];
  (void)state;
  snprintf(index, sizeof index, "1 quasi 1 %s", own);
  snprintf(flag, sizeof flag, "2 quasi 1 %s", own);
  snprintf(count, sizeof count, "2 quasi 1 %s", own);
  expect_everywhere("reason_operator", false, (const char *const[]){"0 none operator 1 operator", NULL});
  expect_everywhere("reason_indirect", false, (const char *const[]){"0 none indirect 1 indirect", index, NULL});
  expect_everywhere("reason_control", false, (const char *const[]){"0 none control 1 control", flag, NULL});
  expect_everywhere("reason_induction", false, (const char *const[]){"0 none induction 1 induction", count, NULL});
}

static void test_a_counted_loop_is_quasi_if_asked(void **state) {
  (void)state;
  expect_everywhere("grid_stride", false, (const char *const[]){"0 none induction 1 induction", NULL});
  expect_everywhere(
    "grid_stride", true,
    (const char *const[]){"0 quasi 1 blockDim.x*blockIdx.x + threadIdx.x + gridDim.x*blockDim.x*iteration", NULL});
  expect_everywhere(
    "reason_induction", true, /* its bound is loaded */
    (const char *const[]){"0 none induction 1 induction", "2 quasi 1 blockDim.x*blockIdx.x + threadIdx.x", NULL});
}

/* Guards change no class: each of the five points is read under a condition. */
static void test_a_guard_changes_no_class(void **state) {
  (void)state;
  for (uint32_t i = 0; i < FILES; i++) {
    struct read_kernel k;
    char *text = ptx_text(files[i]);
    open_kernel(&k, text, "stencil", false);
    assert_int_equal(k.a->n_indexes, 5);
    for (uint32_t n = 0; n < 5; n++) assert_int_equal(k.a->index[n].class, AFFINE_QUASI);
    close_kernel(&k);
    free(text);
  }
}

/* ---- places ---- */

static void test_lines_of_the_source_are_named(void **state) {
  (void)state;
  for (uint32_t i = 0; i < FILES; i++) {
    struct read_kernel k;
    char *text = ptx_text(files[i]), file[200];
    uint32_t line = 0, column = 0;
    open_kernel(&k, text, "reason_operator", false);
    assert_true(affine_source_line(k.a->kernel, k.a->load[0].op, file, sizeof file, &line, &column));
    if (!strstr(file, "reads.cu")) fail_msg("%s: the file is '%s'", files[i], file);
    char *source = ptx_text("reads.cu"), *at = strstr(source, "in[i % n]");
    uint32_t wanted = 1;
    for (char *c = source; c < at; c++) wanted += *c == '\n';
    if (line != wanted) fail_msg("%s: line %u, wanted %u", files[i], line, wanted);
    free(source);
    close_kernel(&k);
    free(text);
  }
}

/* The paper's Table 1: seven reads, of which five are precalculable; nodes[tid] is one expression at three places. The
 * places of nvcc are statements, not expressions. */
static void test_places_of_bfs_are_the_papers_seven(void **state) {
  struct read_kernel k;
  struct affine_places p;
  char *text = ptx_text(files[0]);
  (void)state;
  open_kernel(&k, text, "bfs", false);
  assert_true(affine_places(k.a, &p));
  assert_int_equal(p.n, 7);
  assert_int_equal(p.by_class[AFFINE_QUASI], 5);
  assert_int_equal(p.by_reason[AFFINE_INDUCTION], 1);
  assert_int_equal(p.by_reason[AFFINE_INDIRECT], 1);
  close_kernel(&k);
  free(text);
}

/* ---- operations that compilers put in the place of sums and products ---- */

/* The index is in %rd9, in bytes. */
static void index_of(const char *body, struct read_kernel *k) {
  char text[2000];
  snprintf(text, sizeof text,
           PTX_HEAD ".visible .entry k(.param .u64 a, .param .u32 n) {\n"
                    ".reg .b32 %%r<20>; .reg .b64 %%rd<20>; .reg .b16 %%h<9>; .reg .pred %%p<4>;\n"
                    "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; ld.param.u32 %%r3, [n];\n"
                    "ld.param.u64 %%rd1, [a]; cvta.to.global.u64 %%rd2, %%rd1;\n%s\n"
                    "add.s64 %%rd10, %%rd2, %%rd9; ld.global.u32 %%r9, [%%rd10]; st.global.u32 [%%rd2], %%r9; ret; }\n",
           body);
  open_kernel(k, text, "k", false);
  assert_int_equal(k->a->n_indexes, 1);
}

static void expect_index(const char *body, const char *wanted) {
  struct read_kernel k;
  char text[400];
  index_of(body, &k);
  describe(k.a, 0, text, sizeof text);
  if (strcmp(text, wanted)) fail_msg("'%s' of\n%s\nwanted '%s'", text, body, wanted);
  close_kernel(&k);
}

static void test_operations_of_compilers_are_sums_and_products(void **state) {
  (void)state;
  expect_index("shl.b32 %r4, %r2, 4; or.b32 %r5, %r4, %r1; mul.wide.u32 %rd9, %r5, 4;",
               "0 quasi 1 16*blockIdx.x + threadIdx.x");
  expect_index("not.b32 %r4, %r1; add.s32 %r5, %r3, %r4; cvt.s64.s32 %rd3, %r5; shl.b64 %rd9, %rd3, 2;",
               "0 quasi 1 -threadIdx.x + param_1 - 1");
  expect_index("cvt.u64.u32 %rd3, %r1; shl.b64 %rd4, %rd3, 32; shr.s64 %rd9, %rd4, 30;", "0 quasi 1 threadIdx.x");
  expect_index("cvt.u64.u32 %rd3, %r1; shl.b64 %rd4, %rd3, 2; and.b64 %rd9, %rd4, 17179869180;",
               "0 quasi 1 threadIdx.x");
  expect_index("cvt.u64.u32 %rd3, %r1; and.b64 %rd4, %rd3, 4294967295; mul.lo.s64 %rd9, %rd4, 12;",
               "0 quasi 1 threadIdx.x");
  expect_index("mad.lo.s32 %r4, %r2, %r3, %r1; sub.s32 %r5, %r4, %r1; mul.wide.s32 %rd9, %r5, 8;",
               "0 quasi 1 2*param_1*blockIdx.x");
  expect_index("cvt.u16.u32 %h1, %r1; mul.wide.u16 %r4, %h1, 6; cvt.u64.u32 %rd9, %r4;", "0 quasi 1 threadIdx.x");
}

static void test_other_operations_are_no_sums(void **state) {
  (void)state;
  expect_index("and.b32 %r4, %r1, 7; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
  expect_index("shr.u32 %r4, %r1, 1; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
  expect_index("shl.b32 %r4, %r1, 2; shr.u32 %r5, %r4, 4; mul.wide.u32 %rd9, %r5, 4;", "0 none operator 1 operator");
  expect_index("and.b32 %r4, %r1, 65533; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
  expect_index("min.u32 %r4, %r1, %r3; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
  expect_index("mul.hi.u32 %r4, %r1, %r3; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
  expect_index("xor.b32 %r4, %r1, 1; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
  expect_index("mov.u32 %r4, %laneid; mul.wide.u32 %rd9, %r4, 4;", "0 none operator 1 operator");
}

/* clang reads the members of a structure by the structure's address. */
static void test_members_of_a_structure_are_parameters(void **state) {
  struct read_kernel k;
  char text[400];
  (void)state;
  open_kernel(&k,
              PTX_HEAD ".visible .entry k(.param .align 4 .b8 s[12], .param .u64 a) {\n"
                       ".reg .b32 %r<9>; .reg .b64 %rd<9>; mov.b64 %rd1, s; mov.u64 %rd2, %rd1;\n"
                       "ld.param.u32 %r1, [%rd2+8]; ld.param.u32 %r2, [s+4]; mov.u32 %r3, %tid.x;\n"
                       "mad.lo.s32 %r4, %r3, %r1, %r2; mul.wide.s32 %rd3, %r4, 4; ld.param.u64 %rd4, [a];\n"
                       "cvta.to.global.u64 %rd5, %rd4; add.s64 %rd6, %rd5, %rd3; ld.global.u32 %r5, [%rd6]; ret; }\n",
              "k", false);
  describe(k.a, 0, text, sizeof text);
  assert_string_equal(text, "1 quasi 1 param_0[8]*threadIdx.x + param_0[4]");
  close_kernel(&k);
}

/* A register that two paths write is control; one that both write alike is not. */
static void test_paths_that_agree_are_no_control(void **state) {
  (void)state;
  static const char *const two = "setp.lt.u32 %%p1, %%r1, %%r3; @%%p1 bra A;\n add.s32 %%r4, %%r1, %d; bra.uni B;\n"
                                 "A: add.s32 %%r4, %%r1, 3;\nB: mul.wide.u32 %%rd9, %%r4, 4;";
  char body[400];
  snprintf(body, sizeof body, two, 3);
  expect_index(body, "0 quasi 1 threadIdx.x + 3");
  snprintf(body, sizeof body, two, 4);
  expect_index(body, "0 none control 1 control");
  expect_index("setp.lt.u32 %p1, %r1, %r3; mov.u32 %r4, %r1; @%p1 add.s32 %r4, %r4, 1; mul.wide.u32 %rd9, %r4, 4;",
               "0 none control 1 control");
  expect_index("setp.lt.u32 %p1, %r1, %r3; mov.u32 %r4, %r1; @%p1 mov.u32 %r4, %tid.x; mul.wide.u32 %rd9, %r4, 4;",
               "0 quasi 1 threadIdx.x");
}

/* A read of one of two arrays belongs to neither. */
static void test_reads_of_one_of_two_arrays_are_counted_apart(void **state) {
  struct read_kernel k;
  (void)state;
  open_kernel(&k,
              PTX_HEAD ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
                       ".reg .b32 %r<4>; .reg .b64 %rd<6>; .reg .pred %p<2>;\n"
                       "ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1; ld.param.u32 %r1, [n];\n"
                       "ld.param.u64 %rd3, [b]; cvta.to.global.u64 %rd4, %rd3; setp.lt.u32 %p1, %r1, 7;\n"
                       "selp.b64 %rd5, %rd2, %rd4, %p1; ld.global.u32 %r2, [%rd5]; st.global.u32 [%rd2], %r2;\n"
                       "st.global.u32 [%rd4], %r2; ret; }\n",
              "k", false);
  assert_int_equal(k.a->n_arrays, 2);
  assert_int_equal(k.a->n_indexes, 0);
  assert_int_equal(k.a->n_other, 1);
  close_kernel(&k);
}

/* A pointer that is loaded belongs to no parameter. */
static void test_loaded_pointers_are_counted_apart(void **state) {
  struct read_kernel k;
  (void)state;
  open_kernel(&k,
              PTX_HEAD ".visible .entry k(.param .u64 a) { .reg .b32 %r<4>; .reg .b64 %rd<6>;\n"
                       "ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1;\n"
                       "ld.global.u64 %rd3, [%rd2]; ld.global.u32 %r1, [%rd3]; st.global.u32 [%rd2], %r1; ret; }\n",
              "k", false);
  assert_int_equal(k.a->n_arrays, 1);
  assert_int_equal(k.a->n_indexes, 1);
  assert_int_equal(k.a->n_other, 1);
  close_kernel(&k);
}

/* k_virtual of features.cu: the two virtual functions read one member each. */
static void test_reads_of_called_functions_are_counted_apart(void **state) {
  struct read_kernel k;
  char *text = ptx_text("features.nvcc_sm_75.ptx");
  (void)state;
  open_kernel(&k, text, "k_virtual", false);
  assert_int_equal(k.a->n_in_calls, 2);
  close_kernel(&k);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_bfs_is_as_the_paper_prints_it),
    cmocka_unit_test(test_bounds_of_bfs_are_those_of_table_1),
    cmocka_unit_test(test_bounds_follow_the_signs),
    cmocka_unit_test(test_arrays_are_the_pointers_that_are_used),
    cmocka_unit_test(test_linear_indexes_are_quasi),
    cmocka_unit_test(test_each_reason_has_its_kernel),
    cmocka_unit_test(test_a_counted_loop_is_quasi_if_asked),
    cmocka_unit_test(test_a_guard_changes_no_class),
    cmocka_unit_test(test_lines_of_the_source_are_named),
    cmocka_unit_test(test_places_of_bfs_are_the_papers_seven),
    cmocka_unit_test(test_operations_of_compilers_are_sums_and_products),
    cmocka_unit_test(test_other_operations_are_no_sums),
    cmocka_unit_test(test_members_of_a_structure_are_parameters),
    cmocka_unit_test(test_paths_that_agree_are_no_control),
    cmocka_unit_test(test_reads_of_one_of_two_arrays_are_counted_apart),
    cmocka_unit_test(test_loaded_pointers_are_counted_apart),
    cmocka_unit_test(test_reads_of_called_functions_are_counted_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
