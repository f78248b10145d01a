/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence analysis: what follows from thread numbers, atomics and the like differs; and so does a register that is written on one of
 * the paths of a branch whose lanes part, if it is read where they have met again (Coutinho, Sampaio, Pereira, Meira,
 * "Divergence Analysis and Optimizations", 2011). Lanes are apart from such a branch to its immediate post-dominator.
 *
 * A branch to an operation that ends the thread is an exit of its lanes: they have nothing left to run, so the others
 * are not apart from anything. Compilers turn `if (i >= n) return;` into such a branch. */
#include "ptx/uniform.h"

#include "ptx/rewrite.h"

#include <string.h>

struct analysis {
  const struct flow_graph *g;
  const uint64_t *live_in;
  enum uniform_scope scope;
  struct uniform u;
  struct region region; /* of one branch */
  uint8_t *kept;        /* by word of spilled registers: they differ there */
};

/* ---- operations ---- */

enum result { RESULT_SAME, RESULT_OF_SOURCES, RESULT_DIFFERS };

static enum result result_of_load(const struct ptx_op *op, enum uniform_scope scope) {
  if (op->memory.is_matrix) return RESULT_DIFFERS;
  switch (op->memory.space) {
    case PTX_CONST:
    case PTX_PARAM:
    case PTX_TEXTURE: return RESULT_OF_SOURCES;
    case PTX_GLOBAL: /* warps read it at different times */
      if (op->memory.cache == PTX_CACHE_READ_ONLY) return RESULT_OF_SOURCES;
      return scope == UNIFORM_WARP ? RESULT_OF_SOURCES : RESULT_DIFFERS;
    case PTX_SHARED: return scope == UNIFORM_WARP ? RESULT_OF_SOURCES : RESULT_DIFFERS;
    default: return RESULT_DIFFERS; /* local memory, and generic addresses, which may be of it */
  }
}

static enum result result_of(const struct ptx_op *op, enum uniform_scope scope) {
  static ptx_exec_fn *const warp_wide[] = {ptx_exec_vote, ptx_exec_activemask, ptx_exec_reduce, ptx_exec_clock};
  static ptx_exec_fn *const apart[] = {ptx_exec_shuffle,    ptx_exec_match,        ptx_exec_elect,
                                       ptx_exec_frame_load, ptx_exec_alloca,       ptx_exec_stack_save,
                                       ptx_exec_movmatrix,  ptx_exec_pending_count};
  enum result of_warp = scope == UNIFORM_WARP ? RESULT_SAME : RESULT_DIFFERS;
  if (op->class == PTX_LOAD) return result_of_load(op, scope);
  if (op->class == PTX_ATOMIC || op->class == PTX_MATRIX || op->class == PTX_EXTENSION) return RESULT_DIFFERS;
  if (op->class == PTX_BARRIER) return of_warp; /* bar.red */
  for (size_t i = 0; i < sizeof warp_wide / sizeof *warp_wide; i++)
    if (op->exec == warp_wide[i]) return of_warp;
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    if (op->exec == apart[i]) return RESULT_DIFFERS;
  return RESULT_OF_SOURCES;
}

static bool special_differs(ptx_row row, enum uniform_scope scope) {
  switch (row - SPECIAL_ROWS) {
    case SPECIAL_TID_X:
    case SPECIAL_TID_Y:
    case SPECIAL_TID_Z:
    case SPECIAL_LANEID:
    case SPECIAL_LANEMASK_EQ:
    case SPECIAL_LANEMASK_LT:
    case SPECIAL_LANEMASK_LE:
    case SPECIAL_LANEMASK_GT:
    case SPECIAL_LANEMASK_GE:
    case SPECIAL_STACK_TOP: return true;
    case SPECIAL_WARPID: return scope == UNIFORM_CTA;
    default: return false;
  }
}

static bool source_differs(const struct analysis *a, const struct ptx_op *op) {
  for (uint32_t i = 0; i < ptx_n_reads(op); i++)
    if (a->u.differs[op->read_reg[i]]) return true;
  for (uint32_t i = 0; i < op->n_src; i++)
    if (op->src[i] >= SPECIAL_ROWS && special_differs(op->src[i], a->scope)) return true;
  return false;
}

static bool guard_differs(const struct analysis *a, const struct ptx_op *op) {
  for (uint32_t i = 0; op->guard != PTX_NO_GUARD && i < ptx_n_reads(op); i++)
    if (a->g->part->reg[op->read_reg[i]].row == op->guard) return a->u.differs[op->read_reg[i]];
  return false;
}

/* A spilled register differs where it has been stored and loaded again, too. */
static bool mark_kept(struct analysis *a, const struct ptx_op *op, uint32_t word) {
  bool store = op->class == PTX_STORE, differs = store ? a->u.differs[op->read_reg[0]] : a->kept[word];
  uint8_t *to = store ? &a->kept[word] : &a->u.differs[op->write_reg[0]];
  if (!differs || *to) return false;
  *to = 1;
  return true;
}

static bool mark_results(struct analysis *a, const struct ptx_op *op) {
  enum result result = result_of(op, a->scope);
  uint32_t word;
  if (ptx_keeps(a->g->part, op, &word)) return mark_kept(a, op, word);
  bool any = false;
  if (!ptx_n_writes(op)) return false;
  if (result == RESULT_SAME && !guard_differs(a, op)) return false;
  if (result == RESULT_OF_SOURCES && !source_differs(a, op)) return false;
  for (uint32_t i = 0; i < ptx_n_writes(op); i++) {
    any |= !a->u.differs[op->write_reg[i]];
    a->u.differs[op->write_reg[i]] = 1;
  }
  return any;
}

/* ---- branches ---- */

static bool only_ends(const struct flow_graph *g, uint32_t block) {
  if (block == g->n_blocks) return true;
  const struct ptx_op *op = &g->part->ops[g->block[block].first];
  return op->class == PTX_EXIT && op->guard == PTX_NO_GUARD;
}

/* Whether the lanes at the end of the block may take different ways, and both go on. */
static bool parts(const struct analysis *a, const struct flow_block *b) {
  const struct flow_graph *g = a->g;
  const struct ptx_op *op = &g->part->ops[b->end - 1];
  if (op->class != PTX_BRANCH || op->branch.kind > BRANCH_INDEXED || !source_differs(a, op)) return false;
  if (op->branch.kind == BRANCH_INDEXED) return true;
  for (uint32_t i = 0; i < b->n_successors; i++)
    if (only_ends(g, g->successor[b->successor + i])) return false;
  return b->n_successors > 1;
}

void ptx_region(const struct flow_graph *g, const struct flow_block *b, struct region *r) {
  uint32_t depth = 0;
  memset(r->in, 0, g->n_blocks + 1);
  for (uint32_t i = 0; i < b->n_successors; i++) r->stack[depth++] = g->successor[b->successor + i];
  while (depth) {
    uint32_t at = r->stack[--depth];
    if (at == b->ipdom || at == g->n_blocks || r->in[at]) continue;
    r->in[at] = 1;
    for (uint32_t i = 0; i < g->block[at].n_successors; i++)
      r->stack[depth++] = g->successor[g->block[at].successor + i];
  }
}

struct region ptx_region_new(struct arena *arena, const struct flow_graph *g) {
  return (struct region){.in = arena_alloc(arena, g->n_blocks + 1),
                         .stack = arena_alloc(arena, (2 * (size_t)g->n_successors + 2) * sizeof(uint32_t))};
}

/* What is written where lanes are apart differs where they have met. */
static void part_lanes(struct analysis *a, const struct flow_block *b) {
  const struct flow_graph *g = a->g;
  const uint64_t *met = b->ipdom < g->n_blocks ? a->live_in + (size_t)b->ipdom * g->words : NULL;
  bool all = b->ipdom == FLOW_NONE;
  ptx_region(g, b, &a->region);
  for (uint32_t k = 0; k < g->n_blocks; k++) {
    if (!a->region.in[k]) continue;
    a->u.apart[k] = 1;
    for (uint32_t i = g->block[k].first; i < g->block[k].end; i++) {
      const struct ptx_op *op = &g->part->ops[i];
      uint32_t word;
      if (op->class == PTX_STORE && ptx_keeps(g->part, op, &word)) a->kept[word] = 1;
      for (uint32_t w = 0; w < ptx_n_writes(op); w++)
        if (all || (met && flow_in(met, op->write_reg[w]))) a->u.differs[op->write_reg[w]] = 1;
    }
  }
}

struct uniform ptx_uniform(struct arena *arena, const struct flow_graph *g, const uint64_t *live_in,
                           enum uniform_scope scope) {
  struct analysis a = {.g = g,
                       .live_in = live_in,
                       .scope = scope,
                       .u = {.differs = arena_alloc(arena, g->part->n_regs + 1),
                             .apart = arena_alloc(arena, g->n_blocks + 1),
                             .parts = arena_alloc(arena, g->n_blocks + 1)},
                       .kept = arena_alloc(arena, ptx_kept_words(g->part) + 1U),
                       .region = ptx_region_new(arena, g)};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < g->part->n_ops; i++) changed |= mark_results(&a, &g->part->ops[i]);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
      if (a.u.parts[b] || !parts(&a, &g->block[b])) continue;
      a.u.parts[b] = 1;
      part_lanes(&a, &g->block[b]);
      changed = true;
    }
  }
  return a.u;
}
