/* SPDX-License-Identifier: Apache-2.0 */
#include "core/events.h"

#include "core/sm_state.h"

#include <stdlib.h>

const char *const event_names[EVENT_KINDS] = {"cta", "copy", "compute", "barrier"};

struct sm_events {
  uint32_t n, launch;
  uint64_t lost;
  struct {
    uint64_t start, compute_begin, compute_end, barrier[SM_BARRIERS];
    bool computes;
  } cta[SM_CTAS];
  struct event_row row[EVENTS_MAX];
};

int sm_record_events(struct sm *sm, struct err *e) {
  sm->events = calloc(1, sizeof *sm->events);
  return sm->events ? 0 : err_set(e, ERR_LIMIT, "%s: the host has no memory left for its events", sm->path);
}

const struct event_row *sm_events(const struct sm *sm, uint32_t *n, uint64_t *lost) {
  *n = sm->events ? sm->events->n : 0;
  *lost = sm->events ? sm->events->lost : 0;
  return sm->events ? sm->events->row : NULL;
}

void sm_events_launch(struct sm *sm) { sm->events->launch++; }
void sm_events_pass(struct sm *sm) {
  if (sm->events) sm->events->launch++;
}

static void add(struct sm *sm, enum event_kind kind, uint32_t slot, uint32_t tile, uint64_t begin, uint64_t agen_end,
                uint64_t end) {
  struct sm_events *v = sm->events;
  if (v->n == EVENTS_MAX) {
    v->lost++;
    return;
  }
  v->row[v->n++] = (struct event_row){.cta = sm->cta[slot].index,
                                      .begin = begin,
                                      .agen_end = agen_end,
                                      .end = end,
                                      .launch = v->launch - 1,
                                      .kind = (uint8_t)kind,
                                      .slot = (uint8_t)slot,
                                      .tile = (uint8_t)tile};
}

static void end_compute(struct sm *sm, uint32_t slot) {
  struct sm_events *v = sm->events;
  if (!v->cta[slot].computes) return;
  v->cta[slot].computes = false;
  add(sm, EVENT_COMPUTE, slot, 0, v->cta[slot].compute_begin, v->cta[slot].compute_begin, v->cta[slot].compute_end);
}

/* The CTA begins a staging copy. */
void sm_events_tile(struct sm *sm, uint32_t slot) { end_compute(sm, slot); }

void sm_events_copy(struct sm *sm, uint32_t slot, uint32_t tile, uint64_t begin, uint64_t agen_end, uint64_t end) {
  add(sm, EVENT_COPY, slot, tile, begin, agen_end, end > agen_end ? end : agen_end);
}

/* The warp reads shared memory: its CTA computes. */
void sm_events_shared_load(struct sm *sm, uint32_t w) {
  struct sm_events *v = sm->events;
  uint32_t slot = sm->warp[w]->cta;
  if (!v->cta[slot].computes) v->cta[slot].compute_begin = *sm->now;
  v->cta[slot].computes = true;
  v->cta[slot].compute_end = *sm->now;
}

/* The warp executes an operation that is not part of a staging copy. */
void sm_events_op(struct sm *sm, uint32_t w) { sm->events->cta[sm->warp[w]->cta].compute_end = *sm->now; }

void sm_events_cta_start(struct sm *sm, uint32_t slot) {
  sm->events->cta[slot].start = *sm->now;
  sm->events->cta[slot].computes = false;
}

void sm_events_cta_end(struct sm *sm, uint32_t slot) {
  end_compute(sm, slot);
  add(sm, EVENT_CTA, slot, 0, sm->events->cta[slot].start, sm->events->cta[slot].start, *sm->now);
}

void sm_events_arrival(struct sm *sm, uint32_t slot, uint32_t id) { sm->events->cta[slot].barrier[id] = *sm->now; }

void sm_events_barrier(struct sm *sm, uint32_t slot, uint32_t id) {
  uint64_t first = sm->events->cta[slot].barrier[id];
  add(sm, EVENT_BARRIER, slot, id, first, first, *sm->now);
}
