/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose registers are linear in the iteration: r = initial + step * iteration, with as many iterations as a test
 * allows that is linear, too. The test is one that every iteration passes; other ways out of the loop only make it
 * shorter. */
#include "ptx/affine_loop.h"

#include "ptx/decode.h"

#include <string.h>

enum { EFFORT_MAX = 20000 /* loop-carried registers looked at, for one kernel */ };

/* ---- what rests on an assumption ---- */

static void forget(struct walk *w, uint32_t from) {
  while (w->n_log > from) w->state[w->log[--w->n_log]] = 0;
}

/* Loops that were given up while a register was opaque may be counted later. */
static void retry_loops(struct walk *w, const uint8_t *before, uint32_t n) {
  for (uint32_t i = 0; i < w->n_loops; i++)
    if (w->loop[i].state == LOOP_UNKNOWN && (i >= n || before[i] != LOOP_UNKNOWN)) w->loop[i].state = LOOP_NEW;
}

/* ---- initial value and step ---- */

static bool free_of(const struct walk *w, struct form f, enum symbol_kind kind) {
  for (uint32_t i = 0; i < f.n; i++)
    for (uint32_t k = 0; k < f.term[i].n; k++)
      if (w->forms.symbol[f.term[i].symbol[k]].kind == kind) return false;
  return true;
}

/* The forms of the arguments from inside the loop or from outside, if they are all equal. */
static bool argument(struct walk *w, const struct value *join, bool inside, struct form *out) {
  const struct value_block *b = values_block(w->values, join->block);
  bool any = false;
  for (uint32_t i = 0; i < join->n_args; i++) {
    bool back = i < b->n_predecessors && b->predecessor[i] == b->back;
    if (back != inside) continue;
    struct form f = walk_value(w, join->arg[i]);
    if (any && !form_equal(f, *out)) return false;
    *out = any ? form_add(&w->forms, *out, f, 0) : f;
    any = true;
  }
  return any;
}

/* initial + step * iteration, with the register itself opaque meanwhile. */
static bool linear(struct walk *w, uint32_t number, const struct value *join, struct form *out) {
  struct forms *f = &w->forms;
  struct form first, next;
  struct form self = form_symbol(f, (struct symbol){.kind = SYMBOL_OPAQUE, .number = number});
  uint32_t log = w->n_log, n = w->n_loops;
  uint8_t *states = arena_alloc(w->arena, n + 1);
  for (uint32_t i = 0; i < n; i++) states[i] = (uint8_t)w->loop[i].state;
  bool known = argument(w, join, false, &first) && argument(w, join, true, &next);
  forget(w, log);
  retry_loops(w, states, n);
  if (!known || form_opaque(f, first)) return false;
  struct form step = form_add(f, next, self, -1);
  if (!free_of(w, step, SYMBOL_OPAQUE) || !free_of(w, step, SYMBOL_ITERATION)) return false;
  struct form iteration = form_symbol(f, (struct symbol){.kind = SYMBOL_ITERATION, .number = join->block});
  *out = form_add(f, first, form_multiply(f, step, iteration), 1);
  return !f->overflow;
}

/* ---- the test ---- */

/* Backwards from the branch back, through blocks that every iteration passes, to a branch that can leave the loop. */
static bool find_test(const struct walk *w, uint32_t head, uint32_t *op, bool *taken_stays) {
  uint32_t b = values_block(w->values, head)->back;
  for (;;) {
    const struct value_block *block = values_block(w->values, b);
    const struct ptx_op *last = &w->kernel->ops[block->end - 1];
    if (ptx_op_is_jump(last) && last->guard != PTX_NO_GUARD && block->n_successors == 2) {
      bool taken = values_in_loop(w->values, head, block->successor[0]);
      bool other = values_in_loop(w->values, head, block->successor[1]);
      *op = block->end - 1;
      *taken_stays = taken;
      if (taken != other) return true;
    }
    if (b == head || block->n_predecessors != 1) return false;
    b = *block->predecessor;
  }
}

/* Comparisons, and what each is when it fails. Unsigned ones have names of their own, too. */
enum relation { LT, LE, GT, GE, EQ, NE, RELATIONS };
static enum relation relation_of(const char *key) {
  static const char *const names[RELATIONS][2] = {{"setp.lt", "setp.lo"}, {"setp.le", "setp.ls"},
                                                  {"setp.gt", "setp.hi"}, {"setp.ge", "setp.hs"},
                                                  {"setp.eq", ""},        {"setp.ne", ""}};
  uint32_t r = 0;
  while (r < RELATIONS && strcmp(key, names[r][0]) != 0 && strcmp(key, names[r][1]) != 0) r++;
  return (enum relation)r;
}

/* The comparison whose result guards the branch: its operation, and whether it holds when the loop runs on. */
static bool find_comparison(struct walk *w, uint32_t branch, bool taken_stays, uint32_t *op, bool *holds) {
  uint32_t value = values_guard(w->values, branch);
  const struct value *v = values_at(w->values, &value);
  *holds = taken_stays != w->kernel->ops[branch].guard_negated;
  while (v->kind == VALUE_RESULT && strcmp(walk_key(&w->kernel->ops[v->op]), "not.pred") == 0) {
    *holds = !*holds;
    if (!values_source(w->values, v->op, 0, &value)) return false;
    v = values_at(w->values, &value);
  }
  if (v->kind != VALUE_RESULT || v->part || w->kernel->ops[v->op].class == PTX_F32) return false;
  const struct ptx_op *o = &w->kernel->ops[v->op];
  const struct ptx_handler *h = ptx_handler_at(o->handler);
  if (!h || strncmp(h->key, "setp.", 5) != 0 || !strchr("usb", ptx_type_letter(h->type)) || o->compare.combine ||
      o->compare.set)
    return false;
  *op = v->op;
  return true;
}

static bool count(struct walk *w, uint32_t loop) {
  static const enum relation inverse[RELATIONS] = {GE, GT, LE, LT, NE, EQ};
  uint32_t branch, op;
  bool stays, holds;
  if (!find_test(w, w->loop[loop].block, &branch, &stays) || !find_comparison(w, branch, stays, &op, &holds))
    return false;
  const struct ptx_handler *h = ptx_handler_at(w->kernel->ops[op].handler);
  enum relation r = relation_of(h->key);
  uint32_t bits = ptx_type_bytes(h->type) * 8;
  bool is_signed = ptx_type_letter(h->type) == 's';
  if (r == RELATIONS) return false;
  if (!holds) r = inverse[r];
  struct forms *f = &w->forms;
  struct form a = walk_source(w, op, 0, bits), b = walk_source(w, op, 1, bits);
  if (r == EQ || form_opaque(f, a) || form_opaque(f, b)) return false;
  if (r != NE) a = form_extend(f, a, bits, is_signed), b = form_extend(f, b, bits, is_signed);
  struct form left = r == GT || r == GE ? form_add(f, b, a, -1) : form_add(f, a, b, -1);
  if (r == LE || r == GE) left = form_add(f, left, form_constant(f, 1), -1);
  if (r == NE && bits < 64) left = form_extend(f, left, bits, true);
  w->loop[loop].left = left;
  w->loop[loop].ends_at_zero = r == NE;
  return !f->overflow;
}

static uint32_t loop_at(struct walk *w, uint32_t block) {
  for (uint32_t i = 0; i < w->n_loops; i++)
    if (w->loop[i].block == block) return i;
  w->loop = arena_grow(w->arena, w->loop, w->n_loops, &w->loop_capacity, sizeof *w->loop);
  w->loop[w->n_loops] = (struct walk_loop){.block = block};
  return w->n_loops++;
}

bool affine_induction(struct walk *w, uint32_t number, struct form *out) {
  struct value join = *values_at(w->values, &number);
  uint32_t i = loop_at(w, join.block);
  if (w->loop[i].state == LOOP_UNKNOWN || values_block(w->values, join.block)->back == UINT32_MAX) return false;
  if (++w->effort > EFFORT_MAX || !linear(w, number, &join, out)) return false;
  if (w->loop[i].state != LOOP_NEW) return true;
  uint32_t log = w->n_log;
  w->loop[i].state = LOOP_ASKED;
  walk_assume(w, number, *out);
  bool counted = count(w, i);
  w->loop[i].state = counted ? LOOP_COUNTED : LOOP_UNKNOWN;
  if (!counted) forget(w, log);
  return counted;
}
