/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do the rows of a launch (csim/ptx/affine_rows.h) hold what each CTA reads, and no more than that? The reads are those of
 * the executed kernels of tests/ptx/reads.cu. */
#include "kit/affine_rig.h"

static const char *const files[] = {"reads.clang_sm_70.ptx", "reads.nvcc_sm_75_lines.ptx"};
enum { FILES = sizeof files / sizeof *files, WORDS = 1 << 16 };
static const struct affine_options plain = {0}, promote = {.promote = true};
static const struct affine_rows_options exact = {0};

static char *read_text(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/../tests/ptx/%s", TANDEM_CONFIG_DIR, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be read", path);
  char *text = calloc(1, 1 << 20);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static void open_file(struct rig *r, const char *file) {
  char *text = read_text(file);
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
