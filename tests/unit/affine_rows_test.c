/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do the rows of a launch (csim/ptx/affine_rows.h) hold what each CTA reads, and no more than that? The reads are those of
 * the executed kernels of tests/ptx/reads.cu. */
#include "kit/affine_rig.h"
#include "kit/ptx_text.h"

static const char *const files[] = {"reads.clang_sm_70.ptx", "reads.nvcc_sm_75_lines.ptx"};
enum { FILES = sizeof files / sizeof *files, WORDS = 1 << 16 };
static const struct affine_options plain = {0}, promote = {.promote = true};
static const struct affine_rows_options exact = {0};

static void open_file(struct rig *r, const char *file) {
  char *text = ptx_text(file);
  rig_load(r, text);
  free(text);
}

static void expect_row(const struct rig *r, uint32_t i, const struct affine_row *wanted) {
  const struct affine_row *row = &r->rows.row[i].row;
  assert_true(i < r->rows.n);
  if (row->base == wanted->base && row->typesize == wanted->typesize && row->min_offset == wanted->min_offset &&
      row->max_offset == wanted->max_offset && !memcmp(row->min_product, wanted->min_product, 24) &&
      !memcmp(row->max_product, wanted->max_product, 24))
    return;
  fail_msg("row %u: base %llx, typesize %u, min (%lld %lld %lld) %lld, max (%lld %lld %lld) %lld", i,
           (unsigned long long)row->base, row->typesize, (long long)row->min_product[0], (long long)row->min_product[1],
           (long long)row->min_product[2], (long long)row->min_offset, (long long)row->max_product[0],
           (long long)row->max_product[1], (long long)row->max_product[2], (long long)row->max_offset);
}

static void expect_fault_free(const struct rig *r) {
  if (r->h.fault[0]) fail_msg("%s: %s", r->kernel->name, r->h.fault);
}

/* ---- goldens ---- */

/* Listing 3 of the paper: Set(mask, sizeof(bool), T,0,0,0, T,0,0,T), the same for nodes; and cost, which its Table 1
 * counts. */
static void test_bfs_rows_are_the_papers(void **state) {
  enum { T = 256 };
  (void)state;
  for (uint32_t f = 0; f < FILES; f++) {
    struct rig r;
    open_file(&r, files[f]);
    struct {
      uint64_t nodes, edges, mask, visited, cost, over;
      int n;
    } params = {0x200010000, 0x200020000, 0x200030000, 0x200040000, 0x200050000, 0x200060000, 5 * T};
    const uint32_t grid[3] = {5, 1, 1}, block[3] = {T, 1, 1};
    rig_launch(&r, "bfs", &plain, grid, block, &params, &exact);
    assert_int_equal(r.rows.n, 3);
    struct affine_row row = {.min_product = {T}, .max_product = {T}, .max_offset = T};
    row.base = params.nodes, row.typesize = sizeof(int[2]);
    expect_row(&r, 0, &row); /* most loads */
    uint32_t mask = r.rows.row[1].row.base == params.mask ? 1 : 2;
    row.base = params.mask, row.typesize = 1;
    expect_row(&r, mask, &row);
    row.base = params.cost, row.typesize = sizeof(int);
    expect_row(&r, 3 - mask, &row);
    rig_close(&r);
  }
}

/* ---- tiles ---- */

struct stencil_params {
  uint64_t in, out;
  int rows, columns, pitch;
};

static struct stencil_params stencil_arrays(struct rig *r, int rows, int columns, int pitch) {
  return (struct stencil_params){harness_alloc(&r->h, NULL, (uint64_t)rows * (uint64_t)pitch * 4),
                                 harness_alloc(&r->h, NULL, (uint64_t)rows * (uint64_t)pitch * 4), rows, columns,
                                 pitch};
}

static uint64_t bytes_of_rows(const struct rig *r) {
  uint64_t sum = 0, first, end;
  for (uint32_t i = 0; i < r->rows.n; i++) {
    rig_range(r, &r->rows.row[i].row, &first, &end);
    sum += end - first;
  }
  return sum;
}

/* In a CTA that no guard cuts, each byte of the rows is read. */
static void expect_dense(struct rig *r, uint64_t array, uint64_t bytes) {
  uint64_t sum = 0;
  r->touched_from = array;
  r->touched_bytes = bytes;
  r->touched = calloc(1, bytes);
  rig_run_cta(r);
  expect_fault_free(r);
  for (uint64_t i = 0; i < bytes; i++) sum += r->touched[i];
  free(r->touched);
  r->touched = NULL;
  if (sum != bytes_of_rows(r))
    fail_msg("%s: the rows have %llu bytes, %llu are read", r->kernel->name, (unsigned long long)bytes_of_rows(r),
             (unsigned long long)sum);
}

/* 16 x 16 threads and a halo: eighteen rows, those with most loads first. */
static void test_a_tile_has_a_row_each_line_and_its_halo(void **state) {
  (void)state;
  for (uint32_t f = 0; f < FILES; f++) {
    struct rig r;
    open_file(&r, files[f]);
    struct stencil_params p = stencil_arrays(&r, 64, 48, 60);
    const uint32_t grid[3] = {3, 4, 1}, block[3] = {16, 16, 1};
    rig_launch(&r, "stencil", &plain, grid, block, &p, &exact);
    assert_int_equal(r.rows.n, 18);
    assert_int_equal(r.rows.n_refused, 0);
    for (uint32_t i = 0; i < 14; i++) assert_int_equal(r.rows.row[i].n_loads, 5);
    assert_int_equal(r.rows.row[17].n_loads, 1);
    struct affine_row first = {.base = p.in,
                               .typesize = 4,
                               .min_product = {16, 16 * 60},
                               .max_product = {16, 16 * 60},
                               .min_offset = 60 - 1,
                               .max_offset = 60 + 17};
    expect_row(&r, 0, &first); /* the second line of the tile */
    rig_run(&r);
    expect_fault_free(&r);
    assert_true(r.checked > 0);
    r.cta[0] = 1, r.cta[1] = 1, r.cta[2] = 0;
    expect_dense(&r, p.in, 64 * 60 * 4);
    rig_close(&r);
  }
}

static void test_one_row_may_span_a_tile(void **state) {
  struct rig r;
  (void)state;
  open_file(&r, files[0]);
  struct stencil_params p = stencil_arrays(&r, 64, 48, 60);
  const uint32_t grid[3] = {3, 4, 1}, block[3] = {16, 16, 1};
  const struct affine_rows_options whole = {.gap = UINT64_MAX}, line = {.gap = (60 - 18) * 4};
  struct affine_row row = {.base = p.in,
                           .typesize = 4,
                           .min_product = {16, 960},
                           .max_product = {16, 960},
                           .min_offset = -60,
                           .max_offset = 16 * 60 + 16};
  rig_launch(&r, "stencil", &plain, grid, block, &p, &whole);
  assert_int_equal(r.rows.n, 1);
  assert_int_equal(r.rows.row[0].n_loads, 5);
  expect_row(&r, 0, &row);
  rig_run(&r);
  expect_fault_free(&r);
  rig_launch(&r, "stencil", &plain, grid, block, &p, &line);
  assert_int_equal(r.rows.n, 3); /* the halo's lines, at either end, are shorter than the tile's */
  rig_launch(&r, "stencil", &plain, grid, block, &p, &(struct affine_rows_options){.gap = (60 - 18) * 4 - 1});
  assert_int_equal(r.rows.n, 18);
  rig_close(&r);
}

static void test_a_full_table_drops_the_least_used_rows(void **state) {
  struct rig r;
  (void)state;
  open_file(&r, files[1]);
  struct stencil_params p = stencil_arrays(&r, 64, 48, 60);
  const uint32_t grid[3] = {3, 4, 1}, block[3] = {16, 16, 1};
  const struct affine_rows_options sixteen = {.limit = 16};
  rig_launch(&r, "stencil", &plain, grid, block, &p, &sixteen);
  assert_int_equal(r.rows.n, 18);
  assert_int_equal(r.rows.n_kept, 16);
  for (uint32_t i = 0; i < 16; i++) assert_true(r.rows.row[i].n_loads >= 4);
  assert_int_equal(r.rows.row[16].n_loads, 1);
  rig_close(&r);
}

/* Lines of a tile as wide as the matrix are one row; else each has its own. */
static void test_lines_that_touch_are_one_row(void **state) {
  static const struct {
    uint32_t grid[3], block[3], rows;
  } cases[] = {{{1, 3, 1}, {16, 8, 1}, 2}, {{2, 3, 1}, {16, 8, 1}, 16}, {{3, 1, 1}, {64, 1, 1}, 2}};
  (void)state;
  for (uint32_t f = 0; f < FILES; f++)
    for (uint32_t i = 0; i < 3; i++) {
      struct rig r;
      open_file(&r, files[f]);
      uint64_t a = harness_alloc(&r.h, NULL, 8192), b = harness_alloc(&r.h, NULL, 8192);
      uint64_t p[3] = {a, b, harness_alloc(&r.h, NULL, 8192)};
      rig_launch(&r, "dense", &plain, cases[i].grid, cases[i].block, p, &exact);
      if (r.rows.n != cases[i].rows) fail_msg("%s: case %u: %u rows", files[f], i, r.rows.n);
      rig_run(&r);
      expect_fault_free(&r);
      r.cta[0] = r.cta[1] = r.cta[2] = 0;
      expect_dense(&r, a, b - a + 8192);
      rig_close(&r);
    }
}

/* Threads of x lie `pitch` apart: the lines run along y. */
static void test_lines_run_along_the_smallest_stride(void **state) {
  (void)state;
  for (uint32_t f = 0; f < FILES; f++) {
    struct rig r;
    open_file(&r, files[f]);
    struct {
      uint64_t in, out;
      uint32_t pitch;
    } p = {harness_alloc(&r.h, NULL, WORDS), harness_alloc(&r.h, NULL, WORDS), 40};
    const uint32_t grid[3] = {4, 1, 1}, block[3] = {8, 32, 1};
    rig_launch(&r, "columns", &plain, grid, block, &p, &exact);
    assert_int_equal(r.rows.n, 8);
    rig_run(&r);
    expect_fault_free(&r);
    r.cta[0] = 2, r.cta[1] = r.cta[2] = 0;
    expect_dense(&r, p.in, WORDS);
    rig_close(&r);
  }
}

/* ---- signs, loops ---- */

static void test_falling_addresses_swap_the_ends(void **state) {
  (void)state;
  for (uint32_t f = 0; f < FILES; f++) {
    struct rig r;
    open_file(&r, files[f]);
    struct {
      uint64_t in, out;
      int n;
    } p = {harness_alloc(&r.h, NULL, 4000), harness_alloc(&r.h, NULL, 4000), 200};
    const uint32_t grid[3] = {4, 1, 1}, block[3] = {64, 1, 1};
    rig_launch(&r, "backwards", &plain, grid, block, &p, &exact);
    assert_int_equal(r.rows.n, 2);
    struct affine_row falling = {.base = p.in,
                                 .typesize = 4,
                                 .min_product = {-64},
                                 .max_product = {-64},
                                 .min_offset = 200 - 64,
                                 .max_offset = 200};
    struct affine_row constant = {.base = p.in, .typesize = 4, .min_offset = 5, .max_offset = 6};
    expect_row(&r, 0, &falling);
    expect_row(&r, 1, &constant);
    rig_run(&r);
    expect_fault_free(&r);
    rig_close(&r);
  }
}

static void test_counted_loops_stay_in_their_rows(void **state) {
  (void)state;
  for (uint32_t f = 0; f < FILES; f++) {
    struct rig r;
    open_file(&r, files[f]);
    struct {
      uint64_t in, out;
      uint32_t n;
    } p = {harness_alloc(&r.h, NULL, WORDS), harness_alloc(&r.h, NULL, WORDS), 1000};
    const uint32_t grid[3] = {3, 1, 1}, block[3] = {64, 1, 1};
    rig_launch(&r, "grid_stride", &plain, grid, block, &p, &exact);
    assert_int_equal(r.rows.n, 0);
    rig_launch(&r, "grid_stride", &promote, grid, block, &p, &exact);
    assert_int_equal(r.rows.n, 6); /* of 192 elements */
    rig_run(&r);
    expect_fault_free(&r);
    assert_int_equal(r.checked, 1000);
    struct {
      uint64_t in, out;
      int n, m;
    } q = {p.in, p.out, 5, 7};
    rig_launch(&r, "nested", &promote, grid, block, &q, &exact);
    assert_true(r.rows.n > 0);
    rig_run(&r);
    expect_fault_free(&r);
    assert_int_equal(r.checked, 3 * 64 * 5 * 4);
    rig_close(&r);
  }
}

/* ---- refusals ---- */

static void expect_refusal(const char *kernel, const void *params, uint32_t ctas, uint32_t index,
                           enum affine_refusal why) {
  struct rig r;
  const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {64, 1, 1};
  open_file(&r, files[0]);
  rig_launch(&r, kernel, &promote, grid, block, params, &exact);
  for (uint32_t i = 0; i < r.rows.n_refused; i++)
    if (r.rows.refused[i].index == index && r.rows.refused[i].why == why) {
      rig_close(&r);
      return;
    }
  fail_msg("%s: index %u is not refused because %s", kernel, index, affine_refusal_sentence(why));
}

static void test_indexes_that_have_no_row_say_why(void **state) {
  const struct {
    uint64_t in, out;
    uint32_t n, more;
  } p = {0x200000100, 0x200001000, 3, 0}, wide = {0x200000100, 0x200001000, 0x10000000, 0};
  (void)state;
  expect_refusal("degree_two", &p, 4, 0, AFFINE_DEGREE);
  expect_refusal("columns", &wide, 64, 0, AFFINE_WRAPS);
}

/* ---- numbers that wrap ---- */

/* Reads in[x - 4] of 64 threads a CTA where x >= 4, by `conversion` of the 32-bit number %r4 = x - 4 to %rd4. */
static void load_wrapping(struct rig *r, const char *number, const char *conversion) {
  char text[1500];
  snprintf(text, sizeof text,
           PTX_HEAD
           ".visible .entry k(.param .u64 p) { .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<2>;\n"
           "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x; mad.lo.u32 %%r3, %%r1, 64, %%r2;\n%s\n"
           "setp.lt.u32 %%p1, %%r3, 4; @%%p1 bra E;\nld.param.u64 %%rd1, [p]; cvta.to.global.u64 %%rd2, %%rd1;\n"
           "%s shl.b64 %%rd4, %%rd3, 2; add.s64 %%rd5, %%rd2, %%rd4; ld.global.u32 %%r5, [%%rd5];\nE: ret; }\n",
           number, conversion);
  rig_load(r, text);
}

static void test_a_number_that_wraps_is_refused_unless_memory_is_small(void **state) {
  static const struct {
    const char *number, *conversion;
    bool known, small;
  } cases[] = {
    {"sub.u32 %r4, %r3, 4;", "cvt.s64.s32 %rd3, %r4;", true, true},
    {"sub.u32 %r4, %r3, 4;", "cvt.u64.u32 %rd3, %r4;", false, true},
    {"sub.u32 %r4, %r3, 4;", "cvt.u16.u32 %h1, %r4; cvt.u64.u16 %rd3, %h1;", false, false},
    {"sub.u32 %r4, %r3, 4;", "and.b32 %r6, %r4, 255; cvt.u64.u32 %rd3, %r6;", false, false},
    {"mad.lo.u32 %r4, %r3, 16, -64;", "cvt.u64.u32 %rd3, %r4;", false, true},
    {"sub.u32 %r4, %r3, 4;", "shl.b32 %r6, %r4, 3; or.b32 %r4, %r6, %r2; cvt.s64.s32 %rd3, %r4;", false, false},
    {"mad.lo.u32 %r4, %r1, 0x7f000000, %r3;", "cvt.s64.s32 %rd3, %r4;", false, false},
  };
  const uint32_t grid[3] = {3, 1, 1}, block[3] = {64, 1, 1};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    char number[200];
    snprintf(number, sizeof number, ".reg .b16 %%h<3>; %s", cases[i].number);
    load_wrapping(&r, number, cases[i].conversion);
    uint64_t p = harness_alloc(&r.h, NULL, WORDS);
    rig_launch(&r, "k", &plain, grid, block, &p, &exact);
    if ((r.rows.n > 0) != cases[i].small) fail_msg("case %zu: %u rows in a small memory", i, r.rows.n);
    if (r.rows.n) rig_run(&r);
    expect_fault_free(&r);
    assert_true(!r.rows.n || r.checked == 3 * 64 - 4);
    r.launch.memory_bytes = 0;
    affine_rows_free(&r.rows);
    affine_rows_make(r.analysis, &r.launch, &exact, &r.rows);
    if ((r.rows.n > 0) != cases[i].known) fail_msg("case %zu: %u rows in a memory of unknown size", i, r.rows.n);
    if (!r.rows.n) assert_int_equal(r.rows.refused[0].why, AFFINE_WRAPS);
    rig_close(&r);
  }
}

/* ---- intervals ---- */

static void test_an_interval_within_another_changes_nothing(void **state) {
  struct rig r;
  (void)state;
  rig_load(&r, PTX_HEAD ".visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
                        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 16; ld.param.u64 %rd1, [p];\n"
                        "cvta.to.global.u64 %rd2, %rd1; add.s64 %rd4, %rd2, %rd3;\n"
                        "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd4]; ld.global.u32 %r6, [%rd4+4]; ret; }\n");
  uint64_t p = harness_alloc(&r.h, NULL, WORDS);
  const uint32_t one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
  rig_launch(&r, "k", &plain, one, block, &p, &exact);
  struct affine_row row = {.base = p, .typesize = 16, .max_offset = 32};
  assert_int_equal(r.rows.n, 1);
  assert_int_equal(r.rows.row[0].n_loads, 2);
  expect_row(&r, 0, &row);
  rig_run(&r);
  expect_fault_free(&r);
  rig_close(&r);
}

/* ---- tests of loops ---- */

struct loop_case {
  const char *compare; /* of the register after the step with the bound */
  int first, step, bound;
};

/* `form` 0: @p bra LOOP, 1: @!p bra LOOP of the opposite, 2: @p bra END of the opposite; bra LOOP. */
static void load_loop(struct rig *r, const struct loop_case *c, const char *opposite, uint32_t form) {
  static const char *const ends[] = {"@%p1 bra LOOP;", "@!%p1 bra LOOP;", "@%p1 bra END;\nbra.uni LOOP;"};
  char text[1500];
  snprintf(text, sizeof text,
           PTX_HEAD ".visible .entry k(.param .u64 p, .param .u32 first, .param .u32 bound) {\n"
                    ".reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<2>;\n"
                    "ld.param.u64 %%rd1, [p]; cvta.to.global.u64 %%rd2, %%rd1;\n"
                    "ld.param.u32 %%r1, [first]; ld.param.u32 %%r2, [bound];\n"
                    "LOOP: mul.wide.s32 %%rd3, %%r1, 4; add.s64 %%rd4, %%rd2, %%rd3; ld.global.u32 %%r3, [%%rd4];\n"
                    "add.s32 %%r1, %%r1, %d; setp.%s %%p1, %%r1, %%r2; %s\nEND: ret; }\n",
           c->step, form ? opposite : c->compare, ends[form]);
  rig_load(r, text);
}

static void test_every_comparison_counts_its_loop(void **state) {
  static const struct loop_case cases[] = {
    {"lt.s32", -5, 3, 40}, {"le.s32", -5, 3, 40},  {"gt.s32", 50, -3, 5}, {"ge.s32", 50, -3, 5}, {"ne.s32", 0, 4, 40},
    {"lt.u32", 5, 3, 41},  {"le.u32", 5, 3, 41},   {"gt.u32", 50, -3, 5}, {"ge.u32", 50, -3, 5}, {"lo.u32", 5, 7, 41},
    {"hs.u32", 50, -3, 5}, {"ne.s32", 60, -6, 12}, {"lt.s32", 30, 3, 10}, {"ls.u32", 5, 5, 40},  {"hi.u32", 9, -1, 0}};
  static const char *const opposites[][2] = {{"lt.", "ge."}, {"le.", "gt."}, {"gt.", "le."},
                                             {"ge.", "lt."}, {"ne.", "eq."}, {"lo.", "hs."},
                                             {"hs.", "lo."}, {"ls.", "hi."}, {"hi.", "ls."}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint32_t form = 0; form < 3; form++) {
      struct rig r;
      const uint32_t one[3] = {1, 1, 1};
      char opposite[16] = "";
      for (size_t k = 0; k < sizeof opposites / sizeof *opposites; k++)
        if (!strncmp(opposites[k][0], cases[i].compare, 3))
          snprintf(opposite, sizeof opposite, "%s%s", opposites[k][1], cases[i].compare + 3);
      load_loop(&r, &cases[i], opposite, form);
      struct {
        uint64_t p;
        int first, bound;
      } p = {harness_alloc(&r.h, NULL, WORDS) + 4000, cases[i].first, cases[i].bound};
      rig_launch(&r, "k", &promote, one, one, &p, &(struct affine_rows_options){.gap = UINT64_MAX});
      if (r.rows.n != 1) fail_msg("%s, form %u: %u rows", cases[i].compare, form, r.rows.n);
      uint64_t first, end;
      rig_range(&r, &r.rows.row[0].row, &first, &end);
      rig_run_cta(&r);
      expect_fault_free(&r);
      if (r.least != first || r.end != end) /* the test follows the load, so that the row is exact */
        fail_msg("%s, form %u: %lld to %lld are read, the row is %lld to %lld", cases[i].compare, form,
                 (long long)(r.least - p.p), (long long)(r.end - p.p), (long long)(first - p.p),
                 (long long)(end - p.p));
      rig_close(&r);
    }
}

/* A loop whose counter steps over its bound has no number of iterations. */
static void test_a_loop_that_misses_its_bound_is_refused(void **state) {
  static const struct loop_case cases[] = {{"ne.s32", 0, 4, 41}, {"lt.s32", 0, -1, 5}, {"gt.u32", 5, 1, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    const uint32_t one[3] = {1, 1, 1};
    load_loop(&r, &cases[i], "", 0);
    struct {
      uint64_t p;
      int first, bound;
    } p = {0x200000100, cases[i].first, cases[i].bound};
    rig_launch(&r, "k", &promote, one, one, &p, &exact);
    assert_int_equal(r.rows.n, 0);
    assert_int_equal(r.rows.n_refused + (r.analysis->index[0].class == AFFINE_NONE), 1);
    rig_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_bfs_rows_are_the_papers),
    cmocka_unit_test(test_a_tile_has_a_row_each_line_and_its_halo),
    cmocka_unit_test(test_one_row_may_span_a_tile),
    cmocka_unit_test(test_a_full_table_drops_the_least_used_rows),
    cmocka_unit_test(test_lines_that_touch_are_one_row),
    cmocka_unit_test(test_lines_run_along_the_smallest_stride),
    cmocka_unit_test(test_falling_addresses_swap_the_ends),
    cmocka_unit_test(test_counted_loops_stay_in_their_rows),
    cmocka_unit_test(test_indexes_that_have_no_row_say_why),
    cmocka_unit_test(test_a_number_that_wraps_is_refused_unless_memory_is_small),
    cmocka_unit_test(test_an_interval_within_another_changes_nothing),
    cmocka_unit_test(test_every_comparison_counts_its_loop),
    cmocka_unit_test(test_a_loop_that_misses_its_bound_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
