/* SPDX-License-Identifier: Apache-2.0 */
/* A crossbar of single-queue inputs (head-of-line blocking) and buffered outputs, packets switched whole.
 *
 * In interconnect cycle c an input whose head packet was injected before this edge and whose port is idle asks for its
 * output; an idle output with a free buffer place takes one of them (allocator). A packet of F flits keeps both ports for
 * cycles c .. c+F-1; its last flit is in the output buffer at cycle c + latency + F - 1, and the consumer sees it at its
 * first edge after that one. A place is taken at the grant (credit) and given back when the consumer takes the packet.
 * assumption: an output has out_queue + latency places, those of the buffer and of the pipeline, so that the latency does not
 * limit the rate. */
#include "base/err.h"
#include "noc/network_state.h"

#include <stdlib.h>
#include <string.h>

struct crossbar {
  struct network base;
  uint64_t *asks, *open, *idle;
  uint64_t *preloads; /* inputs whose head packet is of class config.preload */
  struct packet_key *keys;
  uint16_t *grant;
  void *allocator;
  struct allocation view;
};

static bool crossbar_start(struct network *n, struct err *e) {
  struct crossbar *x = (struct crossbar *)n;
  struct network_config *c = &n->config;
  char path[64];
  c->out_queue += c->latency; /* packets on their way are stored in the pipeline */
  x->asks = calloc((size_t)n->in_words * c->n_out, sizeof *x->asks);
  x->open = calloc(n->out_words, sizeof *x->open);
  x->idle = calloc(n->out_words, sizeof *x->idle);
  x->preloads = calloc(n->in_words, sizeof *x->preloads);
  x->keys = calloc(c->n_in, sizeof *x->keys);
  x->grant = calloc(c->n_out, sizeof *x->grant);
  if (!x->asks || !x->open || !x->idle || !x->preloads || !x->keys || !x->grant) {
    err_set(e, ERR_LIMIT, "out of memory for a crossbar of %u x %u", c->n_in, c->n_out);
    return false;
  }
  snprintf(path, sizeof path, "%s.alloc", c->name ? c->name : "noc");
  struct allocator_config allocator = c->allocation;
  allocator.n_in = c->n_in;
  allocator.n_out = c->n_out;
  allocator.path = path;
  allocator.now = &c->clocks->cycle[CLOCK_NOC];
  x->allocator = c->allocator->create(&allocator, e);
  x->view = (struct allocation){.n_in = c->n_in,
                                .n_out = c->n_out,
                                .in_words = n->in_words,
                                .out_words = n->out_words,
                                .asks = x->asks,
                                .open = x->open,
                                .idle = x->idle,
                                .keys = x->keys,
                                .grant = x->grant};
  return x->allocator;
}

static void crossbar_end(struct network *n) {
  struct crossbar *x = (struct crossbar *)n;
  free(x->asks);
  free(x->open);
  free(x->idle);
  free(x->preloads);
  free(x->keys);
  free(x->grant);
  if (x->allocator) n->config.allocator->destroy(x->allocator);
}

static bool output_free(const struct crossbar *x, uint32_t out, uint64_t cycle, uint64_t tick) {
  const struct port *o = &x->base.out[out];
  return o->free_at <= cycle && port_has_room(o, tick);
}

/* Fills the requests of this cycle; returns how many inputs ask. */
static uint32_t gather(struct crossbar *x, uint64_t cycle, uint64_t tick, uint64_t *wake) {
  uint32_t in_words = x->view.in_words, asking = 0;
  memset(x->open, 0, x->view.out_words * sizeof *x->open);
  memset(x->asks, 0, (size_t)in_words * x->view.n_out * sizeof *x->asks);
  for (uint32_t w = 0; w < in_words; w++) {
    for (uint64_t bits = x->base.waiting[w]; bits; bits &= bits - 1) {
      uint32_t in = w * 64 + (uint32_t)__builtin_ctzll(bits);
      const struct port *p = &x->base.in[in];
      const struct packet *head = port_head(p);
      if (p->free_at > cycle || head->tick >= tick) {
        network_earlier(wake, p->free_at > cycle ? network_tick_of(&x->base, p->free_at) : head->tick + 1);
        continue;
      }
      asking++;
      if (!output_free(x, head->out, cycle, tick)) continue;
      x->asks[head->out * in_words + in / 64] |= UINT64_C(1) << in % 64;
      x->open[head->out / 64] |= UINT64_C(1) << head->out % 64;
      x->keys[in] = head->key;
    }
  }
  return asking;
}

/* Leaves of the inputs that ask for an output those that come first, if there are any (noc.prefer). */
static void prefer(struct crossbar *x, uint64_t cycle) {
  const struct network_config *c = &x->base.config;
  bool preloads = c->prefer == NOC_PREFER_PRELOAD || (c->prefer == NOC_PREFER_ALTERNATE && cycle % 2 == 0);
  uint32_t words = x->view.in_words;
  memset(x->preloads, 0, words * sizeof *x->preloads);
  for (uint32_t in = 0; in < x->view.n_in; in++)
    if (x->base.in[in].ring.count && port_head(&x->base.in[in])->key.class == c->preload)
      x->preloads[in / 64] |= UINT64_C(1) << in % 64;
  for (uint32_t o = 0; o < x->view.n_out; o++) {
    uint64_t *asks = &x->asks[o * words], any = 0;
    for (uint32_t w = 0; w < words; w++) any |= asks[w] & (preloads ? x->preloads[w] : ~x->preloads[w]);
    for (uint32_t w = 0; any && w < words; w++) asks[w] &= preloads ? x->preloads[w] : ~x->preloads[w];
  }
}

static void gather_idle(struct crossbar *x, uint64_t cycle, uint64_t tick) {
  memset(x->idle, 0, x->view.out_words * sizeof *x->idle);
  for (uint32_t o = 0; o < x->view.n_out; o++)
    if (output_free(x, o, cycle, tick)) x->idle[o / 64] |= UINT64_C(1) << o % 64;
}

static void move(struct crossbar *x, uint32_t in, uint32_t out, uint64_t cycle, uint64_t tick, uint64_t *wake) {
  struct network *n = &x->base;
  struct port *from = &n->in[in], *to = &n->out[out];
  struct packet *p = port_push(to);
  *p = *port_head(from);
  port_pop(from, tick);
  uint64_t injected = p->tick;
  p->tick = network_tick_of(n, cycle + n->config.latency + p->flits - 1);
  network_count_latency(n, injected, p->tick);
  port_pushed(to, p, tick);
  n->held[out / 64] |= UINT64_C(1) << out % 64;
  from->free_at = to->free_at = cycle + p->flits;
  if (!from->ring.count) n->waiting[in / 64] &= ~(UINT64_C(1) << in % 64);
  else network_earlier(wake, network_tick_of(n, from->free_at));
  network_grant(n, 0, in, out);
  ++*n->config.packets;
  *n->config.flits += p->flits;
}

static uint32_t crossbar_cycle(struct network *n) {
  struct crossbar *x = (struct crossbar *)n;
  const struct allocator_ops *policy = n->config.allocator;
  uint64_t tick = n->config.clocks->next[CLOCK_NOC], cycle = n->config.clocks->cycle[CLOCK_NOC];
  uint64_t period = n->config.clocks->period[CLOCK_NOC], wake = UINT64_MAX;
  uint32_t asking = gather(x, cycle, tick, &wake), moved = 0;
  if (asking > 1 && n->config.prefer != NOC_PREFER_NONE) prefer(x, cycle);
  if (policy->busy) gather_idle(x, cycle, tick);
  if (asking || n->exhaustive || (policy->busy && policy->busy(x->allocator))) policy->allocate(x->allocator, &x->view);
  for (uint32_t w = 0; w < x->view.out_words; w++) {
    for (uint64_t open = x->open[w]; open; open &= open - 1) {
      uint32_t out = w * 64 + (uint32_t)__builtin_ctzll(open);
      if (x->grant[out] == ALLOCATOR_NONE) continue;
      move(x, x->grant[out], out, cycle, tick, &wake);
      moved++;
    }
  }
  *n->config.stalls += asking - moved;
  if (asking > moved || (policy->busy && policy->busy(x->allocator))) network_earlier(&wake, tick + period);
  n->wake = wake;
  return moved;
}

const struct network_ops network_crossbar_ops = {
  .bytes = sizeof(struct crossbar), .start = crossbar_start, .end = crossbar_end, .cycle = crossbar_cycle};
