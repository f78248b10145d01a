// SPDX-License-Identifier: Apache-2.0
// Searches in a B+ tree, a CTA a query, a thread a key of a node: Rodinia's b+tree (Che 2009). All threads compare
// their key of the node with the query's, and the one whose interval holds it says which node follows. `find`
// looks up a key, `range` the records between two keys. A query's node stands in global memory.
#include "tandem_device.h"

#define ORDER 508 // of Rodinia's version with nodes of 4 KB

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

// Keys rise; INT_MAX, which is no key, follows the last. child[i]: of a leaf, the number of key[i]'s record; else the
// node of all keys from key[i] up to, not including, key[i + 1].
struct btree_node {
  int keys;
  int child[ORDER];
  int key[ORDER + 1];
};

// From the root to the leaf that holds `wanted`, which then is *at. levels: above the leaves; next: as *at at first
static __device__ __forceinline__ void btree_descend(unsigned levels, const btree_node *node, const int *wanted,
                                                     int *at, int *next) {
  unsigned lane = threadIdx.x;
  for (unsigned level = 0; level < levels; level++) {
    if (node[*at].key[lane] <= *wanted && *wanted < node[*at].key[lane + 1]) *next = node[*at].child[lane];
    __syncthreads();
    if (lane == 0) *at = *next;
    __syncthreads();
  }
}

// at, next: the root for each query; answer: unchanged without such a key
extern "C" __global__ void __launch_bounds__(ORDER)
  btree_find(unsigned levels, const btree_node *node, const int *record, const int *wanted, int *at, int *next,
             int *answer) {
  unsigned lane = threadIdx.x, query = blockIdx.x;
  btree_descend(levels, node, wanted + query, at + query, next + query);
  if (node[at[query]].key[lane] == wanted[query]) answer[query] = record[node[at[query]].child[lane]];
}

// first, count: the records of keys low .. high, both included; unchanged where low, or high, lies below all keys
extern "C" __global__ void __launch_bounds__(ORDER)
  btree_range(unsigned levels, const btree_node *node, const int *low, const int *high, int *low_at, int *low_next,
              int *high_at, int *high_next, int *first, int *count) {
  unsigned lane = threadIdx.x, query = blockIdx.x;
  btree_descend(levels, node, low + query, low_at + query, low_next + query);
  btree_descend(levels, node, high + query, high_at + query, high_next + query);
  const btree_node *leaf = node + low_at[query];
  if (leaf->key[lane] <= low[query] && low[query] < leaf->key[lane + 1])
    first[query] = leaf->child[lane] + (leaf->key[lane] < low[query]);
  __syncthreads();
  leaf = node + high_at[query];
  if (leaf->key[lane] <= high[query] && high[query] < leaf->key[lane + 1])
    count[query] = leaf->child[lane] - first[query] + 1;
}
