/* SPDX-License-Identifier: Apache-2.0 */
/* texture_rotate: an image turned through a texture, compared pixel by pixel. Every pixel is another number. */
#include <cuda.h>

#include "texture_rotate_args.h"
#include "texture_rotate_ptx.h"
#include "workload.h"

/* The image in an array, or in rows of device memory. */
static void place_image(const struct workload *w, const uint32_t *image, unsigned width, unsigned height,
                        CUDA_RESOURCE_DESC *r) {
  CUDA_ARRAY_DESCRIPTOR desc = {
    .Width = width, .Height = height, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = image,
                        .srcPitch = (size_t)width * 4,
                        .WidthInBytes = (size_t)width * 4,
                        .Height = height};
  memset(r, 0, sizeof *r);
  if (!strcmp(w->version, "array")) {
    r->resType = CU_RESOURCE_TYPE_ARRAY;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    WORKLOAD_PREPARE(w, cuArrayCreate(&copy.dstArray, &desc));
    r->res.array.hArray = copy.dstArray;
  } else {
    size_t pitch = ((size_t)width * 4 + 511) / 512 * 512;
    r->resType = CU_RESOURCE_TYPE_PITCH2D;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = workload_upload(w, NULL, pitch * height);
    copy.dstPitch = pitch;
    r->res.pitch2D.devPtr = copy.dstDevice;
    r->res.pitch2D.format = desc.Format;
    r->res.pitch2D.numChannels = 1;
    r->res.pitch2D.width = width;
    r->res.pitch2D.height = height;
    r->res.pitch2D.pitchInBytes = pitch;
  }
  WORKLOAD_PREPARE(w, cuMemcpy2D(&copy));
}

/* Pixel of a coordinate: the whole side is [0, 1). */
static unsigned pixel(float c, unsigned n, int wraps) {
  if (wraps) c = c - floorf(c);
  if (c < 0) return 0;
  double i = c * (float)n;
  return i < n ? (unsigned)i : n - 1;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("texture_rotate", argc, argv);
  unsigned width = (unsigned)workload_value(&w, "width"), height = (unsigned)workload_value(&w, "height");
  unsigned degrees = (unsigned)workload_value(&w, "degrees"), clamps = (unsigned)workload_value(&w, "clamp");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)width * height;
  uint32_t *image = workload_alloc(&w, n * 4), *out = workload_alloc(&w, n * 4);
  uint32_t first = (uint32_t)workload_bits(seed, 1, 0);
  for (size_t i = 0; i < n; i++) image[i] = first + (uint32_t)i;
  /* of whole degrees, rounded to 2^-12: the same on every host */
  float cosine = (float)rint(cos(degrees * 0.017453292519943295) * 4096) / 4096;
  float sine = (float)rint(sin(degrees * 0.017453292519943295) * 4096) / 4096;

  CUfunction kernel = workload_open(&w, "texture_rotate");
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC desc;
  CUtexObject texture;
  memset(&desc, 0, sizeof desc);
  desc.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER;
  desc.addressMode[0] = desc.addressMode[1] = clamps ? CU_TR_ADDRESS_MODE_CLAMP : CU_TR_ADDRESS_MODE_WRAP;
  place_image(&w, image, width, height, &resource);
  WORKLOAD_PREPARE(&w, cuTexObjectCreate(&texture, &resource, &desc, NULL));
  CUdeviceptr device_out = workload_upload(&w, NULL, n * 4);
  struct workload_shape grid = {(width - 1) / 32 + 1, (height - 1) / 8 + 1, 1}, block = {32, 8, 1};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&width, &height, &cosine, &sine, &texture, &device_out});
  workload_download(&w, out, device_out, n * 4);

  struct workload_comparison comparison = {0};
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++) {
      float u = ((float)x + 0.5f) * (1.0f / (float)width) - 0.5f, v = ((float)y + 0.5f) * (1.0f / (float)height) - 0.5f;
      float s = fmaf(u, cosine, v * -sine) + 0.5f, t = fmaf(v, cosine, u * sine) + 0.5f;
      size_t want = (size_t)pixel(t, height, !clamps) * width + pixel(s, width, !clamps);
      workload_compare_whole(&comparison, (size_t)y * width + x, out[(size_t)y * width + x], image[want]);
    }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "width=%u height=%u degrees=%u clamp=%u", width, height, degrees, clamps);
  WORKLOAD_PREPARE(&w, cuTexObjectDestroy(texture));
  workload_close(&w);
  free(image), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
