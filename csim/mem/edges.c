/* SPDX-License-Identifier: Apache-2.0 */
/* The edges of the memory system. Between two edges of the interconnect the modules have nothing in common: a host thread may take
 * each through its edges of a tick, and the links, which alone reach from module to module, follow when all are through, in the thread
 * of the last one. That is the same as one domain after the other, for a link touches no port that a slice or an SM has. */
#include "base/err.h"
#include "base/host_profile.h"
#include "dram/channel.h"
#include "mem/agent.h"
#include "mem/l2_slice.h"
#include "mem/l2_state.h"
#include "mem/links.h"
#include "mem/memory_state.h"
#include "mem/memory_system.h"
#include "noc/network.h"

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t networks_wake(const struct memory_system *s, uint64_t soon) {
  uint64_t wake = UINT64_MAX;
  for (uint32_t i = 0; i < s->n_modules; i++)
    wake = earlier(wake, earlier(network_wake(s->noc[i].request), network_wake(s->noc[i].reply)));
  return s->links && wake > soon ? earlier(wake, links_wake(s->links, soon)) : wake;
}

/* --- of a module --- */

static void cycle_networks(struct memory_system *s, uint32_t module) {
  uint64_t tick = s->clocks->next[CLOCK_NOC];
  const struct networks *n = &s->noc[module];
  if (s->exhaustive || network_wake(n->request) <= tick) network_cycle(n->request);
  if (s->exhaustive || network_wake(n->reply) <= tick) network_cycle(n->reply);
}

static void cycle_slices(struct memory_system *s, uint32_t module) {
  uint64_t tick = s->clocks->next[CLOCK_L2];
  uint32_t first = (uint32_t)s->clocks->cycle[CLOCK_L2] & (s->map.slices - 1);
  uint32_t slices = s->n_slices / s->n_modules, from = module * slices;
  for (uint32_t i = from; i < from + slices; i++) {
    struct l2_slice *slice = s->slices[i ^ first]; /* the slices of a channel are first at its queue in turn */
    if (s->exhaustive || l2_slice_wake(slice) <= tick) l2_slice_cycle(slice);
  }
}

static void cycle_channels(struct memory_system *s, uint32_t module) {
  uint64_t tick = s->clocks->next[CLOCK_DRAM];
  uint32_t channels = s->n_channels / s->n_modules, from = module * channels;
  for (uint32_t i = from; i < from + channels; i++)
    if (s->exhaustive || dram_wake(s->channels[i]) <= tick) dram_cycle(s->channels[i]);
}

/* --- of all, one domain after the other --- */

void memory_noc_cycle(struct memory_system *s) {
  if (!memory_inside(s) && networks_wake(s, 0) == UINT64_MAX) return;
  for (uint32_t i = 0; i < s->n_modules; i++) cycle_networks(s, i);
  if (s->links) links_cycle(s->links); /* it looks itself whether there is anything to do */
}

static uint64_t agent_wake(const struct memory_system *s) {
  const struct memory_agent_ops *ops = s->agent_ops;
  return !s->agent || !ops->cycle ? UINT64_MAX : ops->wake ? ops->wake(s->agent) : s->clocks->next[CLOCK_L2];
}

void memory_l2_cycle(struct memory_system *s) {
  if (!memory_busy(s)) return;
  uint64_t tick = s->clocks->next[CLOCK_L2];
  if (s->agent && s->agent_ops->cycle && (s->exhaustive || agent_wake(s) <= tick)) s->agent_ops->cycle(s->agent);
  for (uint32_t i = 0; i < s->n_modules; i++) cycle_slices(s, i);
}

void memory_dram_cycle(struct memory_system *s) {
  if (!memory_busy(s)) return;
  for (uint32_t i = 0; i < s->n_modules; i++) cycle_channels(s, i);
}

/* --- of all, one module after the other, in any order --- */

void memory_start_edges(struct memory_system *s) {
  invariant(!s->agent || s->n_modules == 1, "a memory agent beside %u modules", s->n_modules);
  s->busy = memory_busy(s);
  s->through = 0;
}

void memory_module_edges(struct memory_system *s, uint32_t module, uint64_t tick) {
  const uint64_t *next = s->clocks->next;
  uint32_t before = host_enter(HOST_NOC);
  if (next[CLOCK_NOC] == tick) cycle_networks(s, module);
  host_enter(HOST_L2);
  if (next[CLOCK_L2] == tick && s->busy) cycle_slices(s, module);
  host_enter(HOST_DRAM);
  if (next[CLOCK_DRAM] == tick && s->busy) cycle_channels(s, module);
  host_enter(HOST_NOC);
  bool last = __atomic_add_fetch(&s->through, 1, __ATOMIC_ACQ_REL) == s->n_modules;
  if (last && s->links && next[CLOCK_NOC] == tick) links_cycle(s->links);
  host_enter(before);
}

/* --- when --- */

/* First tick that the domain has something to do at; `soon` or before it: any of them, which is the same. */
static uint64_t domain_wake(const struct memory_system *s, enum clock_domain d, uint64_t soon) {
  uint64_t wake = UINT64_MAX;
  switch (d) {
    case CLOCK_CORE:
      for (uint32_t m = 0, sms = s->n_sms / s->n_modules; m < s->n_modules; m++) {
        if (!memory_may_reply(s, m)) continue;
        for (uint32_t i = m * sms; i < (m + 1) * sms && wake > soon; i++) wake = earlier(wake, memory_reply_tick(s, i));
      }
      return wake;
    case CLOCK_NOC: return networks_wake(s, soon);
    case CLOCK_L2:
      wake = agent_wake(s);
      for (uint32_t i = 0; i < s->n_slices && wake > soon; i++) wake = earlier(wake, l2_slice_wake(s->slices[i]));
      return wake;
    case CLOCK_DRAM:
      for (uint32_t i = 0; i < s->n_channels && wake > soon; i++) wake = earlier(wake, dram_wake(s->channels[i]));
      return wake;
    case CLOCK_DOMAINS: break;
  }
  invariant(false, "there is no clock domain %d", (int)d);
  return 0;
}

/* Edges of the domain only: rounded up to its grid. */
uint64_t memory_next_tick(const struct memory_system *s, enum clock_domain d, uint64_t now) {
  if (d != CLOCK_NOC && !memory_busy(s)) return UINT64_MAX; /* an allocator may still forget its grants */
  uint64_t edge = s->clocks->next[d], period = s->clocks->period[d], wake = domain_wake(s, d, now > edge ? now : edge);
  if (wake == UINT64_MAX) return wake;
  if (wake < now) wake = now;
  return wake <= edge ? edge : edge + (wake - edge + period - 1) / period * period;
}
