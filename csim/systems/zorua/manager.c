/* SPDX-License-Identifier: Apache-2.0 */
/* The block zorua_manager of an SM: its events, conditions, lines and answers. An event, a line and a set of reads a cycle. */
#include "block/block_reset.h"
#include "systems/zorua/zorua_internal.h"

#include <stdio.h>
#include <string.h>

enum { IDLE = 1, MEM = 2 };

int zorua_manager_make(struct zorua *z, struct block_factory *f, const char *path, struct err *e) {
  const struct gpu_config *m = z->config;
  const struct zorua_parameters *p = z->p;
  int64_t floor = (p->warps * p->floor + 99) / 100, rows = 1;
  while (rows < p->warps) rows *= 2;
  snprintf(z->path, sizeof z->path, "%s.zorua", path);
  z->events.size = ZORUA_EVENTS, z->lines.size = ZORUA_LINES;
  z->manager =
    BLOCK_MAKE(f, &zorua_manager_desc, z->path, z->sm.now, e, {"WARPS", rows}, {"BLOCKS", p->blocks},
               {"REGS", m->sm_registers / ZORUA_SET_REGISTERS}, {"SCRATCH", m->sm_shared_bytes / ZORUA_SET_BYTES},
               {"SLOTS", m->sm_warps}, {"FLOOR", floor}, {"RSETS", ZORUA_WARP_SETS}, {"SSETS", zorua_block_sets(m)},
               {"EPOCH", p->epoch}, {"DELTA", p->delta}, {"START", p->o_thresh}, {"STEP", p->o_step});
  return z->manager ? 0 : ERR_VALUE;
}

/* After a launch that was killed nothing says what has become of its warps: the first cycle is a reset. */
static void forget(struct zorua *z) {
  z->resets = true;
  z->collecting = z->live = 0;
  memset(z->sched, 0, sizeof z->sched);
  memset(z->asked, 0, sizeof z->asked);
  z->events.count = z->lines.count = z->fills = z->loads = 0;
  memset(z->warp, 0, sizeof z->warp);
  memset(z->lock, 0, sizeof z->lock);
  memset(z->locked, 0, sizeof z->locked);
  memset(z->pending, 0, sizeof z->pending);
}

void zorua_manager_launch(struct zorua *z) {
  const struct zorua_space space = zorua_space_of_sm(z->config);
  uint64_t sms = (uint64_t)z->config->sm_count, at = z->sm.launch->space;
  if (z->live) forget(z);
  zorua_slots_launch(z);
  z->base[0] = at + z->index * space.registers;
  z->base[1] = at + sms * space.registers + z->index * space.scratch;
  z->base[2] = at + sms * (space.registers + space.scratch) + z->index * space.warps;
  z->bases = 3;
  z->begins = z->ask = true;
  z->come = false;
  z->left = (uint32_t)z->p->epoch;
  memset(z->cycles, 0, sizeof z->cycles);
  memset(z->told, 0, sizeof z->told);
}

/* ---- events ---- */

/* With masks a warp holds its row up to the last entry that has a set of the phase. The text may ask for more registers. */
static struct zorua_need need_of(struct zorua *z, uint32_t w, const struct ptx_op *phase) {
  struct zorua_need need = zorua_need_of(phase, z->shared);
  if (z->p->live != ZORUA_LIVE_MASK) return need;
  uint32_t entries = zorua_enter(&z->warp[w].entries, phase->phase.sets);
  if (entries > need.registers) need.registers = entries;
  return need;
}

void zorua_tell(struct zorua *z, uint32_t kind, uint32_t w, const struct ptx_op *phase) {
  if (kind == ZORUA_START) z->warp[w].entries.sets = 0;
  struct zorua_need need = phase ? need_of(z, w, phase) : (struct zorua_need){0, 0};
  if (z->p->registers == ZORUA_REGISTERS_UNBOUNDED) need.registers = 0;
  if (kind == ZORUA_BARRIER) need.registers = z->warp[w].deep; /* it keeps its slot */
  struct zorua_event *event = &z->event[ring_push(&z->events)];
  *event = (struct zorua_event){.kind = (uint8_t)kind,
                                .warp = (uint8_t)w,
                                .block = z->warp[w].block,
                                .registers = (uint8_t)need.registers,
                                .scratch = (uint8_t)need.scratch};
  z->asked[w / 32] |= 1U << w % 32;
  if (z->slot_of[w] != ZORUA_NO_SLOT) z->open &= ~zorua_slot(z, w);
  z->warp[w].needs = phase != NULL;
  z->warp[w].since = *z->sm.now;
  z->n->zorua_events++;
}

static void give_event(struct zorua *z, struct zorua_manager_in *in) {
  if (!z->events.count) return;
  const struct zorua_event *event = &z->event[z->events.head];
  in->ev_valid = 1;
  in->ev_kind = event->kind, in->ev_warp = event->warp, in->ev_block = event->block;
  in->ev_regs = event->registers, in->ev_scratch = event->scratch;
}

/* ---- conditions ---- */

static void give_run(struct zorua *z, struct zorua_manager_in *in) {
  if (z->begins || z->bases) return;
  for (uint32_t c = 0; c < 4; c++) {
    if (!z->told[c]) continue;
    bool off = !z->p->o_thresh; /* without a threshold that could change */
    in->run = (uint16_t)z->told[c];
    in->issue_valid = off || !(c & IDLE), in->all_wait_mem = !off && (c & MEM);
    z->told[c] = 0;
    return;
  }
}

static void end_epoch(struct zorua *z) {
  z->n->zorua_epochs++;
  z->n->zorua_idle += z->cycles[IDLE] + z->cycles[IDLE | MEM];
  z->n->zorua_mem += z->cycles[MEM] + z->cycles[IDLE | MEM];
  z->n->zorua_thresholds += z->thresh;
  memcpy(z->told, z->cycles, sizeof z->told);
  memset(z->cycles, 0, sizeof z->cycles);
  z->left = (uint32_t)z->p->epoch;
}

/* The manager counts an epoch's cycles in any order, so it is told at the end how many there were of each kind. */
void zorua_ran(void *self, const struct sm_condition *c, uint64_t cycles) {
  struct zorua *z = self;
  bool waits = c->memory || z->loads; /* a warp waits for memory, or for an operand that lies there */
  uint32_t kind = (!c->issued && !c->structural && !waits ? IDLE : 0) | (c->all_memory ? MEM : 0);
  z->n->zorua_schedulable += cycles * c->warps;
  if (z->touch) zorua_touch_ran(z->touch, cycles);
  if (!z->manager) return;
  while (cycles) {
    uint32_t part = cycles < z->left ? (uint32_t)cycles : z->left;
    z->cycles[kind] += part, z->left -= part, cycles -= part;
    if (!z->left) end_epoch(z);
  }
}

static bool tells(const struct zorua *z) { return z->told[0] | z->told[1] | z->told[2] | z->told[3]; }

/* ---- lines ---- */

static bool pass_line(struct zorua *z, uint64_t address, bool store, uint32_t tag) {
  if (z->p->spill == ZORUA_SPILL_ORACLE) return true;
  if (!z->sm.line(z->sm.sm, address, store, tag)) return false;
  if (!store && tag == ZORUA_FILL) z->fills++;
  return true;
}

/* The manager's line goes first; with one of an operation in the same cycle. */
static void give_lines(struct zorua *z, struct zorua_manager_in *in, const struct zorua_manager_out *out) {
  if (out->line_valid && pass_line(z, out->line * ZORUA_LINE, out->spill, ZORUA_FILL)) {
    in->line_ready = 1;
    zorua_values_line(z, out);
    if (out->spill) z->n->zorua_spill_lines++;
    else z->n->zorua_fill_lines++;
  }
  if (!z->lines.count || (out->line_valid && !in->line_ready)) return;
  const struct zorua_line *line = &z->line[z->lines.head];
  if (pass_line(z, line->address, line->store, line->tag)) ring_pop(&z->lines);
}

/* ---- cycle ---- */

/* Needs of warps that are schedulable now, and were not. */
static void count_needs(struct zorua *z, uint32_t first, uint32_t met) {
  for (; met; met &= met - 1) {
    struct zorua_warp *warp = &z->warp[first + (uint32_t)__builtin_ctz(met)];
    if (!warp->needs) continue;
    warp->needs = false;
    z->n->zorua_needs++;
    z->n->zorua_need_cycles += *z->sm.now - warp->since;
  }
}

static void note_answers(struct zorua *z, const struct zorua_manager_out *out) {
  for (uint32_t i = 0; i < ZORUA_WORDS; i++) {
    count_needs(z, i * 32, out->sched[i] & ~z->sched[i]);
    z->sched[i] = out->sched[i];
    z->asked[i] &= out->sched[i]; /* an event has been taken up when its warp is not schedulable */
  }
  zorua_slots_changed(z);
  if (out->thresh_regs != z->thresh || out->busy) z->ask = true;
  z->thresh = out->thresh_regs;
  if (!out->blk_req) return;
  z->come = true;
  z->come_id = out->blk_id;
}

static void reset(struct zorua *z) {
  block_reset_cycle(z->manager);
  z->resets = false;
}

void zorua_manager_cycle(struct zorua *z) {
  struct zorua_manager_in *in = z->manager->in;
  const struct zorua_manager_out *out = z->manager->out;
  if (!zorua_manager_busy(z)) return; /* the block would stay as it is, and its answers too */
  memset(in, 0, sizeof *in);
  if (z->resets) {
    reset(z);
    return;
  }
  bool room = z->live + z->sm.launch->warps_per_cta <= (uint32_t)z->p->warps;
  bool asks = z->ask && !z->come && !z->events.count && !z->begins && !z->bases;
  if (asks && room) in->blk_warps = (uint8_t)z->sm.launch->warps_per_cta;
  in->release_end = z->p->release == ZORUA_RELEASE_END;
  in->floor_held = z->p->floor_of == ZORUA_FLOOR_HELD;
  zorua_ask_operands(z, in);
  block_eval(z->manager);
  if (asks) z->ask = false;
  note_answers(z, out);
  zorua_take_operands(z, in, out);
  if (out->at_en) zorua_lock(z, in); /* nothing is spilled otherwise */
  give_lines(z, in, out);
  in->mem_busy = z->fills != 0;
  give_run(z, in);
  if (z->begins) {
    in->start_en = 1;
    z->begins = false;
  } else if (z->bases) {
    z->bases--;
    in->base_en = 1, in->base_kind = (uint8_t)z->bases, in->base = z->base[z->bases] / ZORUA_LINE;
  } else {
    give_event(z, in);
  }
  if (in->ev_valid && out->ev_ready) ring_pop(&z->events);
  z->works = out->busy || !block_idle(z->manager); /* its outputs can be others in the next cycle */
  block_tick(z->manager);
}

bool zorua_manager_busy(const struct zorua *z) {
  return z->works || z->resets || z->begins || z->bases || z->events.count || z->lines.count || tells(z) ||
         (z->ask && !z->come) || zorua_operands_busy(z) || !z->manager->skip;
}
