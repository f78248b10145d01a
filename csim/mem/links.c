/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/links.h"

#include "base/clock.h"
#include "base/err.h"
#include "mem/networks.h"
#include "mem/request.h"
#include "mem/zones.h"
#include "noc/network.h"

#include <stdlib.h>

enum { REQUESTS, REPLIES, KINDS }; /* of packets: virtual channels, and producers and consumers, are by kind */
enum { SLICES_MOST = 256, GATES_MOST = 8, PACKETS = 4, ENDS_MOST = ZONES_MAX * GATES_MOST * KINDS };

/* The outputs of a crossbar that lead to the links: consecutive ones. */
struct exits {
  const struct network *net;
  const uint64_t *held;    /* network_held_words */
  uint32_t first, end;     /* outputs */
  const uint64_t **leaves; /* of each: tick of its first packet */
  const uint64_t **enters; /* link tick at which its gate has room */
};

struct links {
  struct links_config c;
  struct network *net;
  /* The links' own time: link ticks, `scale` of them a tick of the GPU, so that a link cycle is a whole number of them. */
  struct clocks clocks;
  uint64_t scale;
  uint32_t modules, sms, slices; /* SMs and slices of a module */
  uint32_t gates;                /* of a module: places to enter and leave, one of each kind */
  bool exhaustive;
  uint32_t ends;                                 /* producers of the links, and consumers */
  const uint64_t *arrives_at[ENDS_MOST];         /* link tick of the first packet of each consumer */
  const uint64_t *leaves_at[KINDS][SLICES_MOST]; /* tick of the first packet of each crossbar output that leads here */
  const uint64_t *enters_at[KINDS][SLICES_MOST]; /* link tick at which the producer that it goes to has room */
  struct exits exits[KINDS][ZONES_MAX];
};

static void describe(const void *payload, FILE *out) {
  const struct mem_request *r = payload;
  fprintf(out, "%u bytes at 0x%llx for SM %u", r->bytes, (unsigned long long)r->address, r->sm);
}

/* --- construction --- */

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

static void start_clock(struct links *l) {
  const struct gpu_config *m = l->c.gpu;
  uint64_t rate = (uint64_t)m->numa_link_khz * 1000, ticks = l->c.clocks->tick_hz * (uint64_t)gpu_config_links(m);
  l->scale = rate / common_divisor(rate, ticks);
  l->clocks = (struct clocks){.tick_hz = l->c.clocks->tick_hz * l->scale};
  for (int d = 0; d < CLOCK_DOMAINS; d++) l->clocks.period[d] = ticks / common_divisor(rate, ticks);
}

/* The number of a producer or consumer. Its kind is its number modulo KINDS: svca goes by that. */
static uint32_t end_of(const struct links *l, uint32_t module, uint32_t slice, uint32_t kind) {
  return (module * l->gates + slice % l->gates) * KINDS + kind;
}

static bool create_network(struct links *l, struct err *e) {
  const struct gpu_config *m = l->c.gpu;
  const uint32_t lines = PACKETS * (uint32_t)packet_flits(m->line_bytes, m->numa_flit_bytes); /* flits */
  bool ring = m->numa_topology == NUMA_RING;
  uint16_t node[ENDS_MOST];
  uint32_t n = l->ends;
  for (uint32_t i = 0; i < n; i++) node[i] = (uint16_t)(i / (l->gates * KINDS));
  struct memory_counters *k = l->c.counters;
  struct network_routers routers = {
    .topology = ring ? NOC_RING : NETWORK_ALL_TO_ALL,
    .nodes = l->modules,
    .in_node = node,
    .out_node = node,
    .vcs = ring ? 2 * KINDS : KINDS,
    .vc_alloc = NOC_SVCA,
    .latency = (uint32_t)gpu_config_hop(m),
    .last_latency = 2,
    /* a link's flits on the way, and some packets: a buffer does not limit its rate (gpu_config_check: at most 256) */
    .buffer_flits = (uint32_t)gpu_config_hop(m) + lines,
    .consumer_flits = lines,
  };
  struct network_config c = {
    .name = "noc.links",
    .title = "links",
    .n_in = n,
    .n_out = n,
    .in_queue = (uint32_t)m->noc_queue,
    .out_queue = 1, /* routers make their own */
    .flit_bytes = (uint32_t)m->numa_flit_bytes,
    .payload_bytes = sizeof(struct mem_request),
    .describe = describe,
    .routers = &routers,
    .allocator = allocator_of(NOC_ROUND_ROBIN),
    .clocks = &l->clocks,
    .packets = &k->numa_link_packets,
    .flits = &k->numa_link_flits,
    .hops = &k->numa_link_hops,
    .stalls = &k->numa_link_stalls,
    .cycles = &k->numa_link_cycles,
  };
  l->net = network_create(&c, e);
  return l->net;
}

/* The crossbar output of a module that leads to the links. */
static struct network *crossbar_of(const struct links *l, uint32_t module, uint32_t kind) {
  return kind == REQUESTS ? l->c.noc[module].request : l->c.noc[module].reply;
}
static uint32_t exit_of(const struct links *l, uint32_t slice, uint32_t kind) {
  return (kind == REQUESTS ? l->slices : l->sms) + slice;
}

/* What is looked at at every edge. */
static void find_words(struct links *l) {
  for (uint32_t i = 0; i < l->ends; i++) l->arrives_at[i] = network_head_word(l->net, i);
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    for (uint32_t i = 0; i < l->modules * l->slices; i++) {
      uint32_t module = i / l->slices, slice = i % l->slices;
      l->leaves_at[kind][i] = network_head_word(crossbar_of(l, module, kind), exit_of(l, slice, kind));
      l->enters_at[kind][i] = network_room_word(l->net, end_of(l, module, slice, kind));
    }
    for (uint32_t module = 0; module < l->modules; module++) {
      const struct network *net = crossbar_of(l, module, kind);
      l->exits[kind][module] = (struct exits){.net = net,
                                              .held = network_held_words(net),
                                              .first = exit_of(l, 0, kind),
                                              .end = exit_of(l, l->slices, kind),
                                              .leaves = &l->leaves_at[kind][module * l->slices],
                                              .enters = &l->enters_at[kind][module * l->slices]};
    }
  }
}

struct links *links_create(const struct links_config *c, struct err *e) {
  struct links *l = calloc(1, sizeof *l);
  if (!l) {
    err_set(e, ERR_LIMIT, "out of memory for the links between modules");
    return NULL;
  }
  l->c = *c;
  l->modules = (uint32_t)c->gpu->numa_modules;
  l->sms = (uint32_t)c->module->sm_count;
  l->slices = (uint32_t)(c->module->dram_channels * c->module->l2_slices);
  l->gates = l->slices < GATES_MOST ? l->slices : GATES_MOST;
  l->ends = l->modules * l->gates * KINDS;
  start_clock(l);
  if (!create_network(l, e)) {
    free(l);
    return NULL;
  }
  find_words(l);
  return l;
}

void links_destroy(struct links *l) {
  if (!l) return;
  network_destroy(l->net);
  free(l);
}

void links_set_exhaustive(struct links *l, bool exhaustive) {
  l->exhaustive = exhaustive;
  network_set_exhaustive(l->net, exhaustive);
}

void links_describe(const struct links *l, FILE *out) { network_describe(l->net, out); }

/* --- an edge --- */

/* The slice, in its module, that a packet comes from or goes to. */
static uint32_t slice_of(const struct links *l, const struct mem_request *r) {
  uint32_t per_channel = (uint32_t)l->c.module->l2_slices, channels = (uint32_t)l->c.module->dram_channels;
  return r->channel % channels * per_channel + r->slice;
}

/* The first packet of a consumer enters the crossbar of its module, if there is room. */
static void enter_crossbar(struct links *l, uint32_t end, uint64_t tick) {
  uint32_t module = end / (l->gates * KINDS), kind = end % KINDS;
  const struct mem_request *r = network_head(l->net, end, l->clocks.next[CLOCK_NOC]);
  struct network *to = crossbar_of(l, module, kind);
  uint32_t slice = slice_of(l, r), in = (kind == REQUESTS ? l->sms : l->slices) + slice;
  uint32_t out = kind == REQUESTS ? slice : r->sm % l->sms;
  struct packet_key key = {.mc = r->channel, .class = r->class};
  if (!network_can_inject(to, in, tick)) return;
  network_inject(to, in, out, r, kind == REQUESTS ? mem_request_data(r) : mem_reply_data(r), key, tick);
  network_pop(l->net, end, l->clocks.next[CLOCK_NOC]);
}

/* The first packet of a crossbar output enters the links; there is room. */
static void leave_crossbar(struct links *l, uint32_t module, uint32_t slice, uint32_t kind, uint64_t tick) {
  struct network *from = crossbar_of(l, module, kind);
  uint32_t out = exit_of(l, slice, kind), in = end_of(l, module, slice, kind);
  uint64_t link_tick = tick * l->scale;
  const struct mem_request *r = network_head(from, out, tick);
  uint32_t to = kind == REQUESTS ? r->zone : r->sm / l->sms;
  network_inject(l->net, in, end_of(l, to, slice, kind), r, kind == REQUESTS ? mem_request_data(r) : mem_reply_data(r),
                 (struct packet_key){.mc = (uint8_t)kind, .class = r->class}, link_tick);
  network_pop(from, out, tick);
}

/* Link tick before which no link edge changes anything; `soon` or before it: any such, which is the same. */
static uint64_t links_own_wake(const struct links *l, uint64_t soon) {
  uint64_t wake = network_wake(l->net);
  for (uint32_t i = 0; wake > soon && (i = network_next_held(l->net, i, l->ends)) < l->ends; i++)
    if (*l->arrives_at[i] < wake) wake = *l->arrives_at[i];
  return wake;
}

static void link_cycle(struct links *l, uint64_t tick) {
  network_cycle(l->net);
  for (uint32_t i = 0; (i = network_next_held(l->net, i, l->ends)) < l->ends; i++)
    if (*l->arrives_at[i] <= l->clocks.next[CLOCK_NOC]) enter_crossbar(l, i, tick);
}

/* False: no exit holds a packet, which is so for most of them at most edges. */
static inline bool is_any_held(const struct exits *x) {
  uint32_t last = x->end - 1;
  uint64_t from = UINT64_MAX << x->first % 64, to = UINT64_MAX >> (63 - last % 64);
  if (x->first / 64 == last / 64) return x->held[last / 64] & from & to;
  uint64_t any = (x->held[x->first / 64] & from) | (x->held[last / 64] & to);
  for (uint32_t w = x->first / 64 + 1; w < last / 64; w++) any |= x->held[w];
  return any;
}

/* Packets of slices [from, to) of a module. */
static void leave_crossbars(struct links *l, uint32_t module, uint32_t kind, uint32_t from, uint32_t to,
                            uint64_t tick) {
  const struct exits *x = &l->exits[kind][module];
  uint64_t link_tick = tick * l->scale;
  for (uint32_t at = x->first + from, end = x->first + to; at < end; at = (at / 64 + 1) * 64) {
    uint64_t bits = x->held[at / 64] >> at % 64 << at % 64;
    if (end / 64 == at / 64) bits &= (UINT64_C(1) << end % 64) - 1;
    for (; bits; bits &= bits - 1) {
      uint32_t slice = at / 64 * 64 + (uint32_t)__builtin_ctzll(bits) - x->first;
      if (*x->leaves[slice] <= tick && *x->enters[slice] <= link_tick) leave_crossbar(l, module, slice, kind, tick);
    }
  }
}

void links_cycle(struct links *l) {
  uint64_t tick = l->c.clocks->next[CLOCK_NOC], end = tick * l->scale;
  struct clocks *k = &l->clocks;
  while (k->next[CLOCK_NOC] <= end) {
    uint64_t wake = l->exhaustive ? 0 : links_own_wake(l, k->next[CLOCK_NOC]);
    if (wake > k->next[CLOCK_NOC]) {
      clocks_skip_until(k, CLOCK_NOC, wake <= end ? wake : end + 1);
      continue;
    }
    link_cycle(l, tick);
    k->cycle[CLOCK_NOC]++;
    k->next[CLOCK_NOC] += k->period[CLOCK_NOC];
  }
  /* the slices of a module are first at the links in turn */
  uint32_t first = (uint32_t)(l->c.clocks->cycle[CLOCK_NOC] % l->slices);
  for (uint32_t kind = 0; kind < KINDS; kind++)
    for (uint32_t module = 0; module < l->modules; module++) {
      if (!is_any_held(&l->exits[kind][module])) continue;
      leave_crossbars(l, module, kind, first, l->slices, tick);
      leave_crossbars(l, module, kind, 0, first, tick);
    }
}

uint64_t links_wake(const struct links *l, uint64_t soon) {
  uint64_t own = links_own_wake(l, soon < UINT64_MAX / l->scale ? soon * l->scale : UINT64_MAX),
           wake = own == UINT64_MAX ? own : (own + l->scale - 1) / l->scale;
  for (uint32_t kind = 0; kind < KINDS; kind++)
    for (uint32_t module = 0; module < l->modules && wake > soon; module++) {
      const struct exits *x = &l->exits[kind][module];
      if (!is_any_held(x)) continue;
      for (uint32_t out = x->first; (out = network_next_held(x->net, out, x->end)) < x->end; out++)
        if (*x->leaves[out - x->first] < wake) wake = *x->leaves[out - x->first];
    }
  return wake;
}
