/* SPDX-License-Identifier: Apache-2.0 */
/* kmeans_mapreduce: clusters of points and their centres after a number of rounds, compared with those that the host finds. The law of the
 * input, that of Mars: each coordinate uniform in the whole numbers 0 .. 99; the first points are the centres, and all points begin in the
 * first cluster. */
#include <cuda.h>

#include "kmeans_mapreduce_args.h"
#include "kmeans_mapreduce_ptx.h"
#include "workload.h"

#include "mapreduce_host.h"
#include "points.h"

struct shape {
  unsigned points, dimensions, clusters, rounds;
};
struct state {
  int *point, *centre;
  unsigned *cluster; /* of each point */
  int changed;       /* a point did, in the last round */
};

/* ---- the device ---- */

static struct mr_records make_records(const struct mr *m, const struct shape *s, CUdeviceptr cluster,
                                      const struct point_value *value) {
  struct point_key *keys = workload_alloc(m->w, s->points * sizeof *keys);
  struct point_value *values = workload_alloc(m->w, s->points * sizeof *values);
  for (unsigned i = 0; i < s->points; i++) {
    keys[i] = (struct point_key){i, s->dimensions, s->clusters, 0, cluster};
    values[i] = *value;
  }
  struct mr_records r = mr_room(m, s->points, sizeof *keys, sizeof *values, keys, values);
  free(keys), free(values);
  return r;
}

/* A round; returns the groups. */
static unsigned run_round(const struct mr *m, CUfunction map, CUfunction reduce, struct mr_records *in) {
  unsigned n = in->n;
  CUdeviceptr begins;
  struct mr_records sorted = mr_room(m, n, in->key_bytes, in->value_bytes, NULL, NULL);
  struct mr_places at = mr_places(m, n, in->key_bytes, in->value_bytes);
  mr_launch(m, map, n,
            (void *[]){&n, &in->keys, &in->values, &in->directory, &at.keys, &at.values, &at.pairs, &sorted.keys,
                       &sorted.values, &sorted.directory});
  mr_sort(m, &sorted);
  unsigned groups = mr_group(m, &sorted, &begins);
  mr_launch(m, reduce, groups, (void *[]){&groups, &n, &begins, &sorted.keys, &sorted.values, &sorted.directory});
  return groups;
}

static unsigned run(struct workload *w, const struct shape *s, struct state *state) {
  CUfunction map = workload_open(w, "clusters_of_points"), reduce = workload_kernel(w, "centres_of_clusters");
  struct mr m = mr_open(w);
  unsigned groups = 0;
  size_t of_points = (size_t)s->points * s->dimensions * sizeof(int);
  size_t of_centres = (size_t)s->clusters * s->dimensions * sizeof(int), of_clusters = s->points * sizeof(unsigned);
  CUdeviceptr cluster = workload_upload(w, state->cluster, of_clusters);
  struct point_value value = {workload_upload(w, state->point, of_points),
                              workload_upload(w, state->centre, of_centres),
                              workload_upload(w, &state->changed, sizeof state->changed)};
  struct mr_records in = make_records(&m, s, cluster, &value);
  for (unsigned k = 0; k < s->rounds; k++) {
    state->changed = 0;
    WORKLOAD_PREPARE(w, cuMemcpyHtoD(value.changed, &state->changed, sizeof state->changed));
    groups = run_round(&m, map, reduce, &in);
  }
  workload_download(w, state->cluster, cluster, of_clusters);
  workload_download(w, state->centre, value.centres, of_centres);
  workload_download(w, &state->changed, value.changed, sizeof state->changed);
  return groups;
}

/* ---- the other way ---- */

static int64_t distance_of(const struct shape *s, const struct state *state, unsigned point, unsigned cluster) {
  int64_t sum = 0;
  for (unsigned d = 0; d < s->dimensions; d++) {
    int64_t delta = state->point[point * s->dimensions + d] - state->centre[cluster * s->dimensions + d];
    sum += delta * delta;
  }
  return sum;
}

static unsigned nearest_of(const struct shape *s, const struct state *state, unsigned point) {
  unsigned nearest = state->cluster[point];
  for (unsigned c = 0; c < s->clusters; c++)
    if (distance_of(s, state, point, c) < distance_of(s, state, point, nearest)) nearest = c;
  return nearest;
}

/* The mean of the points of a cluster; one without points stays where it is. Returns whether it has points. */
static unsigned move_centre(const struct shape *s, struct state *state, unsigned cluster) {
  int64_t n = 0;
  for (unsigned i = 0; i < s->points; i++) n += state->cluster[i] == cluster;
  for (unsigned d = 0; d < s->dimensions && n; d++) {
    int64_t sum = 0;
    for (unsigned i = 0; i < s->points; i++)
      if (state->cluster[i] == cluster) sum += state->point[i * s->dimensions + d];
    state->centre[cluster * s->dimensions + d] = (int)(sum / n);
  }
  return n > 0;
}

static unsigned cluster_on_host(const struct shape *s, struct state *state) {
  unsigned groups = 0;
  for (unsigned k = 0; k < s->rounds; k++) {
    groups = 0;
    state->changed = 0;
    for (unsigned i = 0; i < s->points; i++) {
      unsigned nearest = nearest_of(s, state, i);
      state->changed |= nearest != state->cluster[i];
      state->cluster[i] = nearest;
    }
    for (unsigned c = 0; c < s->clusters; c++) groups += move_centre(s, state, c);
  }
  return groups;
}

static struct state begin(const struct workload *w, const struct shape *s) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  unsigned words = s->points * s->dimensions, of_centres = s->clusters * s->dimensions;
  struct state state = {workload_alloc(w, words * sizeof(int)), workload_alloc(w, of_centres * sizeof(int)),
                        workload_alloc(w, s->points * sizeof(unsigned)), 0};
  for (unsigned i = 0; i < words; i++) state.point[i] = (int)(workload_bits(seed, 1, i) % 100);
  memcpy(state.centre, state.point, of_centres * sizeof(int));
  memset(state.cluster, 0, s->points * sizeof *state.cluster);
  return state;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("kmeans_mapreduce", argc, argv);
  struct shape s = {(unsigned)workload_value(&w, "points"), (unsigned)workload_value(&w, "dimensions"),
                    (unsigned)workload_value(&w, "clusters"), (unsigned)workload_value(&w, "rounds")};
  if (s.clusters > s.points) workload_usage(&w, "clusters=%u: at most as many as points are wanted", s.clusters);
  struct state got = begin(&w, &s), want = begin(&w, &s);
  unsigned groups = run(&w, &s, &got);

  struct workload_comparison comparison = {0};
  workload_compare_whole(&comparison, 0, groups, cluster_on_host(&s, &want));
  workload_compare_whole(&comparison, 0, got.changed, want.changed);
  for (unsigned i = 0; i < s.points; i++) workload_compare_whole(&comparison, i, got.cluster[i], want.cluster[i]);
  for (unsigned i = 0; i < s.clusters * s.dimensions; i++)
    workload_compare_whole(&comparison, i, got.centre[i], want.centre[i]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "points=%u dimensions=%u clusters=%u groups=%u", s.points, s.dimensions, s.clusters,
           groups);
  workload_close(&w);
  free(got.point), free(got.centre), free(got.cluster), free(want.point), free(want.centre), free(want.cluster);
  return workload_verdict(&w, sizes, &comparison);
}
