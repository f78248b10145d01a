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
                              .state_every = r->state_every,
                              .out_dir = r->wave_dir,
                              .wave = r->wave_dir != NULL,
                              .wave_from =
                                r->wave_dir && r->wave_from < s->n ? stimulus_row(s, r->wave_from)->cycle : 0,
                              .wave_to = UINT64_MAX,
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
  d->seams[0]->rec.on = false;
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
  if (!status && r->wave_dir) status = dpi_wave_finish(d, e);
  block_destroy(b);
  dpi_destroy(d);
  return status;
}

static uint64_t mix(uint64_t digest, uint32_t word) { return (digest ^ word) * UINT64_C(0x100000001b3); }

static uint64_t digest_register(uint64_t digest, const struct block *b, const struct block_field *r,
                                const uint8_t *regs) {
  const uint8_t *valid = r->valid < 0 ? NULL : regs + b->desc->regs[r->valid].offset;
  uint32_t rows = r->depth ? r->depth(b->params) : 1, words = (r->width(b->params) + 31) / 32;
  for (uint32_t row = 0; row < rows; row++) {
    if (valid && !(valid[row / 8] >> row % 8 & 1)) continue;
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
