/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/crossbar.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

struct packet {
  struct mem_request request;
  uint64_t tick; /* when it entered the queue, or when its last flit enters the buffer: seen at later edges */
  uint16_t out, flits;
};

/* A ring of packets and the port it feeds or is fed by. */
struct port {
  _Alignas(64) struct packet *slots; /* a line of memory each: several host threads look */
  uint32_t head, count;
  uint64_t popped;  /* tick of the last pop */
  uint64_t free_at; /* first cycle in which the port is idle */
  /* Producer and consumer may look while an edge of the same tick is executed in another host thread: what they look at is
   * one word each, and both of its values mean the same at this tick. */
  uint64_t seen_at; /* first tick at which the head is seen */
  uint64_t room_at; /* first tick at which there is room for a packet */
};

struct crossbar {
  struct crossbar_config config;
  struct port *in, *out;
  uint64_t wake;
  uint64_t *waiting; /* inputs with a packet */
  uint64_t *asks, *open;
  const struct mem_request **heads;
  uint16_t *grant;
  void *allocator;
  struct allocation view;
};

static bool make_ports(struct port **ports, uint32_t n, uint32_t queue) {
  *ports = aligned_alloc(_Alignof(struct port), n * sizeof **ports);
  if (!*ports) return false;
  memset(*ports, 0, n * sizeof **ports);
  struct packet *slots = calloc((size_t)n * queue, sizeof *slots);
  if (!slots) return false;
  for (uint32_t i = 0; i < n; i++)
    (*ports)[i] = (struct port){.slots = slots + (size_t)i * queue, .popped = UINT64_MAX, .seen_at = UINT64_MAX};
  return true;
}

struct crossbar *crossbar_create(const struct crossbar_config *config, struct err *e) {
  struct crossbar *x = calloc(1, sizeof *x);
  if (!x) goto fail;
  x->config = *config;
  x->config.out_queue += config->latency; /* packets on their way are stored in the pipeline */
  x->wake = UINT64_MAX;
  uint32_t in_words = (config->n_in + 63) / 64, out_words = (config->n_out + 63) / 64;
  x->waiting = calloc(in_words, sizeof *x->waiting);
  x->asks = calloc((size_t)in_words * config->n_out, sizeof *x->asks);
  x->open = calloc(out_words, sizeof *x->open);
  x->heads = calloc(config->n_in, sizeof *x->heads);
  x->grant = calloc(config->n_out, sizeof *x->grant);
  x->allocator = config->allocator->create(config->n_in, config->n_out);
  if (!x->waiting || !x->asks || !x->open || !x->heads || !x->grant || !x->allocator) goto fail;
  if (!make_ports(&x->in, config->n_in, config->in_queue)) goto fail;
  if (!make_ports(&x->out, config->n_out, x->config.out_queue)) goto fail;
  x->view = (struct allocation){.n_in = config->n_in,
                                .n_out = config->n_out,
                                .in_words = in_words,
                                .out_words = out_words,
                                .asks = x->asks,
                                .open = x->open,
                                .heads = x->heads,
                                .grant = x->grant};
  return x;
fail:
  err_set(e, ERR_LIMIT, "out of memory for a crossbar of %u x %u", config->n_in, config->n_out);
  crossbar_destroy(x);
  return NULL;
}

void crossbar_destroy(struct crossbar *x) {
  if (!x) return;
  if (x->in) free(x->in[0].slots);
  if (x->out) free(x->out[0].slots);
  free(x->in);
  free(x->out);
  free(x->waiting);
  free(x->asks);
  free(x->open);
  free(x->heads);
  free(x->grant);
  free(x->allocator);
  free(x);
}

static void tell(uint64_t *word, uint64_t tick) { __atomic_store_n(word, tick, __ATOMIC_RELEASE); }
static uint64_t told(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/* A slot freed at this very tick is free from the next edge on. */
static bool has_room(const struct port *p, uint32_t queue, uint64_t tick) {
  return p->count + (p->popped == tick) < queue;
}

static void tell_room(struct port *p, uint32_t queue, uint64_t tick) {
  tell(&p->room_at, has_room(p, queue, tick) ? 0 : p->count < queue ? tick + 1 : UINT64_MAX);
}

static void push(struct port *p, uint32_t queue, const struct packet *packet, uint64_t tick) {
  uint32_t at = p->head + p->count++;
  p->slots[at >= queue ? at - queue : at] = *packet;
  if (p->count == 1) tell(&p->seen_at, packet->tick + 1);
  tell_room(p, queue, tick);
}

static void pop(struct port *p, uint32_t queue, uint64_t tick) {
  p->head = p->head + 1 == queue ? 0 : p->head + 1;
  p->count--;
  p->popped = tick;
  uint64_t seen = p->count ? p->slots[p->head].tick + 1 : UINT64_MAX;
  tell(&p->seen_at, seen > tick ? seen : tick + 1);
  tell_room(p, queue, tick);
}

bool crossbar_can_inject(const struct crossbar *x, uint32_t in, uint64_t tick) {
  return told(&x->in[in].room_at) <= tick;
}

void crossbar_inject(struct crossbar *x, uint32_t in, uint32_t out, const struct mem_request *r, uint32_t data_bytes,
                     uint64_t tick) {
  invariant(has_room(&x->in[in], x->config.in_queue, tick), "packet injected into the full queue of input %u", in);
  uint32_t flits = (NOC_HEADER_BYTES + data_bytes + x->config.flit_bytes - 1) / x->config.flit_bytes;
  struct packet p = {.request = *r, .tick = tick, .out = (uint16_t)out, .flits = (uint16_t)flits};
  push(&x->in[in], x->config.in_queue, &p, tick);
  x->waiting[in / 64] |= UINT64_C(1) << in % 64;
  if (tick + 1 < x->wake) x->wake = tick + 1;
}

const struct mem_request *crossbar_head(const struct crossbar *x, uint32_t out, uint64_t tick) {
  const struct port *p = &x->out[out];
  return told(&p->seen_at) <= tick ? &p->slots[p->head].request : NULL;
}

void crossbar_pop(struct crossbar *x, uint32_t out, uint64_t tick) { pop(&x->out[out], x->config.out_queue, tick); }

uint64_t crossbar_head_tick(const struct crossbar *x, uint32_t out) { return told(&x->out[out].seen_at); }

const uint64_t *crossbar_head_word(const struct crossbar *x, uint32_t out) { return &x->out[out].seen_at; }

uint64_t crossbar_wake(const struct crossbar *x) { return x->wake; }

static uint64_t tick_of(const struct clocks *c, uint64_t cycle) {
  return c->next[CLOCK_NOC] + (cycle - c->cycle[CLOCK_NOC]) * c->period[CLOCK_NOC];
}

static void earlier(uint64_t *wake, uint64_t tick) {
  if (tick < *wake) *wake = tick;
}

/* Fills the requests of this cycle; returns how many inputs ask. */
static uint32_t gather(struct crossbar *x, uint64_t cycle, uint64_t tick, uint64_t *wake) {
  uint32_t in_words = x->view.in_words, asking = 0;
  memset(x->open, 0, x->view.out_words * sizeof *x->open);
  memset(x->asks, 0, (size_t)in_words * x->view.n_out * sizeof *x->asks);
  for (uint32_t w = 0; w < in_words; w++) {
    for (uint64_t bits = x->waiting[w]; bits; bits &= bits - 1) {
      uint32_t in = w * 64 + (uint32_t)__builtin_ctzll(bits);
      const struct port *p = &x->in[in];
      const struct packet *head = &p->slots[p->head];
      if (p->free_at > cycle || head->tick >= tick) {
        earlier(wake, p->free_at > cycle ? tick_of(x->config.clocks, p->free_at) : head->tick + 1);
        continue;
      }
      asking++;
      const struct port *o = &x->out[head->out];
      if (o->free_at > cycle || !has_room(o, x->config.out_queue, tick)) continue;
      x->asks[head->out * in_words + in / 64] |= UINT64_C(1) << in % 64;
      x->open[head->out / 64] |= UINT64_C(1) << head->out % 64;
      x->heads[in] = &head->request;
    }
  }
  return asking;
}

static void move(struct crossbar *x, uint32_t in, uint32_t out, uint64_t cycle, uint64_t tick, uint64_t *wake) {
  struct port *from = &x->in[in], *to = &x->out[out];
  struct packet p = from->slots[from->head];
  pop(from, x->config.in_queue, tick);
  p.tick = tick_of(x->config.clocks, cycle + x->config.latency + p.flits - 1);
  push(to, x->config.out_queue, &p, tick);
  from->free_at = to->free_at = cycle + p.flits;
  if (!from->count) x->waiting[in / 64] &= ~(UINT64_C(1) << in % 64);
  else earlier(wake, tick_of(x->config.clocks, from->free_at));
  ++*x->config.packets;
  *x->config.flits += p.flits;
}

uint32_t crossbar_cycle(struct crossbar *x) {
  uint64_t tick = x->config.clocks->next[CLOCK_NOC], cycle = x->config.clocks->cycle[CLOCK_NOC];
  uint64_t wake = UINT64_MAX;
  uint32_t asking = gather(x, cycle, tick, &wake), moved = 0;
  if (asking) x->config.allocator->allocate(x->allocator, &x->view);
  for (uint32_t w = 0; w < x->view.out_words; w++) {
    for (uint64_t open = x->open[w]; open; open &= open - 1) {
      uint32_t out = w * 64 + (uint32_t)__builtin_ctzll(open);
      if (x->grant[out] == ALLOCATOR_NONE) continue;
      move(x, x->grant[out], out, cycle, tick, &wake);
      moved++;
    }
  }
  *x->config.stalls += asking - moved;
  if (asking > moved) earlier(&wake, tick + x->config.clocks->period[CLOCK_NOC]);
  x->wake = wake;
  return moved;
}

void crossbar_describe(const struct crossbar *x, const char *name, FILE *out) {
  uint64_t tick = x->config.clocks->next[CLOCK_NOC];
  for (uint32_t i = 0; i < x->config.n_in; i++) {
    const struct port *p = &x->in[i];
    if (p->count)
      fprintf(out, "%s: input %u holds %u packets, the first (%llu bytes at 0x%llx) for output %u\n", name, i, p->count,
              (unsigned long long)p->slots[p->head].request.bytes,
              (unsigned long long)p->slots[p->head].request.address, p->slots[p->head].out);
  }
  for (uint32_t o = 0; o < x->config.n_out; o++)
    if (x->out[o].count)
      fprintf(out, "%s: output %u holds %u packets, the first %s\n", name, o, x->out[o].count,
              crossbar_head(x, o, tick) ? "arrived" : "on its way");
}
