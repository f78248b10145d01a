/* SPDX-License-Identifier: Apache-2.0 */
#include "study/dram_study.h"

#include "base/err.h"
#include "base/rng.h"
#include "dram/channel.h"
#include "dram/checker.h"
#include "study/dram_trace.h"

#include <stdlib.h>
#include <string.h>

enum { IDS = 4096 };

/* One channel and its request source. */
struct bench {
  const struct dram_study *s;
  struct dram_study_result *out;
  struct clocks clocks; /* all domains equal: one tick per cycle */
  struct address_map map;
  struct dram_channel *d;
  struct dram_checker *checker; /* or NULL */
  struct dram_watcher watcher;
  uint64_t in_flight;
  uint32_t channel;
  struct err *e;
  bool broken; /* the checker found something */

  /* source of the requests */
  struct rng rng;
  size_t at; /* next row of the trace */
  uint64_t left, sent, lines,
    base;           /* of the generator: requests; sent; lines of the channel; local address of the access */
  uint32_t repeats; /* remaining repetitions of the access */
  struct dram_request next;
  uint64_t next_cycle;
  bool has_next;

  uint16_t free[IDS];
  uint32_t n_free;
  uint64_t pushed_at[IDS];
};

static void on_command(void *context, uint32_t channel, const struct dram_command *k) {
  struct bench *b = context;
  const struct gpu_config *m = &b->s->config;
  if (b->checker && !b->broken) {
    const char *wrong = dram_checker_see(b->checker, k);
    if (wrong) err_put(b->e, ERR_INTERNAL, "DRAM channel %u: %s", channel, wrong);
    b->broken = wrong;
  }
  if (!b->s->windows || (k->op != DRAM_READ && k->op != DRAM_WRITE)) return;
  uint64_t window = k->cycle / b->s->window;
  if (window < b->s->windows) b->out->busy[window] += (uint64_t)(m->dram_burst_bytes / m->dram_bytes_per_clock);
}

/* ---- requests ---- */

static uint64_t new_access(struct bench *b) {
  const struct dram_study *s = b->s;
  uint64_t line = (uint64_t)s->config.line_bytes, local;
  switch (s->pattern) {
    case DRAM_STREAM: return b->sent % b->lines * line;
    case DRAM_STRIDED: return b->sent * s->stride % (b->lines * line) / line * line;
    case DRAM_RANDOM: return rng_below(&b->rng, (uint32_t)b->lines) * line;
    case DRAM_ONE_BANK: break;
  }
  do local = rng_below(&b->rng, (uint32_t)b->lines) * line;
  while (address_map_place(&b->map, local).bank);
  return local;
}

static void generate(struct bench *b) {
  b->has_next = b->left > 0;
  if (!b->has_next) return;
  if (!b->repeats) {
    b->base = new_access(b);
    b->repeats = b->s->repeat;
  }
  b->repeats--;
  b->left--;
  b->next.local = b->base;
  b->next.write = b->s->writes && rng_percent(&b->rng, b->s->writes);
  b->next_cycle = b->sent++ * b->s->gap;
}

static void read_trace(struct bench *b) {
  const struct dram_trace *t = b->s->trace;
  while (b->at < t->n && t->rows[b->at].channel != b->channel) b->at++;
  b->has_next = b->at < t->n;
  if (!b->has_next) return;
  const struct dram_trace_row *r = &t->rows[b->at++];
  b->next.local = address_map_local(&b->map, r->address);
  b->next.sm = r->core;
  b->next.cta = r->cta;
  b->next.write = r->write;
  b->next_cycle = r->cycle;
}

static void advance(struct bench *b) {
  if (b->s->trace) read_trace(b);
  else generate(b);
}

/* ---- time ---- */

static uint64_t now(const struct bench *b) { return b->clocks.next[CLOCK_DRAM]; }

static void push_all(struct bench *b) {
  while (b->has_next && b->next_cycle <= now(b) && dram_can_push(b->d, b->next.local) && b->n_free) {
    if (b->next.write) {
      b->in_flight++;
    } else {
      b->next.id = b->free[--b->n_free];
      b->pushed_at[b->next.id] = now(b);
    }
    dram_push(b->d, &b->next, now(b));
    advance(b);
  }
}

static void take_answers(struct bench *b) {
  for (uint64_t tick; (tick = dram_answer_tick(b->d, 0)) <= now(b);) {
    uint16_t id = dram_take_answer(b->d, 0);
    uint64_t latency = tick - 1 - b->pushed_at[id];
    b->free[b->n_free++] = id;
    b->out->reads++;
    b->out->latency_sum += latency;
    if (latency > b->out->latency_max) b->out->latency_max = latency;
  }
}

/* The next cycle in which something can happen. */
static uint64_t next_event(const struct bench *b) {
  uint64_t at = dram_wake(b->d), answer = dram_answer_tick(b->d, 0);
  if (answer < at) at = answer;
  if (b->has_next && b->next_cycle > now(b) && b->next_cycle < at) at = b->next_cycle;
  if (b->has_next && b->next_cycle <= now(b) && dram_can_push(b->d, b->next.local)) at = now(b) + 1;
  return at > now(b) ? at : now(b) + 1;
}

static uint64_t run(struct bench *b) {
  uint64_t last = 0;
  advance(b);
  while (!b->broken && (b->has_next || dram_requests(b->d) || b->n_free < IDS)) {
    take_answers(b);
    push_all(b);
    if (dram_wake(b->d) <= now(b)) dram_cycle(b->d);
    uint64_t at = next_event(b);
    last = now(b);
    for (int k = 0; k < CLOCK_DOMAINS; k++) {
      b->clocks.next[k] = at;
      b->clocks.cycle[k] = at;
    }
  }
  return last;
}

/* ---- a channel ---- */

static int start(struct bench *b) {
  const struct gpu_config *m = &b->s->config;
  struct dram_config config = {.gpu = m,
                               .index = b->channel,
                               .max_reads = IDS,
                               .clocks = &b->clocks,
                               .map = &b->map,
                               .counters = &b->out->n,
                               .in_flight = &b->in_flight};
  clocks_start(&b->clocks, (const uint64_t[]){1, 1, 1, 1});
  address_map_start(&b->map, m);
  rng_seed(&b->rng, b->s->seed + b->channel);
  b->lines = ((uint64_t)m->memory_mib << 20) / (uint64_t)m->dram_channels / (uint64_t)m->line_bytes;
  b->left =
    b->s->requests / (uint64_t)m->dram_channels + (b->channel < b->s->requests % (uint64_t)m->dram_channels ? 1 : 0);
  b->next = (struct dram_request){.cta = UINT32_MAX,
                                  .sm = DRAM_NO_SM,
                                  .bursts = (uint8_t)((m->line_bytes + m->dram_burst_bytes - 1) / m->dram_burst_bytes)};
  for (uint32_t i = 0; i < IDS; i++) b->free[i] = (uint16_t)i;
  b->n_free = IDS;
  b->d = dram_create(&config, b->e);
  if (!b->d) return (int)ERR_LIMIT;
  b->checker = b->s->check ? dram_checker_create(m, b->e) : NULL;
  if (b->s->check && !b->checker) return (int)ERR_LIMIT;
  b->watcher = (struct dram_watcher){on_command, b};
  if (b->checker || b->s->windows) dram_watch(b->d, &b->watcher);
  return 0;
}

/* Computes the channel of every row of the trace from its address. */
static void place_rows(const struct dram_study *s) {
  struct address_map map;
  address_map_start(&map, &s->config);
  for (size_t i = 0; i < s->trace->n; i++)
    s->trace->rows[i].channel = (uint16_t)address_map_channel(&map, s->trace->rows[i].address);
}

int dram_study_run(const struct dram_study *s, struct dram_study_result *out, struct err *e) {
  struct bench *b = malloc(sizeof *b);
  int code = b ? 0 : err_set(e, ERR_LIMIT, "out of memory for a DRAM channel");
  memset(out, 0, sizeof *out);
  if (s->trace) place_rows(s);
  for (uint32_t i = 0; i < s->config.dram_channels && !code; i++) {
    memset(b, 0, sizeof *b);
    b->s = s;
    b->out = out;
    b->channel = i;
    b->e = e;
    code = start(b);
    uint64_t cycles = code ? 0 : run(b);
    if (cycles > out->cycles) out->cycles = cycles;
    if (b->checker) out->commands += dram_checker_commands(b->checker);
    if (b->broken) code = (int)ERR_INTERNAL;
    dram_checker_destroy(b->checker);
    dram_destroy(b->d);
  }
  out->n.dram_cycles = out->cycles * (uint64_t)s->config.dram_channels;
  free(b);
  return code;
}
