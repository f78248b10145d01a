/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings for the power report: the inputs of a lockstep instance in every cycle of a window, as delta rows, written as CSV when the
 * run has passed. (The recorder of divergences, in seam.c, drops what lies before the last idle point.) A skipped cycle is recorded
 * with all enables 0 and the other inputs unchanged. */
#include "base/out_file.h"
#include "runtime.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEEP_WORDS_MAX = 1 << 26, KEEP_MIB_MAX = KEEP_WORDS_MAX >> 17 }; /* 64-bit words */

static bool matches(const char *pattern, const struct block_desc *desc, const char *path) {
  return !strcmp(pattern, RECORD_ALL) || !strcmp(pattern, desc->name) || !fnmatch(pattern, path, 0);
}

bool keep_asked(const struct dpi *d, const struct block_desc *desc, const char *path) {
  for (uint32_t i = 0; i < d->config.n_records; i++)
    if (strcmp(d->records[i].pattern, RECORD_ALL) && matches(d->records[i].pattern, desc, path)) return true;
  return false;
}

bool keep_matches(const struct dpi *d, const struct block_desc *desc, const char *path) {
  for (uint32_t i = 0; i < d->config.n_records; i++)
    if (matches(d->records[i].pattern, desc, path)) return true;
  return false;
}

/* Nothing is recorded, and the block is as after reset. */
static void begin(struct kept *k, const struct block_desc *desc) {
  k->image = (struct delta_image){.words = (desc->in_bytes + 7) / 8};
  stimulus_recorder_begin(&k->rec, &k->image);
  k->answers = stimulus_answers_none();
}

int keep_open(struct seam *s, struct err *e) {
  const struct block_desc *desc = s->b->desc;
  struct kept *k = calloc(1, sizeof *k);
  if (k) s->kept = k, k->out = calloc(1, desc->out_bytes + 8U), k->state = malloc(desc->model->state_bytes + 1);
  if (k) k->regs = calloc(2, desc->regs_bytes + 8U); /* regs() writes fields, and nothing between them */
  if (!k || !k->out || !k->state || !k->regs)
    return err_set(e, ERR_LIMIT, "out of memory for the recording of %s", s->path);
  stimulus_init(&k->rec.s, desc, s->b->params);
  snprintf(k->rec.s.path, sizeof k->rec.s.path, "%s", s->path);
  begin(k, desc);
  return 0;
}

void keep_close(struct seam *s) {
  struct kept *k = s->kept;
  if (!k) return;
  stimulus_recorder_free(&k->rec);
  free(k->out);
  free(k->state);
  free(k->regs);
  free(k);
  s->kept = NULL;
}

/* `in` is readable in whole words. false: out of memory, or too long a recording. */
static bool add(struct kept *k, uint64_t cycle, bool rst_n, const void *in) {
  uint64_t row[DELTA_ROW_WORDS];
  bool repeat;
  if (k->rec.n && k->image.rst_n == (uint32_t)rst_n && !memcmp(k->image.in, in, k->rec.s.desc->in_bytes)) return true;
  unsigned words = delta_encode(&k->image, cycle, rst_n, in, row, &repeat);
  return k->rec.n_words + words <= KEEP_WORDS_MAX && stimulus_recorder_add(&k->rec, row, words, false);
}

/* Whether an idle tick changes the model's registers. */
static bool idle_changes(struct kept *k, const struct block *b, const void *in) {
  const struct block_model *m = b->desc->model;
  uint8_t *before = k->regs, *after = before + (b->desc->regs_bytes + 7U) / 8 * 8;
  memcpy(k->state, b->state, m->state_bytes);
  m->regs(b->params, k->state, before);
  m->tick(b->params, k->state, in, k->out);
  m->regs(b->params, k->state, after);
  return memcmp(before, after, b->desc->regs_bytes) != 0;
}

/* A caller may leave out cycles right after the last answer: of a block that keeps nothing, or that waits for what the caller has not
 * got. The model says whether idle cycles would change anything. Its answers count as if they had been executed. */
static void settle(struct seam *s, uint64_t now, const void *in) {
  struct kept *k = s->kept;
  const struct block *b = s->b;
  b->desc->model->eval(b->params, b->state, in, k->out);
  k->broken |= ((const uint8_t *)k->out)[b->desc->busy_offset] && idle_changes(k, b, in);
  for (uint64_t cycle = k->next; cycle < now && !k->answers.quiet; cycle++)
    stimulus_answers_add(&k->answers, b->desc, cycle, true, in, k->out);
}

/* Records the skipped cycles from k->next up to `now`. */
static bool add_gap(struct seam *s, uint64_t now) {
  struct kept *k = s->kept;
  const struct block_desc *desc = s->b->desc;
  uint64_t in[DELTA_WORDS_MAX];
  if (!k->rec.n && k->next) { /* dropped by keep_restart: the recording begins here */
    k->next = now;
    return true;
  }
  if (now == k->next) return true;
  memcpy(in, k->image.in, sizeof in);
  for (uint32_t i = 0; i < desc->n_in; i++)
    if (desc->in[i].enable) memset((uint8_t *)in + desc->in[i].offset, 0, desc->in[i].slot);
  if (!k->answers.quiet) settle(s, now, in);
  if (!add(k, k->next, true, in)) return false;
  k->next = now;
  return true;
}

void keep_cycle(struct seam *s) {
  struct kept *k = s->kept;
  const struct block *b = s->b;
  uint64_t now = *b->now;
  if (k->lost || now >= s->dpi->config.record_to) return;
  if (!add_gap(s, now) || !add(k, now, b->rst_n, b->in)) {
    k->lost = true;
    stimulus_recorder_free(&k->rec);
    return;
  }
  k->next = now + 1;
  stimulus_answers_add(&k->answers, b->desc, now, b->rst_n, b->in, b->out);
}

void keep_restart(struct seam *s) {
  struct kept *k = s->kept;
  if (*s->b->now >= s->dpi->config.record_from || k->lost) return;
  begin(k, s->b->desc);
  k->next = *s->b->now;
}

static int write_one(const struct dpi *d, struct seam *s, uint64_t cycles, struct err *e) {
  struct kept *k = s->kept;
  const struct dpi_config *c = &d->config;
  char path[1100];
  uint64_t to = c->record_to < cycles ? c->record_to : cycles;
  if (k->lost)
    return err_set(e, ERR_LIMIT, "the recording of %s grew beyond %d MiB; name a window with --record-window FROM:TO",
                   s->path, KEEP_MIB_MAX);
  if (to <= c->record_from)
    return err_set(e, ERR_VALUE, "--record-window: the run ended in cycle %" PRIu64 ", before the window", cycles);
  if (!k->rec.n && k->next) k->next = to; /* nothing came after the last restart */
  if (!add_gap(s, to)) return err_set(e, ERR_LIMIT, "out of memory for the recording of %s", s->path);
  invariant(!k->broken, "%s was skipped while it was busy", s->path);
  struct stimulus *head = &k->rec.s;
  head->window = true;
  head->outputs = k->answers.digest;
  head->window_from = c->record_from;
  head->window_to = to;
  head->clock_khz = c->record_khz;
  snprintf(head->workload, sizeof head->workload, "%s", c->record_workload ? c->record_workload : "");
  snprintf(path, sizeof path, "%s/stimulus.%s.csv", d->out_dir, s->path);
  return k->rec.n ? stimulus_recorder_write(&k->rec, path, e) : 0;
}

int dpi_write_recordings(struct dpi *d, uint64_t cycles, struct err *e) {
  int status = 0;
  for (uint32_t i = 0; i < d->n_seams && !status; i++)
    if (d->seams[i]->kept) status = write_one(d, d->seams[i], cycles, e);
  return status;
}

uint32_t dpi_recordings(const struct dpi *d, const char *pattern) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n_seams; i++) {
    const struct seam *s = d->seams[i];
    n += s->kept && matches(pattern, s->b->desc, s->path);
  }
  return n;
}
