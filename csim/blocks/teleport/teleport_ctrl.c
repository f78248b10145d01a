/* SPDX-License-Identifier: Apache-2.0 */
/* TELEPORT's controller (Lashgar et al. 2018, section 3): connects the models of its parts as rtl/teleport/teleport_ctrl.v connects
 * their Verilog. It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "teleport_ctrl_ports.h"

/* States of the parts, in the layout of their models. */
struct teleport_ctrl_state {
  uint64_t table[1536], range[16];
};

/* Parameters, inputs and outputs of the parts in one cycle. */
struct teleport_ctrl_step {
  struct teleport_table_cfg table_cfg;
  struct teleport_range_cfg range_cfg;
  struct teleport_table_in table_in;
  struct teleport_table_out table;
  struct teleport_range_in range_in;
  struct teleport_range_out range;
};

static void teleport_ctrl_reset(const struct teleport_ctrl_cfg *cfg, struct teleport_ctrl_state *s) {
  struct teleport_table_cfg table_cfg = teleport_ctrl_table_cfg(cfg);
  struct teleport_range_cfg range_cfg = teleport_ctrl_range_cfg(cfg);
  invariant(teleport_table_model.state_bytes <= sizeof s->table && teleport_range_model.state_bytes <= sizeof s->range,
            "a part's state has outgrown its place");
  teleport_table_model.reset(&table_cfg, s->table);
  teleport_range_model.reset(&range_cfg, s->range);
}

static void ask_table(const struct teleport_ctrl_in *in, struct teleport_table_in *table) {
  table->set_valid = in->set_valid, table->set_stream = in->set_stream;
  table->set_base = in->set_base, table->set_typesize = in->set_typesize;
  for (int k = 0; k < 3; k++) table->set_minp[k] = in->set_minp[k], table->set_maxp[k] = in->set_maxp[k];
  table->set_mino = in->set_mino, table->set_maxo = in->set_maxo;
  table->flush_valid = in->flush_valid, table->flush_stream = in->flush_stream;
  table->launch_valid = in->launch_valid, table->launch_stream = in->launch_stream;
  table->end_valid = in->end_valid;
  table->cta_valid = in->cta_valid, table->cta_x = in->cta_x, table->cta_y = in->cta_y, table->cta_z = in->cta_z;
}

static void ask_range(const struct teleport_table_out *table, struct teleport_range_in *range) {
  range->row_valid = table->row_valid;
  range->base = table->row_base, range->typesize = table->row_typesize;
  for (int k = 0; k < 3; k++) range->minp[k] = table->row_minp[k], range->maxp[k] = table->row_maxp[k];
  range->mino = table->row_mino, range->maxo = table->row_maxo;
  range->bx = table->row_x, range->by = table->row_y, range->bz = table->row_z;
}

/* Evaluates the parts in the order in which their outputs depend on each other. */
static void evaluate(const struct teleport_ctrl_cfg *cfg, const struct teleport_ctrl_state *s,
                     const struct teleport_ctrl_in *in, struct teleport_ctrl_step *j) {
  __builtin_memset(j, 0, sizeof *j);
  j->table_cfg = teleport_ctrl_table_cfg(cfg);
  j->range_cfg = teleport_ctrl_range_cfg(cfg);
  ask_table(in, &j->table_in);
  teleport_table_model.eval(&j->table_cfg, s->table, &j->table_in, &j->table);
  ask_range(&j->table, &j->range_in);
  j->range_in.out_ready = in->line_ready;
  teleport_range_model.eval(&j->range_cfg, s->range, &j->range_in, &j->range);
}

/* The inputs that are sampled at the clock edge: whether a line is taken decides whether a row can be. */
static void end_of_cycle(const struct teleport_ctrl_state *s, const struct teleport_ctrl_in *in,
                         struct teleport_ctrl_step *j) {
  if (j->range_in.out_ready != in->line_ready) {
    j->range_in.out_ready = in->line_ready;
    teleport_range_model.eval(&j->range_cfg, s->range, &j->range_in, &j->range);
  }
  j->table_in.msg_ready = in->msg_ready;
  j->table_in.row_ready = j->range.row_ready;
  j->table_in.line_taken = j->range.line_valid && in->line_ready;
  j->table_in.row_end = j->range.last && (!j->range.line_valid || in->line_ready);
}

static void teleport_ctrl_settle(const struct teleport_ctrl_cfg *cfg, const struct teleport_ctrl_state *s,
                                 const struct teleport_ctrl_in *in, struct teleport_ctrl_out *out,
                                 struct teleport_ctrl_step *j) {
  evaluate(cfg, s, in, j);
  __builtin_memset(out, 0, sizeof *out);
  out->set_full = j->table.set_full, out->set_misfit = j->table.set_misfit;
  out->cta_ready = j->table.cta_ready, out->walking = j->table.walking;
  out->line_valid = j->range.line_valid, out->line_addr = j->range.line_addr;
  out->row_last = j->range.last, out->err = j->range.err;
  out->msg_valid = j->table.msg_valid, out->msg_total = j->table.msg_total;
  out->busy = j->table.busy || j->range.busy;
}

static void teleport_ctrl_finish(const struct teleport_ctrl_cfg *cfg, struct teleport_ctrl_state *s,
                                 const struct teleport_ctrl_in *in, const struct teleport_ctrl_out *out,
                                 struct teleport_ctrl_step *j) {
  (void)cfg, (void)out;
  end_of_cycle(s, in, j);
  teleport_table_model.tick(&j->table_cfg, s->table, &j->table_in, &j->table);
  teleport_range_model.tick(&j->range_cfg, s->range, &j->range_in, &j->range);
}

#include "teleport_ctrl_model.inc"
