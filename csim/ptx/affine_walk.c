/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine_walk.h"

#include "ptx/decode.h"

#include <string.h>

enum { DEPTH_MAX = 2000 /* operations below one another; what lies deeper is opaque */ };

/* Whether the forms are equal; then *a has the checks of both. */
static bool same(struct walk *w, struct form *a, struct form b) {
  if (!form_equal(*a, b)) return false;
  *a = form_add(&w->forms, *a, b, 0);
  return true;
}

/* ---- sources ---- */

static struct form opaque(struct walk *w, uint32_t value) {
  return form_symbol(&w->forms, (struct symbol){.kind = SYMBOL_OPAQUE, .number = value});
}

static int64_t constant_of(const struct walk *w, ptx_row row, uint32_t bits) {
  const uint32_t *lanes = w->kernel->public.const_rows + (size_t)~row * WARP_LANES;
  int64_t value = (int32_t)*lanes;
  if (bits == 64) memcpy(&value, lanes, sizeof value);
  return value;
}

static bool special_of(const struct walk *w, ptx_row row, uint32_t *special) {
  for (uint32_t s = 0; s < PTX_N_SPECIALS; s++)
    if (w->kernel->special_row[s] && w->kernel->special_row[s] == row) {
      *special = s;
      return true;
    }
  return false;
}

/* Whether source `i` is known without a value: a constant, or a special register that a launch or a CTA gives. */
static bool direct_source(struct walk *w, uint32_t op, uint32_t i, uint32_t bits, struct form *out) {
  ptx_row row = w->kernel->ops[op].src[i];
  uint32_t special;
  if (row < 0) {
    *out = form_constant(&w->forms, constant_of(w, row, bits));
    return true;
  }
  if (!special_of(w, row, &special) || special > SPECIAL_NCTAID_Z) return false;
  *out = form_symbol(&w->forms, (struct symbol){.kind = SYMBOL_SPECIAL, .number = special});
  return true;
}

/* A source without a value that no form describes makes the operation itself opaque. */
static bool source(struct walk *w, uint32_t op, uint32_t i, uint32_t bits, struct form *out) {
  uint32_t value;
  if (direct_source(w, op, i, bits, out)) return true;
  if (!values_source(w->values, op, i, &value)) return false;
  *out = walk_value(w, value);
  return true;
}

struct form walk_source(struct walk *w, uint32_t op, uint32_t i, uint32_t bits) {
  struct form f;
  return source(w, op, i, bits, &f) ? f : opaque(w, values_result(w->values, op, 0));
}

/* ---- operations on integers ---- */

/* A rule makes the form of a result of `bits` bits; false: no form describes it. */
struct rule_call {
  struct walk *w;
  uint32_t op, bits;
  bool is_signed;
};
typedef bool rule_fn(const struct rule_call *, struct form *out);

static bool two(const struct rule_call *c, struct form *a, struct form *b) {
  return source(c->w, c->op, 0, c->bits, a) && source(c->w, c->op, 1, c->bits, b);
}

static bool rule_add(const struct rule_call *c, struct form *out) {
  struct form a, b;
  if (!two(c, &a, &b)) return false;
  *out = form_add(&c->w->forms, a, b, 1);
  return true;
}

static bool rule_sub(const struct rule_call *c, struct form *out) {
  struct form a, b;
  if (!two(c, &a, &b)) return false;
  *out = form_add(&c->w->forms, a, b, -1);
  return true;
}

static bool rule_neg(const struct rule_call *c, struct form *out) {
  struct form a;
  if (!source(c->w, c->op, 0, c->bits, &a)) return false;
  *out = form_add(&c->w->forms, form_constant(&c->w->forms, 0), a, -1);
  return true;
}

/* ~x = -x - 1 */
static bool rule_not(const struct rule_call *c, struct form *out) {
  struct form a;
  if (!source(c->w, c->op, 0, c->bits, &a)) return false;
  *out = form_add(&c->w->forms, form_constant(&c->w->forms, -1), a, -1);
  return true;
}

static bool rule_mov(const struct rule_call *c, struct form *out) { return source(c->w, c->op, 0, c->bits, out); }

/* a * b {+ c}: of operands of `from` bits, which are extended if the result is wider. */
static bool product(const struct rule_call *c, uint32_t from, bool extends, bool adds, struct form *out) {
  struct forms *f = &c->w->forms;
  struct form a, b, sum;
  if (!source(c->w, c->op, 0, c->bits, &a) || !source(c->w, c->op, 1, c->bits, &b)) return false;
  if (extends) a = form_extend(f, a, from, c->is_signed), b = form_extend(f, b, from, c->is_signed);
  *out = form_multiply(f, a, b);
  if (!adds) return true;
  if (!source(c->w, c->op, 2, extends && from == c->bits ? 2 * c->bits : c->bits, &sum)) return false;
  *out = form_add(f, *out, sum, 1);
  return true;
}

static bool rule_mul(const struct rule_call *c, struct form *out) { return product(c, c->bits, false, false, out); }
static bool rule_mad(const struct rule_call *c, struct form *out) { return product(c, c->bits, false, true, out); }
static bool rule_mul_wide(const struct rule_call *c, struct form *out) { return product(c, c->bits, true, false, out); }
static bool rule_mad_wide(const struct rule_call *c, struct form *out) { return product(c, c->bits, true, true, out); }
static bool rule_mul24(const struct rule_call *c, struct form *out) { return product(c, 24, true, false, out); }
static bool rule_mad24(const struct rule_call *c, struct form *out) { return product(c, 24, true, true, out); }

/* By a constant: a product, whether the compiler or the programmer made it a shift. */
static bool rule_shl(const struct rule_call *c, struct form *out) {
  struct form a, n;
  int64_t by;
  if (!source(c->w, c->op, 0, c->bits, &a) || !source(c->w, c->op, 1, 32, &n) || !form_is_constant(n, &by))
    return false;
  if (by < 0 || by >= c->bits) return false;
  *out = form_multiply(&c->w->forms, a, form_constant(&c->w->forms, (int64_t)(UINT64_C(1) << by)));
  return true;
}

/* (x << a) >> b with a >= b is the extension of the low bits of x, times a power of two: how a compiler writes a
 * conversion. Other shifts to the right are divisions. */
static bool rule_shr(const struct rule_call *c, struct form *out) {
  struct form n, x;
  int64_t right, left;
  uint32_t value;
  if (!source(c->w, c->op, 1, 32, &n) || !form_is_constant(n, &right)) return false;
  if (!values_source(c->w->values, c->op, 0, &value)) return false;
  const struct value *v = values_at(c->w->values, &value);
  if (v->kind != VALUE_RESULT || strcmp(walk_key(&c->w->kernel->ops[v->op]), "shl") != 0) return false;
  uint32_t shift = v->op;
  if (!source(c->w, shift, 1, 32, &n) || !form_is_constant(n, &left)) return false;
  if (right < 0 || left < right || left >= c->bits || !source(c->w, shift, 0, c->bits, &x)) return false;
  struct forms *f = &c->w->forms;
  x = form_extend(f, x, c->bits - (uint32_t)left, c->is_signed);
  *out = form_multiply(f, x, form_constant(f, (int64_t)(UINT64_C(1) << (left - right))));
  return true;
}

/* x & (2^k - 1) << s keeps x if x is a multiple of 2^s below 2^(k + s), k at least 8: how a compiler writes a
 * conversion to k bits. The launch decides whether it does. */
static bool rule_and(const struct rule_call *c, struct form *out) {
  struct form a, b;
  int64_t mask;
  if (!two(c, &a, &b)) return false;
  bool right = form_is_constant(b, &mask);
  if (!right && !form_is_constant(a, &mask)) return false;
  uint64_t bits = c->bits == 64 ? (uint64_t)mask : (uint64_t)mask & ((UINT64_C(1) << c->bits) - 1);
  if (!bits) return false;
  uint32_t zeros = (uint32_t)__builtin_ctzll(bits);
  uint64_t ones = bits >> zeros;
  if (ones & (ones + 1)) return false;
  uint32_t k = ones == UINT64_MAX ? 64 : 64 - (uint32_t)__builtin_clzll(ones);
  if (k != 8 && k != 16 && k != 32) return false;
  struct form kept = form_reduce(&c->w->forms, right ? a : b, k + zeros);
  for (uint32_t i = 0; i < kept.n; i++)
    if ((uint64_t)kept.term[i].coefficient & ((UINT64_C(1) << zeros) - 1)) return false;
  *out = form_extend(&c->w->forms, kept, k + zeros, false);
  return true;
}

/* x | y = x + y if x is a multiple of 2^s and y below it: how a compiler writes a sum without carries. */
static bool rule_or(const struct rule_call *c, struct form *out) {
  struct form a, b;
  if (!two(c, &a, &b)) return false;
  uint64_t of_a = 0, of_b = 0;
  for (uint32_t i = 0; i < a.n; i++) of_a |= (uint64_t)a.term[i].coefficient;
  for (uint32_t i = 0; i < b.n; i++) of_b |= (uint64_t)b.term[i].coefficient;
  if (!of_a || !of_b) return false;
  uint32_t zeros_a = (uint32_t)__builtin_ctzll(of_a), zeros_b = (uint32_t)__builtin_ctzll(of_b);
  bool low_a = zeros_b > zeros_a;
  uint32_t zeros = low_a ? zeros_b : zeros_a;
  struct forms *f = &c->w->forms;
  struct form low = low_a ? a : b, high = low_a ? b : a;
  int64_t value;
  if (!zeros || zeros >= c->bits) return false;
  if (form_is_constant(low, &value) && (uint64_t)value >> zeros) return false;
  if (!form_is_constant(low, &value)) low = form_limit(f, low, zeros, false);
  *out = form_add(f, low, high, 1);
  return true;
}

static const struct {
  const char *key;
  rule_fn *rule;
  uint8_t widens; /* the result has twice the bits */
} rules[] = {{"add", rule_add, 0},        {"sub", rule_sub, 0},           {"neg", rule_neg, 0},
             {"not", rule_not, 0},        {"mov", rule_mov, 0},           {"mul.lo", rule_mul, 0},
             {"mad.lo", rule_mad, 0},     {"mul.wide", rule_mul_wide, 1}, {"mad.wide", rule_mad_wide, 1},
             {"mul24.lo", rule_mul24, 0}, {"mad24.lo", rule_mad24, 0},    {"shl", rule_shl, 0},
             {"shr", rule_shr, 0},        {"and", rule_and, 0},           {"or", rule_or, 0}};

/* ---- conversions ---- */

static uint32_t type_bits(enum ptx_type t) { return ptx_type_bytes(t) * 8; }
static bool is_integer(enum ptx_type t) { return strchr("usb", ptx_type_letter(t)) && ptx_type_bytes(t); }

/* "cvt.rn.u64.u32", "cvt.rn.u32.from64.u16" */
static bool read_conversion(const char *key, enum ptx_type from, struct ptx_op_convert *c) {
  const char *to = strrchr(key, '.');
  if (strncmp(key, "cvt.rn.", 7) != 0 || !to) return false;
  size_t n = strcspn(key + 7, ".");
  enum ptx_type type = ptx_type_of(key + 7, n);
  *c = (struct ptx_op_convert){.to = (uint8_t)type, .from = (uint8_t)from, .to_bytes = (uint8_t)ptx_type_bytes(type)};
  return type != T_NONE;
}

static bool convert(struct walk *w, uint32_t op, struct form *out) {
  const struct ptx_op *o = &w->kernel->ops[op];
  const struct ptx_handler *h = ptx_handler_at(o->handler);
  struct ptx_op_convert c = o->convert;
  if (h && !read_conversion(h->key, h->type, &c)) return false;
  if (!is_integer(c.to) || !is_integer(c.from) || c.sat) return false;
  uint32_t from = type_bits(c.from), to = type_bits(c.to), bits = c.to_bytes * 8u;
  if (!source(w, op, 0, from < 32 ? 32 : from, out)) return false;
  bool grows = to > from;
  if (grows) *out = form_extend(&w->forms, *out, from, ptx_type_letter(c.from) == 's');
  if (bits > to) { /* the register is wider than the type */
    if (grows && ptx_type_letter(c.to) != ptx_type_letter(c.from)) return false;
    if (!grows) *out = form_extend(&w->forms, *out, to, ptx_type_letter(c.to) == 's');
  }
  *out = form_reduce(&w->forms, *out, bits < 16 ? 16 : bits);
  return true;
}

/* ---- parameters ---- */

/* The address is a constant, or a register that holds one: so clang reads the members of a structure. */
static bool parameter(struct walk *w, const struct value *v, struct form *out) {
  const struct ptx_op_memory *m = &w->kernel->ops[v->op].memory;
  struct form address;
  int64_t at;
  if (!source(w, v->op, 0, m->address_32 ? 32 : 64, &address) || !form_is_constant(address, &at)) return false;
  uint64_t offset = (uint64_t)at + (uint64_t)m->offset + v->part * (uint64_t)m->bytes;
  if (offset > w->kernel->public.param_bytes || m->bytes > w->kernel->public.param_bytes - offset) return false;
  *out = form_symbol(&w->forms, (struct symbol){.kind = SYMBOL_PARAMETER,
                                                .size = m->bytes,
                                                .is_unsigned = !m->is_signed && m->bytes < m->register_bytes,
                                                .number = (uint32_t)offset});
  return true;
}

/* ---- results ---- */

const char *walk_key(const struct ptx_op *op) {
  const struct ptx_handler *h = ptx_handler_at(op->handler);
  return h ? h->key : "";
}

static bool by_rule(struct walk *w, uint32_t op, struct form *out) {
  const struct ptx_handler *h = ptx_handler_at(w->kernel->ops[op].handler);
  if (!h || !is_integer(h->type)) return false;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (strcmp(rules[i].key, h->key) != 0) continue;
    struct rule_call c = {w, op, type_bits(h->type), ptx_type_letter(h->type) == 's'};
    if (!rules[i].rule(&c, out)) return false;
    *out = form_reduce(&w->forms, *out, c.bits << rules[i].widens);
    return true;
  }
  return false;
}

static bool of_result(struct walk *w, const struct value *v, struct form *out) {
  const struct ptx_op *o = &w->kernel->ops[v->op];
  if (o->exec == ptx_exec_param_load) return parameter(w, v, out);
  if (v->part || o->class == PTX_LOAD || o->class == PTX_ATOMIC) return false;
  if (o->exec == ptx_exec_cvt_any || strncmp(walk_key(o), "cvt.", 4) == 0) return convert(w, v->op, out);
  if (strcmp(walk_key(o), "selp") == 0) { /* of equal values */
    struct form b;
    uint32_t bits = type_bits(ptx_handler_at(o->handler)->type);
    return source(w, v->op, 0, bits, out) && source(w, v->op, 1, bits, &b) && same(w, out, b);
  }
  return by_rule(w, v->op, out);
}

/* ---- values ---- */

/* What a join's arguments agree on. */
static bool agreed(struct walk *w, const struct value *v, struct form *out) {
  const uint32_t *arg = v->arg;
  uint32_t n = v->n_args;
  if (!n) return false;
  *out = walk_value(w, arg[0]);
  for (uint32_t i = 1; i < n; i++)
    if (!same(w, out, walk_value(w, arg[i]))) return false;
  return true;
}

static bool of_value(struct walk *w, uint32_t number, const struct value *v, struct form *out) {
  struct value kept = *v; /* the table may move */
  struct form b;
  switch (kept.kind) {
    case VALUE_ZERO: *out = form_constant(&w->forms, 0); return true;
    case VALUE_RESULT: return of_result(w, &kept, out);
    case VALUE_GUARDED: b = walk_value(w, kept.arg[0]); return of_result(w, &kept, out) && same(w, out, b);
    default:
      if (!kept.loops) return agreed(w, &kept, out);
      return w->induction && w->induction(w, number, out);
  }
}

static void make_room(struct walk *w, uint32_t value) {
  if (value < w->n_known) return;
  uint32_t n = w->n_known ? w->n_known : 256;
  while (n <= value) n *= 2;
  struct form *form = arena_alloc(w->arena, n * sizeof *form);
  uint8_t *state = arena_alloc(w->arena, n);
  if (w->n_known) memcpy(form, w->form, w->n_known * sizeof *form), memcpy(state, w->state, w->n_known);
  w->form = form;
  w->state = state;
  w->n_known = n;
}

void walk_assume(struct walk *w, uint32_t number, struct form f) {
  w->form[number] = f;
  w->state[number] = 2;
  w->log = arena_grow(w->arena, w->log, w->n_log, &w->log_capacity, sizeof *w->log);
  w->log[w->n_log++] = number;
}

/* While a loop-carried register is looked at, what it is made of may be asked for again (affine_loop.c): every circle of
 * values goes through such a register, which is opaque meanwhile. */
struct form walk_value(struct walk *w, uint32_t number) {
  const struct value *v = values_at(w->values, &number);
  make_room(w, number);
  uint8_t before = w->state[number];
  bool circle = before == 1 && v->kind == VALUE_JOIN && v->loops;
  if (before == 2) return w->form[number];
  if (circle || w->depth > DEPTH_MAX) return opaque(w, number);
  w->state[number] = 1;
  w->depth++;
  struct form f;
  bool known = of_value(w, number, v, &f);
  w->depth--;
  if (!known || w->forms.overflow) f = opaque(w, number);
  w->forms.overflow = false;
  if (before == 0) walk_assume(w, number, f);
  return f;
}

struct form walk_address(struct walk *w, uint32_t op) {
  const struct ptx_op_memory *m = &w->kernel->ops[op].memory;
  struct form f = walk_source(w, op, 0, m->address_32 ? 32 : 64);
  if (m->address_32) f = form_extend(&w->forms, f, 32, false);
  return form_add(&w->forms, f, form_constant(&w->forms, m->offset), 1);
}

enum affine_reason walk_reason(struct walk *w, uint32_t number) {
  const struct value *v = values_at(w->values, &number);
  if (v->kind == VALUE_JOIN) return v->loops ? AFFINE_INDUCTION : AFFINE_CONTROL;
  const struct ptx_op *o = &w->kernel->ops[v->op];
  if (o->class == PTX_LOAD || o->class == PTX_ATOMIC) return AFFINE_INDIRECT;
  if (v->kind == VALUE_GUARDED || strcmp(walk_key(o), "selp") == 0 || strncmp(walk_key(o), "slct", 4) == 0)
    return AFFINE_CONTROL;
  return AFFINE_OPERATOR;
}

uint32_t walk_cause(struct walk *w, uint32_t number) {
  const struct value *v = values_at(w->values, &number);
  return v->kind == VALUE_JOIN ? values_block(w->values, v->block)->first : v->op;
}

void walk_begin(struct walk *w, struct arena *a, const struct kernel *k, walk_induction_fn *induction) {
  *w = (struct walk){.arena = a, .kernel = k, .induction = induction, .forms = {.arena = a}};
  w->values = values_new(a, k);
}
