/* SPDX-License-Identifier: Apache-2.0 */
/* A part is one function of a kernel while link.c puts the kernel together; and the passes over parts. */
#ifndef TANDEM_PTX_PART_H
#define TANDEM_PTX_PART_H

#include "ptx/parse.h"

/* First and last operation at which a register is live or named. */
struct interval {
  uint32_t first, last;
};

/* Operations, registers and rows are numbered within the part until the kernel is linked. */
struct part {
  struct function *function;
  struct ptx_op *ops;
  uint32_t n_ops, first;
  struct reg *reg;
  uint32_t n_regs, first_reg, rows_before; /* rows_before: provisional rows, from PTX_ROW_FIRST */
  uint32_t reg_room;                       /* of a list of its own; 0: `reg` is the function's */
  struct interval *interval;
  uint32_t n_rows, first_row;
  uint32_t save_bytes, spill_bytes, frame_bytes;
  uint32_t live_registers, need; /* need: the most that it and its callees use at once */
  uint32_t group;                /* parts that call each other recursively have one group: their lowest index */
  uint32_t table, n_table;       /* brx: in the kernel's table */
  uint64_t *call_live;           /* registers live across each call, in order */
  /* Of allocated registers: the number of each register, those in use, and where the part's begin in the kernel. */
  uint32_t *number, registers, predicates, first_register, first_predicate;
};
enum { SPECIAL_ROWS = 1 << 24 }; /* provisional row of special register s: SPECIAL_ROWS + s */

/* flow.c. Fills reconverge of every branch, live_registers, an interval for every register; of calls, call_live and
 * live_across. `table`: targets of brx as operations of the part. */
void ptx_flow_analyse(struct arena *, struct part *, const uint32_t *table);
/* How many registers an operation reads and writes, each once. */
static inline uint32_t ptx_n_reads(const struct ptx_op *op) {
  uint32_t n = 0;
  while (n < sizeof op->read_reg / sizeof op->read_reg[0] && op->read_reg[n] != PTX_NO_REG) n++;
  return n;
}
static inline uint32_t ptx_n_writes(const struct ptx_op *op) {
  uint32_t n = 0;
  while (n < sizeof op->write_reg / sizeof op->write_reg[0] && op->write_reg[n] != PTX_NO_REG) n++;
  return n;
}

/* 32-bit registers that a value takes; predicates take none. */
static inline uint32_t ptx_reg_weight(const struct reg *r) {
  uint32_t bytes = ptx_type_bytes(r->type);
  return bytes == 8 ? 2 : bytes ? 1 : 0;
}

/* Of numbered registers those of 32 bits have the first rows, those of 64 bits the next ones, predicates the rest. A row of 64-bit values
 * does not hold those of its lanes in the words of a row of 32-bit values, and while one lane has a pair in a register
 * another one may have half of it: so the two never share rows. */
static inline uint32_t ptx_register_rows(const struct reg *r) {
  return r->type == T_PRED ? 2 : ptx_type_bytes(r->type) == 8 ? 1 : 0;
}

static inline bool ptx_op_is_call(const struct ptx_op *op) {
  return op->class == PTX_BRANCH && (op->branch.kind == BRANCH_CALL || op->branch.kind == BRANCH_CALL_INDIRECT);
}
static inline bool ptx_op_is_jump(const struct ptx_op *op) {
  return op->class == PTX_BRANCH && op->branch.kind == BRANCH_PLAIN;
}
/* Control never falls through to the next operation, unless a guard lets some lanes through. */
static inline bool ptx_op_ends_flow(const struct ptx_op *op) {
  return op->class == PTX_EXIT || (op->class == PTX_BRANCH && !ptx_op_is_call(op));
}

/* tiles.c. Marks software staging copies in a kernel's operations; returns the number of tiles. */
uint32_t ptx_mark_tiles(struct arena *, struct ptx_op *ops, uint32_t n_ops, uint32_t n_registers,
                        const uint8_t *predicate);

/* rows.c. Lets registers share rows: rewrites the operations and n_rows. */
void ptx_rows_compact(struct arena *, struct part *);
/* The same with the architectural numbers that registers have (allocate.h). */
void ptx_rows_number(struct arena *, struct part *);

struct decoder;
/* save.c. Adds the stores and loads that keep registers across recursive calls, or across all calls. */
void ptx_save_registers(struct decoder *, struct part *, const struct part *parts, uint32_t n_parts, bool all);

#endif
