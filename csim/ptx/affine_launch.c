/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine_launch.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

typedef __int128 wide;
static const wide number_max = (wide)1 << 60; /* of an address: sums of a few do not overflow */

enum { NO_LOOP = UINT32_MAX };

/* `own`: the block of a loop that is being counted, whose iteration has a factor but no end yet; or NO_LOOP. */
static bool evaluate(struct launch_forms *, struct form, uint32_t own, struct linear *, enum affine_refusal *);
static bool number_linear(struct launch_forms *, struct form, struct linear *, bool *wraps, enum affine_refusal *);

/* ---- symbols ---- */

static int64_t parameter_value(const struct launch_forms *l, const struct symbol *a) {
  uint64_t value = 0;
  memcpy(&value, l->launch->params + a->number, a->size);
  uint32_t shift = 64 - a->size * 8u;
  return a->is_unsigned ? (int64_t)value : (int64_t)(value << shift) >> shift;
}

/* ---- loops ---- */

/* The least and the largest value. */
static void range(const struct linear *x, wide *least, wide *largest) {
  *least = *largest = x->constant;
  for (uint32_t i = 0; i < x->n; i++) {
    wide end = (wide)x->factor[i] * (wide)x->most[i];
    if (end < 0) *least += end;
    else *largest += end;
  }
}

/* How often `left`, which grows by `step` an iteration, lets the loop go on, at most. */
static bool most_rounds(const struct walk_loop *loop, const struct linear *left, int64_t step, uint64_t *rounds) {
  wide least, largest;
  range(left, &least, &largest);
  if (loop->ends_at_zero) {
    if (least != largest) return false;
    if (least == 0) *rounds = 0;
    else if (!step || least % step || least / step > 0) return false;
    else *rounds = (uint64_t)(-least / step);
    return true;
  }
  *rounds = 0;
  if (least >= 0) return true;
  if (step <= 0) return false;
  *rounds = (uint64_t)((-least + step - 1) / step);
  return true;
}

static bool count_loop(struct launch_forms *l, uint32_t block, uint64_t *most) {
  const struct walk *w = &l->parts->walk;
  uint32_t i = 0;
  while (i < w->n_loops && w->loop[i].block != block) i++;
  if (i == w->n_loops || w->loop[i].state != LOOP_COUNTED || l->state[i] == 1) return false;
  if (l->state[i] == 0) {
    struct linear left;
    enum affine_refusal why;
    int64_t step = 0;
    l->state[i] = 1;
    bool known = evaluate(l, w->loop[i].left, block, &left, &why);
    for (uint32_t k = LINEAR_LOOP; known && k < left.n; k++)
      if (left.loop[k - LINEAR_LOOP] == block) {
        step = left.factor[k];
        left.factor[k] = 0;
      }
    known = known && most_rounds(&w->loop[i], &left, step, &l->most[i]) && l->most[i] < (UINT64_C(1) << 40);
    l->state[i] = known ? 2 : 3;
    bool wraps;
    if (known && (!number_linear(l, w->loop[i].left, &left, &wraps, &why) || wraps)) l->state[i] = 3;
  }
  *most = l->most[i];
  return l->state[i] == 2;
}

/* The place of the iteration of a loop in a linear form. */
static bool loop_place(struct launch_forms *l, struct linear *x, uint32_t block, uint32_t own, uint32_t *place) {
  for (*place = LINEAR_LOOP; *place < x->n; ++*place)
    if (x->loop[*place - LINEAR_LOOP] == block) return true;
  if (x->n == LINEAR_OWN) return false;
  x->loop[x->n - LINEAR_LOOP] = block;
  x->factor[x->n] = 0;
  x->most[x->n] = 1;
  if (block != own && !count_loop(l, block, &x->most[x->n])) return false;
  x->n++;
  return true;
}

/* ---- forms ---- */

/* Whether the launch alone gives the symbol. */
static bool number_of(const struct launch_forms *l, const struct symbol *a, wide *value) {
  bool block = a->kind == SYMBOL_SPECIAL && a->number >= SPECIAL_NTID_X && a->number <= SPECIAL_NTID_Z;
  bool grid = a->kind == SYMBOL_SPECIAL && a->number >= SPECIAL_NCTAID_X && a->number <= SPECIAL_NCTAID_Z;
  if (a->kind == SYMBOL_PARAMETER) *value = parameter_value(l, a);
  else if (block) *value = l->launch->block[a->number - SPECIAL_NTID_X];
  else if (grid) *value = l->launch->grid[a->number - SPECIAL_NCTAID_X];
  else return false;
  return true;
}

static bool place_of(struct launch_forms *l, struct linear *x, const struct symbol *a, uint32_t own, uint32_t *place) {
  if (a->kind == SYMBOL_ITERATION) return loop_place(l, x, a->number, own, place);
  if (a->kind != SYMBOL_SPECIAL) return false;
  bool cta = a->number >= SPECIAL_CTAID_X;
  *place = cta ? LINEAR_CTA + a->number - SPECIAL_CTAID_X : LINEAR_THREAD + a->number - SPECIAL_TID_X;
  return true;
}

static bool add_term(struct launch_forms *l, const struct term *t, uint32_t own, struct linear *x,
                     enum affine_refusal *why) {
  wide c = t->coefficient, value;
  uint32_t place = UINT32_MAX, factors = 0;
  bool zero = false; /* a factor that is always 0 */
  for (uint32_t i = 0; i < t->n; i++) {
    const struct symbol *a = &l->parts->walk.forms.symbol[t->symbol[i]];
    *why = AFFINE_LARGE;
    if (number_of(l, a, &value)) {
      if (__builtin_mul_overflow(c, value, &c)) return false;
      continue;
    }
    *why = AFFINE_COUNT;
    if (!place_of(l, x, a, own, &place)) return false;
    zero |= !x->most[place];
    factors++;
  }
  *why = AFFINE_DEGREE;
  if (zero) return true;
  if (factors > 1) return false;
  int64_t *to = factors ? &x->factor[place] : &x->constant;
  wide sum = (wide)*to + c;
  *why = AFFINE_LARGE;
  *to = (int64_t)sum;
  return sum >= INT64_MIN && sum <= INT64_MAX;
}

static bool evaluate(struct launch_forms *l, struct form f, uint32_t own, struct linear *x, enum affine_refusal *why) {
  *x = (struct linear){.n = LINEAR_LOOP};
  for (uint32_t i = 0; i < 3; i++) {
    x->most[LINEAR_THREAD + i] = l->launch->block[i] - 1;
    x->most[LINEAR_CTA + i] = l->launch->grid[i] - 1;
  }
  for (uint32_t i = 0; i < f.n; i++)
    if (!add_term(l, &f.term[i], own, x, why)) return false;
  return true;
}

static bool holds(struct launch_forms *l, const struct check *c, enum affine_refusal *why) {
  struct linear x;
  wide least, largest, limit = (wide)1 << (c->bits - c->is_signed);
  if (!evaluate(l, c->form, NO_LOOP, &x, why)) return false;
  range(&x, &least, &largest);
  *why = AFFINE_WRAPS;
  return least >= (c->is_signed ? -limit : 0) && largest < limit;
}

/* *wraps: a check on 32 bits or more does not hold. */
static bool checked(struct launch_forms *l, struct form f, bool *wraps, enum affine_refusal *why) {
  *wraps = false;
  for (uint32_t i = 0; i < f.n_checks; i++) {
    const struct check *c = &l->parts->walk.forms.check[f.check[i]];
    if (holds(l, c, why)) continue;
    if (*why != AFFINE_WRAPS || c->bits < 32) return false;
    *wraps = true;
  }
  return true;
}

static bool number_linear(struct launch_forms *l, struct form f, struct linear *x, bool *wraps,
                          enum affine_refusal *why) {
  if (!evaluate(l, f, NO_LOOP, x, why) || !checked(l, f, wraps, why)) return false;
  wide least, largest;
  range(x, &least, &largest);
  *why = AFFINE_LARGE;
  return least > -number_max && largest < number_max;
}

/* An address that is a multiple of 4 GiB away from where the form says lies outside of a memory of less than 4 GiB, if
 * the form's own range leaves it by less than the rest. */
bool launch_address(struct launch_forms *l, struct form f, struct linear *x, enum affine_refusal *why) {
  wide least, largest, room = ((wide)1 << 32) - l->launch->memory_bytes;
  bool wraps;
  if (!number_linear(l, f, x, &wraps, why)) return false;
  range(x, &least, &largest);
  *why = AFFINE_WRAPS;
  return !wraps || (l->launch->memory_bytes && least > -room && largest < room);
}

bool launch_forms_begin(struct launch_forms *l, const struct affine_parts *p, const struct affine_launch *launch) {
  uint32_t n = p->walk.n_loops + 1;
  *l = (struct launch_forms){.parts = p, .launch = launch, .state = calloc(n, 1), .most = calloc(n, sizeof *l->most)};
  return l->state && l->most;
}

void launch_forms_end(struct launch_forms *l) {
  free(l->state);
  free(l->most);
}
