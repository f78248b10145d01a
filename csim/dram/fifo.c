/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel_state.h"

/* First come, first served: only the oldest request, read or write, may issue commands. */
static void fifo_pick(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  (void)cycle;
  dram_towards(d, d->age[0].first, out);
}

const struct dram_scheduler dram_fifo = {.name = "fifo", .pick = fifo_pick};
