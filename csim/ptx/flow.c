/* SPDX-License-Identifier: Apache-2.0 */
/* The flow graph of a kernel: immediate post-dominators (where divergent branches reconverge) and live registers.
 * Post-dominators: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the reversed graph. */
#include "ptx/ptx_internal.h"

#include <string.h>

enum { NONE = UINT32_MAX };

struct block {
  uint32_t first, end;   /* operations */
  uint32_t successor[2]; /* blocks; NONE: unused */
  uint32_t ipdom;        /* block; n_blocks: the virtual exit; NONE: not reached backwards */
  uint32_t order;        /* position in the post-order from the exit */
  uint32_t predecessor;  /* first index into the edge list */
  uint32_t n_predecessors;
};

struct graph {
  struct kernel *kernel;
  struct block *block; /* n_blocks, then the virtual exit */
  uint32_t n_blocks;
  uint32_t *block_of; /* operation -> block */
  uint32_t *edge;     /* predecessors */
  uint32_t *by_order; /* blocks, the exit's reversed post-order backwards */
  uint32_t n_ordered;
};

static void find_blocks(struct arena *a, struct graph *g) {
  uint32_t n = g->kernel->public.n_ops;
  const struct ptx_op *ops = g->kernel->ops;
  uint8_t *leader = arena_alloc(a, n + 1);
  leader[0] = 1;
  for (uint32_t i = 0; i < n; i++) {
    if (ops[i].class == PTX_BRANCH) leader[ops[i].target] = 1;
    if (ops[i].class == PTX_BRANCH || ops[i].class == PTX_EXIT) leader[i + 1] = 1;
  }
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

static void find_successors(struct graph *g) {
  const struct ptx_op *ops = g->kernel->ops;
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct block *k = &g->block[b];
    const struct ptx_op *last = &ops[k->end - 1];
    uint32_t n = 0, next = k->end < g->kernel->public.n_ops ? b + 1 : g->n_blocks;
    k->successor[0] = k->successor[1] = NONE;
    if (last->class == PTX_BRANCH) k->successor[n++] = g->block_of[last->target];
    if (last->class == PTX_EXIT) k->successor[n++] = g->n_blocks;
    if ((last->class != PTX_BRANCH && last->class != PTX_EXIT) || last->guard != PTX_NO_GUARD) k->successor[n++] = next;
  }
  g->block[g->n_blocks].successor[0] = g->block[g->n_blocks].successor[1] = NONE;
}

static void find_predecessors(struct arena *a, struct graph *g) {
  uint32_t n_edges = 0;
  for (uint32_t b = 0; b < g->n_blocks; b++)
    for (int i = 0; i < 2; i++)
      if (g->block[b].successor[i] != NONE) g->block[g->block[b].successor[i]].n_predecessors++, n_edges++;
  g->edge = arena_alloc(a, (n_edges + 1) * sizeof *g->edge);
  uint32_t at = 0;
  for (uint32_t b = 0; b <= g->n_blocks; b++) {
    g->block[b].predecessor = at;
    at += g->block[b].n_predecessors;
    g->block[b].n_predecessors = 0;
  }
  for (uint32_t b = 0; b < g->n_blocks; b++)
    for (int i = 0; i < 2; i++)
      if (g->block[b].successor[i] != NONE) {
        struct block *s = &g->block[g->block[b].successor[i]];
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
      for (int s = 0; s < 2; s++) {
        uint32_t next = k->successor[s];
        if (next == NONE || g->block[next].ipdom == NONE) continue;
        found = found == NONE ? next : meet(g, found, next);
      }
      if (found != k->ipdom) k->ipdom = found, changed = true;
    }
  }
}

static void mark_reconvergence(struct graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct ptx_op *last = &g->kernel->ops[g->block[b].end - 1];
    if (last->class != PTX_BRANCH) continue;
    uint32_t d = g->block[b].ipdom;
    last->reconverge = d == NONE || d == g->n_blocks ? UINT32_MAX : g->block[d].first;
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
  for (int s = 0; s < 2; s++) {
    uint32_t next = g->block[b].successor[s];
    if (next == NONE || next == g->n_blocks) continue;
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
      for (uint32_t i = g->block[b].end; i-- > g->block[b].first;) step_back(&g->kernel->ops[i], live);
      if (memcmp(live, live_in + (size_t)b * words, words * sizeof *live) == 0) continue;
      memcpy(live_in + (size_t)b * words, live, words * sizeof *live);
      changed = true;
    }
  }
  return live_in;
}

static void find_live(struct arena *a, struct graph *g, const struct reg *reg, struct interval *interval) {
  struct ptx_kernel *k = &g->kernel->public;
  uint32_t words = (k->n_registers + 63) / 64;
  uint64_t *live = arena_alloc(a, (words + 1) * sizeof *live);
  const uint64_t *live_in = solve_live(a, g, words, live);
  for (uint32_t r = 0; r < k->n_registers; r++) interval[r] = (struct interval){.first = k->n_ops, .last = 0};
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    live_out(g, live_in, words, b, live);
    extend_all(interval, live, words, g->block[b].end - 1);
    for (uint32_t i = g->block[b].end;; i--) {
      uint32_t sum = weigh(live, words, reg);
      if (sum > k->live_registers) k->live_registers = sum;
      if (i == g->block[b].first) break;
      extend_named(interval, &g->kernel->ops[i - 1], i - 1);
      step_back(&g->kernel->ops[i - 1], live);
    }
    extend_all(interval, live, words, g->block[b].first);
  }
}

void ptx_flow_analyse(struct arena *a, struct kernel *k, const struct reg *reg, struct interval *interval) {
  struct graph g = {.kernel = k};
  find_blocks(a, &g);
  find_successors(&g);
  find_predecessors(a, &g);
  order_blocks(a, &g);
  find_post_dominators(&g);
  mark_reconvergence(&g);
  find_live(a, &g, reg, interval);
}
