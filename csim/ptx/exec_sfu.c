/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate functions. Hardware uses tables and errs in the last few bits. Here they are polynomials in double,
 * rounded once to float: every host gives the same bits, and no error exceeds what the ISA allows. Only + - * / sqrt
 * and fmod are used, which IEEE 754 defines to the last bit. */
#include "ptx/approximate.h"

/* sin (shift 0) or cos (shift 1) of d, |d| < 2^20 */
INLINE float sine(double d, uint64_t shift) {
  double shifted = d * 0.6366197723675814 + ROUND_MAGIC, k = shifted - ROUND_MAGIC;
  double r = (d - k * 0x1.921fb544p+0) - k * 0x1.0b4611a626331p-34; /* pi/2 in two parts */
  uint64_t quadrant = bits64(shifted) + shift;
  double q = r * r; /* Taylor: r - r^3/3! ..., 1 - r^2/2! ... */
  double s = 2.7557319223985893e-06 - q * (2.5052108385441720e-08 - q * 1.6059043836821613e-10);
  s = r * (1.0 - q * (1.6666666666666666e-01 - q * (8.3333333333333332e-03 - q * (1.9841269841269841e-04 - q * s))));
  double c = 2.7557319223985888e-07 - q * (2.0876756987868099e-09 - q * 1.1470745597729725e-11);
  c = 2.4801587301587302e-05 - q * c;
  c = 1.0 - q * (0.5 - q * (4.1666666666666664e-02 - q * (1.3888888888888889e-03 - q * c)));
  double v = pick64(quadrant & 1, c, s);
  return (float)float64(bits64(v) ^ (quadrant & 2) << 62);
}

/* Reduces large angles. fmod is no vector operation, so this is done lane by lane. */
static double reduce(float x) {
  double d = (double)x;
  if (d > -1e6 && d < 1e6) return d;
  return x - x == 0.0f ? fmod(d, 6.283185307179586) : NAN;
}

INLINE float rsqrt32(float x) {
  double root = __builtin_sqrt((double)x);
  return (float)(1.0 / root);
}
/* a * (1/b); for b beyond 2^126 the reciprocal is flushed to 0 (PTX ISA, div.approx). */
INLINE float quick_quotient(float a, float b) {
  const float size = float32(bits32(b) & 0x7fffffffu);
  return pick((size > 0x1p126f) & (size < INFINITY), a * float32(bits32(b) & 0x80000000u), a / b);
}

/* The f64 approximations read and write the upper 32 bits; .ftz (and rcp always) flushes subnormals. */
INLINE double upper64(double v) { return float64(bits64(v) & UINT64_C(0xffffffff00000000)); }
INLINE double flush64(double v, bool ftz) {
  const uint64_t u = bits64(v), tiny = 0u - (uint64_t)((u & UINT64_C(0x7ff0000000000000)) == 0 && ftz);
  return float64(u & ~(tiny & INT64_MAX));
}
INLINE double rcp64(double x) { return flush64(upper64(canonical64(1.0 / flush64(upper64(x), true))), true); }
INLINE double rsqrt64(double x, bool ftz) {
  x = ftz ? flush64(upper64(x), true) : x;
  return upper64(canonical64(1.0 / __builtin_sqrt(x)));
}

/* a table */
/* clang-format off */
#define FTZ(v) flush32(v, ftz)
#define OUT(v) result32(v, ftz, sat)
/* One function serves with and without .ftz: flushing costs little beside the division or polynomial. */
#define SFU_LIST(X) \
  X##1(rcp_f32, "rcp.approx", "tt", T_F32, f32, f32, OUT(1.0f / FTZ(x))) \
  X##1(sqrt_f32, "sqrt.approx", "tt", T_F32, f32, f32, OUT(__builtin_sqrtf(FTZ(x)))) \
  X##1(rsqrt_f32, "rsqrt.approx", "tt", T_F32, f32, f32, OUT(rsqrt32(FTZ(x)))) \
  X##1(ex2_f32, "ex2.approx", "tt", T_F32, f32, f32, OUT(ptx_ex2(FTZ(x)))) \
  X##1(lg2_f32, "lg2.approx", "tt", T_F32, f32, f32, OUT(ptx_lg2(FTZ(x)))) \
  X##2(div_full, "div.full", "ttt", T_F32, f32, f32, f32, OUT(FTZ(x) / FTZ(y))) \
  X##2(div_approx, "div.approx", "ttt", T_F32, f32, f32, f32, OUT(quick_quotient(FTZ(x), FTZ(y)))) \
  X##1(rcp_f64, "rcp.approx", "tt", T_F64, f64, f64, rcp64(x)) \
  X##1(rsqrt_f64, "rsqrt.approx", "tt", T_F64, f64, f64, rsqrt64(x, ftz))
#define TANH_LIST(X) X##1(tanh_f32, "tanh.approx", "tt", T_F32, f32, f32, canonical32(ptx_tanh(x)))

SFU_LIST(DEFINE)
TANH_LIST(DEFINE)

#define SINE(fn, attribute, shift)                                                               \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {         \
    const uint32_t ftz = flag_mask(op->arithmetic.ftz), sat = 0;                               \
    const lane_float *a = ptx_src(op, w, 0);                                                     \
    double d[WARP_LANES] __attribute__((aligned(64)));                                           \
    float scratch[WARP_LANES] __attribute__((aligned(64)));                                      \
    for (uint32_t l = 0; l < WARP_LANES; l++) d[l] = reduce(FTZ(a[l]));                          \
    EACH_LANE scratch[l] = OUT(sine(d[l], shift));                                               \
    ptx_blend32(ptx_dst(op, w, 0), scratch, mask);                                               \
  }
SINE(sin_f32_base, , 0)
SINE(sin_f32_wide, WIDE, 0)
SINE(cos_f32_base, , 1)
SINE(cos_f32_wide, WIDE, 1)

#define ANY1(id, key, sig, tk, ...) {key, tk, sig, id##_base, id##_wide}, {key "^", tk, sig, id##_base, id##_wide},
#define ANY2(id, key, sig, tk, ...) {key, tk, sig, id##_base, id##_wide}, {key "^", tk, sig, id##_base, id##_wide},
const struct ptx_handler ptx_sfu_handlers[] = {
  SFU_LIST(ANY)
  TANH_LIST(ROW)
  ANY1(sin_f32, "sin.approx", "tt", T_F32)
  ANY1(cos_f32, "cos.approx", "tt", T_F32)
  {0}};
/* clang-format on */
