/* SPDX-License-Identifier: Apache-2.0 */
/* Engine `rtl`: the Verilated RTL computes. Two kinds of evaluations are left out, since they would change nothing: that of late inputs
 * which are those that the RTL has already, and those of an instance that has come to rest under the same inputs. */
#include "rtl_engine.h"

#include "base/err.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* To look for rest takes time. Where fewer than one cycle in RARE of a WINDOW was at rest, nobody looks in the next PAUSE cycles (assumption:
 * it then costs less than a hundredth). */
enum { WINDOW = 1024, RARE = 8, PAUSE = 16 * WINDOW };

struct rtl_rest {
  _Alignas(64) struct order order;
  struct seam *seam;
  uint32_t words, flags;           /* of the inputs; flags: of the last cycle that was evaluated */
  uint32_t late_words, first_late; /* words that have late inputs, and what is between them; 0: none */
  uint32_t run;                    /* cycles in a row with the same inputs */
  uint32_t left, rests;            /* of the window, or of the pause: cycles; of the window: cycles at rest */
  bool pauses;
  bool same;             /* the inputs of this cycle are those of the last one, as far as is known */
  bool still;            /* under the same inputs nothing changes any more */
  bool left_out;         /* this cycle's evaluation */
  bool looks;            /* this cycle is being looked at */
  uint64_t *in;          /* inputs of the last cycle, as they were then */
  uint64_t *late, *mask; /* the late words as the RTL has them; which of their bits are late inputs' */
  const void *memory;    /* of the model; NULL: it is nowhere whole, so that each cycle is evaluated */
  size_t memory_bytes;
  uint8_t *before; /* the memory before the cycle that is being looked at */
};

static void mark_late(struct rtl_rest *r, const struct block_desc *desc) {
  uint32_t last = 0;
  r->first_late = r->words;
  for (uint32_t i = 0; i < desc->n_in; i++) {
    const struct block_field *f = &desc->in[i];
    uint32_t bytes = f->slot * f->rows;
    if (!f->late) continue;
    memset((uint8_t *)r->mask + f->offset, 0xff, bytes);
    if (f->offset / 8 < r->first_late) r->first_late = f->offset / 8;
    if ((f->offset + bytes + 7) / 8 > last) last = (f->offset + bytes + 7) / 8;
  }
  r->late_words = last > r->first_late ? last - r->first_late : 0;
}

struct rtl_rest *rtl_rest_create(const struct seam *s, struct err *e) {
  const struct block_desc *desc = s->b->desc;
  struct rtl_rest *r = aligned_alloc(_Alignof(struct rtl_rest), sizeof *r);
  if (!r) goto fail;
  memset(r, 0, sizeof *r);
  r->seam = s->b->seam;
  if (!s->context) r->memory = s->ops->memory(s->model, &r->memory_bytes); /* coverage counts each evaluation */
  if (!r->memory_bytes) r->memory = NULL;
  r->left = WINDOW;
  r->words = (s->in_bytes + 7) / 8;
  r->before = malloc(r->memory_bytes + 1);
  r->in = calloc(3, r->words * sizeof *r->in + 8U);
  if (!r->before || !r->in) goto fail;
  r->late = r->in + r->words + 1;
  r->mask = r->late + r->words + 1;
  mark_late(r, desc);
  return r;
fail:
  rtl_rest_destroy(r);
  return err_set(e, ERR_LIMIT, "out of memory for the instance %s", s->path), NULL;
}

void rtl_rest_destroy(struct rtl_rest *r) {
  if (!r) return;
  order_forget(&r->seam->dpi->evaluated, &r->order);
  free(r->before);
  free(r->in);
  free(r);
}

/* The late inputs are others than those that the RTL has, which become the same. */
static inline bool late_differs(struct rtl_rest *r, const void *in) {
  const uint8_t *words = (const uint8_t *)in + 8 * (size_t)r->first_late;
  uint64_t *late = r->late + r->first_late, *mask = r->mask + r->first_late, different = 0;
  for (uint32_t i = 0; i < r->late_words; i++) {
    uint64_t word;
    memcpy(&word, words + 8 * (size_t)i, 8);
    different |= (word ^ late[i]) & mask[i];
    late[i] = word;
  }
  return different;
}

/* The inputs are others than in the cycle before, and are remembered. */
static inline bool inputs_differ(struct rtl_rest *r, const uint8_t *in) {
  uint64_t different = 0;
  for (uint32_t i = 0; i < r->words; i++) {
    uint64_t word;
    memcpy(&word, in + 8 * (size_t)i, 8); /* readable in whole words */
    different |= word ^ r->in[i];
    r->in[i] = word;
  }
  return different;
}

/* In the pieces in which the model has just written them: a larger one would have to wait for all of its stores. */
static inline void take_outputs(void *to, const void *from, uint32_t bytes) {
  uint32_t *out = to;
  const uint32_t *words = from;
  for (uint32_t i = 0; i < bytes / 4; i++) {
    uint32_t word = words[i];
    __asm__("" : "+r"(word)); /* the compiler would make larger pieces of them */
    out[i] = word;
  }
}

void rtl_cycle(struct seam *s) {
  if (s->dpi->watching) {
    s->flags |= RTL_FLAG_WAVE;
    s->ops->rise(s->model);
    s->ops->sample(s->model);
    s->high = true;
  } else {
    s->ops->cycle(s->model);
  }
}

static void begin_window(struct rtl_rest *r) {
  r->pauses = !r->pauses && r->rests < WINDOW / RARE;
  r->left = (r->pauses ? PAUSE : WINDOW) - 1;
  r->rests = 0;
}

void rtl_eval(struct block *b) {
  struct rtl_rest *r = b->work;
  struct seam *s = r->seam;
  order_prefetch(&r->order);
  order_prefetch_more(&r->order);
  if (order_is_noted(*b->now)) order_note(&s->dpi->evaluated, &r->order, b, s, r->memory);
  b->profile.cycles++;
  s->executed++;
  s->flags = seam_bug_flags(s) | (b->rst_n ? RTL_FLAG_RST_N : 0);
  if (!r->left--) begin_window(r);
  r->same = !r->pauses && !inputs_differ(r, b->in) && r->flags == s->flags;
  r->left_out = r->same && r->still && !s->dpi->watching;
  if (r->left_out) {
    b->profile.rtl_still++;
    r->rests++;
    return;
  }
  r->flags = s->flags;
  r->looks = r->memory && r->same && r->run && !(r->run & (r->run - 1)) && !s->dpi->watching;
  if (r->looks) memcpy(r->before, r->memory, r->memory_bytes);
  b->profile.rtl_evals++;
  if (s->dpi->watching) rtl_cycle(s);
  else take_outputs(b->out, s->ops->step(s->model), s->out_bytes);
}

static void note_cycle(struct rtl_rest *r, bool differs) {
  if (!r->same || differs) {
    r->run = 0;
    r->still = false;
    return;
  }
  r->run++;
  if (r->looks) r->still = !memcmp(r->before, r->memory, r->memory_bytes);
}

void rtl_tick(struct block *b) {
  struct rtl_rest *r = b->work;
  bool differs = r->late_words && late_differs(r, b->in);
  if (differs || (r->late_words && r->seam->dpi->watching)) r->seam->ops->late(r->seam->model);
  if (!r->left_out || differs) note_cycle(r, differs);
  block_note_quiet(b);
}
