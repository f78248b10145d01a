/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a texture of sRGB values return their light, and one with a resource view the elements of that view? The host computes the
 * light with powl, and knows what each element of each level and layer holds. */
#include "kit/driver.h"

#include <math.h>

enum { THREADS = 256, SIDE = 16 };

static CUdeviceptr out;

static int start(void **state) {
  (void)state;
  use_device();
  OK(cuMemAlloc(&out, 16 * THREADS));
  return 0;
}

/* Thread t fetches at x = t % 16, y = t / 16 (%f1, %f2; %r1 is t) and writes four words. */
static void fetch(CUtexObject texture, const char *instruction, void *got) {
  static char text[2000];
  CUmodule module;
  CUfunction f;
  void *params[] = {&out, &texture};
  int n = snprintf(
    text, sizeof text,
    HEADER ".visible .entry f(.param .u64 out, .param .u64 t)\n{\n"
           ".reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b64 %%rd<9>;\n"
           "ld.param.u64 %%rd1, [out]; ld.param.u64 %%rd2, [t]; mov.u32 %%r1, %%tid.x;\n"
           "and.b32 %%r2, %%r1, 15; shr.u32 %%r3, %%r1, 4; cvt.rn.f32.u32 %%f1, %%r2; cvt.rn.f32.u32 %%f2, %%r3;\n"
           "mul.wide.u32 %%rd3, %%r1, 16; add.u64 %%rd1, %%rd1, %%rd3;\n"
           "%s;\nst.global.v4.b32 [%%rd1], {%%r4, %%r5, %%r6, %%r7}; ret;\n}\n",
    instruction);
  assert_true(n < (int)sizeof text);
  OK(cuModuleLoadData(&module, text));
  OK(cuModuleGetFunction(&f, module, "f"));
  OK(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL));
  OK(cuMemcpyDtoH(got, out, 16 * THREADS));
  OK(cuModuleUnload(module));
}

static CUresult texture_of(CUtexObject *object, CUarray array, CUmipmappedArray mipmap, unsigned int flags,
                           CUfilter_mode filter, const CUDA_RESOURCE_VIEW_DESC *view) {
  CUDA_RESOURCE_DESC r;
  CUDA_TEXTURE_DESC t;
  memset(&r, 0, sizeof r);
  memset(&t, 0, sizeof t);
  r.resType = mipmap ? CU_RESOURCE_TYPE_MIPMAPPED_ARRAY : CU_RESOURCE_TYPE_ARRAY;
  if (mipmap) r.res.mipmap.hMipmappedArray = mipmap;
  else r.res.array.hArray = array;
  for (int i = 0; i < 3; i++) t.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
  t.flags = flags;
  t.filterMode = filter;
  t.maxMipmapLevelClamp = 99;
  return cuTexObjectCreate(object, &r, &t, view);
}

/* SIDE x SIDE elements a slice, from `host`. */
static void upload(CUarray array, const void *host, size_t element, size_t side, size_t slices) {
  CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                     .srcHost = host,
                     .srcPitch = side * element,
                     .srcHeight = side,
                     .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                     .dstArray = array,
                     .WidthInBytes = side * element,
                     .Height = side,
                     .Depth = slices};
  OK(cuMemcpy3D(&c));
}

static CUarray bytes_array(uint8_t pixel[THREADS][4]) {
  CUDA_ARRAY3D_DESCRIPTOR desc = {
    .Width = SIDE, .Height = SIDE, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
  CUarray array;
  OK(cuArray3DCreate(&array, &desc));
  for (int i = 0; i < THREADS; i++)
    for (int c = 0; c < 4; c++) pixel[i][c] = (uint8_t)(c == 3 ? 255 - i : i + 7 * c);
  upload(array, pixel, 4, SIDE, 1);
  return array;
}

/* ---- sRGB ---- */

static float light(uint8_t v) {
  long double c = v / 255.0L;
  return (float)(c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L));
}

static void test_srgb_values_become_light(void **state) {
  (void)state;
  uint8_t pixel[THREADS][4];
  float got[THREADS][4];
  CUtexObject object;
  CUarray array = bytes_array(pixel);
  OK(texture_of(&object, array, NULL, CU_TRSF_SRGB, CU_TR_FILTER_MODE_POINT, NULL));
  fetch(object, "tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%f1, %f2}]", got);
  for (int i = 0; i < THREADS; i++)
    for (int c = 0; c < 4; c++) {
      float want = c == 3 ? (float)pixel[i][c] / 255.0f : light(pixel[i][c]);
      if (got[i][c] != want)
        fail_msg("channel %d of %u is %.9g, not %.9g", c, pixel[i][c], (double)got[i][c], (double)want);
    }
  OK(cuTexObjectDestroy(object));
  /* between two elements: the mean of their light, not the light of their mean */
  OK(texture_of(&object, array, NULL, CU_TRSF_SRGB, CU_TR_FILTER_MODE_LINEAR, NULL));
  fetch(object,
        "add.f32 %f1, %f1, 0f3f800000; add.f32 %f2, %f2, 0f3f000000;\n"
        "tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%f1, %f2}]",
        got);
  for (int i = 0; i < THREADS; i++) {
    const uint8_t *a = pixel[i], *b = i % SIDE < SIDE - 1 ? pixel[i + 1] : a;
    float want = (float)(0.5 * (double)light(a[0]) + 0.5 * (double)light(b[0]));
    if (got[i][0] != want)
      fail_msg("the mean of %u and %u is %.9g, not %.9g", a[0], b[0], (double)got[i][0], (double)want);
  }
  OK(cuTexObjectDestroy(object));
  FAILS(texture_of(&object, array, NULL, CU_TRSF_SRGB | CU_TRSF_READ_AS_INTEGER, CU_TR_FILTER_MODE_POINT, NULL),
        NOT_SUPPORTED);
  OK(cuArrayDestroy(array));
}

/* ---- views ---- */

static void test_a_view_has_another_format(void **state) {
  (void)state;
  uint8_t pixel[THREADS][4];
  uint32_t got[THREADS][4];
  CUtexObject object;
  CUarray array = bytes_array(pixel);
  CUDA_RESOURCE_VIEW_DESC view = {.format = CU_RES_VIEW_FORMAT_UINT_1X32, .width = SIDE, .height = SIDE}, back;
  OK(texture_of(&object, array, NULL, CU_TRSF_READ_AS_INTEGER, CU_TR_FILTER_MODE_POINT, &view));
  OK(cuTexObjectGetResourceViewDesc(&back, object));
  assert_memory_equal(&back, &view, sizeof view);
  fetch(object, "tex.2d.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%f1, %f2}]", got);
  for (int i = 0; i < THREADS; i++) assert_memory_equal(got[i], pixel[i], 4);
  OK(cuTexObjectDestroy(object));
  view.format = CU_RES_VIEW_FORMAT_SINT_2X16;
  OK(texture_of(&object, array, NULL, CU_TRSF_READ_AS_INTEGER, CU_TR_FILTER_MODE_POINT, &view));
  fetch(object, "tex.2d.v4.s32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%f1, %f2}]", got);
  for (int i = 0; i < THREADS; i++)
    for (int c = 0; c < 2; c++) {
      int16_t v;
      memcpy(&v, &pixel[i][2 * c], 2);
      assert_int_equal((int32_t)got[i][c], v);
    }
  OK(cuTexObjectDestroy(object));
  OK(cuArrayDestroy(array));
}

static void test_a_view_has_some_levels(void **state) {
  (void)state;
  CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = SIDE, .Height = SIDE, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
  CUDA_RESOURCE_VIEW_DESC view = {.width = SIDE, .height = SIDE, .firstMipmapLevel = 1, .lastMipmapLevel = 2};
  CUmipmappedArray mipmap;
  CUtexObject object;
  CUarray level;
  float host[THREADS], got[THREADS][4];
  OK(cuMipmappedArrayCreate(&mipmap, &desc, 4));
  for (unsigned l = 0; l < 4; l++) {
    for (int i = 0; i < THREADS; i++) host[i] = (float)(1000 * l + i);
    OK(cuMipmappedArrayGetLevel(&level, mipmap, l));
    upload(level, host, 4, SIDE >> l, 1);
  }
  OK(texture_of(&object, NULL, mipmap, CU_TRSF_NORMALIZED_COORDINATES, CU_TR_FILTER_MODE_POINT, &view));
  /* thread t: level t / 16 at x = t % 16 / 16, y = 0; level 0 is that of 8 x 8, all others the next one */
  fetch(object,
        "mul.f32 %f1, %f1, 0f3d800000; mov.b32 %f3, 0f00000000;\n"
        "tex.level.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%f1, %f3}], %f2",
        got);
  for (int i = 0; i < THREADS; i++)
    assert_true(got[i][0] == (float)(i < SIDE ? 1000 + i % SIDE / 2 : 2000 + i % SIDE / 4));
  OK(cuTexObjectDestroy(object));
  view.lastMipmapLevel = 4;
  FAILS(texture_of(&object, NULL, mipmap, CU_TRSF_NORMALIZED_COORDINATES, CU_TR_FILTER_MODE_POINT, &view),
        INVALID_VALUE);
  OK(cuMipmappedArrayDestroy(mipmap));
}

static void test_a_view_has_some_layers(void **state) {
  (void)state;
  enum { LAYERS = 6 };
  CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = SIDE,
                                  .Height = SIDE,
                                  .Depth = LAYERS,
                                  .Format = CU_AD_FORMAT_FLOAT,
                                  .NumChannels = 1,
                                  .Flags = CUDA_ARRAY3D_LAYERED};
  CUDA_RESOURCE_VIEW_DESC view = {.format = CU_RES_VIEW_FORMAT_FLOAT_1X32,
                                  .width = SIDE,
                                  .height = SIDE,
                                  .depth = LAYERS,
                                  .firstLayer = 2,
                                  .lastLayer = 4};
  static float host[LAYERS * THREADS];
  float got[THREADS][4];
  CUtexObject object;
  CUarray array;
  OK(cuArray3DCreate(&array, &desc));
  for (int i = 0; i < LAYERS * THREADS; i++) host[i] = (float)i;
  upload(array, host, 4, SIDE, LAYERS);
  OK(texture_of(&object, array, NULL, 0, CU_TR_FILTER_MODE_POINT, &view));
  fetch(object, "tex.a2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%r3, %f1, %f2, %f2}]", got); /* layer t / 16 */
  for (int i = 0; i < THREADS; i++) {
    int layer = i / SIDE < 3 ? i / SIDE + 2 : 4;
    assert_true(got[i][0] == (float)(layer * THREADS + i));
  }
  OK(cuTexObjectDestroy(object));
  view.firstLayer = 5;
  FAILS(texture_of(&object, array, NULL, 0, CU_TR_FILTER_MODE_POINT, &view), INVALID_VALUE);
  OK(cuArrayDestroy(array));
}

static void test_a_view_that_does_not_fit_is_refused(void **state) {
  (void)state;
  uint8_t pixel[THREADS][4];
  CUtexObject object;
  CUarray array = bytes_array(pixel);
  const CUDA_RESOURCE_VIEW_DESC good = {.width = SIDE, .height = SIDE};
  CUDA_RESOURCE_VIEW_DESC bad[7], back;
  for (int i = 0; i < 7; i++) bad[i] = good;
  bad[0].width = 8;
  bad[1].depth = 1;
  bad[2].format = CU_RES_VIEW_FORMAT_UINT_1X8; /* another size */
  bad[3].lastMipmapLevel = 1;
  bad[4].lastLayer = 1;
  bad[5].reserved[3] = 1;
  bad[6].format = (CUresourceViewFormat)99;
  for (int i = 0; i < 7; i++)
    if (texture_of(&object, array, NULL, 0, CU_TR_FILTER_MODE_POINT, &bad[i]) != CUDA_ERROR_INVALID_VALUE)
      fail_msg("view %d is accepted", i);
  OK(texture_of(&object, array, NULL, 0, CU_TR_FILTER_MODE_POINT, NULL));
  FAILS(cuTexObjectGetResourceViewDesc(&back, object), INVALID_VALUE); /* it has none */
  OK(cuTexObjectDestroy(object));
  OK(cuArrayDestroy(array));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_srgb_values_become_light),
    cmocka_unit_test(test_a_view_has_another_format),
    cmocka_unit_test(test_a_view_has_some_levels),
    cmocka_unit_test(test_a_view_has_some_layers),
    cmocka_unit_test(test_a_view_that_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
