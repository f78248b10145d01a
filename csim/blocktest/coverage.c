/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/coverage.h"

#include "blocktest/coverage_points.h"

#include <stdlib.h>
#include <string.h>

/* assumption: a register that was not found in these cycles is looked at in every REGISTERS_EVERYth only */
enum { REGISTERS_FIRST = 8192, REGISTERS_EVERY = 4 };

static bool is_zero(const uint8_t *at, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++)
    if (at[i]) return false;
  return true;
}

static uint32_t ones(const uint8_t *at, uint32_t bytes) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < bytes; i++) n += (uint32_t)__builtin_popcount(at[i]);
  return n;
}

static const uint8_t *value(const struct coverage *c, const struct block_field *f, bool is_out) {
  return c->now[is_out] + f->offset;
}

static void count_bit(struct coverage *c, const struct probe *p) {
  const void *outputs = c->now[1];
  if (p->is_out && !block_output_counts(c->desc, p->f, outputs)) return;
  bool now = *value(c, p->f, p->is_out) & 1, was = *(c->was[p->is_out] + p->f->offset) & 1;
  coverage_hit(c, p->point + now);
  if (c->follows && now != was) coverage_hit(c, p->point + (now ? 2 : 3));
}

static void count_names(struct coverage *c, const struct probe *p) {
  uint32_t v = *value(c, p->f, p->is_out), n = 0;
  if (p->is_out && !block_output_counts(c->desc, p->f, c->now[1])) return;
  while (p->f->names[n]) n++;
  if (v < n) coverage_hit(c, p->point + v);
}

static void note_bits(struct probe *p, const uint8_t *at) {
  for (uint32_t i = 0; i < p->f->slot; i++) {
    p->ones[i] |= at[i];
    p->zeros[i] |= (uint8_t)~at[i];
  }
}

/* Whether every bit of the width was 0 and 1. */
static bool bits_complete(const struct probe *p, uint32_t width) {
  for (uint32_t bit = 0; bit < width; bit++)
    if (!((p->ones[bit / 8] & p->zeros[bit / 8]) >> bit % 8 & 1)) return false;
  return true;
}

/* Whether a row of a register means anything in this cycle. */
static bool row_counts(const struct coverage *c, const struct block *b, uint32_t reg, uint32_t row) {
  const struct block_field *r = &c->desc->regs[reg];
  if (r->asks) return c->desc->model->row_valid(c->params, b->state, c->now[2], reg, row);
  if (r->valid < 0) return true;
  const struct block_field *v = &c->desc->regs[r->valid];
  uint32_t width = v->width(c->params), bit = row % width;
  return c->now[2][v->offset + row / width * v->slot + bit / 8] >> bit % 8 & 1;
}

static void count_bits(struct coverage *c, const struct block *b, struct probe *p) {
  const struct block_field *f = p->f;
  if (p->is_out && !block_output_counts(c->desc, f, c->now[1])) return;
  if (!p->is_reg) note_bits(p, value(c, f, p->is_out));
  uint32_t rows = !p->is_reg ? 0 : f->depth ? f->depth(c->params) : 1;
  for (uint32_t row = 0; row < rows; row++)
    if (row_counts(c, b, p->reg, row)) note_bits(p, c->now[2] + f->offset + row * f->slot);
  if (!bits_complete(p, f->width(c->params))) return;
  coverage_hit(c, p->point);
  p->done = true;
}

static void count_zero(struct coverage *c, const struct block *b, struct probe *p) {
  const struct block_field *f = p->f;
  uint32_t rows = f->depth ? f->depth(c->params) : 1;
  for (uint32_t row = 0; row < rows && !p->done; row++)
    p->done = row_counts(c, b, p->reg, row) && is_zero(c->now[2] + f->offset + row * f->slot, f->slot);
  if (p->done) coverage_hit(c, p->point);
}

static void count_vector(struct coverage *c, const struct probe *p) {
  uint32_t n = ones(value(c, p->f, false), p->f->slot);
  coverage_hit(c, p->point + (n < 2 ? n : 2));
  if (n == p->f->width(c->params)) coverage_hit(c, p->point + 3);
}

static void count_rows(struct coverage *c, const struct probe *p) {
  const struct block_field *f = p->f;
  uint32_t depth = f->depth ? f->depth(c->params) : 1, n = 0;
  for (uint32_t row = 0; row < depth; row++) n += ones(c->now[2] + f->offset + row * f->slot, f->slot);
  if (!n) coverage_hit(c, p->point);
  if (n == depth * f->width(c->params)) coverage_hit(c, p->point + 1);
}

static void count_handshake(struct coverage *c, const struct probe *p) {
  bool valid = *value(c, p->f, p->is_out) & 1, ready = *value(c, p->g, p->g_is_out) & 1;
  bool was_valid = c->was[p->is_out][p->f->offset] & 1, was_ready = c->was[p->g_is_out][p->g->offset] & 1;
  if (valid && ready) coverage_hit(c, p->point);
  if (valid && !ready) coverage_hit(c, p->point + 1);
  if (!valid && ready) coverage_hit(c, p->point + 2);
  if (!c->follows || !was_valid || !valid || was_ready != ready) return;
  coverage_hit(c, p->point + (ready ? 3 : 4));
}

static void count_probe(struct coverage *c, const struct block *b, struct probe *p) {
  switch (p->kind) {
    case PROBE_BIT: count_bit(c, p); break;
    case PROBE_NAMES: count_names(c, p); break;
    case PROBE_BITS: count_bits(c, b, p); break;
    case PROBE_VECTOR: count_vector(c, p); break;
    case PROBE_ZERO: count_zero(c, b, p); break;
    case PROBE_ROWS: count_rows(c, p); break;
    case PROBE_HANDSHAKE: count_handshake(c, p); break;
    case PROBE_PAIR:
      if (!is_zero(value(c, p->f, false), p->f->slot) && !is_zero(value(c, p->g, false), p->g->slot))
        coverage_hit(c, p->point);
  }
}

static bool busy(const struct coverage *c) { return c->desc->n_regs && c->now[1][c->desc->busy_offset] & 1; }

/* In a cycle of reset only the reset is counted. */
static void count_reset(struct coverage *c) {
  if (!c->desc->n_regs) return;
  if (busy(c)) coverage_hit(c, c->reset_busy);
  if (!block_desc_idle(c->desc, c->now[0])) coverage_hit(c, c->reset_asked);
}

static void count_named(struct coverage *c) {
  struct cover_points *n = &c->named;
  const struct cover_cycle now = {c->now[0], c->now[1], c->now[2]}, was = {c->was[0], c->was[1], c->was[2]};
  n->at = 0;
  n->cycle = c->cycles;
  c->own->count(c->params, &now, c->follows ? &was : &now, n);
}

static void count_cycle(struct coverage *c, const struct block *b) {
  bool registers = c->cycles < REGISTERS_FIRST || c->cycles % REGISTERS_EVERY == 0;
  for (unsigned i = 0; i < c->n_probes; i++) {
    struct probe *p = &c->probes[i];
    if (!p->done && (registers || !p->is_reg)) count_probe(c, b, p);
  }
  if (c->desc->n_regs && block_desc_idle(c->desc, c->now[0])) coverage_hit(c, busy(c) ? c->idle_busy : c->idle_rest);
  if (c->own) count_named(c);
}

void coverage_cycle(struct coverage *c, const struct block *b) {
  for (int i = 0; i < 3; i++) {
    uint8_t *older = c->was[i];
    c->was[i] = c->now[i];
    c->now[i] = older;
  }
  memcpy(c->now[0], b->in, c->desc->in_bytes);
  memcpy(c->now[1], b->out, c->desc->out_bytes);
  c->desc->model->regs(c->params, b->state, c->now[2]);
  bool reset = !b->rst_n && !c->desc->no_reset;
  if (reset) count_reset(c);
  else count_cycle(c, b);
  c->follows = !reset;
  c->cycles++;
}

/* The points of the owner's function get their names from a call with nothing in it, and take their place behind the others. */
static int name_points(struct coverage *c, struct err *e) {
  struct cover_points *n = &c->named;
  const struct cover_cycle nothing = {c->now[0], c->now[1], c->now[2]};
  n->naming = true;
  c->own->count(c->params, &nothing, &nothing, n);
  n->naming = false;
  for (unsigned i = 0; i < n->n; i++) n->point[i].hits = n->point[i].first = 0;
  for (unsigned k = 0; k < n->n_never; k++) {
    struct coverage_point *found = NULL;
    for (unsigned i = 0; i < c->n_points; i++)
      if (!strcmp(c->points[i].name, n->never[k].name)) found = &c->points[i];
    if (!found)
      return err_set(e, ERR_INTERNAL, "testbench/%s/%s_cover.c: there is no derived point '%s'", c->desc->family,
                     c->desc->name, n->never[k].name);
    found->never = n->never[k].reason;
  }
  return 0;
}

struct coverage *coverage_open(const struct block_desc *desc, const int32_t *params, struct err *e) {
  struct coverage *c = calloc(1, sizeof *c);
  if (!c) return err_set(e, ERR_LIMIT, "out of memory for the coverage of %s", desc->name), NULL;
  c->desc = desc;
  memcpy(c->params, params, desc->n_params * sizeof *params);
  c->own = desc->own ? NULL : block_cover_find(desc->name);
  const uint32_t bytes[] = {desc->in_bytes, desc->out_bytes, desc->regs_bytes};
  int status = 0;
  for (int i = 0; i < 3; i++) {
    c->now[i] = calloc(1, bytes[i] + 8U);
    c->was[i] = calloc(1, bytes[i] + 8U);
    if (!c->now[i] || !c->was[i]) status = err_set(e, ERR_LIMIT, "out of memory for the coverage of %s", desc->name);
  }
  if (!status) status = coverage_derive(c, e);
  c->n_derived = c->n_points;
  if (!status && c->own) status = name_points(c, e);
  if (!status) return c;
  coverage_close(c);
  return NULL;
}

void coverage_close(struct coverage *c) {
  if (!c) return;
  for (unsigned i = 0; i < c->n_probes; i++) free(c->probes[i].zeros);
  for (int i = 0; i < 3; i++) {
    free(c->now[i]);
    free(c->was[i]);
  }
  free(c);
}

uint64_t coverage_cycles(const struct coverage *c) { return c->cycles; }

unsigned coverage_points(struct coverage *c, const struct coverage_point **points) {
  c->n_points = c->n_derived;
  for (unsigned i = 0; i < c->named.n && c->n_points < COVERAGE_POINTS_MAX; i++) {
    if (!c->named.point[i].possible) continue;
    struct coverage_point *p = &c->points[c->n_points++];
    *p = (struct coverage_point){.hits = c->named.point[i].hits, .first = c->named.point[i].first, .counted = true};
    strncpy(p->name, c->named.point[i].name, sizeof p->name - 1);
  }
  *points = c->points;
  return c->n_points;
}

unsigned coverage_reached(const struct coverage *c) {
  unsigned n = c->reached;
  for (unsigned i = 0; i < c->named.n; i++) n += c->named.point[i].hits > 0;
  return n;
}
