/* SPDX-License-Identifier: Apache-2.0 */
/* The load/store unit processes memory instructions in issue order: one segment per cycle to L1 and the interconnect,
 * or the shared memory port for as many cycles as bank conflicts require. It models timing only: values are read and
 * written at issue, those of global stores and atomics at the end of the issue cycle. */
#include "core/cta.h"
#include "core/sm_state.h"
#include "mem/recorder.h"

#include <stdlib.h>

int sm_lsu_create(struct sm *sm, struct err *e) {
  /* every load in flight is in the queue, at the shared port or in an MSHR */
  uint32_t loads = sm->lsu_queue.size = (uint32_t)sm->config->lsu_queue;
  for (uint32_t i = 0; i < SM_CACHES; i++) loads += sm->cache[i].mshrs * sm->cache[i].merges;
  if (loads >= SM_NONE) loads = SM_NONE - 1;
  sm->lsu = calloc(sm->lsu_queue.size, sizeof *sm->lsu);
  sm->load = calloc(loads, sizeof *sm->load);
  if (!sm->lsu || !sm->load)
    return err_set(e, ERR_LIMIT, "%s: the host has no memory left for the load/store unit", sm->path);
  for (uint32_t i = 0; i < loads; i++) sm->load[i].next_free = (uint16_t)(i + 1 < loads ? i + 1 : SM_NONE);
  return 0;
}

/* ---- loads ---- */

static uint16_t new_load(struct sm *sm, struct sm_warp *warp, const struct ptx_op *op, uint32_t parts,
                         enum wait_kind kind) {
  uint32_t i = sm->first_free_load;
  invariant(i != SM_NONE, "%s: more loads in flight than the MSHRs and the queue can hold", sm->path);
  sm->first_free_load = sm->load[i].next_free;
  sm->load[i] = (struct sm_load){.op = op, .begun = *sm->now, .remaining = parts, .warp = warp, .kind = (uint8_t)kind};
  sm->cta[warp->cta].loads++;
  warp->loads++;
  sm_set_ready(sm, warp, op, ready_at(READY_NEVER, kind));
  return (uint16_t)i;
}

static void note_loaded(struct sm *sm, const struct sm_warp *warp, const struct ptx_op *op) {
  if (!sm->contexts->loaded) return;
  sm->contexts->loaded(sm->system, warp->number, op);
  sm->system_called = true;
}

/* `parts` more parts of the load have arrived, readable from `cycle` on. */
static void load_progress(struct sm *sm, uint16_t i, uint32_t parts, uint64_t cycle) {
  struct sm_load *load = &sm->load[i];
  if (cycle > load->ready) load->ready = cycle;
  load->remaining -= parts;
  if (load->remaining) return;
  load->next_free = (uint16_t)sm->first_free_load;
  sm->first_free_load = i;
  if (load->dead) return;
  struct sm_warp *warp = load->warp;
  if (!warp) {
    sm->contexts->line_loaded(sm->system, load->tag, load->ready, load->hit);
    sm->system_called = true;
    return;
  }
  if (load->async) sm_copy_ends(sm, warp, load->group, load->ready);
  sm->cta[warp->cta].loads--;
  warp->loads--;
  load->ready += sm->room.operand_cycles;
  sm_set_ready(sm, warp, load->op, ready_at(load->ready, load->kind));
  if (sm->contexts) note_loaded(sm, warp, load->op);
  if (sm->latency_of)
    histogram_add(&sm->latency_of[load->kind == WAIT_SHARED ? LATENCY_shared_load : LATENCY_load],
                  load->ready - load->begun);
  if (warp->slot != SM_NO_SLOT) sm->pipeline->loaded(sm, warp->slot, load->ready, load->async);
  if (!warp->loads && warp->exited && sm->frees_slots) sm_free_slot(sm, warp);
}

/* ---- queue ---- */

static struct lsu_entry *head_of(struct sm *sm) { return &sm->lsu[sm->lsu_queue.head]; }

static void pop(struct sm *sm) { ring_pop(&sm->lsu_queue); }

static void push_shared(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct ptx_access *a,
                        struct lsu_entry *entry) {
  struct shared_cost cost =
    shared_cost(a, sm->cta[sm->warp[w]->cta].f.shared_base, sm->banks, (uint32_t)sm->config->shared_lanes);
  sm->counters.shared_accesses++;
  sm->counters.shared_conflict_cycles += cost.conflicts;
  entry->kind = LSU_SHARED;
  entry->cache = CACHE_L1;
  entry->cycles = cost.cycles;
  if (a->store && !a->atomic) return;
  entry->load = new_load(sm, sm->warp[w], op, 1, WAIT_SHARED);
  if (sm->events) sm_events_shared_load(sm, w);
}

static void count_access(struct sm *sm, const struct ptx_access *a) {
  if (a->space == PTX_LOCAL) return;
  if (a->atomic) sm->counters.global_atomics++;
  else if (a->store) sm->counters.global_stores++;
  else sm->counters.global_loads++;
}

/* Constant loads: a group of lanes shares one port, which takes a cycle per distinct word or line (Yuan 2009,
 * 2.1.3). */
static void push_constant(struct sm *sm, const struct ptx_access *a, struct lsu_entry *entry) {
  const struct gpu_config *m = sm->config;
  uint32_t line = sm->cache[CACHE_CONST].line_bytes, groups;
  uint32_t grain = m->const_conflict == CONST_CONFLICT_LINE ? line : a->bytes;
  entry->cache = CACHE_CONST;
  entry->n = coalesce_constant(a, (uint32_t)m->const_lanes, grain, line, entry->segment, &groups);
  sm->counters.const_loads++;
  sm->counters.const_conflict_cycles += entry->n - groups;
}

static void push_texture(struct sm *sm, const struct ptx_access *a, struct lsu_entry *entry) {
  entry->cache = CACHE_TEXTURE;
  entry->n = coalesce_texture(a, sm->cache[CACHE_TEXTURE].line_bytes, entry->segment);
  sm->counters.tex_fetches++;
}

/* Asks the proposal how the access uses L1. */
static void choose(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct ptx_access *a,
                   struct lsu_entry *entry) {
  const struct l1_access access = {.op = op,
                                   .lanes = a,
                                   .number = sm->segments_pushed,
                                   .segment = entry->segment,
                                   .segments = entry->n,
                                   .cta = sm->warp[w]->cta,
                                   .warp = w,
                                   .store = entry->kind == LSU_STORE,
                                   .atomic = entry->kind == LSU_ATOMIC};
  struct l1_choice choice = sm->ops->access(sm->system, &access);
  entry->bypass |= choice.bypass;
  entry->priority = choice.priority;
  sm->system_called = true;
}

static void push_memory(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct ptx_access *a,
                        struct lsu_entry *entry) {
  uint64_t local_bytes = (sm->launch.kernel->local_bytes + UINT64_C(3)) / 4 * (4 * WARP_LANES);
  bool read_only = op->memory.cache == PTX_CACHE_READ_ONLY && sm->config->tex_read_only == READ_ONLY_TEXTURE;
  entry->cache = read_only ? CACHE_TEXTURE : CACHE_L1;
  uint32_t line_bytes = read_only ? sm->cache[CACHE_TEXTURE].line_bytes : sm->line_bytes;
  entry->n = a->space == PTX_LOCAL
               ? coalesce_local(a, sm->local_base + (uint64_t)(sm->warp[w] - sm->context) * local_bytes, sm->line_bytes,
                                entry->segment)
               : coalesce_groups(a, (uint32_t)sm->config->lsu_coalesce_lanes, line_bytes, entry->segment);
  sm->counters.transactions += entry->n;
  count_access(sm, a);
  if (sm->ops && sm->ops->access && entry->cache == CACHE_L1) choose(sm, w, op, a, entry);
  if (sm->prefetcher && entry->cache == CACHE_L1 && entry->kind == LSU_LOAD && a->space == PTX_GLOBAL)
    sm_prefetcher_load(sm, w, op, entry);
}

bool sm_lsu_push(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct ptx_access *a) {
  invariant(!ring_full(&sm->lsu_queue), "%s: more operations than the load/store unit's queue holds", sm->path);
  struct lsu_entry *entry = &sm->lsu[ring_push(&sm->lsu_queue)];
  entry->load = SM_NONE;
  entry->next = 0;
  entry->tile = 0;
  entry->cta = (uint32_t)sm->cta[sm->warp[w]->cta].index;
  entry->banks = 0;
  entry->bypass = op->memory.cache == PTX_CACHE_L2 || op->memory.cache == PTX_CACHE_VOLATILE;
  entry->priority = 0;
  if (a->space == PTX_SHARED) {
    push_shared(sm, w, op, a, entry);
    if (op->tile) sm_tile_push(sm, w, op, entry);
    return entry->load != SM_NONE;
  }
  entry->kind = a->atomic ? LSU_ATOMIC : a->store ? LSU_STORE : LSU_LOAD;
  if (a->space == PTX_PARAM) entry->n = 0; /* parameters need no access */
  else if (a->space == PTX_CONST) push_constant(sm, a, entry);
  else if (a->space == PTX_TEXTURE) push_texture(sm, a, entry);
  else push_memory(sm, w, op, a, entry);
  if (!entry->n) { /* parameters, or every lane fetches outside its texture */
    sm->lsu_queue.count--;
    sm_set_ready(sm, sm->warp[w], op, ready_at(*sm->now + sm->cache[CACHE_TEXTURE].latency, WAIT_DATA));
    return false;
  }
  sm->segments_pushed += entry->n;
  if (op->tile) sm_tile_push(sm, w, op, entry);
  if (entry->kind != LSU_STORE)
    entry->load = new_load(sm, sm->warp[w], op, entry->n, entry->tile ? WAIT_TILE : WAIT_MEMORY);
  if (!a->async) return entry->load != SM_NONE;
  sm->load[entry->load].async = true;
  sm->load[entry->load].group = sm->warp[w]->group;
  sm_copy_begins(sm, sm->warp[w]);
  return false;
}

/* ---- lines of the proposal ---- */

static uint16_t new_line_load(struct sm *sm, uint32_t tag) {
  uint32_t i = sm->first_free_load;
  invariant(i != SM_NONE, "%s: more loads in flight than the MSHRs and the queue can hold", sm->path);
  sm->first_free_load = sm->load[i].next_free;
  sm->load[i] = (struct sm_load){.begun = *sm->now, .remaining = 1, .kind = WAIT_MEMORY, .tag = tag};
  return (uint16_t)i;
}

bool sm_own_line(struct sm *sm, uint64_t address, bool store, uint32_t tag) {
  /* operations that are held may need the line; the one that is performed when the cycle is committed takes a place, too */
  sm->keeps_line = sm->lsu_queue.count + sm->n_held + sm->performs >= sm->lsu_queue.size;
  if (sm->keeps_line) return false;
  struct lsu_entry *entry = &sm->lsu[ring_push(&sm->lsu_queue)];
  entry->kind = store ? LSU_STORE : LSU_LOAD;
  entry->cache = CACHE_L1;
  entry->bypass = false;
  entry->priority = entry->tile = 0;
  entry->load = store ? SM_NONE : new_line_load(sm, tag);
  entry->n = 1, entry->next = 0;
  entry->cta = MEM_NO_CTA;
  entry->banks = 0;
  entry->segment[0] = (struct segment){.address = address, .line = address, .bytes = sm->line_bytes};
  sm->segments_pushed++;
  sm->counters.transactions++;
  sm->work++;
  return true;
}

/* ---- shared memory ---- */

void sm_finish_shared(struct sm *sm) {
  if (!sm->shared_running || sm->shared_free > *sm->now) return;
  uint16_t load = head_of(sm)->load;
  if (head_of(sm)->tile) sm_tile_pop(sm, head_of(sm), sm->shared_free - 1);
  sm->shared_running = false;
  sm->work++;
  pop(sm);
  if (load != SM_NONE) load_progress(sm, load, 1, sm->shared_free - 1 + (uint64_t)sm->config->shared_latency);
}

static void start_shared(struct sm *sm, const struct lsu_entry *entry) {
  if (sm->shared_running || sm->shared_free > *sm->now) return;
  sm->shared_free = *sm->now + entry->cycles;
  sm->work++;
  if (entry->cycles > 1) { /* fills may delay it */
    sm->shared_running = true;
    return;
  }
  uint16_t load = entry->load;
  if (entry->tile) sm_tile_pop(sm, entry, *sm->now);
  pop(sm);
  if (load != SM_NONE) load_progress(sm, load, 1, *sm->now + (uint64_t)sm->config->shared_latency);
}

/* ---- global and local memory ---- */

void sm_send(struct sm *sm, enum mem_kind kind, uint64_t address, uint32_t bytes, uint32_t tag, uint32_t cta) {
  invariant(!sm->sends, "%s: two requests in one cycle", sm->path);
  sm->sends = true;
  if (kind == MEM_READ || kind == MEM_ATOMIC) sm->cache[tag / CACHE_MSHRS].mshr[tag % CACHE_MSHRS].sent = *sm->now;
  sm->request = (struct mem_request){.address = address,
                                     .bytes = (uint8_t)bytes,
                                     .sm = (uint16_t)sm->index,
                                     .tag = tag,
                                     .cta = cta,
                                     .kind = (uint8_t)kind};
  if (kind == MEM_WRITE && sm->ops && sm->ops->packs) {
    uint32_t travels = sm->ops->packs(sm->system, &sm->request);
    sm->request.packed = (uint8_t)(travels < bytes ? travels : 0);
  }
  sm->port_used = *sm->now + 1;
}

static bool wait_port(struct sm *sm) {
  sm->lsu_wait = LSU_WAITS_PORT;
  sm->counters.port_stalls++;
  return false;
}

static bool wait_mshr(struct sm *sm, struct cache *c) {
  sm->lsu_wait = LSU_WAITS_MSHR;
  ++*c->mshr_stalls;
  return false;
}

/* Treats the segment as an L1 hit (ideal.memory). */
static bool is_perfect(const struct sm *sm, const struct lsu_entry *entry) {
  int64_t ideal = sm->config->ideal_memory;
  if (ideal == IDEAL_MEMORY_PERFECT_L1) return entry->cache == CACHE_L1 && entry->kind == LSU_LOAD && !entry->bypass;
  return ideal == IDEAL_MEMORY_PERFECT;
}

/* Asks the proposal for a line beside L1; BUSY has been noted. */
static enum line_answer ask(struct sm *sm, const struct lsu_entry *entry, enum mem_kind kind, const struct segment *s) {
  if (!sm->ops || !sm->ops->line || entry->cache != CACHE_L1) return LINE_ELSEWHERE;
  enum line_answer answer = sm->ops->line(sm->system, kind, s);
  sm->system_called = true;
  if (answer == LINE_BUSY) sm->work++; /* to be tried again */
  return answer;
}

bool sm_next_line(const struct sm *sm, struct next_line *n) {
  const struct lsu_entry *entry = &sm->lsu[sm->lsu_queue.head];
  static const uint8_t kinds[] = {[LSU_LOAD] = MEM_READ, [LSU_STORE] = MEM_WRITE, [LSU_ATOMIC] = MEM_ATOMIC};
  if (!sm->lsu_queue.count || entry->kind == LSU_SHARED || entry->cache != CACHE_L1) return false;
  if (entry->kind == LSU_LOAD && entry->bypass) return false;
  *n = (struct next_line){.number = sm->segments, .where = &entry->segment[entry->next], .kind = kinds[entry->kind]};
  return true;
}

/* The proposal's hooks, of a load that looks up L1. */
static const struct l1_hooks *hooks_of(const struct sm *sm, const struct lsu_entry *entry) {
  return sm->ops && entry->cache == CACHE_L1 && !entry->bypass && !is_perfect(sm, entry) ? sm->ops->l1 : NULL;
}

static void tell(struct sm *sm, const struct l1_hooks *hooks, const struct segment *s, enum l1_outcome outcome) {
  struct cache *c = &sm->cache[CACHE_L1];
  sm->system_called = true;
  if (hooks->looked_up)
    hooks->looked_up(sm->system, s->line, outcome, outcome == L1_HIT ? cache_find(c, s->line) % c->ways : 0);
}

/* The load joins those for which the proposal expands the line that L1 has. False: there is no MSHR, or no place in it. */
static bool wait_expanded(struct sm *sm, const struct lsu_entry *entry, const struct segment *s) {
  struct cache *c = &sm->cache[CACHE_L1];
  uint32_t m = mshr_find(c, s->line);
  if (m == MSHR_NONE) {
    if (c->first_free == MSHR_NONE) return false;
    m = mshr_take(c, MSHR_LINE, s->line);
    c->mshr[m].kept = true;
    sm->l1_packing->expand(sm->system, m, cache_find(c, s->line), sm->load[entry->load].warp->slot);
    sm->system_called = true;
  }
  if (c->mshr[m].n_loads == c->merges) return false;
  c->load[m * c->merges + c->mshr[m].n_loads++] = entry->load;
  return true;
}

/* A load whose line is there. */
static bool load_hits(struct sm *sm, const struct lsu_entry *entry, const struct segment *s) {
  struct cache *c = &sm->cache[entry->cache];
  const struct l1_hooks *hooks = hooks_of(sm, entry);
  bool whole = !sm->l1_packing || entry->cache != CACHE_L1 || is_perfect(sm, entry) || !sm->load[entry->load].warp;
  uint32_t later = whole ? 0 : sm->l1_packing->hit(sm->system, cache_find(c, s->line));
  if (later == L1_EXPANDS && !wait_expanded(sm, entry, s)) return wait_mshr(sm, c);
  ++*c->hits;
  if (hooks) tell(sm, hooks, s, L1_HIT);
  if (sm->prefetcher && entry->cache == CACHE_L1) sm_prefetcher_hit(sm, s->line);
  sm->load[entry->load].hit = true;
  if (later != L1_EXPANDS) load_progress(sm, entry->load, 1, *sm->now + c->latency + later);
  return true;
}

static bool load_segment(struct sm *sm, const struct lsu_entry *entry, const struct segment *s) {
  struct cache *c = &sm->cache[entry->cache];
  const struct l1_hooks *hooks = hooks_of(sm, entry);
  enum line_answer answer = entry->bypass ? LINE_ELSEWHERE : ask(sm, entry, MEM_READ, s);
  if (answer == LINE_BUSY) return false;
  if (answer == LINE_HERE) {
    load_progress(sm, entry->load, 1, *sm->now + (uint64_t)sm->config->shared_latency);
    return true;
  }
  struct l1_insertion into = {.priority = entry->priority};
  if (hooks) {
    into = hooks->look(sm->system, s->line);
    sm->system_called = true;
  }
  if (is_perfect(sm, entry) || (!entry->bypass && cache_lookup(c, s->line))) return load_hits(sm, entry, s);
  bool shared = c->sets || entry->cache != CACHE_L1; /* without L1 every request is sent, without merging */
  uint32_t m = shared ? mshr_find(c, s->line) : MSHR_NONE;
  if (m != MSHR_NONE) {
    if (c->mshr[m].n_loads == c->merges) return wait_mshr(sm, c);
    ++*c->merged;
    if (hooks) tell(sm, hooks, s, L1_MERGED);
  } else {
    if (c->first_free == MSHR_NONE) return wait_mshr(sm, c);
    if (!memory_can_inject(sm->memory, sm->index)) return wait_port(sm);
    ++*c->misses;
    if (hooks) tell(sm, hooks, s, L1_MISS);
    m = mshr_take(c, MSHR_LINE, s->line);
    sm_send(sm, MEM_READ, s->line, c->line_bytes, c->tag_base + m, entry->cta);
  }
  c->mshr[m].fills |= !entry->bypass && !into.none;
  if (into.priority > c->mshr[m].priority) c->mshr[m].priority = into.priority;
  c->load[m * c->merges + c->mshr[m].n_loads++] = entry->load;
  return true;
}

static bool atomic_segment(struct sm *sm, const struct lsu_entry *entry, const struct segment *s) {
  struct cache *c = &sm->cache[CACHE_L1];
  if (is_perfect(sm, entry)) {
    load_progress(sm, entry->load, 1, *sm->now + c->latency);
    return true;
  }
  if (c->first_free == MSHR_NONE) return wait_mshr(sm, c);
  if (!memory_can_inject(sm->memory, sm->index)) return wait_port(sm);
  if (ask(sm, entry, MEM_ATOMIC, s) == LINE_BUSY) return false;
  uint32_t m = mshr_take(c, MSHR_ATOMIC, s->line);
  c->load[m * c->merges] = entry->load;
  c->mshr[m].n_loads = 1;
  sm_send(sm, MEM_ATOMIC, s->address, s->bytes, m, entry->cta);
  return true;
}

static bool store_segment(struct sm *sm, const struct lsu_entry *entry, const struct segment *s) {
  if (is_perfect(sm, entry)) return true;
  if (!memory_can_inject(sm->memory, sm->index)) return wait_port(sm);
  enum line_answer answer = ask(sm, entry, MEM_WRITE, s);
  if (answer == LINE_BUSY || answer == LINE_TAKEN) return answer == LINE_TAKEN;
  sm_send(sm, MEM_WRITE, s->address, s->bytes, 0, entry->cta);
  return true;
}

static void record(const struct sm *sm, const struct lsu_entry *entry, const struct segment *s, bool hit) {
  static const uint8_t kinds[] = {[LSU_LOAD] = MEM_READ, [LSU_STORE] = MEM_WRITE, [LSU_ATOMIC] = MEM_ATOMIC};
  uint8_t outcome = hit ? ACCESS_HIT : entry->kind != LSU_LOAD ? ACCESS_SENT : sm->sends ? ACCESS_MISS : ACCESS_MERGED;
  bool line = entry->kind == LSU_LOAD;
  const struct l1_record record = {
    .cycle = *sm->now,
    .address = line ? s->line : s->address,
    .cta = entry->cta,
    .bytes = (uint8_t)(line ? sm->cache[entry->cache].line_bytes : s->bytes),
    .kind = kinds[entry->kind],
    .cache = entry->cache,
    .outcome = outcome,
  };
  if (sm->recorder->l1) sm->recorder->l1(sm->recorder->context, sm->index, &record);
}

static bool take_segment(struct sm *sm, struct lsu_entry *entry) {
  const struct segment *s = &entry->segment[entry->next];
  uint64_t hits = *sm->cache[entry->cache].hits;
  bool done = entry->kind == LSU_STORE  ? store_segment(sm, entry, s)
              : entry->kind == LSU_LOAD ? load_segment(sm, entry, s)
                                        : atomic_segment(sm, entry, s);
  if (!done) return false;
  if (sm->recorder) record(sm, entry, s, *sm->cache[entry->cache].hits != hits);
  if (sm->sends) memory_count_banks(sm->memory, sm->request.address, &entry->banks, &sm->counters);
  sm->work++;
  sm->segments++;
  entry->next++;
  return true;
}

/* Processes one segment; of a texture fetch one per tag port, up to the first that needs the interconnect. */
static void take_segments(struct sm *sm, struct lsu_entry *entry) {
  uint32_t ports = entry->cache == CACHE_TEXTURE ? (uint32_t)sm->config->tex_ports : 1;
  do {
    if (!take_segment(sm, entry)) return;
  } while (entry->next < entry->n && --ports && !sm->sends);
  if (entry->next < entry->n) return;
  if (entry->tile) sm_tile_pop(sm, entry, *sm->now);
  pop(sm);
}

void sm_lsu_cycle(struct sm *sm) {
  bool look_again = sm->mshrs_changed, l1_taken = sm->l1_taken;
  sm->l1_taken = false;
  sm->mshrs_changed = false;
  if (sm->lsu_wait == LSU_WAITS_MSHR && !look_again) {
    ++*sm->cache[head_of(sm)->cache].mshr_stalls;
    return;
  }
  sm->lsu_wait = LSU_RUNS;
  if (!sm->lsu_queue.count) return;
  struct lsu_entry *entry = head_of(sm);
  if (entry->kind == LSU_SHARED) {
    start_shared(sm, entry);
    return;
  }
  if (l1_taken) sm->work++;
  else take_segments(sm, entry);
}

/* ---- replies ---- */

void sm_take_reply(struct sm *sm) {
  if (sm->reply_at && __atomic_load_n(sm->reply_at, __ATOMIC_ACQUIRE) > *sm->tick) return;
  const struct mem_request *reply = memory_first_reply(sm->memory, sm->index);
  if (!reply) return;
  sm->took_reply = true;
  sm_finish_reply(sm, reply);
}

/* Of L1, where a line takes the bytes that it has. */
static void fill_part(struct sm *sm, struct cache *c, uint64_t line, uint8_t priority, const struct mshr *m) {
  uint32_t packed = m ? m->packed : 0, mshr = m ? (uint32_t)(m - c->mshr) : MSHR_NONE;
  uint32_t bytes = packed ? sm->l1_packing->takes(sm->system, packed) : c->line_bytes;
  uint32_t at = cache_fill_part(c, line, priority, bytes);
  if (at != CACHE_NO_WAY) sm->l1_packing->filled(sm->system, mshr, packed, at, c->lines);
}

/* Puts a line into a cache. `m`: the MSHR that waited for it; NULL: it was pushed. */
static void fill_line(struct sm *sm, struct cache *c, uint64_t line, uint8_t priority, const struct mshr *m) {
  const struct mem_recorder *r = sm->recorder;
  uint8_t cache = (uint8_t)(c - sm->cache);
  if (cache == CACHE_L1 && sm->l1_packing) fill_part(sm, c, line, priority, m);
  else cache_fill(c, line, priority);
  if (cache == CACHE_L1 && sm->ops && sm->ops->l1_policy) sm->system_called = true;
  if (sm->prefetcher && cache == CACHE_L1) sm_prefetcher_filled(sm, line, m);
  if (r && r->fill) r->fill(r->context, sm->index, &(struct fill_record){*sm->now, line, cache});
}

static void finish_command(struct sm *sm, uint32_t tag) {
  invariant(sm->commands, "%s: an answer to command %u, which was not sent", sm->path, tag);
  sm->work++;
  sm->commands--;
  sm->ops->command_done(sm->system, tag);
  sm->system_called = true;
}

/* A pushed line, without an MSHR. */
static void take_push(struct sm *sm, uint64_t line, uint32_t tag) {
  const struct system_ops *ops = sm->ops;
  sm->work++;
  if (ops && ops->pushed) sm->system_called = true;
  if (!ops || !ops->pushed || ops->pushed(sm->system, line, tag)) fill_line(sm, &sm->cache[CACHE_L1], line, 0, NULL);
}

/* The loads of MSHR `i` have their data, and read it from `cycle` on. */
static void answer(struct sm *sm, struct cache *c, uint32_t i, uint64_t cycle) {
  const struct mshr *m = &c->mshr[i];
  if (m->fills) fill_line(sm, c, m->line, m->priority, m);
  for (uint32_t k = 0; k < m->n_loads; k++) load_progress(sm, c->load[i * c->merges + k], 1, cycle);
  mshr_free(c, i);
  sm->mshrs_changed = true;
  sm->freed = c;
}

/* Slot of the warp whose line has come; SM_NO_WARP: a line of the proposal's, or of a prefetch that L1 takes as it is: the load that finds it
 * there pays then. */
static uint32_t asker(const struct sm *sm, const struct cache *c, uint32_t i) {
  if (!c->mshr[i].n_loads) return sm->l1_packing ? SM_NO_WARP : c->mshr[i].warp;
  const struct sm_load *load = &sm->load[c->load[i * c->merges]];
  return load->warp && !load->dead ? load->warp->slot : SM_NO_WARP;
}

/* False: the proposal does not keep the reply. */
static bool keep(struct sm *sm, struct cache *c, uint32_t i, const struct mem_request *reply) {
  if (!sm->ops || !sm->ops->keeps_reply || c != &sm->cache[CACHE_L1] || c->mshr[i].kind != MSHR_LINE) return false;
  uint32_t warp = asker(sm, c, i);
  if (warp == SM_NO_WARP) return false;
  c->mshr[i].kept = sm->ops->keeps_reply(sm->system, i, reply, warp);
  sm->system_called = true;
  return c->mshr[i].kept;
}

bool sm_release(struct sm *sm, uint32_t i) {
  struct cache *c = &sm->cache[CACHE_L1];
  if (sm->freed) return false;
  if (!c->mshr[i].kept) return true;
  c->mshr[i].kept = false;
  sm->work++;
  answer(sm, c, i, *sm->now + c->latency);
  return true;
}

void sm_finish_reply(struct sm *sm, const struct mem_request *reply) {
  uint32_t tag = reply->tag;
  if (mem_unasked(reply)) {
    take_push(sm, reply->address, tag);
    return;
  }
  if (tag >= SM_COMMAND_TAG) {
    finish_command(sm, tag - SM_COMMAND_TAG);
    return;
  }
  if (tag >= SM_WRITE_TAG) {
    sm->work++;
    sm->ops->answered(sm->system, reply);
    sm->system_called = true;
    return;
  }
  struct cache *c = &sm->cache[tag / CACHE_MSHRS];
  uint32_t i = tag % CACHE_MSHRS;
  struct mshr *m = &c->mshr[i];
  invariant(i < c->mshrs && m->kind != MSHR_FREE, "%s: a reply for MSHR %u, which is free", sm->path, tag);
  sm->work++;
  sm->counters.replies++;
  sm->counters.reply_cycles += *sm->now - m->sent;
  if (sm->latency_of) histogram_add(&sm->latency_of[LATENCY_reply], *sm->now - m->sent);
  if (m->kind == MSHR_SYSTEM) {
    sm->ops->fill(sm->system, i);
    sm->system_called = true;
  }
  m->packed = reply->packed;
  if (keep(sm, c, i, reply)) return;
  answer(sm, c, i, *sm->now + 1); /* assumption: writing the registers takes one cycle */
}

/* ---- abort ---- */

static void kill_load(struct sm *sm, uint16_t i, uint32_t parts) {
  if (i == SM_NONE) return;
  sm->load[i].dead = true;
  if (parts) load_progress(sm, i, parts, 0);
}

/* What the proposal keeps has come already. */
static void drop_kept(struct sm *sm) {
  struct cache *c = &sm->cache[CACHE_L1];
  if (sm->freed) mshr_recycle(sm->freed);
  sm->freed = NULL;
  for (uint32_t m = 0; m < c->mshrs; m++) {
    if (c->mshr[m].kind == MSHR_FREE || !c->mshr[m].kept) continue;
    c->mshr[m].kept = false;
    mshr_free(c, m);
    mshr_recycle(c);
  }
}

void sm_lsu_abort(struct sm *sm) {
  for (const struct cache *c = sm->cache; c < sm->cache + SM_CACHES; c++)
    for (uint32_t m = 0; m < c->mshrs; m++)
      for (uint32_t i = 0; c->mshr[m].kind != MSHR_FREE && i < c->mshr[m].n_loads; i++)
        kill_load(sm, c->load[m * c->merges + i], 0);
  while (sm->lsu_queue.count) {
    const struct lsu_entry *entry = head_of(sm);
    kill_load(sm, entry->load, entry->kind == LSU_SHARED ? 1 : entry->n - entry->next);
    pop(sm);
  }
  drop_kept(sm);
  sm->segments = sm->segments_pushed;
  sm->shared_running = sm->l1_taken = false;
  sm->lsu_wait = LSU_RUNS;
}
