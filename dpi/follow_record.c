/* SPDX-License-Identifier: Apache-2.0 */
/* The simulating thread's side of decoupled lockstep: the C model computes, and a tape keeps what it did. Registers are compared in the
 * same cycles as in coupled lockstep, and recordings begin anew in the same ones, so that both find the same. */
#include "follow.h"

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* assumption: a tick costs as much as saving and comparing so many bytes of the model's state. A run of equal cycles must be as long as a
 * look at the state costs before there is one. */
enum { LOOK_BYTES_A_CYCLE = 256 };
int follow_create(struct seam *s, struct err *e) {
  struct follow *f = aligned_alloc(_Alignof(struct follow), sizeof *f);
  s->follow = f;
  if (!f) return err_set(e, ERR_LIMIT, "out of memory for the instance %s", s->path);
  memset(f, 0, sizeof *f);
  f->seam = s;
  memset(f->luck, FOLLOW_LUCK, sizeof f->luck);
  s->rec.pool = s->dpi->pool;
  f->state_left = s->state_countdown;
  f->in = s->image;
  f->image.in_words = (uint16_t)s->image.words;
  f->image.out_words = (uint16_t)((s->out_bytes + 7) / 8);
  f->restart = s->restart;
  f->drive = s->ops->inputs(s->model);
  f->memory = s->ops->memory(s->model, &f->memory_bytes);
  if (!f->memory_bytes && !s->dpi->said_elsewhere) {
    fprintf(
      stderr,
      "tandem: the RTL of %s remembers in several objects, so that lockstep evaluates it in each cycle, even at rest\n",
      s->b->desc->name);
    s->dpi->said_elsewhere = true;
  }
  f->before = malloc(s->b->desc->model->state_bytes + 1);
  f->memory_before = malloc(f->memory_bytes + 1);
  bool made = tape_create(&f->fill, s->dpi->pool) && tape_create(&f->spare, s->dpi->pool);
  return made && f->before && f->memory_before ? 0
                                               : err_set(e, ERR_LIMIT, "out of memory for the instance %s", s->path);
}

void follow_free(struct seam *s) {
  struct follow *f = s->follow;
  if (!f) return;
  order_forget(&s->dpi->evaluated, &f->order);
  tape_free(&f->fill);
  tape_free(&f->spare);
  free(f->before);
  free(f->memory_before);
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

/* The registers of the C model, and which of them count; in a cycle in which they have their reset values the recording may begin
 * anew. */
static void mark_registers(struct seam *s, bool looks) {
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
  if (!looks) return;
  memcpy(s->c_regs, regs, bytes);
  seam_mask_registers(b->desc, b->params, s->c_regs);
  bool found = !memcmp(s->c_regs, s->reset_regs, bytes);
  restart_looked(&f->restart, found);
  if (found) tape_mark(&f->fill, TAPE_BEGIN, 0);
}

/* The inputs are those of the last cycle. Late ones may be so only after the evaluation. */
static inline bool same_inputs(const struct follow *f, const uint8_t *in) {
  uint64_t different = 0;
  for (uint32_t i = 0; i < f->image.in_words; i++) {
    uint64_t word;
    memcpy(&word, in + 8 * (size_t)i, sizeof word);
    different |= word ^ f->image.word[i];
  }
  return !different;
}

static inline void evaluate(struct block *b) {
  b->profile.c_evals++;
  if (!b->rst_n && b->desc->async_reset) b->desc->model->reset(b->params, b->state);
  block_model_eval(b);
}

void follow_eval(struct block *b) {
  struct follow *f = b->work;
  order_prefetch(&f->order);
  tape_prefetch(&f->fill);
  if (order_is_noted(*b->now)) order_note(&f->seam->dpi->evaluated, &f->order, b, NULL, NULL);
  b->profile.cycles++;
  if (!f->segment_left) mark_segment(f->seam);
  f->segment_left--;
  f->rests = f->still && b->rst_n && same_inputs(f, b->in);
  if (!f->rests) evaluate(b);
  bool looks = restart_is_due(&f->restart) && seam_rests(b);
  if (--f->state_left == 0 || looks) {
    f->state_left = f->seam->dpi->config.state_every;
    mark_registers(f->seam, looks);
  }
}

/* Now and then looks whether the tick of a cycle like the one before changes anything. */
static void tick(struct block *b, struct follow *f, bool same) {
  size_t bytes = b->desc->model->state_bytes;
  f->still = false;
  f->run = same && b->rst_n ? f->run + 1 : 0;
  bool look = f->run > 1 && !(f->run & (f->run - 1)) && f->run >= bytes / LOOK_BYTES_A_CYCLE;
  if (look) memcpy(f->before, b->state, bytes);
  block_c_tick(b);
  if (look) f->still = !memcmp(f->before, b->state, bytes);
}

void follow_tick(struct block *b) {
  struct follow *f = b->work;
  struct restart_search *r = &f->restart;
  if (f->rests && !r->after_reset && tape_repeat(&f->fill, b, &f->image)) return;
  if (r->after_reset && r->on) {
    tape_mark(&f->fill, TAPE_BEGIN, 0);
    r->changes = 0;
  }
  r->after_reset = !b->rst_n && !b->desc->no_reset;
  struct tape_added added = tape_add(&f->fill, b, &f->image);
  restart_count(r, added.changed);
  if (!f->rests || !added.same) tick(b, f, added.same);
}
