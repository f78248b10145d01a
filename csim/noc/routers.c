/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "noc/routers_internal.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 1, TAIL = 2, PACKET_SHIFT = 2 }; /* of a flit: packet of the pool, is it its first, its last */

static inline uint64_t bit(uint32_t i) { return UINT64_C(1) << i % 64; }
static inline uint32_t lowest(uint64_t bits) { return (uint32_t)__builtin_ctzll(bits); }

/* The first set bit at or after `from`, round the end. */
static inline uint32_t in_turn(uint64_t bits, uint32_t from) {
  uint64_t after = bits >> from << from;
  return lowest(after ? after : bits);
}

/* ---- construction ---- */

static bool make_state(struct routers *n) {
  const struct network_config *c = &n->base.config;
  uint32_t inputs = n->w.n_inputs, channels = inputs + c->n_out, places = channels * n->vcs;
  n->wheel_slots = n->delay + 1 > 2 ? n->delay + 1 : 2;
  n->wheel_size = n->w.n_outputs + c->n_in;
  n->n_packets = channels * n->vcs * n->c.buffer_flits + c->n_in;
  n->vc = calloc((size_t)inputs * n->vcs, sizeof *n->vc);
  n->flits = calloc(((size_t)inputs * n->vcs) << n->depth_shift, sizeof *n->flits);
  n->input = calloc(inputs, sizeof *n->input);
  n->channel = calloc(channels, sizeof *n->channel);
  n->credits = calloc(places, sizeof *n->credits);
  n->producer = calloc(c->n_in, sizeof *n->producer);
  n->consumer = calloc(c->n_out, sizeof *n->consumer);
  n->sending = calloc(n->base.in_words, sizeof *n->sending);
  n->holding = calloc(n->base.out_words, sizeof *n->holding);
  n->working = calloc((n->w.n_routers + 63) / 64, sizeof *n->working);
  n->pool = calloc(n->n_packets, sizeof *n->pool);
  n->heading = calloc(n->n_packets, sizeof *n->heading);
  n->free_packets = calloc(n->n_packets, sizeof *n->free_packets);
  n->wheel = calloc((size_t)n->wheel_slots * n->wheel_size, sizeof *n->wheel);
  n->wheel_count = calloc(n->wheel_slots, sizeof *n->wheel_count);
  n->returns = calloc((size_t)places * n->c.buffer_flits, sizeof *n->returns);
  return n->vc && n->flits && n->input && n->channel && n->credits && n->producer && n->consumer && n->sending &&
         n->holding && n->working && n->pool && n->heading && n->free_packets && n->wheel && n->wheel_count &&
         n->returns;
}

/* Every buffer empty, every credit at its place. */
static bool fill_state(struct routers *n) {
  const struct network_config *c = &n->base.config;
  uint32_t channels = n->w.n_inputs + c->n_out;
  for (uint32_t i = 0; i < channels; i++) n->channel[i].free = n->channel[i].credit = (uint16_t)((1U << n->vcs) - 1);
  for (uint32_t i = 0; i < channels * n->vcs; i++)
    n->credits[i] = (uint16_t)(i < n->w.n_inputs * n->vcs ? n->c.buffer_flits : n->c.consumer_flits);
  for (uint32_t i = 0; i < n->w.n_inputs; i++) n->input[i].held = ROUTER_NONE;
  for (uint32_t i = 0; i < n->n_packets; i++) n->free_packets[n->n_free++] = n->n_packets - 1 - i;
  for (uint32_t i = 0; i < c->n_in; i++) n->producer[i].channel = n->w.source[i];
  for (uint32_t o = 0; o < c->n_out; o++) {
    n->consumer[o].ring.size = n->vcs * n->c.consumer_flits;
    n->consumer[o].held = calloc(c->out_queue, sizeof *n->consumer[o].held);
    if (!n->consumer[o].held) return false;
  }
  for (uint32_t k = 0; k < 512; k++) n->allowed[k / 256][k % 256] = routers_allowed(&n->c, k / 256, (uint8_t)(k % 256));
  routers_mark_usable(n);
  return true;
}

static bool make_allocators(struct routers *n, struct err *e) {
  const struct network_config *c = &n->base.config;
  for (uint32_t r = 0; r < n->w.n_routers; r++) {
    char path[64];
    if (n->c.topology == NOC_CROSSBAR) snprintf(path, sizeof path, "%s.alloc", c->name);
    else snprintf(path, sizeof path, "%s.r%u.alloc", c->name, r);
    struct allocator_config a = c->allocation;
    a.n_in = n->w.router[r].n_in;
    a.n_out = n->w.router[r].n_out;
    a.path = path;
    a.now = &c->clocks->cycle[CLOCK_NOC];
    n->w.router[r].allocator = c->allocator->create(&a, e);
    if (!n->w.router[r].allocator) return false;
  }
  return true;
}

static bool routers_start(struct network *base, struct err *e) {
  struct routers *n = (struct routers *)base;
  struct network_config *c = &base->config;
  if (routers_check(c, e)) return false;
  n->c = *c->routers;
  if (!n->c.consumer_flits) n->c.consumer_flits = n->c.buffer_flits;
  n->vcs = n->c.vcs;
  n->delay = n->c.latency - 1;
  n->depth_shift = n->c.buffer_flits == 1 ? 0 : 32 - (uint32_t)__builtin_clz(n->c.buffer_flits - 1);
  n->rows = c->allocator->compares_rows;
  n->holds = c->allocator->holds;
  n->ring = n->c.topology == NOC_RING;
  n->view = (struct allocation){.in_words = 1,
                                .out_words = 1,
                                .asks = n->asks,
                                .open = &n->open,
                                .idle = &n->idle,
                                .keys = n->keys,
                                .grant = n->grant};
  c->out_queue = n->vcs * n->c.consumer_flits + 1; /* as many packets as there are flits, at the most */
  if (!routers_wire(&n->w, c) || !make_state(n) || !fill_state(n)) {
    err_set(e, ERR_LIMIT, "out of memory for the routers of %s", c->title);
    return false;
  }
  c->routers = &n->c; /* the caller's may go */
  return make_allocators(n, e);
}

static void routers_end(struct network *base) {
  struct routers *n = (struct routers *)base;
  for (uint32_t r = 0; n->w.router && r < n->w.n_routers; r++)
    if (n->w.router[r].allocator) base->config.allocator->destroy(n->w.router[r].allocator);
  for (uint32_t o = 0; n->consumer && o < base->config.n_out; o++) free(n->consumer[o].held);
  routers_unwire(&n->w);
  free(n->vc);
  free(n->flits);
  free(n->input);
  free(n->channel);
  free(n->credits);
  free(n->producer);
  free(n->consumer);
  free(n->sending);
  free(n->holding);
  free(n->working);
  free(n->pool);
  free(n->heading);
  free(n->free_packets);
  free(n->wheel);
  free(n->wheel_count);
  free(n->returns);
}

/* ---- credits ---- */

static void give_credit(struct routers *n, uint32_t channel, uint32_t vc, uint32_t flits) {
  uint16_t *credits = &n->credits[channel * n->vcs + vc];
  *credits = (uint16_t)(*credits + flits);
  n->channel[channel].credit |= (uint16_t)(1U << vc);
  invariant(*credits <= n->c.buffer_flits, "%s: channel %u has %u credits for a buffer of %u", n->base.config.title,
            channel, *credits, n->c.buffer_flits);
}

static inline void take_credit(struct routers *n, uint32_t channel, uint32_t vc) {
  if (!--n->credits[channel * n->vcs + vc]) n->channel[channel].credit &= (uint16_t) ~(1U << vc);
}

/* Those of flits that left in the cycle before, and of packets that consumers took before this tick. */
static void take_back_credits(struct routers *n, uint64_t tick) {
  for (uint32_t i = 0; i < n->n_returns; i++)
    give_credit(n, n->returns[i] >> VC_BITS, n->returns[i] & (ROUTER_VCS - 1), 1);
  n->n_returns = 0;
  if (n->c.sink) return;
  for (uint32_t w = 0; w < n->base.out_words; w++)
    for (uint64_t bits = n->holding[w]; bits; bits &= bits - 1) {
      uint32_t out = w * 64 + lowest(bits);
      struct consumer *k = &n->consumer[out];
      const struct port *p = &n->base.out[out];
      for (uint64_t pops = p->pops - (p->popped == tick); k->returned < pops; k->returned++) {
        const struct held_places *h = &k->held[ring_pop(&k->ring)];
        give_credit(n, n->w.n_inputs + out, h->vc, h->flits);
      }
      if (!k->ring.count) n->holding[w] &= ~bit(out);
    }
}

/* ---- virtual-channel allocation ---- */

static inline uint32_t front(const struct routers *n, uint32_t channel, uint32_t v) {
  uint32_t place = channel * n->vcs + v;
  return n->flits[((size_t)place << n->depth_shift) + n->vc[place].head];
}

static inline bool beyond_dateline(const struct routers *n, const struct router *r, uint32_t out, uint32_t v) {
  return n->ring && (v >= n->vcs / 2 || n->w.output[r->out0 + out].dateline);
}

/* The packet at the front of a virtual channel of an input needs an output and a virtual channel there. */
static void face_front(struct routers *n, struct router *r, uint32_t in, uint32_t v) {
  struct vc *vc = &n->vc[(r->in0 + in) * n->vcs + v];
  const struct heading *h = &n->heading[front(n, r->in0 + in, v) >> PACKET_SHIFT];
  vc->out = r->route[h->out];
  vc->allowed = n->allowed[beyond_dateline(n, r, vc->out, v)][h->mc];
  r->futile = false;
  n->heads++;
  n->input[r->in0 + in].waiting |= (uint16_t)(1U << v);
  r->waiting |= bit(in);
}

static inline bool eligible(const struct routers *n, const struct router *r, const struct vc *vc) {
  return vc->allowed & n->channel[n->w.output[r->out0 + vc->out].channel].free;
}

static inline void offer(struct routers *n, const struct router *r, uint32_t in, uint32_t v) {
  const struct vc *vc = &n->vc[(r->in0 + in) * n->vcs + v];
  if (!(n->open & bit(vc->out))) n->asks[vc->out] = 0;
  n->open |= bit(vc->out);
  n->asks[vc->out] |= bit(in);
  n->offer[in * ROUTER_PORTS + vc->out] = (uint16_t)v;
}

/* The packets that an input shows to the allocator: the one whose output it holds, else one in turn (rule 21 of the
 * specification: ours); or, offer_all, one in turn for each output. `stuck`: outputs of heads without a free channel. */
static void offer_input(struct routers *n, const struct router *r, uint32_t in, uint64_t *stuck) {
  const struct input *p = &n->input[r->in0 + in];
  const struct vc *vc = &n->vc[(r->in0 + in) * n->vcs];
  uint32_t can = 0, held = 0, alone = lowest(p->waiting);
  if (p->waiting == 1U << alone && !n->rows) { /* as is usual */
    if (eligible(n, r, &vc[alone])) offer(n, r, in, alone);
    else *stuck |= bit(vc[alone].out);
    return;
  }
  for (uint32_t bits = p->waiting; bits; bits &= bits - 1) {
    uint32_t v = lowest(bits);
    if (!eligible(n, r, &vc[v])) *stuck |= bit(vc[v].out);
    else can |= 1U << v;
    if (vc[v].out == p->held) held |= 1U << v;
  }
  if (!can) return;
  if (n->rows || !n->c.offer_all) {
    uint32_t v = in_turn(can & held ? can & held : can, p->next_offer);
    offer(n, r, in, v);
    if (n->rows) n->keys[in] = n->pool[front(n, r->in0 + in, v) >> PACKET_SHIFT].key;
    return;
  }
  uint64_t outputs = 0;
  for (uint32_t bits = can, v; bits; bits &= ~(1U << v)) {
    v = in_turn(bits, p->next_offer);
    if (!(outputs & bit(vc[v].out))) offer(n, r, in, v);
    outputs |= bit(vc[v].out);
  }
}

/* Who holds what, as far as the offers need it: a grant replaces those of its row and column. */
static void hold(struct routers *n, const struct router *r, uint32_t in, uint32_t out) {
  struct input *p = &n->input[r->in0 + in];
  struct output *o = &n->w.output[r->out0 + out];
  if (o->holder != ROUTER_NONE) n->input[r->in0 + o->holder].held = ROUTER_NONE;
  if (p->held != ROUTER_NONE) n->w.output[r->out0 + p->held].holder = ROUTER_NONE;
  p->held = (uint16_t)out;
  o->holder = (uint16_t)in;
}

/* The packet has its virtual channel. */
static void enter_channel(struct routers *n, struct router *r, uint32_t in, uint32_t out) {
  uint32_t v = n->offer[in * ROUTER_PORTS + out];
  struct input *p = &n->input[r->in0 + in];
  struct vc *vc = &n->vc[(r->in0 + in) * n->vcs + v];
  struct channel *c = &n->channel[n->w.output[r->out0 + out].channel];
  uint8_t may = vc->allowed & c->free, now = may & c->credit;
  vc->out_vc = (uint16_t)lowest(now ? now : may);
  c->free &= (uint16_t) ~(1U << vc->out_vc);
  p->waiting &= (uint16_t) ~(1U << v);
  p->active |= (uint16_t)(1U << v);
  p->next_offer = (uint16_t)(v + 1 == n->vcs ? 0 : v + 1);
  n->heads--;
  n->granted++;
  network_grant(&n->base, (uint32_t)(r - n->w.router), in, out);
  if (!p->waiting) r->waiting &= ~bit(in);
  r->active |= bit(in);
  if (n->holds) hold(n, r, in, out);
}

/* Outputs that no packet keeps: with a free virtual channel that anybody uses. One whose packets all wait for a channel of
 * theirs is kept as well (with static assignment others may be free). */
static void gather_idle(struct routers *n, const struct router *r, uint64_t stuck) {
  n->idle = 0;
  for (uint32_t o = 0; o < r->n_out; o++) {
    uint32_t channel = n->w.output[r->out0 + o].channel;
    if (channel == CHANNEL_NONE) continue;
    if (n->channel[channel].free & n->channel[channel].usable) n->idle |= bit(o);
  }
  n->idle &= ~(stuck & ~n->open);
}

/* Holds of idle outputs whose holder did not ask are over (the policy's own memory says the same one grace later). */
static void drop_holds(struct routers *n, const struct router *r) {
  for (uint64_t idle = n->idle; idle; idle &= idle - 1) {
    uint32_t out = lowest(idle);
    struct output *o = &n->w.output[r->out0 + out];
    if (o->holder == ROUTER_NONE || ((n->open & bit(out)) && (n->asks[out] & bit(o->holder)))) continue;
    n->input[r->in0 + o->holder].held = ROUTER_NONE;
    o->holder = ROUTER_NONE;
  }
}

static void allocate_channels(struct routers *n, struct router *r) {
  const struct allocator_ops *policy = n->base.config.allocator;
  uint64_t stuck = 0;
  n->open = 0;
  for (uint64_t bits = r->waiting; bits; bits &= bits - 1) offer_input(n, r, lowest(bits), &stuck);
  if (policy->busy) gather_idle(n, r, stuck);
  if (n->holds) drop_holds(n, r);
  r->futile = !n->open && !n->holds && !policy->busy;
  if (!n->open && !r->busy && !n->base.exhaustive) return;
  n->view.n_in = r->n_in;
  n->view.n_out = r->n_out;
  policy->allocate(r->allocator, &n->view);
  for (uint64_t bits = n->open; bits; bits &= bits - 1)
    if (n->grant[lowest(bits)] != ALLOCATOR_NONE) enter_channel(n, r, n->grant[lowest(bits)], lowest(bits));
  if (policy->busy) r->busy = policy->busy(r->allocator);
}

/* ---- switch allocation ---- */

static inline void send(struct routers *n, uint32_t channel, uint32_t vc, uint32_t flit, uint32_t delay) {
  uint32_t slot = n->slot + delay;
  if (slot >= n->wheel_slots) slot -= n->wheel_slots;
  n->wheel[(size_t)slot * n->wheel_size + n->wheel_count[slot]++] = (struct arrival){channel << VC_BITS | vc, flit};
  n->on_the_way++;
}

/* A flit leaves virtual channel v of an input. */
static void traverse(struct routers *n, struct router *r, uint32_t in, uint32_t v) {
  struct input *p = &n->input[r->in0 + in];
  uint32_t place = (r->in0 + in) * n->vcs + v;
  struct vc *vc = &n->vc[place];
  uint32_t flit = n->flits[((size_t)place << n->depth_shift) + vc->head];
  uint32_t channel = n->w.output[r->out0 + vc->out].channel;
  vc->head = (uint16_t)((vc->head + 1) & ((1U << n->depth_shift) - 1));
  vc->count--;
  take_credit(n, channel, vc->out_vc);
  n->returns[n->n_returns++] = (r->in0 + in) << VC_BITS | v;
  send(n, channel, vc->out_vc, flit, n->w.output[r->out0 + vc->out].delay);
  if (n->base.config.hops && channel < n->w.n_inputs) ++*n->base.config.hops; /* behind the inputs are consumers */
  p->next_send = (uint16_t)(v + 1 == n->vcs ? 0 : v + 1);
  if (flit & TAIL) {
    n->channel[channel].free |= (uint16_t)(1U << vc->out_vc);
    r->futile = false;
  }
  if (!(flit & TAIL) && vc->count) return;
  p->active &= (uint16_t) ~(1U << v);
  if (!p->active) r->active &= ~bit(in);
  if (flit & TAIL && vc->count) face_front(n, r, in, v);
}

static uint32_t allocate_switch(struct routers *n, struct router *r) {
  uint64_t asked = 0;
  uint32_t moved = 0;
  for (uint64_t bits = r->active; bits; bits &= bits - 1) {
    uint32_t in = lowest(bits), ready = 0;
    const struct input *p = &n->input[r->in0 + in];
    const struct vc *vc = &n->vc[(r->in0 + in) * n->vcs];
    for (uint32_t vs = p->active; vs; vs &= vs - 1) { /* one, as a rule */
      uint32_t v = lowest(vs);
      const struct channel *c = &n->channel[n->w.output[r->out0 + vc[v].out].channel];
      ready |= (uint32_t)(c->credit >> vc[v].out_vc & 1) << v;
    }
    if (!ready) continue;
    uint32_t v = in_turn(ready, p->next_send), out = vc[v].out;
    if (!(asked & bit(out))) n->asks[out] = 0;
    asked |= bit(out);
    n->asks[out] |= bit(in);
    n->offer[in * ROUTER_PORTS + out] = (uint16_t)v;
  }
  for (; asked; asked &= asked - 1, moved++) {
    uint32_t out = lowest(asked);
    struct output *o = &n->w.output[r->out0 + out];
    uint32_t in = in_turn(n->asks[out], o->first);
    o->first = (uint16_t)(in + 1 == r->n_in ? 0 : in + 1);
    traverse(n, r, in, n->offer[in * ROUTER_PORTS + out]);
  }
  return moved;
}

/* ---- producers ---- */

/* The next packet of the queue begins, if a virtual channel has room. */
static bool begin_packet(struct routers *n, uint32_t in, uint64_t tick, uint64_t *wake) {
  struct network *base = &n->base;
  struct producer *s = &n->producer[in];
  struct port *port = &base->in[in];
  uint16_t credit = n->channel[s->channel].credit;
  if (s->lacks && !(s->lacks & credit)) {
    ++*base->config.stalls;
    return false;
  }
  const struct packet *p = port_head(port);
  if (p->tick >= tick) {
    network_earlier(wake, p->tick + 1);
    return false;
  }
  uint32_t may = n->allowed[0][p->key.mc] & credit;
  if (!may) {
    s->lacks = n->allowed[0][p->key.mc];
    ++*base->config.stalls;
    return false;
  }
  s->lacks = 0;
  s->vc = (uint16_t)in_turn(may, s->next);
  s->next = (uint16_t)(s->vc + 1U == n->vcs ? 0 : s->vc + 1);
  s->packet = n->free_packets[--n->n_free];
  s->flits = p->flits;
  n->pool[s->packet] = *p;
  n->heading[s->packet] = (struct heading){p->out, p->key.mc};
  port_pop(port, tick);
  if (!port->ring.count) base->waiting[in / 64] &= ~bit(in);
  n->sending[in / 64] |= bit(in);
  ++*base->config.packets;
  *base->config.flits += s->flits;
  return true;
}

static uint32_t produce(struct routers *n, uint64_t tick, uint64_t *wake) {
  uint32_t moved = 0;
  for (uint32_t w = 0; w < n->base.in_words; w++)
    for (uint64_t bits = n->base.waiting[w] | n->sending[w]; bits; bits &= bits - 1) {
      uint32_t in = w * 64 + lowest(bits), first = 0;
      struct producer *s = &n->producer[in];
      if (!(n->sending[w] & bit(in))) {
        if (!begin_packet(n, in, tick, wake)) continue;
        first = HEAD;
      } else if (!(n->channel[s->channel].credit >> s->vc & 1)) continue;
      uint32_t last = --s->flits ? 0 : TAIL;
      take_credit(n, s->channel, s->vc);
      send(n, s->channel, s->vc, s->packet << PACKET_SHIFT | first | last, 1);
      if (last) n->sending[w] &= ~bit(in);
      moved++;
    }
  return moved;
}

/* ---- arrivals ---- */

static void consume(struct routers *n, uint32_t out, uint32_t v, uint32_t flit, uint64_t tick) {
  if (n->c.sink) n->returns[n->n_returns++] = (n->w.n_inputs + out) << VC_BITS | v;
  if (!(flit & TAIL)) return;
  uint32_t id = flit >> PACKET_SHIFT;
  struct packet *p = &n->pool[id];
  struct port *port = &n->base.out[out];
  network_count_latency(&n->base, p->tick, tick);
  p->tick = tick;
  invariant(!ring_full(&port->ring), "%s: output %u overflows", n->base.config.title, out);
  *port_push(port) = *p;
  port_pushed(port, p, tick);
  n->base.held[out / 64] |= bit(out);
  n->free_packets[n->n_free++] = id;
  if (n->c.sink) return;
  struct consumer *k = &n->consumer[out];
  k->held[ring_push(&k->ring)] = (struct held_places){p->flits, (uint16_t)v};
  n->holding[out / 64] |= bit(out);
}

static void arrive(struct routers *n, uint64_t tick) {
  uint32_t slot = n->slot, count = n->wheel_count[slot];
  const struct arrival *a = &n->wheel[(size_t)slot * n->wheel_size];
  n->wheel_count[slot] = 0;
  n->on_the_way -= count;
  for (uint32_t i = 0; i < count; i++, a++) {
    uint32_t channel = a->channel_vc >> VC_BITS, v = a->channel_vc & (ROUTER_VCS - 1), place = channel * n->vcs + v;
    if (channel >= n->w.n_inputs) {
      consume(n, channel - n->w.n_inputs, v, a->flit, tick);
      continue;
    }
    uint32_t which = n->w.router_of[channel];
    struct router *r = &n->w.router[which];
    struct vc *vc = &n->vc[place];
    uint32_t at = (vc->head + vc->count++) & ((1U << n->depth_shift) - 1), in = channel - r->in0;
    n->flits[((size_t)place << n->depth_shift) + at] = a->flit;
    n->working[which / 64] |= bit(which);
    if (vc->count > 1) continue;
    if (a->flit & HEAD) face_front(n, r, in, v);
    else {
      n->input[channel].active |= (uint16_t)(1U << v);
      r->active |= bit(in);
    }
  }
}

/* ---- a cycle ---- */

/* Cycles until flits that are on the way enter a buffer; they are all that moves. */
static uint32_t until_arrival(const struct routers *n) {
  uint32_t slot = n->slot, cycles = 0;
  do {
    cycles++;
    slot = slot + 1 == n->wheel_slots ? 0 : slot + 1;
  } while (!n->wheel_count[slot]);
  return cycles;
}

static uint32_t routers_cycle(struct network *base) {
  struct routers *n = (struct routers *)base;
  const struct clocks *clocks = base->config.clocks;
  uint64_t tick = clocks->next[CLOCK_NOC], wake = UINT64_MAX, inside = 0;
  uint32_t moved = 0;
  n->slot = (uint32_t)(clocks->cycle[CLOCK_NOC] % n->wheel_slots);
  uint64_t asking = n->heads, before = n->granted;
  take_back_credits(n, tick);
  for (uint32_t w = 0; w < (n->w.n_routers + 63) / 64; w++) {
    uint64_t bits = n->working[w];
    if (base->exhaustive) bits = n->w.n_routers - w * 64 >= 64 ? UINT64_MAX : bit(n->w.n_routers) - 1;
    for (; bits; bits &= bits - 1) {
      struct router *r = &n->w.router[w * 64 + lowest(bits)];
      if ((r->waiting && !r->futile) || r->busy || base->exhaustive) allocate_channels(n, r);
      if (r->active) moved += allocate_switch(n, r);
      if (!r->waiting && !r->active && !r->busy) n->working[w] &= ~(bits & -bits);
    }
    inside |= n->working[w];
  }
  *base->config.stalls += asking - (n->granted - before);
  moved += produce(n, tick, &wake);
  arrive(n, tick);
  for (uint32_t w = 0; w < base->in_words; w++) inside |= n->sending[w] | base->waiting[w];
  for (uint32_t w = 0; w < (n->w.n_routers + 63) / 64; w++) inside |= n->working[w];
  if (inside) wake = tick + clocks->period[CLOCK_NOC];
  else if (n->on_the_way) network_earlier(&wake, tick + until_arrival(n) * clocks->period[CLOCK_NOC]);
  base->wake = wake;
  return moved;
}

static void routers_describe(const struct network *base, FILE *out) {
  const struct routers *n = (const struct routers *)base;
  for (uint32_t r = 0; r < n->w.n_routers; r++) {
    const struct router *router = &n->w.router[r];
    uint32_t flits = 0;
    for (uint32_t i = 0; i < router->n_in * n->vcs; i++) flits += n->vc[router->in0 * n->vcs + i].count;
    if (flits)
      fprintf(out, "%s: router %u holds %u flits, %d inputs wait for a virtual channel\n", base->config.title, r, flits,
              __builtin_popcountll(router->waiting));
  }
}

const struct network_ops network_routers_ops = {.bytes = sizeof(struct routers),
                                                .start = routers_start,
                                                .end = routers_end,
                                                .cycle = routers_cycle,
                                                .describe = routers_describe,
                                                .route = routers_route,
                                                .links = routers_links};
