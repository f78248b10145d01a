/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/memctl/frfcfs_sched.c"
#include "equal.h"

INVARIANT(frfcfs_sched, entries_packed) { return !(s->valid & (s->valid + 1)); }

INVARIANT(frfcfs_sched, entries_in_range) {
  bool good = true;
  for (int32_t e = 0; e < cfg->Q; e++)
    good &= !(s->valid >> e & 1) || ((s->banks[e] < cfg->NB) & (s->done[e] < cfg->NCMD));
  return good;
}
