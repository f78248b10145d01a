/* SPDX-License-Identifier: Apache-2.0 */
/* The flow graph of a function: immediate post-dominators (where divergent branches reconverge) and live registers.
 * Post-dominators: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the reversed graph. */
#include "ptx/flow.h"

#include <string.h>

static void find_leaders(const struct flow_graph *g, uint8_t *leader) {
  uint32_t n = g->part->n_ops;
  const struct ptx_op *ops = g->part->ops;
  leader[0] = 1;
  for (uint32_t i = 0; i < n; i++) {
    if (!ptx_op_ends_flow(&ops[i])) continue;
    leader[i + 1] = 1;
    if (ops[i].class != PTX_BRANCH || ops[i].branch.kind == BRANCH_RETURN) continue;
    if (ops[i].branch.kind == BRANCH_PLAIN) leader[ops[i].branch.target] = 1;
    for (uint32_t k = 0; ops[i].branch.kind == BRANCH_INDEXED && k < ops[i].branch.n_targets; k++)
      leader[g->table[ops[i].branch.target + k]] = 1;
  }
}

static void find_blocks(struct arena *a, struct flow_graph *g) {
  uint32_t n = g->part->n_ops;
  uint8_t *leader = arena_alloc(a, n + 1);
  find_leaders(g, leader);
  g->block_of = arena_alloc(a, (n + 1) * sizeof *g->block_of);
  g->n_blocks = 0;
  for (uint32_t i = 0; i < n; i++) g->n_blocks += leader[i];
  g->block = arena_alloc(a, (g->n_blocks + 1) * sizeof *g->block);
  uint32_t b = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (leader[i] && i) b++;
    if (leader[i]) g->block[b].first = i;
    g->block_of[i] = b;
    g->block[b].end = i + 1;
  }
}

static void add_successor(struct arena *a, struct flow_graph *g, struct flow_block *k, uint32_t to) {
  g->successor = arena_grow(a, g->successor, g->n_successors, &g->successor_capacity, sizeof *g->successor);
  g->successor[g->n_successors++] = to;
  k->n_successors++;
}

static void find_successors(struct arena *a, struct flow_graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct flow_block *k = &g->block[b];
    const struct ptx_op *last = &g->part->ops[k->end - 1];
    uint32_t next = k->end < g->part->n_ops ? b + 1 : g->n_blocks;
    bool ends = ptx_op_ends_flow(last);
    k->successor = g->n_successors;
    if (ends && (last->class == PTX_EXIT || last->branch.kind == BRANCH_RETURN)) add_successor(a, g, k, g->n_blocks);
    else if (ends && last->branch.kind == BRANCH_PLAIN) add_successor(a, g, k, g->block_of[last->branch.target]);
    for (uint32_t i = 0;
         ends && last->branch.kind == BRANCH_INDEXED && last->class == PTX_BRANCH && i < last->branch.n_targets; i++)
      add_successor(a, g, k, g->block_of[g->table[last->branch.target + i]]);
    if (!ends || last->guard != PTX_NO_GUARD) add_successor(a, g, k, next);
  }
}

static void find_predecessors(struct arena *a, struct flow_graph *g) {
  for (uint32_t i = 0; i < g->n_successors; i++) g->block[g->successor[i]].n_predecessors++;
  g->edge = arena_alloc(a, (g->n_successors + 1) * sizeof *g->edge);
  uint32_t at = 0;
  for (uint32_t b = 0; b <= g->n_blocks; b++) {
    g->block[b].predecessor = at;
    at += g->block[b].n_predecessors;
    g->block[b].n_predecessors = 0;
  }
  for (uint32_t b = 0; b < g->n_blocks; b++)
    for (uint32_t i = 0; i < g->block[b].n_successors; i++) {
      struct flow_block *s = &g->block[g->successor[g->block[b].successor + i]];
      g->edge[s->predecessor + s->n_predecessors++] = b;
    }
}

/* Post-order of the reversed graph from the virtual exit, with an explicit stack. */
static void order_blocks(struct arena *a, struct flow_graph *g) {
  uint32_t n = g->n_blocks + 1, depth = 1;
  uint32_t *stack = arena_alloc(a, n * sizeof *stack), *next = arena_alloc(a, n * sizeof *next);
  uint8_t *seen = arena_alloc(a, n);
  g->by_order = arena_alloc(a, n * sizeof *g->by_order);
  for (uint32_t b = 0; b < n; b++) g->block[b].order = FLOW_NONE;
  stack[0] = g->n_blocks;
  seen[g->n_blocks] = 1;
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] == g->block[b].n_predecessors) {
      g->block[b].order = g->n_ordered;
      g->by_order[g->n_ordered++] = b;
      depth--;
      continue;
    }
    uint32_t p = g->edge[g->block[b].predecessor + next[b]++];
    if (!seen[p]) seen[p] = 1, stack[depth++] = p;
  }
}

static uint32_t meet(const struct flow_graph *g, uint32_t a, uint32_t b) {
  while (a != b) {
    while (g->block[a].order < g->block[b].order) a = g->block[a].ipdom;
    while (g->block[b].order < g->block[a].order) b = g->block[b].ipdom;
  }
  return a;
}

static void find_post_dominators(struct flow_graph *g) {
  for (uint32_t b = 0; b <= g->n_blocks; b++) g->block[b].ipdom = FLOW_NONE;
  g->block[g->n_blocks].ipdom = g->n_blocks;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->n_ordered - 1; i-- > 0;) { /* the exit is last */
      struct flow_block *k = &g->block[g->by_order[i]];
      uint32_t found = FLOW_NONE;
      for (uint32_t s = 0; s < k->n_successors; s++) {
        uint32_t next = g->successor[k->successor + s];
        if (g->block[next].ipdom == FLOW_NONE) continue;
        found = found == FLOW_NONE ? next : meet(g, found, next);
      }
      if (found != k->ipdom) k->ipdom = found, changed = true;
    }
  }
}

static void mark_reconvergence(struct flow_graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct ptx_op *last = &g->part->ops[g->block[b].end - 1];
    if (last->class != PTX_BRANCH || last->branch.kind > BRANCH_INDEXED) continue;
    uint32_t d = g->block[b].ipdom;
    last->branch.reconverge = d == FLOW_NONE || d == g->n_blocks ? UINT32_MAX : g->block[d].first;
  }
}

/* ---- live registers ---- */

void flow_step_back(const struct flow_graph *g, const struct ptx_op *op, uint64_t *live) {
  bool keeps = op->guard != PTX_NO_GUARD || (g->exact && flow_writes_part(op));
  if (!keeps) /* a guarded write leaves the values of the other lanes live */
    for (uint32_t i = 0; i < ptx_n_writes(op); i++)
      live[op->write_reg[i] / 64] &= ~(UINT64_C(1) << op->write_reg[i] % 64);
  for (uint32_t i = 0; i < ptx_n_reads(op); i++) live[op->read_reg[i] / 64] |= UINT64_C(1) << op->read_reg[i] % 64;
}

/* live = what the successors of block b need at its end */
void flow_live_out(const struct flow_graph *g, const uint64_t *live_in, uint32_t b, uint64_t *live) {
  const uint32_t words = g->words;
  memset(live, 0, words * sizeof *live);
  for (uint32_t s = 0; s < g->block[b].n_successors; s++) {
    uint32_t next = g->successor[g->block[b].successor + s];
    if (next == g->n_blocks) continue;
    for (uint32_t i = 0; i < words; i++) live[i] |= live_in[(size_t)next * words + i];
  }
}

uint32_t flow_weigh(const struct flow_graph *g, const uint64_t *live) {
  const struct reg *reg = g->part->reg;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < g->words; i++)
    for (uint64_t bits = live[i]; bits; bits &= bits - 1)
      sum += ptx_reg_weight(&reg[i * 64 + (uint32_t)__builtin_ctzll(bits)]);
  return sum;
}

static void extend(struct interval *v, uint32_t at) {
  if (at < v->first) v->first = at;
  if (at > v->last) v->last = at;
}

static void extend_all(struct interval *interval, const uint64_t *live, uint32_t words, uint32_t at) {
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t bits = live[i]; bits; bits &= bits - 1)
      extend(&interval[i * 64 + (uint32_t)__builtin_ctzll(bits)], at);
}

static void extend_named(struct interval *interval, const struct ptx_op *op, uint32_t at) {
  for (uint32_t i = 0; i < ptx_n_writes(op); i++) extend(&interval[op->write_reg[i]], at);
  for (uint32_t i = 0; i < ptx_n_reads(op); i++) extend(&interval[op->read_reg[i]], at);
}

/* Registers live into each block, to a fixed point. */
uint64_t *flow_solve_live(struct arena *a, struct flow_graph *g) {
  const uint32_t words = g->words = (g->part->n_regs + 63) / 64;
  uint64_t *live = arena_alloc(a, (words + 1) * sizeof *live);
  uint64_t *live_in = arena_alloc(a, ((size_t)g->n_blocks * words + 1) * sizeof *live_in);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = g->n_blocks; b-- > 0;) {
      flow_live_out(g, live_in, b, live);
      for (uint32_t i = g->block[b].end; i-- > g->block[b].first;) flow_step_back(g, &g->part->ops[i], live);
      if (memcmp(live, live_in + (size_t)b * words, words * sizeof *live) == 0) continue;
      memcpy(live_in + (size_t)b * words, live, words * sizeof *live);
      changed = true;
    }
  }
  return live_in;
}

/* Notes what is live across call number `call`. Operations are visited backwards within a block. */
static void note_call(const struct flow_graph *g, const uint64_t *live, uint32_t call, struct ptx_op *op) {
  memcpy(g->part->call_live + (size_t)call * g->words, live, g->words * sizeof *live);
  op->branch.live_across = flow_weigh(g, live);
}

static uint32_t calls_in(const struct part *part, const struct flow_block *b) {
  uint32_t n = 0;
  for (uint32_t i = b->first; i < b->end; i++) n += ptx_op_is_call(&part->ops[i]);
  return n;
}

static void find_live(struct arena *a, struct flow_graph *g) {
  struct part *p = g->part;
  const uint64_t *live_in = flow_solve_live(a, g);
  const uint32_t words = g->words;
  uint32_t calls = 0, call;
  uint64_t *live = arena_alloc(a, (words + 1) * sizeof *live);
  for (uint32_t b = 0; b < g->n_blocks; b++) calls += calls_in(p, &g->block[b]);
  p->call_live = arena_alloc(a, ((size_t)calls * words + 1) * sizeof *live);
  p->live_registers = calls = 0;
  for (uint32_t r = 0; r < p->n_regs; r++) p->interval[r] = (struct interval){.first = p->n_ops, .last = 0};
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    call = calls += calls_in(p, &g->block[b]);
    flow_live_out(g, live_in, b, live);
    extend_all(p->interval, live, words, g->block[b].end - 1);
    for (uint32_t i = g->block[b].end;; i--) {
      uint32_t sum = flow_weigh(g, live);
      if (sum > p->live_registers) p->live_registers = sum;
      if (i == g->block[b].first) break;
      struct ptx_op *op = &p->ops[i - 1];
      if (ptx_op_is_call(op)) note_call(g, live, --call, op);
      extend_named(p->interval, op, i - 1);
      flow_step_back(g, op, live);
    }
    extend_all(p->interval, live, words, g->block[b].first);
  }
}

void flow_build(struct arena *a, struct flow_graph *g) {
  find_blocks(a, g);
  find_successors(a, g);
  find_predecessors(a, g);
  order_blocks(a, g);
  find_post_dominators(g);
}

void ptx_flow_analyse(struct arena *a, struct part *part, const uint32_t *table) {
  struct flow_graph g = {.part = part, .table = table};
  flow_build(a, &g);
  mark_reconvergence(&g);
  find_live(a, &g);
}
