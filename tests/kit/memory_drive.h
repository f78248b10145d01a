/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a memory system with requests at given core cycles, at every edge or at those that something needs, and checks each reply. */
#ifndef TANDEM_TESTS_KIT_MEMORY_DRIVE_H
#define TANDEM_TESTS_KIT_MEMORY_DRIVE_H

#include "base/rng.h"
#include "kit/config.h"

enum { MAX_SMS = 256, MAX_TAGS = 64 };
enum mode { EXHAUSTIVE, EVERY_EDGE, SKIP, BY_MODULE };

/* A request of the stimulus and when its SM wants to send it. */
struct step {
  uint64_t cycle;
  struct mem_request request;
};

struct drive {
  struct gpu_config config;
  struct clocks clocks;
  struct memory_system *memory;
  enum mode mode;
  const struct step *steps; /* sorted by cycle; sent in order for each SM */
  uint32_t n_steps, sent;
  uint32_t next[MAX_SMS]; /* first step of the SM that is not sent */
  /* what was seen */
  struct mem_request open[MAX_SMS][MAX_TAGS];
  uint64_t sent_at[MAX_SMS][MAX_TAGS];
  uint64_t replies, edges, served[MAX_SMS], last_reply, hash;
  uint64_t latency; /* of the last reply, core cycles */
};

static inline void load(struct drive *d, const char *name, const char *const settings[], enum mode mode) {
  memset(d, 0, sizeof *d);
  config_begin(&d->config, name);
  config_set(&d->config, settings);
  clocks_start_of(&d->clocks, &d->config);
  d->memory = checked_memory(&d->config, &d->clocks);
  d->mode = mode;
  memory_set_exhaustive(d->memory, mode == EXHAUSTIVE);
}
#define LOAD(d, name, mode, ...) load(d, name, SETTINGS(__VA_ARGS__), mode)

static inline void unload(struct drive *d) { memory_destroy(d->memory); }

static inline void mix(uint64_t *hash, uint64_t value) {
  *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) ^ *hash >> 29;
}

static inline void assert_same_request(const struct mem_request *a, const struct mem_request *b) {
  assert_true(a->address == b->address);
  assert_int_equal(a->bytes, b->bytes);
  assert_int_equal(a->sm, b->sm);
  assert_int_equal(a->tag, b->tag);
  assert_int_equal(a->kind, b->kind);
}

static inline void receive(struct drive *d, uint32_t sm) {
  struct mem_request r;
  bool has = memory_has_reply(d->memory, sm);
  assert_int_equal(memory_take_reply(d->memory, sm, &r), has);
  if (!has) return;
  assert_true(r.tag < MAX_TAGS);
  assert_same_request(&r, &d->open[sm][r.tag]); /* unchanged, and not yet answered (bytes would be 0) */
  d->latency = d->clocks.cycle[CLOCK_CORE] - d->sent_at[sm][r.tag];
  memset(&d->open[sm][r.tag], 0, sizeof r);
  d->replies++;
  d->served[sm]++;
  d->last_reply = d->clocks.cycle[CLOCK_CORE];
  mix(&d->hash, d->last_reply);
  mix(&d->hash, (uint64_t)sm << 16 | r.tag);
  assert_false(memory_has_reply(d->memory, sm)); /* one a core cycle */
}

/* The next step of the SM that can go now: its time has come and its tag is free. */
static inline bool ready(const struct drive *d, uint32_t sm, uint64_t cycle) {
  if (d->next[sm] >= d->n_steps) return false;
  const struct step *s = &d->steps[d->next[sm]];
  return s->cycle <= cycle && (s->request.kind == MEM_WRITE || !d->open[sm][s->request.tag].bytes);
}

static inline void advance(struct drive *d, uint32_t sm) {
  while (d->next[sm] < d->n_steps && d->steps[d->next[sm]].request.sm != sm) d->next[sm]++;
}

static inline void core_cycle(struct drive *d) {
  uint64_t cycle = d->clocks.cycle[CLOCK_CORE];
  for (uint32_t sm = 0; sm < (uint32_t)d->config.sm_count; sm++) {
    receive(d, sm);
    if (!ready(d, sm, cycle) || !memory_can_inject(d->memory, sm)) continue;
    struct mem_request request = d->steps[d->next[sm]++].request, *r = &request;
    memory_inject(d->memory, r);
    d->sent++;
    if (r->kind != MEM_WRITE) {
      d->open[sm][r->tag] = *r;
      d->sent_at[sm][r->tag] = cycle;
    }
    advance(d, sm);
  }
}

/* First tick at which a core cycle could do anything, by the stimulus alone. */
static inline uint64_t next_send(const struct drive *d) {
  const struct clocks *c = &d->clocks;
  uint64_t best = UINT64_MAX;
  for (uint32_t sm = 0; sm < (uint32_t)d->config.sm_count; sm++) {
    if (d->next[sm] >= d->n_steps) continue;
    const struct step *s = &d->steps[d->next[sm]];
    if (s->request.kind != MEM_WRITE && d->open[sm][s->request.tag].bytes) continue; /* a reply comes first */
    uint64_t wait = s->cycle > c->cycle[CLOCK_CORE] ? s->cycle - c->cycle[CLOCK_CORE] : 0;
    uint64_t tick = c->next[CLOCK_CORE] + wait * c->period[CLOCK_CORE];
    if (tick < best) best = tick;
  }
  return best;
}

static inline void execute(struct drive *d, enum clock_domain domain) {
  d->edges++;
  switch (domain) {
    case CLOCK_CORE: core_cycle(d); break;
    case CLOCK_NOC: memory_noc_cycle(d->memory); break;
    case CLOCK_L2: memory_l2_cycle(d->memory); break;
    case CLOCK_DRAM: memory_dram_cycle(d->memory); break;
    case CLOCK_DOMAINS: fail();
  }
}

/* The same for all edges of a tick, one module after the other, in another order at each. */
static inline void execute_by_module(struct drive *d, uint64_t tick) {
  uint32_t modules = (uint32_t)d->config.numa_modules, first = (uint32_t)(tick % modules);
  if (d->clocks.next[CLOCK_CORE] == tick) core_cycle(d);
  memory_start_edges(d->memory);
  for (uint32_t i = 0; i < modules; i++) memory_module_edges(d->memory, (first + i * (modules - 1)) % modules, tick);
  d->edges += CLOCK_DOMAINS;
}

/* One tick in which something is due; false: nothing ever is. */
static inline bool tick_once(struct drive *d) {
  struct clocks *c = &d->clocks;
  uint64_t due[CLOCK_DOMAINS], tick = UINT64_MAX;
  for (int k = 0; k < CLOCK_DOMAINS; k++) {
    due[k] = c->next[k];
    if (d->mode == SKIP) {
      due[k] = memory_next_tick(d->memory, (enum clock_domain)k, c->next[k]);
      assert_true(due[k] >= c->next[k]);
      if (k == CLOCK_CORE && next_send(d) < due[k]) due[k] = next_send(d);
    }
    if (due[k] < tick) tick = due[k];
  }
  if (tick == UINT64_MAX) return false;
  for (int k = 0; k < CLOCK_DOMAINS; k++) clocks_skip_until(c, (enum clock_domain)k, tick);
  if (d->mode == BY_MODULE) {
    execute_by_module(d, tick);
  } else {
    for (int k = 0; k < CLOCK_DOMAINS; k++)
      if (c->next[k] == tick && due[k] <= tick) execute(d, (enum clock_domain)k);
  }
  for (int k = 0; k < CLOCK_DOMAINS; k++) clocks_skip_until(c, (enum clock_domain)k, tick + 1);
  return true;
}

/* Runs the steps to the last reply and the last write-back. */
static inline void run(struct drive *d, const struct step *steps, uint32_t n) {
  d->steps = steps;
  d->n_steps = n;
  for (uint32_t sm = 0; sm < (uint32_t)d->config.sm_count; sm++) {
    d->next[sm] = 0;
    advance(d, sm);
  }
  uint64_t limit = d->clocks.cycle[CLOCK_CORE] + 3000000;
  d->sent = 0;
  while (d->sent < n || memory_in_flight(d->memory)) {
    if (!tick_once(d) || d->clocks.cycle[CLOCK_CORE] > limit) {
      memory_describe(d->memory, stderr);
      fail_msg("stuck: %u of %u requests sent, %llu inside", d->sent, n,
               (unsigned long long)memory_in_flight(d->memory));
    }
  }
}

static inline uint32_t expected_replies(const struct step *steps, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) count += steps[i].request.kind != MEM_WRITE;
  return count;
}

/* Bursts and pauses; addresses from a few hot lines, from short streams and from anywhere. */
static inline struct step *random_steps(const struct gpu_config *m, uint64_t seed, uint32_t n) {
  struct step *steps = calloc(n, sizeof *steps);
  assert_non_null(steps);
  struct rng r;
  rng_seed(&r, seed);
  uint64_t cycle = 0, stream = 0;
  uint32_t line = (uint32_t)m->line_bytes;
  for (uint32_t i = 0; i < n; i++) {
    if (rng_percent(&r, 1)) cycle += rng_below(&r, rng_percent(&r, 10) ? 20000 : 500);
    cycle += rng_percent(&r, 40);
    uint32_t where = rng_below(&r, 3), kind = rng_below(&r, 10);
    uint64_t number = where == 0 ? rng_below(&r, 30) : where == 1 ? stream++ : rng_below(&r, 1 << 18);
    uint32_t offset = rng_percent(&r, 50) ? 0 : rng_below(&r, line), most = line - offset;
    steps[i] = (struct step){.cycle = cycle,
                             .request = {.address = number * line + offset,
                                         .bytes = rng_percent(&r, 50) ? most : 1 + rng_below(&r, most),
                                         .sm = (uint16_t)rng_below(&r, (uint32_t)m->sm_count),
                                         .tag = (uint16_t)rng_below(&r, MAX_TAGS),
                                         .kind = kind < 6   ? MEM_READ
                                                 : kind < 9 ? MEM_WRITE
                                                            : MEM_ATOMIC}};
  }
  return steps;
}

#endif
