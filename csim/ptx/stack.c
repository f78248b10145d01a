/* SPDX-License-Identifier: Apache-2.0 */
/* alloca, stacksave, stackrestore: a second stack in the thread's local memory, above the frames. Its top is a row of the warp; a
 * function that allocates restores the top that it found when it returns. */
#include "ptx/lane_loop.h"

void ptx_exec_alloca(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane64 *bytes = ptx_src(op, w, 0);
  lane32 *top = w->rows + (size_t)op->dst[1] * WARP_LANES;
  const uint64_t all = w->cta->kernel->local_bytes;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint64_t at = align_up(top[l], op->alignment);
    if (at > all || bytes[l] > all - at) {
      ptx_fault(w, op, PTX_ALLOCA_FULL, l, .address = bytes[l], .limit = (uint32_t)(all - top[l]));
      return;
    }
    top[l] = (uint32_t)(at + bytes[l]);
    ((lane64 *)ptx_dst(op, w, 0))[l] = at;
  }
}

void ptx_exec_stack_save(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *top = ptx_src(op, w, 0);
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    ((lane64 *)ptx_dst(op, w, 0))[l] = top[l];
  }
}

/* A value that stacksave did not write would corrupt the frames below. */
void ptx_exec_stack_restore(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane64 *s = ptx_src(op, w, 0);
  const uint64_t all = w->cta->kernel->local_bytes;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    if (s[l] > all || s[l] < all - w->cta->kernel->alloca_bytes) {
      ptx_fault(w, op, PTX_ILLEGAL, l, .space = PTX_LOCAL, .store = true, .address = s[l]);
      return;
    }
    ((lane32 *)ptx_dst(op, w, 0))[l] = (uint32_t)s[l];
  }
}
