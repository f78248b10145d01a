/* SPDX-License-Identifier: Apache-2.0 */
/* An SM's side of TELEPORT (Lashgar et al. 2018, section 3): connects the models of its parts as rtl/teleport/teleport_buffer.v
 * connects their Verilog. It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "teleport_buffer_ports.h"

/* States of the parts, in the layout of their models. */
struct teleport_buffer_state {
  uint64_t tags[768], pend[32];
};

/* Parameters, inputs and outputs of the parts in one cycle. */
struct teleport_buffer_step {
  struct teleport_tags_cfg tags_cfg;
  struct teleport_pend_cfg pend_cfg;
  struct teleport_tags_in tags_in;
  struct teleport_tags_out tags;
  struct teleport_pend_in pend_in;
  struct teleport_pend_out pend;
};

static void teleport_buffer_reset(const struct teleport_buffer_cfg *cfg, struct teleport_buffer_state *s) {
  struct teleport_tags_cfg tags_cfg = teleport_buffer_tags_cfg(cfg);
  struct teleport_pend_cfg pend_cfg = teleport_buffer_pend_cfg(cfg);
  invariant(teleport_tags_model.state_bytes <= sizeof s->tags && teleport_pend_model.state_bytes <= sizeof s->pend,
            "a part's state has outgrown its place");
  teleport_tags_model.reset(&tags_cfg, s->tags);
  teleport_pend_model.reset(&pend_cfg, s->pend);
}

static void join(const struct teleport_buffer_cfg *cfg, const struct teleport_buffer_in *in,
                 struct teleport_buffer_step *j) {
  __builtin_memset(j, 0, sizeof *j);
  j->tags_cfg = teleport_buffer_tags_cfg(cfg);
  j->pend_cfg = teleport_buffer_pend_cfg(cfg);
  j->tags_in = (struct teleport_tags_in){.fill_valid = in->reply_valid,
                                         .fill_line = in->reply_line,
                                         .inval_valid = in->inval_valid,
                                         .inval_line = in->inval_line,
                                         .clear = in->clear,
                                         .limit_en = in->limit_en,
                                         .limit = in->limit};
  j->pend_in = (struct teleport_pend_in){.start_en = in->start_en,
                                         .start_slot = in->start_slot,
                                         .reply_en = in->reply_valid,
                                         .reply_slot = in->reply_slot,
                                         .msg_en = in->msg_en,
                                         .msg_slot = in->msg_slot,
                                         .msg_total = in->msg_total};
}

static void teleport_buffer_settle(const struct teleport_buffer_cfg *cfg, const struct teleport_buffer_state *s,
                                   const struct teleport_buffer_in *in, struct teleport_buffer_out *out,
                                   struct teleport_buffer_step *j) {
  join(cfg, in, j);
  teleport_tags_model.eval(&j->tags_cfg, s->tags, &j->tags_in, &j->tags);
  teleport_pend_model.eval(&j->pend_cfg, s->pend, &j->pend_in, &j->pend);
  __builtin_memset(out, 0, sizeof *out);
  out->inval_ready = j->tags.inval_ready, out->probe_ready = j->tags.probe_ready;
  out->answer = j->tags.answer, out->hit = j->tags.hit, out->way = j->tags.way;
  out->placed = j->tags.placed, out->evict_valid = j->tags.evict_valid, out->evict_line = j->tags.evict_line;
  out->activate = j->pend.activate, out->held = j->pend.held;
  out->busy = j->tags.busy || j->pend.busy;
}

static void teleport_buffer_finish(const struct teleport_buffer_cfg *cfg, struct teleport_buffer_state *s,
                                   const struct teleport_buffer_in *in, const struct teleport_buffer_out *out,
                                   struct teleport_buffer_step *j) {
  (void)cfg, (void)out;
  j->tags_in.probe_valid = in->probe_valid, j->tags_in.probe_line = in->probe_line; /* late */
  teleport_tags_model.tick(&j->tags_cfg, s->tags, &j->tags_in, &j->tags);
  teleport_pend_model.tick(&j->pend_cfg, s->pend, &j->pend_in, &j->pend);
}

#include "teleport_buffer_model.inc"
