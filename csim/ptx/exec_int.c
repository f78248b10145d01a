/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic. Division: by zero gives all ones, a remainder by zero the dividend, INT_MIN / -1 gives INT_MIN
 * (ours: the ISA leaves them open). */
#include "ptx/exec.h"

typedef unsigned __int128 wide128;
typedef __int128 signed128;

static inline uint64_t mulhi_u64(uint64_t a, uint64_t b) { return (uint64_t)((wide128)a * b >> 64); }
static inline uint64_t mulhi_s64(int64_t a, int64_t b) { return (uint64_t)((signed128)a * b >> 64); }

static inline int32_t saturate_s32(int64_t v) {
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}
static inline int32_t signed24(uint32_t v) { return (int32_t)(v << 8) >> 8; }

/* dp4a: four products of bytes; `as`, `bs`: that side is signed */
static inline uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c, bool as, bool bs) {
  for (int i = 0; i < 32; i += 8) {
    uint8_t p = (uint8_t)(a >> i), q = (uint8_t)(b >> i);
    c += (uint32_t)((as ? (int32_t)(int8_t)p : p) * (bs ? (int32_t)(int8_t)q : q));
  }
  return c;
}

/* a table */
/* clang-format off */
#define EACH_UNSIGNED2(X, id, key, sig, expr)                                                        \
  X##2(id##_u16, key, sig, T_U16, u16, u16, u16, expr)X##2(id##_u32, key, sig, T_U32, u32, u32, u32, \
                                                           expr)X##2(id##_u64, key, sig, T_U64, u64, u64, u64, expr)
#define EACH_SIGNED2(X, id, key, sig, expr)                                                          \
  X##2(id##_s16, key, sig, T_S16, s16, s16, s16, expr)X##2(id##_s32, key, sig, T_S32, s32, s32, s32, \
                                                           expr)X##2(id##_s64, key, sig, T_S64, s64, s64, s64, expr)
#define EACH_INT2(X, id, key, sig, expr) EACH_UNSIGNED2(X, id, key, sig, expr) EACH_SIGNED2(X, id, key, sig, expr)
#define EACH_UNSIGNED3(X, id, key, sig, expr)                    \
  X##3(id##_u16, key, sig, T_U16, u16, u16, u16, u16, expr)X##3( \
    id##_u32, key, sig, T_U32, u32, u32, u32, u32, expr)X##3(id##_u64, key, sig, T_U64, u64, u64, u64, u64, expr)
#define EACH_SIGNED3(X, id, key, sig, expr)                      \
  X##3(id##_s16, key, sig, T_S16, s16, s16, s16, s16, expr)X##3( \
    id##_s32, key, sig, T_S32, s32, s32, s32, s32, expr)X##3(id##_s64, key, sig, T_S64, s64, s64, s64, s64, expr)
#define EACH_INT3(X, id, key, sig, expr) EACH_UNSIGNED3(X, id, key, sig, expr) EACH_SIGNED3(X, id, key, sig, expr)

/* A quotient that would trap on the host never reaches the division. */
#define DIV_U(x, y) ((y) == 0 ? ~(x) | (x) : (x) / (y))
#define REM_U(x, y) ((y) == 0 ? (x) : (x) % (y))
#define DIV_S(x, y) ((y) == 0 ? -1 : (y) == -1 ? (int64_t)(0 - (uint64_t)(int64_t)(x)) : (x) / (y))
#define REM_S(x, y) ((y) == 0 ? (x) : (y) == -1 ? 0 : (x) % (y))

#define INT_LIST(X) \
  EACH_INT2(X, add, "add", "ttt", ux + uy) \
  EACH_INT2(X, sub, "sub", "ttt", ux - uy) \
  EACH_INT2(X, mul_lo, "mul.lo", "ttt", ux *uy) \
  EACH_INT3(X, mad_lo, "mad.lo", "tttt", ux *uy + uz) \
  EACH_UNSIGNED2(X, div, "div", "ttt", DIV_U(x, y)) \
  EACH_UNSIGNED2(X, rem, "rem", "ttt", REM_U(x, y)) \
  EACH_SIGNED2(X, div, "div", "ttt", DIV_S(x, y)) \
  EACH_SIGNED2(X, rem, "rem", "ttt", REM_S(x, y)) \
  EACH_INT2(X, min, "min", "ttt", x < y ? x : y) \
  EACH_INT2(X, max, "max", "ttt", x > y ? x : y) \
  EACH_INT3(X, sad, "sad", "tttt", (x > y ? ux - uy : uy - ux) + uz) X##1(abs_s16, "abs", "tt", T_S16, s16, s16, x < 0 ? 0 - ux : ux) X##1(abs_s32, "abs", "tt", T_S32, s32, s32, x < 0 ? 0 - ux : ux) X##1( abs_s64, "abs", "tt", T_S64, s64, s64, x < 0 ? 0 - ux : ux) X##1(neg_s16, "neg", "tt", T_S16, s16, s16, 0 - ux) X##1(neg_s32, "neg", "tt", T_S32, s32, s32, 0 - ux) X##1(neg_s64, "neg", "tt", T_S64, s64, s64, 0 - ux) X##2(mul_hi_u16, "mul.hi", "ttt", T_U16, u16, u16, u16, ux * uy >> 16) X##2(mul_hi_s16, "mul.hi", "ttt", T_S16, s16, s16, s16, (int32_t)x * y >> 16) X##2(mul_hi_u32, "mul.hi", "ttt", T_U32, u32, u32, u32, (uint64_t)x * y >> 32) X##2(mul_hi_s32, "mul.hi", "ttt", T_S32, s32, s32, s32, (int64_t)x * y >> 32) X##2(mul_hi_u64, "mul.hi", "ttt", T_U64, u64, u64, u64, mulhi_u64(x, y))X##2( mul_hi_s64, "mul.hi", "ttt", T_S64, s64, s64, s64, mulhi_s64(x, y))X##3(mad_hi_u16, "mad.hi", "tttt", T_U16, u16, u16, u16, u16, (ux * uy >> 16) + uz) X##3(mad_hi_s16, "mad.hi", "tttt", T_S16, s16, s16, s16, s16, ((int32_t)x * y >> 16) + z) X##3(mad_hi_u32, "mad.hi", "tttt", T_U32, u32, u32, u32, u32, (uint32_t)((uint64_t)x * y >> 32) + uz) X##3(mad_hi_s32, "mad.hi", "tttt", T_S32, s32, s32, s32, s32, (uint32_t)((int64_t)x * y >> 32) + uz) X##3(mad_hi_u64, "mad.hi", "tttt", T_U64, u64, u64, u64, u64, mulhi_u64(x, y) + uz) X##3(mad_hi_s64, "mad.hi", "tttt", T_S64, s64, s64, s64, s64, mulhi_s64(x, y) + uz) X##2(mul_wide_u16, "mul.wide", "wtt", T_U16, u32, u16, u16, ux * uy) X##2(mul_wide_s16, "mul.wide", "wtt", T_S16, s32, s16, s16, (int32_t)x * y) X##2(mul_wide_u32, "mul.wide", "wtt", T_U32, u64, u32, u32, (uint64_t)x * y) X##2(mul_wide_s32, "mul.wide", "wtt", T_S32, s64, s32, s32, (int64_t)x * y) X##3(mad_wide_u16, "mad.wide", "wttw", T_U16, u32, u16, u16, u32, ux * uy + uz) X##3(mad_wide_s16, "mad.wide", "wttw", T_S16, s32, s16, s16, s32, (uint32_t)((int32_t)x * y) + uz) X##3(mad_wide_u32, "mad.wide", "wttw", T_U32, u64, u32, u32, u64, (uint64_t)x * y + uz) X##3(mad_wide_s32, "mad.wide", "wttw", T_S32, s64, s32, s32, s64, (uint64_t)((int64_t)x * y) + uz) X##2(add_sat_s32, "add.sat", "ttt", T_S32, s32, s32, s32, saturate_s32((int64_t)x + y)) X##2(sub_sat_s32, "sub.sat", "ttt", T_S32, s32, s32, s32, saturate_s32((int64_t)x - y)) X##2(mul24_lo_u32, "mul24.lo", "ttt", T_U32, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff)) X##2(mul24_lo_s32, "mul24.lo", "ttt", T_S32, s32, s32, s32, (uint32_t)signed24(ux) * (uint32_t)signed24(uy)) X##3(mad24_lo_u32, "mad24.lo", "tttt", T_U32, u32, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff) + z) X##3(mad24_lo_s32, "mad24.lo", "tttt", T_S32, s32, s32, s32, s32, (uint32_t)signed24(ux) * (uint32_t)signed24(uy) + uz) X##3(dp4a_uu, "dp4a.u32", "tttt", T_U32, u32, u32, u32, u32, dp4a(x, y, z, false, false))X##3(dp4a_us, "dp4a.u32", "tttt", T_S32, u32, u32, u32, u32, dp4a(x, y, z, false, true)) X##3(dp4a_su, "dp4a.s32", "tttt", T_U32, u32, u32, u32, u32, dp4a(x, y, z, true, false))X##3(dp4a_ss, "dp4a.s32", "tttt", T_S32, u32, u32, u32, u32, dp4a(x, y, z, true, true))
/* clang-format on */

INT_LIST(DEFINE)
/* a table */
/* clang-format off */
const struct ptx_handler ptx_int_handlers[] = {INT_LIST(ROW){0}};
/* clang-format on */
