/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/xmem/xmem_amu_core.c"
#include "equal.h"

/* The places of a ring in use are those from `head` on, up to the one before `tail`. */
static bool is_ring(uint32_t used, uint32_t head, uint32_t tail, uint32_t places) {
  bool good = head < places && tail < places;
  uint32_t run = (used >> (head & (places - 1)) | used << (places - (head & (places - 1)))) & ((1U << places) - 1);
  uint32_t count = (uint32_t)__builtin_popcount(used);
  return good & !(run & (run + 1)) & ((head + count) % places == tail);
}

INVARIANT(xmem_amu_core, rings) {
  (void)cfg;
  return is_ring(s->cmds, s->head, s->tail, PLACES) & is_ring(s->used, s->whead, s->wtail, PLACES) &
         is_ring(s->fills, s->fhead, s->ftail, FILLS);
}

INVARIANT(xmem_amu_core, fills_are_of_misses) {
  bool good = true;
  for (uint32_t i = 0; i < FILLS; i++) good &= !bit_of(s->fills, i) | (s->fid[i] < cfg->NMISS);
  return good;
}

/* A walk or a context belongs to the command at the head. */
INVARIANT(xmem_amu_core, work_is_the_head) {
  uint32_t h = s->head & 3, op = cfg->HOME ? s->cop[h] : OP_CONTEXT;
  bool good = !(s->walk & s->load) & (!(s->walk | s->load) | bit_of(s->cmds, h)) & (!s->load | (op == OP_CONTEXT)) &
              (!s->load | !s->used);
  good &= (s->ask <= words(cfg)) & !(s->got >> s->ask) & (s->step <= STATUS);
  if (!s->walk) return good;
  bool maps = op <= OP_UNMAP && s->caid[h] != none(cfg) && s->cdim[h];
  bool sets = (op == OP_ACTIVATE || op == OP_DEACTIVATE) && s->caid[h] != none(cfg);
  return good & (cfg->HOME != 0) & (s->step == STATUS ? sets : maps | (op == OP_FREE && s->step == WR));
}

/* An access of the core that waits at the memory port is still shown. */
INVARIANT(xmem_amu_core, held_access_is_shown) {
  bool walks = s->walk & !bit_of(s->used, s->wtail & 3) & (s->step == RD || s->step == WR || s->step == STATUS);
  return !s->hold | walks | (s->load & (s->ask < words(cfg)));
}
