/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a fetch return the element that its coordinates name, as the host would? */
#include "kit/ptx_harness.h"

#include "ptx/texture.h"

#include <math.h>

/* Thread t fetches at coordinates (x[t], y[t]) and writes four words. */
static const char *fetch_text(const char *instruction, const char *coordinates) {
  static char text[1600];
  snprintf(text, sizeof text,
           PTX_HEAD
           ".visible .entry k(.param .u64 t, .param .u64 x, .param .u64 out)\n{\n"
           ".reg .b32 %%r<8>;\n.reg .f32 %%f<2>;\n.reg .b64 %%rd<9>;\n"
           "ld.param.u64 %%rd1, [t]; ld.param.u64 %%rd2, [x]; ld.param.u64 %%rd3, [out];\n"
           "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd4, %%r1, 8; add.u64 %%rd5, %%rd2, %%rd4;\n"
           "ld.global.v2.b32 {%%r2, %%r3}, [%%rd5]; mul.wide.u32 %%rd6, %%r1, 16; add.u64 %%rd7, %%rd3, %%rd6;\n"
           "%s {%%r4, %%r5, %%r6, %%r7}, [%%rd1, %s];\n"
           "st.global.v4.b32 [%%rd7], {%%r4, %%r5, %%r6, %%r7}; ret;\n}\n",
           instruction, coordinates);
  return text;
}

enum { FETCHES = 64, WIDTH_MOST = 40, HEIGHT_MOST = 21 };

struct rig {
  struct harness h;
  struct texture t;
  uint64_t handle, out;
  uint8_t element[HEIGHT_MOST][WIDTH_MOST][16]; /* as the host has them */
  uint32_t x[FETCHES], y[FETCHES];              /* bits of coordinates */
};

static uint32_t format_bytes(uint32_t format) {
  return format == TEXTURE_U8 || format == TEXTURE_S8                               ? 1
         : format == TEXTURE_U16 || format == TEXTURE_S16 || format == TEXTURE_HALF ? 2
                                                                                    : 4;
}

/* Stores the elements where the layout says: blocks of `line` bytes one after another, or rows. */
static void store_elements(struct rig *r, uint32_t line, uint64_t random) {
  struct texture_memory *m = &r->t.memory;
  uint32_t bytes = format_bytes(m->format) * m->channels, height = m->height ? m->height : 1;
  uint32_t texels = line / bytes, bx = 1, by = 1;
  uint64_t size = (uint64_t)m->width * height * bytes;
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < m->width; x++)
      for (uint32_t b = 0; b < bytes; b++) r->element[y][x][b] = (uint8_t)harness_random(&random);
  if (line) size = texture_place_array(m, line);
  else m->pitch = (uint64_t)m->width * bytes;
  m->address = harness_alloc(&r->h, NULL, size);
  uint8_t *to = harness_at(&r->h, m->address, size);
  while (line && m->height && bx * by < texels) {
    bx *= 2;
    if (bx * by < texels) by *= 2;
  }
  uint64_t used = 0;
  for (uint32_t y0 = 0; y0 < height; y0 += by)
    for (uint32_t x0 = 0; x0 < m->width; x0 += bx)
      for (uint32_t i = 0; i < bx * by; i++, used += bytes) {
        uint32_t x = x0 + i % bx, y = y0 + i / bx;
        if (x < m->width && y < height) memcpy(to + used, r->element[y][x], bytes);
      }
  assert_int_equal(used, size);
}

/* ---- what the host says ---- */

static float half_value(uint32_t h) {
  uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
  double v = exponent == 31 ? INFINITY : exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
  return (float)(h & 0x8000 ? -v : v);
}

static uint32_t bits_of(double v) {
  float f = (float)v;
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

static uint32_t expected_channel(const struct texture *t, const uint8_t *from) {
  uint16_t half;
  uint32_t word = 0;
  memcpy(&half, from, 2);
  bool unit = t->reads_normalized;
  switch (t->memory.format) {
    case TEXTURE_U8: return unit ? bits_of(from[0] / 255.0) : from[0];
    case TEXTURE_S8: return unit ? bits_of(fmax((int8_t)from[0] / 127.0, -1)) : (uint32_t)(int8_t)from[0];
    case TEXTURE_U16: return unit ? bits_of(half / 65535.0) : half;
    case TEXTURE_S16: return unit ? bits_of(fmax((int16_t)half / 32767.0, -1)) : (uint32_t)(int16_t)half;
    case TEXTURE_HALF: return (half & 0x7fff) > 0x7c00 ? 0x7fffffff : bits_of(half_value(half));
    default: memcpy(&word, from, 4); return word;
  }
}

/* Element number of a coordinate, -1 for the border. The coordinates are multiples of 1/64, so nothing is rounded. */
static int expected_element(double c, int n, bool normalized, uint32_t mode) {
  if (normalized && mode == TEXTURE_WRAP) c -= floor(c);
  if (normalized && mode == TEXTURE_MIRROR) {
    double whole = floor(c), part = c - whole;
    c = fmod(whole, 2) != 0 ? 1 - part : part;
  }
  double i = floor(normalized ? c * n : c);
  if (mode == TEXTURE_BORDER && (i < 0 || i >= n)) return -1;
  return i < 0 ? 0 : i >= n ? n - 1 : (int)i;
}

static void expected_values(const struct rig *r, double x, double y, bool integer, uint32_t value[4]) {
  const struct texture_memory *m = &r->t.memory;
  bool normalized = r->t.normalized && !integer;
  int ix = expected_element(x, (int)m->width, normalized, r->t.mode[0]);
  int iy = m->height ? expected_element(y, (int)m->height, normalized, r->t.mode[1]) : 0;
  uint32_t bytes = format_bytes(m->format);
  bool is_float = m->format >= TEXTURE_HALF || (r->t.reads_normalized && bytes < 4);
  if (ix < 0 || iy < 0) {
    memcpy(value, r->t.border, 16);
    return;
  }
  uint8_t padded[20] = {0};
  memcpy(padded, r->element[iy][ix], bytes * m->channels);
  for (uint32_t c = 0; c < 4; c++)
    value[c] = c < m->channels ? expected_channel(&r->t, padded + c * bytes) : c < 3 ? 0 : is_float ? bits_of(1) : 1;
}

/* ---- running ---- */

static void run_fetches(struct rig *r, const char *instruction, const char *coordinates) {
  uint32_t pairs[2 * FETCHES];
  for (uint32_t i = 0; i < FETCHES; i++) pairs[2 * i] = r->x[i], pairs[2 * i + 1] = r->y[i];
  harness_load(&r->h, fetch_text(instruction, coordinates), NULL);
  r->handle = harness_alloc(&r->h, NULL, TEXTURE_DESCRIPTOR_BYTES);
  r->out = harness_alloc(&r->h, NULL, 16 * FETCHES);
  texture_write(&r->h.memory, r->handle, &r->t);
  uint64_t params[3] = {r->handle, harness_alloc(&r->h, pairs, sizeof pairs), r->out};
  harness_run(&r->h, "k", 1, FETCHES, 1, 1, 0, params);
}

static void check_fetches(struct rig *r, bool two, bool integer, uint64_t random) {
  double x[FETCHES], y[FETCHES];
  const struct texture_memory *m = &r->t.memory;
  for (uint32_t i = 0; i < FETCHES; i++) {
    bool fine = r->t.normalized && !integer;
    int64_t span_x = fine ? 4 * 64 : 3 * (int64_t)m->width * 64,
            span_y = fine ? 4 * 64 : 3 * (int64_t)m->height * 64 + 64;
    int64_t a = (int64_t)(harness_random(&random) % (uint64_t)(2 * span_x)) - span_x;
    int64_t b = (int64_t)(harness_random(&random) % (uint64_t)(2 * span_y)) - span_y;
    if (i < FETCHES / 2) a = (int64_t)((uint64_t)a % (uint64_t)(fine ? 64 : m->width * 64)); /* inside */
    if (i < FETCHES / 2) b = (int64_t)((uint64_t)b % (uint64_t)(fine ? 64 : (m->height + 1) * 64));
    if (integer) a &= ~(int64_t)63, b &= ~(int64_t)63;
    x[i] = (double)a / 64, y[i] = (double)b / 64;
    r->x[i] = integer ? (uint32_t)(a / 64) : bits_of(x[i]);
    r->y[i] = integer ? (uint32_t)(b / 64) : bits_of(y[i]);
  }
  char instruction[40];
  snprintf(instruction, sizeof instruction, "tex.%s.v4.%s.%s", two ? "2d" : "1d",
           m->format >= TEXTURE_HALF ? "f32" : "s32", integer ? "s32" : "f32");
  run_fetches(r, instruction, two ? "{%r2, %r3}" : "{%r2}");
  if (r->h.fault[0]) fail_msg("%s", r->h.fault);
  const uint32_t *got = harness_at(&r->h, r->out, 16 * FETCHES);
  for (uint32_t i = 0; i < FETCHES; i++) {
    uint32_t want[4];
    expected_values(r, x[i], y[i], integer, want);
    if (memcmp(got + 4 * i, want, 16) != 0)
      fail_msg("%s, format %u x %u, %u x %u, modes %u %u, normalized %d: (%g, %g) is %x %x %x %x, not %x %x %x %x",
               instruction, m->format, m->channels, m->width, m->height, r->t.mode[0], r->t.mode[1], r->t.normalized,
               x[i], y[i], got[4 * i], got[4 * i + 1], got[4 * i + 2], got[4 * i + 3], want[0], want[1], want[2],
               want[3]);
  }
}

static void test_every_format_mode_and_layout_equals_the_host(void **state) {
  (void)state;
  static struct rig r;
  uint64_t random = 0x7e97;
  print_message("seed 0x%llx\n", (unsigned long long)random);
  for (uint32_t format = 0; format < TEXTURE_N_FORMATS; format++)
    for (uint32_t channels = 1; channels <= 4; channels *= 2)
      for (uint32_t kind = 0; kind < 16; kind++) {
        bool two = kind & 1, normalized = kind & 2, unit = kind & 4, integer = kind & 8;
        uint64_t draw = harness_random(&random);
        uint32_t line = draw % 3 == 0 ? 0 : draw % 3 == 1 ? 128 : 32;
        harness_open(&r.h);
        r.t = (struct texture){.normalized = normalized,
                               .reads_normalized = unit,
                               .mode = {(draw >> 8) % TEXTURE_MODES, (draw >> 16) % TEXTURE_MODES},
                               .border = {1, 2, 3, 4}};
        r.t.memory = (struct texture_memory){.width = (uint32_t)(draw >> 24) % WIDTH_MOST + 1,
                                             .height = two ? (uint32_t)(draw >> 32) % HEIGHT_MOST + 1 : 0,
                                             .format = (uint8_t)format,
                                             .channels = (uint8_t)channels};
        store_elements(&r, line, random);
        check_fetches(&r, two, integer, random);
        harness_close(&r.h);
      }
}

/* Yuan 2009, 2.1.2: both 1.75 and -0.25 wrap to 0.75; clamping is onto [0, 1). */
static void test_the_published_coordinates_wrap_and_clamp(void **state) {
  (void)state;
  assert_int_equal(texture_element(1.75f, 64, true, TEXTURE_WRAP), 48);
  assert_int_equal(texture_element(-0.25f, 64, true, TEXTURE_WRAP), 48);
  assert_int_equal(texture_element(0.75f, 64, true, TEXTURE_CLAMP), 48);
  assert_int_equal(texture_element(1.0f, 64, true, TEXTURE_CLAMP), 63);
  assert_int_equal(texture_element(1.75f, 64, true, TEXTURE_CLAMP), 63);
  assert_int_equal(texture_element(-0.25f, 64, true, TEXTURE_CLAMP), 0);
  assert_int_equal(texture_element(1.75f, 64, true, TEXTURE_MIRROR), 16);
}

static void test_coordinates_that_round_stay_inside(void **state) {
  (void)state;
  const float below_one = 0x1.fffffep-1f, tiny = -0x1p-140f;
  for (uint32_t n = 1; n < 70000; n = n * 2 + 1) {
    assert_int_equal(texture_element(below_one, n, true, TEXTURE_BORDER), n - 1);
    assert_int_equal(texture_element(tiny, n, true, TEXTURE_WRAP), n - 1);
    assert_int_equal(texture_element(tiny, n, true, TEXTURE_MIRROR), 0);
    for (uint32_t mode = 0; mode < TEXTURE_MODES; mode++) {
      int64_t nan_at = texture_element(NAN, n, true, mode), far = texture_element(3e38f, n, true, mode);
      assert_int_equal(nan_at, 0);
      assert_true(far < (int64_t)n);
      assert_true(texture_element(-INFINITY, n, false, mode) <= 0);
      assert_true(texture_element(INFINITY, n, false, mode) == (mode == TEXTURE_BORDER ? -1 : (int64_t)n - 1));
    }
  }
}

/* Every element has its own place, blocks hold neighbours of both dimensions. */
static void test_blocked_elements_lie_apart_and_neighbours_together(void **state) {
  (void)state;
  struct texture_memory m = {.width = 37, .height = 19, .format = TEXTURE_FLOAT, .channels = 1};
  uint64_t bytes = texture_place_array(&m, 128);
  assert_int_equal(bytes, 5 * 5 * 128); /* blocks of 8 x 4 */
  static uint8_t seen[5 * 5 * 32];
  memset(seen, 0, sizeof seen);
  for (uint32_t y = 0; y < m.height; y++)
    for (uint32_t x = 0; x < m.width; x++) {
      uint64_t at = texture_offset(&m, x, y);
      assert_true(at % 4 == 0 && at < bytes && !seen[at / 4]++);
      assert_int_equal(at / 128, y / 4 * 5 + x / 8);
    }
}

/* ---- names, queries, refusals ---- */

static void test_a_texref_is_a_texture_by_name(void **state) {
  (void)state;
  struct harness h;
  harness_open(&h);
  harness_load(&h,
               PTX_HEAD ".global .texref other;\n.global .texref image;\n"
                        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<12>;\n.reg .b64 %rd<4>;\n"
                        "ld.param.u64 %rd1, [out]; mov.u32 %r1, 1; mov.u32 %r2, 2;\n"
                        "tex.2d.v4.u32.s32 {%r3, _, _, _}, [image, {%r1, %r2}];\n"
                        "mov.u64 %rd2, image; txq.width.b32 %r4, [image]; txq.height.b32 %r5, [%rd2];\n"
                        "txq.normalized_coords.b32 %r6, [image];\n"
                        "st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r6}; ret;\n}\n",
               NULL);
  uint32_t image[3][5];
  for (uint32_t i = 0; i < 15; i++) image[i / 5][i % 5] = 100 + i;
  struct texture t = {.normalized = true, .mode = {TEXTURE_CLAMP, TEXTURE_CLAMP}};
  t.memory = (struct texture_memory){.address = harness_alloc(&h, image, sizeof image),
                                     .pitch = sizeof image[0],
                                     .width = 5,
                                     .height = 3,
                                     .format = TEXTURE_U32,
                                     .channels = 1};
  uint64_t out = harness_alloc(&h, NULL, 16), handle = ptx_module_texture(h.module, "image");
  assert_true(handle != 0 && handle != ptx_module_texture(h.module, "other"));
  assert_int_equal(ptx_module_texture(h.module, "nothing"), 0);
  harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
  assert_non_null(strstr(h.fault, "is no texture")); /* not bound */
  texture_write(&h.memory, handle, &t);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t want[4] = {image[2][1], 5, 3, 1};
  assert_memory_equal(harness_at(&h, out, 16), want, 16);
  harness_close(&h);
}

/* Odd lanes fetch from their own texture, a destination is a coordinate's register; even lanes fetch nothing. */
static void test_lanes_fetch_each_from_its_own_texture_or_not_at_all(void **state) {
  (void)state;
  struct harness h;
  harness_open(&h);
  harness_load(&h,
               PTX_HEAD ".visible .entry k(.param .u64 handles, .param .u64 out)\n{\n"
                        ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                        "ld.param.u64 %rd1, [handles]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
                        "mul.wide.u32 %rd3, %r1, 8; add.u64 %rd4, %rd1, %rd3; ld.global.u64 %rd5, [%rd4];\n"
                        "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; mov.u32 %r3, %r1;\n"
                        "@%p1 tex.1d.v4.u32.s32 {%r3, _, _, _}, [%rd5, {%r3}];\n"
                        "mul.wide.u32 %rd6, %r1, 4; add.u64 %rd7, %rd2, %rd6; st.global.u32 [%rd7], %r3; ret;\n}\n",
               NULL);
  uint8_t words[3][64];
  uint64_t handle[32], texture[3];
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t k = 0; k < 64; k++) words[i][k] = (uint8_t)(100 * i + k + 1);
    struct texture t = {.mode = {TEXTURE_CLAMP, TEXTURE_CLAMP}};
    t.memory = (struct texture_memory){.address = harness_alloc(&h, words[i], 64),
                                       .width = i ? 64 : 16,
                                       .format = i == 1 ? TEXTURE_U8 : TEXTURE_S8,
                                       .channels = 1};
    texture[i] = harness_alloc(&h, NULL, TEXTURE_DESCRIPTOR_BYTES);
    texture_write(&h.memory, texture[i], &t);
  }
  for (uint32_t l = 0; l < 32; l++) handle[l] = l % 2 ? texture[l % 3] : 0; /* even ones are no texture */
  uint64_t params[2] = {harness_alloc(&h, handle, sizeof handle), harness_alloc(&h, NULL, 128)};
  harness_run(&h, "k", 1, 32, 1, 1, 0, params);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, params[1], 128);
  for (uint32_t l = 0; l < 32; l++) {
    uint32_t x = l % 3 == 0 && l > 15 ? 15 : l, byte = words[l % 3][x];
    uint32_t want = l % 2 == 0 ? l : l % 3 == 1 ? byte : (uint32_t)(int8_t)byte;
    assert_int_equal(got[l], want);
  }
  harness_close(&h);
}

static void test_what_is_not_simulated_is_refused_in_words(void **state) {
  (void)state;
  static const struct {
    const char *line, *says;
  } cases[] = {
    {"tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2,%r2,%r2}];", "multi-sample"},
    {"tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3}];", "3 coordinates where 4"},
    {"tex.cube.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r1,%r1,%r1}];", "unsupported instruction"},
    {"tex.grad.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f3}], {%f1,%f2,%f3,%f3}, {%f1,%f2,%f3,%f3};",
     "gradients of three coordinates"},
    {"tex.level.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2}], %r3;", "integer coordinates"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}], {%r1,%r2};", "offsets of coordinates"},
    {"tld4.r.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f3}];", "unsupported instruction"},
    {"sured.b.add.2d.b32.trap [%rd1, {%r1,%r2}], %r3;", "unsupported instruction"},
    {"suld.b.cube.b32.trap %r1, [%rd1, {%r1,%r2,%r2,%r2}];", "unsupported instruction"},
    {"suld.b.2d.v4.b64.trap {%rd1,%rd1,%rd1,%rd1}, [%rd1, {%r1,%r2}];", "unsupported instruction"},
    {"suq.channel_order.b32 %r1, [%rd1];", "only .width"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd1, {%f1,%f2}];", "unified mode"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];", "1 coordinates where 2"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1];", "coordinates should follow"},
    {"tex.1d.v4.f32.f32 {%f1,%f2}, [%rd1, {%f1}];", "{a, b, c, d}"},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [plain, {%f1}];", "no texture reference"},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1+4, {%f1}];", "no offset"},
    {"tex.1d.v4.f16.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];", "unsupported instruction"},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}, {%f1}, {%f1}];", "after an address"},
    {"txq.addr_mode_0.b32 %r1, [%rd1];", "only .width"},
    {"ld.global.u32 %r1, [%rd1, {%f1}];", "tex only"},
  };
  struct harness h;
  harness_open(&h);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[600];
    snprintf(text, sizeof text,
             PTX_HEAD ".global .u32 plain;\n.visible .entry k()\n{\n.reg .b32 %%r<4>;\n.reg .f32 %%f<5>;\n"
                      ".reg .b64 %%rd<2>;\n%s\nret;\n}\n",
             cases[i].line);
    assert_int_not_equal(harness_try(&h, text, strlen(text), NULL), 0);
    if (!strstr(h.e.text, cases[i].says) || !strstr(h.e.text, "k.ptx:")) fail_msg("%s: %s", cases[i].line, h.e.text);
  }
  static const char independent[] =
    ".version 7.5\n.target sm_70, texmode_independent\n.address_size 64\n.global .u32 x;\n";
  assert_int_equal(harness_try(&h, independent, strlen(independent), NULL), ERR_UNSUPPORTED);
  assert_non_null(strstr(h.e.text, "unified mode"));
  harness_close(&h);
}

static void test_a_wrong_handle_or_dimension_is_a_fault(void **state) {
  (void)state;
  static struct rig r;
  harness_open(&r.h);
  r.t = (struct texture){.memory = {.width = 4, .height = 0, .format = TEXTURE_U8, .channels = 1}};
  store_elements(&r, 128, 1);
  run_fetches(&r, "tex.2d.v4.u32.s32", "{%r2, %r3}");
  assert_non_null(strstr(r.h.fault, "fetches with .2d from what is .1d"));
  r.t.memory.address = 0;
  r.t.mode[0] = TEXTURE_CLAMP;
  run_fetches(&r, "tex.1d.v4.u32.s32", "%r2");
  assert_non_null(strstr(r.h.fault, "illegal texture address"));
  uint64_t params[3] = {r.handle + 8, r.handle, r.out};
  harness_run(&r.h, "k", 1, 1, 1, 1, 0, params);
  assert_non_null(strstr(r.h.fault, "is no texture"));
  params[0] = r.handle;
  texture_write(&r.h.memory, r.handle, NULL);
  harness_run(&r.h, "k", 1, 1, 1, 1, 0, params);
  assert_non_null(strstr(r.h.fault, "is no texture"));
  harness_close(&r.h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_format_mode_and_layout_equals_the_host),
    cmocka_unit_test(test_the_published_coordinates_wrap_and_clamp),
    cmocka_unit_test(test_coordinates_that_round_stay_inside),
    cmocka_unit_test(test_blocked_elements_lie_apart_and_neighbours_together),
    cmocka_unit_test(test_a_texref_is_a_texture_by_name),
    cmocka_unit_test(test_lanes_fetch_each_from_its_own_texture_or_not_at_all),
    cmocka_unit_test(test_what_is_not_simulated_is_refused_in_words),
    cmocka_unit_test(test_a_wrong_handle_or_dimension_is_a_fault),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
