/* SPDX-License-Identifier: Apache-2.0 */
/* Spilling: where more is live at once than there are registers, the registers that live longest for what they cost go to the frame in
 * local memory. Such a register is loaded before each operation that reads it and stored behind each one that writes
 * it, through a register that lives for that operation alone. Costs weigh an operation ten times for each loop around
 * it (Chaitin, "Register Allocation & Spilling via Graph Coloring", 1982). The loads and stores are ordinary
 * operations, so they cost what local memory costs. Predicates are never spilled. */
#include "ptx/allocate.h"

#include "ptx/colour.h"
#include "ptx/rewrite.h"

#include <string.h>

enum { LOOPS_COUNTED = 4, MOST_REGISTERS = 65000 };

struct spiller {
  struct decoder *d;
  struct part *part;
  uint32_t most;
  struct flow_graph g;
  uint8_t *temporary; /* by register: it holds a spilled one for one operation */
  uint8_t *chosen;    /* by register: it is spilled in this round */
  uint64_t *cost;     /* by register */
  uint32_t room;      /* of temporary */
  uint64_t *live, *clique, *before;
};

static bool names(const struct ptx_op *op, uint32_t r) {
  for (uint32_t i = 0; i < ptx_n_reads(op); i++)
    if (op->read_reg[i] == r) return true;
  for (uint32_t i = 0; i < ptx_n_writes(op); i++)
    if (op->write_reg[i] == r) return true;
  return false;
}

/* ---- what spilling costs ---- */

static uint32_t *loop_depths(struct arena *a, const struct part *p) {
  uint32_t *depth = arena_alloc(a, (p->n_ops + 2) * sizeof *depth);
  for (uint32_t i = 0; i < p->n_ops; i++)
    if (ptx_op_is_jump(&p->ops[i]) && p->ops[i].branch.target <= i) depth[p->ops[i].branch.target]++, depth[i + 1]--;
  for (uint32_t i = 0; i < p->n_ops; i++) depth[i + 1] += depth[i];
  return depth;
}

static void find_costs(struct arena *a, struct spiller *s) {
  static const uint64_t weight[LOOPS_COUNTED + 1] = {1, 10, 100, 1000, 10000};
  const struct part *p = s->part;
  const uint32_t *depth = loop_depths(a, p);
  s->cost = arena_alloc(a, (p->n_regs + 1) * sizeof *s->cost);
  for (uint32_t i = 0; i < p->n_ops; i++) {
    uint64_t w = weight[depth[i] < LOOPS_COUNTED ? depth[i] : LOOPS_COUNTED];
    for (uint32_t k = 0; k < ptx_n_reads(&p->ops[i]); k++) s->cost[p->ops[i].read_reg[k]] += w;
    for (uint32_t k = 0; k < ptx_n_writes(&p->ops[i]); k++) s->cost[p->ops[i].write_reg[k]] += w;
  }
}

static bool may_spill(const struct spiller *s, uint32_t r) {
  return ptx_reg_weight(&s->part->reg[r]) && !s->chosen[r] && !(r < s->room && s->temporary[r]);
}

/* Whether spilling x is the better choice: it costs less for what it frees, and for how long. */
static bool cheaper(const struct spiller *s, uint32_t x, uint32_t y) {
  const struct part *p = s->part;
  uint64_t gain_x = (uint64_t)ptx_reg_weight(&p->reg[x]) * (p->interval[x].last - p->interval[x].first + 1),
           gain_y = (uint64_t)ptx_reg_weight(&p->reg[y]) * (p->interval[y].last - p->interval[y].first + 1);
  return s->cost[x] * gain_y < s->cost[y] * gain_x;
}

/* ---- where too much is live ---- */

static uint32_t weigh_rest(const struct spiller *s, const uint64_t *set, const struct ptx_op *op) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < s->g.words; i++)
    for (uint64_t bits = set[i]; bits; bits &= bits - 1) {
      uint32_t r = i * 64 + (uint32_t)__builtin_ctzll(bits);
      if (!s->chosen[r] || names(op, r)) sum += ptx_reg_weight(&s->part->reg[r]);
    }
  return sum;
}

/* The register of `set` to spill, so that less of it is live at `op`. Those that the operation names help where they live
 * on behind it; FLOW_NONE: none helps. */
static uint32_t choose(const struct spiller *s, const uint64_t *set, const struct ptx_op *op, bool behind) {
  uint32_t best = FLOW_NONE;
  for (uint32_t i = 0; i < s->g.words; i++)
    for (uint64_t bits = set[i]; bits; bits &= bits - 1) {
      uint32_t r = i * 64 + (uint32_t)__builtin_ctzll(bits);
      if (!may_spill(s, r) || (names(op, r) && !(behind && flow_in(s->live, r)))) continue;
      if (best == FLOW_NONE || cheaper(s, r, best)) best = r;
    }
  return best;
}

/* Chooses until `set` fits, or nothing helps; true if anything was chosen. */
static bool relieve(struct spiller *s, const uint64_t *set, const struct ptx_op *op, bool behind) {
  bool any = false;
  while (weigh_rest(s, set, op) > s->most) {
    uint32_t r = choose(s, set, op, behind);
    if (r == FLOW_NONE) return any;
    s->chosen[r] = 1;
    any = true;
  }
  return any;
}

/* Chooses registers so that everything fits, as far as one round sees it. */
static bool choose_all(struct spiller *s, const uint64_t *live_in) {
  const struct part *p = s->part;
  bool any = false;
  for (uint32_t b = 0; b < s->g.n_blocks; b++) {
    flow_live_out(&s->g, live_in, b, s->live);
    for (uint32_t i = s->g.block[b].end; i-- > s->g.block[b].first;) {
      const struct ptx_op *op = &p->ops[i];
      ptx_clique(&s->g, op, s->live, s->clique);
      memcpy(s->before, s->live, s->g.words * sizeof *s->before);
      flow_step_back(&s->g, op, s->before);
      any |= relieve(s, s->clique, op, true);
      any |= relieve(s, s->before, op, false);
      memcpy(s->live, s->before, s->g.words * sizeof *s->before);
    }
  }
  return any;
}

/* ---- rewriting ---- */

static void replace(struct ptx_op *op, const struct part *p, uint32_t old, uint32_t new) {
  ptx_row from = p->reg[old].row, to = p->reg[new].row;
  for (uint32_t i = 0; i < op->n_dst; i++)
    if (op->dst[i] == from) op->dst[i] = to;
  for (uint32_t i = 0; i < op->n_src; i++)
    if (op->src[i] == from) op->src[i] = to;
  for (uint32_t i = 0; i < ptx_n_reads(op); i++)
    if (op->read_reg[i] == old) op->read_reg[i] = (uint16_t) new;
  for (uint32_t i = 0; i < ptx_n_writes(op); i++)
    if (op->write_reg[i] == old) op->write_reg[i] = (uint16_t) new;
}

static uint32_t new_temporary(struct spiller *s, struct rewrite *w, uint32_t of) {
  uint32_t r = ptx_rewrite_register(w, "(spilled)", s->part->reg[of].type);
  if (r >= s->room) {
    uint32_t room = 2 * r + 64;
    uint8_t *grown = arena_alloc(s->d->parser->scratch, room);
    memcpy(grown, s->temporary, s->room);
    s->temporary = grown;
    s->room = room;
  }
  s->temporary[r] = 1;
  return r;
}

static uint64_t place(struct part *p, uint32_t *slot, uint32_t r) {
  uint32_t bytes = ptx_type_bytes(p->reg[r].type) == 8 ? 8 : 4;
  if (!slot[r]) {
    p->spill_bytes = (uint32_t)align_up(p->spill_bytes, bytes);
    slot[r] = p->spill_bytes + 1;
    p->spill_bytes += bytes;
  }
  return ptx_kept_at(p) + align_up(p->save_bytes, 8) + slot[r] - 1;
}

static void rewrite_op(struct spiller *s, struct rewrite *w, const struct ptx_op *old, uint32_t *slot) {
  struct part *p = s->part;
  struct ptx_op op = *old;
  uint32_t spilled[sizeof op.read_reg / 2 + sizeof op.write_reg / 2], temporary[sizeof spilled / 4], n = 0;
  const uint32_t reads = ptx_n_reads(old), all = reads + ptx_n_writes(old);
  for (uint32_t i = 0; i < all; i++) {
    uint32_t r = i < reads ? old->read_reg[i] : old->write_reg[i - reads];
    bool load = i < reads || old->guard != PTX_NO_GUARD || flow_writes_part(old), met = false;
    for (uint32_t k = 0; k < n; k++) met |= spilled[k] == r;
    if (met || !s->chosen[r]) continue;
    spilled[n] = r;
    temporary[n] = new_temporary(s, w, r);
    if (load) ptx_rewrite_local(w, temporary[n], true, place(p, slot, r));
    replace(&op, p, r, temporary[n++]);
  }
  ptx_rewrite_keep(w, &op);
  for (uint32_t i = 0; i < ptx_n_writes(old); i++)
    for (uint32_t k = 0; k < n; k++)
      if (old->write_reg[i] == spilled[k]) ptx_rewrite_local(w, temporary[k], false, place(p, slot, spilled[k]));
}

static int rewrite(struct spiller *s) {
  struct part *p = s->part;
  struct arena *a = s->d->parser->scratch;
  struct rewrite w = ptx_rewrite_begin(s->d, p);
  uint32_t *slot = arena_alloc(a, (p->n_regs + 1) * sizeof *slot);
  for (uint32_t i = 0; i < p->n_ops; i++) {
    ptx_rewrite_at(&w, i);
    rewrite_op(s, &w, &p->ops[i], slot);
    if (p->n_regs > MOST_REGISTERS)
      return ptx_unsupported(s->d->parser, p->function->line, "'%s' spills so much that it uses more than %d registers",
                             p->function->name, MOST_REGISTERS);
  }
  ptx_rewrite_end(&w);
  return 0;
}

/* ---- the whole ---- */

/* What one instruction needs: what it reads, or what it writes and may not share with that. */
static uint32_t least_of(struct arena *a, const struct part *p, uint32_t *at) {
  const struct flow_graph g = {.part = (struct part *)(uintptr_t)p, .words = (p->n_regs + 63) / 64};
  uint64_t *none = arena_alloc(a, (g.words + 1) * sizeof *none), *set = arena_alloc(a, (g.words + 1) * sizeof *set);
  uint32_t most = 0;
  *at = 0;
  for (uint32_t i = 0; i < p->n_ops; i++) {
    const struct ptx_op *op = &p->ops[i];
    uint32_t read = 0;
    for (uint32_t k = 0; k < ptx_n_reads(op); k++) read += ptx_reg_weight(&p->reg[op->read_reg[k]]);
    ptx_clique(&g, op, none, set);
    uint32_t need = flow_weigh(&g, set);
    if (read > need) need = read;
    if (need > most) most = need, *at = i;
  }
  return most;
}

static void analyse(struct spiller *s) {
  struct arena *a = s->d->parser->scratch;
  ptx_flow_analyse(a, s->part, s->d->table);
  s->g = (struct flow_graph){.part = s->part, .table = s->d->table, .exact = true};
  flow_build(a, &s->g);
  s->chosen = arena_alloc(a, s->part->n_regs + 1U);
  find_costs(a, s);
}

static int spill_until_it_fits(struct spiller *s) {
  struct arena *a = s->d->parser->scratch;
  for (;;) {
    analyse(s);
    const uint64_t *live_in = flow_solve_live(a, &s->g);
    s->live = arena_alloc(a, (s->g.words + 1) * sizeof *s->live);
    s->clique = arena_alloc(a, (s->g.words + 1) * sizeof *s->clique);
    s->before = arena_alloc(a, (s->g.words + 1) * sizeof *s->before);
    if (!choose_all(s, live_in)) return 0;
    int code = rewrite(s);
    if (code) return code;
  }
}

/* All that is live fits and the numbers do not: pairs begin at even numbers. Spills the cheapest of those beyond. */
static bool choose_beyond(struct spiller *s, const uint32_t *number) {
  const struct part *p = s->part;
  uint32_t best = FLOW_NONE;
  for (int pass = 0; pass < 2 && best == FLOW_NONE; pass++)
    for (uint32_t r = 0; r < p->n_regs; r++) {
      bool beyond = number[r] + ptx_reg_weight(&p->reg[r]) > s->most;
      if (!may_spill(s, r) || (pass == 0 && !beyond) || p->interval[r].first > p->interval[r].last) continue;
      if (best == FLOW_NONE || cheaper(s, r, best)) best = r;
    }
  if (best == FLOW_NONE) return false;
  s->chosen[best] = 1;
  return true;
}

static int refuse(const struct spiller *s, const char *limit) {
  const struct part *p = s->part;
  uint32_t at, least = least_of(s->d->parser->scratch, p, &at);
  if (least <= s->most) least = s->most + 1; /* the numbers do not fit, because pairs begin at even ones */
  return ptx_unsupported(s->d->parser, p->ops[at].line,
                         "'%s' may use %u registers (%s) and this instruction alone needs %u: allow at least %u",
                         p->function->name, s->most, limit, least, least);
}

int ptx_allocate(struct decoder *d, struct part *p, uint32_t most, const char *limit) {
  struct arena *a = d->parser->scratch;
  struct spiller s = {.d = d, .part = p, .most = most, .temporary = arena_alloc(a, 1)};
  uint32_t at, least = least_of(a, p, &at);
  int code = least > most ? refuse(&s, limit) : 0;
  while (!code && !(code = spill_until_it_fits(&s))) {
    p->number = arena_alloc(a, (p->n_regs + 1) * sizeof *p->number);
    p->registers = ptx_colour(a, &s.g, NULL, p->number, &p->predicates);
    if (p->registers <= most) return 0;
    code = choose_beyond(&s, p->number) ? rewrite(&s) : refuse(&s, limit);
  }
  return code;
}
