/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_metadata.h"

#include "base/clock.h"
#include "base/err.h"
#include "dram/channel.h"
#include "mem/l2_lookup.h"
#include "mem/l2_packed.h"
#include "mem/l2_state.h"
#include "mem/packing.h"

static uint64_t line_of(const struct l2_slice *s, uint64_t physical) {
  return address_map_local(s->map, physical) >> s->line_shift;
}

static void wake_at(struct l2_slice *s, uint64_t tick) {
  if (tick < s->wake) s->wake = tick;
}

/* --- the agent's calls --- */

bool l2_slice_attach(struct l2_slice *s, const struct memory_agent_ops *ops, void *agent) {
  invariant(s->cached, "an agent for L2 slice %u, which has no cache", s->index);
  s->metadata.ops = ops;
  s->metadata.agent = agent;
  s->packing = ops->packing;
  s->extended = true;
  uint32_t times = s->packing && s->packing->tags ? s->packing->tags(agent) : 1;
  return times == 1 || l2_tags_widen(&s->tags, times, s->line_bytes, (enum l2_replacement)s->config->l2_replacement);
}

uint32_t l2_slice_lines(const struct l2_slice *s) { return s->tags.lines; }

void l2_slice_mark(struct l2_slice *s, uint64_t physical, enum l2_mark mark) {
  uint32_t at = l2_tags_find(&s->tags, line_of(s, physical));
  if (at == L2_NO_WAY) return;
  switch (mark) {
    case L2_MARK_PIN: s->account->counters.l2_pinned += l2_tags_pin(&s->tags, at); return;
    case L2_MARK_FRONT: l2_tags_touch(&s->tags, at); return;
    case L2_MARK_DISTANT: l2_tags_demote(&s->tags, at); return;
  }
}

void l2_slice_unpin_all(struct l2_slice *s) { l2_tags_unpin_all(&s->tags); }

bool l2_slice_cached(const struct l2_slice *s, uint64_t physical) {
  return l2_tags_find(&s->tags, line_of(s, physical)) != L2_NO_WAY;
}

bool l2_slice_access(struct l2_slice *s, uint64_t physical, bool write, uint32_t tag) {
  struct l2_metadata *x = &s->metadata;
  invariant(physical % 8 == 0, "a metadata access to 0x%llx", (unsigned long long)physical);
  if (ring_full(&x->accesses) || x->open == L2_METADATA_OPEN) return false;
  uint64_t tick = s->clocks->next[CLOCK_L2];
  if (!x->accesses.count) x->since = s->clocks->cycle[CLOCK_L2] + 1;
  x->access[ring_push(&x->accesses)] =
    (struct metadata_access){.address = physical, .tick = tick, .tag = tag, .write = write};
  x->open++;
  s->account->in_flight += write; /* until its lookup, as other writes */
  s->account->background++;       /* until the answer */
  wake_at(s, tick + 1);
  return true;
}

bool l2_slice_reply(struct l2_slice *s, const struct mem_request *r) {
  if (!l2_reply_room(s)) return false;
  uint64_t cycle = s->clocks->cycle[CLOCK_L2];
  l2_queue_reply(s, r, cycle);
  wake_at(s, s->clocks->next[CLOCK_L2] + s->latency * s->clocks->period[CLOCK_L2]);
  return true;
}

/* --- prefetches --- */

/* Demand comes first: a prefetch takes neither the last MSHR nor the last quarter of the channel's queue. */
static bool prefetch_room(const struct l2_slice *s) {
  const struct gpu_config *m = s->config;
  return s->busy_mshrs + 1 < (uint64_t)m->l2_mshrs &&
         4 * (uint64_t)dram_requests(s->channel) < 3 * (uint64_t)m->dram_queue;
}

/* False: dropped. */
static bool queue_prefetch(struct l2_slice *s, uint64_t line) {
  struct l2_metadata *x = &s->metadata;
  if (ring_full(&x->prefetches) || !prefetch_room(s) || l2_tags_find(&s->tags, line) != L2_NO_WAY) return false;
  for (uint32_t k = 0; k < x->prefetches.count; k++)
    if (x->prefetch[ring_at(&x->prefetches, k)].line == line) return false;
  uint64_t tick = s->clocks->next[CLOCK_L2];
  x->prefetch[ring_push(&x->prefetches)] = (struct l2_prefetch){line, tick};
  s->account->background++;
  wake_at(s, tick + 1);
  return true;
}

bool l2_slice_prefetch(struct l2_slice *s, uint64_t physical) { return queue_prefetch(s, line_of(s, physical)); }

static void look_up_prefetch(struct l2_slice *s, uint64_t tick) {
  struct l2_metadata *x = &s->metadata;
  if (!x->prefetches.count || x->prefetch[x->prefetches.head].tick >= tick || s->victim_sectors) return;
  uint64_t line = x->prefetch[ring_pop(&x->prefetches)].line;
  bool fetched = prefetch_room(s) && dram_can_push(s->channel, line * s->line_bytes) &&
                 (!s->packing || l2_packed_room(s)) && l2_tags_find(&s->tags, line) == L2_NO_WAY &&
                 l2_fetch_line(s, line, tick);
  if (fetched) s->account->counters.l2_prefetches++; /* in the background until the line has come */
  else s->account->background--;
}

/* --- lookups --- */

void l2_metadata_note(struct l2_slice *s, const struct mem_request *r, const struct l2_outcome *o) {
  struct l2_line *l = &s->tags.line[o->at];
  bool prefetched = o->found && l->flags & L2_PREFETCHED;
  if (prefetched) {
    l->flags &= (uint8_t)~L2_PREFETCHED;
    s->account->counters.l2_prefetch_hits++;
  }
  if (r->source != MEM_SM) return;
  /* Whose answer somebody waits for, and which a prefetch could have brought: a miss, or the first hit of a prefetch. */
  if (s->strides && (!o->found || prefetched) && r->kind != MEM_WRITE) {
    uint64_t lines[L2_STRIDE_DEGREE];
    uint32_t n = l2_stride_train(&s->stride, o->line, lines);
    for (uint32_t i = 0; i < n; i++) queue_prefetch(s, lines[i]);
  }
  const struct memory_agent_ops *ops = s->metadata.ops;
  if (ops && ops->looked_up) ops->looked_up(s->metadata.agent, s->index, r, o->hit, prefetched);
}

/* The oldest metadata access, if there is one; false: nothing has changed. */
static bool look_up_access(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  struct l2_metadata *x = &s->metadata;
  if (!x->accesses.count || x->access[x->accesses.head].tick >= tick) return false;
  struct metadata_access a = x->access[x->accesses.head];
  struct mem_request r = {.address = a.address,
                          .physical = a.address,
                          .local = address_map_local(s->map, a.address),
                          .bytes = 8,
                          .cta = MEM_NO_CTA,
                          .tag = a.tag,
                          .channel = (uint8_t)s->index,
                          .kind = (uint8_t)(a.write ? MEM_WRITE : MEM_READ),
                          .source = MEM_AGENT,
                          .class = MEM_CLASS_METADATA};
  struct l2_outcome o;
  if (!l2_look_up(s, &r, cycle, tick, &o)) return false;
  l2_metadata_note(s, &r, &o);
  ring_pop(&x->accesses);
  x->since = cycle + 1;
  s->account->counters.l2_side_accesses++;
  if (x->ops->performed) x->ops->performed(x->agent, a.tag);
  if (a.write) l2_queue_reply(s, &r, cycle);
  return true;
}

void l2_metadata_give_answers(struct l2_slice *s, uint64_t cycle) {
  struct l2_metadata *x = &s->metadata;
  while (x->answers.count && x->answer[x->answers.head].cycle <= cycle) {
    uint32_t tag = x->answer[ring_pop(&x->answers)].tag;
    x->open--;
    s->account->background--;
    if (x->ops->answered) x->ops->answered(x->agent, tag);
  }
}

bool l2_metadata_first(const struct l2_slice *s, uint64_t cycle) {
  return s->metadata.accesses.count && cycle >= s->metadata.since + L2_METADATA_PATIENCE;
}

void l2_metadata_look_up(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  if (!look_up_access(s, cycle, tick)) look_up_prefetch(s, tick);
}

uint64_t l2_metadata_wake(const struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  const struct l2_metadata *x = &s->metadata;
  uint64_t period = s->clocks->period[CLOCK_L2];
  if (x->accesses.count || x->prefetches.count) return tick + period;
  if (!x->answers.count) return UINT64_MAX;
  uint64_t due = x->answer[x->answers.head].cycle;
  return tick + (due > cycle ? due - cycle : 1) * period;
}
