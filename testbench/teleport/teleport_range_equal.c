/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/teleport/teleport_range.c"
#include "equal.h"

INVARIANT(teleport_range, steps_in_order) {
  (void)cfg;
  return (!s->lines | s->summed) & (!s->summed | s->held);
}
