/* SPDX-License-Identifier: Apache-2.0 */
/* An analysis in words: names, expressions, places in the source. */
#include "ptx/affine_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *affine_class_name(enum affine_class c) {
  static const char *const names[AFFINE_CLASSES] = {"static", "quasi", "none"};
  return names[c];
}

static const char *const reasons[AFFINE_REASONS][2] = {
#define X(id, name, sentence) [id] = {name, sentence},
  AFFINE_REASONS_LIST(X)
#undef X
};

const char *affine_reason_name(enum affine_reason r) { return reasons[r][0]; }
const char *affine_reason_sentence(enum affine_reason r) { return reasons[r][1]; }

/* ---- expressions ---- */

struct writer {
  char *text;
  size_t size, n;
};

static void put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = w->n < w->size ? w->size - w->n : 0;
  int n = vsnprintf(room ? w->text + w->n : NULL, room, format, args);
  va_end(args);
  w->n += n > 0 ? (size_t)n : 0;
}

static void put_parameter(struct writer *w, const struct ptx_kernel *k, uint32_t offset) {
  uint32_t i = 0;
  while (i + 1 < k->n_params && k->param_offset[i + 1] <= offset) i++;
  put(w, "param_%u", i);
  if (offset != k->param_offset[i]) put(w, "[%u]", offset - k->param_offset[i]);
}

static void put_symbol(struct writer *w, struct walk *walk, const struct symbol *a) {
  static const char *const specials[] = {"threadIdx", "blockDim", "blockIdx", "gridDim"};
  switch (a->kind) {
    case SYMBOL_PARAMETER: put_parameter(w, &walk->kernel->public, a->number); break;
    case SYMBOL_SPECIAL: put(w, "%s.%c", specials[a->number / 3], "xyz"[a->number % 3]); break;
    case SYMBOL_ITERATION:
      put(w, "iteration@%u", walk->kernel->ops[values_block(walk->values, a->number)->first].line);
      break;
    default:
      put(w, "%s@%u", affine_reason_name(walk_reason(walk, a->number)),
          walk->kernel->ops[walk_cause(walk, a->number)].line);
  }
}

/* blockIdx, threadIdx, iterations, what is not known, then what the launch gives; constants come last. */
static uint32_t symbol_rank(const struct symbol *a) {
  static const uint32_t of_special[] = {1, 5, 0, 6};
  if (a->kind == SYMBOL_SPECIAL) return of_special[a->number / 3];
  return a->kind == SYMBOL_ITERATION ? 2 : a->kind == SYMBOL_OPAQUE ? 3 : 4;
}

struct term_text {
  uint32_t rank;
  bool negative;
  char text[200];
};

static int compare_texts(const void *a, const void *b) {
  const struct term_text *x = a, *y = b;
  return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(x->text, y->text);
}

/* The factors that the launch gives come first. */
static void write_term(struct walk *walk, const struct term *t, int64_t element, struct term_text *out) {
  enum { RANKS = 7 };
  struct writer w = {.text = out->text, .size = sizeof out->text};
  int64_t c = t->coefficient / element;
  uint64_t size = c < 0 ? 0 - (uint64_t)c : (uint64_t)c;
  *out = (struct term_text){.rank = RANKS, .negative = c < 0};
  if (size != 1 || !t->n) put(&w, "%llu%s", (unsigned long long)size, t->n ? "*" : "");
  uint32_t left = t->n;
  for (uint32_t rank = RANKS; rank-- > 0;)
    for (uint32_t i = 0; i < t->n; i++) {
      const struct symbol *a = &walk->forms.symbol[t->symbol[i]];
      if (symbol_rank(a) != rank) continue;
      put_symbol(&w, walk, a);
      if (--left) put(&w, "*");
      out->rank = rank;
    }
}

static void write_form(struct walk *walk, struct form f, int64_t element, char *text, size_t size) {
  struct writer w = {.text = text, .size = size};
  struct term_text term[FORM_TERMS_MAX] = {{0}};
  if (size) *text = 0;
  for (uint32_t i = 0; i < f.n; i++) write_term(walk, &f.term[i], element, &term[i]);
  if (f.n) qsort(term, f.n, sizeof *term, compare_texts);
  for (uint32_t i = 0; i < f.n; i++)
    put(&w, "%s%s", i ? term[i].negative ? " - " : " + " : term[i].negative ? "-" : "", term[i].text);
  if (!f.n) put(&w, "0");
}

void affine_expression(const struct affine *a, uint32_t index, char *text, size_t size) {
  struct affine_parts *p = (struct affine_parts *)(uintptr_t)a;
  write_form(&p->walk, p->expression[index], a->index[index].element, text, size);
}

/* ---- bounds ---- */

/* How many symbols of the term are special registers first..first + 2; *at is the last one's place. */
static uint32_t count_specials(const struct forms *f, const struct term *t, uint32_t first, uint32_t *at) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    const struct symbol *s = &f->symbol[t->symbol[i]];
    if (s->kind != SYMBOL_SPECIAL || s->number < first || s->number > first + 2) continue;
    n++;
    *at = i;
  }
  return n;
}

/* The term without its symbol at `at`. */
static struct form without(struct forms *f, const struct term *t, uint32_t at) {
  struct term rest = *t;
  rest.n--;
  for (uint32_t i = at; i < rest.n; i++) rest.symbol[i] = t->symbol[i + 1];
  return form_add(f, form_constant(f, 0), (struct form){.n = 1, .term = &rest}, 1);
}

/* The term at the end of threadIdx that makes it largest, or smallest. */
static struct form at_end(struct forms *f, const struct term *t, uint32_t at, bool largest) {
  uint32_t axis = f->symbol[t->symbol[at]].number - SPECIAL_TID_X;
  struct form none = form_constant(f, 0);
  if ((t->coefficient > 0) != largest) return none;
  struct form size = form_symbol(f, (struct symbol){.kind = SYMBOL_SPECIAL, .number = SPECIAL_NTID_X + axis});
  return form_multiply(f, without(f, t, at), form_add(f, size, form_constant(f, 1), -1));
}

bool affine_bound(const struct affine *a, uint32_t index, enum affine_bound bound, char *text, size_t size) {
  struct affine_parts *p = (struct affine_parts *)(uintptr_t)a;
  struct forms *f = &p->walk.forms;
  const struct form x = p->expression[index];
  struct form sum = form_constant(f, 0);
  bool largest = bound == AFFINE_A0_END;
  if (a->index[index].class == AFFINE_NONE) return false;
  for (uint32_t i = 0; i < x.n; i++) {
    uint32_t cta = 0, thread = 0;
    uint32_t n_cta = count_specials(f, &x.term[i], SPECIAL_CTAID_X, &cta);
    uint32_t n_thread = count_specials(f, &x.term[i], SPECIAL_TID_X, &thread);
    if (n_cta + n_thread > 1) return false;
    struct form one = {.n = 1, .term = &x.term[i]};
    if (n_cta) {
      if (f->symbol[x.term[i].symbol[cta]].number - SPECIAL_CTAID_X != (uint32_t)bound) continue;
      one = without(f, &x.term[i], cta);
    } else if (bound <= AFFINE_A1_Z) {
      continue;
    } else if (n_thread) {
      one = at_end(f, &x.term[i], thread, largest);
    }
    sum = form_add(f, sum, one, 1);
  }
  if (largest) sum = form_add(f, sum, form_constant(f, a->index[index].element), 1);
  if (!f->overflow) write_form(&p->walk, sum, a->index[index].element, text, size);
  bool known = !f->overflow;
  f->overflow = false;
  return known;
}

/* ---- places ---- */

static void file_name(const struct ptx_module *m, uint32_t number, char *file, size_t size) {
  snprintf(file, size, "file %u", number);
  for (uint32_t line = 1; line <= m->n_lines; line++) {
    unsigned n;
    int at = 0;
    const char *text = ptx_module_line(m, line);
    if (sscanf(text, ".file %u \"%n", &n, &at) != 1 || !at || n != number) continue;
    snprintf(file, size, "%.*s", (int)strcspn(text + at, "\""), text + at);
    return;
  }
}

struct place {
  unsigned file, line, column;
};

/* The .loc before the operation; one of line 0 names no place. */
static bool find_place(const struct ptx_kernel *k, uint32_t op, struct place *p) {
  for (uint32_t at = k->ops[op].line; at > 0; at--) {
    const char *text = ptx_module_line(k->module, at);
    if (*text == '{' || strncmp(text, ".entry", 6) == 0 || strncmp(text, ".visible", 8) == 0) return false;
    if (sscanf(text, ".loc %u %u %u", &p->file, &p->line, &p->column) == 3 && p->line) return true;
  }
  return false;
}

bool affine_source_line(const struct ptx_kernel *k, uint32_t op, char *file, size_t size, uint32_t *line,
                        uint32_t *column) {
  struct place p;
  if (!find_place(k, op, &p)) return false;
  file_name(k->module, p.file, file, size);
  *line = p.line;
  *column = p.column;
  return true;
}

/* Copies of a load may differ in their class; the first one counts. */
bool affine_places(const struct affine *a, struct affine_places *out) {
  struct place *seen = calloc(a->n_loads + 1, sizeof *seen);
  bool all = seen != NULL;
  *out = (struct affine_places){0};
  for (uint32_t i = 0; i < a->n_loads && all; i++) {
    const struct affine_index *x = &a->index[a->load[i].index];
    uint32_t k = 0;
    all = find_place(a->kernel, a->load[i].op, &seen[out->n]);
    while (k < out->n && memcmp(&seen[k], &seen[out->n], sizeof *seen) != 0) k++;
    if (!all || k < out->n) continue;
    out->n++;
    out->by_class[x->class]++;
    out->by_reason[x->reason] += x->class == AFFINE_NONE;
  }
  free(seen);
  return all && a->n_loads;
}
