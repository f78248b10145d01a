/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns the registers of a function to as few rows as a linear scan finds (Poletto, Sarkar, "Linear Scan Register
 * Allocation", 1999), so that the register files of hundreds of warps stay in the host's caches.
 *
 * Registers share a row if their live intervals, in the order of the text, are disjoint. Divergent paths of a warp do
 * not disturb each other: each lane writes its own lane only. A predicate is one bit for each lane, so predicates
 * share rows among themselves only. Intervals that meet in one operation count as overlapping, so a destination never
 * overlaps a source of another width. A register that may be read before it is written is live from the start and
 * reads as zero. */
#include "ptx/part.h"

#include <stdlib.h>
#include <string.h>

enum row_kind { ROW_SINGLE, ROW_PAIR, ROW_PREDICATE, ROW_KINDS };

struct scan {
  const struct reg *reg;
  const struct interval *interval;
  uint32_t *order;  /* registers by start */
  ptx_row *row;     /* new row of each register */
  uint32_t *active; /* registers that hold a row now */
  uint32_t n_active;
  ptx_row *free[ROW_KINDS];
  uint32_t n_free[ROW_KINDS];
  uint32_t n_rows;
};

static enum row_kind kind_of(const struct reg *r) {
  return r->type == T_PRED ? ROW_PREDICATE : ptx_type_bytes(r->type) == 8 ? ROW_PAIR : ROW_SINGLE;
}

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
    else {
      enum row_kind kind = kind_of(&s->reg[r]);
      s->free[kind][s->n_free[kind]++] = s->row[r];
    }
  }
  s->n_active = kept;
}

static ptx_row take(struct scan *s, enum row_kind kind) {
  if (s->n_free[kind]) return s->free[kind][--s->n_free[kind]];
  ptx_row row = (ptx_row)s->n_rows;
  s->n_rows += kind == ROW_PAIR ? 2 : 1;
  return row;
}

/* Scratch rows, the stack pointer's rows and those of special registers stay where they are. */
static ptx_row renamed(const ptx_row *map, ptx_row row) {
  return row >= PTX_ROW_FIRST && row < SPECIAL_ROWS ? map[row] : row;
}

static void rename_rows(struct arena *a, struct part *p, const ptx_row *row) {
  ptx_row *map = arena_alloc(a, (p->rows_before + 1) * sizeof *map);
  for (uint32_t r = 0; r < p->n_regs; r++) map[p->reg[r].row] = row[r];
  for (uint32_t i = 0; i < p->n_ops; i++) {
    struct ptx_op *op = &p->ops[i];
    for (uint32_t j = 0; j < op->n_dst; j++) op->dst[j] = renamed(map, op->dst[j]);
    for (uint32_t j = 0; j < op->n_src; j++) op->src[j] = renamed(map, op->src[j]);
    if (op->guard != PTX_NO_GUARD) op->guard = renamed(map, op->guard);
  }
}

void ptx_rows_number(struct arena *a, struct part *p) {
  ptx_row *row = arena_alloc(a, (p->n_regs + 1) * sizeof *row);
  for (uint32_t r = 0; r < p->n_regs; r++) {
    uint32_t before = p->registers * ptx_register_rows(&p->reg[r]);
    row[r] = PTX_ROW_FIRST + (ptx_row)(before + p->number[r]);
  }
  rename_rows(a, p, row);
  p->n_rows = 2 * p->registers + p->predicates;
}

void ptx_rows_compact(struct arena *a, struct part *p) {
  uint32_t n = p->n_regs;
  size_t bytes = (n + 1) * sizeof(uint32_t);
  struct scan s = {.reg = p->reg,
                   .interval = p->interval,
                   .n_rows = PTX_ROW_FIRST,
                   .order = arena_alloc(a, bytes),
                   .row = arena_alloc(a, bytes),
                   .active = arena_alloc(a, bytes)};
  for (int kind = 0; kind < ROW_KINDS; kind++) s.free[kind] = arena_alloc(a, bytes);
  sort_by_start(a, &s, n, p->n_ops);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t r = s.order[i];
    expire(&s, p->interval[r].first);
    s.row[r] = take(&s, kind_of(&p->reg[r]));
    s.active[s.n_active++] = r;
  }
  rename_rows(a, p, s.row);
  p->n_rows = s.n_rows - PTX_ROW_FIRST;
}
