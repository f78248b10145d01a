/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/placement.h"

#include "base/err.h"
#include "config/gpu_config.h"

#include <stdlib.h>

enum { PART_OF_A_ROW = 8 };

static bool is_local(const struct placement_label *a, uint64_t row_bytes) {
  return a->regular && (uint64_t)llabs((long long)a->stride) <= row_bytes / PART_OF_A_ROW;
}

/* The rows by intensity, most first; insertion keeps equals in order. `intensity` is sorted along. */
static void insert(struct placement *p, uint32_t *intensity, const struct placement_label *a) {
  uint32_t at = p->n++;
  for (; at && intensity[at - 1] < a->intensity; at--) {
    intensity[at] = intensity[at - 1];
    p->row[at] = p->row[at - 1];
  }
  intensity[at] = a->intensity;
  p->row[at] = (struct placement_row){.label = a->label};
}

/* `n` columns of those from `first` on. */
static uint64_t set_of(uint32_t first, uint32_t n) { return n ? (UINT64_MAX >> (64 - n)) << first : 0; }

/* Of the rows before `end` that have columns of their own the one with the least intensity; `end`: there is none. */
static uint32_t least(const struct placement *p, const uint32_t *together, uint32_t end) {
  uint32_t best = end;
  for (uint32_t i = 0; i < end; i++)
    if (p->row[i].rank == i && (best == end || together[i] < together[best])) best = i;
  return best;
}

/* Columns for `intensity` of `sum`, rounded, at least one. */
static uint32_t share_of(uint32_t columns, uint32_t intensity, uint32_t sum) {
  uint32_t share = (2 * columns * intensity + sum) / (2 * sum);
  return share ? share : 1;
}

void placement_choose(struct placement *p, const struct placement_label *labels, uint32_t n, uint32_t columns,
                      uint32_t rest, uint64_t row_bytes) {
  invariant(n <= PLACEMENT_LABELS && columns >= 1 && columns <= 64, "%u labels over %u columns", n, columns);
  uint32_t intensity[PLACEMENT_LABELS]; /* of a row; of all that share its columns */
  uint32_t sum = 1, others = 1, given = 0;
  p->n = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool local = is_local(&labels[i], row_bytes);
    sum += labels[i].intensity;
    if (local) insert(p, intensity, &labels[i]);
    else others += labels[i].intensity;
  }
  uint32_t half = columns / 2 ? columns / 2 : 1, kept = rest == MMU_SHARE ? share_of(columns, others, sum) : half;
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t share = share_of(columns, intensity[i], sum), room = columns - given - kept;
    if (share > room) share = room;
    uint32_t from = share ? i : least(p, intensity, i);
    p->row[i].rank = from;
    p->row[i].columns = set_of(given, share);
    given += share;
    if (share || from == i) continue;
    p->row[i].columns = p->row[from].columns;
    intensity[from] += intensity[i];
  }
  p->rest = set_of(given, columns - given);
  for (uint32_t i = 0; i < p->n; i++)
    if (!p->row[i].columns) p->row[i].columns = p->rest; /* a single column */
}

const struct placement_row *placement_find(const struct placement *p, uint32_t label) {
  for (uint32_t i = 0; i < p->n; i++)
    if (p->row[i].label == label) return &p->row[i];
  return NULL;
}
