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
  const void *memory; /* of the model; NULL: it is nowhere whole, so that each cycle is evaluated */
  size_t memory_bytes;
  uint8_t *before;       /* the memory before the cycle that is being looked at */
  uint64_t *in;          /* inputs of the last cycle that was evaluated, as they were then */
  uint64_t *late, *mask; /* inputs as the RTL has the late ones; which bits those are */
  uint32_t words, flags; /* flags: of the last cycle that was evaluated */
  uint32_t run;          /* cycles in a row with the same inputs */
  uint32_t left, rests;  /* of the window, or of the pause: cycles; of the window: cycles at rest */
  bool pauses;
  bool same;     /* the inputs of this cycle are those of the last one, as far as is known */
  bool still;    /* under the same inputs nothing changes any more */
  bool left_out; /* this cycle's evaluation */
  bool looks;    /* this cycle is being looked at */
};

static void mark_late(struct rtl_rest *r, const struct block_desc *desc) {
  for (uint32_t i = 0; i < desc->n_in; i++)
    if (desc->in[i].late)
      memset((uint8_t *)r->mask + desc->in[i].offset, 0xff, (size_t)desc->in[i].slot * desc->in[i].rows);
}

struct rtl_rest *rtl_rest_create(const struct seam *s, struct err *e) {
  const struct block_desc *desc = s->b->desc;
  struct rtl_rest *r = calloc(1, sizeof *r);
  if (!r) goto fail;
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
  free(r->before);
  free(r->in);
  free(r);
}

/* The late inputs are others than those that the RTL has. */
static bool late_differs(const struct rtl_rest *r, const void *in, uint32_t in_bytes) {
  for (uint32_t i = 0; i < r->words; i++) {
    uint64_t word = 0;
    uint32_t left = in_bytes - 8 * i;
    memcpy(&word, (const uint8_t *)in + 8 * (size_t)i, left < 8 ? left : 8);
    if ((word ^ r->late[i]) & r->mask[i]) return true;
  }
  return false;
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
  struct seam *s = b->seam;
  struct rtl_rest *r = s->rest;
  b->profile.cycles++;
  s->executed++;
  s->flags = seam_bug_flags(s) | (b->rst_n ? RTL_FLAG_RST_N : 0);
  if (!r->left--) begin_window(r);
  r->same = !r->pauses && r->flags == s->flags && !memcmp(r->in, b->in, s->in_bytes);
  r->left_out = r->same && r->still && !s->dpi->watching;
  if (r->left_out) {
    b->profile.rtl_still++;
    r->rests++;
    return;
  }
  if (!r->same && !r->pauses) memcpy(r->in, b->in, s->in_bytes);
  r->flags = s->flags;
  r->looks = r->memory && r->same && r->run && !(r->run & (r->run - 1)) && !s->dpi->watching;
  if (r->looks) memcpy(r->before, r->memory, r->memory_bytes);
  b->profile.rtl_evals++;
  if (s->dpi->watching) rtl_cycle(s);
  else memcpy(b->out, s->ops->step(s->model), s->out_bytes);
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
  struct seam *s = b->seam;
  struct rtl_rest *r = s->rest;
  bool differs = b->desc->has_late && late_differs(r, b->in, s->in_bytes);
  if (differs || (b->desc->has_late && s->dpi->watching)) {
    memcpy(r->late, b->in, s->in_bytes);
    s->ops->late(s->model);
  }
  if (!r->left_out || differs) note_cycle(r, differs);
  block_note_quiet(b);
}
