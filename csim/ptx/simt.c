/* SPDX-License-Identifier: Apache-2.0 */
/* The warp: start, guards, and the reconvergence stack.
 *
 * Every entry of the stack holds the PC of its lanes and where they meet the lanes of the entry below again. A divergent
 * branch with post-dominator R leaves one entry that waits at R and pushes one entry a path; a path that begins at R
 * needs none. Invariant: an entry whose reconvergence point is R lies above one whose PC is R (or R is none). */
#include "ptx/exec.h"

static uint32_t special_value(const struct ptx_warp *w, enum ptx_special s, uint32_t l) {
  const struct ptx_cta *c = w->cta;
  uint32_t thread = w->index * WARP_LANES + l, threads = c->block[0] * c->block[1] * c->block[2];
  switch (s) {
    case SPECIAL_TID_X: return thread % c->block[0];
    case SPECIAL_TID_Y: return thread / c->block[0] % c->block[1];
    case SPECIAL_TID_Z: return thread / c->block[0] / c->block[1];
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z: return c->block[s - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z: return c->index[s - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z: return c->grid[s - SPECIAL_NCTAID_X];
    case SPECIAL_LANEID: return l;
    case SPECIAL_WARPID: return w->index;
    case SPECIAL_NWARPID: return (threads + WARP_LANES - 1) / WARP_LANES;
    case SPECIAL_SMID: return c->sm;
    case SPECIAL_LANEMASK_EQ: return 1u << l;
    case SPECIAL_LANEMASK_LT: return (1u << l) - 1;
    case SPECIAL_LANEMASK_LE: return (1u << l << 1) - 1;
    case SPECIAL_LANEMASK_GT: return ~((1u << l << 1) - 1);
    case SPECIAL_LANEMASK_GE: return ~((1u << l) - 1);
    case SPECIAL_DYNAMIC_SMEM: return c->shared_bytes - c->kernel->shared_bytes;
    case SPECIAL_TOTAL_SMEM: return c->shared_bytes;
    default: return 0;
  }
}

void ptx_warp_start(struct ptx_warp *w, struct ptx_cta *cta, uint32_t index) {
  const struct ptx_kernel *k = cta->kernel;
  const struct kernel *kernel = (const struct kernel *)k; /* public is its first member */
  uint32_t threads = cta->block[0] * cta->block[1] * cta->block[2], first = index * WARP_LANES;
  uint32_t n = threads > first ? threads - first : 0;
  w->cta = cta;
  w->index = index;
  w->live = n >= WARP_LANES ? UINT32_MAX : (1u << n) - 1;
  w->depth = 1;
  w->stack[0] = (struct simt_entry){.pc = 0, .reconverge = UINT32_MAX, .mask = w->live};
  w->fault[0] = 0;
  memset(w->rows, 0, (size_t)k->n_rows * WARP_LANES * sizeof *w->rows);
  if (k->local_bytes) memset(w->local, 0, (size_t)k->local_bytes * WARP_LANES);
  for (uint32_t s = 0; s < PTX_N_SPECIALS; s++) {
    ptx_row row = kernel->special_row[s];
    if (!row) continue;
    for (uint32_t l = 0; l < WARP_LANES; l++)
      w->rows[(size_t)row * WARP_LANES + l] = special_value(w, (enum ptx_special)s, l);
  }
}

uint32_t ptx_op_mask(const struct ptx_op *op, const struct ptx_warp *w) {
  uint32_t mask = ptx_warp_mask(w);
  if (op->guard == PTX_NO_GUARD) return mask;
  uint32_t p = w->rows[(size_t)op->guard * WARP_LANES];
  return mask & (op->guard_negated ? ~p : p);
}

/* ---- the stack ---- */

/* Drops paths that have ended or met the lanes below. The lowest entry stays, even when all lanes have exited. */
static void settle(struct ptx_warp *w) {
  while (w->depth > 1) {
    const struct simt_entry *top = &w->stack[w->depth - 1];
    if (top->pc != top->reconverge && (top->mask & w->live)) return;
    w->depth--;
  }
}

static void push(struct ptx_warp *w, const struct ptx_op *op, uint32_t pc, uint32_t reconverge, uint32_t mask) {
  if (pc == reconverge) return; /* waits in the entry below */
  if (w->depth == SIMT_STACK_MAX) {
    ptx_fault(w, op, (uint32_t)__builtin_ctz(mask), "diverges more than %d deep: the SIMT stack is full",
              SIMT_STACK_MAX);
    return;
  }
  w->stack[w->depth++] = (struct simt_entry){.pc = pc, .reconverge = reconverge, .mask = mask};
}

/* The fall-through path runs first. A branch without a post-dominator (its paths end apart, or loop for ever) meets
 * where the paths around it meet. */
static void diverge(struct ptx_warp *w, const struct ptx_op *op, uint32_t next, uint32_t taken, uint32_t others) {
  struct simt_entry *top = &w->stack[w->depth - 1];
  uint32_t meet = op->reconverge == UINT32_MAX ? top->reconverge : op->reconverge;
  if (top->reconverge == meet) w->depth--;
  else top->pc = meet;
  push(w, op, op->target, meet, taken);
  push(w, op, next, meet, others);
  invariant(w->depth > 0, "a divergent branch left no path (PTX line %u)", op->line);
}

void ptx_advance(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  struct simt_entry *top = &w->stack[w->depth - 1];
  uint32_t active = ptx_warp_mask(w), next = top->pc + 1;
  if (op->class == PTX_EXIT) {
    w->live &= ~mask;
    top->pc = next;
  } else if (op->class != PTX_BRANCH || mask == 0) {
    top->pc = next;
  } else if (mask == active) {
    top->pc = op->target;
  } else {
    diverge(w, op, next, mask, active & ~mask);
  }
  settle(w);
}

/* ---- operands of operations that the core drives ---- */

uint64_t ptx_source(const struct ptx_op *op, const struct ptx_warp *w, uint32_t i, uint32_t lane) {
  const void *row = ptx_src(op, w, i);
  return op->flags >> i & 1 ? ((const lane64 *)row)[lane] : ((const lane32 *)row)[lane];
}

struct ptx_barrier ptx_barrier_of(const struct ptx_op *op, const struct ptx_warp *w) {
  uint32_t mask = ptx_op_mask(op, w), lane = mask ? (uint32_t)__builtin_ctz(mask) : 0;
  struct ptx_barrier b = {.id = ((const lane32 *)ptx_src(op, w, 0))[lane] & 15,
                          .arrive_only = op->code == BARRIER_ARRIVE};
  if (op->n_src > 1) b.threads = ((const lane32 *)ptx_src(op, w, 1))[lane];
  return b;
}
