/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings for the power report: the inputs of a lockstep instance in every cycle of a window, written when the run has passed.
 * (The recorder of divergences, in seam.c, drops what lies before the last idle point.) A skipped cycle is recorded with all
 * enables 0 and the other inputs unchanged. */
#include "base/hash.h"
#include "base/out_file.h"
#include "runtime.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEEP_ROWS_MAX = 1 << 22 };

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

int keep_open(struct seam *s, struct err *e) {
  struct kept *k = calloc(1, sizeof *k);
  if (!k) return err_set(e, ERR_LIMIT, "out of memory for the recording of %s", s->path);
  stimulus_init(&k->s, s->b->desc, s->b->params);
  snprintf(k->s.path, sizeof k->s.path, "%s", s->path);
  k->s.outputs = HASH_SEED;
  k->quiet = true; /* after reset, an idle cycle changes nothing */
  s->kept = k;
  return 0;
}

void keep_close(struct seam *s) {
  if (s->kept) stimulus_free(&s->kept->s);
  free(s->kept);
  s->kept = NULL;
}

/* Records the skipped cycles from k->next up to `now`. */
static bool add_gap(struct kept *k, uint64_t now) {
  uint8_t in[BLOCK_PORTS_MAX * 8] = {0};
  const struct block_desc *desc = k->s.desc;
  if (!k->s.n && k->next) { /* trimmed: the recording begins here */
    k->next = now;
    return true;
  }
  if (now == k->next) return true;
  if (k->s.n) memcpy(in, stimulus_row(&k->s, k->s.n - 1)->in, desc->in_bytes);
  for (uint32_t i = 0; i < desc->n_in; i++)
    if (desc->in[i].enable) memset(in + desc->in[i].offset, 0, desc->in[i].slot);
  k->broken |= !k->quiet;
  if (!stimulus_add(&k->s, k->next, true, in)) return false;
  stimulus_row(&k->s, k->s.n - 1)->repeats += (uint32_t)(now - k->next - 1);
  k->next = now;
  return true;
}

void keep_cycle(struct seam *s) {
  struct kept *k = s->kept;
  const struct block *b = s->b;
  uint64_t now = *b->now;
  if (k->lost || now >= s->dpi->config.record_to) return;
  if (k->s.n >= KEEP_ROWS_MAX || !add_gap(k, now) || !stimulus_add(&k->s, now, b->rst_n, b->in)) {
    k->lost = true;
    stimulus_free(&k->s);
    return;
  }
  k->next = now + 1;
  bool idle = block_desc_idle(b->desc, b->in);
  if (!k->quiet || !idle)
    k->s.outputs = hash_bytes(hash_bytes(k->s.outputs, &now, sizeof now), b->out, b->desc->out_bytes);
  k->quiet = idle && b->rst_n && !((const uint8_t *)b->out)[b->desc->busy_offset];
}

void keep_restart(struct seam *s) {
  struct kept *k = s->kept;
  if (*s->b->now >= s->dpi->config.record_from) return;
  k->s.n = 0;
  k->s.outputs = HASH_SEED;
  k->quiet = true;
  k->next = *s->b->now;
}

static int write_one(const struct dpi *d, struct seam *s, uint64_t cycles, struct err *e) {
  struct kept *k = s->kept;
  const struct dpi_config *c = &d->config;
  char path[1100];
  uint64_t to = c->record_to < cycles ? c->record_to : cycles;
  if (k->lost)
    return err_set(e, ERR_LIMIT, "the recording of %s grew beyond %d rows; name a window with --record-window FROM:TO",
                   s->path, KEEP_ROWS_MAX);
  if (to <= c->record_from)
    return err_set(e, ERR_VALUE, "--record-window: the run ended in cycle %" PRIu64 ", before the window", cycles);
  if (!k->s.n && k->next) k->next = to; /* nothing came after the last restart */
  if (!add_gap(k, to)) return err_set(e, ERR_LIMIT, "out of memory for the recording of %s", s->path);
  invariant(!k->broken, "%s was skipped while it was busy", s->path);
  k->s.window = true;
  k->s.window_from = c->record_from;
  k->s.window_to = to;
  k->s.clock_khz = c->record_khz;
  snprintf(k->s.workload, sizeof k->s.workload, "%s", c->record_workload ? c->record_workload : "");
  snprintf(path, sizeof path, "%s/stimulus.%s.csv", d->out_dir, s->path);
  return k->s.n ? stimulus_write(&k->s, path, e) : 0;
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
