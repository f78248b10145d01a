/* SPDX-License-Identifier: Apache-2.0 */
/* matmul_mapreduce: a product of two matrices, compared with sums of whole numbers on the host, to the bit: all are below 2^24. The law
 * of the input, that of Mars: each element uniform in the whole numbers 0 .. 99, as floats. */
#include <cuda.h>

#include "matmul_mapreduce_args.h"
#include "matmul_mapreduce_ptx.h"
#include "workload.h"

#include "elements.h"
#include "mapreduce_host.h"

struct result {
  float *value;
  unsigned (*at)[2]; /* row and column */
  struct mr_row *directory;
};

/* The records that the map writes. */
static void run(struct workload *w, unsigned rows, unsigned columns, const float *left, const float *right,
                struct result *got) {
  CUfunction map = workload_open(w, "elements_of_product");
  struct mr m = mr_open(w);
  unsigned n = rows * rows;
  size_t bytes = (size_t)rows * columns * sizeof *left;
  struct factors factors = {workload_upload(w, left, bytes), workload_upload(w, right, bytes)};
  struct factors *key = workload_alloc(w, n * sizeof *key);
  struct element *value = workload_alloc(w, n * sizeof *value);
  for (unsigned i = 0; i < n; i++) key[i] = factors, value[i] = (struct element){i / rows, i % rows, rows, columns};
  struct mr_records in = mr_room(&m, n, sizeof *key, sizeof *value, key, value);
  struct mr_records out = mr_room(&m, n, sizeof *got->value, sizeof *got->at, NULL, NULL);
  struct mr_places at = mr_places(&m, n, out.key_bytes, out.value_bytes);
  mr_launch(&m, map, n,
            (void *[]){&n, &in.keys, &in.values, &in.directory, &at.keys, &at.values, &at.pairs, &out.keys, &out.values,
                       &out.directory});
  workload_download(w, got->value, out.keys, n * sizeof *got->value);
  workload_download(w, got->at, out.values, n * sizeof *got->at);
  workload_download(w, got->directory, out.directory, n * sizeof *got->directory);
  free(key), free(value);
}

static void compare(struct workload_comparison *c, unsigned rows, unsigned columns, const float *left,
                    const float *right, const struct result *got) {
  for (unsigned i = 0; i < rows * rows; i++) {
    int64_t sum = 0;
    for (unsigned k = 0; k < columns; k++)
      sum += (int64_t)left[(size_t)(i / rows) * columns + k] * (int64_t)right[(size_t)(i % rows) * columns + k];
    const struct mr_row *row = &got->directory[i];
    workload_compare(c, i, got->value[i], (double)sum, 0);
    workload_compare_whole(c, i, (int64_t)got->at[i][0] << 32 | got->at[i][1], (int64_t)(i / rows) << 32 | i % rows);
    workload_compare_whole(c, i, row->key_at == 4 * i && row->value_at == 8 * i, 1);
    workload_compare_whole(c, i, row->key_bytes == 4 && row->value_bytes == 8, 1);
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("matmul_mapreduce", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (columns % 4) workload_usage(&w, "columns=%u: a multiple of 4 is wanted", columns);
  size_t elements = (size_t)rows * columns, n = (size_t)rows * rows;
  float *left = workload_alloc(&w, elements * sizeof *left), *right = workload_alloc(&w, elements * sizeof *right);
  for (size_t i = 0; i < elements; i++) {
    left[i] = (float)(workload_bits(seed, 1, i) % 100);
    right[i] = (float)(workload_bits(seed, 2, i) % 100);
  }
  struct result got = {workload_alloc(&w, n * sizeof *got.value), workload_alloc(&w, n * sizeof *got.at),
                       workload_alloc(&w, n * sizeof *got.directory)};
  run(&w, rows, columns, left, right, &got);

  struct workload_comparison comparison = {0};
  compare(&comparison, rows, columns, left, right, &got);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u records=%zu", rows, columns, n);
  workload_close(&w);
  free(left), free(right), free(got.value), free(got.at), free(got.directory);
  return workload_verdict(&w, sizes, &comparison);
}
