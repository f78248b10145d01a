/* SPDX-License-Identifier: Apache-2.0 */
/* A checker's side of decoupled lockstep: the RTL runs on a tape. */
#include "follow.h"
#include "runtime.h"

#include <string.h>

/* assumption: an evaluation costs as much as saving and comparing so many bytes; a look at the model's memory must save more */
enum { LOOK_BYTES_A_CYCLE = 4096 };
/* assumption: the flight recorder's file may lack so many cycles of an instance, besides those of a hand-over, if the run is killed */
enum { FLIGHT_WRITE_CYCLES = 2048 };

/* Where a checker is in a tape. */
struct place {
  struct seam *s;
  struct follow *f;
  const struct tape *t;
  size_t in, out;             /* words read */
  size_t kept;                /* words that the flight recorder has */
  uint32_t in_left, out_left; /* cycles left of the rows */
  uint32_t at, mark;          /* cycles and marks passed */
  uint64_t begun;             /* executed cycles before the tape */
  const uint64_t *registers;  /* data of the mark of this cycle, or NULL */
};

/* Adds the rows read so far to the recording of the instance. */
static void commit(struct place *p) {
  struct stimulus_recorder *rec = &p->s->rec;
  struct follow *f = p->f;
  if (rec->on && !stimulus_recorder_add_rows(rec, p->t->in.words + f->committed, p->in - f->committed, f->rows_read)) {
    rec->lost = true;
    rec->on = false;
    stimulus_recorder_free(rec);
  }
  f->committed = p->in;
  f->rows_read = 0;
}

/* Gives the rows read so far to the flight recorder. */
static void keep(struct place *p) {
  if (p->s->track) flight_rows(p->s, p->t->in.words + p->kept, p->in - p->kept);
  p->kept = p->in;
}

static void pass_mark(struct place *p, const struct tape_mark *m) {
  const uint64_t *data = p->t->data + m->data;
  switch (m->kind) {
    case TAPE_REGISTERS: p->registers = data; break;
    case TAPE_SEGMENT:
      keep(p);
      flight_segment(p->s, &p->f->in, data + 1, data[0]);
      break;
    case TAPE_BEGIN:
      commit(p);
      if (p->s->rec.on) stimulus_recorder_begin(&p->s->rec, &p->f->in);
      break;
  }
}

static void read_inputs(struct place *p) {
  struct follow *f = p->f;
  struct seam *s = p->s;
  const uint64_t *row = p->t->in.words + p->in;
  uint32_t repeats;
  size_t words = delta_decode(&f->in, row, p->t->in.words + p->t->in.n, &repeats);
  invariant(words, "the tape of %s holds what is no row", s->path);
  if (s->track && p->in - p->kept + words > flight_room(s)) keep(p);
  p->in += words;
  p->in_left = repeats + 1;
  f->rows_read++;
  uint32_t flags = seam_bug_flags(s) | RTL_FLAG_DIRECT | (f->in.rst_n ? RTL_FLAG_RST_N : 0);
  f->still &= words == 1U + (f->in.words > 32) && f->drive[s->in_bytes / 4] == flags;
  memcpy(f->drive, f->in.in, s->in_bytes);
  f->drive[s->in_bytes / 4] = flags;
}

static void read_outputs(struct place *p) {
  struct follow *f = p->f;
  uint32_t repeats;
  size_t words = delta_decode(&f->expected, p->t->out.words + p->out, p->t->out.words + p->t->out.n, &repeats);
  invariant(words, "the tape of %s holds what is no row", p->s->path);
  p->out += words;
  p->out_left = repeats + 1;
  f->still &= words == 1U + (f->expected.words > 32);
}

/* One evaluation. false: the RTL differs. */
static bool run_cycle(struct place *p) {
  struct seam *s = p->s;
  struct follow *f = p->f;
  const void *out = s->ops->direct(s->model, f->drive);
  f->evals++;
  if (stimulus_same_words(out, f->expected.in, s->out_bytes)) return true;
  memcpy(s->rtl_out, out, s->out_bytes);
  seam_compare_outputs(s);
  return !s->mismatch;
}

static bool compare_registers(struct place *p) {
  struct seam *s = p->s;
  const struct block_desc *desc = s->b->desc;
  size_t words = (desc->regs_bytes + 7) / 8;
  const uint64_t *regs = p->registers, *counts = regs + words;
  s->ops->registers(s->model);
  p->f->still = false; /* the call left its traces in the model's memory */
  if (!memcmp(s->rtl_regs, regs, desc->regs_bytes)) return true;
  for (size_t i = 0; desc->model->row_valid && i < words; i++) {
    uint64_t word;
    memcpy(&word, s->rtl_regs + 8 * i, 8);
    word &= counts[i];
    memcpy(s->rtl_regs + 8 * i, &word, 8);
  }
  if (seam_registers_agree(desc, s->b->params, (const uint8_t *)regs, s->rtl_regs)) return true;
  memcpy(s->check_regs, regs, desc->regs_bytes);
  seam_mask_registers(desc, s->b->params, s->rtl_regs);
  seam_mask_registers(desc, s->b->params, s->check_regs);
  if (memcmp(s->rtl_regs, s->check_regs, desc->regs_bytes)) seam_compare_registers(s, s->check_regs);
  return !s->mismatch;
}

/* Runs up to `n` cycles with the same inputs and outputs; none once the model's memory stays as it is. false: the RTL differs. */
static bool run_equal(struct place *p, uint32_t n) {
  struct follow *f = p->f;
  for (uint32_t i = 0; i < n; i++, f->cycle++, f->checked++) {
    if (f->still && !p->registers) {
      f->still_cycles += n - i;
      f->cycle += n - i;
      f->checked += n - i;
      return true;
    }
    bool look = !(i & (i - 1)) && i && f->memory_bytes && n - i > f->memory_bytes / LOOK_BYTES_A_CYCLE;
    if (look) memcpy(f->before, f->memory, f->memory_bytes);
    if (!run_cycle(p)) return false;
    if (look) f->still = !memcmp(f->before, f->memory, f->memory_bytes);
    if (p->registers && !compare_registers(p)) return false;
    p->registers = NULL;
  }
  return true;
}

void follow_check(struct seam *s) {
  struct follow *f = s->follow;
  const struct tape *t = f->check;
  struct place p = {.s = s, .f = f, .t = t};
  f->committed = f->rows_read = 0;
  while (p.at < t->cycles && !s->mismatch) {
    for (; p.mark < t->n_marks && t->marks[p.mark].at == p.at; p.mark++) pass_mark(&p, &t->marks[p.mark]);
    if (!p.in_left) {
      read_inputs(&p);
      f->cycle = f->in.cycle;
    }
    if (!p.out_left) read_outputs(&p);
    uint32_t n = p.in_left < p.out_left ? p.in_left : p.out_left;
    if (p.mark < t->n_marks && t->marks[p.mark].at - p.at < n) n = t->marks[p.mark].at - p.at;
    if (!run_equal(&p, n)) break;
    p.at += n;
    p.in_left -= n;
    p.out_left -= n;
    if (!p.in_left) f->in.cycle = f->cycle - 1; /* the last one of the row */
    if (!p.out_left) f->expected.cycle = f->cycle - 1;
  }
  commit(&p);
  keep(&p);
  if (s->mismatch || f->checked - f->kept_at >= FLIGHT_WRITE_CYCLES) {
    flight_write(s);
    f->kept_at = f->checked;
  }
}
