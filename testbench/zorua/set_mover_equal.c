/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/zorua/set_mover.c"
#include "equal.h"

INVARIANT(set_mover, lines_of_a_command) {
  (void)cfg;
  return s->on || !s->lines;
}

INVARIANT(set_mover, one_set_on_its_way) {
  (void)cfg;
  return !s->come || !(s->lines && s->op == FILL && s->kind < SLOT);
}
