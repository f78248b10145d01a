/* SPDX-License-Identifier: Apache-2.0 */
/* similarity: all pairs of documents by the cosine of their vectors, compared bit for bit with sums of whole numbers on the host: all
 * sums are below 2^24, and root, product and quotient are rounded as IEEE 754 has it. The law of the input, that of Mars: each
 * element uniform in the whole numbers 0 .. 99, as floats. */
#include <cuda.h>

#include "similarity_args.h"
#include "similarity_ptx.h"
#include "workload.h"

#include "mapreduce_host.h"
#include "pairs.h"

struct scored {
  float score;
  unsigned one, other;
};

static float similarity_of(const float *a, const float *b, unsigned terms) {
  int64_t common = 0, of_a = 0, of_b = 0;
  for (unsigned t = 0; t < terms; t++) {
    int64_t x = (int64_t)a[t], y = (int64_t)b[t];
    common += x * y, of_a += x * x, of_b += y * y;
  }
  float lengths = sqrtf((float)of_a) * sqrtf((float)of_b);
  return lengths > 0 ? (float)common / lengths : 0.f;
}

static int by_score(const void *a, const void *b) {
  const struct scored *x = a, *y = b;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  if (x->one != y->one) return x->one < y->one ? -1 : 1;
  return x->other < y->other ? -1 : x->other > y->other;
}

/* The pairs in the order of the device; returns the groups of equal scores. */
static unsigned run(struct workload *w, unsigned documents, unsigned terms, const float *vectors, unsigned n,
                    struct scored *got) {
  CUfunction map = workload_open(w, "similarity_of_pairs");
  struct mr m = mr_open(w);
  CUdeviceptr d_vectors = workload_upload(w, vectors, (size_t)documents * terms * sizeof *vectors), begins;
  CUdeviceptr *key = workload_alloc(w, n * sizeof *key);
  struct document_pair *pair = workload_alloc(w, n * sizeof *pair);
  for (unsigned a = 0, i = 0; a < documents; a++)
    for (unsigned b = a + 1; b < documents; b++, i++)
      key[i] = d_vectors, pair[i] = (struct document_pair){a, b, terms, 0};
  struct mr_records in = mr_room(&m, n, sizeof *key, sizeof *pair, key, pair);
  struct mr_records sorted = mr_room(&m, n, sizeof(float), 2 * sizeof(unsigned), NULL, NULL);
  struct mr_places at = mr_places(&m, n, sorted.key_bytes, sorted.value_bytes);
  mr_launch(&m, map, n,
            (void *[]){&n, &in.keys, &in.values, &in.directory, &at.keys, &at.values, &at.pairs, &sorted.keys,
                       &sorted.values, &sorted.directory});
  mr_sort(&m, &sorted);
  unsigned groups = mr_group(&m, &sorted, &begins);
  float *score = workload_alloc(w, n * sizeof *score);
  unsigned(*both)[2] = workload_alloc(w, n * sizeof *both);
  workload_download(w, score, sorted.keys, n * sizeof *score);
  workload_download(w, both, sorted.values, n * sizeof *both);
  for (unsigned i = 0; i < n; i++) got[i] = (struct scored){score[i], both[i][0], both[i][1]};
  free(key), free(pair), free(score), free(both);
  return groups;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("similarity", argc, argv);
  unsigned documents = (unsigned)workload_value(&w, "documents"), terms = (unsigned)workload_value(&w, "terms");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (terms % 4) workload_usage(&w, "terms=%u: a multiple of 4 is wanted", terms);
  unsigned n = documents * (documents - 1) / 2;
  size_t elements = (size_t)documents * terms;
  float *vectors = workload_alloc(&w, elements * sizeof *vectors);
  for (size_t i = 0; i < elements; i++) vectors[i] = (float)(workload_bits(seed, 1, i) % 100);
  struct scored *got = workload_alloc(&w, n * sizeof *got), *want = workload_alloc(&w, n * sizeof *want);
  unsigned groups = run(&w, documents, terms, vectors, n, got), distinct = 0;

  struct workload_comparison comparison = {0};
  for (unsigned a = 0, i = 0; a < documents; a++)
    for (unsigned b = a + 1; b < documents; b++, i++)
      want[i] = (struct scored){similarity_of(vectors + (size_t)a * terms, vectors + (size_t)b * terms, terms), a, b};
  qsort(want, n, sizeof *want, by_score);
  for (unsigned i = 0; i < n; i++) {
    workload_compare(&comparison, i, got[i].score, want[i].score, 0);
    distinct += i == 0 || want[i].score != want[i - 1].score;
  }
  workload_compare_whole(&comparison, n, groups, distinct);
  qsort(got, n, sizeof *got, by_score); /* pairs of equal scores may stand in any order among themselves */
  for (unsigned i = 0; i < n; i++)
    workload_compare_whole(&comparison, i, (int64_t)got[i].one << 32 | got[i].other,
                           (int64_t)want[i].one << 32 | want[i].other);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "documents=%u terms=%u pairs=%u groups=%u", documents, terms, n, groups);
  workload_close(&w);
  free(vectors), free(got), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
