/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/random_run.h"

#include "base/host_clock.h"
#include "block/block_drive.h"
#include "block/own.h"
#include "blocktest/coverage.h"
#include "blocktest/profile.h"
#include "stimulus.h"

#include <stdlib.h>
#include <string.h>

enum { STATE_EVERY = 16, RESET_ONE_IN = 8192, HAND_OVER_CYCLES = 2048 };

/* Instances with the same inputs: one in lockstep, or two, of which only the first may skip cycles. */
struct bench {
  struct dpi *dpi;
  struct block *b[2];
  uint32_t n;
  uint64_t now;
  struct rng rng;
  const struct block_driver *driver;
  void *driver_state;
  const struct profile_phase *phase; /* NULL: the block's own stimulus */
  uint32_t left;                     /* cycles of the phase */
  unsigned phases;                   /* begun */
  uint8_t *kept;                     /* its inputs of the cycle before */
  struct stimulus recording;
};

static void close_bench(struct bench *w) {
  block_destroy(w->b[0]);
  block_destroy(w->b[1]);
  dpi_destroy(w->dpi);
  free(w->driver_state);
  free(w->kept);
  stimulus_free(&w->recording);
}

static int open_bench(const struct random_run *r, struct bench *w, struct err *e) {
  struct engine_rule rule = {.pattern = "*", .engine = r->engine};
  struct dpi_config config = {.rules = &rule,
                              .n_rules = 1,
                              .skip = r->skip,
                              .seed = (uint32_t)r->seed,
                              .rand_reset = 2,
                              .state_every = r->state_every ? r->state_every : STATE_EVERY,
                              .decoupled = !r->coupled,
                              .check_threads = r->check_threads,
                              .out_dir = r->out_dir,
                              .coverage = r->rtl_coverage,
                              .bug_block = r->desc->name,
                              .bug = r->bug,
                              .bug_rtl = r->bug_rtl};
  w->driver = r->desc->own ? r->desc->own->driver : block_driver_find(r->desc->name);
  if (!w->driver) return err_set(e, ERR_INTERNAL, "no driver for %s in testbench/%s/", r->desc->name, r->desc->family);
  w->driver_state = calloc(1, w->driver->state_bytes + 1);
  w->kept = calloc(1, r->desc->in_bytes + 8U);
  int status = w->driver_state && w->kept ? dpi_create(&config, &w->dpi, e) : err_set(e, ERR_LIMIT, "out of memory");
  struct block_factory *f = status ? NULL : dpi_factory(w->dpi);
  w->n = r->skip ? 2 : 1;
  for (uint32_t i = 0; i < w->n && !status; i++) {
    w->b[i] = f->create(f, r->desc, i ? "never_skips" : r->desc->name, r->params, &w->now, e);
    if (!w->b[i]) status = e->code ? (int)e->code : (int)ERR_INTERNAL;
  }
  if (!status && w->n == 2) w->b[1]->skip = false;
  rng_seed(&w->rng, r->seed);
  return status;
}

/* Compares the outputs of the instance that skips with those of the one that does not. */
static bool skip_differs(const struct bench *w, const struct random_run *r, struct random_result *result) {
  const uint8_t *skipping = w->b[0]->out, *other = w->b[1]->out;
  for (uint32_t i = 0; i < r->desc->n_out; i++) {
    const struct block_field *f = &r->desc->out[i];
    if (!memcmp(skipping + f->offset, other + f->offset, f->slot) || !block_output_counts(r->desc, f, other)) continue;
    struct divergence *v = &result->first;
    *v = (struct divergence){.path = r->desc->name,
                             .block = r->desc->name,
                             .what = f->name,
                             .width = f->width(r->params),
                             .cycle = w->now,
                             .also = ""};
    memcpy(v->expected, other + f->offset, f->slot);
    memcpy(v->actual, skipping + f->offset, f->slot);
    return true;
  }
  return false;
}

/* Begins the next phase. Phases come again with other random numbers. */
static void begin_phase(const struct random_run *r, struct bench *w) {
  const struct profile *p = r->profile;
  uint64_t other = 0;
  if (r->next_phase) {
    w->phase = r->next_phase(r->chooser);
  } else {
    w->phase = &p->phase[w->phases % p->n];
    other = r->seed - 1 + ((uint64_t)(w->phases / p->n) << 32);
  }
  rng_seed(&w->rng, w->phase->seed + other);
  memset(w->driver_state, 0, w->driver->state_bytes);
  memset(w->kept, 0, r->desc->in_bytes);
  w->left = w->phase->cycles;
  w->phases++;
}

/* Fills the inputs of the next cycle, and says whether it is one of reset. */
static void drive(const struct random_run *r, struct bench *w, struct block *b) {
  bool resets = !r->no_reset && !r->desc->no_reset, begins = r->profile && !w->left;
  if (begins) begin_phase(r, w);
  w->driver->drive(b->params, &w->rng, w->driver_state, b->out, b->in);
  b->rst_n = rng_below(&w->rng, RESET_ONE_IN) != 0 || !resets;
  if (!r->profile) return;
  profile_apply(r->profile, w->phase, &w->rng, w->kept, b->in);
  if (begins && resets) b->rst_n = false;
  w->left--;
}

static void run_cycles(const struct random_run *r, struct bench *w, struct random_result *result) {
  struct block *b = w->b[0];
  const bool *stop = dpi_stop_flag(w->dpi);
  for (w->now = 0; w->now < r->cycles && !*stop && !result->diverged; w->now++) {
    drive(r, w, b);
    struct stimulus_row *row = r->record ? stimulus_append(&w->recording) : NULL;
    if (row) {
      row->cycle = w->now;
      row->rst_n = b->rst_n;
      memcpy(row->in, b->in, r->desc->in_bytes);
    }
    if (w->n == 2) {
      struct block *c = w->b[1];
      memcpy(c->in, b->in, r->desc->in_bytes);
      c->rst_n = b->rst_n = true;
      block_eval(c);
      block_eval(b);
      result->diverged = skip_differs(w, r, result);
      block_tick(c);
    } else {
      block_eval(b);
    }
    if (r->coverage) coverage_cycle(r->coverage, b);
    block_tick(b);
    if (w->now % HAND_OVER_CYCLES == HAND_OVER_CYCLES - 1) dpi_hand_over(w->dpi);
  }
  dpi_drain(w->dpi);
}

int random_run(const struct random_run *r, struct random_result *result, FILE *page, struct err *e) {
  struct bench w = {0};
  memset(result, 0, sizeof *result);
  int status = open_bench(r, &w, e);
  if (status) {
    close_bench(&w);
    return status;
  }
  stimulus_init(&w.recording, r->desc, r->params);
  double start = host_seconds();
  run_cycles(r, &w, result);
  result->seconds = host_seconds() - start;
  result->verilating = dpi_verilating_seconds(w.dpi);
  result->cycles = w.now;
  result->profile = w.b[0]->profile;
  const struct divergence *first = dpi_divergence(w.dpi);
  if (first) {
    result->diverged = true;
    result->cycles = first->cycle + 1; /* the C model may have gone on */
    w.recording.n = r->record ? result->cycles : 0;
    result->first = *first;
    if (page) status = dpi_report_divergence(w.dpi, page, e);
    result->first.path = r->desc->name;
    result->first.also = "";
  }
  if (!status && r->record) status = stimulus_write(&w.recording, r->record, e);
  if (!status && r->rtl_coverage) result->rtl_coverage = dpi_coverage(w.dpi);
  close_bench(&w);
  return status;
}
