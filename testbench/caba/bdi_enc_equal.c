/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/caba/bdi_enc.c"
#include "equal.h"

INVARIANT(bdi_enc, only_deltas_need_the_base) {
  (void)cfg;
  return !s->v4 || s->code4 != BDI_REP8 || !s->adds4;
}
