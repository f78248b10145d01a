/* SPDX-License-Identifier: Apache-2.0 */
/* The usual loads and stores of a warp, without the list of addresses that timing needs: for launches that are only executed.
 * Whatever is unusual is left to ptx_addresses and ptx_perform, which name the lane of a fault. */
#include "ptx/quick.h"

#include "device/device_memory.h"
#include "ptx/lane_loop.h"

/* Where the lanes access: bytes from `origin`. */
struct span {
  uint8_t *origin;
  uint32_t at[WARP_LANES];
  bool in_order; /* lane l accesses word l behind lane 0's */
  bool same;     /* all lanes access the same bytes */
};

/* Offsets in shared memory, of lanes outside of `mask` that of the first one in it; false: an address lies far outside. */
INLINE bool shared_offsets(const struct ptx_op *op, const struct ptx_warp *w, uint32_t mask, struct span *s) {
  const uint64_t offset = (uint64_t)op->memory.offset, lanes = mask;
  const uint32_t one = (uint32_t)__builtin_ctz(mask);
  uint64_t high = 0;
  if (op->memory.address_32) {
    const lane32 *base = ptx_src(op, w, 0);
    const uint32_t first = base[one];
    EACH_LANE s->at[l] = (mask & lane_bit[l] ? base[l] : first) + (uint32_t)offset;
    return true;
  }
  const lane64 *base = ptx_src(op, w, 0);
  const uint64_t first = base[one];
  EACH_LANE {
    const uint64_t a = (lanes & lane_bit64[l] ? base[l] : first) + offset;
    s->at[l] = (uint32_t)a;
    high |= a;
  }
  return !(high >> 32);
}

/* False: a lane is misaligned or outside. */
INLINE bool shared_span(const struct ptx_op *op, const struct ptx_warp *w, uint32_t mask, uint32_t bytes,
                        struct span *s) {
  uint32_t all = w->cta->shared_bytes, uneven = 0, spread = 0, most = 0, bits = 0;
  if (!shared_offsets(op, w, mask, s)) return false;
  const uint32_t first = s->at[0];
  EACH_LANE {
    const uint32_t a = s->at[l];
    uneven |= a - first - 4 * l;
    spread |= a - first;
    bits |= a;
    most = a > most ? a : most;
  }
  s->in_order = !uneven, s->same = !spread;
  s->origin = w->cta->shared;
  return !(bits & (bytes - 1)) && bytes <= all && most <= all - bytes;
}

/* Device memory, by an address of 64 bits. No window of a generic address overlaps it. */
INLINE bool global_span(const struct ptx_op *op, const struct ptx_warp *w, uint32_t mask, uint32_t bytes,
                        struct span *s) {
  const lane64 *base = ptx_src(op, w, 0);
  const uint64_t one = base[__builtin_ctz(mask)], first = one + (uint64_t)op->memory.offset, lanes = mask;
  uint64_t uneven = 0, spread = 0, wild = 0;
  EACH_LANE {
    const uint64_t d = lanes & lane_bit64[l] ? base[l] - one : 0;
    uneven |= d - 4 * (uint64_t)l;
    spread |= d;
    wild |= (d + (UINT64_C(1) << 30)) >> 31;
  }
  s->in_order = !uneven, s->same = !spread;
  if (wild || (spread | first) & (bytes - 1)) return false;
  int32_t least = 0, most = s->in_order ? 4 * (WARP_LANES - 1) : 0;
  s->at[0] = 0;
  if (!s->in_order && !s->same) {
    EACH_LANE {
      const int32_t d = (int32_t)(uint32_t)(lanes & lane_bit64[l] ? base[l] - one : 0);
      s->at[l] = (uint32_t)d;
      least = d < least ? d : least;
      most = d > most ? d : most;
    }
    EACH_LANE s->at[l] -= (uint32_t)least;
  }
  s->origin = device_memory_at(w->cta->memory, first + (uint64_t)(int64_t)least, (uint64_t)(most - least) + bytes);
  return s->origin;
}

INLINE void load_words(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, const struct span *s) {
  for (uint32_t i = 0; i < op->memory.vector; i++) {
    lane32 scratch[WARP_LANES] __attribute__((aligned(64))), *d = ptx_dst(op, w, i),
                                                             *o = mask == UINT32_MAX ? d : scratch;
    const uint8_t *from = s->origin + 4 * i;
    if (s->in_order && op->memory.vector == 1) {
      memcpy(o, from + s->at[0], 4 * WARP_LANES);
    } else if (s->same) {
      uint32_t word;
      memcpy(&word, from + s->at[0], 4);
      EACH_LANE o[l] = word;
    } else {
      for (uint32_t l = 0; l < WARP_LANES; l++) memcpy(o + l, from + s->at[l], 4);
    }
    if (mask != UINT32_MAX) ptx_blend32(d, scratch, mask);
  }
}

INLINE void load_pairs(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, const struct span *s) {
  for (uint32_t i = 0; i < op->memory.vector; i++) {
    lane64 scratch[WARP_LANES] __attribute__((aligned(64))), *d = ptx_dst(op, w, i),
                                                             *o = mask == UINT32_MAX ? d : scratch;
    for (uint32_t l = 0; l < WARP_LANES; l++) memcpy(o + l, s->origin + (s->same ? s->at[0] : s->at[l]) + 8 * i, 8);
    if (mask != UINT32_MAX) ptx_blend64(d, scratch, mask);
  }
}

/* Of two lanes that store to one place the higher wins, as in ptx_perform. */
INLINE void store_words(const struct ptx_op *op, const struct ptx_warp *w, uint32_t mask, const struct span *s) {
  const lane32 *from = ptx_src(op, w, 1);
  if (mask != UINT32_MAX) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(rest);
      memcpy(s->origin + (s->same ? s->at[0] : s->at[l]), from + l, 4);
    }
  } else if (s->in_order) {
    memcpy(s->origin + s->at[0], from, 4 * WARP_LANES);
  } else {
    for (uint32_t l = 0; l < WARP_LANES; l++) memcpy(s->origin + (s->same ? s->at[0] : s->at[l]), from + l, 4);
  }
}

/* An access of words, or a load of pairs of words. With a partial mask `in_order` is not looked for: inactive lanes repeat an address. */
INLINE bool access_lanes(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_op_memory *m = &op->memory;
  uint32_t bytes = (uint32_t)m->bytes * m->vector;
  struct span s;
  bool found = m->space == PTX_SHARED ? shared_span(op, w, mask, bytes, &s) : global_span(op, w, mask, bytes, &s);
  if (!found || (s.in_order && (bytes != 4 || mask != UINT32_MAX))) return false;
  if (op->class == PTX_STORE) store_words(op, w, mask, &s);
  else if (m->bytes == 8) load_pairs(op, w, mask, &s);
  else load_words(op, w, mask, &s);
  return true;
}

WIDE static bool access_whole(const struct ptx_op *op, struct ptx_warp *w) { return access_lanes(op, w, UINT32_MAX); }
WIDE static bool access_part(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  return access_lanes(op, w, mask);
}

bool ptx_quick_access(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_op_memory *m = &op->memory;
  bool usual = m->wide_host && m->bytes == m->register_bytes && !m->async && !m->is_matrix && mask;
  if (!usual || m->bytes < 4 || op->class == PTX_ATOMIC) return false;
  if (op->class == PTX_STORE && (m->bytes != 4 || m->vector != 1)) return false;
  bool shared = m->space == PTX_SHARED;
  bool global = (m->space == PTX_GLOBAL || m->space == PTX_GENERIC || m->space == PTX_CONST) && !m->address_32;
  if (!shared && !global) return false;
  return mask == UINT32_MAX ? access_whole(op, w) : access_part(op, w, mask);
}
