/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and results of calls, in the frames of the thread's local memory; predicates on their way to and from it. */
#include "ptx/lane_loop.h"

/* Host address of a lane's bytes, or NULL after a fault. */
static uint8_t *in_frame(const struct ptx_op *op, struct ptx_warp *w, uint32_t l) {
  const void *base = ptx_src(op, w, 0);
  uint64_t at = op->flags & FLAG_ADDRESS_32 ? ((const lane32 *)base)[l] : ((const lane64 *)base)[l];
  uint64_t all = w->cta->kernel->local_bytes, bytes = (uint64_t)op->bytes * op->vector;
  at += (uint64_t)op->offset;
  if (at <= all && bytes <= all - at) return w->local + l * all + at;
  ptx_too_deep(w, op, l, PTX_STACK_FULL);
  return NULL;
}

void ptx_exec_frame_load(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const uint32_t shift = 64 - 8u * op->bytes;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    const uint8_t *at = in_frame(op, w, l);
    if (!at) return;
    for (uint32_t i = 0; i < op->vector; i++) {
      uint64_t raw = 0;
      memcpy(&raw, at + (size_t)i * op->bytes, op->bytes);
      if (op->flags & FLAG_SIGNED) raw = (uint64_t)((int64_t)(raw << shift) >> shift);
      if (op->flags & FLAG_TO_64) ((lane64 *)ptx_dst(op, w, i))[l] = raw;
      else ((lane32 *)ptx_dst(op, w, i))[l] = op->flags & FLAG_TO_16 ? (uint32_t)(raw & 0xffff) : (uint32_t)raw;
    }
  }
}

void ptx_exec_frame_store(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint8_t *at = in_frame(op, w, l);
    if (!at) return;
    for (uint32_t i = 0; i < op->vector; i++) {
      const void *s = ptx_src(op, w, 1 + i);
      uint64_t raw = op->flags & FLAG_TO_64 ? ((const lane64 *)s)[l] : ((const lane32 *)s)[l];
      memcpy(at + (size_t)i * op->bytes, &raw, op->bytes);
    }
  }
}

/* Predicates of each lane into bits code.. of its word, and back. */
void ptx_exec_pack_predicates(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  lane32 *d = ptx_dst(op, w, 0);
  for (uint32_t i = 0; i < op->n_src; i++) {
    uint32_t p = *(const lane32 *)ptx_src(op, w, i), bit = op->code + i;
    for (uint32_t l = 0; l < WARP_LANES; l++)
      if (mask >> l & 1) d[l] = (d[l] & ~(1u << bit)) | (p >> l & 1) << bit;
  }
}

void ptx_exec_unpack_predicates(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *s = ptx_src(op, w, 0);
  for (uint32_t i = 0; i < op->n_dst; i++) {
    lane32 *p = ptx_dst(op, w, i);
    uint32_t bits = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) bits |= (s[l] >> (op->code + i) & 1) << l;
    *p = (*p & ~mask) | (bits & mask);
  }
}

/* assert() of the kernel's source: its first argument is the message. */
void ptx_exec_assert(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (!mask) return;
  struct ptx_fault fault = {.kind = PTX_ASSERTION, .lane = (uint8_t)__builtin_ctz(mask)};
  const uint8_t *at = in_frame(op, w, fault.lane);
  if (!at) return;
  memcpy(&fault.address, at, sizeof fault.address);
  ptx_fault(w, op, fault);
}
