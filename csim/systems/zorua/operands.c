/* SPDX-License-Identifier: Apache-2.0 */
/* Operands: where the sets of an operation lie. What lies in memory is accessed there, a line for each register of the warp and for each
 * line of scratchpad. assumption: an operation waits for all lines that it reads, and then takes place as a whole. */
#include "ptx/execute.h"
#include "systems/zorua/zorua_internal.h"

#include <stdlib.h>

enum { SET_BITS = 4, LINES_OF_SET = ZORUA_SET_BYTES / ZORUA_LINE };

int zorua_operands_launch(struct zorua *z, const struct ptx_kernel *k, struct err *e) {
  z->shared = z->sm.launch->dynamic_shared_bytes + (uint32_t)z->config->sm_shared_reserve;
  if (z->kernel == k) return 0;
  free(z->operand);
  z->kernel = NULL;
  z->operand = calloc(k->n_ops, sizeof *z->operand);
  if (!z->operand) return err_set(e, ERR_LIMIT, "the host has no memory left for the operands of kernel '%s'", k->name);
  z->arrives = false;
  for (uint32_t i = 0; i < k->n_ops; i++) {
    z->operand[i] = zorua_operands_of(k, &k->ops[i]);
    z->arrives |= k->ops[i].class == PTX_BARRIER && k->ops[i].barrier == BARRIER_ARRIVE;
  }
  z->kernel = k;
  return 0;
}

/* ---- lines ---- */

static void push_line(struct zorua *z, uint64_t address, bool store, uint32_t w) {
  if (z->p->spill == ZORUA_SPILL_ORACLE) return;
  invariant(!ring_full(&z->lines), "%s: more lines of operands than there can be", z->path);
  z->line[ring_push(&z->lines)] = (struct zorua_line){.address = address, .tag = (uint16_t)w, .store = store};
  if (store) {
    z->n->zorua_operand_stores++;
    return;
  }
  z->n->zorua_operand_loads++;
  z->warp[w].lines++;
  z->loads++;
}

static uint64_t in_set(uint64_t registers, uint32_t set) { return registers & UINT64_C(15) << set * ZORUA_SET_LANE; }

static void push_registers(struct zorua *z, uint32_t w, uint64_t registers, bool store) {
  for (; registers; registers &= registers - 1)
    push_line(z, zorua_register_line(z, w, (uint32_t)__builtin_ctzll(registers)), store, w);
}

static void push_part(struct zorua *z, uint32_t w, const struct zorua_part *part, bool store) {
  uint64_t set = (uint64_t)z->warp[w].block * zorua_block_sets(z->config) + part->set;
  for (uint32_t lines = part->lines; lines; lines &= lines - 1)
    push_line(z, z->base[1] + (set * LINES_OF_SET + (uint32_t)__builtin_ctz(lines)) * ZORUA_LINE, store, w);
}

void zorua_line_loaded(void *self, uint32_t tag, uint64_t cycle, bool hit) {
  struct zorua *z = self;
  z->n->zorua_line_hits += hit;
  if (tag == ZORUA_FILL) {
    z->fills--;
    return;
  }
  struct zorua_warp *warp = &z->warp[tag];
  warp->lines--;
  z->loads--;
  if (cycle > warp->ready) warp->ready = cycle;
}

/* ---- what the core asks ---- */

bool zorua_operands_hook(void *self, uint32_t w, const struct ptx_op *op) {
  struct zorua *z = self;
  struct zorua_warp *warp = &z->warp[w];
  bool unbounded = z->p->registers == ZORUA_REGISTERS_UNBOUNDED;
  warp->op = unbounded ? (struct zorua_operands){0, 0} : z->operand[op - z->kernel->ops];
  warp->sets = warp->todo = zorua_sets_of(warp->op.reads | warp->op.writes);
  warp->swapped = warp->n_parts = warp->parts_todo = warp->parts_swapped = 0;
  warp->ready = 0;
  warp->shared = false;
  if (!warp->todo) return true;
  z->collecting |= zorua_slot(z, w);
  return false;
}

static void add_part(struct zorua_warp *warp, uint32_t address) {
  uint32_t set = address / ZORUA_SET_BYTES, line = address / ZORUA_LINE % LINES_OF_SET, i = 0;
  while (i < warp->n_parts && warp->part[i].set != set) i++;
  if (i == warp->n_parts) warp->part[warp->n_parts++] = (struct zorua_part){.set = (uint8_t)set};
  warp->part[i].lines |= (uint8_t)(1U << line);
}

bool zorua_shared(void *self, uint32_t w, const struct ptx_access *a) {
  struct zorua *z = self;
  struct zorua_warp *warp = &z->warp[w];
  if (warp->shared) { /* it has waited */
    warp->shared = false;
    return true;
  }
  warp->n_parts = 0;
  for (uint32_t i = 0; i < WARP_LANES; i++) /* what lies outside faults when it is performed */
    if ((a->mask >> i & 1) && a->address[i] < (uint64_t)zorua_block_sets(z->config) * ZORUA_SET_BYTES)
      add_part(warp, (uint32_t)a->address[i]);
  if (!warp->n_parts) return true;
  warp->parts_todo = UINT32_MAX >> (32 - warp->n_parts);
  warp->parts_swapped = 0;
  warp->stores = a->store || a->atomic, warp->loads = !a->store || a->atomic;
  warp->shared = true;
  z->collecting |= zorua_slot(z, w);
  return false;
}

void zorua_execute(void *self, uint32_t w, const struct ptx_op *op, struct ptx_warp *f) {
  struct zorua *z = self;
  z->collecting &= ~zorua_slot(z, w);
  zorua_values_read(z, w, op, f);
}

static void unlock(struct zorua *z, uint16_t *pending) {
  uint32_t phys = *pending - 1U;
  *pending = 0;
  if (!--z->lock[phys]) z->locked[phys / 32] &= ~(1U << phys % 32);
}

/* The registers of a load that has not come: their physical sets stay. */
static void lock_pending(struct zorua *z, uint32_t w, uint64_t registers) {
  for (; registers; registers &= registers - 1) {
    uint32_t r = (uint32_t)__builtin_ctzll(registers), phys = z->warp[w].phys[r / ZORUA_SET_LANE];
    if (z->pending[w][r]) unlock(z, &z->pending[w][r]); /* a value that nobody reads */
    z->pending[w][r] = (uint16_t)(phys + 1);
    z->lock[phys]++;
    z->locked[phys / 32] |= 1U << phys % 32;
  }
}

void zorua_executed(void *self, uint32_t w, const struct ptx_op *op, struct ptx_warp *f, bool pending) {
  struct zorua *z = self;
  struct zorua_warp *warp = &z->warp[w];
  zorua_values_write(z, w, op, f);
  for (uint32_t rest = zorua_sets_of(warp->op.writes); rest; rest &= rest - 1) {
    uint32_t s = (uint32_t)__builtin_ctz(rest);
    uint64_t registers = in_set(warp->op.writes, s);
    if (warp->swapped >> s & 1) push_registers(z, w, registers, true);
    else if (pending) lock_pending(z, w, registers);
  }
  for (uint32_t rest = warp->stores ? warp->parts_swapped : 0; rest; rest &= rest - 1)
    push_part(z, w, &warp->part[__builtin_ctz(rest)], true);
  warp->parts_swapped = 0;
}

void zorua_loaded(void *self, uint32_t w, const struct ptx_op *op) {
  struct zorua *z = self;
  for (uint64_t rest = z->operand[op - z->kernel->ops].writes; rest; rest &= rest - 1) {
    uint32_t r = (uint32_t)__builtin_ctzll(rest);
    if (z->pending[w][r]) unlock(z, &z->pending[w][r]);
  }
}

static bool complete(const struct zorua *z, const struct zorua_warp *warp) {
  return !warp->todo && !warp->parts_todo && !warp->lines && warp->ready <= *z->sm.now &&
         (z->lines.count < ZORUA_LINES_FULL || !(warp->swapped | warp->parts_swapped));
}

uint64_t zorua_collected(const void *self) {
  const struct zorua *z = self;
  uint64_t done = 0;
  for (uint64_t rest = z->collecting; rest; rest &= rest - 1)
    if (complete(z, &z->warp[zorua_first(z, rest)])) done |= rest & -rest;
  return done;
}

bool zorua_operands_busy(const struct zorua *z) {
  for (uint64_t rest = z->collecting; rest; rest &= rest - 1) {
    const struct zorua_warp *warp = &z->warp[zorua_first(z, rest)];
    if (warp->todo || warp->parts_todo || complete(z, warp)) return true;
  }
  return false;
}

uint64_t zorua_operands_wake(const struct zorua *z) {
  uint64_t first = UINT64_MAX;
  for (uint64_t rest = z->collecting; rest; rest &= rest - 1) {
    const struct zorua_warp *warp = &z->warp[zorua_first(z, rest)];
    if (!warp->lines && warp->ready > *z->sm.now && warp->ready < first) first = warp->ready;
  }
  return first;
}

/* ---- the manager's reads ---- */

static void ask_registers(struct zorua *z, struct zorua_manager_in *in, uint32_t w, uint32_t row_bits) {
  uint32_t todo = z->warp[w].todo;
  for (uint32_t p = w & 1; p < ZORUA_READS && todo; p += 2) {
    if (in->rd_en >> p & 1) continue;
    uint32_t s = (uint32_t)__builtin_ctz(todo);
    todo &= todo - 1;
    in->rd_en |= (uint8_t)(1U << p);
    in->rd_row |= (uint64_t)(w / 2) << p * row_bits;
    in->rd_set |= zorua_entry(z, w, s) << p * SET_BITS;
    z->port_warp[p] = (uint8_t)w, z->port_set[p] = (uint8_t)s;
  }
}

static void ask_scratch(struct zorua *z, struct zorua_manager_in *in, uint32_t w, uint32_t set_bits) {
  uint32_t block_bits = block_clog2((uint32_t)z->p->blocks);
  uint32_t todo = z->warp[w].parts_todo;
  for (uint32_t p = 0; p < ZORUA_SREADS && todo; p++) {
    if (in->srd_en >> p & 1) continue;
    uint32_t i = (uint32_t)__builtin_ctz(todo);
    todo &= todo - 1;
    in->srd_en |= (uint8_t)(1U << p);
    in->srd_row |= (uint16_t)(z->warp[w].block << p * block_bits);
    in->srd_set |= (uint32_t)z->warp[w].part[i].set << p * set_bits;
    z->sport_warp[p] = (uint8_t)w, z->sport_part[p] = (uint8_t)i;
  }
}

/* The warps take turns, so that none waits for ever. */
void zorua_ask_operands(struct zorua *z, struct zorua_manager_in *in) {
  uint32_t row_bits = block_clog2((uint32_t)z->p->warps) - 1, set_bits = block_bits(zorua_block_sets(z->config));
  if (!z->collecting) return;
  uint64_t before = z->collecting & ((UINT64_C(1) << z->turn) - 1), behind = z->collecting & ~before;
  for (uint64_t rest = behind; rest || before; rest &= rest - 1) {
    if (!rest) rest = before, before = 0;
    uint32_t w = zorua_first(z, rest);
    if (z->warp[w].todo) ask_registers(z, in, w, row_bits);
    else if (z->warp[w].parts_todo) ask_scratch(z, in, w, set_bits);
  }
  if (in->rd_en | in->srd_en) z->turn = (z->turn + 1) % ZORUA_SLOTS;
}

/* A set whose lines move (of registers: the entry that has it), or are on their way from memory, is asked for again. */
static bool moves(const struct zorua_manager_out *out, uint32_t kind, uint32_t owner, uint32_t set) {
  if (out->come && out->come_kind == kind && out->come_owner == owner && out->come_set == set) return true;
  return out->move && out->at_kind == kind && out->moved_owner == owner && out->moved_set == set;
}

static void take_register(struct zorua *z, uint32_t p, const struct zorua_manager_out *out) {
  uint32_t w = z->port_warp[p], s = z->port_set[p],
           bits = block_bits((uint32_t)z->config->sm_registers / ZORUA_SET_REGISTERS);
  struct zorua_warp *warp = &z->warp[w];
  if (moves(out, 0, w, zorua_entry(z, w, s))) return;
  warp->todo &= ~(1U << s);
  z->n->zorua_register_lookups++;
  if (out->rd_valid >> p & 1) {
    warp->phys[s] = (uint16_t)(out->rd_phys >> p * bits & ((1U << bits) - 1));
    return;
  }
  warp->swapped |= 1U << s;
  z->n->zorua_register_swapped++;
  push_registers(z, w, in_set(warp->op.reads, s), false);
}

static void take_scratch(struct zorua *z, uint32_t p, const struct zorua_manager_out *out) {
  uint32_t w = z->sport_warp[p], i = z->sport_part[p],
           bits = block_bits((uint32_t)z->config->sm_shared_bytes / ZORUA_SET_BYTES);
  struct zorua_warp *warp = &z->warp[w];
  if (moves(out, 1, warp->block, warp->part[i].set)) return;
  warp->parts_todo &= ~(1U << i);
  z->n->zorua_scratch_lookups++;
  if (out->srd_valid >> p & 1) {
    warp->parts_phys[i] = (uint8_t)(out->srd_phys >> p * bits & ((1U << bits) - 1));
    return;
  }
  warp->parts_swapped |= 1U << i;
  z->n->zorua_scratch_swapped++;
  if (warp->loads) push_part(z, w, &warp->part[i], false);
}

/* What an operation has found in memory, and comes back before it is executed, is looked up again: its results belong where the set is then. */
static void look_again(struct zorua *z, const struct zorua_manager_out *out) {
  for (uint64_t rest = out->move || out->come ? z->collecting : 0; rest; rest &= rest - 1) {
    uint32_t w = zorua_first(z, rest);
    struct zorua_warp *warp = &z->warp[w];
    for (uint32_t sets = warp->swapped; sets; sets &= sets - 1) {
      if (!moves(out, 0, w, zorua_entry(z, w, (uint32_t)__builtin_ctz(sets)))) continue;
      warp->swapped &= ~(sets & -sets), warp->todo |= sets & -sets;
    }
    for (uint32_t parts = warp->parts_swapped; parts; parts &= parts - 1) {
      if (!moves(out, 1, warp->block, warp->part[__builtin_ctz(parts)].set)) continue;
      warp->parts_swapped &= ~(parts & -parts), warp->parts_todo |= parts & -parts;
    }
  }
}

void zorua_take_operands(struct zorua *z, const struct zorua_manager_in *in, const struct zorua_manager_out *out) {
  look_again(z, out);
  for (uint32_t p = 0; p < ZORUA_READS; p++)
    if (in->rd_en >> p & 1) take_register(z, p, out);
  for (uint32_t p = 0; p < ZORUA_SREADS; p++)
    if (in->srd_en >> p & 1) take_scratch(z, p, out);
}

/* Physical sets of operations that have been issued, and of loads that have not come. */
void zorua_lock(const struct zorua *z, struct zorua_manager_in *in) {
  for (uint32_t i = 0; i < ZORUA_REGISTER_SETS / 32; i++) in->lock_regs[i] = z->locked[i];
  for (uint64_t rest = z->collecting; rest; rest &= rest - 1) {
    const struct zorua_warp *warp = &z->warp[zorua_first(z, rest)];
    for (uint32_t sets = warp->sets & ~warp->todo & ~warp->swapped; sets; sets &= sets - 1) {
      uint32_t phys = warp->phys[__builtin_ctz(sets)];
      in->lock_regs[phys / 32] |= 1U << phys % 32;
    }
    uint32_t all = warp->n_parts ? UINT32_MAX >> (32 - warp->n_parts) : 0;
    for (uint32_t parts = all & ~warp->parts_todo & ~warp->parts_swapped; parts; parts &= parts - 1) {
      uint32_t phys = warp->parts_phys[__builtin_ctz(parts)];
      in->lock_scratch[phys / 32] |= 1U << phys % 32;
    }
  }
}
