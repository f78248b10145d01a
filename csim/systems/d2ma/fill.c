/* SPDX-License-Identifier: Apache-2.0 */
/* Fills: replies go directly into shared memory, bypassing L1 and registers (Jamshidi 2014, 4.2). Block d2ma_requests names
 * the bytes; they are copied here: device memory is read when the reply arrives.
 *
 * assumption: a fill takes the shared memory port for one cycle, or two when a pad splits it. Every address is
 * bounds-checked, so a broken engine causes wrong data, not a simulator crash. */
#include "systems/d2ma/d2ma_internal.h"

#include <inttypes.h>
#include <string.h>

static void place(struct d2ma *d, const struct d2ma_entry *e, uint32_t saddr, uint64_t address, uint32_t bytes) {
  const void *from = device_memory_at(d->sm.memory, address, bytes);
  if (saddr >= d->shared_bytes) return;
  if (bytes > d->shared_bytes - saddr) bytes = d->shared_bytes - saddr;
  if (from) {
    memcpy(d->sm.shared + saddr, from, bytes);
  } else {
    memset(d->sm.shared + saddr, 0, bytes);
    d2ma_misused(d, e->warp, e->line, "the transfer reads 0x%" PRIx64 ", which is outside of device memory", address);
  }
  d->n->d2ma_bytes += bytes;
}

/* Bytes [first, past) of the reply, which go to shared address `saddr`: one run, or elements that lie a step apart. */
static void place_piece(struct d2ma *d, const struct d2ma_entry *e, const struct d2ma_requests_out *r, uint64_t segment,
                        uint32_t first, uint32_t past, uint32_t saddr) {
  uint32_t bytes = 1U << r->fill_esz;
  if (!r->fill_step) {
    place(d, e, saddr, segment + r->fill_off + first, past - first);
    return;
  }
  uint64_t address = segment + r->fill_off;
  for (uint32_t b = 0; b < past; b += bytes, address += r->fill_step)
    if (b >= first) place(d, e, saddr + b - first, address, bytes);
}

void d2ma_place_reply(struct d2ma *d, const struct d2ma_requests_out *r) {
  struct d2ma_mshr *m = &d->mshr[d->reply];
  struct d2ma_entry *e = &d->entry[entry_index(r->fill_cta, r->fill_buf) % D2MA_ENTRIES];
  uint32_t first = r->fill_cut ? r->fill_cut : r->fill_len, cycles = r->fill_cut ? 2 : 1;
  m->dma = false;
  if (r->fill_drop || (d->clr >> r->fill_cta & 1)) return; /* killed, or about to be: one CTA per cycle is told */
  place_piece(d, e, r, m->segment, 0, first, r->fill_saddr);
  if (r->fill_cut) place_piece(d, e, r, m->segment, first, r->fill_len, r->fill_next);
  d->sm.take_shared_port(d->sm.sm, cycles);
  e->last_write = *d->sm.now + cycles - 1;
}

void d2ma_fill(void *self, uint32_t mshr) {
  struct d2ma *d = self;
  invariant(mshr < d->mshrs && d->mshr[mshr].dma, "a fill for MSHR %u, which D2MA does not hold", mshr);
  invariant(d->reply == D2MA_NONE, "two replies in one cycle");
  d->reply = mshr;
}

void d2ma_write_constants(struct d2ma *d, struct d2ma_entry *e, const struct d2ma_agen_out *out) {
  for (uint32_t i = 0; i < out->cst_len; i++) {
    uint32_t saddr = (uint32_t)out->cst_saddr + i;
    /* the constant is replicated to 8 bytes and aligned to the element, so byte i of the run is
     * byte i % 8 of it */
    if (saddr < d->shared_bytes) d->sm.shared[saddr] = (uint8_t)(out->cst_data >> i % 8 * 8);
  }
  d->sm.take_shared_port(d->sm.sm, 1);
  d->n->d2ma_constant_bytes += out->cst_len;
  e->last_write = *d->sm.now;
}
