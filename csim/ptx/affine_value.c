/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine_value.h"

#include "base/err.h"

#include <stdlib.h>

enum {
  NO_VALUE = 0, /* number of VALUE_ZERO */
  DESTINATIONS = 4,
  DEPTH_MAX = 4000, /* joins within joins; what lies deeper counts as unknown */
  JOINS_MAX = 64
};

/* The value of a register at the end of a block, once asked for. */
struct known {
  uint32_t block, reg, value;
};

struct values {
  struct arena *arena;
  const struct kernel *kernel;
  uint32_t n_ops, n_blocks;
  struct value_block *block;
  uint32_t *block_of;
  struct value *value;
  uint32_t n_values, value_capacity;
  uint32_t *result;    /* operation * DESTINATIONS + part -> value, or NO_VALUE */
  struct known *known; /* hash table; `value` is one more than the value, 0: free */
  uint32_t n_known, known_size;
  ptx_row special_rows; /* where the rows of special registers begin, behind those of all registers */
  uint32_t depth;
};

/* ---- blocks ---- */

static void mark_targets(const struct values *v, uint32_t i, uint8_t *leader) {
  const struct ptx_op *op = &v->kernel->ops[i];
  if (!ptx_op_ends_flow(op)) return;
  leader[i + 1] = 1;
  if (op->class != PTX_BRANCH || op->branch.kind == BRANCH_RETURN) return;
  if (op->branch.kind == BRANCH_PLAIN) leader[op->branch.target] = 1;
  for (uint32_t k = 0; op->branch.kind == BRANCH_INDEXED && k < op->branch.n_targets; k++)
    leader[v->kernel->table[op->branch.target + k]] = 1;
}

static void find_blocks(struct values *v) {
  uint8_t *leader = arena_alloc(v->arena, v->n_ops + 1);
  leader[0] = 1;
  for (uint32_t i = 0; i < v->n_ops; i++) mark_targets(v, i, leader);
  for (uint32_t i = 0; i < v->n_ops; i++) v->n_blocks += leader[i];
  v->block = arena_alloc(v->arena, (v->n_blocks + 1) * sizeof *v->block);
  v->block_of = arena_alloc(v->arena, (v->n_ops + 1) * sizeof *v->block_of);
  uint32_t b = 0;
  for (uint32_t i = 0; i < v->n_ops; i++) {
    b += leader[i] && i;
    if (leader[i]) v->block[b].first = i;
    v->block[b].end = i + 1;
    v->block_of[i] = b;
  }
}

static void add_successor(const struct values *v, struct value_block *b, uint32_t *list, uint32_t op) {
  if (op < v->n_ops) list[b->n_successors++] = v->block_of[op];
}

static void find_successors(struct values *v) {
  for (uint32_t i = 0; i < v->n_blocks; i++) {
    struct value_block *b = &v->block[i];
    const struct ptx_op *last = &v->kernel->ops[b->end - 1];
    bool jumps = last->class == PTX_BRANCH, indexed = jumps && last->branch.kind == BRANCH_INDEXED;
    uint32_t *list = arena_alloc(v->arena, (2 + (indexed ? last->branch.n_targets : 0)) * sizeof *list);
    if (ptx_op_is_jump(last)) add_successor(v, b, list, last->branch.target);
    for (uint32_t k = 0; indexed && k < last->branch.n_targets; k++)
      add_successor(v, b, list, v->kernel->table[last->branch.target + k]);
    if (!ptx_op_ends_flow(last) || last->guard != PTX_NO_GUARD) add_successor(v, b, list, b->end);
    b->successor = list;
  }
}

static void find_predecessors(struct values *v) {
  for (uint32_t i = 0; i < v->n_blocks; i++)
    for (uint32_t k = 0; k < v->block[i].n_successors; k++) v->block[v->block[i].successor[k]].n_predecessors++;
  for (uint32_t i = 0; i < v->n_blocks; i++) {
    v->block[i].predecessor = arena_alloc(v->arena, (v->block[i].n_predecessors + 1) * sizeof(uint32_t));
    v->block[i].n_predecessors = 0;
  }
  for (uint32_t i = 0; i < v->n_blocks; i++)
    for (uint32_t k = 0; k < v->block[i].n_successors; k++) {
      struct value_block *to = &v->block[v->block[i].successor[k]];
      ((uint32_t *)(uintptr_t)to->predecessor)[to->n_predecessors++] = i;
    }
}

/* Depth first from the entry: an edge to a block on the path leads back. */
static void find_loops(struct values *v) {
  uint32_t *stack = arena_alloc(v->arena, (v->n_blocks + 1) * sizeof *stack), depth = 1;
  uint32_t *next = arena_alloc(v->arena, (v->n_blocks + 1) * sizeof *next);
  uint8_t *on_path = arena_alloc(v->arena, v->n_blocks + 1);
  stack[0] = 0;
  on_path[0] = 1;
  v->block[0].reached = true;
  for (uint32_t b = 0; b < v->n_blocks; b++) v->block[b].back = UINT32_MAX;
  while (depth) {
    struct value_block *b = &v->block[stack[depth - 1]];
    if (next[stack[depth - 1]] == b->n_successors) {
      on_path[stack[--depth]] = 0;
      continue;
    }
    uint32_t to = b->successor[next[stack[depth - 1]]++];
    if (on_path[to]) {
      v->block[to].back = v->block[to].loops ? UINT32_MAX : stack[depth - 1];
      v->block[to].loops = true;
    }
    if (v->block[to].reached) continue;
    v->block[to].reached = true;
    on_path[to] = 1;
    stack[depth++] = to;
  }
}

/* ---- what is known ---- */

static struct known *slot(const struct values *v, uint32_t block, uint32_t reg) {
  uint32_t at = (block * 0x9e3779b1u ^ reg * 0x85ebca6bu) & (v->known_size - 1);
  while (v->known[at].value && (v->known[at].block != block || v->known[at].reg != reg))
    at = (at + 1) & (v->known_size - 1);
  return &v->known[at];
}

static void learn(struct values *v, uint32_t block, uint32_t reg, uint32_t value) {
  if (2 * v->n_known >= v->known_size) {
    struct known *old = v->known;
    uint32_t n = v->known_size;
    v->known_size = n ? 2 * n : 256;
    v->known = arena_alloc(v->arena, v->known_size * sizeof *v->known);
    for (uint32_t i = 0; i < n; i++)
      if (old[i].value) *slot(v, old[i].block, old[i].reg) = old[i];
  }
  struct known *k = slot(v, block, reg);
  v->n_known += !k->value;
  *k = (struct known){.block = block, .reg = reg, .value = value + 1};
}

static bool look_up(const struct values *v, uint32_t block, uint32_t reg, uint32_t *value) {
  const struct known *k = v->known_size ? slot(v, block, reg) : NULL;
  if (!k || !k->value) return false;
  *value = k->value - 1;
  return true;
}

static uint32_t new_value(struct values *v, struct value value) {
  v->value = arena_grow(v->arena, v->value, v->n_values, &v->value_capacity, sizeof *v->value);
  value.same = v->n_values;
  v->value[v->n_values] = value;
  return v->n_values++;
}

/* ---- reads ---- */

static uint32_t read_end(struct values *, uint32_t block, uint32_t reg);

/* Whether operation `i` writes the register; *part says as which destination. */
static bool writes(const struct values *v, uint32_t i, uint32_t reg, uint32_t *part) {
  const struct ptx_op *op = &v->kernel->ops[i];
  uint32_t n = 0;
  for (uint32_t d = 0; d < op->n_dst; d++) {
    if (op->dst[d] == 0) continue; /* the scratch row of `_` has no register */
    if (op->write_reg[n++] != reg) continue;
    *part = d;
    return true;
  }
  return false;
}

/* A join of everything that reaches the begin of block `b`. */
static uint32_t read_join(struct values *v, uint32_t b, uint32_t reg) {
  const struct value_block *block = &v->block[b];
  uint32_t known, at_begin = b + v->n_blocks; /* numbers beyond the blocks' are for their begins */
  if (look_up(v, at_begin, reg, &known)) return known;
  uint32_t n = block->n_predecessors + (b == 0), *arg = arena_alloc(v->arena, (n + 1) * sizeof *arg);
  struct value join = {.kind = VALUE_JOIN, .loops = block->loops, .block = b, .reg = reg, .n_args = n, .arg = arg};
  uint32_t value = new_value(v, join);
  learn(v, at_begin, reg, value);
  bool deep = ++v->depth > DEPTH_MAX;
  for (uint32_t i = 0; i < block->n_predecessors; i++) {
    uint32_t from = block->predecessor[i];
    if (deep) arg[i] = new_value(v, (struct value){.kind = VALUE_JOIN, .block = b, .reg = reg, .settled = true});
    else arg[i] = v->block[from].reached ? read_end(v, from, reg) : value;
  }
  v->depth--;
  return value; /* the last argument of the entry's is VALUE_ZERO */
}

/* What the register holds before operation `op`, which may be the end of a block. */
static uint32_t read_before(struct values *v, uint32_t b, uint32_t op, uint32_t reg) {
  for (;;) {
    const struct value_block *block = &v->block[b];
    uint32_t part;
    for (uint32_t i = op; i-- > block->first;)
      if (writes(v, i, reg, &part)) return values_result(v, i, part);
    if (!block->n_predecessors) return NO_VALUE;
    if (b == 0 || block->n_predecessors > 1) return read_join(v, b, reg);
    b = *block->predecessor;
    op = v->block[b].end;
  }
}

static uint32_t read_end(struct values *v, uint32_t block, uint32_t reg) {
  uint32_t value;
  if (look_up(v, block, reg, &value)) return value;
  value = read_before(v, block, v->block[block].end, reg);
  learn(v, block, reg, value);
  return value;
}

uint32_t values_result(struct values *v, uint32_t op, uint32_t part) {
  const struct ptx_op *o = &v->kernel->ops[op];
  uint32_t *memo = &v->result[op * DESTINATIONS + part], n = 0;
  if (*memo) return *memo;
  bool guarded = o->guard != PTX_NO_GUARD;
  uint32_t *arg = arena_alloc(v->arena, sizeof *arg);
  *memo = new_value(
    v,
    (struct value){
      .kind = guarded ? VALUE_GUARDED : VALUE_RESULT, .op = op, .part = (uint8_t)part, .n_args = guarded, .arg = arg});
  uint32_t value = *memo;
  for (uint32_t d = 0; d < part; d++) n += o->dst[d] != 0;
  if (guarded) *arg = read_before(v, v->block_of[op], op, o->write_reg[n]);
  return value;
}

/* ---- registers of operands ---- */

static bool is_register(const struct values *v, ptx_row row) {
  return row >= 0 && row < v->special_rows && !(v->kernel->calls && row == PTX_ROW_STACK);
}

static bool mentioned(const struct ptx_op *op, uint32_t before, ptx_row row) {
  for (uint32_t i = 0; i < before; i++)
    if (op->src[i] == row) return true;
  return false;
}

/* Registers that an operation reads are listed once each, in the order of the sources. Different ones have different
 * rows, for all of them are live. */
static uint32_t register_at(const struct values *v, const struct ptx_op *op, ptx_row row) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < op->n_src && op->src[i] != row; i++)
    n += is_register(v, op->src[i]) && !mentioned(op, i, op->src[i]);
  return op->read_reg[n];
}

bool values_source(struct values *v, uint32_t op, uint32_t i, uint32_t *value) {
  const struct ptx_op *o = &v->kernel->ops[op];
  if (!is_register(v, o->src[i])) return false;
  *value = read_before(v, v->block_of[op], op, register_at(v, o, o->src[i]));
  return true;
}

uint32_t values_guard(struct values *v, uint32_t op) {
  const struct ptx_op *o = &v->kernel->ops[op];
  return read_before(v, v->block_of[op], op, register_at(v, o, o->guard));
}

/* ---- joins of equal values ---- */

/* A set of joins that nothing but one other value enters always holds that value. Collects the set into `set`; returns
 * how many values enter it, at most 2, one of them in *only. */
static uint32_t entering(const struct values *v, uint32_t join, uint32_t *set, uint32_t *n, uint32_t *only) {
  uint32_t others = 0;
  set[(*n)++] = join;
  for (uint32_t at = 0; at < *n; at++) {
    const struct value *j = &v->value[set[at]];
    for (uint32_t i = 0; i < j->n_args && others < 2; i++) {
      uint32_t a = j->arg[i], k = 0;
      while (v->value[a].same != a) a = v->value[a].same;
      if (v->value[a].kind == VALUE_JOIN && v->value[a].n_args) {
        while (k < *n && set[k] != a) k++;
        if (k == *n && *n < JOINS_MAX) set[(*n)++] = a;
        else if (k == *n) others = 2;
      } else if (!others || *only != a) {
        others++;
        *only = a;
      }
    }
  }
  return others;
}

static uint32_t canonical(struct values *v, uint32_t x) {
  while (v->value[x].same != x) x = v->value[x].same;
  struct value *j = &v->value[x];
  if (j->kind != VALUE_JOIN || j->settled) return x;
  j->settled = true;
  uint32_t set[JOINS_MAX], n = 0, only = NO_VALUE;
  if (entering(v, x, set, &n, &only) <= 1) {
    for (uint32_t i = 0; i < n; i++) v->value[set[i]].same = only;
    return only;
  }
  bool equal = true, any = false;
  for (uint32_t i = 0; i < j->n_args && equal; i++) {
    uint32_t a = canonical(v, j->arg[i]);
    if (a == x) continue;
    equal = !any || a == only;
    only = a;
    any = true;
  }
  if (equal && any) j->same = only;
  return j->same;
}

const struct value *values_at(struct values *v, uint32_t *value) {
  *value = canonical(v, *value);
  return &v->value[*value];
}

/* ---- the whole ---- */

uint32_t values_n_ops(const struct values *v) { return v->n_ops; }
uint32_t values_n_blocks(const struct values *v) { return v->n_blocks; }
const struct value_block *values_block(const struct values *v, uint32_t block) { return &v->block[block]; }
uint32_t values_block_of(const struct values *v, uint32_t op) { return v->block_of[op]; }

/* Backwards from the branch back to the head. */
bool values_in_loop(const struct values *v, uint32_t head, uint32_t block) {
  uint32_t *stack = malloc((v->n_blocks + 1) * sizeof *stack), depth = 0;
  uint8_t *seen = calloc(1, v->n_blocks + 1);
  invariant(stack && seen, "the host has no memory for the blocks of a loop");
  seen[head] = 1;
  if (!seen[v->block[head].back]) seen[v->block[head].back] = 1, stack[depth++] = v->block[head].back;
  while (depth && !seen[block]) {
    const struct value_block *b = &v->block[stack[--depth]];
    for (uint32_t i = 0; i < b->n_predecessors; i++)
      if (!seen[b->predecessor[i]]) seen[b->predecessor[i]] = 1, stack[depth++] = b->predecessor[i];
  }
  bool inside = seen[block];
  free(stack);
  free(seen);
  return inside;
}

struct values *values_new(struct arena *a, const struct kernel *k) {
  struct values *v = arena_alloc(a, sizeof *v);
  *v = (struct values){.arena = a, .kernel = k, .special_rows = INT32_MAX};
  v->n_ops = k->n_functions > 1 ? k->function[1].first : k->public.n_ops; /* the entry's operations come first */
  for (uint32_t s = 0; s < PTX_N_SPECIALS; s++)
    if (k->special_row[s] && k->special_row[s] < v->special_rows) v->special_rows = k->special_row[s];
  v->result = arena_alloc(a, ((size_t)v->n_ops * DESTINATIONS + 1) * sizeof *v->result);
  new_value(v, (struct value){.kind = VALUE_ZERO});
  find_blocks(v);
  find_successors(v);
  find_predecessors(v);
  find_loops(v);
  return v;
}
