/* SPDX-License-Identifier: Apache-2.0 */
#include "study/noc_study.h"

#include "base/err.h"
#include "base/host_clock.h"

#include <stdlib.h>
#include <string.h>

enum {
  QUEUE = 4,
  BANKS = 4,
  FLIT_BYTES = 64,
  LINKS_MAX = 2 * NOC_STUDY_NODES,
  DRAIN = 8 /* times the measured cycles */
};

/* One run. A producer's queue is unbounded: packets that do not fit the network's queue keep their generation time. */
struct run {
  const struct noc_study *s;
  struct clocks clocks;
  struct network *x;
  struct traffic traffic;
  struct rng rng[NOC_STUDY_NODES]; /* one per producer, so that producers draw independently */
  uint64_t next[NOC_STUDY_NODES];  /* generation time of its next packet */
  uint16_t row[NOC_STUDY_NODES];
  const uint64_t *head[NOC_STUDY_NODES]; /* tick of the first packet at each consumer */
  const bool *stop;
  uint32_t n_in, n_out;
  uint64_t packets, flits, stalls, waited;
  uint64_t wanted, came, sum, taken; /* packets of the window, arrived ones, their latencies; flits arrived */
  uint32_t histogram[NOC_STUDY_LATENCIES + 1];
};

static uint32_t producers(const struct noc_study *s) {
  return s->topology == NOC_MESH ? s->columns * s->rows : s->columns;
}

static uint32_t consumers(const struct noc_study *s) { return s->topology == NOC_CROSSBAR ? s->rows : producers(s); }

int noc_study_check(const struct noc_study *s, struct err *e) {
  struct traffic t;
  if (producers(s) > NOC_STUDY_NODES || consumers(s) > NOC_STUDY_NODES)
    return err_set(e, ERR_VALUE, "a network of %u nodes; at most %d", producers(s), NOC_STUDY_NODES);
  return traffic_start(&t, s->traffic, producers(s), consumers(s), s->topology == NOC_MESH ? s->columns : 0,
                       s->hot_percent, e);
}

static struct network *create(const struct noc_study *s, struct block_factory *factory, struct run *r,
                              const struct allocator_ops *policy, struct err *e) {
  uint16_t node[NOC_STUDY_NODES];
  for (uint32_t i = 0; i < NOC_STUDY_NODES; i++) node[i] = (uint16_t)i;
  clocks_start(&r->clocks, (uint64_t[]){1, 1, 1, 1});
  r->n_in = producers(s);
  r->n_out = consumers(s);
  struct network_routers routers = {.topology = s->topology,
                                    .nodes = r->n_in,
                                    .columns = s->columns,
                                    .in_node = node,
                                    .out_node = node,
                                    .vcs = s->vcs,
                                    .vc_alloc = s->vc_alloc,
                                    .latency = s->router_latency,
                                    .buffer_flits = s->buffer_flits,
                                    .offer_all = s->offer_all,
                                    .sink = true};
  struct network_config config = {
    .name = "noc",
    .title = "network",
    .n_in = r->n_in,
    .n_out = r->n_out,
    .in_queue = QUEUE,
    .flit_bytes = FLIT_BYTES,
    .payload_bytes = sizeof(uint64_t),
    .routers = &routers,
    .allocator = policy,
    .allocation = {.factory = factory,
                   .hash_bits = s->hash_bits,
                   .max_hold = s->max_hold,
                   .grace = s->grace,
                   .seed = s->seed,
                   .banks = BANKS,
                   .controllers = s->topology == NOC_CROSSBAR ? 1 : r->n_out},
    .clocks = &r->clocks,
    .packets = &r->packets,
    .flits = &r->flits,
    .stalls = &r->stalls,
    .cycles = &r->waited,
  };
  return network_create(&config, e);
}

/* ---- bounds ---- */

int noc_study_bounds(const struct noc_study *s, struct noc_bounds *out, struct err *e) {
  struct run *r = calloc(1, sizeof *r);
  double *load = NULL, latency = 0, most = 0;
  int status = r ? noc_study_check(s, e) : err_set(e, ERR_LIMIT, "out of memory");
  if (!status && !(r->x = create(s, NULL, r, &allocator_round_robin, e))) status = (int)e->code;
  if (!status && !(load = calloc(network_links(r->x), sizeof *load))) status = err_set(e, ERR_LIMIT, "out of memory");
  if (!status)
    status = traffic_start(&r->traffic, s->traffic, r->n_in, r->n_out, s->topology == NOC_MESH ? s->columns : 0,
                           s->hot_percent, e);
  for (uint32_t i = 0; !status && i < r->n_in; i++)
    for (uint32_t o = 0; o < r->n_out; o++) {
      uint32_t links[LINKS_MAX], n = network_route(r->x, i, o, links, LINKS_MAX);
      double share = traffic_share(&r->traffic, i, o);
      for (uint32_t k = 0; k < n; k++) load[links[k]] += share;
      /* a cycle each to the queue, over the producer's link and at the consumer; n links have n - 1 routers between
       * them */
      latency += share * (2 + (double)(n - 1) * s->router_latency + s->packet_flits);
    }
  for (uint32_t k = 0; !status && k < network_links(r->x); k++)
    if (load[k] > most) most = load[k];
  if (!status) *out = (struct noc_bounds){.throughput = 1 / most, .zero_load_latency = latency / r->n_in};
  if (r) network_destroy(r->x);
  free(load);
  free(r);
  return status;
}

/* ---- a run ---- */

static void inject(struct run *r, uint32_t in, uint64_t now) {
  const struct noc_study *s = r->s;
  struct rng *rng = &r->rng[in];
  while (r->next[in] <= now && network_can_inject(r->x, in, now)) {
    uint32_t out = traffic_destination(&r->traffic, in, rng), draw = rng_u32(rng);
    if (!(draw & 7))
      r->row[in] = (uint16_t)(draw >> 3 & 0xfff); /* assumption: a producer stays in a row for eight packets */
    struct packet_key key = {.row = r->row[in], .bank = (uint8_t)(draw >> 15 & 3), .mc = (uint8_t)out};
    network_inject(r->x, in, out, &r->next[in], s->packet_flits * FLIT_BYTES - NOC_HEADER_BYTES, key, now);
    if (r->next[in] >= s->warm_up && r->next[in] < s->warm_up + s->cycles) r->wanted++;
    r->next[in] += traffic_gap(&r->traffic, rng);
  }
}

static void take(struct run *r, uint32_t out, uint64_t now) {
  const struct noc_study *s = r->s;
  const uint64_t *payload = network_head(r->x, out, now); /* when the packet was generated */
  uint64_t born = *payload, latency = now - born;
  network_pop(r->x, out, now);
  if (now >= s->warm_up && now < s->warm_up + s->cycles) r->taken += s->packet_flits;
  if (born < s->warm_up || born >= s->warm_up + s->cycles) return;
  r->came++;
  r->sum += latency;
  r->histogram[latency < NOC_STUDY_LATENCIES ? latency : NOC_STUDY_LATENCIES]++;
}

/* Saturated: fewer packets arrive than are generated, so queues grow without bound. assumption: at least 3 % fewer. */
static bool saturated(const struct run *r) { return r->taken * 100 < r->wanted * r->s->packet_flits * 97; }

/* True when every packet of the window has been generated and has arrived. */
static bool drained(const struct run *r) {
  if (r->came < r->wanted) return false;
  for (uint32_t i = 0; i < r->n_in; i++)
    if (r->next[i] < r->s->warm_up + r->s->cycles) return false;
  return true;
}

static uint64_t simulate(struct run *r) {
  const struct noc_study *s = r->s;
  uint64_t end = s->warm_up + s->cycles, last = end + DRAIN * s->cycles, now = 0;
  for (; now < end || (now < last && !saturated(r) && !drained(r)); now++) {
    for (uint32_t o = 0; o < r->n_out; o++)
      if (*r->head[o] <= now) take(r, o, now);
    for (uint32_t i = 0; i < r->n_in; i++)
      if (r->next[i] <= now) inject(r, i, now);
    network_cycle(r->x);
    if (r->stop && *r->stop) break;
    r->clocks.cycle[CLOCK_NOC] = r->clocks.next[CLOCK_NOC] = now + 1;
  }
  return now;
}

static uint32_t percentile(const struct run *r, uint32_t percent) {
  uint64_t below = 0;
  for (uint32_t k = 0; k <= NOC_STUDY_LATENCIES; k++) {
    below += r->histogram[k];
    if (below * 100 >= r->came * percent) return k;
  }
  return NOC_STUDY_LATENCIES;
}

int noc_study_run(const struct noc_study *s, uint32_t offered_ppm, struct block_factory *factory,
                  const struct noc_observer *observer, struct noc_point *out, struct err *e) {
  struct run *r = calloc(1, sizeof *r);
  int status = r ? noc_study_check(s, e) : err_set(e, ERR_LIMIT, "out of memory");
  if (!status) {
    r->s = s;
    r->x = create(s, factory, r, allocator_of(s->allocator), e);
    status = r->x ? traffic_start(&r->traffic, s->traffic, r->n_in, r->n_out, s->topology == NOC_MESH ? s->columns : 0,
                                  s->hot_percent, e)
                  : (int)e->code;
  }
  if (!status && observer) status = observer->begun(observer->context, e);
  if (!status) {
    r->stop = observer ? observer->stop : NULL;
    traffic_rate(&r->traffic, offered_ppm / s->packet_flits);
    for (uint32_t i = 0; i < r->n_in; i++) {
      rng_seed(&r->rng[i], (uint64_t)s->seed << 16 | i);
      r->next[i] = traffic_gap(&r->traffic, &r->rng[i]);
    }
    for (uint32_t o = 0; o < r->n_out; o++) r->head[o] = network_head_word(r->x, o);
    double start = host_seconds();
    uint64_t cycles = simulate(r);
    double flits = (double)r->taken / (double)s->cycles / r->n_in;
    *out = (struct noc_point){.offered = offered_ppm / 1e6,
                              .accepted = flits,
                              .latency = r->came ? (double)r->sum / (double)r->came : 0,
                              .median = percentile(r, 50),
                              .p95 = percentile(r, 95),
                              .p99 = percentile(r, 99),
                              .packets = r->came,
                              .saturated = saturated(r) || !drained(r),
                              .run_cycles = cycles,
                              .seconds = host_seconds() - start};
  }
  if (!status && observer) status = observer->ended(observer->context, e);
  if (r) network_destroy(r->x);
  free(r);
  return status;
}
