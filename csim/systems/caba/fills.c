/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed lines that come from the L2. A fill keeps its MSHR, and the loads that wait in it, until its assist warp has decompressed the
 * line; loads of the same line join them. assumption: the line takes its place in L1 then, not when the image comes. */
#include "base/err.h"
#include "core/cache.h"
#include "systems/caba/caba_internal.h"

#include <stdlib.h>
#include <string.h>

int caba_fills_make(struct caba_sm *s, struct err *e) {
  s->fill = calloc(CABA_FILLS, sizeof *s->fill);
  s->waiting_fill = calloc(CABA_FILLS, sizeof *s->waiting_fill);
  s->resumed_fill = calloc(CABA_FILLS, sizeof *s->resumed_fill);
  s->waiting.size = s->resumed.size = CABA_FILLS;
  return s->fill && s->waiting_fill && s->resumed_fill
           ? 0
           : err_set(e, ERR_LIMIT, "the host has no memory left for assist warps");
}

static void come(struct caba_sm *s, uint32_t fill, const uint8_t *image, uint32_t bytes, uint32_t warp) {
  struct caba_fill *f = &s->fill[fill];
  memcpy(f->image, image, AWS_LINE);
  caba_unpack(&s->code, f->image, bytes, f->line);
  f->came = *s->sm.now;
  s->waiting_fill[ring_push(&s->waiting)] =
    (struct caba_waiting){.fill = (uint16_t)fill, .warp = (uint8_t)warp, .encoding = image[0]};
}

bool caba_keeps_reply(void *self, uint32_t mshr, const struct mem_request *r, uint32_t warp) {
  struct caba_sm *s = self;
  if (!s->awc || !r->packed || s->p->load == CABA_LOAD_DIRECT) return false;
  come(s, mshr, caba_agent_image(s->agent, s->index, mshr), r->packed, warp);
  s->n->caba_fills++;
  return true;
}

void caba_fill_found(struct caba_sm *s, uint32_t mshr, const uint8_t *image, uint32_t bytes, uint32_t warp) {
  come(s, mshr, image, bytes, warp);
}

void caba_fill_returned(struct caba_sm *s, uint32_t store, const uint8_t *image, uint32_t bytes, uint32_t warp) {
  come(s, CACHE_MSHRS + store, image, bytes, warp);
}

const uint8_t *caba_fill_of_store(const struct caba_sm *s, uint32_t store) {
  return s->fill[CACHE_MSHRS + store].image;
}

uint8_t *caba_fill_line(struct caba_sm *s, uint64_t argument) {
  struct caba_fill *f = &s->fill[argument];
  if (argument < CACHE_MSHRS) s->n->caba_waiting += *s->sm.now - f->came;
  return f->image;
}

void caba_fill_ended(struct caba_sm *s, const struct caba_entry *entry) {
  const struct caba_fill *f = &s->fill[entry->argument];
  if (memcmp(f->image, f->line, AWS_LINE))
    s->sm.fault(s->sm.sm, entry->warp, 0, "its assist warp has decompressed a line to other bytes than it had");
}

void caba_fill_resumes(struct caba_sm *s, uint64_t argument) {
  s->resumed_fill[ring_push(&s->resumed)] = (uint16_t)argument;
}

void caba_fills_release(struct caba_sm *s) {
  if (!s->resumed.count) return;
  uint32_t mshr = s->resumed_fill[s->resumed.head];
  if (!s->sm.release(s->sm.sm, mshr)) return;
  s->n->caba_fill_cycles += *s->sm.now - s->fill[mshr].came;
  ring_pop(&s->resumed);
}
