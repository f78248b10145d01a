/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of registers by colouring the interference graph greedily in the order of definitions, which is as good as any order where
 * every register is written once (Hack, Goos, "Optimal Register Allocation for SSA-form Programs in Polynomial Time", 2006).
 *
 * Two registers interfere if one is written while the other is live (Chaitin 1981). An operation may write the
 * register that it reads last if both have one width: its handler computes lane by lane. */
#include "ptx/colour.h"

#include <stdlib.h>
#include <string.h>

struct edges {
  struct arena *arena;
  uint32_t (*pair)[2];
  uint32_t n, capacity;
};

struct colouring {
  const struct reg *reg;
  uint32_t n_regs;
  uint32_t *first, *other; /* neighbours of r: other[first[r]] up to other[first[r + 1]] */
  uint32_t *number;        /* FLOW_NONE: none yet */
  uint8_t *unnamed;        /* r is declared, and no operation uses it */
  uint64_t *taken;
  uint32_t words; /* of `taken`, of those in use */
};

/* ---- interference ---- */

/* Whether the result of an operation may lie in a register that it reads for the last time. */
static bool may_share(const struct ptx_op *op, const struct reg *reg) {
  uint32_t results = 0;
  for (uint32_t i = 0; i < ptx_n_writes(op); i++) results += ptx_reg_weight(&reg[op->write_reg[i]]) != 0;
  if (results != 1 || op->guard != PTX_NO_GUARD) return false;
  if (op->class == PTX_LOAD) return !op->memory.is_matrix;
  return op->class < PTX_MATRIX;
}

void ptx_clique(const struct flow_graph *g, const struct ptx_op *op, const uint64_t *live, uint64_t *out) {
  const struct reg *reg = g->part->reg;
  uint32_t weight = 0;
  bool shares = may_share(op, reg);
  memcpy(out, live, g->words * sizeof *out);
  for (uint32_t i = 0; i < ptx_n_writes(op); i++) {
    uint32_t w = ptx_reg_weight(&reg[op->write_reg[i]]);
    if (w) weight = w;
    flow_add(out, op->write_reg[i]);
  }
  for (uint32_t i = 0; ptx_n_writes(op) && i < ptx_n_reads(op); i++) {
    uint32_t r = op->read_reg[i];
    if (!shares || ptx_reg_weight(&reg[r]) != weight) flow_add(out, r);
  }
}

static void add_edges(struct edges *e, const struct reg *reg, uint32_t from, const uint64_t *clique, uint32_t words) {
  bool predicate = !ptx_reg_weight(&reg[from]);
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t bits = clique[i]; bits; bits &= bits - 1) {
      uint32_t to = i * 64 + (uint32_t)__builtin_ctzll(bits);
      if (to == from || predicate != !ptx_reg_weight(&reg[to])) continue;
      e->pair = arena_grow(e->arena, e->pair, e->n, &e->capacity, sizeof *e->pair);
      e->pair[e->n][0] = from;
      e->pair[e->n++][1] = to;
    }
}

static void find_edges(const struct flow_graph *g, const uint64_t *live_in, struct edges *e) {
  uint64_t *live = arena_alloc(e->arena, (g->words + 1) * sizeof *live),
           *clique = arena_alloc(e->arena, (g->words + 1) * sizeof *clique);
  const struct part *p = g->part;
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    flow_live_out(g, live_in, b, live);
    for (uint32_t i = g->block[b].end; i-- > g->block[b].first;) {
      const struct ptx_op *op = &p->ops[i];
      if (ptx_n_writes(op)) ptx_clique(g, op, live, clique);
      for (uint32_t k = 0; k < ptx_n_writes(op); k++) add_edges(e, p->reg, op->write_reg[k], clique, g->words);
      flow_step_back(g, op, live);
    }
  }
}

static void index_edges(struct arena *a, struct colouring *c, const struct edges *e) {
  c->first = arena_alloc(a, (c->n_regs + 2) * sizeof *c->first);
  c->other = arena_alloc(a, (2 * (size_t)e->n + 1) * sizeof *c->other);
  for (uint32_t i = 0; i < e->n; i++) c->first[e->pair[i][0] + 1]++, c->first[e->pair[i][1] + 1]++;
  for (uint32_t r = 0; r < c->n_regs; r++) c->first[r + 1] += c->first[r];
  uint32_t *at = arena_alloc(a, (c->n_regs + 1) * sizeof *at);
  memcpy(at, c->first, c->n_regs * sizeof *at);
  for (uint32_t i = 0; i < e->n; i++) {
    c->other[at[e->pair[i][0]]++] = e->pair[i][1];
    c->other[at[e->pair[i][1]]++] = e->pair[i][0];
  }
}

/* ---- numbers ---- */

static void mark_neighbours(struct colouring *c, uint32_t r) {
  memset(c->taken, 0, (c->words + 2) * sizeof *c->taken);
  for (uint32_t i = c->first[r]; i < c->first[r + 1]; i++) {
    uint32_t n = c->number[c->other[i]];
    if (n == FLOW_NONE) continue;
    flow_add(c->taken, n);
    if (ptx_reg_weight(&c->reg[c->other[i]]) == 2) flow_add(c->taken, n + 1);
  }
}

/* A single register takes the lowest half of a pair that is broken already, if one below `below` is. */
static uint32_t lowest_free(const struct colouring *c, uint32_t weight, uint32_t below, bool mends) {
  for (uint32_t n = 0; mends && weight == 1 && n < below; n++)
    if (!flow_in(c->taken, n) && flow_in(c->taken, n ^ 1)) return n;
  for (uint32_t n = 0;; n += weight == 2 ? 2 : 1)
    if (!flow_in(c->taken, n) && (weight != 2 || !flow_in(c->taken, n + 1))) return n;
}

static void give_number(struct colouring *c, uint32_t r, uint32_t *used, bool mends) {
  uint32_t weight = ptx_reg_weight(&c->reg[r]);
  mark_neighbours(c, r);
  uint32_t n = lowest_free(c, weight, *used, mends), end = n + (weight == 2 ? 2 : 1);
  c->number[r] = n;
  if (end > *used) *used = end;
  if (end / 64 >= c->words) c->words = end / 64 + 1;
}

struct order {
  uint64_t key;
  uint32_t reg;
};
static int by_key(const void *x, const void *y) {
  const struct order *a = x, *b = y;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->reg < b->reg ? -1 : a->reg > b->reg;
}

static struct order *order_of(struct arena *a, const struct part *p, const uint32_t *rank, bool wide_first) {
  struct order *o = arena_alloc(a, (p->n_regs + 1) * sizeof *o);
  for (uint32_t r = 0; r < p->n_regs; r++) {
    uint64_t high = rank ? rank[r] : 0, narrow = wide_first && ptx_reg_weight(&p->reg[r]) != 2;
    o[r] = (struct order){.key = high << 33 | narrow << 32 | p->interval[r].first, .reg = r};
  }
  qsort(o, p->n_regs, sizeof *o, by_key);
  return o;
}

static uint32_t colour_in(struct colouring *c, const struct order *o, bool mends, uint32_t *predicates) {
  uint32_t used[2] = {0};
  for (uint32_t r = 0; r < c->n_regs; r++) c->number[r] = FLOW_NONE;
  c->words = 1;
  for (uint32_t i = 0; i < c->n_regs; i++) {
    bool predicate = !ptx_reg_weight(&c->reg[o[i].reg]);
    if (c->unnamed[o[i].reg]) c->number[o[i].reg] = 0;
    else give_number(c, o[i].reg, &used[predicate], mends && !predicate);
  }
  *predicates = used[1];
  return used[0];
}

uint32_t ptx_colour(struct arena *a, struct flow_graph *g, const uint32_t *rank, uint32_t *number,
                    uint32_t *predicates) {
  const struct part *p = g->part;
  struct edges e = {.arena = a};
  const uint64_t *live_in = flow_solve_live(a, g);
  find_edges(g, live_in, &e);
  struct colouring c = {.reg = p->reg, .n_regs = p->n_regs};
  index_edges(a, &c, &e);
  c.taken = arena_alloc(a, (2 * (size_t)p->n_regs / 64 + 8) * sizeof *c.taken);
  c.number = arena_alloc(a, (p->n_regs + 1) * sizeof *c.number);
  c.unnamed = arena_alloc(a, p->n_regs + 1);
  for (uint32_t r = 0; r < p->n_regs; r++) c.unnamed[r] = p->interval[r].first > p->interval[r].last;
  uint32_t best = UINT32_MAX;
  for (unsigned way = 0; way < 4; way++) {
    uint32_t with_predicates, n = colour_in(&c, order_of(a, p, rank, way & 2), way & 1, &with_predicates);
    if (n >= best) continue;
    best = n;
    *predicates = with_predicates;
    memcpy(number, c.number, p->n_regs * sizeof *number);
  }
  return best;
}
