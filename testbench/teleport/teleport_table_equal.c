/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/teleport/teleport_table.c"
#include "equal.h"

INVARIANT(teleport_table, rows_exist) {
  bool good = true;
  for (int w = 0; w < WORDS; w++) {
    int left = cfg->ROWS - 64 * w;
    if (left < 64) good &= !(s->used[w] >> (left > 0 ? left : 0));
  }
  return good;
}

INVARIANT(teleport_table, snapshot_is_used) {
  (void)cfg;
  bool good = true;
  for (int w = 0; w < WORDS; w++)
    good &= !(s->snap[w] & ~s->used[w]) & !(s->gone[w] & ~s->snap[w]) & !(s->walk[w] & ~s->snap[w]);
  return good;
}

INVARIANT(teleport_table, rows_are_walked_for_a_cta) {
  (void)cfg;
  bool walk = false;
  for (int w = 0; w < WORDS; w++) walk |= s->walk[w] != 0;
  return !walk | s->on;
}
