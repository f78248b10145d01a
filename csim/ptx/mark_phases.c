/* SPDX-License-Identifier: Apache-2.0 */
/* Phases after Vijaykumar 2019, 4.4.7: a walk over the entry in the order of the text draws a boundary where the live registers or the
 * live shared memory differ by a quarter from what they were at the last boundary, at least ten instructions behind it,
 * and where no lanes are apart. Barriers and fences are boundaries, too, without a specifier, because they change no
 * need. A specifier carries the most that is needed from it to the next specifier on every path, so that a loop whose
 * end jumps behind a specifier finds what it needs.
 *
 * An entry whose text has specifiers has those, and none by the rules.
 *
 * assumption: the thesis leaves open what "change" is measured against; here it is the last boundary of any kind. It leaves open, too,
 * how the compiler sees a need that begins where lanes are apart, as in NQU, whose threads search on their own: here the
 * branch at which lanes part has the need of all up to where they meet, so that a boundary before it can say so. An
 * array is needed from its first store on, not only behind it. A kernel with recursion
 * or indirect calls is one phase. A function belongs to the phase that calls it. */
#include "ptx/mark_phases.h"

#include "ptx/phase_needs.h"
#include "ptx/rewrite.h"

#include <string.h>

enum { LEAST_INSTRUCTIONS = 10, QUARTER = 4 };

static void analyse(struct phase_marker *m) {
  struct arena *a = m->l->parser->scratch;
  ptx_flow_analyse(a, m->part, m->l->decoder.table);
  m->g = (struct flow_graph){.part = m->part, .table = m->l->decoder.table, .exact = true};
  flow_build(a, &m->g);
  m->live_in = flow_solve_live(a, &m->g);
  m->shared = ptx_shared_live(m->l, &m->g, m->live_in);
}

static void count_live(struct phase_marker *m) {
  struct arena *a = m->l->parser->scratch;
  uint64_t *live = arena_alloc(a, (m->g.words + 1) * sizeof *live);
  m->live = arena_alloc(a, (m->part->n_ops + 1) * sizeof *m->live);
  for (uint32_t b = 0; b < m->g.n_blocks; b++) {
    flow_live_out(&m->g, m->live_in, b, live);
    for (uint32_t i = m->g.block[b].end; i-- > m->g.block[b].first;) {
      flow_step_back(&m->g, &m->part->ops[i], live);
      m->live[i] = flow_weigh(&m->g, live);
    }
  }
}

/* ---- boundaries ---- */

static void look_into_region(struct phase_marker *m, const struct region *r, uint32_t branch) {
  for (uint32_t b = 0; b < m->g.n_blocks; b++)
    for (uint32_t i = m->g.block[b].first; r->in[b] && i < m->g.block[b].end; i++) {
      if (m->live[i] > m->ahead[branch]) m->ahead[branch] = m->live[i];
      ptx_shared_unite(&m->ahead_shared[branch], &m->shared.needs[i]);
    }
}

static void look_ahead(struct phase_marker *m, const struct uniform *warp) {
  struct arena *a = m->l->parser->scratch;
  struct region r = ptx_region_new(a, &m->g);
  m->ahead = arena_alloc(a, (m->part->n_ops + 1) * sizeof *m->ahead);
  m->ahead_shared = arena_alloc(a, (m->part->n_ops + 1) * sizeof *m->ahead_shared);
  memcpy(m->ahead, m->live, m->part->n_ops * sizeof *m->ahead);
  memcpy(m->ahead_shared, m->shared.needs, m->part->n_ops * sizeof *m->ahead_shared);
  for (uint32_t b = 0; b < m->g.n_blocks; b++) {
    if (!warp->parts[b] || warp->apart[b]) continue;
    ptx_region(&m->g, &m->g.block[b], &r);
    look_into_region(m, &r, m->g.block[b].end - 1);
  }
}

static bool changed(uint32_t old, uint32_t new) {
  uint32_t by = old > new ? old - new : new - old;
  return by && (uint64_t)by * QUARTER >= old;
}

static void begin_phase(struct phase_marker *m, uint32_t op, enum ptx_phase_reason reason, bool specifier) {
  bool dynamic;
  m->phase = arena_grow(m->l->parser->scratch, m->phase, m->n, &m->capacity, sizeof *m->phase);
  m->phase[m->n++] = (struct ptx_phase){.first = op,
                                        .reason = (uint8_t)reason,
                                        .specifier = specifier,
                                        .live = m->live[op],
                                        .shared_live = ptx_shared_bytes(m->l->kernel, &m->shared.before[op], &dynamic),
                                        .dynamic = dynamic};
}

/* Arrays of dynamic size change the need when they come to life or die. */
static enum ptx_phase_reason reason_at(const struct phase_marker *m, uint32_t op) {
  const struct kernel *k = m->l->kernel;
  uint32_t last = m->phase[m->n - 1].first;
  bool before, now;
  uint32_t old = ptx_shared_bytes(k, &m->ahead_shared[last], &before),
           new = ptx_shared_bytes(k, &m->ahead_shared[op], &now);
  bool registers = changed(m->ahead[last], m->ahead[op]), shared = changed(old, new) || before != now;
  return registers && shared ? PHASE_BOTH : registers ? PHASE_REGISTERS : shared ? PHASE_SHARED : PHASE_REASONS;
}

/* Whether operation i begins a phase by the rules. */
static bool begins(struct phase_marker *m, const struct uniform *warp, uint32_t i) {
  if (i - m->phase[m->n - 1].first < LEAST_INSTRUCTIONS || warp->apart[m->g.block_of[i]]) return false;
  return m->part->ops[i].class != PTX_EXIT; /* the end of the thread frees everything */
}

static int refuse_apart(const struct phase_marker *m, uint32_t i) {
  return ptx_unsupported(m->l->parser, m->part->ops[i].line,
                         "'%s': lanes of a warp may be apart at this phase specifier: move it to where they have met",
                         m->l->kernel->public.name);
}

static int find_boundaries(struct phase_marker *m, bool own) {
  const struct uniform warp = ptx_uniform(m->l->parser->scratch, &m->g, m->live_in, UNIFORM_WARP);
  look_ahead(m, &warp);
  begin_phase(m, 0, m->part->ops[0].class == PTX_PHASE ? PHASE_TEXT : PHASE_START, true);
  for (uint32_t i = 1; i < m->part->n_ops; i++) {
    uint8_t before = m->part->ops[i - 1].class;
    if (m->part->ops[i].class == PTX_PHASE) {
      if (warp.apart[m->g.block_of[i]]) return refuse_apart(m, i);
      begin_phase(m, i, PHASE_TEXT, true);
    } else if (before == PTX_BARRIER || before == PTX_FENCE) {
      begin_phase(m, i, before == PTX_BARRIER ? PHASE_BARRIER : PHASE_FENCE, false);
    } else if (!own && begins(m, &warp, i)) {
      enum ptx_phase_reason reason = reason_at(m, i);
      if (reason != PHASE_REASONS) begin_phase(m, i, reason, true);
    }
  }
  return 0;
}

/* The first specifier of the text, or NULL. */
static const struct ptx_op *own_specifier(const struct part *p) {
  for (uint32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].class == PTX_PHASE) return &p->ops[i];
  return NULL;
}

static const char *why_whole(const struct linker *l) {
  if (l->kernel->recursive) return "it is recursive";
  for (uint32_t i = 0; i < l->n_parts; i++)
    for (uint32_t k = 0; k < l->part[i].n_ops; k++) {
      const struct ptx_op *op = &l->part[i].ops[k];
      if (op->class == PTX_BRANCH && op->branch.kind == BRANCH_CALL_INDIRECT) return "it calls functions by address";
    }
  return NULL;
}

static void insert_specifiers(struct phase_marker *m) {
  struct rewrite w = ptx_rewrite_begin(&m->l->decoder, m->part);
  uint32_t next = 0;
  for (uint32_t i = 0; i < m->part->n_ops; i++) {
    ptx_rewrite_at(&w, i);
    if (next < m->n && m->phase[next].first == i) {
      m->phase[next].first = w.n;
      bool add = m->phase[next].specifier && m->phase[next].reason != PHASE_TEXT;
      next++;
      if (add) ptx_rewrite_new(&w)->class = PTX_PHASE;
    }
    ptx_rewrite_keep(&w, &m->part->ops[i]);
  }
  ptx_rewrite_end(&w);
}

/* ---- the whole ---- */

int ptx_mark_phases(struct linker *l, uint32_t most) {
  const struct ptx_op *own = own_specifier(&l->part[0]);
  struct phase_marker *m = arena_alloc(l->parser->scratch, sizeof *m);
  l->phases = m;
  *m = (struct phase_marker){.l = l, .part = &l->part[0]};
  analyse(m);
  count_live(m);
  m->whole = why_whole(l);
  if (m->whole && own)
    return ptx_unsupported(l->parser, own->line, "'%s' is one phase, because %s: leave out this phase specifier",
                           l->kernel->public.name, m->whole);
  int code = 0;
  if (m->whole) begin_phase(m, 0, PHASE_START, true);
  else code = find_boundaries(m, own != NULL);
  if (code) return code;
  insert_specifiers(m);
  analyse(m);
  count_live(m);
  ptx_number_phases(m, most);
  return 0;
}
