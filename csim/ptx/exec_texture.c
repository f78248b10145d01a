/* SPDX-License-Identifier: Apache-2.0 */
/* tex and txq over the lanes of a warp. */
#include "device/device_memory.h"
#include "ptx/lane_loop.h"
#include "ptx/texture.h"

/* The texture of the lane before is usually this lane's. */
struct looked_up {
  uint64_t handle;
  bool valid;
  struct texture texture;
};

static const struct texture *look_up(const struct ptx_op *op, struct ptx_warp *w, uint32_t l, struct looked_up *last) {
  uint64_t handle = ((const lane64 *)ptx_src(op, w, 0))[l];
  if (last->valid && last->handle == handle) return &last->texture;
  last->handle = handle;
  last->valid = texture_read(w->cta->memory, handle, &last->texture);
  if (last->valid) return &last->texture;
  ptx_fault(w, op, PTX_NO_TEXTURE, l, .address = handle);
  return NULL;
}

/* Element of the lane's coordinate `i` (0: x, 1: y), or -1. */
static int64_t element(const struct ptx_op *op, const struct ptx_warp *w, const struct texture *t, uint32_t i,
                       uint32_t l) {
  uint32_t bits = ((const lane32 *)ptx_src(op, w, 1 + i))[l], n = i ? t->memory.height : t->memory.width;
  enum texture_mode mode = (enum texture_mode)t->mode[i];
  if (op->memory.fetch.integer) return texture_element_of_integer((int32_t)bits, n, mode);
  return texture_element(float32(bits), n, t->normalized, mode);
}

void ptx_texture_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  struct looked_up last = {.valid = false};
  bool two = op->memory.fetch.two;
  *a = (struct ptx_access){.space = PTX_TEXTURE, .bytes = 4, .mask = mask};
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    const struct texture *t = look_up(op, w, l, &last);
    if (!t) return;
    if (two != (t->memory.height != 0)) {
      ptx_fault(w, op, two ? PTX_TEXTURE_IS_1D : PTX_TEXTURE_IS_2D, l);
      return;
    }
    int64_t x = element(op, w, t, 0, l), y = two ? element(op, w, t, 1, l) : 0;
    a->bytes = (uint8_t)texture_element_bytes(&t->memory);
    a->address[l] = PTX_NOWHERE;
    if (x >= 0 && y >= 0) a->address[l] = t->memory.address + texture_offset(&t->memory, (uint32_t)x, (uint32_t)y);
  }
}

void ptx_texture_perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  struct looked_up last = {.valid = false};
  uint32_t value[TEXTURE_CHANNELS_MAX];
  for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    const struct texture *t = look_up(op, w, l, &last);
    if (!t) return;
    if (a->address[l] == PTX_NOWHERE) {
      memcpy(value, t->border, sizeof value);
    } else {
      const uint8_t *at = device_memory_at(w->cta->memory, a->address[l], texture_element_bytes(&t->memory));
      if (!at) {
        ptx_fault(w, op, PTX_TEXTURE_ILLEGAL, l, .address = a->address[l]);
        return;
      }
      texture_values(t, at, value);
    }
    for (uint32_t i = 0; i < op->n_dst; i++) ((lane32 *)ptx_dst(op, w, i))[l] = value[i];
  }
}

void ptx_exec_texture_query(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  struct looked_up last = {.valid = false};
  lane32 *d = ptx_dst(op, w, 0);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    const struct texture *t = look_up(op, w, l, &last);
    if (!t) return;
    switch (op->query) {
      case TEXTURE_QUERY_WIDTH: d[l] = t->memory.width; break;
      case TEXTURE_QUERY_HEIGHT: d[l] = t->memory.height; break;
      default: d[l] = t->normalized; break;
    }
  }
}
