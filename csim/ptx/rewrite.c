/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/rewrite.h"

#include <string.h>

struct rewrite ptx_rewrite_begin(struct decoder *d, struct part *part) {
  return (struct rewrite){
    .d = d, .part = part, .moved = arena_alloc(d->parser->scratch, (part->n_ops + 1) * sizeof(uint32_t))};
}

void ptx_rewrite_at(struct rewrite *w, uint32_t i) {
  w->moved[i] = w->n;
  w->line = w->part->ops[i].line;
}

struct ptx_op *ptx_rewrite_keep(struct rewrite *w, const struct ptx_op *op) {
  w->ops = arena_grow(w->d->parser->scratch, w->ops, w->n, &w->capacity, sizeof *w->ops);
  w->ops[w->n] = *op;
  return &w->ops[w->n++];
}

struct ptx_op *ptx_rewrite_new(struct rewrite *w) {
  struct ptx_op op = {.guard = PTX_NO_GUARD, .issue_slots = 1, .line = w->line};
  memset(op.read_reg, 0xff, sizeof op.read_reg);
  memset(op.write_reg, 0xff, sizeof op.write_reg);
  return ptx_rewrite_keep(w, &op);
}

uint64_t ptx_kept_at(const struct part *p) {
  return ptx_frame_locals(p->function) + align_up(p->function->local_bytes, 8);
}

uint32_t ptx_kept_words(const struct part *p) { return ((uint32_t)align_up(p->save_bytes, 8) + p->spill_bytes) / 4; }

bool ptx_keeps(const struct part *p, const struct ptx_op *op, uint32_t *word) {
  uint64_t at = ptx_kept_at(p);
  if ((op->class != PTX_LOAD && op->class != PTX_STORE) || op->memory.space != PTX_LOCAL || op->memory.is_matrix)
    return false;
  if ((op->src[0] >= 0 && op->src[0] != PTX_ROW_STACK) || (uint64_t)op->memory.offset < at) return false;
  *word = (uint32_t)((uint64_t)op->memory.offset - at) / 4;
  return *word < ptx_kept_words(p);
}

/* A kernel without calls has no stack pointer, and the frame of an entry begins at 0. */
static ptx_row frame(const struct rewrite *w) {
  return w->d->kernel->calls ? PTX_ROW_STACK : decode_constant(w->d, 0, true);
}

void ptx_rewrite_local(struct rewrite *w, uint32_t reg, bool load, uint64_t offset) {
  const struct reg *r = &w->part->reg[reg];
  uint32_t bytes = ptx_type_bytes(r->type) == 8 ? 8 : 4;
  struct ptx_op *op = ptx_rewrite_new(w);
  op->class = load ? PTX_LOAD : PTX_STORE;
  op->memory = (struct ptx_op_memory){.offset = (int64_t)offset,
                                      .space = PTX_LOCAL,
                                      .bytes = (uint8_t)bytes,
                                      .vector = 1,
                                      .register_bytes = (uint8_t)bytes,
                                      .wide_host = w->d->parser->wide};
  op->src[op->n_src++] = frame(w);
  if (load) {
    op->dst[op->n_dst++] = r->row;
    op->write_reg[0] = (uint16_t)reg;
  } else {
    op->src[op->n_src++] = r->row;
    op->read_reg[0] = (uint16_t)reg;
  }
}

void ptx_rewrite_end(struct rewrite *w) {
  struct part *p = w->part;
  for (uint32_t i = 0; i < w->n; i++)
    if (ptx_op_is_jump(&w->ops[i])) w->ops[i].branch.target = w->moved[w->ops[i].branch.target];
  for (uint32_t i = 0; i < p->n_table; i++) w->d->table[p->table + i] = w->moved[w->d->table[p->table + i]];
  p->ops = w->ops;
  p->n_ops = w->n;
}

uint32_t ptx_rewrite_register(struct rewrite *w, const char *name, enum ptx_type type) {
  struct part *p = w->part;
  struct arena *a = w->d->parser->scratch;
  if (p->n_regs >= p->reg_room) { /* the part's first list is the function's, which other kernels decode, too */
    p->reg_room = p->n_regs + p->n_regs / 2 + 64;
    struct reg *reg = arena_alloc(a, p->reg_room * sizeof *reg);
    if (p->n_regs) memcpy(reg, p->reg, p->n_regs * sizeof *reg);
    p->reg = reg;
    struct interval *interval = arena_alloc(a, (p->reg_room + 2) * sizeof *interval);
    p->interval = interval; /* filled by the next analysis */
  }
  p->reg[p->n_regs] = (struct reg){.name = name, .type = type, .row = (ptx_row)p->rows_before};
  p->rows_before += ptx_type_bytes(type) == 8 ? 2 : 1;
  return p->n_regs++;
}
