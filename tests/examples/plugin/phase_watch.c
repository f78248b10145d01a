/* SPDX-License-Identifier: Apache-2.0 */
/* A proposal that changes nothing: it asks for phases (system_ops.load) and looks at every operation before it issues. A fault ends the
 * run where a warp uses a register or shared memory beyond what its last specifier asks for, where lanes find different
 * values in a register that the compiler calls uniform, or where lanes are apart at a specifier. What a specifier gives
 * up is overwritten with garbage: registers at once, shared memory when no warp of the CTA has it any more. */
#include "core/sm_state.h"
#include "core/tandem.h"

#include <stdlib.h>
#include <string.h>

struct OWNED_VALUES watch_parameters {
  int64_t mask;
};
struct OWNED_VALUES watch_counters { /* of an SM */
  uint64_t specifiers, registers, uniform, shared, released, released_bytes;
};

static const struct gpu_parameter parameters[] = {PARAMETER_INTEGER(
  struct watch_parameters, mask, "phase_watch.mask", 0, 0, 1, "", "1: specifiers name sets of registers")};
/* a table */
/* clang-format off */
static const struct counter_row counters[] = {
  COUNTER_ROW(specifiers, "warp instructions", "phase_watch: phase specifiers executed")
  COUNTER_ROW(registers, "operands", "phase_watch: operands in registers compared with the phase's")
  COUNTER_ROW(uniform, "operands", "phase_watch: operands in uniform registers, of two lanes or more")
  COUNTER_ROW(shared, "accesses", "phase_watch: accesses to shared memory compared with the phase's")
  COUNTER_ROW(released, "registers", "phase_watch: registers of warps that specifiers gave up")
  COUNTER_ROW(released_bytes, "bytes", "phase_watch: shared memory that CTAs gave up")};
/* clang-format on */
static struct config_owner owner = {
  .name = "phase_watch", OWNER_TABLE(parameters, parameters), OWNER_TABLE(sm_counters, counters)};

enum { GARBAGE = 0xdb };

struct watch {
  struct sm_services services;
  bool masks;
  const struct ptx_op *specifier[64], *seen[64]; /* by hardware warp: the last one; the operation that was looked at */
  uint64_t warps[64];                            /* by CTA slot: those that have not ended */
};

static void load(const struct gpu_config *config, struct ptx_options *o) {
  const struct watch_parameters *p = config_owned(config, &owner);
  o->allocate = o->phases = true;
  o->live = p->mask ? PTX_LIVE_MASK : PTX_LIVE_LOWEST;
  o->phase_registers = PTX_SET_REGISTERS * PTX_MASK_SETS;
}

static void *create(const struct gpu_config *config, struct block_factory *factory, const char *path, uint32_t sm,
                    const struct sm_services *services, struct err *e) {
  struct watch *t = calloc(1, sizeof *t);
  (void)factory, (void)path, (void)sm, (void)e;
  if (!t) return NULL;
  t->services = *services;
  t->masks = ((const struct watch_parameters *)config_owned(config, &owner))->mask;
  return t;
}

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct watch *t = self;
  (void)index, (void)base, (void)bytes;
  t->warps[cta] = warps;
  for (; warps; warps &= warps - 1) t->specifier[__builtin_ctzll(warps)] = t->seen[__builtin_ctzll(warps)] = NULL;
}

static struct watch_counters *counted(const struct watch *t) { return sm_counters_owned(t->services.counters, &owner); }

static void fault(const struct watch *t, uint32_t w, const char *rule) {
  t->services.fault(t->services.sm, w, t->services.sm->warp[w]->op->line, rule);
}

static uint32_t lanes_of(const struct ptx_op *op, const struct ptx_warp *f) {
  uint32_t mask = ptx_warp_mask(f);
  if (op->guard == PTX_NO_GUARD) return mask;
  uint32_t p = f->rows[(size_t)op->guard * WARP_LANES];
  return mask & (op->guard_negated ? ~p : p);
}

/* ---- operands ---- */

struct place {
  uint32_t number, takes; /* takes 0: no register; 3: a predicate */
};

static struct place place_of(const struct ptx_kernel *k, ptx_row row) {
  int64_t at = (int64_t)row - k->first_register, all = k->registers;
  if (row == PTX_NO_GUARD || at < 0 || at >= 2 * all + k->predicates) return (struct place){0};
  return (struct place){(uint32_t)(at < all ? at : at - all), at < all ? 1 : at < 2 * all ? 2 : 3};
}

static bool within(const struct watch *t, uint32_t w, struct place p) {
  const struct ptx_op_phase *s = &t->specifier[w]->phase;
  if (!p.takes || p.takes == 3) return true;
  counted(t)->registers++;
  if (!t->masks) return p.number + p.takes <= s->registers;
  return s->sets >> p.number / PTX_SET_REGISTERS & s->sets >> (p.number + p.takes - 1) / PTX_SET_REGISTERS & 1;
}

static bool same_in_all(const struct watch *t, const struct ptx_warp *f, ptx_row row, struct place p, uint32_t mask) {
  const uint32_t *words = f->rows + (size_t)row * WARP_LANES;
  uint64_t first = 0, value;
  counted(t)->uniform += (mask & (mask - 1)) != 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    if (p.takes == 2) memcpy(&value, words + 2 * l, 8);
    else value = p.takes == 3 ? words[0] >> l & 1 : words[l];
    if (rest != mask && value != first) return false;
    first = value;
  }
  return true;
}

/* Sources stand in the order of the scoreboard's list, each register once. */
static void check_operands(const struct watch *t, uint32_t w, const struct ptx_op *op, uint32_t mask) {
  const struct ptx_warp *f = &t->services.sm->warp[w]->f;
  const struct ptx_kernel *k = f->cta->kernel;
  ptx_row seen[PTX_SOURCES_MAX];
  uint32_t n = 0;
  for (uint32_t i = 0; i < op->n_src; i++) {
    struct place p = place_of(k, op->src[i]);
    bool known = !p.takes;
    for (uint32_t j = 0; j < n; j++) known |= seen[j] == op->src[i];
    if (known) continue;
    if (!within(t, w, p)) fault(t, w, "a source beyond its phase");
    if (!k->phases->differs[op->read_reg[n]] && !same_in_all(t, f, op->src[i], p, mask))
      fault(t, w, "lanes differ in a uniform register");
    seen[n++] = op->src[i];
  }
  for (uint32_t i = 0; i < op->n_dst; i++)
    if (!within(t, w, place_of(k, op->dst[i]))) fault(t, w, "a result beyond its phase");
}

static void check_shared(const struct watch *t, uint32_t w, const struct ptx_op *op, uint32_t mask) {
  const struct ptx_warp *f = &t->services.sm->warp[w]->f;
  const struct ptx_op_phase *s = &t->specifier[w]->phase;
  if (op->class < PTX_LOAD || op->class > PTX_ATOMIC || op->memory.space != PTX_SHARED || op->memory.is_matrix) return;
  uint32_t end = s->dynamic ? f->cta->shared_bytes : s->shared_bytes,
           bytes = (uint32_t)op->memory.bytes * op->memory.vector;
  const uint32_t *base =
    op->src[0] >= 0 ? f->rows + (size_t)op->src[0] * WARP_LANES : f->consts + (size_t)~op->src[0] * WARP_LANES;
  counted(t)->shared++;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask), at = op->memory.address_32 ? base[l] : base[2 * l];
    if (at + (uint32_t)op->memory.offset + bytes > end) fault(t, w, "shared memory beyond its phase");
  }
}

/* ---- what is given up ---- */

static bool keeps(const struct watch *t, const struct ptx_op_phase *s, uint32_t number) {
  return t->masks ? s->sets >> number / PTX_SET_REGISTERS & 1 : number < s->registers;
}

static void release_registers(const struct watch *t, struct ptx_warp *f, const struct ptx_op_phase *s) {
  const struct ptx_kernel *k = f->cta->kernel;
  for (uint32_t number = 0; number < k->registers; number++) {
    if (keeps(t, s, number)) continue;
    counted(t)->released++;
    for (uint32_t half = 0; half < 2; half++)
      memset(f->rows + (size_t)(k->first_register + half * k->registers + number) * WARP_LANES, GARBAGE,
             WARP_LANES * sizeof *f->rows);
  }
}

/* A warp that has come to no specifier yet counts with the first one. */
static void release_shared(const struct watch *t, uint32_t cta, struct ptx_cta *c) {
  uint32_t most = 0;
  for (uint64_t rest = t->warps[cta]; rest; rest &= rest - 1) {
    const struct ptx_op *op = t->specifier[__builtin_ctzll(rest)];
    const struct ptx_op_phase *s = op ? &op->phase : &c->kernel->ops[0].phase;
    uint32_t bytes = s->dynamic ? c->shared_bytes : s->shared_bytes;
    if (bytes > most) most = bytes;
  }
  if (most >= c->shared_bytes) return;
  counted(t)->released_bytes += c->shared_bytes - most;
  memset(c->shared + most, GARBAGE, c->shared_bytes - most);
}

static void release(const struct watch *t, uint32_t w) {
  struct ptx_warp *f = &t->services.sm->warp[w]->f;
  uint32_t cta = 0;
  while (!(t->warps[cta] >> w & 1)) cta++;
  release_registers(t, f, &t->specifier[w]->phase);
  release_shared(t, cta, f->cta);
}

/* Lanes that have no more to run than the end of the thread may wait elsewhere. */
static bool together(const struct ptx_warp *f, uint32_t mask) {
  uint32_t apart = f->live & ~mask;
  for (uint32_t i = 0; i < f->depth; i++) {
    const struct simt_entry *path = i + 1 < f->depth ? &f->stack[i] : &f->top;
    if (path->mask & apart && f->cta->kernel->ops[path->pc].class != PTX_EXIT) return false;
  }
  return true;
}

static void look(struct watch *t, uint32_t w) {
  const struct sm_warp *warp = t->services.sm->warp[w];
  const struct ptx_op *op = warp->op;
  uint32_t mask = lanes_of(op, &warp->f);
  if (op->class == PTX_PHASE) {
    if (!together(&warp->f, mask)) fault(t, w, "lanes are apart at a specifier");
    t->specifier[w] = op;
    counted(t)->specifiers++;
    release(t, w);
  } else if (!t->specifier[w]) {
    fault(t, w, "an operation before the first specifier");
  } else if (mask) {
    check_operands(t, w, op, mask);
    check_shared(t, w, op, mask);
  }
}

/* Called before an SM issues; a warp that is ready has its operands. */
static uint64_t blocked(const void *self) {
  struct watch *t = (struct watch *)(uintptr_t)self;
  const struct sm *sm = t->services.sm;
  for (uint64_t rest = sm->ready; rest; rest &= rest - 1) {
    uint32_t w = (uint32_t)__builtin_ctzll(rest);
    if (t->seen[w] == sm->warp[w]->op) continue;
    t->seen[w] = sm->warp[w]->op;
    look(t, w);
  }
  return 0;
}

static void warp_exit(void *self, uint32_t cta, uint32_t warp) {
  struct watch *t = self;
  t->warps[cta] &= ~(UINT64_C(1) << warp);
}

static void cta_end(void *self, uint32_t cta) { (void)self, (void)cta; }

static const struct scoreboard_hooks hooks = {.blocked = blocked};
static const struct system_ops phase_watch = {.name = "phase_watch",
                                              .brief = "phases, and a check of what the compiler says of them",
                                              .owner = &owner,
                                              .scoreboard = &hooks,
                                              .load = load,
                                              .create = create,
                                              .destroy = free,
                                              .cta_start = cta_start,
                                              .warp_exit = warp_exit,
                                              .cta_end = cta_end};
TANDEM_PLUGIN(phase_watch);
