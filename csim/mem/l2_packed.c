/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_packed.h"

#include "base/err.h"
#include "mem/l2_state.h"
#include "mem/packing.h"

static const struct memory_packing *packing(const struct l2_slice *s) { return s->metadata.ops->packing; }

static uint64_t physical_of(const struct l2_slice *s, uint64_t line) {
  return address_map_global(s->map, s->node / s->map->slices, line << s->line_shift);
}

static void push_bytes(struct l2_slice *s, struct dram_request *d, uint32_t bytes, uint64_t tick) {
  uint32_t burst = (uint32_t)s->config->dram_burst_bytes;
  invariant(bytes >= 1 && bytes <= s->line_bytes, "a line of %u bytes", bytes);
  d->bursts = (uint8_t)((bytes + burst - 1) / burst);
  dram_push(s->channel, d, tick);
}

static bool is_part(const struct dram_request *d, uint8_t sectors) { return d->write && sectors & L2_PART; }

static enum size_answer ask(const struct l2_slice *s, const struct dram_request *d, uint64_t line, uint8_t sectors,
                            uint64_t *fetch) {
  enum size_use use = !d->write ? SIZE_TO_READ : is_part(d, sectors) ? SIZE_TO_WRITE_PART : SIZE_TO_WRITE;
  *fetch = MEM_NO_SIZE_LINE;
  if (!packing(s)->sized) return SIZE_KNOWN;
  return packing(s)->sized(s->metadata.agent, s->index, physical_of(s, line), use, fetch);
}

/* Pushes the request, whose size is known. False: the line must be read first. */
static bool push_sized(struct l2_slice *s, struct dram_request *d, uint64_t line, uint8_t sectors, uint64_t tick) {
  const struct memory_packing *p = packing(s);
  void *agent = s->metadata.agent;
  uint64_t physical = physical_of(s, line);
  if (is_part(d, sectors)) {
    uint32_t bytes = (uint32_t)__builtin_popcount(s->whole[sectors & ~L2_PART]) * L2_SECTOR_BYTES;
    if (!p->store_part(agent, physical, bytes)) return false;
    push_bytes(s, d, bytes, tick);
  } else {
    push_bytes(s, d, (d->write ? p->store : p->stored)(agent, physical), tick);
  }
  return true;
}

/* Reads the line of the write that waits at `place`. */
static void read_first(struct l2_slice *s, uint32_t place, uint64_t tick) {
  struct l2_size_wait *w = &s->sizes.wait[place];
  struct dram_request d = w->request;
  d.write = false;
  d.id = (uint16_t)(L2_SIZE_ID | place);
  w->size_line = MEM_NO_SIZE_LINE;
  w->sectors = s->line_sectors; /* then */
  w->state = L2_SIZE_COMES;
  push_bytes(s, &d, packing(s)->stored(s->metadata.agent, physical_of(s, w->line)), tick);
}

static void push_size_line(struct l2_slice *s, uint64_t local, uint16_t id, uint64_t tick) {
  struct dram_request d = {.local = local,
                           .cta = MEM_NO_CTA,
                           .sm = DRAM_NO_SM,
                           .id = id,
                           .bursts = 1,
                           .write = id == L2_NONE,
                           .port = s->port,
                           .traffic = MEM_CLASS_METADATA};
  if (d.write) s->account->in_flight++; /* until its last column command */
  dram_push(s->channel, &d, tick);
}

bool l2_packed_room(const struct l2_slice *s) { return !ring_full(&s->sizes.places); }

static bool is_coming(const struct l2_slice *s, uint64_t size_line) {
  for (uint32_t k = 0; k < s->sizes.places.count; k++) {
    const struct l2_size_wait *w = &s->sizes.wait[ring_at(&s->sizes.places, k)];
    if (w->state == L2_SIZE_COMES && w->size_line == size_line) return true;
  }
  return false;
}

static void asks(struct l2_slice *s, struct l2_size_wait *w) {
  w->state = L2_SIZE_ASKS;
  s->sizes.to_push++;
}

void l2_packed_push(struct l2_slice *s, const struct dram_request *request, uint64_t line, uint8_t sectors,
                    uint64_t tick) {
  struct dram_request d = *request;
  uint64_t fetch;
  enum size_answer size = ask(s, &d, line, sectors, &fetch);
  if (size == SIZE_KNOWN && push_sized(s, &d, line, sectors, tick)) return;
  bool coming = size == SIZE_MISSING && is_coming(s, fetch);
  uint32_t place = ring_push(&s->sizes.places);
  s->sizes.wait[place] = (struct l2_size_wait){.request = d,
                                               .line = line,
                                               .size_line = fetch,
                                               .came = MEM_NO_SIZE_LINE,
                                               .write_back = MEM_NO_SIZE_LINE,
                                               .sectors = sectors,
                                               .state = L2_SIZE_COMES};
  if (size == SIZE_KNOWN) read_first(s, place, tick);
  else if (size == SIZE_BUSY) asks(s, &s->sizes.wait[place]);
  else if (!coming) push_size_line(s, fetch, (uint16_t)(L2_SIZE_ID | place), tick);
}

void l2_packed_answer(struct l2_slice *s, uint16_t id) {
  struct l2_size_wait *asked = &s->sizes.wait[id & ~L2_SIZE_ID];
  uint64_t size_line = asked->size_line;
  if (size_line == MEM_NO_SIZE_LINE) {
    asks(s, asked);
    return;
  }
  for (uint32_t k = 0; k < s->sizes.places.count; k++) {
    struct l2_size_wait *w = &s->sizes.wait[ring_at(&s->sizes.places, k)];
    if (w->state != L2_SIZE_COMES || w->size_line != size_line) continue;
    asks(s, w);
  }
  if (packing(s)->sizes_leave) {
    asked->came = size_line;
    s->sizes.to_push++; /* until it is known */
  }
  packing(s)->sizes(s->metadata.agent, s->index, size_line);
}

/* What leaves for the size line that has come. */
static void note_leaving(struct l2_slice *s, struct l2_size_wait *w) {
  if (w->came == MEM_NO_SIZE_LINE) return;
  enum size_answer leaves = packing(s)->sizes_leave(s->metadata.agent, s->index, w->came, &w->write_back);
  if (leaves == SIZE_BUSY) return;
  w->came = MEM_NO_SIZE_LINE;
  if (leaves == SIZE_MISSING) return;
  w->write_back = MEM_NO_SIZE_LINE;
  s->sizes.to_push--;
}

/* Asks for the size. True: a request is on its way to DRAM, of the line or for its size. */
static bool ask_again(struct l2_slice *s, struct l2_size_wait *w, uint64_t tick) {
  uint32_t place = (uint32_t)(w - s->sizes.wait);
  uint64_t fetch;
  if (!dram_can_push(s->channel, w->request.local)) return false;
  enum size_answer size = ask(s, &w->request, w->line, w->sectors, &fetch);
  if (size == SIZE_BUSY || (size == SIZE_MISSING && !dram_can_push(s->channel, fetch))) return false;
  w->state = L2_SIZE_DONE;
  if (size == SIZE_KNOWN) {
    if (!push_sized(s, &w->request, w->line, w->sectors, tick)) read_first(s, place, tick);
    return true;
  }
  bool coming = is_coming(s, fetch);
  w->size_line = fetch;
  w->state = L2_SIZE_COMES;
  if (!coming) push_size_line(s, fetch, (uint16_t)(L2_SIZE_ID | place), tick);
  return true;
}

static bool push_one(struct l2_slice *s, struct l2_size_wait *w, uint64_t tick) {
  note_leaving(s, w);
  if (w->write_back != MEM_NO_SIZE_LINE) {
    if (!dram_can_push(s->channel, w->write_back)) return false;
    push_size_line(s, w->write_back, L2_NONE, tick);
    w->write_back = MEM_NO_SIZE_LINE;
    return true;
  }
  return w->state == L2_SIZE_ASKS && ask_again(s, w, tick);
}

void l2_packed_go_on(struct l2_slice *s, uint64_t tick) {
  for (uint32_t k = 0; k < s->sizes.places.count; k++)
    if (push_one(s, &s->sizes.wait[ring_at(&s->sizes.places, k)], tick)) {
      s->sizes.to_push--;
      break;
    }
  while (s->sizes.places.count) {
    const struct l2_size_wait *w = &s->sizes.wait[s->sizes.places.head];
    if (w->state != L2_SIZE_DONE || w->write_back != MEM_NO_SIZE_LINE || w->came != MEM_NO_SIZE_LINE) break;
    ring_pop(&s->sizes.places);
  }
}
