/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/zorua/othresh_ctl.c"
#include "equal.h"

INVARIANT(othresh_ctl, counters_fit) {
  return s->epoch < cfg->EPOCH && s->idle <= s->epoch && s->mem <= s->epoch && s->idle_prev <= cfg->EPOCH &&
         s->mem_prev <= cfg->EPOCH;
}
INVARIANT(othresh_ctl, percentage_fits) { return s->percent <= ALL; }
