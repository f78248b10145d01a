/* SPDX-License-Identifier: Apache-2.0 */
/* Does cvt convert as the PTX ISA says, and is half precision rounded once? */
#include "kit/float_bits.h"
#include "kit/ptx_check.h"

typedef __float128 quad;

static _Float16 f16(uint64_t bits) {
  uint16_t u = (uint16_t)bits;
  _Float16 v;
  memcpy(&v, &u, 2);
  return v;
}
static uint64_t b16(_Float16 v) {
  uint16_t u;
  memcpy(&u, &v, 2);
  return v != v ? 0x7fff : u;
}

/* ---- integers ---- */
REFERENCE(r_same, a)
REFERENCE(r_from_s8, (int8_t)a)
REFERENCE(r_from_u8, (uint8_t)a)
REFERENCE(r_from_s16, (int16_t)a)
REFERENCE(r_from_u16, (uint16_t)a)
REFERENCE(r_from_s32, (int32_t)a)
static int64_t clamp(int64_t v, int64_t least, int64_t most) { return v < least ? least : v > most ? most : v; }
REFERENCE(r_sat_s8, clamp((int32_t)a, -128, 127))
REFERENCE(r_sat_u8, clamp((int32_t)a, 0, 255))
REFERENCE(r_sat_u16, a > 65535 ? 65535 : a)
REFERENCE(r_sat_s32, clamp((int64_t)a, INT32_MIN, INT32_MAX))

static void test_integers_extend_truncate_and_saturate(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"cvt.u32.u64 %d,%a;", "48--", r_same, 0, 0, 0},        {"cvt.s32.s64 %d,%a;", "48--", r_same, 0, 0, 0},
    {"cvt.u64.u32 %d,%a;", "84--", r_same, 0, 0, 0},        {"cvt.s64.s32 %d,%a;", "84--", r_from_s32, 0, 0, 0},
    {"cvt.u32.u16 %d,%a;", "42--", r_same, 0, 0, 0},        {"cvt.s32.s16 %d,%a;", "42--", r_from_s16, 0, 0, 0},
    {"cvt.s64.s16 %d,%a;", "82--", r_from_s16, 0, 0, 0},    {"cvt.u16.u32 %d,%a;", "24--", r_same, 0, 0, 0},
    {"cvt.u16.u64 %d,%a;", "28--", r_same, 0, 0, 0},        {"cvt.s32.s8 %d,%a;", "44--", r_from_s8, 0, 0, 0},
    {"cvt.u32.u8 %d,%a;", "44--", r_from_u8, 0, 0, 0},      {"cvt.s16.s8 %d,%a;", "22--", r_from_s8, 0, 0, 0},
    {"cvt.s64.s8 %d,%a;", "88--", r_from_s8, 0, 0, 0},      {"cvt.u64.u16 %d,%a;", "88--", r_from_u16, 0, 0, 0},
    {"cvt.s64.s32 %d,%a;", "88--", r_from_s32, 0, 0, 0},    {"cvt.u8.u32 %d,%a;", "44--", r_from_u8, 0, 0, 0},
    {"cvt.s8.s32 %d,%a;", "44--", r_from_s8, 0, 0, 0},      {"cvt.s8.s32 %d,%a;", "24--", r_from_s8, 0, 0, 0},
    {"cvt.sat.s8.s32 %d,%a;", "44--", r_sat_s8, 0, 0, 0},   {"cvt.sat.u8.s32 %d,%a;", "44--", r_sat_u8, 0, 0, 0},
    {"cvt.sat.u16.u32 %d,%a;", "24--", r_sat_u16, 0, 0, 0}, {"cvt.sat.s32.s64 %d,%a;", "48--", r_sat_s32, 0, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- integers to floats ---- */
static float directed(float r, int error, char mode) {
  bool up = mode == 'p' || (mode == 'z' && signbit(r));
  if (up && error > 0) return nextafterf(r, INFINITY);
  if (!up && error < 0) return nextafterf(r, -INFINITY);
  return r;
}
static uint64_t s64_to_f32(uint64_t a, char mode) {
  float r = (float)(int64_t)a;
  quad error = (quad)(int64_t)a - (quad)r;
  return b32(directed(r, (error > 0) - (error < 0), mode));
}
REFERENCE(r_f32_s32, b32((float)(int32_t)a))
REFERENCE(r_f32_u32, b32((float)(uint32_t)a))
REFERENCE(r_f32_s64, b32((float)(int64_t)a))
REFERENCE(r_f32_u64, b32((float)a))
REFERENCE(r_f32_u16, b32((float)(uint16_t)a))
REFERENCE(r_f64_s32, b64((double)(int32_t)a))
REFERENCE(r_f64_u64, b64((double)a))
REFERENCE(r_f64_s8, b64((double)(int8_t)a))
REFERENCE(r_f32_s64_rz, s64_to_f32(a, 'z'))
REFERENCE(r_f32_s64_rm, s64_to_f32(a, 'm'))
REFERENCE(r_f32_s64_rp, s64_to_f32(a, 'p'))
REFERENCE(r_f16_s32, b16((_Float16)(quad)(int32_t)a))
REFERENCE(r_f16_u64, b16((_Float16)(quad)a))
REFERENCE(r_f16_s16, b16((_Float16)(float)(int16_t)a))

static void test_integers_to_floats(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"cvt.rn.f32.s32 %d,%a;", "44--", r_f32_s32, 0, 0, 0},    {"cvt.rn.f32.u32 %d,%a;", "44--", r_f32_u32, 0, 0, 0},
    {"cvt.rn.f32.s64 %d,%a;", "48--", r_f32_s64, 0, 0, 0},    {"cvt.rn.f32.u64 %d,%a;", "48--", r_f32_u64, 0, 0, 0},
    {"cvt.rn.f32.u16 %d,%a;", "42--", r_f32_u16, 0, 0, 0},    {"cvt.rn.f64.s32 %d,%a;", "84--", r_f64_s32, 0, 0, 0},
    {"cvt.rn.f64.u64 %d,%a;", "88--", r_f64_u64, 0, 0, 0},    {"cvt.rn.f64.s8 %d,%a;", "84--", r_f64_s8, 0, 0, 0},
    {"cvt.rz.f32.s64 %d,%a;", "48--", r_f32_s64_rz, 0, 0, 0}, {"cvt.rm.f32.s64 %d,%a;", "48--", r_f32_s64_rm, 0, 0, 0},
    {"cvt.rp.f32.s64 %d,%a;", "48--", r_f32_s64_rp, 0, 0, 0}, {"cvt.rn.f16.s32 %d,%a;", "24--", r_f16_s32, 0, 0, 0},
    {"cvt.rn.f16.u64 %d,%a;", "28--", r_f16_u64, 0, 0, 0},    {"cvt.rn.f16.s16 %d,%a;", "22--", r_f16_s16, 0, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- floats to integers ---- */
static uint64_t to_int(long double v, char mode, int bits, bool is_signed) {
  if (isnan(v)) return bits == 64 ? UINT64_C(1) << 63 : 0; /* from f64 too: see below */
  long double r = mode == 'z' ? truncl(v) : mode == 'm' ? floorl(v) : mode == 'p' ? ceill(v) : rintl(v);
  long double most = is_signed ? ldexpl(1, bits - 1) - 1 : ldexpl(1, bits) - 1,
              least = is_signed ? -ldexpl(1, bits - 1) : 0;
  r = r > most ? most : r < least ? least : r;
  return r < 0 ? (uint64_t)(int64_t)r : (uint64_t)r;
}
REFERENCE(r_s32_rzi, to_int(f32(a), 'z', 32, true))
REFERENCE(r_s32_rni, to_int(f32(a), 'n', 32, true))
REFERENCE(r_s32_rmi, to_int(f32(a), 'm', 32, true))
REFERENCE(r_s32_rpi, to_int(f32(a), 'p', 32, true))
REFERENCE(r_u32_rzi, to_int(f32(a), 'z', 32, false))
REFERENCE(r_u32_rni, to_int(f32(a), 'n', 32, false))
REFERENCE(r_s64_rzi, to_int(f32(a), 'z', 64, true))
REFERENCE(r_u64_rzi, to_int(f32(a), 'z', 64, false))
REFERENCE(r_u8_rzi, to_int(f32(a), 'z', 8, false))
REFERENCE(r_s16_rni, to_int(f32(a), 'n', 16, true))
REFERENCE(r_s32_f64_rzi, isnan(f64(a)) ? 0x80000000 : to_int(f64(a), 'z', 32, true))
REFERENCE(r_s64_f64_rni, to_int(f64(a), 'n', 64, true))
REFERENCE(r_u64_f64_rpi, to_int(f64(a), 'p', 64, false))
REFERENCE(r_s32_f16_rni, to_int((long double)(float)f16(a), 'n', 32, true))
REFERENCE(r_rni, b32(rintf(f32(a))))
REFERENCE(r_rzi, b32(truncf(f32(a))))
REFERENCE(r_rmi, b32(floorf(f32(a))))
REFERENCE(r_rpi, b32(ceilf(f32(a))))
REFERENCE(r_rni64, b64(rint(f64(a))))
REFERENCE(r_rmi64, b64(floor(f64(a))))

static void test_floats_to_integers_clamp_and_nan_has_its_value(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"cvt.rzi.s32.f32 %d,%a;", "44--", r_s32_rzi, DATA_F32, 0, 0},
    {"cvt.rni.s32.f32 %d,%a;", "44--", r_s32_rni, DATA_F32, 0, 0},
    {"cvt.rmi.s32.f32 %d,%a;", "44--", r_s32_rmi, DATA_F32, 0, 0},
    {"cvt.rpi.s32.f32 %d,%a;", "44--", r_s32_rpi, DATA_F32, 0, 0},
    {"cvt.rzi.u32.f32 %d,%a;", "44--", r_u32_rzi, DATA_F32, 0, 0},
    {"cvt.rni.u32.f32 %d,%a;", "44--", r_u32_rni, DATA_F32, 0, 0},
    {"cvt.rzi.s64.f32 %d,%a;", "84--", r_s64_rzi, DATA_F32, 0, 0},
    {"cvt.rzi.u64.f32 %d,%a;", "84--", r_u64_rzi, DATA_F32, 0, 0},
    {"cvt.rzi.u8.f32 %d,%a;", "44--", r_u8_rzi, DATA_F32, 0, 0},
    {"cvt.rni.s16.f32 %d,%a;", "24--", r_s16_rni, DATA_F32, 0, 0},
    {"cvt.rzi.s32.f64 %d,%a;", "48--", r_s32_f64_rzi, DATA_F64, 0, 0},
    {"cvt.rni.s64.f64 %d,%a;", "88--", r_s64_f64_rni, DATA_F64, 0, 0},
    {"cvt.rpi.u64.f64 %d,%a;", "88--", r_u64_f64_rpi, DATA_F64, 0, 0},
    {"cvt.rni.s32.f16 %d,%a;", "42--", r_s32_f16_rni, DATA_F16, 0, 0},
    {"cvt.rni.f32.f32 %d,%a;", "44--", r_rni, DATA_F32, 0, 0},
    {"cvt.rzi.f32.f32 %d,%a;", "44--", r_rzi, DATA_F32, 0, 0},
    {"cvt.rmi.f32.f32 %d,%a;", "44--", r_rmi, DATA_F32, 0, 0},
    {"cvt.rpi.f32.f32 %d,%a;", "44--", r_rpi, DATA_F32, 0, 0},
    {"cvt.rni.f64.f64 %d,%a;", "88--", r_rni64, DATA_F64, 0, 0},
    {"cvt.rmi.f64.f64 %d,%a;", "88--", r_rmi64, DATA_F64, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- between floats ---- */
static uint64_t narrow_directed(uint64_t a, char mode) {
  double v = f64(a);
  float r = (float)v;
  if (isnan(v) || isinf(v)) return b32(r);
  return b32(directed(r, isinf(r) ? (r > 0 ? -1 : 1) : ((double)r < v) - ((double)r > v), mode));
}
REFERENCE(r_f64_f32, b64((double)f32(a)))
REFERENCE(r_f32_f64, b32((float)f64(a)))
REFERENCE(r_f32_f64_rz, narrow_directed(a, 'z'))
REFERENCE(r_f32_f64_rm, narrow_directed(a, 'm'))
REFERENCE(r_f32_f64_rp, narrow_directed(a, 'p'))
REFERENCE(r_f32_f16, b32((float)f16(a)))
REFERENCE(r_f64_f16, b64((double)(float)f16(a)))
REFERENCE(r_f16_f32, b16((_Float16)f32(a)))
REFERENCE(r_f16_f64, b16((_Float16)f64(a)))
REFERENCE(r_f32_bf16, b32(f32(a << 16)))
static uint64_t bf16_of(uint64_t a) { /* round to nearest even on the upper half */
  if (isnan(f32(a))) return 0x7fff;
  return (a + 0x7fff + (a >> 16 & 1)) >> 16;
}
REFERENCE(r_bf16_f32, bf16_of(a))

static void test_floats_narrow_with_one_rounding(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"cvt.f64.f32 %d,%a;", "84--", r_f64_f32, DATA_F32, 0, 0},
    {"cvt.rn.f32.f64 %d,%a;", "48--", r_f32_f64, DATA_F64, 0, 0},
    {"cvt.rz.f32.f64 %d,%a;", "48--", r_f32_f64_rz, DATA_F64, 0, 0},
    {"cvt.rm.f32.f64 %d,%a;", "48--", r_f32_f64_rm, DATA_F64, 0, 0},
    {"cvt.rp.f32.f64 %d,%a;", "48--", r_f32_f64_rp, DATA_F64, 0, 0},
    {"cvt.f32.f16 %d,%a;", "42--", r_f32_f16, DATA_F16, 0, 0},
    {"cvt.f64.f16 %d,%a;", "82--", r_f64_f16, DATA_F16, 0, 0},
    {"cvt.rn.f16.f32 %d,%a;", "24--", r_f16_f32, DATA_F32, 0, 0},
    {"cvt.rn.f16.f64 %d,%a;", "28--", r_f16_f64, DATA_F64, 0, 0},
    {"cvt.f32.bf16 %d,%a;", "42--", r_f32_bf16, DATA_INT, 0, 0},
    {"cvt.rn.bf16.f32 %d,%a;", "24--", r_bf16_f32, DATA_F32, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- halves ---- */
static uint64_t twice(uint64_t (*f)(uint64_t, uint64_t, uint64_t), uint64_t a, uint64_t b, uint64_t c) {
  return f(a & 0xffff, b & 0xffff, c & 0xffff) | f(a >> 16, b >> 16, c >> 16) << 16;
}
REFERENCE(r_hadd, b16((_Float16)((quad)(float)f16(a) + (quad)(float)f16(b))))
REFERENCE(r_hsub, b16((_Float16)((quad)(float)f16(a) - (quad)(float)f16(b))))
REFERENCE(r_hmul, b16((_Float16)((quad)(float)f16(a) * (quad)(float)f16(b))))
REFERENCE(r_hfma, b16((_Float16)((quad)(float)f16(a) * (quad)(float)f16(b) + (quad)(float)f16(c))))
REFERENCE(r_hneg, a ^ 0x8000)
REFERENCE(r_habs, a & 0x7fff)
REFERENCE(r_hadd2, twice(r_hadd, a, b, c))
REFERENCE(r_hmul2, twice(r_hmul, a, b, c))
REFERENCE(r_hfma2, twice(r_hfma, a, b, c))

static void test_half_arithmetic_is_rounded_once(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"add.f16 %d,%a,%b;", "222-", r_hadd, DATA_F16, DATA_F16, 0},
    {"sub.rn.f16 %d,%a,%b;", "222-", r_hsub, DATA_F16, DATA_F16, 0},
    {"mul.f16 %d,%a,%b;", "222-", r_hmul, DATA_F16, DATA_F16, 0},
    {"fma.rn.f16 %d,%a,%b,%c;", "2222", r_hfma, DATA_F16, DATA_F16, DATA_F16},
    {"neg.f16 %d,%a;", "22--", r_hneg, DATA_F16, 0, 0},
    {"abs.f16 %d,%a;", "22--", r_habs, DATA_F16, 0, 0},
    {"add.f16x2 %d,%a,%b;", "444-", r_hadd2, DATA_INT, DATA_INT, 0},
    {"mul.rn.f16x2 %d,%a,%b;", "444-", r_hmul2, DATA_INT, DATA_INT, 0},
    {"fma.rn.f16x2 %d,%a,%b,%c;", "4444", r_hfma2, DATA_INT, DATA_INT, DATA_INT},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* 683 * 3/2048 = 1 + 2^-11 is half way; the last bit of all, 2^-24, decides. */
static void test_a_fused_half_is_not_rounded_twice(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  for (int wide = 0; wide <= 1; wide++) {
    h.wide = wide && h.wide;
    harness_load(
      &h,
      PTX_HEAD
      ".visible .entry k(.param .u64 p){.reg .b64 %x; .reg .b16 %h<5>; ld.param.u64 %x,[p];\n"
      "mov.b16 %h1,0x6156; mov.b16 %h2,0x1600; mov.b16 %h3,1; fma.rn.f16 %h4,%h1,%h2,%h3; st.global.b16 [%x],%h4;\n"
      "mov.b16 %h3,0; fma.rn.f16 %h4,%h1,%h2,%h3; st.global.b16 [%x+2],%h4; ret;}",
      NULL);
    uint64_t p = harness_alloc(&h, NULL, 4);
    harness_run(&h, "k", 1, 1, 1, 1, 0, &p);
    const uint16_t *out = harness_at(&h, p, 4);
    assert_int_equal(out[0], 0x3c01);
    assert_int_equal(out[1], 0x3c00);
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_integers_extend_truncate_and_saturate),
    cmocka_unit_test(test_integers_to_floats),
    cmocka_unit_test(test_floats_to_integers_clamp_and_nan_has_its_value),
    cmocka_unit_test(test_floats_narrow_with_one_rounding),
    cmocka_unit_test(test_half_arithmetic_is_rounded_once),
    cmocka_unit_test(test_a_fused_half_is_not_rounded_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
