/* SPDX-License-Identifier: Apache-2.0 */
/* An agent beside the L2 slices for tests: it keeps a memory, remembers what it is told, and acts at random; and the bench
 * around it, SMs that send at random and an engine that executes all edges or those that are needed. */
#ifndef TANDEM_TESTS_L2_BENCH_H
#define TANDEM_TESTS_L2_BENCH_H

#include "base/rng.h"
#include "dram/address_map.h"
#include "kit/config.h"
#include "mem/agent.h"
#include "mem/l2_state.h"
#include "mem/memory_system.h"

enum { SEED = 0xa6e, LINE = 128, SMS = 4, TAGS = 32, MAX_ACCESSES = 4096, WORDS = 1 << 12 };
enum mode { EXHAUSTIVE, EVERY_EDGE, SKIP };

struct access {
  uint64_t address;
  uint64_t called, performed, answered; /* L2 cycles, + 1; 0: not yet */
  uint32_t value;                       /* read, or written */
  bool write;
};

/* The agent of these tests: it keeps a memory of words, records every callback, and makes random calls. */
struct agent {
  struct memory_services s;
  struct access access[MAX_ACCESSES];
  uint32_t n, performed, answered;
  uint32_t memory[WORDS];
  uint64_t lookups, lookup_hits, commands, hash;
  struct mem_request command[SMS * TAGS]; /* taken and not yet answered */
  uint32_t n_commands;
  /* at random, once `until` is above 0: */
  struct rng r;
  uint64_t until, next; /* L2 cycles */
};

static struct agent *last_created; /* the ops table has no room for an argument */

static uint64_t now(const struct agent *a) { return a->s.clocks->cycle[CLOCK_L2]; }

static void note(struct agent *a, uint64_t what, uint64_t value) {
  a->hash = (a->hash ^ what ^ value << 8) * UINT64_C(0x9e3779b97f4a7c15);
  a->hash = (a->hash ^ a->s.clocks->next[CLOCK_L2]) * UINT64_C(0x9e3779b97f4a7c15) ^ a->hash >> 31;
}

static void *agent_create(const struct memory_services *s, struct block_factory *factory, struct err *e) {
  (void)factory;
  (void)e;
  struct agent *a = calloc(1, sizeof *a);
  assert_non_null(a);
  a->s = *s;
  rng_seed(&a->r, SEED);
  return last_created = a;
}

static void agent_destroy(void *self) { free(self); }

static bool ask(struct agent *a, uint64_t address, bool write) {
  assert_true(a->n < MAX_ACCESSES);
  a->access[a->n] = (struct access){.address = address, .called = now(a) + 1, .write = write};
  if (!a->s.access(a->s.memory, address, write, a->n)) return false;
  ++*a->s.in_flight; /* the launch is to wait */
  a->n++;
  return true;
}

static void act(struct agent *a) {
  struct memory_system *m = a->s.memory;
  uint64_t address = (uint64_t)rng_below(&a->r, WORDS) * 8;
  switch (rng_below(&a->r, 6)) {
    case 0:
    case 1:
    case 2:
      if (a->n < MAX_ACCESSES) note(a, 1, ask(a, address, rng_percent(&a->r, 50)));
      break;
    case 3: a->s.mark(m, address, (enum l2_mark)rng_below(&a->r, 3)); break;
    case 4:
      for (uint64_t k = 1; k < 4; k++) note(a, 2, a->s.prefetch(m, address * k) + 2U * a->s.cached(m, address));
      break;
    default:
      if (!rng_below(&a->r, 40)) a->s.unpin_all(m, rng_below(&a->r, (uint32_t)a->s.config->dram_channels));
  }
}

static void agent_cycle(void *self) {
  struct agent *a = self;
  while (a->n_commands) {
    if (!a->s.command_done(a->s.memory, &a->command[a->n_commands - 1])) break;
    note(a, 3, a->command[--a->n_commands].tag);
  }
  if (now(a) >= a->until || now(a) < a->next) return;
  for (uint32_t k = rng_percent(&a->r, 5) ? 40 : 1; k; k--) act(a);
  a->next = now(a) + 1 + (rng_percent(&a->r, 2) ? rng_below(&a->r, 2000) : rng_below(&a->r, 8));
  if (a->next >= a->until) --*a->s.in_flight; /* the end of what it meant to do */
}

static uint64_t agent_wake(const void *self) {
  const struct agent *a = self;
  const struct clocks *c = a->s.clocks;
  if (a->n_commands) return c->next[CLOCK_L2];
  if (a->next >= a->until) return UINT64_MAX;
  uint64_t wait = a->next > now(a) ? a->next - now(a) : 0;
  return c->next[CLOCK_L2] + wait * c->period[CLOCK_L2];
}

static void agent_looked_up(void *self, uint32_t slice, const struct mem_request *r, bool hit, bool first) {
  (void)first;
  struct agent *a = self;
  assert_true(r->sm < SMS);
  assert_true(slice < (uint32_t)a->s.config->dram_channels);
  a->lookups++;
  a->lookup_hits += hit;
  note(a, 4, r->address << 1 | hit);
}

static void agent_command(void *self, const struct mem_request *r) {
  struct agent *a = self;
  assert_int_equal(r->kind, MEM_COMMAND);
  assert_true(a->n_commands < SMS * TAGS);
  a->command[a->n_commands++] = *r;
  a->commands++;
  note(a, 5, r->tag);
}

static void agent_performed(void *self, uint32_t tag) {
  struct agent *a = self;
  struct access *x = &a->access[tag];
  assert_true(tag < a->n);
  assert_int_equal(x->performed, 0);
  assert_true(now(a) >= x->called); /* not in the cycle of the call */
  x->performed = now(a) + 1;
  if (x->write) a->memory[x->address / 8 % WORDS] = x->value = tag + 1;
  else x->value = a->memory[x->address / 8 % WORDS];
  a->performed++;
  note(a, 6, tag);
}

static void agent_answered(void *self, uint32_t tag) {
  struct agent *a = self;
  struct access *x = &a->access[tag];
  assert_int_not_equal(x->performed, 0);
  assert_int_equal(x->answered, 0);
  x->answered = now(a) + 1;
  a->answered++;
  --*a->s.in_flight;
  note(a, 7, tag);
}

static const struct memory_agent_ops ops = {.create = agent_create,
                                            .destroy = agent_destroy,
                                            .cycle = agent_cycle,
                                            .wake = agent_wake,
                                            .looked_up = agent_looked_up,
                                            .command = agent_command,
                                            .performed = agent_performed,
                                            .answered = agent_answered};

static const struct memory_packing *bench_packing; /* of the agents created next, or NULL */

/* --- the bench: SMs that send, clocks with odd ratios or all the same --- */

struct bench {
  struct gpu_config m;
  struct clocks clocks;
  struct memory_system *memory;
  struct agent *agent;
  enum mode mode;
  bool open[SMS][TAGS];
  uint64_t replies, commands_done, hash, latest; /* core cycle of the last reply */
  /* what the SMs do at random in core cycles below `until` */
  struct rng r;
  uint64_t until, next[SMS], writes, stream;
};

static void start(struct bench *b, enum mode mode, bool same_clocks, const char *const settings[]) {
  struct err e = {0};
  memset(b, 0, sizeof *b);
  config_begin(&b->m, "gtx480");
  config_set_text(&b->m, "sm.count=4 dram.channels=2 l2.bytes=16384 l2.ways=4 l2.mshrs=8 dram.queue=16 dram.tREFI=0");
  config_set(&b->m, settings);
  if (same_clocks) clocks_start_alike(&b->clocks);
  else clocks_start_of(&b->clocks, &b->m);
  b->memory = checked_memory(&b->m, &b->clocks);
  static struct memory_agent_ops attached;
  attached = ops;
  attached.packing = bench_packing;
  if (memory_attach(b->memory, &attached, NULL, &e)) fail_msg("%s", e.text);
  assert_ptr_equal(memory_agent(b->memory), last_created);
  b->agent = last_created;
  b->mode = mode;
  memory_set_exhaustive(b->memory, mode == EXHAUSTIVE);
  rng_seed(&b->r, SEED + 1);
}
#define START(b, ...) start(b, EVERY_EDGE, true, SETTINGS(__VA_ARGS__))

static void stop(struct bench *b) { memory_destroy(b->memory); }

static bool send(struct bench *b, uint32_t sm, enum mem_kind kind, uint64_t address, uint32_t bytes, uint16_t tag) {
  if (!memory_can_inject(b->memory, sm)) return false;
  struct mem_request r = {
    .address = address, .bytes = bytes, .sm = (uint16_t)sm, .tag = tag, .cta = UINT32_MAX, .kind = (uint8_t)kind};
  memory_inject(b->memory, &r);
  return true;
}

static void receive(struct bench *b, uint32_t sm) {
  struct mem_request r;
  if (!memory_take_reply(b->memory, sm, &r)) return;
  assert_true(b->open[sm][r.tag]);
  b->open[sm][r.tag] = false;
  b->replies++;
  b->commands_done += r.kind == MEM_COMMAND;
  b->latest = b->clocks.cycle[CLOCK_CORE];
  b->hash = (b->hash ^ r.tag ^ (uint64_t)sm << 8 ^ b->clocks.next[CLOCK_CORE] << 16) * UINT64_C(0x9e3779b97f4a7c15);
}

static void send_at_random(struct bench *b, uint32_t sm) {
  uint32_t tag = rng_below(&b->r, TAGS), kind = rng_below(&b->r, 10), offset = rng_below(&b->r, LINE / 8) * 8;
  uint64_t line = rng_below(&b->r, rng_percent(&b->r, 50) ? 64 : WORDS * 8 / LINE);
  if (rng_percent(&b->r, 30)) line = 1000 + b->stream++;
  enum mem_kind k = kind < 5 ? MEM_READ : kind < 8 ? MEM_WRITE : kind < 9 ? MEM_ATOMIC : MEM_COMMAND;
  if (b->open[sm][tag] || !send(b, sm, k, k == MEM_COMMAND ? 0 : line * LINE + offset, 8, (uint16_t)tag)) return;
  if (k == MEM_WRITE) b->writes++;
  else b->open[sm][tag] = true;
}

static void core_cycle(struct bench *b) {
  for (uint32_t sm = 0; sm < SMS; sm++) {
    receive(b, sm);
    if (b->clocks.cycle[CLOCK_CORE] >= b->until || b->clocks.cycle[CLOCK_CORE] < b->next[sm]) continue;
    send_at_random(b, sm);
    b->next[sm] = b->clocks.cycle[CLOCK_CORE] + 1 + (rng_percent(&b->r, 2) ? rng_below(&b->r, 3000) : 0);
  }
}

static void execute(struct bench *b, enum clock_domain d) {
  switch (d) {
    case CLOCK_CORE: core_cycle(b); break;
    case CLOCK_NOC: memory_noc_cycle(b->memory); break;
    case CLOCK_L2: memory_l2_cycle(b->memory); break;
    case CLOCK_DRAM: memory_dram_cycle(b->memory); break;
    case CLOCK_DOMAINS: fail();
  }
}

/* First tick at which an SM wants to send. */
static uint64_t next_send(const struct bench *b) {
  const struct clocks *c = &b->clocks;
  uint64_t best = UINT64_MAX;
  for (uint32_t sm = 0; sm < SMS; sm++) {
    uint64_t wait = b->next[sm] > c->cycle[CLOCK_CORE] ? b->next[sm] - c->cycle[CLOCK_CORE] : 0;
    uint64_t tick = c->next[CLOCK_CORE] + wait * c->period[CLOCK_CORE];
    if (c->cycle[CLOCK_CORE] + wait < b->until && tick < best) best = tick;
  }
  return best;
}

/* One tick in which something is due; false: nothing ever is. */
static bool tick_once(struct bench *b) {
  struct clocks *c = &b->clocks;
  uint64_t due[CLOCK_DOMAINS], tick = UINT64_MAX;
  for (int d = 0; d < CLOCK_DOMAINS; d++) {
    due[d] = b->mode == SKIP ? memory_next_tick(b->memory, (enum clock_domain)d, c->next[d]) : c->next[d];
    if (d == CLOCK_CORE && next_send(b) < due[d]) due[d] = next_send(b);
    if (due[d] < tick) tick = due[d];
  }
  if (tick == UINT64_MAX) return false;
  for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(c, (enum clock_domain)d, tick);
  for (int d = 0; d < CLOCK_DOMAINS; d++)
    if (c->next[d] == tick && due[d] <= tick) execute(b, (enum clock_domain)d);
  for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(c, (enum clock_domain)d, tick + 1);
  return true;
}

static void drain(struct bench *b) {
  for (int i = 0; memory_in_flight(b->memory); i++) {
    if (i == 400000) memory_describe(b->memory, stderr);
    assert_true(i < 400000);
    assert_true(tick_once(b));
  }
}

static void cycles(struct bench *b, int n) {
  while (n--) tick_once(b);
}

#endif
