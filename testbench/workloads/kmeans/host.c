/* SPDX-License-Identifier: Apache-2.0 */
/* kmeans: some rounds of k-means; after each, the cluster of every point is compared with the nearest by whole numbers:
 * points and centres are multiples of 1/64, whose squared distances are exact in both. */
#include <cuda.h>

#include "atoms.h"
#include "kmeans_args.h"
#include "kmeans_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(KMEANS_ATOMS);

enum { THREADS = 256, CENTRES = 4096 }; /* as in kernel.cu */

struct data {
  unsigned points, features, clusters;
  const int32_t *point; /* by point, in 64ths, within +-2^8: a squared distance is below 2^24 for 64 features */
  int32_t *centre;
};

static int nearest(const struct data *d, unsigned i) {
  int64_t best = INT64_MAX;
  int at = 0;
  for (unsigned c = 0; c < d->clusters; c++) {
    int64_t square = 0;
    for (unsigned f = 0; f < d->features; f++) {
      int64_t step = d->point[(size_t)i * d->features + f] - d->centre[c * d->features + f];
      square += step * step;
    }
    if (square < best) best = square, at = (int)c;
  }
  return at;
}

/* The means of the members, rounded down to 64ths; a cluster without members stays. */
static void move_centres(const struct data *d, const int *member) {
  for (unsigned c = 0; c < d->clusters; c++)
    for (unsigned f = 0; f < d->features; f++) {
      int64_t sum = 0, n = 0;
      for (unsigned i = 0; i < d->points; i++)
        if (member[i] == (int)c) sum += d->point[(size_t)i * d->features + f], n++;
      if (n) d->centre[c * d->features + f] = (int32_t)((sum + (n << 20)) / n - (1 << 20));
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("kmeans", argc, argv);
  unsigned points = (unsigned)workload_value(&w, "points"), features = (unsigned)workload_value(&w, "features");
  unsigned clusters = (unsigned)workload_value(&w, "clusters"), rounds = (unsigned)workload_value(&w, "rounds");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  unsigned centres = clusters * features;
  if (centres > CENTRES) workload_usage(&w, "clusters * features = %u: at most %d", centres, CENTRES);
  size_t n = (size_t)points * features;
  int32_t *point = workload_alloc(&w, n * sizeof *point), *centre = workload_alloc(&w, centres * sizeof *centre);
  float *feature = workload_alloc(&w, n * sizeof *feature), *scaled = workload_alloc(&w, centres * sizeof *scaled);
  int *member = workload_alloc(&w, points * sizeof *member);
  struct data d = {points, features, clusters, point, centre};
  for (size_t i = 0; i < n; i++) {
    point[i] = workload_whole(seed, 1, i, 9);
    feature[i % features * points + i / features] = (float)point[i] / 64.f;
  }
  for (unsigned i = 0; i < centres; i++) centre[i] = workload_whole(seed, 2, i, 9);

  CUfunction kernel = workload_open(&w, "kmeans");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr constant, device_feature = workload_upload_atom(&w, &atoms, KMEANS_FEATURE, feature, n * sizeof *feature);
  CUdeviceptr device_member = workload_upload_atom(&w, &atoms, KMEANS_MEMBER, NULL, points * sizeof *member);
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&constant, NULL, w.module, "kmeans_centre"));
  struct workload_comparison comparison = {0};
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < centres; i++) scaled[i] = (float)centre[i] / 64.f;
    WORKLOAD_RUN(&w, cuMemcpyHtoD(constant, scaled, centres * sizeof *scaled));
    workload_launch(&w, kernel, (points - 1) / THREADS + 1, THREADS,
                    (void *[]){&points, &features, &clusters, &device_feature, &device_member});
    workload_download(&w, member, device_member, points * sizeof *member);
    for (unsigned i = 0; i < points; i++) workload_compare_whole(&comparison, i, member[i], nearest(&d, i));
    move_centres(&d, member);
  }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "points=%u features=%u clusters=%u rounds=%u", points, features, clusters, rounds);
  workload_close(&w);
  free(point), free(centre), free(feature), free(scaled), free(member);
  return workload_verdict(&w, sizes, &comparison);
}
