/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "first_from_ports.h"

BLOCK_COVER(first_from) {
  uint64_t start = UINT64_C(1) << in->from, last = UINT64_C(1) << (cfg->N - 1);
  POINT("the start itself is picked", in->req && out->pick == start);
  POINT_IF(cfg->N > 1, "a client behind the start is picked", out->pick > start);
  POINT_IF(cfg->N > 1, "the search wraps round", in->from < cfg->N && out->pick && out->pick < start);
  POINT_IF(cfg->N > 1, "the start is the last client, which does not ask",
           start == last && in->req && !(in->req & last));
  POINT_IF(cfg->N & (cfg->N - 1), "the start is behind the last client", in->from >= cfg->N && in->req);
  POINT("a start, but no request", !in->req && in->from);
}
