/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_footprint_ports.h"

enum { MODE_NONE, MODE_HALO, MODE_BANK };

BLOCK_COVER(d2ma_footprint) {
  bool reads = in->rd_ok && FOLLOWS && was_out->rd_en;
  uint32_t entries = (uint32_t)(cfg->CTAS * cfg->BUFS);
  POINT("an operation that moves data", in->wr_en && in->wr_go);
  POINT("an operation that moves none", in->wr_en && !in->wr_go);
  POINT("fields of a flat buffer", reads && in->mode == MODE_NONE && !in->dim2);
  POINT("fields of a matrix", reads && in->mode == MODE_NONE && in->dim2);
  POINT("fields of a halo", reads && in->mode == MODE_HALO);
  POINT("fields of bank padding", reads && in->mode == MODE_BANK && in->hrows);
  POINT("fields of bank padding of 0 words", reads && in->mode == MODE_BANK && !in->hrows);
  POINT("fields of no element", reads && !in->count);
  POINT("the read is refused", FOLLOWS && was_out->rd_en && !in->rd_ok);
  POINT_IF(entries > 1, "several entries wait", regs->pend_q & (regs->pend_q - 1));
  POINT_IF(entries > 1, "every entry waits", regs->pend_q == cover_ones(entries));
  POINT("an operation of the entry that is computed",
        in->wr_en && regs->on_q && in->wr_cta == regs->cta_q && in->wr_buf == regs->buf_q);
  POINT("an operation of an entry that waits",
        in->wr_en && regs->pend_q >> (in->wr_cta * cfg->BUFS + in->wr_buf) % 64 & 1);
  POINT("a wide range is written", out->ck_wr && !out->ck_known);
  POINT("a footprint is written", out->ck_wr && out->ck_known);
  POINT("a footprint of 0 bytes", out->ck_wr && out->ck_known && !out->ck_foot);
  POINT("a footprint waits for a wide range", regs->phase_q == 4 && regs->wide_on_q);
}
