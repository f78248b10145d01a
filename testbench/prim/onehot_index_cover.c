/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "onehot_index_ports.h"

BLOCK_COVER(onehot_index) {
  uint64_t last = UINT64_C(1) << (cfg->N - 1);
  POINT("the first input", in->onehot == 1);
  POINT("the last input", in->onehot == last);
  POINT("two inputs: the OR of their numbers", __builtin_popcountll(in->onehot) == 2);
  POINT_IF(cfg->GROUP > 1 && cfg->N > cfg->GROUP, "the last input of the first group",
           in->onehot == UINT64_C(1) << (cfg->GROUP - 1));
  POINT_IF(cfg->GROUP > 1 && cfg->N > cfg->GROUP, "the first input of the second group",
           in->onehot == UINT64_C(1) << (cfg->GROUP < cfg->N ? cfg->GROUP : 0));
}
