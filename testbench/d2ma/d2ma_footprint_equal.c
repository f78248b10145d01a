/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/d2ma/d2ma_footprint.c"
#include "equal.h"

INVARIANT(d2ma_footprint, fields_are_read_once) {
  if (!s->on) return !s->loaded;
  return (s->phase <= WRITE) & (s->loaded == (s->phase != READ)) & (s->cta < cfg->CTAS) & (s->buf < cfg->BUFS);
}
