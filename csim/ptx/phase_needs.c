/* SPDX-License-Identifier: Apache-2.0 */
/* What each phase needs: from its specifier to the next one on every path. Registers that live in a phase of few get their numbers first,
 * and shared arrays that are needed in a phase of few bytes their places, so that what a phase keeps lies low. */
#include "ptx/phase_needs.h"

#include "ptx/colour.h"

#include <string.h>

struct needs {
  struct phase_marker *m;
  uint64_t *set;                   /* by operation: registers live before it or named by it */
  uint32_t *seen, stamp, *list, n; /* of the phase: its operations, and the specifiers that end it */
};

static void add_named(const struct ptx_op *op, uint64_t *set) {
  for (uint32_t i = 0; i < ptx_n_reads(op); i++) flow_add(set, op->read_reg[i]);
  for (uint32_t i = 0; i < ptx_n_writes(op); i++) flow_add(set, op->write_reg[i]);
}

static void find_sets(struct needs *d) {
  const struct phase_marker *m = d->m;
  struct arena *a = m->l->parser->scratch;
  const uint32_t words = m->g.words;
  uint64_t *live = arena_alloc(a, (words + 1) * sizeof *live);
  d->set = arena_alloc(a, ((size_t)m->part->n_ops * words + 1) * sizeof *d->set);
  for (uint32_t b = 0; b < m->g.n_blocks; b++) {
    flow_live_out(&m->g, m->live_in, b, live);
    for (uint32_t i = m->g.block[b].end; i-- > m->g.block[b].first;) {
      flow_step_back(&m->g, &m->part->ops[i], live);
      memcpy(d->set + (size_t)i * words, live, words * sizeof *live);
      add_named(&m->part->ops[i], d->set + (size_t)i * words);
    }
  }
}

static struct needs begin(struct phase_marker *m) {
  struct arena *a = m->l->parser->scratch;
  struct needs d = {.m = m,
                    .seen = arena_alloc(a, (m->part->n_ops + 1) * sizeof(uint32_t)),
                    .list = arena_alloc(a, (m->part->n_ops + 1) * sizeof(uint32_t))};
  find_sets(&d);
  return d;
}

static void visit(struct needs *d, uint32_t op) {
  if (d->seen[op] == d->stamp) return;
  d->seen[op] = d->stamp;
  d->list[d->n++] = op;
}

/* The next specifier on a path is executed in this phase; what follows it is not. */
static void find_phase(struct needs *d, uint32_t first) {
  const struct flow_graph *g = &d->m->g;
  d->n = 0;
  d->stamp++;
  visit(d, first);
  for (uint32_t done = 0; done < d->n; done++) {
    uint32_t i = d->list[done];
    const struct flow_block *b = &g->block[g->block_of[i]];
    if (i != first && d->m->part->ops[i].class == PTX_PHASE) continue;
    if (i + 1 < b->end) visit(d, i + 1);
    for (uint32_t k = 0; i + 1 == b->end && k < b->n_successors; k++) {
      uint32_t next = g->successor[b->successor + k];
      if (next < g->n_blocks) visit(d, g->block[next].first);
    }
  }
}

static uint32_t most_live(const struct needs *d) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < d->n; i++)
    if (d->m->live[d->list[i]] > most) most = d->m->live[d->list[i]];
  return most;
}

static struct shared_set shared_need(const struct needs *d) {
  struct shared_set all = {{0}};
  for (uint32_t i = 0; i < d->n; i++)
    for (int w = 0; w < SHARED_WORDS; w++) all.word[w] |= d->m->shared.needs[d->list[i]].word[w];
  return all;
}

/* ---- numbers and places ---- */

static void rank_registers(const struct needs *d, uint32_t *rank) {
  uint32_t most = most_live(d);
  for (uint32_t i = 0; i < d->n; i++) {
    const uint64_t *set = d->set + (size_t)d->list[i] * d->m->g.words;
    for (uint32_t w = 0; w < d->m->g.words; w++)
      for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
        uint32_t r = w * 64 + (uint32_t)__builtin_ctzll(bits);
        if (most < rank[r]) rank[r] = most;
      }
  }
}

static void rank_arrays(const struct needs *d) {
  struct kernel *k = d->m->l->kernel;
  bool dynamic;
  struct shared_set need = shared_need(d);
  uint32_t bytes = ptx_shared_bytes(k, &need, &dynamic);
  for (uint32_t i = 0; i < k->n_arrays; i++)
    if (flow_in(need.word, i) && bytes < k->array[i].variable->rank) k->array[i].variable->rank = bytes;
}

void ptx_number_phases(struct phase_marker *m, uint32_t most) {
  struct part *p = m->part;
  struct arena *a = m->l->parser->scratch;
  struct needs d = begin(m);
  uint32_t *rank = arena_alloc(a, (p->n_regs + 1) * sizeof *rank);
  for (uint32_t r = 0; r < p->n_regs; r++) rank[r] = INT32_MAX;
  if (!m->l->ranked)
    for (uint32_t i = 0; i < m->l->kernel->n_arrays; i++) m->l->kernel->array[i].variable->rank = UINT32_MAX;
  for (uint32_t i = 0; i < m->n; i++) {
    if (!m->phase[i].specifier) continue;
    find_phase(&d, m->phase[i].first);
    rank_registers(&d, rank);
    if (!m->l->ranked) rank_arrays(&d);
  }
  bool lowest = m->l->parser->options->live == PTX_LIVE_LOWEST;
  p->number = arena_alloc(a, (p->n_regs + 1) * sizeof *p->number);
  p->registers = ptx_colour(a, &m->g, lowest ? rank : NULL, p->number, &p->predicates);
  if (p->registers > most) p->registers = ptx_colour(a, &m->g, NULL, p->number, &p->predicates);
}

/* ---- specifiers ---- */

/* Registers of the functions that the entry calls directly lie behind what lives across the calls. */
static uint32_t top_of_functions(const struct linker *l) {
  uint32_t top = 0;
  for (uint32_t i = 1; i < l->n_parts; i++)
    if (l->part[i].first_register + l->part[i].registers > top) top = l->part[i].first_register + l->part[i].registers;
  return top;
}

static void add_numbers(struct ptx_phase *phase, uint32_t first, uint32_t end) {
  if (end > phase->registers) phase->registers = end;
  for (uint32_t n = first; n < end && n < PTX_SET_REGISTERS * PTX_MASK_SETS; n++)
    phase->sets |= UINT32_C(1) << n / PTX_SET_REGISTERS;
}

static void fill(const struct needs *d, struct ptx_phase *phase) {
  const struct part *p = d->m->part;
  struct shared_set shared = shared_need(d);
  phase->most_live = most_live(d);
  phase->shared_bytes = ptx_shared_extent(d->m->l->kernel, &shared, &phase->dynamic);
  for (uint32_t i = 0; i < d->n; i++) {
    const uint64_t *set = d->set + (size_t)d->list[i] * d->m->g.words;
    for (uint32_t w = 0; w < d->m->g.words; w++)
      for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
        uint32_t r = w * 64 + (uint32_t)__builtin_ctzll(bits), weight = ptx_reg_weight(&p->reg[r]);
        if (weight) add_numbers(phase, p->number[r], p->number[r] + weight);
      }
    if (ptx_op_is_call(&p->ops[d->list[i]])) add_numbers(phase, 0, top_of_functions(d->m->l));
  }
}

/* A specifier of the text may ask for more than is needed, and not for less. */
static int take_own(const struct linker *l, const struct ptx_op_phase *own, struct ptx_phase *phase) {
  const char *name = l->kernel->public.name;
  uint32_t most = l->parser->options->phase_registers,
           least = l->parser->options->live == PTX_LIVE_MASK ? phase->most_live : phase->registers;
  if (own->registers < least)
    return ptx_unsupported(l->parser, phase->line,
                           "'%s': this phase specifier names %u registers, and up to the next one %u are needed: name "
                           "at least %u",
                           name, own->registers, least, least);
  if (most && own->registers > most)
    return ptx_unsupported(l->parser, phase->line, "'%s': this phase specifier names %u registers: name %u at most",
                           name, own->registers, most);
  if (own->shared_bytes < phase->shared_bytes)
    return ptx_unsupported(l->parser, phase->line,
                           "'%s': this phase specifier names %u bytes of shared memory, and up to the next one %u are "
                           "needed: name at least %u",
                           name, own->shared_bytes, phase->shared_bytes, phase->shared_bytes);
  if (own->registers > phase->registers) phase->registers = own->registers;
  phase->shared_bytes = own->shared_bytes;
  return 0;
}

static int check(const struct linker *l, const struct ptx_phase *phase) {
  const struct ptx_options *o = l->parser->options;
  if (o->phase_registers && phase->registers > o->phase_registers)
    return ptx_unsupported(l->parser, phase->line,
                           "the phase of '%s' that begins here takes %u registers and a specifier names %u: lower "
                           "ptx.max_registers",
                           l->kernel->public.name, phase->registers, o->phase_registers);
  if (phase->shared_bytes > UINT16_MAX)
    return ptx_unsupported(l->parser, phase->line,
                           "the phase of '%s' that begins here takes %u bytes of shared memory and a specifier has 16 "
                           "bits for them",
                           l->kernel->public.name, phase->shared_bytes);
  return 0;
}

static void set_specifier(const struct linker *l, struct ptx_op *op, const struct ptx_phase *phase) {
  bool masks = l->parser->options->live == PTX_LIVE_MASK;
  uint32_t sets = (phase->registers + PTX_SET_REGISTERS - 1) / PTX_SET_REGISTERS;
  uint32_t registers = masks ? phase->most_live : phase->registers;
  if (op->phase.registers > registers) registers = op->phase.registers; /* the text asks for them */
  op->phase = (struct ptx_op_phase){.registers = (uint8_t)registers,
                                    .shared_bytes = (uint16_t)phase->shared_bytes,
                                    .sets = (uint16_t)(masks                   ? phase->sets
                                                       : sets >= PTX_MASK_SETS ? UINT16_MAX
                                                                               : (UINT32_C(1) << sets) - 1),
                                    .dynamic = phase->dynamic};
}

/* A phase without a specifier of its own has what the last one in the text says. */
static void inherit(struct ptx_phase *phase, const struct ptx_phase *from) {
  phase->most_live = from->most_live;
  phase->registers = from->registers;
  phase->sets = from->sets;
  phase->shared_bytes = from->shared_bytes;
  phase->dynamic = from->dynamic;
}

/* By scoreboard register; what is not the entry's counts as different. */
static const uint8_t *find_differing(const struct phase_marker *m) {
  const struct linker *l = m->l;
  uint32_t all = 0;
  for (uint32_t i = 0; i < l->n_parts; i++) all += l->part[i].n_regs;
  uint8_t *differs = arena_alloc(&l->parser->module->arena, all + PTX_ASYNC_REGISTERS + 1U);
  const struct uniform warp = ptx_uniform(l->parser->scratch, &m->g, m->live_in, UNIFORM_WARP);
  memset(differs, 1, all + PTX_ASYNC_REGISTERS);
  memcpy(differs, warp.differs, m->part->n_regs);
  return differs;
}

int ptx_fill_phases(struct linker *l) {
  struct phase_marker *m = l->phases;
  struct arena *keep = &l->parser->module->arena;
  struct needs d = begin(m);
  const struct ptx_phase *last = m->phase; /* the first has a specifier */
  for (uint32_t i = 0; i < m->n; i++) {
    struct ptx_phase *phase = &m->phase[i];
    phase->end = i + 1 < m->n ? m->phase[i + 1].first : m->part->n_ops;
    phase->line = m->part->ops[phase->first].line;
    phase->last_line = m->part->ops[phase->end - 1].line;
    if (!phase->specifier) {
      inherit(phase, last);
      continue;
    }
    find_phase(&d, phase->first);
    fill(&d, phase);
    int code = phase->reason == PHASE_TEXT ? take_own(l, &m->part->ops[phase->first].phase, phase) : 0;
    if (code || (code = check(l, phase))) return code;
    set_specifier(l, &m->part->ops[phase->first], phase);
    last = phase;
  }
  struct ptx_phases *all = arena_alloc(keep, sizeof *all);
  struct ptx_phase *phase = arena_alloc(keep, m->n * sizeof *phase);
  memcpy(phase, m->phase, m->n * sizeof *phase);
  *all = (struct ptx_phases){.phase = phase,
                             .n = m->n,
                             .whole = m->whole,
                             .shared_always = m->shared.always,
                             .shared_line = m->shared.always_line,
                             .differs = find_differing(m)};
  l->kernel->public.phases = all;
  return 0;
}
