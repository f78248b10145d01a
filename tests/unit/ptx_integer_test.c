/* SPDX-License-Identifier: Apache-2.0 */
/* Does integer arithmetic mean what the PTX ISA says? References are host expressions, written bit by bit where the
 * host has no such operation. */
#include "kit/ptx_check.h"

/* ---- arithmetic ---- */
REFERENCE(r_add, a + b)
REFERENCE(r_sub, a - b)
REFERENCE(r_mul, a *b)
REFERENCE(r_mad, a *b + c)
REFERENCE(r_mulhi_u16, (a * b) >> 16)
REFERENCE(r_mulhi_s16, ((int32_t)(int16_t)a * (int16_t)b) >> 16)
REFERENCE(r_mulhi_u32, (a * b) >> 32)
REFERENCE(r_mulhi_s32, ((int64_t)(int32_t)a * (int32_t)b) >> 32)
REFERENCE(r_mulhi_u64, (uint64_t)(((unsigned __int128)a * b) >> 64))
REFERENCE(r_mulhi_s64, (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64))
REFERENCE(r_madhi_s32, (uint64_t)(((int64_t)(int32_t)a * (int32_t)b) >> 32) + c)
REFERENCE(r_madhi_u64, (uint64_t)(((unsigned __int128)a * b) >> 64) + c)
REFERENCE(r_wide_u16, (uint32_t)a *(uint32_t)b)
REFERENCE(r_wide_s16, (int32_t)(int16_t)a *(int16_t)b)
REFERENCE(r_wide_s32, (int64_t)(int32_t)a *(int32_t)b)
REFERENCE(r_madwide_u32, a *b + c)
REFERENCE(r_madwide_s32, (uint64_t)((int64_t)(int32_t)a *(int32_t)b) + c)
REFERENCE(r_madwide_s16, (uint32_t)((int32_t)(int16_t)a *(int16_t)b) + c)
REFERENCE(r_div_u, b ? a / b : UINT64_MAX)
REFERENCE(r_rem_u, b ? a % b : a)
REFERENCE(r_div_s16, (int16_t)b ? (int16_t)a / (int16_t)b : -1)
REFERENCE(r_rem_s16, (int16_t)b ? (int16_t)a % (int16_t)b : (int16_t)a)
REFERENCE(r_div_s32, (int32_t)b ? (int64_t)(int32_t)a / (int32_t)b : -1)
REFERENCE(r_rem_s32, (int32_t)b ? (int64_t)(int32_t)a % (int32_t)b : (int64_t)a)
REFERENCE(r_div_s64, b ? (__int128)(int64_t)a / (int64_t)b : -1)
REFERENCE(r_rem_s64, b ? (__int128)(int64_t)a % (int64_t)b : (__int128)a)
REFERENCE(r_min_u, a < b ? a : b)
REFERENCE(r_max_u, a > b ? a : b)
REFERENCE(r_min_s16, (int16_t)a < (int16_t)b ? a : b)
REFERENCE(r_max_s32, (int32_t)a > (int32_t)b ? a : b)
REFERENCE(r_min_s64, (int64_t)a < (int64_t)b ? a : b)
REFERENCE(r_abs_s16, (int16_t)a < 0 ? 0 - a : a)
REFERENCE(r_abs_s32, (int32_t)a < 0 ? 0 - a : a)
REFERENCE(r_abs_s64, (int64_t)a < 0 ? 0 - a : a)
REFERENCE(r_neg, 0 - a)
REFERENCE(r_sad_s32, (uint64_t)llabs((int64_t)(int32_t)a - (int32_t)b) + c)
REFERENCE(r_sad_u32, (a > b ? a - b : b - a) + c)
static int64_t saturated(int64_t v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v; }
REFERENCE(r_addsat, saturated((int64_t)(int32_t)a + (int32_t)b))
REFERENCE(r_subsat, saturated((int64_t)(int32_t)a - (int32_t)b))
static int64_t low24(uint64_t v) {
  return (v & 0x800000) ? (int64_t)(v & 0xffffff) - 0x1000000 : (int64_t)(v & 0xffffff);
}
REFERENCE(r_mul24, low24(a) * low24(b))
static uint64_t dot(uint64_t a, uint64_t b, uint64_t c, bool as, bool bs) {
  int64_t sum = (int64_t)c;
  for (int i = 0; i < 4; i++) {
    int64_t p = (int64_t)(a >> 8 * i & 0xff), q = (int64_t)(b >> 8 * i & 0xff);
    sum += (as && p > 127 ? p - 256 : p) * (bs && q > 127 ? q - 256 : q);
  }
  return (uint64_t)sum;
}
REFERENCE(r_dp4a_uu, dot(a, b, c, false, false))
REFERENCE(r_dp4a_su, dot(a, b, c, true, false))
REFERENCE(r_dp4a_ss, dot(a, b, c, true, true))
REFERENCE(r_const, a + 0xfffffffe)
REFERENCE(r_const64, a + 0x123456789abcdef0)

static void test_integer_arithmetic_is_that_of_the_host(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"add.u16 %d,%a,%b;", "222-", r_add, 0, 0, 0},
    {"add.s32 %d,%a,%b;", "444-", r_add, 0, 0, 0},
    {"add.s64 %d,%a,%b;", "888-", r_add, 0, 0, 0},
    {"sub.s16 %d,%a,%b;", "222-", r_sub, 0, 0, 0},
    {"sub.u32 %d,%a,%b;", "444-", r_sub, 0, 0, 0},
    {"sub.u64 %d,%a,%b;", "888-", r_sub, 0, 0, 0},
    {"mul.lo.s16 %d,%a,%b;", "222-", r_mul, 0, 0, 0},
    {"mul.lo.u16 %d,%a,%b;", "222-", r_mul, 0, 0, 0},
    {"mul.lo.s32 %d,%a,%b;", "444-", r_mul, 0, 0, 0},
    {"mul.lo.u64 %d,%a,%b;", "888-", r_mul, 0, 0, 0},
    {"mad.lo.s16 %d,%a,%b,%c;", "2222", r_mad, 0, 0, 0},
    {"mad.lo.s32 %d,%a,%b,%c;", "4444", r_mad, 0, 0, 0},
    {"mad.lo.s64 %d,%a,%b,%c;", "8888", r_mad, 0, 0, 0},
    {"mul.hi.u16 %d,%a,%b;", "222-", r_mulhi_u16, 0, 0, 0},
    {"mul.hi.s16 %d,%a,%b;", "222-", r_mulhi_s16, 0, 0, 0},
    {"mul.hi.u32 %d,%a,%b;", "444-", r_mulhi_u32, 0, 0, 0},
    {"mul.hi.s32 %d,%a,%b;", "444-", r_mulhi_s32, 0, 0, 0},
    {"mul.hi.u64 %d,%a,%b;", "888-", r_mulhi_u64, 0, 0, 0},
    {"mul.hi.s64 %d,%a,%b;", "888-", r_mulhi_s64, 0, 0, 0},
    {"mad.hi.s32 %d,%a,%b,%c;", "4444", r_madhi_s32, 0, 0, 0},
    {"mad.hi.u64 %d,%a,%b,%c;", "8888", r_madhi_u64, 0, 0, 0},
    {"mul.wide.u16 %d,%a,%b;", "422-", r_wide_u16, 0, 0, 0},
    {"mul.wide.s16 %d,%a,%b;", "422-", r_wide_s16, 0, 0, 0},
    {"mul.wide.u32 %d,%a,%b;", "844-", r_mul, 0, 0, 0},
    {"mul.wide.s32 %d,%a,%b;", "844-", r_wide_s32, 0, 0, 0},
    {"mad.wide.u32 %d,%a,%b,%c;", "8448", r_madwide_u32, 0, 0, 0},
    {"mad.wide.s32 %d,%a,%b,%c;", "8448", r_madwide_s32, 0, 0, 0},
    {"mad.wide.s16 %d,%a,%b,%c;", "4224", r_madwide_s16, 0, 0, 0},
    {"div.u16 %d,%a,%b;", "222-", r_div_u, 0, 0, 0},
    {"div.u32 %d,%a,%b;", "444-", r_div_u, 0, 0, 0},
    {"div.u64 %d,%a,%b;", "888-", r_div_u, 0, 0, 0},
    {"rem.u16 %d,%a,%b;", "222-", r_rem_u, 0, 0, 0},
    {"rem.u32 %d,%a,%b;", "444-", r_rem_u, 0, 0, 0},
    {"rem.u64 %d,%a,%b;", "888-", r_rem_u, 0, 0, 0},
    {"div.s16 %d,%a,%b;", "222-", r_div_s16, 0, 0, 0},
    {"rem.s16 %d,%a,%b;", "222-", r_rem_s16, 0, 0, 0},
    {"div.s32 %d,%a,%b;", "444-", r_div_s32, 0, 0, 0},
    {"rem.s32 %d,%a,%b;", "444-", r_rem_s32, 0, 0, 0},
    {"div.s64 %d,%a,%b;", "888-", r_div_s64, 0, 0, 0},
    {"rem.s64 %d,%a,%b;", "888-", r_rem_s64, 0, 0, 0},
    {"min.u32 %d,%a,%b;", "444-", r_min_u, 0, 0, 0},
    {"max.u64 %d,%a,%b;", "888-", r_max_u, 0, 0, 0},
    {"min.s16 %d,%a,%b;", "222-", r_min_s16, 0, 0, 0},
    {"max.s32 %d,%a,%b;", "444-", r_max_s32, 0, 0, 0},
    {"min.s64 %d,%a,%b;", "888-", r_min_s64, 0, 0, 0},
    {"abs.s16 %d,%a;", "22--", r_abs_s16, 0, 0, 0},
    {"abs.s32 %d,%a;", "44--", r_abs_s32, 0, 0, 0},
    {"abs.s64 %d,%a;", "88--", r_abs_s64, 0, 0, 0},
    {"neg.s16 %d,%a;", "22--", r_neg, 0, 0, 0},
    {"neg.s32 %d,%a;", "44--", r_neg, 0, 0, 0},
    {"neg.s64 %d,%a;", "88--", r_neg, 0, 0, 0},
    {"sad.s32 %d,%a,%b,%c;", "4444", r_sad_s32, 0, 0, 0},
    {"sad.u32 %d,%a,%b,%c;", "4444", r_sad_u32, 0, 0, 0},
    {"add.sat.s32 %d,%a,%b;", "444-", r_addsat, 0, 0, 0},
    {"sub.sat.s32 %d,%a,%b;", "444-", r_subsat, 0, 0, 0},
    {"mul24.lo.s32 %d,%a,%b;", "444-", r_mul24, 0, 0, 0},
    {"dp4a.u32.u32 %d,%a,%b,%c;", "4444", r_dp4a_uu, 0, 0, 0},
    {"dp4a.s32.u32 %d,%a,%b,%c;", "4444", r_dp4a_su, 0, 0, 0},
    {"dp4a.s32.s32 %d,%a,%b,%c;", "4444", r_dp4a_ss, 0, 0, 0},
    {"add.s32 %d,%a,-2;", "44--", r_const, 0, 0, 0},
    {"add.s32 %d,%a,0xfffffffe;", "44--", r_const, 0, 0, 0},
    {"add.s64 %d,%a,0x123456789abcdef0;", "88--", r_const64, 0, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- logic and shifts ---- */
REFERENCE(r_and, a &b)
REFERENCE(r_or, a | b)
REFERENCE(r_xor, a ^ b)
REFERENCE(r_not, ~a)
REFERENCE(r_cnot, a == 0)
static uint64_t shift_left(uint64_t v, uint64_t n) { return n > 63 ? 0 : v << n; }
static uint64_t shift_right(uint64_t v, uint64_t n) { return n > 63 ? 0 : v >> n; }
static int64_t shift_signed(int64_t v, uint64_t n) { /* division that rounds down, a bit at a time */
  for (uint64_t i = 0; i < n && i < 64; i++) v = v < 0 && v % 2 ? v / 2 - 1 : v / 2;
  return v;
}
REFERENCE(r_shl, shift_left(a, b))
REFERENCE(r_shr, shift_right(a, b))
REFERENCE(r_shr_s16, shift_signed((int16_t)a, b))
REFERENCE(r_shr_s32, shift_signed((int32_t)a, b))
REFERENCE(r_shr_s64, shift_signed((int64_t)a, b))
static uint64_t bit_by_bit(uint64_t a, uint64_t b, uint64_t c, uint32_t lut) {
  uint64_t r = 0;
  for (int i = 0; i < 32; i++) r |= (uint64_t)(lut >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
  return r;
}
REFERENCE(r_lop3_96, bit_by_bit(a, b, c, 0x96))
REFERENCE(r_lop3_e8, bit_by_bit(a, b, c, 0xe8))
REFERENCE(r_lop3_1d, bit_by_bit(a, b, c, 0x1d))
static uint64_t window(uint64_t lo, uint64_t hi, int from) { /* 32 bits of hi:lo from bit `from` */
  uint64_t r = 0;
  for (int i = 0; i < 32; i++) {
    int at = from + i;
    r |= ((at < 32 ? lo >> at : at < 64 ? hi >> (at - 32) : 0) & 1) << i;
  }
  return r;
}
REFERENCE(r_shf_l_wrap, window(a, b, 32 - (int)(c & 31)))
REFERENCE(r_shf_r_wrap, window(a, b, (int)(c & 31)))
REFERENCE(r_shf_l_clamp, window(a, b, 32 - (int)(c > 32 ? 32 : c)))
REFERENCE(r_shf_r_clamp, window(a, b, (int)(c > 32 ? 32 : c)))
static uint64_t permuted(uint64_t a, uint64_t b, const int s[4], uint64_t signs) {
  uint8_t bytes[8];
  uint64_t r = 0;
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(a >> 8 * i), bytes[4 + i] = (uint8_t)(b >> 8 * i);
  for (int i = 0; i < 4; i++) {
    uint8_t byte = bytes[s[i]];
    if (signs >> i & 1) byte = byte > 127 ? 255 : 0;
    r |= (uint64_t)byte << 8 * i;
  }
  return r;
}
static uint64_t prmt(uint64_t a, uint64_t b, uint64_t c) {
  int s[4];
  uint64_t signs = 0;
  for (int i = 0; i < 4; i++) s[i] = (int)(c >> 4 * i & 7), signs |= (c >> (4 * i + 3) & 1) << i;
  return permuted(a, b, s, signs);
}
REFERENCE(r_prmt, prmt(a, b, c))
static uint64_t prmt_mode(uint64_t a, uint64_t b, int n, char mode) {
  int s[4];
  for (int i = 0; i < 4; i++)
    s[i] = mode == 'f'   ? n + i
           : mode == 'b' ? (n - i + 8) % 8
           : mode == '8' ? n
           : mode == 'l' ? (i < n ? n : i)
           : mode == 'r' ? (i < n ? i : n)
                         : (n & 1) * 2 + (i & 1);
  return permuted(a, b, s, 0);
}
REFERENCE(r_prmt_f4e, prmt_mode(a, b, (int)(c & 3), 'f'))
REFERENCE(r_prmt_b4e, prmt_mode(a, b, (int)(c & 3), 'b'))
REFERENCE(r_prmt_rc8, prmt_mode(a, b, (int)(c & 3), '8'))
REFERENCE(r_prmt_ecl, prmt_mode(a, b, (int)(c & 3), 'l'))
REFERENCE(r_prmt_ecr, prmt_mode(a, b, (int)(c & 3), 'r'))
REFERENCE(r_prmt_rc16, prmt_mode(a, b, (int)(c & 3), '6'))

static void test_logic_shifts_and_permutations_are_bit_exact(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"and.b16 %d,%a,%b;", "222-", r_and, 0, 0, 0},
    {"and.b32 %d,%a,%b;", "444-", r_and, 0, 0, 0},
    {"or.b64 %d,%a,%b;", "888-", r_or, 0, 0, 0},
    {"xor.b32 %d,%a,%b;", "444-", r_xor, 0, 0, 0},
    {"not.b16 %d,%a;", "22--", r_not, 0, 0, 0},
    {"not.b64 %d,%a;", "88--", r_not, 0, 0, 0},
    {"cnot.b32 %d,%a;", "44--", r_cnot, 0, 0, 0},
    {"shl.b16 %d,%a,%b;", "224-", r_shl, 0, DATA_SMALL, 0},
    {"shl.b32 %d,%a,%b;", "444-", r_shl, 0, DATA_SMALL, 0},
    {"shl.b64 %d,%a,%b;", "884-", r_shl, 0, DATA_SMALL, 0},
    {"shr.u16 %d,%a,%b;", "224-", r_shr, 0, DATA_SMALL, 0},
    {"shr.u32 %d,%a,%b;", "444-", r_shr, 0, DATA_SMALL, 0},
    {"shr.u64 %d,%a,%b;", "884-", r_shr, 0, DATA_SMALL, 0},
    {"shr.b32 %d,%a,%b;", "444-", r_shr, 0, DATA_INT, 0},
    {"shr.s32 %d,%a,%b;", "444-", r_shr_s32, 0, DATA_INT, 0},
    {"shr.s16 %d,%a,%b;", "224-", r_shr_s16, 0, DATA_SMALL, 0},
    {"shr.s32 %d,%a,%b;", "444-", r_shr_s32, 0, DATA_SMALL, 0},
    {"shr.s64 %d,%a,%b;", "884-", r_shr_s64, 0, DATA_SMALL, 0},
    {"lop3.b32 %d,%a,%b,%c,0x96;", "4444", r_lop3_96, 0, 0, 0},
    {"lop3.b32 %d,%a,%b,%c,0xe8;", "4444", r_lop3_e8, 0, 0, 0},
    {"lop3.b32 %d,%a,%b,%c,0x1d;", "4444", r_lop3_1d, 0, 0, 0},
    {"shf.l.wrap.b32 %d,%a,%b,%c;", "4444", r_shf_l_wrap, 0, 0, DATA_SMALL},
    {"shf.r.wrap.b32 %d,%a,%b,%c;", "4444", r_shf_r_wrap, 0, 0, DATA_SMALL},
    {"shf.l.clamp.b32 %d,%a,%b,%c;", "4444", r_shf_l_clamp, 0, 0, DATA_SMALL},
    {"shf.r.clamp.b32 %d,%a,%b,%c;", "4444", r_shf_r_clamp, 0, 0, DATA_SMALL},
    {"prmt.b32 %d,%a,%b,%c;", "4444", r_prmt, 0, 0, 0},
    {"prmt.b32.f4e %d,%a,%b,%c;", "4444", r_prmt_f4e, 0, 0, 0},
    {"prmt.b32.b4e %d,%a,%b,%c;", "4444", r_prmt_b4e, 0, 0, 0},
    {"prmt.b32.rc8 %d,%a,%b,%c;", "4444", r_prmt_rc8, 0, 0, 0},
    {"prmt.b32.ecl %d,%a,%b,%c;", "4444", r_prmt_ecl, 0, 0, 0},
    {"prmt.b32.ecr %d,%a,%b,%c;", "4444", r_prmt_ecr, 0, 0, 0},
    {"prmt.b32.rc16 %d,%a,%b,%c;", "4444", r_prmt_rc16, 0, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- bit fields, as the ISA's pseudo-code has them ---- */
static uint64_t bfe(uint64_t a, uint64_t b, uint64_t c, int msb, bool is_signed) {
  int pos = (int)(b & 0xff), len = (int)(c & 0xff);
  uint64_t sbit = 0, d = 0;
  if (is_signed && len) sbit = a >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1;
  for (int i = 0; i <= msb; i++) d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
  return d;
}
REFERENCE(r_bfe_u32, bfe(a, b, c, 31, false))
REFERENCE(r_bfe_s32, bfe(a, b, c, 31, true))
REFERENCE(r_bfe_u64, bfe(a, b, c, 63, false))
REFERENCE(r_bfe_s64, bfe(a, b, c, 63, true))
static uint64_t bfi(uint64_t a, uint64_t f, int pos, int len, int msb) {
  for (int i = 0; i < len && pos + i <= msb; i++) f = (f & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
  return f;
}
REFERENCE(r_bfi_32, bfi(a, b, (int)(c & 0xff), 9, 31))
REFERENCE(r_bfi_64, bfi(a, b, (int)(c & 0xff), 40, 63))
REFERENCE(r_bfi_all, bfi(a, b, 0, (int)(c & 0xff), 63))
static uint64_t bfind(uint64_t a, int msb, bool is_signed, bool shift) {
  if (is_signed && a >> msb & 1) a = ~a;
  for (int i = msb; i >= 0; i--)
    if (a >> i & 1) return (uint64_t)(shift ? msb - i : i);
  return UINT64_MAX;
}
REFERENCE(r_bfind_u32, bfind(a, 31, false, false))
REFERENCE(r_bfind_s32, bfind(a, 31, true, false))
REFERENCE(r_bfind_s64, bfind(a, 63, true, false))
REFERENCE(r_bfind_shift_u32, bfind(a, 31, false, true))
REFERENCE(r_bfind_shift_s64, bfind(a, 63, true, true))
static uint64_t mirrored(uint64_t a, int n) {
  uint64_t r = 0;
  for (int i = 0; i < n; i++) r |= (a >> i & 1) << (n - 1 - i);
  return r;
}
REFERENCE(r_brev_32, mirrored(a, 32))
REFERENCE(r_brev_64, mirrored(a, 64))
static uint64_t zeros(uint64_t a, int n) {
  uint64_t count = 0;
  while (n-- > 0 && !(a >> n & 1)) count++;
  return count;
}
REFERENCE(r_clz_32, zeros(a, 32))
REFERENCE(r_clz_64, zeros(a, 64))
static uint64_t ones(uint64_t a) {
  uint64_t count = 0;
  for (; a; a >>= 1) count += a & 1;
  return count;
}
REFERENCE(r_popc, ones(a))

static void test_bit_fields_follow_the_pseudo_code(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"bfe.u32 %d,%a,%b,%c;", "4444", r_bfe_u32, 0, DATA_SMALL, DATA_SMALL},
    {"bfe.s32 %d,%a,%b,%c;", "4444", r_bfe_s32, 0, DATA_SMALL, DATA_SMALL},
    {"bfe.u64 %d,%a,%b,%c;", "8844", r_bfe_u64, 0, DATA_SMALL, DATA_SMALL},
    {"bfe.s64 %d,%a,%b,%c;", "8844", r_bfe_s64, 0, DATA_INT, DATA_INT},
    {"bfi.b32 %d,%a,%b,%c,9;", "4444", r_bfi_32, 0, 0, DATA_SMALL},
    {"bfi.b64 %d,%a,%b,%c,40;", "8884", r_bfi_64, 0, 0, DATA_SMALL},
    {"bfi.b64 %d,%a,%b,0,%c;", "8884", r_bfi_all, 0, 0, DATA_SMALL},
    {"bfind.u32 %d,%a;", "44--", r_bfind_u32, 0, 0, 0},
    {"bfind.s32 %d,%a;", "44--", r_bfind_s32, 0, 0, 0},
    {"bfind.s64 %d,%a;", "48--", r_bfind_s64, 0, 0, 0},
    {"bfind.shiftamt.u32 %d,%a;", "44--", r_bfind_shift_u32, 0, 0, 0},
    {"bfind.shiftamt.s64 %d,%a;", "48--", r_bfind_shift_s64, 0, 0, 0},
    {"brev.b32 %d,%a;", "44--", r_brev_32, 0, 0, 0},
    {"brev.b64 %d,%a;", "88--", r_brev_64, 0, 0, 0},
    {"clz.b32 %d,%a;", "44--", r_clz_32, 0, 0, 0},
    {"clz.b64 %d,%a;", "48--", r_clz_64, 0, 0, 0},
    {"popc.b32 %d,%a;", "44--", r_popc, 0, 0, 0},
    {"popc.b64 %d,%a;", "48--", r_popc, 0, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- comparisons, selections, moves ---- */
REFERENCE(r_eq, a == b)
REFERENCE(r_ne, a != b)
REFERENCE(r_lt_s32, (int32_t)a < (int32_t)b)
REFERENCE(r_lt_u, a < b)
REFERENCE(r_ge_s64, (int64_t)a >= (int64_t)b)
REFERENCE(r_gt_s16, (int16_t)a > (int16_t)b)
REFERENCE(r_le_u, a <= b)
REFERENCE(r_and_not, (int32_t)a < (int32_t)b && !c)
REFERENCE(r_or_p, a > b || c)
REFERENCE(r_xor_p, (a == b) ^ c)
REFERENCE(r_set_int, (int32_t)a < (int32_t)b ? 0xffffffff : 0)
REFERENCE(r_set_float, a >= b ? 0x3f800000 : 0)
REFERENCE(r_selp, c ? a : b)
REFERENCE(r_selp_not, c ? b : a)
REFERENCE(r_slct, (int32_t)c >= 0 ? a : b)
REFERENCE(r_and_p, a &b)
REFERENCE(r_not_p, !a)
REFERENCE(r_first, a)
REFERENCE(r_pack64, (a & 0xffffffff) | b << 32)
REFERENCE(r_pack32, (a & 0xffff) | b << 16)
REFERENCE(r_high, a >> 32)
REFERENCE(r_second16, a >> 16)

static void test_comparisons_selections_and_moves(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"setp.eq.s32 %d,%a,%b;", "p44-", r_eq, 0, 0, 0},
    {"setp.ne.b64 %d,%a,%b;", "p88-", r_ne, 0, 0, 0},
    {"setp.eq.b16 %d,%a,%b;", "p22-", r_eq, 0, 0, 0},
    {"setp.lt.s32 %d,%a,%b;", "p44-", r_lt_s32, 0, 0, 0},
    {"setp.lt.u32 %d,%a,%b;", "p44-", r_lt_u, 0, 0, 0},
    {"setp.lo.u64 %d,%a,%b;", "p88-", r_lt_u, 0, 0, 0},
    {"setp.ge.s64 %d,%a,%b;", "p88-", r_ge_s64, 0, 0, 0},
    {"setp.gt.s16 %d,%a,%b;", "p22-", r_gt_s16, 0, 0, 0},
    {"setp.ls.u16 %d,%a,%b;", "p22-", r_le_u, 0, 0, 0},
    {"setp.lt.and.s32 %d,%a,%b,!%c;", "p44p", r_and_not, 0, 0, 0},
    {"setp.gt.or.u32 %d,%a,%b,%c;", "p44p", r_or_p, 0, 0, 0},
    {"setp.eq.xor.u64 %d,%a,%b,%c;", "p88p", r_xor_p, 0, 0, 0},
    {"set.lt.u32.s32 %d,%a,%b;", "444-", r_set_int, 0, 0, 0},
    {"set.ge.f32.u64 %d,%a,%b;", "488-", r_set_float, 0, 0, 0},
    {"selp.b32 %d,%a,%b,%c;", "444p", r_selp, 0, 0, 0},
    {"selp.f64 %d,%a,%b,!%c;", "888p", r_selp_not, 0, 0, 0},
    {"selp.b16 %d,%a,%b,%c;", "222p", r_selp, 0, 0, 0},
    {"slct.u32.s32 %d,%a,%b,%c;", "4444", r_slct, 0, 0, 0},
    {"slct.b64.s32 %d,%a,%b,%c;", "8884", r_slct, 0, 0, 0},
    {"and.pred %d,%a,%b;", "ppp-", r_and_p, 0, 0, 0},
    {"not.pred %d,%a;", "pp--", r_not_p, 0, 0, 0},
    {"mov.pred %d,%a;", "pp--", r_first, 0, 0, 0},
    {"mov.b32 %d,%a;", "44--", r_first, 0, 0, 0},
    {"mov.b64 %d,%a;", "88--", r_first, 0, 0, 0},
    {"mov.u16 %d,%a;", "22--", r_first, 0, 0, 0},
    {"mov.b64 %d,{%a,%b};", "844-", r_pack64, 0, 0, 0},
    {"mov.b32 %d,{%a,%b};", "422-", r_pack32, 0, 0, 0},
    {"mov.b64 {_,%d},%a;", "48--", r_high, 0, 0, 0},
    {"mov.b64 {_,%d,_,_},%a;", "28--", r_second16, 0, 0, 0},
    {"mov.b32 {_,%d},%a;", "24--", r_second16, 0, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_integer_arithmetic_is_that_of_the_host),
    cmocka_unit_test(test_logic_shifts_and_permutations_are_bit_exact),
    cmocka_unit_test(test_bit_fields_follow_the_pseudo_code),
    cmocka_unit_test(test_comparisons_selections_and_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
