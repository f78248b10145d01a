// SPDX-License-Identifier: Apache-2.0
// An image turned about its middle, the nearest pixel of a texture whose coordinates wrap (or clamp); after the simpleTexture
// example of NVIDIA's SDK. Both versions fetch alike; the host stores the image in blocks (array) or in rows.
#include "tandem_device.h"

extern "C" __global__ void __launch_bounds__(256)
  texture_rotate(unsigned width, unsigned height, float cosine, float sine, cudaTextureObject_t image, unsigned *out) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = __fmul_rn((float)x + 0.5f, 1.0f / (float)width) - 0.5f;
  float v = __fmul_rn((float)y + 0.5f, 1.0f / (float)height) - 0.5f;
  float s = fmaf(u, cosine, __fmul_rn(v, -sine)) + 0.5f, t = fmaf(v, cosine, __fmul_rn(u, sine)) + 0.5f;
  out[y * width + x] = tex2D<unsigned>(image, s, t);
}
