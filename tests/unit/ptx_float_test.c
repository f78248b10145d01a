/* SPDX-License-Identifier: Apache-2.0 */
/* Does floating-point arithmetic mean what IEEE 754 and the PTX ISA say? Directed roundings are derived from the nearest
 * result and the sign of its exact error, in quadruple precision. */
#include "kit/float_bits.h"
#include "kit/ptx_check.h"

#include <float.h>
typedef __float128 quad;

/* ---- nearest ---- */
REFERENCE(r_add, b32(f32(a) + f32(b)))
REFERENCE(r_sub, b32(f32(a) - f32(b)))
REFERENCE(r_mul, b32(f32(a) * f32(b)))
REFERENCE(r_div, b32(f32(a) / f32(b)))
REFERENCE(r_fma, b32(fmaf(f32(a), f32(b), f32(c))))
REFERENCE(r_sqrt, b32(sqrtf(f32(a))))
REFERENCE(r_rcp, b32(1.0f / f32(a)))
REFERENCE(r_add64, b64(f64(a) + f64(b)))
REFERENCE(r_sub64, b64(f64(a) - f64(b)))
REFERENCE(r_mul64, b64(f64(a) * f64(b)))
REFERENCE(r_div64, b64(f64(a) / f64(b)))
REFERENCE(r_fma64, b64(fma(f64(a), f64(b), f64(c))))
REFERENCE(r_sqrt64, b64(sqrt(f64(a))))
REFERENCE(r_rcp64, b64(1.0 / f64(a)))
static float least(float x, float y) {
  if (isnan(x)) return y;
  if (isnan(y)) return x;
  if (x == y) return signbit(x) ? x : y;
  return x < y ? x : y;
}
static double greatest(double x, double y) {
  if (isnan(x)) return y;
  if (isnan(y)) return x;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}
REFERENCE(r_min, b32(least(f32(a), f32(b))))
REFERENCE(r_max, b32((float)greatest((double)f32(a), (double)f32(b))))
REFERENCE(r_max64, b64(greatest(f64(a), f64(b))))
REFERENCE(r_abs, a & 0x7fffffff)
REFERENCE(r_neg, a ^ 0x80000000)
REFERENCE(r_neg64, a ^ 0x8000000000000000)
REFERENCE(r_copysign, (a & 0x80000000) | (b & 0x7fffffff))
REFERENCE(r_half_const, b32(f32(a) * 0.5f))

static void test_nearest_arithmetic_is_ieee(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"add.f32 %d,%a,%b;", "444-", r_add, DATA_F32, DATA_F32, 0},
    {"add.rn.f32 %d,%a,%b;", "444-", r_add, DATA_F32, DATA_F32, 0},
    {"sub.f32 %d,%a,%b;", "444-", r_sub, DATA_F32, DATA_F32, 0},
    {"mul.rn.f32 %d,%a,%b;", "444-", r_mul, DATA_F32, DATA_F32, 0},
    {"div.rn.f32 %d,%a,%b;", "444-", r_div, DATA_F32, DATA_F32, 0},
    {"div.full.f32 %d,%a,%b;", "444-", r_div, DATA_F32, DATA_F32, 0},
    {"fma.rn.f32 %d,%a,%b,%c;", "4444", r_fma, DATA_F32, DATA_F32, DATA_F32},
    {"mad.rn.f32 %d,%a,%b,%c;", "4444", r_fma, DATA_F32, DATA_F32, DATA_F32},
    {"sqrt.rn.f32 %d,%a;", "44--", r_sqrt, DATA_F32, 0, 0},
    {"rcp.rn.f32 %d,%a;", "44--", r_rcp, DATA_F32, 0, 0},
    {"add.f64 %d,%a,%b;", "888-", r_add64, DATA_F64, DATA_F64, 0},
    {"sub.rn.f64 %d,%a,%b;", "888-", r_sub64, DATA_F64, DATA_F64, 0},
    {"mul.f64 %d,%a,%b;", "888-", r_mul64, DATA_F64, DATA_F64, 0},
    {"div.rn.f64 %d,%a,%b;", "888-", r_div64, DATA_F64, DATA_F64, 0},
    {"fma.rn.f64 %d,%a,%b,%c;", "8888", r_fma64, DATA_F64, DATA_F64, DATA_F64},
    {"sqrt.rn.f64 %d,%a;", "88--", r_sqrt64, DATA_F64, 0, 0},
    {"rcp.rn.f64 %d,%a;", "88--", r_rcp64, DATA_F64, 0, 0},
    {"min.f32 %d,%a,%b;", "444-", r_min, DATA_F32, DATA_F32, 0},
    {"max.f32 %d,%a,%b;", "444-", r_max, DATA_F32, DATA_F32, 0},
    {"max.f64 %d,%a,%b;", "888-", r_max64, DATA_F64, DATA_F64, 0},
    {"abs.f32 %d,%a;", "44--", r_abs, DATA_F32, 0, 0},
    {"neg.f32 %d,%a;", "44--", r_neg, DATA_F32, 0, 0},
    {"neg.f64 %d,%a;", "88--", r_neg64, DATA_F64, 0, 0},
    {"copysign.f32 %d,%a,%b;", "444-", r_copysign, DATA_F32, DATA_F32, 0},
    {"mul.f32 %d,%a,0f3F000000;", "44--", r_half_const, DATA_F32, 0, 0},
    {"mul.f32 %d,%a,0.5;", "44--", r_half_const, DATA_F32, 0, 0},
    {"mul.f32 %d,%a,5e-1;", "44--", r_half_const, DATA_F32, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- .ftz, .sat ---- */
static float flushed(float v) { return fpclassify(v) == FP_SUBNORMAL ? copysignf(0.0f, v) : v; }
static float saturated(float v) { return isnan(v) || v <= 0.0f ? 0.0f : v > 1.0f ? 1.0f : v; }
REFERENCE(r_add_ftz, b32(flushed(flushed(f32(a)) + flushed(f32(b)))))
REFERENCE(r_mul_sat, b32(saturated(f32(a) * f32(b))))
REFERENCE(r_fma_ftz_sat, b32(saturated(flushed(fmaf(flushed(f32(a)), flushed(f32(b)), flushed(f32(c)))))))
REFERENCE(r_min_ftz, b32(least(flushed(f32(a)), flushed(f32(b)))))
REFERENCE(r_abs_ftz, b32(fabsf(flushed(f32(a)))))
REFERENCE(r_neg_ftz, isnan(f32(a)) ? 0x7fffffff : b32(-flushed(f32(a))))
REFERENCE(r_cvt_sat, b32(saturated(f32(a))))
REFERENCE(r_cvt_ftz, b32(flushed(f32(a))))

static void test_flushing_and_saturation(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"add.ftz.f32 %d,%a,%b;", "444-", r_add_ftz, DATA_F32, DATA_F32, 0},
    {"mul.sat.f32 %d,%a,%b;", "444-", r_mul_sat, DATA_F32, DATA_F32, 0},
    {"fma.rn.ftz.sat.f32 %d,%a,%b,%c;", "4444", r_fma_ftz_sat, DATA_F32, DATA_F32, DATA_F32},
    {"min.ftz.f32 %d,%a,%b;", "444-", r_min_ftz, DATA_F32, DATA_F32, 0},
    {"abs.ftz.f32 %d,%a;", "44--", r_abs_ftz, DATA_F32, 0, 0},
    {"neg.ftz.f32 %d,%a;", "44--", r_neg_ftz, DATA_F32, 0, 0},
    {"cvt.sat.f32.f32 %d,%a;", "44--", r_cvt_sat, DATA_F32, 0, 0},
    {"cvt.ftz.f32.f32 %d,%a;", "44--", r_cvt_ftz, DATA_F32, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- directed rounding ---- */

/* nearest result r, sign of exact - r */
static float directed(float r, int error, char mode) {
  if (isnan(r) || error == 0) return r;
  bool up = mode == 'p' || (mode == 'z' && (signbit(r) != 0));
  if (up && error > 0) return nextafterf(r, INFINITY);
  if (!up && error < 0) return nextafterf(r, -INFINITY);
  return r;
}
static int sign_of(quad v) { return (v > 0) - (v < 0); }
/* The error of an infinite nearest result of finite operands is huge and towards zero. */
static int error_of(float r, quad exact_minus_r, bool finite_operands) {
  if (isinf(r)) return finite_operands ? (r > 0 ? -1 : 1) : 0;
  return sign_of(exact_minus_r);
}
static uint64_t add_directed(uint64_t a, uint64_t b, char mode) {
  float x = f32(a), y = f32(b), r = x + y;
  if (fabsf(x) < fabsf(y)) x = f32(b), y = f32(a);
  bool finite = isfinite(x) && isfinite(y);
  if (finite && r == 0.0f && x == -y && mode == 'm' && (x != 0.0f || signbit(x) != signbit(y))) return 0x80000000;
  return b32(directed(r, error_of(r, finite && isfinite(r) ? ((quad)x - (quad)r) + (quad)y : 0, finite), mode));
}
static uint64_t mul_directed(uint64_t a, uint64_t b, char mode) {
  float x = f32(a), y = f32(b), r = x * y;
  bool finite = isfinite(x) && isfinite(y);
  return b32(directed(r, error_of(r, finite && isfinite(r) ? (quad)x * (quad)y - (quad)r : 0, finite), mode));
}
static uint64_t div_directed(uint64_t a, uint64_t b, char mode) {
  float x = f32(a), y = f32(b), r = x / y;
  bool finite = isfinite(x) && isfinite(y) && y != 0.0f;
  int error = error_of(r, finite && isfinite(r) ? (quad)x - (quad)r * (quad)y : 0, finite);
  if (isfinite(r) && y < 0.0f) error = -error;
  return b32(directed(r, error, mode));
}
REFERENCE(r_add_rz, add_directed(a, b, 'z'))
REFERENCE(r_add_rm, add_directed(a, b, 'm'))
REFERENCE(r_add_rp, add_directed(a, b, 'p'))
REFERENCE(r_sub_rm, add_directed(a, b ^ 0x80000000, 'm'))
REFERENCE(r_mul_rz, mul_directed(a, b, 'z'))
REFERENCE(r_mul_rp, mul_directed(a, b, 'p'))
REFERENCE(r_div_rm, div_directed(a, b, 'm'))

static void test_directed_roundings_follow_the_sign_of_the_error(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"add.rz.f32 %d,%a,%b;", "444-", r_add_rz, DATA_F32, DATA_F32, 0},
    {"add.rm.f32 %d,%a,%b;", "444-", r_add_rm, DATA_F32, DATA_F32, 0},
    {"add.rp.f32 %d,%a,%b;", "444-", r_add_rp, DATA_F32, DATA_F32, 0},
    {"sub.rm.f32 %d,%a,%b;", "444-", r_sub_rm, DATA_F32, DATA_F32, 0},
    {"mul.rz.f32 %d,%a,%b;", "444-", r_mul_rz, DATA_F32, DATA_F32, 0},
    {"mul.rp.f32 %d,%a,%b;", "444-", r_mul_rp, DATA_F32, DATA_F32, 0},
    {"div.rm.f32 %d,%a,%b;", "444-", r_div_rm, DATA_F32, DATA_F32, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- comparisons ---- */
REFERENCE(r_eq, f32(a) == f32(b))
REFERENCE(r_ne, !isunordered(f32(a), f32(b)) && f32(a) != f32(b))
REFERENCE(r_lt, f32(a) < f32(b))
REFERENCE(r_ge, f32(a) >= f32(b))
REFERENCE(r_equ, isunordered(f32(a), f32(b)) || f32(a) == f32(b))
REFERENCE(r_neu, isunordered(f32(a), f32(b)) || f32(a) != f32(b))
REFERENCE(r_ltu, isunordered(f32(a), f32(b)) || f32(a) < f32(b))
REFERENCE(r_leu64, isunordered(f64(a), f64(b)) || f64(a) <= f64(b))
REFERENCE(r_gt64, f64(a) > f64(b))
REFERENCE(r_num, !isunordered(f32(a), f32(b)))
REFERENCE(r_nan64, isunordered(f64(a), f64(b)))
REFERENCE(r_gt_ftz, flushed(f32(a)) > flushed(f32(b)))
REFERENCE(r_finite, isfinite(f32(a)) != 0)
REFERENCE(r_subnormal, fpclassify(f32(a)) == FP_SUBNORMAL)
REFERENCE(r_infinite64, isinf(f64(a)) != 0)
REFERENCE(r_normal64, isnormal(f64(a)) != 0)

static void test_comparisons_know_nan(void **state) {
  /* a table */
  /* clang-format off */
  static const struct check table[] = {
    {"setp.eq.f32 %d,%a,%b;", "p44-", r_eq, DATA_F32, DATA_F32, 0},
    {"setp.ne.f32 %d,%a,%b;", "p44-", r_ne, DATA_F32, DATA_F32, 0},
    {"setp.lt.f32 %d,%a,%b;", "p44-", r_lt, DATA_F32, DATA_F32, 0},
    {"setp.ge.f32 %d,%a,%b;", "p44-", r_ge, DATA_F32, DATA_F32, 0},
    {"setp.equ.f32 %d,%a,%b;", "p44-", r_equ, DATA_F32, DATA_F32, 0},
    {"setp.neu.f32 %d,%a,%b;", "p44-", r_neu, DATA_F32, DATA_F32, 0},
    {"setp.ltu.f32 %d,%a,%b;", "p44-", r_ltu, DATA_F32, DATA_F32, 0},
    {"setp.leu.f64 %d,%a,%b;", "p88-", r_leu64, DATA_F64, DATA_F64, 0},
    {"setp.gt.f64 %d,%a,%b;", "p88-", r_gt64, DATA_F64, DATA_F64, 0},
    {"setp.num.f32 %d,%a,%b;", "p44-", r_num, DATA_F32, DATA_F32, 0},
    {"setp.nan.f64 %d,%a,%b;", "p88-", r_nan64, DATA_F64, DATA_F64, 0},
    {"setp.gt.ftz.f32 %d,%a,%b;", "p44-", r_gt_ftz, DATA_F32, DATA_F32, 0},
    {"testp.finite.f32 %d,%a;", "p4--", r_finite, DATA_F32, 0, 0},
    {"testp.subnormal.f32 %d,%a;", "p4--", r_subnormal, DATA_F32, 0, 0},
    {"testp.infinite.f64 %d,%a;", "p8--", r_infinite64, DATA_F64, 0, 0},
    {"testp.normal.f64 %d,%a;", "p8--", r_normal64, DATA_F64, 0, 0},
  };
  /* clang-format on */
  (void)state;
  CHECK_ALL(table);
}

/* ---- the approximate functions: within 2^-21 of libm, exact at the special points ---- */

static double worst(const char *ins, double (*f)(double), const float *x, float *y, uint32_t n, bool absolute) {
  char text[1024];
  struct harness h;
  double bad = 0.0;
  harness_open(&h);
  for (int wide = 0; wide <= 1; wide++) {
    if (wide && !h.wide) break;
    bool can = h.wide;
    h.wide = wide && can;
    snprintf(
      text, sizeof text,
      PTX_HEAD
      ".visible .entry k(.param .u64 p){.reg .b64 %%x<9>; .reg .f32 %%f<3>; .reg .b32 %%r<4>;\n"
      "ld.param.u64 %%x1,[p]; mov.u32 %%r1,%%tid.x; mov.u32 %%r2,%%ctaid.x; mad.lo.u32 %%r1,%%r2,256,%%r1;\n"
      "mul.wide.u32 %%x2,%%r1,4; add.s64 %%x3,%%x1,%%x2; ld.global.f32 %%f1,[%%x3]; %s st.global.f32 [%%x3],%%f2; ret;}",
      ins);
    harness_load(&h, text, NULL);
    uint64_t at = harness_alloc(&h, x, n * sizeof *x);
    harness_run(&h, "k", n / 256, 256, 1, 1, 0, &at);
    assert_string_equal(h.fault, "");
    const float *out = harness_at(&h, at, n * sizeof *x);
    if (wide) assert_memory_equal(out, y, n * sizeof *y); /* the same bits on every host */
    memcpy(y, out, n * sizeof *y);
    h.wide = can;
  }
  harness_close(&h);
  for (uint32_t i = 0; i < n; i++) {
    double exact = f((double)x[i]), got = (double)y[i];
    if (!isfinite(exact) || fabs(exact) < 1.2e-38 || fabs(exact) > 3.4e38) continue;
    double error = fabs(got - exact) / (absolute ? 1.0 : fabs(exact));
    if (!(error <= bad)) bad = error;
  }
  return bad;
}
static double reciprocal_root(double x) { return 1.0 / sqrt(x); }

static void test_approximate_functions_are_close_and_the_same_everywhere(void **state) {
  enum { N = 4096 };
  static float x[N], y[N];
  uint64_t seed = CHECK_SEED;
  (void)state;
  for (uint32_t i = 0; i < N; i++) x[i] = (float)((double)(harness_random(&seed) >> 40) / 16777216.0 * 120.0 - 60.0);
  assert_true(worst("ex2.approx.f32 %f2,%f1;", exp2, x, y, N, false) < 0x1p-22);
  assert_true(worst("sin.approx.f32 %f2,%f1;", sin, x, y, N, true) < 0x1p-22);
  assert_true(worst("cos.approx.ftz.f32 %f2,%f1;", cos, x, y, N, true) < 0x1p-22);
  for (uint32_t i = 0; i < N; i++) x[i] *= 0.05f;
  assert_true(worst("tanh.approx.f32 %f2,%f1;", tanh, x, y, N, false) < 0x1p-21);
  for (uint32_t i = 0; i < N; i++) x[i] = f32(0x00800000 + harness_random(&seed) % 0x7e000000);
  assert_true(worst("lg2.approx.f32 %f2,%f1;", log2, x, y, N, false) < 0x1p-22);
  assert_true(worst("rsqrt.approx.f32 %f2,%f1;", reciprocal_root, x, y, N, false) < 0x1p-22);
  for (uint32_t i = 0; i < N; i++) x[i] = f32(0x3f700000 + i * 512); /* around 1, where lg2 is small */
  assert_true(worst("lg2.approx.ftz.f32 %f2,%f1;", log2, x, y, N, false) < 0x1p-22);
  static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, 1.0f, -1.0f, 128.0f, -150.0f};
  for (uint32_t i = 0; i < N; i++) x[i] = i < 8 ? special[i] : 2.0f;
  worst("ex2.approx.f32 %f2,%f1;", exp2, x, y, N, false);
  assert_true(y[0] == 1.0f && y[1] == 1.0f && isinf(y[2]) && y[3] == 0.0f && y[4] == 2.0f && isinf(y[6]) &&
              y[7] == 0.0f);
  worst("lg2.approx.f32 %f2,%f1;", log2, x, y, N, false);
  assert_true(y[0] == -INFINITY && y[1] == -INFINITY && y[2] == INFINITY && isnan(y[3]) && y[4] == 0.0f &&
              isnan(y[5]) && y[6] == 7.0f);
  worst("rsqrt.approx.f32 %f2,%f1;", reciprocal_root, x, y, N, false);
  assert_true(y[0] == INFINITY && y[1] == -INFINITY && y[2] == 0.0f && isnan(y[3]) && y[4] == 1.0f && isnan(y[5]));
  worst("sin.approx.f32 %f2,%f1;", sin, x, y, N, false);
  assert_true(y[0] == 0.0f && signbit(y[1]) && isnan(y[2]) && isnan(y[3]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nearest_arithmetic_is_ieee),
    cmocka_unit_test(test_flushing_and_saturation),
    cmocka_unit_test(test_directed_roundings_follow_the_sign_of_the_error),
    cmocka_unit_test(test_comparisons_know_nan),
    cmocka_unit_test(test_approximate_functions_are_close_and_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
