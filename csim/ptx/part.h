/* SPDX-License-Identifier: Apache-2.0 */
/* A part: one function while link.c puts a kernel together, and the passes over its operations. */
#ifndef TANDEM_PTX_PART_H
#define TANDEM_PTX_PART_H

#include "ptx/parse.h"

/* Operations from the first to the last at which a register is live or named. */
struct interval {
  uint32_t first, last;
};

/* A function in a kernel that reaches it, while the kernel is put together: operations, registers and rows are its own
 * numbers until then. */
struct part {
  struct function *function;
  struct ptx_op *ops;
  uint32_t n_ops, first;
  struct reg *reg;
  uint32_t n_regs, first_reg, rows_before; /* rows_before: provisional rows, from PTX_ROW_FIRST */
  struct interval *interval;
  uint32_t n_rows, first_row;
  uint32_t save_bytes, frame_bytes;
  uint32_t live_registers, need; /* need: with those of its callees */
  uint32_t group;                /* parts that call each other in a circle: their lowest index */
  uint32_t table, n_table;       /* brx: in the kernel's table */
  uint64_t *call_live;           /* registers live across each call, in order */
};
enum { SPECIAL_ROWS = 1 << 24 }; /* provisional row of special register s: SPECIAL_ROWS + s */

/* flow.c. Fills reconverge of every branch, live_registers, an interval for every register; of calls, call_live and
 * live_across. `table`: targets of brx as operations of the part. */
void ptx_flow_analyse(struct arena *, struct part *, const uint32_t *table);
static inline bool ptx_op_is_call(const struct ptx_op *op) {
  return op->class == PTX_BRANCH && (op->branch.kind == BRANCH_CALL || op->branch.kind == BRANCH_CALL_INDIRECT);
}
static inline bool ptx_op_is_jump(const struct ptx_op *op) {
  return op->class == PTX_BRANCH && op->branch.kind == BRANCH_PLAIN;
}
/* What follows is reached by a branch only, unless guarded. */
static inline bool ptx_op_ends_flow(const struct ptx_op *op) {
  return op->class == PTX_EXIT || (op->class == PTX_BRANCH && !ptx_op_is_call(op));
}

/* tiles.c. Marks software copies of tiles in a kernel's operations; returns the number of tiles. */
uint32_t ptx_mark_tiles(struct arena *, struct ptx_op *ops, uint32_t n_ops, uint32_t n_registers,
                        const uint8_t *predicate);

/* rows.c. Lets registers share rows: rewrites the operations and n_rows. */
void ptx_rows_compact(struct arena *, struct part *);

struct decoder;
/* save.c. Adds the stores and loads that keep registers across recursive calls. */
void ptx_save_registers(struct decoder *, struct part *, const struct part *parts, uint32_t n_parts);

#endif
