/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/functional.h"

#include "base/err.h"
#include "ptx/quick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  TURN = 1 << 16, /* assumption: warp instructions until another warp goes on; waiting for one another stays cheap */
  WARPS_MAX = 32, /* of a CTA */
  BARRIERS = 16,
  ALIGNMENT = 64
};

/* A CTA that has begun. Sets of warps have a bit each. */
struct cta {
  struct ptx_cta f;
  struct ptx_warp *warp; /* with their registers, local memory and the CTA's shared memory in one piece */
  uint8_t *memory;
  uint32_t live, waiting; /* waiting: at a barrier */
  uint32_t open;          /* barriers at which a warp has arrived */
  uint32_t arrived[BARRIERS], wanted[BARRIERS], votes[BARRIERS], voters[BARRIERS];
  uint32_t lanes_of[WARPS_MAX];
  const struct ptx_op *op_of[WARPS_MAX]; /* barrier that a warp waits at */
  uint8_t barrier_of[WARPS_MAX];
};

struct run {
  const struct gpu_setup *setup;
  struct device_memory *memory;
  const struct launch *launch;
  const struct ptx_op *ops;
  struct cta **slot; /* those that would be resident at once; NULL: never used */
  uint64_t n_slots, next, ended;
  struct functional_count count;
  const struct ptx_warp *faulted;
};

enum stop { STOP_TURN, STOP_BARRIER, STOP_EXIT, STOP_FAULT };

/* ---- barriers ---- */

/* An exited warp counts as arrived at a barrier of the whole CTA. */
static void review_barrier(struct cta *c, uint32_t id) {
  uint32_t arrived = c->arrived[id];
  bool full = c->wanted[id] ? (uint32_t)__builtin_popcount(arrived) >= c->wanted[id] : !(c->live & ~arrived);
  if (!full) return;
  c->arrived[id] = 0;
  c->open &= ~(1u << id);
  for (uint32_t rest = arrived & c->waiting & c->live; rest; rest &= rest - 1) {
    uint32_t w = (uint32_t)__builtin_ctz(rest);
    const struct ptx_op *op = c->op_of[w];
    if (c->barrier_of[w] != id) continue; /* only arrived here, waits at another barrier */
    c->waiting &= ~(1u << w);
    if (ptx_barrier_reduces(op)) ptx_barrier_result(op, &c->warp[w], c->lanes_of[w], c->votes[id], c->voters[id]);
  }
  c->votes[id] = c->voters[id] = 0;
}

static void arrive(struct cta *c, const struct ptx_op *op, uint32_t w, uint32_t mask, struct ptx_barrier b) {
  if (!b.arrive_only && ptx_barrier_reduces(op)) {
    c->votes[b.id] += ptx_barrier_votes(op, &c->warp[w], mask);
    c->voters[b.id] += (uint32_t)__builtin_popcount(mask);
    c->lanes_of[w] = mask;
  }
  c->open |= 1u << b.id;
  c->arrived[b.id] |= 1u << w;
  c->wanted[b.id] = (b.threads + WARP_LANES - 1) / WARP_LANES;
  if (!b.arrive_only) {
    c->waiting |= 1u << w;
    c->barrier_of[w] = (uint8_t)b.id;
    c->op_of[w] = op;
  }
  review_barrier(c, b.id);
}

static void end_warp(struct cta *c, uint32_t w) {
  c->live &= ~(1u << w);
  for (uint32_t rest = c->open; rest; rest &= rest - 1) review_barrier(c, (uint32_t)__builtin_ctz(rest));
}

/* ---- operations ---- */

static inline void count_op(struct run *r, const struct ptx_op *op, uint32_t mask) {
  r->count.warp_instructions += op->issue_slots;
  uint32_t lanes = mask == UINT32_MAX ? WARP_LANES : (uint32_t)__builtin_popcount(mask); /* a call of the library */
  r->count.thread_instructions += (uint64_t)op->issue_slots * lanes;
}

/* Lanes in different memory spaces are counted apart, as they issue apart in detail. */
static bool access_memory(struct run *r, const struct ptx_op *op, struct ptx_warp *p, uint32_t mask) {
  struct ptx_access a;
  if (ptx_quick_access(op, p, mask)) {
    count_op(r, op, mask);
    ptx_step(op, p, mask);
    return true;
  }
  if (!mask) count_op(r, op, 0);
  for (uint32_t rest = mask, lanes = mask; lanes; lanes = rest) {
    ptx_addresses(op, p, lanes, &a);
    if (!p->fault.kind) ptx_perform(op, p, &a);
    if (p->fault.kind) return false;
    rest = ptx_access_rest(op, lanes, &a);
    count_op(r, op, lanes & ~rest);
  }
  ptx_step(op, p, mask);
  return true;
}

static void take_branch(struct run *r, const struct ptx_op *op, struct ptx_warp *p, uint32_t mask) {
  bool plain = op->class == PTX_BRANCH && op->branch.kind == BRANCH_PLAIN;
  count_op(r, op, plain ? ptx_warp_mask(p) : mask); /* the lanes that fall through execute it, too */
  ptx_advance(op, p, mask);
}

static enum stop meet(struct run *r, struct cta *c, const struct ptx_op *op, uint32_t w, uint32_t mask) {
  struct ptx_warp *p = &c->warp[w];
  struct ptx_barrier barrier = ptx_barrier_of(op, p);
  count_op(r, op, mask);
  if (p->fault.kind) return STOP_FAULT;
  ptx_advance(op, p, mask);
  if (mask) arrive(c, op, w, mask, barrier);
  return c->waiting >> w & 1 ? STOP_BARRIER : STOP_TURN;
}

/* Goes on with a warp until it waits or ends, or has had its turn. */
static enum stop run_warp(struct run *r, struct cta *c, uint32_t w) {
  struct ptx_warp *p = &c->warp[w];
  for (uint32_t n = TURN; n; n--) {
    const struct ptx_op *op = &r->ops[ptx_warp_pc(p)];
    uint32_t mask = ptx_op_mask(op, p);
    p->clock = r->count.warp_instructions;
    switch (op->class) {
      case PTX_LOAD:
      case PTX_STORE:
      case PTX_ATOMIC:
        if (!access_memory(r, op, p, mask)) return STOP_FAULT;
        break;
      case PTX_BRANCH:
      case PTX_EXIT:
        take_branch(r, op, p, mask);
        if (p->fault.kind) return STOP_FAULT;
        if (!p->live) return STOP_EXIT;
        break;
      case PTX_BARRIER: {
        enum stop stop = meet(r, c, op, w, mask);
        if (stop != STOP_TURN) return stop;
        break;
      }
      default:
        if (op->exec && mask) op->exec(op, p, mask);
        if (p->fault.kind) return STOP_FAULT;
        count_op(r, op, mask);
        ptx_step(op, p, mask);
    }
  }
  return STOP_TURN;
}

/* ---- CTAs ---- */

static size_t rounded(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static struct cta *new_cta(const struct launch *l) {
  const struct ptx_kernel *k = l->kernel;
  size_t rows = rounded((size_t)k->n_rows * WARP_LANES * sizeof(uint32_t)),
         local = rounded((size_t)k->local_bytes * WARP_LANES);
  size_t shared = rounded((size_t)k->shared_bytes + l->dynamic_shared_bytes);
  struct cta *c = calloc(1, sizeof *c);
  size_t bytes = shared + l->warps_per_cta * (rows + local) + ALIGNMENT;
  if (!c) return NULL;
  c->warp = calloc(l->warps_per_cta, sizeof *c->warp);
  c->memory = aligned_alloc(ALIGNMENT, bytes);
  if (!c->warp || !c->memory) {
    free(c->warp);
    free(c->memory);
    free(c);
    return NULL;
  }
  memset(c->memory, 0, bytes);
  c->f.shared = c->memory;
  for (uint32_t w = 0; w < l->warps_per_cta; w++) {
    uint8_t *at = c->memory + shared + w * (rows + local);
    c->warp[w].rows = (uint32_t *)(void *)at;
    c->warp[w].local = at + rows;
    c->warp[w].consts = k->const_rows;
  }
  return c;
}

static void start(const struct run *r, struct cta *c, uint64_t index) {
  const struct launch *l = r->launch;
  struct ptx_cta *f = &c->f;
  f->kernel = l->kernel;
  f->memory = r->memory;
  f->shared_bytes = l->kernel->shared_bytes + l->dynamic_shared_bytes;
  f->params = l->params;
  f->n_sms = (uint32_t)r->setup->config.sm_count;
  f->sm = (uint32_t)(index % f->n_sms);
  memcpy(f->grid, l->grid, sizeof f->grid);
  memcpy(f->block, l->block, sizeof f->block);
  f->index[0] = (uint32_t)(index % l->grid[0]);
  f->index[1] = (uint32_t)(index / l->grid[0] % l->grid[1]);
  f->index[2] = (uint32_t)(index / l->grid[0] / l->grid[1]);
  c->live = UINT32_MAX >> (WARPS_MAX - l->warps_per_cta);
  c->waiting = c->open = 0;
  memset(c->arrived, 0, sizeof c->arrived);
  for (uint32_t w = 0; w < l->warps_per_cta; w++) ptx_warp_start(&c->warp[w], f, w);
}

/* A turn of each warp, again after barriers; *all: every warp has ended. */
static int run_cta(struct run *r, struct cta *c, bool *all, struct err *e) {
  for (bool turn = false; c->live && !turn;) {
    if (!(c->live & ~c->waiting))
      return err_set(e, ERR_INTERNAL,
                     "kernel '%s': CTA (%u,%u,%u) waits at a barrier at which its other warps never arrive",
                     r->launch->kernel->name, c->f.index[0], c->f.index[1], c->f.index[2]);
    for (uint32_t w = 0; w < r->launch->warps_per_cta; w++) {
      if (!(c->live & ~c->waiting & 1u << w)) continue;
      enum stop stop = run_warp(r, c, w);
      if (stop == STOP_EXIT) end_warp(c, w);
      turn |= stop == STOP_TURN;
      if (stop != STOP_FAULT) continue;
      r->faulted = &c->warp[w];
      return ERR_FAULT;
    }
  }
  *all = !c->live;
  r->ended += *all;
  return 0;
}

static int fault(const struct run *r, struct err *e) {
  const struct ptx_kernel *k = r->launch->kernel;
  const struct ptx_warp *p = r->faulted;
  const char *text = ptx_op_text(k, ptx_warp_pc(p));
  char what[256];
  ptx_fault_text(p, what, sizeof what);
  text += strspn(text, " \t");
  return err_set(e, ERR_FAULT, "%s:%u: kernel '%s', '%.120s': %s (functional)", ptx_module_file(k->module),
                 p->fault.line, k->name, text, what);
}

/* An upper bound of what all SMs can issue before launch.limit: in detail the launch would have been ended, too. */
static int check_limit(const struct run *r, struct err *e) {
  const struct gpu_config *m = &r->setup->config;
  uint64_t most = (uint64_t)m->launch_limit * (uint64_t)m->sm_count * (uint64_t)m->sm_schedulers;
  if (!most || r->count.warp_instructions <= most) return 0;
  return err_set(e, ERR_INTERNAL,
                 "kernel '%s' has not ended after %" PRIu64 " warp instructions, more than launch.limit allows",
                 r->launch->kernel->name, r->count.warp_instructions);
}

/* Whatever runs in the slot, until a CTA has had its turn and goes on later. */
static int run_slot(struct run *r, uint64_t i, struct err *e) {
  bool all = true;
  int status = 0;
  if (!r->slot[i] && r->next < r->launch->n_ctas && !(r->slot[i] = new_cta(r->launch)))
    return err_set(e, ERR_LIMIT, "out of memory for a CTA of kernel '%s'", r->launch->kernel->name);
  struct cta *c = r->slot[i];
  while (c && all && !status) {
    if (!c->live && r->next == r->launch->n_ctas) return 0;
    if (!c->live) start(r, c, r->next++);
    status = run_cta(r, c, &all, e);
    if (!status) status = check_limit(r, e);
    struct gpu_progress *p = r->setup->progress;
    if (p) p->look(p, r->ended, r->launch->n_ctas, 0);
  }
  return status == ERR_FAULT ? fault(r, e) : status;
}

static int check_operations(const struct ptx_kernel *k, struct err *e) {
  for (uint32_t i = 0; i < k->n_ops; i++)
    if (k->ops[i].class == PTX_EXTENSION)
      return err_set(
        e, ERR_UNSUPPORTED,
        "%s:%u: kernel '%s' uses an instruction of a proposal, which only the detailed mode has; simulate it with "
        "--detail=%s",
        ptx_module_file(k->module), k->ops[i].line, k->name, k->name);
  return 0;
}

int functional_run(const struct gpu_setup *setup, struct device_memory *memory, const struct launch *l,
                   struct functional_count *count, struct err *e) {
  struct run r = {.setup = setup, .memory = memory, .launch = l, .ops = l->kernel->ops};
  r.n_slots = (uint64_t)l->ctas_per_sm * (uint64_t)setup->config.sm_count;
  int status = check_operations(l->kernel, e);
  if (status) return status;
  r.slot = calloc(r.n_slots, sizeof *r.slot);
  if (!r.slot) return err_set(e, ERR_LIMIT, "out of memory for the CTAs of kernel '%s'", l->kernel->name);
  for (uint64_t i = 0; r.ended < l->n_ctas && !status; i = (i + 1) % r.n_slots) status = run_slot(&r, i, e);
  for (uint64_t i = 0; i < r.n_slots && r.slot[i]; i++) {
    free(r.slot[i]->memory);
    free(r.slot[i]->warp);
    free(r.slot[i]);
  }
  free(r.slot);
  count->ctas += r.ended;
  count->warp_instructions += r.count.warp_instructions;
  count->thread_instructions += r.count.thread_instructions;
  return status;
}
