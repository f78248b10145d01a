// SPDX-License-Identifier: Apache-2.0
// Gravity by an octree (Barnes, Hut 1986; on GPUs Burtscher, Pingali 2011, bh of LonestarGPU): the box of all bodies, their
// accelerations, a step in time. The host builds the tree from the box, where Burtscher and Pingali have kernels for that too. A warp goes
// through the tree as one: a cell is opened unless it is far enough away for all of its lanes. Its path lies in shared memory.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_SIZED"
#endif

extern __shared__ float words[];

// box: least and greatest x, y and z of a CTA's bodies. Shared memory: 24 bytes a thread.
extern "C" __global__ void bh_box(unsigned bodies, const float4 *body, float *box) {
  unsigned t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  float4 b = body[i < bodies ? i : bodies - 1];
  words[t] = words[3 * n + t] = b.x;
  words[n + t] = words[4 * n + t] = b.y;
  words[2 * n + t] = words[5 * n + t] = b.z;
  for (unsigned left = n; left > 1;) {
    unsigned half = (left + 1) / 2;
    __syncthreads();
    if (t < left - half)
      for (unsigned k = 0; k < 6; k++) {
        float other = words[k * n + t + half], own = words[k * n + t];
        if (k < 3 ? other < own : other > own) words[k * n + t] = other;
      }
    left = half;
  }
  __syncthreads();
  for (unsigned k = t; k < 6; k += n) box[blockIdx.x * 6 + k] = words[k * n];
}

// body: x, y, z and mass of bodies, then of cells, the root first. child: 8 a cell, negative: none. order: bodies that are close together
// are neighbours. square: of the root's edge; a cell is far when its edge is less than `theta` of its distance.
// Shared memory: 8 * depth bytes a warp.
extern "C" __global__ void bh_force(unsigned bodies, unsigned depth, float square, float theta, float soft,
                                    const float4 *body, const int *child, const unsigned *order, float4 *force) {
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, own = order[i < bodies ? i : bodies - 1];
  volatile int *cell = (int *)words + t / 32 * 2 * depth, *next = cell + depth;
  float4 at = body[own];
  float ax = 0.f, ay = 0.f, az = 0.f, near = theta * theta;
  int level = 0;
  if (t % 32 == 0) cell[0] = (int)bodies, next[0] = 0;
  __syncwarp();
  while (level >= 0) {
    int of = cell[level], k = next[level];
    __syncwarp();
    if (k == 8) {
      level--;
      square *= 4.f;
      continue;
    }
    if (t % 32 == 0) next[level] = k + 1;
    int node = child[(unsigned)(of - (int)bodies) * 8 + (unsigned)k];
    if (node >= 0) {
      float4 b = body[node];
      float dx = b.x - at.x, dy = b.y - at.y, dz = b.z - at.z;
      float distance = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
      if (node < (int)bodies || __all_sync(~0u, square * 0.25f < distance * near)) {
        float r = rsqrtf(distance + soft), f = b.w * r * r * r;
        ax = fmaf(dx, f, ax);
        ay = fmaf(dy, f, ay);
        az = fmaf(dz, f, az);
      } else {
        level++;
        square *= 0.25f;
        if (t % 32 == 0) cell[level] = node, next[level] = 0;
      }
    }
    __syncwarp();
  }
  if (i < bodies) force[own] = make_float4(ax, ay, az, 0.f);
}

extern "C" __global__ void bh_move(unsigned bodies, float dt, const float4 *force, float4 *speed, float4 *body) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= bodies) return;
  float4 a = force[i], v = speed[i], b = body[i];
  v.x = fmaf(a.x, dt, v.x), v.y = fmaf(a.y, dt, v.y), v.z = fmaf(a.z, dt, v.z);
  b.x = fmaf(v.x, dt, b.x), b.y = fmaf(v.y, dt, b.y), b.z = fmaf(v.z, dt, b.z);
  speed[i] = v;
  body[i] = b;
}
