/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware of Zorua in an SM (Vijaykumar 2019, 4.4): connects the models of its parts as rtl/zorua/zorua_manager.v connects their Verilog.
 * It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "zorua_manager_ports.h"

#include <stddef.h>

enum { REGISTERS, SCRATCH, SLOT, KINDS, WORD = 32 };

/* States of the parts, in the layout of their models. */
struct zorua_manager_state {
  uint64_t thresh[2], coord[200], mover[176], agen[6], map_regs[546], map_scratch[546], map_slots[546];
  uint64_t free_regs[10], free_scratch[10], free_slots[10], lfu_regs[34], lfu_scratch[34];
};

/* Parameters, inputs and outputs of the parts in one cycle; those of which there are several, by kind. Late inputs come with the end of
 * the cycle. */
struct zorua_manager_step {
  struct othresh_ctl_in thresh_in;
  struct coordinator_in coord_in;
  struct set_mover_in mover_in;
  struct swap_agen_in agen_in;
  struct map_table_in map_in[KINDS];
  struct set_allocator_in free_in[KINDS];
  struct lfu_victim_in lfu_in[SLOT];
  struct othresh_ctl_cfg thresh_cfg; /* from here on all is written before it is read */
  struct coordinator_cfg coord_cfg;
  struct set_mover_cfg mover_cfg;
  struct swap_agen_cfg agen_cfg;
  struct map_table_cfg map_cfg[KINDS];
  struct set_allocator_cfg free_cfg[KINDS];
  struct lfu_victim_cfg lfu_cfg[SLOT];
  struct othresh_ctl_out thresh;
  struct coordinator_out coord;
  struct set_mover_out mover;
  struct swap_agen_out agen;
  struct map_table_out map[KINDS];
  struct set_allocator_out free[KINDS];
  struct lfu_victim_out lfu[SLOT];
};

static void configure(const struct zorua_manager_cfg *cfg, struct zorua_manager_step *j) {
  __builtin_memset(j, 0, offsetof(struct zorua_manager_step, thresh_cfg));
  j->thresh_cfg = zorua_manager_thresh_cfg(cfg);
  j->coord_cfg = zorua_manager_coord_cfg(cfg);
  j->mover_cfg = zorua_manager_mover_cfg(cfg);
  j->agen_cfg = zorua_manager_agen_cfg(cfg);
  j->map_cfg[REGISTERS] = zorua_manager_map_regs_cfg(cfg);
  j->map_cfg[SCRATCH] = zorua_manager_map_scratch_cfg(cfg);
  j->map_cfg[SLOT] = zorua_manager_map_slots_cfg(cfg);
  j->free_cfg[REGISTERS] = zorua_manager_free_regs_cfg(cfg);
  j->free_cfg[SCRATCH] = zorua_manager_free_scratch_cfg(cfg);
  j->free_cfg[SLOT] = zorua_manager_free_slots_cfg(cfg);
  j->lfu_cfg[REGISTERS] = zorua_manager_lfu_regs_cfg(cfg);
  j->lfu_cfg[SCRATCH] = zorua_manager_lfu_scratch_cfg(cfg);
}

static void check_places(const struct zorua_manager_state *s) {
  invariant(othresh_ctl_model.state_bytes <= sizeof s->thresh && coordinator_model.state_bytes <= sizeof s->coord &&
              set_mover_model.state_bytes <= sizeof s->mover && swap_agen_model.state_bytes <= sizeof s->agen &&
              map_table_model.state_bytes <= sizeof s->map_regs &&
              set_allocator_model.state_bytes <= sizeof s->free_regs &&
              lfu_victim_model.state_bytes <= sizeof s->lfu_regs,
            "a part's state has outgrown its place");
}

static void zorua_manager_reset(const struct zorua_manager_cfg *cfg, struct zorua_manager_state *s) {
  struct zorua_manager_step j;
  check_places(s);
  configure(cfg, &j);
  othresh_ctl_model.reset(&j.thresh_cfg, s->thresh);
  coordinator_model.reset(&j.coord_cfg, s->coord);
  set_mover_model.reset(&j.mover_cfg, s->mover);
  swap_agen_model.reset(&j.agen_cfg, s->agen);
  map_table_model.reset(&j.map_cfg[REGISTERS], s->map_regs);
  map_table_model.reset(&j.map_cfg[SCRATCH], s->map_scratch);
  map_table_model.reset(&j.map_cfg[SLOT], s->map_slots);
  set_allocator_model.reset(&j.free_cfg[REGISTERS], s->free_regs);
  set_allocator_model.reset(&j.free_cfg[SCRATCH], s->free_scratch);
  set_allocator_model.reset(&j.free_cfg[SLOT], s->free_slots);
  lfu_victim_model.reset(&j.lfu_cfg[REGISTERS], s->lfu_regs);
  lfu_victim_model.reset(&j.lfu_cfg[SCRATCH], s->lfu_scratch);
}

/* Of a mask: a number of so many values. */
static uint32_t low(uint32_t v, uint32_t values) { return v & ((1U << block_bits(values)) - 1); }

/* Item `i` of a vector of words of items of `width` bits. */
static uint32_t item(const uint32_t *v, uint32_t i, uint32_t width) {
  uint32_t at = i * width, word = at / WORD, from = at % WORD;
  uint64_t two = v[word] | (from + width > WORD ? (uint64_t)v[word + 1] << WORD : 0);
  return (uint32_t)(two >> from) & ((1U << width) - 1);
}

/* The first `n` of them, which are 64 bits at most. */
static uint64_t items_below(const uint32_t *v, uint32_t n, uint32_t width) {
  return (v[0] | (uint64_t)v[1] << WORD) & (UINT64_MAX >> (2 * WORD - n * width));
}

static void ask_coordinator(const struct zorua_manager_state *s, const struct zorua_manager_in *in,
                            struct zorua_manager_step *j) {
  struct coordinator_in *c = &j->coord_in;
  othresh_ctl_model.eval(&j->thresh_cfg, s->thresh, &j->thresh_in, &j->thresh);
  c->thresh_regs = j->thresh.thresh_regs, c->thresh_scratch = j->thresh.thresh_scratch;
  c->thresh_slots = j->thresh.thresh_slots;
  c->blk_warps = in->blk_warps;
  coordinator_model.eval(&j->coord_cfg, s->coord, &j->coord_in, &j->coord);
}

/* set_mover names the set at hand. */
static void ask_mover(const struct zorua_manager_state *s, struct zorua_manager_step *j) {
  struct set_mover_in *m = &j->mover_in;
  m->cmd_valid = j->coord.cmd_valid, m->cmd_op = j->coord.cmd_op, m->cmd_kind = j->coord.cmd_kind;
  m->cmd_owner = j->coord.cmd_owner, m->cmd_from = j->coord.cmd_from, m->cmd_to = j->coord.cmd_to;
  __builtin_memcpy(m->sched, j->coord.sched, sizeof m->sched);
  set_mover_model.eval(&j->mover_cfg, s->mover, m, &j->mover);
  swap_agen_model.eval(&j->agen_cfg, s->agen, &j->agen_in, &j->agen);
}

/* The mapping tables: reads of the SM, and behind them that of the set at hand. */
static void read_tables(const struct zorua_manager_cfg *cfg, const struct zorua_manager_state *s,
                        const struct zorua_manager_in *in, struct zorua_manager_step *j) {
  const struct set_mover_out *m = &j->mover;
  uint32_t reads = (uint32_t)cfg->READS, sreads = (uint32_t)cfg->SREADS, warps = (uint32_t)cfg->WARPS;
  uint32_t row = block_bits(warps / 2), set = block_bits((uint32_t)cfg->RSETS),
           block = block_bits((uint32_t)cfg->BLOCKS);
  uint32_t sset = block_bits((uint32_t)cfg->SSETS);
  uint64_t its_row = low(m->at_owner, warps) >> 1, its_set = low(m->at_set, (uint32_t)cfg->RSETS);
  struct map_table_in *r = &j->map_in[REGISTERS], *c = &j->map_in[SCRATCH], *t = &j->map_in[SLOT];
  uint32_t bank = m->at_en && m->at_kind == REGISTERS ? 1U << (m->at_owner & 1) : 0;
  r->rd_en = (uint8_t)(in->rd_en | bank << reads);
  r->rd_row = in->rd_row | its_row << reads * row | its_row << (reads + 1) * row;
  r->rd_set = in->rd_set | its_set << reads * set | its_set << (reads + 1) * set;
  c->rd_en = (uint8_t)(in->srd_en | (m->at_en && (m->at_kind & 1) ? 1U << sreads : 0));
  c->rd_row = in->srd_row | (uint64_t)low(m->at_owner, (uint32_t)cfg->BLOCKS) << sreads * block;
  c->rd_set = in->srd_set | (uint64_t)low(m->at_set, (uint32_t)cfg->SSETS) << sreads * sset;
  t->rd_en = m->at_en && (m->at_kind & 2);
  t->rd_row = low(m->at_owner, warps);
  map_table_model.eval(&j->map_cfg[REGISTERS], s->map_regs, r, &j->map[REGISTERS]);
  map_table_model.eval(&j->map_cfg[SCRATCH], s->map_scratch, c, &j->map[SCRATCH]);
  map_table_model.eval(&j->map_cfg[SLOT], s->map_slots, t, &j->map[SLOT]);
}

/* Uses of physical sets by the reads of the SM. */
static void count_uses(const struct zorua_manager_cfg *cfg, struct zorua_manager_step *j) {
  uint32_t reads = (uint32_t)cfg->READS, sreads = (uint32_t)cfg->SREADS;
  uint32_t width = block_bits((uint32_t)cfg->REGS), swidth = block_bits((uint32_t)cfg->SCRATCH);
  __builtin_memset(j->lfu_in[REGISTERS].touch, 0, sizeof j->lfu_in->touch);
  __builtin_memset(j->lfu_in[SCRATCH].touch, 0, sizeof j->lfu_in->touch);
  for (uint32_t p = 0; p < reads; p++) {
    uint32_t set = item(j->map[REGISTERS].rd_phys, p, width);
    if ((j->map[REGISTERS].rd_valid >> p & 1) && set < (uint32_t)cfg->REGS)
      j->lfu_in[REGISTERS].touch[set / WORD] |= 1U << set % WORD;
  }
  for (uint32_t p = 0; p < sreads; p++) {
    uint32_t set = item(j->map[SCRATCH].rd_phys, p, swidth);
    if ((j->map[SCRATCH].rd_valid >> p & 1) && set < (uint32_t)cfg->SCRATCH)
      j->lfu_in[SCRATCH].touch[set / WORD] |= 1U << set % WORD;
  }
}

static void ask_allocators(const struct zorua_manager_state *s, struct zorua_manager_step *j) {
  set_allocator_model.eval(&j->free_cfg[REGISTERS], s->free_regs, &j->free_in[REGISTERS], &j->free[REGISTERS]);
  set_allocator_model.eval(&j->free_cfg[SCRATCH], s->free_scratch, &j->free_in[SCRATCH], &j->free[SCRATCH]);
  set_allocator_model.eval(&j->free_cfg[SLOT], s->free_slots, &j->free_in[SLOT], &j->free[SLOT]);
}

/* Who may be spilled is known when set_mover knows which sets are in use. */
static void ask_victims(const struct zorua_manager_cfg *cfg, const struct zorua_manager_state *s,
                        const struct zorua_manager_in *in, struct zorua_manager_step *j) {
  struct lfu_victim_in *r = &j->lfu_in[REGISTERS], *c = &j->lfu_in[SCRATCH];
  struct set_mover_in *m = &j->mover_in;
  uint32_t scratch_words = ((uint32_t)cfg->SCRATCH + WORD - 1) / WORD;
  __builtin_memcpy(m->lock_regs, in->lock_regs, sizeof m->lock_regs);
  __builtin_memcpy(m->lock_scratch, in->lock_scratch, sizeof m->lock_scratch);
  m->mem_busy = in->mem_busy;
  set_mover_model.eval(&j->mover_cfg, s->mover, m, &j->mover);
  __builtin_memcpy(r->may, j->mover.may_regs, sizeof r->may);
  __builtin_memcpy(r->prefer, j->mover.prefer_regs, sizeof r->prefer);
  for (uint32_t w = 0; w < scratch_words; w++) c->may[w] = j->mover.may_scratch[w];
  count_uses(cfg, j);
  r->run = c->run = in->run;
  lfu_victim_model.eval(&j->lfu_cfg[REGISTERS], s->lfu_regs, r, &j->lfu[REGISTERS]);
  lfu_victim_model.eval(&j->lfu_cfg[SCRATCH], s->lfu_scratch, c, &j->lfu[SCRATCH]);
}

/* With where the set at hand lies, which set is free and who is spilled, set_mover decides. */
static void decide(const struct zorua_manager_cfg *cfg, const struct zorua_manager_state *s,
                   struct zorua_manager_step *j) {
  struct set_mover_in *m = &j->mover_in;
  uint32_t kind = j->mover.at_kind, reads = (uint32_t)cfg->READS, sreads = (uint32_t)cfg->SREADS;
  uint32_t width = block_bits((uint32_t)cfg->REGS), swidth = block_bits((uint32_t)cfg->SCRATCH);
  uint32_t regs = item(j->map[REGISTERS].rd_phys, reads, width) | item(j->map[REGISTERS].rd_phys, reads + 1, width);
  uint32_t phys[] = {regs, item(j->map[SCRATCH].rd_phys, sreads, swidth), j->map[SLOT].rd_phys[0]};
  m->there = j->map[REGISTERS].rd_valid >> reads || j->map[SCRATCH].rd_valid >> sreads || j->map[SLOT].rd_valid;
  kind = kind > SLOT ? SCRATCH : kind; /* there is no such kind; the Verilog's choice */
  m->phys = (uint16_t)phys[kind];
  m->offer = j->free[kind].valid, m->offer_set = j->free[kind].set;
  m->victim = j->lfu[REGISTERS].valid || j->lfu[SCRATCH].valid;
  m->victim_set = j->lfu[kind == REGISTERS ? REGISTERS : SCRATCH].set;
  m->move_ready = j->agen.cmd_ready, m->lines = j->agen.busy;
  set_mover_model.eval(&j->mover_cfg, s->mover, m, &j->mover);
}

static void show(const struct zorua_manager_cfg *cfg, const struct zorua_manager_step *j,
                 struct zorua_manager_out *out) {
  __builtin_memset(out, 0, sizeof *out);
  out->ev_ready = j->coord.ev_ready;
  __builtin_memcpy(out->sched, j->coord.sched, sizeof out->sched);
  out->blk_req = j->coord.blk_req, out->blk_id = j->coord.blk_id;
  out->rd_valid = (uint8_t)(j->map[REGISTERS].rd_valid & ((1U << cfg->READS) - 1));
  out->rd_phys = items_below(j->map[REGISTERS].rd_phys, (uint32_t)cfg->READS, block_bits((uint32_t)cfg->REGS));
  out->srd_valid = (uint8_t)(j->map[SCRATCH].rd_valid & ((1U << cfg->SREADS) - 1));
  out->srd_phys =
    (uint32_t)items_below(j->map[SCRATCH].rd_phys, (uint32_t)cfg->SREADS, block_bits((uint32_t)cfg->SCRATCH));
  out->at_en = j->mover.at_en, out->at_kind = j->mover.at_kind, out->at_owner = j->mover.at_owner,
  out->at_set = j->mover.at_set;
  out->move = j->mover.move, out->move_phys = j->mover.move_phys;
  out->moved_owner = j->mover.moved_owner, out->moved_set = j->mover.moved_set;
  out->come = j->mover.come, out->come_kind = j->mover.come_kind;
  out->come_owner = j->mover.come_owner, out->come_set = j->mover.come_set;
  out->line_valid = j->agen.line_valid, out->line = j->agen.line, out->spill = j->agen.spill, out->left = j->agen.left;
  out->free_regs = j->free[REGISTERS].count, out->free_scratch = (uint8_t)j->free[SCRATCH].count;
  out->free_slots = (uint8_t)j->free[SLOT].count;
  out->thresh_regs = j->thresh.thresh_regs, out->thresh_scratch = (uint8_t)j->thresh.thresh_scratch;
  out->thresh_slots = (uint8_t)j->thresh.thresh_slots;
  out->busy = j->coord.busy || j->mover.busy || j->agen.busy;
}

/* Evaluates what outputs show: all but victims, and what set_mover decides with them. */
static void zorua_manager_settle(const struct zorua_manager_cfg *cfg, const struct zorua_manager_state *s,
                                 const struct zorua_manager_in *in, struct zorua_manager_out *out,
                                 struct zorua_manager_step *j) {
  configure(cfg, j);
  ask_coordinator(s, in, j);
  ask_mover(s, j);
  read_tables(cfg, s, in, j);
  ask_allocators(s, j);
  show(cfg, j, out);
}

static void tell_coordinator(const struct zorua_manager_in *in, struct zorua_manager_step *j) {
  const struct set_mover_out *m = &j->mover;
  struct coordinator_in *c = &j->coord_in;
  c->ev_valid = in->ev_valid, c->ev_kind = in->ev_kind, c->ev_warp = in->ev_warp, c->ev_block = in->ev_block;
  c->ev_regs = in->ev_regs, c->ev_scratch = in->ev_scratch;
  c->release_end = in->release_end, c->floor_held = in->floor_held;
  c->cmd_ready = m->cmd_ready, c->exec_busy = !m->cmd_ready;
  c->did_en = m->did_en, c->did_kind = m->did_kind, c->did_swapped = m->did_swapped, c->did_fill = m->did_fill;
}

/* What set_mover has decided reaches the parts of the kind. */
static void carry_out(const struct zorua_manager_cfg *cfg, const struct zorua_manager_in *in,
                      struct zorua_manager_step *j) {
  const struct set_mover_out *m = &j->mover;
  uint32_t sets[] = {(uint32_t)cfg->REGS, (uint32_t)cfg->SCRATCH, (uint32_t)cfg->SLOTS};
  uint32_t rows[] = {(uint32_t)cfg->WARPS, (uint32_t)cfg->BLOCKS, (uint32_t)cfg->WARPS};
  uint32_t logical[] = {(uint32_t)cfg->RSETS, (uint32_t)cfg->SSETS, 1};
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    bool it = kind == REGISTERS ? m->at_kind == REGISTERS : (m->at_kind & kind) != 0;
    j->free_in[kind].alloc_en = it && m->alloc_en, j->free_in[kind].free_en = it && m->free_en;
    j->free_in[kind].free_set = (uint16_t)low(m->free_set, sets[kind]);
    j->map_in[kind].wr_en = it && m->wr_en, j->map_in[kind].wr_valid = m->wr_valid;
    j->map_in[kind].wr_row = (uint8_t)low(m->wr_owner, rows[kind]);
    j->map_in[kind].wr_set = kind == SLOT ? 0 : (uint8_t)low(m->wr_set, logical[kind]);
    j->map_in[kind].wr_phys = (uint16_t)low(m->wr_phys, sets[kind]);
    if (kind == SLOT) continue;
    j->lfu_in[kind].new_en = it && m->new_en, j->lfu_in[kind].new_set = (uint16_t)low(m->new_set, sets[kind]);
  }
  uint32_t owners = (uint32_t)(cfg->WARPS > cfg->BLOCKS ? cfg->WARPS : cfg->BLOCKS);
  uint32_t names = (uint32_t)(cfg->RSETS > cfg->SSETS ? cfg->RSETS : cfg->SSETS);
  j->agen_in = (struct swap_agen_in){.base_en = in->base_en,
                                     .base_kind = in->base_kind,
                                     .base = in->base,
                                     .cmd_valid = m->move_en,
                                     .cmd_kind = m->at_kind,
                                     .cmd_spill = m->move_spill,
                                     .cmd_owner = (uint8_t)low(m->move_owner, owners),
                                     .cmd_set = (uint8_t)low(m->move_set, names),
                                     .line_ready = in->line_ready};
  j->thresh_in = (struct othresh_ctl_in){.start_en = in->start_en,
                                         .run = in->run,
                                         .issue_valid = in->issue_valid,
                                         .pipe_stall = in->pipe_stall,
                                         .all_wait_mem = in->all_wait_mem};
  tell_coordinator(in, j);
}

static void zorua_manager_finish(const struct zorua_manager_cfg *cfg, struct zorua_manager_state *s,
                                 const struct zorua_manager_in *in, const struct zorua_manager_out *out,
                                 struct zorua_manager_step *j) {
  (void)out;
  ask_victims(cfg, s, in, j);
  decide(cfg, s, j);
  carry_out(cfg, in, j);
  othresh_ctl_model.tick(&j->thresh_cfg, s->thresh, &j->thresh_in, &j->thresh);
  coordinator_model.tick(&j->coord_cfg, s->coord, &j->coord_in, &j->coord);
  set_mover_model.tick(&j->mover_cfg, s->mover, &j->mover_in, &j->mover);
  swap_agen_model.tick(&j->agen_cfg, s->agen, &j->agen_in, &j->agen);
  map_table_model.tick(&j->map_cfg[REGISTERS], s->map_regs, &j->map_in[REGISTERS], &j->map[REGISTERS]);
  map_table_model.tick(&j->map_cfg[SCRATCH], s->map_scratch, &j->map_in[SCRATCH], &j->map[SCRATCH]);
  map_table_model.tick(&j->map_cfg[SLOT], s->map_slots, &j->map_in[SLOT], &j->map[SLOT]);
  set_allocator_model.tick(&j->free_cfg[REGISTERS], s->free_regs, &j->free_in[REGISTERS], &j->free[REGISTERS]);
  set_allocator_model.tick(&j->free_cfg[SCRATCH], s->free_scratch, &j->free_in[SCRATCH], &j->free[SCRATCH]);
  set_allocator_model.tick(&j->free_cfg[SLOT], s->free_slots, &j->free_in[SLOT], &j->free[SLOT]);
  lfu_victim_model.tick(&j->lfu_cfg[REGISTERS], s->lfu_regs, &j->lfu_in[REGISTERS], &j->lfu[REGISTERS]);
  lfu_victim_model.tick(&j->lfu_cfg[SCRATCH], s->lfu_scratch, &j->lfu_in[SCRATCH], &j->lfu[SCRATCH]);
}

#include "zorua_manager_model.inc"
