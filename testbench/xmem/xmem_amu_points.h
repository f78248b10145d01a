/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage points that xmem_amu_core shares with the composite around it. */
#ifndef TANDEM_XMEM_XMEM_AMU_POINTS_H
#define TANDEM_XMEM_XMEM_AMU_POINTS_H

#include "block/block_cover.h"

enum { CMD_MAP, CMD_UNMAP, CMD_ACTIVATE, CMD_DEACTIVATE, CMD_CONTEXT, CMD_PAGE_FREE };

#define A_COUNTER "a counter of 32 bits is full after 4,294,967,295 events"
#define ONE_TRANSLATION "one translation is outstanding at a time, and its answer takes a cycle"

#define AMU_POINTS                                                                                  \
  bool takes = in->cmd_valid && out->cmd_ready;                                                     \
  NEVER("c_pages: every bit 0 and 1", A_COUNTER);                                                   \
  NEVER("c_stall: every bit 0 and 1", A_COUNTER);                                                   \
  NEVER("mmu_rq: transfers in two cycles in a row", ONE_TRANSLATION);                               \
  POINT("a map of no dimension", takes && in->cmd_op == CMD_MAP && !in->cmd_dim);                   \
  POINT("a map of one dimension", takes && in->cmd_op == CMD_MAP && in->cmd_dim == 1);              \
  POINT("a map of two dimensions", takes && in->cmd_op == CMD_MAP && in->cmd_dim == 2);             \
  POINT("a map of three dimensions", takes && in->cmd_op == CMD_MAP && in->cmd_dim == 3);           \
  POINT("an unmap", takes && in->cmd_op == CMD_UNMAP && in->cmd_dim);                               \
  POINT("a command is refused: the queue is full", in->cmd_valid && !out->cmd_ready);               \
  POINT("a register is written beside a command", in->reg_we &&takes);                              \
  POINT("a translation is a fault", in->mmu_rs_valid && in->mmu_rs_fault);                          \
  POINT("memory keeps a write waiting", out->mem_rq_valid && out->mem_rq_we && !in->mem_rq_ready);  \
  POINT("memory keeps a read waiting", out->mem_rq_valid && !out->mem_rq_we && !in->mem_rq_ready);  \
  POINT("a lookup of an active atom", out->rs_valid && out->rs_active);                             \
  POINT("a lookup of an atom that is not active", out->rs_valid && !out->rs_active);                \
  POINT("a lookup from another context", in->lk_valid && in->lk_ctx != was_in->lk_ctx);             \
  POINT_IF(cfg->HOME, "a page update goes out", out->bc_valid);                                     \
  POINT_IF(cfg->HOME, "a page update of every unit",                                                \
           out->bc_valid && out->bc_mask == cover_ones((uint32_t)cfg->UNITS));                      \
  POINT_IF(cfg->HOME, "a page update of some units",                                                \
           out->bc_valid && out->bc_mask != cover_ones((uint32_t)cfg->UNITS));                      \
  POINT_IF(cfg->HOME, "a status bit is set", out->ab_valid && out->ab_val);                         \
  POINT_IF(cfg->HOME, "a status bit is cleared", out->ab_valid && !out->ab_val);                    \
  POINT_IF(cfg->HOME, "a working set is read beside a page update", in->ws_rd_en && out->bc_valid); \
  POINT("a status bit arrives from the home unit", in->ai_valid)

#endif
