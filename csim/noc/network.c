/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/network.h"

#include "base/err.h"
#include "noc/network_state.h"

#include <stdlib.h>
#include <string.h>

static bool make_ports(struct port **ports, uint32_t n, uint32_t queue) {
  *ports = aligned_alloc(_Alignof(struct port), n * sizeof **ports);
  if (!*ports) return false;
  memset(*ports, 0, n * sizeof **ports);
  struct packet *slots = calloc((size_t)n * queue, sizeof *slots);
  if (!slots) return false;
  for (uint32_t i = 0; i < n; i++)
    (*ports)[i] = (struct port){
      .slots = slots + (size_t)i * queue, .ring.size = queue, .popped = UINT64_MAX, .seen_at = UINT64_MAX};
  return true;
}

static struct network *create(const struct network_ops *ops, const struct network_config *config, struct err *e) {
  struct network *n = calloc(1, ops->bytes);
  if (!n) {
    err_set(e, ERR_LIMIT, "out of memory for a network of %u x %u", config->n_in, config->n_out);
    return NULL;
  }
  n->ops = ops;
  n->config = *config;
  n->wake = UINT64_MAX;
  n->in_words = (config->n_in + 63) / 64;
  n->out_words = (config->n_out + 63) / 64;
  if (!ops->start(n, e)) {
    network_destroy(n);
    return NULL;
  }
  n->waiting = calloc(n->in_words, sizeof *n->waiting);
  n->held = calloc(n->out_words, sizeof *n->held);
  if (n->waiting && n->held && make_ports(&n->in, config->n_in, n->config.in_queue) &&
      make_ports(&n->out, config->n_out, n->config.out_queue))
    return n;
  err_set(e, ERR_LIMIT, "out of memory for a network of %u x %u", config->n_in, config->n_out);
  network_destroy(n);
  return NULL;
}

struct network *network_create(const struct network_config *config, struct err *e) {
  invariant(config->payload_bytes && config->payload_bytes <= NOC_PAYLOAD_BYTES, "a payload of %u bytes, at most %d",
            config->payload_bytes, NOC_PAYLOAD_BYTES);
  return create(config->routers ? &network_routers_ops : &network_crossbar_ops, config, e);
}

void network_destroy(struct network *n) {
  if (!n) return;
  n->ops->end(n);
  if (n->in) free(n->in[0].slots);
  if (n->out) free(n->out[0].slots);
  free(n->in);
  free(n->out);
  free(n->waiting);
  free(n->held);
  free(n);
}

bool network_can_inject(const struct network *n, uint32_t in, uint64_t tick) {
  return port_told(&n->in[in].room_at) <= tick;
}

void network_inject(struct network *n, uint32_t in, uint32_t out, const void *payload, uint32_t data_bytes,
                    struct packet_key key, uint64_t tick) {
  invariant(port_has_room(&n->in[in], tick), "packet injected into the full queue of input %u", in);
  uint32_t flits = (uint32_t)packet_flits(data_bytes, n->config.flit_bytes);
  struct packet *p = port_push(&n->in[in]);
  p->tick = tick;
  p->out = (uint16_t)out;
  p->flits = (uint16_t)flits;
  p->key = key;
  if (n->config.payload_bytes == NOC_PAYLOAD_BYTES)
    memcpy(p->payload, payload, NOC_PAYLOAD_BYTES); /* size known: fast */
  else memcpy(p->payload, payload, n->config.payload_bytes);
  port_pushed(&n->in[in], p, tick);
  if (n->recorder.packet) {
    const struct clocks *c = n->config.clocks;
    uint64_t cycle = c->cycle[CLOCK_NOC] + (c->next[CLOCK_NOC] <= tick);
    n->recorder.packet(n->recorder.context, &(struct packet_record){cycle, in, out, flits});
  }
  n->waiting[in / 64] |= UINT64_C(1) << in % 64;
  if (tick + 1 < n->wake) n->wake = tick + 1;
}

const void *network_head(const struct network *n, uint32_t out, uint64_t tick) {
  const struct port *p = &n->out[out];
  return port_told(&p->seen_at) <= tick ? port_head(p)->payload : NULL;
}

void network_pop(struct network *n, uint32_t out, uint64_t tick) {
  port_pop(&n->out[out], tick);
  if (!n->out[out].ring.count) n->held[out / 64] &= ~(UINT64_C(1) << out % 64);
}

uint32_t network_next_held(const struct network *n, uint32_t from, uint32_t to) {
  for (uint32_t at = from; at < to; at = (at / 64 + 1) * 64) {
    uint64_t bits = n->held[at / 64] >> at % 64;
    if (!bits) continue;
    uint32_t found = at + (uint32_t)__builtin_ctzll(bits);
    return found < to ? found : to;
  }
  return to;
}

uint64_t network_head_tick(const struct network *n, uint32_t out) { return port_told(&n->out[out].seen_at); }

const uint64_t *network_held_words(const struct network *n) { return n->held; }

const uint64_t *network_head_word(const struct network *n, uint32_t out) { return &n->out[out].seen_at; }

const uint64_t *network_room_word(const struct network *n, uint32_t in) { return &n->in[in].room_at; }

uint32_t network_route(const struct network *n, uint32_t in, uint32_t out, uint32_t *links, uint32_t max) {
  return n->ops->route(n, in, out, links, max);
}

uint32_t network_links(const struct network *n) { return n->ops->links(n); }

void network_measure(struct network *n, struct histogram *latency) { n->config.latencies = latency; }

void network_record(struct network *n, struct network_recorder r) { n->recorder = r; }

uint32_t network_cycle(struct network *n) { return n->ops->cycle(n); }

uint64_t network_wake(const struct network *n) { return n->wake; }

void network_set_exhaustive(struct network *n, bool exhaustive) { n->exhaustive = exhaustive; }

void network_describe(const struct network *n, FILE *out) {
  uint64_t tick = n->config.clocks->next[CLOCK_NOC];
  const char *title = n->config.title;
  for (uint32_t i = 0; i < n->config.n_in; i++) {
    const struct port *p = &n->in[i];
    if (!p->ring.count) continue;
    fprintf(out, "%s: input %u holds %u packets, the first (", title, i, p->ring.count);
    if (n->config.describe) n->config.describe(port_head(p)->payload, out);
    fprintf(out, ") for output %u\n", port_head(p)->out);
  }
  if (n->ops->describe) n->ops->describe(n, out);
  for (uint32_t o = 0; o < n->config.n_out; o++)
    if (n->out[o].ring.count)
      fprintf(out, "%s: output %u holds %u packets, the first %s\n", title, o, n->out[o].ring.count,
              network_head(n, o, tick) ? "arrived" : "on its way");
}
