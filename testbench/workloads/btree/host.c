/* SPDX-License-Identifier: Apache-2.0 */
/* btree: answers to all queries, compared with searches by bisection in the sorted keys. Keys rise by 1 to 3, so that
 * some queries find none; nodes are half full to full, as insertions leave them. */
#include <cuda.h>
#include <limits.h>

#include "btree_args.h"
#include "btree_ptx.h"
#include "workload.h"

enum { ORDER = 508 }; /* as in kernel.cu */

struct node { /* struct btree_node of kernel.cu */
  int keys;
  int child[ORDER];
  int key[ORDER + 1];
};

struct tree {
  struct node *node;
  unsigned nodes, levels, root; /* levels above the leaves */
};

/* Nodes over `n` children, whose smallest keys are `key`: appends them to the tree; returns how many. */
static unsigned add_level(struct tree *tree, uint64_t seed, const int *key, unsigned n, unsigned first_child) {
  unsigned before = tree->nodes;
  for (unsigned done = 0; done < n;) {
    unsigned room = ORDER / 2 + (unsigned)(workload_bits(seed, 3, tree->nodes) % (ORDER / 2 + 1));
    unsigned count = n - done < room ? n - done : room;
    struct node *node = &tree->node[tree->nodes++];
    node->keys = (int)count;
    for (unsigned i = 0; i <= ORDER; i++) node->key[i] = i < count ? key[done + i] : INT_MAX;
    for (unsigned i = 0; i < count; i++) node->child[i] = (int)(first_child + done + i);
    done += count;
  }
  return tree->nodes - before;
}

/* From the leaves up to the root. A key below all others descends to the first leaf. */
static struct tree build(const struct workload *w, uint64_t seed, const int *key, unsigned n) {
  struct tree tree = {.node = workload_alloc(w, (n / (ORDER / 2 - 1) + 32) * sizeof(struct node))};
  int *smallest = workload_alloc(w, n * sizeof *smallest);
  unsigned count = add_level(&tree, seed, key, n, 0), first = 0;
  for (; count > 1; tree.levels++) {
    for (unsigned i = 0; i < count; i++) smallest[i] = tree.node[first + i].key[0];
    smallest[0] = INT_MIN;
    unsigned next = tree.nodes;
    count = add_level(&tree, seed, smallest, count, first);
    first = next;
  }
  tree.root = first;
  free(smallest);
  return tree;
}

/* Keys smaller than `wanted`. */
static unsigned below(const int *key, unsigned n, int wanted) {
  unsigned low = 0, high = n;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (key[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Device memory with the number `value` for each of n queries. */
static CUdeviceptr upload_each(const struct workload *w, unsigned n, int value) {
  int *values = workload_alloc(w, n * sizeof *values);
  for (unsigned i = 0; i < n; i++) values[i] = value;
  CUdeviceptr address = workload_upload(w, values, n * sizeof *values);
  free(values);
  return address;
}

/* A key from a little before all keys to a little behind them; every second one exists. */
static int some_key(uint64_t seed, unsigned stream, unsigned i, const int *key, unsigned n) {
  uint64_t bits = workload_bits(seed, stream, i);
  if (i & 1) return key[bits % n];
  return key[0] - 3 + (int)(bits % (uint64_t)(key[n - 1] - key[0] + 7));
}

static void find(const struct workload *w, struct workload_comparison *c, const struct tree *tree, CUfunction kernel,
                 CUdeviceptr device_node, const int *key, unsigned n) {
  unsigned queries = (unsigned)workload_value(w, "queries"), levels = tree->levels;
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  int *record = workload_alloc(w, n * sizeof *record), *wanted = workload_alloc(w, queries * sizeof *wanted);
  int *answer = workload_alloc(w, queries * sizeof *answer);
  for (unsigned i = 0; i < n; i++) record[i] = (int)(workload_bits(seed, 2, i) >> 33);
  for (unsigned i = 0; i < queries; i++) wanted[i] = some_key(seed, 4, i, key, n);
  CUdeviceptr device_record = workload_upload(w, record, n * sizeof *record);
  CUdeviceptr device_wanted = workload_upload(w, wanted, queries * sizeof *wanted);
  CUdeviceptr at = upload_each(w, queries, (int)tree->root), next = upload_each(w, queries, (int)tree->root);
  CUdeviceptr device_answer = upload_each(w, queries, -1);
  workload_launch(w, kernel, queries, ORDER,
                  (void *[]){&levels, &device_node, &device_record, &device_wanted, &at, &next, &device_answer});
  workload_download(w, answer, device_answer, queries * sizeof *answer);
  for (unsigned i = 0; i < queries; i++) {
    unsigned place = below(key, n, wanted[i]);
    workload_compare_whole(c, i, answer[i], place < n && key[place] == wanted[i] ? record[place] : -1);
  }
  free(record), free(wanted), free(answer);
}

static void range(const struct workload *w, struct workload_comparison *c, const struct tree *tree, CUfunction kernel,
                  CUdeviceptr device_node, const int *key, unsigned n) {
  unsigned ranges = (unsigned)workload_value(w, "ranges"), span = (unsigned)workload_value(w, "span");
  unsigned levels = tree->levels;
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  size_t bytes = ranges * sizeof(int), base = (size_t)workload_value(w, "queries");
  int *low = workload_alloc(w, bytes), *high = workload_alloc(w, bytes), root = (int)tree->root;
  int *first = workload_alloc(w, bytes), *count = workload_alloc(w, bytes);
  for (unsigned i = 0; i < ranges; i++) {
    low[i] = some_key(seed, 5, i, key, n);
    high[i] = low[i] + (int)(workload_bits(seed, 6, i) % span);
  }
  CUdeviceptr device_low = workload_upload(w, low, bytes), device_high = workload_upload(w, high, bytes);
  CUdeviceptr low_at = upload_each(w, ranges, root), low_next = upload_each(w, ranges, root);
  CUdeviceptr high_at = upload_each(w, ranges, root), high_next = upload_each(w, ranges, root);
  CUdeviceptr device_first = upload_each(w, ranges, 0), device_count = upload_each(w, ranges, 0);
  workload_launch(w, kernel, ranges, ORDER,
                  (void *[]){&levels, &device_node, &device_low, &device_high, &low_at, &low_next, &high_at, &high_next,
                             &device_first, &device_count});
  workload_download(w, first, device_first, bytes);
  workload_download(w, count, device_count, bytes);
  for (unsigned i = 0; i < ranges; i++) {
    unsigned from = below(key, n, low[i]), to = below(key, n, high[i] + 1);
    workload_compare_whole(c, base + 2 * i, first[i], from);
    workload_compare_whole(c, base + 2 * i + 1, count[i], (int64_t)to - from);
  }
  free(low), free(high), free(first), free(count);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("btree", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "keys");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  int *key = workload_alloc(&w, n * sizeof *key);
  for (unsigned i = 0; i < n; i++) key[i] = (i ? key[i - 1] : 100) + 1 + (int)(workload_bits(seed, 1, i) % 3);
  struct tree tree = build(&w, seed, key, n);

  CUfunction find_kernel = workload_open(&w, "btree_find"), range_kernel = workload_kernel(&w, "btree_range");
  CUdeviceptr device_node = workload_upload(&w, tree.node, tree.nodes * sizeof *tree.node);
  struct workload_comparison comparison = {0};
  find(&w, &comparison, &tree, find_kernel, device_node, key, n);
  range(&w, &comparison, &tree, range_kernel, device_node, key, n);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "keys=%u nodes=%u levels=%u queries=%lld ranges=%lld", n, tree.nodes, tree.levels + 1,
           workload_value(&w, "queries"), workload_value(&w, "ranges"));
  workload_close(&w);
  free(key), free(tree.node);
  return workload_verdict(&w, sizes, &comparison);
}
