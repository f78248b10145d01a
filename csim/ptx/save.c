/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion: a function that may run again before it returns keeps the registers that live across such a call in its
 * frame. The stores and loads are operations like any other, so they cost what local memory costs. */
#include "ptx/decode.h"

#include <string.h>

enum { PACK_MAX = 7, UNPACK_MAX = 4, WORD_PREDICATES = 32 };

struct writer {
  struct decoder *d;
  struct part *part;
  struct ptx_op *ops;
  uint32_t n, capacity;
  uint32_t line, word; /* word: the register that predicates are packed into */
  uint32_t slot, most; /* bytes of the saved */
};

static struct ptx_op *new_op(struct writer *w) {
  w->ops = arena_grow(w->d->parser->scratch, w->ops, w->n, &w->capacity, sizeof *w->ops);
  struct ptx_op *op = &w->ops[w->n++];
  *op = (struct ptx_op){.guard = PTX_NO_GUARD, .issue_slots = 1, .line = w->line};
  memset(op->read_reg, 0xff, sizeof op->read_reg);
  memset(op->write_reg, 0xff, sizeof op->write_reg);
  return op;
}

static void move(struct writer *w, uint32_t reg, bool load) {
  struct part *p = w->part;
  uint32_t bytes = ptx_type_bytes(p->reg[reg].type) == 8 ? 8 : 4;
  struct ptx_op *op = new_op(w);
  w->slot = (uint32_t)align_up(w->slot, bytes);
  op->class = load ? PTX_LOAD : PTX_STORE;
  op->memory = (struct ptx_op_memory){
    .offset = (int64_t)(ptx_frame_locals(p->function) + align_up(p->function->local_bytes, 8) + w->slot),
    .space = PTX_LOCAL,
    .bytes = (uint8_t)bytes,
    .vector = 1,
    .register_bytes = (uint8_t)bytes,
    .wide_host = w->d->parser->wide};
  op->src[op->n_src++] = PTX_ROW_STACK;
  if (load) {
    op->dst[op->n_dst++] = p->reg[reg].row;
    op->write_reg[0] = (uint16_t)reg;
  } else {
    op->src[op->n_src++] = p->reg[reg].row;
    op->read_reg[0] = (uint16_t)reg;
  }
  w->slot += bytes;
  if (w->slot > w->most) w->most = w->slot;
}

/* `n` predicates into the word from bit `bit` on, or back. */
static void pack(struct writer *w, const uint32_t *predicate, uint32_t n, uint32_t bit) {
  struct ptx_op *op = new_op(w);
  op->class = PTX_INT;
  op->exec = ptx_exec_pack_predicates;
  op->first_bit = (uint8_t)bit;
  op->dst[op->n_dst++] = w->part->reg[w->word].row;
  op->write_reg[0] = (uint16_t)w->word;
  for (uint32_t i = 0; i < n; i++) {
    op->src[op->n_src++] = w->part->reg[predicate[i]].row;
    op->read_reg[i] = (uint16_t)predicate[i];
  }
  if (bit) op->read_reg[n] = (uint16_t)w->word;
}

static void unpack(struct writer *w, const uint32_t *predicate, uint32_t n, uint32_t bit) {
  struct ptx_op *op = new_op(w);
  op->class = PTX_INT;
  op->exec = ptx_exec_unpack_predicates;
  op->first_bit = (uint8_t)bit;
  op->src[op->n_src++] = w->part->reg[w->word].row;
  op->read_reg[0] = (uint16_t)w->word;
  for (uint32_t i = 0; i < n; i++) {
    op->dst[op->n_dst++] = w->part->reg[predicate[i]].row;
    op->write_reg[i] = (uint16_t)predicate[i];
  }
}

static void move_predicates(struct writer *w, const uint32_t *predicate, uint32_t n, bool load) {
  for (uint32_t first = 0; first < n; first += WORD_PREDICATES) {
    uint32_t here = n - first < WORD_PREDICATES ? n - first : WORD_PREDICATES, step = load ? UNPACK_MAX : PACK_MAX;
    if (load) move(w, w->word, true);
    for (uint32_t i = 0; i < here; i += step) {
      uint32_t some = here - i < step ? here - i : step;
      if (load) unpack(w, predicate + first + i, some, i);
      else pack(w, predicate + first + i, some, i);
    }
    if (!load) move(w, w->word, false);
  }
}

/* What is live: registers of 64 bits, of 32, predicates. */
static void move_all(struct writer *w, const uint64_t *live, bool load) {
  struct part *p = w->part;
  uint32_t *predicate = arena_alloc(w->d->parser->scratch, (p->n_regs + 1) * sizeof *predicate), n = 0;
  w->slot = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t r = 0; r < p->n_regs; r++) {
      uint32_t bytes = ptx_type_bytes(p->reg[r].type);
      if (!(live[r / 64] >> r % 64 & 1)) continue;
      if (bytes && (bytes == 8) == (pass == 0)) move(w, r, load);
      if (!bytes && pass) predicate[n++] = r;
    }
  move_predicates(w, predicate, n, load);
}

static bool in_circle(const struct part *part, const struct call *call, const struct part *parts, uint32_t n_parts) {
  for (uint32_t i = 0; i < n_parts; i++) {
    if (parts[i].group != part->group) continue;
    if (parts[i].function == call->callee) return true;
    for (uint32_t k = 0; k < call->n_candidates; k++)
      if (parts[i].function == call->candidate[k]) return true;
  }
  return false;
}

/* The registers of the part, and one more to pack predicates into. */
static void add_word(struct writer *w) {
  struct part *p = w->part;
  struct arena *a = w->d->parser->scratch;
  struct reg *reg = arena_alloc(a, (p->n_regs + 1) * sizeof *reg);
  memcpy(reg, p->reg, p->n_regs * sizeof *reg);
  w->word = p->n_regs++;
  reg[w->word] = (struct reg){.name = "(predicates)", .type = T_B32, .row = (ptx_row)p->rows_before++};
  p->reg = reg;
}

void ptx_save_registers(struct decoder *d, struct part *part, const struct part *parts, uint32_t n_parts) {
  struct arena *a = d->parser->scratch;
  struct writer w = {.d = d, .part = part};
  uint32_t words = (part->n_regs + 63) / 64, calls = 0;
  uint32_t *moved = arena_alloc(a, (part->n_ops + 1) * sizeof *moved);
  add_word(&w);
  uint64_t *live = arena_alloc(a, (words + 1) * sizeof *live);
  for (uint32_t i = 0; i < part->n_ops; i++) {
    const struct ptx_op *op = &part->ops[i];
    const struct call *call = ptx_op_is_call(op) ? part->function->instruction[op->branch.target].call : NULL;
    bool saves = call && in_circle(part, call, parts, n_parts);
    moved[i] = w.n;
    w.line = op->line;
    if (call) memcpy(live, part->call_live + (size_t)words * calls++, words * sizeof *live);
    if (saves) move_all(&w, live, false);
    *new_op(&w) = *op;
    if (saves) move_all(&w, live, true);
  }
  for (uint32_t i = 0; i < w.n; i++)
    if (ptx_op_is_jump(&w.ops[i])) w.ops[i].branch.target = moved[w.ops[i].branch.target];
  for (uint32_t i = 0; i < part->n_table; i++) d->table[part->table + i] = moved[d->table[part->table + i]];
  part->ops = w.ops;
  part->n_ops = w.n;
  part->save_bytes = w.most;
}
