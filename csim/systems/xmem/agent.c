/* SPDX-License-Identifier: Apache-2.0 */
/* The memory agent of XMem: an AMU in each memory partition, their cycle, the bus between them and the MMU. */
#include "systems/xmem/agent_internal.h"

#include "block/block.h"
#include "mem/l2_stride.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 0x584d454d /* combined with mmu.seed for xmem.hints = random */ };

/* ---- construction ---- */

static bool create_partition(struct xmem_agent *a, uint32_t i, struct block_factory *factory, struct err *e) {
  const struct xmem_parameters *p = a->p;
  struct partition *k = &a->part[i];
  snprintf(k->path, sizeof k->path, "l2.%u.amu", i);
  k->amu = BLOCK_MAKE(factory, &xmem_amu_desc, k->path, &a->s.clocks->cycle[CLOCK_L2], e, {"SETS", p->alb_sets},
                      {"WAYS", p->alb_ways}, {"NMISS", p->alb_misses}, {"UNITS", p->unit == XMEM_UNIT_512 ? 8 : 4},
                      {"IDW", p->id_bits == XMEM_ID_BITS_8 ? 8 : 6}, {"HOME", i == 0}, {"EDGE", p->edge},
                      {"UNMAP_CHECK", p->unmap_check}, {"ALB_FLUSH_ON_CTX", p->flush_on_switch});
  if (!k->amu) return false;
  k->in = k->amu->in;
  k->out = k->amu->out;
  access_start(&k->port);
  lookups_start(&k->lookups);
  return true;
}

static void agent_destroy(void *self) {
  struct xmem_agent *a = self;
  if (!a) return;
  page_table_listen(memory_pages(a->s.memory), NULL);
  for (uint32_t i = 0; a->part && i < a->n; i++) block_destroy(a->part[i].amu);
  commands_destroy(&a->commands);
  storage_destroy(&a->storage);
  free(a->part);
  free(a->bus);
  free(a->maps);
  free(a);
}

static void *agent_create(const struct memory_services *services, struct block_factory *factory, struct err *e) {
  const struct gpu_config *m = services->config;
  struct xmem_agent *a = calloc(1, sizeof *a);
  if (!a) goto fail;
  a->s = *services;
  a->config = m;
  const struct xmem_parameters *p = a->p = xmem_parameters(m);
  a->count = xmem_memory_counters(services->counters);
  a->map = memory_address_map(services->memory);
  a->n = (uint32_t)m->dram_channels;
  a->n_sms = (uint32_t)m->sm_count;
  a->none = p->id_bits == XMEM_ID_BITS_8 ? 255 : 63;
  a->entry_bytes = (p->unit == XMEM_UNIT_512 ? 8U : 4U) * (p->id_bits == XMEM_ID_BITS_8 ? 8U : 6U) / 8;
  a->bus_latency = (uint32_t)p->bus_latency;
  a->bus_queue.size = a->bus_latency + 2;
  a->region = l2_prefetch_region(m);
  a->frames_end = DEVICE_MEMORY_BASE + ((uint64_t)m->memory_mib << 20);
  a->mmu_due = a->work = NEVER;
  rng_seed(&a->random, SEED ^ (uint64_t)m->mmu_seed);
  policy_start(&a->policy);
  a->part = calloc(a->n, sizeof *a->part);
  a->bus = calloc(a->bus_queue.size, sizeof *a->bus);
  a->maps = calloc(XMEM_IDS, sizeof *a->maps);
  if (!a->part || !a->bus || !a->maps || !commands_create(&a->commands, a->n_sms)) goto fail;
  bool made = storage_create(&a->storage, m, a->entry_bytes, e);
  for (uint32_t i = 0; made && i < a->n; i++) made = create_partition(a, i, factory, e);
  struct frame_listener listener = {agent_frame_freed, a};
  page_table_listen(memory_pages(services->memory), &listener);
  if (made) return a;
  agent_destroy(a);
  return NULL;
fail:
  err_set(e, ERR_LIMIT, "out of memory for the memory agent of XMem");
  if (a) agent_destroy(a);
  return NULL;
}

void xmem_agent_wait(struct xmem_agent *a) {
  if (a->open) agent_hold(a);
}

uint32_t xmem_agent_no_atom(const struct xmem_agent *a) { return a->none; }

uint32_t xmem_agent_atom(const struct xmem_agent *a, uint64_t physical, bool *active) {
  uint32_t bits = a->none == 255 ? 8 : 6, units = a->entry_bytes * 8 / bits;
  uint64_t entry = storage_read(&a->storage, agent_entry(a, physical), a->entry_bytes);
  uint32_t aid = (uint32_t)(entry >> physical % PAGE_BYTES / (PAGE_BYTES / units) * bits) & a->none;
  if (active) *active = aid != a->none && a->policy.active[aid];
  return aid;
}

/* ---- the MMU: one page at a time ---- */

static void mmu_drive(struct xmem_agent *a) {
  struct xmem_amu_in *in = a->part[0].in;
  uint64_t physical = 0;
  in->mmu_rs_valid = a->mmu_due <= a->cycle;
  in->mmu_rq_ready = a->mmu_due == NEVER;
  if (!in->mmu_rs_valid) return;
  in->mmu_rs_fault = !page_table_walk(memory_pages(a->s.memory), a->mmu_vpn << PAGE_BITS, &physical);
  in->mmu_rs_ppn = (uint32_t)(physical >> PAGE_BITS);
  a->mmu_due = NEVER;
}

static void mmu_take(struct xmem_agent *a) {
  if (!a->part[0].out->mmu_rq_valid || !a->part[0].in->mmu_rq_ready) return;
  a->mmu_vpn = a->part[0].out->mmu_rq_vpn;
  a->mmu_due = a->cycle + (uint64_t)a->p->mmu_latency;
}

/* ---- the bus: the other AMUs receive the home AMU's updates in order, each bus_latency cycles later ---- */

static const struct update *update_due(const struct xmem_agent *a) {
  return a->bus_queue.count && a->bus[a->bus_queue.head].due <= a->cycle ? &a->bus[a->bus_queue.head] : NULL;
}

static void bus_drive(struct xmem_amu_in *in, const struct update *u) {
  in->bi_valid = u && u->page;
  in->ai_valid = u && u->status;
  if (!u) return;
  in->bi_ppn = u->ppn;
  in->bi_mask = u->mask;
  in->bi_aid = u->aid;
  in->ai_aid = u->status_aid;
  in->ai_val = u->value;
}

static void bus_take(struct xmem_agent *a) {
  const struct xmem_amu_out *out = a->part[0].out;
  if (a->n == 1 || (!out->bc_valid && !out->ab_valid)) return;
  invariant(!ring_full(&a->bus_queue), "the bus between the AMUs holds more than its latency");
  a->bus[ring_push(&a->bus_queue)] = (struct update){.due = a->cycle + a->bus_latency,
                                                     .ppn = out->bc_ppn,
                                                     .mask = out->bc_mask,
                                                     .aid = out->bc_aid,
                                                     .status_aid = out->ab_aid,
                                                     .page = out->bc_valid,
                                                     .status = out->ab_valid,
                                                     .value = out->ab_val};
}

static void bus_end(struct xmem_agent *a) {
  if (update_due(a)) ring_pop(&a->bus_queue);
}

/* ---- a cycle ---- */

static void count(struct xmem_agent *a, struct partition *k) {
  struct xmem_memory_counters *c = a->count;
  const struct xmem_amu_out *out = k->out;
  c->xmem_alb_merges += (uint32_t)(out->c_merge - k->c_merge);
  c->xmem_pages_mapped += (uint32_t)(out->c_pages - k->c_pages);
  k->c_merge = out->c_merge;
  k->c_pages = out->c_pages;
  c->xmem_map_cycles += out->doing == 1;
  if (k != a->part) return;
  a->steps += (uint64_t)(out->doing == 1) - (uint32_t)(out->c_stall - k->c_stall);
  k->c_stall = out->c_stall;
}

static void run(struct xmem_agent *a, struct partition *k, const struct update *update) {
  bool home = k == a->part;
  struct lookup answered;
  access_drive(a, k);
  lookups_arrive(a, k);
  lookups_drive(a, k);
  feed_drive(a, k);
  if (home) {
    mmu_drive(a);
    policy_drive(a);
  } else {
    bus_drive(k->in, update);
  }
  block_eval(k->amu);
  access_take(a, k);
  if (lookups_take(a, k, &answered)) policy_answer(a, k, &answered, k->out->rs_aid, k->out->rs_active);
  feed_take(a, k);
  if (home) {
    mmu_take(a);
    policy_take(a);
    bus_take(a);
  }
  count(a, k);
  block_tick(k->amu);
  k->active = k->out->busy || !block_idle(k->amu);
}

static bool must_run(const struct xmem_agent *a, const struct partition *k, const struct update *update) {
  bool home = k == a->part;
  return k->active || !k->amu->quiet || lookups_wait(&k->lookups) || lookups_arrival(&k->lookups) <= a->cycle ||
         access_due(a, &k->port) || k->feed.busy || (home ? a->mmu_due <= a->cycle || policy_due(a) : update != NULL);
}

/* Determines which work remains and the first cycle that continues it. */
static void look_ahead(struct xmem_agent *a) {
  uint64_t next = a->cycle + 1;
  bool open = commands_open(a) || a->bus_queue.count || a->mmu_due != NEVER;
  a->work = commands_open(a) || a->policy.reading ? next : NEVER;
  if (a->bus_queue.count) agent_work(a, a->bus[a->bus_queue.head].due);
  if (a->tables_in) agent_work(a, a->policy.select_at);
  agent_work(a, a->mmu_due);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct partition *k = &a->part[i];
    bool busy = k->active || lookups_wait(&k->lookups) || access_waits(&k->port) || k->feed.busy;
    if (busy) agent_work(a, next);
    else agent_work(a, access_answer_at(&k->port));
    uint64_t arrival = lookups_arrival(&k->lookups);
    if (arrival != NEVER) agent_work(a, arrival > next ? arrival : next);
    open |= busy || k->port.open || arrival != NEVER;
  }
  *a->s.background += (uint64_t)open - (uint64_t)a->open;
  a->open = open;
  a->driver &= open;
  /* Counts the driver's work and commands that SMs wait for (their launch could not end anyway). The value changes with
   * every mapped page and every step of a map, so the deadlock detector sees progress during a long map, even if its
   * pages have no memory. */
  uint64_t held = a->driver || commands_open(a) ? 1 + a->part[0].c_pages + a->steps : 0;
  *a->s.in_flight += held - a->held;
  a->held = held;
}

static void agent_cycle(void *self) {
  struct xmem_agent *a = self;
  a->cycle = a->s.clocks->cycle[CLOCK_L2];
  commands_cycle(a);
  const struct update *update = update_due(a);
  for (uint32_t i = 0; i < a->n; i++) {
    struct partition *k = &a->part[i];
    access_send(a, k);
    if (must_run(a, k, update)) run(a, k, update);
  }
  if (update) bus_end(a);
  look_ahead(a);
}

static uint64_t agent_wake(const void *self) {
  const struct xmem_agent *a = self;
  const struct clocks *c = a->s.clocks;
  if (a->work == NEVER) return UINT64_MAX;
  uint64_t cycle = c->cycle[CLOCK_L2];
  return a->work <= cycle ? 0 : c->next[CLOCK_L2] + (a->work - cycle) * c->period[CLOCK_L2];
}

static void agent_describe(const void *self, FILE *out) {
  const struct xmem_agent *a = self;
  const struct commands *c = &a->commands;
  if (commands_open(a))
    fprintf(out, "XMem: %zu commands of the driver, %u of SMs%s%s\n", c->driver_n - c->driver_at, c->queue.count,
            c->switching ? ", a context switch" : "", c->tell ? ", a reply waits for the network" : "");
  for (uint32_t i = 0; i < a->n; i++) {
    const struct partition *k = &a->part[i];
    if (k->active || k->port.open)
      fprintf(out, "%s: %u lookups, %u accesses to memory, %s\n", k->path, TAGS - k->lookups.n_free, k->port.open,
              k->out->doing ? "a command" : "no command");
  }
}

const struct memory_agent_ops xmem_agent_ops = {.create = agent_create,
                                                .destroy = agent_destroy,
                                                .cycle = agent_cycle,
                                                .wake = agent_wake,
                                                .looked_up = agent_looked_up,
                                                .command = agent_command,
                                                .performed = agent_performed,
                                                .answered = agent_answered,
                                                .describe = agent_describe};
