/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of assist warps, and those that nobody has. */
#include "core/launch.h"
#include "core/sm.h"
#include "systems/caba/caba_internal.h"

/* Of a class one routine of a warp runs at a time (assumption: two decompressions of a warp that are under way have the same registers). */
uint32_t caba_registers(const struct gpu_config *m) {
  const struct caba_parameters *p = caba_parameters(m);
  static const struct aws_store none;
  struct aws_store store = none;
  uint32_t most[2] = {0, 0}, sum = 0;
  bool fills = p->load == CABA_LOAD_ASSIST && p->l2 == CABA_L2_PACKED; /* assist warps decompress */
  if (!caba_assists(p) || caba_load_routines(p, &store, NULL)) return 0;
  for (uint32_t k = 0; k < store.n_routines; k++) {
    const struct aws_routine *r = &store.routine[k];
    if (r->high ? !fills : !p->stores) continue;
    if (r->registers > most[r->high]) most[r->high] = r->registers;
    sum += r->registers;
  }
  return p->registers == CABA_REGISTERS_SUM ? sum : most[0] + most[1];
}

uint64_t caba_registers_free(const struct gpu_config *m, const struct ptx_kernel *k, const struct launch *l) {
  uint64_t threads = (uint64_t)l->ctas_per_sm * l->warps_per_cta * WARP_LANES;
  return (uint64_t)m->sm_registers - threads * (sm_thread_registers(m, k) + caba_registers(m));
}
