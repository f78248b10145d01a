/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_room.h"

#include "base/err.h"
#include "mem/l2_state.h"
#include "mem/packing.h"

bool l2_write_back(struct l2_slice *s, uint32_t at) {
  const struct l2_line *l = &s->tags.line[at];
  if (!l->dirty) return true;
  if (s->victim_sectors) return false;
  s->victim_line = l2_tags_line(&s->tags, at);
  s->victim_sectors = l->dirty;
  s->victim_valid = l->valid;
  s->account->counters.l2_writebacks++;
  s->account->in_flight++;
  return true;
}

/* `at`: the line's way, or L2_NO_WAY: it needs one, too. */
static bool make_room(struct l2_slice *s, uint64_t line, uint32_t at, uint32_t bytes, bool prefetch) {
  struct l2_tags *t = &s->tags;
  for (;;) {
    uint32_t way = at == L2_NO_WAY ? l2_tags_victim(t, line) : at;
    bool has_tag = at != L2_NO_WAY || (way != L2_NO_WAY && !t->tag[way]);
    if (has_tag && l2_tags_left(t, line, at) >= bytes) return true;
    uint32_t out = l2_tags_leaver(t, line, at);
    if (out == L2_NO_WAY || (prefetch && t->line[out].flags & L2_PINNED) || !l2_write_back(s, out)) return false;
    l2_tags_empty(t, out);
    if (has_tag && s->packing->crowded) s->packing->crowded(s->metadata.agent);
  }
}

uint32_t l2_room_for_line(struct l2_slice *s, uint64_t line, uint32_t bytes, bool prefetch) {
  if (!make_room(s, line, L2_NO_WAY, bytes, prefetch)) return L2_NO_WAY;
  uint32_t at = l2_tags_victim(&s->tags, line);
  l2_tags_fill(&s->tags, at, line, prefetch);
  s->tags.line[at].takes = (uint16_t)bytes;
  return at;
}

static uint32_t takes(const struct l2_slice *s, uint64_t line, const struct mem_request *r) {
  uint64_t physical = address_map_global(s->map, s->node / s->map->slices, line << s->line_shift);
  uint32_t bytes = s->packing->takes(s->metadata.agent, physical, r);
  invariant(bytes >= 1 && bytes <= s->line_bytes, "a line that takes %u bytes of its set", bytes);
  return bytes;
}

static bool resize(struct l2_slice *s, uint32_t at, uint32_t bytes) {
  if (bytes > s->tags.line[at].takes && !make_room(s, l2_tags_line(&s->tags, at), at, bytes, false)) return false;
  s->tags.line[at].takes = (uint16_t)bytes;
  return true;
}

bool l2_room_for_request(struct l2_slice *s, uint32_t at, const struct mem_request *r) {
  if (!s->tags.room || s->tags.line[at].mshr != L2_NO_MSHR) return true;
  return resize(s, at, takes(s, l2_tags_line(&s->tags, at), r));
}

bool l2_room_for_fetch(struct l2_slice *s, uint32_t at) { return !s->tags.room || resize(s, at, s->line_bytes); }

void l2_room_filled(struct l2_slice *s, uint32_t at) {
  if (s->tags.room) s->tags.line[at].takes = (uint16_t)takes(s, l2_tags_line(&s->tags, at), NULL);
}

uint32_t l2_room_written(const struct l2_slice *s, uint64_t line, const struct mem_request *r) {
  return s->tags.room ? takes(s, line, r) : s->line_bytes;
}
