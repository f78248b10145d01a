/* SPDX-License-Identifier: Apache-2.0 */
/* Floats as bits and back; NaNs become the one that PTX's arithmetic writes. */
#ifndef TANDEM_TESTS_KIT_FLOAT_BITS_H
#define TANDEM_TESTS_KIT_FLOAT_BITS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float f32(uint64_t bits) {
  uint32_t u = (uint32_t)bits;
  float v;
  memcpy(&v, &u, 4);
  return v;
}
static inline double f64(uint64_t bits) {
  double v;
  memcpy(&v, &bits, 8);
  return v;
}
static inline uint64_t b32(float v) {
  uint32_t u;
  memcpy(&u, &v, 4);
  return isnan(v) ? 0x7fffffff : u;
}
static inline uint64_t b64(double v) {
  uint64_t u;
  memcpy(&u, &v, 8);
  return isnan(v) ? 0x7ff8000000000000 : u;
}

#endif
