/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate functions that several number formats share: polynomials in double, with the same bits on every host. */
#ifndef TANDEM_PTX_APPROXIMATE_H
#define TANDEM_PTX_APPROXIMATE_H

#include "ptx/lane_loop.h"

#define ROUND_MAGIC 6755399441055744.0 /* 1.5 * 2^52: adding it rounds to an integer */

/* 2^d for d in [-1000, 1000]; relative error below 1e-12 */
INLINE double exp2_core(double d) {
  double shifted = d + ROUND_MAGIC, f = d - (shifted - ROUND_MAGIC);
  uint64_t n = bits64(shifted) - bits64(ROUND_MAGIC);
  double p = 7.054911620801123e-09; /* ln(2)^k / k!, k = 10..0 */
  p = p * f + 1.0178086009239699e-07;
  p = p * f + 1.3215486790144308e-06;
  p = p * f + 1.5252733804059841e-05;
  p = p * f + 1.5403530393381609e-04;
  p = p * f + 1.3333558146428443e-03;
  p = p * f + 9.6181291076284772e-03;
  p = p * f + 5.5504108664821580e-02;
  p = p * f + 2.4022650695910071e-01;
  p = p * f + 6.9314718055994531e-01;
  p = p * f + 1.0;
  return p * float64((n + 1023) << 52);
}

INLINE float ptx_ex2(float x) {
  double d = (double)x;
  d = pick64(d > 130.0, 130.0, pick64(d < -160.0, -160.0, d));
  return pick(x == x, (float)exp2_core(d), x);
}

INLINE float ptx_lg2(float x) {
  uint64_t bits = bits64((double)x); /* subnormal floats are normal doubles */
  double e = (double)(int32_t)((uint32_t)(bits >> 52) & 0x7ff) - 1023.0;
  double m = float64((bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000));
  bool high = m > 1.4142135623730951;
  m = pick64(high, m * 0.5, m);
  e = pick64(high, e + 1.0, e);
  double s = (m - 1.0) / (m + 1.0), q = s * s, p = 1.0 / 13.0;
  p = p * q + 1.0 / 11.0;
  p = p * q + 1.0 / 9.0;
  p = p * q + 1.0 / 7.0;
  p = p * q + 1.0 / 5.0;
  p = p * q + 1.0 / 3.0;
  p = p * q + 1.0;
  float r = (float)(e + p * s * 2.8853900817779268); /* 2 / ln 2 */
  r = pick(x == 0.0f, -INFINITY, pick(x == INFINITY, x, r));
  return pick(x >= 0.0f, r, NAN);
}

INLINE float ptx_tanh(float x) {
  double d = (double)x, q = d * d;
  double small = d * (1.0 - q * (1.0 / 3.0 - q * (2.0 / 15.0)));
  d = pick64(d > 20.0, 20.0, pick64(d < -20.0, -20.0, d));
  double e = exp2_core(d * 2.8853900817779268);
  return pick(x == x, (float)pick64(q < 4e-4, small, (e - 1.0) / (e + 1.0)), x);
}

#endif
