/* SPDX-License-Identifier: Apache-2.0 */
/* fluidanimate: densities and accelerations of every step, compared with sums in double over all pairs within reach,
 * which are found in the order of x, without cells. The device adds floats, and loses bits in differences of nearly
 * equal numbers: it may be off by 2e-6 (some 32 roundings) of the sum of the magnitudes involved. The host moves the
 * particles. Constants are those of PARSEC's fluidanimate (Bienia 2008); the particles start on a lattice with
 * jitter. */
#include <cuda.h>

#include "fluidanimate_args.h"
#include "fluidanimate_ptx.h"
#include "workload.h"

enum { SLOTS = 16, WIDE = 8, HIGH = 4, DEEP = 4 }; /* as in kernel.cu */

static const double per_metre = 204, rest_density = 1000, time_step = 0.005;
static const double pi = 3.14159265358979323846, tolerance = 2e-6;

struct vector { /* struct fluid_vector of kernel.cu */
  float x, y, z;
};

struct fluid { /* as in kernel.cu */
  int nx, ny, nz;
  float reach, density_factor, pressure_factor, viscosity_factor, twice_rest_density, gravity;
};

struct particle {
  struct vector position, velocity;
  unsigned slot; /* of the device's arrays */
};

static struct fluid describe(const struct workload *w) {
  double reach = 1.695 / per_metre, mass = rest_density / (per_metre * per_metre * per_metre);
  double cube = reach * reach * reach, slope = mass * 45 / (pi * cube * cube); /* products: powers differ among hosts */
  return (struct fluid){.nx = (int)workload_value(w, "x"),
                        .ny = (int)workload_value(w, "y"),
                        .nz = (int)workload_value(w, "z"),
                        .reach = (float)reach,
                        .density_factor = (float)(mass * 315 / (64 * pi * cube * cube * cube)),
                        .pressure_factor = (float)(0.5 * 3 * slope),
                        .viscosity_factor = (float)(0.4 * slope),
                        .twice_rest_density = (float)(2 * rest_density),
                        .gravity = -9.8f};
}

/* Fills the tank from its floor. A cell is as wide as 1.695 lattice sites; with a jitter of 0.15 at most two sites in
 * each direction are in one cell, and so at most eight particles. */
static struct particle *fill(const struct workload *w, const struct fluid *f, unsigned n) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  unsigned wide = (unsigned)(f->nx * 1.695), high = (unsigned)(f->ny * 1.695), deep = (unsigned)(f->nz * 1.695);
  if (n > wide * high * deep)
    workload_usage(w, "particles=%u: %d x %d x %d cells hold %u at rest; choose fewer, or more cells", n, f->nx, f->ny,
                   f->nz, wide * high * deep);
  struct particle *p = workload_alloc(w, n * sizeof *p);
  for (unsigned i = 0; i < n; i++) {
    unsigned site[3] = {i % wide, i / wide / deep, i / wide % deep};
    float at[3], speed[3];
    for (unsigned d = 0; d < 3; d++) {
      at[d] = ((float)site[d] + 0.5f + 0.15f * workload_input(seed, 1 + d, i)) / (float)per_metre;
      speed[d] = 0.1f * workload_input(seed, 4 + d, i);
    }
    p[i] = (struct particle){{at[0], at[1], at[2]}, {speed[0], speed[1], speed[2]}, 0};
  }
  return p;
}

static int cell_of(float at, float reach, int cells) {
  int i = (int)(at / reach);
  return i < cells ? i : cells - 1;
}

/* Gives every particle a slot. count: of every cell. */
static void sort_into_cells(const struct workload *w, const struct fluid *f, struct particle *p, unsigned n,
                            int *count) {
  memset(count, 0, (size_t)f->nx * (size_t)f->ny * (size_t)f->nz * sizeof *count);
  for (unsigned i = 0; i < n; i++) {
    int x = cell_of(p[i].position.x, f->reach, f->nx), y = cell_of(p[i].position.y, f->reach, f->ny);
    int z = cell_of(p[i].position.z, f->reach, f->nz), cell = (z * f->ny + y) * f->nx + x;
    if (count[cell] == SLOTS) workload_usage(w, "more than %d particles in a cell; choose fewer steps", SLOTS);
    p[i].slot = (unsigned)(cell * SLOTS + count[cell]++);
  }
}

static int by_x(const void *a, const void *b) {
  const struct vector *p = &((const struct particle *)a)->position, *q = &((const struct particle *)b)->position;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->z < q->z ? -1 : p->z > q->z;
}

/* What a particle sums up over others, and the magnitudes of what is added. */
struct sums {
  double density, acceleration[3], magnitude;
};

static void add_pair(struct sums *s, const struct fluid *f, const struct particle *own, const struct particle *other,
                     const float *density) {
  double apart[3] = {(double)own->position.x - other->position.x, (double)own->position.y - other->position.y,
                     (double)own->position.z - other->position.z};
  double faster[3] = {(double)other->velocity.x - own->velocity.x, (double)other->velocity.y - own->velocity.y,
                      (double)other->velocity.z - own->velocity.z};
  double square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2], reach = f->reach;
  if (square >= reach * reach) return;
  double inside = reach * reach - square;
  s->density += f->density_factor * inside * inside * inside;
  if (own == other) return;
  double distance = sqrt(fmax(square, 1e-12)), left = reach - distance, mine = density[own->slot];
  double yours = density[other->slot], push = f->pressure_factor * left * left / distance;
  double drag = f->viscosity_factor * left;
  for (int d = 0; d < 3; d++)
    s->acceleration[d] +=
      (apart[d] * push * (mine + yours - f->twice_rest_density) + faster[d] * drag) / (mine * yours);
  /* `left` and the densities' sum are differences: what counts are the numbers that they come from */
  double pressure = f->pressure_factor * reach * left * (mine + yours + f->twice_rest_density);
  double viscosity = f->viscosity_factor * reach * (fabs(faster[0]) + fabs(faster[1]) + fabs(faster[2]));
  s->magnitude += (pressure + viscosity) / (mine * yours);
}

/* p: in the order of x; density, acceleration: the device's */
static void compare(struct workload_comparison *c, const struct fluid *f, const struct particle *p, unsigned n,
                    const float *density, const struct vector *acceleration) {
  for (unsigned i = 0; i < n; i++) {
    struct sums s = {.acceleration = {0, f->gravity, 0}, .magnitude = fabs((double)f->gravity)};
    for (unsigned j = i; j < n && p[j].position.x - p[i].position.x <= f->reach; j++)
      add_pair(&s, f, &p[i], &p[j], density);
    for (unsigned j = i; j-- > 0 && p[i].position.x - p[j].position.x <= f->reach;)
      add_pair(&s, f, &p[i], &p[j], density);
    const struct vector *a = &acceleration[p[i].slot];
    workload_compare(c, 4 * (size_t)i, density[p[i].slot], (float)s.density, tolerance * s.density);
    workload_compare(c, 4 * (size_t)i + 1, a->x, (float)s.acceleration[0], tolerance * s.magnitude);
    workload_compare(c, 4 * (size_t)i + 2, a->y, (float)s.acceleration[1], tolerance * s.magnitude);
    workload_compare(c, 4 * (size_t)i + 3, a->z, (float)s.acceleration[2], tolerance * s.magnitude);
  }
}

/* One coordinate over a time step; walls reflect. */
static void move(float *at, float *speed, float acceleration, float size) {
  *speed += acceleration * (float)time_step;
  *at += *speed * (float)time_step;
  if (*at < 0 || *at > size) {
    *speed = -*speed;
    *at = fminf(fmaxf(*at < 0 ? -*at : 2 * size - *at, 0), size);
  }
}

static void move_all(const struct fluid *f, struct particle *p, unsigned n, const struct vector *acceleration) {
  for (unsigned i = 0; i < n; i++) {
    const struct vector *a = &acceleration[p[i].slot];
    move(&p[i].position.x, &p[i].velocity.x, a->x, (float)f->nx * f->reach);
    move(&p[i].position.y, &p[i].velocity.y, a->y, (float)f->ny * f->reach);
    move(&p[i].position.z, &p[i].velocity.z, a->z, (float)f->nz * f->reach);
  }
}

/* The device's arrays, and their like on the host. */
struct arrays {
  CUdeviceptr device_count, device_position, device_velocity, device_density, device_acceleration;
  size_t cells;
  int *count;
  struct vector *position, *velocity, *acceleration;
  float *density;
};

static struct arrays allocate(const struct workload *w, const struct fluid *f) {
  size_t cells = (size_t)f->nx * (size_t)f->ny * (size_t)f->nz, slots = cells * SLOTS,
         vectors = slots * sizeof(struct vector);
  return (struct arrays){workload_upload(w, NULL, cells * sizeof(int)),
                         workload_upload(w, NULL, vectors),
                         workload_upload(w, NULL, vectors),
                         workload_upload(w, NULL, slots * sizeof(float)),
                         workload_upload(w, NULL, vectors),
                         cells,
                         workload_alloc(w, cells * sizeof(int)),
                         workload_alloc(w, vectors),
                         workload_alloc(w, vectors),
                         workload_alloc(w, vectors),
                         workload_alloc(w, slots * sizeof(float))};
}

/* Densities, then accelerations of the particles in their slots. */
static void run_step(const struct workload *w, CUfunction density, CUfunction force, struct fluid *f,
                     const struct particle *p, unsigned n, struct arrays *a) {
  size_t slots = a->cells * SLOTS, vectors = slots * sizeof(struct vector);
  for (unsigned i = 0; i < n; i++) {
    a->position[p[i].slot] = p[i].position;
    a->velocity[p[i].slot] = p[i].velocity;
  }
  WORKLOAD_RUN(w, cuMemcpyHtoD(a->device_count, a->count, a->cells * sizeof *a->count));
  WORKLOAD_RUN(w, cuMemcpyHtoD(a->device_position, a->position, vectors));
  WORKLOAD_RUN(w, cuMemcpyHtoD(a->device_velocity, a->velocity, vectors));
  struct workload_shape block = {WIDE, HIGH, DEEP},
                        grid = {((unsigned)f->nx - 1) / WIDE + 1, ((unsigned)f->ny - 1) / HIGH + 1,
                                ((unsigned)f->nz - 1) / DEEP + 1};
  workload_launch_shape(w, density, grid, block, 0,
                        (void *[]){f, &a->device_count, &a->device_position, &a->device_density});
  workload_launch_shape(w, force, grid, block, 0,
                        (void *[]){f, &a->device_count, &a->device_position, &a->device_velocity, &a->device_density,
                                   &a->device_acceleration});
  workload_download(w, a->density, a->device_density, slots * sizeof(float));
  workload_download(w, a->acceleration, a->device_acceleration, vectors);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("fluidanimate", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "particles"), steps = (unsigned)workload_value(&w, "steps");
  struct fluid fluid = describe(&w);
  struct particle *particle = fill(&w, &fluid, n);
  CUfunction density = workload_open(&w, "fluid_density"), force = workload_kernel(&w, "fluid_force");
  struct arrays arrays = allocate(&w, &fluid);

  struct workload_comparison comparison = {0};
  for (unsigned step = 0; step < steps; step++) {
    qsort(particle, n, sizeof *particle, by_x);
    sort_into_cells(&w, &fluid, particle, n, arrays.count);
    run_step(&w, density, force, &fluid, particle, n, &arrays);
    compare(&comparison, &fluid, particle, n, arrays.density, arrays.acceleration);
    move_all(&fluid, particle, n, arrays.acceleration);
  }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "cells=%dx%dx%d particles=%u steps=%u", fluid.nx, fluid.ny, fluid.nz, n, steps);
  workload_close(&w);
  free(particle), free(arrays.count), free(arrays.position), free(arrays.velocity);
  free(arrays.acceleration), free(arrays.density);
  return workload_verdict(&w, sizes, &comparison);
}
