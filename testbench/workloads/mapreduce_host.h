/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of mapreduce.h. Include after workload.h. */
#ifndef MAPREDUCE_HOST_H
#define MAPREDUCE_HOST_H

enum { MR_THREADS = 256 };

struct mr_row {
  uint32_t key_at, key_bytes, value_at, value_bytes;
};
struct mr_records {
  unsigned n, key_bytes, value_bytes;
  CUdeviceptr keys, values, directory;
};
/* Where the pairs of each record go: bytes of keys, bytes of values and pairs before it. */
struct mr_places {
  CUdeviceptr keys, values, pairs;
};
struct mr {
  const struct workload *w;
  CUfunction count, sums, add, order, move, first, groups;
};

static inline struct mr mr_open(const struct workload *w) {
  return (struct mr){w,
                     workload_kernel(w, "mr_count"),
                     workload_kernel(w, "mr_sums"),
                     workload_kernel(w, "mr_add"),
                     workload_kernel(w, "mr_order"),
                     workload_kernel(w, "mr_move"),
                     workload_kernel(w, "mr_first"),
                     workload_kernel(w, "mr_groups")};
}

static inline void mr_launch(const struct mr *m, CUfunction kernel, unsigned n, void **arguments) {
  workload_launch(m->w, kernel, (n - 1) / MR_THREADS + 1, MR_THREADS, arguments);
}

static inline CUdeviceptr mr_words(const struct mr *m, size_t n) {
  return workload_upload(m->w, NULL, n * sizeof(uint32_t));
}

/* n records: those of `keys` and `values`, one after the other; or room for what a map or a reduction writes. The directory has
 * a power of two of rows, for the sort. */
static inline struct mr_records mr_room(const struct mr *m, unsigned n, unsigned key_bytes, unsigned value_bytes,
                                        const void *keys, const void *values) {
  struct mr_records r = {.n = n, .key_bytes = key_bytes, .value_bytes = value_bytes};
  size_t rows = 1;
  while (rows < n) rows *= 2;
  struct mr_row *row = workload_alloc(m->w, rows * sizeof *row);
  memset(row, 0xff, rows * sizeof *row);
  for (unsigned i = 0; keys && i < n; i++)
    row[i] = (struct mr_row){i * key_bytes, key_bytes, i * value_bytes, value_bytes};
  r.keys = workload_upload(m->w, keys, (size_t)n * key_bytes);
  r.values = workload_upload(m->w, values, (size_t)n * value_bytes);
  r.directory = workload_upload(m->w, row, rows * sizeof *row);
  free(row);
  return r;
}

/* The sums of what is before each of n words; returns the sum of all. */
static inline unsigned mr_sum(const struct mr *m, unsigned n, CUdeviceptr in, CUdeviceptr out) {
  unsigned ctas = (n - 1) / MR_THREADS + 1, total = 0;
  CUdeviceptr totals = mr_words(m, ctas), before = mr_words(m, ctas);
  mr_launch(m, m->sums, n, (void *[]){&n, &in, &out, &totals});
  if (ctas > 1) {
    total = mr_sum(m, ctas, totals, before);
    mr_launch(m, m->add, n, (void *[]){&n, &out, &before});
  } else {
    workload_download(m->w, &total, totals, sizeof total);
  }
  WORKLOAD_PREPARE(m->w, cuMemFree(totals));
  WORKLOAD_PREPARE(m->w, cuMemFree(before));
  return total;
}

static inline struct mr_places mr_places(const struct mr *m, unsigned n, unsigned key_bytes, unsigned value_bytes) {
  CUdeviceptr of_keys = mr_words(m, n), of_values = mr_words(m, n), ones = mr_words(m, n);
  struct mr_places p = {mr_words(m, n), mr_words(m, n), mr_words(m, n)};
  mr_launch(m, m->count, n, (void *[]){&n, &key_bytes, &value_bytes, &of_keys, &of_values, &ones});
  mr_sum(m, n, of_keys, p.keys);
  mr_sum(m, n, of_values, p.values);
  mr_sum(m, n, ones, p.pairs);
  return p;
}

static inline void mr_sort(const struct mr *m, struct mr_records *r) {
  unsigned n = 1;
  while (n < r->n) n *= 2;
  for (unsigned run = 2; run <= n; run *= 2)
    for (unsigned step = run / 2; step; step /= 2)
      mr_launch(m, m->order, n, (void *[]){&n, &run, &step, &r->keys, &r->directory});
  CUdeviceptr keys = workload_upload(m->w, NULL, (size_t)r->n * r->key_bytes);
  CUdeviceptr values = workload_upload(m->w, NULL, (size_t)r->n * r->value_bytes);
  mr_launch(m, m->move, r->n, (void *[]){&r->n, &r->keys, &r->values, &r->directory, &keys, &values});
  r->keys = keys;
  r->values = values;
}

/* Returns the groups of sorted records, and where each begins. */
static inline unsigned mr_group(const struct mr *m, struct mr_records *r, CUdeviceptr *begins) {
  CUdeviceptr first = mr_words(m, r->n), group = mr_words(m, r->n);
  mr_launch(m, m->first, r->n, (void *[]){&r->n, &r->keys, &r->directory, &first});
  unsigned groups = mr_sum(m, r->n, first, group);
  *begins = mr_words(m, groups);
  mr_launch(m, m->groups, r->n, (void *[]){&r->n, &first, &group, begins});
  return groups;
}

#endif
