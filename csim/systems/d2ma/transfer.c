/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers: the address generator, its requests, and their replies (Jamshidi 2014, 4.2). The controllers select the next
 * transfer.
 *
 * assumption: buffers are served in order of ignition. The load/store unit has priority at the interconnect port. */
#include "systems/d2ma/d2ma_internal.h"

void d2ma_note_ignition(struct d2ma *d, uint32_t index) {
  struct d2ma_entry *e = &d->entry[index];
  e->ignited = e->last_request = e->last_write = *d->sm.now;
  if (d->sm.copy_begins) d->sm.copy_begins(d->sm.sm, index / D2MA_BUFFERS);
}

/* The controllers' entry that begins. */
static void start(struct d2ma *d, const struct d2ma_ctrl_array_out *ctrl) {
  struct d2ma_agen_in *in = d->agen->in;
  struct d2ma_requests_in *req = d->req->in;
  uint32_t index = entry_index(ctrl->ag_cta, ctrl->ag_buf);
  struct d2ma_entry *e = &d->entry[index % D2MA_ENTRIES];
  d2ma_unpack(e, ctrl->ag_entry);
  d->running = index % D2MA_ENTRIES;
  in->gbase = e->gbase;
  in->sbase = (uint16_t)e->sbase;
  in->count = e->count;
  in->esz = req->esz = e->esz;
  in->stride = req->stride = e->stride;
  in->dim2 = req->dim2 = e->dim2;
  in->mode = req->mode = e->mode;
  in->hrows = req->hrows = e->hrows;
  in->hcols = e->hcols;
  in->region = e->region;
  in->hconst = e->hconst;
  req->start_cta = ctrl->ag_cta;
  req->start_buf = ctrl->ag_buf;
}

/* What happens in a cycle besides the transfer that goes on. Most cycles have none of these: transfer() is compiled for them,
 * and once more for all. */
struct events {
  bool begins, aborts; /* an entry enters the generator, or is dropped */
  bool clears;         /* a CTA is launched or killed */
  bool replied;
};
#define INLINE inline __attribute__((always_inline))

/* The cycle of the address generator up to its inputs at the clock edge. */
static INLINE void generate(struct d2ma *d, struct events v) {
  struct d2ma_agen_in *in = d->agen->in;
  const struct d2ma_agen_out *out = d->agen->out;
  in->start = v.begins;
  in->abort = v.aborts;
  /* a reply is written first */
  in->cst_ready = !v.aborts && !v.replied && d->sm.shared_port_free(d->sm.sm);
  block_eval(d->agen);
  if (d->running == D2MA_NONE || v.begins || v.aborts) return;
  struct d2ma_entry *e = &d->entry[d->running];
  /* the generator reports what it walked; a difference means a broken engine */
  if (out->done && out->footprint != e->footprint) d->n->d2ma_program_errors++;
  if (out->cst_valid && in->cst_ready) d2ma_write_constants(d, e, out);
}

static __attribute__((noinline)) void send_request(struct d2ma *d, uint64_t address) {
  struct d2ma_requests_in *in = d->req->in;
  struct d2ma_entry *e = &d->entry[d->running % D2MA_ENTRIES];
  uint64_t segment = address & ~(uint64_t)(d->segment - 1);
  uint32_t mshr = d->sm.request(d->sm.sm, segment, d->segment);
  invariant(mshr < d->mshrs && !d->mshr[mshr].dma, "MSHR %u was given out twice", mshr);
  d->mshr[mshr] = (struct d2ma_mshr){.segment = segment,
                                     .cta = (uint8_t)(d->running / D2MA_BUFFERS),
                                     .buf = (uint8_t)(d->running % D2MA_BUFFERS),
                                     .dma = true};
  in->req_mshr = (uint8_t)mshr;
  e->last_request = *d->sm.now;
  d->n->d2ma_requests++;
}

/* The cycle of the requests, after that of the generator. */
static INLINE void request(struct d2ma *d, struct events v) {
  struct d2ma_requests_in *in = d->req->in;
  const struct d2ma_requests_out *out = d->req->out;
  const struct d2ma_agen_out *agen = d->agen->out;
  const struct d2ma_ctrl_array_in *told = d->ctrl->in;
  in->start = v.begins;
  in->abort = v.aborts;
  in->ag_valid = agen->req_valid;
  if (in->ag_valid) {
    in->ag_seg = agen->req_seg;
    in->ag_off = agen->req_off;
    in->ag_len = agen->req_len;
    in->ag_saddr = agen->req_saddr;
  }
  in->ag_done = agen->done;
  in->free = (uint16_t)d->sm.free_mshrs(d->sm.sm);
  in->req_ready = in->free && d->sm.port_free(d->sm.sm); /* without an MSHR the port does not matter */
  in->clr_cta_en = v.clears;
  in->clr_cta = told->clr_cta;
  in->fill_en = v.replied;
  if (v.replied) in->fill_mshr = (uint8_t)d->reply;
  block_eval(d->req);
  if (v.replied) d2ma_place_reply(d, out);
  if (out->taken) send_request(d, out->req_seg);
  else if (out->req_valid && !out->share) d->n->d2ma_mshr_stalls++;
  else if (out->req_valid) d->n->d2ma_port_losses++;
}

/* A cycle of the generator (if `generates`) and of the requests. */
static INLINE void transfer(struct d2ma *d, bool generates, struct events v) {
  struct d2ma_ctrl_array_in *told = d->ctrl->in;
  struct d2ma_agen_in *in = d->agen->in;
  const struct d2ma_requests_in *req_in = d->req->in;
  const struct d2ma_agen_out *agen = d->agen->out;
  const struct d2ma_requests_out *req = d->req->out;
  if (generates) generate(d, v);
  request(d, v);
  if (generates) {
    in->req_ready = req->ag_ready;
    block_tick(d->agen);
    d->agen_awake = agen->busy || v.begins || v.aborts;
  }
  told->ag_taken = req->taken;
  told->ag_done = req->done;
  told->fl_cta = req->fill_cta;
  told->fl_buf = req->fill_buf;
  block_tick(d->req);
  d->req_awake = req->busy || req_in->ag_valid || req_in->ag_done || v.begins || v.aborts || v.clears || v.replied;
  if (v.aborts || req->done) d->running = D2MA_NONE;
}

static __attribute__((noinline)) void transfer_with_events(struct d2ma *d, bool generates, struct events v) {
  if (v.begins) start(d, d->ctrl->out);
  transfer(d, generates, v);
  d->reply = D2MA_NONE;
}

void d2ma_agen_cycle(struct d2ma *d) {
  const struct d2ma_ctrl_array_in *told = d->ctrl->in;
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  struct events v = {.replied = d->reply != D2MA_NONE};
  if (d->ctrl_on) v.begins = ctrl->ag_start, v.aborts = ctrl->ag_abort, v.clears = told->clr_cta_en;
  bool generates = d->agen_awake || v.begins || v.aborts || !d->agen->skip;
  if (v.begins | v.aborts | v.clears | v.replied) transfer_with_events(d, generates, v);
  else if (generates || d->req_awake) transfer(d, generates, (struct events){.begins = false});
}
