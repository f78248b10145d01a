/* SPDX-License-Identifier: Apache-2.0 */
/* Number formats as IEEE 754 defines them, apart from the simulator's code: values are taken apart and rounded in
 * integers, exact results are formed in quadruple precision, rounded to odd, which a second rounding to any narrower
 * format does not disturb (Boldo, Melquiond, "Emulation of FMA and correctly rounded sums", 2008). */
#ifndef TANDEM_TEST_PTX_REFERENCE_H
#define TANDEM_TEST_PTX_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef __float128 quad;
typedef unsigned __int128 u128;

struct format {
  const char *name;
  int fraction_bits, exponent_bits;
  uint64_t nan; /* the one that results are */
  bool has_infinity;
};
static const struct format formats[] = {{"f32", 23, 8, 0x7fffffff, true}, {"f64", 52, 11, 0x7ff8000000000000, true},
                                        {"f16", 10, 5, 0x7fff, true},     {"bf16", 7, 8, 0x7fff, true},
                                        {"tf32", 10, 8, 0x3ffff, true},   {"e4m3", 3, 4, 0x7f, false},
                                        {"e5m2", 2, 5, 0x7f, true}};

static inline const struct format *format_of(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (strlen(formats[i].name) == length && strncmp(formats[i].name, name, length) == 0) return &formats[i];
  return NULL;
}

static inline int format_bits(const struct format *f) { return 1 + f->fraction_bits + f->exponent_bits; }
static inline uint64_t sign_bit(const struct format *f) { return UINT64_C(1) << (format_bits(f) - 1); }
static inline uint64_t exponent_mask(const struct format *f) {
  return ((UINT64_C(1) << f->exponent_bits) - 1) << f->fraction_bits;
}
static inline uint64_t infinity_of(const struct format *f) { return f->has_infinity ? exponent_mask(f) : f->nan; }
/* e4m3 uses the codes of the largest exponent, but for the last, as numbers. */
static inline uint64_t largest_of(const struct format *f) { return f->has_infinity ? infinity_of(f) - 1 : f->nan - 1; }
static inline bool is_nan(const struct format *f, uint64_t bits) {
  uint64_t size = bits & (sign_bit(f) - 1);
  return f->has_infinity ? size > infinity_of(f) : size == f->nan;
}
static inline bool is_infinite(const struct format *f, uint64_t bits) {
  return f->has_infinity && (bits & (sign_bit(f) - 1)) == infinity_of(f);
}
static inline bool is_subnormal(const struct format *f, uint64_t bits) {
  return (bits & exponent_mask(f)) == 0 && (bits & (sign_bit(f) - 1)) != 0;
}
static inline uint64_t flush(const struct format *f, uint64_t bits) {
  return is_subnormal(f, bits) ? bits & sign_bit(f) : bits;
}

static inline quad power_of_two(int e) { /* -16382 .. 16383 */
  u128 bits = (u128)(unsigned)(e + 16383) << 112;
  quad v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
static inline u128 quad_bits(quad v) {
  u128 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}
static inline quad quad_of_bits(u128 bits) {
  quad v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static inline quad value_of(const struct format *f, uint64_t bits) {
  int bias = (1 << (f->exponent_bits - 1)) - 1;
  uint64_t fraction = bits & ((UINT64_C(1) << f->fraction_bits) - 1);
  int exponent = (int)((bits & exponent_mask(f)) >> f->fraction_bits);
  quad v = is_nan(f, bits)        ? (quad)__builtin_nanf("")
           : is_infinite(f, bits) ? (quad)__builtin_inff()
           : exponent
             ? (quad)(fraction | UINT64_C(1) << f->fraction_bits) * power_of_two(exponent - bias - f->fraction_bits)
             : (quad)fraction * power_of_two(1 - bias - f->fraction_bits);
  return bits & sign_bit(f) ? -v : v;
}

/* mode: n nearest even, a nearest with ties away, z, m down, p up */
static inline uint64_t round_to(const struct format *f, quad v, char mode) {
  u128 bits = quad_bits(v);
  bool negative = bits >> 127;
  uint64_t sign = negative ? sign_bit(f) : 0;
  int e = (int)(bits >> 112 & 0x7fff) - 16383, bias = (1 << (f->exponent_bits - 1)) - 1;
  if (v != v) return f->nan;
  if (e == 16384) return sign | infinity_of(f);
  if (v == 0) return sign;
  u128 m = (bits & (((u128)1 << 112) - 1)) | (u128)1 << 112; /* no result here is a subnormal quad */
  int least = 1 - bias, drop = (e < least ? least - e : 0) + 112 - f->fraction_bits;
  if (drop > 120) drop = 120;
  u128 kept = m >> drop, rest = m & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1);
  bool up = mode == 'n'   ? rest > half || (rest == half && (kept & 1))
            : mode == 'a' ? rest >= half
            : mode == 'm' ? negative && rest
            : mode == 'p' ? !negative && rest
                          : false;
  kept += up;
  uint64_t code = (uint64_t)kept;
  if (e >= least) code += (uint64_t)(e - least) << f->fraction_bits;
  if (code <= largest_of(f)) return sign | code;
  bool inwards = mode == 'z' || (mode == 'm' && !negative) || (mode == 'p' && negative);
  return sign | (inwards ? largest_of(f) : infinity_of(f));
}

/* ---- exact results, rounded to odd ---- */

/* v is off by an error of this sign: the last bit is made odd, away from what is not representable. */
static inline quad to_odd(quad v, int error) {
  u128 bits = quad_bits(v);
  if (error == 0 || bits & 1) return v;
  bool outwards = (error > 0) == (v > 0);
  return quad_of_bits(outwards ? bits + 1 : bits - 1);
}
static inline int sign_of(quad v) { return (v > 0) - (v < 0); }
static inline bool is_finite(quad v) { return v - v == 0; }

static inline quad odd_sum(quad a, quad b) {
  quad s = a + b;
  if (!is_finite(s)) return s;
  quad part = s - a;
  return to_odd(s, sign_of((a - (s - part)) + (b - part)));
}

/* The mantissa as an integer of 113 bits, and its exponent. */
static inline u128 mantissa(quad v, int *exponent) {
  u128 bits = quad_bits(v);
  *exponent = (int)(bits >> 112 & 0x7fff) - 16383 - 112;
  return (bits & (((u128)1 << 112) - 1)) | (u128)1 << 112;
}
static inline quad scaled(u128 m, int exponent, bool sticky) { /* m below 2^113 */
  return (quad)(m | sticky) * power_of_two(exponent);
}

/* Of numbers with at most 53 significant bits. */
static inline quad odd_quotient(quad a, quad b) {
  quad q = a / b;
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return q;
  int ea, eb;
  u128 ma = mantissa(a, &ea) << 14, mb = mantissa(b, &eb) >> 60; /* 127 bits by 53 */
  u128 n = ma / mb;
  bool sticky = ma % mb != 0;
  quad size = scaled(n << 1, ea - 14 - (eb + 60) - 1, sticky);
  return quad_bits(q) >> 127 ? -size : size;
}

static inline quad odd_root(quad a) {
  if (!(a > 0) || !is_finite(a)) return a == 0 || a > 0 ? a : (quad)__builtin_nanf("");
  int e;
  u128 m = mantissa(a, &e);
  int shift = e & 1 ? 13 : 14; /* to 126 or 127 bits with an even exponent */
  m <<= shift;
  e -= shift;
  u128 root = 0, bit = (u128)1 << 126, rest = m;
  for (; bit; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return scaled(root << 1, e / 2 - 1, rest != 0);
}

#endif
