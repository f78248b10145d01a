/* SPDX-License-Identifier: Apache-2.0 */
/* Forms: what a register holds, as a polynomial over symbols. A symbol is a kernel parameter, a special register, the
 * iteration of a loop, or an opaque value: one that no polynomial describes.
 *
 * A register of w bits holds the polynomial modulo 2^w. Sums and products commute with that, so only a conversion to
 * more bits asks whether the polynomial itself fits the register: it adds a check, which a launch decides. */
#ifndef TANDEM_PTX_AFFINE_FORM_H
#define TANDEM_PTX_AFFINE_FORM_H

#include "ptx/tables.h"

enum { FORM_DEGREE_MAX = 4, FORM_TERMS_MAX = 48, FORM_CHECKS_MAX = 24 };

enum symbol_kind {
  SYMBOL_PARAMETER, /* number: its offset in bytes, size: 1, 2, 4, 8 */
  SYMBOL_SPECIAL,   /* number: enum ptx_special, %tid.x to %nctaid.z */
  SYMBOL_ITERATION, /* number: of a loop; counts from 0 */
  SYMBOL_OPAQUE     /* number: of a value (ptx/affine_value.h) */
};

struct symbol {
  uint8_t kind;     /* enum symbol_kind */
  uint8_t size;     /* of a parameter: bytes */
  bool is_unsigned; /* of a parameter narrower than its register */
  bool pointer;     /* of a parameter: converted to a global address somewhere */
  uint32_t number;
};

/* coefficient * symbol[0] * ... * symbol[n - 1]; symbols ascend. */
struct term {
  int64_t coefficient;
  uint32_t n;
  uint16_t symbol[FORM_DEGREE_MAX];
};

/* Terms differ in their symbols and ascend by them; no coefficient is 0. Immutable. */
struct form {
  uint32_t n, n_checks;
  const struct term *term;
  const uint16_t *check; /* numbers of checks, ascending */
};

/* `form` must lie in the range of `bits` bits, signed or not. */
struct check {
  struct form form;
  uint8_t bits;
  bool is_signed;
};

/* The symbols and checks of one kernel. */
struct forms {
  struct arena *arena;
  struct symbol *symbol;
  uint32_t n_symbols, symbol_capacity;
  struct check *check;
  uint32_t n_checks, check_capacity;
  bool overflow; /* a form became too large; the caller resets it and takes the value as opaque */
};

struct form form_constant(struct forms *, int64_t value);
struct form form_symbol(struct forms *, struct symbol);
struct form form_add(struct forms *, struct form, struct form, int64_t factor); /* a + factor * b */
struct form form_multiply(struct forms *, struct form, struct form);
/* Coefficients as signed numbers of `bits` bits (8 to 64): the same value modulo 2^bits. */
struct form form_reduce(struct forms *, struct form, uint32_t bits);
/* The value of a register of `bits` bits, 1 to 64, extended by its sign or by zeros; adds a check unless the form is a
 * constant or holds an opaque symbol. */
struct form form_extend(struct forms *, struct form, uint32_t bits, bool is_signed);
/* Adds the check alone. */
struct form form_limit(struct forms *, struct form, uint32_t bits, bool is_signed);

bool form_is_constant(struct form, int64_t *value);
bool form_equal(struct form, struct form); /* of terms; checks do not matter */
/* The constant term, and the form without it. */
int64_t form_offset(struct form);
struct form form_without_offset(struct forms *, struct form);
/* The greatest common divisor of all coefficients but the constant term; 0 if there are none. */
uint64_t form_content(struct form);
uint64_t form_divisor(uint64_t, uint64_t); /* the greatest common one */
/* The first opaque symbol, or NULL. */
const struct symbol *form_opaque(const struct forms *, struct form);
/* Whether the form holds one of the special registers first..last. */
bool form_names_special(const struct forms *, struct form, uint32_t first, uint32_t last);

#endif
