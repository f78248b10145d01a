/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/memctl/bfifo_sched.c"
#include "equal.h"

INVARIANT(bfifo_sched, counts_in_range) {
  bool good = true;
  for (int32_t b = 0; b < cfg->NB; b++)
    good &= (s->head[b] < cfg->DEPTH) & (s->count[b] <= cfg->DEPTH) & (s->done[b] < cfg->NCMD);
  return good;
}
