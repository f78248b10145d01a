/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "cta_cluster_dispatch_ports.h"

BLOCK_COVER(cta_cluster_dispatch) {
  uint32_t sms = (uint32_t)cfg->SMS, tail = regs->left_q >> sms & 1, mine = regs->left_q & (uint32_t)cover_ones(sms);
  uint64_t grid = regs->grid_q, cls = regs->cls_q, next = regs->run_at_q[0];
  bool goes = out->cta_valid, own = goes && mine >> out->cta_sm & 1, front = regs->waits_q & 1 && !out->busy;
  bool fresh = goes && !own && front && (regs->whole_q || !tail), cut = false;
  bool spread = goes && !own && !fresh && tail && !regs->whole_q, steals = goes && !own && !fresh && !spread;
  bool takes = in->run_valid && out->run_ready;
  for (int d = 0; d < 3; d++) cut |= (next >> 16 * d & 0xffff) + (cls >> 16 * d & 0xffff) > (grid >> 16 * d & 0xffff);
  POINT("an SM begins a whole cluster", fresh && regs->whole_q);
  POINT("an SM goes on with its cluster", own);
  POINT("the first cluster that is spread begins", fresh && !regs->whole_q);
  POINT("a CTA of the cluster that is spread", spread);
  POINT_IF(cfg->STEAL, "a CTA of another SM's cluster", steals);
  POINT_IF(sms > 1 && !cfg->STEAL, "an SM with a free slot waits while another one has CTAs",
           in->free && !in->start_en && !goes && mine);
  POINT("a cluster that the grid cuts", fresh && cut);
  POINT("a CTA follows in the next row", FOLLOWS && goes && was_out->cta_valid && out->cta_y == was_out->cta_y + 1);
  POINT("a CTA follows in the next layer", FOLLOWS && goes && was_out->cta_valid && out->cta_z == was_out->cta_z + 1);
  POINT_IF(sms > 1, "SMs are served in turn",
           FOLLOWS && goes && was_out->cta_valid && out->cta_sm == (was_out->cta_sm + 1U) % sms);
  POINT("a new cluster in two cycles in a row",
        FOLLOWS && fresh && was_out->cta_valid && was_regs->run_at_q[0] != regs->run_at_q[0]);
  POINT("two runs wait", regs->waits_q == 3);
  POINT("a run is taken while another one ends", takes && out->busy);
  POINT("an empty run", takes && !in->run_count);
  POINT("a run outside of the grid", out->busy && regs->run_count_q[0]);
  POINT("the list ends while CTAs are left", FOLLOWS && !regs->open_q && was_regs->open_q && regs->left_q);
  POINT("a run after the end of the list", in->run_valid && !regs->open_q && !in->start_en);
  POINT("a launch before the end of the one before", in->start_en && !out->done);
  POINT("a size of 0", in->start_en && !in->cls_x);
  POINT("the end", FOLLOWS && out->done && !was_out->done);
}
