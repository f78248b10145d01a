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

/* The cycle of the address generator up to its inputs at the clock edge. */
static void generate(struct d2ma *d, bool begins, bool aborts) {
  struct d2ma_agen_in *in = d->agen->in;
  const struct d2ma_agen_out *out = d->agen->out;
  in->start = begins;
  in->abort = aborts;
  /* a reply is written first */
  in->cst_ready = !aborts && d->reply == D2MA_NONE && d->sm.shared_port_free(d->sm.sm);
  block_eval(d->agen);
  if (d->running == D2MA_NONE || begins || aborts) return;
  struct d2ma_entry *e = &d->entry[d->running];
  /* the generator reports what it walked; a difference means a broken engine */
  if (out->done && out->footprint != e->footprint) d->n->d2ma_program_errors++;
  if (out->cst_valid && in->cst_ready) d2ma_write_constants(d, e, out);
}

static void send_request(struct d2ma *d, uint64_t address) {
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
static void request(struct d2ma *d, bool begins, bool aborts) {
  struct d2ma_requests_in *in = d->req->in;
  const struct d2ma_requests_out *out = d->req->out;
  const struct d2ma_agen_out *agen = d->agen->out;
  const struct d2ma_ctrl_array_in *told = d->ctrl->in;
  in->start = begins;
  in->abort = aborts;
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
  in->clr_cta_en = d->ctrl_on && told->clr_cta_en;
  in->clr_cta = told->clr_cta;
  in->fill_en = d->reply != D2MA_NONE;
  if (in->fill_en) in->fill_mshr = (uint8_t)d->reply;
  block_eval(d->req);
  if (in->fill_en) d2ma_place_reply(d, out);
  if (out->taken) send_request(d, out->req_seg);
  else if (out->req_valid && !out->share) d->n->d2ma_mshr_stalls++;
  else if (out->req_valid) d->n->d2ma_port_losses++;
}

void d2ma_agen_cycle(struct d2ma *d) {
  struct d2ma_ctrl_array_in *told = d->ctrl->in;
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  struct d2ma_agen_in *in = d->agen->in;
  struct d2ma_requests_in *req_in = d->req->in;
  const struct d2ma_agen_out *agen = d->agen->out;
  const struct d2ma_requests_out *req = d->req->out;
  bool begins = d->ctrl_on && ctrl->ag_start, aborts = d->ctrl_on && ctrl->ag_abort;
  bool clears = d->ctrl_on && told->clr_cta_en, skip = d->agen->skip;
  bool generates = begins || aborts || d->agen_awake || !skip;
  if (!generates && !d->req_awake && d->reply == D2MA_NONE && !clears) return;
  if (begins) start(d, ctrl);
  if (generates) generate(d, begins, aborts);
  request(d, begins, aborts);
  if (generates) {
    in->req_ready = req->ag_ready;
    block_tick(d->agen);
    d->agen_awake = begins || aborts || agen->busy;
  }
  told->ag_taken = req->taken;
  told->ag_done = req->done;
  told->fl_cta = req->fill_cta;
  told->fl_buf = req->fill_buf;
  block_tick(d->req);
  d->req_awake = begins || aborts || clears || req_in->fill_en || req_in->ag_valid || req_in->ag_done || req->busy;
  d->reply = D2MA_NONE;
  if (aborts || req->done) d->running = D2MA_NONE;
}
