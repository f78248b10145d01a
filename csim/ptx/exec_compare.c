/* SPDX-License-Identifier: Apache-2.0 */
/* setp, set, testp: a comparison of all lanes gives a mask, which goes to predicates or (set) to lanes. */
#include "ptx/lane_loop.h"

/* `low` and `high` combined with the predicate that is source 2. */
static void combine(const struct ptx_op *op, const struct ptx_warp *w, uint32_t *low, uint32_t *high) {
  if (op->compare.combine == COMBINE_NONE) return;
  const uint32_t c = ptx_predicate(op, w, 2);
  switch (op->compare.combine) {
    case COMBINE_AND: *low &= c, *high &= c; break;
    case COMBINE_OR: *low |= c, *high |= c; break;
    default: *low ^= c, *high ^= c; break;
  }
}

/* set: lanes get the value, halves of lanes for pairs. setp: a predicate for each result. */
static void write_results(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint32_t low, uint32_t high) {
  if (op->compare.set) {
    uint32_t scratch[WARP_LANES], one = op->compare.value;
    EACH_LANE scratch[l] = (low & lane_bit[l] ? one : 0) | (high & lane_bit[l] ? one << 16 : 0);
    ptx_blend32(ptx_dst(op, w, 0), scratch, mask);
    return;
  }
  lane32 *p = ptx_dst(op, w, 0);
  *p = (*p & ~mask) | (low & mask);
  if (op->n_dst == 1) return;
  lane32 *q = ptx_dst(op, w, 1);
  *q = (*q & ~mask) | (high & mask);
}

/* setp p|q: q is the inverse of the comparison, combined likewise. */
static void finish(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint32_t result) {
  uint32_t inverse = ~result;
  combine(op, w, &result, &inverse);
  write_results(op, w, mask, result, op->compare.set ? 0 : inverse);
}

INLINE void finish_fast(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint32_t result) {
  if (op->compare.combine | op->compare.set | (op->n_dst - 1)) {
    finish(op, w, mask, result);
    return;
  }
  lane32 *p = ptx_dst(op, w, 0);
  *p = (*p & ~mask) | (result & mask);
}

/* Of a pair of halves: `low` and `high` are two comparisons. */
static void finish_pair(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, uint32_t low, uint32_t high) {
  combine(op, w, &low, &high);
  write_results(op, w, mask, low, high);
}

/* The mask is gathered in lanes as wide as the operands: that is what vectorises. */
/* a table */
/* clang-format off */
#define BITS_u16 lane_bit
#define BITS_s16 lane_bit
#define BITS_u32 lane_bit
#define BITS_s32 lane_bit
#define BITS_f32 lane_bit
#define BITS_u64 lane_bit64
#define BITS_s64 lane_bit64
#define BITS_f64 lane_bit64
#define MASK_u16 uint32_t
#define MASK_s16 uint32_t
#define MASK_u32 uint32_t
#define MASK_s32 uint32_t
#define MASK_f32 uint32_t
#define MASK_u64 uint64_t
#define MASK_s64 uint64_t
#define MASK_f64 uint64_t

#define COMPARE(fn, attribute, t, expr)                                                  \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) { \
    const S_##t *a = ptx_src(op, w, 0), *b = op->n_src > 1 ? ptx_src(op, w, 1) : a;      \
    MASK_##t result = 0;                                                                 \
    EACH_LANE {                                                                          \
      const V_##t x = (V_##t)a[l], y = (V_##t)b[l];                                      \
      (void)y;                                                                           \
      result |= (expr) ? BITS_##t[l] : 0;                                                \
    }                                                                                    \
    finish_fast(op, w, mask, (uint32_t)result);                                          \
  }
#define COMPARE_PAIR(fn, expr)                                                           \
  static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {           \
    const lane32 *a = ptx_src(op, w, 0), *b = ptx_src(op, w, 1);                         \
    uint32_t result[2] = {0, 0};                                                         \
    for (uint32_t i = 0; i < 2; i++)                                                     \
      EACH_LANE {                                                                        \
        const uint32_t x = a[l] >> (16 * i) & 0xffff, y = b[l] >> (16 * i) & 0xffff;     \
        result[i] |= (expr) ? lane_bit[l] : 0;                                           \
      }                                                                                  \
    finish_pair(op, w, mask, result[0], result[1]);                                      \
  }
/* the flushed comparison has its handler; bits compare as unsigned do */
#define ORDERED(X, t) \
  X(eq_##t, "setp.eq", "ptt", TYPE_##t, t, x == y) \
  X(ne_##t, "setp.ne", "ptt", TYPE_##t, t, x != y) \
  X(lt_##t, "setp.lt", "ptt", TYPE_##t, t, x < y) \
  X(le_##t, "setp.le", "ptt", TYPE_##t, t, x <= y) \
  X(gt_##t, "setp.gt", "ptt", TYPE_##t, t, x > y) \
  X(ge_##t, "setp.ge", "ptt", TYPE_##t, t, x >= y)
#define UNSIGNED(X, t) \
  ORDERED(X, t) \
  X(lo_##t, "setp.lo", "ptt", TYPE_##t, t, x < y) \
  X(ls_##t, "setp.ls", "ptt", TYPE_##t, t, x <= y) \
  X(hi_##t, "setp.hi", "ptt", TYPE_##t, t, x > y) \
  X(hs_##t, "setp.hs", "ptt", TYPE_##t, t, x >= y)
/* Ordered comparisons are false for a NaN, the unordered (u) ones true. F: flushes or not. */
#define FLOATS(X, id, suffix, tk, t, F) \
  X(eq_##id, "setp.eq" suffix, "ptt", tk, t, F(x) == F(y)) \
  X(ne_##id, "setp.ne" suffix, "ptt", tk, t, F(x) < F(y) || F(x) > F(y)) \
  X(lt_##id, "setp.lt" suffix, "ptt", tk, t, F(x) < F(y)) \
  X(le_##id, "setp.le" suffix, "ptt", tk, t, F(x) <= F(y)) \
  X(gt_##id, "setp.gt" suffix, "ptt", tk, t, F(x) > F(y)) \
  X(ge_##id, "setp.ge" suffix, "ptt", tk, t, F(x) >= F(y)) \
  X(equ_##id, "setp.equ" suffix, "ptt", tk, t, !(F(x) < F(y) || F(x) > F(y))) \
  X(neu_##id, "setp.neu" suffix, "ptt", tk, t, F(x) != F(y)) \
  X(ltu_##id, "setp.ltu" suffix, "ptt", tk, t, !(F(x) >= F(y))) \
  X(leu_##id, "setp.leu" suffix, "ptt", tk, t, !(F(x) > F(y))) \
  X(gtu_##id, "setp.gtu" suffix, "ptt", tk, t, !(F(x) <= F(y))) \
  X(geu_##id, "setp.geu" suffix, "ptt", tk, t, !(F(x) < F(y))) \
  X(num_##id, "setp.num" suffix, "ptt", tk, t, F(x) == F(x) && F(y) == F(y)) \
  X(nan_##id, "setp.nan" suffix, "ptt", tk, t, F(x) != F(x) || F(y) != F(y))
#define TEST(X, t, bits, exponent, fraction) \
  X(finite_##t, "testp.finite", "pt", TYPE_##t, t, (bits(x) & exponent) != exponent) \
  X(infinite_##t, "testp.infinite", "pt", TYPE_##t, t, (bits(x) & exponent) == exponent && (bits(x) & fraction) == 0) \
  X(number_##t, "testp.number", "pt", TYPE_##t, t, x == x) \
  X(notanumber_##t, "testp.notanumber", "pt", TYPE_##t, t, x != x) \
  X(normal_##t, "testp.normal", "pt", TYPE_##t, t, (bits(x) & exponent) != exponent && (bits(x) & exponent) != 0) \
  X(subnormal_##t, "testp.subnormal", "pt", TYPE_##t, t, (bits(x) & exponent) == 0 && (bits(x) & fraction) != 0)
#define AS_IS(v) (v)
#define FLUSHED(v) flush32(v, UINT32_MAX)
#define HALF(v) float32(f32_of_f16(v))
#define FLUSHED_HALF(v) float32(f32_of_f16((v) & 0x7c00 ? (v) : (v) & 0x8000))
#define BFLOAT(v) float32((uint32_t)(v) << 16)
#define PAIRS_LIST(X) \
  FLOATS(X, f16x2, "", T_F16X2, u32, HALF) \
  FLOATS(X, f16x2m, "~", T_F16X2, u32, FLUSHED_HALF) \
  FLOATS(X, bf16x2, "", T_BF16X2, u32, BFLOAT)

#define COMPARE_LIST(X) \
  UNSIGNED(X, u16) \
  UNSIGNED(X, u32) \
  UNSIGNED(X, u64) \
  ORDERED(X, s16) \
  ORDERED(X, s32) \
  ORDERED(X, s64) \
  FLOATS(X, f32, "", T_F32, f32, AS_IS) \
  FLOATS(X, f32m, "~", T_F32, f32, FLUSHED) \
  FLOATS(X, f64, "", T_F64, f64, AS_IS) \
  FLOATS(X, f16, "", T_F16, u16, HALF) \
  FLOATS(X, f16m, "~", T_F16, u16, FLUSHED_HALF) \
  FLOATS(X, bf16, "", T_BF16, u16, BFLOAT) \
  TEST(X, f32, bits32, 0x7f800000u, 0x007fffffu) \
  TEST(X, f64, bits64, UINT64_C(0x7ff0000000000000), UINT64_C(0x000fffffffffffff))

#define BOTH(id, key, sig, tk, t, expr) COMPARE(id##_base, , t, expr) COMPARE(id##_wide, WIDE, t, expr)
#define LINE(id, key, sig, tk, t, expr) {key, tk, sig, id##_base, id##_wide},
#define PAIR(id, key, sig, tk, t, expr) COMPARE_PAIR(id, expr)
#define PAIR_LINE(id, key, sig, tk, t, expr) {key, tk, sig, id, id},
/* clang-format on */

COMPARE_LIST(BOTH)
PAIRS_LIST(PAIR)

/* a table */
/* clang-format off */
#define BITS_ROW(type, t, key, id) {key, type, "ptt", id##_##t##_base, id##_##t##_wide},
const struct ptx_handler ptx_compare_handlers[] = {
  COMPARE_LIST(LINE)
  PAIRS_LIST(PAIR_LINE)
  BITS_ROW(T_B16, u16, "setp.eq", eq)
  BITS_ROW(T_B16, u16, "setp.ne", ne)
  BITS_ROW(T_B32, u32, "setp.eq", eq)
  BITS_ROW(T_B32, u32, "setp.ne", ne)
  BITS_ROW(T_B64, u64, "setp.eq", eq)
  BITS_ROW(T_B64, u64, "setp.ne", ne)
  {0}};
/* clang-format on */
