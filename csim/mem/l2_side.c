/* SPDX-License-Identifier: Apache-2.0 */
/* What an agent (mem/agent.h) and a prefetcher do to a slice beside the requests of the SMs. */
#include "base/err.h"
#include "mem/l2_slice_internal.h"

static uint32_t ring_at(uint32_t head, uint32_t k, uint32_t size) {
  return head + k >= size ? head + k - size : head + k;
}

static uint64_t line_of(const struct l2_slice *s, uint64_t physical) {
  return address_map_local(s->c.map, physical) >> s->line_shift;
}

static void wake_at(struct l2_slice *s, uint64_t tick) {
  if (tick < s->wake) s->wake = tick;
}

/* --- the agent's calls --- */

void l2_slice_attach(struct l2_slice *s, const struct memory_agent_ops *ops, void *agent) {
  invariant(s->cached, "an agent for L2 slice %u, which has no cache", s->c.index);
  s->side.ops = ops;
  s->side.agent = agent;
  s->extended = true;
}

void l2_slice_mark(struct l2_slice *s, uint64_t physical, enum l2_mark mark) {
  uint32_t at = l2_tags_find(&s->tags, line_of(s, physical));
  if (at == L2_NO_WAY) return;
  switch (mark) {
    case L2_MARK_PIN: s->c.counters->l2_pinned += l2_tags_pin(&s->tags, at); return;
    case L2_MARK_FRONT: l2_tags_touch(&s->tags, at); return;
    case L2_MARK_DISTANT: l2_tags_demote(&s->tags, at); return;
  }
}

void l2_slice_unpin_all(struct l2_slice *s) { l2_tags_unpin_all(&s->tags); }

bool l2_slice_cached(const struct l2_slice *s, uint64_t physical) {
  return l2_tags_find(&s->tags, line_of(s, physical)) != L2_NO_WAY;
}

bool l2_slice_access(struct l2_slice *s, uint64_t physical, bool write, uint32_t tag) {
  struct l2_side *x = &s->side;
  invariant(physical % 8 == 0, "a side access to 0x%llx", (unsigned long long)physical);
  if (x->access_count == L2_SIDE_QUEUE || x->open == L2_SIDE_OPEN) return false;
  uint64_t tick = s->c.clocks->next[CLOCK_L2];
  if (!x->access_count) x->since = s->c.clocks->cycle[CLOCK_L2] + 1;
  x->accesses[ring_at(x->access_head, x->access_count++, L2_SIDE_QUEUE)] =
    (struct side_access){.address = physical, .tick = tick, .tag = tag, .write = write};
  x->open++;
  *s->c.in_flight += write; /* leaves it with its lookup, as others */
  ++*s->c.hints;            /* until the answer */
  wake_at(s, tick + 1);
  return true;
}

bool l2_slice_command_done(struct l2_slice *s, const struct mem_request *r) {
  if (!l2_reply_room(s)) return false;
  uint64_t cycle = s->c.clocks->cycle[CLOCK_L2];
  l2_queue_reply(s, r, cycle);
  wake_at(s, s->c.clocks->next[CLOCK_L2] + s->latency * s->c.clocks->period[CLOCK_L2]);
  return true;
}

/* --- hints --- */

/* Demand comes first: a hint takes neither the last MSHR nor the last quarter of the channel's queue. */
static bool hint_room(const struct l2_slice *s) {
  const struct gpu_config *m = s->c.gpu;
  return s->busy_mshrs + 1 < (uint64_t)m->l2_mshrs &&
         4 * (uint64_t)dram_requests(s->c.channel) < 3 * (uint64_t)m->dram_queue;
}

/* False: dropped. */
static bool queue_hint(struct l2_slice *s, uint64_t line) {
  struct l2_side *x = &s->side;
  if (x->hint_count == L2_HINT_QUEUE || !hint_room(s) || l2_tags_find(&s->tags, line) != L2_NO_WAY) return false;
  for (uint32_t k = 0; k < x->hint_count; k++)
    if (x->hints[ring_at(x->hint_head, k, L2_HINT_QUEUE)].line == line) return false;
  uint64_t tick = s->c.clocks->next[CLOCK_L2];
  x->hints[ring_at(x->hint_head, x->hint_count++, L2_HINT_QUEUE)] = (struct hint){line, tick};
  ++*s->c.hints;
  wake_at(s, tick + 1);
  return true;
}

bool l2_slice_prefetch(struct l2_slice *s, uint64_t physical) { return queue_hint(s, line_of(s, physical)); }

static void look_up_hint(struct l2_slice *s, uint64_t tick) {
  struct l2_side *x = &s->side;
  if (!x->hint_count || x->hints[x->hint_head].tick >= tick || s->victim_sectors) return;
  uint64_t line = x->hints[x->hint_head].line;
  x->hint_head = ring_at(x->hint_head, 1, L2_HINT_QUEUE);
  x->hint_count--;
  bool fetched = hint_room(s) && dram_can_push(s->c.channel, line * s->line_bytes) &&
                 l2_tags_find(&s->tags, line) == L2_NO_WAY && l2_fetch_hint(s, line, tick);
  if (fetched) s->c.counters->l2_prefetches++; /* leaves *hints when the line has come */
  else --*s->c.hints;
}

/* --- lookups --- */

/* Whose answer somebody waits for, and which a prefetch could have brought: a miss, or the first hit of a prefetch. */
static void train(struct l2_slice *s, uint64_t line) {
  uint64_t lines[L2_STRIDE_DEGREE];
  uint32_t n = l2_stride_train(&s->stride, line, lines);
  for (uint32_t i = 0; i < n; i++) queue_hint(s, lines[i]);
}

void l2_looked_up(struct l2_slice *s, const struct mem_request *r, uint64_t line, uint32_t at, bool hit, bool found) {
  struct l2_line *l = &s->tags.line[at];
  bool prefetched = found && l->flags & L2_PREFETCHED;
  if (prefetched) {
    l->flags &= (uint8_t)~L2_PREFETCHED;
    s->c.counters->l2_prefetch_hits++;
  }
  if (r->sm == DRAM_NOBODY) return;
  if (s->strides && (!found || prefetched) && r->kind != MEM_WRITE) train(s, line);
  const struct memory_agent_ops *ops = s->side.ops;
  if (ops && ops->looked_up) ops->looked_up(s->side.agent, s->c.index, r, hit);
}

/* The oldest side access, if there is one; false: nothing has changed. */
static bool look_up_side(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  struct l2_side *x = &s->side;
  if (!x->access_count || x->accesses[x->access_head].tick >= tick) return false;
  struct side_access a = x->accesses[x->access_head];
  struct mem_request r = {.address = a.address,
                          .physical = a.address,
                          .bytes = 8,
                          .sm = DRAM_NOBODY,
                          .cta = a.tag,
                          .kind = (uint8_t)(a.write ? MEM_WRITE : MEM_READ)};
  if (!l2_look_up_one(s, &r, cycle, tick)) return false;
  x->access_head = ring_at(x->access_head, 1, L2_SIDE_QUEUE);
  x->access_count--;
  x->since = cycle + 1;
  s->c.counters->l2_side_accesses++;
  if (x->ops->performed) x->ops->performed(x->agent, a.tag);
  if (a.write) l2_side_answer(s, a.tag, cycle);
  return true;
}

void l2_side_answer(struct l2_slice *s, uint32_t tag, uint64_t cycle) {
  struct l2_side *x = &s->side;
  x->answers[ring_at(x->answer_head, x->answer_count++, L2_SIDE_OPEN)] = (struct side_answer){cycle + s->latency, tag};
}

static void give_answers(struct l2_slice *s, uint64_t cycle) {
  struct l2_side *x = &s->side;
  while (x->answer_count && x->answers[x->answer_head].cycle <= cycle) {
    uint32_t tag = x->answers[x->answer_head].tag;
    x->answer_head = ring_at(x->answer_head, 1, L2_SIDE_OPEN);
    x->answer_count--;
    x->open--;
    --*s->c.hints;
    if (x->ops->answered) x->ops->answered(x->agent, tag);
  }
}

void l2_side_cycle(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  struct l2_side *x = &s->side;
  give_answers(s, cycle);
  bool late = x->access_count && cycle >= x->since + L2_SIDE_PATIENCE;
  bool done = late ? look_up_side(s, cycle, tick) : l2_look_up(s, cycle, tick) || look_up_side(s, cycle, tick);
  if (!done) look_up_hint(s, tick);
}

uint64_t l2_side_wake(const struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  const struct l2_side *x = &s->side;
  uint64_t period = s->c.clocks->period[CLOCK_L2];
  if (x->access_count || x->hint_count) return tick + period;
  if (!x->answer_count) return UINT64_MAX;
  uint64_t due = x->answers[x->answer_head].cycle;
  return tick + (due > cycle ? due - cycle : 1) * period;
}
