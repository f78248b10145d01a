/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/perfect.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/ring.h"
#include "config/gpu_config.h"

#include <stdlib.h>

struct answer {
  struct mem_request request;
  uint64_t tick; /* first at which it is seen */
};

struct perfect_memory {
  const struct clocks *clocks;
  uint64_t latency; /* core cycles */
  uint32_t capacity;
  struct ring *ring;      /* of each SM */
  struct answer *answers; /* `capacity` of each SM */
};

struct perfect_memory *perfect_create(const struct gpu_config *m, const struct clocks *clocks) {
  struct perfect_memory *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->clocks = clocks;
  p->latency = (uint64_t)m->l1_latency;
  uint32_t n_sms = (uint32_t)m->sm_count;
  p->capacity = (uint32_t)(m->l1_mshrs + m->const_mshrs + m->tex_mshrs);
  p->ring = calloc(n_sms, sizeof *p->ring);
  p->answers = calloc((size_t)n_sms * p->capacity, sizeof *p->answers);
  for (uint32_t i = 0; p->ring && i < n_sms; i++) p->ring[i].size = p->capacity;
  if (p->ring && p->answers) return p;
  perfect_destroy(p);
  return NULL;
}

void perfect_destroy(struct perfect_memory *p) {
  if (!p) return;
  free(p->ring);
  free(p->answers);
  free(p);
}

void perfect_inject(struct perfect_memory *p, const struct mem_request *r) {
  struct ring *ring = &p->ring[r->sm];
  uint64_t tick = p->clocks->next[CLOCK_CORE] + p->latency * p->clocks->period[CLOCK_CORE];
  invariant(!ring_full(ring), "SM %u has more requests outstanding than MSHRs", r->sm);
  p->answers[r->sm * p->capacity + ring_push(ring)] = (struct answer){*r, tick};
}

const struct mem_request *perfect_head(const struct perfect_memory *p, uint32_t sm, uint64_t tick) {
  const struct answer *a = &p->answers[sm * p->capacity + p->ring[sm].head];
  return p->ring[sm].count && a->tick <= tick ? &a->request : NULL;
}

void perfect_pop(struct perfect_memory *p, uint32_t sm) { ring_pop(&p->ring[sm]); }

uint64_t perfect_head_tick(const struct perfect_memory *p, uint32_t sm) {
  return p->ring[sm].count ? p->answers[sm * p->capacity + p->ring[sm].head].tick : UINT64_MAX;
}
