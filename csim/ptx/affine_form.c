/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine_form.h"

#include <string.h>

static const struct form nothing = {0};

/* ---- symbols ---- */

static uint16_t symbol_number(struct forms *f, struct symbol a) {
  for (uint32_t i = 0; i < f->n_symbols; i++)
    if (f->symbol[i].kind == a.kind && f->symbol[i].number == a.number && f->symbol[i].size == a.size &&
        f->symbol[i].is_unsigned == a.is_unsigned)
      return (uint16_t)i;
  if (f->n_symbols == UINT16_MAX) {
    f->overflow = true;
    return 0;
  }
  f->symbol = arena_grow(f->arena, f->symbol, f->n_symbols, &f->symbol_capacity, sizeof *f->symbol);
  f->symbol[f->n_symbols] = a;
  return (uint16_t)f->n_symbols++;
}

static struct form of_term(struct forms *f, struct term t) {
  struct term *kept = arena_alloc(f->arena, sizeof *kept);
  *kept = t;
  return (struct form){.n = t.coefficient != 0, .term = kept};
}

struct form form_constant(struct forms *f, int64_t value) {
  return of_term(f, (struct term){.coefficient = value});
}

struct form form_symbol(struct forms *f, struct symbol a) {
  return of_term(f, (struct term){.coefficient = 1, .n = 1, .symbol = {symbol_number(f, a)}});
}

/* ---- checks ---- */

static struct form with_checks(struct forms *f, struct form to, struct form a, struct form b) {
  uint16_t merged[2 * FORM_CHECKS_MAX];
  uint32_t n = 0, i = 0, k = 0;
  while (i < a.n_checks || k < b.n_checks) {
    bool first = k == b.n_checks || (i < a.n_checks && a.check[i] <= b.check[k]);
    uint16_t next = first ? a.check[i++] : b.check[k++];
    if (!n || merged[n - 1] != next) merged[n++] = next;
  }
  if (n > FORM_CHECKS_MAX) {
    f->overflow = true;
    return nothing;
  }
  uint16_t *kept = arena_alloc(f->arena, (n + 1) * sizeof *kept);
  memcpy(kept, merged, n * sizeof *kept);
  to.check = kept;
  to.n_checks = n;
  return to;
}

struct form form_limit(struct forms *f, struct form a, uint32_t bits, bool is_signed) {
  if (form_opaque(f, a)) return a;
  uint32_t i = 0;
  while (i < f->n_checks &&
         !(f->check[i].bits == bits && f->check[i].is_signed == is_signed && form_equal(f->check[i].form, a)))
    i++;
  if (i == UINT16_MAX) {
    f->overflow = true;
    return nothing;
  }
  if (i == f->n_checks) {
    f->check = arena_grow(f->arena, f->check, f->n_checks, &f->check_capacity, sizeof *f->check);
    f->check[f->n_checks++] = (struct check){.form = a, .bits = (uint8_t)bits, .is_signed = is_signed};
  }
  uint16_t number = (uint16_t)i;
  return with_checks(f, a, a, (struct form){.n_checks = 1, .check = &number});
}

/* ---- sums and products ---- */

static int compare_symbols(const struct term *a, const struct term *b) {
  for (uint32_t i = 0; i < a->n && i < b->n; i++)
    if (a->symbol[i] != b->symbol[i]) return a->symbol[i] < b->symbol[i] ? -1 : 1;
  return a->n < b->n ? -1 : a->n > b->n;
}

static int64_t wrapping_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t wrapping_multiply(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

struct form form_add(struct forms *f, struct form a, struct form b, int64_t factor) {
  struct term *sum = arena_alloc(f->arena, (a.n + b.n + 1) * sizeof *sum);
  uint32_t n = 0, i = 0, k = 0;
  while (i < a.n || k < b.n) {
    int order = i == a.n ? 1 : k == b.n ? -1 : compare_symbols(&a.term[i], &b.term[k]);
    struct term t = order <= 0 ? a.term[i] : b.term[k];
    if (order > 0) t.coefficient = wrapping_multiply(factor, t.coefficient);
    if (order == 0) t.coefficient = wrapping_add(t.coefficient, wrapping_multiply(factor, b.term[k].coefficient));
    i += order <= 0;
    k += order >= 0;
    if (t.coefficient) sum[n++] = t;
  }
  if (n > FORM_TERMS_MAX) {
    f->overflow = true;
    return nothing;
  }
  return with_checks(f, (struct form){.n = n, .term = sum}, a, b);
}

/* False: the product has too many factors. */
static bool multiply_terms(const struct term *a, const struct term *b, struct term *product) {
  *product = (struct term){.coefficient = wrapping_multiply(a->coefficient, b->coefficient)};
  uint32_t i = 0, k = 0;
  if (a->n + b->n > FORM_DEGREE_MAX) return false;
  while (i < a->n || k < b->n) {
    bool first = k == b->n || (i < a->n && a->symbol[i] <= b->symbol[k]);
    product->symbol[product->n++] = first ? a->symbol[i++] : b->symbol[k++];
  }
  return true;
}

struct form form_multiply(struct forms *f, struct form a, struct form b) {
  struct form sum = with_checks(f, nothing, a, b);
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++) {
      struct term t;
      if (!multiply_terms(&a.term[i], &b.term[k], &t)) f->overflow = true;
      if (f->overflow) return nothing;
      if (t.coefficient) sum = form_add(f, sum, (struct form){.n = 1, .term = &t}, 1);
    }
  return sum;
}

/* ---- widths ---- */

static int64_t signed_bits(int64_t v, uint32_t bits) {
  uint32_t shift = 64 - bits;
  return (int64_t)((uint64_t)v << shift) >> shift;
}

struct form form_reduce(struct forms *f, struct form a, uint32_t bits) {
  bool same = true;
  for (uint32_t i = 0; i < a.n; i++) same &= signed_bits(a.term[i].coefficient, bits) == a.term[i].coefficient;
  if (same) return a;
  struct term *kept = arena_alloc(f->arena, a.n * sizeof *kept);
  uint32_t n = 0;
  for (uint32_t i = 0; i < a.n; i++) {
    kept[n] = a.term[i];
    kept[n].coefficient = signed_bits(a.term[i].coefficient, bits);
    n += kept[n].coefficient != 0;
  }
  a.n = n;
  a.term = kept;
  return a;
}

struct form form_extend(struct forms *f, struct form a, uint32_t bits, bool is_signed) {
  int64_t value;
  if (bits >= 64) return a;
  a = form_reduce(f, a, bits);
  if (!form_is_constant(a, &value)) return form_limit(f, a, bits, is_signed);
  struct form c = form_constant(f, is_signed ? value : (int64_t)((uint64_t)value << (64 - bits) >> (64 - bits)));
  c.check = a.check, c.n_checks = a.n_checks;
  return c;
}

/* ---- questions ---- */

bool form_is_constant(struct form a, int64_t *value) {
  if (a.n > 1 || (a.n == 1 && a.term->n)) return false;
  *value = a.n ? a.term->coefficient : 0;
  return true;
}

bool form_equal(struct form a, struct form b) {
  if (a.n != b.n) return false;
  for (uint32_t i = 0; i < a.n; i++)
    if (a.term[i].coefficient != b.term[i].coefficient || compare_symbols(&a.term[i], &b.term[i]) != 0) return false;
  return true;
}

int64_t form_offset(struct form a) { return a.n && !a.term->n ? a.term->coefficient : 0; }

struct form form_without_offset(struct forms *f, struct form a) {
  int64_t offset = form_offset(a);
  return offset ? form_add(f, a, form_constant(f, offset), -1) : a;
}

uint64_t form_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint64_t form_content(struct form a) {
  uint64_t content = 0;
  for (uint32_t i = 0; i < a.n; i++) {
    int64_t c = a.term[i].coefficient;
    if (a.term[i].n) content = form_divisor(content, c < 0 ? 0 - (uint64_t)c : (uint64_t)c);
  }
  return content;
}

const struct symbol *form_opaque(const struct forms *f, struct form a) {
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < a.term[i].n; k++)
      if (f->symbol[a.term[i].symbol[k]].kind == SYMBOL_OPAQUE) return &f->symbol[a.term[i].symbol[k]];
  return NULL;
}

bool form_names_special(const struct forms *f, struct form a, uint32_t first, uint32_t last) {
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < a.term[i].n; k++) {
      const struct symbol *symbol = &f->symbol[a.term[i].symbol[k]];
      if (symbol->kind == SYMBOL_SPECIAL && symbol->number >= first && symbol->number <= last) return true;
    }
  return false;
}
