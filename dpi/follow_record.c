/* SPDX-License-Identifier: Apache-2.0 */
/* The simulating thread's side of decoupled lockstep: the C model computes, and a tape keeps what it did. Registers are compared in the
 * same cycles as in coupled lockstep, and recordings begin anew in the same ones, so that both find the same. */
#include "follow.h"

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

int follow_create(struct seam *s, struct err *e) {
  struct follow *f = aligned_alloc(_Alignof(struct follow), sizeof *f);
  s->follow = f;
  if (!f) return err_set(e, ERR_LIMIT, "out of memory for the instance %s", s->path);
  memset(f, 0, sizeof *f);
  f->next = f;
  if (s->dpi->last) s->dpi->last->next = f;
  s->dpi->last = f;
  f->fill.pool = f->spare.pool = s->rec.pool = s->dpi->pool;
  tape_clear(&f->fill);
  tape_clear(&f->spare);
  f->state_left = s->state_countdown;
  f->now = f->in = s->image;
  f->out.words = f->expected.words = (s->out_bytes + 7) / 8;
  f->records = s->rec.on;
  f->trim_at = s->rec.trim_at;
  f->memory = s->ops->memory(s->model, &f->memory_bytes);
  if (!f->memory_bytes && !s->dpi->said_elsewhere) {
    fprintf(
      stderr,
      "tandem: the RTL of %s remembers in several objects, so that lockstep evaluates it in each cycle, even at rest\n",
      s->b->desc->name);
    s->dpi->said_elsewhere = true;
  }
  f->before = malloc(f->memory_bytes + 1);
  return f->before ? 0 : err_set(e, ERR_LIMIT, "out of memory for the instance %s", s->path);
}

void follow_free(struct seam *s) {
  struct follow *f = s->follow;
  if (!f) return;
  tape_free(&f->fill);
  tape_free(&f->spare);
  free(f->before);
  free(f);
  s->follow = NULL;
}

/* The state with which a segment of the flight recorder begins. */
static void mark_segment(struct seam *s) {
  const struct block *b = s->b;
  size_t bytes = b->desc->model->state_bytes;
  s->follow->segment_left = FLIGHT_SEGMENT_CYCLES;
  if (!s->track) return;
  uint64_t *data = tape_mark(&s->follow->fill, TAPE_SEGMENT, sizeof *data + bytes);
  data[0] = flight_digest(s);
  memcpy(data + 1, b->state, bytes);
}

static void begin_recording(struct follow *f) {
  tape_mark(&f->fill, TAPE_BEGIN, 0);
  f->rows = 0;
}

/* The registers of the C model, and which of them count; in a cycle in which they have their reset values the recording may begin
 * anew. */
static void mark_registers(struct seam *s, bool trim) {
  const struct block *b = s->b;
  struct follow *f = s->follow;
  size_t bytes = b->desc->regs_bytes, words = (bytes + 7) / 8;
  bool asks = b->desc->model->row_valid != NULL;
  uint8_t *regs = tape_mark(&f->fill, TAPE_REGISTERS, 8 * words * (1U + asks)), *counts = regs + 8 * words;
  memset(regs, 0, 8 * words);
  b->desc->model->regs(b->params, b->state, regs);
  if (asks) {
    memset(counts, 0xff, 8 * words);
    seam_mask_rows(b, regs, counts);
  }
  if (!trim) return;
  memcpy(s->c_regs, regs, bytes);
  seam_mask_registers(b->desc, b->params, s->c_regs);
  if (memcmp(s->c_regs, s->reset_regs, bytes)) {
    f->trim_at = f->rows + f->rows / 4;
  } else {
    begin_recording(f);
    f->trim_at = TRIM_ROWS;
  }
}

void follow_eval(struct block *b) {
  struct seam *s = b->seam;
  struct follow *f = s->follow;
  __builtin_prefetch(f->next, 1);
  __builtin_prefetch(&f->next->rows, 1);
  __builtin_prefetch(&f->next->out, 1);
  tape_prefetch(&f->fill);
  b->profile.cycles++;
  b->profile.c_evals++;
  if (!f->segment_left) mark_segment(s);
  f->segment_left--;
  if (!b->rst_n && b->desc->async_reset) b->desc->model->reset(b->params, b->state);
  b->desc->model->eval(b->params, b->state, b->in, b->out);
  bool trim = f->records && f->rows >= f->trim_at && seam_rests(b);
  if (--f->state_left == 0 || trim) {
    f->state_left = s->dpi->config.state_every;
    mark_registers(s, trim);
  }
}

void follow_tick(struct block *b) {
  struct seam *s = b->seam;
  struct follow *f = s->follow;
  if (f->restart && f->records) begin_recording(f);
  f->restart = !b->rst_n && !b->desc->no_reset; /* after this cycle the block is as after reset */
  f->rows += tape_add(&f->fill, b, &f->now, &f->out);
  f->records &= f->rows < RECORDED_ROWS_MAX;
  block_c_tick(b);
}
