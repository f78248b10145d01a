/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion: a function that may run again before it returns saves the registers that are live across such a call in
 * its frame. The stores and loads are ordinary operations, so they cost what local memory costs. */
#include "ptx/rewrite.h"

#include <string.h>

enum { PACK_MAX = 7, UNPACK_MAX = 4, WORD_PREDICATES = 32 };

struct writer {
  struct rewrite to;
  uint32_t word;       /* the register that predicates are packed into */
  uint32_t slot, most; /* slot: offset of the next saved register; most: bytes for all */
};

static void move(struct writer *w, uint32_t reg, bool load) {
  const struct part *p = w->to.part;
  uint32_t bytes = ptx_type_bytes(p->reg[reg].type) == 8 ? 8 : 4;
  w->slot = (uint32_t)align_up(w->slot, bytes);
  ptx_rewrite_local(&w->to, reg, load, ptx_kept_at(p) + w->slot);
  w->slot += bytes;
  if (w->slot > w->most) w->most = w->slot;
}

/* Packs `n` predicates into the word from bit `bit` on; unpack does the opposite. */
static void pack(struct writer *w, const uint32_t *predicate, uint32_t n, uint32_t bit) {
  struct ptx_op *op = ptx_rewrite_new(&w->to);
  op->class = PTX_INT;
  op->exec = ptx_exec_pack_predicates;
  op->first_bit = (uint8_t)bit;
  op->dst[op->n_dst++] = w->to.part->reg[w->word].row;
  op->write_reg[0] = (uint16_t)w->word;
  for (uint32_t i = 0; i < n; i++) {
    op->src[op->n_src++] = w->to.part->reg[predicate[i]].row;
    op->read_reg[i] = (uint16_t)predicate[i];
  }
  if (bit) op->read_reg[n] = (uint16_t)w->word;
}

static void unpack(struct writer *w, const uint32_t *predicate, uint32_t n, uint32_t bit) {
  struct ptx_op *op = ptx_rewrite_new(&w->to);
  op->class = PTX_INT;
  op->exec = ptx_exec_unpack_predicates;
  op->first_bit = (uint8_t)bit;
  op->src[op->n_src++] = w->to.part->reg[w->word].row;
  op->read_reg[0] = (uint16_t)w->word;
  for (uint32_t i = 0; i < n; i++) {
    op->dst[op->n_dst++] = w->to.part->reg[predicate[i]].row;
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

/* Saves or restores what is live: 64-bit registers, 32-bit registers, predicates. */
static void move_all(struct writer *w, const uint64_t *live, bool load) {
  struct part *p = w->to.part;
  uint32_t *predicate = arena_alloc(w->to.d->parser->scratch, (p->n_regs + 1) * sizeof *predicate), n = 0;
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

void ptx_save_registers(struct decoder *d, struct part *part, const struct part *parts, uint32_t n_parts, bool all) {
  struct writer w = {.to = ptx_rewrite_begin(d, part)};
  uint32_t words = (part->n_regs + 63) / 64, calls = 0;
  w.word = ptx_rewrite_register(&w.to, "(predicates)", T_B32);
  uint64_t *live = arena_alloc(d->parser->scratch, (words + 1) * sizeof *live);
  for (uint32_t i = 0; i < part->n_ops; i++) {
    const struct ptx_op *op = &part->ops[i];
    const struct call *call = ptx_op_is_call(op) ? part->function->instruction[op->branch.target].call : NULL;
    bool saves = call && (all || in_circle(part, call, parts, n_parts));
    ptx_rewrite_at(&w.to, i);
    if (call) memcpy(live, part->call_live + (size_t)words * calls++, words * sizeof *live);
    if (saves) move_all(&w, live, false);
    ptx_rewrite_keep(&w.to, op);
    if (saves) move_all(&w, live, true);
  }
  ptx_rewrite_end(&w.to);
  part->save_bytes = w.most;
}
