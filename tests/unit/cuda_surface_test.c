/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do suld and sust move the bytes that their coordinates name, in every width and shape, and do copies of boxes see them? Are
 * formatted stores converted, and reductions those of the host? The host keeps its own copy of the elements. */
#include "kit/driver.h"

#include <math.h>
#include <stdlib.h>

/* Thread t moves the bytes of point t (x in bytes, y, z or layer) between the surface and out[16 t]. */
static const char head[] = ".visible .entry %s(.param .u64 out, .param .u64 points, .param .u64 s)\n{\n"
                           ".reg .b16 %%h<5>; .reg .b32 %%r<9>; .reg .b64 %%rd<12>;\n"
                           "ld.param.u64 %%rd8, [out]; ld.param.u64 %%rd9, [points]; ld.param.u64 %%rd10, [s];\n"
                           "mov.u32 %%r8, %%tid.x; mul.wide.u32 %%rd11, %%r8, 16; add.u64 %%rd8, %%rd8, %%rd11;\n"
                           "add.u64 %%rd9, %%rd9, %%rd11; ld.global.v4.b32 {%%r5, %%r6, %%r7, %%r8}, [%%rd9];\n";

enum { POINTS = 96, BYTES = 1 << 14 };
enum shape { ONE, TWO, THREE, ONE_LAYERED, TWO_LAYERED, FACES, SHAPES };
struct point {
  int32_t x, y, z, unused;
};

/* An array of `row` bytes by `h` by `d`, and what should be in it. */
struct field {
  enum shape shape;
  int element, row, h, d;
  uint8_t byte[BYTES];
  CUarray array;
  CUsurfObject surface;
};

static CUdeviceptr out, points;
static uint64_t random_state = 0x5eafa;

static uint32_t draw(uint32_t below) {
  uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)((z ^ z >> 31) >> 16) % below;
}

static int start(void **state) {
  (void)state;
  use_device();
  OK(cuMemAlloc(&out, 16 * POINTS));
  OK(cuMemAlloc(&points, sizeof(struct point) * POINTS));
  return 0;
}

/* ---- kernels ---- */

static const char *coordinates_of(enum shape s) {
  static const char *const text[SHAPES] = {"{%r5}",      "{%r5, %r6}",           "{%r5, %r6, %r7, %r7}",
                                           "{%r7, %r5}", "{%r7, %r5, %r6, %r6}", "{%r7, %r5, %r6, %r6}"};
  return text[s];
}
static const char *geometry_of(enum shape s) {
  static const char *const text[SHAPES] = {"1d", "2d", "3d", "a1d", "a2d", "a2d"};
  return text[s];
}

/* Module with `load` and `store` of `n` values of `bits` each. */
static CUmodule load_kernels(enum shape shape, int bits, int n, const char *outside) {
  static char text[4000], values[80];
  CUmodule module;
  const char *vector = n == 4 ? ".v4" : n == 2 ? ".v2" : "";
  const char *letter = bits == 64 ? "rd" : bits == 32 ? "r" : "h";
  size_t at = (size_t)snprintf(values, sizeof values, "{%%%s1", letter);
  for (int i = 2; i <= n; i++) at += (size_t)snprintf(values + at, sizeof values - at, ", %%%s%d", letter, i);
  snprintf(values + at, sizeof values - at, "}");
  at = (size_t)snprintf(text, sizeof text, HEADER);
  at += (size_t)snprintf(text + at, sizeof text - at, head, "load");
  at += (size_t)snprintf(
    text + at, sizeof text - at, "suld.b.%s%s.b%d.%s %s, [%%rd10, %s];\nst.global%s.b%d [%%rd8], %s; ret;\n}\n",
    geometry_of(shape), vector, bits, outside, values, coordinates_of(shape), vector, bits, values);
  at += (size_t)snprintf(text + at, sizeof text - at, head, "store");
  at += (size_t)snprintf(text + at, sizeof text - at,
                         "ld.global%s.b%d %s, [%%rd8];\nsust.b.%s%s.b%d.%s [%%rd10, %s], %s; ret;\n}\n", vector, bits,
                         values, geometry_of(shape), vector, bits, outside, coordinates_of(shape), values);
  assert_true(at < sizeof text);
  OK(cuModuleLoadData(&module, text));
  return module;
}

static CUresult run(CUmodule module, const char *name, const struct field *f, const struct point *at) {
  CUfunction function;
  CUsurfObject surface = f->surface;
  OK(cuModuleGetFunction(&function, module, name));
  OK(cuMemcpyHtoD(points, at, sizeof(struct point) * POINTS));
  void *params[] = {&out, &points, &surface};
  return cuLaunchKernel(function, 1, 1, 1, POINTS, 1, 1, 0, NULL, params, NULL);
}

/* ---- fields ---- */

static void copy_box(const struct field *f, bool upload, uint8_t *host) {
  CUDA_MEMCPY3D c = {.WidthInBytes = (size_t)f->row, .Height = (size_t)f->h, .Depth = (size_t)f->d};
  c.srcPitch = c.dstPitch = (size_t)f->row;
  c.srcHeight = c.dstHeight = (size_t)f->h;
  c.srcMemoryType = upload ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  c.dstMemoryType = upload ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  c.srcHost = c.dstHost = host;
  c.srcArray = c.dstArray = f->array;
  OK(cuMemcpy3D(&c));
}

static void make_field(struct field *f, enum shape shape, int element) {
  static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                                           CU_AD_FORMAT_UNSIGNED_INT32};
  int width = (int)draw(20) + 5, channels = element > 4 ? element / 4 : element > 2 && draw(2) ? 2 : 1;
  CUDA_RESOURCE_DESC r;
  f->shape = shape;
  f->element = element;
  f->row = width * element;
  f->h = shape == ONE || shape == ONE_LAYERED ? 1 : shape == FACES ? width : (int)draw(9) + 2;
  f->d = shape == ONE || shape == TWO ? 1 : shape == FACES ? 6 : (int)draw(4) + 2;
  int size = element / channels;
  CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = (size_t)width,
                                  .Height = shape == ONE || shape == ONE_LAYERED ? 0 : (size_t)f->h,
                                  .Depth = f->d == 1 ? 0 : (size_t)f->d,
                                  .Format = formats[size == 4 ? 2 : size == 2],
                                  .NumChannels = (unsigned)channels,
                                  .Flags = CUDA_ARRAY3D_SURFACE_LDST};
  if (shape == ONE_LAYERED || shape == TWO_LAYERED) desc.Flags |= CUDA_ARRAY3D_LAYERED;
  if (shape == FACES) desc.Flags |= CUDA_ARRAY3D_CUBEMAP;
  OK(cuArray3DCreate(&f->array, &desc));
  memset(&r, 0, sizeof r);
  r.res.array.hArray = f->array;
  OK(cuSurfObjectCreate(&f->surface, &r));
  assert_true(f->row * f->h * f->d <= BYTES);
  for (int i = 0; i < f->row * f->h * f->d; i++) f->byte[i] = (uint8_t)draw(256);
  copy_box(f, true, f->byte);
}

static void check_field(const struct field *f) {
  static uint8_t got[BYTES];
  memset(got, 0, sizeof got);
  copy_box(f, false, got);
  for (int i = 0; i < f->row * f->h * f->d; i++)
    if (got[i] != f->byte[i])
      fail_msg("byte %d of row %d of slice %d is %u, not %u", i % f->row, i / f->row % f->h, i / f->row / f->h, got[i],
               f->byte[i]);
}

static void drop_field(struct field *f) {
  OK(cuSurfObjectDestroy(f->surface));
  OK(cuArrayDestroy(f->array));
}

/* ---- what the host says ---- */

static int clamped(int c, int most) { return c < 0 ? 0 : c > most ? most : c; }

/* The host's bytes of an access, or NULL: it lies outside and does nothing. */
static uint8_t *place(struct field *f, struct point p, int bytes, bool clamp) {
  int y = f->shape == ONE || f->shape == ONE_LAYERED ? 0 : p.y, z = f->shape == ONE || f->shape == TWO ? 0 : p.z;
  int x = p.x;
  if (clamp) x = clamped(x, f->row - bytes), y = clamped(y, f->h - 1), z = clamped(z, f->d - 1);
  if (x < 0 || x > f->row - bytes || y < 0 || y >= f->h || z < 0 || z >= f->d) return NULL;
  return f->byte + (z * f->h + y) * f->row + x;
}

/* Points of different places, so that stores do not meet; with `wild` some lie outside. */
static void draw_points(const struct field *f, struct point *at, int bytes, bool wild) {
  int columns = f->row / bytes, all = columns * f->h * f->d, first = (int)draw((uint32_t)all);
  for (int i = 0; i < POINTS; i++) {
    int n = (first + i) % all;
    at[i] = (struct point){.x = n % columns * bytes, .y = n / columns % f->h, .z = n / columns / f->h};
    if (i >= all) at[i].x = wild ? -bytes : at[i % all].x;
    if (wild && draw(4) == 0) *(draw(2) ? &at[i].x : draw(2) ? &at[i].y : &at[i].z) = draw(2) ? -16 : 16 * 1000;
  }
}

/* ---- formatted stores and reductions ---- */

/* Module with `store` of an instruction: thread t takes n values from out[16 t]. */
static CUmodule load_instruction(enum shape shape, const char *opcode, int n, bool wide) {
  static char text[2000];
  CUmodule module;
  static const char *const values[] = {"", "%r1", "{%r1, %r2}", "", "{%r1, %r2, %r3, %r4}"};
  size_t at = (size_t)snprintf(text, sizeof text, HEADER);
  at += (size_t)snprintf(text + at, sizeof text - at, head, "store");
  at += (size_t)snprintf(text + at, sizeof text - at,
                         "ld.global.v4.b32 {%%r1, %%r2, %%r3, %%r4}, [%%rd8]; mov.b64 %%rd1, {%%r1, %%r2};\n"
                         "%s [%%rd10, %s], %s; ret;\n}\n",
                         opcode, coordinates_of(shape), wide ? "%rd1" : values[n]);
  assert_true(at < sizeof text);
  OK(cuModuleLoadData(&module, text));
  return module;
}

static const struct {
  CUarray_format format;
  int bytes;
  bool is_float;
} kinds[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 1, false},
             {CU_AD_FORMAT_SIGNED_INT8, 1, false},
             {CU_AD_FORMAT_UNSIGNED_INT16, 2, false},
             {CU_AD_FORMAT_SIGNED_INT16, 2, false},
             {CU_AD_FORMAT_UNSIGNED_INT32, 4, false},
             {CU_AD_FORMAT_SIGNED_INT32, 4, false},
             {CU_AD_FORMAT_HALF, 2, true},
             {CU_AD_FORMAT_FLOAT, 4, true}};

static void make_kind(struct field *f, enum shape shape, size_t kind, int channels) {
  CUDA_RESOURCE_DESC r;
  int width = (int)draw(20) + 5, element = kinds[kind].bytes * channels;
  *f = (struct field){.shape = shape,
                      .element = element,
                      .row = width * element,
                      .h = shape == ONE ? 1 : (int)draw(9) + 2,
                      .d = shape == THREE ? (int)draw(4) + 2 : 1};
  CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = (size_t)width,
                                  .Height = shape == ONE ? 0 : (size_t)f->h,
                                  .Depth = shape == THREE ? (size_t)f->d : 0,
                                  .Format = kinds[kind].format,
                                  .NumChannels = (unsigned)channels,
                                  .Flags = CUDA_ARRAY3D_SURFACE_LDST};
  OK(cuArray3DCreate(&f->array, &desc));
  memset(&r, 0, sizeof r);
  r.res.array.hArray = f->array;
  OK(cuSurfObjectCreate(&f->surface, &r));
  for (int i = 0; i < f->row * f->h * f->d; i++) f->byte[i] = (uint8_t)draw(256);
  copy_box(f, true, f->byte);
}

/* The nearest half to a float, by looking at all of them; an even one of two (tests/unit/ptx_convert_test.c tests conversions). */
static uint16_t nearest_half(float v) {
  double best = INFINITY;
  uint16_t found = 0;
  if (fabsf(v) >= 65520.0f) found = 0x7c00, best = 0; /* half a unit beyond the greatest one */
  for (uint32_t h = 0; h < 0x7c00; h++) {
    double value = h < 0x400 ? ldexp(h, -24) : ldexp((h & 0x3ff) | 0x400, (int)(h >> 10) - 25);
    double off = fabs(fabs((double)v) - value);
    if (off < best || (off == best && h % 2 == 0)) best = off, found = (uint16_t)h;
  }
  return (uint16_t)(found | (signbit(v) ? 0x8000 : 0));
}

/* What the host writes for one component. */
static uint32_t converted(size_t kind, uint32_t word) {
  float v;
  memcpy(&v, &word, sizeof v);
  if (kinds[kind].format == CU_AD_FORMAT_HALF) return nearest_half(v);
  if (kinds[kind].bytes == 4) return word;
  bool is_signed = kinds[kind].format == CU_AD_FORMAT_SIGNED_INT8 || kinds[kind].format == CU_AD_FORMAT_SIGNED_INT16;
  long long n = is_signed ? (int32_t)word : (long long)word, top = 1LL << (8 * kinds[kind].bytes - is_signed);
  return (uint32_t)(n >= top ? top - 1 : is_signed && n < -top ? -top : n);
}

static uint32_t draw_word(size_t kind) {
  float v = ((float)draw(1 << 20) - (float)(1 << 19)) / (float)(1 << draw(30));
  uint32_t word = draw(1 << 16) << 16 | draw(1 << 16);
  if (kinds[kind].is_float) memcpy(&word, &v, sizeof v);
  else if (draw(2)) word = (uint32_t)((int32_t)word >> (8 + draw(24)));
  return word;
}

static void store_formatted(enum shape shape, size_t kind, int channels, int n) {
  static struct field f;
  struct point at[POINTS], in_bytes;
  uint32_t data[POINTS][4];
  char opcode[80];
  make_kind(&f, shape, kind, channels);
  snprintf(opcode, sizeof opcode, "sust.p.%s%s.b32.zero", geometry_of(shape), n == 4 ? ".v4" : n == 2 ? ".v2" : "");
  CUmodule module = load_instruction(shape, opcode, n, false);
  draw_points(&f, at, f.element, true);
  for (int i = 0; i < POINTS; i++) {
    at[i].x /= f.element;
    for (int c = 0; c < 4; c++) data[i][c] = draw_word(kind);
  }
  OK(cuMemcpyHtoD(out, data, sizeof data));
  OK(run(module, "store", &f, at));
  for (int i = 0; i < POINTS; i++) {
    in_bytes = at[i];
    in_bytes.x *= f.element;
    uint8_t *to = place(&f, in_bytes, f.element, false);
    for (int c = 0; to && c < channels; c++) {
      uint32_t v = c < n ? converted(kind, data[i][c]) : 0;
      memcpy(to + c * kinds[kind].bytes, &v, (size_t)kinds[kind].bytes);
    }
  }
  check_field(&f);
  drop_field(&f);
  OK(cuModuleUnload(module));
}

static void test_formatted_stores_convert_to_the_format_of_the_elements(void **state) {
  (void)state;
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
    for (int channels = 1; channels <= 4; channels *= 2)
      store_formatted((enum shape)(kind % 3), kind, channels, channels == 2 ? 1 << draw(3) : channels);
}

static uint64_t reduced(const char *op, bool is_signed, uint64_t a, uint64_t b) {
  bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
  if (strcmp(op, "add") == 0) return a + b;
  if (strcmp(op, "min") == 0) return less ? a : b;
  if (strcmp(op, "max") == 0) return less ? b : a;
  return strcmp(op, "and") == 0 ? a & b : a | b;
}

/* All threads meet at few places. */
static void reduce(enum shape shape, const char *op, const char *type, size_t kind) {
  static struct field f;
  struct point at[POINTS];
  uint32_t data[POINTS][4];
  char opcode[80];
  bool wide = strstr(type, "64"), formatted = strcmp(type, "p") == 0;
  bool is_signed = type[0] == 's' || (formatted && kinds[kind].format == CU_AD_FORMAT_SIGNED_INT32);
  int bytes = wide ? 8 : 4;
  make_kind(&f, shape, kind, wide ? 2 : 1);
  snprintf(opcode, sizeof opcode, "sured.%s.%s.%s.%s.zero", formatted ? "p" : "b", op, geometry_of(shape),
           formatted ? "b32" : type);
  CUmodule module = load_instruction(shape, opcode, 1, wide);
  for (int i = 0; i < POINTS; i++) {
    at[i] = (struct point){(int)draw(4) * (formatted ? 1 : bytes), (int)draw(2), (int)draw(2), 0};
    if (draw(8) == 0) at[i].x = -1;
    for (int c = 0; c < 4; c++) data[i][c] = draw_word(kind);
  }
  OK(cuMemcpyHtoD(out, data, sizeof data));
  OK(run(module, "store", &f, at));
  for (int i = 0; i < POINTS; i++) {
    uint64_t old = 0, value = 0;
    struct point p = at[i];
    if (formatted) p.x *= bytes;
    uint8_t *to = place(&f, p, bytes, false);
    if (!to) continue;
    memcpy(&old, to, (size_t)bytes);
    memcpy(&value, data[i], (size_t)bytes);
    if (is_signed && !wide) old = (uint64_t)(int32_t)old, value = (uint64_t)(int32_t)value;
    uint64_t sum = reduced(op, is_signed, old, value);
    memcpy(to, &sum, (size_t)bytes);
  }
  check_field(&f);
  drop_field(&f);
  OK(cuModuleUnload(module));
}

static void test_reductions_are_those_of_the_host(void **state) {
  (void)state;
  static const struct {
    const char *op, *types[5];
  } all[] = {{"add", {"u32", "s32", "u64", "p"}},
             {"min", {"u32", "s32", "u64", "s64", "p"}},
             {"max", {"u32", "s32", "u64", "s64", "p"}},
             {"and", {"b32", "p"}},
             {"or", {"b32", "p"}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int t = 0; t < 5 && all[i].types[t]; t++) {
      reduce((enum shape)((i + (size_t)t) % 3), all[i].op, all[i].types[t], 4);
      reduce((enum shape)((i + (size_t)t + 1) % 3), all[i].op, all[i].types[t], 5);
    }
}

/* ---- tests ---- */

static void one_width(struct field *f, int bits, int n) {
  int bytes = bits / 8 * n;
  struct point at[POINTS];
  uint8_t data[POINTS][16], got[POINTS][16];
  if (f->row % bytes) return;
  bool wild = draw(2), clamp = wild && bytes <= f->element && draw(2);
  CUmodule module = load_kernels(f->shape, bits, n, clamp ? "clamp" : wild ? "zero" : "trap");
  draw_points(f, at, bytes, wild);
  OK(run(module, "load", f, at));
  OK(cuMemcpyDtoH(got, out, sizeof got));
  for (int i = 0; i < POINTS; i++) {
    static const uint8_t zero[16];
    const uint8_t *from = place(f, at[i], bytes, clamp);
    assert_memory_equal(got[i], from ? from : zero, bytes);
  }
  if (!clamp) { /* clamped stores would meet */
    for (int i = 0; i < POINTS * 16; i++) data[i / 16][i % 16] = (uint8_t)draw(256);
    int all = f->row / bytes * f->h * f->d;
    for (int i = 0; i < POINTS; i++)
      if (i >= all) memcpy(data[i], data[i % all], 16);
    OK(cuMemcpyHtoD(out, data, sizeof data));
    OK(run(module, "store", f, at));
    for (int i = 0; i < POINTS; i++) {
      uint8_t *to = place(f, at[i], bytes, false);
      if (to) memcpy(to, data[i], (size_t)bytes);
    }
    check_field(f);
  }
  OK(cuModuleUnload(module));
}

static void test_every_width_and_shape_moves_the_bytes_that_it_names(void **state) {
  (void)state;
  static struct field f;
  print_message("seed 0x%llx\n", (unsigned long long)random_state);
  for (int shape = 0; shape < SHAPES; shape++)
    for (int element = 1; element <= 16; element *= 2) {
      make_field(&f, (enum shape)shape, element);
      for (int bits = 8; bits <= 64; bits *= 2)
        for (int n = 1; n <= 4 && bits * n <= 128; n *= 2) one_width(&f, bits, n);
      drop_field(&f);
    }
}

static void test_boxes_move_between_arrays_and_memory(void **state) {
  (void)state;
  static struct field a, b;
  make_field(&a, THREE, 4);
  for (int round = 0; round < 60; round++) {
    make_field(&b, THREE, 4);
    int w = 1 + (int)draw((uint32_t)(a.row < b.row ? a.row : b.row) / 4),
        h = 1 + (int)draw((uint32_t)(a.h < b.h ? a.h : b.h));
    int d = 1 + (int)draw((uint32_t)(a.d < b.d ? a.d : b.d));
    struct point from = {4 * (int)draw((uint32_t)(a.row / 4 - w + 1)), (int)draw((uint32_t)(a.h - h + 1)),
                         (int)draw((uint32_t)(a.d - d + 1)), 0};
    struct point to = {4 * (int)draw((uint32_t)(b.row / 4 - w + 1)), (int)draw((uint32_t)(b.h - h + 1)),
                       (int)draw((uint32_t)(b.d - d + 1)), 0};
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = a.array,
                       .srcXInBytes = (size_t)from.x,
                       .srcY = (size_t)from.y,
                       .srcZ = (size_t)from.z,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = b.array,
                       .dstXInBytes = (size_t)to.x,
                       .dstY = (size_t)to.y,
                       .dstZ = (size_t)to.z,
                       .WidthInBytes = 4 * (size_t)w,
                       .Height = (size_t)h,
                       .Depth = (size_t)d};
    CUdeviceptr between;
    OK(cuMemAlloc(&between, BYTES));
    if (round % 2) { /* by way of device memory, with a pitch */
      CUDA_MEMCPY3D half = c;
      half.dstMemoryType = CU_MEMORYTYPE_DEVICE, half.dstDevice = between, half.dstPitch = 128, half.dstHeight = 12;
      half.dstXInBytes = half.dstY = half.dstZ = 0;
      OK(cuMemcpy3DAsync(&half, NULL));
      c.srcMemoryType = CU_MEMORYTYPE_UNIFIED, c.srcDevice = between, c.srcPitch = 128, c.srcHeight = 12;
      c.srcXInBytes = c.srcY = c.srcZ = 0;
    }
    OK(cuMemcpy3D(&c));
    for (int z = 0; z < d; z++)
      for (int y = 0; y < h; y++)
        memcpy(b.byte + ((to.z + z) * b.h + to.y + y) * b.row + to.x,
               a.byte + ((from.z + z) * a.h + from.y + y) * a.row + from.x, 4 * (size_t)w);
    check_field(&b);
    c.dstZ = (size_t)b.d - (size_t)d + 1;
    FAILS(cuMemcpy3D(&c), INVALID_VALUE);
    c.dstZ = 0, c.dstXInBytes = 2;
    FAILS(cuMemcpy3D(&c), INVALID_VALUE);
    OK(cuMemFree(between));
    drop_field(&b);
  }
  check_field(&a);
  drop_field(&a);
}

static void test_a_surface_is_of_an_array_that_was_made_for_it(void **state) {
  (void)state;
  CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = 8, .Height = 8, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, back;
  CUDA_RESOURCE_DESC r, asked;
  CUsurfObject surface;
  CUarray level;
  CUmipmappedArray mipmap;
  memset(&r, 0, sizeof r);
  OK(cuArray3DCreate(&r.res.array.hArray, &desc));
  FAILS(cuSurfObjectCreate(&surface, &r), INVALID_VALUE);
  FAILS(cuSurfObjectDestroy(12345), INVALID_VALUE);
  OK(cuArrayDestroy(r.res.array.hArray));
  FAILS(cuSurfObjectCreate(&surface, &r), INVALID_HANDLE);
  desc.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  OK(cuMipmappedArrayCreate(&mipmap, &desc, 99)); /* more levels than there are: 8, 4, 2, 1 */
  FAILS(cuMipmappedArrayGetLevel(&level, mipmap, 4), INVALID_VALUE);
  OK(cuMipmappedArrayGetLevel(&level, mipmap, 2));
  OK(cuArray3DGetDescriptor(&back, level));
  assert_int_equal(back.Width, 2);
  assert_int_equal(back.Height, 2);
  FAILS(cuArrayDestroy(level), INVALID_HANDLE); /* it goes with the mipmap */
  r.res.array.hArray = level;
  OK(cuSurfObjectCreate(&surface, &r));
  OK(cuSurfObjectGetResourceDesc(&asked, surface));
  assert_ptr_equal(asked.res.array.hArray, level);
  OK(cuSurfObjectDestroy(surface));
  OK(cuMipmappedArrayDestroy(mipmap));
  FAILS(cuArray3DGetDescriptor(&back, level), INVALID_HANDLE);
  FAILS(cuMipmappedArrayDestroy(mipmap), INVALID_HANDLE);
}

static void test_arrays_of_impossible_sizes_are_refused(void **state) {
  (void)state;
  static const struct {
    size_t w, h, d;
    unsigned flags;
    CUresult says;
  } cases[] = {
    {0, 4, 4, 0, CUDA_ERROR_INVALID_VALUE},
    {4, 0, 4, 0, CUDA_ERROR_INVALID_VALUE},
    {4, 4, 20000, 0, CUDA_ERROR_INVALID_VALUE},
    {4, 4, 0, CUDA_ARRAY3D_LAYERED, CUDA_ERROR_INVALID_VALUE},
    {4, 4, 3000, CUDA_ARRAY3D_LAYERED, CUDA_ERROR_INVALID_VALUE},
    {4, 4, 5, CUDA_ARRAY3D_CUBEMAP, CUDA_ERROR_INVALID_VALUE},
    {4, 5, 6, CUDA_ARRAY3D_CUBEMAP, CUDA_ERROR_INVALID_VALUE},
    {4, 4, 12, CUDA_ARRAY3D_CUBEMAP, CUDA_ERROR_INVALID_VALUE},
    {4, 4, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED, CUDA_SUCCESS},
    {4, 0, 4, CUDA_ARRAY3D_LAYERED, CUDA_SUCCESS},
    {4, 4, 0, 0x40, CUDA_ERROR_NOT_SUPPORTED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = cases[i].w,
                                    .Height = cases[i].h,
                                    .Depth = cases[i].d,
                                    .NumChannels = 1,
                                    .Format = CU_AD_FORMAT_FLOAT,
                                    .Flags = cases[i].flags};
    CUarray a;
    CUresult got = cuArray3DCreate(&a, &desc);
    if (got != cases[i].says) fail_msg("case %zu: %d, not %d", i, (int)got, (int)cases[i].says);
    if (!got) OK(cuArrayDestroy(a));
  }
}

/* Last: each fault ends the context. */
static void test_an_access_outside_or_misaligned_ends_the_launch(void **state) {
  (void)state;
  static const struct point wrong[] = {{4096, 0, 0, 0}, {0, 4096, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 0}, {2, 0, 0, 0}};
  static struct field f;
  CUcontext context;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct point at[POINTS] = {{0}};
    make_field(&f, THREE, 4);
    CUmodule module = load_kernels(THREE, 32, 1, "trap");
    OK(run(module, "store", &f, at));
    if (i == 3) {
      drop_field(&f);
      make_kind(&f, THREE, 7, 1);
      module = load_instruction(THREE, "sured.p.add.3d.b32.trap", 1, false);
    }
    at[17] = wrong[i];
    assert_int_not_equal(run(module, "store", &f, at), CUDA_SUCCESS);
    OK(cuDevicePrimaryCtxReset(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&out, 16 * POINTS));
    OK(cuMemAlloc(&points, sizeof(struct point) * POINTS));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_width_and_shape_moves_the_bytes_that_it_names),
    cmocka_unit_test(test_formatted_stores_convert_to_the_format_of_the_elements),
    cmocka_unit_test(test_reductions_are_those_of_the_host),
    cmocka_unit_test(test_boxes_move_between_arrays_and_memory),
    cmocka_unit_test(test_a_surface_is_of_an_array_that_was_made_for_it),
    cmocka_unit_test(test_arrays_of_impossible_sizes_are_refused),
    cmocka_unit_test(test_an_access_outside_or_misaligned_ends_the_launch),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
