/* SPDX-License-Identifier: Apache-2.0 */
/* Values: which operation a register's content comes from, at any point of a kernel's entry function. Where several
 * operations may have written the register last, a join of basic blocks stands for them.
 *
 * Construction on demand: Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC
 * 2013). Only the values that are asked for are built. */
#ifndef TANDEM_PTX_AFFINE_VALUE_H
#define TANDEM_PTX_AFFINE_VALUE_H

#include "ptx/kernel.h"
#include "ptx/part.h"

enum value_kind {
  VALUE_ZERO,    /* never written: registers of an entry are 0 */
  VALUE_RESULT,  /* destination `part` of operation `op` */
  VALUE_GUARDED, /* the same, if the guard of `op` holds; else arg[0], what the register held before */
  VALUE_JOIN     /* arg[i]: from predecessor i of `block`; one without arguments is unknown */
};

struct value {
  uint8_t kind; /* enum value_kind */
  uint8_t part;
  bool loops;    /* of a join: `block` begins a loop */
  bool settled;  /* of a join: `same` is final */
  uint32_t same; /* the value that this one always equals; itself if none is known */
  uint32_t op;
  uint32_t block, reg;
  uint32_t n_args;
  const uint32_t *arg;
};

struct value_block {
  uint32_t first, end; /* operations */
  uint32_t n_predecessors;
  const uint32_t *predecessor;
  uint32_t n_successors;
  const uint32_t *successor; /* those outside of the function are left out */
  bool reached, loops;       /* from the entry; the target of a branch back */
  uint32_t back;             /* of a block that loops: the only block that branches back to it, or UINT32_MAX */
};

struct values;
struct values *values_new(struct arena *, const struct kernel *);

/* Operations of the entry function, from 0. */
uint32_t values_n_ops(const struct values *);
uint32_t values_n_blocks(const struct values *);
const struct value_block *values_block(const struct values *, uint32_t block);
uint32_t values_block_of(const struct values *, uint32_t op);
/* Whether `block` lies in the loop that begins with `head` and has one branch back. */
bool values_in_loop(const struct values *, uint32_t head, uint32_t block);

/* The value of source `i` of operation `op`, a register. False: it is a constant, a special register, or the stack
 * pointer (op->src[i] says which). */
bool values_source(struct values *, uint32_t op, uint32_t i, uint32_t *value);
uint32_t values_guard(struct values *, uint32_t op); /* of an operation that has one */
uint32_t values_result(struct values *, uint32_t op, uint32_t part);
/* By number; never one that equals another. */
const struct value *values_at(struct values *, uint32_t *value);

#endif
