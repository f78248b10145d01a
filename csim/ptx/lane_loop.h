/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that make the handlers: a loop over 32 lanes for one operation and type.
 *
 * Every handler exists twice, `_base` for any host and `_wide` compiled for AVX2 and FMA. Both give the same bits:
 * nothing is contracted (-ffp-contract=off), fused operations are asked for by name, NaNs are made canonical.
 *
 * A handler computes all lanes. With a partial mask it computes into a scratch row, which is then blended. The
 * destination is a source's row or disjoint from it, never shifted, hence `ivdep`. */
#ifndef TANDEM_PTX_LANE_LOOP_H
#define TANDEM_PTX_LANE_LOOP_H

#include "ptx/execute.h"

#include <math.h>
#include <string.h>

/* Into every handler, so that it is compiled for the handler's host and its loop becomes vectors. */
#define INLINE static inline __attribute__((always_inline, unused))

/* Rows are untyped storage: lanes may alias. */
typedef uint32_t lane32 __attribute__((may_alias));
typedef uint64_t lane64 __attribute__((may_alias));
typedef float lane_float __attribute__((may_alias));
typedef double lane_double __attribute__((may_alias));

/* Of each type: S how a lane is stored, V its value, U the value's unsigned type (results are stored through it, so that
 * narrow ones are zero-extended), W the unsigned type to compute in without promotion to int. */
/* a table */
/* clang-format off */
#define S_u8 lane32
#define S_s8 lane32
#define S_u16 lane32
#define S_s16 lane32
#define S_u32 lane32
#define S_s32 lane32
#define S_u64 lane64
#define S_s64 lane64
#define S_f32 lane_float
#define S_f64 lane_double
#define V_u8 uint8_t
#define V_s8 int8_t
#define V_u16 uint16_t
#define V_s16 int16_t
#define V_u32 uint32_t
#define V_s32 int32_t
#define V_u64 uint64_t
#define V_s64 int64_t
#define V_f32 float
#define V_f64 double
#define U_u8 uint8_t
#define U_s8 uint8_t
#define U_u16 uint16_t
#define U_s16 uint16_t
#define U_u32 uint32_t
#define U_s32 uint32_t
#define U_u64 uint64_t
#define U_s64 uint64_t
#define U_f32 float
#define U_f64 double
#define W_u8 uint32_t
#define W_s8 uint32_t
#define W_u16 uint32_t
#define W_s16 uint32_t
#define W_u32 uint32_t
#define W_s32 uint32_t
#define W_u64 uint64_t
#define W_s64 uint64_t
#define W_f32 float
#define W_f64 double
#define TYPE_u8 T_U8
#define TYPE_s8 T_S8
#define TYPE_u16 T_U16
#define TYPE_s16 T_S16
#define TYPE_u32 T_U32
#define TYPE_s32 T_S32
#define TYPE_u64 T_U64
#define TYPE_s64 T_S64
#define TYPE_f32 T_F32
#define TYPE_f64 T_F64

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2,fma")))
#else
#define WIDE
#endif

#define EACH_LANE _Pragma("GCC ivdep") for (uint32_t l = 0; l < WARP_LANES; l++)

/* bit l of lane l, for loops that the compiler is to vectorise */
#define LANE_BITS                                                                                                 \
  1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5, 1u << 6, 1u << 7, 1u << 8, 1u << 9, 1u << 10, 1u << 11,   \
    1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, \
    1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31
static const uint32_t lane_bit[WARP_LANES] __attribute__((aligned(64), unused)) = {LANE_BITS};
static const uint64_t lane_bit64[WARP_LANES] __attribute__((aligned(64), unused)) = {LANE_BITS};

/* Takes the lanes of `mask` from a row of the same width; inlined, so that it is compiled for its handler's host. */
INLINE void ptx_blend32(void *to, const void *from, uint32_t mask) {
  lane32 *d = to;
  const lane32 *s = from;
  EACH_LANE d[l] = mask & lane_bit[l] ? s[l] : d[l];
}
INLINE void ptx_blend64(void *to, const void *from, uint32_t mask) {
  lane64 *d = to;
  const lane64 *s = from;
  const uint64_t wide = mask;
  EACH_LANE d[l] = wide & lane_bit64[l] ? s[l] : d[l];
}
#define BLEND(to, from, mask) (sizeof *(from) == 8 ? ptx_blend64(to, from, mask) : ptx_blend32(to, from, mask))

INLINE uint32_t flag_mask(bool flag) { return flag ? UINT32_MAX : 0; }

#define BEGIN(fn, attribute, td)                                                                    \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {            \
    S_##td scratch[WARP_LANES] __attribute__((aligned(64))), *d = ptx_dst(op, w, 0),                \
                                                             *o = mask == UINT32_MAX ? d : scratch; \
    const uint32_t ftz = flag_mask(op->arithmetic.ftz), sat = flag_mask(op->arithmetic.sat);    \
    (void)ftz, (void)sat;
#define END(td)                                    \
  if (mask != UINT32_MAX) BLEND(d, scratch, mask); \
  }
#define LOAD(x, row, t)          \
  const V_##t x = (V_##t)row[l]; \
  const W_##t u##x = (W_##t)x;   \
  (void)u##x;
#define STORE(td, expr) o[l] = (S_##td)(U_##td)(expr);

#define BODY1(fn, attribute, td, ta, expr) \
  BEGIN(fn, attribute, td)                 \
  const S_##ta *a = ptx_src(op, w, 0);     \
  EACH_LANE{LOAD(x, a, ta) STORE(td, expr)} END(td)
#define BODY2(fn, attribute, td, ta, tb, expr) \
  BEGIN(fn, attribute, td)                     \
  const S_##ta *a = ptx_src(op, w, 0);         \
  const S_##tb *b = ptx_src(op, w, 1);         \
  EACH_LANE{LOAD(x, a, ta) LOAD(y, b, tb) STORE(td, expr)} END(td)
#define BODY3(fn, attribute, td, ta, tb, tc, expr) \
  BEGIN(fn, attribute, td)                         \
  const S_##ta *a = ptx_src(op, w, 0);             \
  const S_##tb *b = ptx_src(op, w, 1);             \
  const S_##tc *c = ptx_src(op, w, 2);             \
  EACH_LANE{LOAD(x, a, ta) LOAD(y, b, tb) LOAD(z, c, tc) STORE(td, expr)} END(td)
#define BODY4(fn, attribute, td, ta, tb, tc, te, expr) \
  BEGIN(fn, attribute, td)                             \
  const S_##ta *a = ptx_src(op, w, 0);                 \
  const S_##tb *b = ptx_src(op, w, 1);                 \
  const S_##tc *c = ptx_src(op, w, 2);                 \
  const S_##te *e = ptx_src(op, w, 3);                 \
  EACH_LANE{LOAD(x, a, ta) LOAD(y, b, tb) LOAD(z, c, tc) LOAD(v, e, te) STORE(td, expr)} END(td)

/* One line of a list: (id, key, signature, key type, types of d, a, ..., expression in x, y, z, v; ux.. are the same as
 * unsigned). LIST(DEFINE) makes the functions, LIST(ROW) their rows of the table. */
#define DEFINE1(id, key, sig, tk, td, ta, expr) BODY1(id##_base, , td, ta, expr) BODY1(id##_wide, WIDE, td, ta, expr)
#define DEFINE2(id, key, sig, tk, td, ta, tb, expr) \
  BODY2(id##_base, , td, ta, tb, expr) BODY2(id##_wide, WIDE, td, ta, tb, expr)
#define DEFINE3(id, key, sig, tk, td, ta, tb, tc, expr) \
  BODY3(id##_base, , td, ta, tb, tc, expr) BODY3(id##_wide, WIDE, td, ta, tb, tc, expr)
#define DEFINE4(id, key, sig, tk, td, ta, tb, tc, te, expr) \
  BODY4(id##_base, , td, ta, tb, tc, te, expr) BODY4(id##_wide, WIDE, td, ta, tb, tc, te, expr)
#define ROW1(id, key, sig, tk, ...) {key, tk, sig, id##_base, id##_wide},
#define ROW2(id, key, sig, tk, ...) {key, tk, sig, id##_base, id##_wide},
#define ROW3(id, key, sig, tk, ...) {key, tk, sig, id##_base, id##_wide},
#define ROW4(id, key, sig, tk, ...) {key, tk, sig, id##_base, id##_wide},
/* clang-format on */

/* ---- floats ---- */

INLINE uint32_t bits32(float v) {
  uint32_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}
INLINE float float32(uint32_t u) {
  float v;
  memcpy(&v, &u, sizeof v);
  return v;
}
INLINE uint64_t bits64(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}
INLINE double float64(uint64_t u) {
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}

/* c ? a : b without a branch: what the compiler may not if-convert (a comparison of floats could trap) it can still
 * vectorise as bits. */
INLINE uint32_t pick_bits(bool c, uint32_t a, uint32_t b) {
  const uint32_t m = 0u - (uint32_t)c;
  return (a & m) | (b & ~m);
}
INLINE float pick(bool c, float a, float b) { return float32(pick_bits(c, bits32(a), bits32(b))); }
INLINE double pick64(bool c, double a, double b) {
  const uint64_t m = 0u - (uint64_t)c;
  return float64((bits64(a) & m) | (bits64(b) & ~m));
}

/* One NaN each (PTX: 0x7fffffff for f32; f64 is ours): hosts and compilers choose among operands' NaNs freely. */
INLINE float canonical32(float v) { return pick(v == v, v, float32(0x7fffffffu)); }
INLINE double canonical64(double v) { return pick64(v == v, v, float64(UINT64_C(0x7ff8000000000000))); }

/* Subnormals to zero of their sign. ftz, sat: all ones if asked for, else 0 (masks keep the loops free of branches). */
INLINE float flush32(float v, uint32_t ftz) {
  uint32_t u = bits32(v), small = 0u - (uint32_t)((u & 0x7f800000u) == 0);
  return float32(u & ~(small & ftz & 0x7fffffffu));
}
/* A result: canonical, flushed, saturated to [0, 1] (NaN to 0). */
INLINE float result32(float v, uint32_t ftz, uint32_t sat) {
  v = flush32(canonical32(v), ftz);
  float clamped = pick(v > 0.0f, pick(v < 1.0f, v, 1.0f), 0.0f);
  return float32((bits32(clamped) & sat) | (bits32(v) & ~sat));
}

/* The smaller and the larger of two floats as PTX has them: a NaN loses, -0 < +0. Bits are compared as integers in the
 * order of the numbers, which vectorises where comparisons of floats would not. */
INLINE int32_t order32(uint32_t u) { return (int32_t)(u ^ ((0u - (u >> 31)) & 0x7fffffffu)); }
INLINE int64_t order64(uint64_t u) { return (int64_t)(u ^ ((0u - (u >> 63)) & INT64_MAX)); }
INLINE float choose32(uint32_t x, uint32_t y, bool first) {
  uint32_t r = pick_bits(first, x, y);
  r = pick_bits((x & 0x7fffffffu) > 0x7f800000u, y, r);
  return float32(pick_bits((y & 0x7fffffffu) > 0x7f800000u, x, r));
}
INLINE double choose64(uint64_t x, uint64_t y, bool first) {
  const uint64_t size = INT64_MAX, infinity = UINT64_C(0x7ff) << 52;
  double r = pick64(first, float64(x), float64(y));
  r = pick64((x & size) > infinity, float64(y), r);
  return pick64((y & size) > infinity, float64(x), r);
}
INLINE float min32(float x, float y) { return choose32(bits32(x), bits32(y), order32(bits32(x)) < order32(bits32(y))); }
INLINE float max32(float x, float y) { return choose32(bits32(x), bits32(y), order32(bits32(x)) > order32(bits32(y))); }
INLINE double min64(double x, double y) {
  return choose64(bits64(x), bits64(y), order64(bits64(x)) < order64(bits64(y)));
}
INLINE double max64(double x, double y) {
  return choose64(bits64(x), bits64(y), order64(bits64(x)) > order64(bits64(y)));
}

/* Halves. The exponent is re-biased by a product, which also normalises subnormals. */
INLINE uint32_t f32_of_f16(uint32_t h) {
  uint32_t magnitude = (h & 0x7fff) << 13, sign = (h & 0x8000) << 16;
  uint32_t finite = bits32(float32(magnitude) * 0x1p112f);
  uint32_t special = pick_bits((magnitude & 0x007fffff) != 0, 0x7fffffff, 0x7f800000 | sign);
  return pick_bits(magnitude >= 0x0f800000, special, finite | sign);
}
INLINE uint32_t f16_of_f32(uint32_t f) {
  uint32_t magnitude = f & 0x7fffffff, sign = f >> 16 & 0x8000;
  uint32_t normal = (magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1)) >> 13;
  uint32_t subnormal = bits32(float32(magnitude) + 0.5f) - 0x3f000000u; /* the sum rounds at 2^-24 */
  uint32_t finite = pick_bits(magnitude < 0x38800000, subnormal, normal);
  return pick_bits(magnitude > 0x7f800000, 0x7fff, pick_bits(magnitude >= 0x477ff000, 0x7c00, finite) | sign);
}

INLINE uint32_t bf16_of_f32(uint32_t f) {
  return pick_bits((f & 0x7fffffff) > 0x7f800000, 0x7fff, (f + 0x7fff + (f >> 16 & 1)) >> 16);
}

#endif
