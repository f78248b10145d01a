/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/d2ma/d2ma_ctrl_array.c"
#include "equal.h"

#define ROWS ((uint32_t)(cfg->CTAS * cfg->BUFS))

/* {cta, buf} names an entry; its row, or ROWS. */
static uint32_t row_in(const struct d2ma_ctrl_array_cfg *cfg, uint32_t place) {
  uint32_t bits = block_bits((uint32_t)cfg->BUFS), buf = place & ((1U << bits) - 1), cta = place >> bits;
  return cta < (uint32_t)cfg->CTAS && buf < (uint32_t)cfg->BUFS ? cta * (uint32_t)cfg->BUFS + buf : ROWS;
}

INVARIANT(d2ma_ctrl_array, places_exist) {
  return (s->run_cta < cfg->CTAS) & (s->run_buf < cfg->BUFS) & (!s->next_on | (row_in(cfg, s->next) < ROWS)) &
         (s->head < ROWS) & (s->tail < ROWS) & (s->ck_cta < cfg->CTAS) & (s->ck_buf < cfg->BUFS);
}

INVARIANT(d2ma_ctrl_array, checker_is_told_once) {
  (void)cfg;
  return (s->ck_set | s->ck_clr | s->ck_arm | !(s->ck_cta | s->ck_buf)) & (s->ck_arm | !s->ck_warp) &
         (s->ck_clr | !s->ck_stale) & (s->ck_set | s->ck_clr | !s->ck_forget);
}

INVARIANT(d2ma_ctrl_array, loaded_entry_was_read) {
  (void)cfg;
  return !s->load | (s->read & s->run);
}

/* The queue holds each ready entry once, but the one that is to start. */
INVARIANT(d2ma_ctrl_array, queue_holds_ready_entries) {
  uint64_t listed = 0;
  bool good = true;
  uint32_t count = (uint32_t)__builtin_popcountll(s->queued);
  for (uint32_t head = 0; head < ROWS; head++) {
    if (s->head != head) continue;
    for (uint32_t k = 0; k < ROWS; k++) {
      uint32_t at = (head + k) % ROWS, row = row_in(cfg, s->queue[at]);
      good &= (uint32_t)(s->queued >> at & 1) == (k < count);
      if (k < count) {
        good &= row < ROWS && !(listed >> row & 1);
        listed |= UINT64_C(1) << (row & 63);
      }
      if (k == count) good &= s->tail == at;
    }
    if (count == ROWS) good &= s->tail == head;
  }
  if (s->next_on) {
    uint32_t row = row_in(cfg, s->next) & 63;
    good &= !(listed >> row & 1);
    listed |= UINT64_C(1) << row;
  }
  return good & (listed == s->ready);
}

INVARIANT(d2ma_ctrl_array, entry_is_in_one_state) {
  uint64_t run = s->run ? UINT64_C(1) << ((s->run_cta * (uint32_t)cfg->BUFS + s->run_buf) & 63) : 0;
  return !(s->armed & (s->ready | s->flying | s->done)) & !(s->ready & (s->flying | s->done)) & !(s->flying & s->done) &
         !(s->full & ~s->armed) & !(run & ~s->flying);
}
