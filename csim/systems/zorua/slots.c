/* SPDX-License-Identifier: Apache-2.0 */
/* In which slot of the SM a logical warp is. With no more logical warps than the SM has slots each has that of its number. With more, those that
 * the manager calls schedulable have one, and others while nobody wants it: the manager counts slots, so that there are enough.
 * assumption: the slot from which a warp issues, and so its scheduler, is not that of the mapping table but the lowest free one. */
#include "systems/zorua/zorua_internal.h"

#include <string.h>

void zorua_slots_launch(struct zorua *z) {
  z->seats = z->p->warps > ZORUA_SLOTS;
  z->open = 0;
  memset(z->slot_of, ZORUA_NO_SLOT, sizeof z->slot_of);
  memset(z->warp_in, 0, sizeof z->warp_in);
}

static void put(struct zorua *z, uint32_t w, uint32_t slot) {
  z->slot_of[w] = (uint8_t)slot;
  z->warp_in[slot] = (uint8_t)w;
}

void zorua_slot_begins(struct zorua *z, uint32_t w) {
  if (!z->seats) put(z, w, w);
}

void zorua_slot_ends(struct zorua *z, uint32_t w) {
  if (z->slot_of[w] == ZORUA_NO_SLOT) return;
  z->open &= ~zorua_slot(z, w);
  z->slot_of[w] = ZORUA_NO_SLOT;
}

/* Takes the slot of a warp that is not schedulable. */
static void free_slot(struct zorua *z) {
  for (uint32_t slot = 0; slot < ZORUA_SLOTS; slot++) {
    uint32_t w = z->warp_in[slot];
    if (z->slot_of[w] != slot || zorua_has(z->sched, w)) continue;
    z->slot_of[w] = ZORUA_NO_SLOT;
    z->sm.unseat(z->sm.sm, slot);
    return;
  }
  invariant(false, "%s: more warps are schedulable than there are slots", z->path);
}

static void seat(struct zorua *z, uint32_t w) {
  uint32_t slot = z->sm.seat(z->sm.sm, w);
  if (slot == SM_NO_WARP) {
    free_slot(z);
    slot = z->sm.seat(z->sm.sm, w);
  }
  put(z, w, slot);
  z->n->zorua_seats++;
}

void zorua_slots_changed(struct zorua *z) {
  if (!z->seats) {
    z->open = (z->sched[0] & ~z->asked[0]) | (uint64_t)(z->sched[1] & ~z->asked[1]) << 32;
    return;
  }
  z->open = 0;
  for (uint32_t i = 0; i < ZORUA_WORDS; i++)
    for (uint32_t rest = z->sched[i]; rest; rest &= rest - 1) {
      uint32_t w = i * 32 + (uint32_t)__builtin_ctz(rest);
      if (z->slot_of[w] == ZORUA_NO_SLOT) {
        if (zorua_has(z->asked, w)) continue; /* it has ended, and the manager does not know yet */
        seat(z, w);
      }
      if (!zorua_has(z->asked, w)) z->open |= zorua_slot(z, w);
    }
}
