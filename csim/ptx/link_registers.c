/* SPDX-License-Identifier: Apache-2.0 */
/* Architectural registers of a kernel with its functions. Each part is allocated alone. A callee's registers lie behind those that are
 * live across the calls of it, as if the compiler knew the whole call graph. If that takes more than a thread may
 * have, every call saves what is live across it in the frame, as recursion does, and all parts begin at register 0. */
#include "ptx/link_registers.h"

#include "ptx/allocate.h"
#include "ptx/mark_phases.h"
#include "ptx/phase_needs.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT_TEXT = 96, WARP_THREADS = 32 };

struct limit {
  uint32_t most;
  char text[LIMIT_TEXT];
};

/* A part as it was decoded, for a second attempt. */
struct decoded {
  struct part part;
  uint32_t *table;
};

/* What launch bounds leave to a thread. More CTAs than an SM has threads for are ignored, as the PTX manual has it: one is
 * asked for then. */
static void bound(const struct linker *l, struct limit *limit) {
  const struct ptx_options *o = l->parser->options;
  uint32_t own = l->kernel->public.max_threads, threads = own ? own : o->block_threads, ctas = l->kernel->min_ctas;
  if (!threads || !o->sm_registers) return;
  uint64_t whole = align_up(threads, WARP_THREADS);
  if (!ctas || (o->sm_threads && ctas * whole > o->sm_threads)) ctas = 1;
  uint64_t most = o->sm_registers / (ctas * whole);
  if (most >= limit->most) return;
  limit->most = (uint32_t)most;
  snprintf(limit->text, sizeof limit->text, "%u CTAs of %u threads, by %s, in an SM of %u registers", ctas, threads,
           own ? "its launch bounds" : "CU_JIT_THREADS_PER_BLOCK", o->sm_registers);
}

static struct limit limit_of(const struct linker *l) {
  const struct ptx_options *o = l->parser->options;
  struct limit limit = {.most = PTX_REGISTERS_MAX, .text = "of which every GPU has no more"};
  if (o->registers && o->registers < limit.most) {
    limit.most = o->registers;
    snprintf(limit.text, sizeof limit.text, "%s", o->limit);
  }
  if (l->kernel->max_registers && l->kernel->max_registers < limit.most) {
    limit.most = l->kernel->max_registers;
    snprintf(limit.text, sizeof limit.text, ".maxnreg %u", limit.most);
  }
  bound(l, &limit);
  return limit;
}

/* ---- one attempt ---- */

static void restore(const struct linker *l, struct part *p, const struct decoded *from) {
  *p = from->part;
  p->ops = arena_alloc(l->parser->scratch, (p->n_ops + 1) * sizeof *p->ops);
  memcpy(p->ops, from->part.ops, p->n_ops * sizeof *p->ops);
  for (uint32_t i = 0; i < p->n_table; i++) l->decoder.table[p->table + i] = from->table[i];
}

static int allocate_part(struct linker *l, uint32_t i, const struct limit *limit, bool saves) {
  struct part *p = &l->part[i];
  ptx_flow_analyse(l->parser->scratch, p, l->decoder.table);
  if (saves || link_reaches(l, i, i)) ptx_save_registers(&l->decoder, p, l->part, l->n_parts, saves);
  return ptx_allocate(&l->decoder, p, limit->most, limit->text);
}

/* ---- where each part's registers begin ---- */

struct top {
  uint32_t registers, predicates;
};

/* What call number `call` of the part leaves to the callee: numbers from here on. */
static struct top top_of(const struct part *p, uint32_t call) {
  const uint64_t *live = p->call_live + (size_t)call * ((p->n_regs + 63) / 64);
  struct top top = {0};
  for (uint32_t r = 0; r < p->n_regs; r++) {
    if (!(live[r / 64] >> r % 64 & 1)) continue;
    uint32_t weight = ptx_reg_weight(&p->reg[r]), end = p->number[r] + (weight ? weight : 1);
    uint32_t *most = weight ? &top.registers : &top.predicates;
    if (end > *most) *most = end;
  }
  top.registers += top.registers & 1; /* pairs of the callee begin at even numbers, too */
  return top;
}

static bool raise_base(struct linker *l, const struct part *from, struct top top, const struct function *callee) {
  struct part *to = &l->part[link_part_of(l, callee)];
  uint32_t registers = from->first_register + top.registers, predicates = from->first_predicate + top.predicates;
  bool any = registers > to->first_register || predicates > to->first_predicate;
  if (registers > to->first_register) to->first_register = registers;
  if (predicates > to->first_predicate) to->first_predicate = predicates;
  return any;
}

static bool raise_bases(struct linker *l, const struct part *p) {
  uint32_t call = 0;
  bool any = false;
  for (uint32_t i = 0; i < p->n_ops; i++) {
    const struct call *c = link_call_at(p, &p->ops[i]);
    if (!c) continue;
    struct top top = top_of(p, call++);
    if (c->callee) any |= raise_base(l, p, top, c->callee);
    for (uint32_t k = 0; k < c->n_candidates; k++) any |= raise_base(l, p, top, c->candidate[k]);
  }
  return any;
}

/* Nothing is live across a call within a circle, so this ends. */
static struct top place_parts(struct linker *l) {
  struct top all = {0};
  for (bool any = true; any;) {
    any = false;
    for (uint32_t i = 0; i < l->n_parts; i++) any |= raise_bases(l, &l->part[i]);
  }
  for (uint32_t i = 0; i < l->n_parts; i++) {
    const struct part *p = &l->part[i];
    if (p->first_register + p->registers > all.registers) all.registers = p->first_register + p->registers;
    if (p->first_predicate + p->predicates > all.predicates) all.predicates = p->first_predicate + p->predicates;
  }
  return all;
}

/* ---- the whole ---- */

static struct decoded *keep_parts(const struct linker *l) {
  struct arena *a = l->parser->scratch;
  struct decoded *kept = arena_alloc(a, (l->n_parts + 1) * sizeof *kept);
  for (uint32_t i = 0; i < l->n_parts; i++) {
    const struct part *p = &l->part[i];
    kept[i] = (struct decoded){.part = *p, .table = arena_alloc(a, (p->n_table + 1) * sizeof(uint32_t))};
    for (uint32_t k = 0; k < p->n_table; k++) kept[i].table[k] = l->decoder.table[p->table + k];
  }
  return kept;
}

int link_allocate(struct linker *l) {
  const struct limit limit = limit_of(l);
  const struct decoded *decoded = keep_parts(l);
  struct top all = {0};
  for (int saves = 0; saves < 2; saves++) {
    for (uint32_t i = 0; i < l->n_parts; i++) {
      restore(l, &l->part[i], &decoded[i]);
      int code = allocate_part(l, i, &limit, saves);
      if (code) return code;
    }
    int code = l->parser->options->phases ? ptx_mark_phases(l, limit.most) : 0;
    if (code) return code;
    all = place_parts(l);
    if (all.registers <= limit.most) break;
  }
  struct ptx_kernel *k = &l->kernel->public;
  k->registers = all.registers ? all.registers : 1; /* assumption: a thread has one, whatever it does */
  k->predicates = all.predicates;
  int code = l->parser->options->phases ? ptx_fill_phases(l) : 0;
  for (uint32_t i = 0; i < l->n_parts; i++) {
    k->spill_bytes += l->part[i].spill_bytes;
    ptx_rows_number(l->parser->scratch, &l->part[i]);
  }
  return code;
}
