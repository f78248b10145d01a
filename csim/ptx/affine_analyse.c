/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine.h"

#include "base/err.h"
#include "ptx/affine_loop.h"
#include "ptx/affine_parts.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ARRAY = UINT32_MAX, SEARCH_MAX = 64 };

/* ---- which parameter an address belongs to ---- */

/* A parameter of 64 bits that is a term of its own: one that was converted to a global address, or else the only one. */
static const struct term *pointer_term(const struct walk *w, struct form f) {
  const struct term *marked = NULL, *any = NULL;
  uint32_t n_marked = 0, n = 0;
  for (uint32_t i = 0; i < f.n; i++) {
    const struct term *t = &f.term[i];
    if (t->n != 1 || t->coefficient != 1) continue;
    const struct symbol *a = &w->forms.symbol[t->symbol[0]];
    if (a->kind != SYMBOL_PARAMETER || a->size != 8) continue;
    n++, any = t;
    if (a->pointer) n_marked++, marked = t;
  }
  return n_marked == 1 ? marked : !n_marked && n == 1 ? any : NULL;
}

/* Values that a search for pointers has seen. */
struct search {
  uint32_t seen[SEARCH_MAX], n;
  uint32_t symbol; /* of the parameter found, or NO_ARRAY */
  bool several;    /* parameters */
};

static void search_form(struct walk *, struct form, struct search *);

static void search_sources(struct walk *w, const struct value *v, struct search *s) {
  const struct ptx_op *op = &w->kernel->ops[v->op];
  if (op->class == PTX_LOAD || op->class == PTX_ATOMIC) return;
  for (uint32_t i = 0; i < 2 && i < op->n_src; i++) {
    uint32_t value;
    if (values_source(w->values, v->op, i, &value)) search_form(w, walk_value(w, value), s);
  }
}

static void search_value(struct walk *w, uint32_t number, struct search *s) {
  struct value v = *values_at(w->values, &number);
  for (uint32_t i = 0; i < s->n; i++)
    if (s->seen[i] == number) return;
  if (s->n == SEARCH_MAX) return;
  s->seen[s->n++] = number;
  for (uint32_t i = 0; i < v.n_args; i++) search_form(w, walk_value(w, v.arg[i]), s);
  if (v.kind == VALUE_RESULT || v.kind == VALUE_GUARDED) search_sources(w, &v, s);
}

/* The pointer of an address: a term of it, or what its opaque values come from. */
static void search_form(struct walk *w, struct form f, struct search *s) {
  const struct term *t = pointer_term(w, f);
  if (t) {
    s->several |= s->symbol != NO_ARRAY && s->symbol != t->symbol[0];
    s->symbol = t->symbol[0];
    return;
  }
  for (uint32_t i = 0; i < f.n; i++) {
    if (f.term[i].n != 1 || f.term[i].coefficient != 1) continue;
    const struct symbol a = w->forms.symbol[f.term[i].symbol[0]];
    if (a.kind == SYMBOL_OPAQUE) search_value(w, a.number, s);
  }
}

static uint32_t parameter_at(const struct ptx_kernel *k, uint32_t offset) {
  uint32_t i = 0;
  while (i + 1 < k->n_params && k->param_offset[i + 1] <= offset) i++;
  return i;
}

static uint32_t array_of(struct affine_parts *p, uint32_t offset) {
  struct affine *a = &p->public;
  for (uint32_t i = 0; i < a->n_arrays; i++)
    if (p->array[i].offset == offset) return i;
  p->array = arena_grow(&p->arena, p->array, a->n_arrays, &p->array_capacity, sizeof *p->array);
  p->array[a->n_arrays] = (struct affine_array){.parameter = parameter_at(a->kernel, offset), .offset = offset};
  return a->n_arrays++;
}

/* The array of an address, and the address without its pointer; NO_ARRAY. */
static uint32_t split_address(struct affine_parts *p, struct form *f) {
  struct search s = {.symbol = NO_ARRAY};
  search_form(&p->walk, *f, &s);
  if (s.symbol == NO_ARRAY || s.several) return NO_ARRAY;
  struct symbol *a = &p->walk.forms.symbol[s.symbol];
  a->pointer = true;
  const struct term *t = pointer_term(&p->walk, *f);
  if (t) *f = form_add(&p->walk.forms, *f, (struct form){.n = 1, .term = t}, -1);
  return array_of(p, a->number);
}

/* ---- classes ---- */

static bool names_thread(const struct forms *f, struct form x) {
  return form_names_special(f, x, SPECIAL_TID_X, SPECIAL_TID_Z);
}

static void classify(struct walk *w, struct form f, struct affine_index *x) {
  x->cause = UINT32_MAX;
  for (uint32_t i = 0; i < f.n; i++)
    for (uint32_t k = 0; k < f.term[i].n; k++) {
      const struct symbol a = w->forms.symbol[f.term[i].symbol[k]];
      if (a.kind == SYMBOL_ITERATION) x->promoted = true;
      if (a.kind != SYMBOL_OPAQUE) continue;
      enum affine_reason r = walk_reason(w, a.number);
      if (x->reason && x->reason <= r) continue;
      x->reason = (uint8_t)r;
      x->cause = walk_cause(w, a.number);
    }
  bool thread = names_thread(&w->forms, f) || form_names_special(&w->forms, f, SPECIAL_CTAID_X, SPECIAL_CTAID_Z);
  x->class = x->reason ? AFFINE_NONE : thread || x->promoted ? AFFINE_QUASI : AFFINE_STATIC;
  if (x->reason) x->promoted = false;
}

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Loads of one array share an index if their expressions differ within an element. */
static uint32_t index_of(struct affine_parts *p, uint32_t array, struct form f, uint32_t bytes) {
  struct forms *forms = &p->walk.forms;
  struct form varying = form_without_offset(forms, f);
  uint64_t content = form_content(varying);
  bool coarse = content > bytes && !form_opaque(forms, f) && !names_thread(forms, f); /* of blockIdx alone */
  if (coarse) content = form_divisor(content, bytes);
  uint32_t element = content && content <= UINT32_MAX ? (uint32_t)content : bytes;
  int64_t first = floor_divide(form_offset(f), element) * (int64_t)element;
  struct form whole = form_add(forms, varying, form_constant(forms, first), 1);
  struct affine *a = &p->public;
  for (uint32_t i = 0; i < a->n_indexes; i++)
    if (p->index[i].array == array && p->index[i].element == element && form_equal(p->expression[i], whole)) return i;
  p->index = arena_grow(&p->arena, p->index, a->n_indexes, &p->index_capacity, sizeof *p->index);
  p->expression = arena_grow(&p->arena, p->expression, a->n_indexes, &p->expression_capacity, sizeof *p->expression);
  p->index[a->n_indexes] = (struct affine_index){.array = array, .element = element, .first_load = a->n_loads};
  classify(&p->walk, f, &p->index[a->n_indexes]);
  p->expression[a->n_indexes] = whole;
  p->array[array].n_indexes++;
  return a->n_indexes++;
}

/* ---- the text ---- */

static bool in_global(const struct ptx_op *op) {
  bool access = op->class == PTX_LOAD || op->class == PTX_STORE || op->class == PTX_ATOMIC;
  return access && (op->memory.space == PTX_GLOBAL || op->memory.space == PTX_GENERIC);
}

static bool reads_global(const struct ptx_op *op) { return op->class == PTX_LOAD && in_global(op); }

/* cvta.to.global: the parameter that it converts is a pointer. */
static void mark_pointers(struct walk *w) {
  for (uint32_t i = 0; i < values_n_ops(w->values); i++) {
    const struct ptx_op *op = &w->kernel->ops[i];
    if (op->class != PTX_INT64 || strcmp(walk_key(op), "mov") != 0) continue;
    const struct term *t = pointer_term(w, walk_source(w, i, 0, 64));
    if (t) w->forms.symbol[t->symbol[0]].pointer = true;
  }
}

static void add_load(struct affine_parts *p, uint32_t op, uint32_t array, struct form f) {
  struct affine *a = &p->public;
  const struct ptx_op_memory *m = &p->walk.kernel->ops[op].memory;
  uint32_t bytes = (uint32_t)m->bytes * m->vector;
  p->load = arena_grow(&p->arena, p->load, a->n_loads, &p->load_capacity, sizeof *p->load);
  p->address = arena_grow(&p->arena, p->address, a->n_loads, &p->address_capacity, sizeof *p->address);
  uint32_t index = index_of(p, array, f, bytes);
  p->load[a->n_loads] = (struct affine_load){.op = op, .bytes = bytes, .index = index};
  p->address[a->n_loads++] = f;
  p->index[index].n_loads++;
  p->array[array].n_loads++;
}

static void analyse(struct affine_parts *p) {
  const struct ptx_op *ops = p->public.kernel->ops;
  uint32_t n = values_n_ops(p->walk.values);
  mark_pointers(&p->walk);
  for (uint32_t i = 0; i < n; i++) {
    if (!in_global(&ops[i]) || !values_block(p->walk.values, values_block_of(p->walk.values, i))->reached) continue;
    struct form f = walk_address(&p->walk, i);
    uint32_t array = split_address(p, &f);
    if (!reads_global(&ops[i])) continue;
    if (array == NO_ARRAY || ops[i].memory.is_matrix) p->public.n_other++; /* lanes of wmma.load add to the address */
    else add_load(p, i, array, f);
  }
  for (uint32_t i = n; i < p->public.kernel->n_ops; i++) p->public.n_in_calls += reads_global(&ops[i]);
}

struct affine *affine_analyse(const struct ptx_kernel *kernel, const struct affine_options *o) {
  struct affine_parts *p = calloc(1, sizeof *p);
  invariant(p, "the host has no memory for the analysis of a kernel");
  p->public.kernel = kernel;
  walk_begin(&p->walk, &p->arena, (const struct kernel *)(const void *)kernel, o->promote ? affine_induction : NULL);
  analyse(p);
  p->public.array = p->array;
  p->public.index = p->index;
  p->public.load = p->load;
  return &p->public;
}

void affine_free(struct affine *a) {
  struct affine_parts *p = (struct affine_parts *)(void *)a;
  if (!p) return;
  arena_free(&p->arena);
  free(p);
}
