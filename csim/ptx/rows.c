/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the registers of a kernel as few rows as a linear scan finds (Poletto, Sarkar, "Linear Scan Register
 * Allocation", 1999): the register files of hundreds of warps then stay in the host's caches.
 *
 * Registers share a row when their live intervals, in the order of the text, are disjoint. Paths of one warp never
 * disturb each other: every lane writes its own lane only. Intervals that touch in one operation are not disjoint, so
 * that a destination never overlaps a source of another width. A register that may be read before it is written lives
 * from the start and reads as zero. */
#include "ptx/ptx_internal.h"

#include <stdlib.h>
#include <string.h>

struct scan {
  const struct reg *reg;
  const struct interval *interval;
  uint32_t *order;  /* registers by start */
  ptx_row *row;     /* new row of each register */
  uint32_t *active; /* registers that hold a row now */
  uint32_t n_active;
  ptx_row *free_single, *free_pair;
  uint32_t n_single, n_pair;
  uint32_t n_rows;
};

static bool is_pair(const struct reg *r) { return ptx_type_bytes(r->type) == 8; }

/* Counting sort by start: stable, so that the rows are the same on every host. */
static void sort_by_start(struct arena *a, struct scan *s, uint32_t n_registers, uint32_t n_ops) {
  uint32_t *at = arena_alloc(a, (n_ops + 2) * sizeof *at);
  for (uint32_t r = 0; r < n_registers; r++) at[s->interval[r].first + 1]++;
  for (uint32_t i = 0; i <= n_ops; i++) at[i + 1] += at[i];
  for (uint32_t r = 0; r < n_registers; r++) s->order[at[s->interval[r].first]++] = r;
}

static void expire(struct scan *s, uint32_t now) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->n_active; i++) {
    uint32_t r = s->active[i];
    if (s->interval[r].last >= now) s->active[kept++] = r;
    else if (is_pair(&s->reg[r])) s->free_pair[s->n_pair++] = s->row[r];
    else s->free_single[s->n_single++] = s->row[r];
  }
  s->n_active = kept;
}

static ptx_row take(struct scan *s, bool pair) {
  if (pair && s->n_pair) return s->free_pair[--s->n_pair];
  if (!pair && s->n_single) return s->free_single[--s->n_single];
  ptx_row row = (ptx_row)s->n_rows;
  s->n_rows += pair ? 2 : 1;
  return row;
}

/* Rewrites the rows of every operation; specials move behind the registers. */
static void rename_rows(struct arena *a, struct kernel *k, struct scan *s) {
  ptx_row *map = arena_alloc(a, k->public.n_rows * sizeof *map);
  for (uint32_t r = 0; r < k->public.n_registers; r++) map[s->reg[r].row] = s->row[r];
  for (uint32_t i = 0; i < PTX_N_SPECIALS; i++) {
    if (!k->special_row[i]) continue;
    map[k->special_row[i]] = (ptx_row)s->n_rows;
    k->special_row[i] = (ptx_row)s->n_rows++;
  }
  for (uint32_t i = 0; i < k->public.n_ops; i++) {
    struct ptx_op *op = &k->ops[i];
    for (uint32_t j = 0; j < op->n_dst; j++) op->dst[j] = map[op->dst[j]];
    for (uint32_t j = 0; j < op->n_src; j++)
      if (op->src[j] >= 0) op->src[j] = map[op->src[j]];
    if (op->guard != PTX_NO_GUARD) op->guard = map[op->guard];
  }
  k->public.n_rows = s->n_rows;
}

void ptx_rows_compact(struct arena *a, struct kernel *k, const struct reg *reg, const struct interval *interval) {
  uint32_t n = k->public.n_registers;
  size_t bytes = (n + 1) * sizeof(uint32_t);
  struct scan s = {.reg = reg,
                   .interval = interval,
                   .n_rows = 2, /* 0 and 1 stay scratch */
                   .order = arena_alloc(a, bytes),
                   .row = arena_alloc(a, bytes),
                   .active = arena_alloc(a, bytes),
                   .free_single = arena_alloc(a, bytes),
                   .free_pair = arena_alloc(a, bytes)};
  sort_by_start(a, &s, n, k->public.n_ops);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t r = s.order[i];
    expire(&s, interval[r].first);
    s.row[r] = take(&s, is_pair(&reg[r]));
    s.active[s.n_active++] = r;
  }
  rename_rows(a, k, &s);
}
