/* SPDX-License-Identifier: Apache-2.0 */
/* Architectural registers in the operations of a kernel that was loaded with ptx_options.allocate. */
#ifndef TANDEM_TEST_PTX_NUMBERS_H
#define TANDEM_TEST_PTX_NUMBERS_H

#include "ptx/ptx.h"

enum { NUMBERS_MAX = 1024 };

/* The number of the register in a row, and how many it takes; 0: the row is of none. Predicates count from NUMBERS_MAX / 2 on. */
static inline uint32_t register_of(const struct ptx_kernel *k, ptx_row row, uint32_t *n) {
  int64_t at = (int64_t)row - k->first_register, all = k->registers;
  if (row == PTX_NO_GUARD || at < 0 || at >= 2 * all + k->predicates) return 0;
  *n = (uint32_t)(at < all ? at : at < 2 * all ? at - all : at - 2 * all + NUMBERS_MAX / 2);
  return at >= all && at < 2 * all ? 2 : 1;
}

/* Calls what(self, number, registers that it takes, scoreboard register) for each register that the operation reads, or writes. Operands
 * stand in the order of the scoreboard's lists, each register once; the guard is left out. */
typedef void register_visit(void *self, uint32_t number, uint32_t takes, uint32_t reg, ptx_row row);
static inline void visit_reads(const struct ptx_kernel *k, const struct ptx_op *op, register_visit *what, void *self) {
  ptx_row seen[PTX_SOURCES_MAX];
  uint32_t n = 0, number = 0;
  for (uint32_t i = 0; i < op->n_src; i++) {
    uint32_t takes = register_of(k, op->src[i], &number);
    bool known = !takes;
    for (uint32_t j = 0; j < n; j++) known |= seen[j] == op->src[i];
    if (known) continue;
    what(self, number, takes, op->read_reg[n], op->src[i]);
    seen[n++] = op->src[i];
  }
}
static inline void visit_writes(const struct ptx_kernel *k, const struct ptx_op *op, register_visit *what, void *self) {
  uint32_t written = 0, number = 0;
  for (uint32_t i = 0; i < op->n_dst; i++) {
    uint32_t takes = register_of(k, op->dst[i], &number);
    if (takes) what(self, number, takes, op->write_reg[written++], op->dst[i]);
  }
}

#endif
