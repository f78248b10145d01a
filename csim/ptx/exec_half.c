/* SPDX-License-Identifier: Apache-2.0 */
/* f16 and f16x2 arithmetic. Each operation is done in double and rounded once to half precision: sums, products and
 * fused products of halves lose nothing in a double that could move a rounding. */
#include "ptx/exec.h"

double ptx_half_to_double(uint32_t bits, bool bfloat) {
  uint32_t fraction_bits = bfloat ? 7 : 10, exponent_most = bfloat ? 255 : 31;
  int32_t bias = bfloat ? 127 : 15;
  uint32_t fraction = bits & ((1u << fraction_bits) - 1), exponent = bits >> fraction_bits & exponent_most;
  uint64_t sign = (uint64_t)(bits >> 15 & 1) << 63;
  if (exponent == exponent_most) return float64(fraction ? UINT64_C(0x7ff8000000000000) : sign | UINT64_C(0x7ff0000000000000));
  double unit = float64((uint64_t)(1023 + (int32_t)(exponent ? exponent : 1) - bias - (int32_t)fraction_bits) << 52);
  double v = (double)(exponent ? fraction | 1u << fraction_bits : fraction) * unit;
  return float64(bits64(v) | sign);
}

static bool rounds_up(uint64_t kept, uint64_t rest, uint64_t half, bool negative, enum ptx_rounding r) {
  switch (r) {
    case ROUND_RZ: return false;
    case ROUND_RM: return negative && rest;
    case ROUND_RP: return !negative && rest;
    default: return rest > half || (rest == half && (kept & 1));
  }
}

uint32_t ptx_double_to_half(double value, enum ptx_rounding r, bool bfloat) {
  const int32_t fraction_bits = bfloat ? 7 : 10, least = bfloat ? -126 : -14, most = bfloat ? 127 : 15;
  const uint32_t infinity = (bfloat ? 255u : 31u) << fraction_bits;
  uint64_t bits = bits64(value), m = bits & UINT64_C(0x000fffffffffffff);
  bool negative = bits >> 63;
  uint32_t sign = negative ? 0x8000 : 0;
  int32_t e = (int32_t)(bits >> 52 & 0x7ff) - 1023;
  if (value != value) return 0x7fff;
  if (e == 1024) return sign | infinity;
  if (e == -1023) e = -1022;
  else m |= UINT64_C(1) << 52;
  int32_t quantum = (e < least ? least : e) - fraction_bits, shift = quantum - (e - 52);
  if (shift > 63) shift = 63;
  uint64_t kept = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1);
  if (rounds_up(kept, rest, UINT64_C(1) << (shift - 1), negative, r)) kept++;
  if (kept >> (fraction_bits + 1)) kept >>= 1, quantum++;
  if (kept >> fraction_bits == 0) return sign | (uint32_t)kept; /* subnormal or zero */
  int32_t exponent = quantum + fraction_bits;
  bool towards_zero = r == ROUND_RZ || (r == ROUND_RM && !negative) || (r == ROUND_RP && negative);
  if (exponent > most) return sign | (towards_zero ? infinity - 1 : infinity);
  return sign | (uint32_t)(exponent + most) << fraction_bits | (uint32_t)(kept & ((1u << fraction_bits) - 1));
}

static inline double minimum(double x, double y) {
  return x != x ? y : y != y ? x : x < y || (x == y && bits64(x) >> 63) ? x : y;
}
static inline double maximum(double x, double y) {
  return x != x ? y : y != y ? x : x > y || (x == y && !(bits64(x) >> 63)) ? x : y;
}
/* Halves: subnormals to zero of their sign. */
static inline uint32_t flush_half(uint32_t h, bool ftz) { return ftz && (h & 0x7c00) == 0 ? h & 0x8000 : h; }
static inline uint32_t result_half(double v, bool ftz, bool sat) {
  if (sat) v = v > 0.0 ? v < 1.0 ? v : 1.0 : 0.0;
  return flush_half(ptx_double_to_half(v, ROUND_RN, false), ftz);
}

/* One lane holds one half, or two (f16x2). */
#define HALF(id, expr)                                                                             \
  static void id(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {                     \
    const bool ftz = op->flags & FLAG_FTZ, sat = op->flags & FLAG_SAT;                             \
    const lane32 *a = ptx_src(op, w, 0), *b = op->n_src > 1 ? ptx_src(op, w, 1) : a,               \
                 *c = op->n_src > 2 ? ptx_src(op, w, 2) : a;                                       \
    uint32_t scratch[WARP_LANES];                                                                  \
    for (uint32_t l = 0; l < WARP_LANES; l++) {                                                    \
      scratch[l] = 0;                                                                              \
      for (uint32_t shift = 0; shift < 16u * op->vector; shift += 16) {                            \
        uint32_t hx = flush_half(a[l] >> shift & 0xffff, ftz);                                     \
        double x = ptx_half_to_double(hx, false);                                                  \
        double y = ptx_half_to_double(flush_half(b[l] >> shift & 0xffff, ftz), false);             \
        double z = ptx_half_to_double(flush_half(c[l] >> shift & 0xffff, ftz), false);             \
        (void)hx, (void)x, (void)y, (void)z;                                                       \
        scratch[l] |= (expr) << shift;                                                             \
      }                                                                                            \
    }                                                                                              \
    ptx_blend32(ptx_dst(op, w, 0), scratch, mask);                                                 \
    (void)sat;                                                                                     \
  }
HALF(half_add, result_half(x + y, ftz, sat))
HALF(half_sub, result_half(x - y, ftz, sat))
HALF(half_mul, result_half(x *y, ftz, sat))
HALF(half_fma, result_half(x *y + z, ftz, sat))
HALF(half_min, result_half(minimum(x, y), ftz, sat))
HALF(half_max, result_half(maximum(x, y), ftz, sat))
HALF(half_neg, hx ^ 0x8000)
HALF(half_abs, hx & 0x7fff)

#define ROWS(key, signature, fn)                                                                   \
  {key, T_F16, signature, fn, fn}, {key "~", T_F16, signature, fn, fn},                            \
  {key, T_F16X2, signature, fn, fn}, {key "~", T_F16X2, signature, fn, fn},
const struct ptx_handler ptx_half_handlers[] = {
  ROWS("add", "ttt", half_add)
  ROWS("sub", "ttt", half_sub)
  ROWS("mul", "ttt", half_mul)
  ROWS("fma", "tttt", half_fma)
  ROWS("min", "ttt", half_min)
  ROWS("max", "ttt", half_max)
  ROWS("neg", "tt", half_neg)
  ROWS("abs", "tt", half_abs)
  {0}};
