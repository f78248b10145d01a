// SPDX-License-Identifier: Apache-2.0
// Ray tracing of spheres over a plane, lit from one point, with shadows and mirror reflections, a thread a pixel in CTAs of
// 16 x 8. The scene is in constant memory, what each reflection adds in local memory until the ray ends. After RAY of
// Bakhoda 2009 and Yuan 2009, section 5 (256 x 256 pixels, at most five levels).
#include "tandem_device.h"

#define SPHERES_MAX 32
#define LEVELS_MAX 8

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

struct ray_sphere {
  float x, y, z, radius, shade, mirror;
};
struct ray_scene {
  float light_x, light_y, light_z;
  unsigned spheres;
  ray_sphere sphere[SPHERES_MAX];
};
extern "C" {
__constant__ ray_scene ray_scene_data;
}

struct ray_line {
  float ox, oy, oz, dx, dy, dz;
};

// Distance to sphere s along a unit direction, or a huge one.
static __device__ __forceinline__ float ray_meet(const ray_line &r, unsigned s) {
  float x = ray_scene_data.sphere[s].x - r.ox, y = ray_scene_data.sphere[s].y - r.oy;
  float z = ray_scene_data.sphere[s].z - r.oz, radius = ray_scene_data.sphere[s].radius;
  float along = x * r.dx + y * r.dy + z * r.dz;
  float under = along * along - (x * x + y * y + z * z) + radius * radius;
  if (under < 0.f) return 1e30f;
  float t = along - sqrtf(under);
  return t > 1e-3f ? t : 1e30f;
}

static __device__ __forceinline__ float ray_nearest(const ray_line &r, unsigned *which) {
  float best = r.dy < -1e-6f ? -r.oy / r.dy : 1e30f; // the plane y = 0
  if (best < 1e-3f) best = 1e30f;
  *which = SPHERES_MAX;
  for (unsigned s = 0; s < ray_scene_data.spheres; s++) {
    float t = ray_meet(r, s);
    if (t >= best) continue;
    best = t;
    *which = s;
  }
  return best;
}

extern "C" __global__ void __launch_bounds__(128)
  ray_trace(unsigned width, unsigned height, unsigned levels, float *out) {
  unsigned px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y;
  float light[LEVELS_MAX], weight[LEVELS_MAX];
  if (px >= width || py >= height) return;
  ray_line r = {0.f, 1.5f, -4.f, ((float)px + 0.5f) / (float)width - 0.5f, 0.5f - ((float)py + 0.5f) / (float)height,
                1.f};
  float scale = 1.f / sqrtf(r.dx * r.dx + r.dy * r.dy + r.dz * r.dz);
  r.dx *= scale, r.dy *= scale, r.dz *= scale;
  unsigned n = 0;
  while (n < levels) {
    unsigned hit;
    float t = ray_nearest(r, &hit);
    if (t >= 1e30f) { // sky
      light[n] = 0.3f + 0.4f * r.dy;
      weight[n++] = 0.f;
      break;
    }
    r.ox += t * r.dx, r.oy += t * r.dy, r.oz += t * r.dz;
    float nx = 0.f, ny = 1.f, nz = 0.f, shade, mirror = 0.25f;
    if (hit < SPHERES_MAX) {
      float inverse = 1.f / ray_scene_data.sphere[hit].radius;
      nx = (r.ox - ray_scene_data.sphere[hit].x) * inverse;
      ny = (r.oy - ray_scene_data.sphere[hit].y) * inverse;
      nz = (r.oz - ray_scene_data.sphere[hit].z) * inverse;
      shade = ray_scene_data.sphere[hit].shade;
      mirror = ray_scene_data.sphere[hit].mirror;
    } else {
      shade = ((int)floorf(r.ox) + (int)floorf(r.oz)) & 1 ? 0.9f : 0.2f;
    }
    ray_line to = {
      r.ox, r.oy, r.oz, ray_scene_data.light_x - r.ox, ray_scene_data.light_y - r.oy, ray_scene_data.light_z - r.oz};
    float distance = sqrtf(to.dx * to.dx + to.dy * to.dy + to.dz * to.dz), inverse = 1.f / distance;
    to.dx *= inverse, to.dy *= inverse, to.dz *= inverse;
    unsigned shadow;
    float towards = nx * to.dx + ny * to.dy + nz * to.dz;
    bool lit = towards > 0.f && ray_nearest(to, &shadow) >= distance;
    light[n] = shade * (lit ? 0.2f + 0.8f * towards : 0.2f);
    weight[n++] = mirror;
    float against = 2.f * (r.dx * nx + r.dy * ny + r.dz * nz);
    r.dx -= against * nx, r.dy -= against * ny, r.dz -= against * nz;
  }
  float colour = 0.f;
  while (n-- > 0) colour = light[n] * (1.f - weight[n]) + weight[n] * colour;
  out[py * width + px] = colour;
}
