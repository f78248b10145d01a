/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic. Division by zero gives all ones, a remainder by zero the dividend, INT_MIN / -1 INT_MIN
 * (assumption: the ISA leaves them open). */
#include "ptx/lane_loop.h"

typedef unsigned __int128 wide128;
typedef __int128 signed128;

INLINE uint64_t mulhi_u64(uint64_t a, uint64_t b) { return (uint64_t)((wide128)a * b >> 64); }
INLINE uint64_t mulhi_s64(int64_t a, int64_t b) { return (uint64_t)((signed128)a * b >> 64); }

INLINE int32_t saturate_s32(int64_t v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v; }
INLINE int32_t signed24(uint32_t v) { return (int32_t)(v << 8) >> 8; }
/* bits 47:16 of the product */
INLINE int64_t high24(uint32_t a, uint32_t b) { return (int32_t)((int64_t)signed24(a) * signed24(b) >> 16); }

/* dp4a: four products of bytes; `as`, `bs`: whether that operand is signed */
INLINE uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c, bool as, bool bs) {
  for (int i = 0; i < 32; i += 8) {
    uint8_t p = (uint8_t)(a >> i), q = (uint8_t)(b >> i);
    c += (uint32_t)((as ? (int32_t)(int8_t)p : p) * (bs ? (int32_t)(int8_t)q : q));
  }
  return c;
}

/* dp2a: two products of a's 16-bit halves and the lower (shift 0) or upper (16) two bytes of b */
INLINE uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c, bool as, bool bs, uint32_t shift) {
  for (uint32_t i = 0; i < 2; i++) {
    uint16_t p = (uint16_t)(a >> (16 * i));
    uint8_t q = (uint8_t)(b >> (shift + 8 * i));
    c += (uint32_t)((as ? (int32_t)(int16_t)p : p) * (bs ? (int32_t)(int8_t)q : q));
  }
  return c;
}

/* Two 16-bit values a register. */
INLINE uint32_t twins(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }
INLINE int32_t low_s16(uint32_t v) { return (int16_t)(v & 0xffff); }
INLINE int32_t high_s16(uint32_t v) { return (int16_t)(v >> 16); }
INLINE int32_t less(int32_t a, int32_t b) { return a < b ? a : b; }
INLINE int32_t more(int32_t a, int32_t b) { return a > b ? a : b; }
INLINE uint32_t add_twins(uint32_t a, uint32_t b) { return twins(a + b, (a >> 16) + (b >> 16)); }
INLINE uint32_t clip_s16(int32_t v) { return (uint32_t)less(more(v, INT16_MIN), INT16_MAX); }
INLINE uint32_t clip_u16(uint32_t v) { return v > 0xffff ? 0xffff : v; }

/* Sums of absolute differences of the four bytes, and those differences. */
INLINE uint32_t byte_of(uint32_t v, uint32_t i) { return v >> (8 * i) & 0xff; }
INLINE uint32_t difference(uint32_t a, uint32_t b, uint32_t i) {
  uint32_t x = byte_of(a, i), y = byte_of(b, i);
  return x > y ? x - y : y - x;
}
INLINE uint32_t differences(uint32_t a, uint32_t b) {
  return difference(a, b, 0) | difference(a, b, 1) << 8 | difference(a, b, 2) << 16 | difference(a, b, 3) << 24;
}
INLINE uint32_t sum_of_differences(uint32_t a, uint32_t b) {
  return difference(a, b, 0) + difference(a, b, 1) + difference(a, b, 2) + difference(a, b, 3);
}

/* a table */
/* clang-format off */
#define EACH_UNSIGNED2(X, id, key, sig, expr)                                                        \
  X##2(id##_u16, key, sig, T_U16, u16, u16, u16, expr) \
  X##2(id##_u32, key, sig, T_U32, u32, u32, u32, \
  expr)X##2(id##_u64, key, sig, T_U64, u64, u64, u64, expr)
#define EACH_SIGNED2(X, id, key, sig, expr)                                                          \
  X##2(id##_s16, key, sig, T_S16, s16, s16, s16, expr) \
  X##2(id##_s32, key, sig, T_S32, s32, s32, s32, \
  expr)X##2(id##_s64, key, sig, T_S64, s64, s64, s64, expr)
#define EACH_INT2(X, id, key, sig, expr) EACH_UNSIGNED2(X, id, key, sig, expr) EACH_SIGNED2(X, id, key, sig, expr)
#define EACH_UNSIGNED3(X, id, key, sig, expr)                    \
  X##3(id##_u16, key, sig, T_U16, u16, u16, u16, u16, expr) \
  X##3( \
  id##_u32, key, sig, T_U32, u32, u32, u32, u32, expr)X##3(id##_u64, key, sig, T_U64, u64, u64, u64, u64, expr)
#define EACH_SIGNED3(X, id, key, sig, expr)                      \
  X##3(id##_s16, key, sig, T_S16, s16, s16, s16, s16, expr) \
  X##3( \
  id##_s32, key, sig, T_S32, s32, s32, s32, s32, expr)X##3(id##_s64, key, sig, T_S64, s64, s64, s64, s64, expr)
#define EACH_INT3(X, id, key, sig, expr) EACH_UNSIGNED3(X, id, key, sig, expr) EACH_SIGNED3(X, id, key, sig, expr)

/* The host must not execute a division that would trap. */
#define DIV_U(x, y) ((y) == 0 ? ~(x) | (x) : (x) / (y))
#define REM_U(x, y) ((y) == 0 ? (x) : (x) % (y))
#define DIV_S(x, y) ((y) == 0 ? -1 : (y) == -1 ? (int64_t)(0 - (uint64_t)(int64_t)(x)) : (x) / (y))
#define REM_S(x, y) ((y) == 0 ? (x) : (y) == -1 ? 0 : (x) % (y))

#define INT_LIST(X) \
  EACH_INT2(X, add, "add", "ttt", ux + uy) \
  EACH_INT2(X, sub, "sub", "ttt", ux - uy) \
  EACH_INT2(X, mul_lo, "mul.lo", "ttt", ux * uy) \
  EACH_INT3(X, mad_lo, "mad.lo", "tttt", ux * uy + uz) \
  EACH_UNSIGNED2(X, div, "div", "ttt", DIV_U(x, y)) \
  EACH_UNSIGNED2(X, rem, "rem", "ttt", REM_U(x, y)) \
  EACH_SIGNED2(X, div, "div", "ttt", DIV_S(x, y)) \
  EACH_SIGNED2(X, rem, "rem", "ttt", REM_S(x, y)) \
  EACH_INT2(X, min, "min", "ttt", x < y ? x : y) \
  EACH_INT2(X, max, "max", "ttt", x > y ? x : y) \
  EACH_INT3(X, sad, "sad", "tttt", (x > y ? ux - uy : uy - ux) + uz) \
  X##1(abs_s16, "abs", "tt", T_S16, s16, s16, x < 0 ? 0 - ux : ux) \
  X##1(abs_s32, "abs", "tt", T_S32, s32, s32, x < 0 ? 0 - ux : ux) \
  X##1(abs_s64, "abs", "tt", T_S64, s64, s64, x < 0 ? 0 - ux : ux) \
  X##1(neg_s16, "neg", "tt", T_S16, s16, s16, 0 - ux) \
  X##1(neg_s32, "neg", "tt", T_S32, s32, s32, 0 - ux) \
  X##1(neg_s64, "neg", "tt", T_S64, s64, s64, 0 - ux) \
  X##2(mul_hi_u16, "mul.hi", "ttt", T_U16, u16, u16, u16, ux * uy >> 16) \
  X##2(mul_hi_s16, "mul.hi", "ttt", T_S16, s16, s16, s16, (int32_t)x * y >> 16) \
  X##2(mul_hi_u32, "mul.hi", "ttt", T_U32, u32, u32, u32, (uint64_t)x * y >> 32) \
  X##2(mul_hi_s32, "mul.hi", "ttt", T_S32, s32, s32, s32, (int64_t)x * y >> 32) \
  X##2(mul_hi_u64, "mul.hi", "ttt", T_U64, u64, u64, u64, mulhi_u64(x, y)) \
  X##2(mul_hi_s64, "mul.hi", "ttt", T_S64, s64, s64, s64, mulhi_s64(x, y)) \
  X##3(mad_hi_u16, "mad.hi", "tttt", T_U16, u16, u16, u16, u16, (ux * uy >> 16) + uz) \
  X##3(mad_hi_s16, "mad.hi", "tttt", T_S16, s16, s16, s16, s16, ((int32_t)x * y >> 16) + z) \
  X##3(mad_hi_u32, "mad.hi", "tttt", T_U32, u32, u32, u32, u32, (uint32_t)((uint64_t)x * y >> 32) + uz) \
  X##3(mad_hi_s32, "mad.hi", "tttt", T_S32, s32, s32, s32, s32, (uint32_t)((int64_t)x * y >> 32) + uz) \
  X##3(mad_hi_u64, "mad.hi", "tttt", T_U64, u64, u64, u64, u64, mulhi_u64(x, y) + uz) \
  X##3(mad_hi_s64, "mad.hi", "tttt", T_S64, s64, s64, s64, s64, mulhi_s64(x, y) + uz) \
  X##2(mul_wide_u16, "mul.wide", "wtt", T_U16, u32, u16, u16, ux * uy) \
  X##2(mul_wide_s16, "mul.wide", "wtt", T_S16, s32, s16, s16, (int32_t)x * y) \
  X##2(mul_wide_u32, "mul.wide", "wtt", T_U32, u64, u32, u32, (uint64_t)x * y) \
  X##2(mul_wide_s32, "mul.wide", "wtt", T_S32, s64, s32, s32, (int64_t)x * y) \
  X##3(mad_wide_u16, "mad.wide", "wttw", T_U16, u32, u16, u16, u32, ux * uy + uz) \
  X##3(mad_wide_s16, "mad.wide", "wttw", T_S16, s32, s16, s16, s32, (uint32_t)((int32_t)x * y) + uz) \
  X##3(mad_wide_u32, "mad.wide", "wttw", T_U32, u64, u32, u32, u64, (uint64_t)x * y + uz) \
  X##3(mad_wide_s32, "mad.wide", "wttw", T_S32, s64, s32, s32, s64, (uint64_t)((int64_t)x * y) + uz) \
  X##2(add_sat_s32, "add.sat", "ttt", T_S32, s32, s32, s32, saturate_s32((int64_t)x + y)) \
  X##2(sub_sat_s32, "sub.sat", "ttt", T_S32, s32, s32, s32, saturate_s32((int64_t)x - y)) \
  X##2(mul24_lo_u32, "mul24.lo", "ttt", T_U32, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff)) \
  X##2(mul24_lo_s32, "mul24.lo", "ttt", T_S32, s32, s32, s32, (uint32_t)signed24(ux) * (uint32_t)signed24(uy)) \
  X##3(mad24_lo_u32, "mad24.lo", "tttt", T_U32, u32, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff) + z) \
  X##3(mad24_lo_s32, "mad24.lo", "tttt", T_S32, s32, s32, s32, s32, (uint32_t)signed24(ux) * (uint32_t)signed24(uy) + uz) \
  X##3(dp4a_uu, "dp4a.u32", "tttt", T_U32, u32, u32, u32, u32, dp4a(x, y, z, false, false)) \
  X##3(dp4a_us, "dp4a.u32", "tttt", T_S32, u32, u32, u32, u32, dp4a(x, y, z, false, true)) \
  X##3(dp4a_su, "dp4a.s32", "tttt", T_U32, u32, u32, u32, u32, dp4a(x, y, z, true, false)) \
  X##3(dp4a_ss, "dp4a.s32", "tttt", T_S32, u32, u32, u32, u32, dp4a(x, y, z, true, true)) \
  DP2A(X, lo, 0) \
  DP2A(X, hi, 16) \
  X##2(mul24_hi_u32, "mul24.hi", "ttt", T_U32, u32, u32, u32, (uint64_t)(x & 0xffffff) * (y & 0xffffff) >> 16) \
  X##2(mul24_hi_s32, "mul24.hi", "ttt", T_S32, s32, s32, s32, high24(ux, uy)) \
  X##3(mad24_hi_u32, "mad24.hi", "tttt", T_U32, u32, u32, u32, u32, (uint32_t)((uint64_t)(x & 0xffffff) * (y & 0xffffff) >> 16) + z) \
  X##3(mad24_hi_s32, "mad24.hi", "tttt", T_S32, s32, s32, s32, s32, (uint32_t)high24(ux, uy) + uz) \
  X##3(mad24_sat_s32, "mad24.hi.sat", "tttt", T_S32, s32, s32, s32, s32, saturate_s32(high24(ux, uy) + z)) \
  X##3(mad_sat_s32, "mad.hi.sat", "tttt", T_S32, s32, s32, s32, s32, saturate_s32(((int64_t)x * y >> 32) + z)) \
  X##2(min_relu_s32, "min.relu", "ttt", T_S32, s32, s32, s32, more(less(x, y), 0)) \
  X##2(max_relu_s32, "max.relu", "ttt", T_S32, s32, s32, s32, more(more(x, y), 0)) \
  X##2(add_u16x2, "add", "ttt", T_U16X2, u32, u32, u32, add_twins(x, y)) \
  X##2(add_s16x2, "add", "ttt", T_S16X2, u32, u32, u32, add_twins(x, y)) \
  X##2(add_sat_u16x2, "add.sat", "ttt", T_U16X2, u32, u32, u32, twins(clip_u16((x & 0xffff) + (y & 0xffff)), clip_u16((x >> 16) + (y >> 16)))) \
  X##2(add_sat_s16x2, "add.sat", "ttt", T_S16X2, u32, u32, u32, twins(clip_s16(low_s16(x) + low_s16(y)), clip_s16(high_s16(x) + high_s16(y)))) \
  X##2(min_u16x2, "min", "ttt", T_U16X2, u32, u32, u32, twins((x & 0xffff) < (y & 0xffff) ? x : y, (x < y ? x : y) >> 16)) \
  X##2(max_u16x2, "max", "ttt", T_U16X2, u32, u32, u32, twins((x & 0xffff) > (y & 0xffff) ? x : y, (x > y ? x : y) >> 16)) \
  SIGNED_TWINS(X, min_s16x2, "min", less(low_s16(x), low_s16(y)), less(high_s16(x), high_s16(y))) \
  SIGNED_TWINS(X, max_s16x2, "max", more(low_s16(x), low_s16(y)), more(high_s16(x), high_s16(y))) \
  SIGNED_TWINS(X, min_relu_s16x2, "min.relu", more(less(low_s16(x), low_s16(y)), 0), more(less(high_s16(x), high_s16(y)), 0)) \
  SIGNED_TWINS(X, max_relu_s16x2, "max.relu", more(more(low_s16(x), low_s16(y)), 0), more(more(high_s16(x), high_s16(y)), 0)) \
  X##3(vabsdiff4, "vabsdiff4.u32", "tttt", T_U32, u32, u32, u32, u32, differences(x, y)) \
  X##3(vabsdiff4_add, "vabsdiff4.add.u32", "tttt", T_U32, u32, u32, u32, u32, sum_of_differences(x, y) + z)
#define DP2A(X, half, shift) \
  X##3(dp2a_##half##_uu, "dp2a." #half ".u32", "tttt", T_U32, u32, u32, u32, u32, dp2a(x, y, z, false, false, shift)) \
  X##3(dp2a_##half##_us, "dp2a." #half ".u32", "tttt", T_S32, u32, u32, u32, u32, dp2a(x, y, z, false, true, shift)) \
  X##3(dp2a_##half##_su, "dp2a." #half ".s32", "tttt", T_U32, u32, u32, u32, u32, dp2a(x, y, z, true, false, shift)) \
  X##3(dp2a_##half##_ss, "dp2a." #half ".s32", "tttt", T_S32, u32, u32, u32, u32, dp2a(x, y, z, true, true, shift))
#define SIGNED_TWINS(X, id, key, low, high) \
  X##2(id, key, "ttt", T_S16X2, u32, u32, u32, twins((uint32_t)(low), (uint32_t)(high)))
/* clang-format on */

INT_LIST(DEFINE)

/* ---- carry chains: one predicate row of the warp holds the carry ----
 * A subtraction is x + ~y + carry, as adders do it: its carry is 1 when nothing is borrowed. The PTX manual speaks of a borrow, but
 * nvcc's division of 128-bit integers reads the flag of subc.cc with addc, and only so does it divide. */

/* a table */
/* clang-format off */
/* The carry that goes out is written to a second destination, if there is one. */
#define CARRY(fn, lane, sum, bits, n, value)                                          \
  static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {        \
    const lane *a = ptx_src(op, w, 0), *b = ptx_src(op, w, 1), *c = (n) == 3 ? ptx_src(op, w, 2) : a; \
    const uint32_t in = op->arithmetic.carries ? *(const lane32 *)ptx_src(op, w, n) : 0;            \
    lane scratch[WARP_LANES];                                                         \
    uint32_t out = 0;                                                                 \
    for (uint32_t l = 0; l < WARP_LANES; l++) {                                       \
      const sum x = a[l], y = b[l], z = c[l], carry = in >> l & 1, r = (value);       \
      (void)z;                                                                        \
      scratch[l] = (lane)r;                                                           \
      out |= (uint32_t)(r >> (bits) & 1) << l;                                        \
    }                                                                                 \
    BLEND(ptx_dst(op, w, 0), scratch, mask);                                          \
    if (op->n_dst > 1) ptx_set_predicate(op, w, 1, mask, out);                        \
  }
CARRY(add_carry32, lane32, uint64_t, 32, 2, x + y + carry)
CARRY(sub_carry32, lane32, uint64_t, 32, 2, x + (uint32_t)~y + (op->arithmetic.carries ? carry : 1))
CARRY(mad_lo_carry32, lane32, uint64_t, 32, 3, (uint32_t)(x * y) + z + carry)
CARRY(mad_hi_carry_u32, lane32, uint64_t, 32, 3, (x * y >> 32) + z + carry)
CARRY(mad_hi_carry_s32, lane32, uint64_t, 32, 3, (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32) + z + carry)
CARRY(add_carry64, lane64, wide128, 64, 2, x + y + carry)
CARRY(sub_carry64, lane64, wide128, 64, 2, x + (uint64_t)~y + (op->arithmetic.carries ? carry : 1))
CARRY(mad_lo_carry64, lane64, wide128, 64, 3, (uint64_t)(x * y) + z + carry)
CARRY(mad_hi_carry_u64, lane64, wide128, 64, 3, (x * y >> 64) + z + carry)
CARRY(mad_hi_carry_s64, lane64, wide128, 64, 3, (wide128)mulhi_s64((int64_t)x, (int64_t)y) + z + carry)

/* Rows of add, sub and mad: name.cc makes a carry, namec takes one, namec.cc does both. */
#define CARRY_ROWS(name, part, sig, type, fn) \
  {name part ".cc", type, sig "o", fn, fn}, {name "c" part, type, sig "i", fn, fn}, {name "c" part ".cc", type, sig "oi", fn, fn},
#define CARRY_TYPES(name, part, sig, u32, s32, u64, s64) \
  CARRY_ROWS(name, part, sig, T_U32, u32) CARRY_ROWS(name, part, sig, T_S32, s32) \
  CARRY_ROWS(name, part, sig, T_U64, u64) CARRY_ROWS(name, part, sig, T_S64, s64)

const struct ptx_handler ptx_int_handlers[] = {
  INT_LIST(ROW)
  CARRY_TYPES("add", "", "ttt", add_carry32, add_carry32, add_carry64, add_carry64)
  CARRY_TYPES("sub", "", "ttt", sub_carry32, sub_carry32, sub_carry64, sub_carry64)
  CARRY_TYPES("mad", ".lo", "tttt", mad_lo_carry32, mad_lo_carry32, mad_lo_carry64, mad_lo_carry64)
  CARRY_TYPES("mad", ".hi", "tttt", mad_hi_carry_u32, mad_hi_carry_s32, mad_hi_carry_u64, mad_hi_carry_s64)
  {0}};
/* clang-format on */
