/* SPDX-License-Identifier: Apache-2.0 */
/* XMem's agent with stand-ins for the L2 slices: they do what it asks for after random delays, sometimes refuse, and record
 * what it tells them. Page table and address map are those of a real memory system. */
#ifndef TANDEM_TESTS_XMEM_RIG_H
#define TANDEM_TESTS_XMEM_RIG_H

#include "base/err.h"
#include "base/rng.h"
#include "device/device_memory.h"
#include "kit/config.h"
#include "mem/page_table.h"
#include "systems/xmem/agent_internal.h"
#include "systems/xmem/segment.h"

enum { RIG_ACCESSES = 512, RIG_MARKS = 1 << 16 };

struct rig_access {
  uint64_t perform, answer; /* cycles */
  uint32_t tag, slice;
  bool performed;
};

struct rig_mark {
  uint64_t physical, cycle;
  enum l2_mark mark;
};

struct rig {
  struct gpu_config config;
  struct clocks clocks;
  struct memory_system *memory; /* first */
  struct memory_services services;
  struct memory_counters counters;
  uint64_t in_flight, executed;
  struct xmem_agent *agent;
  bool every_edge;   /* the agent's cycle is called at every edge, whether it asks for it or not */
  struct rng timing; /* of accesses */
  uint32_t refuse;   /* percent */
  struct rig_access access[RIG_ACCESSES];
  uint32_t n_accesses, answered;
  struct rig_mark marks[RIG_MARKS], prefetches[RIG_MARKS];
  uint32_t n_marks, n_prefetches, unpins;
  uint32_t done[4096], n_done; /* tags of commands */
  struct mem_request lookups[64];
  bool hits[64];
  uint32_t n_lookups; /* that the slices do in the next cycle */
};

/* The agent's `memory` is the rig's: this one is found by its address. */
static struct rig *rig_now;

static void rig_mark(struct memory_system *m, uint64_t physical, enum l2_mark mark) {
  (void)m;
  struct rig *r = rig_now;
  assert_true(r->n_marks < RIG_MARKS);
  r->marks[r->n_marks++] = (struct rig_mark){physical, r->clocks.cycle[CLOCK_L2], mark};
}
static void rig_unpin_all(struct memory_system *m, uint32_t slice) {
  (void)m, (void)slice;
  rig_now->unpins++;
}
static bool rig_cached(const struct memory_system *m, uint64_t physical) {
  (void)m;
  return physical >> 7 & 1 && physical >> 9 & 1;
}
static bool rig_prefetch(struct memory_system *m, uint64_t physical) {
  (void)m;
  struct rig *r = rig_now;
  assert_true(r->n_prefetches < RIG_MARKS);
  r->prefetches[r->n_prefetches++] = (struct rig_mark){.physical = physical, .cycle = r->clocks.cycle[CLOCK_L2]};
  return true;
}
static bool rig_access(struct memory_system *m, uint64_t physical, bool write, uint32_t tag) {
  (void)m, (void)write;
  struct rig *r = rig_now;
  assert_int_equal(physical % 8, 0);
  uint32_t slice = address_map_channel(memory_address_map(r->memory), physical);
  if (rng_percent(&r->timing, r->refuse)) return false;
  assert_true(r->n_accesses < RIG_ACCESSES);
  uint64_t perform = r->clocks.cycle[CLOCK_L2] + rng_below(&r->timing, 4);
  /* a slice performs in the order in which it was asked */
  for (uint32_t i = 0; i < r->n_accesses; i++)
    if (r->access[i].slice == slice && r->access[i].perform > perform) perform = r->access[i].perform;
  r->access[r->n_accesses++] = (struct rig_access){
    .perform = perform, .answer = perform + 1 + rng_below(&r->timing, 60), .tag = tag, .slice = slice};
  return true;
}
static bool rig_command_done(struct memory_system *m, const struct mem_request *q) {
  (void)m;
  struct rig *r = rig_now;
  if (rng_percent(&r->timing, r->refuse)) return false;
  r->done[r->n_done++] = (uint32_t)q->sm << 16 | q->tag;
  r->in_flight--;
  return true;
}

static struct rig *rig_create(const char *const *settings, uint64_t seed, bool every_edge) {
  struct rig *r = calloc(1, sizeof *r);
  struct err e = {0};
  config_begin(&r->config, "small");
  config_set(&r->config, settings);
  clocks_start_of(&r->clocks, &r->config);
  r->memory = checked_memory(&r->config, &r->clocks);
  r->services = (struct memory_services){.memory = r->memory,
                                         .config = &r->config,
                                         .clocks = &r->clocks,
                                         .counters = &r->counters,
                                         .in_flight = &r->in_flight,
                                         .background = &r->in_flight,
                                         .mark = rig_mark,
                                         .unpin_all = rig_unpin_all,
                                         .cached = rig_cached,
                                         .prefetch = rig_prefetch,
                                         .access = rig_access,
                                         .command_done = rig_command_done};
  r->every_edge = every_edge;
  r->refuse = 20;
  rng_seed(&r->timing, seed);
  rig_now = r;
  r->agent = xmem_agent_ops.create(&r->services, NULL, &e);
  if (!r->agent) fail_msg("%s", e.text);
  return r;
}

static void rig_destroy(struct rig *r) {
  xmem_agent_ops.destroy(r->agent);
  memory_destroy(r->memory);
  free(r);
}

/* What the slices do in their cycle: in their order, what is due. */
static void rig_slices(struct rig *r) {
  uint64_t cycle = r->clocks.cycle[CLOCK_L2];
  for (uint32_t i = 0; i < r->n_lookups; i++) {
    const struct mem_request *q = &r->lookups[i];
    uint32_t slice = address_map_channel(memory_address_map(r->memory), q->physical);
    xmem_agent_ops.looked_up(r->agent, slice, q, r->hits[i], false);
  }
  r->n_lookups = 0;
  for (uint32_t i = 0; i < r->n_accesses; i++) {
    struct rig_access *x = &r->access[i];
    if (!x->performed && x->perform <= cycle) {
      x->performed = true;
      xmem_agent_ops.performed(r->agent, x->tag);
    }
  }
  for (uint32_t i = 0; i < r->n_accesses;) {
    if (r->access[i].answer > cycle) {
      i++;
      continue;
    }
    uint32_t tag = r->access[i].tag;
    memmove(&r->access[i], &r->access[i + 1], (--r->n_accesses - i) * sizeof *r->access);
    r->answered++;
    xmem_agent_ops.answered(r->agent, tag);
  }
}

/* One L2 edge. */
static void rig_edge(struct rig *r) {
  uint64_t tick = r->clocks.next[CLOCK_L2];
  rig_now = r;
  if (r->every_edge || xmem_agent_ops.wake(r->agent) <= tick) {
    xmem_agent_ops.cycle(r->agent);
    r->executed++;
  }
  rig_slices(r);
  r->clocks.next[CLOCK_L2] += r->clocks.period[CLOCK_L2];
  r->clocks.cycle[CLOCK_L2]++;
}

/* Until nothing is under way; returns the edges it took. */
static uint64_t rig_drain(struct rig *r) {
  uint64_t from = r->clocks.cycle[CLOCK_L2];
  while (r->in_flight || r->n_lookups) {
    rig_edge(r);
    assert_true(r->clocks.cycle[CLOCK_L2] - from < 4000000);
  }
  return r->clocks.cycle[CLOCK_L2] - from;
}

static void rig_wait(struct rig *r, uint64_t cycles) {
  for (uint64_t i = 0; i < cycles; i++) rig_edge(r);
}

/* ---- what drivers and slices do ---- */

static void rig_command(struct rig *r, struct xmem_command c) {
  struct err e = {0};
  rig_now = r;
  if (xmem_agent_command(r->agent, &c, &e)) fail_msg("%s", e.text);
}

static void rig_map(struct rig *r, uint32_t aid, uint64_t start, uint32_t bytes) {
  rig_command(
    r, (struct xmem_command){.code = XMEM_CODE_MAP, .aid = (uint8_t)aid, .dim = 1, .start = start, .size_x = bytes});
}

/* A record of attributes. */
static void rig_record(uint8_t *record, uint32_t pattern, int32_t stride, uint32_t reuse) {
  memset(record, 0, XMEM_ATOM_BYTES);
  record[8] = (uint8_t)pattern;
  for (uint32_t i = 0; i < 4; i++) record[9 + i] = (uint8_t)((uint32_t)stride >> 8 * i);
  record[15] = (uint8_t)reuse;
  record[ATOM_VERSION_AT] = ATOM_RECORD_VERSION;
}

/* `n` atoms of one kind in a context, which becomes the current one. */
static void rig_context(struct rig *r, uint32_t context, uint32_t n, uint32_t pattern, int32_t stride, uint32_t reuse) {
  uint8_t records[XMEM_IDS * XMEM_ATOM_BYTES];
  struct err e = {0};
  for (uint32_t i = 0; i < n; i++) rig_record(records + i * XMEM_ATOM_BYTES, pattern, stride, reuse);
  if (xmem_agent_load(r->agent, context, records, n, &e)) fail_msg("%s", e.text);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_CONTEXT, .start = context});
}

/* A request that a slice looks up in its next cycle. */
static void rig_look_up(struct rig *r, uint64_t physical, bool hit) {
  assert_true(r->n_lookups < 64);
  r->hits[r->n_lookups] = hit;
  r->lookups[r->n_lookups++] =
    (struct mem_request){.address = physical, .physical = physical, .bytes = 4, .kind = MEM_READ};
}

static void rig_allocate(struct rig *r, uint64_t address, uint64_t bytes) {
  assert_true(page_table_allocate(memory_pages(r->memory), address, bytes, 0));
}

#endif
