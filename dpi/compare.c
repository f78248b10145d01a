/* SPDX-License-Identifier: Apache-2.0 */
/* Compares C model and RTL: which port or register differs first. */
#include "base/clock.h"
#include "runtime.h"

#include <string.h>

void seam_mask_rows(const struct block *b, uint8_t *model, uint8_t *rtl) {
  const struct block_desc *desc = b->desc;
  if (!desc->model->row_valid) return;
  for (uint32_t i = 0; i < desc->n_regs; i++) {
    const struct block_field *r = &desc->regs[i];
    uint32_t rows = !r->asks ? 0 : r->depth ? r->depth(b->params) : 1;
    for (uint32_t row = 0; row < rows; row++) {
      if (desc->model->row_valid(b->params, b->state, model, i, row)) continue;
      memset(rtl + r->offset + row * r->slot, 0, r->slot);
      memset(model + r->offset + row * r->slot, 0, r->slot); /* nothing asks by it: the manifest's check */
    }
  }
}

bool seam_row_counts(const struct block_desc *desc, const int32_t *params, const struct block_field *r,
                     const uint8_t *regs, uint32_t row) {
  if (r->valid < 0) return true;
  const struct block_field *v = &desc->regs[r->valid];
  uint32_t width = v->width(params), bit = row % width;
  return regs[v->offset + row / width * v->slot + bit / 8] >> bit % 8 & 1;
}

/* A call with the size as a constant: of most rows it is that of a word. */
static inline void clear_row(uint8_t *row, uint32_t slot) {
  switch (slot) {
    case 1: *row = 0; break;
    case 2: memset(row, 0, 2); break;
    case 4: memset(row, 0, 4); break;
    case 8: memset(row, 0, 8); break;
    default: memset(row, 0, slot);
  }
}

void seam_mask_registers(const struct block_desc *desc, const int32_t *params, uint8_t *regs) {
  for (uint32_t i = 0; i < desc->n_regs; i++) {
    const struct block_field *r = &desc->regs[i];
    if (r->valid < 0) continue;
    const struct block_field *v = &desc->regs[r->valid];
    uint32_t rows = r->depth ? r->depth(params) : 1, width = v->width(params);
    const uint8_t *bits = regs + v->offset; /* as in seam_row_counts */
    for (uint32_t row = 0, bit = 0; row < rows; row++, bit++) {
      if (bit == width) bit = 0, bits += v->slot;
      if (!(bits[bit / 8] >> bit % 8 & 1)) clear_row(regs + r->offset + row * r->slot, r->slot);
    }
  }
}

static inline bool same_row(const uint8_t *a, const uint8_t *b, uint32_t slot) {
  uint64_t x = 0, y = 0;
  switch (slot) {
    case 1: return *a == *b;
    case 2: memcpy(&x, a, 2), memcpy(&y, b, 2); return x == y;
    case 4: memcpy(&x, a, 4), memcpy(&y, b, 4); return x == y;
    case 8: memcpy(&x, a, 8), memcpy(&y, b, 8); return x == y;
    default: return !memcmp(a, b, slot);
  }
}

/* Whether the rows of r that count on either side agree. Row n counts by bit n % width of row n / width of the register of valid bits. */
static bool rows_agree(const struct block_desc *desc, const int32_t *params, const struct block_field *r, uint32_t rows,
                       const uint8_t *model, const uint8_t *rtl) {
  const struct block_field *v = &desc->regs[r->valid];
  uint32_t width = v->width(params);
  const uint8_t *bits = model + v->offset, *rtl_bits = rtl + v->offset;
  for (uint32_t row = 0, bit = 0; row < rows; row++, bit++) {
    if (bit == width) bit = 0, bits += v->slot, rtl_bits += v->slot;
    uint32_t at = r->offset + row * r->slot, counts = (uint32_t)(bits[bit / 8] | rtl_bits[bit / 8]) >> bit % 8 & 1;
    if (counts && !same_row(model + at, rtl + at, r->slot)) return false;
  }
  return true;
}

bool seam_registers_agree(const struct block_desc *desc, const int32_t *params, const uint8_t *model,
                          const uint8_t *rtl) {
  for (uint32_t i = 0; i < desc->n_regs; i++) {
    const struct block_field *r = &desc->regs[i];
    uint32_t rows = r->depth ? r->depth(params) : 1;
    if (!memcmp(model + r->offset, rtl + r->offset, (size_t)rows * r->slot)) continue;
    if (r->valid < 0 || !rows_agree(desc, params, r, rows, model, rtl)) return false;
  }
  return true;
}

/* The cycle of the block that is being compared. */
static uint64_t cycle_of(const struct seam *s) { return s->follow ? s->follow->cycle : *s->b->now; }

/* Its place in time; the clocks' ratios are fixed. */
static uint64_t tick_of(const struct seam *s) {
  const struct clocks *c = s->dpi->clocks;
  for (int i = 0; c && i < CLOCK_DOMAINS; i++)
    if (s->b->now == &c->cycle[i]) return cycle_of(s) * c->period[i];
  return cycle_of(s);
}

/* True if this divergence is the one to report: the earliest, of one tick that of the instance made first. */
static bool is_reported(const struct seam *s) {
  const struct dpi *d = s->dpi;
  uint64_t tick = tick_of(s);
  return !d->noted ||
         (d->first_seam != s && (tick < d->first_tick || (tick == d->first_tick && d->first_seam->id > s->id)));
}

static void note(struct seam *s, const struct block_field *f, bool is_register, uint32_t row, const uint8_t *expected,
                 const uint8_t *actual) {
  struct dpi *d = s->dpi;
  d->noted = true;
  if (!s->follow) d->stop = true;
  d->first_seam = s;
  d->first_tick = tick_of(s);
  d->first_also[0] = 0;
  struct divergence *v = &d->first;
  uint32_t width = f->width(s->b->params), most = 8 * (uint32_t)sizeof v->expected;
  *v = (struct divergence){.path = s->path,
                           .block = s->b->desc->name,
                           .what = f->name,
                           .is_register = is_register,
                           .row = row,
                           .width = width < most ? width : most,
                           .cycle = cycle_of(s),
                           .executed = s->follow ? s->follow->checked + 1 : s->executed,
                           .also = d->first_also};
  uint32_t bytes = f->slot < sizeof v->expected ? f->slot : (uint32_t)sizeof v->expected;
  memcpy(v->expected, expected, bytes);
  memcpy(v->actual, actual, bytes);
}

/* Adds a further difference of the reported cycle. */
static void note_also(struct dpi *d, const char *name) {
  size_t n = strlen(d->first_also);
  snprintf(d->first_also + n, sizeof d->first_also - n, "%s%s", n ? ", " : "", name);
}

/* Notes difference `n` (from 0) of a comparison; *reported says whether this comparison is the one to report. A replay that
 * collects notes all of them and goes on. */
static void found(struct seam *s, bool *reported, uint32_t n, const struct block_field *f, bool is_register,
                  uint32_t row, const uint8_t *expected, const uint8_t *actual) {
  struct dpi *d = s->dpi;
  s->mismatch = true;
  if (d->collect) {
    differences_note(d->collect, f, is_register, row, cycle_of(s), expected, actual);
    return;
  }
  pthread_mutex_lock(&d->noting);
  if (!n) {
    *reported = is_reported(s);
    if (*reported) note(s, f, is_register, row, expected, actual);
  } else if (*reported && d->first_seam == s) {
    note_also(d, f->name);
  }
  pthread_mutex_unlock(&d->noting);
}

void seam_compare_outputs(struct seam *s) {
  const struct block_desc *desc = s->b->desc;
  const uint8_t *expected = s->follow ? (const uint8_t *)s->follow->expected : s->b->out, *actual = s->rtl_out;
  bool reported = false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < desc->n_out; i++) {
    const struct block_field *f = &desc->out[i];
    if (memcmp(expected + f->offset, actual + f->offset, f->slot) && block_output_counts(desc, f, expected))
      found(s, &reported, n++, f, false, 0, expected + f->offset, actual + f->offset);
  }
}

void seam_compare_registers(struct seam *s, const uint8_t *model) {
  const struct block_desc *desc = s->b->desc;
  bool reported = false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < desc->n_regs; i++) {
    const struct block_field *f = &desc->regs[i];
    uint32_t rows = f->depth ? f->depth(s->b->params) : 1;
    for (uint32_t row = 0; row < rows; row++) {
      const uint8_t *expected = model + f->offset + row * f->slot;
      const uint8_t *actual = s->rtl_regs + f->offset + row * f->slot;
      if (!memcmp(expected, actual, f->slot)) continue;
      found(s, &reported, n++, f, true, row, expected, actual);
      if (!s->dpi->collect) break;
    }
  }
}
