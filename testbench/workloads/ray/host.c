/* SPDX-License-Identifier: Apache-2.0 */
/* ray: an image of spheres, traced in double. Edges of spheres and shadows may fall to either side of a pixel: a few pixels
 * may differ. */
#include <cuda.h>

#include "ray_args.h"
#include "ray_ptx.h"
#include "workload.h"

enum { SPHERES_MAX = 32 };

struct sphere {
  float x, y, z, radius, shade, mirror;
};
struct scene {
  float light[3];
  uint32_t spheres;
  struct sphere sphere[SPHERES_MAX];
};

struct line {
  double o[3], d[3];
};

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double nearest(const struct scene *s, const struct line *r, unsigned *which) {
  double best = r->d[1] < -1e-6 ? -r->o[1] / r->d[1] : 1e30;
  if (best < 1e-3) best = 1e30;
  *which = SPHERES_MAX;
  for (unsigned i = 0; i < s->spheres; i++) {
    const struct sphere *q = &s->sphere[i];
    double to[3] = {q->x - r->o[0], q->y - r->o[1], q->z - r->o[2]}, along = dot(to, r->d);
    double under = along * along - dot(to, to) + (double)q->radius * q->radius;
    double t = under < 0 ? 1e30 : along - sqrt(under);
    if (t <= 1e-3 || t >= best) continue;
    best = t;
    *which = i;
  }
  return best;
}

/* The colour that comes along `r`, by recursion. */
static double colour(const struct scene *s, struct line r, unsigned levels) {
  unsigned hit, shadow;
  if (!levels) return 0;
  double t = nearest(s, &r, &hit), normal[3] = {0, 1, 0}, shade, mirror = 0.25;
  if (t >= 1e30) return 0.3 + 0.4 * r.d[1];
  for (int i = 0; i < 3; i++) r.o[i] += t * r.d[i];
  if (hit < SPHERES_MAX) {
    const struct sphere *q = &s->sphere[hit];
    const float centre[3] = {q->x, q->y, q->z};
    for (int i = 0; i < 3; i++) normal[i] = (r.o[i] - centre[i]) / q->radius;
    shade = q->shade;
    mirror = q->mirror;
  } else {
    shade = ((int)floor(r.o[0]) + (int)floor(r.o[2])) & 1 ? 0.9 : 0.2;
  }
  struct line to = {{r.o[0], r.o[1], r.o[2]}, {0}};
  for (int i = 0; i < 3; i++) to.d[i] = s->light[i] - r.o[i];
  double distance = sqrt(dot(to.d, to.d));
  for (int i = 0; i < 3; i++) to.d[i] /= distance;
  double towards = dot(normal, to.d), against = 2 * dot(r.d, normal);
  int lit = towards > 0 && nearest(s, &to, &shadow) >= distance;
  double light = shade * (lit ? 0.2 + 0.8 * towards : 0.2);
  for (int i = 0; i < 3; i++) r.d[i] -= against * normal[i];
  return light * (1 - mirror) + mirror * colour(s, r, levels - 1);
}

static struct scene scene_of(const struct workload *w) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  struct scene s = {.light = {3, 6, -5}, .spheres = (uint32_t)workload_value(w, "spheres")};
  for (unsigned i = 0; i < s.spheres; i++) {
    float radius = 0.3f + 0.15f * workload_input(seed, 4, i);
    s.sphere[i] =
      (struct sphere){2.5f * workload_input(seed, 1, i),        radius + 0.8f + 0.8f * workload_input(seed, 2, i),
                      1.f + 3.f * workload_input(seed, 3, i),   radius,
                      0.6f + 0.3f * workload_input(seed, 5, i), 0.4f + 0.3f * workload_input(seed, 6, i)};
  }
  return s;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("ray", argc, argv);
  unsigned width = (unsigned)workload_value(&w, "width"), height = (unsigned)workload_value(&w, "height");
  unsigned levels = (unsigned)workload_value(&w, "levels");
  size_t n = (size_t)width * height, bytes;
  struct scene scene = scene_of(&w);
  float *out = workload_alloc(&w, n * 4);
  CUfunction kernel = workload_open(&w, "ray_trace");
  CUdeviceptr d_scene, d_out = workload_upload(&w, NULL, n * 4);
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&d_scene, &bytes, w.module, "ray_scene_data"));
  WORKLOAD_PREPARE(&w, cuMemcpyHtoD(d_scene, &scene, sizeof scene));
  struct workload_shape grid = {(width - 1) / 16 + 1, (height - 1) / 8 + 1, 1}, block = {16, 8, 1};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&width, &height, &levels, &d_out});
  workload_download(&w, out, d_out, n * 4);

  struct workload_comparison comparison = {0};
  size_t apart = 0;
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++) {
      struct line r = {{0, 1.5, -4}, {(x + 0.5) / width - 0.5, 0.5 - (y + 0.5) / height, 1}};
      double scale = 1 / sqrt(dot(r.d, r.d)), got = out[(size_t)y * width + x];
      for (int i = 0; i < 3; i++) r.d[i] *= scale;
      double want = colour(&scene, r, levels);
      /* a few pixels see an edge */
      double tolerance = fabs(got - want) > 2e-3 && ++apart <= 24 + n / 200 ? 2 : 2e-3;
      workload_compare(&comparison, (size_t)y * width + x, (float)got, (float)want, tolerance);
    }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "width=%u height=%u levels=%u spheres=%u", width, height, levels, scene.spheres);
  workload_close(&w);
  free(out);
  return workload_verdict(&w, sizes, &comparison);
}
