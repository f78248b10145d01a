/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel.h"

#include "base/err.h"
#include "base/histogram.h"
#include "block/block.h"
#include "dram/block_queue.h"
#include "dram/channel_state.h"

#include <stdlib.h>
#include <string.h>

static void set_timing(struct dram_channel *d, const struct gpu_config *m) {
  d->t = (struct dram_timing){
    .CL = (uint32_t)m->dram_tCL,
    .WL = (uint32_t)m->dram_tWL,
    .RCD = (uint32_t)m->dram_tRCD,
    .RP = (uint32_t)m->dram_tRP,
    .RAS = (uint32_t)m->dram_tRAS,
    .RC = (uint32_t)m->dram_tRC,
    .RRD = (uint32_t)m->dram_tRRD,
    .FAW = (uint32_t)m->dram_tFAW,
    .CCDS = (uint32_t)m->dram_tCCDS,
    .CCDL = (uint32_t)m->dram_tCCDL,
    .WR = (uint32_t)m->dram_tWR,
    .WTR = (uint32_t)m->dram_tWTR,
    .RTP = (uint32_t)m->dram_tRTP,
    .RTW = (uint32_t)m->dram_tRTW,
    .RFC = (uint32_t)m->dram_tRFC,
    .REFI = (uint32_t)m->dram_refresh,
    .burst = (uint32_t)(m->dram_burst_bytes / m->dram_bytes_per_clock),
    .latency = (uint32_t)m->dram_latency,
  };
}

static const struct dram_list empty_list = {NO_ENTRY, NO_ENTRY};

static void set_banks(struct dram_channel *d, const struct gpu_config *m) {
  d->n_banks = (uint32_t)m->dram_banks;
  d->n_groups = (uint32_t)m->dram_bank_groups;
  for (uint32_t b = 0; b < d->n_banks; b++) {
    d->bank[b].group = (uint8_t)(b / (d->n_banks / d->n_groups));
    for (int c = 0; c < DRAM_CLASSES; c++) {
      d->bank[b].list[c] = empty_list;
      d->bank[b].hit[c] = NO_ENTRY;
    }
  }
  for (int c = 0; c < DRAM_CLASSES; c++) d->age[c] = empty_list;
  d->all_open = m->ideal_dram == IDEAL_DRAM_ROW_HITS;
  d->row_mask = d->all_open ? 0 : UINT64_MAX;
  for (uint32_t b = 0; d->all_open && b < d->n_banks; b++) {
    d->bank[b].open = true;
    d->bank[b].opener = UINT64_MAX;
    d->with_row |= UINT64_C(1) << b;
  }
}

static const struct dram_scheduler dram_bfifo = {.name = "bfifo", .block = "bfifo_sched", .by_bank = true};
static const struct dram_scheduler dram_fr_fcfs_plain = {.name = "fr_fcfs_plain", .block = "frfcfs_sched"};

static bool make_answers(struct dram_channel *d, const struct dram_config *c) {
  bool made = true;
  for (uint32_t p = 0; p < DRAM_PORTS; p++) d->answers[p].at = UINT64_MAX;
  for (uint32_t p = 0; p < c->ports || !p; p++) {
    struct dram_answers *a = &d->answers[p];
    a->ring.size = c->max_reads;
    made &= (a->list = calloc(c->max_reads, sizeof *a->list)) != NULL;
  }
  return made;
}

struct dram_channel *dram_create(const struct dram_config *config, struct err *e) {
#define X(id, name) [id] = &dram_##name,
  static const struct dram_scheduler *const schedulers[] = {DRAM_SCHEDULERS(X)};
#undef X
  const struct gpu_config *m = config->gpu;
  struct dram_channel *d = calloc(1, sizeof *d);
  if (!d) goto fail;
  set_timing(d, m);
  set_banks(d, m);
  d->scheduler = config->scheduler ? config->scheduler : schedulers[m->dram_scheduler];
  d->clocks = config->clocks;
  d->map = config->map;
  d->n = config->counters;
  d->in_flight = config->in_flight;
  d->prefers = m->dram_prefer == DRAM_PREFER_PRELOAD;
  d->preferred = config->preload;
  d->index = config->index;
  d->wake = UINT64_MAX;
  d->refresh_due = d->t.REFI ? d->t.REFI : UINT64_MAX;
  d->capacity = (uint32_t)m->dram_queue;
  d->bank_capacity = d->scheduler->by_bank ? d->capacity / d->n_banks : d->capacity;
  d->incoming_ring.size = d->capacity;
  d->entries = calloc(d->capacity, sizeof *d->entries);
  d->free = calloc(d->capacity, sizeof *d->free);
  d->incoming = calloc(d->capacity, sizeof *d->incoming);
  if (!d->entries || !d->free || !d->incoming || !make_answers(d, config)) goto fail;
  for (uint32_t i = 0; i < d->capacity; i++) d->free[i] = (uint16_t)(d->capacity - 1 - i);
  if (!d->scheduler->block) return d;
  d->fixed_bursts = (uint32_t)((m->line_bytes + m->dram_burst_bytes - 1) / m->dram_burst_bytes);
  d->queue = block_queue_create(d, config->factory, e);
  if (d->queue) return d;
  dram_destroy(d);
  return NULL;
fail:
  err_set(e, ERR_LIMIT, "out of memory for a DRAM channel");
  dram_destroy(d);
  return NULL;
}

void dram_destroy(struct dram_channel *d) {
  if (!d) return;
  block_destroy(d->queue);
  free(d->entries);
  free(d->free);
  free(d->incoming);
  for (uint32_t p = 0; p < DRAM_PORTS; p++) free(d->answers[p].list);
  free(d);
}

void dram_watch(struct dram_channel *d, const struct dram_watcher *w) { d->watcher = w; }
void dram_record(struct dram_channel *d, const struct dram_recorder *r) { d->recorder = r; }
void dram_measure(struct dram_channel *d, struct histogram *reads, struct histogram *writes) {
  d->latency[0] = reads;
  d->latency[1] = writes;
}

/* --- queue --- */

uint32_t dram_room(const struct dram_channel *d, uint64_t local) {
  uint32_t all = d->capacity - d->used;
  if (!d->scheduler->by_bank || !all) return all;
  uint32_t own = d->bank_capacity - d->bank[address_map_place(d->map, local).bank].used;
  return own < all ? own : all;
}

bool dram_can_push(const struct dram_channel *d, uint64_t local) { return dram_room(d, local); }

void dram_push(struct dram_channel *d, const struct dram_request *r, uint64_t tick) {
  struct dram_place place = address_map_place(d->map, r->local);
  struct dram_bank *b = &d->bank[place.bank];
  invariant(d->used < d->capacity && b->used < d->bank_capacity,
            "request pushed into the full queue of DRAM channel %u", d->index);
  uint16_t index = d->free[d->capacity - 1 - d->used++];
  b->used++;
  d->entries[index] = (struct dram_entry){.row = place.row,
                                          .line = r->local,
                                          .tick = tick,
                                          .cta = r->cta,
                                          .id = r->id,
                                          .bursts = d->queue ? (uint8_t)d->fixed_bursts : r->bursts,
                                          .sm = r->sm,
                                          .bank = (uint8_t)place.bank,
                                          .group = (uint8_t)place.group,
                                          .class = r->write,
                                          .lane = r->write && d->scheduler->by_class,
                                          .port = r->port & (DRAM_PORTS - 1),
                                          .traffic = r->traffic};
  d->incoming[ring_push(&d->incoming_ring)] = index;
  if (tick + 1 < d->wake) d->wake = tick + 1;
}

/* The link that a list runs through: by_age or by_bank. */
static struct dram_link *link_of(struct dram_channel *d, uint16_t index, bool by_bank) {
  struct dram_entry *e = &d->entries[index];
  return by_bank ? &e->by_bank : &e->by_age;
}

static void append(struct dram_channel *d, struct dram_list *list, uint16_t index, bool by_bank) {
  *link_of(d, index, by_bank) = (struct dram_link){list->last, NO_ENTRY};
  if (list->last == NO_ENTRY) list->first = index;
  else link_of(d, list->last, by_bank)->next = index;
  list->last = index;
}

static void unlink_entry(struct dram_channel *d, struct dram_list *list, uint16_t index, bool by_bank) {
  struct dram_link l = *link_of(d, index, by_bank);
  *(l.prev == NO_ENTRY ? &list->first : &link_of(d, l.prev, by_bank)->next) = l.next;
  *(l.next == NO_ENTRY ? &list->last : &link_of(d, l.next, by_bank)->prev) = l.prev;
}

/* Sets the bank's oldest hit of a lane: the first from `index` on that wants the open row. */
static void find_hit(struct dram_channel *d, uint32_t b, uint32_t lane, uint16_t index) {
  struct dram_bank *bank = &d->bank[b];
  while (index != NO_ENTRY && !dram_is_hit(d, bank, &d->entries[index])) index = d->entries[index].by_bank.next;
  bank->hit[lane] = index;
  uint64_t bit = UINT64_C(1) << b;
  d->with_hit[lane] = index == NO_ENTRY ? d->with_hit[lane] & ~bit : d->with_hit[lane] | bit;
}

/* A read of a line that a queued write changes must wait for that write, whatever the policy prefers. */
static void note_hazard(struct dram_channel *d, const struct dram_entry *read) {
  for (uint16_t w = d->bank[read->bank].list[1].first; w != NO_ENTRY; w = d->entries[w].by_bank.next)
    if (d->entries[w].line == read->line && d->entries[w].order >= d->urgent_below)
      d->urgent_below = d->entries[w].order + 1;
}

/* The first request for `row` in the list that runs from `index`. */
static uint16_t find_row(const struct dram_channel *d, uint16_t index, uint64_t row) {
  while (index != NO_ENTRY && d->entries[index].row != row) index = d->entries[index].by_bank.next;
  return index;
}

/* Before it is put into the bank's list. */
static void count_row(struct dram_channel *d, struct dram_entry *e, struct dram_bank *b) {
  uint16_t leader = find_row(d, b->list[0].first, e->row);
  if (leader != NO_ENTRY) {
    d->entries[leader].mates++;
  } else {
    e->mates = 1;
    b->rows++;
  }
  ++*(b->rows < 3    ? b->rows == 1 ? &d->n->dram_rows_1 : &d->n->dram_rows_2
      : b->rows == 3 ? &d->n->dram_rows_3
                     : &d->n->dram_rows_more);
}

/* The oldest of a row leaves: the next one stands for the row. */
static void uncount_row(struct dram_channel *d, const struct dram_entry *e, struct dram_bank *b) {
  if (!e->mates) { /* not the oldest: it stays */
    d->entries[find_row(d, b->list[0].first, e->row)].mates--;
    return;
  }
  if (e->mates > 1) d->entries[find_row(d, e->by_bank.next, e->row)].mates = (uint16_t)(e->mates - 1);
  else b->rows--;
}

static void note_arrival(struct dram_channel *d, const struct dram_entry *e, struct dram_bank *b) {
  if (b->arrived_row != e->row + 1) d->n->dram_arrived_rows++;
  b->arrived_row = e->row + 1;
  if (!d->recorder) return;
  struct dram_arrival a = {.cycle = e->arrival,
                           .address = address_map_global(d->map, d->index % (uint32_t)d->map->channels, e->line),
                           .row = e->row,
                           .cta = e->cta,
                           .sm = e->sm,
                           .bank = e->bank,
                           .write = e->class};
  d->recorder->arrival(d->recorder->context, d->index, &a);
}

static void enlist(struct dram_channel *d, uint16_t index, uint64_t cycle) {
  struct dram_entry *e = &d->entries[index];
  struct dram_bank *b = &d->bank[e->bank];
  e->order = d->orders++;
  e->arrival = cycle;
  if (!d->queued[0] && !d->queued[1]) d->active_from = cycle > d->active_to ? cycle : d->active_to;
  note_arrival(d, e, b);
  if (!d->scheduler->by_class) count_row(d, e, b);
  append(d, &d->age[e->lane], index, false);
  append(d, &b->list[e->lane], index, true);
  d->queued[e->lane]++;
  d->with_any[e->lane] |= UINT64_C(1) << e->bank;
  if (b->open && b->hit[e->lane] == NO_ENTRY && dram_is_hit(d, b, e)) find_hit(d, e->bank, e->lane, index);
  if (!e->class && d->queued[1]) note_hazard(d, e);
}

static void answer(struct dram_channel *d, const struct dram_entry *e, uint64_t cycle) {
  struct dram_answers *a = &d->answers[e->port];
  invariant(!ring_full(&a->ring), "more reads outstanding than DRAM channel %u was made for", d->index);
  uint64_t ready = cycle + d->t.CL + d->t.burst + d->t.latency;
  uint64_t tick = d->clocks->next[CLOCK_DRAM] + (ready - d->clocks->cycle[CLOCK_DRAM]) * d->clocks->period[CLOCK_DRAM];
  a->list[ring_push(&a->ring)] = (struct dram_answer){tick, e->id};
  if (a->ring.count == 1) a->at = tick + 1;
}

static void retire(struct dram_channel *d, uint16_t index, uint64_t cycle) {
  struct dram_entry *e = &d->entries[index];
  struct dram_bank *b = &d->bank[e->bank];
  uint16_t next = e->by_bank.next;
  unlink_entry(d, &d->age[e->lane], index, false);
  unlink_entry(d, &b->list[e->lane], index, true);
  if (!d->scheduler->by_class) uncount_row(d, e, b);
  d->queued[e->lane]--;
  d->served++;
  if (b->list[e->lane].first == NO_ENTRY) d->with_any[e->lane] &= ~(UINT64_C(1) << e->bank);
  if (b->hit[e->lane] == index) find_hit(d, e->bank, e->lane, next);
  d->n->dram_requests++;
  d->n->dram_queue_cycles += cycle - e->arrival;
  d->active_to = cycle + (e->class ? d->t.WL : d->t.CL) + d->t.burst;
  *(e->class ? &d->n->dram_write_latency : &d->n->dram_read_latency) += d->active_to - e->arrival;
  ++*(e->class ? &d->n->dram_writes_done : &d->n->dram_reads_done);
  if (d->latency[e->class]) histogram_add(d->latency[e->class], d->active_to - e->arrival);
  if (!d->queued[0] && !d->queued[1]) d->n->dram_active_cycles += d->active_to - d->active_from;
  b->used--;
  d->free[d->capacity - d->used--] = index;
  if (e->class) --*d->in_flight;
  else answer(d, e, cycle);
}

uint64_t dram_answer_tick(const struct dram_channel *d, uint32_t port) { return d->answers[port].at; }

const uint64_t *dram_answer_word(const struct dram_channel *d, uint32_t port) { return &d->answers[port].at; }

uint16_t dram_take_answer(struct dram_channel *d, uint32_t port) {
  struct dram_answers *a = &d->answers[port];
  uint16_t id = a->list[ring_pop(&a->ring)].id;
  a->at = a->ring.count ? a->list[a->ring.head].tick + 1 : UINT64_MAX;
  return id;
}

/* --- commands --- */

static void tell(struct dram_channel *d, enum dram_op op, uint32_t bank, uint64_t row, uint64_t cycle) {
  d->after_last = cycle + 1;
  if (!d->watcher) return;
  struct dram_command k = {.cycle = cycle, .row = row, .op = (uint8_t)op, .bank = (uint8_t)bank};
  d->watcher->command(d->watcher->context, d->index, &k);
}

static void raise(uint64_t *at, uint64_t cycle) { *at = dram_later(*at, cycle); }

static void activate(struct dram_channel *d, const struct dram_entry *e, uint64_t cycle) {
  struct dram_bank *b = &d->bank[e->bank];
  b->open = true;
  d->with_row |= UINT64_C(1) << e->bank;
  b->row = e->row;
  b->opener = e->order;
  b->column_at = cycle + d->t.RCD;
  b->precharge_at = cycle + d->t.RAS;
  b->activate_at = cycle + d->t.RC;
  raise(&d->activate_at, cycle + d->t.RRD);
  d->four[d->four_at] = cycle + 1;
  d->four_at = (d->four_at + 1) % 4;
  if (d->four[d->four_at]) raise(&d->activate_at, d->four[d->four_at] - 1 + d->t.FAW);
  for (uint32_t c = 0; c < DRAM_CLASSES; c++) find_hit(d, e->bank, c, b->list[c].first);
  memset(b->sms, 0, sizeof b->sms);
  d->n->dram_activates++;
  tell(d, DRAM_ACTIVATE, e->bank, e->row, cycle);
}

static void close_row(struct dram_channel *d, uint32_t bank, uint64_t cycle) {
  struct dram_bank *b = &d->bank[bank];
  b->open = false;
  d->with_row &= ~(UINT64_C(1) << bank);
  raise(&b->activate_at, cycle + d->t.RP);
  for (uint32_t c = 0; c < DRAM_CLASSES; c++) {
    b->hit[c] = NO_ENTRY;
    d->with_hit[c] &= ~(UINT64_C(1) << bank);
  }
}

static void column(struct dram_channel *d, uint16_t index, uint64_t cycle) {
  const struct dram_timing *t = &d->t;
  struct dram_entry *e = &d->entries[index];
  struct dram_bank *b = &d->bank[e->bank];
  uint64_t next = cycle + (t->CCDS > t->burst ? t->CCDS : t->burst);
  raise(&d->column_at[0], next);
  raise(&d->column_at[1], next);
  raise(&d->group_at[e->group], cycle + t->CCDL);
  if (e->class) {
    uint64_t end = cycle + t->WL + t->burst;
    raise(&d->column_at[0], end + t->WTR);
    raise(&b->precharge_at, end + t->WR);
    d->n->dram_writes++;
  } else {
    uint64_t write_data = cycle + t->CL + t->burst + t->RTW;
    if (write_data > t->WL) raise(&d->column_at[1], write_data - t->WL);
    raise(&b->precharge_at, cycle + t->RTP);
    d->n->dram_reads++;
  }
  d->n->dram_busy_cycles += t->burst;
  d->n->dram_row_hits += e->order != b->opener;
  tell(d, e->class ? DRAM_WRITE : DRAM_READ, e->bank, e->row, cycle);
  if (e->sm != DRAM_NO_SM && !(b->sms[e->sm / 64] >> e->sm % 64 & 1)) {
    b->sms[e->sm / 64] |= UINT64_C(1) << e->sm % 64;
    d->n->dram_streak_sms++;
  }
  if (!--e->bursts) retire(d, index, cycle);
}

/* --- refresh --- */

/* Issues the refresh commands whose earliest cycle is below `limit`; returns the earliest cycle of the next one. */
static uint64_t refresh(struct dram_channel *d, uint64_t limit) {
  for (;;) {
    uint64_t open = 0, close_at = dram_later(d->refresh_due, d->after_last), refresh_at = close_at;
    for (uint32_t b = 0; b < d->n_banks; b++) {
      if (d->bank[b].open && !d->all_open) {
        open |= UINT64_C(1) << b;
        raise(&close_at, d->bank[b].precharge_at);
      }
      raise(&refresh_at, d->bank[b].activate_at);
    }
    uint64_t at = open ? close_at : refresh_at;
    if (d->refresh_due >= limit || at >= limit) return at;
    if (open) {
      for (uint64_t bits = open; bits; bits &= bits - 1) close_row(d, (uint32_t)__builtin_ctzll(bits), at);
      d->n->dram_precharges++;
      tell(d, DRAM_PRECHARGE_ALL, 0, 0, at);
    } else {
      for (uint32_t b = 0; b < d->n_banks; b++) {
        raise(&d->bank[b].activate_at, at + d->t.RFC);
        if (d->all_open) raise(&d->bank[b].column_at, at + d->t.RFC);
      }
      d->refresh_due += d->t.REFI;
      d->n->dram_refreshes++;
      tell(d, DRAM_REFRESH, 0, 0, at);
    }
  }
}

/* --- edges --- */

/* A request has been pushed before `tick`. */
static bool arrived(const struct dram_channel *d, uint64_t tick) {
  return d->incoming_ring.count && d->entries[d->incoming[d->incoming_ring.head]].tick < tick;
}

static void accept(struct dram_channel *d, uint64_t cycle, uint64_t tick) {
  while (arrived(d, tick)) {
    if (!d->queued[0] && !d->queued[1] && d->refresh_due < cycle) refresh(d, cycle);
    enlist(d, d->incoming[ring_pop(&d->incoming_ring)], cycle);
  }
}

/* Who broke a row streak (Yuan 2009, 6.3.2): the head of a bank's FIFO wants another row than the open one, though a younger
 * request there wants the open one. The requests from the head up to it are the breakers. */
static void classify_break(struct dram_channel *d, const struct dram_bank *b) {
  uint16_t stranded = find_row(d, b->list[0].first, b->row);
  bool other_sm = false, other_cta = false, same = false;
  d->n->dram_streaks++;
  if (stranded == NO_ENTRY) return;
  const struct dram_entry *s = &d->entries[stranded];
  for (uint16_t i = b->list[0].first; i != stranded; i = d->entries[i].by_bank.next) {
    const struct dram_entry *e = &d->entries[i];
    if (e->sm != s->sm) other_sm = true;
    else if (e->cta != s->cta) other_cta = true;
    else same = true;
  }
  d->n->dram_breaks_sm += other_sm;
  d->n->dram_breaks_cta += other_cta;
  d->n->dram_breaks_same += same;
}

static void issue(struct dram_channel *d, const struct dram_choice *choice) {
  const struct dram_entry *e = &d->entries[choice->entry];
  switch ((enum dram_op)choice->op) {
    case DRAM_ACTIVATE: activate(d, e, choice->cycle); return;
    case DRAM_PRECHARGE:
      if (d->scheduler->by_bank) classify_break(d, &d->bank[e->bank]);
      close_row(d, e->bank, choice->cycle);
      d->n->dram_precharges++;
      tell(d, DRAM_PRECHARGE, e->bank, 0, choice->cycle);
      return;
    case DRAM_READ:
    case DRAM_WRITE: column(d, choice->entry, choice->cycle); return;
    case DRAM_PRECHARGE_ALL:
    case DRAM_REFRESH: break;
  }
  invariant(false, "the policy %s chose command %u", d->scheduler->name, choice->op);
}

/* Issues at most one command; returns the next cycle in which there may be something to do. */
static uint64_t work(struct dram_channel *d, uint64_t cycle) {
  if (cycle >= d->refresh_due) {
    uint64_t next = refresh(d, cycle + 1);
    return cycle >= d->refresh_due ? next : cycle + 1;
  }
  struct dram_choice choice;
  d->scheduler->pick(d, cycle, &choice);
  if (choice.cycle > cycle) return choice.cycle < d->refresh_due ? choice.cycle : d->refresh_due;
  choice.cycle = cycle;
  issue(d, &choice);
  uint64_t next = d->scheduler->after && (d->queued[0] || d->queued[1]) ? d->scheduler->after(d, cycle) : cycle + 1;
  return next < d->refresh_due ? next : d->refresh_due > cycle ? d->refresh_due : cycle + 1;
}

/* An edge of a channel whose policy is a block: one request enters, one command leaves. Returns the next cycle in which there
 * may be something to do. */
static uint64_t work_by_block(struct dram_channel *d, uint64_t cycle, uint64_t tick) {
  struct dram_choice choice;
  uint16_t arriving = arrived(d, tick) ? d->incoming[ring_pop(&d->incoming_ring)] : NO_ENTRY;
  if (arriving == NO_ENTRY && !d->queued[0]) return UINT64_MAX;
  block_queue_cycle(d, cycle, arriving, &choice);
  if (choice.cycle == cycle) issue(d, &choice);
  if (arriving != NO_ENTRY) enlist(d, arriving, cycle + 1);
  if (!d->queued[0]) return UINT64_MAX;
  return choice.cycle == cycle || arriving != NO_ENTRY ? cycle + 1 : choice.cycle;
}

void dram_cycle(struct dram_channel *d) {
  uint64_t tick = d->clocks->next[CLOCK_DRAM], cycle = d->clocks->cycle[CLOCK_DRAM];
  uint64_t period = d->clocks->period[CLOCK_DRAM];
  if (d->queue) {
    uint64_t next = work_by_block(d, cycle, tick);
    d->wake = d->incoming_ring.count ? tick + period : next == UINT64_MAX ? UINT64_MAX : tick + (next - cycle) * period;
    return;
  }
  accept(d, cycle, tick);
  d->wake = d->incoming_ring.count ? tick + period : UINT64_MAX;
  if (!d->queued[0] && !d->queued[1]) return;
  uint64_t next = work(d, cycle);
  if (!d->queued[0] && !d->queued[1]) return;
  uint64_t at = tick + (next > cycle ? next - cycle : 1) * period;
  if (at < d->wake) d->wake = at;
}

uint64_t dram_wake(const struct dram_channel *d) { return d->wake; }
uint32_t dram_requests(const struct dram_channel *d) { return d->used; }

void dram_describe(const struct dram_channel *d, FILE *out) {
  uint32_t answers = 0;
  for (uint32_t p = 0; p < DRAM_PORTS; p++) answers += d->answers[p].ring.count;
  if (d->used || answers)
    fprintf(out, "DRAM channel %u: %u requests queued, %u arriving, %u answers on their way\n", d->index,
            d->queued[0] + d->queued[1], d->incoming_ring.count, answers);
}
