/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel parameters; arguments and results of calls, which lie in frames in local memory; packing of predicates that
 * are saved there. */
#include "ptx/lane_loop.h"

static uint64_t address_of(const struct ptx_op *op, const struct ptx_warp *w, uint32_t l) {
  const void *base = ptx_src(op, w, 0);
  return (op->memory.address_32 ? ((const lane32 *)base)[l] : ((const lane64 *)base)[l]) + (uint64_t)op->memory.offset;
}

/* ---- parameters of the kernel ---- */

/* An element as a register of the operation's width holds it. */
static uint64_t widen(const struct ptx_op_memory *m, uint64_t raw) {
  uint32_t shift = 64 - 8u * m->bytes;
  if (m->is_signed) raw = (uint64_t)((int64_t)(raw << shift) >> shift);
  return m->register_bytes == 2 ? raw & 0xffff : raw;
}

/* Loads the elements at `at` into registers of the lane. */
static void put(const struct ptx_op *op, struct ptx_warp *w, uint32_t lane, const uint8_t *at) {
  const struct ptx_op_memory *m = &op->memory;
  for (uint32_t i = 0; i < m->vector; i++) {
    uint64_t raw = 0;
    memcpy(&raw, at + (size_t)i * m->bytes, m->bytes);
    if (m->register_bytes == 8) ((lane64 *)ptx_dst(op, w, i))[lane] = widen(m, raw);
    else ((lane32 *)ptx_dst(op, w, i))[lane] = (uint32_t)widen(m, raw);
  }
}

/* All lanes read the same parameter: the usual case. */
INLINE void broadcast(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint64_t address) {
  const struct ptx_op_memory *m = &op->memory;
  for (uint32_t i = 0; i < m->vector; i++) {
    uint64_t raw = 0;
    memcpy(&raw, w->cta->params + address + (size_t)i * m->bytes, m->bytes);
    const uint64_t value = widen(m, raw), lanes = mask;
    if (m->register_bytes == 8) {
      lane64 *d = ptx_dst(op, w, i);
      EACH_LANE d[l] = lanes & lane_bit64[l] ? value : d[l];
    } else {
      lane32 *d = ptx_dst(op, w, i);
      EACH_LANE d[l] = mask & lane_bit[l] ? (uint32_t)value : d[l];
    }
  }
}

static void broadcast_base(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint64_t address) {
  broadcast(op, w, mask, address);
}
WIDE static void broadcast_wide(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint64_t address) {
  broadcast(op, w, mask, address);
}

/* Whether all lanes have the address of lane 0; that of a constant is the usual case. */
static bool one_address(const struct ptx_op *op, const struct ptx_warp *w) {
  if (op->src[0] < 0) return true;
  uint64_t first = address_of(op, w, 0), difference = 0;
  for (uint32_t l = 1; l < WARP_LANES; l++) difference |= address_of(op, w, l) ^ first;
  return !difference;
}

void ptx_exec_param_load(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  uint64_t all = w->cta->kernel->param_bytes, bytes = (uint64_t)op->memory.bytes * op->memory.vector;
  uint64_t first = address_of(op, w, 0);
  if (first <= all && bytes <= all - first && one_address(op, w)) {
    if (op->memory.wide_host) broadcast_wide(op, w, mask, first);
    else broadcast_base(op, w, mask, first);
    return;
  }
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    uint64_t address = address_of(op, w, l);
    if (address > all || bytes > all - address) {
      ptx_fault(w, op, PTX_OUTSIDE_PARAMETERS, l, .bytes = (uint32_t)bytes, .address = address, .limit = (uint32_t)all);
      return;
    }
    put(op, w, l, w->cta->params + address);
  }
}

/* ---- frames of calls ---- */

uint8_t *ptx_frame_at(const struct ptx_op *op, struct ptx_warp *w, uint32_t l) {
  uint64_t at = address_of(op, w, l), all = w->cta->kernel->local_bytes;
  uint64_t frames = all - w->cta->kernel->alloca_bytes;
  uint64_t bytes = (uint64_t)op->memory.bytes * op->memory.vector;
  if (at <= frames && bytes <= frames - at) return w->local + l * all + at;
  ptx_too_deep(w, op, l, PTX_STACK_FULL);
  return NULL;
}

void ptx_exec_frame_load(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    const uint8_t *at = ptx_frame_at(op, w, l);
    if (!at) return;
    put(op, w, l, at);
  }
}

void ptx_exec_frame_store(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_op_memory *m = &op->memory;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint8_t *at = ptx_frame_at(op, w, l);
    if (!at) return;
    for (uint32_t i = 0; i < m->vector; i++) {
      const void *s = ptx_src(op, w, 1 + i);
      uint64_t raw = m->register_bytes == 8 ? ((const lane64 *)s)[l] : ((const lane32 *)s)[l];
      memcpy(at + (size_t)i * m->bytes, &raw, m->bytes);
    }
  }
}

/* Packs each lane's predicates into bits of its word, from first_bit on; and unpacks them. */
void ptx_exec_pack_predicates(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  lane32 *d = ptx_dst(op, w, 0);
  for (uint32_t i = 0; i < op->n_src; i++) {
    uint32_t p = *(const lane32 *)ptx_src(op, w, i), bit = op->first_bit + (uint32_t)i;
    for (uint32_t l = 0; l < WARP_LANES; l++)
      if (mask >> l & 1) d[l] = (d[l] & ~(1u << bit)) | (p >> l & 1) << bit;
  }
}

void ptx_exec_unpack_predicates(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *s = ptx_src(op, w, 0);
  for (uint32_t i = 0; i < op->n_dst; i++) {
    uint32_t bits = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) bits |= (s[l] >> (op->first_bit + i) & 1) << l;
    ptx_set_predicate(op, w, i, mask, bits);
  }
}
