/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/caba/caba_awc.c"
#include "equal.h"

INVARIANT(caba_awc, states_are_of_entries) {
  (void)cfg;
  return !((s->run | s->drain | s->high | s->started) & ~s->valid) && !(s->run & s->drain);
}

INVARIANT(caba_awc, a_pick_is_an_entry) {
  (void)cfg;
  bool apart = !s->pk || !s->dl || s->pk_awt != s->dl_awt;
  return apart && (!s->pk || has(s->run, s->pk_awt)) && (!s->dl || has(s->run, s->dl_awt));
}

INVARIANT(caba_awc, the_queue_is_full_at_most) {
  uint32_t wrap = (uint32_t)cfg->WAIT - 1, taken = 0;
  for (uint32_t i = 0; i < (uint32_t)cfg->WAIT; i++) taken |= (uint32_t)(((i - s->wait_head) & wrap) < s->wait_n) << i;
  return s->wait_n <= cfg->WAIT && !(s->wait_there & ~taken);
}

INVARIANT(caba_awc, the_window_counts) {
  return s->idle <= SLOTS * s->cycles && s->full <= s->cycles && s->cap <= cfg->CAP;
}
