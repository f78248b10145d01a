/* SPDX-License-Identifier: Apache-2.0 */
/* tex, tld4, txq and suq. */
#include "ptx/exec_texture.h"
#include "ptx/approximate.h"

#include "device/device_memory.h"

const struct texture *ptx_texture_look_up(const struct ptx_op *op, struct ptx_warp *w, uint32_t l, bool surface,
                                          struct texture_seen *last) {
  uint64_t handle = ((const lane64 *)ptx_src(op, w, 0))[l];
  if (last->valid && last->handle == handle) return &last->texture;
  last->handle = handle;
  last->valid = texture_read(w->cta->memory, handle, &last->texture) && last->texture.surface == surface;
  if (last->valid) return &last->texture;
  ptx_fault(w, op, surface ? PTX_NO_SURFACE : PTX_NO_TEXTURE, l, .address = handle);
  return NULL;
}

static const struct texture *look_up(const struct ptx_op *op, struct ptx_warp *w, uint32_t l,
                                     struct texture_seen *last) {
  const struct texture *t = ptx_texture_look_up(op, w, l, false, last);
  if (!t || op->memory.fetch.geometry == texture_geometry(&t->memory)) return t;
  ptx_fault(w, op, PTX_TEXTURE_GEOMETRY, l, .index = op->memory.fetch.geometry, .limit = texture_geometry(&t->memory));
  return NULL;
}

/* ---- what a lane asks for ---- */

struct form {
  uint32_t coordinates;
  bool layered;
};
static const struct form forms[TEXTURE_N_GEOMETRIES] = {
#define X(name, ptx, coordinates, layered) {coordinates, layered},
  TEXTURE_GEOMETRIES(X)
#undef X
};

static uint32_t word(const struct ptx_op *op, const struct ptx_warp *w, uint32_t source, uint32_t l) {
  return ((const lane32 *)ptx_src(op, w, source))[l];
}

/* Square of the length of a gradient, in elements of the largest level. */
static double stretch(const struct ptx_op *op, const struct ptx_warp *w, const struct texture *t, uint32_t first,
                      uint32_t n, uint32_t l) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t size = i ? t->memory.height : t->memory.width;
    double d = (double)float32(word(op, w, first + i, l)) * (t->normalized ? size : 1);
    sum += d * d;
  }
  return sum;
}

static struct texture_point point_of(const struct ptx_op *op, const struct ptx_warp *w, const struct texture *t,
                                     uint32_t l) {
  struct form form = forms[op->memory.fetch.geometry];
  struct texture_point p = {.integer = op->memory.fetch.integer, .gather = op->memory.fetch.gather};
  uint32_t source = 1;
  if (form.layered) p.layer = word(op, w, source++, l);
  for (uint32_t i = 0; i < form.coordinates; i++) {
    uint32_t bits = word(op, w, source++, l);
    p.c[i] = float32(bits);
    p.i[i] = (int32_t)bits;
  }
  p.levelled = op->memory.fetch.level != FETCH_LARGEST;
  if (op->memory.fetch.level == FETCH_LEVEL) p.level = float32(word(op, w, source, l));
  if (op->memory.fetch.level != FETCH_GRADIENTS) return p;
  double a = stretch(op, w, t, source, form.coordinates, l);
  double b = stretch(op, w, t, source + form.coordinates, form.coordinates, l);
  p.level = 0.5f * ptx_lg2((float)(a > b ? a : b)); /* log2 of the longer one */
  return p;
}

/* ---- fetches that filter: several elements a lane ---- */

static void filtered_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  struct texture_seen last = {.valid = false};
  lane64 *texel = (lane64 *)(void *)(w->rows + (size_t)((const struct kernel *)w->cta->kernel)->texel_row * WARP_LANES);
  struct texture_texels of;
  a->mask = 0;
  a->n_texels = 0;
  a->texel = (const uint64_t *)texel;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    const struct texture *t = look_up(op, w, l, &last);
    if (!t) return;
    struct texture_point p = point_of(op, w, t, l);
    texture_locate(t, &p, &of);
    uint8_t bytes = (uint8_t)texture_element_bytes(&t->memory);
    if (a->mask && (bytes != a->bytes || a->n_texels + of.n > PTX_TEXELS_MAX)) return;
    a->bytes = bytes;
    a->mask |= 1u << l;
    a->address[l] = of.texel[0].address;
    for (uint32_t i = 0; i < of.n; i++)
      if (of.texel[i].address != PTX_NOWHERE) texel[a->n_texels++] = of.texel[i].address;
  }
}

/* ---- accesses ---- */

void ptx_texture_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  struct texture_seen last = {.valid = false};
  struct texture_texels of;
  *a = (struct ptx_access){.space = PTX_TEXTURE, .bytes = 4, .mask = mask};
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    const struct texture *t = look_up(op, w, l, &last);
    if (!t) return;
    struct texture_point p = point_of(op, w, t, l);
    if (texture_filters(t, &p)) {
      filtered_addresses(op, w, mask, a);
      return;
    }
    texture_locate(t, &p, &of);
    a->bytes = (uint8_t)texture_element_bytes(&t->memory);
    a->address[l] = of.texel[0].address;
  }
}

void ptx_texture_perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  struct texture_seen last = {.valid = false};
  uint32_t value[TEXTURE_CHANNELS_MAX];
  for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    uint64_t where = 0;
    const struct texture *t = look_up(op, w, l, &last);
    if (!t) return;
    struct texture_point p = point_of(op, w, t, l);
    if (!texture_fetch(t, &p, w->cta->memory, value, &where)) {
      ptx_fault(w, op, PTX_TEXTURE_ILLEGAL, l, .address = where);
      return;
    }
    for (uint32_t i = 0; i < op->n_dst; i++) ((lane32 *)ptx_dst(op, w, i))[l] = value[i];
  }
}

/* ---- queries ---- */

static uint32_t answer(const struct texture *t, enum ptx_texture_query query, uint32_t level) {
  uint32_t levels = t->memory.levels ? t->memory.levels : 1;
  struct texture_memory m = texture_level(&t->memory, level < levels ? level : levels - 1);
  bool layers = m.layered || m.cube;
  switch (query) {
    case TEXTURE_QUERY_WIDTH: return m.width;
    case TEXTURE_QUERY_HEIGHT: return m.height;
    case TEXTURE_QUERY_DEPTH: return layers ? 0 : m.depth;
    case TEXTURE_QUERY_LAYERS: return !m.layered ? 0 : m.cube ? m.depth / TEXTURE_FACES : m.depth;
    case TEXTURE_QUERY_LEVELS: return levels;
    case TEXTURE_QUERY_FILTER: return t->linear;
    default: return t->normalized;
  }
}

void ptx_exec_texture_query(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  struct texture_seen last = {.valid = false};
  lane32 *d = ptx_dst(op, w, 0);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    const struct texture *t = ptx_texture_look_up(op, w, l, op->query.surface, &last);
    if (!t) return;
    d[l] = answer(t, (enum ptx_texture_query)op->query.what, op->n_src > 1 ? word(op, w, 1, l) : 0);
  }
}
