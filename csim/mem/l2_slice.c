/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "mem/l2_slice_internal.h"

#include <stdlib.h>

uint32_t l2_slice_max_reads(const struct gpu_config *m) { return (uint32_t)m->l2_mshrs * L2_MAX_SECTORS; }

static void make_burst_tables(struct l2_slice *s, const struct gpu_config *m) {
  uint32_t sectors = s->line_bytes / L2_SECTOR_BYTES, burst = (uint32_t)m->dram_burst_bytes;
  uint32_t span = burst > L2_SECTOR_BYTES ? burst / L2_SECTOR_BYTES : 1; /* sectors a burst */
  if (span > sectors) span = sectors;
  uint32_t bursts = burst < L2_SECTOR_BYTES ? L2_SECTOR_BYTES / burst : 1; /* bursts a sector */
  for (uint32_t set = 0; set < SECTOR_SETS; set++)
    for (uint32_t i = 0; i < sectors; i += span) {
      uint32_t mask = ((1U << span) - 1) << i;
      if (!(set & mask)) continue;
      s->whole[set] |= (uint8_t)mask;
      s->bursts[set] = (uint8_t)(s->bursts[set] + bursts);
    }
}

struct l2_slice *l2_slice_create(const struct l2_slice_config *config, struct err *e) {
  const struct gpu_config *m = config->gpu;
  struct l2_slice *s = calloc(1, sizeof *s);
  if (!s) goto fail;
  s->c = *config;
  s->line_bytes = (uint32_t)m->line_bytes;
  s->line_shift = (uint32_t)__builtin_ctz(s->line_bytes);
  s->line_sectors = (uint8_t)((1U << (s->line_bytes / L2_SECTOR_BYTES)) - 1);
  s->latency = (uint32_t)m->l2_latency;
  s->write_miss = (uint32_t)m->l2_write_miss;
  s->cached = m->l2_bytes;
  s->wake = UINT64_MAX;
  s->request_at = network_head_word(config->request, config->index);
  s->answer_at = dram_answer_word(config->channel);
  make_burst_tables(s, m);
  uint32_t sets = (uint32_t)(m->l2_bytes / m->dram_channels / m->l2_ways / m->line_bytes);
  if (s->cached && !l2_tags_create(&s->tags, sets, (uint32_t)m->l2_ways, (enum l2_replacement)m->l2_replacement))
    goto fail;
  uint32_t n_mshrs = (uint32_t)m->l2_mshrs, n_waiters = n_mshrs * L2_WAITERS_PER_MSHR;
  s->reply_capacity = s->latency + (uint32_t)m->l2_queue; /* the pipeline, and as many that wait for the network */
  s->mshrs = calloc(n_mshrs, sizeof *s->mshrs);
  s->waiters = calloc(n_waiters, sizeof *s->waiters);
  s->replies = calloc(s->reply_capacity, sizeof *s->replies);
  if (!s->mshrs || !s->waiters || !s->replies) goto fail;
  for (uint32_t i = 0; i < n_mshrs; i++) s->mshrs[i].next = (uint16_t)(i + 1 < n_mshrs ? i + 1 : NONE);
  for (uint32_t i = 0; i < n_waiters; i++) s->waiters[i].next = (uint16_t)(i + 1 < n_waiters ? i + 1 : NONE);
  s->filled_first = s->filled_last = NONE;
  s->strides = s->extended = m->l2_prefetch == L2_PREFETCH_STRIDE;
  if (s->strides) l2_stride_start(&s->stride, m, config->map, config->index);
  return s;
fail:
  err_set(e, ERR_LIMIT, "out of memory for an L2 slice");
  l2_slice_destroy(s);
  return NULL;
}

void l2_slice_destroy(struct l2_slice *s) {
  if (!s) return;
  l2_tags_destroy(&s->tags);
  free(s->mshrs);
  free(s->waiters);
  free(s->replies);
  free(s);
}

/* --- replies --- */

/* The answer to a side access has a place of its own. */
static bool room_for_reply(const struct l2_slice *s, const struct mem_request *r) {
  return l2_reply_room(s) || r->sm == DRAM_NOBODY;
}

void l2_queue_reply(struct l2_slice *s, const struct mem_request *r, uint64_t cycle) {
  if (r->sm == DRAM_NOBODY) {
    l2_side_answer(s, r->cta, cycle);
    return;
  }
  uint32_t at = s->reply_head + s->reply_count++;
  s->replies[at >= s->reply_capacity ? at - s->reply_capacity : at] = (struct reply){*r, cycle + s->latency};
}

static void send_reply(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  if (!s->reply_count) return;
  const struct reply *r = &s->replies[s->reply_head];
  if (r->cycle > cycle || !network_can_inject(s->c.reply, s->c.index, tick)) return;
  struct packet_key key = {.mc = (uint8_t)s->c.index};
  uint32_t data = r->request.kind == MEM_COMMAND ? 0 : r->request.bytes;
  network_inject(s->c.reply, s->c.index, r->request.sm, &r->request, data, key, tick);
  s->reply_head = s->reply_head + 1 == s->reply_capacity ? 0 : s->reply_head + 1;
  s->reply_count--;
}

/* --- fills --- */

static void free_mshr(struct l2_slice *s, uint16_t id) {
  s->mshrs[id].next = s->free_mshr;
  s->free_mshr = id;
  s->busy_mshrs--;
}

static void take_answer(struct l2_slice *s, uint64_t tick) {
  if (*s->answer_at > tick) return;
  if (!s->cached && s->victim_sectors) return; /* an atomic writes what it has read */
  uint16_t id = dram_take_answer(s->c.channel);
  struct mshr *m = &s->mshrs[id];
  if (--m->fetches) return;
  if (s->cached) {
    struct l2_line *line = &s->tags.line[m->line];
    line->valid |= m->sectors;
    line->mshr = L2_NO_MSHR;
  } else if (s->waiters[m->first].request.kind == MEM_ATOMIC) {
    s->victim_line = address_map_local(s->c.map, s->waiters[m->first].request.physical) >> s->line_shift;
    s->victim_sectors = m->sectors;
    ++*s->c.in_flight;
  }
  *s->c.in_flight -= m->unasked;
  *s->c.hints -= m->hints;
  if (m->first == NONE) {
    free_mshr(s, id);
    return;
  }
  m->next = NONE;
  *(s->filled_first == NONE ? &s->filled_first : &s->mshrs[s->filled_last].next) = id;
  s->filled_last = id;
}

static void reply_waiter(struct l2_slice *s, uint64_t cycle) {
  uint16_t id = s->filled_first;
  if (id == NONE) return;
  struct mshr *m = &s->mshrs[id];
  uint16_t w = m->first;
  if (!room_for_reply(s, &s->waiters[w].request)) return;
  l2_queue_reply(s, &s->waiters[w].request, cycle);
  m->first = s->waiters[w].next;
  s->waiters[w].next = s->free_waiter;
  s->free_waiter = w;
  if (m->first != NONE) return;
  s->filled_first = m->next;
  free_mshr(s, id);
}

/* --- lookups --- */

/* A request for sectors of `line`; `r`: who asked, or NULL. */
static void push_request(struct l2_slice *s, uint64_t line, uint8_t sectors, uint16_t id, const struct mem_request *r,
                         uint64_t tick) {
  struct dram_request d = {.local = line * s->line_bytes,
                           .cta = r && r->sm != DRAM_NOBODY ? r->cta : UINT32_MAX,
                           .sm = r ? r->sm : DRAM_NOBODY,
                           .id = id,
                           .bursts = s->bursts[sectors],
                           .write = id == NONE};
  dram_push(s->c.channel, &d, tick);
}

static void push_victim(struct l2_slice *s, uint64_t tick) {
  if (!s->victim_sectors || !dram_can_push(s->c.channel, s->victim_line * s->line_bytes)) return;
  push_request(s, s->victim_line, s->victim_sectors, NONE, NULL, tick);
  s->victim_sectors = 0;
}

/* A way for `line`; L2_NO_WAY: none is free, or the write-back place is taken; for a hint, pinned lines stay. */
static uint32_t allocate(struct l2_slice *s, uint64_t line, bool hint) {
  uint32_t at = l2_tags_victim(&s->tags, line);
  if (at == L2_NO_WAY || (hint && s->tags.line[at].flags & L2_PINNED)) return L2_NO_WAY;
  uint8_t dirty = s->tags.line[at].dirty;
  if (dirty) {
    if (s->victim_sectors) return L2_NO_WAY;
    s->victim_line = l2_tags_line(&s->tags, at);
    s->victim_sectors = dirty;
    s->c.counters->l2_writebacks++;
    ++*s->c.in_flight;
  }
  l2_tags_fill(&s->tags, at, line, hint);
  return at;
}

/* Sectors that [offset, end) of a line touches, and those it covers. */
static uint8_t touched(uint32_t offset, uint32_t end) {
  uint32_t first = offset / L2_SECTOR_BYTES, last = (end - 1) / L2_SECTOR_BYTES;
  return (uint8_t)((2U << last) - (1U << first));
}

static uint8_t covered(uint32_t offset, uint32_t end) {
  uint32_t first = (offset + L2_SECTOR_BYTES - 1) / L2_SECTOR_BYTES, after = end / L2_SECTOR_BYTES;
  return first >= after ? 0 : (uint8_t)((1U << after) - (1U << first));
}

/* A fetch of sectors of line `at`, which nobody waits for yet. There is a place for it. */
static struct mshr *fetch_sectors(struct l2_slice *s, uint32_t at, uint64_t line, uint8_t fetch,
                                  const struct mem_request *r, uint64_t tick) {
  uint16_t id = s->cached ? s->tags.line[at].mshr : L2_NO_MSHR;
  if (id == L2_NO_MSHR) {
    id = s->free_mshr;
    s->free_mshr = s->mshrs[id].next;
    s->mshrs[id] = (struct mshr){.line = at, .first = NONE, .last = NONE, .next = NONE};
    s->busy_mshrs++;
    if (s->cached) s->tags.line[at].mshr = id;
  }
  struct mshr *m = &s->mshrs[id];
  if (!fetch) return m;
  m->sectors |= s->whole[fetch];
  m->fetches++;
  push_request(s, line, fetch, id, r, tick);
  return m;
}

/* Makes the request wait for line `at`, and fetches what is missing of it. Everything it takes is there. */
static void miss(struct l2_slice *s, uint32_t at, uint64_t line, const struct mem_request *r, uint8_t fetch,
                 uint64_t tick) {
  struct mshr *m = fetch_sectors(s, at, line, fetch, r, tick);
  uint16_t w = s->free_waiter;
  s->free_waiter = s->waiters[w].next;
  s->waiters[w] = (struct waiter){*r, NONE};
  *(m->first == NONE ? &m->first : &s->waiters[m->last].next) = w;
  m->last = w;
}

bool l2_fetch_hint(struct l2_slice *s, uint64_t line, uint64_t tick) {
  uint32_t at = allocate(s, line, true);
  if (at == L2_NO_WAY) return false;
  fetch_sectors(s, at, line, s->line_sectors, NULL, tick)->hints++;
  return true;
}

/* What a write fetches of its line, by l2.write_miss. */
static uint8_t fetched_by_write(const struct l2_slice *s, bool hit, uint8_t touches, uint8_t covers) {
  switch (s->write_miss) {
    case L2_WRITE_PARTIAL: return touches & (uint8_t)~covers;
    case L2_WRITE_LINE:
    case L2_WRITE_FORWARD: return hit ? 0 : s->line_sectors;
    default: return 0;
  }
}

static bool look_up_write(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint8_t touches,
                          uint8_t covers, uint64_t tick) {
  uint32_t at = l2_tags_find(&s->tags, line);
  bool hit = at != L2_NO_WAY, forward = !hit && s->write_miss == L2_WRITE_FORWARD;
  uint16_t id = hit ? s->tags.line[at].mshr : L2_NO_MSHR;
  uint8_t fetch = fetched_by_write(s, hit, touches, covers);
  if (hit) fetch &= (uint8_t)~s->tags.line[at].valid;
  if (id != L2_NO_MSHR) fetch &= (uint8_t)~s->mshrs[id].sectors;
  if (fetch && id == L2_NO_MSHR && s->free_mshr == NONE) return false;
  if (dram_room(s->c.channel, line * s->line_bytes) < (fetch ? 1U : 0U) + (forward ? 1U : 0U)) return false;
  if (!hit) at = allocate(s, line, false);
  if (at == L2_NO_WAY) return false;
  if (fetch) {
    fetch_sectors(s, at, line, fetch, r, tick)->unasked++;
    ++*s->c.in_flight;
    s->c.counters->l2_write_fetches++;
  }
  /* after the fetch, which need not wait for it: the line keeps the written bytes */
  if (forward) push_request(s, line, touches, NONE, r, tick);
  else --*s->c.in_flight;
  s->tags.line[at].valid |= covers;
  if (!forward) s->tags.line[at].dirty |= touches;
  if (hit) l2_tags_touch(&s->tags, at);
  s->c.counters->l2_writes++;
  ++*(hit ? &s->c.counters->l2_hits : &s->c.counters->l2_misses);
  if (s->extended) l2_looked_up(s, r, line, at, hit, hit);
  return true;
}

/* Without a cache: a request becomes one of the channel; an atomic reads, and writes when the answer has come. */
static bool pass_on(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint8_t touches, uint64_t tick) {
  if (!dram_can_push(s->c.channel, line * s->line_bytes)) return false;
  if (r->kind == MEM_WRITE) {
    push_request(s, line, touches, NONE, r, tick);
    s->c.counters->l2_writes++;
    return true;
  }
  if (s->free_mshr == NONE) return false;
  miss(s, L2_NO_WAY, line, r, touches, tick);
  ++*(r->kind == MEM_ATOMIC ? &s->c.counters->l2_atomics : &s->c.counters->l2_reads);
  return true;
}

static bool look_up_read(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint8_t needs, uint64_t cycle,
                         uint64_t tick) {
  uint32_t at = l2_tags_find(&s->tags, line);
  uint8_t missing = needs, fetch = needs;
  uint16_t id = L2_NO_MSHR;
  bool found = at != L2_NO_WAY;
  if (found) {
    id = s->tags.line[at].mshr;
    missing = needs & (uint8_t)~s->tags.line[at].valid;
    fetch = id == L2_NO_MSHR ? missing : missing & (uint8_t)~s->mshrs[id].sectors;
  }
  if (missing) {
    if (s->free_waiter == NONE || (id == L2_NO_MSHR && s->free_mshr == NONE)) return false;
    if (fetch && !dram_can_push(s->c.channel, line * s->line_bytes)) return false;
    if (at == L2_NO_WAY) at = allocate(s, line, false);
    if (at == L2_NO_WAY) return false;
    miss(s, at, line, r, fetch, tick);
  } else {
    if (!room_for_reply(s, r)) return false;
    l2_queue_reply(s, r, cycle);
  }
  if (found) l2_tags_touch(&s->tags, at);
  if (r->kind == MEM_ATOMIC) s->tags.line[at].dirty |= needs;
  ++*(r->kind == MEM_ATOMIC ? &s->c.counters->l2_atomics : &s->c.counters->l2_reads);
  ++*(missing ? &s->c.counters->l2_misses : &s->c.counters->l2_hits);
  if (s->extended) l2_looked_up(s, r, line, at, !missing, found);
  return true;
}

bool l2_look_up_one(struct l2_slice *s, const struct mem_request *r, uint64_t cycle, uint64_t tick) {
  uint64_t line = address_map_local(s->c.map, r->physical) >> s->line_shift;
  uint32_t offset = (uint32_t)r->physical & (s->line_bytes - 1), end = offset + r->bytes;
  if (end > s->line_bytes) end = s->line_bytes;
  uint8_t touches = touched(offset, end);
  return !s->cached             ? pass_on(s, r, line, touches, tick)
         : r->kind == MEM_WRITE ? look_up_write(s, r, line, touches, covered(offset, end), tick)
                                : look_up_read(s, r, line, touches, cycle, tick);
}

static void hand_command_over(struct l2_slice *s, const struct mem_request *r) {
  invariant(s->side.ops, "SM %u sent a command, and nobody takes it", r->sm);
  s->side.ops->command(s->side.agent, r);
}

bool l2_look_up(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  if (*s->request_at > tick) return false;
  const struct mem_request *r = network_head(s->c.request, s->c.index, tick);
  if (r->kind == MEM_COMMAND) hand_command_over(s, r);
  else if (!l2_look_up_one(s, r, cycle, tick)) return false;
  network_pop(s->c.request, s->c.index, tick);
  return true;
}

void l2_slice_cycle(struct l2_slice *s) {
  uint64_t tick = s->c.clocks->next[CLOCK_L2], cycle = s->c.clocks->cycle[CLOCK_L2];
  uint64_t period = s->c.clocks->period[CLOCK_L2];
  send_reply(s, cycle, tick);
  push_victim(s, tick);
  take_answer(s, tick);
  reply_waiter(s, cycle);
  if (s->extended) l2_side_cycle(s, cycle, tick);
  else l2_look_up(s, cycle, tick);
  s->wake = UINT64_MAX;
  if (s->reply_count) {
    uint64_t due = s->replies[s->reply_head].cycle;
    s->wake = tick + (due > cycle ? due - cycle : 1) * period;
  }
  if (s->victim_sectors || s->filled_first != NONE) s->wake = tick + period;
  if (s->extended) {
    uint64_t side = l2_side_wake(s, cycle, tick);
    if (side < s->wake) s->wake = side;
  }
}

uint64_t l2_slice_wake(const struct l2_slice *s) {
  uint64_t request = *s->request_at, answer = *s->answer_at;
  uint64_t outside = request < answer ? request : answer;
  return s->wake < outside ? s->wake : outside;
}

void l2_slice_describe(const struct l2_slice *s, FILE *out) {
  if (s->busy_mshrs || s->reply_count || s->victim_sectors)
    fprintf(out, "L2 slice %u: %u MSHRs busy, %u replies waiting%s\n", s->c.index, s->busy_mshrs, s->reply_count,
            s->victim_sectors ? ", a write-back waits for the DRAM queue" : "");
  if (s->side.open || s->side.hint_count)
    fprintf(out, "L2 slice %u: %u side accesses open, %u of them not looked up, %u hints\n", s->c.index, s->side.open,
            s->side.access_count, s->side.hint_count);
}
