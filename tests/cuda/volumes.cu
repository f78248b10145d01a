// SPDX-License-Identifier: Apache-2.0
// Arrays of every shape: surfaces write them, textures read them with linear filtering, layers, faces and levels.
#include "check.h"

#include <cmath>
#include <cstring>

const int W = 16, H = 8, D = 4;

__global__ void fill3d(cudaSurfaceObject_t s) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  surf3Dwrite<float>(x + 10.0f * y + 100.0f * z, s, x * (int)sizeof(float), y, z);
}
__global__ void fill2d(cudaSurfaceObject_t s) {
  int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  surf2DLayeredwrite(make_uchar4(x, y, layer, 255), s, x * (int)sizeof(uchar4), y, layer);
}
__global__ void swap2d(cudaSurfaceObject_t s) { // each thread mirrors its row of a layer; outside nothing happens
  int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  uchar4 v = surf2DLayeredread<uchar4>(s, x * (int)sizeof(uchar4), y, layer);
  uchar4 none = surf2DLayeredread<uchar4>(s, -4, y, layer, cudaBoundaryModeZero);
  __syncthreads();
  v.w = none.w;
  surf2DLayeredwrite(v, s, (W - 1 - x) * (int)sizeof(uchar4), y, layer, cudaBoundaryModeTrap);
  surf2DLayeredwrite(v, s, 4 * W, y, layer, cudaBoundaryModeZero);
}
__global__ void read3d(cudaTextureObject_t t, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % W, y = i / W % H, z = i / (W * H);
  out[i] = tex3D<float>(t, x + 1.0f, y + 1.0f, z + 1.0f); // between eight elements
}
__global__ void readLayers(cudaTextureObject_t t, float4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2DLayered<float4>(t, i % W + 0.5f, i / W % H + 0.5f, i / (W * H));
}
__global__ void readCube(cudaTextureObject_t t, float *out) {
  const float3 along[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  float3 a = along[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, a.x, a.y, a.z);
}
__global__ void readLevels(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, threadIdx.x * 0.5f);
}
__global__ void gather(cudaTextureObject_t t, float4 *out) { *out = tex2Dgather<float4>(t, 3.0f, 2.0f, 0); }

static cudaTextureObject_t texture(cudaResourceDesc r, cudaTextureFilterMode filter, cudaTextureReadMode read,
                                   bool unit) {
  cudaTextureDesc how = {};
  cudaTextureObject_t t;
  for (int i = 0; i < 3; i++) how.addressMode[i] = cudaAddressModeClamp;
  how.filterMode = filter;
  how.mipmapFilterMode = cudaFilterModeLinear;
  how.maxMipmapLevelClamp = 10;
  how.readMode = read;
  how.normalizedCoords = unit;
  CHECK(cudaCreateTextureObject(&t, &r, &how, NULL));
  return t;
}
static cudaResourceDesc of(cudaArray_t a) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  return r;
}
static int clamp(int c, int n) { return c < n ? c : n - 1; }

static int volume() {
  static float out[D][H][W], back[D][H][W];
  cudaArray_t a;
  cudaSurfaceObject_t s;
  float *d;
  int wrong = 0;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(W, H, D), cudaArraySurfaceLoadStore));
  cudaResourceDesc r = of(a);
  CHECK(cudaCreateSurfaceObject(&s, &r));
  fill3d<<<D, dim3(W, H)>>>(s);
  cudaTextureObject_t t = texture(r, cudaFilterModeLinear, cudaReadModeElementType, false);
  CHECK(cudaMalloc(&d, sizeof out));
  read3d<<<D, W * H>>>(t, d);
  CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  cudaMemcpy3DParms c = {};
  c.srcArray = a;
  c.dstPtr = make_cudaPitchedPtr(back, W * sizeof(float), W, H);
  c.extent = make_cudaExtent(W, H, D);
  c.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&c));
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float mean =
          (x + clamp(x + 1, W)) / 2.0f + 10 * (y + clamp(y + 1, H)) / 2.0f + 100 * (z + clamp(z + 1, D)) / 2.0f;
        wrong += out[z][y][x] != mean || back[z][y][x] != x + 10 * y + 100 * z;
      }
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFree(d));
  return wrong;
}

static int layers() {
  static float4 out[D][H][W];
  cudaArray_t a;
  cudaSurfaceObject_t s;
  float4 *d;
  int wrong = 0;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(W, H, D), cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaResourceDesc r = of(a);
  CHECK(cudaCreateSurfaceObject(&s, &r));
  fill2d<<<D, dim3(W, H)>>>(s);
  swap2d<<<D, dim3(W, H)>>>(s);
  cudaTextureObject_t t = texture(r, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
  CHECK(cudaMalloc(&d, sizeof out));
  readLayers<<<D, W * H>>>(t, d);
  CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float4 v = out[z][y][x];
        wrong += v.x != (W - 1 - x) / 255.0f || v.y != y / 255.0f || v.z != z / 255.0f || v.w != 0;
      }
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFree(d));
  return wrong;
}

static int cube() {
  const int n = 4;
  float in[6][n][n], out[6], *d;
  cudaArray_t a;
  int wrong = 0;
  for (int i = 0; i < 6 * n * n; i++) in[i / (n * n)][i / n % n][i % n] = i / (n * n);
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(n, n, 6), cudaArrayCubemap));
  cudaMemcpy3DParms c = {};
  c.dstArray = a;
  c.srcPtr = make_cudaPitchedPtr(in, n * sizeof(float), n, n);
  c.extent = make_cudaExtent(n, n, 6);
  c.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&c));
  cudaTextureObject_t t = texture(of(a), cudaFilterModeLinear, cudaReadModeElementType, true);
  CHECK(cudaMalloc(&d, sizeof out));
  readCube<<<1, 6>>>(t, d);
  CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; i++) wrong += out[i] != i;
  CHECK(cudaFreeArray(a));
  CHECK(cudaFree(d));
  return wrong;
}

static int levels() {
  const int n = 8;
  float in[n][n], out[7], *d;
  cudaMipmappedArray_t a;
  int wrong = 0;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocMipmappedArray(&a, &f, make_cudaExtent(n, n, 0), 4));
  for (int l = 0; l < 4; l++) {
    cudaArray_t level;
    for (int i = 0; i < n * n; i++) in[i / n][i % n] = 10 * l;
    CHECK(cudaGetMipmappedArrayLevel(&level, a, l));
    CHECK(cudaMemcpy2DToArray(level, 0, 0, in, sizeof in[0], (n >> l) * sizeof(float), n >> l, cudaMemcpyHostToDevice));
  }
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = a;
  cudaTextureObject_t t = texture(r, cudaFilterModePoint, cudaReadModeElementType, true);
  CHECK(cudaMalloc(&d, sizeof out));
  readLevels<<<1, 7>>>(t, d);
  CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 7; i++) wrong += out[i] != 5 * i;
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeMipmappedArray(a));
  CHECK(cudaFree(d));
  return wrong;
}

static int four() {
  float in[H][W];
  float4 out, *d;
  cudaArray_t a;
  for (int i = 0; i < W * H; i++) in[i / W][i % W] = i;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&a, &f, W, H, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, in, sizeof in[0], sizeof in[0], H, cudaMemcpyHostToDevice));
  cudaTextureObject_t t = texture(of(a), cudaFilterModePoint, cudaReadModeElementType, false);
  CHECK(cudaMalloc(&d, sizeof out));
  gather<<<1, 1>>>(t, d);
  CHECK(cudaMemcpy(&out, d, sizeof out, cudaMemcpyDeviceToHost));
  return out.x != in[2][2] || out.y != in[2][3] || out.z != in[1][3] || out.w != in[1][2];
}

int main() {
  int wrong[] = {volume(), layers(), cube(), levels(), four()}, all = 0;
  for (int i = 0; i < 5; i++) {
    if (wrong[i]) printf("part %d: %d wrong\n", i, wrong[i]);
    all += wrong[i];
  }
  return verdict(all);
}
