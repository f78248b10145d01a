/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

static int open_runtime(const struct replay *r, const struct stimulus *s, struct dpi **d, struct err *e) {
  struct engine_rule rule = {.pattern = "*", .engine = r->engine};
  struct dpi_config config = {.rules = &rule,
                              .n_rules = 1,
                              .skip = false,
                              .seed = s->seed,
                              .rand_reset = s->random_start ? 2 : 0,
                              .state_every = r->state_every,
                              .out_dir = r->wave_dir,
                              .wave = r->wave_dir != NULL,
                              .wave_from =
                                r->wave_dir && r->wave_from < s->n ? stimulus_row(s, r->wave_from)->cycle : 0,
                              .wave_to = UINT64_MAX,
                              .coverage = r->coverage != NULL,
                              .bug_block = s->desc->name,
                              .bug = r->bug,
                              .bug_rtl = r->bug_rtl};
  int status = dpi_create(&config, d, e);
  if (!status) (*d)->collect = r->collect;
  return status;
}

static int run_rows(const struct replay *r, const struct stimulus *s, struct dpi *d, struct block *b, uint64_t *now) {
  for (size_t i = 0; i < s->n; i++) {
    const struct stimulus_row *row = stimulus_row(s, i);
    *now = row->cycle;
    if (r->wave_dir) d->watching = i >= r->wave_from;
    if (i < r->state_from) d->seams[0]->state_countdown = 2;
    memcpy(b->in, row->in, s->desc->in_bytes);
    b->rst_n = row->rst_n;
    block_eval(b);
    bool go_on = !r->row || r->row(r->self, i, row, b);
    block_tick(b);
    if (r->wave_dir) dpi_wave_cycle(d, row->cycle, row->cycle);
    if (d->stop || !go_on) break;
  }
  return 0;
}

static int restore(const struct replay *r, struct dpi *d, struct err *e) {
  struct seam *s = d->seams[0];
  if (strcmp(dpi_library_name(d, s->ops), r->library) != 0)
    return err_set(
      e, ERR_VALUE,
      "the RTL of %s, or the tools, have changed since the recording, whose states no longer fit; run again",
      s->b->desc->name);
  return seam_restore(s, r->start, e);
}

int replay_run(const struct replay *r, const struct stimulus *s, struct divergence *first, bool *diverged,
               struct err *e) {
  struct dpi *d = NULL;
  uint64_t now = 0;
  *diverged = false;
  int status = open_runtime(r, s, &d, e);
  struct block *b =
    status ? NULL : d->factory.create(&d->factory, s->desc, *s->path ? s->path : s->desc->name, s->params, &now, e);
  if (!b) {
    dpi_destroy(d);
    return e ? (int)e->code : (int)ERR_INTERNAL;
  }
  d->seams[0]->rec.on = d->seams[0]->restart.on = false;
  if (r->start) status = restore(r, d, e);
  if (!status) status = run_rows(r, s, d, b, &now);
  if (d->stop) {
    *diverged = true;
    if (first) {
      *first = d->first;
      first->path = s->path;
      first->also = "";
    }
    d->marker = now;
  }
  if (!status && r->coverage) *r->coverage = dpi_coverage(d);
  if (!status && r->wave_dir) status = dpi_wave_finish(d, e);
  block_destroy(b);
  dpi_destroy(d);
  return status;
}

/* ---- one stimulus after the other ---- */

struct replay_bench {
  struct replay how;
  struct dpi *d;
  struct block *b;
  uint64_t now;
  uint32_t bug;
  void *model; /* as after reset */
  uint8_t *rtl;
  size_t rtl_bytes;
};

static void keep_bytes(void *self, const void *bytes, size_t n) {
  struct replay_bench *bench = self;
  uint8_t *more = realloc(bench->rtl, bench->rtl_bytes + n + 1);
  invariant(more, "the host has no memory left for the state of %s", bench->b->desc->name);
  memcpy(more + bench->rtl_bytes, bytes, n);
  bench->rtl = more;
  bench->rtl_bytes += n;
}

void replay_close(struct replay_bench *bench) {
  if (!bench) return;
  block_destroy(bench->b);
  dpi_destroy(bench->d);
  free(bench->model);
  free(bench->rtl);
  free(bench);
}

int replay_open(const struct replay *how, const struct stimulus *like, struct replay_bench **out, struct err *e) {
  struct replay_bench *bench = calloc(1, sizeof *bench);
  if (!bench) return err_set(e, ERR_LIMIT, "out of memory for replays of %s", like->desc->name);
  bench->how = *how;
  int status = open_runtime(how, like, &bench->d, e);
  struct block_factory *f = status ? NULL : &bench->d->factory;
  const char *path = *like->path ? like->path : like->desc->name;
  if (f) bench->b = f->create(f, like->desc, path, like->params, &bench->now, e);
  size_t bytes = like->desc->model->state_bytes;
  if (bench->b && !(bench->model = malloc(bytes + 1)))
    status = err_set(e, ERR_LIMIT, "out of memory for replays of %s", like->desc->name);
  if (!bench->b || status) {
    replay_close(bench);
    return e->code ? (int)e->code : (int)ERR_INTERNAL;
  }
  struct seam *s = bench->d->seams[0];
  s->rec.on = s->restart.on = false;
  bench->bug = bench->d->config.bug;
  memcpy(bench->model, bench->b->state, bytes);
  s->ops->save(s->model, keep_bytes, bench);
  *out = bench;
  return 0;
}

void replay_again(struct replay_bench *bench, const struct stimulus *rows, bool bug, struct divergence *first,
                  bool *diverged) {
  struct dpi *d = bench->d;
  struct seam *s = d->seams[0];
  d->config.bug = bug ? bench->bug : 0;
  d->stop = d->noted = s->mismatch = false;
  d->first_seam = NULL;
  s->executed = 0;
  s->state_countdown = d->config.state_every;
  memset(bench->b->out, 0, s->out_bytes);
  memcpy(bench->b->state, bench->model, bench->b->desc->model->state_bytes);
  int failed = s->ops->restore(s->model, bench->rtl, bench->rtl_bytes);
  invariant(!failed, "the state of %s does not fit the model that it was taken from", s->path);
  run_rows(&bench->how, rows, d, bench->b, &bench->now);
  *diverged = d->stop;
  if (d->stop) *first = d->first;
}

static uint64_t mix(uint64_t digest, uint32_t word) { return (digest ^ word) * UINT64_C(0x100000001b3); }

static uint64_t digest_register(uint64_t digest, const struct block *b, const struct block_field *r,
                                const uint8_t *regs) {
  uint32_t rows = r->depth ? r->depth(b->params) : 1, words = (r->width(b->params) + 31) / 32;
  for (uint32_t row = 0; row < rows; row++) {
    if (!seam_row_counts(b->desc, b->params, r, regs, row)) continue;
    for (uint32_t k = 0; k < words; k++) {
      uint32_t word = 0, left = r->slot - 4 * k;
      memcpy(&word, regs + r->offset + row * r->slot + 4 * k, left < 4 ? left : 4);
      digest = mix(digest, word);
    }
  }
  return digest;
}

uint64_t replay_state_digest(const struct block *b) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  uint8_t *regs = calloc(1, b->desc->regs_bytes + 8U);
  invariant(regs, "the host has no memory left for the registers of %s", b->desc->name);
  b->desc->model->regs(b->params, b->state, regs);
  for (uint32_t i = 0; i < b->desc->n_regs; i++)
    if (!b->desc->regs[i].asks) digest = digest_register(digest, b, &b->desc->regs[i], regs);
  free(regs);
  return digest;
}
