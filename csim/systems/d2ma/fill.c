/* SPDX-License-Identifier: Apache-2.0 */
/* Fills: replies go directly into shared memory, bypassing L1 and registers (Jamshidi 2014, 4.2). The values are copied
 * here: device memory is read when the reply arrives.
 *
 * assumption: a fill takes the shared memory port for one cycle, or two when a bank-mode pad splits it. Every address
 * is bounds-checked, so a broken address generator causes wrong data, not a simulator crash. */
#include "systems/d2ma/d2ma_internal.h"

#include <inttypes.h>
#include <string.h>

/* Shared address of byte b of the buffer, pads skipped. */
static uint32_t padded(const struct d2ma *d, const struct d2ma_entry *e, uint32_t b) {
  if (d2ma_mode(e) != MODE_BANK) return e->sbase + b;
  return e->sbase + b + d2ma_pad_bytes(e) * (b / d2ma_pad_group(d, e));
}

/* The inverse: byte of the buffer at a shared address that is not a pad. */
static uint32_t unpadded(const struct d2ma *d, const struct d2ma_entry *e, uint32_t saddr) {
  uint32_t distance = saddr - e->sbase;
  if (d2ma_mode(e) != MODE_BANK) return distance;
  uint32_t pad = d2ma_pad_bytes(e);
  return distance - pad * (distance / (d2ma_pad_group(d, e) + pad));
}

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

/* Unit stride, rows, halo: `len` contiguous bytes; returns the cycles of the shared port. */
static uint32_t place_run(struct d2ma *d, const struct d2ma_entry *e, const struct d2ma_mshr *m) {
  uint64_t address = m->segment + m->off;
  if (d2ma_mode(e) != MODE_BANK) {
    place(d, e, m->saddr, address, m->len);
    return 1;
  }
  uint32_t group = d2ma_pad_group(d, e), b = unpadded(d, e, m->saddr), left = m->len, pieces = 0;
  while (left) {
    uint32_t run = group - b % group;
    if (run > left) run = left;
    place(d, e, padded(d, e, b), address, run);
    b += run, address += run, left -= run, pieces++;
  }
  return pieces ? pieces : 1;
}

/* Strided: every element of the buffer inside the segment, from the requesting one on. */
static void place_strided(struct d2ma *d, const struct d2ma_entry *e, const struct d2ma_mshr *m) {
  uint32_t bytes = entry_bytes(e), step = e->stride * bytes;
  uint64_t mask = ~(uint64_t)(d->segment - 1);
  for (uint32_t k = unpadded(d, e, m->saddr) / bytes; k < e->count; k++) {
    uint64_t address = e->gbase + (uint64_t)k * step;
    if ((address & mask) != m->segment) break;
    place(d, e, padded(d, e, k * bytes), address, bytes);
  }
}

void d2ma_fill(void *self, uint32_t mshr) {
  struct d2ma *d = self;
  struct d2ma_mshr *m = &d->mshr[mshr];
  invariant(mshr < d->mshrs && m->dma, "a fill for MSHR %u, which D2MA does not hold", mshr);
  uint32_t index = entry_index(m->cta, m->buf), cycles = 1;
  struct d2ma_entry *e = &d->entry[index];
  invariant(d->filled == D2MA_NONE, "two replies in one cycle");
  if (!m->drop) {
    bool strided = !e->dim2 && e->stride > 1 && d2ma_mode(e) != MODE_HALO;
    if (strided) place_strided(d, e, m);
    else cycles = place_run(d, e, m);
    d->sm.take_shared_port(d->sm.sm, cycles);
    e->last_write = *d->sm.now + cycles - 1;
  }
  m->dma = false;
  d->filled = index;
  d->fill_long = cycles > 1;
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
