/* SPDX-License-Identifier: Apache-2.0 */
/* A checker's side of decoupled lockstep: the RTL runs on a tape. */
#include "follow.h"
#include "runtime.h"

#include <string.h>

/* assumption: an evaluation costs as much as saving and comparing so many bytes; a look at the model's memory must save more, as far as
 * earlier looks tell. */
enum { LOOK_BYTES_A_CYCLE = 512 };
/* assumption: the flight recorder's file may lack so many cycles of an instance, besides those of a hand-over, if the run is killed */
enum { FLIGHT_WRITE_CYCLES = 2048 };

/* Where a checker is in a tape. As it reads, it writes the rows of the inputs alone, as the recorders want them, over what it has read:
 * they are never longer. */
struct place {
  struct seam *s;
  struct follow *f;
  uint64_t *words;
  size_t read, written;      /* words */
  size_t kept, committed;    /* words written that the flight recorder and the recording have */
  size_t room;               /* words written at which the flight recorder must take them */
  size_t last;               /* head of the last row written, if repeats can be added to it; else NO_ROW */
  size_t rows;               /* rows since the last commit */
  uint32_t at, mark;         /* cycles and marks passed */
  uint32_t flags;            /* of the RTL's inputs, besides rst_n */
  bool wide;                 /* the masks are words of their own */
  const uint64_t *registers; /* data of the mark of this cycle, or NULL */
};
#define NO_ROW SIZE_MAX

/* Adds the rows written so far to the recording of the instance. Where the flight recorder has it, they are only counted. */
static bool record(struct place *p) {
  struct stimulus_recorder *rec = &p->s->rec;
  if (!rec->in_flight)
    return stimulus_recorder_add_rows(rec, p->words + p->committed, p->written - p->committed, p->rows);
  rec->n += p->rows;
  return rec->n <= RECORDED_CHANGES_MAX && flight_whole(p->s);
}

static void commit(struct place *p) {
  struct stimulus_recorder *rec = &p->s->rec;
  if (rec->on && !record(p)) {
    rec->lost = true;
    rec->on = false;
    stimulus_recorder_free(rec);
    if (rec->in_flight) flight_end(p->s);
  }
  p->committed = p->written;
  p->rows = 0;
  p->last = NO_ROW;
}

static void find_room(struct place *p) {
  size_t room = p->s->track ? flight_room(p->s) : SIZE_MAX;
  p->room = room == SIZE_MAX ? SIZE_MAX : p->kept + (room < DELTA_ROW_WORDS ? 0 : room - DELTA_ROW_WORDS);
}

/* Gives the rows written so far to the flight recorder. */
static void keep(struct place *p) {
  if (p->s->track) flight_rows(p->s, p->words + p->kept, p->written - p->kept);
  p->kept = p->written;
  p->last = NO_ROW;
  find_room(p);
}

/* The recording begins anew. */
static void begin(struct place *p) {
  struct stimulus_recorder *rec = &p->s->rec;
  commit(p);
  if (!rec->on) return;
  stimulus_recorder_begin(rec, &p->f->in);
  if (!rec->in_flight) return;
  keep(p);
  rec->from = p->f->in.cycle + 1;
  flight_begin(p->s);
}

static void pass_mark(struct place *p, const struct tape_mark *m) {
  const uint64_t *data = p->f->check->marks->data + m->data;
  switch (m->kind) {
    case TAPE_REGISTERS: p->registers = data; break;
    case TAPE_SEGMENT:
      keep(p);
      flight_segment(p->s, &p->f->in, data + 1, data[0]);
      find_room(p);
      break;
    case TAPE_BEGIN: begin(p); break;
  }
}

/* Adds a row of inputs; `from` has the words of the mask. Returns what is after them. */
static inline const uint64_t *pass_inputs(struct place *p, uint64_t head, uint64_t cycle, uint64_t mask,
                                          const uint64_t *from) {
  struct follow *f = p->f;
  uint32_t repeats = delta_repeats(head), rst_n = (uint32_t)(head >> 1) & 1;
  if (!mask && cycle == f->in.cycle + 1 && rst_n == f->in.rst_n && p->last != NO_ROW &&
      delta_repeats(p->words[p->last]) + repeats < DELTA_REPEATS_MAX) {
    p->words[p->last] += (repeats + 1) * (uint64_t)DELTA_REPEAT;
    return from;
  }
  uint64_t *row = p->words + p->written, *to = row + 1;
  bool far = (head >> DELTA_GAP_SHIFT & DELTA_GAP_FAR) == DELTA_GAP_FAR, wide = f->in.words > DELTA_MASK_IN_HEAD;
  if (far) *to++ = cycle;
  if (wide) *to++ = mask;
  for (uint64_t bits = mask; bits; bits &= bits - 1) {
    unsigned i = (unsigned)__builtin_ctzll(bits);
    uint64_t word = *from++;
    *to++ = f->in.in[i] = word;
    memcpy(f->drive + 2 * (size_t)i, &word, sizeof word);
  }
  *row = (uint32_t)head | (wide ? 0 : mask << DELTA_MASK_IN_HEAD);
  p->last = p->written;
  p->written += (size_t)(to - row);
  p->rows++;
  return from;
}

/* Reads a row. Returns the cycles that it stands for. */
static uint32_t read_row(struct place *p) {
  struct follow *f = p->f;
  const uint64_t *at = p->words + p->read;
  uint64_t head = *at++, gap = head >> DELTA_GAP_SHIFT & DELTA_GAP_FAR, in = head >> DELTA_MASK_IN_HEAD, out;
  if (p->written >= p->room) keep(p);
  uint64_t cycle = gap == DELTA_GAP_FAR ? *at++ : f->in.cycle + gap;
  if (p->wide) {
    in = *at++;
    out = *at++;
  } else {
    out = in >> f->in.words;
    in ^= out << f->in.words;
  }
  uint32_t flags = p->flags | (head & 2 ? RTL_FLAG_RST_N : 0);
  f->at_rest &= !in && !out && flags == f->flags;
  at = pass_inputs(p, head, cycle, in, at);
  for (; out; out &= out - 1) f->expected[__builtin_ctzll(out)] = *at++;
  f->drive[p->s->in_bytes / 4] = f->flags = flags;
  f->in.rst_n = (uint32_t)(head >> 1) & 1;
  f->cycle = cycle;
  p->read = (size_t)(at - p->words);
  return delta_repeats(head) + 1;
}

/* Compares what the model has just written, in pieces of 32 bits as it did: larger ones would have to wait for all of its stores. */
static inline bool same_outputs(const void *out, const void *expected, uint32_t bytes) {
  const uint32_t *a = out, *b = expected;
  uint32_t different = 0;
  for (uint32_t i = 0; i < bytes / 4; i++) {
    different |= a[i] ^ b[i];
    __asm__("" : "+r"(different)); /* the compiler would make larger pieces of them */
  }
  return !different;
}

/* One evaluation. false: the RTL differs. */
static inline bool run_cycle(struct place *p) {
  struct seam *s = p->s;
  struct follow *f = p->f;
  const void *out = s->ops->direct(s->model);
  f->evals++;
  if (same_outputs(out, f->expected, s->out_bytes)) return true;
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
  p->f->at_rest = false; /* the call left its traces in the model's memory */
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

/* Whether to look in the cycle after `i` equal ones, of which `left` are left. */
static inline bool worth_a_look(const struct follow *f, uint32_t i, uint32_t left) {
  return i && !(i & (i - 1)) && f->memory_bytes &&
         (uint64_t)left * f->luck[i > 1] * (LOOK_BYTES_A_CYCLE / FOLLOW_LUCK) > f->memory_bytes;
}

/* Looks whether the evaluation has changed nothing. */
static void look(struct follow *f, uint32_t i) {
  uint8_t *luck = &f->luck[i > 1];
  f->at_rest = !memcmp(f->memory_before, f->memory, f->memory_bytes);
  if (f->at_rest) *luck = (uint8_t)(*luck + (FOLLOW_LUCK - *luck + 3) / 4);
  else *luck = (uint8_t)(*luck - *luck / 4); /* not less than 3, so that it can become better */
}

/* Runs `n` cycles with the same inputs and outputs; none once the model's memory stays as it is. false: the RTL differs. */
static bool run_equal(struct place *p, uint32_t n) {
  struct follow *f = p->f;
  for (uint32_t i = 0; i < n; i++, f->cycle++, f->checked++) {
    if (f->at_rest && !p->registers) {
      f->still_cycles += n - i;
      f->cycle += n - i;
      f->checked += n - i;
      return true;
    }
    bool looks = worth_a_look(f, i, n - i);
    if (looks) memcpy(f->memory_before, f->memory, f->memory_bytes);
    if (!run_cycle(p)) return false;
    if (looks) look(f, i);
    if (p->registers && !compare_registers(p)) return false;
    p->registers = NULL;
  }
  return true;
}

void follow_check(struct seam *s) {
  struct follow *f = s->follow;
  const struct tape *t = f->check;
  const struct tape_marks *m = t->marks;
  struct place p = {.s = s, .f = f, .words = t->words, .last = NO_ROW, .flags = seam_bug_flags(s) | RTL_FLAG_DIRECT};
  p.wide = f->image.in_words + f->image.out_words > DELTA_MASK_IN_HEAD;
  find_room(&p);
  while (p.at < t->cycles && !s->mismatch) {
    for (; p.mark < m->n && m->mark[p.mark].at == p.at; p.mark++) pass_mark(&p, &m->mark[p.mark]);
    uint32_t n = read_row(&p);
    if (!run_equal(&p, n)) break;
    p.at += n;
    f->in.cycle = f->cycle - 1; /* the last one of the row */
  }
  keep(&p);
  commit(&p);
  if (s->mismatch || f->checked - f->kept_at >= FLIGHT_WRITE_CYCLES) {
    flight_write(s);
    f->kept_at = f->checked;
  }
}
