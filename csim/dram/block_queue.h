/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling policies that are blocks (bfifo_sched, frfcfs_sched): the C model, the Verilog or both behind the handle. The
 * channel says which commands its timings allow and carries out the one that the block gives.
 *
 * One request enters the block per cycle, and competes from the next one on. The block is not clocked in cycles in which
 * none arrives and the timings allow no command: such a tick would change none of its registers. */
#ifndef TANDEM_DRAM_BLOCK_QUEUE_H
#define TANDEM_DRAM_BLOCK_QUEUE_H

#include <stdint.h>

struct block;
struct block_factory;
struct dram_channel;
struct dram_choice;
struct err;

/* The block of d's policy. NULL and *e: the block cannot have these banks or this queue, or the factory cannot make it. */
struct block *block_queue_create(const struct dram_channel *d, struct block_factory *, struct err *);
/* One cycle; `arriving` is an entry or NO_ENTRY. Fills *choice: the command of this cycle, or the next cycle in which the
 * timings allow one. */
void block_queue_cycle(struct dram_channel *, uint64_t cycle, uint16_t arriving, struct dram_choice *choice);

#endif
