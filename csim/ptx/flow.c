/* SPDX-License-Identifier: Apache-2.0 */
/* The flow graph of a function: immediate post-dominators (where divergent branches reconverge) and live registers.
 * Post-dominators: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the reversed graph. */
#include "ptx/part.h"

#include <string.h>

enum { NONE = UINT32_MAX };

struct block {
  uint32_t first, end;              /* operations */
  uint32_t successor, n_successors; /* first index into the list of successors */
  uint32_t ipdom;                   /* block; n_blocks: the virtual exit; NONE: not reached backwards */
  uint32_t order;                   /* position in the post-order from the exit */
  uint32_t predecessor;             /* first index into the edge list */
  uint32_t n_predecessors;
};

struct graph {
  struct part *part;
  const uint32_t *table; /* targets of brx */
  struct block *block;   /* n_blocks, then the virtual exit */
  uint32_t n_blocks;
  uint32_t *block_of;  /* operation -> block */
  uint32_t *successor; /* blocks */
  uint32_t n_successors, successor_capacity;
  uint32_t *edge;     /* predecessors */
  uint32_t *by_order; /* blocks, the exit's reversed post-order backwards */
  uint32_t n_ordered;
};

static void find_leaders(const struct graph *g, uint8_t *leader) {
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

static void find_blocks(struct arena *a, struct graph *g) {
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

static void add_successor(struct arena *a, struct graph *g, struct block *k, uint32_t to) {
  g->successor = arena_grow(a, g->successor, g->n_successors, &g->successor_capacity, sizeof *g->successor);
  g->successor[g->n_successors++] = to;
  k->n_successors++;
}

static void find_successors(struct arena *a, struct graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct block *k = &g->block[b];
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

static void find_predecessors(struct arena *a, struct graph *g) {
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
      struct block *s = &g->block[g->successor[g->block[b].successor + i]];
      g->edge[s->predecessor + s->n_predecessors++] = b;
    }
}

/* Post-order of the reversed graph from the virtual exit, with an explicit stack. */
static void order_blocks(struct arena *a, struct graph *g) {
  uint32_t n = g->n_blocks + 1, depth = 1;
  uint32_t *stack = arena_alloc(a, n * sizeof *stack), *next = arena_alloc(a, n * sizeof *next);
  uint8_t *seen = arena_alloc(a, n);
  g->by_order = arena_alloc(a, n * sizeof *g->by_order);
  for (uint32_t b = 0; b < n; b++) g->block[b].order = NONE;
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

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b) {
  while (a != b) {
    while (g->block[a].order < g->block[b].order) a = g->block[a].ipdom;
    while (g->block[b].order < g->block[a].order) b = g->block[b].ipdom;
  }
  return a;
}

static void find_post_dominators(struct graph *g) {
  for (uint32_t b = 0; b <= g->n_blocks; b++) g->block[b].ipdom = NONE;
  g->block[g->n_blocks].ipdom = g->n_blocks;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->n_ordered - 1; i-- > 0;) { /* the exit is last */
      struct block *k = &g->block[g->by_order[i]];
      uint32_t found = NONE;
      for (uint32_t s = 0; s < k->n_successors; s++) {
        uint32_t next = g->successor[k->successor + s];
        if (g->block[next].ipdom == NONE) continue;
        found = found == NONE ? next : meet(g, found, next);
      }
      if (found != k->ipdom) k->ipdom = found, changed = true;
    }
  }
}

static void mark_reconvergence(struct graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct ptx_op *last = &g->part->ops[g->block[b].end - 1];
    if (last->class != PTX_BRANCH || last->branch.kind > BRANCH_INDEXED) continue;
    uint32_t d = g->block[b].ipdom;
    last->branch.reconverge = d == NONE || d == g->n_blocks ? UINT32_MAX : g->block[d].first;
  }
}

/* ---- live registers ---- */

static void step_back(const struct ptx_op *op, uint64_t *live) {
  enum {
    READS = sizeof op->read_reg / sizeof op->read_reg[0],
    WRITES = sizeof op->write_reg / sizeof op->write_reg[0]
  };
  if (op->guard == PTX_NO_GUARD) /* a guarded write leaves the other lanes' values alive */
    for (uint32_t i = 0; i < WRITES && op->write_reg[i] != PTX_NO_REG; i++)
      live[op->write_reg[i] / 64] &= ~(UINT64_C(1) << op->write_reg[i] % 64);
  for (uint32_t i = 0; i < READS && op->read_reg[i] != PTX_NO_REG; i++)
    live[op->read_reg[i] / 64] |= UINT64_C(1) << op->read_reg[i] % 64;
}

/* live = what the successors of block b need at its end */
static void live_out(const struct graph *g, const uint64_t *live_in, uint32_t words, uint32_t b, uint64_t *live) {
  memset(live, 0, words * sizeof *live);
  for (uint32_t s = 0; s < g->block[b].n_successors; s++) {
    uint32_t next = g->successor[g->block[b].successor + s];
    if (next == g->n_blocks) continue;
    for (uint32_t i = 0; i < words; i++) live[i] |= live_in[(size_t)next * words + i];
  }
}

static uint32_t weigh(const uint64_t *live, uint32_t words, const struct reg *reg) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t bits = live[i]; bits; bits &= bits - 1) {
      uint32_t bytes = ptx_type_bytes(reg[i * 64 + (uint32_t)__builtin_ctzll(bits)].type);
      sum += bytes == 8 ? 2 : bytes ? 1 : 0; /* predicates have a file of their own */
    }
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
  enum {
    READS = sizeof op->read_reg / sizeof op->read_reg[0],
    WRITES = sizeof op->write_reg / sizeof op->write_reg[0]
  };
  for (uint32_t i = 0; i < WRITES && op->write_reg[i] != PTX_NO_REG; i++) extend(&interval[op->write_reg[i]], at);
  for (uint32_t i = 0; i < READS && op->read_reg[i] != PTX_NO_REG; i++) extend(&interval[op->read_reg[i]], at);
}

/* Registers live into each block, to a fixed point. */
static uint64_t *solve_live(struct arena *a, const struct graph *g, uint32_t words, uint64_t *live) {
  uint64_t *live_in = arena_alloc(a, ((size_t)g->n_blocks * words + 1) * sizeof *live_in);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = g->n_blocks; b-- > 0;) {
      live_out(g, live_in, words, b, live);
      for (uint32_t i = g->block[b].end; i-- > g->block[b].first;) step_back(&g->part->ops[i], live);
      if (memcmp(live, live_in + (size_t)b * words, words * sizeof *live) == 0) continue;
      memcpy(live_in + (size_t)b * words, live, words * sizeof *live);
      changed = true;
    }
  }
  return live_in;
}

/* What is live across a call. Blocks are gone through forwards, operations backwards: `calls` counts down. */
static void note_call(struct part *part, const uint64_t *live, uint32_t words, uint32_t call, struct ptx_op *op) {
  memcpy(part->call_live + (size_t)call * words, live, words * sizeof *live);
  op->branch.live_across = weigh(live, words, part->reg);
}

static uint32_t calls_in(const struct part *part, const struct block *b) {
  uint32_t n = 0;
  for (uint32_t i = b->first; i < b->end; i++) n += ptx_op_is_call(&part->ops[i]);
  return n;
}

static void find_live(struct arena *a, struct graph *g) {
  struct part *p = g->part;
  uint32_t words = (p->n_regs + 63) / 64, calls = 0, call;
  uint64_t *live = arena_alloc(a, (words + 1) * sizeof *live);
  const uint64_t *live_in = solve_live(a, g, words, live);
  for (uint32_t b = 0; b < g->n_blocks; b++) calls += calls_in(p, &g->block[b]);
  p->call_live = arena_alloc(a, ((size_t)calls * words + 1) * sizeof *live);
  p->live_registers = calls = 0;
  for (uint32_t r = 0; r < p->n_regs; r++) p->interval[r] = (struct interval){.first = p->n_ops, .last = 0};
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    call = calls += calls_in(p, &g->block[b]);
    live_out(g, live_in, words, b, live);
    extend_all(p->interval, live, words, g->block[b].end - 1);
    for (uint32_t i = g->block[b].end;; i--) {
      uint32_t sum = weigh(live, words, p->reg);
      if (sum > p->live_registers) p->live_registers = sum;
      if (i == g->block[b].first) break;
      struct ptx_op *op = &p->ops[i - 1];
      if (ptx_op_is_call(op)) note_call(p, live, words, --call, op);
      extend_named(p->interval, op, i - 1);
      step_back(op, live);
    }
    extend_all(p->interval, live, words, g->block[b].first);
  }
}

void ptx_flow_analyse(struct arena *a, struct part *part, const uint32_t *table) {
  struct graph g = {.part = part, .table = table};
  find_blocks(a, &g);
  find_successors(a, &g);
  find_predecessors(a, &g);
  order_blocks(a, &g);
  find_post_dominators(&g);
  mark_reconvergence(&g);
  find_live(a, &g);
}
