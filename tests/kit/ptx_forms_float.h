/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of f32, f64, f16, bf16 and pairs of halves: IEEE 754 with what the PTX ISA adds (.ftz, .sat, .relu, NaN). */
#ifndef TANDEM_TEST_PTX_FORMS_FLOAT_H
#define TANDEM_TEST_PTX_FORMS_FLOAT_H

#include "kit/ptx_conformance.h"

#include <math.h>

static bool opcode_is(const struct form *f, const char *mnemonic) {
  size_t n = strlen(mnemonic);
  return strncmp(f->opcode, mnemonic, n) == 0 && f->opcode[n] == '.';
}

/* A zero sum of opposite terms is -0 only when rounding down. */
static quad signed_sum(quad a, quad b, char mode) {
  quad s = odd_sum(a, b);
  bool both_negative = quad_bits(a) >> 127 && quad_bits(b) >> 127;
  if (s == 0 && a == -b && !both_negative)
    return mode == 'm' && quad_bits(a) >> 127 != quad_bits(b) >> 127 ? -(quad)0 : s;
  return s;
}

static quad exact_result(const struct form *f, quad a, quad b, quad c) {
  if (opcode_is(f, "add")) return signed_sum(a, b, f->mode);
  if (opcode_is(f, "sub")) return signed_sum(a, -b, f->mode);
  if (opcode_is(f, "mul")) return a * b;
  if (opcode_is(f, "fma") || opcode_is(f, "mad")) return signed_sum(a * b, c, f->mode);
  if (opcode_is(f, "div")) return odd_quotient(a, b);
  if (opcode_is(f, "rcp")) return odd_quotient(1, a);
  return odd_root(a);
}

static uint64_t finished(const struct form *f, const struct format *format, uint64_t bits) {
  const uint64_t one = round_to(format, 1, 'n');
  if (f->ftz) bits = flush(format, bits);
  if (f->sat && (is_nan(format, bits) || bits & sign_bit(format))) return 0;
  if (f->sat && bits > one) return one;
  if (f->relu && bits & sign_bit(format)) return 0;
  return bits;
}

static uint64_t rounded_once(const struct form *f, const struct format *format, const uint64_t *v) {
  quad x[3];
  for (int i = 0; i < 3; i++) x[i] = value_of(format, f->ftz ? flush(format, v[i]) : v[i]);
  return finished(f, format, round_to(format, exact_result(f, x[0], x[1], x[2]), f->mode));
}

/* min, max{.NaN}{.xorsign.abs} */
static uint64_t chosen(const struct form *f, const struct format *format, const uint64_t *v) {
  uint64_t a = f->ftz ? flush(format, v[0]) : v[0], b = f->ftz ? flush(format, v[1]) : v[1], sign = sign_bit(format);
  bool nan_a = is_nan(format, a), nan_b = is_nan(format, b), magnitudes = form_has(f, "xorsign");
  uint64_t flip = (a ^ b) & sign, r;
  if ((nan_a && nan_b) || (form_has(f, "NaN") && (nan_a || nan_b))) return format->nan;
  if (magnitudes) a &= ~sign, b &= ~sign;
  quad x = value_of(format, a), y = value_of(format, b);
  bool less = x < y || (x == y && a & sign); /* -0 below +0 */
  if (nan_a) r = b;
  else if (nan_b) r = a;
  else r = less == opcode_is(f, "min") ? a : b;
  return magnitudes ? r | flip : r;
}

/* neg, abs: bits; with .ftz a NaN becomes the canonical one (assumption: the ISA leaves it open) */
static uint64_t sign_changed(const struct form *f, const struct format *format, const uint64_t *v) {
  uint64_t a = f->ftz ? flush(format, v[0]) : v[0];
  if (f->ftz && is_nan(format, a) && format_bits(format) > 16) return format->nan;
  return opcode_is(f, "neg") ? a ^ sign_bit(format) : a & ~sign_bit(format);
}

/* One value, or two halves. */
typedef uint64_t single_fn(const struct form *, const struct format *, const uint64_t *);
static uint64_t each_half(const struct form *f, const uint64_t *v, single_fn *one) {
  if (!f->pair) return one(f, f->format, v);
  const uint64_t low[3] = {v[0] & 0xffff, v[1] & 0xffff, v[2] & 0xffff}, high[3] = {v[0] >> 16, v[1] >> 16, v[2] >> 16};
  return one(f, f->format, low) | one(f, f->format, high) << 16;
}
static uint64_t f_arithmetic(const struct form *f, const uint64_t *v) { return each_half(f, v, rounded_once); }
static uint64_t f_choice(const struct form *f, const uint64_t *v) { return each_half(f, v, chosen); }
static uint64_t f_sign(const struct form *f, const uint64_t *v) { return each_half(f, v, sign_changed); }
static uint64_t f_copysign(const struct form *f, const uint64_t *v) {
  return (v[0] & sign_bit(f->format)) | (v[1] & (sign_bit(f->format) - 1));
}
static uint64_t f_test(const struct form *f, const uint64_t *v) {
  const struct format *t = f->format;
  bool special = (v[0] & exponent_mask(t)) == exponent_mask(t), nan = is_nan(t, v[0]);
  if (form_has(f, "finite")) return !special;
  if (form_has(f, "infinite")) return special && !nan;
  if (form_has(f, "number")) return !nan;
  if (form_has(f, "notanumber")) return nan;
  if (form_has(f, "subnormal")) return is_subnormal(t, v[0]);
  return !special && (v[0] & exponent_mask(t)) != 0;
}

/* ---- approximate functions: the bounds are those of the PTX ISA ---- */

static long double long_of(const struct format *f, uint64_t bits) { return (long double)value_of(f, bits); }

/* Whether `result` is within the bound of the exact value; a relative one grows to the last place below the normal
 * numbers, and .ftz may make 0 of what is below them. */
static bool close_to(const struct form *f, uint64_t result, long double exact, long double relative,
                     long double fixed) {
  const struct format *t = f->format;
  const long double least = long_of(t, 1), normal = long_of(t, UINT64_C(1) << t->fraction_bits);
  if (isnan(exact)) return result == t->nan;
  if (is_nan(t, result)) return false;
  long double r = long_of(t, result), allowed = fabsl(exact) * relative + fixed + least;
  if (isinf(exact)) return r == exact;
  if (exact == 0) return fixed > 0 ? fabsl(r) <= fixed : r == 0 && signbit(r) == signbit(exact);
  if (isinf(r)) return fabsl(exact) * (1 + relative) >= long_of(t, largest_of(t)) && signbit(r) == signbit(exact);
  if (f->ftz && is_subnormal(t, result)) return false;
  if (f->ftz && fabsl(exact) < normal * (1 + relative) && r == 0) return true;
  return fabsl(r - exact) <= allowed;
}

static bool a_single(const struct form *f, uint64_t a, uint64_t result) {
  const struct format *t = f->format;
  long double x = long_of(t, f->ftz ? flush(t, a) : a);
  bool half = t->fraction_bits < 23, bfloat = t->fraction_bits == 7;
  if (opcode_is(f, "rcp")) return close_to(f, result, 1 / x, 0x1p-23L, 0);
  if (opcode_is(f, "sqrt")) return close_to(f, result, sqrtl(x), 0x1p-23L, 0);
  if (opcode_is(f, "rsqrt")) return close_to(f, result, 1 / sqrtl(x), exp2l(-22.9L), 0);
  if (opcode_is(f, "ex2")) return close_to(f, result, exp2l(x), half ? bfloat ? 0x1p-7L : exp2l(-9.9L) : 0x1p-22L, 0);
  if (opcode_is(f, "lg2")) {
    bool middle = x > 0.5L && x < 2;
    return close_to(f, result, log2l(x), middle ? 0 : 0x1p-22L, middle ? 0x1p-22L : 0);
  }
  if (opcode_is(f, "tanh")) {
    if (half) return close_to(f, result, tanhl(x), 0, bfloat ? 0x1p-8L : exp2l(-10.987L));
    return close_to(f, result, tanhl(x), 0x1p-11L, 0);
  }
  if (isfinite(x) && fabsl(x) > 3.14159265358979323846L) return fabsl(long_of(t, result)) <= 1; /* no bound is given */
  if (x == 0) return opcode_is(f, "sin") ? result == (f->ftz ? flush(t, a) : a) : result == 0x3f800000;
  return close_to(f, result, opcode_is(f, "sin") ? sinl(x) : cosl(x), 0, exp2l(-20.5L));
}
static bool a_approximate(const struct form *f, const uint64_t *v, uint64_t result) {
  if (!f->pair) return a_single(f, v[0], result);
  return a_single(f, v[0] & 0xffff, result & 0xffff) && a_single(f, v[0] >> 16, result >> 16);
}
/* 2 units in the last place; a divisor beyond 2^126 gives 0, or NaN of an infinite dividend, of div.approx */
static bool a_quotient(const struct form *f, const uint64_t *v, uint64_t result) {
  long double x = long_of(f->format, f->ftz ? flush(f->format, v[0]) : v[0]);
  long double y = long_of(f->format, f->ftz ? flush(f->format, v[1]) : v[1]);
  if (form_has(f, "approx") && isfinite(y) && fabsl(y) > 0x1p126L)
    return isnan(x) || isinf(x) ? result == f->format->nan : (result & 0x7fffffff) == 0;
  return close_to(f, result, x / y, 0x1p-22L, 0);
}
/* f64: the upper 32 bits count; rcp, and rsqrt.ftz, look at no more. */
static bool a_upper(const struct form *f, const uint64_t *v, uint64_t result) {
  bool rcp = opcode_is(f, "rcp");
  uint64_t a = rcp || f->ftz ? flush(f->format, v[0] & 0xffffffff00000000) : v[0];
  if (is_nan(f->format, v[0]) && !is_nan(f->format, a)) return true; /* the payload lies in what is not looked at */
  long double x = long_of(f->format, a), exact = rcp ? 1 / x : 1 / sqrtl(x);
  if (rcp && fabsl(exact) < 0x1p-1022L) return (result & INT64_MAX) == 0;
  return (result & 0xffffffff) == 0 && close_to(f, result, exact, 0x1p-20L, 0);
}

#define ROUNDS "{,.rn,.rz,.rm,.rp}"
/* a table */
/* clang-format off */
static const struct form_row float_rows[] = {
  {"{add,sub,mul}" ROUNDS "{,.ftz}{,.sat}.f32", "ttt", NULL, f_arithmetic, NULL},
  {"{add,sub,mul,div}" ROUNDS ".f64", "ttt", NULL, f_arithmetic, NULL},
  {"{fma,mad}" ROUNDS "{,.ftz}{,.sat}.f32", "tttt", NULL, f_arithmetic, NULL},
  {"{fma,mad}" ROUNDS ".f64", "tttt", NULL, f_arithmetic, NULL},
  {"div" ROUNDS "{,.ftz}.f32", "ttt", NULL, f_arithmetic, NULL},
  {"{rcp,sqrt}" ROUNDS "{,.ftz}.f32", "tt", NULL, f_arithmetic, NULL},
  {"{rcp,sqrt}" ROUNDS ".f64", "tt", NULL, f_arithmetic, NULL},
  {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.{f32,f16,f16x2}", "ttt", NULL, f_choice, NULL},
  {"{min,max}{,.NaN}{,.xorsign.abs}.{bf16,bf16x2}", "ttt", NULL, f_choice, NULL},
  {"{min,max}.f64", "ttt", NULL, f_choice, NULL},
  {"{abs,neg}{,.ftz}.{f32,f16,f16x2}", "tt", NULL, f_sign, NULL},
  {"{abs,neg}.{f64,bf16,bf16x2}", "tt", NULL, f_sign, NULL},
  {"copysign.{f32,f64}", "ttt", NULL, f_copysign, NULL},
  {"testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", "pt", NULL, f_test, NULL},
  {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.{f16,f16x2}", "ttt", NULL, f_arithmetic, NULL},
  {"{add,sub,mul}{,.rn}.{bf16,bf16x2}", "ttt", NULL, f_arithmetic, NULL},
  {"fma{,.rn}{,.ftz}{,.sat}.{f16,f16x2}", "tttt", NULL, f_arithmetic, NULL},
  {"fma{,.rn}{,.ftz}.relu.{f16,f16x2}", "tttt", NULL, f_arithmetic, NULL},
  {"fma{,.rn}{,.relu}.{bf16,bf16x2}", "tttt", NULL, f_arithmetic, NULL},
  {"{rcp,sqrt,rsqrt,ex2,lg2,sin,cos}.approx{,.ftz}.f32", "tt", NULL, NULL, a_approximate},
  {"tanh.approx.{f32,f16,f16x2,bf16,bf16x2}", "tt", NULL, NULL, a_approximate},
  {"ex2.approx.{f16,f16x2,ftz.bf16,ftz.bf16x2}", "tt", NULL, NULL, a_approximate},
  {"div.{approx,full}{,.ftz}.f32", "ttt", NULL, NULL, a_quotient},
  {"{rcp,rsqrt}.approx{,.ftz}.f64", "tt", NULL, NULL, a_upper},
};
/* clang-format on */

#endif
