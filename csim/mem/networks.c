/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/networks.h"

#include "base/err.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "mem/request.h"
#include "noc/network.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of a mesh or a ring: SMs and memory channels in their order on the nodes that are theirs. */
static void place(const struct gpu_config *m, uint16_t *sm, uint16_t *channel) {
  uint32_t nodes = (uint32_t)(m->sm_count + m->dram_channels), channels = (uint32_t)m->dram_channels, c = 0, s = 0;
  for (uint32_t node = 0; node < nodes; node++) {
    bool is_channel = m->noc_mc_nodes ? node < 63 && m->noc_mc_nodes >> node & 1
                                      : c < channels && node == (2 * c + 1) * nodes / (2 * channels);
    if (is_channel) channel[c++] = (uint16_t)node;
    else sm[s++] = (uint16_t)node;
  }
}

static void describe(const void *payload, FILE *out) {
  const struct mem_request *r = payload;
  fprintf(out, "%u bytes at 0x%llx", r->bytes, (unsigned long long)r->address);
}

static bool create_both(struct networks *n, struct network_config *request, struct network_config *reply,
                        struct err *e) {
  n->request = network_create(request, e);
  n->reply = n->request ? network_create(reply, e) : NULL;
  return n->reply;
}

bool networks_create(struct networks *n, const struct gpu_config *m, const struct clocks *clocks,
                     struct block_factory *factory, const struct networks_ends *ends, struct memory_counters *counters,
                     struct err *e) {
  uint32_t sms = (uint32_t)m->sm_count, slices = (uint32_t)(m->dram_channels * m->l2_slices);
  uint16_t sm_node[256], channel_node[256];
  uint32_t more = ends->dispatcher || ends->links ? slices : 0, links = ends->links ? slices : 0;
  place(m, sm_node, channel_node);
  char module[8] = "";
  if (ends->links) snprintf(module, sizeof module, "m%u.", ends->module % 256);
  snprintf(n->name[0], sizeof n->name[0], "%snoc.req", module);
  snprintf(n->name[1], sizeof n->name[1], "%snoc.reply", module);
  struct network_routers forth = {
    .topology = (uint32_t)m->noc_topology,
    .nodes = (uint32_t)(m->sm_count + m->dram_channels),
    .columns = (uint32_t)m->noc_columns,
    .in_node = sm_node,
    .out_node = channel_node,
    .vcs = (uint32_t)m->noc_vcs,
    .vc_alloc = (uint32_t)m->noc_vc_alloc,
    .latency = (uint32_t)m->noc_router_latency,
    .buffer_flits = (uint32_t)m->noc_buffer_flits,
    .offer_all = m->noc_offer == NOC_OFFER_ALL,
  };
  struct network_routers back = forth;
  back.in_node = channel_node;
  back.out_node = sm_node;
  back.by_source = true;
  bool flits = m->noc_switching == NOC_FLITS;
  struct network_config request = {
    .name = n->name[0],
    .title = "request network",
    .n_in = sms + more,
    .n_out = slices + links,
    .in_queue = (uint32_t)m->noc_queue,
    .out_queue = (uint32_t)m->l2_queue,
    .latency = (uint32_t)m->noc_latency,
    .flit_bytes = (uint32_t)m->noc_flit_bytes,
    .payload_bytes = sizeof(struct mem_request),
    .describe = describe,
    .routers = flits ? &forth : NULL,
    .prefer = (uint32_t)m->noc_prefer,
    .preload = MEM_CLASS_PRELOAD,
    .allocator = allocator_of(m->noc_allocator),
    .allocation = {.factory = factory,
                   .held = &counters->noc_held_grants,
                   .hash_bits = (uint32_t)m->noc_hold_hash_bits,
                   .max_hold = (uint32_t)m->noc_max_hold,
                   .grace = (uint32_t)m->noc_grace,
                   .seed = (uint32_t)m->noc_seed,
                   .banks = (uint32_t)m->dram_banks,
                   .controllers = m->noc_topology == NOC_CROSSBAR ? 1 : (uint32_t)m->dram_channels},
    .clocks = clocks,
    .packets = &counters->noc_request_packets,
    .flits = &counters->noc_request_flits,
    .stalls = &counters->noc_request_stalls,
    .cycles = &counters->noc_request_cycles,
  };
  struct network_config reply = request;
  reply.name = n->name[1];
  reply.title = "reply network";
  reply.prefer = NOC_PREFER_NONE;
  reply.n_in = slices + links;
  reply.n_out = sms + links;
  reply.out_queue = request.in_queue; /* assumption: replies have buffers as deep as the injection queues */
  reply.routers = flits ? &back : NULL;
  reply.allocator = allocator_of(m->noc_allocator == NOC_ROUND_ROBIN ? NOC_ROUND_ROBIN : NOC_PIM); /* Yuan 2009, 4.3 */
  reply.packets = &counters->noc_reply_packets;
  reply.flits = &counters->noc_reply_flits;
  reply.stalls = &counters->noc_reply_stalls;
  reply.cycles = &counters->noc_reply_cycles;
  reply.allocation.held = NULL;
  n->rows = request.allocator->compares_rows;
  return create_both(n, &request, &reply, e);
}

void networks_destroy(struct networks *n) {
  network_destroy(n->request);
  network_destroy(n->reply);
}
