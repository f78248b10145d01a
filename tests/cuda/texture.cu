// SPDX-License-Identifier: Apache-2.0
// A picture in an array, read through a texture object and mirrored; then from linear memory.
#include "check.h"

__global__ void mirror(cudaTextureObject_t texture, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, width - 1 - x + 0.5f, y + 0.5f);
}
__global__ void fetch(cudaTextureObject_t texture, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(texture, i);
}

int main() {
  const int width = 64, height = 32;
  static float in[height][width], out[height][width];
  float *d, *copy;
  cudaArray_t array;
  cudaTextureObject_t texture, linear;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), got;
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  int wrong = 0;
  for (int i = 0; i < width * height; i++) in[i / width][i % width] = i;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaGetChannelDesc(&got, array));
  wrong += got.x != 32 || got.y || got.f != cudaChannelFormatKindFloat;
  CHECK(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
  CHECK(cudaMalloc(&d, sizeof out));
  mirror<<<dim3(4, 4), dim3(16, 8)>>>(texture, d, width, height);
  CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) wrong += out[y][x] != in[y][width - 1 - x];
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = sizeof out;
  CHECK(cudaCreateTextureObject(&linear, &resource, &how, NULL));
  CHECK(cudaMalloc(&copy, sizeof out));
  fetch<<<8, 256>>>(linear, copy, width * height);
  CHECK(cudaMemcpy(in, copy, sizeof in, cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; i++) wrong += in[i / width][i % width] != out[i / width][i % width];
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroyTextureObject(linear));
  CHECK(cudaFreeArray(array));
  return verdict(wrong);
}
