/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness of shared arrays. Which arrays an address may point into follows from the names in the operations that compute it; a register
 * that is computed from such an address may point there, too. Whatever hides this keeps every array live: an address
 * that is stored, passed to a function or an instruction of a proposal; an access at an address of no known array;
 * functions that use shared memory.
 *
 * The arrays belong to a CTA, and its threads may be anywhere between the same two barriers. What one of them has written
 * before a barrier is on a path to that barrier, so it counts as written behind it for all, provided that all of
 * them come to it: a barrier that threads of a CTA may pass by keeps every array live as well. A kernel that tells
 * its threads of data by other means than barriers is outside of this. */
#include "ptx/shared_live.h"

#include "ptx/rewrite.h"

#include <string.h>

struct analysis {
  const struct linker *l;
  const struct flow_graph *g;
  struct shared_live out;
  struct shared_set *points;         /* by register: arrays that it may point into */
  struct shared_set *kept;           /* the same by word of spilled registers */
  struct shared_set *reads, *writes; /* by operation */
};

static bool empty(const struct shared_set *s) {
  uint64_t any = 0;
  for (int i = 0; i < SHARED_WORDS; i++) any |= s->word[i];
  return !any;
}

bool ptx_shared_unite(struct shared_set *to, const struct shared_set *from) {
  uint64_t more = 0;
  for (int i = 0; i < SHARED_WORDS; i++) {
    more |= from->word[i] & ~to->word[i];
    to->word[i] |= from->word[i];
  }
  return more != 0;
}

static struct shared_set both(const struct shared_set *a, const struct shared_set *b) {
  struct shared_set s;
  for (int i = 0; i < SHARED_WORDS; i++) s.word[i] = a->word[i] & b->word[i];
  return s;
}

static void keep_all(struct analysis *a, uint32_t line, const char *why) {
  if (a->out.always) return;
  a->out.always = why;
  a->out.always_line = line;
}

/* ---- addresses ---- */

/* The arrays that source `i` may point into; `named`: with those that the operation names. */
static struct shared_set of_source(const struct analysis *a, const struct ptx_op *op, uint32_t i) {
  struct shared_set s = {{0}};
  const struct part *p = a->g->part;
  if (op->src[i] < 0 && op->array) flow_add(s.word, op->array - 1U);
  for (uint32_t k = 0; k < ptx_n_reads(op); k++)
    if (p->reg[op->read_reg[k]].row == op->src[i]) ptx_shared_unite(&s, &a->points[op->read_reg[k]]);
  return s;
}

static bool computes(const struct ptx_op *op) {
  return op->exec && op->class != PTX_LOAD && op->exec != ptx_exec_frame_load && op->exec != ptx_exec_param_load;
}

static bool follow(struct analysis *a, const struct ptx_op *op) {
  bool any = false;
  uint32_t word;
  if (ptx_keeps(a->g->part, op, &word))
    return op->class == PTX_STORE ? ptx_shared_unite(&a->kept[word], &a->points[op->read_reg[0]])
                                  : ptx_shared_unite(&a->points[op->write_reg[0]], &a->kept[word]);
  if (!computes(op)) return false;
  for (uint32_t i = 0; i < op->n_src; i++) {
    struct shared_set s = of_source(a, op, i);
    for (uint32_t k = 0; k < ptx_n_writes(op); k++)
      if (a->g->part->reg[op->write_reg[k]].type != T_PRED) any |= ptx_shared_unite(&a->points[op->write_reg[k]], &s);
  }
  return any;
}

static void check_escape(struct analysis *a, const struct ptx_op *op, uint32_t first, const char *why) {
  for (uint32_t i = first; i < op->n_src; i++) {
    struct shared_set s = of_source(a, op, i);
    if (!empty(&s)) keep_all(a, op->line, why);
  }
}

/* ---- accesses ---- */

static void note_access(struct analysis *a, uint32_t i) {
  const struct ptx_op *op = &a->g->part->ops[i];
  uint32_t word;
  if (ptx_keeps(a->g->part, op, &word)) return;
  bool async = op->memory.async, shared = op->memory.space == PTX_SHARED || async;
  uint32_t first_value = op->memory.is_matrix && !op->memory.matrix.count ? 2 : 1;
  if (!shared && op->memory.space != PTX_GENERIC) {
    if (op->class != PTX_LOAD) check_escape(a, op, first_value, "a shared address is stored");
    return;
  }
  struct shared_set where = of_source(a, op, async ? 1 : 0);
  if (empty(&where) && shared) keep_all(a, op->line, "an address of no known array");
  if (op->class == PTX_LOAD && !async) ptx_shared_unite(&a->reads[i], &where);
  if (op->class == PTX_ATOMIC) ptx_shared_unite(&a->reads[i], &where);
  if (op->class != PTX_LOAD || async) ptx_shared_unite(&a->writes[i], &where);
  if (op->class != PTX_LOAD && !async) check_escape(a, op, first_value, "a shared address is stored");
}

static void note_op(struct analysis *a, uint32_t i, const struct uniform *cta) {
  const struct ptx_op *op = &a->g->part->ops[i];
  if (op->class == PTX_LOAD || op->class == PTX_STORE || op->class == PTX_ATOMIC) note_access(a, i);
  else if (op->class == PTX_EXTENSION)
    check_escape(a, op, 0, "a shared address is an operand of a proposal's instruction");
  else if (op->exec == ptx_exec_frame_store) check_escape(a, op, 1, "a shared address is passed to a function");
  else if (op->class == PTX_BARRIER && cta->apart[a->g->block_of[i]])
    keep_all(a, op->line, "a barrier that some threads of the CTA may pass by");
}

/* A function that has to do with shared memory or barriers. */
static void check_functions(struct analysis *a) {
  for (uint32_t i = 1; i < a->l->n_parts; i++)
    for (uint32_t k = 0; k < a->l->part[i].n_ops; k++) {
      const struct ptx_op *op = &a->l->part[i].ops[k];
      bool memory = op->class == PTX_LOAD || op->class == PTX_STORE || op->class == PTX_ATOMIC;
      bool shared = memory && (op->memory.space == PTX_SHARED || op->memory.async);
      if (op->array || shared || op->class == PTX_BARRIER)
        keep_all(a, op->line, "a function that uses shared memory or a barrier");
    }
}

/* ---- what is live ---- */

/* From the start to each operation: what may have been written. */
static void solve_written(const struct analysis *a, struct shared_set *in) {
  const struct flow_graph *g = a->g;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
      struct shared_set s = in[b];
      for (uint32_t i = g->block[b].first; i < g->block[b].end; i++) ptx_shared_unite(&s, &a->writes[i]);
      for (uint32_t k = 0; k < g->block[b].n_successors; k++) {
        uint32_t next = g->successor[g->block[b].successor + k];
        if (next < g->n_blocks) changed |= ptx_shared_unite(&in[next], &s);
      }
    }
  }
}

static void solve_read(const struct analysis *a, struct shared_set *out) {
  const struct flow_graph *g = a->g;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = g->n_blocks; b-- > 0;) {
      struct shared_set s = out[b];
      for (uint32_t i = g->block[b].first; i < g->block[b].end; i++) ptx_shared_unite(&s, &a->reads[i]);
      for (uint32_t k = 0; k < g->block[b].n_predecessors; k++)
        changed |= ptx_shared_unite(&out[g->edge[g->block[b].predecessor + k]], &s);
    }
  }
}

static void find_live(struct analysis *a, struct arena *arena) {
  const struct flow_graph *g = a->g;
  struct shared_set *written = arena_alloc(arena, (g->n_blocks + 1) * sizeof *written),
                    *read = arena_alloc(arena, (g->n_blocks + 1) * sizeof *read);
  solve_written(a, written);
  solve_read(a, read);
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    struct shared_set later = read[b], sooner = written[b];
    for (uint32_t i = g->block[b].end; i-- > g->block[b].first;) {
      ptx_shared_unite(&later, &a->reads[i]);
      a->out.before[i] = later;
    }
    for (uint32_t i = g->block[b].first; i < g->block[b].end; i++) {
      a->out.before[i] = both(&a->out.before[i], &sooner);
      a->out.needs[i] = a->out.before[i];
      ptx_shared_unite(&a->out.needs[i], &a->reads[i]);
      ptx_shared_unite(&a->out.needs[i], &a->writes[i]);
      ptx_shared_unite(&sooner, &a->writes[i]);
    }
  }
}

static void find_always(struct analysis *a) {
  struct shared_set all = {{0}};
  for (uint32_t i = 0; i < a->out.n; i++) flow_add(all.word, i);
  for (uint32_t i = 0; i < a->g->part->n_ops; i++) a->out.before[i] = a->out.needs[i] = all;
}

struct shared_live ptx_shared_live(const struct linker *l, const struct flow_graph *g, const uint64_t *live_in) {
  struct arena *arena = l->parser->scratch;
  const uint32_t n = g->part->n_ops;
  struct analysis a = {.l = l,
                       .g = g,
                       .out = {.n = l->kernel->n_arrays,
                               .before = arena_alloc(arena, (n + 1) * sizeof(struct shared_set)),
                               .needs = arena_alloc(arena, (n + 1) * sizeof(struct shared_set))},
                       .points = arena_alloc(arena, (g->part->n_regs + 1) * sizeof(struct shared_set)),
                       .kept = arena_alloc(arena, (ptx_kept_words(g->part) + 1U) * sizeof(struct shared_set)),
                       .reads = arena_alloc(arena, (n + 1) * sizeof(struct shared_set)),
                       .writes = arena_alloc(arena, (n + 1) * sizeof(struct shared_set))};
  if (!a.out.n) return a.out;
  const struct uniform cta = ptx_uniform(arena, g, live_in, UNIFORM_CTA);
  if (l->kernel->mixes_arrays) keep_all(&a, 0, "an operation on the addresses of two arrays");
  if (a.out.n == PTX_ARRAYS) keep_all(&a, 0, "more arrays than are told apart");
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) changed |= follow(&a, &g->part->ops[i]);
  }
  for (uint32_t i = 0; i < n; i++) note_op(&a, i, &cta);
  check_functions(&a);
  if (a.out.always) find_always(&a);
  else find_live(&a, arena);
  return a.out;
}

/* ---- sizes ---- */

uint32_t ptx_shared_bytes(const struct kernel *k, const struct shared_set *s, bool *dynamic) {
  uint64_t sum = 0;
  *dynamic = false;
  for (uint32_t i = 0; i < k->n_arrays; i++) {
    if (!flow_in(s->word, i)) continue;
    if (k->array[i].variable->external) *dynamic = true;
    else sum += k->array[i].variable->bytes;
  }
  return (uint32_t)sum;
}

uint32_t ptx_shared_extent(const struct kernel *k, const struct shared_set *s, bool *dynamic) {
  uint64_t end = 0;
  *dynamic = false;
  for (uint32_t i = 0; i < k->n_arrays; i++) {
    if (!flow_in(s->word, i)) continue;
    const struct variable *v = k->array[i].variable;
    if (v->external) *dynamic = true;
    uint64_t last = v->external ? k->public.shared_bytes : v->address + v->bytes;
    if (last > end) end = last;
  }
  return (uint32_t)end;
}
