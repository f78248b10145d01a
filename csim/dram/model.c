/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/model.h"

#include "base/err.h"
#include "config/gpu_config.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BANKS = 64 };

/* How many requests of the window want a row: an open-addressed table, emptied by a new stamp. */
struct tally {
  uint64_t stamp;
  uint32_t bank, row, count;
};

struct window {
  const struct dram_model_config *c;
  int64_t open[MAX_BANKS];         /* rows, -1: none yet */
  uint32_t served[MAX_BANKS];      /* in this period */
  uint32_t j;                      /* bank that the period is measured by */
  uint32_t n;                      /* requests left waiting, oldest first */
  struct dram_model_request *left; /* c->window of them */
  struct tally *tallies;           /* for Most Pending: a power of two of them, at least twice the window */
  uint32_t tally_mask;
  uint64_t stamp;
};

void dram_model_from_config(struct dram_model_config *c, const struct gpu_config *m) {
  int64_t bursts = (m->line_bytes + m->dram_burst_bytes - 1) / m->dram_burst_bytes;
  *c = (struct dram_model_config){
    .banks = (uint32_t)m->dram_banks,
    .window = (uint32_t)m->dram_queue,
    .service = (uint32_t)(bursts * m->dram_burst_bytes / m->dram_bytes_per_clock),
    .row_cycle = (uint32_t)m->dram_tRC,
    .row_switch = (uint32_t)(m->dram_tRP + m->dram_tRCD),
  };
}

/* Taken out, if its row is open; else it waits. */
static inline void look(struct window *w, struct dram_model_request r) {
  if (w->open[r.bank] < 0) w->open[r.bank] = r.row;
  bool hit = w->open[r.bank] == (int64_t)r.row;
  w->served[r.bank] += hit;
  w->left[w->n] = r;
  w->n += !hit;
}

/* One period: what waits, then the trace from `at` on until the window is full; returns where the trace goes on. Of what waits
 * something is always taken, so the window is never full before the end of it. */
static size_t profile(struct window *w, const struct dram_model_request *trace, size_t at, size_t n) {
  uint32_t waiting = w->n;
  memset(w->served, 0, sizeof w->served);
  w->n = 0;
  for (uint32_t i = 0; i < waiting; i++) look(w, w->left[i]);
  while (w->n < w->c->window && at < n) look(w, trace[at++]);
  return at;
}

static void emit(const struct window *w, struct dram_model_result *result) {
  uint64_t sum = 0, cycles = w->c->row_switch + (uint64_t)w->served[w->j] * w->c->service;
  for (uint32_t b = 0; b < w->c->banks; b++) sum += (uint64_t)w->served[b] * w->c->service;
  if (cycles < w->c->row_cycle) cycles = w->c->row_cycle;
  uint64_t moved = sum < cycles ? sum : cycles;
  result->moved += moved;
  result->cycles += cycles;
  result->periods++;
  if (w->c->period) w->c->period(w->c->context, moved, cycles);
}

/* Requests up to and with this one that want its row. */
static uint32_t count(struct window *w, struct dram_model_request r) {
  uint32_t at = (r.row * 0x9e3779b1U) ^ (r.bank * 0x85ebca6bU);
  for (at ^= at >> 15;; at++) {
    struct tally *t = &w->tallies[at & w->tally_mask];
    if (t->stamp != w->stamp) *t = (struct tally){w->stamp, r.bank, r.row, 0};
    if (t->bank == r.bank && t->row == r.row) return ++t->count;
  }
}

static void open_oldest(struct window *w) {
  uint64_t done = 0;
  w->j = w->left[0].bank;
  w->open[w->j] = w->left[0].row;
  for (uint32_t i = 0; i < w->n && w->c->full_overlap; i++) {
    uint32_t b = w->left[i].bank;
    if (!(done >> b & 1)) w->open[b] = w->left[i].row;
    done |= UINT64_C(1) << b;
  }
}

/* Of rows equally full the one whose oldest request is oldest: found by counting from the youngest, so that the last one to
 * reach a count has the oldest request. */
static void open_fullest(struct window *w) {
  uint32_t most = 0, most_of[MAX_BANKS] = {0};
  int64_t row_of[MAX_BANKS];
  w->stamp++;
  for (uint32_t i = w->n; i-- > 0;) {
    struct dram_model_request r = w->left[i];
    uint32_t waiting = count(w, r);
    if (waiting >= most_of[r.bank]) {
      most_of[r.bank] = waiting;
      row_of[r.bank] = r.row;
    }
    if (waiting >= most) {
      most = waiting;
      w->j = r.bank;
    }
  }
  for (uint32_t b = 0; b < w->c->banks; b++)
    if (most_of[b] && (w->c->full_overlap || b == w->j)) w->open[b] = row_of[b];
}

int dram_model_run(const struct dram_model_config *c, const struct dram_model_request *trace, size_t n,
                   const int64_t *open, struct dram_model_result *result, struct err *e) {
  struct window w = {.c = c, .tally_mask = 1};
  while (w.tally_mask < 2 * c->window) w.tally_mask *= 2;
  w.left = calloc(c->window, sizeof *w.left);
  w.tallies = calloc(w.tally_mask, sizeof *w.tallies);
  w.tally_mask--;
  int code = w.left && w.tallies ? 0 : err_set(e, ERR_LIMIT, "out of memory for a window of %u requests", c->window);
  for (uint32_t b = 0; b < MAX_BANKS; b++) w.open[b] = open && b < c->banks ? open[b] : -1;
  if (n) w.j = trace[0].bank;
  for (size_t at = 0; !code && (at < n || w.n);) {
    at = profile(&w, trace, at, n);
    emit(&w, result);
    if (!w.n) continue;
    if (c->fullest) open_fullest(&w);
    else open_oldest(&w);
  }
  free(w.left);
  free(w.tallies);
  return code;
}
