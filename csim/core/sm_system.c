/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline's calls into a proposal, and the SM's services for it. */
#include "core/sm_state.h"
#include "mem/agent.h"

#include <stdio.h>

/* ---- services ---- */

static uint32_t free_mshrs(const struct sm *sm) { return sm->cache[CACHE_L1].mshrs - sm->cache[CACHE_L1].mshrs_used; }

static bool port_free(const struct sm *sm) {
  return sm->port_used != *sm->now + 1 && memory_can_inject(sm->memory, sm->index);
}

static uint32_t request(struct sm *sm, uint64_t address, uint32_t bytes) {
  uint32_t m = mshr_take(&sm->cache[CACHE_L1], MSHR_SYSTEM, address);
  sm_send(sm, MEM_READ, address, bytes, m, MEM_NO_CTA);
  return m;
}

static void command(struct sm *sm, uint32_t tag, uint32_t bytes) {
  sm_send(sm, MEM_COMMAND, 0, bytes, SM_COMMAND_TAG + tag, MEM_NO_CTA);
  sm->commands++;
}

static uint32_t prefetches(const struct sm *sm) { return sm->prefetches.count; }

static bool shared_port_free(const struct sm *sm) { return sm->shared_free <= *sm->now; }

static void take_shared_port(struct sm *sm, uint32_t cycles) {
  sm->shared_free = (sm->shared_free > *sm->now ? sm->shared_free : *sm->now) + cycles;
}

static void copy_begins(struct sm *sm, uint32_t cta) {
  if (sm->events) sm_events_tile(sm, cta);
}

static void copy_ended(struct sm *sm, uint32_t cta, uint32_t buffer, uint64_t ignition, uint64_t last_request,
                       uint64_t last_write) {
  sm->counters.tile_copies++;
  sm->counters.tile_agen_cycles += last_request - ignition;
  if (last_write > last_request) sm->counters.tile_mem_cycles += last_write - last_request;
  if (sm->events) sm_events_copy(sm, cta, buffer, ignition, last_request, last_write);
}

static const struct ptx_op *op_at_line(const struct sm *sm, uint32_t w, uint32_t line) {
  const struct ptx_kernel *k = sm->launch.kernel;
  for (uint32_t i = 0; i < k->n_ops && line; i++)
    if (k->ops[i].line == line && k->ops[i].class == PTX_EXTENSION) return &k->ops[i];
  return sm->warp[w]->op;
}

static void fault(struct sm *sm, uint32_t w, uint32_t line, const char *rule) {
  const struct ptx_kernel *k = sm->launch.kernel;
  const struct ptx_op *op = op_at_line(sm, w, line);
  const struct sm_cta *c = &sm->cta[sm->warp[w]->cta];
  const char *text = ptx_op_text(k, (uint32_t)(op - sm->kernel_ops));
  if (sm->faulted) return;
  sm->faulted = true;
  while (*text == ' ' || *text == '\t') text++;
  snprintf(sm->fault, sizeof sm->fault,
           "%s:%u: kernel '%s', '%.120s': warp %u of CTA (%u,%u,%u): %s (SM %u, core cycle %llu)",
           ptx_module_file(k->module), op->line, k->name, text, sm->warp[w]->f.index, c->f.index[0], c->f.index[1],
           c->f.index[2], rule, sm->index, (unsigned long long)*sm->now);
}

static void write_line(struct sm *sm, uint64_t address, uint32_t bytes, uint32_t tag) {
  sm_send(sm, MEM_WRITE, address, bytes, tag, MEM_NO_CTA);
  sm->work++;
}

static bool decoder_free(const struct sm *sm) { return !sm->fetch.empty; }
static void take_decoder(struct sm *sm) { sm->decoder_taken = true; }

struct sm_services sm_services_of(struct sm *sm) {
  return (struct sm_services){.sm = sm,
                              .free_mshrs = free_mshrs,
                              .port_free = port_free,
                              .request = request,
                              .command = command,
                              .prefetch = sm_prefetch,
                              .prefetches = prefetches,
                              .next_line = sm_next_line,
                              .line = sm_own_line,
                              .release = sm_release,
                              .write = write_line,
                              .seat = sm_seat,
                              .unseat = sm_unseat,
                              .decoder_free = decoder_free,
                              .take_decoder = take_decoder,
                              .launch = &sm->launch,
                              .agent = memory_agent(sm->memory),
                              .shared_port_free = shared_port_free,
                              .take_shared_port = take_shared_port,
                              .copy_begins = copy_begins,
                              .copy_ended = copy_ended,
                              .fault = fault,
                              .shared = sm->shared,
                              .memory = sm->device_memory,
                              .counters = &sm->counters,
                              .now = sm->now};
}

/* ---- issue ---- */

/* Warps that may not issue. A released warp was rewound to its operation and fetches it again, as it was released in
 * the previous cycle. */
void sm_update_blocked(struct sm *sm) {
  if (!sm->hooks->blocked) return;
  uint64_t blocked = sm->hooks->blocked(sm->system) & sm->active;
  uint64_t released = sm->was_blocked & ~blocked & sm->active & ~sm->parked & ~sm->at_barrier;
  sm->was_blocked = blocked;
  if (sm->hooks->keeps) return;
  for (; released; released &= released - 1) {
    uint32_t w = lowest(released);
    uint64_t fetch = *sm->now - 1 + sm->latency[PTX_BRANCH];
    sm_unschedule(sm, w);
    if (sm->warp[w]->fetch < fetch) sm->warp[w]->fetch = fetch;
    sm_schedule(sm, w);
  }
}

enum extension_result sm_extension(struct sm *sm, uint32_t w, uint32_t mask) {
  struct sm_warp *warp = sm->warp[w];
  const struct ptx_op *op = warp->op;
  const struct sm_cta *c = &sm->cta[warp->cta];
  struct extension_call call = {.code = op->extension.code,
                                .cta = warp->cta,
                                .warp = w,
                                .lane = (uint32_t)__builtin_ctz(mask),
                                .op = op,
                                .f = &warp->f,
                                .mask = mask,
                                .shared_base = c->first_shared,
                                .shared_bytes = c->shared_bytes,
                                .line = op->line};
  for (uint32_t i = 0; i < op->n_src && i < PTX_EXTENSION_ARGS_MAX; i++)
    call.args[i] = ptx_source(op, &warp->f, i, call.lane);
  sm->system_called = true;
  return sm->hooks->extension(sm->system, &call);
}

/* ---- checked shared accesses ---- */

static bool is_store(const struct ptx_access *a) { return a->store && !a->atomic; }

bool sm_needs_check(struct sm *sm, uint32_t w, const struct ptx_access *a) {
  return a->space == PTX_SHARED && sm->hooks->shared_needs_check &&
         sm->hooks->shared_needs_check(sm->system, sm->warp[w]->cta, is_store(a));
}

void sm_hold(struct sm *sm, uint32_t w, uint32_t mask, const struct ptx_access *a) {
  struct shared_query query = {
    .cta = sm->warp[w]->cta, .warp = w, .mask = a->mask, .bytes = a->bytes, .store = is_store(a)};
  uint64_t base = sm->cta[query.cta].first_shared;
  for (uint32_t i = 0; i < WARP_LANES; i++) { /* an address outside of the slice faults when it is performed */
    uint64_t offset = a->mask >> i & 1 ? a->address[i] : 0, address = offset < UINT16_MAX ? base + offset : UINT16_MAX;
    query.address[i] = (uint16_t)(address < UINT16_MAX ? address : UINT16_MAX);
  }
  sm->held[0].valid = true;
  sm->held[0].warp = w;
  sm->held[0].mask = mask;
  sm->held[0].access = *a;
  sm->n_held++;
  sm->waiting[WAIT_SHARED] |= warp_bit(w);
  sm->hooks->shared_query(sm->system, &query);
  sm->system_called = true;
}

/* Handles the answer to the oldest query, and ages the others. */
static void answer_held(struct sm *sm) {
  uint32_t last = sm->hooks->check_cycles;
  struct held *h = &sm->held[last];
  if (h->valid) {
    h->valid = false;
    sm->n_held--;
    sm->waiting[WAIT_SHARED] &= ~warp_bit(h->warp);
    sm->work++;
    if (sm->hooks->squash && sm->hooks->squash(sm->system)) {
      sm->warp[h->warp]->fetch = *sm->now + sm->latency[PTX_BRANCH];
      sm_schedule(sm, h->warp);
    } else {
      sm->pipeline->perform(sm, h->warp, h->mask, &h->access);
    }
  }
  for (uint32_t i = last; i; i--) {
    if (!sm->held[i - 1].valid) continue;
    sm->held[i] = sm->held[i - 1];
    sm->held[i - 1].valid = false;
  }
}

/* ---- cycle ---- */

/* If every live warp of a CTA waits, gives the proposal a chance to resolve the deadlock. */
static void look_for_deadlocks(struct sm *sm) {
  uint64_t waits = sm->at_barrier | (sm->hooks->blocked ? sm->hooks->blocked(sm->system) : 0);
  for (uint32_t i = 0; i < sm->n_ctas; i++) {
    uint64_t live = sm->slots[sm->age[i]] & sm->active;
    if (!live || (live & ~waits)) continue;
    if (!sm->hooks->all_blocked(sm->system, sm->age[i])) continue;
    sm->system_called = true;
    sm->work++;
  }
}

void sm_system_cycle(struct sm *sm) {
  const struct system_ops *ops = sm->ops;
  bool held = sm->n_held != 0;
  sm->system_ran = sm->system_called || held || (ops->busy && ops->busy(sm->system));
  if (sm->system_ran) {
    sm->system_called = false;
    if (ops->cycle) ops->cycle(sm->system);
    if (held) answer_held(sm);
  }
  if (sm->hooks->all_blocked && !sm->issued) look_for_deadlocks(sm);
}
