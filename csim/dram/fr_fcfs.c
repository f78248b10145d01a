/* SPDX-License-Identifier: Apache-2.0 */
/* First ready, first come first served (Rixner et al. 2000): the oldest request whose row is open and whose column
 * command is possible now; else ACT or PRE for the oldest request of a bank whose open row nobody waits for.
 *
 * ours: reads and writes are served in turns, because turning the data bus round costs some 15 cycles. Writes get their
 * turn when no read waits, when a read waits for the line of a queued write, or, after an eighth of a queue of reads, when
 * half the queue is writes or a write is old. Once reads wait, their turn ends when at most an eighth of the queue is
 * writes and none of them old, or after a queue's worth of writes. A request is old after AGE cycles a queue place; the
 * oldest one, when old, is served before younger row hits of its bank. Hence every request ends in bounded time. */
#include "dram/channel_internal.h"

enum { AGE = 16 };

static uint64_t expires(const struct dram_channel *d, uint32_t class) {
  uint16_t oldest = d->age[class].first;
  return oldest == NO_ENTRY ? UINT64_MAX : d->entries[oldest].arrival + (uint64_t)AGE * d->capacity;
}

static bool writes_urgent(const struct dram_channel *d) {
  uint16_t oldest = d->age[1].first;
  return oldest != NO_ENTRY && d->entries[oldest].order < d->urgent_below;
}

static void turn(struct dram_channel *d, uint32_t class) {
  d->serving = class;
  d->served = 0;
}

static void choose_class(struct dram_channel *d, uint64_t cycle) {
  uint32_t reads = d->queued[0], writes = d->queued[1], few = (d->capacity + 7) / 8;
  bool old = expires(d, 1) <= cycle;
  if (d->serving == 0) {
    bool turn_due = d->served >= few && (old || writes >= (d->capacity + 1) / 2);
    if (writes && (!reads || turn_due || writes_urgent(d))) turn(d, 1);
  } else if (reads && !writes_urgent(d)) {
    if ((writes < few && !old) || !writes || d->served >= d->capacity) turn(d, 0);
  }
}

/* Oldest column command possible at `cycle` among `banks`; else the earliest cycle of any. */
static void pick_column(const struct dram_channel *d, uint64_t cycle, uint64_t banks, struct dram_choice *out) {
  uint32_t class = d->serving;
  uint64_t order = UINT64_MAX;
  for (; banks; banks &= banks - 1) {
    const struct dram_bank *b = &d->bank[__builtin_ctzll(banks)];
    uint64_t at = dram_column_cycle(d, b, class);
    if (at > cycle) {
      if (order == UINT64_MAX && at < out->cycle) out->cycle = at;
      continue;
    }
    uint16_t hit = b->hit[class];
    if (d->entries[hit].order >= order) continue;
    order = d->entries[hit].order;
    *out = (struct dram_choice){cycle, hit, class ? DRAM_WRITE : DRAM_READ};
  }
}

/* ACT or PRE for the oldest possible request among the banks' oldest. */
static void pick_row(const struct dram_channel *d, uint64_t cycle, uint64_t banks, struct dram_choice *out) {
  uint64_t order = UINT64_MAX;
  for (; banks; banks &= banks - 1) {
    struct dram_choice one;
    uint16_t first = d->bank[__builtin_ctzll(banks)].list[d->serving].first;
    dram_towards(d, first, &one);
    if (one.cycle > cycle) {
      if (order == UINT64_MAX && one.cycle < out->cycle) out->cycle = one.cycle;
      continue;
    }
    if (d->entries[first].order >= order) continue;
    order = d->entries[first].order;
    one.cycle = cycle;
    *out = one;
  }
}

static void fr_fcfs_pick(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  choose_class(d, cycle);
  uint64_t hits = d->with_hit[d->serving], misses = d->with_any[d->serving] & ~hits;
  uint64_t age_out = expires(d, d->serving), other = expires(d, !d->serving);
  out->cycle = UINT64_MAX;
  if (age_out <= cycle) { /* its bank is closed to younger hits */
    uint16_t oldest = d->age[d->serving].first;
    uint64_t bank = UINT64_C(1) << d->entries[oldest].bank;
    if (hits & bank && d->bank[d->entries[oldest].bank].hit[d->serving] != oldest) {
      hits &= ~bank;
      misses |= bank;
    }
  } else if (age_out < out->cycle) {
    out->cycle = age_out;
  }
  if (other > cycle && other < out->cycle) out->cycle = other;
  pick_column(d, cycle, hits, out);
  if (out->cycle > cycle) pick_row(d, cycle, misses, out);
}

const struct dram_scheduler dram_fr_fcfs = {"fr_fcfs", fr_fcfs_pick};
