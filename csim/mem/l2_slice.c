/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_slice.h"

#include "base/clock.h"
#include "base/err.h"
#include "dram/channel.h"
#include "mem/l2_lookup.h"
#include "mem/l2_metadata.h"
#include "mem/l2_packed.h"
#include "mem/l2_state.h"
#include "mem/recorder.h"
#include "noc/network.h"

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

static bool create_tags(struct l2_slice *s, const struct gpu_config *m) {
  uint32_t sets = (uint32_t)(m->l2_bytes / m->dram_channels / m->l2_slices / m->l2_ways / m->line_bytes);
  if (!l2_tags_create(&s->tags, sets, (uint32_t)m->l2_ways, (enum l2_replacement)m->l2_replacement)) return false;
  s->tags.low = (uint32_t)__builtin_ctzll((uint64_t)(m->dram_interleave / m->line_bytes));
  s->tags.shared = (uint32_t)__builtin_ctzll((uint64_t)m->l2_slices);
  return true;
}

struct l2_slice *l2_slice_create(const struct l2_slice_config *c, struct err *e) {
  const struct gpu_config *m = c->gpu;
  struct l2_slice *s = malloc(sizeof *s);
  if (!s) goto fail;
  *s = (struct l2_slice){.config = m,
                         .index = c->index,
                         .node = c->index % (uint32_t)(m->dram_channels * m->l2_slices),
                         .first_sm = c->first_sm,
                         .n_sms = (uint32_t)m->sm_count,
                         .port = (uint8_t)(c->index % (uint32_t)m->l2_slices),
                         .clocks = c->clocks,
                         .map = c->map,
                         .request = c->request,
                         .reply = c->reply,
                         .channel = c->channel,
                         .account = c->account,
                         .metadata = {.accesses.size = L2_METADATA_QUEUE,
                                      .answers.size = L2_METADATA_OPEN,
                                      .prefetches.size = L2_PREFETCH_QUEUE},
                         .sizes.places.size = L2_SIZE_WAITS};
  s->line_bytes = (uint32_t)m->line_bytes;
  s->line_shift = (uint32_t)__builtin_ctz(s->line_bytes);
  s->line_sectors = (uint8_t)((1U << (s->line_bytes / L2_SECTOR_BYTES)) - 1);
  s->latency = (uint32_t)m->l2_latency;
  s->write_miss = (uint32_t)m->l2_write_miss;
  s->cached = m->l2_bytes;
  s->wake = UINT64_MAX;
  s->request_at = network_head_word(c->request, s->node);
  s->answer_at = dram_answer_word(c->channel, s->port);
  make_burst_tables(s, m);
  if (s->cached && !create_tags(s, m)) goto fail;
  uint32_t n_mshrs = (uint32_t)m->l2_mshrs, n_waiters = n_mshrs * L2_WAITERS_PER_MSHR;
  s->replies.size = s->latency + (uint32_t)m->l2_queue; /* the pipeline, and as many that wait for the network */
  s->mshrs = calloc(n_mshrs, sizeof *s->mshrs);
  s->waiters = calloc(n_waiters, sizeof *s->waiters);
  s->reply_slots = calloc(s->replies.size, sizeof *s->reply_slots);
  if (!s->mshrs || !s->waiters || !s->reply_slots) goto fail;
  for (uint32_t i = 0; i < n_mshrs; i++) s->mshrs[i].next = (uint16_t)(i + 1 < n_mshrs ? i + 1 : L2_NONE);
  for (uint32_t i = 0; i < n_waiters; i++) s->waiters[i].next = (uint16_t)(i + 1 < n_waiters ? i + 1 : L2_NONE);
  s->filled_first = s->filled_last = L2_NONE;
  s->strides = s->extended = m->l2_prefetch == L2_PREFETCH_STRIDE;
  if (s->strides) l2_stride_start(&s->stride, m, c->map, s->node);
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
  free(s->reply_slots);
  free(s);
}

static void send_reply(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  const struct reply *r = &s->reply_slots[s->replies.head];
  if (!s->replies.count || r->cycle > cycle || !network_can_inject(s->reply, s->node, tick)) return;
  struct packet_key key = {.mc = r->request.channel, .class = r->request.class};
  uint32_t sm = r->request.sm - s->first_sm, out = sm < s->n_sms ? sm : s->n_sms + s->node; /* to another module */
  network_inject(s->reply, s->node, out, &r->request, mem_reply_data(&r->request), key, tick);
  ring_pop(&s->replies);
}

static void record(const struct l2_slice *s, const struct mem_request *r, uint64_t cycle, const struct l2_outcome *o) {
  const struct mem_recorder *recorder = s->account->recorder;
  if (!recorder || !recorder->l2) return;
  const struct l2_record record = {cycle, !s->cached || r->around ? ACCESS_SENT : o->hit ? ACCESS_HIT : ACCESS_MISS, r};
  recorder->l2(recorder->context, s->index, &record);
}

static void hand_command_over(struct l2_slice *s, const struct mem_request *r) {
  invariant(s->metadata.ops, "SM %u sent a command, and nobody takes it", r->sm);
  s->metadata.ops->command(s->metadata.agent, r);
}

/* The oldest request of the network, if there is one; false: nothing has changed. */
static bool look_up_request(struct l2_slice *s, uint64_t cycle, uint64_t tick) {
  if (*s->request_at > tick) return false;
  const struct mem_request *r = network_head(s->request, s->node, tick);
  struct l2_outcome outcome;
  if (r->kind == MEM_COMMAND) {
    hand_command_over(s, r);
  } else {
    if (!l2_look_up(s, r, cycle, tick, &outcome)) return false;
    if (s->extended && outcome.at != L2_NO_WAY) l2_metadata_note(s, r, &outcome);
    if (s->account->recorder) record(s, r, cycle, &outcome);
  }
  network_pop(s->request, s->node, tick);
  return true;
}

void l2_slice_cycle(struct l2_slice *s) {
  uint64_t tick = s->clocks->next[CLOCK_L2], cycle = s->clocks->cycle[CLOCK_L2];
  uint64_t period = s->clocks->period[CLOCK_L2];
  send_reply(s, cycle, tick);
  if (s->sizes.to_push) l2_packed_go_on(s, tick);
  if (s->victim_sectors) l2_push_victim(s, tick);
  if (*s->answer_at <= tick) l2_take_answer(s);
  if (s->filled_first != L2_NONE) l2_reply_waiter(s, cycle);
  if (!s->extended) {
    look_up_request(s, cycle, tick);
  } else {
    l2_metadata_give_answers(s, cycle);
    if (l2_metadata_first(s, cycle) || !look_up_request(s, cycle, tick)) l2_metadata_look_up(s, cycle, tick);
  }
  s->wake = UINT64_MAX;
  if (s->replies.count) {
    uint64_t due = s->reply_slots[s->replies.head].cycle;
    s->wake = tick + (due > cycle ? due - cycle : 1) * period;
  }
  if (s->victim_sectors || s->filled_first != L2_NONE || s->sizes.to_push) s->wake = tick + period;
  if (s->extended) {
    uint64_t metadata = l2_metadata_wake(s, cycle, tick);
    if (metadata < s->wake) s->wake = metadata;
  }
}

void l2_slice_describe(const struct l2_slice *s, FILE *out) {
  if (s->busy_mshrs || s->replies.count || s->victim_sectors)
    fprintf(out, "L2 slice %u: %u MSHRs busy, %u replies waiting%s\n", s->index, s->busy_mshrs, s->replies.count,
            s->victim_sectors ? ", a write-back waits for the DRAM queue" : "");
  if (s->metadata.open || s->metadata.prefetches.count)
    fprintf(out, "L2 slice %u: %u metadata accesses open, %u of them not looked up, %u prefetches\n", s->index,
            s->metadata.open, s->metadata.accesses.count, s->metadata.prefetches.count);
}
