/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/teleport/teleport_pend.c"
#include "equal.h"

INVARIANT(teleport_pend, only_held_slots_are_known) {
  (void)cfg;
  return !(s->known & ~s->held);
}
