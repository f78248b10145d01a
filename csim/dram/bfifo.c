/* SPDX-License-Identifier: Apache-2.0 */
/* Banked FIFO (Yuan 2009, 4.1 and 6.3): a queue a bank, in order; each cycle a column command of any head whose row is open,
 * else ACT for a head whose bank is closed, else PRE for a head that wants another row; of each kind the oldest. */
#include "dram/channel_state.h"

static uint32_t rank_of(uint8_t op) { return op == DRAM_ACTIVATE ? 1 : op == DRAM_PRECHARGE ? 2 : 0; }

static void bfifo_pick(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  uint32_t rank = UINT32_MAX;
  uint64_t order = UINT64_MAX;
  out->cycle = UINT64_MAX;
  for (uint64_t banks = d->with_any[0]; banks; banks &= banks - 1) {
    struct dram_choice one;
    uint16_t head = d->bank[__builtin_ctzll(banks)].list[0].first;
    dram_towards(d, head, &one);
    if (one.cycle > cycle) {
      if (rank == UINT32_MAX && one.cycle < out->cycle) out->cycle = one.cycle;
      continue;
    }
    uint32_t own = rank_of(one.op);
    if (own > rank || (own == rank && d->entries[head].order >= order)) continue;
    rank = own;
    order = d->entries[head].order;
    one.cycle = cycle;
    *out = one;
  }
}

const struct dram_scheduler dram_bfifo = {"bfifo", false, true, bfifo_pick, NULL};
