/* SPDX-License-Identifier: Apache-2.0 */
/* streamcluster: local search for centres. Candidates are tried one after the other; the device says for each point what it
 * would gain, and the host decides whether to open a centre there, and which ones to close for it. All that the device says
 * is compared bit for bit with whole numbers: coordinates are so small that floats hold all sums. Points lie about
 * `GROUPS` places, and the first centres are too few for them, so that some candidates are taken. */
#include <cuda.h>

#include "descriptors.h"
#include "streamcluster_args.h"
#include "streamcluster_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(STREAMCLUSTER_DESCRIPTORS);

enum { THREADS = 512, GROUPS = 16 }; /* THREADS as in kernel.cu */

struct point { /* struct streamcluster_point of kernel.cu */
  float weight;
  uint64_t coordinates;
  int64_t assign;
  float cost;
};

struct search {
  unsigned points, dimensions, centres, opened, closed;
  const int8_t *coordinate; /* by point */
  struct point *point;
  int *table; /* of a point, the number of its centre, or -1 */
  int64_t opening;
};

/* Groups within [-8, 8), points at most 2 off, weights 1 .. 4: a cost is at most 18^2 * 1024 * 4 < 2^21. */
static void make_points(const struct search *s, uint64_t seed, int8_t *coordinate, float *planes) {
  for (unsigned i = 0; i < s->points; i++) {
    uint64_t group = workload_bits(seed, 1, i) % GROUPS;
    s->point[i].weight = (float)(1 + workload_bits(seed, 2, i) % 4);
    for (unsigned k = 0; k < s->dimensions; k++) {
      size_t at = (size_t)i * s->dimensions + k;
      coordinate[at] = (int8_t)(workload_whole(seed, 3, group * s->dimensions + k, 4) + workload_whole(seed, 4, at, 2));
      planes[(size_t)k * s->points + i] = coordinate[at];
    }
  }
}

static int64_t cost_at(const struct search *s, unsigned i, unsigned centre) {
  const int8_t *a = s->coordinate + (size_t)i * s->dimensions, *b = s->coordinate + (size_t)centre * s->dimensions;
  int64_t square = 0;
  for (unsigned k = 0; k < s->dimensions; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
  return square * (int64_t)s->point[i].weight;
}

/* Centres at every points/centres-th point; every point goes to the nearest. */
static void first_centres(struct search *s) {
  int64_t total = 0;
  for (unsigned i = 0; i < s->points; i++) s->table[i] = -1;
  for (unsigned c = 0; c < s->centres; c++) s->table[(size_t)c * s->points / s->centres] = (int)c;
  for (unsigned i = 0; i < s->points; i++) {
    int64_t best = INT64_MAX;
    for (unsigned c = 0; c < s->centres; c++) {
      unsigned centre = (unsigned)((size_t)c * s->points / s->centres);
      int64_t cost = cost_at(s, i, centre);
      if (cost < best) best = cost, s->point[i].assign = centre;
    }
    s->point[i].cost = (float)best;
    total += best;
  }
  s->opening = total / (4 * s->centres);
}

/* Compares what the device says of the candidate; returns whether opening it pays. gain: of each centre, what closing it for
 * the candidate saves. */
static int judge(const struct search *s, struct workload_comparison *c, unsigned candidate, const float *lower,
                 const unsigned char *switches, int64_t *gain) {
  int64_t cost = s->opening;
  for (unsigned k = 0; k < s->centres; k++) gain[k] = s->opening;
  for (unsigned i = 0; i < s->points; i++) {
    int64_t change = cost_at(s, i, candidate) - (int64_t)s->point[i].cost;
    unsigned own = change < 0 ? s->centres : (unsigned)s->table[s->point[i].assign];
    workload_compare_whole(c, i, switches[i], change < 0);
    for (unsigned k = 0; k <= s->centres; k++) {
      int64_t want = k != own ? 0 : change < 0 ? change : -change;
      workload_compare(c, i, lower[(size_t)i * (s->centres + 1) + k], (float)want, 0);
    }
    if (change < 0) cost += change;
    else gain[own] -= change;
  }
  for (unsigned k = 0; k < s->centres; k++)
    if (gain[k] > 0) cost -= gain[k];
  return cost < 0;
}

/* Opens the candidate. Its own points and those of the centres that close come over. */
static void open_centre(struct search *s, unsigned candidate, const unsigned char *switches, const int64_t *gain) {
  for (unsigned i = 0; i < s->points; i++) {
    if (!switches[i] && gain[s->table[s->point[i].assign]] <= 0) continue;
    s->point[i].cost = (float)cost_at(s, i, candidate);
    s->point[i].assign = candidate;
  }
  unsigned kept = 0;
  for (unsigned i = 0; i < s->points; i++) {
    if (s->table[i] < 0) continue;
    s->table[i] = gain[s->table[i]] > 0 ? -1 : (int)kept++;
  }
  s->table[candidate] = (int)kept++;
  s->closed += s->centres + 1 - kept;
  s->centres = kept;
  s->opened++;
}

/* For `s->centres` centres: their number is that of a point's counters. */
static void describe(const struct workload *w, const struct search *s, CUdeviceptr coordinate, CUdeviceptr point,
                     CUdeviceptr lower, CUdeviceptr switches) {
  struct ldesc l = workload_ldesc(w);
  struct workload_shape planes = {s->points, s->dimensions, 1}, own = {THREADS, s->dimensions, 1}, one = {1, 1, 1};
  size_t n = s->points, counters = n * (s->centres + 1);
  workload_describe(w, &l, STREAMCLUSTER_LDESC_COORDINATE, coordinate, n * s->dimensions * sizeof(float),
                    workload_tile(planes, own, one), 0);
  workload_describe(w, &l, STREAMCLUSTER_LDESC_POINT, point, n * sizeof(struct point), workload_tile_row(n, THREADS),
                    sizeof(struct point));
  workload_describe(w, &l, STREAMCLUSTER_LDESC_LOWER, lower, counters * sizeof(float),
                    workload_tile_row(counters, THREADS * (s->centres + 1)), (s->centres + 1) * 4);
  workload_describe(w, &l, STREAMCLUSTER_LDESC_SWITCHES, switches, n, workload_tile_row(n, THREADS), 0);
}

static void try_candidates(const struct workload *w, struct workload_comparison *c, struct search *s, CUfunction kernel,
                           const float *planes) {
  unsigned candidates = (unsigned)workload_value(w, "candidates"), most = s->centres + candidates;
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  size_t counters = (size_t)s->points * (most + 1);
  float *lower = workload_alloc(w, counters * sizeof *lower);
  unsigned char *switches = workload_alloc(w, s->points);
  int64_t *gain = workload_alloc(w, most * sizeof *gain);
  CUdeviceptr coordinate = workload_upload(w, planes, (size_t)s->points * s->dimensions * sizeof *planes);
  CUdeviceptr point = workload_upload(w, NULL, s->points * sizeof *s->point);
  CUdeviceptr table = workload_upload(w, NULL, s->points * sizeof *s->table);
  CUdeviceptr device_lower = workload_upload(w, NULL, counters * sizeof *lower);
  CUdeviceptr device_switches = workload_upload(w, NULL, s->points);
  for (unsigned i = 0; i < candidates; i++) {
    unsigned candidate = (unsigned)(workload_bits(seed, 5, i) % s->points);
    while (s->table[candidate] >= 0) candidate = (candidate + 1) % s->points;
    size_t used = (size_t)s->points * (s->centres + 1);
    WORKLOAD_RUN(w, cuMemcpyHtoD(point, s->point, s->points * sizeof *s->point));
    WORKLOAD_RUN(w, cuMemcpyHtoD(table, s->table, s->points * sizeof *s->table));
    WORKLOAD_RUN(w, cuMemsetD32(device_lower, 0, used));
    WORKLOAD_RUN(w, cuMemsetD8(device_switches, 0, s->points));
    describe(w, s, coordinate, point, device_lower, device_switches);
    workload_launch(w, kernel, (s->points - 1) / THREADS + 1, THREADS,
                    (void *[]){&s->points, &s->dimensions, &candidate, &s->centres, &point, &coordinate, &table,
                               &device_lower, &device_switches});
    workload_download(w, lower, device_lower, used * sizeof *lower);
    workload_download(w, switches, device_switches, s->points);
    if (judge(s, c, candidate, lower, switches, gain)) open_centre(s, candidate, switches, gain);
  }
  free(lower), free(switches), free(gain);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("streamcluster", argc, argv);
  struct search s = {.points = (unsigned)workload_value(&w, "points"),
                     .dimensions = (unsigned)workload_value(&w, "dimensions"),
                     .centres = (unsigned)workload_value(&w, "centres")};
  unsigned candidates = (unsigned)workload_value(&w, "candidates");
  if (s.centres + candidates > s.points)
    workload_usage(&w, "centres + candidates = %u: at most points = %u, or every point may be a centre",
                   s.centres + candidates, s.points);
  size_t n = (size_t)s.points * s.dimensions;
  int8_t *coordinate = workload_alloc(&w, n);
  float *planes = workload_alloc(&w, n * sizeof *planes);
  s.coordinate = coordinate;
  s.point = workload_alloc(&w, s.points * sizeof *s.point);
  s.table = workload_alloc(&w, s.points * sizeof *s.table);
  make_points(&s, (uint64_t)workload_value(&w, "seed"), coordinate, planes);
  first_centres(&s);

  struct workload_comparison comparison = {0};
  try_candidates(&w, &comparison, &s, workload_open(&w, "streamcluster"), planes);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "points=%u dimensions=%u candidates=%u opened=%u closed=%u centres=%u", s.points,
           s.dimensions, candidates, s.opened, s.closed, s.centres);
  workload_close(&w);
  free(coordinate), free(planes), free(s.point), free(s.table);
  return workload_verdict(&w, sizes, &comparison);
}
