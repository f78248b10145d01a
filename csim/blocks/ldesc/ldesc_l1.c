/* SPDX-License-Identifier: Apache-2.0 */
/* The Locality Descriptor beside an SM's L1 (Vijaykumar 2019, 3.4.2 to 3.4.4): connects the models of its parts as
 * rtl/ldesc/ldesc_l1.v connects their Verilog. It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "ldesc_l1_ports.h"

enum { LINE_BITS = 7 };

/* States of the parts, in the layout of their models. */
struct ldesc_l1_state {
  uint64_t table[40], prio[20], engine[144];
};

/* Parameters, inputs and outputs of the parts in one cycle. */
struct ldesc_l1_step {
  struct ldt_lookup_cfg table_cfg;
  struct l1_victim_prio_cfg prio_cfg;
  struct pf_agen_cfg engine_cfg;
  struct ldt_lookup_in table_in;
  struct ldt_lookup_out table;
  struct l1_victim_prio_in prio_in;
  struct l1_victim_prio_out prio;
  struct pf_agen_in engine_in;
  struct pf_agen_out engine;
};

static void ldesc_l1_reset(const struct ldesc_l1_cfg *cfg, struct ldesc_l1_state *s) {
  struct ldt_lookup_cfg table_cfg = ldesc_l1_table_cfg(cfg);
  struct l1_victim_prio_cfg prio_cfg = ldesc_l1_prio_cfg(cfg);
  struct pf_agen_cfg engine_cfg = ldesc_l1_engine_cfg(cfg);
  invariant(ldt_lookup_model.state_bytes <= sizeof s->table && l1_victim_prio_model.state_bytes <= sizeof s->prio &&
              pf_agen_model.state_bytes <= sizeof s->engine,
            "a part's state has outgrown its place");
  ldt_lookup_model.reset(&table_cfg, s->table);
  l1_victim_prio_model.reset(&prio_cfg, s->prio);
  pf_agen_model.reset(&engine_cfg, s->engine);
}

static void ask_table(const struct ldesc_l1_cfg *cfg, const struct ldesc_l1_in *in, struct ldesc_l1_step *j) {
  j->table_cfg = ldesc_l1_table_cfg(cfg);
  j->table_in = (struct ldt_lookup_in){.clear_en = in->clear_en,
                                       .set_en = in->set_en,
                                       .set_row = in->set_row,
                                       .set_base = in->set_base,
                                       .set_limit = in->set_limit,
                                       .set_insert = in->set_insert,
                                       .set_pf = in->set_pf,
                                       .at_en = in->at_en,
                                       .at_addr = in->at_addr};
}

static void ask_priorities(const struct ldesc_l1_cfg *cfg, const struct ldesc_l1_in *in, struct ldesc_l1_step *j) {
  j->prio_cfg = ldesc_l1_prio_cfg(cfg);
  j->prio_in = (struct l1_victim_prio_in){.fill_en = in->fill_en,
                                          .set = in->fill_set,
                                          .valid = in->valid,
                                          .lock = in->lock,
                                          .lru = in->lru,
                                          .fill_prio = in->fill_prio,
                                          .hit_set = (uint8_t)(in->at_addr >> LINE_BITS & ((uint32_t)cfg->SETS - 1)),
                                          .hit_prio = j->table.insert,
                                          .tick_en = in->tick_en};
}

static void ask_engine(const struct ldesc_l1_cfg *cfg, const struct ldesc_l1_in *in, struct ldesc_l1_step *j) {
  struct pf_agen_in *e = &j->engine_in;
  j->engine_cfg = ldesc_l1_engine_cfg(cfg);
  e->clear_en = in->clear_en, e->set_en = in->set_en, e->set_row = in->set_row;
  e->set_base = in->set_base, e->set_limit = in->set_limit;
  __builtin_memcpy(e->set_dist, in->set_dist, sizeof e->set_dist);
  e->start_en = in->start_en, e->start_slot = in->start_slot;
  __builtin_memcpy(e->start_tile, in->start_tile, sizeof e->start_tile);
  e->end_en = in->end_en, e->end_slot = in->end_slot;
  e->miss_addr = in->at_addr, e->miss_row = j->table.hit_row, e->miss_pf = j->table.pf;
}

/* Evaluates the parts in the order in which their inputs depend on each other's outputs; none does so for its outputs. */
static void evaluate(const struct ldesc_l1_cfg *cfg, const struct ldesc_l1_state *s, const struct ldesc_l1_in *in,
                     struct ldesc_l1_step *j) {
  __builtin_memset(j, 0, sizeof *j);
  ask_table(cfg, in, j);
  ldt_lookup_model.eval(&j->table_cfg, s->table, &j->table_in, &j->table);
  ask_priorities(cfg, in, j);
  l1_victim_prio_model.eval(&j->prio_cfg, s->prio, &j->prio_in, &j->prio);
  ask_engine(cfg, in, j);
  pf_agen_model.eval(&j->engine_cfg, s->engine, &j->engine_in, &j->engine);
}

static void ldesc_l1_settle(const struct ldesc_l1_cfg *cfg, const struct ldesc_l1_state *s,
                            const struct ldesc_l1_in *in, struct ldesc_l1_out *out, struct ldesc_l1_step *j) {
  evaluate(cfg, s, in, j);
  __builtin_memset(out, 0, sizeof *out);
  out->has_row = j->table.hit, out->row = j->table.hit_row, out->insert = j->table.insert, out->pf = j->table.pf;
  out->found = j->prio.found, out->victim = j->prio.victim, out->all_hard = j->prio.all_hard;
  out->clears = j->prio.clears;
  out->pf_valid = j->engine.pf_valid, out->pf_line = j->engine.pf_line, out->lost = j->engine.lost;
  out->busy = j->table.busy || j->prio.busy || j->engine.busy;
}

static void ldesc_l1_finish(const struct ldesc_l1_cfg *cfg, struct ldesc_l1_state *s, const struct ldesc_l1_in *in,
                            const struct ldesc_l1_out *out, struct ldesc_l1_step *j) {
  (void)cfg, (void)out;
  j->prio_in.hit_en = in->hit_en, j->prio_in.hit_way = in->hit_way; /* late */
  j->engine_in.miss_en = in->miss_en, j->engine_in.pf_ready = in->pf_ready;
  ldt_lookup_model.tick(&j->table_cfg, s->table, &j->table_in, &j->table);
  l1_victim_prio_model.tick(&j->prio_cfg, s->prio, &j->prio_in, &j->prio);
  pf_agen_model.tick(&j->engine_cfg, s->engine, &j->engine_in, &j->engine);
}

#include "ldesc_l1_model.inc"
