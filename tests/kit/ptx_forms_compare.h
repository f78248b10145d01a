/* SPDX-License-Identifier: Apache-2.0 */
/* setp and set of every type, with and without a third operand, to one destination and two. */
#ifndef TANDEM_TEST_PTX_FORMS_COMPARE_H
#define TANDEM_TEST_PTX_FORMS_COMPARE_H

#include "kit/ptx_conformance.h"

/* Whether two values compare as the form's operator says. Of floats the operators ending in u hold for NaN too. */
static bool holds(const struct form *f, uint64_t a, uint64_t b) {
  char name[8];
  sscanf(strchr(f->opcode, '.') + 1, "%7[a-z]", name);
  quad x, y;
  bool nan = false;
  if (f->format) {
    if (f->ftz) a = flush(f->format, a), b = flush(f->format, b);
    nan = is_nan(f->format, a) || is_nan(f->format, b);
    x = value_of(f->format, a);
    y = value_of(f->format, b);
    if (strcmp(name, "num") == 0) return !nan;
    if (strcmp(name, "nan") == 0) return nan;
    if (nan) return strlen(name) == 3;
  } else {
    x = f->is_signed ? (quad)((__int128)((u128)a << (128 - f->bits)) >> (128 - f->bits)) : (quad)a;
    y = f->is_signed ? (quad)((__int128)((u128)b << (128 - f->bits)) >> (128 - f->bits)) : (quad)b;
  }
  if (strncmp(name, "eq", 2) == 0) return x == y;
  if (strncmp(name, "ne", 2) == 0) return x != y;
  if (strncmp(name, "lt", 2) == 0 || strcmp(name, "lo") == 0) return x < y;
  if (strncmp(name, "le", 2) == 0 || strcmp(name, "ls") == 0) return x <= y;
  if (strncmp(name, "gt", 2) == 0 || strcmp(name, "hi") == 0) return x > y;
  return x >= y;
}
static bool combined(const struct form *f, bool one, uint64_t c) {
  if (form_has(f, "and")) return one && c;
  if (form_has(f, "or")) return one || c;
  if (form_has(f, "xor")) return one != (c != 0);
  return one;
}
/* What set writes where the comparison holds. */
static uint64_t truth(const struct form *f) {
  if (f->first[0] == 'f' || f->first[0] == 'b') return round_to(f->first_format, 1, 'n');
  return f->pair ? 0xffff : UINT64_MAX;
}
static uint64_t c_setp(const struct form *f, const uint64_t *v) { return combined(f, holds(f, v[0], v[1]), v[2]); }
static uint64_t c_setp_not(const struct form *f, const uint64_t *v) { return combined(f, holds(f, v[0], v[1]), !v[2]); }
static uint64_t c_second(const struct form *f, const uint64_t *v) { return combined(f, !holds(f, v[0], v[1]), v[2]); }
static uint64_t c_low(const struct form *f, const uint64_t *v) {
  return combined(f, holds(f, v[0] & 0xffff, v[1] & 0xffff), v[2]);
}
static uint64_t c_high(const struct form *f, const uint64_t *v) {
  return combined(f, holds(f, v[0] >> 16, v[1] >> 16), v[2]);
}
static uint64_t c_set(const struct form *f, const uint64_t *v) {
  if (!f->pair) return c_setp(f, v) ? truth(f) : 0;
  return (c_low(f, v) ? truth(f) : 0) | (c_high(f, v) ? truth(f) << 16 : 0);
}

#define FLOAT_OPERATORS "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"
#define UNSIGNED_OPERATORS "{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}"
#define SIGNED_OPERATORS "{eq,ne,lt,le,gt,ge}"
#define COMBINE "{.and,.or,.xor}"
/* a table */
/* clang-format off */
/* kind of operands: operators, modifiers, types */
#define SCALARS(operators, flush, types) \
  {"setp." operators flush "." types, "ptt", NULL, c_setp, NULL}, \
  {"setp." operators flush "." types, "ptt", "@$ %p8|%d,%a,%b;", c_second, NULL}, \
  {"setp." operators COMBINE flush "." types, "pttp", NULL, c_setp, NULL}, \
  {"setp." operators COMBINE flush "." types, "pttp", "@$ %d,%a,%b,!%c;", c_setp_not, NULL}, \
  {"setp." operators COMBINE flush "." types, "pttp", "@$ %p8|%d,%a,%b,%c;", c_second, NULL}, \
  {"set." operators flush ".{u32,s32,f32,f16,bf16}." types, "ytt", NULL, c_set, NULL}, \
  {"set." operators COMBINE flush ".{u32,s32,f32,f16,bf16}." types, "yttp", NULL, c_set, NULL}
#define PAIRS(flush, type) \
  {"setp." FLOAT_OPERATORS flush "." type, "ptt", "@$ %d|%p8,%a,%b;", c_low, NULL}, \
  {"setp." FLOAT_OPERATORS flush "." type, "ptt", "@$ %p8|%d,%a,%b;", c_high, NULL}, \
  {"setp." FLOAT_OPERATORS COMBINE flush "." type, "pttp", "@$ %d|%p8,%a,%b,%c;", c_low, NULL}, \
  {"setp." FLOAT_OPERATORS COMBINE flush "." type, "pttp", "@$ %p8|%d,%a,%b,%c;", c_high, NULL}, \
  {"set." FLOAT_OPERATORS flush ".{u32,s32," type "}." type, "ytt", NULL, c_set, NULL}, \
  {"set." FLOAT_OPERATORS COMBINE flush ".{u32,s32," type "}." type, "yttp", NULL, c_set, NULL}
static const struct form_row compare_rows[] = {
  SCALARS(UNSIGNED_OPERATORS, "", "{u16,u32,u64}"),
  SCALARS(SIGNED_OPERATORS, "", "{s16,s32,s64}"),
  SCALARS("{eq,ne}", "", "{b16,b32,b64}"),
  SCALARS(FLOAT_OPERATORS, "{,.ftz}", "f32"),
  SCALARS(FLOAT_OPERATORS, "", "f64"),
  SCALARS(FLOAT_OPERATORS, "{,.ftz}", "f16"),
  SCALARS(FLOAT_OPERATORS, "", "bf16"),
  {"set." FLOAT_OPERATORS "{,.ftz}.{u16,s16}.f16", "ytt", NULL, c_set, NULL},
  {"set." FLOAT_OPERATORS COMBINE "{,.ftz}.{u16,s16}.f16", "yttp", NULL, c_set, NULL},
  {"set." FLOAT_OPERATORS ".{u16,s16}.bf16", "ytt", NULL, c_set, NULL},
  {"set." FLOAT_OPERATORS COMBINE ".{u16,s16}.bf16", "yttp", NULL, c_set, NULL},
  PAIRS("{,.ftz}", "f16x2"),
  PAIRS("", "bf16x2"),
};
/* clang-format on */

#endif
