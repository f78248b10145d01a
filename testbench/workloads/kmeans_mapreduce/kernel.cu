// SPDX-License-Identifier: Apache-2.0
// A round of k-means by a MapReduce. KM of Mars (He 2008, Fang 2011), whose records and steps these are: the map finds the centre that is
// nearest to each point and writes the point's record again, the sort brings points of a cluster together, and a thread of the reduction
// adds the points of a cluster up, in memory.
#include "tandem_device.h"

#include "points.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

// By cluster.
static __device__ __forceinline__ int mr_compare(const char *keys, uint4 a, uint4 b) {
  const point_key *x = (const point_key *)(keys + a.x), *y = (const point_key *)(keys + b.x);
  unsigned one = ((const unsigned *)x->cluster_of)[x->point], other = ((const unsigned *)y->cluster_of)[y->point];
  return one < other ? -1 : one > other;
}

#include "../mapreduce.h"

static __device__ __forceinline__ int distance(const int *point, const int *centre, unsigned dimensions) {
  int sum = 0;
  for (unsigned d = 0; d < dimensions; d++) {
    int delta = point[d] - centre[d];
    sum += delta * delta;
  }
  return sum;
}

// Key and value: those of the record.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  clusters_of_points(unsigned n, const char *keys, const char *values, const uint4 *directory, const unsigned *key_at,
                     const unsigned *value_at, const unsigned *pair_at, char *to_keys, char *to_values,
                     uint4 *to_directory) {
  unsigned i = mr_self();
  if (i >= n) return;
  uint4 row = directory[i];
  const point_key *key = (const point_key *)(keys + row.x);
  const point_value *value = (const point_value *)(values + row.z);
  unsigned dimensions = key->dimensions, self = key->point, *cluster_of = (unsigned *)key->cluster_of;
  const int *point = (const int *)value->points + self * dimensions, *centre = (const int *)value->centres;
  unsigned before = cluster_of[self], nearest = before;
  int least = distance(point, centre + before * dimensions, dimensions);
  for (unsigned c = 0; c < key->clusters; c++) {
    int d = distance(point, centre + c * dimensions, dimensions);
    if (d < least) least = d, nearest = c;
  }
  if (nearest != before) {
    *(int *)value->changed = 1;
    cluster_of[self] = nearest;
  }
  mr_copy(to_keys + key_at[i], keys + row.x, row.y);
  mr_copy(to_values + value_at[i], values + row.z, row.w);
  to_directory[pair_at[i]] = {key_at[i], row.y, value_at[i], row.w};
}

// The mean of a group's points, rounded towards zero, becomes the centre of its cluster.
extern "C" __global__ void __launch_bounds__(MR_THREADS)
  centres_of_clusters(unsigned groups, unsigned n, const unsigned *begins, const char *keys, const char *values,
                      const uint4 *directory) {
  unsigned i = mr_self();
  if (i >= groups) return;
  unsigned first = begins[i], end = i + 1 < groups ? begins[i + 1] : n;
  const point_key *key = (const point_key *)(keys + directory[first].x);
  const point_value *value = (const point_value *)(values + directory[first].z);
  unsigned dimensions = key->dimensions, cluster = ((const unsigned *)key->cluster_of)[key->point];
  const int *points = (const int *)value->points;
  int *centre = (int *)value->centres + cluster * dimensions;
  for (unsigned d = 0; d < dimensions; d++) centre[d] = 0;
  for (unsigned r = first; r < end; r++) {
    const int *point = points + ((const point_key *)(keys + directory[r].x))->point * dimensions;
    for (unsigned d = 0; d < dimensions; d++) centre[d] += point[d];
  }
  for (unsigned d = 0; d < dimensions; d++) centre[d] /= (int)(end - first);
}
