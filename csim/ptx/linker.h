/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel while it is put together from parts: the state of link.c and of the passes that it calls. */
#ifndef TANDEM_PTX_LINKER_H
#define TANDEM_PTX_LINKER_H

#include "ptx/decode.h"

struct phase_marker;

struct linker {
  struct parser *parser;
  struct kernel *kernel;
  struct decoder decoder;
  struct part *part;
  uint32_t n_parts, part_capacity;
  uint64_t *reach; /* a bit set for each part: the parts that it calls, directly or not */
  uint32_t words, frame_align;
  bool ranked; /* shared arrays have the ranks of an earlier link (variable.rank) */
  struct phase_marker *phases;
};

/* The number of the function's part, or n_parts. */
static inline uint32_t link_part_of(const struct linker *l, const struct function *f) {
  uint32_t i = 0;
  while (i < l->n_parts && l->part[i].function != f) i++;
  return i;
}
static inline bool link_reaches(const struct linker *l, uint32_t from, uint32_t to) {
  return l->reach[(size_t)from * l->words + to / 64] >> to % 64 & 1;
}
/* The call that an operation makes, or NULL. */
static inline const struct call *link_call_at(const struct part *p, const struct ptx_op *op) {
  return ptx_op_is_call(op) ? p->function->instruction[op->branch.target].call : NULL;
}

#endif
