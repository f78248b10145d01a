/* SPDX-License-Identifier: Apache-2.0 */
/* suld, sust and sured. The first coordinate counts bytes, which are moved as they are, or elements, to whose format values are
 * converted; the others count rows, slices or layers. A surface of a cube has its faces as layers. */
#include "ptx/exec_texture.h"
#include "ptx/lane_loop.h"

#include "device/device_memory.h"

/* Where a lane accesses the surface: the place of its first byte. */
struct place {
  bool inside;
  uint32_t x, y, z; /* x: byte of the row */
};

static bool fits(const struct texture_memory *m, uint8_t asked) {
  enum texture_geometry g = texture_geometry(m);
  return asked == g || (asked == TEXTURE_2D_LAYERED && (g == TEXTURE_CUBE || g == TEXTURE_CUBE_LAYERED));
}

static const struct texture *look_up(const struct ptx_op *op, struct ptx_warp *w, uint32_t l,
                                     struct texture_seen *last) {
  const struct texture *t = ptx_texture_look_up(op, w, l, true, last);
  if (!t || fits(&t->memory, op->memory.fetch.geometry)) return t;
  ptx_fault(w, op, PTX_TEXTURE_GEOMETRY, l, .index = op->memory.fetch.geometry, .limit = texture_geometry(&t->memory));
  return NULL;
}

/* A coordinate among `n`, of an access of `bytes`; false: it lies outside, and is not clamped. */
static bool inside(const struct ptx_op *op, int32_t c, uint64_t n, uint32_t bytes, uint32_t *at) {
  bool in = c >= 0 && (uint64_t)c + bytes <= n;
  *at = in ? (uint32_t)c : c < 0 ? 0 : (uint32_t)(n - bytes);
  return in || (op->memory.fetch.outside == SURFACE_CLAMP && bytes <= n);
}

static uint32_t access_bytes(const struct ptx_op *op, const struct texture_memory *m) {
  if (op->memory.fetch.formatted) return texture_element_bytes(m);
  return (uint32_t)op->memory.bytes * op->memory.vector;
}

static bool find_place(const struct ptx_op *op, struct ptx_warp *w, const struct texture *t, uint32_t l,
                       struct place *p) {
  const struct texture_memory *m = &t->memory;
  uint8_t g = op->memory.fetch.geometry;
  bool layered = g == TEXTURE_1D_LAYERED || g == TEXTURE_2D_LAYERED;
  uint32_t bytes = access_bytes(op, m), element = texture_element_bytes(m), source = 1;
  const lane32 *z = layered ? ptx_src(op, w, source++) : NULL, *x = ptx_src(op, w, source++);
  const lane32 *y = m->height ? ptx_src(op, w, source++) : NULL;
  if (g == TEXTURE_3D) z = ptx_src(op, w, source);
  *p = (struct place){.inside = true};
  if (op->memory.fetch.formatted) {
    p->inside &= inside(op, (int32_t)x[l], m->width, 1, &p->x);
    p->x *= element;
  } else {
    p->inside &= inside(op, (int32_t)x[l], (uint64_t)m->width * element, bytes, &p->x);
  }
  if (y) p->inside &= inside(op, (int32_t)y[l], m->height, 1, &p->y);
  if (z) p->inside &= inside(op, (int32_t)z[l], m->depth, 1, &p->z);
  if (!p->inside && op->memory.fetch.outside != SURFACE_ZERO) {
    ptx_fault(w, op, PTX_SURFACE_OUTSIDE, l);
    return false;
  }
  if (!p->inside || p->x % bytes == 0) return true;
  ptx_fault(w, op, PTX_SURFACE_MISALIGNED, l, .bytes = bytes, .index = p->x);
  return false;
}

/* Device address of byte `x` of the place's row. */
static uint64_t address_of(const struct texture_memory *m, const struct place *p, uint32_t x) {
  uint32_t element = texture_element_bytes(m);
  return m->address + p->z * m->slice + texture_offset(m, x / element, p->y) + x % element;
}

/* Loads use the texture cache, stores and reductions are global ones; lanes outside access nothing. */
void ptx_surface_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  struct texture_seen last = {.valid = false};
  bool load = op->class == PTX_LOAD;
  *a = (struct ptx_access){.space = load ? PTX_TEXTURE : PTX_GLOBAL,
                           .bytes = (uint8_t)(op->memory.bytes * op->memory.vector),
                           .store = op->class == PTX_STORE,
                           .atomic = op->class == PTX_ATOMIC,
                           .mask = mask};
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    struct place p;
    const struct texture *t = look_up(op, w, l, &last);
    if (!t || !find_place(op, w, t, l, &p)) return;
    a->bytes = (uint8_t)access_bytes(op, &t->memory);
    a->address[l] = p.inside ? address_of(&t->memory, &p, p.x) : PTX_NOWHERE;
    if (!p.inside && !load) a->mask &= ~(1u << l);
  }
}

static uint64_t value_of(const struct ptx_op *op, const struct ptx_warp *w, uint32_t i, uint32_t l) {
  const void *row = ptx_src(op, w, op->n_src - op->memory.vector + i);
  return op->memory.register_bytes == 8 ? ((const lane64 *)row)[l] : ((const lane32 *)row)[l];
}

/* assumption: components that the instruction does not give are 0 (PTX leaves them open). */
static void pack(const struct ptx_op *op, const struct ptx_warp *w, const struct texture_memory *m, uint32_t l,
                 uint8_t *bytes) {
  uint32_t value[TEXTURE_CHANNELS_MAX] = {0};
  for (uint32_t i = 0; i < op->memory.vector; i++) {
    uint64_t v = value_of(op, w, i, l);
    if (op->memory.fetch.formatted) value[i] = (uint32_t)v;
    else memcpy(bytes + i * op->memory.bytes, &v, op->memory.bytes);
  }
  if (op->memory.fetch.formatted) texture_put_values(m, bytes, value);
}

static void unpack(const struct ptx_op *op, struct ptx_warp *w, uint32_t l, const uint8_t *bytes) {
  for (uint32_t i = 0; i < op->memory.vector; i++) {
    uint64_t v = 0;
    memcpy(&v, bytes + i * op->memory.bytes, op->memory.bytes);
    if (op->memory.register_bytes == 8) ((lane64 *)ptx_dst(op, w, i))[l] = v;
    else ((lane32 *)ptx_dst(op, w, i))[l] = (uint32_t)v;
  }
}

/* The new bytes of a reduction; false: the surface has none of that format. */
static bool reduce(const struct ptx_op *op, struct ptx_warp *w, const struct texture_memory *m, uint32_t l,
                   uint8_t *bytes) {
  struct ptx_op_atomic how = op->memory.fetch.reduce;
  uint64_t old = 0;
  if (op->memory.fetch.formatted) {
    bool fit = m->channels == 1 && (m->format == TEXTURE_U32 || m->format == TEXTURE_S32);
    if (!fit) {
      ptx_fault(w, op, PTX_SURFACE_FORMAT, l);
      return false;
    }
    how.type = m->format == TEXTURE_S32 ? T_S32 : T_U32;
  }
  memcpy(&old, bytes, op->memory.bytes);
  uint64_t sum = ptx_atomic_result(how, old, value_of(op, w, 0, l), 0);
  memcpy(bytes, &sum, op->memory.bytes);
  return true;
}

/* Elements of a row need not lie side by side: an access wider than one moves one after the other. */
static bool move(const struct ptx_op *op, struct ptx_warp *w, const struct texture_memory *m, const struct place *p,
                 uint32_t l, uint8_t *bytes, bool store) {
  uint32_t all = access_bytes(op, m), element = texture_element_bytes(m);
  uint32_t step = all < element ? all : element;
  for (uint32_t done = 0; done < all; done += step) {
    uint64_t address = address_of(m, p, p->x + done);
    uint8_t *at = device_memory_at(w->cta->memory, address, step);
    if (!at) {
      ptx_fault(w, op, PTX_TEXTURE_ILLEGAL, l, .address = address);
      return false;
    }
    if (store) memcpy(at, bytes + done, step);
    else memcpy(bytes + done, at, step);
  }
  return true;
}

/* One lane, in the order of lanes: its load, store or reduction. */
static bool perform_lane(const struct ptx_op *op, struct ptx_warp *w, const struct texture_memory *m,
                         const struct place *p, uint32_t l) {
  uint8_t bytes[16] = {0};
  if (op->class == PTX_STORE) pack(op, w, m, l, bytes);
  if (p->inside && !move(op, w, m, p, l, bytes, op->class == PTX_STORE)) return false;
  if (op->class == PTX_LOAD) unpack(op, w, l, bytes);
  if (op->class != PTX_ATOMIC || !p->inside) return true;
  return reduce(op, w, m, l, bytes) && move(op, w, m, p, l, bytes, true);
}

void ptx_surface_perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  struct texture_seen last = {.valid = false};
  for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    struct place p;
    const struct texture *t = look_up(op, w, l, &last);
    if (!t || !find_place(op, w, t, l, &p) || !perform_lane(op, w, &t->memory, &p, l)) return;
  }
}
