/* SPDX-License-Identifier: Apache-2.0 */
/* Operations across lanes. Lanes that do not execute the operation count as absent in votes and matches; a shuffle reads
 * whatever their register holds (the ISA leaves it open). */
#include "ptx/lane_loop.h"

/* shfl d|p, a, b, c: c holds the clamp (bits 4:0) and the segment mask (12:8). */
static bool shuffle_source(uint8_t mode, uint32_t lane, uint32_t b, uint32_t c, uint32_t *source) {
  uint32_t clamp = c & 31, segment = c >> 8 & 31, most = (lane & segment) | (clamp & ~segment & 31),
           least = lane & segment;
  bool inside = false;
  int32_t j = 0;
  b &= 31;
  switch (mode) {
    case SHUFFLE_UP:
      j = (int32_t)(lane - b);
      inside = j >= (int32_t)most; /* the clamp of up is a lower bound */
      break;
    case SHUFFLE_DOWN:
      j = (int32_t)(lane + b);
      inside = j <= (int32_t)most;
      break;
    case SHUFFLE_BFLY:
      j = (int32_t)(lane ^ b);
      inside = j <= (int32_t)most;
      break;
    default: j = (int32_t)(least | (b & ~segment & 31)); inside = j <= (int32_t)most;
  }
  *source = inside ? (uint32_t)j : lane;
  return inside;
}

void ptx_exec_shuffle(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *a = ptx_src(op, w, 0), *b = ptx_src(op, w, 1), *c = ptx_src(op, w, 2);
  uint32_t scratch[WARP_LANES], inside = 0;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    uint32_t source;
    inside |= (uint32_t)shuffle_source(op->shuffle, l, b[l], c[l], &source) << l;
    scratch[l] = a[source];
  }
  ptx_blend32(ptx_dst(op, w, 0), scratch, mask);
  if (op->n_dst == 1) return;
  lane32 *p = ptx_dst(op, w, 1);
  *p = (*p & ~mask) | (inside & mask);
}

/* The lanes that take part: those that execute, and that the first one's member mask names. */
static uint32_t members(const struct ptx_op *op, const struct ptx_warp *w, uint32_t mask, uint32_t source) {
  if (op->n_src <= source || mask == 0) return mask;
  return mask & ((const lane32 *)ptx_src(op, w, source))[__builtin_ctz(mask)];
}

void ptx_exec_vote(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  uint32_t all = members(op, w, mask, 1), p = ptx_predicate(op, w, 0) & all, result;
  switch (op->vote) {
    case VOTE_ALL: result = p == all ? UINT32_MAX : 0; break;
    case VOTE_ANY: result = p ? UINT32_MAX : 0; break;
    case VOTE_UNI: result = p == 0 || p == all ? UINT32_MAX : 0; break;
    default: result = p;
  }
  lane32 *d = ptx_dst(op, w, 0);
  if (op->vote != VOTE_BALLOT) {
    *d = (*d & ~mask) | (result & mask);
    return;
  }
  for (uint32_t l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = result;
}

void ptx_exec_activemask(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  lane32 *d = ptx_dst(op, w, 0);
  for (uint32_t l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = mask;
}

void ptx_exec_match(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const void *a = ptx_src(op, w, 0);
  uint32_t all = members(op, w, mask, 1), scratch[WARP_LANES] = {0}, same_all = 0;
  uint64_t value[WARP_LANES];
  for (uint32_t l = 0; l < WARP_LANES; l++)
    value[l] = op->match.is_64 ? ((const lane64 *)a)[l] : ((const lane32 *)a)[l];
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    for (uint32_t k = 0; k < WARP_LANES; k++)
      if (all >> k & 1 && value[k] == value[l]) scratch[l] |= 1u << k;
    if (scratch[l] == all) same_all |= 1u << l;
    if (op->match.all && scratch[l] != all) scratch[l] = 0;
  }
  ptx_blend32(ptx_dst(op, w, 0), scratch, mask);
  if (op->n_dst == 1) return;
  lane32 *p = ptx_dst(op, w, 1);
  *p = (*p & ~mask) | (same_all & mask);
}

void ptx_exec_reduce(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *a = ptx_src(op, w, 0);
  uint32_t all = members(op, w, mask, 1), scratch[WARP_LANES];
  if (!all) return;
  uint64_t value = a[__builtin_ctz(all)];
  for (uint32_t rest = all & (all - 1); rest; rest &= rest - 1)
    value = ptx_atomic_result(op->reduce, value, a[__builtin_ctz(rest)], 0);
  for (uint32_t l = 0; l < WARP_LANES; l++) scratch[l] = (uint32_t)value;
  ptx_blend32(ptx_dst(op, w, 0), scratch, mask);
}

void ptx_exec_elect(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  uint32_t all = members(op, w, mask, 0), elected = all ? (uint32_t)__builtin_ctz(all) : 0;
  lane32 *d = ptx_dst(op, w, 0), *p = ptx_dst(op, w, 1);
  for (uint32_t l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = elected;
  *p = (*p & ~mask) | (all ? 1u << elected & mask : 0);
}
