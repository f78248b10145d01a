/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/perfect.h"

#include "base/err.h"

#include <stdlib.h>

struct answer {
  struct mem_request request;
  uint64_t tick; /* first at which it is seen */
};

struct ring {
  uint32_t head, count;
};

struct perfect_memory {
  const struct clocks *clocks;
  uint64_t latency; /* core cycles */
  uint32_t n_sms, capacity;
  struct ring *ring;      /* of each SM */
  struct answer *answers; /* n_sms * capacity */
};

struct perfect_memory *perfect_create(const struct gpu_config *m, const struct clocks *clocks) {
  struct perfect_memory *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->clocks = clocks;
  p->latency = (uint64_t)m->l1_latency;
  p->n_sms = (uint32_t)m->sm_count;
  p->capacity = (uint32_t)(m->l1_mshrs + m->const_mshrs + m->tex_mshrs);
  p->ring = calloc(p->n_sms, sizeof *p->ring);
  p->answers = calloc((size_t)p->n_sms * p->capacity, sizeof *p->answers);
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
  invariant(ring->count < p->capacity, "SM %u has more requests outstanding than MSHRs", r->sm);
  uint32_t at = (ring->head + ring->count++) % p->capacity;
  p->answers[r->sm * p->capacity + at] = (struct answer){*r, tick};
}

const struct mem_request *perfect_head(const struct perfect_memory *p, uint32_t sm, uint64_t tick) {
  const struct answer *a = &p->answers[sm * p->capacity + p->ring[sm].head];
  return p->ring[sm].count && a->tick <= tick ? &a->request : NULL;
}

void perfect_pop(struct perfect_memory *p, uint32_t sm) {
  struct ring *ring = &p->ring[sm];
  ring->head = (ring->head + 1) % p->capacity;
  ring->count--;
}

uint64_t perfect_head_tick(const struct perfect_memory *p, uint32_t sm) {
  return p->ring[sm].count ? p->answers[sm * p->capacity + p->ring[sm].head].tick : UINT64_MAX;
}
