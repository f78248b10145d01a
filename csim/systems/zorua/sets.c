/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/zorua/sets.h"

#include "base/err.h"
#include "core/sm.h"
#include "systems/zorua/tables.h"

static uint32_t sets(uint64_t n, uint32_t of) { return (uint32_t)((n + of - 1) / of); }

struct zorua_need zorua_need_of(const struct ptx_op *phase, uint32_t shared) {
  uint32_t bytes = phase->phase.shared_bytes + (phase->phase.dynamic ? shared : 0);
  return (struct zorua_need){sets(phase->phase.registers, ZORUA_SET_LANE), sets(bytes, ZORUA_SET_BYTES)};
}

/* The registers that a row belongs to (struct ptx_kernel). */
static uint64_t registers_of(const struct ptx_kernel *k, ptx_row row) {
  uint32_t n = (uint32_t)row - k->first_register;
  if (row < 0 || (uint32_t)row < k->first_register || n >= 2 * k->registers) return 0;
  return n < k->registers ? UINT64_C(1) << n % 64 : UINT64_C(3) << (n - k->registers) % 64;
}

struct zorua_operands zorua_operands_of(const struct ptx_kernel *k, const struct ptx_op *op) {
  struct zorua_operands o = {0, 0};
  for (uint32_t i = 0; i < op->n_src; i++) o.reads |= registers_of(k, op->src[i]);
  for (uint32_t i = 0; i < op->n_dst; i++) o.writes |= registers_of(k, op->dst[i]);
  return o;
}

uint32_t zorua_sets_of(uint64_t registers) {
  uint32_t found = 0;
  for (uint32_t s = 0; s < ZORUA_WARP_SETS; s++) found |= (uint32_t)((registers >> s * ZORUA_SET_LANE & 15) != 0) << s;
  return found;
}

struct zorua_space zorua_space_of_sm(const struct gpu_config *m) {
  const struct zorua_parameters *p = zorua_parameters(m);
  return zorua_space_for(m, (uint64_t)p->warps, (uint64_t)p->blocks);
}

static bool cta_fits(const struct gpu_config *m, const struct sm_need *n, struct err *e) {
  const char *name = n->kernel->name, *mend = "launch smaller blocks";
  unsigned warps = (unsigned)m->sm_warps, threads = (unsigned)m->sm_threads;
  if (n->warps > warps)
    err_set(e, ERR_LIMIT, "kernel '%s': a CTA needs %u warps and the SM has %u (sm.warps); %s", name, n->warps, warps,
            mend);
  else if (n->threads > threads)
    err_set(e, ERR_LIMIT, "kernel '%s': a CTA needs %u threads and the SM has %u (sm.threads); %s", name, n->threads,
            threads, mend);
  return n->warps <= warps && n->threads <= threads;
}

/* A warp or block must fit the SM by itself; how many run at once is the coordinator's business. */
uint32_t zorua_fits(const struct gpu_config *m, const struct sm_need *n, struct err *e) {
  const struct zorua_parameters *p = zorua_parameters(m);
  uint32_t most = zorua_block_sets(m);
  if (!n->kernel->phases || !n->kernel->n_ops || n->kernel->ops[0].class != PTX_PHASE) {
    err_set(e, ERR_LIMIT, "kernel '%s' has no phase specifiers, which zorua.mechanism = zorua needs", n->kernel->name);
    return 0;
  }
  for (uint32_t i = 0; i < n->kernel->n_ops; i++) {
    const struct ptx_op *op = &n->kernel->ops[i];
    if (op->class != PTX_PHASE) continue;
    struct zorua_need need = zorua_need_of(op, n->shared_bytes - n->kernel->shared_bytes);
    if (need.scratch > most) {
      err_set(
        e, ERR_LIMIT,
        "kernel '%s': a phase needs %u KB of scratchpad and zorua's tables map the %u of sm.shared_bytes to a block; launch "
        "smaller blocks",
        n->kernel->name, need.scratch, most);
      return 0;
    }
  }
  if (!cta_fits(m, n, e)) return 0;
  uint32_t fit = (uint32_t)p->warps / n->warps;
  return fit < (uint32_t)p->blocks ? fit : (uint32_t)p->blocks;
}
