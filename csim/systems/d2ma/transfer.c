/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers: ignition queue, the address generator, requests (Jamshidi 2014, 4.2).
 *
 * ours: buffers are served in order of ignition; each takes the generator one cycle to load. The
 * memory unit has the interconnect port first. */
#include "systems/d2ma/d2ma_internal.h"

void d2ma_ignite(struct d2ma *d, uint32_t index) {
  struct d2ma_entry *e = &d->entry[index];
  d2ma_set_state(d, index, ENTRY_READY);
  e->ignited = e->last_request = e->last_write = *d->sm.now;
  if (d->sm.copy_begins) d->sm.copy_begins(d->sm.sm, index / D2MA_BUFFERS);
  invariant(d->fifo.n < D2MA_ENTRIES, "a buffer was ignited twice");
  d->fifo.entry[(d->fifo.head + d->fifo.n++) % D2MA_ENTRIES] = (uint8_t)index;
}

void d2ma_note_finished(struct d2ma *d, uint32_t index) {
  const struct d2ma_entry *e = &d->entry[index];
  if (e->state == ENTRY_DRAIN && !e->outstanding) d->finished |= entry_bit(index);
}

static void start_next(struct d2ma *d, struct d2ma_agen_in *in) {
  uint32_t index = d->fifo.entry[d->fifo.head];
  const struct d2ma_entry *e = &d->entry[index];
  d->fifo.head = (d->fifo.head + 1) % D2MA_ENTRIES;
  d->fifo.n--;
  d->running = index;
  d->footprint_checked = false;
  d2ma_set_state(d, index, ENTRY_RUN);
  in->start = 1;
  in->gbase = e->gbase;
  in->sbase = (uint16_t)e->sbase;
  in->count = e->count;
  in->esz = e->esz;
  in->stride = e->stride;
  in->dim2 = e->dim2;
  in->mode = (uint8_t)d2ma_mode(e);
  in->hrows = e->hrows;
  in->hcols = e->hcols;
  in->region = e->region;
  in->hconst = e->hconst;
}

static void send_request(struct d2ma *d, const struct d2ma_agen_out *out) {
  struct d2ma_entry *e = &d->entry[d->running];
  uint64_t segment = out->req_seg & ~(uint64_t)(d->segment - 1);
  uint32_t mshr = d->sm.request(d->sm.sm, segment, d->segment);
  invariant(mshr < d->mshrs && !d->mshr[mshr].dma, "MSHR %u was given out twice", mshr);
  d->mshr[mshr] = (struct d2ma_mshr){.segment = segment,
                                     .saddr = out->req_saddr,
                                     .cta = (uint8_t)(d->running / D2MA_BUFFERS),
                                     .buf = (uint8_t)(d->running % D2MA_BUFFERS),
                                     .off = out->req_off,
                                     .len = out->req_len,
                                     .dma = true};
  e->outstanding++;
  e->last_request = *d->sm.now;
  d->sm.counters->d2ma_requests++;
}

/* Outputs of the running buffer's cycle. */
static void follow(struct d2ma *d, const struct d2ma_agen_in *in, const struct d2ma_agen_out *out, bool mshr_free) {
  struct d2ma_entry *e = &d->entry[d->running];
  if (out->req_valid && !d->footprint_checked) {
    /* two circuits compute the footprint, the controller's and the generator's; a difference is a
     * broken engine */
    d->footprint_checked = true;
    if (out->footprint != e->footprint) d->sm.counters->d2ma_program_errors++;
  }
  if (out->req_valid) {
    if (in->req_ready) send_request(d, out);
    else if (!mshr_free) d->sm.counters->d2ma_mshr_stalls++;
    else d->sm.counters->d2ma_port_losses++;
  }
  if (out->cst_valid && in->cst_ready) d2ma_write_constants(d, e, out);
  if (out->done && !in->start) {
    uint32_t index = d->running;
    d->running = D2MA_NONE;
    d2ma_set_state(d, index, ENTRY_DRAIN);
    d2ma_note_finished(d, index);
  }
}

void d2ma_agen_cycle(struct d2ma *d) {
  bool work = d->running != D2MA_NONE || d->fifo.n || d->abort_agen;
  if (!work && !d->agen_awake && d->agen->skip) return;
  struct d2ma_agen_in *in = d->agen->in;
  const struct d2ma_agen_out *out = d->agen->out;
  bool mshr_free = d->sm.free_mshrs(d->sm.sm) > d->demand_mshrs;
  in->start = 0;
  in->abort = d->abort_agen;
  if (d->abort_agen) {
    in->req_ready = in->cst_ready = 0;
  } else {
    if (d->running == D2MA_NONE && d->fifo.n) start_next(d, in);
    in->req_ready = mshr_free && d->sm.port_free(d->sm.sm);
    in->cst_ready = d->sm.shared_port_free(d->sm.sm);
  }
  block_eval(d->agen);
  if (d->running != D2MA_NONE) follow(d, in, out, mshr_free);
  block_tick(d->agen);
  d->agen_awake = in->start || in->abort || out->busy;
  d->abort_agen = false;
}
