/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/memory_system.h"

#include "base/err.h"
#include "dram/channel.h"
#include "dram/checker.h"
#include "mem/agent.h"
#include "mem/l2_metadata.h"
#include "mem/l2_slice.h"
#include "mem/l2_state.h"
#include "mem/links.h"
#include "mem/memory_state.h"
#include "mem/page_table.h"
#include "mem/perfect.h"
#include "mem/recorder.h"
#include "noc/network.h"

#include <stdlib.h>
#include <string.h>

static bool create_channel(struct memory_system *s, uint32_t i, struct block_factory *factory, struct err *e) {
  struct mem_account *of = &s->account[i / (s->n_channels / s->n_modules)];
  struct dram_config dram = {
    .gpu = &s->module,
    .index = i,
    .ports = (uint32_t)s->config.l2_slices,
    .max_reads = l2_slice_max_reads(&s->config),
    .clocks = s->clocks,
    .map = &s->map,
    .counters = &of->counters,
    .in_flight = &of->in_flight,
    .preload = MEM_CLASS_PRELOAD,
    .factory = factory,
  };
  s->channels[i] = dram_create(&dram, e);
  return s->channels[i];
}

static bool create_slice(struct memory_system *s, uint32_t i, struct err *e) {
  uint32_t module = i / (s->n_slices / s->n_modules);
  struct l2_slice_config slice = {
    .gpu = &s->module,
    .index = i,
    .first_sm = module * (s->n_sms / s->n_modules),
    .clocks = s->clocks,
    .map = &s->map,
    .request = s->noc[module].request,
    .reply = s->noc[module].reply,
    .channel = s->channels[i / s->map.slices],
    .account = &s->account[module],
  };
  s->slices[i] = l2_slice_create(&slice, e);
  return s->slices[i];
}

/* A GPU configuration whose CTA dispatch can send requests. */
static int check_dispatcher(const struct gpu_config *m, struct err *e) {
  int64_t inputs = m->sm_count + m->dram_channels * m->l2_slices;
  if (m->ideal_memory == IDEAL_MEMORY_PERFECT)
    return err_set(e, ERR_VALUE,
                   "ideal.memory = perfect: there are no slices for what the proposal's CTA dispatch reads; take real");
  if (m->numa_modules > 1)
    return err_set(e, ERR_VALUE,
                   "numa.modules = %lld: the proposal's CTA dispatch sends requests, and knows one module; set it to 1",
                   (long long)m->numa_modules);
  if (m->noc_topology != NOC_CROSSBAR)
    return err_set(e, ERR_VALUE,
                   "noc.topology: the proposal's CTA dispatch sends requests, and a mesh or a ring has no node for it; "
                   "take crossbar");
  if (inputs > 256 || (m->noc_switching == NOC_FLITS && inputs > 64))
    return err_set(
      e, ERR_VALUE,
      "the proposal's CTA dispatch sends requests: with sm.count and an input for each L2 slice the request "
      "network has %lld inputs; it may have %d",
      (long long)inputs, m->noc_switching == NOC_FLITS ? 64 : 256);
  return 0;
}

/* A module's share of the GPU. */
static struct gpu_config share_of(const struct gpu_config *m) {
  struct gpu_config one = *m;
  one.sm_count /= m->numa_modules;
  one.dram_channels /= m->numa_modules;
  one.l2_bytes /= m->numa_modules;
  one.memory_mib /= m->numa_modules;
  return one;
}

static bool create_networks(struct memory_system *s, struct block_factory *factory, bool dispatcher, struct err *e) {
  struct networks_ends ends = {.dispatcher = dispatcher, .links = s->n_modules > 1};
  uint32_t sms = s->n_sms / s->n_modules;
  for (; ends.module < s->n_modules; ends.module++)
    if (!networks_create(&s->noc[ends.module], &s->module, s->clocks, factory, &ends, &s->account[ends.module].counters,
                         e))
      return false;
  for (uint32_t i = 0; i < s->n_sms; i++)
    s->port[i] = (struct sm_port){.request = s->noc[i / sms].request,
                                  .reply = s->noc[i / sms].reply,
                                  .number = i % sms,
                                  .module = i / sms,
                                  .reply_at = network_head_word(s->noc[i / sms].reply, i % sms)};
  if (!ends.links) return true;
  const struct links_config links = {&s->config, &s->module, s->clocks, s->noc, &s->account->counters};
  return (s->links = links_create(&links, e));
}

static bool create_pages(struct memory_system *s, struct err *e) {
  const struct gpu_config *m = &s->config;
  s->pages = page_table_create(m, &s->map, e);
  if (!s->pages || s->n_modules == 1) return s->pages;
  const struct page_zoning zoning = {.modules = s->n_modules,
                                     .placement = (uint32_t)m->numa_placement,
                                     .bit = (uint32_t)m->numa_bit,
                                     .sms_a_module = s->n_sms / s->n_modules};
  return !page_table_set_zones(s->pages, &zoning, e);
}

struct memory_system *memory_create(const struct gpu_config *m, const struct clocks *clocks,
                                    struct block_factory *factory, bool dispatcher, struct err *e) {
  if (gpu_config_check(m, e) || (dispatcher && check_dispatcher(m, e))) return NULL;
  struct memory_system *s = calloc(1, sizeof *s);
  if (!s) goto fail;
  s->config = *m;
  s->clocks = clocks;
  s->n_sms = (uint32_t)m->sm_count;
  s->n_channels = (uint32_t)m->dram_channels;
  s->n_slices = (uint32_t)(m->dram_channels * m->l2_slices);
  s->n_modules = (uint32_t)m->numa_modules;
  s->module = share_of(m);
  address_map_start(&s->map, &s->module);
  s->n_banks = s->n_channels * (uint32_t)m->dram_banks;
  s->slices = calloc(s->n_slices, sizeof(struct l2_slice *));
  s->channels = calloc(s->n_channels, sizeof(struct dram_channel *));
  if (!m->l2_bytes) s->sent_row = calloc((size_t)s->n_banks * (s->n_sms + 1), sizeof *s->sent_row);
  s->port = calloc(s->n_sms, sizeof *s->port);
  s->account = aligned_alloc(_Alignof(struct mem_account), s->n_modules * sizeof *s->account);
  if (s->account) memset(s->account, 0, s->n_modules * sizeof *s->account);
  if (!s->slices || !s->channels || !s->port || !s->account || (!m->l2_bytes && !s->sent_row)) goto fail;
  bool made = create_pages(s, e);
  if (m->ideal_memory == IDEAL_MEMORY_PERFECT && !(s->perfect = perfect_create(m, clocks))) goto fail;
  made = made && create_networks(s, factory, dispatcher, e);
  for (uint32_t i = 0; made && i < s->n_channels; i++) made = create_channel(s, i, factory, e);
  for (uint32_t i = 0; made && i < s->n_slices; i++) made = create_slice(s, i, e);
  if (made) return s;
  memory_destroy(s);
  return NULL;
fail:
  err_set(e, ERR_LIMIT, "out of memory for the memory system");
  memory_destroy(s);
  return NULL;
}

void memory_destroy(struct memory_system *s) {
  if (!s) return;
  if (s->agent) s->agent_ops->destroy(s->agent);
  links_destroy(s->links);
  for (uint32_t i = 0; i < s->n_modules; i++) networks_destroy(&s->noc[i]);
  for (uint32_t i = 0; s->slices && i < s->n_slices; i++) l2_slice_destroy(s->slices[i]);
  for (uint32_t i = 0; i < s->n_channels; i++) {
    if (s->channels) dram_destroy(s->channels[i]);
    if (s->checkers) dram_checker_destroy(s->checkers[i]);
  }
  perfect_destroy(s->perfect);
  page_table_destroy(s->pages);
  free(s->slices);
  free(s->channels);
  free(s->checkers);
  free(s->sent_row);
  free(s->port);
  free(s->account);
  free(s->latency);
  free(s);
}

void memory_reset_counters(struct memory_system *s) {
  for (uint32_t i = 0; i < s->n_modules; i++) s->account[i].counters = (struct memory_counters){0};
  s->started_at = s->clocks->cycle[CLOCK_DRAM];
}

const struct memory_counters *memory_counters(struct memory_system *s) {
  struct memory_counters *sum = &s->account->counters;
  if (s->n_modules > 1) {
    sum = &s->total;
    *sum = (struct memory_counters){0};
    for (uint32_t i = 0; i < s->n_modules; i++)
      counters_add((uint64_t *)sum, (const uint64_t *)&s->account[i].counters, sizeof *sum / sizeof(uint64_t));
  }
  if (!s->perfect) sum->dram_cycles = (s->clocks->cycle[CLOCK_DRAM] - s->started_at) * s->n_channels;
  return sum;
}

struct memory_counters *memory_own_counters(struct memory_system *s) {
  return &s->account->counters;
}

uint64_t *memory_own_in_flight(struct memory_system *s) { return &s->account->in_flight; }

const struct address_map *memory_address_map(const struct memory_system *s) { return &s->map; }
struct page_table *memory_pages(const struct memory_system *s) {
  return s->pages;
}

/* --- core side --- */

bool memory_can_inject(const struct memory_system *s, uint32_t sm) {
  const struct sm_port *p = &s->port[sm];
  return s->perfect || network_can_inject(p->request, p->number, s->clocks->next[CLOCK_CORE]);
}

/* Sets channel, slice and address in the channel from r->zone and the address there. Returns the slice's number in its module. */
static uint32_t route(const struct memory_system *s, struct mem_request *r, uint64_t in_zone) {
  uint32_t channel = r->kind == MEM_COMMAND ? 0 : address_map_channel(&s->map, in_zone);
  r->local = address_map_local(&s->map, in_zone);
  r->channel = (uint8_t)(r->zone * (uint32_t)s->map.channels + channel);
  r->slice = r->kind == MEM_COMMAND ? 0 : address_map_slice(&s->map, r->local) & 0x3f;
  return channel * s->map.slices + r->slice;
}

void memory_set_decoder(struct memory_system *s, uint32_t sm, const struct zone_decoder *d) {
  s->port[sm].decoder = *d;
}

/* Sets the frame and the zone of a request's address. Returns the address in the zone. */
static uint64_t find(struct memory_system *s, struct mem_request *r) {
  if (s->n_modules == 1) return r->physical = page_table_physical(s->pages, r->address);
  struct memory_counters *n = &s->account->counters;
  uint64_t *const by_zone[ZONES_MAX] = {&n->numa_zone0, &n->numa_zone1, &n->numa_zone2, &n->numa_zone3};
  const struct zone_decoder *d = &s->port[r->sm].decoder;
  uint32_t module = s->port[r->sm].module, map;
  if (!page_table_find(s->pages, r->address, module, &r->physical, &map) && !s->full) s->full = module + 1;
  struct zone_place place =
    d->place && map != ZONE_MAP_XOR ? d->place(d->self, r->physical, map) : page_table_zone(s->pages, r->physical, map);
  r->zone = place.zone & (ZONES_MAX - 1);
  ++*(place.zone == module ? &n->numa_local : &n->numa_remote);
  ++*by_zone[place.zone];
  return place.local;
}

uint32_t memory_dispatcher_input(const struct memory_system *s, uint64_t address) {
  struct mem_request r = {.kind = MEM_READ, .physical = page_table_physical(s->pages, address)};
  return route(s, &r, r.physical);
}

bool memory_dispatcher_can_inject(const struct memory_system *s, uint64_t address) {
  uint32_t input = s->n_sms + memory_dispatcher_input(s, address);
  return network_can_inject(s->noc[0].request, input, s->clocks->next[CLOCK_CORE]);
}

static void note_row(uint64_t *last, uint64_t row, uint64_t *changes) {
  *changes += *last != row + 1;
  *last = row + 1;
}

/* Row locality of what the SMs send, before the network mixes it (Yuan 2009, 4.2). */
static void note_sent(struct memory_system *s, const struct mem_request *r, struct dram_place place) {
  size_t bank = r->channel * (uint32_t)s->config.dram_banks + place.bank;
  note_row(&s->sent_row[bank], place.row, &s->account->counters.noc_sent_rows);
  note_row(&s->sent_row[(size_t)s->n_banks * (r->sm + 1U) + bank], place.row, &s->account->counters.noc_core_rows);
}

static struct packet_key key_of(struct memory_system *s, const struct mem_request *r) {
  struct packet_key key = {.mc = r->channel, .class = r->class};
  if ((!s->noc[0].rows && !s->sent_row) || r->kind == MEM_COMMAND) return key;
  struct dram_place place = address_map_place(&s->map, r->local);
  if (s->sent_row) note_sent(s, r, place);
  key.row = (uint16_t)(place.row & 0xfff);
  key.bank = (uint8_t)place.bank;
  return key;
}

void memory_inject(struct memory_system *s, struct mem_request *r) {
  uint32_t line = (uint32_t)s->config.line_bytes;
  invariant(r->sm < s->n_sms && r->bytes >= 1 && r->bytes <= line, "request of SM %u for %u bytes", r->sm, r->bytes);
  invariant(r->kind == MEM_WRITE || r->address % line + r->bytes <= line, "0x%llx + %u crosses a line",
            (unsigned long long)r->address, r->bytes);
  uint64_t in_zone = find(s, r);
  if (s->perfect) {
    if (r->kind == MEM_WRITE) return;
    perfect_inject(s->perfect, r);
    s->account->in_flight++;
    return;
  }
  const struct sm_port *p = &s->port[r->sm];
  uint32_t slice = route(s, r, in_zone), slices = s->n_slices / s->n_modules;
  uint32_t from = r->source == MEM_DISPATCHER ? s->n_sms + slice : p->number;
  uint32_t to = r->zone == p->module ? slice : slices + slice; /* by the links */
  network_inject(p->request, from, to, r, mem_request_data(r), key_of(s, r), s->clocks->next[CLOCK_CORE]);
  s->account->in_flight++;
}

const struct mem_request *memory_first_reply(const struct memory_system *s, uint32_t sm) {
  uint64_t tick = s->clocks->next[CLOCK_CORE];
  const struct sm_port *p = &s->port[sm];
  return s->perfect ? perfect_head(s->perfect, sm, tick) : network_head(p->reply, p->number, tick);
}

bool memory_has_reply(const struct memory_system *s, uint32_t sm) { return memory_first_reply(s, sm) != NULL; }

bool memory_take_reply(struct memory_system *s, uint32_t sm, struct mem_request *out) {
  uint64_t tick = s->clocks->next[CLOCK_CORE];
  const struct mem_request *r = memory_first_reply(s, sm);
  if (!r) return false;
  *out = *r;
  if (s->perfect) perfect_pop(s->perfect, sm);
  else network_pop(s->port[sm].reply, s->port[sm].number, tick);
  s->account->in_flight--;
  return true;
}

bool memory_may_reply(const struct memory_system *s, uint32_t module) {
  uint32_t sms = s->n_sms / s->n_modules;
  return s->perfect || network_next_held(s->noc[module].reply, 0, sms) < sms;
}

uint64_t memory_reply_tick(const struct memory_system *s, uint32_t sm) {
  return s->perfect ? perfect_head_tick(s->perfect, sm) : __atomic_load_n(s->port[sm].reply_at, __ATOMIC_ACQUIRE);
}

const uint64_t *memory_core_tick(const struct memory_system *s) { return &s->clocks->next[CLOCK_CORE]; }

const uint64_t *memory_reply_word(const struct memory_system *s, uint32_t sm) {
  return s->perfect ? NULL : s->port[sm].reply_at;
}

void memory_count_banks(const struct memory_system *s, uint64_t address, uint64_t *seen, struct sm_counters *n) {
  uint32_t banks = (uint32_t)s->config.dram_banks;
  if (s->config.l2_bytes || s->n_modules > 1 || s->n_banks > 64 || banks == 64)
    return; /* a bit each does not fit a word */
  uint64_t physical = page_table_physical(s->pages, address);
  uint32_t first = address_map_channel(&s->map, physical) * banks;
  uint64_t bank = UINT64_C(1) << (first + address_map_place(&s->map, address_map_local(&s->map, physical)).bank);
  uint64_t of_channel = ((UINT64_C(1) << banks) - 1) << first;
  n->memory_ops += !*seen;
  n->memory_op_channels += !(*seen & of_channel);
  n->memory_op_banks += !(*seen & bank);
  *seen |= bank;
}

bool memory_refused(const struct memory_system *s, struct err *e) {
  if (!s->full) return false;
  err_set(
    e, ERR_LIMIT,
    "zone %u of numa.modules = %lld is full: its SMs touched more pages of mmu.page_bytes = %lld first than its share of "
    "memory.mib = %lld; raise memory.mib, or set numa.placement = xor or interleave",
    s->full - 1, (long long)s->config.numa_modules, (long long)s->config.mmu_page_bytes,
    (long long)s->config.memory_mib);
  return true;
}

uint64_t memory_in_flight(const struct memory_system *s) { return memory_inside(s); }

/* --- watching --- */

void memory_describe(const struct memory_system *s, FILE *out) {
  if (memory_inside(s)) fprintf(out, "memory system: %llu requests inside\n", (unsigned long long)memory_inside(s));
  if (s->agent && s->agent_ops->describe) s->agent_ops->describe(s->agent, out);
  for (uint32_t i = 0; i < s->n_modules; i++) {
    if (s->n_modules > 1) fprintf(out, "module %u:\n", i);
    network_describe(s->noc[i].request, out);
    network_describe(s->noc[i].reply, out);
  }
  if (s->links) links_describe(s->links, out);
  for (uint32_t i = 0; i < s->n_slices; i++) l2_slice_describe(s->slices[i], out);
  for (uint32_t i = 0; i < s->n_channels; i++) dram_describe(s->channels[i], out);
}

void memory_set_exhaustive(struct memory_system *s, bool exhaustive) {
  s->exhaustive = exhaustive;
  for (uint32_t i = 0; i < s->n_modules; i++) {
    network_set_exhaustive(s->noc[i].request, exhaustive);
    network_set_exhaustive(s->noc[i].reply, exhaustive);
  }
  if (s->links) links_set_exhaustive(s->links, exhaustive);
}

void memory_watch_dram(struct memory_system *s, const struct dram_watcher *w) {
  for (uint32_t i = 0; i < s->n_channels; i++) dram_watch(s->channels[i], w);
}

void memory_record_dram(struct memory_system *s, const struct dram_recorder *r) {
  for (uint32_t i = 0; i < s->n_channels; i++) dram_record(s->channels[i], r);
}

void memory_record(struct memory_system *s, const struct mem_recorder *r) {
  for (uint32_t i = 0; i < s->n_modules; i++) s->account[i].recorder = r;
  struct network_recorder none = {0};
  if (s->n_modules > 1) return;
  network_record(s->noc[0].request, r ? (struct network_recorder){r->context, r->request, r->request_grant} : none);
  network_record(s->noc[0].reply, r ? (struct network_recorder){r->context, r->reply, r->reply_grant} : none);
}

int memory_measure(struct memory_system *s, struct histogram *table, struct err *e) {
  if (table && s->n_modules > 1 && !s->latency) {
    s->latency = calloc((size_t)(s->n_modules - 1) * LATENCIES, sizeof *s->latency);
    if (!s->latency) return err_set(e, ERR_LIMIT, "the host has no memory left for histograms");
  }
  for (uint32_t i = 0; i < s->n_modules; i++) {
    struct histogram *own = table && i ? &s->latency[(size_t)(i - 1) * LATENCIES] : table;
    s->account[i].latency = own;
    network_measure(s->noc[i].request, own ? &own[LATENCY_noc_request] : NULL);
    network_measure(s->noc[i].reply, own ? &own[LATENCY_noc_reply] : NULL);
    for (uint32_t k = 0, n = s->n_channels / s->n_modules; k < n; k++)
      dram_measure(s->channels[i * n + k], own ? &own[LATENCY_dram_read] : NULL, own ? &own[LATENCY_dram_write] : NULL);
  }
  return 0;
}

void memory_add_latencies(const struct memory_system *s, struct histogram *table) {
  for (uint32_t i = 0; s->latency && i < s->n_modules - 1; i++)
    for (uint32_t k = 0; k < LATENCIES; k++) histogram_join(&table[k], &s->latency[(size_t)i * LATENCIES + k]);
}

static void check_command(void *context, uint32_t channel, const struct dram_command *k) {
  struct memory_system *s = context;
  const char *wrong = dram_checker_see(s->checkers[channel], k);
  invariant(!wrong, "DRAM channel %u: %s", channel, wrong);
}

int memory_check_protocol(struct memory_system *s, struct err *e) {
  s->checkers = calloc(s->n_channels, sizeof(struct dram_checker *));
  if (!s->checkers) return err_set(e, ERR_LIMIT, "out of memory for DRAM protocol checkers");
  for (uint32_t i = 0; i < s->n_channels; i++) {
    s->checkers[i] = dram_checker_create(&s->module, e);
    if (!s->checkers[i]) return (int)ERR_LIMIT;
  }
  s->watcher = (struct dram_watcher){check_command, s};
  memory_watch_dram(s, &s->watcher);
  return 0;
}

/* --- the agent --- */

static struct l2_slice *slice_of(const struct memory_system *s, uint64_t physical) {
  return s->slices[address_map_channel(&s->map, physical)];
}

static void mark(struct memory_system *s, uint64_t physical, enum l2_mark what) {
  l2_slice_mark(slice_of(s, physical), physical, what);
}

static void unpin_all(struct memory_system *s, uint32_t slice) { l2_slice_unpin_all(s->slices[slice]); }

static bool cached(const struct memory_system *s, uint64_t physical) {
  return l2_slice_cached(slice_of(s, physical), physical);
}

static uint32_t lines(const struct memory_system *s, uint32_t slice) { return l2_slice_lines(s->slices[slice]); }

static bool prefetch(struct memory_system *s, uint64_t physical) {
  return l2_slice_prefetch(slice_of(s, physical), physical);
}

static bool metadata_access(struct memory_system *s, uint64_t physical, bool write, uint32_t tag) {
  return l2_slice_access(slice_of(s, physical), physical, write, tag);
}

static bool command_done(struct memory_system *s, const struct mem_request *r) {
  return l2_slice_reply(s->slices[0], r);
}

static bool push(struct memory_system *s, uint64_t address, uint64_t physical, uint32_t sm) {
  const struct mem_request r = {.address = address,
                                .physical = physical,
                                .local = address_map_local(&s->map, physical),
                                .channel = (uint8_t)address_map_channel(&s->map, physical),
                                .kind = MEM_PUSH,
                                .source = MEM_CACHE,
                                .class = MEM_CLASS_PREFETCH,
                                .bytes = (uint8_t)s->config.line_bytes,
                                .sm = (uint16_t)sm,
                                .cta = MEM_NO_CTA};
  if (!l2_slice_reply(s->slices[r.channel], &r)) return false;
  s->account->in_flight++; /* until the SM has taken it */
  return true;
}

int memory_attach(struct memory_system *s, const struct memory_agent_ops *ops, struct block_factory *factory,
                  struct err *e) {
  const struct gpu_config *m = &s->config;
  if (!m->l2_bytes)
    return err_set(e, ERR_VALUE,
                   "l2.bytes = 0: the proposal works at the slices of the L2; give the GPU configuration one");
  if (m->l2_slices > 1)
    return err_set(e, ERR_VALUE, "l2.slices = %lld: the proposal knows one slice a channel; set it to 1",
                   (long long)m->l2_slices);
  if (s->perfect)
    return err_set(e, ERR_VALUE, "ideal.memory = perfect: there are no slices for the proposal to work at; take real");
  if (m->mmu_page_bytes != PAGE_BYTES)
    return err_set(e, ERR_VALUE, "mmu.page_bytes = %lld: the proposal knows pages of %d bytes; set it to that",
                   (long long)m->mmu_page_bytes, PAGE_BYTES);
  if (s->n_modules > 1)
    return err_set(e, ERR_VALUE,
                   "numa.modules = %lld: the proposal's agent is beside the slices of one module; set it to 1",
                   (long long)m->numa_modules);
  struct memory_services services = {
    .memory = s,
    .config = &s->config,
    .clocks = s->clocks,
    .counters = &s->account->counters,
    .in_flight = &s->account->in_flight,
    .background = &s->account->background,
    .mark = mark,
    .unpin_all = unpin_all,
    .cached = cached,
    .prefetch = prefetch,
    .access = metadata_access,
    .command_done = command_done,
    .lines = lines,
    .push = push,
  };
  s->agent = ops->create(&services, factory, e);
  if (!s->agent) return e && e->code ? (int)e->code : (int)ERR_VALUE;
  s->agent_ops = ops;
  for (uint32_t i = 0; i < s->n_slices; i++)
    if (!l2_slice_attach(s->slices[i], ops, s->agent)) return err_set(e, ERR_LIMIT, "out of memory for an L2 slice");
  return 0;
}

void memory_ended(struct memory_system *s) {
  if (s->agent && s->agent_ops->ended) s->agent_ops->ended(s->agent);
}

void *memory_agent(const struct memory_system *s) { return s->agent; }
