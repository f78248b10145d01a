// SPDX-License-Identifier: Apache-2.0
// How many visitors each page of a web log has, by two MapReduces: the first one takes entries once that are in the log several
// times, the second one groups what is left by page. PVC of Mars (He 2008, Fang 2011), whose records and steps these are.
#include "tandem_device.h"

#include "views.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

// By hash; of equal hashes, by text, which ends with a zero.
static __device__ __forceinline__ int mr_compare(const char *keys, uint4 a, uint4 b) {
  const view_key *x = (const view_key *)(keys + a.x), *y = (const view_key *)(keys + b.x);
  unsigned hash_x = x->hash, hash_y = y->hash;
  if (hash_x != hash_y) return hash_x < hash_y ? -1 : 1;
  const char *p = (const char *)x->text + x->offset, *q = (const char *)y->text + y->offset;
  while (*p == *q && *p) p++, q++;
  return *p - *q;
}

#include "../mapreduce.h"

// Fowler, Noll and Vo
static __device__ __forceinline__ unsigned with(unsigned hash, char c) { return (hash ^ (unsigned char)c) * 16777619u; }

static __device__ __forceinline__ void emit_key(char *to, const view_key *key, unsigned hash) {
  mr_put(to, (unsigned)key->text);
  mr_put(to + 4, (unsigned)(key->text >> 32));
  mr_put(to + 8, key->offset);
  mr_put(to + 12, hash);
}

// Key: the entry; value: its size.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  views_of_entries(unsigned n, const char *keys, const char *values, const uint4 *directory, const unsigned *key_at,
                   const unsigned *value_at, const unsigned *pair_at, char *to_keys, char *to_values,
                   uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= n) return;
  uint4 row = directory[i];
  const view_key *key = (const view_key *)(keys + row.x);
  const view_value *value = (const view_value *)(values + row.z);
  const char *entry = (const char *)key->text + key->offset;
  unsigned hash = 2166136261u, size = value->size;
  for (unsigned c = 0; c < size; c++) hash = with(hash, entry[c]);
  emit_key(to_keys + key_at[i], key, hash);
  mr_put(to_values + value_at[i], size);
  mr_put(to_values + value_at[i] + 4, 1);
  to_directory[pair_at[i]] = {key_at[i], sizeof(view_key), value_at[i], sizeof(view_value)};
}

// The first record of each group of equal entries.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  views_once(unsigned groups, const unsigned *begins, const char *keys, const char *values, const uint4 *directory,
             const unsigned *key_at, const unsigned *value_at, const unsigned *pair_at, char *to_keys, char *to_values,
             uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= groups) return;
  uint4 row = directory[begins[i]];
  mr_copy(to_keys + key_at[i], keys + row.x, row.y);
  mr_copy(to_values + value_at[i], values + row.z, row.w);
  to_directory[pair_at[i]] = {key_at[i], row.y, value_at[i], row.w};
}

// Key: the URL, whose end becomes a zero; value: where the address of the visitor begins.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  views_of_pages(unsigned n, const char *keys, const uint4 *directory, const unsigned *key_at, const unsigned *value_at,
                 const unsigned *pair_at, char *to_keys, char *to_values, uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= n) return;
  const view_key *key = (const view_key *)(keys + directory[i].x);
  char *entry = (char *)key->text + key->offset;
  unsigned hash = 2166136261u, size = 0;
  for (; entry[size] != '\t'; size++) hash = with(hash, entry[size]);
  entry[size] = 0;
  emit_key(to_keys + key_at[i], key, hash);
  mr_put(to_values + value_at[i], key->offset + size + 1);
  to_directory[pair_at[i]] = {key_at[i], sizeof(view_key), value_at[i], 4};
}
