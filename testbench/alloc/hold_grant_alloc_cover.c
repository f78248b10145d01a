/* SPDX-License-Identifier: Apache-2.0 */
#include "hold_grant_alloc_ports.h"
#include "matrix_cover.h"

BLOCK_COVER(hold_grant_alloc) {
  ALLOCATOR_POINTS(in->req, out->grant, was_out->grant);
  NEVER_IF(block_bits(inputs) + block_bits(outputs) <= 4, "register lfsr_q is 0",
           "0 is its own successor, and no other value's");
  uint32_t held = cover_count(regs->prev_q, cells), hits = cover_count(out->hold_hit, cells);
  bool holds = cfg->MODE != 0, longest = false, forgiven = false, new_row = false;
  for (uint32_t o = 0; o < outputs && cfg->MAXHOLD; o++) longest |= regs->held_q[o] == cfg->MAXHOLD;
  for (uint32_t o = 0; o < outputs && cfg->GRACE; o++) forgiven |= regs->grace_q[o] == cfg->GRACE;
  for (uint32_t i = 0; i < outputs * (uint32_t)(cfg->MCS * cfg->NB) && cfg->MODE == 2; i++)
    new_row |= regs->row_q[i] != was_regs->row_q[i];
  POINT_IF(holds, "a held pair is granted again", hits);
  POINT_IF(holds && most > 1, "several held pairs are granted again", hits > 1);
  POINT_IF(holds && most > 1, "a held pair and a new one are granted", hits && granted > hits);
  POINT_IF(holds, "a held pair asks no more", held && !hits && in->adv && all_free);
  POINT_IF(holds, "a held pair asks, and its output is not free", held && asked.cells && !all_free && held > hits);
  POINT_IF(holds, "a held pair, and no request at all", held && !asked.cells);
  POINT_IF(cfg->MODE == 2, "a remembered row changes", new_row);
  POINT_IF(holds && cfg->MAXHOLD, "a pair has been held for as long as it may", longest);
  POINT_IF(holds && cfg->GRACE, "a holder has used all its grace", forgiven);
}
