/* SPDX-License-Identifier: Apache-2.0 */
/* lavamd: potentials and forces of all particles, compared with sums in doubles over the particles of all boxes whose
 * places differ by one at most. As in Rodinia a particle's position is measured in its own box, tenths from 0.1 to 1, so
 * that every pair counts.
 *
 * What the device may be off by, in units of 2^-24: a pair's potential by 32 of itself (8 for the exponential; 8 for half
 * the square, five roundings of numbers below 3, times a sharpness of 1/2; the rest for products and differences), and a
 * sum at every addition by one of what it is by then; so the host adds in the device's order, the own box first. */
#include <cuda.h>

#include "descriptors.h"
#include "lavamd_args.h"
#include "lavamd_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(LAVAMD_DESCRIPTORS);

enum { THREADS = 128, NEIGHBOURS = 27 }; /* as in kernel.cu */

static const float sharpness = 0.5f; /* 2 alpha^2 with Rodinia's alpha = 0.5 */
static const double pair_error = 32, unit = 1. / 16777216;

struct box { /* struct lavamd_box of kernel.cu */
  int boxes, number[NEIGHBOURS];
};

struct vector { /* float4: place or force, and the fourth number */
  float x, y, z, w;
};

/* Itself first, then those around it that exist, in the order of their numbers. */
static void neighbours(struct box *b, int side, int own) {
  int at[3] = {own % side, own / side % side, own / side / side};
  b->number[b->boxes++] = own;
  for (int i = 0; i < NEIGHBOURS; i++) {
    int x = at[0] + i % 3 - 1, y = at[1] + i / 3 % 3 - 1, z = at[2] + i / 9 - 1;
    int inside = x >= 0 && x < side && y >= 0 && y < side && z >= 0 && z < side;
    if (inside && i != NEIGHBOURS / 2) b->number[b->boxes++] = (z * side + y) * side + x;
  }
}

static float tenths(uint64_t seed, uint64_t stream, uint64_t i) {
  return (float)(1 + workload_bits(seed, stream, i) % 10) / 10.f;
}

struct sums {
  double value[4], error[4];
};

static void add_pair(struct sums *s, const struct vector *own, const struct vector *other, double charge) {
  double step[4] = {(double)own->x - other->x, (double)own->y - other->y, (double)own->z - other->z, 0.5};
  double half_square =
    (double)own->w + other->w - (double)own->x * other->x - (double)own->y * other->y - (double)own->z * other->z;
  double pull = 2 * charge * exp(-(double)sharpness * half_square);
  for (int i = 0; i < 4; i++) {
    double term = pull * step[i];
    s->value[i] += term;
    s->error[i] += pair_error * unit * fabs(term) + unit * fabs(s->value[i]);
  }
}

static int beside(int side, int a, int b) {
  return abs(a % side - b % side) <= 1 && abs(a / side % side - b / side % side) <= 1 &&
         abs(a / side / side - b / side / side) <= 1;
}

static void compare(struct workload_comparison *c, int side, int particles, const struct vector *particle,
                    const float *charge, const struct vector *force) {
  int boxes = side * side * side;
  for (int own = 0; own < boxes * particles; own++) {
    struct sums s = {0};
    int home = own / particles;
    for (int k = -1; k < boxes; k++) {
      int box = k < 0 ? home : k;
      if (k == home || !beside(side, box, home)) continue;
      for (int i = box * particles; i < (box + 1) * particles; i++)
        add_pair(&s, particle + own, particle + i, charge[i]);
    }
    float got[4] = {force[own].x, force[own].y, force[own].z, force[own].w};
    for (int i = 0; i < 4; i++)
      workload_compare(c, 4 * (size_t)own + (size_t)i, got[i], (float)s.value[i], s.error[i] + unit * fabs(s.value[i]));
  }
}

/* A row: the particles of a box, which a CTA reads at once. */
static void describe(const struct workload *w, unsigned side, unsigned particles, CUdeviceptr particle,
                     CUdeviceptr charge, CUdeviceptr force) {
  struct ldesc l = workload_ldesc(w);
  struct workload_shape all = {particles, side * side * side, 1}, box = {particles, 1, 1}, one = {1, 1, 1};
  struct workload_shape boxes = {particles, side, 1}, ctas = {side, 1, 1};
  size_t n = (size_t)all.x * all.y;
  workload_describe(w, &l, LAVAMD_LDESC_FORCE, force, n * 16, workload_tile(all, box, one), 0);
  workload_describe(w, &l, LAVAMD_LDESC_PARTICLE, particle, n * 16, workload_tile(all, boxes, ctas), particles * 16);
  workload_describe(w, &l, LAVAMD_LDESC_CHARGE, charge, n * 4, workload_tile(all, boxes, ctas), particles * 4);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("lavamd", argc, argv);
  int side = (int)workload_value(&w, "boxes"), particles = (int)workload_value(&w, "particles");
  int boxes = side * side * side;
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)boxes * (size_t)particles;
  struct box *box = workload_alloc(&w, (size_t)boxes * sizeof *box);
  struct vector *particle = workload_alloc(&w, n * sizeof *particle), *force = workload_alloc(&w, n * sizeof *force);
  float *charge = workload_alloc(&w, n * sizeof *charge);
  for (int i = 0; i < boxes; i++) neighbours(&box[i], side, i);
  for (size_t i = 0; i < n; i++) {
    struct vector p = {tenths(seed, 1, i), tenths(seed, 2, i), tenths(seed, 3, i), 0};
    p.w = (p.x * p.x + p.y * p.y + p.z * p.z) / 2;
    particle[i] = p;
    charge[i] = tenths(seed, 4, i);
  }

  CUfunction kernel = workload_open(&w, "lavamd");
  CUdeviceptr device_box = workload_upload(&w, box, (size_t)boxes * sizeof *box);
  CUdeviceptr device_particle = workload_upload(&w, particle, n * sizeof *particle);
  CUdeviceptr device_charge = workload_upload(&w, charge, n * sizeof *charge);
  CUdeviceptr device_force = workload_upload(&w, force, n * sizeof *force);
  describe(&w, (unsigned)side, (unsigned)particles, device_particle, device_charge, device_force);
  float sharp = sharpness;
  workload_launch(&w, kernel, (unsigned)boxes, THREADS,
                  (void *[]){&particles, &sharp, &device_box, &device_particle, &device_charge, &device_force});
  workload_download(&w, force, device_force, n * sizeof *force);

  struct workload_comparison comparison = {0};
  compare(&comparison, side, particles, particle, charge, force);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "boxes=%dx%dx%d particles=%d", side, side, side, particles);
  workload_close(&w);
  free(box), free(particle), free(force), free(charge);
  return workload_verdict(&w, sizes, &comparison);
}
