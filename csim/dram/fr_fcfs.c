/* SPDX-License-Identifier: Apache-2.0 */
/* First ready, first come first served (Rixner et al. 2000): the oldest request whose row is open and whose column
 * command is possible now; else ACT or PRE for the oldest request of a bank whose open row nobody waits for.
 *
 * assumption: reads and writes are served in turns, because turning the data bus round costs some 15 cycles. Writes get their
 * turn when no read waits, when a read waits for the line of a queued write, or, after an eighth of a queue of reads, when
 * half the queue is writes or a write is old. Once reads wait, their turn ends when at most an eighth of the queue is
 * writes and none of them old, or after a queue's worth of writes. A request is old after AGE cycles a queue place; the
 * oldest one, when old, is served before younger row hits of its bank. Hence every request ends in bounded time. */
#include "dram/channel_state.h"

enum { AGE = 16, LOOK = 6 };

static uint64_t expires(const struct dram_channel *d, uint32_t class) {
  uint16_t oldest = d->age[class].first;
  return oldest == NO_ENTRY ? UINT64_MAX : d->entries[oldest].arrival + (uint64_t)AGE * d->capacity;
}

static bool writes_urgent(const struct dram_channel *d) {
  uint16_t oldest = d->age[1].first;
  return oldest != NO_ENTRY && d->entries[oldest].order < d->urgent_below;
}

/* The class to serve at `cycle`, as the queue stands. */
static uint32_t next_class(const struct dram_channel *d, uint64_t cycle) {
  uint32_t reads = d->queued[0], writes = d->queued[1], few = (d->capacity + 7) / 8;
  bool old = expires(d, 1) <= cycle;
  if (d->serving == 0) {
    bool turn_due = d->served >= few && (old || writes >= (d->capacity + 1) / 2);
    return writes && (!reads || turn_due || writes_urgent(d));
  }
  return !(reads && !writes_urgent(d) && ((writes < few && !old) || !writes || d->served >= d->capacity));
}

/* Most choices are among the first few by age: the first of them that is its bank's hit and possible is the choice. */
static uint16_t ready_by_age(const struct dram_channel *d, uint64_t cycle, uint64_t banks, uint32_t class) {
  uint16_t i = d->age[class].first;
  for (int k = 0; k < LOOK && i != NO_ENTRY; k++, i = d->entries[i].by_age.next) {
    const struct dram_entry *e = &d->entries[i];
    const struct dram_bank *b = &d->bank[e->bank];
    if (b->hit[class] == i && banks >> e->bank & 1 && dram_later(b->column_at, d->group_at[e->group]) <= cycle)
      return i;
  }
  return NO_ENTRY;
}

/* Oldest column command possible at `cycle` among `banks`; else no later than the earliest cycle of any. */
static void pick_column(const struct dram_channel *d, uint64_t cycle, uint64_t banks, struct dram_choice *out) {
  uint32_t class = d->serving;
  uint64_t order = UINT64_MAX, first = UINT64_MAX;
  uint16_t oldest = NO_ENTRY;
  if (d->column_at[class] > cycle) { /* none of them, whatever the banks say */
    if (d->column_at[class] < out->cycle) out->cycle = d->column_at[class];
    return;
  }
  oldest = ready_by_age(d, cycle, banks, class);
  for (banks = oldest == NO_ENTRY ? banks : 0; banks; banks &= banks - 1) {
    const struct dram_bank *b = &d->bank[__builtin_ctzll(banks)];
    uint64_t at = dram_later(b->column_at, d->group_at[b->group]);
    if (at > cycle) {
      if (at < first) first = at;
      continue;
    }
    uint16_t hit = b->hit[class];
    if (d->entries[hit].order >= order) continue;
    order = d->entries[hit].order;
    oldest = hit;
  }
  if (oldest != NO_ENTRY) *out = (struct dram_choice){cycle, oldest, class ? DRAM_WRITE : DRAM_READ};
  else if (first < out->cycle) out->cycle = first;
}

/* ACT or PRE for the oldest possible request among the banks' oldest. */
static void pick_row(const struct dram_channel *d, uint64_t cycle, uint64_t banks, struct dram_choice *out) {
  uint64_t order = UINT64_MAX;
  if (d->activate_at > cycle && banks & ~d->with_row) { /* no ACT, whatever the bank */
    if (d->activate_at < out->cycle) out->cycle = d->activate_at;
    banks &= d->with_row;
  }
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

/* dram.prefer: the oldest read that comes first among the row hits that are possible at `cycle`, else ACT or PRE for the oldest one
 * whose bank has no hit; false: the usual choice. The banks' earliest cycles are the same for all reads. */
static bool pick_preferred(const struct dram_channel *d, uint64_t cycle, uint64_t hits, uint64_t misses,
                           struct dram_choice *out) {
  struct dram_choice row = {.cycle = UINT64_MAX}, one;
  for (uint16_t i = d->age[0].first; i != NO_ENTRY; i = d->entries[i].by_age.next) {
    const struct dram_entry *e = &d->entries[i];
    if (e->traffic != d->preferred) continue;
    bool hit = hits >> e->bank & 1 && dram_is_hit(d, &d->bank[e->bank], e);
    if (!hit && !(misses >> e->bank & 1)) continue;
    dram_towards(d, i, &one);
    if (one.cycle > cycle) continue;
    one.cycle = cycle;
    if (!hit && row.cycle == UINT64_MAX) row = one;
    if (!hit) continue;
    *out = one;
    return true;
  }
  bool others = false; /* any other hit comes before a row */
  for (uint64_t banks = hits; banks && !others; banks &= banks - 1)
    others = dram_column_cycle(d, &d->bank[__builtin_ctzll(banks)], 0) <= cycle;
  if (others || row.cycle == UINT64_MAX) return false;
  *out = row;
  return true;
}

static void fr_fcfs_pick(struct dram_channel *d, uint64_t cycle, struct dram_choice *out) {
  uint32_t class = next_class(d, cycle);
  if (class != d->serving) {
    d->serving = class;
    d->served = 0;
  }
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
  if (d->prefers && !d->serving && age_out > cycle && pick_preferred(d, cycle, hits, misses, out)) return;
  if (hits) pick_column(d, cycle, hits, out);
  if (misses && out->cycle > cycle) pick_row(d, cycle, misses, out);
}

/* When every bank that is asked for is open at the right row, the column timings decide. */
static uint64_t fr_fcfs_after(const struct dram_channel *d, uint64_t cycle) {
  uint32_t class = d->serving;
  if (next_class(d, cycle + 1) != class || d->with_any[class] & ~d->with_hit[class]) return cycle + 1;
  uint64_t next = d->column_at[class], own = expires(d, class), other = expires(d, !class);
  if (own < next) next = own;
  if (other < next && other > cycle) next = other;
  return next > cycle ? next : cycle + 1;
}

const struct dram_scheduler dram_fr_fcfs = {
  .name = "fr_fcfs", .by_class = true, .pick = fr_fcfs_pick, .after = fr_fcfs_after};
