/* SPDX-License-Identifier: Apache-2.0 */
/* f32 and f64 arithmetic of IEEE 754: exact on every host. */
#include "ptx/lane_loop.h"

#include <fenv.h>

/* .NaN: a NaN wins. .xorsign.abs: of the magnitudes, with the exclusive or of the signs. */
INLINE float or_nan(float x, float y, float v) { return pick((x == x) & (y == y), v, float32(0x7fffffffu)); }
INLINE float magnitude(float v) { return float32(bits32(v) & 0x7fffffffu); }
INLINE float xor_sign(float x, float y, float v) {
  return pick(v == v, float32(bits32(v) | ((bits32(x) ^ bits32(y)) & 0x80000000u)), v);
}
INLINE float min_magnitude(float x, float y) { return xor_sign(x, y, min32(magnitude(x), magnitude(y))); }
INLINE float max_magnitude(float x, float y) { return xor_sign(x, y, max32(magnitude(x), magnitude(y))); }
INLINE float sign_of_a_magnitude_of_b(float a, float b) {
  return float32((bits32(a) & 0x80000000u) | (bits32(b) & 0x7fffffffu));
}
INLINE double sign_of_a_magnitude_of_b64(double a, double b) {
  const uint64_t sign = UINT64_C(1) << 63;
  return float64((bits64(a) & sign) | (bits64(b) & ~sign));
}

/* a table */
/* clang-format off */
#define FTZ(v) flush32(v, ftz)
#define OUT(v) result32(v, ftz, sat)
/* plain f32, f32 with .ftz/.sat, f64 */
#define ARITHMETIC2(X, id, key, mark, op2) \
  X##2(id##_f32, key, "ttt", T_F32, f32, f32, f32, canonical32(x op2 y)) \
  X##2(id##_mod, key mark, "ttt", T_F32, f32, f32, f32, OUT(FTZ(x) op2 FTZ(y))) \
  X##2(id##_f64, key, "ttt", T_F64, f64, f64, f64, canonical64(x op2 y))
#define FUSED(X, id, key) \
  X##3(id##_f32, key, "tttt", T_F32, f32, f32, f32, f32, canonical32(__builtin_fmaf(x, y, z))) \
  X##3(id##_mod, key "~", "tttt", T_F32, f32, f32, f32, f32, OUT(__builtin_fmaf(FTZ(x), FTZ(y), FTZ(z)))) \
  X##3(id##_f64, key, "tttt", T_F64, f64, f64, f64, f64, canonical64(__builtin_fma(x, y, z)))

#define FLOAT_LIST(X) \
  ARITHMETIC2(X, add, "add", "~", +) \
  ARITHMETIC2(X, sub, "sub", "~", -) \
  ARITHMETIC2(X, mul, "mul", "~", *) \
  ARITHMETIC2(X, div, "div", "^", /) \
  FUSED(X, fma, "fma") \
  FUSED(X, mad, "mad") \
  X##2(min_f32, "min", "ttt", T_F32, f32, f32, f32, canonical32(min32(x, y))) \
  X##2(max_f32, "max", "ttt", T_F32, f32, f32, f32, canonical32(max32(x, y))) \
  X##2(min_mod, "min^", "ttt", T_F32, f32, f32, f32, OUT(min32(FTZ(x), FTZ(y)))) \
  X##2(max_mod, "max^", "ttt", T_F32, f32, f32, f32, OUT(max32(FTZ(x), FTZ(y)))) \
  X##2(min_f64, "min", "ttt", T_F64, f64, f64, f64, canonical64(min64(x, y))) \
  X##2(max_f64, "max", "ttt", T_F64, f64, f64, f64, canonical64(max64(x, y))) \
  X##1(abs_f32, "abs", "tt", T_F32, u32, u32, x & 0x7fffffffu) \
  X##1(neg_f32, "neg", "tt", T_F32, u32, u32, x ^ 0x80000000u) \
  X##1(abs_mod, "abs^", "tt", T_F32, f32, f32, OUT(float32(bits32(FTZ(x)) & 0x7fffffffu))) \
  X##1(neg_mod, "neg^", "tt", T_F32, f32, f32, OUT(float32(bits32(FTZ(x)) ^ 0x80000000u))) \
  X##1(abs_f64, "abs", "tt", T_F64, u64, u64, x & ~(UINT64_C(1) << 63)) \
  X##1(neg_f64, "neg", "tt", T_F64, u64, u64, x ^ UINT64_C(1) << 63) \
  X##1(rcp_f32, "rcp", "tt", T_F32, f32, f32, canonical32(1.0f / x)) \
  X##1(rcp_mod, "rcp^", "tt", T_F32, f32, f32, OUT(1.0f / FTZ(x))) \
  X##1(rcp_f64, "rcp", "tt", T_F64, f64, f64, canonical64(1.0 / x)) \
  X##1(sqrt_f32, "sqrt", "tt", T_F32, f32, f32, canonical32(__builtin_sqrtf(x))) \
  X##1(sqrt_mod, "sqrt^", "tt", T_F32, f32, f32, OUT(__builtin_sqrtf(FTZ(x)))) \
  X##1(sqrt_f64, "sqrt", "tt", T_F64, f64, f64, canonical64(__builtin_sqrt(x))) \
  X##2(copysign_f32, "copysign", "ttt", T_F32, f32, f32, f32, sign_of_a_magnitude_of_b(x, y)) \
  X##2(copysign_f64, "copysign", "ttt", T_F64, f64, f64, f64, sign_of_a_magnitude_of_b64(x, y)) \
  X##3(slct32_f32, "slct.b32", "tttt", T_F32, u32, u32, u32, f32, z >= 0.0f ? x : y) \
  X##3(slct32_f32m, "slct.b32^", "tttt", T_F32, u32, u32, u32, f32, FTZ(z) >= 0.0f ? x : y) \
  X##3(slct32_s32, "slct.b32", "tttt", T_S32, u32, u32, u32, s32, z >= 0 ? x : y) \
  X##3(slct64_f32, "slct.b64", "qqqt", T_F32, u64, u64, u64, f32, z >= 0.0f ? x : y) \
  X##3(slct64_s32, "slct.b64", "qqqt", T_S32, u64, u64, u64, s32, z >= 0 ? x : y) \
  X##3(slct16_s32, "slct.b16", "hhht", T_S32, u16, u16, u16, s32, z >= 0 ? x : y) \
  X##3(slct16_f32, "slct.b16", "hhht", T_F32, u16, u16, u16, f32, z >= 0.0f ? x : y) \
  X##3(slct16_f32m, "slct.b16^", "hhht", T_F32, u16, u16, u16, f32, FTZ(z) >= 0.0f ? x : y) \
  X##3(slct64_f32m, "slct.b64^", "qqqt", T_F32, u64, u64, u64, f32, FTZ(z) >= 0.0f ? x : y) \
  CHOICE(X, min_nan, "min.NaN", or_nan(p, q, min32(p, q))) \
  CHOICE(X, max_nan, "max.NaN", or_nan(p, q, max32(p, q))) \
  CHOICE(X, min_xor, "min.xorsign.abs", canonical32(min_magnitude(p, q))) \
  CHOICE(X, max_xor, "max.xorsign.abs", canonical32(max_magnitude(p, q))) \
  CHOICE(X, min_nan_xor, "min.NaN.xorsign.abs", or_nan(p, q, min_magnitude(p, q))) \
  CHOICE(X, max_nan_xor, "max.NaN.xorsign.abs", or_nan(p, q, max_magnitude(p, q)))
#define CHOICE(X, id, key, expr) \
  X##2(id##_f32, key, "ttt", T_F32, f32, f32, f32, ({ const float p = x, q = y; expr; })) \
  X##2(id##_mod, key "^", "ttt", T_F32, f32, f32, f32, ({ const float p = FTZ(x), q = FTZ(y); OUT(expr); }))
/* clang-format on */

FLOAT_LIST(DEFINE)

/* ---- .rz, .rm, .rp: the host rounds; one loop, no vectors. volatile keeps the arithmetic between the two switches. ---- */

static int host_rounding(uint8_t rounding) {
  return rounding == ROUND_RZ ? FE_TOWARDZERO : rounding == ROUND_RM ? FE_DOWNWARD : FE_UPWARD;
}

/* a table */
/* clang-format off */
#define DIRECTED(id, t, expr, finish)                                                            \
  static void id(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {                   \
    const uint32_t ftz = flag_mask(op->arithmetic.ftz), sat = flag_mask(op->arithmetic.sat); \
    const S_##t *a = ptx_src(op, w, 0), *b = op->n_src > 1 ? ptx_src(op, w, 1) : a,              \
                *c = op->n_src > 2 ? ptx_src(op, w, 2) : a;                                      \
    S_##t scratch[WARP_LANES], *d = ptx_dst(op, w, 0);                                           \
    fesetround(host_rounding(op->arithmetic.rounding));                                                         \
    for (uint32_t l = 0; l < WARP_LANES; l++) {                                                  \
      volatile V_##t x = PREPARE_##t(a[l]), y = PREPARE_##t(b[l]), z = PREPARE_##t(c[l]), r;     \
      r = (expr);                                                                                \
      scratch[l] = r;                                                                            \
      (void)y, (void)z;                                                                          \
    }                                                                                            \
    fesetround(FE_TONEAREST);                                                                    \
    for (uint32_t l = 0; l < WARP_LANES; l++) scratch[l] = finish(scratch[l]);                   \
    BLEND(d, scratch, mask);                                                                     \
    (void)ftz, (void)sat;                                                                        \
  }
#define PREPARE_f32(v) FTZ(v)
#define PREPARE_f64(v) (v)
#define DIRECTED_BOTH(id, expr32, expr64) \
  DIRECTED(id##_f32_directed, f32, expr32, OUT) DIRECTED(id##_f64_directed, f64, expr64, canonical64)
/* clang-format on */

DIRECTED_BOTH(add, x + y, x + y)
DIRECTED_BOTH(sub, x - y, x - y)
DIRECTED_BOTH(mul, x *y, x *y)
DIRECTED_BOTH(div, x / y, x / y)
DIRECTED_BOTH(fma, fmaf(x, y, z), fma(x, y, z))
DIRECTED_BOTH(rcp, 1.0f / x, 1.0 / x)
DIRECTED_BOTH(sqrt, sqrtf(x), sqrt(x))

/* a table */
/* clang-format off */
#define DIRECTED_ROWS(id, key, sig) \
  {key, T_F32, sig, id##_f32_directed, id##_f32_directed}, {key, T_F64, sig, id##_f64_directed, id##_f64_directed},
const struct ptx_handler ptx_float_handlers[] = {
  FLOAT_LIST(ROW)
  DIRECTED_ROWS(add, "add!", "ttt")
  DIRECTED_ROWS(sub, "sub!", "ttt")
  DIRECTED_ROWS(mul, "mul!", "ttt")
  DIRECTED_ROWS(fma, "fma!", "tttt")
  DIRECTED_ROWS(fma, "mad!", "tttt")
  DIRECTED_ROWS(div, "div!^", "ttt")
  DIRECTED_ROWS(rcp, "rcp!^", "tt")
  DIRECTED_ROWS(sqrt, "sqrt!^", "tt")
  {0}};
/* clang-format on */
