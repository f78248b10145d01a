/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "rr_arb_ports.h"

BLOCK_COVER(rr_arb) {
  uint32_t first = 1U << regs->ptr_q, last = 1U << (cfg->N - 1);
  NEVER_BUSY("without a request the priority does not move");
  POINT("a grant is accepted", out->grant && in->accept);
  POINT("a grant is refused", out->grant && !in->accept);
  POINT("accept without a request", !in->req && in->accept);
  POINT("the client with the priority is granted", out->grant == first);
  POINT_IF(cfg->N > 1, "a client behind the priority is granted", out->grant > first);
  POINT_IF(cfg->N > 1, "the search wraps round", out->grant && out->grant < first);
  POINT_IF(cfg->N > 1, "the priority wraps round: the last client is accepted", out->grant == last && in->accept);
  POINT_IF(cfg->N > 1, "the last client has the priority and does not ask",
           first == last && in->req && !(in->req & last));
  POINT("a refused grant is repeated", was_out->grant && !was_in->accept && out->grant == was_out->grant && FOLLOWS);
  POINT("a refused client withdraws", was_out->grant && !was_in->accept && !(in->req & was_out->grant));
  POINT_IF(cfg->N > 1, "all clients ask, and all are served in turn: the grant moves on by one",
           was_in->accept && in->req == cover_ones((uint32_t)cfg->N) && was_in->req == in->req &&
             out->grant == was_out->grant << 1);
}
