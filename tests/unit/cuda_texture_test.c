/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do arrays, copies of rectangles and textures behave as a host program expects of NVIDIA's driver? */
#include "kit/driver.h"

/* out[t] = the first channel at (x[t], y[t]), bits; `object`: of a texture object, `named`: of the reference `image` */
#define FETCH(name, parameter, handle, geometry, coordinates)                                                   \
  ".visible .entry " name "(.param .u64 out, .param .u64 xy" parameter ")\n{\n"                                 \
  ".reg .b32 %r<9>; .reg .b64 %rd<8>;\n"                                                                        \
  "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [xy]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"        \
  "add.u64 %rd4, %rd1, %rd3; mul.wide.u32 %rd5, %r1, 8; add.u64 %rd6, %rd2, %rd5;\n"                            \
  "ld.global.v2.b32 {%r2, %r3}, [%rd6];\n" handle "tex." geometry " {%r4, %r5, %r6, %r7}, [" coordinates "];\n" \
  "st.global.u32 [%rd4], %r4; ret;\n}\n"
static const char ptx[] = HEADER ".global .texref image;\n.global .u32 plain;\n" FETCH(
  "object_2d", ", .param .u64 t", "ld.param.u64 %rd7, [t];\n", "2d.v4.u32.f32", "%rd7, {%r2, %r3}")
  FETCH("object_1d", ", .param .u64 t", "ld.param.u64 %rd7, [t];\n", "1d.v4.u32.s32", "%rd7, {%r2}")
    FETCH("named_2d", "", "", "2d.v4.u32.f32", "image, {%r2, %r3}")
      FETCH("named_1d", "", "", "1d.v4.u32.s32", "image, {%r2}");

enum { THREADS = 64 };
static CUmodule module;
static CUdeviceptr out, xy;

static int start(void **state) {
  (void)state;
  use_device();
  OK(cuModuleLoadData(&module, ptx));
  OK(cuMemAlloc(&out, 4 * THREADS));
  OK(cuMemAlloc(&xy, 8 * THREADS));
  return 0;
}

static uint64_t random_state = 0xa11a7;
static uint32_t draw(uint32_t below) {
  uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)((z ^ z >> 31) >> 16) % below;
}

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

/* ---- arrays and copies ---- */

static void test_an_array_keeps_its_descriptor(void **state) {
  (void)state;
  CUarray a;
  CUDA_ARRAY_DESCRIPTOR desc = {.Width = 37, .Height = 5, .Format = CU_AD_FORMAT_HALF, .NumChannels = 2}, back;
  CUDA_ARRAY3D_DESCRIPTOR desc3 = {.Width = 9, .Height = 3, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4}, back3;
  size_t before, after, total;
  OK(cuMemGetInfo(&before, &total));
  OK(cuArrayCreate(&a, &desc));
  OK(cuArrayGetDescriptor(&back, a));
  assert_memory_equal(&back, &desc, sizeof desc);
  OK(cuArrayDestroy(a));
  assert_int_equal(cuArrayDestroy(a), CUDA_ERROR_INVALID_HANDLE);
  assert_int_equal(cuArrayGetDescriptor(&back, a), CUDA_ERROR_INVALID_HANDLE);
  OK(cuArray3DCreate(&a, &desc3));
  OK(cuArray3DGetDescriptor(&back3, a));
  assert_memory_equal(&back3, &desc3, sizeof desc3);
  OK(cuArrayDestroy(a));
  OK(cuMemGetInfo(&after, &total));
  assert_int_equal(before, after);
  desc.NumChannels = 3;
  assert_int_equal(cuArrayCreate(&a, &desc), CUDA_ERROR_INVALID_VALUE);
  desc.NumChannels = 1;
  desc.Width = 0;
  assert_int_equal(cuArrayCreate(&a, &desc), CUDA_ERROR_INVALID_VALUE);
  desc.Width = 4;
  desc.Format = (CUarray_format)0xb0;
  assert_int_equal(cuArrayCreate(&a, &desc), CUDA_ERROR_NOT_SUPPORTED);
  desc3.Flags = CUDA_ARRAY3D_TEXTURE_GATHER << 1;
  assert_int_equal(cuArray3DCreate(&a, &desc3), CUDA_ERROR_NOT_SUPPORTED);
}

/* The same bytes as three planes: a host one, device memory, an array; WIDE x HIGH bytes. */
enum { WIDE = 152, HIGH = 23, PITCH = 160, PLANES = 6 };
struct plane {
  CUmemorytype type;
  bool on_host;              /* of unified memory */
  uint8_t model[HIGH][WIDE]; /* what it should hold */
  uint8_t host[HIGH][PITCH];
  CUdeviceptr device;
  CUarray array;
};

static void side_of(struct plane *p, CUmemorytype *type, void **host, CUdeviceptr *device, CUarray *array) {
  *type = p->type;
  *host = p->host;
  *device = p->type == CU_MEMORYTYPE_UNIFIED && p->on_host ? (CUdeviceptr)(uintptr_t)p->host : p->device;
  *array = p->array;
}

static void check_plane(struct plane *p) {
  uint8_t got[HIGH][WIDE];
  CUDA_MEMCPY2D c = {.dstMemoryType = CU_MEMORYTYPE_HOST,
                     .dstHost = got,
                     .dstPitch = WIDE,
                     .srcPitch = PITCH,
                     .WidthInBytes = WIDE,
                     .Height = HIGH};
  void *host;
  side_of(p, &c.srcMemoryType, &host, &c.srcDevice, &c.srcArray);
  c.srcHost = host;
  OK(cuMemcpy2D(&c));
  for (uint32_t y = 0; y < HIGH; y++) assert_memory_equal(got[y], p->model[y], WIDE);
}

static void test_rectangles_move_between_all_kinds_of_memory(void **state) {
  (void)state;
  static struct plane plane[PLANES] = {
    {.type = CU_MEMORYTYPE_HOST},  {.type = CU_MEMORYTYPE_DEVICE},  {.type = CU_MEMORYTYPE_ARRAY},
    {.type = CU_MEMORYTYPE_ARRAY}, {.type = CU_MEMORYTYPE_UNIFIED}, {.type = CU_MEMORYTYPE_UNIFIED, .on_host = true}};
  CUDA_ARRAY_DESCRIPTOR desc = {
    .Width = WIDE / 4, .Height = HIGH, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
  print_message("seed 0x%llx\n", (unsigned long long)random_state);
  for (uint32_t i = 0; i < PLANES; i++) {
    OK(cuMemAlloc(&plane[i].device, PITCH * HIGH));
    OK(cuMemsetD8(plane[i].device, 0, PITCH * HIGH));
    if (plane[i].type == CU_MEMORYTYPE_ARRAY) OK(cuArrayCreate(&plane[i].array, &desc));
  }
  for (uint32_t y = 0; y < HIGH; y++)
    for (uint32_t x = 0; x < WIDE; x++) plane[0].host[y][x] = plane[0].model[y][x] = (uint8_t)draw(256);
  for (uint32_t k = 0; k < 400; k++) {
    struct plane *from = &plane[draw(PLANES)], *to = &plane[draw(PLANES)];
    if (from == to) continue;
    uint32_t w = draw(WIDE / 4) + 1, h = draw(HIGH) + 1;
    uint32_t sx = draw(WIDE / 4 - w + 1), sy = draw(HIGH - h + 1), dx = draw(WIDE / 4 - w + 1), dy = draw(HIGH - h + 1);
    CUDA_MEMCPY2D c = {.srcXInBytes = sx * 4,
                       .srcY = sy,
                       .srcPitch = PITCH,
                       .dstXInBytes = dx * 4,
                       .dstY = dy,
                       .dstPitch = PITCH,
                       .WidthInBytes = w * 4,
                       .Height = h};
    void *host;
    side_of(from, &c.srcMemoryType, &host, &c.srcDevice, &c.srcArray);
    c.srcHost = host;
    side_of(to, &c.dstMemoryType, &c.dstHost, &c.dstDevice, &c.dstArray);
    OK(k % 3 == 0 ? cuMemcpy2D(&c) : k % 3 == 1 ? cuMemcpy2DUnaligned(&c) : cuMemcpy2DAsync(&c, NULL));
    for (uint32_t y = 0; y < h; y++) memcpy(to->model[dy + y] + dx * 4, from->model[sy + y] + sx * 4, w * 4);
    check_plane(to);
  }
  for (uint32_t i = 0; i < PLANES; i++) {
    check_plane(&plane[i]);
    OK(cuMemFree(plane[i].device));
    if (plane[i].array) OK(cuArrayDestroy(plane[i].array));
  }
}

static void test_rectangles_that_leave_their_memory_are_refused(void **state) {
  (void)state;
  uint8_t host[64 * 16];
  CUarray a;
  CUDA_ARRAY_DESCRIPTOR desc = {.Width = 16, .Height = 8, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
  OK(cuArrayCreate(&a, &desc));
  const CUDA_MEMCPY2D good = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                              .srcHost = host,
                              .srcPitch = 64,
                              .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                              .dstArray = a,
                              .WidthInBytes = 64,
                              .Height = 8};
  CUDA_MEMCPY2D c = good;
  memset(host, 0, sizeof host);
  OK(cuMemcpy2D(&c));
  c.dstXInBytes = 4;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.dstY = 1;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.WidthInBytes = 6; /* no whole elements */
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.srcPitch = 60;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.srcHost = NULL;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.dstArray = (CUarray)(void *)host;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_HANDLE);
  c = good, c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = out, c.srcPitch = (size_t)1 << 60;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.srcMemoryType = (CUmemorytype)9;
  assert_int_equal(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c = good, c.Height = 0;
  OK(cuMemcpy2D(&c));
  assert_int_equal(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
  OK(cuArrayDestroy(a));
}

/* Bytes of an array in the order of its rows, from any offset on. */
static void test_runs_of_bytes_follow_the_rows(void **state) {
  (void)state;
  for (uint32_t two = 0; two < 2; two++) {
    CUarray a, b;
    CUDA_ARRAY_DESCRIPTOR desc = {
      .Width = 21, .Height = two ? 13 : 0, .Format = CU_AD_FORMAT_SIGNED_INT16, .NumChannels = 1};
    uint32_t all = 42 * (two ? 13 : 1);
    uint8_t host[42 * 13], got[42 * 13];
    CUdeviceptr device;
    OK(cuArrayCreate(&a, &desc));
    OK(cuArrayCreate(&b, &desc));
    OK(cuMemAlloc(&device, all));
    for (uint32_t i = 0; i < all; i++) host[i] = (uint8_t)draw(256);
    OK(cuMemcpyHtoA(a, 0, host, all));
    for (uint32_t k = 0; k < 50; k++) {
      uint32_t at = draw(all), n = draw(all - at + 1);
      OK(cuMemcpyAtoH(got, a, at, n));
      assert_memory_equal(got, host + at, n);
      for (uint32_t i = 0; i < n; i++) host[at + i] = (uint8_t)draw(256);
      OK(cuMemcpyHtoAAsync(a, at, host + at, n, NULL));
    }
    OK(cuMemcpyAtoD(device, a, 0, all));
    OK(cuMemcpyDtoA(b, 6, device + 6, all - 6));
    OK(cuMemcpyAtoA(b, 0, a, 0, 6));
    OK(cuMemcpyAtoHAsync(got, b, 0, all, NULL));
    assert_memory_equal(got, host, all);
    assert_int_equal(cuMemcpyAtoH(got, a, 1, all), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyAtoD(device, a, 0, all + 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyAtoH(got, NULL, 0, 1), CUDA_ERROR_INVALID_HANDLE);
    OK(cuMemFree(device));
    OK(cuArrayDestroy(a));
    OK(cuArrayDestroy(b));
  }
}

/* ---- fetches ---- */

static void fetch(const char *kernel, const uint32_t *coordinates, CUtexObject texture, uint32_t *got) {
  CUfunction f;
  OK(cuModuleGetFunction(&f, module, kernel));
  OK(cuMemcpyHtoD(xy, coordinates, 8 * THREADS));
  void *params[] = {&out, &xy, &texture};
  OK(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL));
  OK(cuMemcpyDtoH(got, out, 4 * THREADS));
}

enum { IMAGE_WIDTH = 24, IMAGE_HEIGHT = 10 };
static uint32_t image_word(uint32_t x, uint32_t y) { return 1 + (y * IMAGE_WIDTH + x) * 2654435761u; }

/* Coordinates a quarter apart from -1 on, and what a wrapped, normalized texture of words returns there. */
static void coordinates_and_words(uint32_t *c, uint32_t *want) {
  for (uint32_t i = 0; i < THREADS; i++) {
    float x = (float)i * 0.25f - 1.0f, y = (float)(i % 7) * 0.5f - 1.0f;
    c[2 * i] = bits_of(x);
    c[2 * i + 1] = bits_of(y);
    uint32_t column = i % 4 * (IMAGE_WIDTH / 4), row = i % 7 % 2 * (IMAGE_HEIGHT / 2);
    want[i] = image_word(column, row);
  }
}

static CUarray image_array(void) {
  CUarray a;
  uint32_t words[IMAGE_HEIGHT][IMAGE_WIDTH];
  CUDA_ARRAY_DESCRIPTOR desc = {
    .Width = IMAGE_WIDTH, .Height = IMAGE_HEIGHT, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
  for (uint32_t i = 0; i < IMAGE_WIDTH * IMAGE_HEIGHT; i++)
    words[i / IMAGE_WIDTH][i % IMAGE_WIDTH] = image_word(i % IMAGE_WIDTH, i / IMAGE_WIDTH);
  OK(cuArrayCreate(&a, &desc));
  OK(cuMemcpyHtoA(a, 0, words, sizeof words));
  return a;
}

static void test_an_object_fetches_from_array_rows_and_linear_memory(void **state) {
  (void)state;
  uint32_t c[2 * THREADS], want[THREADS], got[THREADS];
  CUDA_RESOURCE_DESC r, back;
  CUDA_TEXTURE_DESC t, texture_back;
  CUtexObject object;
  CUdeviceptr rows;
  memset(&r, 0, sizeof r);
  memset(&t, 0, sizeof t);
  t.flags = CU_TRSF_NORMALIZED_COORDINATES;
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = image_array();
  CUarray a = r.res.array.hArray;
  coordinates_and_words(c, want);
  OK(cuTexObjectCreate(&object, &r, &t, NULL));
  fetch("object_2d", c, object, got);
  assert_memory_equal(got, want, sizeof want);
  OK(cuTexObjectGetResourceDesc(&back, object));
  OK(cuTexObjectGetTextureDesc(&texture_back, object));
  assert_memory_equal(&back, &r, sizeof r);
  assert_memory_equal(&texture_back, &t, sizeof t);
  OK(cuTexObjectDestroy(object));
  assert_int_equal(cuTexObjectDestroy(object), CUDA_ERROR_INVALID_VALUE);

  OK(cuMemAlloc(&rows, IMAGE_HEIGHT * 128));
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                        .srcArray = a,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = rows,
                        .dstPitch = 128,
                        .WidthInBytes = IMAGE_WIDTH * 4,
                        .Height = IMAGE_HEIGHT};
  OK(cuMemcpy2D(&copy));
  memset(&r, 0, sizeof r);
  r.resType = CU_RESOURCE_TYPE_PITCH2D;
  r.res.pitch2D.devPtr = rows;
  r.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32;
  r.res.pitch2D.numChannels = 1;
  r.res.pitch2D.width = IMAGE_WIDTH;
  r.res.pitch2D.height = IMAGE_HEIGHT;
  r.res.pitch2D.pitchInBytes = 128;
  OK(cuTexObjectCreate(&object, &r, &t, NULL));
  memset(got, 0, sizeof got);
  fetch("object_2d", c, object, got);
  assert_memory_equal(got, want, sizeof want);
  OK(cuTexObjectDestroy(object));

  memset(&r, 0, sizeof r);
  r.resType = CU_RESOURCE_TYPE_LINEAR;
  r.res.linear.devPtr = rows;
  r.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
  r.res.linear.numChannels = 1;
  r.res.linear.sizeInBytes = IMAGE_WIDTH * 4 + 3; /* the rest is no element */
  OK(cuTexObjectCreate(&object, &r, &t, NULL));
  for (uint32_t i = 0; i < THREADS; i++) {
    int32_t x = (int32_t)i - 20;
    c[2 * i] = (uint32_t)x;
    want[i] = x >= 0 && x < IMAGE_WIDTH ? image_word((uint32_t)x, 0) : 0;
  }
  fetch("object_1d", c, object, got);
  assert_memory_equal(got, want, sizeof want);
  OK(cuTexObjectDestroy(object));
  OK(cuMemFree(rows));
  OK(cuArrayDestroy(a));
}

static void test_a_reference_of_a_module_fetches_what_is_bound_to_it(void **state) {
  (void)state;
  uint32_t c[2 * THREADS], want[THREADS], got[THREADS];
  CUtexref ref, again;
  CUarray a = image_array();
  CUdeviceptr linear;
  size_t offset = 99;
  assert_int_equal(cuModuleGetTexRef(&ref, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  assert_int_equal(cuModuleGetTexRef(&ref, module, "plain"), CUDA_ERROR_NOT_FOUND);
  OK(cuModuleGetTexRef(&ref, module, "image"));
  OK(cuModuleGetTexRef(&again, module, "image"));
  assert_ptr_equal(ref, again);
  assert_int_equal(cuTexRefDestroy(ref), CUDA_ERROR_INVALID_HANDLE); /* it is the module's */
  OK(cuTexRefSetArray(ref, a, CU_TRSA_OVERRIDE_FORMAT));
  OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_UNSIGNED_INT32, 1));
  assert_int_equal(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 1), CUDA_ERROR_INVALID_VALUE);
  OK(cuTexRefSetAddressMode(ref, 0, CU_TR_ADDRESS_MODE_WRAP));
  OK(cuTexRefSetAddressMode(ref, 1, CU_TR_ADDRESS_MODE_WRAP));
  OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_POINT));
  OK(cuTexRefSetFlags(ref, CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER));
  coordinates_and_words(c, want);
  fetch("named_2d", c, 0, got);
  assert_memory_equal(got, want, sizeof want);
  OK(cuTexRefSetAddressMode(ref, 0, CU_TR_ADDRESS_MODE_CLAMP));
  fetch("named_2d", c, 0, got);
  for (uint32_t i = 8; i < THREADS; i++)
    assert_int_equal(got[i], image_word(IMAGE_WIDTH - 1, i % 7 % 2 * (IMAGE_HEIGHT / 2)));

  OK(cuMemAlloc(&linear, 4 * THREADS));
  for (uint32_t i = 0; i < THREADS; i++) want[i] = draw(1u << 30), c[2 * i] = i + 4;
  OK(cuMemcpyHtoD(linear, want, sizeof want));
  OK(cuTexRefSetAddress(&offset, ref, linear + 16, 4 * THREADS - 16));
  assert_int_equal(offset, 16);
  OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_SIGNED_INT32, 1));
  fetch("named_1d", c, 0, got);
  assert_memory_equal(got, want + 4, sizeof want - 16);
  assert_int_equal(got[THREADS - 1], 0);
  CUDA_ARRAY_DESCRIPTOR desc = {.Width = 8, .Height = 4, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
  OK(cuTexRefSetFlags(ref, 0));
  OK(cuTexRefSetAddress2D(ref, &desc, linear, 64));
  for (uint32_t i = 0; i < THREADS; i++) c[2 * i] = bits_of((float)(i % 8)), c[2 * i + 1] = bits_of((float)(i / 8 % 4));
  fetch("named_2d", c, 0, got);
  for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(got[i], want[i / 8 % 4 * 16 + i % 8]);
  OK(cuMemFree(linear));
  OK(cuArrayDestroy(a));
}

static void test_what_is_not_simulated_is_refused(void **state) {
  (void)state;
  CUtexObject object;
  CUtexref ref;
  CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
  CUDA_TEXTURE_DESC t;
  r.res.array.hArray = image_array();
  memset(&t, 0, sizeof t);
  t.filterMode = CU_TR_FILTER_MODE_LINEAR; /* of integers */
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_INVALID_VALUE);
  t.filterMode = CU_TR_FILTER_MODE_POINT;
  t.flags = CU_TRSF_SRGB | CU_TRSF_READ_AS_INTEGER;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_NOT_SUPPORTED);
  t.flags = 0;
  t.borderColor[1] = 1;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_NOT_SUPPORTED);
  t.borderColor[1] = 0;
  t.addressMode[0] = (CUaddress_mode)7;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_INVALID_VALUE);
  t.addressMode[0] = CU_TR_ADDRESS_MODE_MIRROR;
  CUDA_RESOURCE_VIEW_DESC block = {.format = CU_RES_VIEW_FORMAT_UNSIGNED_BC1};
  CUDA_ARRAY3D_DESCRIPTOR sizes;
  OK(cuArray3DGetDescriptor(&sizes, r.res.array.hArray));
  block.width = sizes.Width, block.height = sizes.Height, block.depth = sizes.Depth;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, &block), CUDA_ERROR_NOT_SUPPORTED);
  r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_INVALID_HANDLE);
  OK(cuArrayDestroy(r.res.array.hArray));
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_INVALID_HANDLE);
  memset(&r, 0, sizeof r);
  r.resType = CU_RESOURCE_TYPE_LINEAR;
  r.res.linear.devPtr = out;
  r.res.linear.format = CU_AD_FORMAT_FLOAT;
  r.res.linear.numChannels = 1;
  r.res.linear.sizeInBytes = 4 * THREADS + 1;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_INVALID_VALUE);
  r.res.linear.devPtr = out + 16;
  r.res.linear.sizeInBytes = 16;
  assert_int_equal(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_ERROR_INVALID_VALUE);
  OK(cuTexRefCreate(&ref));
  OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_LINEAR));
  assert_int_equal(cuTexRefSetAddressMode(ref, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
  OK(cuTexRefDestroy(ref));
  assert_int_equal(cuTexRefSetFlags(ref, 0), CUDA_ERROR_INVALID_HANDLE);
}

/* Last: an unloaded module takes its references along. */
static void test_references_go_with_their_module(void **state) {
  (void)state;
  CUtexref ref;
  OK(cuModuleGetTexRef(&ref, module, "image"));
  OK(cuModuleUnload(module));
  assert_int_equal(cuTexRefSetFlags(ref, 0), CUDA_ERROR_INVALID_HANDLE);
  assert_int_equal(cuModuleGetTexRef(&ref, module, "image"), CUDA_ERROR_INVALID_HANDLE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_array_keeps_its_descriptor),
    cmocka_unit_test(test_rectangles_move_between_all_kinds_of_memory),
    cmocka_unit_test(test_rectangles_that_leave_their_memory_are_refused),
    cmocka_unit_test(test_runs_of_bytes_follow_the_rows),
    cmocka_unit_test(test_an_object_fetches_from_array_rows_and_linear_memory),
    cmocka_unit_test(test_a_reference_of_a_module_fetches_what_is_bound_to_it),
    cmocka_unit_test(test_what_is_not_simulated_is_refused),
    cmocka_unit_test(test_references_go_with_their_module),
  };
  setenv("TANDEM_MACHINE", "gtx480", 1);
  setenv("TANDEM_SET", "sm.count=2 memory.mib=64", 1);
  return cmocka_run_group_tests(tests, start, NULL);
}
