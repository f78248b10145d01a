/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/alloc/matrix_alloc.c"
#include "equal.h"

/* Bit b(b-1)/2 + a: b goes before a. No three clients go before each other in a circle. */
static bool is_order(uint32_t order, int32_t n) {
  bool good = true;
  for (int32_t c = 2; c < n; c++)
    for (int32_t b = 1; b < c; b++)
      for (int32_t a = 0; a < b; a++) {
        uint32_t ba = order >> (b * (b - 1) / 2 + a), ca = order >> (c * (c - 1) / 2 + a),
                 cb = order >> (c * (c - 1) / 2 + b);
        good &= !((~ba & ca & ~cb) & 1) & !((ba & ~ca & cb) & 1);
      }
  return good;
}

INVARIANT(matrix_alloc, orders_have_no_circles) {
  bool good = true;
  for (int32_t i = 0; i < cfg->I; i++) good &= is_order(s->in_order[i], cfg->O);
  for (int32_t o = 0; o < cfg->O; o++) good &= is_order(s->out_order[o], cfg->I);
  return good;
}
