/* SPDX-License-Identifier: Apache-2.0 */
#include "suspects.h"

#include "base/err.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 400, SINKS_MAX = 64, FAILING_MAX = 4, TRIES_MAX = 96, SMALL_WIDTH = 6, TWINS_MAX = 400 };
static const uint64_t MEND_WORK = 4000000; /* operators evaluated in the search for values that mend */

struct candidate {
  struct suspect s;
  struct netlist_word bits;
  uint32_t *own;   /* the bits of register rows, which no name holds */
  uint32_t *cause; /* the named bits that decided it in the failing cycle */
  uint8_t *cause_value;
  uint32_t n_causes;
  uint32_t seen, same; /* passing cycles in which it reached what differs; and did so from the same causes */
};

/* A stimulus that fails. */
struct failure {
  uint8_t *in, *value;
  uint32_t wrong[SINKS_MAX], n_wrong;
};

struct search {
  struct twins *t;
  const struct netlist *n;
  const struct trail_row *row;
  struct candidate *list;
  uint32_t n_list;
  struct failure failure[FAILING_MAX];
  uint32_t n_failures;
  uint8_t *named; /* of a bit: some signal of the source has it */
  uint8_t *cone;  /* of a bit */
  uint32_t *depth, *stack, *cells;
  uint8_t *changed, *try;
  uint32_t *order; /* visited bits */
  uint32_t n_order;
  const uint32_t *differ; /* what differed in the run */
  uint32_t n_differ;
  struct suspects *out;
  uint64_t work; /* operators evaluated in the search for values that mend */
  bool failed;
};

/* ---- cones ---- */

struct walk {
  struct search *s;
  uint32_t depth, top;
};

static void reach(void *context, uint32_t bit) {
  struct walk *w = context;
  if (w->s->cone[bit]) return;
  w->s->cone[bit] = 1;
  w->s->depth[bit] = w->depth;
  w->s->order[w->top++] = bit;
}

/* Marks in s->cone what decided these bits, breadth first; s->order lists it. */
static void mark_cone(struct search *s, const uint32_t *sinks, uint32_t n, const uint8_t *value) {
  struct walk w = {.s = s};
  memset(s->cone, 0, s->n->n_bits);
  for (uint32_t i = 0; i < n; i++) {
    if (sinks[i] <= NETLIST_ONE || s->cone[sinks[i]]) continue;
    s->cone[sinks[i]] = 1;
    s->depth[sinks[i]] = 0;
    s->order[w.top++] = sinks[i];
  }
  for (uint32_t i = 0; i < w.top; i++) {
    w.depth = s->depth[s->order[i]] + s->named[s->order[i]];
    netlist_sources(s->n, s->order[i], value, reach, &w);
  }
  s->n_order = w.top;
}

static bool in_cone(const struct search *s, const struct candidate *c) {
  for (uint32_t i = 0; i < c->bits.n; i++)
    if (c->bits.bit[i] > NETLIST_ONE && s->cone[c->bits.bit[i]]) return true;
  return false;
}

/* ---- candidates ---- */

/* The place that gave a bit its value: through unnamed multiplexers to the statement that was taken. */
static const struct netlist_cell *place_of(const struct search *s, uint32_t bit, const uint8_t *value) {
  const struct netlist_cell *c = NULL;
  for (int steps = 0; steps < 64; steps++) {
    if (bit >= s->n->n_bits || s->n->driver[bit] == NETLIST_NONE) return c;
    const struct netlist_cell *next = &s->n->cells[s->n->driver[bit]];
    if (c && s->named[bit]) return c;
    c = next;
    if (c->op != OP_MUX && c->op != OP_PMUX) return c;
    uint32_t i = 0, k = 0;
    while (i < c->y.n && c->y.bit[i] != bit) i++;
    while (k < c->s.n && !value[c->s.bit[k]]) k++;
    bit = k < c->s.n ? c->b.bit[k * c->y.n + i] : c->a.bit[i];
  }
  return c;
}

static bool same_bits(const struct netlist_word *a, const struct netlist_word *b) {
  return a->n == b->n && !memcmp(a->bit, b->bit, a->n * sizeof *a->bit);
}

/* Of names with the same bits the shortest is kept: that of the block rather than those of its parts. */
static struct candidate *twin_name(struct search *s, const struct netlist_word *bits) {
  for (uint32_t i = 0; i < s->n_list; i++)
    if (same_bits(&s->list[i].bits, bits)) return &s->list[i];
  return NULL;
}

static void describe(struct search *s, struct candidate *c) {
  const uint8_t *value = s->failure[0].value;
  uint8_t packed[32] = {0};
  uint32_t width = c->bits.n, first = NETLIST_NONE;
  c->s.depth = UINT32_MAX;
  for (uint32_t i = 0; i < width; i++) {
    uint32_t bit = c->bits.bit[i];
    if (i < 8 * sizeof packed && value[bit]) packed[i / 8] |= (uint8_t)(1U << i % 8);
    if (bit <= NETLIST_ONE || !s->cone[bit] || s->depth[bit] >= c->s.depth) continue;
    c->s.depth = s->depth[bit];
    first = bit;
  }
  const struct netlist_cell *place = first == NETLIST_NONE ? NULL : place_of(s, first, value);
  if (place && place->file) {
    c->s.file = place->file;
    c->s.line = place->line;
  }
  c->s.width = width;
  stimulus_print_value(packed, width < 8 * sizeof packed ? width : 8 * (uint32_t)sizeof packed, c->s.value,
                       sizeof c->s.value);
}

static struct candidate *add(struct search *s, const char *name, const struct netlist_word *bits) {
  if (s->n_list == NAMES_MAX) return NULL;
  struct candidate *c = &s->list[s->n_list++];
  *c = (struct candidate){.s = {.name = name}, .bits = *bits};
  describe(s, c);
  return c;
}

static void add_names(struct search *s) {
  for (uint32_t i = 0; i < s->n->n_names; i++) {
    const struct netlist_name *net = &s->n->names[i];
    bool reached = false;
    for (uint32_t k = 0; k < net->bits.n && !reached; k++)
      reached =
        net->bits.bit[k] > NETLIST_ONE && s->cone[net->bits.bit[k]] && s->n->driver[net->bits.bit[k]] != NETLIST_NONE;
    if (!reached) continue;
    struct candidate *other = twin_name(s, &net->bits);
    if (!other) other = add(s, net->name, &net->bits);
    else if (strlen(net->name) < strlen(other->s.name)) other->s.name = net->name;
    if (other && !other->s.file && net->file) {
      other->s.file = net->file;
      other->s.line = net->line;
      other->s.declared = true;
    }
  }
}

/* The registers that differ after the clock edge: their next values. */
static void add_registers(struct search *s) {
  const struct block_desc *d = s->t->desc;
  const struct failure *f = &s->failure[0];
  for (uint32_t i = 0; i < d->n_regs; i++) {
    const struct block_field *r = &d->regs[i];
    uint32_t rows = r->depth ? r->depth(s->t->params) : 1, width = r->width(s->t->params), n = 0;
    uint32_t *bits = malloc(((size_t)rows * width + 1) * sizeof *bits);
    bool wrong = false;
    for (uint32_t row = 0; row < rows && bits; row++)
      for (uint32_t k = 0; k < width; k++) {
        uint32_t q = s->t->regs[8 * (r->offset + row * r->slot) + k], next = q == NETLIST_NONE ? q : s->n->next[q];
        if (next == NETLIST_NONE) continue;
        bits[n++] = next;
        for (uint32_t w = 0; w < f->n_wrong; w++) wrong |= f->wrong[w] == next;
      }
    struct candidate *c = NULL;
    if (wrong) c = add(s, r->rtl ? r->rtl : r->name, &(struct netlist_word){bits, n});
    if (!c) {
      free(bits);
      continue;
    }
    c->own = bits;
    c->s.next = true;
  }
}

struct causes {
  struct search *s;
  uint32_t n;
  uint32_t top;
};

static void cause(void *context, uint32_t bit) {
  struct causes *k = context;
  struct search *s = k->s;
  if (s->changed[bit]) return;
  s->changed[bit] = 1;
  if (s->named[bit] || s->n->driver[bit] == NETLIST_NONE) s->stack[k->n++] = bit; /* a cause: from the front */
  else s->order[k->top++] = bit;
}

/* The nearest named bits that decided the candidate. */
static void find_causes(struct search *s, struct candidate *c) {
  const uint8_t *value = s->failure[0].value;
  struct causes k = {.s = s};
  memset(s->changed, 0, s->n->n_bits);
  for (uint32_t i = 0; i < c->bits.n; i++)
    if (c->bits.bit[i] > NETLIST_ONE && s->cone[c->bits.bit[i]])
      netlist_sources(s->n, c->bits.bit[i], value, cause, &k);
  for (uint32_t i = 0; i < k.top; i++) netlist_sources(s->n, s->order[i], value, cause, &k);
  c->cause = malloc((k.n + 1) * sizeof *c->cause);
  c->cause_value = malloc(k.n + 1);
  s->failed |= !c->cause || !c->cause_value;
  for (uint32_t i = 0; i < k.n && !s->failed; i++) {
    c->cause[i] = s->stack[i];
    c->cause_value[i] = value[s->stack[i]];
  }
  c->n_causes = k.n;
}

static bool same_causes(const struct candidate *c, const uint8_t *value) {
  for (uint32_t i = 0; i < c->n_causes; i++)
    if (value[c->cause[i]] != c->cause_value[i]) return false;
  return true;
}

/* ---- stimuli beside the failing one ---- */

static bool note_failure(struct search *s, const uint8_t *in) {
  if (s->n_failures == FAILING_MAX) return true;
  struct failure *f = &s->failure[s->n_failures];
  f->in = malloc(s->t->desc->in_bytes + 8U);
  f->value = malloc(s->n->n_bits + 1);
  if (!f->in || !f->value) return false;
  memcpy(f->in, in, s->t->desc->in_bytes);
  memcpy(f->value, s->t->value, s->n->n_bits);
  f->n_wrong = s->t->n_wrong < SINKS_MAX ? s->t->n_wrong : SINKS_MAX;
  memcpy(f->wrong, s->t->wrong, f->n_wrong * sizeof *f->wrong);
  s->n_failures++;
  return true;
}

/* In a cycle that passed, what differed in the failing one was right: who reached it from the same causes is cleared. */
static void clear_some(struct search *s) {
  mark_cone(s, s->failure[0].wrong, s->failure[0].n_wrong, s->t->value);
  for (uint32_t i = 0; i < s->n_list; i++) {
    struct candidate *c = &s->list[i];
    if (!in_cone(s, c)) continue;
    c->seen++;
    c->same += same_causes(c, s->t->value);
  }
}

static void try_twin(struct search *s, const uint8_t *in) {
  if (s->out->passing + s->out->failing >= TWINS_MAX || !memcmp(in, s->row->in, s->t->desc->in_bytes)) return;
  if (twins_run(s->t, s->row, in)) {
    s->out->passing++;
    clear_some(s);
  } else {
    s->out->failing++;
    s->failed |= !note_failure(s, in);
  }
}

/* Inputs one after the other: all bits 0, all 1, each bit the other way, and values by chance. */
static void try_twins(struct search *s) {
  const struct block_desc *d = s->t->desc;
  uint8_t *in = malloc(d->in_bytes + 8U);
  struct rng rng;
  rng_seed(&rng, 1);
  if (!in) {
    s->failed = true;
    return;
  }
  for (uint32_t i = 0; i < d->n_in && !s->failed; i++) {
    const struct block_field *f = &d->in[i];
    uint32_t width = f->width(s->t->params) * (f->depth ? f->depth(s->t->params) : 1);
    uint32_t step = width > 24 ? width / 24 : 1;
    for (uint32_t k = 0; k < width + 4 * step; k += step) {
      memcpy(in, s->row->in, d->in_bytes);
      uint8_t *at = in + f->offset;
      if (k < width) at[k / 8] ^= (uint8_t)(1U << k % 8);
      else
        for (uint32_t b = 0; b < width; b++) {
          bool one = k >= width + 2 * step ? rng_below(&rng, 2) : k >= width + step;
          at[b / 8] = (uint8_t)((at[b / 8] & ~(1U << b % 8)) | (unsigned)one << b % 8);
        }
      try_twin(s, in);
    }
  }
  free(in);
}

/* Earlier cycles of the run, which agreed. */
static void use_history(struct search *s, const struct trail_ring *before) {
  for (size_t back = 0; back < TRAIL_ROWS; back++) {
    const struct trail_row *row = trail_back(before, back);
    if (!row) return;
    if (row->cycle >= s->row->cycle) continue;
    twins_evaluate(s->t, row, row->in);
    clear_some(s);
    s->out->history++;
  }
}

/* ---- would another value mend it? ---- */

static bool is_mended(const struct failure *f, const uint8_t *value) {
  for (uint32_t i = 0; i < f->n_wrong; i++)
    if (value[f->wrong[i]] == f->value[f->wrong[i]]) return false;
  return true;
}

/* Bit i of the k-th value that is tried for a signal. */
static bool tried(const struct candidate *c, const struct failure *f, uint32_t k, uint32_t i, struct rng *rng) {
  uint32_t n = c->bits.n;
  uint8_t now = f->value[c->bits.bit[i]];
  if (n <= SMALL_WIDTH) return (k >> i & 1) != 0;
  if (k < n) return now ^ (k == i);
  if (k == n || k == n + 1) return k == n;
  return rng_below(rng, 2) != 0;
}

static bool mends(struct search *s, const struct candidate *c, const struct failure *f) {
  memset(s->changed, 0, s->n->n_bits);
  for (uint32_t i = 0; i < c->bits.n; i++) s->changed[c->bits.bit[i]] = c->bits.bit[i] > NETLIST_ONE;
  uint32_t count = netlist_fan_out(s->n, s->changed, s->cells);
  for (uint32_t i = 0; i < f->n_wrong; i++)
    if (!s->changed[f->wrong[i]]) return false;
  uint32_t tries = c->bits.n <= SMALL_WIDTH ? 1U << c->bits.n : TRIES_MAX;
  uint32_t inside = 0;
  for (uint32_t i = 0; i < f->n_wrong; i++)
    for (uint32_t k = 0; k < c->bits.n; k++) inside += c->bits.bit[k] == f->wrong[i];
  if (inside && inside >= f->n_wrong) return true; /* it is what differs: the right value mends it */
  struct rng rng;
  rng_seed(&rng, 1);
  memcpy(s->try, f->value, s->n->n_bits);
  for (uint32_t k = 0; k < tries; k++) {
    for (uint32_t i = 0; i < c->bits.n; i++)
      if (c->bits.bit[i] > NETLIST_ONE) s->try[c->bits.bit[i]] = tried(c, f, k, i, &rng);
    netlist_evaluate_cells(s->n, s->cells, count, s->try);
    s->work += count + 1;
    if (is_mended(f, s->try)) return true;
  }
  return false;
}

static void try_mending(struct search *s) {
  for (uint32_t i = 0; i < s->n_list; i++) {
    struct candidate *c = &s->list[i];
    uint32_t mended = 0, looked = 0;
    for (uint32_t k = 0; k < s->n_failures && s->work < MEND_WORK; k++, looked++) mended += mends(s, c, &s->failure[k]);
    c->s.mends = looked ? (double)mended / looked : 0.5;
  }
}

static void find_covers(struct search *s) {
  const struct failure *f = &s->failure[0];
  uint32_t n = f->n_wrong < 8 ? f->n_wrong : 8;
  for (uint32_t i = 0; i < n; i++) {
    mark_cone(s, &f->wrong[i], 1, f->value);
    for (uint32_t k = 0; k < s->n_list; k++) s->list[k].s.covers += (double)in_cone(s, &s->list[k]) / n;
  }
}

/* ---- rank ---- */

static int by_score(const void *a, const void *b) {
  const struct suspect *x = a, *y = b;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* A place in the source is listed once, by the signal with the highest score; the others are counted. Signals that one line declares are
 * not the same. */
static void merge_places(struct suspects *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < out->n; i++) {
    struct suspect *same = NULL, *p = &out->list[i];
    for (uint32_t k = 0; k < n && p->file && !p->declared && !same; k++)
      if (!out->list[k].declared && out->list[k].file == p->file && out->list[k].line == p->line) same = &out->list[k];
    if (same) same->more++;
    else out->list[n++] = *p;
  }
  out->n = n;
}

/* A register and the signal that it takes, by a multiplexer of the reset at most, are one suspect. */
static bool only_takes(const struct search *s, const struct candidate *r) {
  if (!r->s.next || !r->n_causes) return false;
  for (uint32_t i = 0; i < s->n_list; i++) {
    const struct candidate *c = &s->list[i];
    uint32_t inside = 0;
    if (c == r || c->s.next) continue;
    for (uint32_t k = 0; k < r->n_causes; k++) {
      bool found = r->cause[k] == s->t->reset;
      for (uint32_t b = 0; b < c->bits.n && !found; b++) found = c->bits.bit[b] == r->cause[k];
      inside += found;
    }
    if (inside == r->n_causes) return true;
  }
  return false;
}

/* Weights: what mends it counts most, then how near it is to what differs; measured on all planted bugs (tests/law/suspects.sh). */
static double score_of(const struct suspect *p) {
  return p->mends + 0.3 * p->covers - 0.15 * p->cleared - 0.2 * p->depth;
}

static void rank(struct search *s) {
  struct suspects *out = s->out;
  out->list = calloc(s->n_list + 1, sizeof *out->list);
  s->failed |= !out->list;
  for (uint32_t i = 0; i < s->n_list && out->list; i++) {
    struct candidate *c = &s->list[i];
    if (only_takes(s, c)) continue;
    c->s.cleared = c->seen ? (double)c->same / c->seen : 0;
    c->s.score = score_of(&c->s);
    out->list[out->n++] = c->s;
  }
  if (!out->list) return;
  qsort(out->list, out->n, sizeof *out->list, by_score);
  merge_places(out);
}

static bool allocate(struct search *s) {
  size_t n = s->n->n_bits + 1;
  s->list = calloc(NAMES_MAX, sizeof *s->list);
  s->named = calloc(n, 1);
  s->cone = calloc(n, 1);
  s->changed = calloc(n, 1);
  s->try = calloc(n, 1);
  s->depth = calloc(n, sizeof *s->depth);
  s->stack = calloc(n, sizeof *s->stack);
  s->order = calloc(n, sizeof *s->order);
  s->cells = calloc(s->n->n_cells + 1, sizeof *s->cells);
  return s->list && s->named && s->cone && s->changed && s->try && s->depth && s->stack && s->order && s->cells;
}

static void release(struct search *s) {
  for (uint32_t i = 0; i < s->n_list; i++) {
    free(s->list[i].own);
    free(s->list[i].cause);
    free(s->list[i].cause_value);
  }
  for (uint32_t i = 0; i < FAILING_MAX; i++) {
    free(s->failure[i].in);
    free(s->failure[i].value);
  }
  free(s->list);
  free(s->named);
  free(s->cone);
  free(s->changed);
  free(s->try);
  free(s->depth);
  free(s->stack);
  free(s->order);
  free(s->cells);
}

static void search(struct search *s, const struct trail_ring *before) {
  for (uint32_t i = 0; i < s->n->n_names; i++)
    for (uint32_t k = 0; k < s->n->names[i].bits.n; k++) s->named[s->n->names[i].bits.bit[k]] = 1;
  s->out->reproduced = !twins_run(s->t, s->row, s->row->in);
  if (!s->out->reproduced) { /* the model's part of it lies in rows that did not count: only what decided it is known */
    s->t->n_wrong = s->n_differ;
    memcpy(s->t->wrong, s->differ, s->n_differ * sizeof *s->differ);
  }
  s->failed |= !note_failure(s, s->row->in);
  if (s->failed) return;
  mark_cone(s, s->failure[0].wrong, s->failure[0].n_wrong, s->failure[0].value);
  add_registers(s);
  add_names(s);
  for (uint32_t i = 0; i < s->n_list && !s->failed; i++) find_causes(s, &s->list[i]);
  if (!s->failed && s->out->reproduced) try_twins(s);
  if (!s->failed && s->out->reproduced) use_history(s, before);
  find_covers(s);
  try_mending(s);
  rank(s);
}

int suspects_find(struct suspects *out, struct twins *t, const struct trail_row *failing,
                  const struct trail_ring *before, const uint32_t *differ, uint32_t n_differ, struct err *e) {
  struct search s = {.t = t, .n = t->n, .row = failing, .out = out, .differ = differ, .n_differ = n_differ};
  *out = (struct suspects){0};
  if (allocate(&s)) search(&s, before);
  else s.failed = true;
  release(&s);
  if (!s.failed) return 0;
  suspects_free(out);
  return err_set(e, ERR_LIMIT, "out of memory for the netlist of %s", t->desc->name);
}

void suspects_free(struct suspects *s) {
  free(s->list);
  *s = (struct suspects){0};
}
