/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/texture.h"

#include "base/err.h"
#include "device/device_memory.h"
#include "ptx/lane_loop.h"

#define MAGIC UINT64_C(0x7c94be1a52f60d33)

/* As it lies in device memory. The tag depends on the address, so a copy elsewhere is no texture. */
struct descriptor {
  uint64_t tag;
  struct texture texture;
};
_Static_assert(sizeof(struct descriptor) <= TEXTURE_DESCRIPTOR_BYTES, "a descriptor has outgrown its place");

/* ---- elements in memory ---- */

uint32_t texture_element_bytes(const struct texture_memory *m) {
  static const uint8_t bytes[TEXTURE_N_FORMATS] = {
#define X(name, n) n,
    TEXTURE_FORMATS(X)
#undef X
  };
  return (uint32_t)bytes[m->format] * m->channels;
}

enum texture_geometry texture_geometry(const struct texture_memory *m) {
  if (m->cube) return m->layered ? TEXTURE_CUBE_LAYERED : TEXTURE_CUBE;
  if (m->layered) return m->height ? TEXTURE_2D_LAYERED : TEXTURE_1D_LAYERED;
  return m->depth ? TEXTURE_3D : m->height ? TEXTURE_2D : TEXTURE_1D;
}

const char *texture_geometry_name(enum texture_geometry g) {
  static const char *const names[TEXTURE_N_GEOMETRIES] = {
#define X(name, ptx, coordinates, layered) ptx,
    TEXTURE_GEOMETRIES(X)
#undef X
  };
  return names[g];
}

/* Sets pitch and slice from the blocks; returns the bytes of the level. */
static uint64_t place_level(struct texture_memory *m) {
  uint32_t element = texture_element_bytes(m);
  uint64_t rows = 1;
  m->pitch = (uint64_t)m->width * element;
  if (m->height) {
    uint64_t columns = (m->width + (UINT64_C(1) << m->block_x) - 1) >> m->block_x;
    rows = (m->height + (UINT64_C(1) << m->block_y) - 1) >> m->block_y;
    m->pitch = (columns << (m->block_x + m->block_y)) * element;
  }
  m->slice = rows * m->pitch;
  return m->slice * (m->depth ? m->depth : 1);
}

static uint32_t halved(uint32_t n) { return n > 1 ? n / 2 : n; }

/* The next smaller level; layers and faces stay. */
static struct texture_memory next_level(const struct texture_memory *m) {
  struct texture_memory next = *m;
  next.address += m->slice * (m->depth ? m->depth : 1);
  next.width = halved(m->width);
  next.height = halved(m->height);
  if (!m->layered && !m->cube) next.depth = halved(m->depth);
  place_level(&next);
  return next;
}

struct texture_memory texture_level(const struct texture_memory *m, uint32_t level) {
  struct texture_memory at = *m;
  while (level--) at = next_level(&at);
  at.levels = 1;
  return at;
}

uint64_t texture_place_array(struct texture_memory *m, uint32_t line_bytes) {
  uint32_t bits = (uint32_t)__builtin_ctz(line_bytes / texture_element_bytes(m));
  m->block_x = m->height ? (uint8_t)((bits + 1) / 2) : 0;
  m->block_y = m->height ? (uint8_t)(bits / 2) : 0;
  uint64_t bytes = place_level(m);
  struct texture_memory level = *m;
  for (uint32_t l = 1; l < m->levels; l++) {
    level = next_level(&level);
    bytes += level.slice * (level.depth ? level.depth : 1);
  }
  return bytes;
}

uint64_t texture_offset(const struct texture_memory *m, uint32_t x, uint32_t y) {
  uint32_t bits = (uint32_t)m->block_x + m->block_y;
  uint64_t inside = (y & ((1u << m->block_y) - 1)) << m->block_x | (x & ((1u << m->block_x) - 1));
  uint64_t index = ((uint64_t)(x >> m->block_x) << bits) + inside; /* in this row of blocks */
  return (uint64_t)(y >> m->block_y) * m->pitch + index * texture_element_bytes(m);
}

/* ---- coordinates ---- */

static int64_t outside(bool below, uint32_t n, enum texture_mode mode) {
  if (mode == TEXTURE_BORDER) return -1;
  return below ? 0 : (int64_t)n - 1;
}

int64_t texture_element_of_integer(int32_t c, uint32_t n, enum texture_mode mode) {
  return c >= 0 && (uint32_t)c < n ? c : outside(c < 0, n, mode);
}

/* Maps [0, 1) onto the elements; the product may round up to n. */
static int64_t element_of_part(float part, uint32_t n) {
  int64_t i = (int64_t)(part * (float)n);
  return i < (int64_t)n ? i : (int64_t)n - 1;
}

int64_t texture_element(float c, uint32_t n, bool normalized, enum texture_mode mode) {
  if (normalized && (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR)) {
    float whole = floorf(c), part = c - whole;
    bool odd = whole * 0.5f != floorf(whole * 0.5f);
    c = mode == TEXTURE_MIRROR && odd ? 1.0f - part : part;
    if (c >= 1.0f) return (int64_t)n - 1; /* a tiny negative one, rounded */
  }
  if (c != c) c = 0.0f; /* NaN; wrapped infinity */
  if (c < 0.0f) return outside(true, n, mode);
  if (c >= (normalized ? 1.0f : 4294967296.0f)) return outside(false, n, mode);
  if (normalized) return element_of_part(c, n);
  return (int64_t)c < (int64_t)n ? (int64_t)c : outside(false, n, mode);
}

/* ---- values ---- */

/* The light of an sRGB value (IEC 61966-2-1), without the host's pow: a power of 2.4 is a square times the fifth root of a
 * square. Newton's steps come down from 1 until they no longer do. */
static float light_of(uint8_t value) {
  double c = value / 255.0;
  if (c <= 0.04045) return (float)(c / 12.92);
  double base = (c + 0.055) / 1.055, square = base * base, root = 1.0, next = root;
  do {
    root = next;
    double fourth = root * root * root * root;
    next = root - (fourth * root - square) / (5.0 * fourth);
  } while (next < root);
  return (float)(square * root);
}

static uint32_t channel(const struct texture *t, const uint8_t *at) {
  uint32_t wide = 0;
  uint16_t half = 0;
  bool unit = t->reads_normalized;
  float f;
  switch (t->memory.format) {
    case TEXTURE_U8: return unit ? bits32((float)at[0] / 255.0f) : at[0];
    case TEXTURE_S8:
      f = (float)(int8_t)at[0] / 127.0f;
      return unit ? bits32(f < -1.0f ? -1.0f : f) : (uint32_t)(int32_t)(int8_t)at[0];
    case TEXTURE_U16: memcpy(&half, at, 2); return unit ? bits32((float)half / 65535.0f) : half;
    case TEXTURE_S16:
      memcpy(&half, at, 2);
      f = (float)(int16_t)half / 32767.0f;
      return unit ? bits32(f < -1.0f ? -1.0f : f) : (uint32_t)(int32_t)(int16_t)half;
    case TEXTURE_HALF: memcpy(&half, at, 2); return f32_of_f16(half);
    default: memcpy(&wide, at, 4); return wide;
  }
}

bool texture_reads_floats(const struct texture *t) {
  const struct texture_memory *m = &t->memory;
  return m->format >= TEXTURE_HALF || (t->reads_normalized && texture_element_bytes(m) / m->channels < 4);
}

void texture_values(const struct texture *t, const uint8_t *from, uint32_t value[TEXTURE_CHANNELS_MAX]) {
  const struct texture_memory *m = &t->memory;
  uint32_t width = texture_element_bytes(m) / m->channels;
  bool is_float = texture_reads_floats(t);
  for (uint32_t c = 0; c < TEXTURE_CHANNELS_MAX; c++) value[c] = c == 3 ? (is_float ? bits32(1.0f) : 1) : 0;
  for (uint32_t c = 0; c < m->channels; c++)
    value[c] = t->srgb && c < 3 ? bits32(light_of(from[c])) : channel(t, from + (size_t)c * width);
}

static uint32_t into_range(int64_t v, int64_t least, int64_t most) {
  return (uint32_t)(v < least ? least : v > most ? most : v);
}

void texture_put_values(const struct texture_memory *m, uint8_t *to, const uint32_t value[TEXTURE_CHANNELS_MAX]) {
  uint32_t width = texture_element_bytes(m) / m->channels;
  for (uint32_t c = 0; c < m->channels; c++) {
    uint32_t v = value[c];
    switch (m->format) {
      case TEXTURE_U8: v = into_range(v, 0, UINT8_MAX); break;
      case TEXTURE_S8: v = into_range((int32_t)v, INT8_MIN, INT8_MAX); break;
      case TEXTURE_U16: v = into_range(v, 0, UINT16_MAX); break;
      case TEXTURE_S16: v = into_range((int32_t)v, INT16_MIN, INT16_MAX); break;
      case TEXTURE_HALF: v = f16_of_f32(v); break;
      default: break;
    }
    memcpy(to + (size_t)c * width, &v, width);
  }
}

/* ---- descriptors ---- */

void texture_write(struct device_memory *memory, uint64_t handle, const struct texture *t) {
  struct descriptor d;
  void *at = device_memory_at(memory, handle, TEXTURE_DESCRIPTOR_BYTES);
  invariant(at, "a texture descriptor outside of device memory");
  memset(&d, 0, sizeof d);
  if (t) {
    d.tag = MAGIC ^ handle;
    d.texture = *t;
  }
  memcpy(at, &d, sizeof d);
}

/* A kernel may overwrite a descriptor: check what would do harm here. */
static bool sound(const struct texture *t) {
  const struct texture_memory *m = &t->memory;
  for (uint32_t i = 0; i < 3; i++)
    if (t->mode[i] >= TEXTURE_MODES) return false;
  return (!t->srgb || m->format == TEXTURE_U8) && m->format < TEXTURE_N_FORMATS &&
         (m->channels == 1 || m->channels == 2 || m->channels == 4) && m->width && m->block_x < 16 && m->block_y < 16 &&
         m->levels <= TEXTURE_LEVELS_MAX && (!m->layered || m->depth) && (!m->cube || m->depth >= TEXTURE_FACES);
}

bool texture_read(const struct device_memory *memory, uint64_t handle, struct texture *t) {
  struct descriptor d;
  const void *at = device_memory_at(memory, handle, TEXTURE_DESCRIPTOR_BYTES);
  if (!at) return false;
  memcpy(&d.tag, at, sizeof d.tag);
  if (d.tag != (MAGIC ^ handle)) return false;
  memcpy(&d, at, sizeof d);
  *t = d.texture;
  return sound(t);
}
