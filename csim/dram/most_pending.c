/* SPDX-License-Identifier: Apache-2.0 */
/* Most Pending (Yuan 2009, 6.2.3): the oldest row hit of any bank whose column command is possible; else ACT or PRE in a bank
 * whose open row nobody waits for, towards its row with the most queued requests (the oldest of equals). Of those possible
 * the one of the fullest row. Reads and writes are one queue; of a bank only the oldest hit is looked at, so that requests
 * for one row are served in order of age. (The same with the oldest request in place of the fullest row is the block
 * frfcfs_sched.) */
#include "dram/channel_state.h"

/* The request that the bank should open a row for. */
static uint16_t wanted_row(const struct dram_channel *d, const struct dram_bank *b) {
  uint16_t best = b->list[0].first;
  for (uint16_t i = d->entries[best].by_bank.next; i != NO_ENTRY; i = d->entries[i].by_bank.next)
    if (d->entries[i].mates > d->entries[best].mates) best = i;
  return best;
}

struct candidate {
  uint16_t mates; /* more come first; of equals the lower order */
  uint64_t order;
  bool column, valid;
};

static bool better(const struct candidate *a, const struct candidate *b) {
  if (!b->valid || a->column != b->column) return !b->valid || a->column;
  return a->mates != b->mates ? a->mates > b->mates : a->order < b->order;
}

static void pick(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  struct candidate best = {.valid = false};
  out->cycle = UINT64_MAX;
  for (uint64_t banks = d->with_any[0]; banks; banks &= banks - 1) {
    const struct dram_bank *b = &d->bank[__builtin_ctzll(banks)];
    bool hit = b->hit[0] != NO_ENTRY;
    uint16_t index = hit ? b->hit[0] : wanted_row(d, b);
    struct dram_choice one;
    dram_towards(d, index, &one);
    if (one.cycle > cycle) {
      if (!best.valid && one.cycle < out->cycle) out->cycle = one.cycle;
      continue;
    }
    const struct dram_entry *e = &d->entries[index];
    struct candidate own = {.mates = hit ? 0 : e->mates, .order = e->order, .column = hit, .valid = true};
    if (!better(&own, &best)) continue;
    best = own;
    one.cycle = cycle;
    *out = one;
  }
}

/* When every bank that is asked for is open at the right row, the column timings decide. */
static uint64_t after(const struct dram_channel *d, uint64_t cycle) {
  if (d->with_any[0] & ~d->with_hit[0]) return cycle + 1;
  uint64_t next = d->column_at[0] < d->column_at[1] ? d->column_at[0] : d->column_at[1];
  return next > cycle ? next : cycle + 1;
}

const struct dram_scheduler dram_most_pending = {.name = "most_pending", .pick = pick, .after = after};
