/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a fetch from an array of any shape return what the formulas of the CUDA C++ Programming Guide ("Texture Fetching") say?
 * The host computes them in integers, from its own copy of the elements: coordinates are multiples of 1/4096, elements
 * integers, so that every mean is exact. */
#include "kit/driver.h"

/* out[t] = the fetch at point t: x, y, z, layer, level; gradients are the level, the next words */
#define ENTRY(name, instruction, rest)                                                                                     \
  ".visible .entry " name "(.param .u64 out, .param .u64 points, .param .u64 t)\n{\n"                                      \
  ".reg .b32 %r<14>; .reg .b64 %rd<8>;\n"                                                                                  \
  "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [points]; ld.param.u64 %rd3, [t]; mov.u32 %r13, %tid.x;\n"                 \
  "mul.wide.u32 %rd4, %r13, 32; add.u64 %rd5, %rd2, %rd4; ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd5];\n"                \
  "ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%rd5+16]; mul.wide.u32 %rd6, %r13, 16; add.u64 %rd7, %rd1, %rd6;\n" instruction \
  ".v4.f32.f32 {%r9, %r10, %r11, %r12}, [%rd3, " rest ";\n"                                                                \
  "st.global.v4.b32 [%rd7], {%r9, %r10, %r11, %r12}; ret;\n}\n"
static const char ptx[] = HEADER ENTRY("f_1d", "tex.1d", "{%r1}]") ENTRY("f_2d", "tex.2d", "{%r1, %r2}]")
  ENTRY("f_3d", "tex.3d", "{%r1, %r2, %r3, %r3}]") ENTRY("f_a1d", "tex.a1d", "{%r4, %r1}]")
    ENTRY("f_a2d", "tex.a2d", "{%r4, %r1, %r2, %r2}]") ENTRY("f_cube", "tex.cube", "{%r1, %r2, %r3, %r3}]")
      ENTRY("f_acube", "tex.acube", "{%r4, %r1, %r2, %r3}]") ENTRY("l_1d", "tex.level.1d", "{%r1}], %r5")
        ENTRY("l_2d", "tex.level.2d", "{%r1, %r2}], %r5") ENTRY("l_3d", "tex.level.3d", "{%r1, %r2, %r3, %r3}], %r5")
          ENTRY("l_a1d", "tex.level.a1d", "{%r4, %r1}], %r5")
            ENTRY("l_a2d", "tex.level.a2d", "{%r4, %r1, %r2, %r2}], %r5")
              ENTRY("l_cube", "tex.level.cube", "{%r1, %r2, %r3, %r3}], %r5")
                ENTRY("l_acube", "tex.level.acube", "{%r4, %r1, %r2, %r3}], %r5")
                  ENTRY("base_2d", "tex.base.2d", "{%r1, %r2}]")
                    ENTRY("gradient", "tex.grad.2d", "{%r1, %r2}], {%r5, %r6}, {%r7, %r8}")
                      ENTRY("gather", "tld4.b.2d", "{%r1, %r2}]")
                        ENTRY("gather_a", "tld4.a.a2d", "{%r4, %r1, %r2, %r2}]");

enum { POINTS = 64, GRID = 4096, MOST = 1 << 16, LEVELS = 4 };
enum shape { ONE, TWO, THREE, ONE_LAYERED, TWO_LAYERED, CUBE, CUBE_LAYERED, SHAPES };
static const char *const names[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};

struct point {
  float x, y, z;
  uint32_t layer;
  float level[4];
};

/* The elements as the host has them: of each level, z, then y, then x. */
struct picture {
  enum shape shape;
  int w[LEVELS], h[LEVELS], d[LEVELS], levels, channels;
  int32_t element[LEVELS][MOST];
  CUmipmappedArray mipmap;
  CUarray array[LEVELS];
};

static CUmodule module;
static CUdeviceptr out, points;
static uint64_t random_state = 0xf117e6;

static uint32_t draw(uint32_t below) {
  uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)((z ^ z >> 31) >> 16) % below;
}

static int start(void **state) {
  (void)state;
  use_device();
  OK(cuModuleLoadData(&module, ptx));
  OK(cuMemAlloc(&out, 16 * POINTS));
  OK(cuMemAlloc(&points, sizeof(struct point) * POINTS));
  return 0;
}

/* ---- pictures ---- */

static bool layered(enum shape s) { return s == ONE_LAYERED || s == TWO_LAYERED || s == CUBE_LAYERED; }
static bool cubic(enum shape s) { return s == CUBE || s == CUBE_LAYERED; }

static void upload(const struct picture *p, int level) {
  static float host[MOST];
  int n = p->w[level] * p->h[level] * p->d[level] * p->channels;
  for (int i = 0; i < n; i++) host[i] = (float)p->element[level][i];
  CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                     .srcHost = host,
                     .srcPitch = (size_t)(p->w[level] * p->channels) * 4,
                     .srcHeight = (size_t)p->h[level],
                     .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                     .dstArray = p->array[level],
                     .WidthInBytes = (size_t)(p->w[level] * p->channels) * 4,
                     .Height = (size_t)p->h[level],
                     .Depth = (size_t)p->d[level]};
  OK(cuMemcpy3D(&c));
}

static void make_picture(struct picture *p, enum shape shape, int levels) {
  bool flat = shape == ONE || shape == ONE_LAYERED, deep = shape == THREE || layered(shape);
  p->shape = shape;
  p->levels = levels;
  p->channels = 1 << draw(3);
  p->w[0] = (int)draw(20) + 8;
  p->h[0] = flat ? 1 : cubic(shape) ? p->w[0] : (int)draw(13) + 8;
  p->d[0] = cubic(shape) ? 6 * (deep ? 2 : 1) : deep ? (int)draw(4) + 8 : 1;
  CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = (size_t)p->w[0],
                                  .Height = flat ? 0 : (size_t)p->h[0],
                                  .Depth = deep || cubic(shape) ? (size_t)p->d[0] : 0,
                                  .Format = CU_AD_FORMAT_FLOAT,
                                  .NumChannels = (unsigned)p->channels,
                                  .Flags = (layered(shape) ? CUDA_ARRAY3D_LAYERED : 0) |
                                           (cubic(shape) ? CUDA_ARRAY3D_CUBEMAP : 0)};
  p->mipmap = NULL;
  if (levels == 1) OK(cuArray3DCreate(&p->array[0], &desc));
  else OK(cuMipmappedArrayCreate(&p->mipmap, &desc, (unsigned)levels));
  for (int l = 0; l < levels; l++) {
    p->w[l] = p->w[0] >> l;
    p->h[l] = flat ? 1 : p->h[0] >> l;
    p->d[l] = shape == THREE ? p->d[0] >> l : p->d[0];
    if (p->mipmap) OK(cuMipmappedArrayGetLevel(&p->array[l], p->mipmap, (unsigned)l));
    assert_true(p->w[l] * p->h[l] * p->d[l] * p->channels <= MOST);
    for (int i = 0; i < p->w[l] * p->h[l] * p->d[l] * p->channels; i++) p->element[l][i] = (int32_t)draw(4096) - 2048;
    upload(p, l);
  }
}

static void drop_picture(struct picture *p) {
  if (p->mipmap) OK(cuMipmappedArrayDestroy(p->mipmap));
  else OK(cuArrayDestroy(p->array[0]));
}

static CUtexObject make_texture(const struct picture *p, const CUDA_TEXTURE_DESC *t) {
  CUDA_RESOURCE_DESC r;
  CUtexObject object;
  memset(&r, 0, sizeof r);
  r.resType = p->mipmap ? CU_RESOURCE_TYPE_MIPMAPPED_ARRAY : CU_RESOURCE_TYPE_ARRAY;
  if (p->mipmap) r.res.mipmap.hMipmappedArray = p->mipmap;
  else r.res.array.hArray = p->array[0];
  OK(cuTexObjectCreate(&object, &r, t, NULL));
  return object;
}

/* ---- the guide's formulas, in integers: a coordinate is so many 1/GRID, a weight so many 1/256 ---- */

static int64_t floor_of(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

/* Elements and weights of one coordinate: at[] -1 is outside. */
struct taps {
  int at[2], weight[2];
};

static int into(int64_t i, int n, CUaddress_mode mode, bool normalized) {
  if (i >= 0 && i < n) return (int)i;
  if (mode == CU_TR_ADDRESS_MODE_BORDER) return -1;
  if (mode == CU_TR_ADDRESS_MODE_WRAP && normalized) return (int)(i - floor_of(i, n) * n);
  return i < 0 ? 0 : n - 1;
}

static struct taps taps_of(int64_t c, int n, CUaddress_mode mode, bool normalized, bool linear) {
  int64_t whole = floor_of(c, GRID);
  if (normalized && mode == CU_TR_ADDRESS_MODE_MIRROR) c = whole % 2 ? GRID - (c - whole * GRID) : c - whole * GRID;
  if (normalized) c *= n;
  if (!linear) return (struct taps){.at = {into(floor_of(c, GRID), n, mode, normalized), 0}, .weight = {256, 0}};
  int64_t i = floor_of(c - GRID / 2, GRID), rest = c - GRID / 2 - i * GRID; /* rest / GRID is alpha */
  int alpha = (int)floor_of(rest * 256 + GRID / 2, GRID);
  return (struct taps){.at = {into(i, n, mode, normalized), into(i + 1, n, mode, normalized)},
                       .weight = {256 - alpha, alpha}};
}

/* The guide's table of faces: which axis is m, s and t, and their signs. */
static int face_of(const int64_t c[3], int64_t st[2]) {
  static const struct {
    int m, s, t, sign_s, sign_t;
  } face[6] = {{0, 2, 1, -1, -1}, {0, 2, 1, 1, -1}, {1, 0, 2, 1, 1},
               {1, 0, 2, 1, -1},  {2, 0, 1, 1, -1}, {2, 0, 1, -1, -1}};
  int64_t size[3];
  for (int i = 0; i < 3; i++) size[i] = c[i] < 0 ? -c[i] : c[i];
  int axis = size[0] > size[1] && size[0] > size[2] ? 0 : size[1] > size[2] ? 1 : 2;
  int f = 2 * axis + (c[axis] < 0);
  st[0] = (face[f].sign_s * c[face[f].s] * GRID / size[axis] + GRID) / 2; /* exact: the drawn sizes are powers of two */
  st[1] = (face[f].sign_t * c[face[f].t] * GRID / size[axis] + GRID) / 2;
  return f;
}

struct setting {
  CUDA_TEXTURE_DESC t;
  bool linear, normalized;
};

/* Sum of the level's elements, in units of 1/2^24; outside the border's colour. */
static int64_t level_sum(const struct picture *p, const struct setting *s, const int64_t c[3], uint32_t layer, int l,
                         int channel) {
  int64_t at[3] = {c[0], c[1], c[2]}, sum = 0;
  bool normalized = s->normalized, flat = p->shape == ONE || p->shape == ONE_LAYERED;
  CUaddress_mode mode[3] = {s->t.addressMode[0], s->t.addressMode[1], s->t.addressMode[2]};
  int layers = cubic(p->shape) ? p->d[0] / 6 : p->d[0], z0 = (int)layer < layers ? (int)layer : layers - 1;
  if (cubic(p->shape)) {
    z0 = (layered(p->shape) ? z0 : 0) * 6 + face_of(c, at);
    normalized = true;
    mode[0] = mode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  }
  struct taps x = taps_of(at[0], p->w[l], mode[0], normalized, s->linear), none = {{0, 0}, {256, 0}}, y = none,
              z = none;
  if (!flat) y = taps_of(at[1], p->h[l], mode[1], normalized, s->linear);
  if (p->shape == THREE) z = taps_of(at[2], p->d[l], mode[2], normalized, s->linear);
  else if (p->d[0] > 1) z.at[0] = z0;
  for (int k = 0; k < 8; k++) {
    int xi = x.at[k & 1], yi = y.at[k >> 1 & 1], zi = z.at[k >> 2];
    int64_t weight = (int64_t)x.weight[k & 1] * y.weight[k >> 1 & 1] * z.weight[k >> 2], value;
    if (xi < 0 || yi < 0 || zi < 0) value = (int64_t)s->t.borderColor[channel];
    else if (channel >= p->channels) value = channel == 3;
    else value = p->element[l][((zi * p->h[l] + yi) * p->w[l] + xi) * p->channels + channel];
    sum += weight * value;
  }
  return sum;
}

static void check(const struct picture *p, const struct setting *s, const int64_t c[POINTS][3], const struct point *at,
                  const int *level, const int *next, const char *entry, CUtexObject texture) {
  CUfunction f;
  float got[POINTS][4];
  OK(cuModuleGetFunction(&f, module, entry));
  OK(cuMemcpyHtoD(points, at, sizeof(struct point) * POINTS));
  void *params[] = {&out, &points, &texture};
  OK(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, NULL, params, NULL));
  OK(cuMemcpyDtoH(got, out, sizeof got));
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < 4; k++) {
      int64_t sum = level_sum(p, s, c[i], at[i].layer, level[i], k) * (256 - next[i]);
      if (next[i]) sum += level_sum(p, s, c[i], at[i].layer, level[i] + 1, k) * next[i];
      float want = (float)((double)sum / 4294967296.0);
      if (got[i][k] != want)
        fail_msg(
          "%s, %d x %d x %d, modes %d %d %d, linear %d, normalized %d: (%g, %g, %g) layer %u level %d + %d/256, channel "
          "%d is %.9g, not %.9g",
          entry, p->w[0], p->h[0], p->d[0], (int)s->t.addressMode[0], (int)s->t.addressMode[1],
          (int)s->t.addressMode[2], s->linear, s->normalized, (double)at[i].x, (double)at[i].y, (double)at[i].z,
          at[i].layer, level[i], next[i], k, (double)got[i][k], (double)want);
    }
}

/* ---- points ---- */

/* A direction whose longest coordinate is a power of two: its face and where it hits are exact. */
static void draw_direction(int64_t c[3]) {
  int axis = (int)draw(3), size = GRID >> draw(3);
  for (int i = 0; i < 3; i++) c[i] = ((int64_t)draw(2 * (uint32_t)size / 4 - 1) - size / 4 + 1) * 2;
  c[axis] = draw(2) ? size : -size;
}

static int64_t draw_coordinate(int n, bool normalized) {
  int span = normalized ? 3 * GRID : (n + 6) * GRID;
  int64_t c = (int64_t)draw((uint32_t)(2 * span)) - span;
  if (!normalized && draw(2)) c &= ~(int64_t)(GRID / 4 - 1); /* edges and middles */
  return c;
}

static void draw_points(const struct picture *p, const struct setting *s, int64_t c[POINTS][3], struct point *at) {
  for (int i = 0; i < POINTS; i++) {
    if (cubic(p->shape)) draw_direction(c[i]);
    else {
      c[i][0] = draw_coordinate(p->w[0], s->normalized);
      c[i][1] = draw_coordinate(p->h[0], s->normalized);
      c[i][2] = draw_coordinate(p->d[0], s->normalized);
    }
    at[i] = (struct point){.x = (float)c[i][0] / GRID,
                           .y = (float)c[i][1] / GRID,
                           .z = (float)c[i][2] / GRID,
                           .layer = draw((uint32_t)p->d[0] + 3)};
  }
}

static struct setting draw_setting(bool linear, bool normalized) {
  struct setting s = {.linear = linear, .normalized = normalized};
  memset(&s.t, 0, sizeof s.t);
  for (int i = 0; i < 3; i++) s.t.addressMode[i] = (CUaddress_mode)draw(4);
  for (int i = 0; i < 4; i++) s.t.borderColor[i] = (float)draw(100);
  s.t.filterMode = linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  s.t.flags = normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0;
  return s;
}

/* ---- tests ---- */

static void test_every_shape_and_mode_follows_the_guide(void **state) {
  (void)state;
  static struct picture p;
  static const int zero[POINTS];
  int64_t c[POINTS][3];
  struct point at[POINTS];
  print_message("seed 0x%llx\n", (unsigned long long)random_state);
  for (int shape = 0; shape < SHAPES; shape++)
    for (int round = 0; round < 12; round++) {
      struct setting s = draw_setting(round & 1, round & 2 || cubic((enum shape)shape));
      char entry[16];
      make_picture(&p, (enum shape)shape, 1);
      draw_points(&p, &s, c, at);
      snprintf(entry, sizeof entry, "f_%s", names[shape]);
      CUtexObject texture = make_texture(&p, &s.t);
      check(&p, &s, c, at, zero, zero, entry, texture);
      OK(cuTexObjectDestroy(texture));
      drop_picture(&p);
    }
}

/* The level that a fetch names, in 1/1024, becomes the nearest one or the mean of two. */
static void test_levels_are_biased_clamped_and_mixed(void **state) {
  (void)state;
  static struct picture p;
  int64_t c[POINTS][3];
  struct point at[POINTS];
  int level[POINTS], next[POINTS];
  for (int shape = 0; shape < SHAPES; shape++)
    for (int round = 0; round < 8; round++) {
      struct setting s = draw_setting(round & 1, true);
      bool mix = round & 2, clamped = round & 4;
      int bias = (int)draw(1024) - 512, least = clamped ? 512 : 0, most = clamped ? 2048 : 100 * 1024;
      s.t.mipmapFilterMode = mix ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
      s.t.mipmapLevelBias = (float)bias / 1024;
      s.t.minMipmapLevelClamp = (float)least / 1024;
      s.t.maxMipmapLevelClamp = (float)most / 1024;
      char entry[16];
      make_picture(&p, (enum shape)shape, LEVELS);
      draw_points(&p, &s, c, at);
      for (int i = 0; i < POINTS; i++) {
        int l = (int)draw(6 * 1024) - 1024;
        at[i].level[0] = (float)l / 1024;
        l += bias;
        l = l < least ? least : l > most ? most : l;
        l = l < 0 ? 0 : l > (LEVELS - 1) * 1024 ? (LEVELS - 1) * 1024 : l;
        level[i] = mix ? l / 1024 : (l + 512) / 1024;
        next[i] = mix ? (l % 1024 * 256 + 512) / 1024 : 0;
      }
      snprintf(entry, sizeof entry, "l_%s", names[shape]);
      CUtexObject texture = make_texture(&p, &s.t);
      check(&p, &s, c, at, level, next, entry, texture);
      OK(cuTexObjectDestroy(texture));
      drop_picture(&p);
    }
}

/* A gradient of 2^k elements asks for level k, the longer one of the two; without a level the largest is read. */
static void test_gradients_choose_the_level(void **state) {
  (void)state;
  static struct picture p;
  static const int zero[POINTS];
  int64_t c[POINTS][3];
  struct point at[POINTS];
  int level[POINTS];
  struct setting s = draw_setting(true, true);
  s.t.maxMipmapLevelClamp = 100;
  do make_picture(&p, TWO, LEVELS);
  while (p.w[0] != 16 && (drop_picture(&p), true));
  draw_points(&p, &s, c, at);
  for (int i = 0; i < POINTS; i++) {
    int k = (int)draw(6) - 1, shorter = 1 + (int)draw(3);
    float along = (float)(1 << (k + 1)) / 2 / 16, less = along / (float)(1 << shorter); /* x is 16 elements wide */
    bool first = draw(2);
    at[i].level[0] = first ? along : -less;
    at[i].level[2] = first ? less : -along;
    level[i] = k < 0 ? 0 : k > LEVELS - 1 ? LEVELS - 1 : k;
  }
  CUtexObject texture = make_texture(&p, &s.t);
  check(&p, &s, c, at, level, zero, "gradient", texture);
  check(&p, &s, c, at, zero, zero, "base_2d", texture);
  check(&p, &s, c, at, zero, zero, "f_2d", texture);
  OK(cuTexObjectDestroy(texture));
  drop_picture(&p);
}

/* The four elements around a point: (i, j+1), (i+1, j+1), (i+1, j), (i, j), of one channel. */
static void test_a_gather_returns_the_four_elements_around_the_point(void **state) {
  (void)state;
  static struct picture p;
  for (int round = 0; round < 8; round++) {
    struct setting s = draw_setting(round & 1, round & 2);
    int64_t c[POINTS][3];
    struct point at[POINTS];
    float got[POINTS][4];
    CUfunction f;
    int channel = round & 4 ? 3 : 2;
    make_picture(&p, round & 4 ? TWO_LAYERED : TWO, 1);
    draw_points(&p, &s, c, at);
    CUtexObject texture = make_texture(&p, &s.t);
    OK(cuModuleGetFunction(&f, module, round & 4 ? "gather_a" : "gather"));
    OK(cuMemcpyHtoD(points, at, sizeof at));
    void *params[] = {&out, &points, &texture};
    OK(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    for (int i = 0; i < POINTS; i++) {
      struct taps x = taps_of(c[i][0], p.w[0], s.t.addressMode[0], s.normalized, true);
      struct taps y = taps_of(c[i][1], p.h[0], s.t.addressMode[1], s.normalized, true);
      int z = !(round & 4) ? 0 : at[i].layer < (uint32_t)p.d[0] ? (int)at[i].layer : p.d[0] - 1;
      for (int k = 0; k < 4; k++) {
        int xi = x.at[k == 1 || k == 2], yi = y.at[k < 2];
        float want = xi < 0 || yi < 0 ? s.t.borderColor[channel]
                     : channel >= p.channels
                       ? (float)(channel == 3)
                       : (float)p.element[0][((z * p.h[0] + yi) * p.w[0] + xi) * p.channels + channel];
        if (got[i][k] != want) fail_msg("point %d, element %d: %g, not %g", i, k, (double)got[i][k], (double)want);
      }
    }
    OK(cuTexObjectDestroy(texture));
    drop_picture(&p);
  }
}

/* Bytes of [0, 1]: each mean within the last place of the one that the host computes in long double. */
static void test_means_of_normalized_bytes(void **state) {
  (void)state;
  enum { W = 13, H = 9 };
  uint8_t byte[H][W];
  struct setting s = draw_setting(true, false);
  CUDA_ARRAY_DESCRIPTOR desc = {.Width = W, .Height = H, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1};
  CUDA_RESOURCE_DESC r;
  CUtexObject texture;
  CUfunction f;
  struct point at[POINTS];
  float got[POINTS][4];
  int64_t c[POINTS][2];
  for (int i = 0; i < W * H; i++) byte[i / W][i % W] = (uint8_t)draw(256);
  memset(&r, 0, sizeof r);
  OK(cuArrayCreate(&r.res.array.hArray, &desc));
  OK(cuMemcpyHtoA(r.res.array.hArray, 0, byte, sizeof byte));
  s.t.addressMode[0] = s.t.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  OK(cuTexObjectCreate(&texture, &r, &s.t, NULL));
  for (int i = 0; i < POINTS; i++) {
    for (int k = 0; k < 2; k++) c[i][k] = draw_coordinate(k ? H : W, false);
    at[i] = (struct point){.x = (float)c[i][0] / GRID, .y = (float)c[i][1] / GRID};
  }
  OK(cuModuleGetFunction(&f, module, "f_2d"));
  OK(cuMemcpyHtoD(points, at, sizeof at));
  void *params[] = {&out, &points, &texture};
  OK(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, NULL, params, NULL));
  OK(cuMemcpyDtoH(got, out, sizeof got));
  for (int i = 0; i < POINTS; i++) {
    struct taps x = taps_of(c[i][0], W, CU_TR_ADDRESS_MODE_CLAMP, false, true);
    struct taps y = taps_of(c[i][1], H, CU_TR_ADDRESS_MODE_CLAMP, false, true);
    long double want = 0;
    for (int k = 0; k < 4; k++)
      want +=
        (long double)((float)byte[y.at[k >> 1]][x.at[k & 1]] / 255.0f) * x.weight[k & 1] * y.weight[k >> 1] / 65536;
    long double off = (long double)got[i][0] - want;
    if (off > want / (1 << 24) || -off > want / (1 << 24))
      fail_msg("(%g, %g) is %.9g, not %.9Lg", (double)at[i].x, (double)at[i].y, (double)got[i][0], want);
  }
  s.t.flags = CU_TRSF_READ_AS_INTEGER; /* integers have no mean */
  CUtexObject other;
  FAILS(cuTexObjectCreate(&other, &r, &s.t, NULL), INVALID_VALUE);
  OK(cuTexObjectDestroy(texture));
  OK(cuArrayDestroy(r.res.array.hArray));
}

static void test_a_fetch_of_another_shape_ends_the_launch(void **state) {
  (void)state;
  static struct picture p;
  struct setting s = draw_setting(false, true);
  struct point at[POINTS] = {{0}};
  CUfunction f;
  CUcontext context;
  make_picture(&p, THREE, 1);
  CUtexObject texture = make_texture(&p, &s.t);
  OK(cuModuleGetFunction(&f, module, "f_2d"));
  OK(cuMemcpyHtoD(points, at, sizeof at));
  void *params[] = {&out, &points, &texture};
  assert_int_not_equal(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, NULL, params, NULL), CUDA_SUCCESS);
  OK(cuDevicePrimaryCtxReset(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_shape_and_mode_follows_the_guide),
    cmocka_unit_test(test_levels_are_biased_clamped_and_mixed),
    cmocka_unit_test(test_gradients_choose_the_level),
    cmocka_unit_test(test_a_gather_returns_the_four_elements_around_the_point),
    cmocka_unit_test(test_means_of_normalized_bytes),
    cmocka_unit_test(test_a_fetch_of_another_shape_ends_the_launch),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
