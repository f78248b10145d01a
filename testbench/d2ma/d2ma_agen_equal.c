/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/d2ma/d2ma_agen.c"
#include "equal.h"

/* Fields of the model are wider than the registers. */
INVARIANT(d2ma_agen, fields_fit) {
  uint32_t banks = 4U * (uint32_t)cfg->NB, lines = SHARED / banks;
  return (s->len <= (uint32_t)cfg->SEG) & (s->saddr < SHARED) & (s->cst_saddr < SHARED) & (s->cst_len <= LINE) &
         (s->hconst < SHARED) & (s->mid < SHARED) & (s->row <= MASK(ROW_BITS)) & (s->rem <= MASK(ROW_BITS)) &
         (s->cst_left <= MASK(ROW_BITS)) & (s->rows < SHARED) & (s->step <= MASK(STEP_BITS)) & (s->pos < banks) &
         (s->line < lines) & (s->hrows < lines) & (s->up < 256) & (s->mids <= MASK(HALO_ROWS_BITS));
}

INVARIANT(d2ma_agen, idle_has_no_work) {
  (void)cfg;
  return (s->busy | !(s->setup | s->ld_on | s->cst_on)) & (s->ld_on | !(s->req_valid | s->setup)) &
         (s->cst_on | !s->cst_valid);
}

INVARIANT(d2ma_agen, request_is_in_its_row) {
  (void)cfg;
  if (!s->ld_on) return true;
  if (s->setup) return s->rem == s->row;
  return (s->last ? s->rem == s->len : s->rem > s->len);
}

INVARIANT(d2ma_agen, run_is_in_its_piece) {
  (void)cfg;
  if (!s->cst_on) return true;
  if (!s->cst_end) return (s->cst_len < s->cst_left) | (!s->cst_len & !s->cst_valid);
  return (s->cst_len <= s->cst_left) & (!s->cst_final | (s->cst_len == s->cst_left)) &
         (s->cst_valid == (s->cst_len != 0));
}
