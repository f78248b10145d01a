/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "numa_decode_ports.h"

BLOCK_COVER(numa_decode) {
  POINT("interleaving by 128 bytes", in->pa && !in->b);
  POINT("interleaving by 64 KB", in->pa && in->b == 9);
  POINT("a b that counts as 9", in->pa && in->b > 9);
  POINT("the first zone", in->pa && !out->zone);
  POINT("the last zone", out->zone == cfg->ZONES - 1);
  POINT("the highest address", in->pa == UINT64_MAX >> (64 - cfg->PAW));
  POINT("the next line is in another zone",
        FOLLOWS && in->pa == was_in->pa + 128 && in->b == was_in->b && out->zone != was_out->zone);
  POINT("the next line is in the same zone",
        FOLLOWS && in->pa == was_in->pa + 128 && in->b == was_in->b && out->zone == was_out->zone);
}
