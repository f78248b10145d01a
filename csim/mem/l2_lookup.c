/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_lookup.h"

#include "base/err.h"
#include "dram/channel.h"
#include "mem/l2_packed.h"
#include "mem/l2_room.h"
#include "mem/l2_state.h"
#include "mem/packing.h"
#include "mem/recorder.h"

/* --- replies --- */

/* The answer to a metadata access has a place of its own. */
static bool room_for_reply(const struct l2_slice *s, const struct mem_request *r) {
  return l2_reply_room(s) || r->source == MEM_AGENT;
}

/* A reply to an SM whose data may travel in fewer bytes. */
static void queue_packed(struct l2_slice *s, const struct mem_request *r, uint64_t cycle, bool fetched) {
  struct mem_request packed = *r;
  if (s->packing && r->source == MEM_SM && (r->kind == MEM_READ || r->kind == MEM_ATOMIC)) {
    struct packed_reply p = s->packing->reply(s->metadata.agent, r, fetched);
    packed.packed = p.bytes < r->bytes ? p.bytes : 0;
    cycle += p.cycles;
  }
  l2_queue_reply(s, &packed, cycle);
}

void l2_queue_reply(struct l2_slice *s, const struct mem_request *r, uint64_t cycle) {
  struct l2_metadata *x = &s->metadata;
  if (r->source == MEM_AGENT) x->answer[ring_push(&x->answers)] = (struct metadata_answer){cycle + s->latency, r->tag};
  else s->reply_slots[ring_push(&s->replies)] = (struct reply){*r, cycle + s->latency};
}

/* --- fills --- */

static void free_mshr(struct l2_slice *s, uint16_t id) {
  s->mshrs[id].next = s->free_mshr;
  s->free_mshr = id;
  s->busy_mshrs--;
}

static void note_fill(const struct l2_slice *s, uint32_t at) {
  const struct mem_recorder *recorder = s->account->recorder;
  if (!recorder->fill) return;
  uint64_t address = address_map_global(s->map, s->node / s->map->slices, l2_tags_line(&s->tags, at) << s->line_shift);
  recorder->fill(recorder->context, s->index, &(struct fill_record){s->clocks->cycle[CLOCK_L2], address, ACCESS_L2});
}

void l2_take_answer(struct l2_slice *s) {
  if (!s->cached && s->victim_sectors) return; /* an atomic writes what it has read */
  uint16_t id = dram_take_answer(s->channel, s->port);
  if (s->packing && id & L2_SIZE_ID) {
    l2_packed_answer(s, id);
    return;
  }
  struct mshr *m = &s->mshrs[id];
  if (--m->fetches) return;
  if (m->line != L2_NO_WAY) {
    struct l2_line *line = &s->tags.line[m->line];
    line->valid |= m->sectors;
    line->mshr = L2_NO_MSHR;
    l2_room_filled(s, m->line);
    if (s->account->recorder) note_fill(s, m->line);
  } else if (s->waiters[m->first].request.kind == MEM_ATOMIC) {
    s->victim_line = s->waiters[m->first].request.local >> s->line_shift;
    s->victim_sectors = m->sectors;
    s->account->in_flight++;
  }
  s->account->in_flight -= m->unasked;
  s->account->background -= m->prefetches;
  if (m->first == L2_NONE) {
    free_mshr(s, id);
    return;
  }
  m->next = L2_NONE;
  *(s->filled_first == L2_NONE ? &s->filled_first : &s->mshrs[s->filled_last].next) = id;
  s->filled_last = id;
}

void l2_reply_waiter(struct l2_slice *s, uint64_t cycle) {
  uint16_t id = s->filled_first;
  struct mshr *m = &s->mshrs[id];
  uint16_t w = m->first;
  if (!room_for_reply(s, &s->waiters[w].request)) return;
  queue_packed(s, &s->waiters[w].request, cycle, true);
  if (s->account->latency)
    histogram_add(&s->account->latency[LATENCY_l2_miss], cycle + s->latency - s->waiters[w].since);
  m->first = s->waiters[w].next;
  s->waiters[w].next = s->free_waiter;
  s->free_waiter = w;
  if (m->first != L2_NONE) return;
  s->filled_first = m->next;
  free_mshr(s, id);
}

/* --- lookups --- */

/* A request of the slice's own. */
static const struct mem_request for_prefetch = {.cta = MEM_NO_CTA, .source = MEM_CACHE, .class = MEM_CLASS_PREFETCH};
static const struct mem_request for_victim = {.cta = MEM_NO_CTA, .source = MEM_CACHE, .class = MEM_CLASS_WRITEBACK};

/* Sectors of the write-back that waits, for l2_packed_push. */
static uint8_t victim_part(const struct l2_slice *s) {
  return s->victim_valid == s->line_sectors ? s->line_sectors : s->victim_valid | s->victim_sectors | L2_PART;
}

/* A DRAM request for sectors of `line`; `r`: what it is for. */
static void push_request(struct l2_slice *s, uint64_t line, uint8_t sectors, uint16_t id, const struct mem_request *r,
                         uint64_t tick) {
  struct dram_request d = {.local = line * s->line_bytes,
                           .cta = r->cta,
                           .sm = r->source == MEM_SM ? r->sm : DRAM_NO_SM,
                           .id = id,
                           .bursts = s->bursts[sectors],
                           .write = id == L2_NONE,
                           .port = s->port,
                           .traffic = r->class};
  if (s->packing) l2_packed_push(s, &d, line, id == L2_NONE ? victim_part(s) : 0, tick);
  else dram_push(s->channel, &d, tick);
}

static bool can_push(const struct l2_slice *s, uint64_t line) {
  return dram_can_push(s->channel, line * s->line_bytes) && (!s->packing || l2_packed_room(s));
}

void l2_push_victim(struct l2_slice *s, uint64_t tick) {
  if (!can_push(s, s->victim_line)) return;
  push_request(s, s->victim_line, s->victim_sectors, L2_NONE, &for_victim, tick);
  s->victim_sectors = 0;
}

/* A way for `line`; L2_NO_WAY: none is free, or the write-back place is taken; pinned lines are not replaced by a prefetch. `bytes` that it
 * will take count where the room of a set is limited. */
static uint32_t allocate(struct l2_slice *s, uint64_t line, uint32_t bytes, bool prefetch) {
  if (s->tags.room) return l2_room_for_line(s, line, bytes, prefetch);
  uint32_t at = l2_tags_victim(&s->tags, line);
  if (at == L2_NO_WAY || (prefetch && s->tags.line[at].flags & L2_PINNED)) return L2_NO_WAY;
  if (!l2_write_back(s, at)) return L2_NO_WAY;
  l2_tags_fill(&s->tags, at, line, prefetch);
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
  bool cached = at != L2_NO_WAY;
  uint16_t id = cached ? s->tags.line[at].mshr : L2_NO_MSHR;
  if (id == L2_NO_MSHR) {
    id = s->free_mshr;
    s->free_mshr = s->mshrs[id].next;
    s->mshrs[id] = (struct mshr){.line = at, .first = L2_NONE, .last = L2_NONE, .next = L2_NONE};
    s->busy_mshrs++;
    if (cached) s->tags.line[at].mshr = id;
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
  s->waiters[w] = (struct waiter){*r, s->clocks->cycle[CLOCK_L2], L2_NONE};
  *(m->first == L2_NONE ? &m->first : &s->waiters[m->last].next) = w;
  m->last = w;
}

bool l2_fetch_line(struct l2_slice *s, uint64_t line, uint64_t tick) {
  uint32_t at = allocate(s, line, s->line_bytes, true);
  if (at == L2_NO_WAY) return false;
  fetch_sectors(s, at, line, s->line_sectors, &for_prefetch, tick)->prefetches++;
  return true;
}

/* What a write fetches of its line, by l2.write_miss. */
static uint8_t fetched_by_write(const struct l2_slice *s, bool hit, uint8_t touches, uint8_t covers) {
  if (s->packing) return 0;
  switch (s->write_miss) {
    case L2_WRITE_PARTIAL: return touches & (uint8_t)~covers;
    case L2_WRITE_LINE:
    case L2_WRITE_FORWARD: return hit ? 0 : s->line_sectors;
    default: return 0;
  }
}

static bool look_up_write(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint8_t touches,
                          uint8_t covers, uint64_t tick, struct l2_outcome *outcome) {
  uint32_t at = l2_tags_find(&s->tags, line);
  bool hit = at != L2_NO_WAY, forward = !hit && s->write_miss == L2_WRITE_FORWARD && !s->packing;
  uint16_t id = hit ? s->tags.line[at].mshr : L2_NO_MSHR;
  uint8_t fetch = fetched_by_write(s, hit, touches, covers);
  if (hit) fetch &= (uint8_t)~s->tags.line[at].valid;
  if (id != L2_NO_MSHR) fetch &= (uint8_t)~s->mshrs[id].sectors;
  if (fetch && id == L2_NO_MSHR && s->free_mshr == L2_NONE) return false;
  if (dram_room(s->channel, line * s->line_bytes) < (fetch ? 1U : 0U) + (forward ? 1U : 0U)) return false;
  if (hit && !l2_room_for_request(s, at, r)) return false;
  if (!hit) at = allocate(s, line, l2_room_written(s, line, r), false);
  if (at == L2_NO_WAY) return false;
  if (fetch) {
    fetch_sectors(s, at, line, fetch, r, tick)->unasked++;
    s->account->in_flight++;
    s->account->counters.l2_write_fetches++;
  }
  /* after the fetch, which need not wait for it: the line keeps the written bytes */
  if (forward) push_request(s, line, touches, L2_NONE, r, tick);
  else s->account->in_flight--;
  s->tags.line[at].valid |= covers;
  if (!forward) s->tags.line[at].dirty |= touches;
  if (hit) l2_tags_touch(&s->tags, at);
  s->account->counters.l2_writes++;
  ++*(hit ? &s->account->counters.l2_hits : &s->account->counters.l2_misses);
  *outcome = (struct l2_outcome){.line = line, .at = at, .hit = hit, .found = hit};
  return true;
}

/* Without a cache, or around it: a request becomes one of the channel; an atomic reads, and writes when the answer has come. */
static bool pass_on(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint8_t touches, uint64_t tick) {
  if (!dram_can_push(s->channel, line * s->line_bytes)) return false;
  if (r->kind == MEM_WRITE) {
    push_request(s, line, touches, L2_NONE, r, tick);
    s->account->counters.l2_writes++;
    return true;
  }
  if (s->free_mshr == L2_NONE) return false;
  miss(s, L2_NO_WAY, line, r, touches, tick);
  ++*(r->kind == MEM_ATOMIC ? &s->account->counters.l2_atomics : &s->account->counters.l2_reads);
  return true;
}

static bool look_up_read(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint8_t needs, uint64_t cycle,
                         uint64_t tick, struct l2_outcome *outcome) {
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
    if (s->free_waiter == L2_NONE || (id == L2_NO_MSHR && s->free_mshr == L2_NONE)) return false;
    if (fetch && !can_push(s, line)) return false;
    if (found && !l2_room_for_fetch(s, at)) return false;
    if (!found) at = allocate(s, line, s->line_bytes, false);
    if (at == L2_NO_WAY) return false;
    miss(s, at, line, r, fetch, tick);
  } else {
    if (!room_for_reply(s, r) || !l2_room_for_request(s, at, r)) return false;
    queue_packed(s, r, cycle, false);
  }
  if (found) l2_tags_touch(&s->tags, at);
  if (r->kind == MEM_ATOMIC) s->tags.line[at].dirty |= needs;
  ++*(r->kind == MEM_ATOMIC ? &s->account->counters.l2_atomics : &s->account->counters.l2_reads);
  ++*(missing ? &s->account->counters.l2_misses : &s->account->counters.l2_hits);
  *outcome = (struct l2_outcome){.line = line, .at = at, .hit = !missing, .found = found};
  return true;
}

static enum packed_write fate(const struct l2_slice *s, const struct mem_request *r) {
  bool asks = s->packing && s->packing->write && r->kind == MEM_WRITE && r->source == MEM_SM;
  return asks ? s->packing->write(s->metadata.agent, r) : PACKED_WRITE_TAKEN;
}

/* The read that a refused write becomes. */
static struct mem_request read_instead(const struct mem_request *r, uint32_t offset, uint32_t line_bytes) {
  struct mem_request read = *r;
  read.kind = MEM_READ;
  read.address -= offset, read.physical -= offset, read.local -= offset;
  read.bytes = (uint8_t)line_bytes;
  read.packed = 0;
  return read;
}

static void answer_write(struct l2_slice *s, const struct mem_request *r, uint64_t cycle) {
  struct mem_request done = *r;
  done.kind = MEM_COMMAND; /* no data */
  s->account->in_flight++;
  l2_queue_reply(s, &done, cycle);
}

bool l2_look_up(struct l2_slice *s, const struct mem_request *r, uint64_t cycle, uint64_t tick,
                struct l2_outcome *outcome) {
  uint64_t line = r->local >> s->line_shift;
  uint32_t offset = (uint32_t)r->physical & (s->line_bytes - 1), end = offset + r->bytes;
  if (end > s->line_bytes) end = s->line_bytes;
  uint8_t touches = touched(offset, end);
  if (!s->cached || r->around) {
    *outcome = (struct l2_outcome){.line = line, .at = L2_NO_WAY};
    return pass_on(s, r, line, touches, tick);
  }
  uint8_t needs = s->packing ? s->line_sectors : touches;
  if (r->kind != MEM_WRITE) return look_up_read(s, r, line, needs, cycle, tick, outcome);
  enum packed_write what = fate(s, r);
  if (what == PACKED_WRITE_REFUSED) {
    const struct mem_request read = read_instead(r, offset, s->line_bytes);
    return look_up_read(s, &read, line, needs, cycle, tick, outcome);
  }
  if (what == PACKED_WRITE_ANSWERED && !l2_reply_room(s)) return false;
  if (!look_up_write(s, r, line, touches, covered(offset, end), tick, outcome)) return false;
  if (what == PACKED_WRITE_ANSWERED) answer_write(s, r, cycle);
  return true;
}
