/* SPDX-License-Identifier: Apache-2.0 */
/* spmv: a sparse matrix of random columns times a vector, compared with sums of whole numbers. Versions jds and ldesc
 * multiply the same matrix, stored by jagged diagonals. */
#include <cuda.h>

#include "atoms.h"
#include "descriptors.h"
#include "spmv_args.h"
#include "spmv_ptx.h"
#include "workload.h"
#include "workload_atoms.h"
#include "workload_ldesc.h"

XMEM_ATOM_IDS(SPMV_ATOMS);
LDESC_IDS(SPMV_DESCRIPTORS);

enum { THREADS = 256, ROWS_OF_CTA = THREADS / 32, DIAGONALS = 2048 }; /* as in kernel.cu */

struct sparse {
  unsigned rows, columns;
  unsigned *first, *column; /* row r has the elements first[r] .. first[r + 1] - 1 */
  float *value;
};

static struct sparse make(const struct workload *w, uint64_t seed) {
  struct sparse a = {.rows = (unsigned)workload_value(w, "rows"), .columns = (unsigned)workload_value(w, "columns")};
  unsigned degree = (unsigned)workload_value(w, "degree");
  a.first = workload_alloc(w, (a.rows + 1) * sizeof *a.first);
  /* Rows of 1 .. 2 degree - 1 elements. */
  for (unsigned i = 0; i < a.rows; i++)
    a.first[i + 1] = a.first[i] + 1 + (unsigned)(workload_bits(seed, 1, i) % (2 * degree - 1));
  size_t n = a.first[a.rows];
  a.column = workload_alloc(w, n * sizeof *a.column);
  a.value = workload_alloc(w, n * sizeof *a.value);
  /* Whole numbers in [-16, 16): the sum of a row of 2047 elements stays below 2^24 and is exact in any order. */
  for (size_t i = 0; i < n; i++) {
    a.column[i] = (unsigned)(workload_bits(seed, 2, i) % a.columns);
    a.value[i] = (float)workload_whole(seed, 3, i, 5);
  }
  return a;
}

static void by_rows(const struct workload *w, CUfunction kernel, struct xmem *atoms, const struct sparse *a,
                    const float *x, float *y) {
  unsigned rows = a->rows;
  size_t n = a->first[rows], y_bytes = rows * sizeof *y;
  CUdeviceptr device_first = workload_upload_atom(w, atoms, SPMV_FIRST, a->first, (rows + 1) * sizeof *a->first);
  CUdeviceptr device_column = workload_upload_atom(w, atoms, SPMV_COLUMN, a->column, n * sizeof *a->column);
  CUdeviceptr device_value = workload_upload_atom(w, atoms, SPMV_VALUE, a->value, n * sizeof *a->value);
  CUdeviceptr device_x = workload_upload_atom(w, atoms, SPMV_X, x, a->columns * sizeof *x);
  CUdeviceptr device_y = workload_upload_atom(w, atoms, SPMV_Y, NULL, y_bytes);
  workload_launch(w, kernel, (rows - 1) / ROWS_OF_CTA + 1, THREADS,
                  (void *[]){&rows, &device_first, &device_column, &device_value, &device_x, &device_y});
  workload_download(w, y, device_y, y_bytes);
}

/* The rows by falling length, those of one length in their order. */
static void sort_rows(const struct workload *w, const struct sparse *a, unsigned *place) {
  unsigned *before = workload_alloc(w, (DIAGONALS + 1) * sizeof *before); /* rows that are longer */
  for (unsigned r = 0; r < a->rows; r++) before[DIAGONALS - (a->first[r + 1] - a->first[r])]++;
  for (unsigned i = 0, sum = 0; i <= DIAGONALS; i++) {
    unsigned count = before[i];
    before[i] = sum;
    sum += count;
  }
  for (unsigned r = 0; r < a->rows; r++) place[before[DIAGONALS - (a->first[r + 1] - a->first[r])]++] = r;
  free(before);
}

static void describe(const struct workload *w, CUdeviceptr column, CUdeviceptr value, size_t n, CUdeviceptr x) {
  struct ldesc l = workload_ldesc(w);
  unsigned rows = (unsigned)workload_value(w, "rows"), columns = (unsigned)workload_value(w, "columns");
  struct workload_shape grid = {(rows - 1) / THREADS + 1, 1, 1};
  workload_describe(w, &l, SPMV_LDESC_X, x, columns * sizeof(float), workload_tile_whole(columns, grid), 0);
  workload_describe(w, &l, SPMV_LDESC_COLUMN, column, n * 4, workload_tile_whole(n, grid), 0);
  workload_describe(w, &l, SPMV_LDESC_VALUE, value, n * 4, workload_tile_whole(n, grid), 0);
}

static void by_diagonals(const struct workload *w, CUfunction kernel, const struct sparse *a, const float *x,
                         float *y) {
  unsigned rows = a->rows, warps = (rows - 1) / 32 + 1, diagonal[DIAGONALS] = {0};
  unsigned *place = workload_alloc(w, rows * sizeof *place), *length = workload_alloc(w, warps * sizeof *length);
  sort_rows(w, a, place);
  for (unsigned i = 0; i < warps; i++) length[i] = a->first[place[32 * i] + 1] - a->first[place[32 * i]];
  size_t n = 0;
  for (unsigned k = 0, count = warps; count;) {
    diagonal[k++] = (unsigned)n;
    n += 32 * (size_t)count;
    while (count && length[count - 1] <= k) count--;
  }
  /* What pads a row is 0 times x[0]. */
  unsigned *column = workload_alloc(w, n * sizeof *column);
  float *value = workload_alloc(w, n * sizeof *value);
  for (unsigned r = 0; r < rows; r++)
    for (unsigned i = a->first[place[r]], k = 0; i < a->first[place[r] + 1]; i++, k++) {
      column[diagonal[k] + r] = a->column[i];
      value[diagonal[k] + r] = a->value[i];
    }
  CUdeviceptr constant, device_length = workload_upload(w, length, warps * sizeof *length);
  CUdeviceptr device_place = workload_upload(w, place, rows * sizeof *place);
  CUdeviceptr device_column = workload_upload(w, column, n * sizeof *column);
  CUdeviceptr device_value = workload_upload(w, value, n * sizeof *value);
  CUdeviceptr device_x = workload_upload(w, x, a->columns * sizeof *x);
  CUdeviceptr device_y = workload_upload(w, NULL, rows * sizeof *y);
  WORKLOAD_PREPARE(w, cuModuleGetGlobal(&constant, NULL, w->module, "spmv_diagonal"));
  WORKLOAD_PREPARE(w, cuMemcpyHtoD(constant, diagonal, sizeof diagonal));
  describe(w, device_column, device_value, n, device_x);
  workload_launch(
    w, kernel, (rows - 1) / THREADS + 1, THREADS,
    (void *[]){&rows, &device_length, &device_place, &device_column, &device_value, &device_x, &device_y});
  workload_download(w, y, device_y, rows * sizeof *y);
  free(place), free(length), free(column), free(value);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("spmv", argc, argv);
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  struct sparse a = make(&w, seed);
  float *x = workload_alloc(&w, a.columns * sizeof *x), *y = workload_alloc(&w, a.rows * sizeof *y);
  for (unsigned i = 0; i < a.columns; i++) x[i] = (float)workload_whole(seed, 4, i, 5);

  CUfunction kernel = workload_open(&w, "spmv");
  struct xmem atoms = workload_atoms(&w);
  if (strcmp(w.version, "jds") && strcmp(w.version, "ldesc")) by_rows(&w, kernel, &atoms, &a, x, y);
  else by_diagonals(&w, kernel, &a, x, y);

  struct workload_comparison comparison = {0};
  for (unsigned r = 0; r < a.rows; r++) {
    int64_t want = 0;
    for (unsigned i = a.first[r]; i < a.first[r + 1]; i++)
      want += workload_whole(seed, 3, i, 5) * (int64_t)workload_whole(seed, 4, a.column[i], 5);
    workload_compare(&comparison, r, y[r], (float)want, 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u nonzeros=%u", a.rows, a.columns, a.first[a.rows]);
  workload_close(&w);
  free(a.first), free(a.column), free(a.value), free(x), free(y);
  return workload_verdict(&w, sizes, &comparison);
}
