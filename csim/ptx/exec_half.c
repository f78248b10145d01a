/* SPDX-License-Identifier: Apache-2.0 */
/* Half precision: the careful conversions, and arithmetic of f16, bf16 and pairs of them, rounded as if once. */
#include "ptx/approximate.h"

const struct ptx_format ptx_formats[] = {[FORMAT_F16] = {10, 15, 0x7bff, 0x7c00, 0x7fff, 0x8000},
                                         [FORMAT_BF16] = {7, 127, 0x7f7f, 0x7f80, 0x7fff, 0x8000},
                                         [FORMAT_TF32] = {10, 127, 0x3fbff, 0x3fc00, 0x3ffff, 0x40000},
                                         [FORMAT_E4M3] = {3, 7, 0x7e, 0x7f, 0x7f, 0x80}, /* has no infinity */
                                         [FORMAT_E5M2] = {2, 15, 0x7b, 0x7c, 0x7f, 0x80}};

double ptx_double_of(const struct ptx_format *f, uint32_t bits) {
  uint32_t code = bits & (f->sign - 1), fraction = code & ((1u << f->fraction_bits) - 1);
  int32_t exponent = (int32_t)(code >> f->fraction_bits);
  uint64_t sign = bits & f->sign ? UINT64_C(1) << 63 : 0;
  if (code > f->most) {
    bool infinite = code == f->infinity && f->infinity != f->nan;
    return float64(infinite ? sign | UINT64_C(0x7ff) << 52 : UINT64_C(0x7ff8) << 48);
  }
  double unit = float64((uint64_t)(1023 + (exponent ? exponent : 1) - f->bias - f->fraction_bits) << 52);
  return float64(bits64((double)(exponent ? fraction | 1u << f->fraction_bits : fraction) * unit) | sign);
}

static bool rounds_up(uint64_t kept, uint64_t rest, uint64_t half, bool negative, enum ptx_rounding r) {
  switch (r) {
    case ROUND_RZ: return false;
    case ROUND_RM: return negative && rest;
    case ROUND_RP: return !negative && rest;
    case ROUND_RNA: return rest >= half;
    default: return rest > half || (rest == half && (kept & 1));
  }
}

uint32_t ptx_round_to(const struct ptx_format *f, double value, enum ptx_rounding r) {
  uint64_t bits = bits64(value), m = bits & UINT64_C(0x000fffffffffffff);
  bool negative = bits >> 63;
  uint32_t sign = negative ? f->sign : 0;
  int32_t e = (int32_t)(bits >> 52 & 0x7ff) - 1023, least = 1 - f->bias;
  if (value != value) return f->nan;
  if (e == 1024) return sign | f->infinity;
  if (e == -1023) e = -1022;
  else m |= UINT64_C(1) << 52;
  int32_t quantum = (e < least ? least : e) - f->fraction_bits, shift = quantum - (e - 52);
  if (shift > 63) shift = 63;
  uint64_t kept = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1);
  if (rounds_up(kept, rest, UINT64_C(1) << (shift - 1), negative, r)) kept++;
  /* the carry of the fraction moves on to the exponent; that of a subnormal number is 0 */
  int32_t exponent = kept >> f->fraction_bits ? quantum + f->fraction_bits + f->bias - 1 : 0;
  uint64_t code = ((uint64_t)(uint32_t)exponent << f->fraction_bits) + kept;
  bool towards_zero = r == ROUND_RZ || (r == ROUND_RM && !negative) || (r == ROUND_RP && negative);
  if (code > f->most) return sign | (towards_zero ? f->most : f->infinity);
  return sign | (uint32_t)code;
}

double ptx_half_to_double(uint32_t bits, bool bfloat) {
  return ptx_double_of(&ptx_formats[bfloat ? FORMAT_BF16 : FORMAT_F16], bits & 0xffff);
}
uint32_t ptx_double_to_half(double value, enum ptx_rounding r, bool bfloat) {
  return ptx_round_to(&ptx_formats[bfloat ? FORMAT_BF16 : FORMAT_F16], value, r);
}

/* ---- arithmetic ---- */

/* .NaN: a NaN wins. .xorsign.abs: of the magnitudes, with the exclusive or of the signs. */
INLINE float or_nan(float x, float y, float v) { return pick((x == x) & (y == y), v, float32(0x7fffffffu)); }
INLINE float magnitude(float v) { return float32(bits32(v) & 0x7fffffffu); }
INLINE uint32_t xor_sign(uint32_t x, uint32_t y, uint32_t half) {
  return half == 0x7fff ? half : half | ((x ^ y) & 0x8000);
}
INLINE float least_magnitude(float x, float y) { return min32(magnitude(x), magnitude(y)); }
INLINE float most_magnitude(float x, float y) { return max32(magnitude(x), magnitude(y)); }

/* Subnormals to zero of their sign. */
INLINE uint32_t flush_f16(uint32_t h, uint32_t ftz) { return ftz && (h & 0x7c00) == 0 ? h & 0x8000 : h; }
INLINE uint32_t flush_bf16(uint32_t h, uint32_t ftz) { return ftz && (h & 0x7f80) == 0 ? h & 0x8000 : h; }
INLINE float from_f16(uint32_t h, uint32_t ftz) { return float32(f32_of_f16(flush_f16(h, ftz))); }
INLINE float from_bf16(uint32_t h, uint32_t ftz) { return float32(flush_bf16(h, ftz) << 16); }
INLINE uint32_t saturated(float v, uint32_t sat) {
  float clamped = pick(v > 0.0f, pick(v < 1.0f, v, 1.0f), 0.0f);
  return (bits32(clamped) & sat) | (bits32(v) & ~sat);
}
/* A float sum or product of halves is exact, or has bits enough below the half's last (24 >= 2 * 11 + 2). */
INLINE uint32_t to_f16(float v, uint32_t ftz, uint32_t sat) { return flush_f16(f16_of_f32(saturated(v, sat)), ftz); }
INLINE uint32_t to_bf16(float v, uint32_t ftz, uint32_t sat) { return flush_bf16(bf16_of_f32(saturated(v, sat)), ftz); }
/* .relu: what is negative becomes +0 */
INLINE uint32_t relu(uint32_t half) { return half & 0x8000 ? 0 : half; }

/* A fused product has not: it is summed in double and cut to 24 bits, the last one set when bits were lost. */
INLINE float cut(uint64_t sum) {
  const uint64_t low = (UINT64_C(1) << 29) - 1;
  return (float)float64((sum & ~low) | (sum & low ? low + 1 : 0));
}
INLINE float fused_f16(float x, float y, float z) { return cut(bits64((double)x * (double)y + (double)z)); }
/* bf16's exponents lie so far apart that even the double sum rounds: it is rounded to odd (the error of a sum is exact:
 * Knuth, TAOCP 2, 4.2.2). Below float's normal numbers a large constant rounds to the last place of bf16, 2^-133. */
INLINE float fused_bf16(float x, float y, float z) {
  double p = (double)x * (double)y, c = (double)z, s = p + c, part = s - p, error = (p - (s - part)) + (c - part);
  uint64_t bits = bits64(s), inexact = 0u - (uint64_t)((error > 0.0) | (error < 0.0));
  uint64_t outwards = 0u - (uint64_t)((error > 0.0) == (s > 0.0));
  uint64_t even = inexact & ((bits & 1) - 1);
  s = float64(bits + (even & ((outwards & 1) - (~outwards & 1))));
  double tiny = __builtin_copysign((s + 0x1.8p-81) - 0x1.8p-81, s);
  bool small = (s < 0x1p-126) & (s > -0x1p-126);
  return pick(small, (float)tiny, cut(bits64(s)));
}

/* a table */
/* clang-format off */
/* One lane holds one half, or two. */
#define HALF_BODY(fn, attribute, id, halves)                                                     \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {         \
    const uint32_t ftz = flag_mask(op->arithmetic.ftz), sat = flag_mask(op->arithmetic.sat); \
    const lane32 *a = ptx_src(op, w, 0), *b = op->n_src > 1 ? ptx_src(op, w, 1) : a,             \
                 *c = op->n_src > 2 ? ptx_src(op, w, 2) : a;                                     \
    uint32_t scratch[WARP_LANES] __attribute__((aligned(64)));                                   \
    EACH_LANE {                                                                                  \
      scratch[l] = id(a[l] & 0xffff, b[l] & 0xffff, c[l] & 0xffff, ftz, sat);                    \
      if ((halves) == 2) scratch[l] |= id(a[l] >> 16, b[l] >> 16, c[l] >> 16, ftz, sat) << 16;   \
    }                                                                                            \
    ptx_blend32(ptx_dst(op, w, 0), scratch, mask);                                               \
  }
#define HALF(id, format, expr)                                                                   \
  INLINE uint32_t id(uint32_t hx, uint32_t hy, uint32_t hz, uint32_t ftz, uint32_t sat) { \
    const float x = from_##format(hx, ftz), y = from_##format(hy, ftz), z = from_##format(hz, ftz); \
    (void)x, (void)y, (void)z, (void)sat;                                                        \
    return expr;                                                                                 \
  }                                                                                              \
  HALF_BODY(id##_base, , id, 1)                                                                  \
  HALF_BODY(id##_wide, WIDE, id, 1)                                                              \
  HALF_BODY(id##_twice_base, , id, 2)                                                            \
  HALF_BODY(id##_twice_wide, WIDE, id, 2)
#define TO(format, v) to_##format(v, ftz, sat)

/* f16 has .ftz and .sat, bf16 has not; ex2 of bf16 always flushes */
#define HALF_LIST(X, F, f) \
  X(f##_add, F, f, "add", "~", "ttt", TO(f, x + y)) \
  X(f##_sub, F, f, "sub", "~", "ttt", TO(f, x - y)) \
  X(f##_mul, F, f, "mul", "~", "ttt", TO(f, x * y)) \
  X(f##_fma, F, f, "fma", "~", "tttt", TO(f, fused_##f(x, y, z))) \
  X(f##_fma_relu, F, f, "fma.relu", "^", "tttt", relu(TO(f, fused_##f(x, y, z)))) \
  X(f##_min, F, f, "min", "^", "ttt", TO(f, min32(x, y))) \
  X(f##_max, F, f, "max", "^", "ttt", TO(f, max32(x, y))) \
  X(f##_min_nan, F, f, "min.NaN", "^", "ttt", TO(f, or_nan(x, y, min32(x, y)))) \
  X(f##_max_nan, F, f, "max.NaN", "^", "ttt", TO(f, or_nan(x, y, max32(x, y)))) \
  X(f##_min_xor, F, f, "min.xorsign.abs", "^", "ttt", xor_sign(hx, hy, TO(f, least_magnitude(x, y)))) \
  X(f##_max_xor, F, f, "max.xorsign.abs", "^", "ttt", xor_sign(hx, hy, TO(f, most_magnitude(x, y)))) \
  X(f##_min_nan_xor, F, f, "min.NaN.xorsign.abs", "^", "ttt", xor_sign(hx, hy, TO(f, or_nan(x, y, least_magnitude(x, y))))) \
  X(f##_max_nan_xor, F, f, "max.NaN.xorsign.abs", "^", "ttt", xor_sign(hx, hy, TO(f, or_nan(x, y, most_magnitude(x, y))))) \
  X(f##_neg, F, f, "neg", "^", "tt", flush_##f(hx, ftz) ^ 0x8000) \
  X(f##_abs, F, f, "abs", "^", "tt", flush_##f(hx, ftz) & 0x7fff)
#define APPROXIMATE_LIST(X, F, f, mark) \
  X(f##_ex2, F, f, "ex2.approx" mark, "", "tt", TO(f, ptx_ex2(x))) \
  X(f##_tanh, F, f, "tanh.approx", "", "tt", TO(f, ptx_tanh(x)))
#define DEFINE_HALF(id, F, f, key, mark, signature, expr) HALF(id, f, expr)
#define PLAIN_ROWS(id, F, f, key, mark, signature, expr) \
  {key, T_##F, signature, id##_base, id##_wide}, {key, T_##F##X2, signature, id##_twice_base, id##_twice_wide},
#define MARKED_ROWS(id, F, f, key, mark, signature, expr) \
  {key mark, T_##F, signature, id##_base, id##_wide}, {key mark, T_##F##X2, signature, id##_twice_base, id##_twice_wide},

HALF_LIST(DEFINE_HALF, F16, f16)
HALF_LIST(DEFINE_HALF, BF16, bf16)
APPROXIMATE_LIST(DEFINE_HALF, F16, f16, "")
APPROXIMATE_LIST(DEFINE_HALF, BF16, bf16, "^")
const struct ptx_handler ptx_half_handlers[] = {
  HALF_LIST(PLAIN_ROWS, F16, f16)
  HALF_LIST(MARKED_ROWS, F16, f16)
  HALF_LIST(PLAIN_ROWS, BF16, bf16)
  APPROXIMATE_LIST(PLAIN_ROWS, F16, f16, "")
  APPROXIMATE_LIST(PLAIN_ROWS, BF16, bf16, "^")
  {0}};
/* clang-format on */
