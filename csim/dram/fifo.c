/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel_internal.h"

/* First come, first served: only the oldest request, read or write, may issue commands. */
static void fifo_pick(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  (void)cycle;
  uint16_t read = d->age[0].first, write = d->age[1].first, oldest = read;
  if (read == NO_ENTRY || (write != NO_ENTRY && d->entries[write].order < d->entries[read].order)) oldest = write;
  dram_towards(d, oldest, out);
}

const struct dram_scheduler dram_fifo = {"fifo", fifo_pick, NULL};
