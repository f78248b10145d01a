/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers: the address generator and its requests (Jamshidi 2014, 4.2). The controllers select the next transfer.
 *
 * assumption: buffers are served in order of ignition; loading one into the generator takes one cycle. The load/store
 * unit has priority at the interconnect port. */
#include "systems/d2ma/d2ma_internal.h"

void d2ma_note_ignition(struct d2ma *d, uint32_t index) {
  struct d2ma_entry *e = &d->entry[index];
  e->ignited = e->last_request = e->last_write = *d->sm.now;
  if (d->sm.copy_begins) d->sm.copy_begins(d->sm.sm, index / D2MA_BUFFERS);
}

static void start(struct d2ma *d, const struct d2ma_ctrl_array_out *ctrl, struct d2ma_agen_in *in) {
  uint32_t index = entry_index(ctrl->ag_cta, ctrl->ag_buf);
  struct d2ma_entry *e = &d->entry[index % D2MA_ENTRIES];
  d2ma_unpack(e, ctrl->ag_entry);
  d->running = index % D2MA_ENTRIES;
  in->start = 1;
  in->gbase = e->gbase;
  in->sbase = (uint16_t)e->sbase;
  in->count = e->count;
  in->esz = e->esz;
  in->stride = e->stride;
  in->dim2 = e->dim2;
  in->mode = e->mode;
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
  e->last_request = *d->sm.now;
  d->n->d2ma_requests++;
}

/* Outputs of the running buffer's cycle. */
static void follow(struct d2ma *d, const struct d2ma_agen_in *in, const struct d2ma_agen_out *out, bool mshr_free) {
  struct d2ma_entry *e = &d->entry[d->running];
  /* the controller computes the footprint, the generator reports what it walked; a difference means a broken engine */
  if (out->done && !in->start && out->footprint != e->footprint) d->n->d2ma_program_errors++;
  if (out->req_valid) {
    if (in->req_ready) send_request(d, out);
    else if (!mshr_free) d->n->d2ma_mshr_stalls++;
    else d->n->d2ma_port_losses++;
  }
  if (out->cst_valid && in->cst_ready) d2ma_write_constants(d, e, out);
  if (out->done && !in->start) d->running = D2MA_NONE;
}

void d2ma_agen_cycle(struct d2ma *d) {
  struct d2ma_ctrl_array_in *told = d->ctrl->in;
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  bool begins = d->ctrl_on && (ctrl->ag_start || (ctrl->go_start && d->go)), aborts = d->ctrl_on && ctrl->ag_abort;
  if (!begins && !aborts && d->running == D2MA_NONE && !d->agen_awake && d->agen->skip) return;
  struct d2ma_agen_in *in = d->agen->in;
  const struct d2ma_agen_out *out = d->agen->out;
  bool mshr_free = d->sm.free_mshrs(d->sm.sm) > d->demand_mshrs;
  in->start = 0;
  in->abort = aborts;
  if (aborts) {
    d->running = D2MA_NONE;
    in->req_ready = in->cst_ready = 0;
  } else {
    if (begins) start(d, ctrl, in);
    in->req_ready = mshr_free && d->sm.port_free(d->sm.sm);
    in->cst_ready = d->sm.shared_port_free(d->sm.sm);
  }
  block_eval(d->agen);
  if (d->running != D2MA_NONE) {
    told->ag_taken = out->req_valid && in->req_ready;
    told->ag_done = out->done && !in->start;
    follow(d, in, out, mshr_free);
  }
  block_tick(d->agen);
  d->agen_awake = in->start || in->abort || out->busy;
}
