/* SPDX-License-Identifier: Apache-2.0 */
#include "trail.h"

#include "replay.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

static int open_ring(struct trail_ring *r, const struct block_desc *desc, struct err *e) {
  size_t sizes[] = {desc->in_bytes,   desc->out_bytes,  desc->out_bytes,         desc->regs_bytes,
                    desc->regs_bytes, desc->regs_bytes, desc->model->state_bytes};
  size_t total = 0, at[7];
  for (int i = 0; i < 7; i++) {
    at[i] = total;
    total += (sizes[i] + 15) / 8 * 8;
  }
  r->bytes = calloc(TRAIL_ROWS, total);
  if (!r->bytes) return err_set(e, ERR_LIMIT, "out of memory for the last cycles of %s", desc->name);
  for (int i = 0; i < TRAIL_ROWS; i++) {
    uint8_t *b = r->bytes + (size_t)i * total;
    r->row[i] = (struct trail_row){.in = b + at[0],
                                   .out = b + at[1],
                                   .rtl_out = b + at[2],
                                   .regs = b + at[3],
                                   .rtl_regs = b + at[4],
                                   .raw = b + at[5],
                                   .state = b + at[6]};
  }
  return 0;
}

static void keep(struct trail_ring *r, const struct stimulus_row *from, const struct block *b) {
  const struct block_desc *desc = b->desc;
  const struct seam *s = b->seam;
  struct trail_row *to = &r->row[r->n++ % TRAIL_ROWS];
  to->cycle = from->cycle;
  to->rst_n = from->rst_n;
  memcpy(to->in, from->in, desc->in_bytes);
  memcpy(to->out, b->out, desc->out_bytes);
  memcpy(to->rtl_out, s->out_differs ? s->rtl_out : b->out, desc->out_bytes);
  memcpy(to->regs, s->c_regs, desc->regs_bytes);
  memcpy(to->rtl_regs, s->rtl_regs, desc->regs_bytes);
  memcpy(to->raw, s->raw_regs, desc->regs_bytes);
  memcpy(to->state, b->state, desc->model->state_bytes);
}

static bool add(void *self, size_t i, const struct stimulus_row *row, const struct block *b) {
  struct trail *t = self;
  bool first = !t->differences.n || t->differences.list[0].cycle == row->cycle;
  if (first) t->first = i;
  if (first && i >= t->from) keep(&t->before, row, b);
  if (i + TRAIL_ROWS >= t->s->n) keep(&t->last, row, b);
  return true;
}

/* The registers of large blocks take longer to compare and to keep than a cycle takes, and they agreed when the run compared them last. So
 * those long before the end are left out, unless something turns out to differ there already. */
int trail_run(struct trail *t, const struct stimulus *s, uint32_t bug, const char *bug_rtl, struct err *e) {
  *t = (struct trail){.s = s, .from = s->n > TRAIL_LIKELY ? s->n - TRAIL_LIKELY : 0};
  struct replay both = {.engine = ENGINE_LOCKSTEP,
                        .bug = bug,
                        .bug_rtl = bug_rtl,
                        .state_every = 1,
                        .state_from = t->from,
                        .collect = &t->differences,
                        .row = add,
                        .self = t};
  bool diverged;
  int status = open_ring(&t->before, s->desc, e);
  if (!status) status = open_ring(&t->last, s->desc, e);
  if (!status) status = replay_run(&both, s, NULL, &diverged, e);
  if (status || !t->from || !t->differences.n || t->first >= t->from + TRAIL_ROWS) return status;
  t->from = both.state_from = 0;
  t->before.n = t->last.n = 0;
  differences_free(&t->differences);
  return replay_run(&both, s, NULL, &diverged, e);
}

void trail_free(struct trail *t) {
  free(t->before.bytes);
  free(t->last.bytes);
  differences_free(&t->differences);
}

const struct trail_row *trail_back(const struct trail_ring *r, size_t back) {
  return back < r->n && back < TRAIL_ROWS ? &r->row[(r->n - 1 - back) % TRAIL_ROWS] : NULL;
}
