/* SPDX-License-Identifier: Apache-2.0 */
/* Half precision: the careful conversions, and f16 and f16x2 arithmetic, rounded as if once. */
#include "ptx/exec.h"

double ptx_half_to_double(uint32_t bits, bool bfloat) {
  uint32_t fraction_bits = bfloat ? 7 : 10, exponent_most = bfloat ? 255 : 31;
  int32_t bias = bfloat ? 127 : 15;
  uint32_t fraction = bits & ((1u << fraction_bits) - 1), exponent = bits >> fraction_bits & exponent_most;
  uint64_t sign = (uint64_t)(bits >> 15 & 1) << 63;
  if (exponent == exponent_most)
    return float64(fraction ? UINT64_C(0x7ff8000000000000) : sign | UINT64_C(0x7ff0000000000000));
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

/* ---- arithmetic ---- */

static inline float minimum(float x, float y) {
  bool first = (y != y) | (x < y) | ((x == y) & (bits32(x) >> 31));
  return pick((x == x) & first, x, y);
}
static inline float maximum(float x, float y) {
  bool first = (y != y) | (x > y) | ((x == y) & !(bits32(x) >> 31));
  return pick((x == x) & first, x, y);
}
/* Halves: subnormals to zero of their sign. */
static inline uint32_t flush_half(uint32_t h, uint32_t ftz) { return ftz && (h & 0x7c00) == 0 ? h & 0x8000 : h; }
static inline float operand(uint32_t h, uint32_t ftz) { return float32(f32_of_f16(flush_half(h, ftz))); }
/* A float sum or product of halves is exact, or has bits enough below the half's last (24 >= 2 * 11 + 2). */
static inline uint32_t result_half(float v, uint32_t ftz, uint32_t sat) {
  float clamped = pick(v > 0.0f, pick(v < 1.0f, v, 1.0f), 0.0f);
  return flush_half(f16_of_f32((bits32(clamped) & sat) | (bits32(v) & ~sat)), ftz);
}
/* A fused product has not: it is summed in double and cut to 24 bits, the last one set when bits were lost. */
static inline float fused_half(float x, float y, float z) {
  const uint64_t low = (UINT64_C(1) << 29) - 1;
  uint64_t sum = bits64((double)x * (double)y + (double)z);
  return (float)float64((sum & ~low) | (sum & low ? low + 1 : 0));
}

/* a table */
/* clang-format off */
/* One lane holds one half, or two (f16x2). */
#define HALF_BODY(fn, attribute, id, halves)                                                     \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {         \
    const uint32_t ftz = flag_mask(op->flags & FLAG_FTZ), sat = flag_mask(op->flags & FLAG_SAT); \
    const lane32 *a = ptx_src(op, w, 0), *b = op->n_src > 1 ? ptx_src(op, w, 1) : a,             \
                 *c = op->n_src > 2 ? ptx_src(op, w, 2) : a;                                     \
    uint32_t scratch[WARP_LANES] __attribute__((aligned(64)));                                   \
    EACH_LANE {                                                                                  \
      scratch[l] = id(a[l] & 0xffff, b[l] & 0xffff, c[l] & 0xffff, ftz, sat);                    \
      if ((halves) == 2) scratch[l] |= id(a[l] >> 16, b[l] >> 16, c[l] >> 16, ftz, sat) << 16;   \
    }                                                                                            \
    ptx_blend32(ptx_dst(op, w, 0), scratch, mask);                                               \
  }
#define HALF(id, expr)                                                                           \
  static inline uint32_t id(uint32_t hx, uint32_t hy, uint32_t hz, uint32_t ftz, uint32_t sat) { \
    const float x = operand(hx, ftz), y = operand(hy, ftz), z = operand(hz, ftz);                \
    (void)x, (void)y, (void)z, (void)sat;                                                        \
    return expr;                                                                                 \
  }                                                                                              \
  HALF_BODY(id##_base, , id, 1)                                                                  \
  HALF_BODY(id##_wide, WIDE, id, 1) HALF_BODY(id##_twice_base, , id, 2) HALF_BODY(id##_twice_wide, WIDE, id, 2)
/* clang-format on */

HALF(half_add, result_half(x + y, ftz, sat))
HALF(half_sub, result_half(x - y, ftz, sat))
HALF(half_mul, result_half(x *y, ftz, sat))
HALF(half_fma, result_half(fused_half(x, y, z), ftz, sat))
HALF(half_min, result_half(minimum(x, y), ftz, sat))
HALF(half_max, result_half(maximum(x, y), ftz, sat))
HALF(half_neg, flush_half(hx, ftz) ^ 0x8000)
HALF(half_abs, flush_half(hx, ftz) & 0x7fff)

/* a table */
/* clang-format off */
#define ROWS(key, signature, fn)                                                                    \
  {key, T_F16, signature, fn##_base, fn##_wide}, {key "~", T_F16, signature, fn##_base, fn##_wide}, \
    {key, T_F16X2, signature, fn##_twice_base, fn##_twice_wide},                                    \
    {key "~", T_F16X2, signature, fn##_twice_base, fn##_twice_wide},
const struct ptx_handler ptx_half_handlers[] = {ROWS("add", "ttt", half_add) ROWS("sub", "ttt", half_sub)
                                                  ROWS("mul", "ttt", half_mul) ROWS("fma", "tttt", half_fma)
                                                    ROWS("min", "ttt", half_min) ROWS("max", "ttt", half_max)
                                                      ROWS("neg", "tt", half_neg) ROWS("abs", "tt", half_abs){0}};
/* clang-format on */
