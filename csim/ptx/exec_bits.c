/* SPDX-License-Identifier: Apache-2.0 */
/* Logic, shifts, bit fields, byte permutation. */
#include "ptx/lane_loop.h"

INLINE uint32_t reverse32(uint32_t v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(v);
}
INLINE uint64_t reverse64(uint64_t v) {
  return (uint64_t)reverse32((uint32_t)v) << 32 | reverse32((uint32_t)(v >> 32));
}
INLINE uint32_t clz32(uint32_t v) { return v ? (uint32_t)__builtin_clz(v) : 32; }
INLINE uint32_t clz64(uint64_t v) { return v ? (uint32_t)__builtin_clzll(v) : 64; }

/* Position of the highest bit that is not a sign bit; UINT32_MAX if there is none. */
INLINE uint32_t find32(uint32_t v, bool shift) { return v == 0 ? UINT32_MAX : shift ? clz32(v) : 31 - clz32(v); }
INLINE uint32_t find64(uint64_t v, bool shift) { return v == 0 ? UINT32_MAX : shift ? clz64(v) : 63 - clz64(v); }

INLINE uint32_t popc32(uint32_t v) {
  v = v - (v >> 1 & 0x55555555u);
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* Bit field of `length` bits from `position`; bits beyond the register repeat the sign (or zero). */
INLINE uint64_t extract(uint64_t v, uint32_t position, uint32_t length, uint32_t width, bool is_signed) {
  position &= 0xff;
  length &= 0xff;
  uint64_t sign =
    is_signed && length ? v >> (position + length - 1 < width - 1 ? position + length - 1 : width - 1) & 1 : 0;
  uint64_t filler = sign ? UINT64_MAX : 0;
  uint64_t field = position >= width ? filler : v >> position;
  uint32_t held = position >= width ? 0 : width - position;
  uint32_t kept = length < held ? length : held;
  uint64_t low = kept >= 64 ? UINT64_MAX : (UINT64_C(1) << kept) - 1;
  return (field & low) | (filler & ~low);
}

INLINE uint64_t insert(uint64_t from, uint64_t into, uint32_t position, uint32_t length, uint32_t width) {
  position &= 0xff;
  length &= 0xff;
  if (position >= width || length == 0) return into;
  uint64_t low = length >= 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1;
  return (into & ~(low << position)) | (from & low) << position;
}

INLINE uint32_t funnel_left(uint32_t lo, uint32_t hi, uint32_t n) { /* n: 0..32 */
  return (uint32_t)(((uint64_t)hi << 32 | lo) << n >> 32);
}
INLINE uint32_t funnel_right(uint32_t lo, uint32_t hi, uint32_t n) {
  return (uint32_t)(((uint64_t)hi << 32 | lo) >> n);
}

/* Any function of three bits: lut bit (a<<2 | b<<1 | c). */
INLINE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t lut) {
  uint32_t r = 0;
  r |= (0 - (lut & 1)) & ~a & ~b & ~c;
  r |= (0 - (lut >> 1 & 1)) & ~a & ~b & c;
  r |= (0 - (lut >> 2 & 1)) & ~a & b & ~c;
  r |= (0 - (lut >> 3 & 1)) & ~a & b & c;
  r |= (0 - (lut >> 4 & 1)) & a & ~b & ~c;
  r |= (0 - (lut >> 5 & 1)) & a & ~b & c;
  r |= (0 - (lut >> 6 & 1)) & a & b & ~c;
  r |= (0 - (lut >> 7 & 1)) & a & b & c;
  return r;
}

/* prmt: result byte i is byte `selector[i]` of {b,a}; bit 3 of a selector repeats that byte's sign. */
INLINE uint32_t select_bytes(uint32_t a, uint32_t b, uint32_t selectors) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t r = 0;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t s = selectors >> (4 * i) & 15, byte = (uint32_t)(bytes >> (8 * (s & 7))) & 0xff;
    if (s & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * i);
  }
  return r;
}
INLINE uint32_t mode_selectors(char mode, uint32_t c) {
  static const uint16_t forward[4] = {0x3210, 0x4321, 0x5432, 0x6543}, backward[4] = {0x5670, 0x6701, 0x7012, 0x0123},
                        clamp_left[4] = {0x3210, 0x3211, 0x3222, 0x3333},
                        clamp_right[4] = {0x0000, 0x1110, 0x2210, 0x3210}, twin[4] = {0x1010, 0x3232, 0x1010, 0x3232};
  c &= 3;
  switch (mode) {
    case 'f': return forward[c];
    case 'b': return backward[c];
    case '8': return 0x1111u * c;
    case 'l': return clamp_left[c];
    case 'r': return clamp_right[c];
    default: return twin[c];
  }
}

/* bmsk: `n` ones from bit `p`; bits beyond the register are lost. clamp: as they are; wrap: modulo 32 (n = 0: none) */
INLINE uint32_t ones(uint32_t p, uint32_t n, bool wrap) {
  if (wrap) p &= 31, n &= 31;
  return p > 31 || n == 0 ? 0 : (n > 31 ? UINT32_MAX : (1u << n) - 1) << p;
}
/* szext: the low `n` bits, extended by zeros or the sign */
INLINE uint32_t extend(uint32_t v, uint32_t n, bool wrap, bool is_signed) {
  if (wrap) n &= 31;
  if (n > 31) return v;
  if (n == 0) return 0;
  uint32_t low = v & ((1u << n) - 1);
  return is_signed && v >> (n - 1) & 1 ? low | UINT32_MAX << n : low;
}
/* fns: the n-th set bit from `base` upwards (n > 0, the base counted), downwards (n < 0), or the base itself (n = 0) */
INLINE uint32_t nth_set(uint32_t mask, uint32_t base, int32_t n) {
  if (base > 31) return UINT32_MAX;
  if (n == 0) return mask >> base & 1 ? base : UINT32_MAX;
  uint32_t left = n < 0 ? 0 - (uint32_t)n : (uint32_t)n;
  for (uint32_t at = base; at < 32; at = n < 0 ? at - 1 : at + 1)
    if (mask >> at & 1 && --left == 0) return at;
  return UINT32_MAX;
}

/* a table */
/* clang-format off */
#define EACH_BITS2(X, id, key, expr)                                                                                \
  X##2(id##_b16, key, "ttt", T_B16, u16, u16, u16, expr) \
  X##2(id##_b32, key, "ttt", T_B32, u32, u32, u32, expr) \
  X##2( \
    id##_b64, key, "ttt", T_B64, u64, u64, u64, expr)
#define EACH_BITS1(X, id, key, expr)                                                         \
  X##1(id##_b16, key, "tt", T_B16, u16, u16, expr) \
  X##1(id##_b32, key, "tt", T_B32, u32, u32, \
  expr)X##1(id##_b64, key, "tt", T_B64, u64, u64, expr)
#define SHR(X, id, t, width) X##2(shr_##t, "shr", "ttu", TYPE_##t, t, t, u32, x >> (y < width ? y : width - 1))

#define BITS_LIST(X) \
  EACH_BITS2(X, and, "and", ux & uy) \
  EACH_BITS2(X, or, "or", ux | uy) \
  EACH_BITS2(X, xor, "xor", ux ^ uy) \
  EACH_BITS1(X, not, "not", ~ux) \
  EACH_BITS1(X, cnot, "cnot", ux == 0) \
  X##2(shl_b16, "shl", "ttu", T_B16, u16, u16, u32, y < 16 ? ux << (y & 15) : 0) \
  X##2(shl_b32, "shl", "ttu", T_B32, u32, u32, u32, y < 32 ? ux << (y & 31) : 0) \
  X##2(shl_b64, "shl", "ttu", T_B64, u64, u64, u32, y < 64 ? ux << (y & 63) : 0) \
  X##2(shr_u16, "shr", "ttu", T_U16, u16, u16, u32, y < 16 ? ux >> (y & 15) : 0) \
  X##2(shr_u32, "shr", "ttu", T_U32, u32, u32, u32, y < 32 ? ux >> (y & 31) : 0) \
  X##2(shr_u64, "shr", "ttu", T_U64, u64, u64, u32, y < 64 ? ux >> (y & 63) : 0) \
  X##2(shr_b16, "shr", "ttu", T_B16, u16, u16, u32, y < 16 ? ux >> (y & 15) : 0) \
  X##2(shr_b32, "shr", "ttu", T_B32, u32, u32, u32, y < 32 ? ux >> (y & 31) : 0) \
  X##2(shr_b64, "shr", "ttu", T_B64, u64, u64, u32, y < 64 ? ux >> (y & 63) : 0) \
  SHR(X, shr, s16, 16) \
  SHR(X, shr, s32, 32) \
  SHR(X, shr, s64, 64) \
  X##3(shf_l_wrap, "shf.l.wrap", "tttu", T_B32, u32, u32, u32, u32, funnel_left(x, y, z & 31)) \
  X##3(shf_r_wrap, "shf.r.wrap", "tttu", T_B32, u32, u32, u32, u32, funnel_right(x, y, z & 31)) \
  X##3(shf_l_clamp, "shf.l.clamp", "tttu", T_B32, u32, u32, u32, u32, funnel_left(x, y, z < 32 ? z : 32)) \
  X##3(shf_r_clamp, "shf.r.clamp", "tttu", T_B32, u32, u32, u32, u32, funnel_right(x, y, z < 32 ? z : 32)) \
  X##4(lop3_b32, "lop3", "ttttu", T_B32, u32, u32, u32, u32, u32, lop3(x, y, z, v)) \
  X##3(prmt, "prmt", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, z)) \
  X##3(prmt_f4e, "prmt.f4e", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, mode_selectors('f', z))) \
  X##3(prmt_b4e, "prmt.b4e", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, mode_selectors('b', z))) \
  X##3(prmt_rc8, "prmt.rc8", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, mode_selectors('8', z))) \
  X##3(prmt_ecl, "prmt.ecl", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, mode_selectors('l', z))) \
  X##3(prmt_ecr, "prmt.ecr", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, mode_selectors('r', z))) \
  X##3(prmt_rc16, "prmt.rc16", "tttu", T_B32, u32, u32, u32, u32, select_bytes(x, y, mode_selectors('6', z))) \
  X##3(bfe_u32, "bfe", "ttuu", T_U32, u32, u32, u32, u32, extract(x, y, z, 32, false)) \
  X##3(bfe_u64, "bfe", "ttuu", T_U64, u64, u64, u32, u32, extract(x, y, z, 64, false)) \
  X##3(bfe_s32, "bfe", "ttuu", T_S32, s32, s32, u32, u32, extract(ux, y, z, 32, true)) \
  X##3(bfe_s64, "bfe", "ttuu", T_S64, s64, s64, u32, u32, extract(ux, y, z, 64, true)) \
  X##4(bfi_b32, "bfi", "tttuu", T_B32, u32, u32, u32, u32, u32, insert(x, y, z, v, 32)) \
  X##4(bfi_b64, "bfi", "tttuu", T_B64, u64, u64, u64, u32, u32, insert(x, y, z, v, 64)) \
  X##1(bfind_u32, "bfind", "ut", T_U32, u32, u32, find32(x, false)) \
  X##1(bfind_s32, "bfind", "ut", T_S32, u32, s32, find32(x < 0 ? ~ux : ux, false)) \
  X##1(bfind_u64, "bfind", "ut", T_U64, u32, u64, find64(x, false)) \
  X##1(bfind_s64, "bfind", "ut", T_S64, u32, s64, find64(x < 0 ? ~ux : ux, false)) \
  X##1(bfind_shift_u32, "bfind.shiftamt", "ut", T_U32, u32, u32, find32(x, true)) \
  X##1(bfind_shift_s32, "bfind.shiftamt", "ut", T_S32, u32, s32, find32(x < 0 ? ~ux : ux, true)) \
  X##1(bfind_shift_u64, "bfind.shiftamt", "ut", T_U64, u32, u64, find64(x, true)) \
  X##1(bfind_shift_s64, "bfind.shiftamt", "ut", T_S64, u32, s64, find64(x < 0 ? ~ux : ux, true)) \
  X##1(brev_b32, "brev", "tt", T_B32, u32, u32, reverse32(x)) \
  X##1(brev_b64, "brev", "tt", T_B64, u64, u64, reverse64(x)) \
  X##1(clz_b32, "clz", "ut", T_B32, u32, u32, clz32(x)) \
  X##1(clz_b64, "clz", "ut", T_B64, u32, u64, clz64(x)) \
  X##1(popc_b32, "popc", "ut", T_B32, u32, u32, popc32(x)) \
  X##1(popc_b64, "popc", "ut", T_B64, u32, u64, popc32((uint32_t)x) + popc32((uint32_t)(x >> 32))) \
  X##2(bmsk_clamp, "bmsk.clamp", "ttt", T_B32, u32, u32, u32, ones(x, y, false)) \
  X##2(bmsk_wrap, "bmsk.wrap", "ttt", T_B32, u32, u32, u32, ones(x, y, true)) \
  X##2(szext_clamp_u32, "szext.clamp", "ttt", T_U32, u32, u32, u32, extend(x, y, false, false)) \
  X##2(szext_clamp_s32, "szext.clamp", "ttt", T_S32, u32, u32, u32, extend(x, y, false, true)) \
  X##2(szext_wrap_u32, "szext.wrap", "ttt", T_U32, u32, u32, u32, extend(x, y, true, false)) \
  X##2(szext_wrap_s32, "szext.wrap", "ttt", T_S32, u32, u32, u32, extend(x, y, true, true)) \
  X##3(fns_b32, "fns", "tttt", T_B32, u32, u32, u32, s32, nth_set(x, y, z))
/* clang-format on */

BITS_LIST(DEFINE)

/* lop3.BoolOp d|p, a, b, c, table, q: p is (d != 0) combined with q. */
static void lop3_bool(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *a = ptx_src(op, w, 0), *b = ptx_src(op, w, 1), *c = ptx_src(op, w, 2), *table = ptx_src(op, w, 3);
  uint32_t scratch[WARP_LANES], some = 0, q = ptx_predicate(op, w, 4);
  EACH_LANE scratch[l] = lop3(a[l], b[l], c[l], table[l]);
  for (uint32_t l = 0; l < WARP_LANES; l++) some |= (uint32_t)(scratch[l] != 0) << l;
  some = op->compare.combine == COMBINE_AND ? some & q : some | q;
  ptx_blend32(ptx_dst(op, w, 0), scratch, mask);
  lane32 *p = ptx_dst(op, w, 1);
  *p = (*p & ~mask) | (some & mask);
}

/* a table */
/* clang-format off */
const struct ptx_handler ptx_bit_handlers[] = {
  BITS_LIST(ROW)
  {"lop3.or", T_B32, "ttttup", lop3_bool, lop3_bool},
  {"lop3.and", T_B32, "ttttup", lop3_bool, lop3_bool},
  {0}};
/* clang-format on */
