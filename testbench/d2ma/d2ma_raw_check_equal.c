/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/d2ma/d2ma_raw_check.c"
#include "equal.h"

/* The model answers without `ranged` and `armed`: rows that these exclude are 0. */
INVARIANT(d2ma_raw_check, other_rows_are_zero) {
  bool good = true;
  for (int32_t row = 0; row < cfg->CTAS * cfg->BUFS; row++) {
    good &= (s->ranged >> row & 1) || !s->end[row];
    good &= (s->armed >> row & 1) || !s->arrived[row];
  }
  return good;
}
