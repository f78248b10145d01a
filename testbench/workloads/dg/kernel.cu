// SPDX-License-Identifier: Apache-2.0
// Maxwell's equations by the nodal discontinuous Galerkin method of order six on tetrahedra (Hesthaven and Warburton, Nodal
// Discontinuous Galerkin Methods, 2008): an element a CTA, its nodes in shared memory, the operators in textures. DG (gpuDG)
// of Yuan 2009, section 5 (CTAs of 84 for volumes, 112 for surfaces, 256 for time steps).
#include "tandem_device.h"

#define NODES 84
#define FACE_NODES 28
#define FACES 4
#define SURFACE (FACES * FACE_NODES)
#define FIELDS 6 // Hx Hy Hz Ex Ey Ez
#define PITCH 96 // floats of a field of an element

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

extern "C" {
__constant__ unsigned char dg_face_node[SURFACE];
}

// operators: d/dr, d/ds, d/dt of node m's basis at node n, [m][n]; map: dr/dx ds/dx dt/dx, dr/dy ..., of each element
extern "C" __global__ void __launch_bounds__(NODES)
  dg_volume(const float *q, float *rhs, const float *map, cudaTextureObject_t operators) {
  __shared__ float s[FIELDS][NODES];
  unsigned k = blockIdx.x, n = threadIdx.x;
  for (unsigned f = 0; f < FIELDS; f++) s[f][n] = q[(k * FIELDS + f) * PITCH + n];
  __syncthreads();
  float dr[FIELDS], ds[FIELDS], dt[FIELDS];
#pragma unroll
  for (unsigned f = 0; f < FIELDS; f++) dr[f] = ds[f] = dt[f] = 0.f;
  for (unsigned m = 0; m < NODES; m++) {
    float4 d = tex1Dfetch<float4>(operators, m * NODES + n);
#pragma unroll
    for (unsigned f = 0; f < FIELDS; f++) {
      dr[f] = fmaf(d.x, s[f][m], dr[f]);
      ds[f] = fmaf(d.y, s[f][m], ds[f]);
      dt[f] = fmaf(d.z, s[f][m], dt[f]);
    }
  }
  const float *g = map + k * 9;
  float dx[FIELDS], dy[FIELDS], dz[FIELDS];
#pragma unroll
  for (unsigned f = 0; f < FIELDS; f++) {
    dx[f] = g[0] * dr[f] + g[1] * ds[f] + g[2] * dt[f];
    dy[f] = g[3] * dr[f] + g[4] * ds[f] + g[5] * dt[f];
    dz[f] = g[6] * dr[f] + g[7] * ds[f] + g[8] * dt[f];
  }
  float *out = rhs + k * FIELDS * PITCH + n; // dH/dt = - curl E, dE/dt = curl H
  out[0 * PITCH] = dz[4] - dy[5];
  out[1 * PITCH] = dx[5] - dz[3];
  out[2 * PITCH] = dy[3] - dx[4];
  out[3 * PITCH] = dy[2] - dz[1];
  out[4 * PITCH] = dz[0] - dx[2];
  out[5 * PITCH] = dx[1] - dy[0];
}

// neighbour: where in q the node on the other side is; face: normal and area over volume of each face; lift: [surface node][n]
extern "C" __global__ void __launch_bounds__(SURFACE)
  dg_surface(const float *q, float *rhs, const unsigned *neighbour, const float *face, cudaTextureObject_t lift) {
  __shared__ float s[FIELDS][SURFACE];
  unsigned k = blockIdx.x, j = threadIdx.x;
  const float *mine = q + k * FIELDS * PITCH + dg_face_node[j], *other = q + neighbour[k * SURFACE + j];
  const float *normal = face + (k * FACES + j / FACE_NODES) * 4;
  float x = normal[0], y = normal[1], z = normal[2], half = 0.5f * normal[3], d[FIELDS];
#pragma unroll
  for (unsigned f = 0; f < FIELDS; f++) d[f] = other[f * PITCH] - mine[f * PITCH];
  float along_h = x * d[0] + y * d[1] + z * d[2], along_e = x * d[3] + y * d[4] + z * d[5];
  s[0][j] = half * (z * d[4] - y * d[5] + d[0] - along_h * x);
  s[1][j] = half * (x * d[5] - z * d[3] + d[1] - along_h * y);
  s[2][j] = half * (y * d[3] - x * d[4] + d[2] - along_h * z);
  s[3][j] = half * (y * d[2] - z * d[1] + d[3] - along_e * x);
  s[4][j] = half * (z * d[0] - x * d[2] + d[4] - along_e * y);
  s[5][j] = half * (x * d[1] - y * d[0] + d[5] - along_e * z);
  __syncthreads();
  if (j >= NODES) return;
  float sum[FIELDS];
#pragma unroll
  for (unsigned f = 0; f < FIELDS; f++) sum[f] = rhs[(k * FIELDS + f) * PITCH + j];
  for (unsigned m = 0; m < SURFACE; m++) {
    float l = tex1Dfetch<float>(lift, m * NODES + j);
#pragma unroll
    for (unsigned f = 0; f < FIELDS; f++) sum[f] = fmaf(l, s[f][m], sum[f]);
  }
#pragma unroll
  for (unsigned f = 0; f < FIELDS; f++) rhs[(k * FIELDS + f) * PITCH + j] = sum[f];
}

// A stage of a Runge-Kutta scheme of low storage.
extern "C" __global__ void __launch_bounds__(256)
  dg_step(unsigned n, float a, float b, float dt, const float *rhs, float *residual, float *q) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float r = fmaf(a, residual[i], dt * rhs[i]);
  residual[i] = r;
  q[i] = fmaf(b, r, q[i]);
}
