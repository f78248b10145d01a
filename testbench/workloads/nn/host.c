/* SPDX-License-Identifier: Apache-2.0 */
/* nn: the nearest records to (30, 90). Every distance is compared with the same operations on the host, bit for bit, and
 * the nearest, selected from the kernel's distances, with those of a sort by exact squares: positions are multiples of
 * 2^-10, so that their squared distances are whole numbers. */
#include <cuda.h>

#include "atoms.h"
#include "nn_args.h"
#include "nn_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(NN_ATOMS);

enum { THREADS = 16 }; /* as in kernel.cu */

struct record {
  float latitude, longitude;
};
struct exact {
  int64_t square;
  unsigned index;
};

static int compare_exact(const void *a, const void *b) {
  const struct exact *x = a, *y = b;
  if (x->square != y->square) return x->square < y->square ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("nn", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "records"), k = (unsigned)workload_value(&w, "k");
  unsigned ctas = (unsigned)workload_value(&w, "ctas");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (k > n) k = n;
  struct record *record = workload_alloc(&w, n * sizeof *record);
  struct exact *order = workload_alloc(&w, n * sizeof *order);
  float *distance = workload_alloc(&w, n * sizeof *distance), latitude = 30, longitude = 90;
  for (unsigned i = 0; i < n; i++) {
    uint64_t bits = workload_bits(seed, 1, i);
    int64_t x = (int64_t)(bits & 0xffff), y = (int64_t)(bits >> 16 & 0x3ffff); /* 0..64 and 0..256 degrees */
    record[i] = (struct record){(float)x / 1024.f, (float)y / 1024.f};
    x -= 30 * 1024, y -= 90 * 1024;
    order[i] = (struct exact){x * x + y * y, i};
  }

  CUfunction kernel = workload_open(&w, "nn");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_record = workload_upload_atom(&w, &atoms, NN_RECORD, record, n * sizeof *record);
  CUdeviceptr device_distance = workload_upload_atom(&w, &atoms, NN_DISTANCE, NULL, n * sizeof *distance);
  unsigned wanted = (n - 1) / THREADS + 1;
  workload_launch(&w, kernel, ctas < wanted ? ctas : wanted, THREADS,
                  (void *[]){&n, &latitude, &longitude, &device_record, &device_distance});
  workload_download(&w, distance, device_distance, n * sizeof *distance);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) {
    float dx = record[i].latitude - latitude, dy = record[i].longitude - longitude, square = dy * dy;
    workload_compare(&comparison, i, distance[i], sqrtf(fmaf(dx, dx, square)), 0);
  }
  qsort(order, n, sizeof *order, compare_exact);
  for (unsigned i = 0; i < k; i++) { /* the nearest that is left; a distance is used once */
    unsigned best = 0;
    for (unsigned j = 1; j < n; j++)
      if (distance[j] < distance[best]) best = j;
    workload_compare(&comparison, n + (size_t)i, distance[best], (float)(sqrt((double)order[i].square) / 1024),
                     distance[best] * 0x1p-22);
    distance[best] = INFINITY;
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "records=%u k=%u", n, k);
  workload_close(&w);
  free(record), free(order), free(distance);
  return workload_verdict(&w, sizes, &comparison);
}
