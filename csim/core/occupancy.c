/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy: CTAs of a kernel per SM. assumption: a thread uses as many registers as the kernel has live at once, or with
 * ptx.registers = allocated as many as its allocator took, unless sm.thread_registers says otherwise, without allocation
 * granularity; shared memory is allocated in multiples of 128 bytes. */
#include "core/contexts.h"
#include "core/sm.h"
#include "core/sm_state.h"

struct limit {
  const char *what, *key;
  int64_t need, have; /* needed by a CTA; available in the SM */
};

uint32_t sm_thread_registers(const struct gpu_config *m, const struct ptx_kernel *k) {
  if (m->sm_thread_registers) return (uint32_t)m->sm_thread_registers;
  return k->registers ? k->registers : k->live_registers;
}

/* `more`: registers of a thread beside the kernel's. */
static uint32_t occupancy(const struct gpu_config *m, const struct ptx_kernel *k, uint32_t threads,
                          uint32_t dynamic_shared, uint32_t more, struct err *e) {
  int64_t warps = (threads + INT64_C(31)) / 32;
  int64_t shared = sm_shared_slice(m, k, dynamic_shared);
  const struct limit limits[] = {
    {"CTA slots", "sm.ctas", 1, m->sm_ctas},
    {"threads", "sm.threads", threads, m->sm_threads},
    {"warps", "sm.warps", warps, m->sm_warps},
    {"registers", "sm.registers", warps * 32 * ((int64_t)sm_thread_registers(m, k) + more), m->sm_registers},
    {"bytes of shared memory", "sm.shared_bytes", shared, m->sm_shared_bytes},
  };
  int64_t fit = INT64_MAX;
  if (!threads) {
    err_set(e, ERR_LIMIT, "kernel '%s': a block of 0 threads; give every block dimension at least 1", k->name);
    return 0;
  }
  if (k->multiplies && !m->sm_matrix_rate) {
    err_set(
      e, ERR_LIMIT,
      "kernel '%s' multiplies matrices (mma, wmma) and this GPU has no unit for it (sm.matrix.rate is 0); take a GPU "
      "that has one, such as h100",
      k->name);
    return 0;
  }
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    if (limits[i].need > limits[i].have) {
      err_set(e, ERR_LIMIT, "kernel '%s': a CTA needs %lld %s and the SM has %lld (%s); launch smaller blocks", k->name,
              (long long)limits[i].need, limits[i].what, (long long)limits[i].have, limits[i].key);
      return 0;
    }
    int64_t need = limits[i].need, have = limits[i].have;
    if (need > 0 && have / need < fit) fit = have / need;
  }
  return (uint32_t)fit;
}

uint32_t sm_occupancy(const struct gpu_config *m, const struct ptx_kernel *k, uint32_t threads, uint32_t dynamic_shared,
                      struct err *e) {
  return occupancy(m, k, threads, dynamic_shared, 0, e);
}

uint32_t sm_fits(const struct system_ops *ops, void *agent, const struct gpu_config *m, const struct ptx_kernel *k,
                 uint32_t threads, uint32_t dynamic_shared, struct err *e) {
  const struct context_hooks *contexts = ops ? ops->contexts : NULL;
  uint32_t more = ops && ops->registers ? ops->registers(m, agent) : 0;
  if (!contexts || !contexts->on(m) || !threads) return occupancy(m, k, threads, dynamic_shared, more, e);
  const struct sm_need need = {.kernel = k,
                               .threads = threads,
                               .warps = (threads + WARP_LANES - 1) / WARP_LANES,
                               .shared_bytes = sm_shared_slice(m, k, dynamic_shared)};
  return contexts->fits(m, &need, e);
}
