/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "caba_aws_ports.h"

BLOCK_COVER(caba_aws) {
  uint32_t routines = (uint32_t)cfg->ROUTINES, words = (uint32_t)cfg->WORDS;
  bool exists = in->rd_en && in->rd_sr < routines, there = exists && regs->there_q >> in->rd_sr & 1;
  uint32_t len = there ? regs->len_q[in->rd_sr] : 0, base = there ? regs->base_q[in->rd_sr] : 0;
  uint32_t first = (base + in->rd_inst) % words, row = first / 2;
  const uint32_t *loaded = first & 1 ? regs->odd_there_q : regs->even_there_q;
  bool reads = there && in->rd_inst < len, filled = reads && loaded[row / 32] >> row % 32 & 1;
  NEVER("register len_q is 0", "a row of length 0 is no routine");
  POINT("two words from an even place", reads && !(first & 1) && in->rd_inst + 1U < len);
  POINT("two words from an odd place", reads && (first & 1) && in->rd_inst + 1U < len);
  POINT("the last word alone", reads && in->rd_inst + 1U == len);
  POINT("the last two words", reads && in->rd_inst + 2U == len);
  POINT("a routine of one word", reads && len == 1);
  POINT("a read behind the end of a routine", there && in->rd_inst >= len);
  POINT("a read of a routine that is not in the directory", exists && !there);
  POINT_IF(routines > 1 && (routines & (routines - 1)), "a read of a routine that does not exist",
           in->rd_en && !exists);
  POINT_IF(routines > 1 && (routines & (routines - 1)), "a row that does not exist is written",
           in->dir_en && in->dir_sr >= routines);
  POINT("a read of a word that was not loaded", reads && !filled);
  POINT("a read of the word that is loaded", filled && in->ld_en && in->ld_at == first);
  POINT("the words' numbers wrap", reads && first == words - 1 && in->rd_inst + 1U < len);
  POINT("a routine leaves the directory",
        in->dir_en && in->dir_sr < routines && !in->dir_len && regs->there_q >> in->dir_sr & 1);
  POINT("a read of the row that is written", reads && in->dir_en && in->dir_sr == in->rd_sr);
  POINT("clearing beside loading", in->clear_en && in->ld_en && in->dir_en);
  POINT("clearing beside a read", in->clear_en && reads);
  POINT("reads in two cycles that follow", reads && out->busy);
  POINT("every routine is there", regs->there_q == cover_ones(routines));
}
