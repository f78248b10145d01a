/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic, bits, selections: rows and what the PTX ISA defines for them. */
#ifndef TANDEM_TEST_PTX_FORMS_INTEGER_H
#define TANDEM_TEST_PTX_FORMS_INTEGER_H

#include "kit/ptx_conformance.h"

typedef __int128 s128;

#define REFERENCE(name, expr)                                     \
  static uint64_t name(const struct form *f, const uint64_t *v) { \
    const uint64_t a = v[0], b = v[1], c = v[2], e = v[3];        \
    (void)f, (void)a, (void)b, (void)c, (void)e;                  \
    return (uint64_t)(expr);                                      \
  }

static s128 signed_of(uint64_t v, int bits) { return (s128)((u128)v << (128 - bits)) >> (128 - bits); }
/* As the form's type understands it; an unsigned 64-bit number fits. */
static s128 number(const struct form *f, uint64_t v) { return f->is_signed ? signed_of(v, f->bits) : (s128)v; }
static s128 clamp(s128 v, s128 least, s128 most) { return v < least ? least : v > most ? most : v; }
static s128 clamp32(s128 v) { return clamp(v, INT32_MIN, INT32_MAX); }
static s128 absolute(s128 v) { return v < 0 ? -v : v; }
static uint64_t high_half(const struct form *f, uint64_t a, uint64_t b) {
  return f->is_signed ? (uint64_t)((number(f, a) * number(f, b)) >> f->bits) : (uint64_t)(((u128)a * b) >> f->bits);
}

REFERENCE(i_add, a + b)
REFERENCE(i_sub, a - b)
REFERENCE(i_mul_lo, a *b)
REFERENCE(i_mul_hi, high_half(f, a, b))
REFERENCE(i_mul_wide, number(f, a) * number(f, b))
REFERENCE(i_mad_lo, a *b + c)
REFERENCE(i_mad_hi, high_half(f, a, b) + c)
REFERENCE(i_mad_wide, (u128)(number(f, a) * number(f, b)) + c)
REFERENCE(i_div, b ? number(f, a) / number(f, b) : -1)
REFERENCE(i_rem, b ? number(f, a) % number(f, b) : number(f, a))
REFERENCE(i_min, number(f, a) < number(f, b) ? a : b)
REFERENCE(i_max, number(f, a) > number(f, b) ? a : b)
REFERENCE(i_min_relu, clamp(number(f, i_min(f, v)), 0, INT32_MAX))
REFERENCE(i_max_relu, clamp(number(f, i_max(f, v)), 0, INT32_MAX))
REFERENCE(i_sad, (u128)absolute(number(f, a) - number(f, b)) + c)
REFERENCE(i_abs, absolute(number(f, a)))
REFERENCE(i_neg, -number(f, a))
REFERENCE(i_add_sat, clamp32(number(f, a) + number(f, b)))
REFERENCE(i_sub_sat, clamp32(number(f, a) - number(f, b)))
REFERENCE(i_mad_hi_sat, clamp32((number(f, a) * number(f, b) >> 32) + number(f, c)))
static s128 product24(const struct form *f, uint64_t a, uint64_t b) {
  return f->is_signed ? signed_of(a & 0xffffff, 24) * signed_of(b & 0xffffff, 24)
                      : (s128)(a & 0xffffff) * (s128)(b & 0xffffff);
}
REFERENCE(i_mul24, form_has(f, "hi") ? product24(f, a, b) >> 16 : product24(f, a, b))
REFERENCE(i_mad24, i_mul24(f, v) + c)
REFERENCE(i_mad24_sat, clamp32(signed_of((uint64_t)(product24(f, a, b) >> 16) & 0xffffffff, 32) + number(f, c)))

/* dp4a, dp2a: a's parts as the first type says, b's bytes as the last one does */
static uint64_t dot(const struct form *f, const uint64_t *v, int parts, int bits, int shift) {
  s128 sum = (s128)v[2];
  for (int i = 0; i < parts; i++) {
    uint64_t x = v[0] >> (i * bits) & ((1u << bits) - 1), y = v[1] >> (shift + i * 8) & 0xff;
    sum += (f->first[0] == 's' ? signed_of(x, bits) : (s128)x) * (f->type[0] == 's' ? signed_of(y, 8) : (s128)y);
  }
  return (uint64_t)sum;
}
REFERENCE(i_dp4a, dot(f, v, 4, 8, 0))
REFERENCE(i_dp2a, dot(f, v, 2, 16, form_has(f, "hi") ? 16 : 0))

static uint64_t twin_op(const struct form *f, uint64_t a, uint64_t b) {
  uint64_t r = 0;
  bool is_signed = f->type[0] == 's';
  for (int i = 0; i < 32; i += 16) {
    s128 x = is_signed ? signed_of(a >> i & 0xffff, 16) : (s128)(a >> i & 0xffff);
    s128 y = is_signed ? signed_of(b >> i & 0xffff, 16) : (s128)(b >> i & 0xffff);
    s128 z = f->opcode[0] == 'a' ? x + y : (f->opcode[1] == 'i') == (x < y) ? x : y;
    if (f->sat) z = clamp(z, is_signed ? INT16_MIN : 0, is_signed ? INT16_MAX : UINT16_MAX);
    if (f->relu && z < 0) z = 0;
    r |= ((uint64_t)z & 0xffff) << i;
  }
  return r;
}
REFERENCE(i_twins, twin_op(f, a, b))

static uint64_t byte_differences(const uint64_t *v, bool add) {
  uint64_t r = 0, sum = v[2];
  for (int i = 0; i < 32; i += 8) {
    uint64_t d = (uint64_t)absolute((s128)(v[0] >> i & 0xff) - (s128)(v[1] >> i & 0xff));
    r |= d << i;
    sum += d;
  }
  return add ? sum : r;
}
REFERENCE(i_vabsdiff4, byte_differences(v, form_has(f, "add")))

/* carry chains; `in` is what the last source being other than 0 made of the carry. A subtraction adds the complement, and without a
 * carry to take it adds 1. */
static u128 chained(const struct form *f, const uint64_t *v, uint64_t in) {
  u128 most = ((u128)1 << f->bits) - 1, carry = f->opcode[3] == 'c' && in ? 1 : 0;
  if (f->opcode[0] == 'a') return (u128)v[0] + v[1] + carry;
  if (f->opcode[0] == 's') return (u128)v[0] + (most - v[1]) + (f->opcode[3] == 'c' ? carry : 1);
  uint64_t product = form_has(f, "hi") ? high_half(f, v[0], v[1]) : v[0] * v[1];
  return (u128)(product & (uint64_t)most) + v[2] + carry;
}
REFERENCE(i_chain2, chained(f, v, c))
REFERENCE(i_chain2_out, chained(f, v, c) >> f->bits & 1)
REFERENCE(i_chain3, chained(f, v, e))
REFERENCE(i_chain3_out, chained(f, v, e) >> f->bits & 1)

/* ---- bits ---- */
REFERENCE(b_and, a &b)
REFERENCE(b_or, a | b)
REFERENCE(b_xor, a ^ b)
REFERENCE(b_not, ~a)
REFERENCE(b_cnot, a == 0)
REFERENCE(b_shl, b < (unsigned)f->bits ? a << b : 0)
REFERENCE(b_shr, number(f, a) >> (b < 64 ? b : 64))
static uint64_t funnel(const struct form *f, const uint64_t *v) {
  uint64_t n = form_has(f, "wrap") ? v[2] & 31 : v[2] < 32 ? v[2] : 32;
  u128 both = (u128)v[1] << 32 | v[0];
  return (uint64_t)(form_has(f, "l") ? both << n >> 32 : both >> n);
}
static uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t r = 0;
  for (int i = 0; i < 32; i++) r |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return r;
}
REFERENCE(b_lop3, logic3(a, b, c, e))
REFERENCE(b_lop3_fixed, logic3(a, b, c, 0x96))
REFERENCE(b_lop3_pred, form_has(f, "and") ? logic3(a, b, c, 0x80) && e : logic3(a, b, c, 0x80) || e)
REFERENCE(b_lop3_not, form_has(f, "and") ? logic3(a, b, c, 0x80) && !e : logic3(a, b, c, 0x80) || !e)
static uint64_t permute(const struct form *f, const uint64_t *v) {
  static const struct {
    const char *mode;
    uint16_t selectors[4];
  } modes[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
               {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
               {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  uint64_t s = v[2], r = 0;
  for (size_t i = 0; i < 6; i++)
    if (form_has(f, modes[i].mode)) s = modes[i].selectors[v[2] & 3];
  for (int i = 0; i < 4; i++) {
    uint64_t which = s >> (4 * i) & 15, byte = (which & 4 ? v[1] : v[0]) >> ((which & 3) * 8) & 0xff;
    r |= (which & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << (8 * i);
  }
  return r;
}
static uint64_t field(const struct form *f, const uint64_t *v) { /* bfe, bit by bit */
  int position = v[1] & 0xff, length = v[2] & 0xff, msb = f->bits - 1;
  uint64_t r = 0;
  bool sign = false;
  if (f->is_signed && length) sign = v[0] >> (position + length - 1 < msb ? position + length - 1 : msb) & 1;
  for (int i = 0; i <= msb; i++)
    r |= (uint64_t)(i < length && position + i <= msb ? v[0] >> (position + i) & 1 : sign) << i;
  return r;
}
static uint64_t field_insert(const struct form *f, const uint64_t *v) {
  uint64_t r = v[1];
  int position = v[2] & 0xff, length = v[3] & 0xff;
  for (int i = 0; i < length && position + i < f->bits; i++) {
    r &= ~(UINT64_C(1) << (position + i));
    r |= (v[0] >> i & 1) << (position + i);
  }
  return r;
}
static uint64_t find_bit(const struct form *f, const uint64_t *v) {
  uint64_t x = f->is_signed && v[0] >> (f->bits - 1) ? ~v[0] : v[0];
  for (int i = f->bits - 1; i >= 0; i--)
    if (x >> i & 1) return (uint64_t)(form_has(f, "shiftamt") ? f->bits - 1 - i : i);
  return UINT32_MAX;
}
static uint64_t reversed(const struct form *f, const uint64_t *v) {
  uint64_t r = 0;
  for (int i = 0; i < f->bits; i++) r |= (v[0] >> i & 1) << (f->bits - 1 - i);
  return r;
}
REFERENCE(b_clz, a ? (uint64_t)__builtin_clzll(a) - (64 - (uint64_t)f->bits) : (uint64_t)f->bits)
REFERENCE(b_popc, __builtin_popcountll(a))
static uint64_t bit_mask(const struct form *f, const uint64_t *v) {
  uint64_t p = form_has(f, "wrap") ? v[0] & 31 : v[0], n = form_has(f, "wrap") ? v[1] & 31 : v[1], r = 0;
  for (uint64_t i = 0; i < 32; i++) r |= (uint64_t)(i >= p && i - p < n) << i;
  return r;
}
static uint64_t sign_or_zero(const struct form *f, const uint64_t *v) {
  uint64_t n = form_has(f, "wrap") ? v[1] & 31 : v[1];
  if (n == 0) return 0;
  if (n >= 32) return v[0];
  uint64_t low = v[0] & ((1u << n) - 1);
  return f->is_signed ? (uint64_t)signed_of(low, (int)n) : low;
}
static uint64_t find_nth(const struct form *f, const uint64_t *v) {
  int32_t base = (int32_t)v[1], offset = (int32_t)v[2];
  (void)f;
  if (v[1] > 31) return UINT32_MAX;
  if (offset == 0) return v[0] >> base & 1 ? v[1] : UINT32_MAX;
  int64_t count = offset < 0 ? -(int64_t)offset : offset;
  for (int32_t i = base; i >= 0 && i<32; i += offset> 0 ? 1 : -1)
    if (v[0] >> i & 1 && --count == 0) return (uint64_t)i;
  return UINT32_MAX;
}

/* ---- selections and moves ---- */
REFERENCE(s_mov, a)
REFERENCE(s_selp, c ? a : b)
REFERENCE(s_selp_not, c ? b : a)
REFERENCE(s_slct, number(f, c) >= 0 ? a : b)
REFERENCE(s_slct_f32, value_of(f->format, f->ftz ? flush(f->format, c) : c) >= 0 ? a : b)

#define ALL_INT "{u16,s16,u32,s32,u64,s64}"
#define LONG_INT "{u32,s32,u64,s64}"
/* a table */
/* clang-format off */
static const struct form_row integer_rows[] = {
  {"add." ALL_INT, "ttt", NULL, i_add, NULL},
  {"sub." ALL_INT, "ttt", NULL, i_sub, NULL},
  {"mul.lo." ALL_INT, "ttt", NULL, i_mul_lo, NULL},
  {"mul.hi." ALL_INT, "ttt", NULL, i_mul_hi, NULL},
  {"mul.wide.{u16,s16,u32,s32}", "wtt", NULL, i_mul_wide, NULL},
  {"mad.lo." ALL_INT, "tttt", NULL, i_mad_lo, NULL},
  {"mad.hi." ALL_INT, "tttt", NULL, i_mad_hi, NULL},
  {"mad.wide.{u16,s16,u32,s32}", "wttw", NULL, i_mad_wide, NULL},
  {"mad.hi.sat.s32", "tttt", NULL, i_mad_hi_sat, NULL},
  {"div." ALL_INT, "ttt", NULL, i_div, NULL},
  {"rem." ALL_INT, "ttt", NULL, i_rem, NULL},
  {"min." ALL_INT, "ttt", NULL, i_min, NULL},
  {"max." ALL_INT, "ttt", NULL, i_max, NULL},
  {"min.s32.relu", "ttt", NULL, i_min_relu, NULL},
  {"max.s32.relu", "ttt", NULL, i_max_relu, NULL},
  {"sad." ALL_INT, "tttt", NULL, i_sad, NULL},
  {"abs.{s16,s32,s64}", "tt", NULL, i_abs, NULL},
  {"neg.{s16,s32,s64}", "tt", NULL, i_neg, NULL},
  {"add.sat.s32", "ttt", NULL, i_add_sat, NULL},
  {"sub.sat.s32", "ttt", NULL, i_sub_sat, NULL},
  {"mul24.{lo,hi}.{u32,s32}", "ttt", NULL, i_mul24, NULL},
  {"mad24.{lo,hi}.{u32,s32}", "tttt", NULL, i_mad24, NULL},
  {"mad24.hi.sat.s32", "tttt", NULL, i_mad24_sat, NULL},
  {"dp4a.{u32,s32}.{u32,s32}", "tttt", NULL, i_dp4a, NULL},
  {"dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "tttt", NULL, i_dp2a, NULL},
  {"add{,.sat}.{u16x2,s16x2}", "ttt", NULL, i_twins, NULL},
  {"{min,max}.{u16x2,s16x2}", "ttt", NULL, i_twins, NULL},
  {"{min,max}.s16x2.relu", "ttt", NULL, i_twins, NULL},
  {"vabsdiff4.u32.u32.u32{,.add}", "tttt", NULL, i_vabsdiff4, NULL},
  /* carry chains: the sum, then the carry that it makes */
  {"{add,sub}{.cc,c,c.cc}." LONG_INT, "tttu", "add.cc.u32 %i8,%c,0xffffffff; @$ %d,%a,%b;", i_chain2, NULL},
  {"{add,sub}{.cc,c.cc}.{u32,s32}", "uttu", "add.cc.u32 %i8,%c,0xffffffff; @$ %i9,%a,%b; addc.u32 %d,0,0;", i_chain2_out, NULL},
  {"{add,sub}{.cc,c.cc}.{u64,s64}", "uttu", "add.cc.u32 %i8,%c,0xffffffff; @$ %w9,%a,%b; addc.u32 %d,0,0;", i_chain2_out, NULL},
  {"mad{.lo,.hi}.cc." LONG_INT, "ttttu", "add.cc.u32 %i8,%e,0xffffffff; @$ %d,%a,%b,%c;", i_chain3, NULL},
  {"madc{.lo,.hi}{,.cc}." LONG_INT, "ttttu", "add.cc.u32 %i8,%e,0xffffffff; @$ %d,%a,%b,%c;", i_chain3, NULL},
  {"{mad,madc}{.lo,.hi}.cc.{u32,s32}", "utttu", "add.cc.u32 %i8,%e,0xffffffff; @$ %i9,%a,%b,%c; addc.u32 %d,0,0;", i_chain3_out, NULL},
  {"{mad,madc}{.lo,.hi}.cc.{u64,s64}", "utttu", "add.cc.u32 %i8,%e,0xffffffff; @$ %w9,%a,%b,%c; addc.u32 %d,0,0;", i_chain3_out, NULL},
  /* bits */
  {"and.{b16,b32,b64,pred}", "ttt", NULL, b_and, NULL},
  {"or.{b16,b32,b64,pred}", "ttt", NULL, b_or, NULL},
  {"xor.{b16,b32,b64,pred}", "ttt", NULL, b_xor, NULL},
  {"not.{b16,b32,b64,pred}", "tt", NULL, b_not, NULL},
  {"cnot.{b16,b32,b64}", "tt", NULL, b_cnot, NULL},
  {"shl.{b16,b32,b64}", "ttu", NULL, b_shl, NULL},
  {"shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", "ttu", NULL, b_shr, NULL},
  {"shf.{l,r}.{wrap,clamp}.b32", "tttu", NULL, funnel, NULL},
  {"lop3.b32", "ttttu", NULL, b_lop3, NULL},
  {"lop3.{or,and}.b32", "ttttp", "@$ %d|%p8,%a,%b,%c,0x96,%e;", b_lop3_fixed, NULL},
  {"lop3.{or,and}.b32", "ptttp", "@$ %i8|%d,%a,%b,%c,0x80,%e;", b_lop3_pred, NULL},
  {"lop3.{or,and}.b32", "ptttp", "@$ %i8|%d,%a,%b,%c,0x80,!%e;", b_lop3_not, NULL},
  {"prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "tttt", NULL, permute, NULL},
  {"bfe." LONG_INT, "ttuu", NULL, field, NULL},
  {"bfi.{b32,b64}", "tttuu", NULL, field_insert, NULL},
  {"bfind{,.shiftamt}." LONG_INT, "ut", NULL, find_bit, NULL},
  {"brev.{b32,b64}", "tt", NULL, reversed, NULL},
  {"clz.{b32,b64}", "ut", NULL, b_clz, NULL},
  {"popc.{b32,b64}", "ut", NULL, b_popc, NULL},
  {"bmsk.{wrap,clamp}.b32", "tuu", NULL, bit_mask, NULL},
  {"szext.{wrap,clamp}.{u32,s32}", "ttu", NULL, sign_or_zero, NULL},
  {"fns.b32", "ttuu", NULL, find_nth, NULL},
  /* selections */
  {"mov.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64,pred,f16,bf16,f16x2,bf16x2}", "tt", NULL, s_mov, NULL},
  {"selp.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}", "tttp", NULL, s_selp, NULL},
  {"selp.{b16,b32,b64}", "tttp", "@$ %d,%a,%b,!%c;", s_selp_not, NULL},
  {"slct.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.s32", "yyyt", NULL, s_slct, NULL},
  {"slct{,.ftz}.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.f32", "yyyt", NULL, s_slct_f32, NULL},
};
/* clang-format on */

#endif
