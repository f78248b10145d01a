/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions: handlers for the frequent pairs, one careful function for all others. Float to integer: values out of
 * range give the nearest end, NaN gives 0, but from f64 or to 64 bits the one bit of the sign (PTX ISA, cvt). */
#include "ptx/lane_loop.h"

#include <fenv.h>

/* Narrow values in 64-bit registers: cvt.s64.s8 %rd2, %rd1 */
/* a table */
/* clang-format off */
#define S_u8q lane64
#define S_s8q lane64
#define S_u16q lane64
#define S_s16q lane64
#define S_u32q lane64
#define S_s32q lane64
#define V_u8q uint8_t
#define V_s8q int8_t
#define V_u16q uint16_t
#define V_s16q int16_t
#define V_u32q uint32_t
#define V_s32q int32_t
#define W_u8q uint32_t
#define W_s8q uint32_t
#define W_u16q uint32_t
#define W_s16q uint32_t
#define W_u32q uint32_t
#define W_s32q uint32_t
/* clang-format on */

INLINE int32_t s32_of_f32(float x) {
  return x != x ? 0 : x >= 2147483648.0f ? INT32_MAX : x < -2147483648.0f ? INT32_MIN : (int32_t)x;
}
INLINE uint32_t u32_of_f32(float x) { return !(x > 0.0f) ? 0 : x >= 4294967296.0f ? UINT32_MAX : (uint32_t)x; }
INLINE int32_t s32_of_f64(double x) {
  return x != x || x <= -2147483649.0 ? INT32_MIN : x >= 2147483648.0 ? INT32_MAX : (int32_t)x;
}

/* a table */
/* clang-format off */
#define CVT(X, rounding, td, ta, name_a, tk, expr) \
  X##1(td##_##ta##_##rounding, "cvt." #rounding "." #td "." name_a, "tt", tk, td, ta, expr)
#define FROM_INT(X, ta, name_a, tk) \
  CVT(X, rn, u32, ta, name_a, tk, x) \
  CVT(X, rn, s32, ta, name_a, tk, x) \
  CVT(X, rn, u64, ta, name_a, tk, x) \
  CVT(X, rn, s64, ta, name_a, tk, x)
#define FROM_INT_16(X, ta, name_a, tk) CVT(X, rn, u16, ta, name_a, tk, x) CVT(X, rn, s16, ta, name_a, tk, x)

#define CVT_LIST(X) \
  FROM_INT(X, u8, "u8", T_U8) \
  FROM_INT(X, s8, "s8", T_S8) \
  FROM_INT(X, u16, "u16", T_U16) \
  FROM_INT(X, s16, "s16", T_S16) \
  FROM_INT(X, u32, "u32", T_U32) \
  FROM_INT(X, s32, "s32", T_S32) \
  FROM_INT(X, u64, "u64", T_U64) \
  FROM_INT(X, s64, "s64", T_S64) \
  FROM_INT(X, u8q, "from64.u8", T_U8) \
  FROM_INT(X, s8q, "from64.s8", T_S8) \
  FROM_INT(X, u16q, "from64.u16", T_U16) \
  FROM_INT(X, s16q, "from64.s16", T_S16) \
  FROM_INT(X, u32q, "from64.u32", T_U32) \
  FROM_INT(X, s32q, "from64.s32", T_S32) \
  FROM_INT_16(X, u8, "u8", T_U8) \
  FROM_INT_16(X, s8, "s8", T_S8) \
  FROM_INT_16(X, u32, "u32", T_U32) \
  FROM_INT_16(X, s32, "s32", T_S32) \
  FROM_INT_16(X, u64, "u64", T_U64) \
  FROM_INT_16(X, s64, "s64", T_S64) \
  CVT(X, rn, f32, s32, "s32", T_S32, (float)x) \
  CVT(X, rn, f32, u32, "u32", T_U32, (float)x) \
  CVT(X, rn, f32, s64, "s64", T_S64, (float)x) \
  CVT(X, rn, f32, u64, "u64", T_U64, (float)x) \
  CVT(X, rn, f64, s32, "s32", T_S32, (double)x) \
  CVT(X, rn, f64, u32, "u32", T_U32, (double)x) \
  CVT(X, rn, f64, s64, "s64", T_S64, (double)x) \
  CVT(X, rn, f64, u64, "u64", T_U64, (double)x) \
  CVT(X, rn, f64, f32, "f32", T_F32, canonical64((double)x)) \
  CVT(X, rn, f32, f64, "f64", T_F64, canonical32((float)x)) \
  CVT(X, rzi, s32, f32, "f32", T_F32, s32_of_f32(x)) \
  CVT(X, rzi, u32, f32, "f32", T_F32, u32_of_f32(x)) \
  CVT(X, rni, s32, f32, "f32", T_F32, s32_of_f32(__builtin_rintf(x))) \
  CVT(X, rmi, s32, f32, "f32", T_F32, s32_of_f32(__builtin_floorf(x))) \
  CVT(X, rzi, s32, f64, "f64", T_F64, s32_of_f64(x)) \
  CVT(X, rni, f32, f32, "f32", T_F32, canonical32(__builtin_rintf(x))) \
  CVT(X, rmi, f32, f32, "f32", T_F32, canonical32(__builtin_floorf(x))) \
  CVT(X, rpi, f32, f32, "f32", T_F32, canonical32(__builtin_ceilf(x))) \
  CVT(X, rzi, f32, f32, "f32", T_F32, canonical32(__builtin_truncf(x))) \
  X##1(f32_f16, "cvt.rn.f32.f16", "tt", T_F16, u32, u32, f32_of_f16(x)) \
  X##1(f16_f32, "cvt.rn.f16.f32", "tt", T_F32, u32, u32, f16_of_f32(x)) \
  X##1(f32_bf16, "cvt.rn.f32.bf16", "tt", T_BF16, f32, u16, canonical32(float32(ux << 16))) \
  X##1(bf16_f32, "cvt.rn.bf16.f32", "tt", T_F32, u32, u32, bf16_of_f32(x))
/* clang-format on */

CVT_LIST(DEFINE)
const struct ptx_handler ptx_cvt_handlers[] = {CVT_LIST(ROW){0}};

/* ---- every other conversion ---- */

static double round_integral(double v, enum ptx_rounding r) {
  if (!(v > -4503599627370496.0 && v < 4503599627370496.0)) return v; /* 2^52 and more, NaN */
  double t = (double)(int64_t)v, fraction = v - t;
  if (r == ROUND_RMI && fraction < 0.0) t -= 1.0;
  if (r == ROUND_RPI && fraction > 0.0) t += 1.0;
  if (r == ROUND_RNI) {
    double size = fraction < 0.0 ? -fraction : fraction;
    bool odd = (int64_t)t & 1;
    if (size > 0.5 || (size == 0.5 && odd)) t += fraction < 0.0 ? -1.0 : 1.0;
  }
  return __builtin_copysign(t, v);
}

static uint64_t clamp_to_int(double v, enum ptx_type to, enum ptx_type from) {
  uint32_t bits = ptx_type_bytes(to) * 8;
  bool is_signed = ptx_type_letter(to) == 's';
  double end = is_signed    ? (double)(UINT64_C(1) << (bits - 1))
               : bits == 64 ? 18446744073709551616.0
                            : (double)(UINT64_C(1) << bits);
  uint64_t most = (is_signed ? UINT64_C(1) << (bits - 1) : bits == 64 ? 0 : UINT64_C(1) << bits) - 1;
  if (v != v) return from == T_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
  if (v >= end) return most;
  if (!is_signed) return v <= 0.0 ? 0 : (uint64_t)v;
  return v < -end ? ~most : (uint64_t)(int64_t)v;
}

/* An integer as a double that rounds to half precision as the integer does: what does not fit sticks to the last bit. */
static double sticky_double(uint64_t magnitude) {
  uint32_t shift = magnitude >> 53 ? 11 : 0;
  uint64_t lost = magnitude & ((UINT64_C(1) << shift) - 1);
  uint64_t kept = magnitude >> shift | (lost != 0);
  return (double)kept * (shift ? 2048.0 : 1.0);
}

/* The host is in the conversion's rounding mode; volatile keeps the cast there. */
static uint64_t float_result(const struct ptx_op_convert *c, double v) {
  if (c->sat) v = v > 0.0 ? v < 1.0 ? v : 1.0 : 0.0;
  if (c->to == T_F64) return bits64(canonical64(v));
  if (c->to == T_F32) {
    volatile double wide = v;
    volatile float narrow = (float)wide;
    return bits32(flush32(canonical32(narrow), flag_mask(c->ftz)));
  }
  return ptx_double_to_half(v, c->rounding, c->to == T_BF16);
}

static uint64_t from_integer(const struct ptx_op_convert *c, uint64_t raw) {
  uint32_t shift = 64 - ptx_type_bytes(c->from) * 8;
  bool is_signed = ptx_type_letter(c->from) == 's';
  uint64_t value = is_signed ? (uint64_t)((int64_t)(raw << shift) >> shift) : raw << shift >> shift;
  bool negative = is_signed && (int64_t)value < 0;
  if (ptx_type_letter(c->to) == 'f') {
    if (c->to == T_F32 && !c->sat) {
      volatile uint64_t v = value;
      volatile float f = is_signed ? (float)(int64_t)v : (float)v;
      return bits32(f);
    }
    if (c->to == T_F64 || c->sat) {
      volatile uint64_t v = value;
      volatile double d = is_signed ? (double)(int64_t)v : (double)v;
      return float_result(c, d);
    }
    double size = sticky_double(negative ? 0 - value : value);
    return float_result(c, negative ? -size : size);
  }
  if (!c->sat) return value;
  uint32_t bits = ptx_type_bytes(c->to) * 8;
  bool to_signed = ptx_type_letter(c->to) == 's';
  uint64_t most = to_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
  if (negative) return !to_signed ? 0 : (int64_t)value < (int64_t)~most ? ~most : value;
  return value > most ? most : value;
}

static uint64_t from_float(const struct ptx_op_convert *c, uint64_t raw) {
  double v;
  if (c->from == T_F64) v = float64(raw);
  else if (c->from == T_F32) v = (double)flush32(float32((uint32_t)raw), flag_mask(c->ftz));
  else v = ptx_half_to_double((uint32_t)raw, c->from == T_BF16);
  if (c->rounding >= ROUND_RNI) v = round_integral(v, c->rounding);
  return ptx_type_letter(c->to) == 'f' ? float_result(c, v) : clamp_to_int(v, c->to, c->from);
}

/* Integer results fill a wider register with their sign or zeros. */
static uint64_t fit(const struct ptx_op_convert *c, uint64_t v) {
  uint32_t shift = 64 - ptx_type_bytes(c->to) * 8, reg = 64 - c->to_bytes * 8;
  v = ptx_type_letter(c->to) == 's' ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
  return v << reg >> reg;
}

void ptx_exec_cvt_any(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_op_convert *c = &op->convert;
  const void *a = ptx_src(op, w, 0);
  uint32_t narrow[WARP_LANES];
  uint64_t wide[WARP_LANES];
  bool is_int = ptx_type_letter(c->from) != 'f';
  if (c->rounding == ROUND_RZ) fesetround(FE_TOWARDZERO);
  if (c->rounding == ROUND_RM) fesetround(FE_DOWNWARD);
  if (c->rounding == ROUND_RP) fesetround(FE_UPWARD);
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    uint64_t raw = c->from_64 ? ((const lane64 *)a)[l] : ((const lane32 *)a)[l];
    wide[l] = fit(c, is_int ? from_integer(c, raw) : from_float(c, raw));
    narrow[l] = (uint32_t)wide[l];
  }
  fesetround(FE_TONEAREST);
  if (c->to_bytes == 8) ptx_blend64(ptx_dst(op, w, 0), wide, mask);
  else ptx_blend32(ptx_dst(op, w, 0), narrow, mask);
}
