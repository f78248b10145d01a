/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements a fetch reads, and the mean of them: the formulas of the CUDA C++ Programming Guide, "Texture
 * Fetching". A fraction between two elements has 8 bits, as the guide says. assumption: it is rounded to nearest, a
 * half up. The mean is a sum in double, in the order of the elements, rounded once. */
#include "device/device_memory.h"
#include "ptx/lane_loop.h"
#include "ptx/texture.h"

#define FRACTIONS 256.0

/* The elements that one coordinate names, and the weight of the second. */
struct axis {
  int64_t at[2]; /* -1: outside */
  double weight;
  uint32_t n;
};

static double fraction_of(double c) { return __builtin_floor(c * FRACTIONS + 0.5) / FRACTIONS; }

/* ---- one coordinate ---- */

/* A coordinate in elements, not yet within them; exact, for a float times a width fits in a double. */
static double in_elements(float c, uint32_t n, bool normalized, enum texture_mode mode) {
  double x = (double)c;
  if (normalized && (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR)) {
    double whole = __builtin_floor(x), half = whole * 0.5;
    bool odd = half != __builtin_floor(half);
    x -= whole;
    if (mode == TEXTURE_MIRROR && odd) x = 1.0 - x;
  }
  if (x != x) x = 0.0; /* NaN; wrapped infinity */
  if (normalized) x *= n;
  return x < -1e9 ? -1e9 : x > 1e10 ? 1e10 : x;
}

static int64_t neighbour(int64_t i, uint32_t n, bool normalized, enum texture_mode mode) {
  if (i >= 0 && i < (int64_t)n) return i;
  if (mode == TEXTURE_BORDER) return -1;
  if (normalized && mode == TEXTURE_WRAP) return i < 0 ? (int64_t)n - 1 : 0;
  return i < 0 ? 0 : (int64_t)n - 1;
}

static struct axis between(float c, uint32_t n, bool normalized, enum texture_mode mode) {
  double x = in_elements(c, n, normalized, mode) - 0.5, whole = __builtin_floor(x);
  int64_t i = (int64_t)whole;
  return (struct axis){.at = {neighbour(i, n, normalized, mode), neighbour(i + 1, n, normalized, mode)},
                       .weight = fraction_of(x - whole),
                       .n = 2};
}

static struct axis axis_of(const struct texture *t, const struct texture_point *p, uint32_t d, uint32_t n) {
  enum texture_mode mode = (enum texture_mode)t->mode[d];
  if (p->integer) return (struct axis){.at = {texture_element_of_integer(p->i[d], n, mode)}, .n = 1};
  if (t->linear || p->gather) return between(p->c[d], n, t->normalized, mode);
  return (struct axis){.at = {texture_element(p->c[d], n, t->normalized, mode)}, .n = 1};
}

/* ---- cubes ---- */

/* The face that a direction hits, and where, as the guide's table of cubemap textures has it. assumption: a fetch near
 * an edge reads no other face, the direction (0, 0, 0) hits the middle of face 0. */
static uint32_t face_of(const float c[3], float st[2]) {
  float x = c[0], y = c[1], z = c[2], ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, t;
  uint32_t face;
  if (ax >= ay && ax >= az) face = x < 0 ? 1 : 0, m = ax, s = x < 0 ? z : -z, t = -y;
  else if (ay >= az) face = y < 0 ? 3 : 2, m = ay, s = x, t = y < 0 ? -z : z;
  else face = z < 0 ? 5 : 4, m = az, s = z < 0 ? -x : x, t = -y;
  st[0] = m > 0 ? (float)(((double)s / (double)m + 1.0) * 0.5) : 0.5f;
  st[1] = m > 0 ? (float)(((double)t / (double)m + 1.0) * 0.5) : 0.5f;
  return face;
}

/* The same fetch from the face, as from a layer; its coordinates are normalized and clamped. */
static void onto_face(struct texture *t, struct texture_point *p) {
  float st[2];
  uint32_t face = face_of(p->c, st), layers = t->memory.depth / TEXTURE_FACES;
  uint32_t layer = !t->memory.layered ? 0 : p->layer < layers ? p->layer : layers - 1;
  p->layer = layer * TEXTURE_FACES + face;
  p->c[0] = st[0], p->c[1] = st[1];
  t->normalized = true;
  t->mode[0] = t->mode[1] = TEXTURE_CLAMP;
}

/* ---- levels ---- */

/* The level, and the weight of the next one. */
static uint32_t level_of(const struct texture *t, const struct texture_point *p, double *weight) {
  uint32_t levels = t->memory.levels ? t->memory.levels : 1;
  double level = (double)p->level + (double)t->level_bias;
  *weight = 0;
  if (!p->levelled || levels == 1) return 0;
  if (level > (double)t->most_level) level = (double)t->most_level;
  if (!(level > (double)t->least_level)) level = (double)t->least_level; /* NaN, too */
  if (!(level > 0)) level = 0;
  if (level > levels - 1) level = levels - 1;
  if (!t->linear_levels) return (uint32_t)(level + 0.5) < levels ? (uint32_t)(level + 0.5) : levels - 1;
  uint32_t whole = (uint32_t)level;
  *weight = fraction_of(level - whole);
  return whole;
}

static void add(struct texture_texels *out, const struct texture_memory *m, int64_t x, int64_t y, int64_t z,
                double weight) {
  struct texel *e = &out->texel[out->n++];
  e->weight = weight;
  e->address = PTX_NOWHERE;
  if (x >= 0 && y >= 0 && z >= 0)
    e->address = m->address + (uint64_t)z * m->slice + texture_offset(m, (uint32_t)x, (uint32_t)y);
}

static double part(const struct axis *a, uint32_t i) { return a->n == 1 ? 1.0 : i ? a->weight : 1.0 - a->weight; }

static void locate_level(const struct texture *t, const struct texture_point *p, uint32_t level, double weight,
                         struct texture_texels *out) {
  struct texture_memory smaller;
  const struct texture_memory *m = &t->memory;
  if (level) {
    smaller = texture_level(m, level);
    m = &smaller;
  }
  struct axis x = axis_of(t, p, 0, m->width), y = {.n = 1}, z = {.n = 1};
  if (m->height) y = axis_of(t, p, 1, m->height);
  if (m->layered || m->cube) z.at[0] = p->layer < m->depth ? p->layer : m->depth - 1; /* assumption: it is clamped */
  else if (m->depth) z = axis_of(t, p, 2, m->depth);
  if (p->gather) { /* the elements around the point, counter-clockwise from the left one of the row of higher y */
    uint32_t last = y.n - 1;
    add(out, m, x.at[0], y.at[last], z.at[0], 1);
    add(out, m, x.at[1], y.at[last], z.at[0], 1);
    add(out, m, x.at[1], y.at[0], z.at[0], 1);
    add(out, m, x.at[0], y.at[0], z.at[0], 1);
    return;
  }
  for (uint32_t k = 0; k < z.n; k++)
    for (uint32_t j = 0; j < y.n; j++)
      for (uint32_t i = 0; i < x.n; i++)
        add(out, m, x.at[i], y.at[j], z.at[k], weight * part(&z, k) * part(&y, j) * part(&x, i));
}

bool texture_filters(const struct texture *t, const struct texture_point *p) {
  if (p->gather) return true;
  return (t->linear && !p->integer) || (t->linear_levels && p->levelled && t->memory.levels > 1);
}

static void locate(const struct texture *t, const struct texture_point *p, struct texture_texels *out) {
  double weight;
  uint32_t level = level_of(t, p, &weight);
  out->n = 0;
  locate_level(t, p, level, 1.0 - weight, out);
  if (weight > 0 && !p->gather) locate_level(t, p, level + 1, weight, out);
}

void texture_locate(const struct texture *t, const struct texture_point *p, struct texture_texels *out) {
  if (!t->memory.cube) {
    locate(t, p, out);
    return;
  }
  struct texture face = *t;
  struct texture_point on = *p;
  onto_face(&face, &on);
  locate(&face, &on, out);
}

/* ---- values ---- */

static bool values_of(const struct texture *t, const struct texel *e, const struct device_memory *memory,
                      uint32_t value[TEXTURE_CHANNELS_MAX], uint64_t *where) {
  if (e->address == PTX_NOWHERE) {
    memcpy(value, t->border, sizeof t->border);
    return true;
  }
  const uint8_t *at = device_memory_at(memory, e->address, texture_element_bytes(&t->memory));
  *where = e->address;
  if (at) texture_values(t, at, value);
  return at != NULL;
}

/* assumption: an element of weight 0 has no part in the mean, though it is infinite. */
static bool mean(const struct texture *t, const struct texture_texels *from, const struct device_memory *memory,
                 uint32_t value[TEXTURE_CHANNELS_MAX], uint64_t *where) {
  double sum[TEXTURE_CHANNELS_MAX] = {0};
  for (uint32_t i = 0; i < from->n; i++) {
    if (!values_of(t, &from->texel[i], memory, value, where)) return false;
    for (uint32_t c = 0; c < TEXTURE_CHANNELS_MAX && from->texel[i].weight > 0; c++)
      sum[c] += from->texel[i].weight * (double)float32(value[c]);
  }
  for (uint32_t c = 0; c < TEXTURE_CHANNELS_MAX; c++) value[c] = bits32(canonical32((float)sum[c]));
  return true;
}

bool texture_fetch(const struct texture *t, const struct texture_point *p, const struct device_memory *memory,
                   uint32_t value[TEXTURE_CHANNELS_MAX], uint64_t *where) {
  struct texture_texels from;
  uint32_t one[TEXTURE_CHANNELS_MAX];
  texture_locate(t, p, &from);
  if (from.n == 1) return values_of(t, from.texel, memory, value, where);
  if (!p->gather) return mean(t, &from, memory, value, where);
  for (uint32_t i = 0; i < from.n; i++) {
    if (!values_of(t, &from.texel[i], memory, one, where)) return false;
    value[i] = one[p->gather - 1];
  }
  return true;
}
