/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_agen_ports.h"

enum { MODE_NONE, MODE_HALO, MODE_BANK, MODE_RESERVED };

/* Each mode with a flat buffer and a matrix, and with each element size; each region of a tile. */
static void modes(struct cover_points *to, const struct d2ma_agen_in *in, bool begins) {
  static const char *const shapes[4][2] = {{"no mode, flat", "no mode, matrix"},
                                           {"halo, flat flag", "halo, matrix flag"},
                                           {"bank padding, flat", "bank padding, matrix"},
                                           {"reserved mode, flat", "reserved mode, matrix"}};
  static const char *const sizes[3][4] = {
    {"no mode, elements of 1 byte", "no mode, elements of 2 bytes", "no mode, elements of 4 bytes",
     "no mode, elements of 8 bytes"},
    {"halo, elements of 1 byte", "halo, elements of 2 bytes", "halo, elements of 4 bytes", "halo, elements of 8 bytes"},
    {"bank padding, elements of 1 byte", "bank padding, elements of 2 bytes", "bank padding, elements of 4 bytes",
     "bank padding, elements of 8 bytes"}};
  static const char *const regions[] = {"halo region 0 (none)",
                                        "halo region 1",
                                        "halo region 2",
                                        "halo region 3",
                                        "halo region 4",
                                        "halo region 5",
                                        "halo region 6",
                                        "halo region 7",
                                        "halo region 8",
                                        "halo region 9",
                                        "halo region 10 or more (none)"};
  uint32_t region = in->region & 15;
  for (uint32_t m = 0; m < 4; m++)
    for (uint32_t d = 0; d < 2; d++) POINT(shapes[m][d], begins && in->mode == m && in->dim2 == d);
  for (uint32_t m = 0; m < 3; m++)
    for (uint32_t s = 0; s < 4; s++) POINT(sizes[m][s], begins && in->mode == m && in->esz == s);
  for (uint32_t r = 0; r < 11; r++)
    POINT(regions[r], begins && in->mode == MODE_HALO && (region < 10 ? region : 10) == r);
}

BLOCK_COVER(d2ma_agen) {
  bool begins = in->start && !out->busy && !in->abort;
  bool request = out->req_valid && in->req_ready;
  uint32_t segment = (uint32_t)cfg->SEG;
  modes(to, in, begins);
  POINT("a buffer of no element", begins && !in->count);
  POINT("a matrix of no column", begins && in->dim2 && in->count && !(in->count & 255));
  POINT("a stride of 0, which means 1", begins && !in->stride);
  POINT("a strided buffer", begins && in->mode != MODE_HALO && !in->dim2 && in->stride > 1);
  POINT("bank padding of 0 words, which means none", begins && in->mode == MODE_BANK && !in->hrows);
  POINT("a halo of no row and no column", begins && in->mode == MODE_HALO && !in->hrows && !in->hcols);
  POINT("further constant borders on all sides", begins && in->mode == MODE_HALO && in->region >> 4 == 15);
  POINT("a start while busy is ignored", in->start && out->busy);
  POINT("a start beside an abort", in->start && in->abort);
  POINT("an abort while a request waits", in->abort && out->req_valid);
  POINT("an abort in the cycle of done", in->abort && out->done);
  POINT("the next start one cycle after done", FOLLOWS && was_out->done && begins);
  POINT("a whole segment", request && out->req_len == segment);
  POINT("a request of one byte", request && out->req_len == 1);
  POINT("a request that ends in the midst of its segment", request && out->req_off + out->req_len < (uint32_t)segment);
  POINT("a request that starts in the midst of its segment", request && out->req_off);
  POINT("requests and constants wait at once", out->req_valid && out->cst_valid);
  POINT("a run of 32 constant bytes", out->cst_valid && out->cst_len == 32);
  POINT("a run of one constant byte", out->cst_valid && out->cst_len == 1);
  POINT("constants alone are left", out->cst_valid && !out->req_valid && !regs->ld_on_q);
  POINT("requests alone are left", out->req_valid && !out->cst_valid && !regs->cst_on_q);
}
