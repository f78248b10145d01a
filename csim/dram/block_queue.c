/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/block_queue.h"

#include "base/err.h"
#include "bfifo_sched_ports.h"
#include "dram/channel_state.h"
#include "frfcfs_sched_ports.h"

#include <stdio.h>

enum { ROW_BITS = 24, TAG_BITS = 10 /* dram.queue */, COMMAND_COLUMN = 1, COMMAND_ACTIVATE = 2, COMMAND_PRECHARGE = 3 };

/* Both blocks have the same ports. */
#define SAME_PORT(side, port) \
  _Static_assert(offsetof(struct bfifo_sched_##side, port) == offsetof(struct frfcfs_sched_##side, port), "ports")
SAME_PORT(in, enq_row);
SAME_PORT(in, enq_tag);
SAME_PORT(in, bank_can_act);
SAME_PORT(in, bank_can_pre);
SAME_PORT(in, bank_can_col);
SAME_PORT(in, enq_valid);
SAME_PORT(in, enq_bank);
SAME_PORT(out, cmd_tag);
SAME_PORT(out, enq_ready);
SAME_PORT(out, cmd);
SAME_PORT(out, cmd_bank);

struct block *block_queue_create(const struct dram_channel *d, struct block_factory *factory, struct err *e) {
  const struct dram_scheduler *s = d->scheduler;
  char path[64];
  snprintf(path, sizeof path, "dram.%u.sched", d->index);
  const struct block_setting settings[] = {{"NB", d->n_banks},
                                           {s->by_bank ? "DEPTH" : "Q", d->bank_capacity},
                                           {"RW", ROW_BITS},
                                           {"TW", TAG_BITS},
                                           {"NCMD", d->fixed_bursts}};
  struct block *b = block_make(factory, block_find(s->block), path, settings, sizeof settings / sizeof *settings,
                               &d->clocks->cycle[CLOCK_DRAM], e);
  if (!b)
    err_prefix(e, "dram.scheduler = %s with dram.queue = %u and dram.banks = %u", s->name, d->capacity, d->n_banks);
  return b;
}

/* The request that the block considers in bank b: the head of its FIFO, or the oldest of the queue for the open row, else
 * the oldest. The command that it needs is looked up here only to say whether the timings allow it. */
static uint16_t considered(const struct dram_channel *d, const struct dram_bank *b) {
  return d->scheduler->by_bank || b->hit[0] == NO_ENTRY ? b->list[0].first : b->hit[0];
}

/* Sets what the timings allow; returns the next cycle in which they allow something else. */
static uint64_t show_timings(const struct dram_channel *d, uint64_t cycle, struct bfifo_sched_in *in) {
  uint64_t next = UINT64_MAX;
  in->bank_can_act = in->bank_can_pre = in->bank_can_col = 0;
  for (uint64_t banks = d->with_any[0]; banks; banks &= banks - 1) {
    uint32_t bank = (uint32_t)__builtin_ctzll(banks);
    struct dram_choice one;
    dram_towards(d, considered(d, &d->bank[bank]), &one);
    if (one.cycle > cycle) {
      if (one.cycle < next) next = one.cycle;
      continue;
    }
    uint16_t *can = one.op == DRAM_ACTIVATE    ? &in->bank_can_act
                    : one.op == DRAM_PRECHARGE ? &in->bank_can_pre
                                               : &in->bank_can_col;
    *can |= (uint16_t)(1U << bank);
  }
  return next;
}

static void show_arrival(const struct dram_channel *d, uint16_t arriving, struct bfifo_sched_in *in) {
  in->enq_valid = arriving != NO_ENTRY;
  if (!in->enq_valid) return;
  const struct dram_entry *e = &d->entries[arriving];
  invariant(!(e->row >> ROW_BITS), "row of DRAM channel %u beyond the %d bits of %s", d->index, ROW_BITS,
            d->scheduler->block);
  in->enq_bank = e->bank;
  in->enq_row = (uint32_t)e->row;
  in->enq_tag = arriving;
}

/* The command must be the one that the bank's state asks for, which block and channel both keep. */
static void read_command(const struct dram_channel *d, const struct bfifo_sched_out *out, struct dram_choice *choice) {
  struct dram_choice expected;
  dram_towards(d, out->cmd_tag, &expected);
  choice->entry = out->cmd_tag;
  choice->op = out->cmd == COMMAND_ACTIVATE     ? DRAM_ACTIVATE
               : out->cmd == COMMAND_PRECHARGE  ? DRAM_PRECHARGE
               : d->entries[out->cmd_tag].class ? DRAM_WRITE
                                                : DRAM_READ;
  invariant(choice->op == expected.op && d->entries[out->cmd_tag].bank == out->cmd_bank,
            "%s: command %u for request %u, whose bank needs %u", d->queue->path, out->cmd, out->cmd_tag, expected.op);
}

void block_queue_cycle(struct dram_channel *d, uint64_t cycle, uint16_t arriving, struct dram_choice *choice) {
  struct bfifo_sched_in *in = d->queue->in;
  const struct bfifo_sched_out *out = d->queue->out;
  choice->cycle = show_timings(d, cycle, in);
  show_arrival(d, arriving, in);
  if (!in->enq_valid && !(in->bank_can_act | in->bank_can_pre | in->bank_can_col)) return;
  block_eval(d->queue);
  invariant(!in->enq_valid || out->enq_ready, "%s refuses a request for which it has room", d->queue->path);
  if (out->cmd) {
    read_command(d, out, choice);
    choice->cycle = cycle;
  }
  block_tick(d->queue);
}
