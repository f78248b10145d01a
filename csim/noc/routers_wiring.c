/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "noc/routers_internal.h"

#include <stdlib.h>

/* ---- rules ---- */

#define RULE(holds, ...) \
  if (!(holds)) return err_set(e, ERR_VALUE, __VA_ARGS__)

static uint32_t count(const uint16_t *nodes, uint32_t n, uint32_t node) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; i++) k += nodes[i] == node;
  return k;
}

static int check_nodes(const struct network_config *c, struct err *e) {
  const struct network_routers *r = c->routers;
  RULE(r->nodes >= 2 && r->nodes <= 256, "%s: a network of %u nodes: 2 to 256", c->title, r->nodes);
  RULE(r->topology != NOC_MESH || (r->columns >= 1 && r->nodes % r->columns == 0),
       "%s: %u nodes do not fill the rows of a mesh of %u columns", c->title, r->nodes, r->columns);
  for (uint32_t i = 0; i < c->n_in; i++)
    RULE(r->in_node[i] < r->nodes, "%s: producer %u is at node %u of %u", c->title, i, r->in_node[i], r->nodes);
  for (uint32_t o = 0; o < c->n_out; o++)
    RULE(r->out_node[o] < r->nodes, "%s: consumer %u is at node %u of %u", c->title, o, r->out_node[o], r->nodes);
  uint32_t links = r->topology == NETWORK_ALL_TO_ALL ? r->nodes - 1 : 4;
  for (uint32_t node = 0; node < r->nodes; node++) {
    uint32_t in = links + count(r->in_node, c->n_in, node), out = links + count(r->out_node, c->n_out, node);
    RULE(in <= ROUTER_PORTS && out <= ROUTER_PORTS, "%s: node %u has %u x %u ports: at most %d each", c->title, node,
         in, out, ROUTER_PORTS);
  }
  return 0;
}

int routers_check(const struct network_config *c, struct err *e) {
  const struct network_routers *r = c->routers;
  uint32_t classes = r->topology == NOC_RING ? 2 : 1;
  RULE(r->vcs >= 1 && r->vcs <= ROUTER_VCS, "%s: %u virtual channels: 1 to %d", c->title, r->vcs, ROUTER_VCS);
  RULE(
    r->topology != NOC_RING || (r->vcs >= 2 && r->vcs % 2 == 0),
    "%s: a ring with %u virtual channels: an even number, one half before the dateline and one beyond it, or packets wait for "
    "each other round the ring for ever",
    c->title, r->vcs);
  RULE(r->vc_alloc != NOC_SVCA || r->vcs / classes <= (r->by_source ? c->n_in : c->n_out),
       "%s: static assignment of %u virtual channels%s to %u destinations leaves channels that nobody may use",
       c->title, r->vcs / classes, classes == 2 ? " (of each half)" : "", r->by_source ? c->n_in : c->n_out);
  RULE(r->latency >= 2, "%s: a router of %u cycles: at least 2", c->title, r->latency);
  RULE(r->buffer_flits >= 1 && r->buffer_flits <= 256, "%s: buffers of %u flits: 1 to 256", c->title, r->buffer_flits);
  RULE(!r->offer_all || !c->allocator->compares_rows,
       "%s: %s compares the row of one packet an input; it cannot be offered all", c->title, c->allocator->name);
  if (r->topology != NOC_CROSSBAR) return check_nodes(c, e);
  RULE(c->n_in <= ROUTER_PORTS && c->n_out <= ROUTER_PORTS, "%s: a router of %u x %u ports: at most %d each", c->title,
       c->n_in, c->n_out, ROUTER_PORTS);
  return 0;
}

/* ---- links ---- */

enum { NORTH, EAST, SOUTH, WEST, LOCAL }; /* of a mesh */
enum { CLOCKWISE, COUNTER, RING_LOCAL };  /* of a ring; inputs: packets that travel so */

/* The number of a consumer among those of its node. */
static uint32_t local_number(const struct network_routers *r, uint32_t out) {
  return count(r->out_node, out, r->out_node[out]);
}

/* A router with local ports for its producers and consumers; they come last, in the order of their numbers. */
static void add_router(struct wiring *w, const struct network_config *c, uint32_t node, uint32_t links) {
  struct router *r = &w->router[node];
  *r = (struct router){.in0 = w->n_inputs, .out0 = w->n_outputs, .n_in = links, .n_out = links};
  for (uint32_t i = 0; i < c->n_in; i++)
    if (c->routers->in_node[i] == node) w->source[i] = r->in0 + r->n_in++;
  for (uint32_t o = 0; o < c->n_out; o++) r->n_out += c->routers->out_node[o] == node;
  w->n_inputs += r->n_in;
  w->n_outputs += r->n_out;
}

static struct output *output_of(struct wiring *w, uint32_t node, uint32_t port) {
  return &w->output[w->router[node].out0 + port];
}

static void link_mesh(struct wiring *w, uint32_t node, uint32_t columns, uint32_t nodes) {
  uint32_t x = node % columns;
  if (node >= columns) output_of(w, node, NORTH)->channel = w->router[node - columns].in0 + SOUTH;
  if (node + columns < nodes) output_of(w, node, SOUTH)->channel = w->router[node + columns].in0 + NORTH;
  if (x) output_of(w, node, WEST)->channel = w->router[node - 1].in0 + EAST;
  if (x + 1 < columns) output_of(w, node, EAST)->channel = w->router[node + 1].in0 + WEST;
}

static void link_ring(struct wiring *w, uint32_t node, uint32_t nodes) {
  uint32_t next = node + 1 == nodes ? 0 : node + 1, before = node ? node - 1 : nodes - 1;
  struct output *forth = output_of(w, node, CLOCKWISE), *back = output_of(w, node, COUNTER);
  forth->channel = w->router[next].in0 + CLOCKWISE;
  forth->dateline = next == 0;
  back->channel = w->router[before].in0 + COUNTER;
  back->dateline = node == 0;
}

/* From each node to each other one: the link number is the distance, 1 the next node. */
static void link_all(struct wiring *w, uint32_t node, uint32_t nodes) {
  for (uint32_t d = 1; d < nodes; d++) output_of(w, node, d - 1)->channel = w->router[(node + d) % nodes].in0 + d - 1;
}

/* ---- routes ---- */

/* First along the row, then along the column. */
static uint8_t route_mesh(uint32_t from, uint32_t to, uint32_t columns) {
  uint32_t x = from % columns, y = from / columns, tx = to % columns, ty = to / columns;
  if (tx != x) return tx > x ? EAST : WEST;
  if (ty != y) return ty > y ? SOUTH : NORTH;
  return LOCAL;
}

/* The shorter way; opposite nodes: even ones clockwise, so that neither way carries more. */
static uint8_t route_ring(uint32_t from, uint32_t to, uint32_t nodes) {
  uint32_t forth = (to + nodes - from) % nodes;
  if (!forth) return RING_LOCAL;
  if (2 * forth == nodes) return from % 2 ? COUNTER : CLOCKWISE;
  return 2 * forth < nodes ? CLOCKWISE : COUNTER;
}

static void wire_crossbar(struct wiring *w, const struct network_config *c) {
  w->router[0] = (struct router){.n_in = c->n_in, .n_out = c->n_out};
  w->n_inputs = c->n_in;
  w->n_outputs = c->n_out;
  for (uint32_t i = 0; i < c->n_in; i++) w->source[i] = i;
  for (uint32_t o = 0; o < c->n_out; o++) {
    w->output[o].channel = c->n_in + o;
    w->route[o] = (uint8_t)o;
  }
}

static void wire_nodes(struct wiring *w, const struct network_config *c) {
  const struct network_routers *r = c->routers;
  bool ring = r->topology == NOC_RING, all = r->topology == NETWORK_ALL_TO_ALL;
  uint32_t links = ring ? RING_LOCAL : all ? r->nodes - 1 : LOCAL;
  for (uint32_t n = 0; n < r->nodes; n++) add_router(w, c, n, links);
  for (uint32_t n = 0; n < r->nodes; n++) {
    if (ring) link_ring(w, n, r->nodes);
    else if (all) link_all(w, n, r->nodes);
    else link_mesh(w, n, r->columns, r->nodes);
    for (uint32_t o = 0; o < c->n_out; o++) {
      uint32_t to = r->out_node[o], local = links + local_number(r, o);
      w->route[n * c->n_out + o] = (uint8_t)(n == to ? local
                                             : ring  ? route_ring(n, to, r->nodes)
                                             : all   ? (to + r->nodes - n) % r->nodes - 1
                                                     : route_mesh(n, to, r->columns));
    }
  }
  for (uint32_t o = 0; o < c->n_out; o++) {
    struct output *to = output_of(w, r->out_node[o], links + local_number(r, o));
    to->channel = w->n_inputs + o;
    if (r->last_latency) to->delay = (uint16_t)(r->last_latency - 1);
  }
}

bool routers_wire(struct wiring *w, const struct network_config *c) {
  const struct network_routers *r = c->routers;
  bool crossbar = r->topology == NOC_CROSSBAR;
  uint32_t links = r->topology == NETWORK_ALL_TO_ALL ? r->nodes : LOCAL;
  uint32_t ports = crossbar ? c->n_in + c->n_out : links * r->nodes + c->n_in + c->n_out;
  *w = (struct wiring){.n_routers = crossbar ? 1 : r->nodes};
  w->router = calloc(w->n_routers, sizeof *w->router);
  w->output = calloc(ports, sizeof *w->output);
  w->source = calloc(c->n_in, sizeof *w->source);
  w->route = calloc((size_t)w->n_routers * c->n_out, sizeof *w->route);
  w->router_of = calloc(ports, sizeof *w->router_of);
  if (!w->router || !w->output || !w->source || !w->route || !w->router_of) return false;
  for (uint32_t o = 0; o < ports; o++)
    w->output[o] = (struct output){.channel = CHANNEL_NONE, .holder = ROUTER_NONE, .delay = (uint16_t)(r->latency - 1)};
  if (crossbar) wire_crossbar(w, c);
  else wire_nodes(w, c);
  for (uint32_t n = 0; n < w->n_routers; n++) {
    w->router[n].route = &w->route[(size_t)n * c->n_out];
    for (uint32_t i = 0; i < w->router[n].n_in; i++) w->router_of[w->router[n].in0 + i] = (uint16_t)n;
  }
  return true;
}

void routers_unwire(struct wiring *w) {
  free(w->router);
  free(w->output);
  free(w->source);
  free(w->route);
  free(w->router_of);
}

/* ---- virtual channels ---- */

uint16_t routers_allowed(const struct network_routers *r, bool beyond, uint8_t mc) {
  uint32_t vcs = r->topology == NOC_RING ? r->vcs / 2 : r->vcs;
  uint32_t set = r->vc_alloc == NOC_SVCA ? UINT32_C(1) << mc % vcs : (UINT32_C(1) << vcs) - 1;
  return (uint16_t)(beyond ? set << vcs : set);
}

/* The output that a packet to `out` takes when it has come over `channel`; NULL: it is there. */
static const struct output *next_output(const struct routers *n, uint32_t channel, uint32_t out) {
  const struct wiring *w = &n->w;
  if (channel >= w->n_inputs) return NULL;
  uint32_t router = w->router_of[channel];
  return &w->output[w->router[router].out0 + w->router[router].route[out]];
}

static void mark_route(struct routers *n, uint32_t in, uint32_t out, uint8_t mc) {
  uint32_t channel = n->w.source[in];
  bool beyond = false;
  n->channel[channel].usable |= routers_allowed(&n->c, beyond, mc);
  for (const struct output *o; (o = next_output(n, channel, out));) {
    beyond |= o->dateline;
    channel = o->channel;
    n->channel[channel].usable |= routers_allowed(&n->c, beyond, mc);
  }
}

uint32_t routers_route(const struct network *base, uint32_t in, uint32_t out, uint32_t *links, uint32_t max) {
  const struct routers *n = (const struct routers *)base;
  uint32_t channel = n->w.source[in], count = 0;
  links[count++] = channel;
  for (const struct output *o; count < max && (o = next_output(n, channel, out));)
    links[count++] = channel = o->channel;
  return count;
}

uint32_t routers_links(const struct network *base) {
  const struct routers *n = (const struct routers *)base;
  return n->w.n_inputs + base->config.n_out;
}

void routers_mark_usable(struct routers *n) {
  const struct network_config *c = &n->base.config;
  for (uint32_t i = 0; i < c->n_in; i++)
    for (uint32_t o = 0; o < c->n_out; o++) mark_route(n, i, o, (uint8_t)(n->c.by_source ? i : o));
}
