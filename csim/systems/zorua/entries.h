/* SPDX-License-Identifier: Apache-2.0 */
/* Which entry of a warp's row in the mapping table has which of its register sets (zorua.live = mask).
 *
 * The coordinator maps and releases entries from the lowest on, so the sets of a phase's mask, any ones, have to lie low. assumption: a
 * register of each warp slot names the entry of each set, and is read before the table. A set that the last phase had, too, keeps its entry
 * and with it what it holds. Others take the lowest free entries. No value moves: an entry without a set below one that is kept stays
 * mapped until a set takes it, or those above it are gone. */
#ifndef TANDEM_SYSTEMS_ZORUA_ENTRIES_H
#define TANDEM_SYSTEMS_ZORUA_ENTRIES_H

#include "systems/zorua/sizes.h"

struct zorua_entries {
  uint16_t sets; /* of the phase: bit s is set s; none: those of a warp that starts */
  uint8_t of[ZORUA_WARP_SETS];
};

/* A phase with these sets begins. The entries that its warp needs: up to the last one that has a set. */
uint32_t zorua_enter(struct zorua_entries *, uint16_t sets);

#endif
