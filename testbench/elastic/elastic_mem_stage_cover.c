/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "elastic_mem_stage_ports.h"

enum { UNIFIED, SPLIT, ELASTIC };

BLOCK_COVER(elastic_mem_stage) {
  bool queues = cfg->VARIANT == ELASTIC;
  uint32_t non_size = cfg->VARIANT == UNIFIED ? 0 : (uint32_t)(queues ? cfg->Q : cfg->M);
  bool takes = in->exe_valid && !out->exe_stall, returns = in->icnt_valid;
  uint32_t stages = (uint32_t)cover_ones((uint32_t)cfg->M);
  POINT("a memory access is taken", takes && in->exe_is_mem);
  POINT("another instruction is taken", takes && !in->exe_is_mem);
  POINT("a memory access is stalled", out->exe_stall && in->exe_valid && in->exe_is_mem);
  POINT("another instruction is stalled", out->exe_stall && in->exe_valid && !in->exe_is_mem);
  POINT("a conflict degree of 0, which counts as 1", takes && in->exe_is_mem && !in->exe_cd);
  POINT("the largest conflict degree", takes && in->exe_is_mem && in->exe_cd == cfg->S);
  POINT("MEM0 repeats an access", regs->left_q > 1);
  POINT("every memory stage is valid", regs->mem_v_q == stages);
  POINT("the memory stages are empty, but something waits", !regs->mem_v_q && out->busy);
  POINT("a return takes the writeback", returns && out->wb_valid && !out->wb_src);
  POINT("a return keeps a ready instruction from the writeback", out->wb_lost);
  POINT("a return alone stalls EXE", out->exe_stall_icnt);
  POINT("the last memory stage is written back", out->wb_valid && out->wb_src == 1);
  POINT_IF(non_size, "an entry of NONMEM is written back", out->wb_valid && out->wb_src >= 2);
  POINT_IF(non_size, "NONMEM is full", out->non_cnt == non_size);
  POINT_IF(queues && cfg->N, "PREMEM is full", out->pre_cnt == (uint32_t)cfg->N);
  POINT_IF(queues && cfg->N, "PREMEM is full, and a memory access asks",
           out->pre_cnt == (uint32_t)cfg->N && in->exe_valid && in->exe_is_mem);
  POINT_IF(queues && cfg->N, "PREMEM fills and empties in one cycle",
           takes && in->exe_is_mem && out->pre_cnt && out->sub_valid);
  POINT("a held instruction is changed or withdrawn", FOLLOWS && was_out->exe_stall && was_in->exe_valid &&
                                                        (in->exe_payload != was_in->exe_payload || !in->exe_valid));
}
