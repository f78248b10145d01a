/* SPDX-License-Identifier: Apache-2.0 */
/* Warps: their start, guards, and the SIMT stack.
 *
 * Each entry of the stack holds the PC of its lanes and the PC at which they reconverge with the lanes of the entry
 * below. A divergent branch with post-dominator R leaves one entry that waits at R and pushes one entry for each
 * path; a path that begins at R needs none. Invariant: an entry that reconverges at R lies above an entry whose PC is
 * R (or R is none).
 *
 * A call leaves one entry at the return address and pushes one for each function that its lanes call. Those
 * reconverge nowhere (SIMT_CALL); they end when their lanes have returned. */
#include "base/err.h"
#include "ptx/lane_loop.h"

enum { SIMT_CALL = UINT32_MAX - 1 };

/* A special register that is the same in all lanes. */
static uint32_t warp_value(const struct ptx_warp *w, enum ptx_special s) {
  const struct ptx_cta *c = w->cta;
  uint32_t threads = c->block[0] * c->block[1] * c->block[2];
  switch (s) {
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z: return c->block[s - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z: return c->index[s - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z: return c->grid[s - SPECIAL_NCTAID_X];
    case SPECIAL_WARPID: return w->index;
    case SPECIAL_NWARPID: return (threads + WARP_LANES - 1) / WARP_LANES;
    case SPECIAL_SMID: return c->sm;
    case SPECIAL_NSMID: return c->n_sms;
    case SPECIAL_CLUSTER_NCTAID_X:
    case SPECIAL_CLUSTER_NCTAID_Y:
    case SPECIAL_CLUSTER_NCTAID_Z:
    case SPECIAL_CLUSTER_NCTARANK: return 1;
    case SPECIAL_CLUSTERID_X:
    case SPECIAL_CLUSTERID_Y:
    case SPECIAL_CLUSTERID_Z: return c->index[s - SPECIAL_CLUSTERID_X];
    case SPECIAL_NCLUSTERID_X:
    case SPECIAL_NCLUSTERID_Y:
    case SPECIAL_NCLUSTERID_Z: return c->grid[s - SPECIAL_NCLUSTERID_X];
    case SPECIAL_DYNAMIC_SMEM: return c->shared_bytes - c->kernel->shared_bytes;
    case SPECIAL_TOTAL_SMEM: return c->shared_bytes;
    case SPECIAL_STACK_TOP: return c->kernel->local_bytes - c->kernel->alloca_bytes;
    case SPECIAL_ENVREG1: return (uint32_t)(c->kernel->module->grid_memory >> 32);
    case SPECIAL_ENVREG2: return (uint32_t)c->kernel->module->grid_memory;
    default: return 0;
  }
}

/* One that follows from the lane's number alone. */
static uint32_t lane_value(enum ptx_special s, uint32_t l) {
  uint32_t bit = 1u << l;
  switch (s) {
    case SPECIAL_LANEMASK_EQ: return bit;
    case SPECIAL_LANEMASK_LT: return bit - 1;
    case SPECIAL_LANEMASK_LE: return (bit << 1) - 1;
    case SPECIAL_LANEMASK_GT: return ~((bit << 1) - 1);
    case SPECIAL_LANEMASK_GE: return ~(bit - 1);
    default: return l; /* SPECIAL_LANEID */
  }
}

/* The index in the block of each lane's thread, in dimension `d`: a division for the first lane, then steps. */
static void fill_tid(const struct ptx_warp *w, uint32_t d, uint32_t *row) {
  const uint32_t *block = w->cta->block;
  uint32_t first = w->index * WARP_LANES;
  uint32_t at[3] = {first % block[0], first / block[0] % block[1], first / block[0] / block[1]};
  if (block[0] - at[0] >= WARP_LANES) { /* all in one row of the block */
    const uint32_t step = d == 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) row[l] = at[d] + step * l;
    return;
  }
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    row[l] = at[d];
    if (++at[0] < block[0]) continue;
    at[0] = 0;
    if (++at[1] < block[1]) continue;
    at[1] = 0;
    at[2]++;
  }
}

static void fill_special(const struct ptx_warp *w, enum ptx_special s, uint32_t *row) {
  switch (s) {
    case SPECIAL_TID_X:
    case SPECIAL_TID_Y:
    case SPECIAL_TID_Z: fill_tid(w, s - SPECIAL_TID_X, row); return;
    case SPECIAL_LANEID:
    case SPECIAL_LANEMASK_EQ:
    case SPECIAL_LANEMASK_LT:
    case SPECIAL_LANEMASK_LE:
    case SPECIAL_LANEMASK_GT:
    case SPECIAL_LANEMASK_GE:
      for (uint32_t l = 0; l < WARP_LANES; l++) row[l] = lane_value(s, l);
      return;
    default: break;
  }
  uint32_t value = warp_value(w, s);
  for (uint32_t l = 0; l < WARP_LANES; l++) row[l] = value;
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
  uint32_t stack_rows = (k->simt_entries * (uint32_t)sizeof *w->stack + WARP_LANES * 4 - 1) / (WARP_LANES * 4);
  w->stack = (struct simt_entry *)(void *)(w->rows + (size_t)(k->n_rows - stack_rows) * WARP_LANES);
  memset(w->rows, 0, (size_t)(k->n_rows - stack_rows) * WARP_LANES * sizeof *w->rows);
  w->top = (struct simt_entry){.pc = 0, .reconverge = UINT32_MAX, .mask = w->live};
  w->fault = (struct ptx_fault){.kind = PTX_NO_FAULT};
  if (k->local_bytes) memset(w->local, 0, (size_t)k->local_bytes * WARP_LANES);
  for (uint32_t s = 0; s < PTX_N_SPECIALS; s++) {
    ptx_row row = kernel->special_row[s];
    if (row) fill_special(w, (enum ptx_special)s, w->rows + (size_t)row * WARP_LANES);
  }
}

/* ---- the stack ---- */

static void pop(struct ptx_warp *w) {
  if (--w->depth) w->top = w->stack[w->depth - 1];
}

/* Pops paths that have ended or reached their reconvergence point. The lowest entry stays, even when all lanes have
 * exited. */
static void settle(struct ptx_warp *w) {
  while (w->depth > 1 && (w->top.pc == w->top.reconverge || !(w->top.mask & w->live))) pop(w);
}

static const struct kernel *kernel_of(const struct ptx_warp *w) {
  return (const struct kernel *)w->cta->kernel; /* public is its first member */
}

/* The number of calls that the lanes of the top entry are in. */
static uint32_t call_depth(const struct ptx_warp *w) {
  uint32_t lanes = w->top.mask, n = w->top.reconverge == SIMT_CALL && lanes;
  for (uint32_t i = 0; i + 1 < w->depth; i++) n += w->stack[i].reconverge == SIMT_CALL && w->stack[i].mask & lanes;
  return n;
}

static const struct kernel_function *function_at(const struct kernel *k, uint32_t pc) {
  uint32_t i = 0;
  while (i + 1 < k->n_functions && k->function[i + 1].first <= pc) i++;
  return &k->function[i];
}

void ptx_too_deep(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, enum ptx_fault_kind kind) {
  const char *name = function_at(kernel_of(w), ptx_warp_pc(w))->name;
  ptx_fault(w, op, kind, lane, .function = name, .depth = call_depth(w));
}

static void push(struct ptx_warp *w, const struct ptx_op *op, uint32_t pc, uint32_t reconverge, uint32_t mask,
                 uint32_t frame) {
  if (pc == reconverge) return; /* waits in the entry below */
  if (w->depth < w->cta->kernel->simt_entries) {
    if (w->depth) w->stack[w->depth - 1] = w->top;
    w->depth++;
    w->top = (struct simt_entry){.pc = pc, .reconverge = reconverge, .mask = mask, .frame = frame};
  } else if (reconverge == SIMT_CALL) {
    ptx_too_deep(w, op, (uint32_t)__builtin_ctz(mask), PTX_CALLS_TOO_DEEP);
  } else {
    ptx_fault(w, op, PTX_DIVERGES_TOO_DEEP, __builtin_ctz(mask), .limit = w->cta->kernel->simt_entries);
  }
}

/* The fall-through path runs first. A branch without a post-dominator (its paths never meet) uses the reconvergence
 * point of the paths around it. */
static void diverge(struct ptx_warp *w, const struct ptx_op *op, uint32_t next, uint32_t taken, uint32_t others) {
  uint32_t meet = op->branch.reconverge == UINT32_MAX ? w->top.reconverge : op->branch.reconverge, frame = w->top.frame;
  if (w->top.reconverge == meet) pop(w);
  else w->top.pc = meet;
  push(w, op, op->branch.target, meet, taken, frame);
  push(w, op, next, meet, others, frame);
  invariant(w->depth > 0, "a divergent branch left no path (PTX line %u)", op->line);
}

/* ---- many targets ---- */

struct path {
  uint32_t pc, mask;
};

/* Groups the lanes of `mask` by their target pcs[lane]; the group of the lowest lane comes first. */
static uint32_t find_paths(const uint32_t *pcs, uint32_t mask, struct path *path) {
  uint32_t n = 0;
  while (mask) {
    uint32_t pc = pcs[__builtin_ctz(mask)], lanes = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(rest);
      if (pcs[l] == pc) lanes |= 1u << l;
    }
    path[n++] = (struct path){.pc = pc, .mask = lanes};
    mask &= ~lanes;
  }
  return n;
}

static void branch_indexed(struct ptx_warp *w, const struct ptx_op *op, uint32_t next, uint32_t mask, uint32_t active) {
  const struct ptx_op_branch *b = &op->branch;
  const lane32 *index = ptx_src(op, w, 0);
  uint32_t pcs[WARP_LANES], frame = w->top.frame;
  struct path path[WARP_LANES];
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    pcs[l] = next;
    if (!(mask >> l & 1)) continue;
    if (index[l] >= b->n_targets) {
      ptx_fault(w, op, PTX_NO_TARGET, l, .index = index[l], .limit = b->n_targets);
      return;
    }
    pcs[l] = kernel_of(w)->table[b->target + index[l]];
  }
  uint32_t n = find_paths(pcs, active, path);
  if (n == 1) {
    w->top.pc = path[0].pc;
    return;
  }
  uint32_t meet = op->branch.reconverge == UINT32_MAX ? w->top.reconverge : op->branch.reconverge;
  if (w->top.reconverge == meet) pop(w);
  else w->top.pc = meet;
  while (n-- > 0) push(w, op, path[n].pc, meet, path[n].mask, frame);
}

/* ---- calls ---- */

static bool has_stack(struct ptx_warp *w, const struct ptx_op *op, const struct path *path) {
  const lane64 *sp = ptx_row_of(w, PTX_ROW_STACK);
  const struct kernel *k = kernel_of(w);
  uint64_t end = sp[__builtin_ctz(path->mask)] + op->branch.frame_bytes; /* the same for all lanes of one activation */
  if (end + function_at(k, path->pc)->frame <= k->public.local_bytes - k->public.alloca_bytes) return true;
  ptx_too_deep(w, op, (uint32_t)__builtin_ctz(path->mask), PTX_STACK_FULL);
  return false;
}

static bool find_callees(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask, uint32_t *pcs) {
  const struct kernel *k = kernel_of(w);
  const lane64 *address = ptx_src(op, w, 0);
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint64_t number = (address[l] - PTX_CODE_BASE) / PTX_CODE_STEP - 1;
    bool good = address[l] % PTX_CODE_STEP == 0 && number < k->public.module->n_functions;
    pcs[l] = good ? k->entry_of[number] : PTX_NOWHERE32;
    if (pcs[l] != PTX_NOWHERE32) continue;
    ptx_fault(w, op, PTX_NO_FUNCTION, l, .address = address[l]);
    return false;
  }
  return true;
}

static void move_stack(struct ptx_warp *w, uint32_t mask, uint64_t bytes) {
  lane64 *sp = (lane64 *)(void *)(w->rows + (size_t)PTX_ROW_STACK * WARP_LANES);
  for (; mask; mask &= mask - 1) sp[__builtin_ctz(mask)] += bytes;
}

static void call(struct ptx_warp *w, const struct ptx_op *op, uint32_t next, uint32_t mask) {
  struct path path[WARP_LANES] = {{.pc = op->branch.target, .mask = mask}};
  uint32_t n = 1, pcs[WARP_LANES];
  if (op->branch.kind == BRANCH_CALL_INDIRECT) {
    if (!find_callees(w, op, mask, pcs)) return;
    n = find_paths(pcs, mask, path);
  }
  for (uint32_t i = 0; i < n && kernel_of(w)->recursive; i++)
    if (!has_stack(w, op, &path[i])) return;
  w->top.pc = next;
  move_stack(w, mask, op->branch.frame_bytes);
  while (n-- > 0 && !w->fault.kind) push(w, op, path[n].pc, SIMT_CALL, path[n].mask, op->branch.frame_bytes);
}

/* The lanes leave every entry of this activation; they continue at the return address, in the entry below. */
static void give_back(struct ptx_warp *w, uint32_t next, uint32_t mask) {
  struct simt_entry *at = &w->top;
  uint32_t below = w->depth - 1;
  w->top.pc = next;
  for (at->mask &= ~mask; at->reconverge != SIMT_CALL; at->mask &= ~mask) {
    invariant(below > 0, "a function returns that was not called (operation %u)", next - 1);
    at = &w->stack[--below];
  }
  move_stack(w, mask, 0 - (uint64_t)at->frame);
}

static void branch(struct ptx_warp *w, const struct ptx_op *op, uint32_t next, uint32_t mask, uint32_t active) {
  if (op->branch.kind == BRANCH_INDEXED) branch_indexed(w, op, next, mask, active);
  else if (op->branch.kind == BRANCH_RETURN) give_back(w, next, mask);
  else if (op->branch.kind != BRANCH_PLAIN) call(w, op, next, mask);
  else diverge(w, op, next, mask, active & ~mask);
}

void ptx_advance(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  uint32_t active = ptx_warp_mask(w), next = w->top.pc + 1;
  if (op->class == PTX_EXIT) {
    w->live &= ~mask;
    w->top.pc = next;
  } else if (op->class != PTX_BRANCH || mask == 0) {
    w->top.pc = next;
  } else if (mask == active && op->branch.kind == BRANCH_PLAIN) {
    w->top.pc = op->branch.target;
  } else {
    branch(w, op, next, mask, active);
  }
  settle(w);
}

/* ---- operands of operations that the core drives ---- */

uint64_t ptx_source(const struct ptx_op *op, const struct ptx_warp *w, uint32_t i, uint32_t lane) {
  const void *row = ptx_src(op, w, i);
  return op->extension.wide_set >> i & 1 ? ((const lane64 *)row)[lane] : ((const lane32 *)row)[lane];
}

void ptx_set_result(const struct ptx_op *op, struct ptx_warp *w, uint32_t lane, uint64_t value) {
  if (op->n_dst) ((lane64 *)ptx_dst(op, w, 0))[lane] = value;
}

struct ptx_barrier ptx_barrier_of(const struct ptx_op *op, const struct ptx_warp *w) {
  uint32_t mask = ptx_op_mask(op, w), lane = mask ? (uint32_t)__builtin_ctz(mask) : 0;
  struct ptx_barrier b = {.id = ((const lane32 *)ptx_src(op, w, 0))[lane] % PTX_BARRIERS,
                          .arrive_only = op->barrier == BARRIER_ARRIVE};
  if (op->n_src > 1u + ptx_barrier_reduces(op)) b.threads = ((const lane32 *)ptx_src(op, w, 1))[lane];
  return b;
}

bool ptx_barrier_reduces(const struct ptx_op *op) { return op->barrier >= BARRIER_POPC; }

uint32_t ptx_barrier_votes(const struct ptx_op *op, const struct ptx_warp *w, uint32_t mask) {
  return (uint32_t)__builtin_popcount(ptx_predicate(op, w, op->n_src - 1U) & mask);
}

void ptx_barrier_result(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint32_t votes, uint32_t threads) {
  bool holds = op->barrier == BARRIER_AND ? votes == threads : votes > 0;
  if (op->barrier == BARRIER_POPC) ptx_set_all(op, w, mask, votes);
  else ptx_set_predicate(op, w, 0, mask, holds ? mask : 0);
}
